//! No limit changes a number: what is too large is a mistake of the pack, with its place.

use rulepack::{Answer, Game, GameBox, ScriptHost};

use crate::support::linked;

/// A game in which `deed` does what is asked about; `more` are further definitions.
fn pack(deed: &str, more: &str) -> String {
    format!(
        r#"
[pack]
id      = "game"
version = "1.0.0"
title   = "Numbers"
kind    = "game"
players = {{ min = 2, max = 2 }}
[resource.coin]
[resource.rope]
[zone.yard]
owner   = "player"
[kind.card]
attributes = {{ price = "cost", worth = {{ type = "number", default = 0 }}, sum = {{ type = "amount", default = "0" }} }}
[card.inn]
price     = "huge coin"
worth     = 4000000000000000000
sum       = "huge * huge * huge"
starts_in = "yard"
count     = {{ per_player = 6 }}
[var.huge]
start = 3000000000
[var.mine]
of = "player"
[value.cubed]
base = "huge * huge * huge"
[phase.game]
turns = {{ turn = "turn", until = "never" }}
[phase.turn]
actions = ["deed", "leave"]
once    = true
[action.deed]
{deed}
[action.leave]
effect = "end game"
{more}
"#
    )
}

fn table(name: &str, deed: &str, more: &str, script: Option<&str>) -> (GameBox, ScriptHost, Game) {
    let game_box = linked(&format!("numbers-{name}"), &pack(deed, more), script);
    let game_box = game_box.unwrap_or_else(|mistakes| panic!("{name} does not link: {mistakes:#?}"));
    let host = game_box.host().unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let game = game_box.start(&host, 1).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    (game_box, host, game)
}

/// What stops the game when the first option is chosen again and again, with how often it was.
#[track_caller]
fn fault(name: &str, deed: &str, more: &str, script: Option<&str>) -> String {
    let game_box = linked(&format!("numbers-{name}"), &pack(deed, more), script);
    let game_box = game_box.unwrap_or_else(|mistakes| panic!("{name} does not link: {mistakes:#?}"));
    let host = game_box.host().unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let mut game = match game_box.start(&host, 1) {
        Ok(game) => game,
        Err(fault) => return fault.to_string(),
    };
    for _ in 0..3000 {
        if game.decision().is_none() {
            panic!("{name}: the game ends as if nothing were wrong: {:?}", game.state().outcome());
        }
        let before = game.hash();
        if let Err(fault) = game.answer(&host, Answer(0)) {
            assert_eq!(game.hash(), before, "{name}: a fault leaves the game as it was");
            return fault.to_string();
        }
    }
    panic!("{name}: nothing stops the game")
}

#[track_caller]
fn is_too_large(name: &str, deed: &str, more: &str) {
    let fault = fault(name, deed, more, None);
    assert!(fault.contains("too large"), "{name}: {fault}");
    assert!(fault.contains("content/game/pack.toml:"), "{name}: the place is missing: {fault}");
}

#[test]
fn sums_and_products_that_are_too_large_stop_the_game() {
    for (name, expr) in [
        ("product", "huge * huge * huge"),
        ("sum", "huge * huge + huge * huge"),
        ("one-more", "huge * huge * 1 + 9000000000000000000"),
        ("difference", "0 - huge * huge - huge * huge"),
        ("negative", "-(0 - 9223372036854775807 - if huge > 1 then 1 else 0)"),
        ("quotient", "(0 - 9223372036854775807 - (if huge > 1 then 1 else 0)) / (0 - (if huge > 1 then 1 else 0))"),
        ("added-up", "sum(my yard, it.worth)"),
        ("added-up-slowly", "sum(my yard, it.worth + huge)"),
        ("players", "sum(players, huge * huge)"),
        ("value", "cubed"),
        ("attribute", "first(my yard).sum"),
    ] {
        is_too_large(name, &format!("effect = \"set huge = {expr}\""), "");
        is_too_large(
            &format!("{name}-let"),
            &format!("effect = \"let n = {expr}; set mine = 1\"").replace("set mine", "set my.mine"),
            "",
        );
        is_too_large(&format!("{name}-requires"), &format!("requires = \"{expr} > 3\"\neffect = \"set huge = 1\""), "");
    }
}

#[test]
fn amounts_of_resources_that_are_too_large_stop_the_game() {
    for (name, effect) in [
        ("gain", "gain huge coin"),
        ("gain-less-than-nothing", "gain (0 - huge) coin"),
        ("pay", "may pay huge coin"),
        ("exchange", "pay 1 rope + huge coin -> gain 1 rope"),
        ("discount", "may pay 1 coin less huge"),
        ("of-a-card", "may pay first(my yard).price"),
        ("twice", "gain 900000 coin + 900000 coin"),
        ("put", "put huge coin on first(my yard)"),
    ] {
        is_too_large(name, &format!("effect = \"{effect}\""), "");
    }
    is_too_large("cost", "cost = \"huge coin\"\neffect = \"set huge = 1\"", "");
    // A million at a time, two thousand times over: at last it is too much.
    is_too_large("hoard", "effect = \"repeat 3000 { gain 1000000 coin }\"", "");
}

