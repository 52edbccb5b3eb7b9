//! Logs of every shipped game, in every way to play it, are played again: who is asked, what is offered and what follows must
//! be what it was at every decision. A rule that changes shows here as a list of games, to be looked at before new logs are
//! recorded: `RULEPACK_RECORD=1 cargo test --test integration replays`.

use std::path::{Path, PathBuf};

use rulepack::{GameLog, Library, LinkRequest, RandomBot, Session};
use rulepack_kernel::{Sight, Viewer, Words};
use rulepack_model::StableHasher;
use rulepack_tools::scenario::files_below;

use crate::support::{Scratch, rulepack, snapshot};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn logs() -> PathBuf {
    root().join("tests/replays")
}

/// Every pack in each of its editions and with every number of players, and each further mode with the fewest.
fn ways(library: &Library) -> Vec<LinkRequest> {
    let mut kept: Vec<LinkRequest> = Vec::new();
    for pack in library.list() {
        let editions = library.manifest(&pack.id).map_or(0, |manifest| usize::from(!manifest.editions.is_empty()));
        for way in rulepack_tools::requests(library, &pack.id, &mut Vec::new()) {
            let known = kept.iter().any(|known| known.pack == way.pack && known.modes == way.modes);
            // The base game beside an expansion is the base game.
            if way.pack == pack.id && (way.modes.len() <= editions || !known) {
                kept.push(way);
            }
        }
    }
    kept
}

/// What the log of a way to play is called.
fn name(way: &LinkRequest) -> String {
    let words = std::iter::once(&way.pack).chain(&way.with).chain(&way.modes).cloned();
    words.chain(way.players.map(|players| format!("{players}_players"))).collect::<Vec<_>>().join("-")
}

/// Plays one game by chance in every way, and keeps its log.
fn record(library: &Library) {
    let _ = std::fs::remove_dir_all(logs());
    std::fs::create_dir_all(logs()).expect("the folder can be made");
    for (way, seed) in ways(library).into_iter().zip(1..) {
        let game_box = library.load(&way).unwrap_or_else(|mistakes| panic!("{way:?}: {mistakes:#?}"));
        let mut session = Session::start(&game_box, seed).expect("the game starts");
        let mut bot = RandomBot::new(seed);
        while let Some(decision) = session.decision() {
            let answer = bot.choose(session.game().rules(), decision);
            session.answer(answer).expect("a listed answer is taken");
        }
        std::fs::write(logs().join(name(&way)).with_extension("jsonl"), session.log().to_text())
            .expect("it can be written");
    }
}

#[test]
fn every_shipped_game_goes_as_it_went() {
    let library = Library::open(&[root()]).expect("the library is there");
    if std::env::var_os("RULEPACK_RECORD").is_some() {
        record(&library);
    }
    let missing: Vec<String> =
        ways(&library).iter().map(name).filter(|name| !logs().join(name).with_extension("jsonl").exists()).collect();
    assert!(missing.is_empty(), "no log is kept of {missing:?}: see the head of this file");
    let run = rulepack(root(), &["replay", "tests/replays"]);
    assert!(
        run.code == 0 && run.stdout.contains(" 0 DIVERGED"),
        "look at what differs; if the rules are right, record the games again (see the head of this file):\n{}",
        run.shown()
    );
}

/// The words of the logs: what players read.
#[test]
fn every_shipped_game_is_told_as_it_was() {
    let library = Library::open(&[root()]).expect("the library is there");
    let mut told = String::new();
    let (paths, _) = files_below(&logs(), &["jsonl"]).expect("the logs are there");
    for path in paths {
        let log = GameLog::from_text(&std::fs::read_to_string(&path).expect("it can be read")).expect("it is a log");
        let game_box = log.load(&library).expect("the pack is there");
        let host = game_box.host().expect("the scripts are right");
        let words = Words::new(game_box.rules(), "");
        let (mut lines, mut hasher) = (0, StableHasher::new());
        let tell = |game: &rulepack::Game, _, _: &_, events: &[rulepack::LogEntry]| {
            let sight = Sight::new(game.rules(), game.state(), Viewer::All);
            for line in events.iter().filter_map(|event| words.event(event, &sight)) {
                std::hash::Hash::hash(&line, &mut hasher);
                lines += 1;
            }
        };
        log.grade(&game_box, &host, None, tell).expect("the game begins");
        let name = path.file_stem().expect("it has a name").to_string_lossy();
        told += &format!("{name}: {lines} lines, {:08x}\n", hasher.finish128() as u32);
    }
    snapshot("replays", "told", &told);
}

/// A changed card shows as a list of the games that it changes.
#[test]
fn a_changed_rule_is_told_with_the_games_that_it_changes() {
    let scratch = Scratch::new("replays");
    scratch.take("content/settlement", "content/settlement");
    scratch.take("scripts/settlement", "scripts/settlement");
    scratch.take("scripts/lib", "scripts/lib");
    for players in 1..=4 {
        let log = logs().join(format!("settlement-fr-{players}_players.jsonl"));
        scratch.write(&format!("logs/{players}.jsonl"), &std::fs::read(log).expect("it is kept"));
    }
    let file = scratch.path().join("content/settlement/cards/buildings.toml");
    let text = std::fs::read_to_string(&file).expect("the pack is there");
    let changed =
        text.replacen("activate = \"pay 1 basic -> gain 1 gold\"", "activate = \"pay 1 basic -> gain 2 gold\"", 1);
    assert_ne!(text, changed);
    std::fs::write(&file, changed).expect("it can be written");
    let run = rulepack(scratch.path(), &["replay", "logs"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    snapshot("replays", "changed_bazaar", &run.shown());
}
