//! A running game goes on under changed rules: with the same answers, or from its table.
//!
//! First all answers are given again. If every decision and the table are as before, the game keeps its history. Otherwise the
//! table is rebuilt by names (`kernel/persist/carry.rs`), as it was before the last action began, and the answers of that action are
//! given again. If the table has no place under the new rules either, the game stops at the first decision that differs.

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

use std::fmt;

use rulepack_kernel::{CarryError, Changes, Fault, Given, History, View, Viewer, Words};

use super::{Session, Start};
use crate::grade::Divergence;
use crate::load::GameBox;
use crate::replay::{Difference, follow};

/// The largest number of answers of one action that are given again.
const MOST_AGAIN: usize = 400;

/// A game under other rules than those with which it began.
#[derive(Debug)]
pub struct Carry {
    /// The game under the new rules.
    pub session: Session,
    /// How it got there.
    pub how: Carried,
    /// The definitions that have changed.
    pub changes: Changes,
}

/// How a game came to be played under other rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carried {
    /// All answers were given again, and every decision was as before, and so is the table. All of them can be undone.
    Replayed,
    /// The table was rebuilt by names. Only what came after that can be undone.
    ByNames {
        /// The names of pieces that the old rules did not have, each with the number of copies.
        new: Vec<(String, usize)>,
        /// The number of answers of the last action that were given again.
        again: usize,
        /// Why the rest of that action's answers could not be given again; nothing if all were.
        stopped: Option<Box<Difference>>,
        /// Where the game would have gone another way from its beginning.
        elsewhere: Option<Box<Divergence>>,
    },
    /// The game went another way: the session stands at the last decision that its answers lead to.
    Differs {
        /// Where, and which definitions are responsible.
        divergence: Box<Divergence>,
        /// Why the table could not be rebuilt.
        table: CarryError,
    },
}

/// Whether two games of the same rules have the same table.
fn is_same_table(one: &Session, other: &Session) -> Result<bool, Fault> {
    let host = one.host()?;
    let words = Words::new(one.game.rules(), "");
    let seen = |session: &Session| View::new(&session.game, &*host, Viewer::All, &words);
    Ok(seen(one) == seen(other))
}

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Carried::Replayed => {
                write!(f, "the game goes on: all answers were given again, and every decision was as before")
            }
            Carried::ByNames { new, again: _, stopped, elsewhere } => {
                write!(f, "the game goes on from its table")?;
                if !new.is_empty() {
                    let new: Vec<String> = new.iter().map(|(name, copies)| format!("{copies} `{name}`")).collect();
                    write!(f, "; new in the box: {}", new.join(", "))?;
                }
                if let Some(difference) = stopped {
                    write!(f, "; the present action begins again: {}", difference.what)?;
                }
                match elsewhere {
                    Some(divergence) => write!(f, "; from its beginning it would differ {}", divergence.difference),
                    None => Ok(()),
                }
            }
            Carried::Differs { divergence, table } => {
                write!(f, "the game goes another way {}; its table cannot be kept: {table}", divergence.difference)
            }
        }
    }
}

impl Session {
    /// The same game under other rules for as many players. This session stays as it is.
    ///
    /// # Errors
    /// If the game can neither begin under these rules nor go on from its table.
    pub fn carried(&self, game_box: &GameBox) -> Result<Carry, Fault> {
        let changes = self.game.rules().meaning.changes(&game_box.rules().meaning);
        let again = self.given_again(game_box);
        let elsewhere = match again {
            Ok((session, None)) => {
                // With no answers yet, or if only hidden things differ, no decision tells that the table is another one.
                if !changes.is_empty()
                    && let Ok(Ok((kept, how))) = self.rebuilt(game_box)
                    && kept.depth() == 0
                    && !is_same_table(&kept, &session)?
                {
                    return Ok(Carry { session: kept, how, changes });
                }
                return Ok(Carry { session, how: Carried::Replayed, changes });
            }
            Ok((session, Some(difference))) => Ok((session, Divergence::new(difference, changes.clone()))),
            Err(error) => Err(error),
        };
        match (self.rebuilt(game_box)?, elsewhere) {
            (Ok((session, how)), elsewhere) => {
                let elsewhere = elsewhere.ok().map(|(_, divergence)| Box::new(divergence));
                let how = match how {
                    Carried::ByNames { new, again, stopped, .. } => Carried::ByNames { new, again, stopped, elsewhere },
                    how @ (Carried::Replayed | Carried::Differs { .. }) => how,
                };
                Ok(Carry { session, how, changes })
            }
            (Err(table), Ok((session, divergence))) => {
                let how = Carried::Differs { divergence: Box::new(divergence), table };
                Ok(Carry { session, how, changes })
            }
            (Err(_), Err(error)) => Err(match error {
                CarryError::Fault(fault) => fault,
                error @ (CarryError::Busy | CarryError::Lost(_)) => Fault::new(error.to_string()),
            }),
        }
    }

    /// The game with the same answers since its beginning, and the first difference.
    fn given_again(&self, game_box: &GameBox) -> Result<(Session, Option<Difference>), CarryError> {
        let (answers, early): (Vec<Given>, Vec<Given>) = (self.answers_since(0).collect(), self.early_given());
        let (session, difference) = match &self.start {
            Start::Seed(seed) => Session::replay(game_box, &History { seed: *seed, answers, early: Vec::new() })?,
            Start::Save(_) => {
                // The table with which it began belongs to the old rules.
                let host = game_box.host_here()?;
                let taken = self.at(0)?.game.taken_to(game_box.rules().clone(), &*host)?;
                let start = Start::Save(Box::new(taken.game.save()));
                let session = Session::new(game_box, taken.game, start);
                session.followed(&host, |game, host, told| follow(game, host, &answers, told))
            }
        };
        // Who answered before the others is asked again if that answer is gone.
        let copy = session.fork();
        let session = session.with_early(&early).unwrap_or(copy);
        Ok((session, difference))
    }

    /// The game from its table: as it was before the last action began, with the answers of that action.
    fn rebuilt(&self, game_box: &GameBox) -> Result<Result<(Session, Carried), CarryError>, Fault> {
        let mut before = self.fork();
        let mut back: usize = 0;
        while !before.game.is_between_actions() {
            if back >= MOST_AGAIN || before.depth() == 0 {
                return Ok(Err(CarryError::Busy));
            }
            before.undo(1)?;
            back = back.saturating_add(1);
        }
        let host = game_box.host_here()?;
        let taken = match before.game.taken_to(game_box.rules().clone(), &*host) {
            Ok(taken) => taken,
            Err(error) => return Ok(Err(error)),
        };
        let mut new: Vec<(String, usize)> = Vec::new();
        for piece in taken.new {
            let rules = game_box.rules();
            let name = &rules.ty(rules.type_of(piece)).name;
            match new.iter_mut().find(|(known, _)| known == name) {
                Some((_, copies)) => *copies = copies.saturating_add(1),
                None => new.push((name.clone(), 1)),
            }
        }
        let start = Start::Save(Box::new(taken.game.save()));
        let session = Session::new(game_box, taken.game, start);
        let answers: Vec<Given> = self.answers_since(before.depth()).collect();
        let (session, difference) = session.followed(&host, |game, host, told| follow(game, host, &answers, told));
        let again = session.depth();
        let stopped = difference.filter(|_| again < answers.len()).map(Box::new);
        let copy = session.fork();
        let session = session.with_early(&self.early_given()).unwrap_or(copy);
        Ok(Ok((session, Carried::ByNames { new, again, stopped, elsewhere: None })))
    }
}
