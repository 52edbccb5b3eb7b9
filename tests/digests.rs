//! No change of the engine may change a rule: one fixed game of every way to play every pack, against what `digests.toml` holds.
//!
//! A digest covers who is asked, the options in their order, and now and then and at the end the whole table, all of it by
//! names (`Game::content`), so that it does not depend on how the engine lays things out. Whoever changes a rule of a pack
//! says so by a change of the file: `UPDATE_DIGESTS=1 cargo test digests` writes it anew.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::path::Path;

use rulepack::{GameBox, Library, RandomBot, StableHasher, conformance};

/// In the file, one digest for each way to play.
type Digests = BTreeMap<String, String>;

/// The whole table is looked at after so many answers, and at the end.
const EACH: usize = 4;
/// Some random games of some packs need not end.
const MOST_ANSWERS: usize = 2_000;

fn digest(game_box: &GameBox) -> String {
    let host = game_box.host().expect("the scripts are right");
    let mut game = game_box.start(&host, 1).expect("the game begins");
    let mut bot = RandomBot::new(1);
    let mut hasher = StableHasher::new();
    for count in 0..MOST_ANSWERS {
        if count % EACH == 0 {
            game.content().hash(&mut hasher);
        }
        let Some(decision) = game.decision() else { break };
        (decision.seat.index(), game.option_names(decision)).hash(&mut hasher);
        let answer = bot.choose(game.rules(), decision);
        game.answer(&host, answer).expect("a listed option is accepted");
    }
    game.content().hash(&mut hasher);
    format!("{:032x}", hasher.finish128())
}

fn played() -> Digests {
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the library is there");
    let mut all = Digests::new();
    for info in library.list().into_iter().filter(|info| library.has_game(&info.id)) {
        for way in conformance::ways(&library, &info.id, &[], None, &[]).expect("the pack links").tested {
            let rules = way.game_box.rules();
            let name = format!("{} {} {}", info.id, rules.players, rules.modes.join(" "));
            all.insert(name.trim_end().to_string(), digest(&way.game_box));
        }
    }
    all
}

#[test]
fn games_are_what_they_were() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/digests.toml");
    let now = played();
    if std::env::var_os("UPDATE_DIGESTS").is_some() {
        let lines: String = now.iter().map(|(way, digest)| format!("\"{way}\" = \"{digest}\"\n")).collect();
        let head = "# One game of every way to play (pack, players, modes); written by `UPDATE_DIGESTS=1 cargo test digests`.\n";
        std::fs::write(&path, format!("{head}{lines}")).expect("the file can be written");
        return;
    }
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let before: Digests = toml::from_str(&text).expect("it holds a digest for each way to play");
    let differs = |way: &&String| before.get(*way) != now.get(*way);
    let other: Vec<&String> = before.keys().chain(now.keys()).filter(differs).collect();
    assert!(
        other.is_empty(),
        "other games than before; if a rule was meant to change, run with UPDATE_DIGESTS=1: {other:#?}"
    );
}