#[test]
fn scores_and_changes_of_values_that_are_too_large_stop_the_game() {
    let much = "[score.much]\npoints = \"huge * huge * huge\"";
    is_too_large("score", "effect = \"end game\"", much);
    let two = "[score.much]\npoints = \"huge * huge\"\n[score.more]\npoints = \"huge * huge\"";
    is_too_large("scores", "effect = \"end game\"", two);
    let of_cards =
        "[card.crown]\ncount = { per_player = 2 }\nprice = \"\"\nstarts_in = \"yard\"\nscore = \"huge * huge\"";
    is_too_large("score-of-cards", "effect = \"end game\"", of_cards);
    is_too_large("tie", "effect = \"end game\"", "[game]\ntie_breaks = [\"huge * huge * huge\"]");
    let modified = "[value.fame]\nof = \"player\"\nbase = \"9000000000000000000\"\n[card.crown]\ncount = { per_player = 1 }\nprice = \"\"\nstarts_in = \"yard\"\n\
                    modifies.fame = \"huge * huge\"";
    is_too_large("modified", "effect = \"set huge = my.fame\"", modified);
    let twice = "[value.fame]\nof = \"player\"\nbase = \"1\"\n[card.crown]\ncount = { per_player = 2 }\nprice = \"\"\nstarts_in = \"yard\"\n\
                 modifies.fame = \"huge * huge\"";
    is_too_large("modified-twice", "effect = \"set huge = my.fame\"", twice);
}

/// What can be seen without playing is an error of the pack.
#[test]
fn a_constant_that_is_too_large_does_not_link() {
    for (name, effect) in [
        ("product", "set huge = 1000000*1000000*1000000*1000000"),
        ("sum", "set huge = 9223372036854775807 + 1"),
        ("difference", "set huge = 0 - 9223372036854775807 - 2"),
        ("inside", "if 3 * 9223372036854775807 > huge { end turn }"),
        ("gain", "gain 3000000000 coin"),
        ("gain-product", "gain (2000 * 2000) coin"),
        ("pay", "may pay 1 rope + 1000001 coin"),
        ("discount", "may pay 2 coin less 1000001"),
    ] {
        let found = linked(&format!("constant-{name}"), &pack(&format!("effect = \"{effect}\""), ""), None);
        let mistakes = found.err().unwrap_or_else(|| panic!("{name} links: `{effect}`"));
        assert_eq!(mistakes.len(), 1, "{name}: {mistakes:#?}");
        assert_eq!(mistakes[0].code, rulepack_model::Code::WrongValue, "{name}: {mistakes:#?}");
    }
    let largest = pack("effect = \"set huge = 9223372036854775806 + 1; gain 1000000 coin\"", "");
    assert!(linked("constant-largest", &largest, None).is_ok());
}

/// Numbers on their way between scripts and the kernel.
#[test]
fn a_number_that_a_script_cannot_hold_is_refused() {
    for (name, line) in [
        ("nan", "ctx:gain(\"coin\", 0 / 0)"),
        ("fraction", "ctx:gain(\"coin\", 0.5)"),
        ("infinite", "ctx:set(\"huge\", 1 / 0)"),
        ("inexact", "ctx:set(\"huge\", 2 ^ 53)"),
        ("inexact-negative", "ctx:set(\"huge\", -2 ^ 53)"),
        ("much", "ctx:gain(\"coin\", 3000000000)"),
        ("read", "ctx:set(\"mine\", ctx:get(\"huge\") - ctx:get(\"huge\"))"),
        ("added", "local n = 0; for i = 1, 3000 do ctx:gain(\"coin\", 1000000) end"),
    ] {
        let script = format!("local deeds = {{}}\nfunction deeds.deed(ctx)\n  {line}\nend\nreturn deeds\n");
        let deed = "effect = \"set huge = huge * huge; deeds.deed\"";
        let fault = fault(&format!("script-{name}"), deed, "", Some(&script));
        let fits = ["too large", "whole number", "cannot be exact"].iter().any(|words| fault.contains(words));
        assert!(fits && fault.contains("deeds.lua:3"), "{name}: {fault}");
    }
}

/// What is large and fits is exact.
#[test]
fn large_numbers_that_fit_are_exact() {
    let deed = "effect = \"set huge = 9223372036854775807 - huge + huge; gain 1000000 coin\"";
    let (_, host, mut game) = table("fits", deed, "", None);
    game.answer(&host, Answer(0)).expect("nothing is too large");
    let (rules, state) = (game.rules(), game.state());
    let huge = rules.vars.iter().position(|var| var.name == "huge").expect("it is declared");
    let huge = state.var(rules, rulepack_model::VarId::from(huge), None);
    assert_eq!(huge, rulepack::Value::Int(i64::MAX));
    assert_eq!(state.amount(rules, rulepack::Seat(0), rulepack::ResId::from(0)), 1_000_000);
}
