//! What the bots are called on the command line, and which seat each of them takes.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use rulepack_model::nearest;

use crate::{Bot, Greedy, Mcts, RandomBot};

/// The number of simulated games of `mcts` if none is given.
const USUAL_GAMES: u32 = 1_000;

/// The longest time for one answer, and the largest number of simulated games.
const MOST_SECONDS: u64 = 3_600;
const MOST_GAMES: u32 = 10_000_000;

/// How much a bot may do for one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effort {
    /// So many simulated games. The answer is the same each time.
    Games(u32),
    /// So long. The answer depends on how fast the machine is.
    Time(Duration),
}

/// A kind of bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BotKind {
    /// By chance.
    Random,
    /// What gives most points at once.
    Greedy,
    /// Monte Carlo tree search.
    Mcts(Effort),
}

/// A text that names no bot, or no seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindError(String);

impl fmt::Display for KindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for KindError {}

/// The words that name a kind.
const NAMES: [&str; 3] = ["random", "greedy", "mcts"];

impl BotKind {
    /// A bot of this kind for a game with a seed.
    pub fn bot(self, seed: u64) -> Box<dyn Bot> {
        match self {
            BotKind::Random => Box::new(RandomBot::new(seed)),
            BotKind::Greedy => Box::new(Greedy::new(seed)),
            BotKind::Mcts(effort) => Box::new(Mcts::new(effort, seed)),
        }
    }

    /// Whether the same seed leads to the same answers on every machine.
    pub fn is_repeatable(self) -> bool {
        !matches!(self, BotKind::Mcts(Effort::Time(_)))
    }
}

impl fmt::Display for BotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotKind::Random => f.write_str("random"),
            BotKind::Greedy => f.write_str("greedy"),
            BotKind::Mcts(Effort::Games(games)) => write!(f, "mcts:{games}"),
            BotKind::Mcts(Effort::Time(time)) => write!(f, "mcts:{}ms", time.as_millis()),
        }
    }
}

impl FromStr for BotKind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<BotKind, KindError> {
        let (name, effort) = text.split_once(':').map_or((text, None), |(name, effort)| (name, Some(effort)));
        match (name, effort) {
            ("random", None) => Ok(BotKind::Random),
            ("greedy", None) => Ok(BotKind::Greedy),
            ("mcts", None) => Ok(BotKind::Mcts(Effort::Games(USUAL_GAMES))),
            ("mcts", Some(effort)) => effort_of(effort).map(BotKind::Mcts),
            ("random" | "greedy", Some(_)) => {
                Err(KindError(format!("`{name}` takes nothing after it: write `{name}` alone")))
            }
            _ => {
                let meant = nearest(name, NAMES).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
                Err(KindError(format!(
                    "there is no bot `{name}`: there are `random`, `greedy`, `mcts`, `mcts:4000` and `mcts:500ms`{meant}"
                )))
            }
        }
    }
}

fn effort_of(text: &str) -> Result<Effort, KindError> {
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let number = digits.parse::<u64>().ok().filter(|number| *number > 0);
    let effort = match (number, &text[digits.len()..]) {
        (Some(games), "") => u32::try_from(games).ok().filter(|games| *games <= MOST_GAMES).map(Effort::Games),
        (Some(time), "ms") => Some(Effort::Time(Duration::from_millis(time))),
        (Some(time), "s") => Some(Effort::Time(Duration::from_secs(time))),
        _ => None,
    };
    effort.filter(|effort| !matches!(effort, Effort::Time(time) if time.as_secs() > MOST_SECONDS)).ok_or_else(|| {
        KindError(format!(
            "`mcts:{text}`: write how many games it plays on for an answer, such as `mcts:4000` (at most {MOST_GAMES}), or how \
             long it may think, such as `mcts:500ms` or `mcts:2s` (at most {MOST_SECONDS}s)"
        ))
    })
}

