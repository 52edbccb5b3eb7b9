//! Back and forth in time: undo, fork, save, load and replay at every place of long games, in little memory; logs that are
//! graded, and tables that are shown as they were.

use std::path::Path;

use rulepack::{Answer, GameBox, GameLog, Grade, Library, LinkRequest, RandomBot, Session};
use rulepack_tools::Start;

use crate::support::{Run, Scratch, rulepack, rulepack_told};

const PACK: &str = "content/saves/pack.toml";

/// The fixture as a game that lasts: with dice, a script that rolls, a deck and things to build.
fn lasting(name: &str) -> Scratch {
    let scratch = Scratch::copy_of("saves", name);
    let text = std::fs::read_to_string(scratch.path().join(PACK)).expect("the fixture is there");
    let lasting = text.replace("repeat   = 6", "repeat   = 100000");
    assert_ne!(text, lasting);
    scratch.write(PACK, lasting.as_bytes());
    scratch
}

fn load(folder: &Path, pack: &str, players: u8) -> GameBox {
    let library = Library::open(&[folder]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), players: Some(players), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("{pack} does not link: {mistakes:#?}"))
}

/// Plays on by chance, and notes the hash after every answer.
fn play(session: &mut Session, bot: &mut RandomBot, answers: usize, hashes: &mut Vec<u128>) {
    hashes.truncate(session.depth());
    hashes.push(session.game().hash());
    for _ in 0..answers {
        let Some(decision) = session.decision() else { return };
        let answer = bot.choose(session.game().rules(), decision);
        session.answer(answer).expect("a listed answer is taken");
        hashes.push(session.game().hash());
    }
}

#[test]
fn every_table_of_a_long_game_can_be_gone_back_to() {
    let scratch = lasting("long");
    let game_box = load(scratch.path(), "saves", 2);
    let mut session = Session::start(&game_box, 5).expect("the game starts");
    let (mut bot, mut hashes) = (RandomBot::new(5), Vec::new());
    play(&mut session, &mut bot, 2_500, &mut hashes);
    for answers in (0..2_500).step_by(97).chain([0, 1, 15, 16, 17, 1023, 1024, 2_499, 2_500]) {
        let early = session.at(answers).expect("what was answered can be answered again");
        assert_eq!((early.depth(), early.game().hash()), (answers, hashes[answers]), "after {answers} answers");
        // Saved there, loaded, and played on as it went.
        let mut loaded = Session::load(&game_box, &early.save()).expect("it was saved");
        assert_eq!(loaded.game(), early.game());
        if answers < 2_500 {
            let next = session.answers_since(answers).next().expect("there is one more");
            let (answer, _) = loaded.game().find(&next).expect("it is offered");
            loaded.answer(answer).expect("a listed answer is taken");
            assert_eq!(loaded.game().hash(), hashes[answers + 1]);
        }
    }
    // A fork goes its own way and leaves the game as it is.
    let mut fork = session.at(700).expect("what was answered can be answered again");
    fork.answer(Answer(0)).expect("a listed answer is taken");
    assert_eq!((fork.depth(), session.depth()), (701, 2_500));
    // One by one, then far back, then on again on another way.
    for depth in (2_400..2_500).rev() {
        session.undo(1).expect("what was answered can be answered again");
        assert_eq!((session.depth(), session.game().hash()), (depth, hashes[depth]));
    }
    session.undo(1_700).expect("what was answered can be answered again");
    assert_eq!((session.depth(), session.game().hash()), (700, hashes[700]));
    play(&mut session, &mut RandomBot::new(6), 1_200, &mut hashes);
    for answers in [3, 650, 700, 701, 1_500, 1_899] {
        assert_eq!(session.at(answers).expect("it was there").game().hash(), hashes[answers]);
    }
    session.undo(usize::MAX).expect("what was answered can be answered again");
    assert_eq!((session.depth(), session.game().hash()), (0, hashes[0]));
}

// ---- memory ----

/// The most memory that a process has had, in bytes.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process is there");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("Linux counts it");
    let kilobytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok());
    kilobytes.expect("a number of kilobytes") * 1024
}

