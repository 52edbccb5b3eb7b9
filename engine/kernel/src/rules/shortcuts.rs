//! Shortcuts: faster ways to a result that the kernel could also reach in a plain one.
//!
//! A shortcut must never change a game. Debug builds, and builds with the feature `oracle`, can switch each of them off
//! ([`Shortcuts::none`]): a game without shortcuts must be asked the same questions, with the same options and the same
//! hash, as one with all of them. They can also spoil one on purpose ([`Shortcuts::spoiled`]), so that a test sees that
//! the comparison notices. In other builds the switches do not exist: the compiler removes every test of them.
//!
//! In the same way a [`Promise`] can be broken on purpose ([`Shortcuts::breaking`]), so that a test sees that the
//! checks of packs notice it.
//!
//! Only the switches live here. The shortcuts themselves are where they are used; search for their names.

/// Whether the kernel compares its shortcuts with the plain ways, and can switch them off.
pub const ORACLE: bool = cfg!(any(debug_assertions, feature = "oracle"));

/// A faster way to a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortcut {
    /// Expressions, sets and costs are compiled to functions (`lower/`). The plain way walks their trees (`eval/expressions.rs`).
    CompiledTexts,
    /// A derived value that counts along a line of spaces is a loop (`lower/chains.rs`).
    Lines,
    /// Free spaces of a row or column are listed by a loop of their own (`Walk::cells`).
    FreeCells,
    /// Values, prices and options are cached until something that they read changes (`state/cache.rs`).
    Cache,
    /// The kinds of the pieces of a zone are kept as bits (`state/roster.rs`).
    Rosters,
    /// Standing rules are not checked again before something that they read changes (`flow/standing.rs`).
    CleanStanding,
    /// Effects that can always be carried out are known when a pack is linked (`CompiledProgram::is_certain`).
    CertainEffects,
    /// Pieces that do not listen to an event or change a value are skipped by their bits (`facts.rs`).
    HookBits,
    /// The values with which an action can begin are listed apart from who can pay for it (`Machine::find_payable`).
    PricedOptions,
    /// A plain action that only runs its effect is not put on the stack (`Machine::do_chosen`).
    UnstackedActions,
    /// Effects inside effects, and the events that they raise, are not put on the stack (`Machine::run_unstacked`).
    UnstackedEffects,
    /// Resources that can go only one way move without a frame (`Machine::moves_at_once`).
    DirectTransfers,
    /// Phases follow one another within one step of the machine (`Machine::go_on`).
    PhaseChains,
}

impl Shortcut {
    /// All of them.
    pub const ALL: [Shortcut; 13] = [
        Shortcut::CompiledTexts,
        Shortcut::Lines,
        Shortcut::FreeCells,
        Shortcut::Cache,
        Shortcut::Rosters,
        Shortcut::CleanStanding,
        Shortcut::CertainEffects,
        Shortcut::HookBits,
        Shortcut::PricedOptions,
        Shortcut::UnstackedActions,
        Shortcut::UnstackedEffects,
        Shortcut::DirectTransfers,
        Shortcut::PhaseChains,
    ];

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A promise of the engine to its users, which can be broken on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// A copy plays on separately. Broken: it shares the waiting scripts with the original game.
    Copy,
    /// A saved game is the same game. Broken: it forgets who has passed and how often a die was rolled.
    Save,
    /// Undo leads back to the table before the answer. Broken: the last answer that has to be given again is left out.
    Undo,
    /// A view shows what its player sees. Broken: it shows all pieces.
    View,
    /// Limited resources are neither made nor lost. Broken: what is paid does not come back to the supply.
    Conservation,
    /// Options have a fixed order. Broken: in every fifth list of the process the last one comes first.
    Order,
    /// No option is listed twice. Broken: the first of several is.
    Unique,
    /// A refused answer changes nothing. Broken: it counts as a turn.
    Refusal,
    /// A fault for a player does not name what the player cannot see. Broken: the whole message is shown.
    Fault,
    /// A reason for a player follows from what the player sees. Broken: the full reason is shown.
    Reason,
}

impl Promise {
    /// All of them.
    pub const ALL: [Promise; 10] = [
        Promise::Copy,
        Promise::Save,
        Promise::Undo,
        Promise::View,
        Promise::Conservation,
        Promise::Order,
        Promise::Unique,
        Promise::Refusal,
        Promise::Fault,
        Promise::Reason,
    ];

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// Which shortcuts are used. Part of a [`crate::Ruleset`], because compiled texts belong to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shortcuts {
    off: u16,
    spoiled: u16,
    broken: u16,
}

impl Shortcuts {
    /// All shortcuts: the usual way to play a game.
    pub const fn all() -> Shortcuts {
        Shortcuts { off: 0, spoiled: 0, broken: 0 }
    }

    /// No shortcut. Without the oracle they cannot be switched off, and all are used.
    pub const fn none() -> Shortcuts {
        Shortcuts { off: u16::MAX, spoiled: 0, broken: 0 }
    }

    /// All but one.
    pub const fn without(shortcut: Shortcut) -> Shortcuts {
        Shortcuts { off: shortcut.bit(), spoiled: 0, broken: 0 }
    }

    /// All of them, and one gives wrong results: for tests of the comparison.
    pub const fn spoiled(shortcut: Shortcut) -> Shortcuts {
        Shortcuts { off: 0, spoiled: shortcut.bit(), broken: 0 }
    }

    /// All of them, and one promise is broken: for tests of what must notice it.
    pub const fn breaking(promise: Promise) -> Shortcuts {
        Shortcuts { off: 0, spoiled: 0, broken: promise.bit() }
    }

    /// Whether a promise is to be broken. Never without the oracle.
    #[inline(always)]
    pub const fn breaks(self, promise: Promise) -> bool {
        ORACLE && self.broken & promise.bit() != 0
    }

    /// Whether a shortcut is used.
    #[inline(always)]
    pub(crate) const fn takes(self, shortcut: Shortcut) -> bool {
        !ORACLE || self.off & shortcut.bit() == 0
    }

    /// Whether a shortcut is to give wrong results.
    #[inline(always)]
    pub(crate) const fn spoils(self, shortcut: Shortcut) -> bool {
        ORACLE && self.spoiled & shortcut.bit() != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shortcut_has_a_switch_of_its_own() {
        for (index, shortcut) in Shortcut::ALL.into_iter().enumerate() {
            assert_eq!(shortcut as usize, index, "the list has every shortcut, in order");
            let (without, spoiled) = (Shortcuts::without(shortcut), Shortcuts::spoiled(shortcut));
            for other in Shortcut::ALL {
                assert_eq!(without.takes(other), other != shortcut);
                assert_eq!(spoiled.spoils(other), other == shortcut);
                assert!(spoiled.takes(other) && !without.spoils(other) && !Shortcuts::none().takes(other));
            }
        }
    }
}
