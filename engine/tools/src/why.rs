//! A player's question why something is not offered, answered in words.

use rulepack_kernel::{EffectHost, Game, Viewer, Wanted, Words};
use rulepack_model::{Seat, did_you_mean};

/// Answers `build inn`: why a player is not offered this now, as far as that player can know. Things are called by their
/// ids or titles.
pub fn tell_why(game: &Game, host: &dyn EffectHost, words: &Words<'_>, seat: Seat, text: &str) -> String {
    let Some(wanted) = words.wanted(text) else {
        return "write an action and what it is about, such as `why build inn`".into();
    };
    let rules = game.rules();
    if let Wanted::Choice(_) = wanted {
        let first = text.split_whitespace().next().unwrap_or_default();
        let actions = rules.actions.iter().map(|action| action.name.as_str());
        let is_asked = game.decision().is_some_and(|decision| !matches!(decision.ask, rulepack_kernel::Ask::Menu(..)));
        if !is_asked {
            let hint = did_you_mean(first, actions).map_or(String::new(), |hint| format!("; {hint}"));
            return format!("no action is called `{first}`{hint}");
        }
    }
    match game.why_not(host, Viewer::Seat(seat), &wanted) {
        None => format!("`{text}` is offered"),
        Some(reason) => format!("`{text}` is not offered: {}", words.reason(&reason)),
    }
}
