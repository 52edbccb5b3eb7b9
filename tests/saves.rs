//! Games that nobody loses: what chance depends on, what saves and logs are bound to, and what is left after a crash.

use rulepack::{Answer, Game, GameBox, Library, LinkRequest, ScriptHost};
use rulepack_kernel::{ZoneIx, seat_key};

use crate::support::{Run, Scratch, fixture, rulepack, rulepack_told, snapshot};

fn load(pack: &str) -> GameBox {
    let library = Library::open(&[fixture("saves")]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), players: Some(2), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("{pack} does not link: {mistakes:#?}"))
}

/// Chooses an option by the beginning of its text, and gives what was told.
#[track_caller]
fn choose(game: &mut Game, host: &ScriptHost, wanted: &str) -> Vec<String> {
    let words = rulepack::Words::new(game.rules(), "en");
    let decision = game.decision().expect("the game goes on");
    let texts = words.options(game.state(), decision);
    let at = texts.iter().position(|text| text.starts_with(wanted)).unwrap_or_else(|| panic!("{wanted}: {texts:?}"));
    let seat = seat_key(decision.seat);
    let events = game.answer(host, Answer(at as u16)).expect("a listed answer is taken");
    let sight = rulepack::Sight::new(game.rules(), game.state(), rulepack::Viewer::All);
    let told = events.iter().filter_map(|event| rulepack::Words::new(game.rules(), "en").event(event, &sight));
    told.map(|line| format!("{seat}: {line}")).collect()
}

/// The rolls of a game in which everybody earns and stakes in turn.
fn rolls(game_box: &GameBox, seed: u64) -> Vec<String> {
    let host = game_box.host().expect("the scripts are right");
    let mut game = game_box.start(&host, seed).expect("the game starts");
    let mut told = Vec::new();
    for wanted in ["Earn", "Stake", "Stake", "Earn"].iter().cycle() {
        if game.decision().is_none() {
            break;
        }
        told.extend(choose(&mut game, &host, wanted).into_iter().filter(|line| line.contains("roll")));
    }
    told
}

/// The cards of the deck from bottom to top, without those of the expansion.
fn deck(game_box: &GameBox, seed: u64) -> Vec<String> {
    let host = game_box.host().expect("the scripts are right");
    let game = game_box.start(&host, seed).expect("the game starts");
    let rules = game.rules();
    let deck = (0..rules.zone_instances.len() as u16)
        .map(ZoneIx)
        .find(|zone| rules.zone_of(*zone).name == "deck")
        .expect("there is a deck");
    let name = |piece| rules.types[rules.type_of(piece).index()].name.clone();
    game.state().zone(deck).map(name).filter(|name| name != "aardvark").collect()
}

#[test]
fn an_added_card_with_a_die_of_its_own_leaves_all_later_rolls_as_they_were() {
    let (plain, more) = (load("saves"), load("saves-more"));
    for seed in 0..20 {
        let before = rolls(&plain, seed);
        assert_eq!(before.len(), 12, "{before:?}");
        assert_eq!(before, rolls(&more, seed), "seed {seed}");
    }
    assert_ne!(rolls(&plain, 1), rolls(&plain, 2), "another seed is another game");
}

#[test]
fn an_added_card_leaves_the_others_of_the_deck_in_the_same_order() {
    let (plain, more) = (load("saves"), load("saves-more"));
    for seed in 0..20 {
        assert_eq!(deck(&plain, seed), deck(&more, seed), "seed {seed}");
    }
    assert_ne!(deck(&plain, 1), deck(&plain, 2), "another seed is another order");
}

// ---- what saves and logs are bound to ----

const PACK: &str = "content/saves/pack.toml";

/// A copy of the fixture, with a log of a game that was broken off.
struct Table(Scratch);

