//! What packs, scripts, saves, scenarios and file names say never steers a terminal, a CI system or a reader of reports.

use rulepack_model::visible::is_hidden;

use crate::support::{Run, Scratch, rulepack, rulepack_told};

/// Characters of every kind, a line of its own, and commands of a CI system; as TOML, JSON and Lua write them.
const TOML: &str =
    r"\u001b[31m\u009b\u0007\u200b\u200f\u061c\u202e\u2066\r\nFORGED line\n::error::FORGED\n##[stop-commands]FORGED";
const LUA: &str = r"\27[31m\194\155\7\u{200b}\u{200f}\u{61c}\u{202e}\u{2066}\r\nFORGED line\n::error::FORGED\n##[stop-commands]FORGED";
/// For names of files, in which there may be almost anything.
const RAW: &str = "\u{1b}[31m\u{9b}\u{7}\u{200b}\u{202e}\r\nFORGED line\n";

/// Refuses everything that is not seen, and every line that the engine did not begin.
#[track_caller]
fn is_safe(call: &[&str], run: &Run) {
    let is_github = call.contains(&"github");
    for (name, text) in [("stdout", &run.stdout), ("stderr", &run.stderr)] {
        let hidden: Vec<char> = text.chars().filter(|c| *c != '\n' && is_hidden(*c)).collect();
        assert!(hidden.is_empty(), "{call:?} writes raw to {name}:\n{}", run.shown());
        for line in text.lines() {
            let start = line.trim_start();
            assert!(!start.starts_with("FORGED"), "{call:?} lets a pack begin a line of {name}:\n{}", run.shown());
            let is_own = is_github && name == "stdout";
            let is_command = start.starts_with("::") && !start.starts_with(":::");
            assert_eq!(is_command, is_own, "{call:?}, {name}: {line}");
            assert!(is_own || !line.contains("##["), "{call:?}, {name}: {line}");
        }
    }
    assert!(run.code <= 2, "{call:?}: {}", run.shown());
}