/// A whole game was kept for every answer: 10,000 answers of a large game took gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn ten_thousand_answers_stay_below_200_megabytes() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    let scratch = lasting("memory");
    let mut child = Command::new(env!("CARGO_BIN_EXE_rulepack"))
        .args(["play", "saves", "--players", "2", "--bots", "none", "--seed", "3", "--log", "log.jsonl"])
        .current_dir(scratch.path())
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let mut output = child.stdout.take().expect("it is piped");
    let reader = std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while output.read(&mut buffer).is_ok_and(|read| read > 0) {}
    });
    let mut input = child.stdin.take().expect("it is piped");
    // Many build, and draw until the deck is empty; all roll.
    let answers: String = (0..10_000).map(|index| if index % 7 == 3 { "2\n" } else { "1\n" }).collect();
    input.write_all(answers.as_bytes()).expect("the program reads");
    let log = scratch.path().join("log.jsonl");
    let answered = || {
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        text.lines().filter(|line| line.contains("\"answer\"")).count()
    };
    let began = std::time::Instant::now();
    while answered() < 10_000 {
        assert!(began.elapsed().as_secs() < 120, "{} answers were taken", answered());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let peak = peak_memory(child.id());
    drop(input);
    child.wait().expect("the program ends");
    reader.join().expect("the output is read");
    println!("10,000 answers: at most {} MB", peak >> 20);
    assert!(peak < 200 << 20, "{} MB", peak >> 20);
}

// ---- grades ----

/// A log of a game of two that is played out.
fn logged(name: &str) -> Scratch {
    let scratch = Scratch::copy_of("saves", name);
    let run = rulepack(
        scratch.path(),
        &["play", "saves", "--players", "2", "--bots", "random", "--seed", "3", "--log", "log.jsonl"],
    );
    assert_eq!(run.code, 0, "{}", run.shown());
    scratch
}

fn change(scratch: &Scratch, file: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(scratch.path().join(file)).expect("the file is there");
    assert!(text.contains(from), "{file} has no `{from}`");
    scratch.write(file, text.replace(from, to).as_bytes());
}

fn replay(scratch: &Scratch, arguments: &[&str]) -> Run {
    rulepack(scratch.path(), &[&["replay", "log.jsonl"], arguments].concat())
}