impl Table {
    fn new(name: &str) -> Self {
        let table = Table(Scratch::copy_of("saves", name));
        // Everybody builds, then earns; then nobody says anything any more.
        let run = table.play(&["--bots", "none", "--players", "2", "--seed", "3", "--log", "log.jsonl"], ANSWERS);
        assert!(run.stderr.contains("the input ended before the game did"), "{}", run.shown());
        assert_eq!(run.code, 1, "{}", run.shown());
        table
    }

    fn play(&self, arguments: &[&str], input: &str) -> Run {
        let all = [&["--library", ".", "play", "saves"], arguments].concat();
        rulepack_told(self.0.path(), &all, input)
    }

    /// Changes a file of the pack.
    #[track_caller]
    fn change(&self, file: &str, change: impl FnOnce(&str) -> String) {
        let path = self.0.path().join(file);
        let text = std::fs::read_to_string(path).expect("the file is there");
        let changed = change(&text);
        assert_ne!(text, changed);
        self.0.write(file, changed.as_bytes());
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.0.path().join("log.jsonl")).expect("there is a log")
    }

    /// Takes the game up, says nothing, and gives what was said to it.
    fn load(&self, arguments: &[&str]) -> String {
        let run = self.play(&[&["--load", "log.jsonl", "--bots", "none"], arguments].concat(), "");
        format!("{}\n{}", run.stdout, run.stderr)
    }
}

/// Build a barn, build a barn, earn, for both.
const ANSWERS: &str = "1\n1\n1\n1\n1\n2\n";

#[test]
fn piped_input_plays_as_told() {
    let table = Table::new("piped");
    let answers = table.log().lines().filter(|line| line.contains("\"answer\"")).count();
    assert_eq!(answers, ANSWERS.lines().count(), "{}", table.log());
    assert!(table.log().contains("\"seat\":\"player_1\",\"option\":\"build barn"), "{}", table.log());
    // Without it, bots play the game out.
    let run = table.play(&["--seed", "3"], "");
    assert_eq!(run.code, 0, "{}", run.shown());
}

#[test]
fn a_changed_comment_text_or_layout_does_not_make_a_game_unreadable() {
    let table = Table::new("comment");
    let as_it_was = table.load(&[]);
    assert!(as_it_was.contains("Player 2: ") && !as_it_was.contains("error: log"), "{as_it_was}");
    table.change(PACK, |text| {
        text.replace("# The die of a turn.", "# One of two dice.")
            .replace("title = \"Barn\"", "title = \"Stable\"")
            .replace("roll result of 6; gain", "roll  result of 6;\tgain")
            .replace("version  = \"1.0.0\"", "version  = \"1.0.1\"")
    });
    table.change("scripts/saves/dice.lua", |text| format!("-- More words.\n{}", text.replace(" > 3", ">3")));
    let changed = table.load(&[]);
    assert_eq!(changed.replace("Stable", "Barn"), as_it_was);
    // Another layout: cards and houses in files of their own, in another order.
    let text = std::fs::read_to_string(table.0.path().join(PACK)).expect("the file is there");
    let (from, to) = (text.find("[kind.card]").expect("it is there"), text.find("[zone.deck]").expect("it is there"));
    let (cards, houses) = text[from..to].split_at(text[from..to].find("[kind.house]").expect("it is there"));
    table.0.write("content/saves/z_cards.toml", cards.as_bytes());
    table.0.write("content/saves/a_houses.toml", houses.as_bytes());
    table.0.write(PACK, format!("{}{}", &text[..from], &text[to..]).as_bytes());
    let elsewhere = table.load(&[]);
    assert!(!elsewhere.contains("error: log") && elsewhere.contains("Player 2: "), "{elsewhere}");
    let replayed = rulepack(table.0.path(), &["--library", ".", "replay", "log.jsonl"]);
    assert_eq!(replayed.code, 0, "{}", replayed.shown());
}

