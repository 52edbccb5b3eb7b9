//! What must hold of any pack, looked at in games by chance: sound packs pass, and whatever is broken on purpose is noticed,
//! be it in the engine (`Shortcuts::breaking`) or in a pack.

use std::path::Path;

use rulepack::conformance::{ConformanceRequest, Property, Violation, Way, WayReport, conform_way};
use rulepack::{GameBox, Library, LinkRequest, Promise, Shortcuts};

use crate::support::{Scratch, fixture, rulepack, snapshot};

fn load(folder: &Path, pack: &str, players: u8, modes: &[String]) -> GameBox {
    let library = Library::open(&[folder]).expect("the library is there");
    let request =
        LinkRequest { pack: pack.into(), players: Some(players), modes: modes.to_vec(), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("{pack} does not link: {mistakes:#?}"))
}

/// Plays games in which everything is looked at at every decision.
fn looked_at(game_box: GameBox, games: u64) -> WayReport {
    let request = ConformanceRequest { games, thorough: true, max_answers: 3_000, ..ConformanceRequest::default() };
    let pack = game_box.rules().pack.clone();
    conform_way(&Way { pack, game_box }, &request, &|| {})
}

#[track_caller]
fn passes(report: &WayReport) {
    let WayReport { pack, players, modes, violations, .. } = report;
    assert!(violations.is_empty(), "{pack}, {players} players, {modes:?}: {violations:#?}");
    let unseen: Vec<_> = report.looked_at.iter().filter(|(_, times)| **times == 0).collect();
    assert!(unseen.is_empty(), "{pack}: nobody looked at {unseen:?}");
}

/// The violation of a property that a pack is expected to show.
#[track_caller]
fn noticed(report: &WayReport, property: Property) -> &Violation {
    let found = report.violations.iter().find(|violation| violation.property == property);
    found.unwrap_or_else(|| panic!("{}: {property:?} is not noticed, but {:#?}", report.pack, report.violations))
}

#[test]
fn fixtures_with_scripts_stock_and_secrets_pass_at_every_decision() {
    let fixtures =
        [("nest", 2, 6), ("stock", 2, 3), ("secrets", 3, 3), ("tiny", 3, 4), ("moments", 2, 2), ("twins", 2, 2)];
    for (name, players, games) in fixtures {
        passes(&looked_at(load(&fixture(name), name, players, &[]), games));
    }
}

/// Every shipped game with its fewest and its most players, each edition in turn.
#[test]
fn shipped_packs_pass_at_every_decision() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = Library::open(&[folder]).expect("the repository is a library");
    let mut count = 0;
    for info in library.list() {
        // Expansions are games of their own; what nobody can play is a library.
        let Some((least, most)) = info.players else { continue };
        for (turn, players) in [least, most].into_iter().enumerate().take(if least == most { 1 } else { 2 }) {
            let edition: Vec<String> =
                info.editions.get(turn % info.editions.len().max(1)).cloned().into_iter().collect();
            let report = looked_at(load(folder, &info.id, players, &edition), 1);
            assert!(report.violations.is_empty(), "{}, {players} players: {:#?}", info.id, report.violations);
            count += 1;
        }
    }
    assert!(count > 6);
}

/// Whoever plays many games looks at what is dear only now and then: that must be enough, too.
fn noticed_in_passing(game_box: &GameBox, promise: Promise) -> Option<Property> {
    let game_box = game_box.with_shortcuts(Shortcuts::breaking(promise));
    let request = ConformanceRequest { games: 200, max_answers: 3_000, ..ConformanceRequest::default() };
    let pack = game_box.rules().pack.clone();
    let report = conform_way(&Way { pack, game_box }, &request, &|| {});
    report.violations.first().map(|violation| violation.property)
}

/// A pack whose every try fails, with a message that names a card of another hand.
fn failing(name: &str) -> GameBox {
    let script = "local planted = {}\nfunction planted.fails(ctx)\n  local card = ctx:pieces(\"hand\", ctx.opponent)[1]\n  \
                  error(\"no use for \" .. tostring(card.type))\nend\nreturn planted\n";
    planted(name, &with_action("effect = \"planted.fails\""), script)
}

/// A pack with an action that nobody can take; which of two reasons comes first depends on another hand.
fn sly(name: &str) -> GameBox {
    let requires = "requires = \"any(hand of opponent where it.value > 4)\"\ncost = \"90 coin\"";
    planted(name, &with_action(requires), "")
}

/// An action that is taken most of the time, if it can be.
fn with_action(keys: &str) -> String {
    format!("[action.try]\nweight = 400\n{keys}\n[patch.phase.turn]\nactions = {{ adds = [\"try\"] }}\n")
}

