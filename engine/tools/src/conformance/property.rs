//! The properties of every pack, and how often each is tested.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_kernel::Rng;
use serde::{Serialize, Serializer};

/// A property of every pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// Every listed option is accepted, and nothing fails.
    Accepted,
    /// Anything else is refused, and the game is as before.
    Refused,
    /// No option is listed twice, and their names and texts tell them apart.
    Unique,
    /// Options stand in the same order whenever they are listed.
    Order,
    /// A copy is the same game, and goes on in the same way.
    Copy,
    /// A game that was saved and loaded is the same game, and goes on in the same way.
    Save,
    /// Undo leads back to every decision as it was.
    Undo,
    /// The same seed and the same answers give the same game; so does its log.
    Replay,
    /// Pieces and limited resources are neither made nor lost.
    Conservation,
    /// No player learns what is hidden from this player.
    Secrecy,
    /// Reading changes nothing: views, reasons, conditions, queries of scripts.
    Looking,
    /// The game ends.
    End,
}

impl Property {
    /// All of them.
    pub const ALL: [Property; 12] = [
        Property::Accepted,
        Property::Refused,
        Property::Unique,
        Property::Order,
        Property::Copy,
        Property::Save,
        Property::Undo,
        Property::Replay,
        Property::Conservation,
        Property::Secrecy,
        Property::Looking,
        Property::End,
    ];

    /// Its name in reports; it stays the same from version to version.
    pub fn name(self) -> &'static str {
        match self {
            Property::Accepted => "accepted",
            Property::Refused => "refused",
            Property::Unique => "unique",
            Property::Order => "order",
            Property::Copy => "copy",
            Property::Save => "save",
            Property::Undo => "undo",
            Property::Replay => "replay",
            Property::Conservation => "conservation",
            Property::Secrecy => "secrecy",
            Property::Looking => "looking",
            Property::End => "end",
        }
    }
}

impl Serialize for Property {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Counts how often each property was tested.
pub type Counts = BTreeMap<Property, u64>;

/// Chooses some decisions of a game for an expensive test: one in `one_in`, first of all kinds that the game has not
/// had yet. The choice follows from the number of the game and its decisions, and from nothing else.
#[derive(Debug)]
pub(super) struct Sample {
    one_in: u64,
    /// Grows by one with each decision; a test costs `one_in`.
    credit: u64,
    /// The extra credit that a kind needs if it was tested before: until then, new kinds may come.
    patience: u64,
    met: BTreeSet<u64>,
}

impl Sample {
    /// For one game of many: each begins at another decision.
    pub(super) fn new(one_in: u64, game: u64) -> Sample {
        let one_in = one_in.max(1);
        let mut rng = Rng::new(game);
        let mut below = || u64::from(rng.below(u32::try_from(one_in).unwrap_or(u32::MAX)));
        Sample { one_in, credit: below(), patience: below(), met: BTreeSet::new() }
    }

    /// Whether the present decision is tested.
    pub(super) fn takes(&mut self, kind: impl Fn() -> u64) -> bool {
        self.credit += 1;
        if self.credit < self.one_in {
            return false;
        }
        if !self.met.insert(kind()) && self.credit < self.one_in + self.patience {
            return false;
        }
        self.credit -= self.one_in;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_decision_in_so_many_is_chosen_and_new_kinds_come_first() {
        let mut all = Sample::new(1, 3);
        assert!((0..20).all(|_| all.takes(|| 7)));
        let (mut taken, mut seldom) = (0, 0);
        for game in 0..20 {
            let mut some = Sample::new(8, game);
            for n in 0..800 {
                let is_seldom = n % 50 == 49;
                if some.takes(|| if is_seldom { 1000 + n } else { 1 }) {
                    taken += 1;
                    seldom += usize::from(is_seldom);
                }
            }
        }
        assert!((1_950..=2_020).contains(&taken), "{taken} of 16,000");
        // By chance it would be 40 of 320.
        assert!(seldom > 120, "{seldom} of 320 that come seldom");
    }

    #[test]
    fn every_decision_has_its_turn_in_some_game() {
        for one_in in [2, 7, 12, 16] {
            let mut had = BTreeSet::new();
            for game in 0..200 {
                let mut sample = Sample::new(one_in, game);
                had.extend((0..60).filter(|_| sample.takes(|| 1)));
            }
            assert_eq!(had.len(), 60, "one in {one_in}: only {had:?}");
        }
    }

    #[test]
    fn the_list_has_every_property_in_order() {
        assert!(Property::ALL.is_sorted());
        let names: BTreeSet<&str> = Property::ALL.iter().map(|property| property.name()).collect();
        assert_eq!(names.len(), Property::ALL.len());
    }
}
