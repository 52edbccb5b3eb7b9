//! Simulations in shards: together they are the whole, and what does not fit together is refused.

use crate::support::{Scratch, rulepack};

const SIM: [&str; 8] = ["sim", "tiny", "--players", "2", "--games", "23", "--seed", "9"];

/// Simulates one shard into the file `NUMBER.shard`.
fn shard(folder: &Scratch, number: u64, of: u64, more: &[&str]) -> String {
    let (shard, out) = (format!("{number}/{of}"), format!("{number}.shard"));
    let run = rulepack(folder.path(), &[&SIM, more, &["--shard", &shard, "--out", &out]].concat());
    assert_eq!(run.code, 0, "{}", run.shown());
    out
}

/// The report of a call, without how long it took.
fn report(folder: &Scratch, call: &[&str]) -> serde_json::Value {
    let run = rulepack(folder.path(), &[call, &["--format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.shown());
    let mut report = run.json();
    let keys = report.as_object_mut().expect("it is a table");
    for time in ["seconds", "games_per_second", "decisions_per_second"] {
        assert!(keys.remove(time).is_some(), "{time}");
    }
    report
}

#[test]
fn shards_give_the_report_of_the_whole() {
    let folder = Scratch::copy_of("tiny", "shards");
    for more in [&["--statistics", "--bots", "greedy,random"][..], &[]] {
        let files: Vec<String> = (1..=5).map(|number| shard(&folder, number, 5, more)).collect();
        // In any order.
        let call: Vec<&str> = ["merge"].into_iter().chain(files.iter().rev().map(String::as_str)).collect();
        let whole = report(&folder, &[&SIM, more].concat());
        assert_eq!(report(&folder, &call), whole);
        assert_eq!(whole["games"], 23);
        assert_eq!(whole.get("statistics").is_some(), more.contains(&"--statistics"));
    }
}

#[test]
fn shards_that_do_not_fit_together_are_refused() {
    let folder = Scratch::copy_of("tiny", "shards-wrong");
    for number in 1..=3 {
        shard(&folder, number, 3, &["--statistics"]);
    }
    let other = |more: &[&str], name: &str| {
        shard(&folder, 2, 3, more);
        folder.write(name, folder.read("2.shard").as_bytes());
    };
    let good = folder.read("2.shard");
    other(&["--statistics", "--max-turns", "500"], "turns.shard");
    other(&["--statistics", "--bots", "random,random"], "bots.shard");
    shard(&folder, 2, 4, &["--statistics"]);
    folder.write("of.shard", folder.read("2.shard").as_bytes());
    folder.write("2.shard", good.as_bytes());
    folder.write("short.shard", &good.as_bytes()[..good.len() - 3]);
    let rows: Vec<&str> = good.split_inclusive('\n').collect();
    folder.write("no-end.shard", rows[..rows.len() - 1].concat().as_bytes());
    folder.write("fewer.shard", [&rows[..1], &rows[2..]].concat().concat().as_bytes());
    folder.write("twice.shard", [&rows[..2], &rows[1..2], &rows[3..]].concat().concat().as_bytes());
    folder.write("none.shard", b"letters to my aunt");
    folder.write("seat.shard", good.replace("[[0,", "[[200,").as_bytes());
    for (files, told) in [
        (&["1.shard", "3.shard"][..], "of 3 shards, these are missing: 2"),
        (&["1.shard", "2.shard", "3.shard", "2.shard"], "shard 2 of 3 is there twice"),
        (&["1.shard", "turns.shard", "3.shard"], "were called with other options"),
        (&["1.shard", "bots.shard", "3.shard"], "do not fit together: bots: random, random,random"),
        (&["1.shard", "of.shard", "3.shard"], "do not fit together: number of shards: 3, 4"),
        (&["1.shard", "short.shard", "3.shard"], "`short.shard` is cut short"),
        (&["1.shard", "no-end.shard", "3.shard"], "`no-end.shard` is cut short"),
        (&["1.shard", "fewer.shard", "3.shard"], "games are there"),
        (&["1.shard", "twice.shard", "3.shard"], "is missing, there twice, or not of these rules"),
        (&["1.shard", "none.shard", "3.shard"], "is not the file of a shard"),
        (&["1.shard", "seat.shard", "3.shard"], "is missing, there twice, or not of these rules"),
    ] {
        let run = rulepack(folder.path(), &[&["merge"], files].concat());
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{files:?}: {}", run.shown());
        assert!(run.stderr.contains(told), "{files:?}: {}", run.shown());
    }
    let run = rulepack(folder.path(), &["merge", "1.shard", "nowhere.shard"]);
    assert_eq!(run.code, 2, "{}", run.shown());
}

#[test]
fn shards_of_rules_that_have_changed_since_are_refused() {
    let folder = Scratch::copy_of("tiny", "shards-rules");
    let one = shard(&folder, 1, 2, &[]);
    let path = "content/tiny/pack.toml";
    let pack = folder.read(path);
    let changed = pack.replace("score   = \"3\"", "score   = \"4\"");
    assert_ne!(changed, pack);
    folder.write(path, changed.as_bytes());
    let two = shard(&folder, 2, 2, &[]);
    let run = rulepack(folder.path(), &["merge", &one, &two]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stderr.contains("the rules have changed between"), "{}", run.shown());
}

#[test]
fn a_wrong_call_for_a_shard_is_refused() {
    let folder = Scratch::copy_of("tiny", "shards-call");
    for (call, told) in [
        (&["--shard", "0/4", "--out", "x"][..], "`--shard 0/4`: write the number of a shard"),
        (&["--shard", "1/4"], "--out"),
        (&["--out", "x"], "--shard"),
    ] {
        let run = rulepack(folder.path(), &[&SIM, call].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{call:?}: {}", run.shown());
        assert!(run.stderr.contains(told), "{call:?}: {}", run.shown());
    }
}
