//! Reading: handles, their fields, lists.

use rulepack_kernel::{Cell, EffectHost, Value, ZoneIx};
use rulepack_model::Seat;

use super::harbor::*;

#[test]
fn handles_have_parts() {
    assert_eq!(value("return ctx.self.level"), Value::Int(2));
    assert_eq!(value("return ctx.self.type"), Value::Type(rulepack_model::TypeId(0)));
    assert_eq!(value("return ctx.self.gives"), ROPE);
    assert_eq!(value("return ctx:top('quay').gives"), Value::Nil);
    assert_eq!(value("return ctx:top('quay').row * 10 + ctx:top('quay').column"), Value::Int(11));
    assert_eq!(value("return ctx:top('quay').cell"), Value::Cell(Cell { zone: ZoneIx(1), at: 0 }));
    assert_eq!(value("return ctx.me.coin + ctx.me.goods"), Value::Int(9));
    assert_eq!(value("return ctx.me.income + ctx.me.luck + ctx.me.index"), Value::Int(6));
    assert_eq!(value("return ctx.me.passed or ctx.self.flipped"), Value::Bool(false));
    assert_eq!(value("return ctx.self.coin"), Value::Int(0));
    assert_eq!(value("return ctx.opponent"), Value::Seat(Seat(1)));
    assert_eq!(value("return #ctx.players + #ctx.others"), Value::Int(3));
    assert_eq!(value("return ctx.self.zone == 'deck' and ctx.self.kind == 'card'"), Value::Bool(true));
    assert_eq!(value("return ctx:cells('quay')[2].empty"), Value::Bool(true));
}

#[test]
fn handles_compare_and_are_keys() {
    assert_eq!(value("return ctx.self == ctx:top('deck') and ctx.self ~= ctx:top('quay')"), Value::Bool(true));
    assert_eq!(value("local seen = {[ctx.self] = 7} return seen[ctx:top('deck')]"), Value::Int(7));
    assert_eq!(value("return tostring(ctx.self) == 'card.inn'"), Value::Bool(true));
    assert_eq!(
        value("return string.format('%s, %s', ctx.me, ctx:cells('quay')[3]) == 'seat 1, quay 3'"),
        Value::Bool(true)
    );
    assert_eq!(value("return tostring({}) .. tostring(ctx) == 'tabletable'"), Value::Bool(true));
}

#[test]
fn an_unknown_part_is_an_error_with_the_nearest_name() {
    assert_eq!(fault("return ctx.self.levle"), "1: the piece `card.inn` has no `levle` (did you mean `level`?)");
    assert_eq!(fault("return ctx.me.cion"), "1: a player has no `cion` (did you mean `coin`?)");
    assert_eq!(fault("return ctx:cells('quay')[1].rwo"), "1: a space has no `rwo` (did you mean `row`?)");
    assert_eq!(fault("return ctx.oponent"), "1: `ctx` has no `oponent` (did you mean `opponent`?)");
    assert_eq!(
        fault("ctx.self.level = 1"),
        "1: `level` cannot be set like this: a script changes the game through `ctx`"
    );
    assert!(fault("ctx.extra = 1").starts_with("1: this table cannot be changed"));
    assert_eq!(fault("return ctx.self.play"), "1: `play` is an effect: write `ctx:use(piece, \"play\")`");
}

#[test]
fn lists_and_numbers() {
    assert_eq!(value("return ctx:count('deck') + ctx:count('hand') * 10"), Value::Int(11));
    assert_eq!(value("return ctx:count('hand', ctx.opponent)"), Value::Int(0));
    assert_eq!(value("return #ctx:cells('quay') * 10 + #ctx:free_cells('quay')"), Value::Int(43));
    assert_eq!(value("return #ctx:neighbours(ctx:cells('quay')[1])"), Value::Int(2));
    assert_eq!(value("return ctx:at(ctx:cells('quay')[1])[1]"), Value::Piece(MILL));
    assert_eq!(value("return #ctx:in_play('card') * 10 + #ctx:in_play('cards', ctx.me)"), Value::Int(10));
    assert_eq!(value("return ctx:supply('coin')"), Value::Int(14));
    assert_eq!(value("return ctx:get('tide') + ctx:get('luck')"), Value::Int(0));
    assert_eq!(value("return ctx:value('income', ctx.opponent)"), Value::Int(5));
    assert_eq!(value("return ctx:attr('mill', 'level')"), Value::Int(3));
    assert_eq!(value("return ctx:can(ctx.self, 'play')"), Value::Bool(false));
    assert_eq!(value("return #ctx:filter({1, 2, 3}, function(n) return n > 1 end)"), Value::Int(2));
    assert_eq!(value("return ctx:first({1, 2, 3}, function(n) return n > 1 end)"), Value::Int(2));
    assert_eq!(value("return ctx:any({}) or ctx:any({1})"), Value::Bool(true));
    assert_eq!(value("return ctx:sum(ctx.players, function(seat) return seat.coin end)"), Value::Int(6));
    assert_eq!(fault("ctx:sum({1})"), "1: `ctx:sum`: `amount` must be a function, but it is nothing");
}