#[test]
fn a_changed_price_names_the_definition_and_the_first_decision_that_differs() {
    let table = Table::new("price");
    table.change(PACK, |text| text.replace("cost  = \"2 coin\"", "cost  = \"4 coin\""));
    table.change("scripts/saves/dice.lua", |text| text.replace("> 3", "> 4"));
    let refused = table.load(&[]);
    snapshot("saves", "changed_price", &refused);
    assert!(refused.contains("changed: `house.barn`, `script.saves:dice`"), "{refused}");
    assert!(refused.contains("at answer 2 of 6, player_1: `build barn"), "{refused}");
    // It can go on from there.
    let goes_on = table.load(&["--changed-rules"]);
    assert!(goes_on.contains("Player 1: ") && goes_on.contains("at answer 2 of 6"), "{goes_on}");
    let replayed = rulepack(table.0.path(), &["--library", ".", "replay", "log.jsonl"]);
    assert_eq!(replayed.code, 1, "{}", replayed.shown());
    assert!(replayed.stderr.contains("changed: `house.barn`"), "{}", replayed.shown());
}

#[test]
fn a_change_that_touches_no_answer_is_told_and_can_be_gone_on_with() {
    let table = Table::new("untouched");
    table.change(PACK, |text| text.replace("[zone.deck]", "[card.dog]\ntitle = \"Dog\"\n\n[zone.deck]"));
    let told = table.load(&["--changed-rules"]);
    assert!(told.contains("new: `card.dog`"), "{told}");
    assert!(told.contains("all 6 answers can be given again"), "{told}");
}

#[test]
fn a_torn_last_line_is_dropped_and_said() {
    let table = Table::new("torn");
    let log = table.log();
    let whole: Vec<&str> = log.lines().filter(|line| !line.contains("\"end\"")).collect();
    let torn = format!("{}\n{}", whole[..whole.len() - 1].join("\n"), &whole[whole.len() - 1][..40]);
    table.0.write("log.jsonl", torn.as_bytes());
    let replayed = rulepack(table.0.path(), &["--library", ".", "replay", "log.jsonl"]);
    assert_eq!(replayed.code, 0, "{}", replayed.shown());
    assert!(replayed.stderr.contains("the last line was not written completely and is left out"));
    assert!(replayed.stdout.contains("5 answers"), "{}", replayed.shown());
    let loaded = table.load(&[]);
    assert!(loaded.contains("not written completely") && loaded.contains("Player 2: "), "{loaded}");
}

/// Whatever the disk has left of it.
#[test]
fn a_torn_last_line_that_is_no_text_is_dropped_and_said() {
    let table = Table::new("torn-bytes");
    let log = table.log();
    let whole: Vec<&str> = log.lines().filter(|line| !line.contains("\"end\"")).collect();
    let mut torn = format!("{}\n{}", whole[..whole.len() - 1].join("\n"), &whole[whole.len() - 1][..40]).into_bytes();
    torn.extend([0xff, 0x00, 0xc3]);
    table.0.write("log.jsonl", &torn);
    let replayed = rulepack(table.0.path(), &["--library", ".", "replay", "log.jsonl"]);
    assert_eq!(replayed.code, 0, "{}", replayed.shown());
    assert!(
        replayed.stderr.contains("the last line was not written completely and is left out"),
        "{}",
        replayed.shown()
    );
    assert!(replayed.stdout.contains("5 answers"), "{}", replayed.shown());
    let loaded = table.load(&[]);
    assert!(loaded.contains("not written completely") && loaded.contains("Player 2: "), "{loaded}");
}