#[test]
fn each_promise_that_the_engine_breaks_is_noticed() {
    let (nest, failing, sly) = (load(&fixture("nest"), "nest", 2, &[]), failing("failing"), sly("sly"));
    for promise in Promise::ALL {
        let game_box = match promise {
            Promise::Fault => &failing,
            Promise::Reason => &sly,
            _ => &nest,
        };
        let expected = match promise {
            Promise::Copy => Property::Copy,
            Promise::Save => Property::Save,
            Promise::Undo => Property::Undo,
            Promise::View | Promise::Fault | Promise::Reason => Property::Secrecy,
            Promise::Conservation => Property::Conservation,
            Promise::Order => Property::Order,
            Promise::Unique => Property::Unique,
            Promise::Refusal => Property::Refused,
        };
        let report = looked_at(game_box.with_shortcuts(Shortcuts::breaking(promise)), 3);
        let violation = noticed(&report, expected);
        assert!(violation.decision > 0 && !violation.asked.is_empty(), "{violation:?}");
        assert_eq!(noticed_in_passing(game_box, promise), Some(expected), "{promise:?}");
    }
}

/// A fixture with further definitions and another script.
fn planted(name: &str, more: &str, script: &str) -> GameBox {
    let scratch = Scratch::copy_of("secrets", name);
    scratch.write("content/secrets/more.toml", more.as_bytes());
    if !script.is_empty() {
        scratch.write("scripts/secrets/planted.lua", script.as_bytes());
    }
    load(scratch.path(), "secrets", 2, &[])
}

#[test]
fn a_fault_that_is_told_without_what_is_hidden_is_no_leak() {
    let report = looked_at(failing("failing-sound"), 3);
    noticed(&report, Property::Accepted);
    assert_eq!(report.violations.len(), 1, "{:#?}", report.violations);
    passes_secrecy(&looked_at(sly("sly-sound"), 3));
}

/// Nobody learns what is hidden, whatever else is wrong.
#[track_caller]
fn passes_secrecy(report: &WayReport) {
    let leaks: Vec<_> = report.violations.iter().filter(|found| found.property == Property::Secrecy).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
    assert!(report.looked_at[&Property::Secrecy] > 0);
}

/// A script that fails, or says why, by what another hand holds; the message names no card.
#[test]
fn a_fault_that_depends_on_what_is_hidden_is_noticed() {
    let script = "local planted = {}\nfunction planted.fails(ctx)\n  local card = ctx:pieces(\"hand\", ctx.opponent)[1]\n  \
                  BODY\nend\nreturn planted\n";
    for (name, body, said) in [
        ("fails-if", "if card.value == 7 then error(\"too much\") end", "`too much`"),
        ("fails-with", "error(\"a card of \" .. card.value)", "`a card of "),
    ] {
        let action = with_action("effect = \"planted.fails\"");
        let report = looked_at(planted(name, &action, &script.replace("BODY", body)), 8);
        let Violation { message, .. } = noticed(&report, Property::Secrecy);
        assert!(message.starts_with("whether and how the pack fails tells player"), "{message}");
        assert!(message.contains(said), "{message}");
        assert!(message.contains("(scripts/secrets/planted.lua:4, called from action.try effect)"), "{message}");
    }
}

#[test]
fn a_query_that_changes_something_is_noticed() {
    let script = "local planted = {}\nlocal asked = 0\nfunction planted.asked(ctx)\n  asked = asked + 1\n  return asked\nend\nreturn planted\n";
    let more = "[value.asked]\nof = \"player\"\nbase = \"planted.asked()\"\n";
    // With shortcuts, a debug build compares two ways to ask it, and stops by itself.
    let report = looked_at(planted("counting-query", more, script).with_shortcuts(Shortcuts::none()), 8);
    let violation = noticed(&report, Property::Looking);
    assert!(violation.message.contains("value.asked"), "{violation:?}");
}

#[test]
fn a_condition_of_a_script_that_changes_something_is_noticed() {
    let script = r#"
local planted = {}
local looked = 0
function planted.pick(ctx)
  ctx:confirm("boast")
  ctx:choose { from = ctx:pieces("hand", ctx.me), optional = true, where = function(card)
    looked = looked + 1
    return looked % 3 ~= 0
  end }
end
return planted
"#;
    let more =
        "[action.pick]\nweight = 400\neffect = \"planted.pick\"\n[patch.phase.turn]\nactions = { adds = [\"pick\"] }\n";
    let report = looked_at(planted("counting-where", more, script), 8);
    let violation = report.violations.first().expect("it is noticed");
    assert!(violation.message.contains("planted.lua") || violation.message.contains("action.pick"), "{violation:?}");
}

