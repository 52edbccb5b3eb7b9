//! Grading a log: under the present rules it goes exactly as it was played, or another way from some decision on; then
//! the grade names the responsible definitions.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use std::collections::BTreeSet;
use std::fmt;

use rulepack_kernel::{Answer, Changes, Game, Given, LogEntry};
use rulepack_model::visible::one_line;
use rulepack_script::ScriptHost;
use serde_json::json;

use crate::ending::Ending;
use crate::load::GameBox;
use crate::replay::{About, Difference, GameLog, ReplayError, follow};

/// The number of ids of one list that are printed for people.
const SHOWN: usize = 12;

/// A log that was played again, as far as its answers could be given.
#[derive(Debug)]
pub struct Replayed {
    /// The game after the last answer that could be given.
    pub game: Game,
    /// The number of answers that were given.
    pub answers: usize,
    /// The grade.
    pub grade: Grade,
}

/// The grade of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grade {
    /// At every decision the same player was asked the same, with the same options, and the same followed. `changes`
    /// are definitions that have changed without any effect on this game.
    Exact {
        /// The changed definitions.
        changes: Changes,
    },
    /// There is a difference.
    Diverged(Box<Divergence>),
}

/// Where a game goes another way, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The first difference.
    pub difference: Difference,
    /// The changed definitions that are related to it, or all if none is more likely than the others.
    pub responsible: Vec<String>,
    /// All changed definitions.
    pub changes: Changes,
}

impl Grade {
    /// Whether it went as it was played.
    pub fn is_exact(&self) -> bool {
        matches!(self, Grade::Exact { .. })
    }

    /// As JSON.
    pub fn to_json(&self) -> serde_json::Value {
        let changed =
            |changes: &Changes| json!({ "changed": changes.changed, "new": changes.added, "gone": changes.gone });
        match self {
            Grade::Exact { changes } => json!({ "grade": "EXACT", "rules": changed(changes) }),
            Grade::Diverged(divergence) => {
                let Divergence { difference, responsible, changes } = &**divergence;
                json!({
                    "grade": "DIVERGED",
                    "rules": changed(changes),
                    "decision": difference.number,
                    "about": difference.about,
                    "what": difference.what,
                    "then": difference.then,
                    "now": difference.now,
                    "answer": difference.answer,
                    "after": difference.after,
                    "responsible": responsible,
                    "at_work": difference.place,
                })
            }
        }
    }
}

impl Divergence {
    /// Finds the definitions that are responsible for a difference.
    pub(crate) fn new(difference: Difference, changes: Changes) -> Divergence {
        let responsible = responsible(&difference, &changes);
        Divergence { difference, responsible, changes }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grade::Exact { .. } => write!(f, "EXACT"),
            Grade::Diverged(divergence) => divergence.fmt(f),
        }
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Divergence { difference, responsible, changes } = self;
        let Difference { number, total, about, what, then, now, place, .. } = difference;
        writeln!(f, "DIVERGED at decision {number} of {total}: {}", about.words())?;
        writeln!(f, "  {}", one_line(what))?;
        match (about, then) {
            (About::Offered, Some(then)) => {
                let only = |here: &[String], there: &[String]| -> Vec<String> {
                    here.iter().filter(|name| !there.contains(name)).cloned().collect()
                };
                writeln!(f, "  offered only then: {}", listed(&only(then, now)))?;
                writeln!(f, "  offered only now: {}", listed(&only(now, then)))?;
            }
            (_, then) => {
                let then = then.as_deref().map_or_else(|| "the log does not say".to_string(), listed);
                writeln!(f, "  then: {then}")?;
                writeln!(f, "  now: {}", listed(now))?;
            }
        }
        match changes.is_empty() {
            true => writeln!(f, "  responsible: no definition has changed since")?,
            false => writeln!(f, "  responsible: {}", listed(responsible))?,
        }
        write!(f, "  at work: {}", one_line(place))
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "nothing".into();
    }
    let mut text = names.iter().take(SHOWN).map(|name| format!("`{}`", one_line(name))).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text += &format!(" and {} more", names.len().saturating_sub(SHOWN));
    }
    text
}