#[test]
fn a_log_that_is_damaged_in_its_middle_says_what_can_be_saved() {
    let table = Table::new("damaged");
    let lines: Vec<String> = table.log().lines().map(str::to_string).collect();
    let damaged = [&lines[..4], &["{\u{fffd}}".to_string()], &lines[5..]].concat().join("\n");
    table.0.write("log.jsonl", damaged.as_bytes());
    let told = table.load(&[]);
    let wanted = "line 5 is not as it was written: its checksum is wrong; \
                  lines 1 to 4 are sound: copied to a file of their own, they hold 3 answers";
    assert!(told.contains(wanted), "{told}");
    table.0.write("log.jsonl", (lines[..4].join("\n") + "\n").as_bytes());
    let told = table.load(&[]);
    assert!(told.contains("Player 2: ") && !told.contains("error: log"), "{told}");
}

#[test]
fn an_undone_answer_is_undone_in_the_log() {
    let table = Table::new("undone");
    table.play(&["--bots", "none", "--players", "2", "--seed", "3", "--log", "log.jsonl"], "1\n1\nu\nu\n1\n");
    let log = table.log();
    assert_eq!(log.matches("{\"undo\":1}").count(), 2, "{log}");
    let replayed = rulepack(table.0.path(), &["--library", ".", "replay", "log.jsonl"]);
    assert!(replayed.stdout.contains("EXACT: 1 answer,"), "{}", replayed.shown());
}

#[test]
fn undo_goes_back_before_a_load() {
    let table = Table::new("undo");
    table.play(&["--load", "log.jsonl", "--bots", "none"], "s saved.json\n");
    for file in ["log.jsonl", "saved.json"] {
        // Rolls are taken back only if all agree.
        let back = "u\ny\n".repeat(ANSWERS.lines().count());
        let run = table.play(&["--load", file, "--bots", "none", "--log", "undone.jsonl"], &format!("{back}u\n"));
        assert!(run.stderr.contains("there is nothing to undo"), "{file}: {}", run.shown());
        let replayed = rulepack(table.0.path(), &["--library", ".", "replay", "undone.jsonl"]);
        assert!(replayed.stdout.contains("0 answers"), "{file}: {}", replayed.shown());
    }
}

// ---- games at a terminal ----

