//! Every way in which a pack, a script, a scenario or a saved game can be wrong: what is said about it, that the
//! program ends with 1, does not hang and writes nothing.
//!
//! Packs with one mistake each are in the corpus, see `corpus.rs`. What can only be wrong in a fresh file (a saved game, a
//! link) is made here.

use std::path::Path;

use rulepack::{Library, LinkRequest, RandomBot, Session};
use serde_json::{Value, json};

use crate::support::{Scratch, files, fixture, rulepack, snapshot};

/// Calls the program in a folder, compares what it says, and sees to it that nothing is written.
#[track_caller]
fn refused(name: &str, folder: &Path, arguments: &[&str]) {
    refused_with(1, name, folder, arguments);
}

#[track_caller]
fn refused_with(code: i32, name: &str, folder: &Path, arguments: &[&str]) {
    let before = files(folder);
    let run = rulepack(folder, arguments);
    assert_eq!(run.code, code, "{}", run.shown());
    assert!(files(folder) == before, "`rulepack {}` writes a file", arguments.join(" "));
    snapshot("bad_input", name, &format!("$ rulepack {}\n{}", arguments.join(" "), run.shown()));
}

/// The lines of `twenty_mistakes` that end with a number are those that must be reported.
#[test]
fn twenty_mistakes_are_all_found() {
    let folder = fixture("bad/twenty_mistakes");
    let mut missed = Vec::new();
    let report = rulepack(&folder, &["check", "inn", "--format", "json"]).json();
    let found = report["diagnostics"].as_array().expect("there is a list");
    for (path, bytes) in files(&folder) {
        let path = path.strip_prefix(&folder).expect("it lies below").to_string_lossy().replace('\\', "/");
        for (index, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            let note = line.rsplit_once("# ").or_else(|| line.rsplit_once("-- ")).map_or("", |(_, note)| note);
            let Some(number) = note.split(' ').next().and_then(|word| word.parse::<u32>().ok()) else { continue };
            let is_here = |place: &Value| place["path"] == path.as_str() && place["line"] == json!(index + 1);
            if !found.iter().any(|finding| is_here(&finding["places"][0])) {
                missed.push(number);
            }
        }
    }
    missed.sort_unstable();
    assert_eq!(missed, Vec::<u32>::new(), "{}", rulepack(&folder, &["check", "inn"]).shown());
}

/// One fault of a script is one mistake, in however many games it shows.
#[test]
fn a_fault_in_five_games() {
    refused("a_fault_in_five_games", &fixture("bad/script_errors"), &["--library", ".", "check", "inn"]);
}

#[test]
fn a_fault_while_playing() {
    let arguments = ["--library", ".", "play", "inn", "--seed", "1", "--players", "2", "--bots", "random"];
    refused("a_fault_while_playing", &fixture("bad/script_errors"), &arguments);
}

#[cfg(unix)]
#[test]
fn link_leaves_library() {
    let outside = Scratch::new("outside-library");
    outside.write("secret.lua", b"return {}\n");
    outside.write("secret.toml", b"[resource.gold]\n");
    outside.write("rooms/attic.toml", b"[resource.silver]\n");
    let library = Scratch::copy_of("bad/link_leaves_library", "link_leaves_library");
    std::fs::create_dir_all(library.path().join("scripts/inn")).expect("the copy can be written");
    for (link, target) in [
        ("content/inn/gold.toml", "secret.toml"),
        ("content/inn/rooms", "rooms"),
        ("scripts/inn/secret.lua", "secret.lua"),
    ] {
        let target = outside.path().join(target);
        std::os::unix::fs::symlink(target, library.path().join(link)).expect("the copy can be written");
    }
    refused("link_leaves_library", library.path(), &["--library", ".", "check", "inn"]);
}

/// A saved game of the fixture `tiny`, somewhere in its middle, and its log so far, line by line.
fn tiny_session() -> (Value, Vec<Value>) {
    let library = Library::open(&[fixture("tiny")]).expect("the fixture is there");
    let request = LinkRequest { pack: "tiny".into(), players: Some(2), ..LinkRequest::default() };
    let game_box = library.load(&request).expect("the fixture has no mistakes");
    let mut session = Session::start(&game_box, 5).expect("the game can be set up");
    let mut bot = RandomBot::new(5);
    for _ in 0..12 {
        let answer = bot.choose(game_box.rules(), session.decision().expect("the game is not over"));
        session.answer(answer).expect("the answer is offered");
    }
    let json = |text: &str| serde_json::from_str::<Value>(text).expect("it is JSON");
    let log = session.log().to_text();
    (json(&session.save()), log.lines().map(|line| json(line)["record"].clone()).collect())
}

/// The lines of a log, with the checksums that they need: who means harm can compute them too.
fn lines(records: &[Value]) -> String {
    let mut chain = rulepack_tools::Chain::default();
    records.iter().map(|record| chain.line(&record.to_string())).collect()
}

/// Writes a file and sees what the program says to it.
#[track_caller]
fn refused_file(name: &str, file: &str, bytes: &[u8], arguments: &[&str]) {
    let folder = Scratch::copy_of("tiny", name);
    folder.write(file, bytes);
    refused_with(1, name, folder.path(), arguments);
}

#[track_caller]
fn refused_save(name: &str, change: impl FnOnce(&mut Value)) {
    let mut save = tiny_session().0;
    change(&mut save);
    refused_file(name, "saved.json", save.to_string().as_bytes(), &["play", "tiny", "--load", "saved.json"]);
}

#[track_caller]
fn refused_log(name: &str, change: impl FnOnce(&mut Vec<Value>)) {
    let mut log = tiny_session().1;
    change(&mut log);
    refused_file(name, "log.jsonl", lines(&log).as_bytes(), &["replay", "log.jsonl", "--format", "json"]);
}

