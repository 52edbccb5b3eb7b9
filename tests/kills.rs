//! A game that is killed at any moment leaves whole files: the old one, the new one, or none; and a log of which at most the
//! last line is missing.
//!
//! `RULEPACK_KILLS=1000 cargo test --test integration kills -- --nocapture` does it as often.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rulepack::{GameBox, GameLog, Library, LinkRequest, Session};
use rulepack_kernel::Rng;

use crate::support::{Scratch, fixture};

/// Says the same over and over in a pseudo-terminal, and kills the program after some time.
const TERMINAL: &str = r#"
import os, pty, signal, sys, time
wait, text, command = float(sys.argv[1]), sys.argv[2].encode(), sys.argv[3:]
child, screen = pty.fork()
if child == 0:
    os.execv(command[0], command)
os.set_blocking(screen, False)
ends = time.time() + wait
while time.time() < ends:
    for do in (lambda: os.read(screen, 65536), lambda: os.write(screen, text)):
        try:
            do()
        except OSError:
            pass
    time.sleep(0.002)
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
"#;

/// Answers, saves, takes back, and over again: the game takes long to come to its end.
const SAID: &str =
    "1\ns saved\nu\n1\ns saved\nu\n1\ns saved\nu\n1\ns saved\nu\n1\ns saved\nu\n1\ns saved\nu\n1\ns saved\nu\n4\n";

const GAME: [&str; 7] = ["play", "saves", "--players", "2", "--bots", "none", "--log"];

/// What was found after all kills.
#[derive(Debug, Default)]
struct Tally {
    logs: usize,
    torn: usize,
    answers: usize,
    saves: usize,
    kept: usize,
    /// Files that had not got their name yet.
    unnamed: usize,
}

fn kill_piped(folder: &Path, wait: Duration) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rulepack"))
        .args(["--library", &fixture("saves").to_string_lossy()])
        .args(GAME)
        .arg("log.jsonl")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("it is piped");
    // As much as a pipe holds: nobody waits.
    let _ = input.write_all(SAID.repeat(60_000 / SAID.len()).as_bytes());
    std::thread::sleep(wait);
    child.kill().expect("the program is ours");
    child.wait().expect("the program is ours");
}

fn kill_at_terminal(folder: &Path, wait: Duration) {
    let status = Command::new("python3")
        .args(["-c", TERMINAL, &wait.as_secs_f64().to_string(), SAID, env!("CARGO_BIN_EXE_rulepack")])
        .args(["--library", &fixture("saves").to_string_lossy()])
        .args(GAME)
        .arg("log.jsonl")
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"))
        // Line by line, as it is answered.
        .env("TERM", "dumb")
        .status()
        .expect("python3 runs");
    assert!(status.success());
}

/// Every file is whole.
#[track_caller]
fn check(folder: &Path, game_box: &GameBox, tally: &mut Tally) {
    let own = folder.join("state/rulepack");
    for folder in [folder, own.as_path()].into_iter().filter(|folder| folder.is_dir()) {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            if path.is_dir() {
                continue;
            }
            if name.ends_with(".new") {
                tally.unnamed += 1;
                std::fs::remove_file(&path).expect("it can be removed");
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("it is a text");
            assert!(!text.is_empty(), "{name} is empty");
            if name == "saved" {
                Session::load(game_box, &text).unwrap_or_else(|error| panic!("{name}: {error}"));
                tally.saves += 1;
                continue;
            }
            assert!(name.ends_with(".jsonl"), "what is {name}?");
            let log = GameLog::from_text(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            Session::from_log(game_box, &log).unwrap_or_else(|error| panic!("{name}: {error}"));
            tally.torn += usize::from(log.torn);
            tally.answers += log.answers.len();
            if name == "log.jsonl" { tally.logs += 1 } else { tally.kept += 1 }
        }
    }
}

#[test]
fn a_game_that_is_killed_leaves_whole_files() {
    let kills = std::env::var("RULEPACK_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(30);
    let library = Library::open(&[fixture("saves")]).expect("the library is there");
    let request = LinkRequest { pack: "saves".into(), players: Some(2), ..LinkRequest::default() };
    let game_box = library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"));
    let scratch = Scratch::new("kills");
    let mut tally = Tally::default();
    let mut chance = Rng::new(1);
    for number in 0..kills {
        // From before the first file is there to the end of the game.
        let wait = Duration::from_micros(u64::from(chance.below(150_000)));
        match number % 2 {
            0 => kill_piped(scratch.path(), wait),
            _ => kill_at_terminal(scratch.path(), wait),
        }
        check(scratch.path(), &game_box, &mut tally);
        // Also where nothing is there yet.
        if chance.below(4) == 0 {
            let _ = std::fs::remove_file(scratch.path().join("saved"));
            let _ = std::fs::remove_file(scratch.path().join("log.jsonl"));
            let _ = std::fs::remove_dir_all(scratch.path().join("state"));
        }
    }
    eprintln!("{kills} kills: {tally:?}");
    assert!(tally.logs > 0 && tally.saves > 0 && tally.answers > 0 && tally.kept > 0, "{tally:?}");
}
