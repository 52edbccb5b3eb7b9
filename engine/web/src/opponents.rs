//! Bots that sit at tables. They think in threads of their own, on a copy of the table, so that a slow one blocks nobody.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rulepack::{BotKind, Players, Seat, Table};
use tokio::sync::watch;

use crate::room::{Judged, Reply, Room};
use crate::threads::Threads;

/// The bot that gives hints.
const HINTS: &str = "mcts:300";

/// A table, shared by the connections of its viewers and by its bots.
#[derive(Debug)]
pub struct Shared {
    room: Mutex<Room>,
    /// Grows with every change; connections wait for it.
    changes: watch::Sender<u64>,
    is_thinking: AtomicBool,
    players: Mutex<Players>,
}

impl Shared {
    /// A table that nobody is connected to yet.
    pub fn new(room: Room) -> Arc<Shared> {
        let players = Mutex::new(players_of(&room));
        Arc::new(Shared {
            room: Mutex::new(room),
            changes: watch::Sender::new(0),
            is_thinking: AtomicBool::new(false),
            players,
        })
    }

    /// The table. If a thread panicked while it held it, the table is as it was before: answers change it only at their end.
    pub fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Is told of every change.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Tells all connections that something has changed.
    pub fn changed(&self) {
        self.changes.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Other bots sit there from now on.
    pub fn reseat(&self) {
        let players = players_of(&self.room());
        *self.players() = players;
    }

    /// Answers were taken back: bots do not go on with what they have thought of.
    pub fn forget(&self) {
        self.players().forget();
    }

    fn players(&self) -> MutexGuard<'_, Players> {
        self.players.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a bot answer if one is asked, and then the next one.
    pub fn wake_bots(self: &Arc<Self>, bots: &Threads) {
        if self.is_thinking.swap(true, Ordering::AcqRel) {
            return;
        }
        let (shared, again) = (Arc::clone(self), bots.clone());
        bots.start(move || {
            let thinking = Thinking(&shared.is_thinking);
            let answered = shared.answer_as_bot();
            drop(thinking);
            // Other tables come first if they have waited.
            if answered || shared.room().asked_bot().is_some() {
                shared.wake_bots(&again);
            }
        });
    }

    /// Gives one answer of a bot; false if no bot is asked.
    fn answer_as_bot(&self) -> bool {
        let asked = {
            let room = self.room();
            room.asked_bot().map(|(seat, revision)| (seat, revision, room.table.fork()))
        };
        let Some((seat, revision, table)) = asked else { return false };
        let thought = self.players().choose(table.game(), table.session().game_box(), 1);
        let index = match thought {
            Ok(Some(thought)) => usize::from(thought.answer.0),
            // A person sits there now.
            Ok(None) => return false,
            Err(fault) => {
                self.room().stands_still(format!("the pack failed while a bot was thinking: {fault}"));
                self.changed();
                return false;
            }
        };
        let mut room = self.room();
        match room.answer(seat, revision, index) {
            Ok(()) => {}
            Err(Reply::Problem { code, .. })
                if code == "stale-revision" || code == "not-asked" || code == "game-over" =>
            {
                // Somebody has taken an answer back meanwhile.
                drop(room);
                self.forget();
                return true;
            }
            Err(Reply::Problem { message, .. }) => room.stands_still(message),
            Err(Reply::Why { .. } | Reply::Hint { .. }) => {}
        }
        drop(room);
        self.changed();
        true
    }
}

/// Ends the thinking of a table's bots, also if a job panics.
struct Thinking<'a>(&'a AtomicBool);

impl Drop for Thinking<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

fn players_of(room: &Room) -> Players {
    let seed = u64::from_str_radix(room.card.id.get(..8).unwrap_or("0"), 16).unwrap_or_default();
    Players::new(&room.bots(), seed)
}

/// What a bot would answer for a seat.
///
/// # Errors
/// If the pack fails, or the seat is not the first that is asked.
pub fn hint(table: &Table, seat: Seat, revision: u64) -> Result<Reply, Reply> {
    let kind: BotKind = HINTS.parse().map_err(|_| Reply::problem("unknown-bot", HINTS))?;
    if table.game().decision().is_none_or(|decision| decision.seat != seat) {
        return Err(Reply::problem("not-asked", "another player is asked first"));
    }
    let bots = table.seats().map(|_| Some(kind)).collect();
    let thought = Players::new(&bots, revision).choose(table.game(), table.session().game_box(), 1);
    let thought = thought.map_err(|fault| Reply::problem("pack-failed", fault.to_string()))?;
    let judged = thought.map(|thought| thought.judged).unwrap_or_default();
    let told = judged.iter().take(5).map(|judged| Judged {
        index: usize::from(judged.answer.0),
        tried: judged.tried,
        wins: judged.wins.map(|wins| (wins * 100.0).round() as u32),
        tenths: (judged.points * 10.0).round() as i64,
    });
    Ok(Reply::Hint { revision, answers: told.collect() })
}