/// The control of the cases below: what is not changed is taken.
#[test]
fn an_unchanged_save_and_log_are_taken() {
    let (save, log) = tiny_session();
    let folder = Scratch::copy_of("tiny", "unchanged");
    folder.write("saved.json", save.to_string().as_bytes());
    folder.write("log.jsonl", lines(&log).as_bytes());
    for arguments in [
        &["play", "tiny", "--load", "saved.json"][..],
        &["play", "tiny", "--load", "log.jsonl"],
        &["replay", "log.jsonl"],
    ] {
        let run = rulepack(folder.path(), arguments);
        assert_eq!(run.code, 0, "{}", run.shown());
    }
}

#[test]
fn save_of_another_version() {
    refused_save("save_of_another_version", |save| save["version"] = json!(99));
}

/// A save is bound to what the rules mean, not to what their version says.
#[test]
fn save_of_another_pack_version_is_taken() {
    let mut save = tiny_session().0;
    save["packs"][0]["version"] = json!("0.9.0");
    let folder = Scratch::copy_of("tiny", "another_version");
    folder.write("saved.json", save.to_string().as_bytes());
    let run = rulepack(folder.path(), &["play", "tiny", "--load", "saved.json"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

/// Written before there were streams of chance.
#[test]
fn save_of_the_first_version() {
    refused_save("save_of_the_first_version", |save| save["version"] = json!(1));
}

#[test]
fn save_of_changed_content() {
    refused_save("save_of_changed_content", |save| save["meaning"]["stall.inn"] = json!("00000000"));
}

#[test]
fn save_of_another_pack() {
    refused_save("save_of_another_pack", |save| save["pack"] = json!("inn"));
}

#[test]
fn save_of_unknown_mode() {
    refused_save("save_of_unknown_mode", |save| save["modes"] = json!(["night"]));
}

#[test]
fn save_of_too_many_players() {
    refused_save("save_of_too_many_players", |save| save["players"] = json!(9));
}

#[test]
fn save_edited() {
    refused_save("save_edited", |save| save["state"]["turns"] = json!(1));
}

#[test]
fn save_with_an_impossible_state() {
    refused_save("save_with_an_impossible_state", |save| save["state"]["pieces"][0]["zone"] = json!(60_000));
}

#[test]
fn save_without_state() {
    refused_save("save_without_state", |save| {
        save.as_object_mut().expect("a save is a table").remove("state");
    });
}

/// How it came there is not how it stands.
#[test]
fn save_with_another_history() {
    refused_save("save_with_another_history", |save| {
        save["history"]["answers"].as_array_mut().expect("answers are a list").pop();
    });
}

#[test]
fn save_with_an_impossible_history() {
    refused_save("save_with_an_impossible_history", |save| save["history"]["answers"][3]["option"] = json!("fly"));
}

#[test]
fn save_truncated() {
    let save = tiny_session().0.to_string();
    let half = &save.as_bytes()[..save.len() / 2];
    refused_file("save_truncated", "saved.json", half, &["play", "tiny", "--load", "saved.json"]);
}

#[test]
fn save_empty() {
    refused_file("save_empty", "saved.json", b"", &["play", "tiny", "--load", "saved.json"]);
}

#[test]
fn save_that_is_no_text() {
    refused_file("save_that_is_no_text", "saved.json", &[0xff, 0xfe, 0], &["play", "tiny", "--load", "saved.json"]);
}

#[test]
fn log_truncated() {
    let log = lines(&tiny_session().1);
    refused_file("log_truncated", "log.jsonl", &log.as_bytes()[..200], &["replay", "log.jsonl", "--format", "json"]);
}

#[test]
fn log_of_another_version() {
    refused_log("log_of_another_version", |log| log[0]["begin"]["version"] = json!(99));
}

#[test]
fn log_of_unknown_mode() {
    refused_log("log_of_unknown_mode", |log| log[0]["begin"]["modes"] = json!(["night"]));
}

#[test]
fn log_of_unknown_pack() {
    refused_log("log_of_unknown_pack", |log| log[0]["begin"]["pack"] = json!("stables"));
}

#[test]
fn log_with_an_answer_that_is_not_offered() {
    refused_log("log_with_an_answer_that_is_not_offered", |log| log[4]["answer"]["option"] = json!("take moon"));
}

#[test]
fn log_with_one_answer_too_few() {
    refused_log("log_with_one_answer_too_few", |log| {
        let end = log.len() - 1;
        log.remove(end - 1);
        log[end - 1]["end"]["answers"] = json!(11);
    });
}

#[test]
fn log_of_another_seat() {
    refused_log("log_of_another_seat", |log| log[2]["answer"]["seat"] = json!("player_9"));
}

#[test]
fn log_that_takes_back_too_much() {
    refused_log("log_that_takes_back_too_much", |log| log.insert(3, json!({ "undo": 40 })));
}

/// One line changed by hand.
#[test]
fn log_edited() {
    let log = lines(&tiny_session().1).replacen("player_2", "player_1", 1);
    refused_file("log_edited", "log.jsonl", log.as_bytes(), &["replay", "log.jsonl", "--format", "json"]);
}

/// As they were written before: one table, with bare numbers of options.
#[test]
fn log_of_the_first_version() {
    let old = json!({
        "format": "rulepack-log", "version": 1, "engine": "0.1.0", "pack": "tiny", "packs": [], "modes": [],
        "players": 2, "start": { "seed": 3 }, "answers": [0, 1, 2], "hash": "0".repeat(32),
    });
    refused_file(
        "log_of_the_first_version",
        "log.json",
        old.to_string().as_bytes(),
        &["replay", "log.json", "--format", "json"],
    );
}