/// The result of a function with this body, on the table with rafts, marks, adjacencies and coins on pieces.
#[track_caller]
fn grown(body: &str) -> Value {
    match Table::grown(body).go() {
        Ok(Progress::Done(value)) => value,
        other => panic!("{other:?}"),
    }
}

#[test]
fn kinds_of_kinds_and_printings_count_as_in_expressions() {
    assert_eq!(grown("return #ctx:in_play('card') * 10 + #ctx:in_play('rafts')"), Value::Int(11));
    assert_eq!(grown("return #ctx:in_play('inn') * 10 + #ctx:in_play('mill')"), Value::Int(11));
    assert_eq!(grown("return ctx:is(ctx:top('quay'), 'card') and ctx:is(ctx:top('quay'), 'inn')"), Value::Bool(true));
    assert_eq!(grown("return ctx:is(ctx.self, 'raft') or ctx:is(ctx.self, 'mill')"), Value::Bool(false));
    assert_eq!(grown("return ctx:top('quay').type == 'inn' and ctx:top('quay').kind == 'raft'"), Value::Bool(true));
    assert_eq!(grown("return ctx:top('quay').level"), Value::Int(3));
    assert_eq!(grown("return ctx:top('quay').wear + ctx:get('wear', ctx:top('quay'))"), Value::Int(0));
    let fault = Table::grown("return ctx:in_play('rift')").go().expect_err("there is no such kind");
    assert_eq!(show(&fault), "1: there is no kind or type `rift` (did you mean `raft`?)");
}

#[test]
fn spaces_have_marks_and_ways() {
    assert_eq!(grown("return ctx:cells('quay')[1].side"), Value::Sym(rulepack_model::SymId(0)));
    assert_eq!(grown("return ctx:cells('quay')[2].side"), Value::Nil);
    assert_eq!(grown("return ctx:adjacent('along', ctx:top('quay'))[1].column"), Value::Int(2));
    assert_eq!(grown("return #ctx:adjacent('along', ctx:cells('quay'))"), Value::Int(4), "each space once");
    assert_eq!(grown("return #ctx:adjacent('along', ctx.self)"), Value::Int(0), "of another zone");
    assert_eq!(grown("return #ctx:at(ctx:adjacent('along', ctx:cells('quay')[2]))"), Value::Int(1));
    for (body, message) in [
        ("return ctx:cells('quay')[1].sid", "1: a space has no `sid` (did you mean `side`?)"),
        ("ctx:adjacent('alon', ctx.self)", "1: there is no adjacency `alon` (did you mean `along`?)"),
        (
            "ctx:adjacent('along', 3)",
            "1: `ctx:adjacent`: `cell` must be a space, a piece or a list of them, but it is 3",
        ),
    ] {
        assert_eq!(show(&Table::grown(body).go().expect_err("it fails")), message);
    }
}

#[test]
fn room_is_what_fits() {
    assert_eq!(grown("return ctx:room('coin', ctx:top('quay'))"), Value::Int(5));
    assert_eq!(grown("return ctx:room('coin', ctx.self)"), Value::Int(0), "nobody keeps it there");
    assert_eq!(grown("return ctx:room('coin') + ctx:room('coin', ctx.opponent)"), Value::Int(0));
    assert_eq!(grown("return ctx:room('rope') > 1000"), Value::Bool(true));
    assert_eq!(
        show(&Table::grown("ctx:room('coin', 'me')").go().expect_err("it fails")),
        "1: `ctx:room`: `of` must be a player or a piece, but it is the text \"me\""
    );
}

#[test]
fn results_are_checked() {
    assert_eq!(value("return 'north'"), Value::Sym(rulepack_model::SymId(0)));
    assert_eq!(fault("return 'nort'"), "0: there is no resource, type or word `nort` (did you mean `north`?)");
    assert_eq!(fault("return {}"), "0: what a script gives back cannot be a table");
}

#[test]
fn a_fault_in_a_query_inside_an_expression_reaches_the_script() {
    // `asked` is what the first hook answers.
    let functions =
        "function f.is_wet(ctx)\n  error('no water')\nend\nfunction f.go(ctx)\n  return ctx.self.asked\nend";
    let table = Table::new(&["is_wet", "go"], functions);
    let fault = table.resume(table.start_with(1, &[]), Value::Nil).expect_err("the query fails");
    assert_eq!((fault.message.as_str(), fault.script.as_deref()), ("no water", Some("scripts/harbor/f.lua:3")));
    assert_eq!(fault.origin, "card.inn f.is_wet");
    assert_eq!(table.host.take_fault(), None);
}

#[test]
fn queries_that_ask_one_another_end() {
    let table = Table::new(&["is_wet"], "function f.is_wet(ctx)\n  return ctx:top('deck').asked\nend");
    let fault = table.query().expect_err("it asks itself");
    let message = "queries of scripts ask one another more than 16 times over: `card.inn` → `card.inn` → …";
    assert_eq!((fault.message.as_str(), fault.script.as_deref()), (message, Some("scripts/harbor/f.lua:3")));
}
