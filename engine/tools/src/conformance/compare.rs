//! Whether two games are the same, and how they differ, in words.

use std::hash::{Hash, Hasher};

use rulepack_kernel::{Answer, Decision, Game, Opt, View};
use rulepack_model::StableHasher;

/// Something that a player sees or is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seen {
    /// The view of a player.
    View(usize, Box<View>),
    /// Why an action is not offered, and the question for it, such as `build inn`.
    Reason { action: String, wanted: String, told: String },
}

impl Seen {
    /// What it is, how it differs from the other game, and the definition that reveals it, if known.
    pub(super) fn against(&self, other: &Seen) -> (String, String, String) {
        match (self, other) {
            (Seen::View(player, one), Seen::View(_, two)) => {
                let text = |view: &View| serde_json::to_string(view).expect("a view is plain data");
                let values = |view: &View| -> Vec<_> {
                    view.players.iter().flat_map(|player| player.values.0.clone()).collect()
                };
                let (ones, twos) = (values(one), values(two));
                let value = ones.iter().zip(&twos).find(|(one, two)| one != two);
                let at = value.map_or(String::new(), |((name, _), _)| format!("value.{name}"));
                (format!("the view of player {player}"), apart(&text(one), &text(two)), at)
            }
            (Seen::Reason { action, wanted, told: one }, Seen::Reason { told: two, .. }) => {
                let what = format!("the reason why `{wanted}` is not offered");
                (what, apart(one, two), format!("action.{action}"))
            }
            (Seen::View(..) | Seen::Reason { .. }, _) => {
                ("what is seen".into(), "something else is seen".into(), String::new())
            }
        }
    }
}

/// Two texts from where they begin to differ.
pub(super) fn apart(one: &str, two: &str) -> String {
    const MOST: usize = 100;
    let same = one.chars().zip(two.chars()).take_while(|(one, two)| one == two).count().saturating_sub(40);
    let near = |text: &str| text.chars().skip(same).take(MOST).collect::<String>();
    format!("`{}` or `{}`", near(one), near(two))
}

/// How a game differs from another one, in words; `None` if it is the same.
pub(super) fn difference(game: &Game, other: &Game) -> Option<String> {
    if game == other {
        return None;
    }
    let (one, two) = (game.decision(), other.decision());
    let who = |decision: Option<&Decision>| match decision {
        Some(decision) => format!("player {} is asked {:?}", decision.seat.index() + 1, decision.ask),
        None => "nobody is asked".to_string(),
    };
    let asked = |decision: &Decision| (decision.seat, decision.ask);
    if one.map(asked) != two.map(asked) {
        return Some(format!("{} instead of that {}", who(two), who(one)));
    }
    if let (Some(one), Some(two)) = (one, two)
        && one.options != two.options
    {
        let names = |game: &Game, decision: &Decision| game.option_names(decision).join(", ");
        return Some(format!("what is offered is {}", apart(&names(other, two), &names(game, one))));
    }
    let (one, two) = (format!("{:?}", game.state()), format!("{:?}", other.state()));
    Some(format!("the table is {}", apart(&two, &one)))
}

/// Whether two games differ only in the order of their options.
pub(super) fn is_reordered(game: &Game, other: &Game) -> bool {
    let (Some(one), Some(two)) = (game.decision(), other.decision()) else { return false };
    let is_within = |one: &[Opt], two: &[Opt]| one.iter().all(|option| two.contains(option));
    (one.seat, one.ask) == (two.seat, two.ask)
        && one.options != two.options
        && one.options.len() == two.options.len()
        && is_within(&one.options, &two.options)
        && is_within(&two.options, &one.options)
}

/// A digest of the question and the options.
pub(super) fn question(game: &Game) -> u64 {
    let mut hasher = StableHasher::new();
    if let Some(decision) = game.decision() {
        (decision.seat, decision.ask, &decision.options).hash(&mut hasher);
    }
    hasher.finish()
}

/// The kind of a decision: the question, and the chosen option by its action and the type of its piece.
pub(super) fn kind(game: &Game, answer: Answer) -> u64 {
    let mut hasher = StableHasher::new();
    let Some(decision) = game.decision() else { return hasher.finish() };
    decision.ask.hash(&mut hasher);
    let Some(option) = decision.options.get(usize::from(answer.0)) else { return hasher.finish() };
    match option {
        Opt::Action(action, _) | Opt::Free(action, _) => action.hash(&mut hasher),
        Opt::Value(_) => {}
        Opt::Branch(..) | Opt::Done | Opt::Yes | Opt::No | Opt::Continue => option.hash(&mut hasher),
    }
    option.piece().map(|piece| game.rules().type_of(piece)).hash(&mut hasher);
    hasher.finish()
}