impl GameLog {
    /// Plays the log again, all of it or its first answers, and compares every decision: who is asked, what is offered,
    /// what follows. `told` is called with each answer and its events.
    ///
    /// # Errors
    /// If the game cannot begin.
    pub fn grade(
        &self,
        game_box: &GameBox,
        host: &ScriptHost,
        at: Option<usize>,
        told: impl FnMut(&Game, Answer, &Given, &[LogEntry]),
    ) -> Result<Replayed, ReplayError> {
        let mut game = self.begin(game_box, host)?;
        let wanted = at.unwrap_or(self.answers.len()).min(self.answers.len());
        let (answers, difference) = self.verify(&mut game, host, wanted, told);
        let changes = self.beginning.header.meaning.changes(&game.rules().meaning);
        let grade = match difference {
            None => Grade::Exact { changes },
            Some(mut difference) => {
                difference.total = self.answers.len();
                Grade::Diverged(Box::new(Divergence::new(difference, changes)))
            }
        };
        Ok(Replayed { game, answers, grade })
    }

    /// Gives the first answers again; returns how many can be given, and the first difference. After the last answer,
    /// the table is compared too.
    pub fn verify(
        &self,
        game: &mut Game,
        host: &ScriptHost,
        wanted: usize,
        told: impl FnMut(&Game, Answer, &Given, &[LogEntry]),
    ) -> (usize, Option<Difference>) {
        let (answers, difference) = follow(game, host, self.answers.get(..wanted).unwrap_or(&self.answers), told);
        let is_whole = difference.is_none() && wanted == self.answers.len();
        (answers, if is_whole { self.other_end(game, host) } else { difference })
    }

    /// Whether the table after the last answer differs, although all events were the same.
    fn other_end(&self, game: &Game, host: &ScriptHost) -> Option<Difference> {
        let now = game.hash_text();
        if self.hash.as_ref() == Some(&now) {
            return None;
        }
        let (then_ended, now_ends) = match &self.end {
            Some(end) => end.differences(&Ending::of(game)),
            None => Default::default(),
        };
        let (what, then, now) = match then_ended.is_empty() && now_ends.is_empty() {
            false => ("the game has come to something else than then".to_string(), then_ended, now_ends),
            // With other numbers the same game has another hash.
            true if self.beginning.header.numbering != game.rules().numbering() => return None,
            true => {
                let then = self.hash.clone()?;
                (format!("the game ended with the hash `{now}` instead of `{then}`"), vec![then], vec![now])
            }
        };
        let mut last = self.answers.iter().rev().map(|given| given.option.clone());
        Some(Difference {
            number: self.answers.len(),
            total: self.answers.len(),
            what,
            goes_on: true,
            about: About::End,
            then: Some(then),
            now,
            answer: last.next().unwrap_or_default(),
            after: last.next(),
            place: game.place_of_question(host),
        })
    }
}

/// The changed definitions that are related to a difference: those that were running there, or that it names.
fn responsible(difference: &Difference, changes: &Changes) -> Vec<String> {
    let all: Vec<&String> = changes.changed.iter().chain(&changes.added).chain(&changes.gone).collect();
    let then = difference.then.iter().flatten();
    let is_both = |name: &&String| {
        difference.about == About::Offered
            && difference.now.contains(name)
            && difference.then.as_ref().is_some_and(|then| then.contains(name))
    };
    let named = then.chain(&difference.now).filter(|name| !is_both(name));
    let given = std::iter::once(&difference.answer).chain(&difference.after);
    let words: BTreeSet<&str> = named.chain(given).flat_map(|name| ids(name)).collect();
    let place: BTreeSet<&str> = difference.place.split([' ', ',']).collect();
    let fits = |path: &&&String| {
        let id = path.rsplit(['.', ':']).next().unwrap_or(path);
        words.contains(id) || place.contains(path.as_str()) || difference.place.contains(&format!("/{id}.lua"))
    };
    let fitting: Vec<String> = all.iter().filter(fits).map(|path| (*path).clone()).collect();
    if fitting.is_empty() { all.into_iter().cloned().collect() } else { fitting }
}

/// The ids in the name of an option or in a fact, such as `build` and `inn` of `build inn@II.left`.
fn ids(name: &str) -> impl Iterator<Item = &str> {
    name.split([' ', '@', '#', ',', '.'])
}
