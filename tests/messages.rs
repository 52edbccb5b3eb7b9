//! What a designer reads who writes something that means nothing: each text with its message. The texts are those of
//! people who come from other languages, or from plain English.
//!
//! A cure that is said to fit as it stands is put there, and the pack must be sound then.

use std::fmt::Write as _;

use rulepack::{CheckRequest, Diagnostic, Library, check};

use crate::support::{fixture, snapshot};

/// No text gives more findings.
const MOST: usize = 5;

const PATH: &str = "content/messages/game.toml";

/// What stands there, and what is written instead.
const EFFECT: &str = "gain 1 gold + 1 goods; set my.steps = 1; draw 1 from deck to my hand; may gain 1 wood as one";
const CONDITION: &str = "round < 3 and my.steps < 2 and count(my terrains where it.fortified) < 9";

/// Texts in the place of an effect.
const EFFECTS: &[&str] = &[
    "pay 2 wood => gain 1 gold",
    "if my.gold > 1 { gain 1 wood",
    "gain 1 wood }",
    "gain 1 wood gain 1 clay",
    "if my.gold > 1 { gain 1 wood } gain 1 clay",
    "if my.gold > 1 gain 1 wood",
    "if my.gold > 1 then gain 1 wood",
    "if my.gold > 1 then gain 1 wood else gain 1 clay",
    "if my.gold = 1 { gain 1 wood }",
    "pay 2 wood to gain 1 gold",
    "pay 2 wood for gain 1 gold",
    "gain 1 wood or 1 clay",
    "either { gain 1 wood } or { gain 1 clay }",
    "either first { gain 1 wood } or other { gain 1 clay }",
    "Gain 1 wood",
    "let to = 3; gain to wood",
    "let is = 3",
    "choose n in 0..5 where n > 2; gain n wood",
    "for each p in players where p.gold > 1 { gain 1 wood for p }",
    "choose n in [1, 2, 1]; gain n wood",
    "let x to 3; gain x wood",
    "set my.steps is 2",
    "gain one wood",
    "gain wood",
    "gain 1 wood, gain 1 clay",
    "gian 2 wood",
    "gain 2 wodo",
    "gain 2 silver",
    "set round += 1",
    "round = 2",
    "choose 2 terrain in my hand { move terrain to deck }",
    "choose 1..2 terrain in my hand",
    "choose to in my hand; move to to deck",
    "move my hand to deck",
    "move top(deck) to hand",
    "deal 3 cards",
    "swap a with b",
    "show top(deck)",
    "discard my hand",
    "while my.gold > 1 { gain 1 wood }",
    "perform build",
    "frobnicate",
    "do biuld",
    "raise exploded(first(my terrains))",
    "gian 1 wood; gain 1 wodo; gain 1 caly",
    "gain 1 wodo + 1 caly; if my.gld > 1 { move crad to my hnad }",
    "choose terrain in my hnad; move terrain to deck; gain terrain.power wood",
];

/// Texts in the place of a condition.
const CONDITIONS: &[&str] = &[
    "my.gold => 3",
    "my.gold =< 3",
    "my.gold <> 3",
    "my.gold = 3",
    "my.gold > 1 && my.wood > 1",
    "my.gold > 1 || my.wood > 1",
    "!any(my terrains)",
    "my.gold => 3 && my.wood =< 1",
    "any(my terrains where fortified)",
    "any(my terrains where power > 1)",
    "any(my terrains where it.colour == \u{2018}red\u{2019})",
    "any(my terrains where it.colour == \\\"red\\\")",
    "any(my terrains where it.colour == 'read')",
    "any(my terrains where it.strength > 1)",
    "any(terrain)",
    "max(players, it.gold) > 3",
    "min(my terrains, it.power) > 3",
    "count(my terrains > 3",
    "zebra > 1",
    "my.zebra > 1",
    "any(my zebras)",
    "my.gold",
    "my.gld > 1 and my.wod > 1",
    "where > 1",
];