#[test]
fn a_log_goes_exactly_as_it_was_played() {
    let scratch = logged("exact");
    let run = replay(&scratch, &[]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.lines().last().is_some_and(|line| line.starts_with("EXACT: ")), "{}", run.stdout);
    // What changes nothing that was met leaves it exact, and is told.
    change(&scratch, PACK, "[zone.deck]", "[house.castle]\ncost = \"900 coin\"\n\n[zone.deck]");
    let run = replay(&scratch, &[]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(
        run.stdout.contains("the rules have changed, but not for this game: new: `house.castle`"),
        "{}",
        run.shown()
    );
}

#[test]
fn an_option_that_is_gone_is_told_with_both_lists_and_the_card() {
    let scratch = logged("gone");
    change(&scratch, PACK, "cost  = \"2 coin\"", "cost  = \"7 coin\"");
    let run = replay(&scratch, &[]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stdout.contains("DIVERGED at decision 2 of "), "{}", run.shown());
    assert!(run.stdout.contains("offered only then: `build barn`\n"), "{}", run.shown());
    assert!(run.stdout.contains("offered only now: nothing\n"), "{}", run.shown());
    assert!(run.stdout.contains("responsible: `house.barn`\n"), "{}", run.shown());
    let report = replay(&scratch, &["--format", "json"]);
    assert_eq!(report.code, 1);
    let grade = &report.json()["replay"];
    assert_eq!((&grade["grade"], &grade["decision"]), (&"DIVERGED".into(), &2.into()), "{grade}");
    assert_eq!(grade["about"], "offered");
    assert!(grade["then"].to_string().contains("build barn"), "{grade}");
    assert!(!grade["now"].to_string().contains("build barn"), "{grade}");
    // A seat is told that, and not what.
    let run = replay(&scratch, &["--as", "1"]);
    assert!(run.code == 1 && run.stdout.trim_end().ends_with(": what is offered"), "{}", run.shown());
}

#[test]
fn what_follows_from_an_answer_is_compared() {
    let scratch = logged("told");
    change(&scratch, PACK, "gain result coin; end turn", "gain result coin; gain 1 coin; end turn");
    let run = replay(&scratch, &[]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stdout.contains("what follows from the answer\n"), "{}", run.shown());
    assert!(run.stdout.contains("`transferred supply player_1 1 coin`"), "{}", run.shown());
    assert!(run.stdout.contains("`earn` leads to something else"), "{}", run.shown());
    assert!(run.stdout.contains("responsible: `action.earn`\n"), "{}", run.shown());
    // A script, by its line.
    let scratch = logged("told-script");
    change(&scratch, "scripts/saves/dice.lua", "\"coin\", 2", "\"coin\", 3");
    let run = replay(&scratch, &[]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stdout.contains("responsible: `script.saves:dice`\n"), "{}", run.shown());
}

/// As they were written before: without what else was offered, and without what followed.
#[test]
fn a_log_that_says_less_is_graded_by_what_it_says() {
    let scratch = logged("less");
    let text = std::fs::read_to_string(scratch.path().join("log.jsonl")).expect("there is a log");
    let mut log = GameLog::from_text(&text).expect("it is a log");
    for given in &mut log.answers {
        given.others.clear();
        given.told = None;
    }
    scratch.write("log.jsonl", log.to_text().as_bytes());
    let run = replay(&scratch, &[]);
    assert_eq!(run.code, 0, "{}", run.shown());
    change(&scratch, PACK, "cost  = \"2 coin\"", "cost  = \"7 coin\"");
    let run = replay(&scratch, &[]);
    assert!(run.code == 1 && run.stdout.contains("then: the log does not say\n"), "{}", run.shown());
}

#[test]
fn the_table_is_shown_as_it_was() {
    let scratch = logged("at");
    let run = replay(&scratch, &["--at", "0"]);
    assert!(run.code == 0 && run.stdout.contains("EXACT: 0 answers"), "{}", run.shown());
    let seen = |seat: &str| {
        let report = replay(&scratch, &["--at", "9", "--format", "json", "--as", seat]).json();
        assert!(report.get("hash").is_none() && report["replay"]["grade"] == "EXACT", "{report}");
        report["table"].clone()
    };
    assert_ne!(seen("1"), seen("2"), "each sees the own hand");
    let report = replay(&scratch, &["--at", "9", "--format", "json"]).json();
    assert_eq!(report["answers"], 9);
    assert!(report["table"]["asked"]["options"].as_array().is_some_and(|options| !options.is_empty()), "{report}");
    let run = replay(&scratch, &["--at", "900"]);
    assert!(run.code == 2 && run.stderr.contains("`--at 900`: the game has "), "{}", run.shown());
    // A fork from a log is played on.
    let play = ["play", "saves", "--load", "log.jsonl", "--at", "4", "--bots", "none", "--log", "fork.jsonl"];
    let run = rulepack_told(scratch.path(), &play, "1\n");
    assert!(run.stderr.contains("the input ended"), "{}", run.shown());
    let run = rulepack(scratch.path(), &["replay", "fork.jsonl"]);
    assert!(run.code == 0 && run.stdout.contains("EXACT: 5 answers"), "{}", run.shown());
}

/// A definition that nobody meets gives everything else other numbers, so that the hash says nothing.
#[test]
fn another_end_is_noticed_where_things_are_numbered_otherwise() {
    let ends = [("score = \"4\"", "score = \"9\"", " points`"), ("start = 6", "start = 60", " coin`")];
    for (index, (from, to, told)) in ends.into_iter().enumerate() {
        let scratch = logged(&format!("numbered-{index}"));
        // A log that says less is graded by its end.
        let text = std::fs::read_to_string(scratch.path().join("log.jsonl")).expect("there is a log");
        let mut log = GameLog::from_text(&text).expect("it is a log");
        log.answers.clear();
        let game_box = load(scratch.path(), "saves", 2);
        if index == 0 {
            log = GameLog::from_text(&text).expect("it is a log");
        } else {
            let host = game_box.host().expect("the scripts are right");
            let game = log.begin(&game_box, &host).expect("the game begins");
            log = GameLog::new(&game, log.beginning.start.clone(), Vec::new());
        }
        scratch.write("log.jsonl", log.to_text().as_bytes());
        change(&scratch, PACK, "[zone.deck]", "[house.castle]\ncost = \"900 coin\"\n\n[zone.deck]");
        let run = replay(&scratch, &[]);
        assert_eq!(run.code, 0, "{}", run.shown());
        change(&scratch, PACK, from, to);
        let run = replay(&scratch, &[]);
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(run.stdout.contains(": the table after the last answer\n"), "{}", run.shown());
        assert!(run.stdout.contains("the game has come to something else than then"), "{}", run.shown());
        assert!(run.stdout.contains(told), "{}", run.shown());
        assert_eq!(replay(&scratch, &["--format", "json"]).json()["replay"]["about"], "end");
    }
}

#[test]
fn a_saved_game_that_is_over_is_compared_by_its_points() {
    let scratch = logged("saved-over");
    let game_box = load(scratch.path(), "saves", 2);
    let text = std::fs::read_to_string(scratch.path().join("log.jsonl")).expect("there is a log");
    let log = GameLog::from_text(&text).expect("it is a log");
    let session = Session::from_log(&game_box, &log).expect("it can be played again");
    scratch.write("log.jsonl", session.save().as_bytes());
    change(&scratch, PACK, "[zone.deck]", "[house.castle]\ncost = \"900 coin\"\n\n[zone.deck]");
    let run = replay(&scratch, &[]);
    assert_eq!(run.code, 0, "{}", run.shown());
    change(&scratch, PACK, "score = \"4\"", "score = \"9\"");
    let run = replay(&scratch, &[]);
    assert!(run.code == 1 && run.stdout.contains(" points`"), "{}", run.shown());
}

/// Of two standing rules that apply at once, the first goes to work first.
#[test]
fn the_order_of_standing_rules_counts() {
    let scratch = Scratch::copy_of("saves", "standing-order");
    let rich = "[standing.rich]\nof = \"player\"\nwhen = \"my.coin > 90\"\neffect = \"pay 50 coin\"\n\n";
    let taxed = "[standing.taxed]\nof = \"player\"\nwhen = \"my.coin > 80\"\neffect = \"pay 1 coin\"\n\n";
    change(&scratch, PACK, "[zone.deck]", &format!("{rich}{taxed}[zone.deck]"));
    let run = rulepack(
        scratch.path(),
        &["play", "saves", "--players", "2", "--bots", "random", "--seed", "3", "--log", "log.jsonl"],
    );
    assert_eq!(run.code, 0, "{}", run.shown());
    change(&scratch, PACK, &format!("{rich}{taxed}"), &format!("{taxed}{rich}"));
    let run = replay(&scratch, &[]);
    assert!(
        run.stdout.contains("the rules have changed, but not for this game: changed: `order.standing`"),
        "{}",
        run.shown()
    );
    // A third one in front leaves the order of the others as it was.
    let third = "[standing.poor]\nof = \"player\"\nwhen = \"my.coin < -1\"\neffect = \"gain 1 coin\"\n\n";
    change(&scratch, PACK, &format!("{taxed}{rich}"), &format!("{third}{rich}{taxed}"));
    let run = replay(&scratch, &[]);
    assert!(run.stdout.contains("new: `standing.poor`") && !run.stdout.contains("order."), "{}", run.shown());
}

#[test]
fn a_saved_game_is_replayed() {
    let scratch = logged("saved");
    let play = ["play", "saves", "--load", "log.jsonl", "--at", "6", "--bots", "none"];
    rulepack_told(scratch.path(), &play, "s saved.json\nq\n");
    let run = rulepack(scratch.path(), &["replay", "saved.json"]);
    assert!(run.code == 0 && run.stdout.contains("EXACT: 6 answers"), "{}", run.shown());
}

#[test]
fn grades_are_library_calls() {
    let scratch = logged("library");
    let game_box = load(scratch.path(), "saves", 2);
    let text = std::fs::read_to_string(scratch.path().join("log.jsonl")).expect("there is a log");
    let mut log = GameLog::from_text(&text).expect("it is a log");
    let host = game_box.host().expect("the scripts are right");
    let replayed = log.grade(&game_box, &host, None, |_, _, _, _| {}).expect("the game begins");
    assert!(replayed.grade.is_exact());
    log.answers[7].seat = "player_9".into();
    let replayed = log.grade(&game_box, &host, None, |_, _, _, _| {}).expect("the game begins");
    let Grade::Diverged(divergence) = replayed.grade else { panic!("nobody noticed") };
    assert_eq!(divergence.difference.then, Some(vec!["player_9".to_string()]));
    assert_eq!((divergence.difference.number, replayed.answers), (8, 7));
}

/// Changes what a log says.
type Forge = fn(&mut GameLog);

/// Who can write a log can also make its checksums right.
#[test]
fn a_log_with_another_hash_or_seed_is_refused_by_every_command() {
    let commands = [
        &["replay", "log.jsonl"][..],
        &["play", "saves", "--load", "log.jsonl", "--bots", "none"],
        &["export", "log.jsonl", "--as", "1"],
        &["export", "log.jsonl", "--as", "1", "--at", "1"],
    ];
    let forge_hash = |log: &mut GameLog| log.hash = Some("0".repeat(32));
    let forge_seed = |log: &mut GameLog| log.beginning.start = Start::Seed(4);
    let as_it_was = |_: &mut GameLog| ();
    let forgeries: [(&str, Forge); 3] = [("nothing", as_it_was), ("hash", forge_hash), ("seed", forge_seed)];
    for (name, forge) in forgeries {
        let is_sound = name == "nothing";
        let scratch = logged(&format!("forged-{name}"));
        let text = std::fs::read_to_string(scratch.path().join("log.jsonl")).expect("there is a log");
        let mut log = GameLog::from_text(&text).expect("it is a log");
        forge(&mut log);
        scratch.write("log.jsonl", log.to_text().as_bytes());
        for command in commands {
            let run = rulepack_told(scratch.path(), command, "");
            assert_eq!(run.code == 0, is_sound, "{name}, {command:?}: {}", run.shown());
        }
        if !is_sound {
            let run = rulepack_told(scratch.path(), commands[1], "");
            assert!(run.stderr.contains("at answer "), "{}", run.shown());
            let is_told = run.stderr.contains("the rules are the same, but the game does not go as the log says");
            assert_eq!(is_told, name == "hash", "{}", run.shown());
        }
    }
}
