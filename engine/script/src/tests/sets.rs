//! Sets: lists that are joined and cut, lines and players, pieces that move together, and what others know of a choice.

use rulepack_kernel::{Destination, Need, Request, Value, ZoneIx};

use super::harbor::*;

#[test]
fn lists_are_joined_and_cut() {
    for (list, wanted) in [
        ("ctx:union({ 1, 2 }, { 2, 3, 3 })", "1 2 3"),
        ("ctx:intersection({ 1, 2, 3 }, { 3, 1 })", "1 3"),
        ("ctx:difference({ 1, 2, 3 }, { 3, 1 })", "2"),
        ("ctx:take_while({ 1, 2, 1 }, function(n) return n < 2 end)", "1"),
        ("ctx:take_until({ 1, 2, 1 }, function(n) return n == 2 end)", "1"),
        ("ctx:take_until({ 1, 2, 1 }, function(n) return n == 7 end)", ""),
    ] {
        let body = format!("return table.concat({list}, ' ') == '{wanted}'");
        assert_eq!(value(&body), Value::Bool(true), "{list}");
    }
    assert_eq!(
        fault("ctx:union({ 1, nil, 2 }, {})"),
        "1: the list must be one such as { a, b }, but it has names, or nil before its end"
    );
}

#[test]
fn others_do_not_know_what_a_list_was_cut_to() {
    for list in [
        "ctx:difference(ctx:pieces('hand'), ctx:pieces('hand'))",
        "ctx:intersection(ctx:pieces('hand'), {})",
        "ctx:take_while(ctx:pieces('hand'), function() return false end)",
        "ctx:union(ctx:filter(ctx:pieces('hand'), function() return false end), {})",
    ] {
        let table = Table::body(&format!("ctx:choose {{ from = {list}, if_any = true }}"));
        let Ok(Progress::Request(Request::Choose { from, among, need, .. })) = table.go() else { panic!("{list}") };
        assert_eq!((from.len(), among.len(), need), (0, 1, Need::IfAny), "{list}");
    }
}

#[test]
fn pieces_move_together() {
    let Ok(Progress::Request(request)) = Table::body("ctx:move_all({ ctx.self }, 'quay', { bottom = true })").go()
    else {
        panic!()
    };
    let to = Destination::Zone(ZoneIx(1));
    assert_eq!(request, Request::MoveAll { pieces: vec![INN], to, bottom: true, facing: None });
    let Ok(Progress::Request(request)) = Table::body("ctx:flip_all({ ctx.self })").go() else { panic!() };
    assert_eq!(request, Request::FlipAll(vec![INN]));
    let Ok(Progress::Request(request)) = Table::body("ctx:swap(ctx.self, ctx:top('quay'))").go() else { panic!() };
    assert_eq!(request, Request::Swap(INN, MILL));
}

#[test]
fn names_are_told_as_they_were_written() {
    assert_eq!(fault("ctx:gain('quay')"), "1: there is no resource or group `quay`");
    assert_eq!(
        fault("ctx:draw('coin', 'deck', 'hand')"),
        "1: `ctx:draw`: `n` must be a whole number from 0 to 1000000, but it is the text \"coin\""
    );
    assert_eq!(fault("ctx:line(ctx.self, 'coin')"), "1: there is no direction `coin`");
    assert_eq!(fault("ctx:named('quay')"), "1: there is no set `quay`");
    assert_eq!(value("return #ctx:clockwise() * 10 + ctx:counter_clockwise(ctx.opponent)[2].index"), Value::Int(21));
    assert_eq!(value("return #ctx:connected(ctx:cells('quay')[1], ctx:cells('quay'))"), Value::Int(4));
}
