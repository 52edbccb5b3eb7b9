//! What a bot thinks of the answers to a question, in words.

use rulepack_kernel::{Sight, Viewer, Words, fill};
use rulepack_tools::{Judged, Session, Thought};

use crate::phrases::Phrases;

/// At most so many answers are told.
const MOST: usize = 3;

/// The best answers to the present question, one on each line: how often they won, and how many points they brought. An answer about
/// a piece that the viewer does not see is left out.
pub fn advice(session: &Session, words: &Words<'_>, viewer: Viewer, thought: &Thought) -> Vec<String> {
    let Some(decision) = session.decision() else { return Vec::new() };
    let (phrases, game) = (Phrases::of(words.spoken()), session.game());
    let sight = Sight::new(game.rules(), game.state(), viewer);
    let texts = words.options(game.state(), decision);
    let is_alone = game.rules().players == 1;
    let has_points = thought.judged.iter().any(|judged| judged.points != 0.0);
    let line = |judged: &Judged| {
        let index = usize::from(judged.answer.0);
        let option = decision.options.get(index)?;
        // Nobody else may know what a player could have chosen of a hidden hand.
        let is_known = viewer == Viewer::All || viewer == Viewer::Seat(decision.seat);
        if !is_known && !option.piece().is_none_or(|piece| sight.sees(piece)) {
            return None;
        }
        let wins = judged.wins.filter(|_| !is_alone);
        let phrase = match (wins, has_points) {
            (Some(_), true) => phrases.judged,
            (Some(_), false) => phrases.judged_by_wins,
            (None, _) => phrases.judged_by_points,
        };
        let wins = format!("{:.0}", 100.0 * wins.unwrap_or_default());
        let points = format!("{:.1}", judged.points);
        let games = judged.tried.to_string();
        let places = [("what", texts.get(index)?.as_str()), ("wins", &wins), ("points", &points), ("games", &games)];
        Some(format!("  {}", fill(phrase, &places)))
    };
    thought.judged.iter().filter_map(line).take(MOST).collect()
}
