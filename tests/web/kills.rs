//! A server that is killed at any moment under load: no answer that it has confirmed is lost, and every table is what its log says.
//!
//! `RULEPACK_KILLS=100 cargo test --test integration web::kills -- --nocapture` does it as often.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rulepack_kernel::Rng;
use serde_json::{Value, json};

use crate::support::Scratch;
use crate::web::server::{Seat, Server, without_handles};

/// How often it is done in every run of the tests.
const KILLS: usize = 4;

/// A table that persons play: whoever sits there has these links.
#[derive(Clone)]
struct Played {
    pack: &'static str,
    bots: usize,
    opened: Value,
    /// The log that the first seat has been told, answer by answer.
    told: Vec<Value>,
    /// The last table that the first seat has seen, if nothing was sent after it.
    seen: Option<Value>,
    is_over: bool,
}

impl Played {
    fn open(server: &Server, pack: &'static str, bots: usize) -> Played {
        let persons = 2 - bots.min(1);
        let seats: Vec<Value> = (0..2).map(|seat| if seat < persons { Value::Null } else { json!("random") }).collect();
        let opened = server.open(pack, json!(seats));
        Played { pack, bots, opened, told: Vec::new(), seen: None, is_over: false }
    }

    fn id(&self) -> &str {
        self.opened["table"].as_str().expect("it has an id")
    }

    /// Sits down again, and compares the table with what was told before the kill.
    fn sit_again(&mut self, server: &Server) -> Vec<Seat> {
        let mut seats: Vec<Seat> = (0..2 - self.bots)
            .map(|seat| server.sit(self.opened["table"].as_str().expect("an id"), &self.opened["seats"][seat]))
            .collect();
        for seat in &mut seats {
            seat.until(|message| message["type"] == "table");
        }
        let first = seats.first().expect("a person plays");
        let log = first.shown["log"].as_array().expect("it has a log");
        assert!(log.len() >= self.told.len(), "{}: {} of {} answers are left", self.pack, log.len(), self.told.len());
        for (number, (now, before)) in log.iter().zip(&self.told).enumerate() {
            assert_eq!(without_handles(now), without_handles(before), "{}: answer {number} is another one", self.pack);
        }
        if let Some(seen) = self.seen.take().filter(|seen| seen["view"]["answers"] == first.shown["view"]["answers"]) {
            assert_eq!(without_handles(&seen["view"]), without_handles(&first.shown["view"]), "{}", self.pack);
        }
        seats
    }

    /// Plays until the server is gone, or the game is over.
    fn play(mut self, mut seats: Vec<Seat>, mut chance: Rng, ends: &AtomicBool) -> Played {
        // The revisions to which the seats have sent an answer of which they have heard nothing yet.
        let mut sent: Vec<Option<Value>> = vec![None; seats.len()];
        self.note(&seats, true);
        while !ends.load(Ordering::Relaxed) && !self.is_over {
            for (seat, sent) in seats.iter_mut().zip(&mut sent) {
                if !seat.hears_within(Duration::from_millis(5)) {
                    return self;
                }
                let revision = seat.question().map(|question| question["revision"].clone());
                // Too many answers at once are refused, so the answer is sent again after a while.
                if revision != *sent || chance.below(40) == 0 {
                    *sent = None;
                }
                let Some(revision) = revision.filter(|_| sent.is_none()) else { continue };
                let options = seat.question().and_then(|question| question["options"].as_array()).map_or(1, Vec::len);
                let index = chance.below(u32::try_from(options).expect("few options"));
                let answer = json!({ "type": "answer", "revision": revision, "index": index });
                self.seen = None;
                *sent = Some(revision);
                if seat.socket.send(tungstenite::Message::text(answer.to_string())).is_err() {
                    return self;
                }
            }
            self.note(&seats, sent.iter().all(Option::is_none));
        }
        self
    }

    /// Keeps what the first seat has been told, and what it sees if no answer is on its way.
    fn note(&mut self, seats: &[Seat], is_quiet: bool) {
        let Some(first) = seats.first() else { return };
        self.told.clone_from(&first.log);
        self.seen = is_quiet.then(|| first.shown.clone());
        self.is_over = first.is_over();
    }
}

#[test]
fn a_server_that_is_killed_at_any_moment_loses_no_answer() {
    let kills = std::env::var("RULEPACK_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let folder = Scratch::new("web-kills");
    let mut chance = Rng::new(17);
    let packs = [("reversi", 0), ("goofspiel", 0), ("settlement", 1), ("night-garden", 1), ("draughts", 0)];
    let mut tables: Vec<Played> = Vec::new();
    let (mut answers, mut whole) = (0, 0);
    for _ in 0..kills {
        let mut server = Server::start(folder.path(), &[]);
        let mut playing = Vec::new();
        let ends = AtomicBool::new(false);
        tables.retain(|table| !table.is_over);
        while tables.len() < packs.len() {
            let missing = packs.iter().find(|(pack, _)| tables.iter().all(|table| table.pack != *pack));
            let (pack, bots) = missing.expect("a pack has no table");
            tables.push(Played::open(&server, pack, *bots));
        }
        for mut table in tables.drain(..) {
            let before = table.told.len();
            let seats = table.sit_again(&server);
            playing.push((table, seats, Rng::new(chance.next_u64()), before));
        }
        let wait = Duration::from_millis(u64::from(20 + chance.below(600)));
        thread::scope(|scope| {
            let ends = &ends;
            let threads: Vec<_> = playing
                .drain(..)
                .map(|(table, seats, chance, before)| (scope.spawn(move || table.play(seats, chance, ends)), before))
                .collect();
            thread::sleep(wait);
            server.child.kill().expect("it runs");
            server.child.wait().expect("it ends");
            ends.store(true, Ordering::Relaxed);
            for (thread, before) in threads {
                let table = thread.join().expect("nothing was wrong");
                answers += table.told.len().saturating_sub(before);
                whole += usize::from(table.is_over);
                tables.push(table);
            }
        });
    }
    println!("{kills} kills, {answers} confirmed answers, {whole} whole games");
    assert!(answers > kills, "there was load: {answers} answers");
    // What is in the files is what the rules make of the answers.
    for table in &tables {
        let log = folder.path().join(format!("{}.jsonl", table.id()));
        let replay = Command::new(env!("CARGO_BIN_EXE_rulepack"))
            .args(["replay", "--library", env!("CARGO_MANIFEST_DIR")])
            .arg(&log)
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&replay.stdout);
        // A record at the end that was not written whole is told, and is no difference.
        assert!(replay.status.success() || said.contains("EXACT"), "{}: {said}", table.pack);
    }
}
