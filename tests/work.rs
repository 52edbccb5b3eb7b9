//! How much the kernel has to look at and to do in a few fixed games of every pack, against what `work.toml` holds: a measure
//! of speed that does not depend on the machine. Whoever makes a game dearer, or cheaper, says so by a change of the file:
//! `UPDATE_WORK=1 cargo test work` writes it anew.

use std::collections::BTreeMap;
use std::path::Path;

use rulepack::{Library, LinkRequest, SimRequest, simulate};

/// In the file, one figure for each pack and number of players.
type Work = BTreeMap<String, u64>;

fn measured() -> Work {
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the library is there");
    let mut all = Work::new();
    for info in library.list().into_iter().filter(|info| library.has_game(&info.id)) {
        let (least, most) = info.players.expect("a game says how many play");
        for players in least..=most {
            let request = LinkRequest { pack: info.id.clone(), players: Some(players), ..LinkRequest::default() };
            let game_box = library.load(&request).expect("the pack links");
            let report = simulate(&game_box, &SimRequest { games: 4, ..SimRequest::default() }, |_| true);
            assert_eq!(report.finished, 4, "{report:?}");
            all.insert(format!("{}/{players}", info.id), report.work);
        }
    }
    all
}

#[test]
fn games_are_no_more_work_than_they_were() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/work.toml");
    let now = measured();
    if std::env::var_os("UPDATE_WORK").is_some() {
        let lines: String = now.iter().map(|(game, work)| format!("\"{game}\" = {work}\n")).collect();
        let head = "# Members of sets looked at and operations done in four fixed games; written by `UPDATE_WORK=1 cargo test work`.\n";
        std::fs::write(&path, format!("{head}{lines}")).expect("the file can be written");
        return;
    }
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let before: Work = toml::from_str(&text).expect("it holds a figure for each game");
    let mut wrong = Vec::new();
    for (game, now) in &now {
        match before.get(game) {
            None => wrong.push(format!("{game}: {now}, and no figure to compare it with")),
            // A twentieth more, or less.
            Some(before) if now.abs_diff(*before) * 20 > *before => wrong.push(format!("{game}: {before}, now {now}")),
            Some(_) => {}
        }
    }
    wrong.extend(before.keys().filter(|game| !now.contains_key(*game)).map(|game| format!("{game}: no such game")));
    assert!(wrong.is_empty(), "more than 5 % off; if that is justified, run with UPDATE_WORK=1:\n{}", wrong.join("\n"));
}
