//! Many logs at once: which games a changed rule changes, from which decision on, and after which answer.

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

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use crate::grade::{Divergence, Grade};

/// The number of groups of games that differ, and of names in one group, that are printed for people.
const SHOWN: usize = 12;

/// The grades of several logs.
#[derive(Debug, Default)]
pub struct Grades {
    games: Vec<Graded>,
}

/// A log and its grade.
#[derive(Debug)]
pub struct Graded {
    /// Its name, such as the path of its file.
    pub name: String,
    /// The grade, or the reason why it could not be played again.
    pub grade: Result<Grade, String>,
}

/// Games that go another way for the same reason.
struct Group<'g> {
    games: Vec<&'g str>,
    /// The earliest decision that differs.
    earliest: usize,
    /// The answers after which they differ.
    after: Vec<&'g str>,
}

impl Grades {
    /// Adds a log.
    pub fn add(&mut self, name: impl Into<String>, grade: Result<Grade, String>) {
        self.games.push(Graded { name: name.into(), grade });
    }

    /// Whether all games went as they were played.
    pub fn are_exact(&self) -> bool {
        self.games.iter().all(|game| matches!(&game.grade, Ok(grade) if grade.is_exact()))
    }

    fn diverged(&self) -> impl Iterator<Item = (&str, &Divergence)> {
        self.games.iter().filter_map(|game| match &game.grade {
            Ok(Grade::Diverged(divergence)) => Some((game.name.as_str(), &**divergence)),
            _ => None,
        })
    }

    /// Games that differ, by the responsible definitions and by the sort of difference.
    fn groups(&self) -> BTreeMap<(String, &'static str), Group<'_>> {
        let mut groups = BTreeMap::new();
        for (name, Divergence { difference, responsible, .. }) in self.diverged() {
            let key = (some_of(responsible), difference.about.words());
            let group =
                groups.entry(key).or_insert(Group { games: Vec::new(), earliest: usize::MAX, after: Vec::new() });
            group.games.push(name);
            group.earliest = group.earliest.min(difference.number);
            let after = difference.after.as_deref().unwrap_or("the beginning");
            if !group.after.contains(&after) {
                group.after.push(after);
            }
        }
        groups
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        let games = self.games.iter().map(|game| match &game.grade {
            Ok(grade) => json!({ "file": game.name, "replay": grade.to_json() }),
            Err(error) => json!({ "file": game.name, "error": error }),
        });
        json!({ "version": crate::REPORT_VERSION, "exact": self.are_exact(), "games": games.collect::<Vec<_>>() })
    }
}

impl fmt::Display for Grades {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.games.len();
        for game in &self.games {
            if let Err(error) = &game.grade {
                writeln!(f, "{}: {error}", game.name)?;
            }
        }
        let groups = self.groups();
        for ((responsible, about), group) in groups.iter().take(SHOWN) {
            let after = some_of(&group.after.iter().map(|after| format!("`{after}`")).collect::<Vec<_>>());
            writeln!(
                f,
                "{} of {total} games differ from decision {} on at the earliest, all after {after}: {about}",
                group.games.len(),
                group.earliest
            )?;
            writeln!(
                f,
                "  responsible: {}",
                if responsible.is_empty() { "no definition has changed" } else { responsible }
            )?;
            let names: Vec<String> = group.games.iter().map(ToString::to_string).collect();
            writeln!(f, "  games: {}", some_of(&names))?;
        }
        if groups.len() > SHOWN {
            writeln!(f, "and {} more groups of games", groups.len().saturating_sub(SHOWN))?;
        }
        let diverged = self.diverged().count();
        let failed = self.games.iter().filter(|game| game.grade.is_err()).count();
        write!(
            f,
            "{total} games: {} EXACT, {diverged} DIVERGED",
            total.saturating_sub(diverged).saturating_sub(failed)
        )?;
        if failed > 0 {
            write!(f, ", {failed} not played")?;
        }
        Ok(())
    }
}

/// The first of these names.
fn some_of(names: &[String]) -> String {
    let mut text = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text += &format!(" and {} more", names.len().saturating_sub(SHOWN));
    }
    text
}