/// Changes of the file itself.
const FILES: &[(&str, &str)] = &[
    ("on.explored = \"gain 1 clay\"", "on_explored = \"gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "on.exploded = \"gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "on_exploded = \"gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "on_sold = \"gain 1 clay\""),
    ("[resource.gold]", "[resource.gold]\n[resource.me]"),
    ("on.explored = \"gain 1 clay\"", "on.explored = \u{201c}gain 1 clay\u{201d}"),
    ("is = \"self.power > 1\"", "is = \"self.colour == \"red\"\""),
    ("[resource.gold]", "[resource.gold]\n[resource.to]"),
    ("[zone.deck]", "[zone.deck]\n[zone.where]"),
    ("param.terrain = \"my hand\"", "param.terrain = \"my hand\"\nparam.to = \"my hand\""),
    ("args   = { terrain = \"terrain\" }", "args   = { in = \"terrain\" }"),
    ("colour = \"red\"", "colour = \"raed\""),
    ("repeat   = 2", "repeat     2"),
    ("sequence = [\"turns\"]", "sequence = [\"turns\""),
    ("[kind.terrain]", "[kind.terain]"),
    ("[resource.wood]", "[resource.Wood]"),
    ("[terrain.hill]", "[terrian.hill]"),
    ("of = \"terrain\"", "of = \"terain\""),
    ("param.terrain = \"my hand\"", "param.terrain = \"my hnad\""),
    ("owner   = \"player\"", "owner   = \"plyer\""),
    ("attributes = {", "atributes = {"),
    ("turns = {", "turns {"),
    ("turns = { turn", "turns: { turn"),
    ("on.explored = \"gain 1 clay\"", "on.explored = gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "on.explored = gain 1 clay"),
    ("on.explored = \"gain 1 clay\"", "on.explored = \"gain 1 clay"),
    ("on.explored = \"gain 1 clay\"", "on.explored: \"gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "on.explored == \"gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "on.explored = \"gain 1 clay\","),
    ("on.explored = \"gain 1 clay\"", "on.explored = \"gain 1 clay\";"),
    ("on.explored = \"gain 1 clay\"", "on.explored = \"gain 1 clay\" // bonus"),
    ("on.explored = \"gain 1 clay\"", "// bonus\non.explored = \"gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "-- bonus\non.explored = \"gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "on.explored = \u{ab}gain 1 clay\u{bb}"),
    ("on.explored = \"gain 1 clay\"", "on.explored\u{a0}= \"gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "on.expl\u{43e}red = \"gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "on.explored = {gain 1 clay}"),
    ("on.explored = \"gain 1 clay\"", "on explored = \"gain 1 clay\""),
    ("on.explored = \"gain 1 clay\"", "on.explored = \"gain 1 clay\" + \"x\""),
    ("power  = 2", "power  = two"),
    ("power  = 2", "power  = 2,5"),
    ("power  = 2", "power  = \"2\""),
    ("power  = 2", "power  = +2 wood"),
    ("power  = 2", "power  2"),
    ("power  = 2", "power:  2"),
    ("power  = 2", "power  = "),
    ("power  = 2", "power  = 02"),
    ("colour = \"red\"", "colour = red"),
    ("colour = \"red\"", "colour = Red"),
    ("colour = \"red\"", "color = \"red\""),
    ("colour = \"red\"", "Colour = \"red\""),
    ("of = [\"wood\", \"clay\"]", "of = [wood, clay]"),
    ("of = [\"wood\", \"clay\"]", "of = [\"wood\" \"clay\"]"),
    ("of = [\"wood\", \"clay\"]", "of = \"wood\", \"clay\""),
    ("of = [\"wood\", \"clay\"]", "of = \"wood, clay\""),
    ("of = [\"wood\", \"clay\"]", "of = (\"wood\", \"clay\")"),
    ("of = [\"wood\", \"clay\"]", "of = {\"wood\", \"clay\"}"),
    ("layout = { row = 4 }", "layout = { row: 4 }"),
    ("layout = { row = 4 }", "layout = { row = 4"),
    ("layout = { row = 4 }", "layout = ( row = 4 )"),
    ("once    = true", "once    = True"),
    ("once    = true", "once    = yes"),
    ("once    = true", "once"),
    ("[action.rest]", "[action.rest"),
    ("[action.rest]", "action.rest]"),
    ("[action.rest]", "[action rest]"),
    ("[action.rest]", "[action:rest]"),
    ("[action.rest]", "[[action.rest]]"),
    ("[action.rest]", "action.rest:"),
    ("[action.rest]", "[actions.rest]"),
    ("[action.rest]", "[Action.rest]"),
    ("[action.rest]", "{action.rest}"),
    ("[action.rest]", "[action.take-rest]"),
    ("repeat   = 2", "repeat   = 2 // twice"),
    ("repeat   = 2", "repeat   = 2 ; twice"),
    ("repeat   = 2", "repeat => 2"),
    ("repeat   = 2", "repeat := 2"),
    ("repeat   = 2", "/* twice */\nrepeat = 2"),
    ("repeat   = 2", "repeat = null"),
];

/// Texts of newcomers, one on each line: in the place of an effect, and in that of a condition.
const MORE_EFFECTS: &str = include_str!("fixtures/messages/effects.txt");
const MORE_CONDITIONS: &str = include_str!("fixtures/messages/conditions.txt");

fn found(library: &Library) -> Vec<Diagnostic> {
    check(library, "messages", &CheckRequest { playouts: 0, threads: 1, ..CheckRequest::default() }, &mut || ())
        .diagnostics
}

/// What is said about a text of the file, and whether the cures that fit as they stand make it right.
fn said(library: &Library, text: String, wrong: &mut Vec<String>) -> String {
    library.edit(PATH, text.clone());
    let diagnostics = found(library);
    let mut said = String::new();
    let mut cures = Vec::new();
    for diagnostic in &diagnostics {
        let sources = library.sources();
        let place = diagnostic.labels.first().map_or("", |label| sources.text(label.span));
        let place = place.lines().next().unwrap_or("");
        let _ = writeln!(said, "    {}: {} [at `{place}`]", diagnostic.code, diagnostic.headline());
        let help = diagnostic.help.as_deref().unwrap_or("NO HELP");
        let _ = writeln!(said, "        {help}{}", if diagnostic.ties.cure.is_some() { " (cured)" } else { "" });
        if let Some(cure) = &diagnostic.ties.cure {
            cures.push((cure.0.start as usize, cure.0.end as usize, cure.1.clone()));
        }
    }
    library.restore();
    if !cures.is_empty() && cures.len() == diagnostics.len() {
        let mut cured = text;
        cures.sort();
        for (start, end, with) in cures.into_iter().rev() {
            cured.replace_range(start..end, &with);
        }
        library.edit(PATH, cured.clone());
        let left: Vec<Diagnostic> = found(library).into_iter().filter(Diagnostic::is_error).collect();
        if !left.is_empty() {
            wrong.push(format!("{said}    is not cured: {}", left[0].message));
        }
        library.restore();
    }
    said
}

#[test]
fn every_message_says_what_to_write_and_every_cure_cures() {
    let folder = fixture("messages");
    let library = Library::open(&[&folder]).expect("the fixture is there");
    library.hold();
    let sound: Vec<String> = found(&library).into_iter().filter(Diagnostic::is_error).map(|it| it.message).collect();
    assert_eq!(sound, [""; 0], "the fixture is sound");
    let text = std::fs::read_to_string(folder.join(PATH)).expect("the fixture is there");
    let (mut all, mut wrong) = (String::new(), Vec::new());
    let effects = EFFECTS.iter().copied().chain(MORE_EFFECTS.lines()).map(|now| (EFFECT, now));
    let changes = effects.chain(CONDITIONS.iter().copied().chain(MORE_CONDITIONS.lines()).map(|now| (CONDITION, now)));
    for (was, now) in changes.chain(FILES.iter().copied()) {
        assert!(text.contains(was), "{was} is in the fixture");
        let changed = text.replacen(was, now, 1);
        let said = said(&library, changed, &mut wrong);
        if said.is_empty() {
            wrong.push(format!("nothing is said about {now}"));
        }
        if said.contains("NO HELP") {
            wrong.push(format!("{now}\n{said}    says nothing of what to write"));
        }
        if said.matches("\n    ").count() > 2 * MOST {
            wrong.push(format!("too much is said about {now}"));
        }
        let _ = writeln!(all, "{now}\n{said}");
    }
    snapshot("messages", "all", &all);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