#[test]
fn a_script_that_remembers_something_is_noticed() {
    let report = looked_at(load(&fixture("leaky"), "leaky", 2, &[]), 12);
    assert!(!report.violations.is_empty(), "a script kept a number between two calls, and nobody noticed");
}

#[test]
fn a_view_that_depends_on_what_is_hidden_is_noticed() {
    let more = "[value.peek]\nof = \"player\"\nbase = \"count(hand of opponent where it.value > 4)\"\n";
    let report = looked_at(planted("peek", more, ""), 8);
    let violation = noticed(&report, Property::Secrecy);
    assert!(violation.message.contains("value.peek"), "{violation:?}");
}

#[test]
fn a_game_without_an_end_is_noticed() {
    let scratch = Scratch::new("endless");
    let pack = "[pack]\nid = \"endless\"\nversion = \"1.0.0\"\ntitle = \"Endless\"\nplayers = { min = 2, max = 2 }\n[resource.coin]\n[action.take]\neffect = \"gain 1 coin; end turn\"\n[phase.game]\nsequence = [\"turns\"]\n[phase.turns]\nturns = { turn = \"turn\", until = \"never\" }\n[phase.turn]\nactions = [\"take\"]\n";
    scratch.write("content/endless/pack.toml", pack.as_bytes());
    let report = looked_at(load(scratch.path(), "endless", 2, &[]), 1);
    noticed(&report, Property::End);
}

#[test]
fn an_option_that_fails_is_told_with_its_place_and_a_call_that_shows_it_again() {
    let folder = fixture("faulty");
    let human = rulepack(&folder, &["test", "--conformance", "faulty", "--games", "4"]);
    snapshot("conformance", "faulty_human", &without_times(&human.shown()));
    let json = rulepack(&folder, &["test", "--conformance", "faulty", "--games", "4", "--format", "json"]);
    assert_eq!(json.code, 1, "{}", json.shown());
    let report = json.json();
    let violation = &report["ways"][0]["violations"][0];
    assert_eq!((&violation["property"], &report["failed"]), (&"accepted".into(), &1.into()), "{}", json.shown());
    assert_eq!(violation["at"], "scripts/faulty/traps.lua:6:3", "{violation}");
    let call = violation["call"].as_str().expect("it says how it is seen again");
    let words: Vec<&str> = call.split(' ').skip(1).collect();
    let again = rulepack(&folder, &words);
    assert_eq!(again.code, 1, "{}", again.shown());
    assert!(again.stdout.contains("accepted, seed"), "{}", again.shown());
    let junit = rulepack(&folder, &["test", "--conformance", "faulty", "--games", "4", "--format", "junit"]);
    assert_eq!(junit.code, 1, "{}", junit.shown());
    assert!(junit.stdout.contains("file=\"scripts/faulty/traps.lua\" line=\"6\""), "{}", junit.shown());
    assert!(junit.stdout.contains("failures=\"1\""), "{}", junit.shown());
}

#[test]
fn what_is_meant_can_be_chosen_and_a_wrong_call_is_refused() {
    let folder = fixture("tiny");
    let run =
        rulepack(&folder, &["test", "--conformance", "tiny", "--games", "2", "--players", "2", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let report = run.json();
    assert_eq!((report["ways"].as_array().map(Vec::len), &report["games"]), (Some(1), &2.into()), "{}", run.shown());
    let all =
        rulepack(&folder, &["test", "--conformance", "--games", "1", "--threads", "2", "--format", "json"]).json();
    assert_eq!(all["passed"], 3, "{all}");
    for wrong in [
        &["test", "--conformance", "tiny", "--players", "9"][..],
        &["test", "--conformance", "tiny", "--mode", "nothing"],
        &["test", "--conformance", "nowhere"],
        &["test", "tiny", "--games", "3"],
        &["test", "--conformance", "tiny", "--filter", "x"],
    ] {
        let run = rulepack(&folder, wrong);
        assert_eq!(run.code, 2, "{wrong:?}: {}", run.shown());
    }
}

#[test]
fn what_is_found_does_not_depend_on_threads() {
    let run = |threads: &str| {
        let call = ["test", "--conformance", "tiny", "--games", "3", "--threads", threads, "--format", "json"];
        let mut report = rulepack(&fixture("tiny"), &call).json();
        report["seconds"] = 0.into();
        for way in report["ways"].as_array_mut().into_iter().flatten() {
            way["seconds"] = 0.into();
        }
        report
    };
    assert_eq!(run("1"), run("3"));
}

/// Puts `[s]` where a time stands.
fn without_times(text: &str) -> String {
    let words =
        text.split(' ').map(|word| if word.parse::<f64>().is_ok() && word.contains('.') { "[s]" } else { word });
    words.collect::<Vec<_>>().join(" ")
}