/// Who plays each seat: a bot of some kind, or a person.
pub type Seats = Vec<Option<BotKind>>;

/// Reads who plays: `all`, `none`, seats (`2,3`), a kind for all seats (`greedy`), a kind for each (`mcts,random`), or kinds for
/// some (`2=mcts:500ms`), the other seats being people. Seats without a kind get `usual`.
///
/// # Errors
/// If a word names neither a bot nor a seat, or there are not as many kinds as seats.
pub fn seats(text: &str, players: u8, usual: BotKind) -> Result<Seats, KindError> {
    let count = usize::from(players);
    match text.trim() {
        "all" => return Ok(vec![Some(usual); count]),
        "none" => return Ok(vec![None; count]),
        _ => {}
    }
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let seat_of = |word: &str| {
        let number = word.trim_start_matches("player_").parse::<usize>().ok();
        number.map(|number| number.checked_sub(1).filter(|seat| *seat < count))
    };
    let mut seats = vec![None; count];
    // A word that begins with a seat stands for this seat, any other for the next one.
    let mut in_order = Vec::new();
    for word in &words {
        let (place, kind) =
            word.split_once('=').map_or((*word, None), |(place, kind)| (place.trim(), Some(kind.trim())));
        match (seat_of(place), kind) {
            (Some(Some(seat)), None) => seats[seat] = Some(usual),
            (Some(Some(seat)), Some(kind)) => seats[seat] = Some(kind.parse()?),
            (Some(None), _) | (None, Some(_)) => {
                return Err(KindError(format!("there is no seat `{place}`: there are seats from 1 to {count}")));
            }
            (None, None) => in_order.push(word.parse::<BotKind>()?),
        }
    }
    match in_order.as_slice() {
        [] => Ok(seats),
        [one] if words.len() == 1 => Ok(vec![Some(*one); count]),
        kinds if kinds.len() == words.len() && kinds.len() == count => Ok(kinds.iter().copied().map(Some).collect()),
        kinds if kinds.len() == words.len() => Err(KindError(format!(
            "{} bots for {count} seats: write one for all, one for each, or seats such as `2=mcts`",
            kinds.len()
        ))),
        _ => Err(KindError(
            "either name the seat of every bot, such as `1=mcts,2=random`, or of none, such as `mcts,random`".into(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let told = |kind: &Option<BotKind>| kind.map_or("-".to_string(), |kind| kind.to_string());
        match seats(text, 3, BotKind::Greedy) {
            Ok(seats) => seats.iter().map(told).collect::<Vec<_>>().join(" "),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn seats_are_read_in_all_forms() {
        assert_eq!(read("all"), "greedy greedy greedy");
        assert_eq!(read("none"), "- - -");
        assert_eq!(read("2,3"), "- greedy greedy");
        assert_eq!(read("player_1"), "greedy - -");
        assert_eq!(read("random"), "random random random");
        assert_eq!(read("mcts, random,mcts:50"), "mcts:1000 random mcts:50");
        assert_eq!(read("2=mcts:500ms"), "- mcts:500ms -");
        assert_eq!(read("1,2=mcts:2s"), "greedy mcts:2000ms -");
    }

    #[test]
    fn a_wrong_word_is_named_with_what_to_write() {
        assert!(read("mtcs").ends_with("did you mean `mcts`?"), "{}", read("mtcs"));
        assert!(read("4").contains("there is no seat `4`: there are seats from 1 to 3"));
        assert!(read("0=mcts").contains("there is no seat `0`"));
        assert!(read("mcts,random").starts_with("2 bots for 3 seats"));
        assert!(read("mcts,2=random").starts_with("either name the seat of every bot"));
        for effort in ["0", "", "x", "5m", "ms", "99999999999", "99999999s", "-1", "1.5", "9999999999999999999999ms"] {
            assert!(read(&format!("mcts:{effort}")).contains("write how many games"), "{effort}");
        }
        assert!(read("random:5").contains("takes nothing after it"));
    }
}
