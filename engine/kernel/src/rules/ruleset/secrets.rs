//! What players do not see of one another, apart from pieces: variables, derived values and resources.

use rulepack_expr::Set;

use super::Ruleset;

/// Who sees a variable, a derived value, or how much a player has of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// All players.
    #[default]
    All,
    /// The player to whom it belongs; if it belongs to a piece, the owner of the piece.
    Owner,
    /// Nobody.
    Nobody,
}

/// What a hidden value may be, as far as players know who do not see it. It is evaluated for the player or the piece to whom the
/// value belongs.
#[derive(Debug, Clone)]
pub struct Domain {
    /// The values.
    pub set: Set,
    /// The number of slots.
    pub locals: u16,
}

impl Ruleset {
    /// Whether a variable or a resource is hidden from a player.
    pub fn has_secrets(&self) -> bool {
        self.facts.has_secrets
    }

    pub(crate) fn find_secrets(&self) -> bool {
        let hidden = |audience: Audience| audience != Audience::All;
        self.vars.iter().any(|var| hidden(var.visible)) || self.resources.iter().any(|res| hidden(res.visible))
    }
}
