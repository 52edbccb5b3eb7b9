//! Positions of games as scenarios: what is written passes, and `play` begins at its table.

use rulepack::scenario::{open, record, run_files};
use rulepack::{GameLog, Library, LinkRequest, RandomBot, Session, View, Viewer, Words};

use crate::support::{Scratch, fixture, rulepack, rulepack_told};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A game after some random answers.
#[track_caller]
fn played(library: &Library, pack: &str, seed: u64, answers: usize) -> Session {
    let game_box = library.load(&LinkRequest { pack: pack.into(), ..LinkRequest::default() });
    let game_box = game_box.unwrap_or_else(|mistakes| panic!("{pack} does not link: {mistakes:#?}"));
    let mut session = Session::start(&game_box, seed).expect("the game starts");
    let mut bot = RandomBot::new(seed);
    for _ in 0..answers {
        let Some(decision) = session.decision() else { break };
        let answer = bot.choose(session.game().rules(), decision);
        session.answer(answer).expect("it is offered");
    }
    session
}

/// Why the scenario of a file fails.
#[track_caller]
fn failure(library: &Library, path: &str) -> Option<String> {
    let report = run_files(library, &[path.to_string()]).expect("the file is there");
    assert_eq!(report.cases.len(), 1, "{path}");
    report.cases.into_iter().find(|case| !case.passed).map(|case| case.failure.unwrap_or_default())
}

fn seen(session: &Session) -> View {
    let host = session.host().expect("the scripts run");
    let words = Words::new(session.game().rules(), "");
    let mut view = View::new(session.game(), &*host, Viewer::All, &words);
    // A scenario begins its own count.
    view.turn = 0;
    view
}

#[test]
fn positions_of_all_packs_can_be_written_and_pass() {
    let library = Library::open(&[ROOT]).expect("the library is there");
    let scratch = Scratch::new("positions");
    let (mut tables, mut all, mut wrong) = (0, 0, Vec::new());
    for pack in ["settlement", "catan-duel", "hex", "reversi", "hearts", "nine-mens-morris", "skara-brae", "goofspiel"]
    {
        for (seed, answers) in [(3, 1), (4, 9), (5, 24)] {
            let session = played(&library, pack, seed, answers);
            let recorded = record(&session, "A test.");
            all += 1;
            let path = scratch.path().join(format!("{pack}-{answers}.toml"));
            let path = path.to_string_lossy();
            let setup = recorded.from_setup.expect("the game began with a seed");
            scratch.write(&format!("{pack}-{answers}.toml"), setup.as_bytes());
            let why = failure(&library, &path);
            assert_eq!(why, None, "{pack} after {answers} answers:\n{setup}");
            let Some(text) = recorded.from_table else { continue };
            scratch.write(&format!("{pack}-{answers}.toml"), text.as_bytes());
            match failure(&library, &path) {
                None => tables += 1,
                Some(why) => wrong.push(format!("{pack} after {answers} answers: {why}\n{text}")),
            }
        }
    }
    // The other positions are written with all their answers.
    assert!(tables * 2 >= all, "{tables} of {all}\n{}", wrong.join("\n"));
}

#[test]
fn a_game_begins_at_the_table_of_a_scenario() {
    let library = Library::open(&[fixture("tiny")]).expect("the library is there");
    let scratch = Scratch::new("positions-begin");
    let session = played(&library, "tiny", 3, 12);
    let mut before = session.fork();
    before.undo(1).expect("an answer was given");
    while !before.game().is_at_turn_menu() {
        before.undo(1).expect("an answer was given");
    }
    let text = record(&session, "A test.").from_table.expect("the table has words");
    scratch.write("position.toml", text.as_bytes());
    let path = scratch.path().join("position.toml");
    let begun = open(&library, &path.to_string_lossy()).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(seen(&begun), seen(&before), "{text}");
    assert_eq!(begun.depth(), 0);
}

#[test]
fn a_position_of_a_log_and_of_a_running_game_is_written() {
    let scratch = Scratch::copy_of("tiny", "positions-calls");
    let folder = scratch.path();
    let run = rulepack(folder, &["play", "tiny", "--players", "2", "--seed", "3", "--log", "log.jsonl"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let run = rulepack(folder, &["replay", "log.jsonl", "--to-scenario", "9", "--out", "nine.toml"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let call = ["play", "tiny", "--players", "2", "--seed", "3", "--bots", "none"];
    let run = rulepack_told(folder, &call, "3\n1\n1\n1\nscenario now.toml\nq\n");
    assert!(run.stderr.contains("saved to `now.toml`"), "{}", run.shown());
    for file in ["nine.toml", "now.toml"] {
        let run = rulepack(folder, &["test", file]);
        assert_eq!(run.code, 0, "{file}: {}", run.shown());
        let call = ["play", "tiny", "--scenario", file, "--log", "from.jsonl", "--force"];
        let run = rulepack(folder, &call);
        assert_eq!(run.code, 0, "{file}: {}", run.shown());
        let log = std::fs::read_to_string(folder.join("from.jsonl")).expect("there is a log");
        assert!(GameLog::from_text(&log).is_ok());
    }
    // A wrong call says what is wrong, and writes nothing.
    let run = rulepack(folder, &["replay", "log.jsonl", "--to-scenario", "9000", "--out", "no.toml"]);
    assert_eq!(run.code, 2, "{}", run.shown());
    let run = rulepack(folder, &["play", "tiny", "--scenario", "nowhere.toml"]);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(!folder.join("no.toml").exists());
}
