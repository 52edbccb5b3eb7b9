//! `script-state`.

use super::Case;

const HELP: &str = "keep it in a variable of the pack (`ctx:set`, `ctx:get`), or in a local of the function";

fn found(top: &str, body: &str) -> Vec<String> {
    Case::bound(&format!("local cards = {{}}\n{top}\nfunction cards.play()\n{body}\nend\nreturn cards")).found()
}

#[test]
fn what_a_file_holds_stays_as_it_is() {
    let message = |place: &str, name: &str| {
        vec![format!("{place} script-state: `{name}` outlives the call in which it is changed here ({HELP})")]
    };
    assert_eq!(found("local plays = 0", "plays = plays + 1"), message("4:1", "plays"));
    assert_eq!(found("local plays = 0", "plays += 1"), message("4:1", "plays"));
    assert_eq!(found("local seen = {}", "seen.a.b = 1"), message("4:1", "seen"));
    assert_eq!(found("local seen = {}", "return function() table.insert(seen, 1) end"), message("4:32", "seen"));
    assert_eq!(found("", "cards.last = 1"), message("4:1", "cards"));
}

#[test]
fn reading_and_loading_are_fine() {
    let nothing = Vec::<String>::new();
    assert_eq!(found("local worth = { coin = 1 }\nworth.rope = 2", "return worth.coin"), nothing);
    assert_eq!(found("", "local seen = {}\nseen.a = 1\ntable.insert(seen, 2)\nreturn seen"), nothing);
    let top = "local worth = {}\nlocal function add(what, n) worth[what] = n end\nadd('coin', 1)";
    assert_eq!(found(top, "return worth.coin"), nothing);
}