#[cfg(target_os = "linux")]
#[track_caller]
fn at_terminal(state: &std::path::Path, arguments: &[&str], steps: &[(&str, &str)]) -> String {
    let library = fixture("saves").to_string_lossy().into_owned();
    crate::support::at_terminal(state, &[&["--library", &library], arguments].concat(), steps)
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_that_is_killed_interrupted_or_closed_is_offered_again() {
    let state = Scratch::new("state");
    let game = ["play", "saves", "--players", "2", "--bots", "none"];
    // Where all options are listed, an answer is waited for.
    let question = ("wait", "  Draw\r\n> ");
    at_terminal(state.path(), &game, &[question, ("say", "1"), question, ("say", "1"), question, ("kill", "")]);
    // It goes on where it was, and further; again nothing is lost.
    let offered = ("wait", "broken off after 2 answers");
    let steps = [offered, ("say", "y"), question, ("say", "1"), question, ("interrupt", "")];
    at_terminal(state.path(), &game, &steps);
    let steps = [("wait", "broken off after 3 answers"), ("say", ""), question, ("say", "u"), question, ("close", "")];
    at_terminal(state.path(), &game, &steps);
    // What was taken back stays taken back, with `--resume` nothing is asked, and bots are who they were.
    let steps = [question, ("say", "u"), question, ("say", "u"), question, ("say", "u"), ("wait", "nothing to undo")];
    let said = at_terminal(
        state.path(),
        &["play", "saves", "--resume"],
        &[&steps[..], &[("say", "1"), question, ("say", "q")]].concat(),
    );
    assert!(said.contains("the game is kept"), "{said}");
    // Nobody asked for it to be kept, or for one that was.
    let steps = [question, ("say", "1"), question, ("say", "q")];
    let said = at_terminal(state.path(), &[&game[..], &["--no-autosave"]].concat(), &steps);
    assert!(!said.contains("kept") && !said.contains("broken off"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_kept_game_that_is_damaged_is_told_and_offered_as_far_as_it_can_be_read() {
    let state = Scratch::new("damaged-state");
    let game = ["play", "saves", "--players", "2", "--bots", "none"];
    let question = ("wait", "  Draw\r\n> ");
    let answers = [question, ("say", "1"), question, ("say", "1"), question, ("say", "1"), question, ("kill", "")];
    at_terminal(state.path(), &game, &answers);
    let folder = state.path().join("rulepack");
    let names = || -> Vec<String> {
        let files = std::fs::read_dir(&folder).expect("the folder is there");
        files.map(|file| file.expect("it can be read").file_name().to_string_lossy().into_owned()).collect()
    };
    let [name] = &names()[..] else { panic!("one game is kept: {:?}", names()) };
    let mut bytes = std::fs::read(folder.join(name)).expect("the game is kept");
    // The third line: the second answer.
    let third = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).expect("it has lines").0 + 30;
    bytes[third] = 0xff;
    state.write(&format!("rulepack/{name}"), &bytes);
    let said = format!("{name}` is damaged at line 3: the part before it (1 answer) can be continued");
    // Whoever does not want it loses nothing.
    at_terminal(
        state.path(),
        &game,
        &[("wait", said.as_str()), ("wait", "broken off after 1 answer,"), ("say", "n"), question, ("say", "q")],
    );
    assert_eq!(std::fs::read(folder.join(name)).expect("it is still there"), bytes);
    let aside = format!("{name}.damaged");
    let steps = [
        ("wait", said.as_str()),
        ("say", "y"),
        ("wait", aside.as_str()),
        question,
        ("say", "1"),
        question,
        ("say", "q"),
    ];
    at_terminal(state.path(), &game, &steps);
    assert_eq!(std::fs::read(folder.join(&aside)).expect("it is put aside"), bytes);
    at_terminal(state.path(), &game, &[("wait", "broken off after 2 answers"), ("say", "n"), question, ("say", "q")]);
    // Nothing at all can be read.
    for name in names().iter().filter(|name| name.ends_with(".jsonl")) {
        state.write(&format!("rulepack/{name}"), b"\xff\xfe");
    }
    at_terminal(state.path(), &game, &[("wait", "a game that was kept is not offered: "), question, ("say", "q")]);
}

#[cfg(target_os = "linux")]
#[test]
fn who_sits_at_a_terminal_is_asked_before_a_file_of_somebody_else_is_overwritten() {
    let state = Scratch::new("letter");
    state.write("letter", b"Dear aunt,\n");
    let letter = state.path().join("letter");
    let save = format!("s {}", letter.display());
    let question = ("wait", "  Draw\r\n> ");
    let asked = ("wait", "overwrite it? [y/N] ");
    let steps = [question, ("say", save.as_str()), asked, ("say", ""), ("wait", "stays as it is")];
    at_terminal(state.path(), &["play", "saves", "--players", "1"], &[&steps[..], &[("say", "q")]].concat());
    assert_eq!(std::fs::read_to_string(&letter).unwrap(), "Dear aunt,\n");
    let steps = [question, ("say", save.as_str()), asked, ("say", "y"), ("wait", "saved to"), ("say", "q")];
    at_terminal(state.path(), &["play", "saves", "--players", "1"], &steps);
    assert!(std::fs::read_to_string(&letter).unwrap().contains("rulepack-save"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_that_is_over_is_not_kept() {
    let state = Scratch::new("over");
    // Drawing is the last option.
    let mut steps = Vec::new();
    for _ in 0..6 {
        steps.extend([("wait", "  Draw\r\n> "), ("say", "4")]);
    }
    steps.push(("wait", "Total"));
    let said = at_terminal(state.path(), &["play", "saves", "--players", "1"], &steps);
    assert!(!said.contains("the game is kept"), "{said}");
    assert_eq!(std::fs::read_dir(state.path().join("rulepack")).expect("the folder is there").count(), 0);
}