/// Calls the program in every way that prints something, and gives all that it said.
#[track_caller]
fn every_call(scratch: &Scratch, pack: &str) -> String {
    let calls: &[&[&str]] = &[
        &["list"],
        &["list", "--format", "json"],
        &["check", "--playouts", "2"],
        &["check", "--playouts", "2", "--format", "json"],
        &["check", "--playouts", "2", "--format", "sarif"],
        &["check", "--playouts", "2", "--format", "github"],
        &["check", "--playouts", "2", "--cycles"],
        &["test"],
        &["test", "--verbose"],
        &["test", "--format", "json"],
        &["test", "--format", "junit"],
        &["test", "content"],
        &["coverage", pack, "--games", "2"],
        &["coverage", pack, "--games", "2", "--format", "json"],
        &["mutate", pack, "--sample", "4"],
        &["mutate", pack, "--sample", "4", "--format", "json"],
        &["mutate", pack, "--list"],
        &["play", pack, "--seed", "1"],
        &["play", pack, "--seed", "1", "--format", "json"],
        &["play", pack, "--seed", "1", "--locale", "fr"],
        &["sim", pack, "--games", "3"],
        &["sim", pack, "--games", "3", "--format", "json"],
        &["explain", pack, "stall.inn"],
        &["explain", pack, "stall.inn", "--format", "json"],
        &["explain", pack, "stall.no"],
    ];
    let mut all = String::new();
    for call in calls {
        let run = rulepack(scratch.path(), call);
        is_safe(call, &run);
        if call.contains(&"junit") {
            roxmltree::Document::parse(&run.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", run.stdout));
        }
        if call.contains(&"json") || call.contains(&"sarif") {
            assert!(run.stdout.is_empty() || serde_json::from_str::<serde_json::Value>(&run.stdout).is_ok());
        }
        all += &run.shown();
    }
    let input = "?\nt\nwhy open inn\nwhy \u{1b}[31m\n99\n1\n2\n3\n1\n1\n1\ns no\u{1b}where/x\nu\n1\n2\n1\n1\n";
    let call = ["play", pack, "--seed", "3", "--bots", "none", "--players", "2"];
    let run = rulepack_told(scratch.path(), &call, input);
    is_safe(&call, &run);
    all + &run.shown()
}

/// A copy of the small game in which every title and every text is hostile.
fn hostile(name: &str) -> Scratch {
    let scratch = Scratch::copy_of("tiny", name);
    for file in ["content/tiny/pack.toml", "content/tiny/locale/fr.toml"] {
        let text = std::fs::read_to_string(scratch.path().join(file)).expect("the file is there");
        let lines = text.lines().map(|line| match line.split_once("= \"") {
            Some((key, value)) if key.trim() == "title" || key.trim() == "text" || file.contains("locale") => {
                format!("{key}= \"{TOML}{value}\n")
            }
            _ => format!("{line}\n"),
        });
        scratch.write(file, lines.collect::<String>().as_bytes());
    }
    scratch
}

#[test]
fn titles_and_texts_of_a_pack_are_shown_safely() {
    let scratch = hostile("hostile-titles");
    let all = every_call(&scratch, "tiny");
    // They are shown, not dropped.
    assert!(all.contains(r"\u{1b}[31m\u{9b}\u{7}\u{200b}\u{200f}\u{61c}\u{202e}\u{2066}\r\nFORGED line"), "{all}");
    assert!(all.contains(r"\u001b[31m\u009b\u0007\u200b\u200f\u061c\u202e\u2066\r\nFORGED line"), "{all}");
}

#[test]
fn what_a_script_says_is_shown_safely() {
    let scratch = hostile("hostile-script");
    let script = format!("local stalls = {{}}\nfunction stalls.pub(ctx)\n  error(\"{LUA}\")\nend\nreturn stalls\n");
    scratch.write("scripts/tiny/stalls.lua", script.as_bytes());
    // It fails as soon as somebody works.
    let path = "content/tiny/pack.toml";
    let text = std::fs::read_to_string(scratch.path().join(path)).expect("the file is there");
    scratch.write(path, text.replace("roll eyes of 6;", "stalls.pub; roll eyes of 6;").as_bytes());
    let scenario = format!(
        "about = \"It says \\\"{TOML}\\\".\"\n[[when]]\nseat = \"player_1\"\nchoose = \"work\"\n\
         [case.\"{TOML}\"]\n[case.\"{TOML}\".then]\nover = true\n"
    );
    scratch.write("content/tiny/scenarios/it_fails.toml", scenario.as_bytes());
    let all = every_call(&scratch, "tiny");
    assert!(all.contains("exit 1") && all.contains(r"\u{1b}[31m"), "{all}");
}

#[test]
fn wrong_names_keys_and_files_are_told_safely() {
    let scratch = Scratch::copy_of("tiny", "hostile-names");
    let path = "content/tiny/pack.toml";
    let text = std::fs::read_to_string(scratch.path().join(path)).expect("the file is there");
    let wrong = format!(
        "{text}\n[stall.\"{TOML}\"]\ntitle = \"x\"\n\"{TOML}\" = 1\n[action.strange]\ntitle = \"x\"\neffect = \"gain 1 {TOML}\"\n\
         requires = \"{TOML}\"\n[\"{TOML}\".a]\n# \u{202e}\u{200b} \u{9b}31m a comment\nbroken = \u{202e}\n"
    );
    scratch.write(path, wrong.as_bytes());
    scratch.write(&format!("content/tiny/{RAW}.toml"), "[stall.inn]\nx = \"\u{202e}\"\n".as_bytes());
    scratch.write(&format!("content/tiny/scenarios/{RAW}.toml"), b"about = 1\nnonsense = 2\n");
    scratch.write(&format!("content/{RAW}/pack.toml"), b"[pack]\nid = 'x'\n");
    scratch.write(&format!("scripts/tiny/{RAW}.lua"), "return { \u{202e} \u{1b}[31m\n".as_bytes());
    scratch.write("content/tiny/.survivors.toml", format!("\"{TOML}\" = 1\n").as_bytes());
    every_call(&scratch, "tiny");
    let manifest = format!(
        "[pack]\nid = \"{TOML}\"\nversion = \"{TOML}\"\ntitle = \"{TOML}\"\nneeds = {{ \"{TOML}\" = \"{TOML}\" }}\n"
    );
    scratch.write("content/odd/pack.toml", manifest.as_bytes());
    every_call(&scratch, "odd");
}

#[test]
fn saves_and_logs_are_told_safely() {
    let scratch = hostile("hostile-saves");
    let play = |arguments: &[&str], input: &str| {
        let run = rulepack_told(scratch.path(), &[&["play", "tiny"], arguments].concat(), input);
        is_safe(arguments, &run);
        run
    };
    play(&["--seed", "3", "--bots", "none", "--players", "2"], "3\n1\n1\n1\ns saved\n");
    let saved = std::fs::read_to_string(scratch.path().join("saved")).expect("it was saved");
    let json = r"\u001b[31m\u009b\u202e\r\nFORGED line\n::error::FORGED";
    let mut refused = 0;
    let value: serde_json::Value = serde_json::from_str(&saved).expect("it is JSON");
    for key in value.as_object().expect("it is an object").keys() {
        let mut changed = value.clone();
        changed[key] = serde_json::from_str(&format!("\"{json}\"")).unwrap();
        scratch.write("changed", changed.to_string().as_bytes());
        refused += play(&["--load", "changed"], "").code;
    }
    for (from, to) in
        [("\"pack\":\"tiny\"", format!("\"pack\":\"{json}\"")), ("\"state\":", format!("\"{json}\":1,\"state\":"))]
    {
        let changed = saved.replace(from, &to);
        assert_ne!(changed, saved);
        scratch.write("changed", changed.as_bytes());
        refused += play(&["--load", "changed"], "").code;
    }
    assert!(refused >= 10, "{refused}");
    // Names of definitions that are gone, of seats and of options stand in logs.
    let run = play(&["--seed", "3", "--log", "log.jsonl"], "");
    assert_eq!(run.code, 0, "{}", run.shown());
    let log = std::fs::read_to_string(scratch.path().join("log.jsonl")).expect("there is a log");
    for (from, to) in [
        ("\"seat\":\"player_1\"", format!("\"seat\":\"{json}\"")),
        ("\"option\":\"", format!("\"option\":\"{json}")),
        ("\"stall.inn\":", format!("\"{json}\":")),
        ("\"pack\":\"tiny\"", format!("\"pack\":\"{json}\"")),
        ("\"hash\":\"", format!("\"hash\":\"{json}")),
    ] {
        let mut chain = rulepack_tools::Chain::default();
        let records = log.lines().map(|line| {
            let record = line.split_once("\"record\":").expect("it is a record").1.strip_suffix('}').expect("it ends");
            chain.line(&record.replace(from, &to))
        });
        let changed: String = records.collect();
        assert!(changed.contains("FORGED"), "{from}: {log}");
        scratch.write(RAW, changed.as_bytes());
        for call in [
            &["replay", RAW][..],
            &["play", "tiny", "--load", RAW],
            &["play", "tiny", "--load", RAW, "--changed-rules"],
        ] {
            let run = rulepack(scratch.path(), call);
            is_safe(call, &run);
        }
    }
}

/// Runs a program in a pseudo-terminal and prints what it says.
#[cfg(target_os = "linux")]
const TERMINAL: &str = r#"
import os, pty, sys
child, screen = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    try:
        data = os.read(screen, 65536)
    except OSError:
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
os.waitpid(child, 0)
"#;

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_colours_and_nothing_else() {
    let scratch = hostile("hostile-colours");
    let path = "content/tiny/pack.toml";
    let text = std::fs::read_to_string(scratch.path().join(path)).expect("the file is there");
    let wrong = format!("{text}\n[stall.x]\ntitle = '\u{202e}\u{9b}31m'\n\"{TOML}\" = 1 # \u{202e}\u{9b}2J\u{200b}\n");
    scratch.write(path, wrong.as_bytes());
    for call in [&["check", "tiny", "--playouts", "0"][..], &["play", "tiny"], &["list"]] {
        let output = std::process::Command::new("python3")
            .args(["-c", TERMINAL, env!("CARGO_BIN_EXE_rulepack")])
            .args(call)
            .current_dir(scratch.path())
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .env("XDG_STATE_HOME", scratch.path())
            .output()
            .expect("python3 runs");
        let said = String::from_utf8(output.stdout).expect("it is text").replace("\r\n", "\n");
        // A bar of progress moves about in its line, and is gone at the end.
        let said: String = said.split('\r').collect();
        let mut rest = said.as_str();
        let mut colours = 0;
        while let Some(at) = rest.find('\u{1b}') {
            assert!(!rest[..at].chars().any(|c| c != '\n' && is_hidden(c)), "{call:?}: {:?}", &rest[..at]);
            let after = rest[at + 1..].strip_prefix('[').unwrap_or_else(|| panic!("{call:?}: {:?}", &rest[at..]));
            let end = after.find(|c: char| !c.is_ascii_digit() && c != ';' && c != '?').expect("it ends");
            let is_bar = matches!(&after[..=end], "2K" | "1A" | "1B" | "?25l" | "?25h");
            assert!(is_bar || after[end..].starts_with('m'), "{call:?}: {:?}", &rest[at..]);
            colours += usize::from(!is_bar);
            rest = &after[end + 1..];
        }
        assert!(!rest.chars().any(|c| c != '\n' && is_hidden(c)), "{call:?}: {rest:?}");
        assert!(call[0] == "list" || colours > 0, "{call:?}: {said}");
        assert!(!said.lines().any(|line| line.trim_start().starts_with("FORGED")), "{call:?}: {said}");
    }
}
