//! Effects: their requests, the results that they get, and several effects that wait at the same time.

use rulepack_kernel::{Bundle, Cell, EffectHost, Need, Request, ResourceHolder, ResourceSel, Value, ZoneIx};
use rulepack_model::{GroupId, PromptId, ResId, Seat};

use super::harbor::*;

fn gain(kinds: ResourceSel, amount: i64, whom: Seat) -> Request {
    let mut bundle = Bundle::default();
    let _ = bundle.add(kinds, amount);
    Request::Transfer {
        from: ResourceHolder::Supply,
        to: ResourceHolder::Seat(whom),
        bundle,
        chooser: whom,
        strict: false,
    }
}

const ASKS: &str = r#"
    ctx:gain("coin", 2)
    local spare = ctx:choose { from = ctx:pieces("hand"), prompt = "pick", optional = true }
    if spare then
      ctx:move(spare, "deck", { bottom = true, face = "down" })
      return spare.level
    end
    ctx:gain("goods")
"#;

#[test]
fn an_effect_gains_and_asks() {
    let table = Table::body(ASKS);
    let run = table.start();
    let coin = ResourceSel::One(ResId(0));
    assert_eq!(table.resume(run, Value::Nil), Ok(Progress::Request(gain(coin, 2, Seat(0)))));
    let card = Value::Piece(rulepack_model::PieceId(2));
    let choose = Request::Choose {
        seat: Seat(0),
        from: vec![card],
        among: Vec::new(),
        prompt: Some(PromptId(0)),
        need: Need::Optional,
        secret: false,
    };
    assert_eq!(table.resume(run, Value::Int(9)), Ok(Progress::Request(choose)));
    let to = Cell { zone: ZoneIx(0), at: 0 };
    let away = Request::Move { piece: rulepack_model::PieceId(2), to, bottom: true, facing: Some(false) };
    assert_eq!(table.resume(run, card), Ok(Progress::Request(away)));
    assert!(table.host.is_live(run));
    assert_eq!(table.resume(run, Value::Nil), Ok(Progress::Done(Value::Int(2))));
    assert!(!table.host.is_live(run));
}

#[test]
fn calls_wait_side_by_side() {
    let table = Table::body(ASKS);
    let runs = [table.start(), table.start()];
    for run in runs {
        table.resume(run, Value::Nil).unwrap();
    }
    for run in runs {
        table.resume(run, Value::Nil).unwrap();
    }
    let group = ResourceSel::Group(GroupId(0));
    assert_eq!(table.resume(runs[1], Value::Nil), Ok(Progress::Request(gain(group, 1, Seat(0)))));
    let card = Value::Piece(rulepack_model::PieceId(2));
    assert!(matches!(table.resume(runs[0], card), Ok(Progress::Request(Request::Move { .. }))));
    assert_eq!(table.resume(runs[1], Value::Nil), Ok(Progress::Done(Value::Nil)));
    table.host.forget(runs[0]);
    assert!(!table.host.is_live(runs[0]));
    assert!(table.resume(runs[0], Value::Nil).is_err());
}

#[test]
fn the_oldest_of_too_many_calls_is_dropped() {
    let table = Table::body(r#"ctx:gain("coin")"#);
    let runs: Vec<_> = (0..2_001).map(|_| table.start()).collect();
    assert!(!table.host.is_live(runs[0]));
    assert!(table.host.is_live(runs[1]) && table.host.is_live(runs[2_000]));
    assert!(table.resume(runs[2_000], Value::Nil).is_ok());
}

#[test]
fn only_methods_that_give_something_get_the_reply() {
    let table =
        Table::body(r#"return ctx:gain("coin") == nil and ctx:roll(6) == 4 and ctx:confirm("pick", ctx.opponent)"#);
    let run = table.start();
    table.resume(run, Value::Nil).unwrap();
    assert_eq!(table.resume(run, Value::Int(7)), Ok(Progress::Request(Request::Roll { sides: 6, secret: false })));
    let confirm = Request::Confirm { seat: Seat(1), prompt: Some(PromptId(0)) };
    assert_eq!(table.resume(run, Value::Int(4)), Ok(Progress::Request(confirm)));
    assert_eq!(table.resume(run, Value::Bool(true)), Ok(Progress::Done(Value::Bool(true))));
}

#[test]
fn every_method_has_its_request() {
    let requests = [
        r#"ctx:pay("coin")"#,
        r#"ctx:pay_to(ctx.self, "coin", 2)"#,
        r#"ctx:put("coin", 1, ctx.self)"#,
        r#"ctx:store("coin", 1, ctx.self)"#,
        r#"ctx:take("rope", 1, ctx.opponent)"#,
        r#"ctx:give_back("coin", 1, ctx.self)"#,
        r#"ctx:move(ctx.self, ctx:zone("hand", ctx.opponent))"#,
        r#"ctx:move(ctx.self, "quay")"#,
        r#"ctx:lay(ctx.self, ctx:top("quay"))"#,
        r#"ctx:draw(2, "deck", "hand")"#,
        r#"ctx:draw(2, "deck", ctx:cells("quay")[1])"#,
        r#"ctx:pick({ 1, 2 })"#,
        r#"ctx:either { "pick" }"#,
        r#"ctx:log("pick", { ctx.me, 3 })"#,
        r#"ctx:rejoin()"#,
        r#"ctx:shuffle("deck")"#,
        r#"ctx:refill("quay")"#,
        r#"ctx:flip(ctx.self)"#,
        r#"ctx:set("luck", 3, ctx.opponent)"#,
        r#"ctx:raise("docked", ctx.self)"#,
        r#"ctx:use(ctx.self, "play")"#,
        r#"ctx:look(ctx.self)"#,
        r#"ctx:choose_resource { from = "goods" }"#,
        r#"ctx:pause()"#,
        r#"ctx:pass()"#,
        r#"ctx:cancel()"#,
        r#"ctx:end_turn()"#,
        r#"ctx:end_phase()"#,
        r#"ctx:end_game()"#,
    ];
    for body in requests {
        let progress = Table::body(body).go();
        assert!(matches!(progress, Ok(Progress::Request(_))), "{body}: {progress:?}");
    }
    let Ok(Progress::Request(request)) = Table::body(r#"ctx:set("luck", 3, ctx.opponent)"#).go() else { panic!() };
    let owner = Some(Value::Seat(Seat(1)));
    assert_eq!(request, Request::SetVar { var: rulepack_model::VarId(1), owner, value: Value::Int(3) });
    let Ok(Progress::Request(request)) = Table::body(r#"ctx:look(ctx:pieces("deck"), ctx.opponent)"#).go() else {
        panic!()
    };
    assert_eq!(request, Request::Look { seat: Seat(1), pieces: vec![INN], lasting: false, prompt: None });
    let Ok(Progress::Request(request)) = Table::body(r#"ctx:look(ctx:pieces("deck"), nil, "pick")"#).go() else {
        panic!()
    };
    assert_eq!(request, Request::Look { seat: Seat(0), pieces: vec![INN], lasting: false, prompt: Some(PromptId(0)) });
    let Ok(Progress::Request(request)) = Table::body("ctx:end_game(ctx.opponent)").go() else { panic!() };
    assert_eq!(request, Request::EndGame { winners: Some(vec![Seat(1)]) });
    let Ok(Progress::Request(request)) = Table::grown(r#"ctx:set("wear", 2, ctx:top("quay"))"#).go() else { panic!() };
    let owner = Some(Value::Piece(MILL));
    assert_eq!(request, Request::SetVar { var: rulepack_model::VarId(2), owner, value: Value::Int(2) });
    let Ok(Progress::Request(request)) = Table::body(r#"ctx:choose_resource { from = ctx.me }"#).go() else { panic!() };
    assert_eq!(
        request,
        Request::Choose {
            seat: Seat(0),
            from: vec![COIN, ROPE],
            among: Vec::new(),
            prompt: None,
            need: Need::One,
            secret: false
        }
    );
}

#[test]
fn several_resources_are_one_request() {
    let mut bundle = Bundle::default();
    let _ = bundle.add(ResourceSel::One(ResId(0)), 2);
    let _ = bundle.add(ResourceSel::Group(GroupId(0)), 1);
    bundle.less = 1;
    for body in ["ctx:pay { coin = 2, goods = 1, less = 1 }", "ctx:pay { less = 1, goods = 1, coin = 2 }"] {
        let Ok(Progress::Request(Request::Transfer { bundle: paid, .. })) = Table::body(body).go() else { panic!() };
        assert_eq!(paid, bundle, "{body}");
    }
    assert_eq!(value("return ctx:can_pay { coin = 3, rope = 3 }"), Value::Bool(true));
    assert_eq!(value("return ctx:can_pay { coin = 4, less = 1 }"), Value::Bool(true));
    assert_eq!(value(r#"return ctx:can_pay("goods", 7)"#), Value::Bool(false));
    assert_eq!(value("return ctx:units { coin = 3, goods = 2 }"), Value::Int(5));
    assert_eq!(value(r#"return #ctx:members("goods")"#), Value::Int(2));
}

#[test]
fn another_player_acts() {
    let hers = ResourceSel::One(ResId(0));
    for body in [
        r#"ctx:as(ctx.opponent):gain("coin", 2)"#,
        r#"local them = ctx:as(ctx.opponent) them:gain("coin", 2, them.me)"#,
        r#"ctx:as(ctx.opponent):as(ctx.me):gain("coin", 2, ctx.opponent)"#,
        r#"ctx:as(ctx.opponent):as(ctx:as(ctx.opponent).me):gain("coin", 2)"#,
    ] {
        assert_eq!(Table::body(body).go(), Ok(Progress::Request(gain(hers, 2, Seat(1)))), "{body}");
    }
    assert_eq!(value(r#"return #ctx:as(ctx.opponent):pieces("hand")"#), Value::Int(0));
    assert_eq!(value(r#"return #ctx:pieces("hand")"#), Value::Int(1));
    assert_eq!(value("return ctx:as(ctx.opponent).opponent == ctx.me"), Value::Bool(true));
    assert_eq!(value("return ctx:as(ctx.me).self == ctx.self"), Value::Bool(true));
    assert_eq!(value("return ctx:next() == ctx.opponent and ctx:previous(ctx.opponent) == ctx.me"), Value::Bool(true));
    assert_eq!(value("return ctx:in_turn_order(ctx.opponent)[1] == ctx.opponent"), Value::Bool(true));
    assert_eq!(fault("ctx:as(ctx.self)"), "1: `ctx:as`: `player` must be a player, but it is the piece `card.inn`");
    assert_eq!(fault("ctx:as()"), "1: `ctx:as`: `player` must be a player, but it is nothing");
    assert_eq!(fault(r#"ctx:as(ctx.opponent).gain("coin")"#), "1: write `ctx:gain(...)`, with a colon before `gain`");
    assert_eq!(fault("ctx:as(ctx.opponent):gian('coin')"), "1: `ctx` has no `gian` (did you mean `gain`?)");
    // What went wrong for one player does not stick.
    assert_eq!(
        value(
            r#"
            local them = ctx:as(ctx.opponent)
            local _ = them:count("hand")
            return ctx.me ~= them.me and ctx:count("hand") == 1
            "#
        ),
        Value::Bool(true)
    );
    assert!(fault("ctx:as(ctx.opponent).me = 1").contains("cannot be changed"), "it is read-only");
}

#[test]
fn several_are_chosen_one_after_the_other() {
    let table = Table::body(
        r#"
        local words = ctx:choose { from = { "coin", "rope", "north" }, least = 1, most = 2 }
        return #words == 2 and words[1] == "rope" and words[2] == "north"
        "#,
    );
    let run = table.start();
    let asked = |progress| match progress {
        Ok(Progress::Request(Request::Choose { from, need, .. })) => (from.len(), need),
        other => panic!("{other:?}"),
    };
    assert_eq!(asked(table.resume(run, Value::Nil)), (3, Need::One));
    assert_eq!(asked(table.resume(run, ROPE)), (2, Need::Optional));
    let north = Value::Sym(rulepack_model::SymId(0));
    assert_eq!(table.resume(run, north), Ok(Progress::Done(Value::Bool(true))));
    let few = Table::body("return #ctx:choose { from = { 1, 2 }, most = 2 }");
    let run = few.start();
    assert_eq!(asked(few.resume(run, Value::Nil)), (2, Need::Optional));
    assert_eq!(few.resume(run, Value::Nil), Ok(Progress::Done(Value::Int(0))));
    // Of a zone, others know the zone, less what was chosen.
    let hand = Table::body(r#"ctx:choose { from = "hand", where = function() return false end, if_any = true }"#);
    let Ok(Progress::Request(Request::Choose { from, among, need, .. })) = hand.go() else { panic!() };
    assert_eq!((from.len(), among.len(), need), (0, 1, Need::IfAny));
    for (body, message) in [
        ("most = -1", "`ctx:choose`: `most` and `least` are whole numbers, not below zero; `least` needs `most`"),
        ("least = 1", "`ctx:choose`: `most` and `least` are whole numbers, not below zero; `least` needs `most`"),
        ("most = 1.5", "`ctx:choose`: `most` and `least` are whole numbers, not below zero; `least` needs `most`"),
        ("least = 3, most = 2", "`ctx:choose`: `least` is 3, but `most` is 2"),
        (
            "most = 1, optional = true",
            "`ctx:choose`: with `most`, `least` says how many must be chosen, so `optional` is left out",
        ),
        ("if_any = 1", "`ctx:choose`: `if_any` is true or false"),
    ] {
        assert_eq!(fault(&format!("ctx:choose {{ from = {{ 1, 2 }}, {body} }}")), format!("1: {message}"));
    }
    assert_eq!(fault(r#"ctx:choose { from = "hnad" }"#), "1: there is no zone `hnad` (did you mean `hand`?)");
}

#[test]
fn the_new_ways_to_go_wrong_are_named() {
    for (body, message) in [
        ("ctx:pay { coim = 1 }", "there is no resource or group `coim` (did you mean `coin`?)"),
        ("ctx:pay { coin = -1 }", "`ctx:pay`: `coin` must be a whole number from 0 to 1000000, but it is -1"),
        (
            "ctx:pay { 'coin' }",
            "`ctx:pay`: `what` must be the id of a resource or a group, or a table such as { coin = 2 }, but it is a table",
        ),
        ("ctx:pay({ coin = 1 }, 2)", "`ctx:pay`: the table says how many of each, so `n` is left out (`nil`)"),
        ("ctx:cost(ctx.self, 'price')", "there is no cost `price`"),
        ("ctx:cost('inm', 'price')", "there is no type `inm` (did you mean `inn`?)"),
        ("ctx:draw(-1, 'deck', 'hand')", "`ctx:draw`: `n` must be a whole number from 0 to 1000000, but it is -1"),
        ("ctx:draw(1, 'dekc', 'hand')", "there is no zone `dekc` (did you mean `deck`?)"),
        ("ctx:draw(1, 'deck', ctx.me)", "`ctx:draw`: `to` must be a space or a zone, but it is a player"),
        ("ctx:pick({})", "`ctx:pick`: there is nothing to pick from"),
        ("ctx:pick('hand')", "`ctx:pick`: `list` must be a list, but it is the text \"hand\""),
        ("ctx:either {}", "`ctx:either`: `ways` names at least one prompt, and none twice"),
        ("ctx:either { 'pick', 'pick' }", "`ctx:either`: `ways` names at least one prompt, and none twice"),
        ("ctx:either { 'pikc' }", "there is no prompt `pikc` (did you mean `pick`?)"),
        ("ctx:either { 3 }", "`ctx:either`: `ways` must be a list of ids of prompts, but it is a table"),
        ("ctx:log('pikc')", "there is no prompt `pikc` (did you mean `pick`?)"),
        ("ctx:log('pick', { ctx })", "`ctx:log`: what is told cannot be a table"),
        ("ctx:rejoin(ctx.self)", "`ctx:rejoin`: `seat` must be a player, but it is the piece `card.inn`"),
        ("ctx:largest({ 1 })", "`ctx:largest`: `amount` must be a function, but it is nothing"),
        ("ctx:smallest({ 1 }, function() end)", "`ctx:smallest`: `amount` must give back a number"),
    ] {
        let found = fault(body);
        assert!(found.starts_with(&format!("1: {message}")), "{body}: {found}");
    }
}

#[test]
fn wrong_arguments_are_named() {
    assert_eq!(fault(r#"ctx:gain("cion")"#), "1: there is no resource or group `cion` (did you mean `coin`?)");
    assert_eq!(
        fault("\nctx:gain(\"coin\", 1.5)"),
        "2: `ctx:gain`: `n` must be a whole number from 0 to 1000000, but it is 1.5 (round it with `math.floor` or `math.ceil`)"
    );
    assert_eq!(
        fault("ctx:disclose(nil)"),
        "1: `ctx:disclose`: `what` must be a value, a piece or a list, but it is nothing"
    );
    assert_eq!(fault("ctx:flip()"), "1: `ctx:flip`: `piece` must be a piece, but it is nothing");
    assert_eq!(fault("ctx:flip(ctx.me)"), "1: `ctx:flip`: `piece` must be a piece, but it is a player");
    assert_eq!(
        fault("ctx:look({ ctx.self, ctx.me })"),
        "1: `ctx:look`: `pieces` must be a piece or a list of pieces, but it is a table"
    );
    assert_eq!(
        fault("ctx:end_game('me')"),
        "1: `ctx:end_game`: `winner` must be a player or a list of players, but it is the text \"me\""
    );
    assert_eq!(fault("ctx:flip(ctx.self, 1)"), "1: `ctx:flip` takes only `piece`");
    assert_eq!(fault("ctx.flip(ctx.self)"), "1: write `ctx:flip(...)`, with a colon before `flip`");
    assert_eq!(fault("ctx:flipp(ctx.self)"), "1: `ctx` has no `flipp` (did you mean `flip`?)");
    assert_eq!(
        fault("ctx:choose { form = {} }"),
        "1: there is no option of `ctx:choose` called `form` (did you mean `from`?)"
    );
    assert_eq!(
        fault("ctx:choose { from = {}, where = 3 }"),
        "1: `ctx:choose`: `where` is a function, and `from` a zone or a list"
    );
    assert_eq!(
        fault("ctx:choose { from = {} }"),
        "1: `ctx:choose`: a choice must be made, but there is nothing to choose from (`if_any = true` accepts that)"
    );
    assert_eq!(fault(r#"ctx:raise("docked")"#), "1: `docked` takes 1 values, but 0 are given");
    assert_eq!(
        fault(r#"ctx:set("tide", "high")"#),
        "1: `ctx:set`: `tide` must be a whole number, but it is the text \"high\""
    );
}

#[test]
fn a_query_may_not_change_the_game() {
    let table = Table::body(r#"ctx:gain("coin")"#);
    let fault = table.query().expect_err("it changes");
    assert_eq!(show(&fault), "1: `ctx:gain`: a query may not change the game");
    assert!(table.host.take_fault().is_some());
    assert!(table.host.take_fault().is_none());
}

#[test]
fn a_function_that_the_library_calls_may_not_ask() {
    let message = fault("local l = {2, 1}\ntable.sort(l, function() ctx:pause() end)");
    assert!(message.contains("may neither change the game nor ask"), "{message}");
}

#[test]
fn numbers_out_of_range_are_refused_with_a_cure() {
    assert_eq!(
        fault(r#"ctx:pay("coin", -1)"#),
        "1: `ctx:pay`: `n` must be a whole number from 0 to 1000000, but it is -1 (`ctx:gain` moves resources the other way)"
    );
    assert_eq!(
        fault(r#"ctx:put("coin", 0.5, ctx.self)"#),
        "1: `ctx:put`: `n` must be a whole number from 0 to 1000000, but it is 0.5 (round it with `math.floor` or `math.ceil`)"
    );
    assert_eq!(fault("ctx:roll(0)"), "1: `ctx:roll`: `sides` must be a whole number from 1 to 1000000, but it is 0");
}

/// A table with names, or with nil before its end, is no list: a method would pass over a part of it.
#[test]
fn a_list_is_read_whole_or_refused() {
    const NO_LIST: &str = "must be a list such as { a, b }, but it has names, or nil before its end";
    for (call, method, what) in [
        ("ctx:choose { from = { coin = true }, optional = true }", "choose", "from"),
        ("ctx:choose { from = { 'coin', nil, 'rope' } }", "choose", "from"),
        ("ctx:choose_resource { from = { coin = 1 }, optional = true }", "choose_resource", "from"),
        ("ctx:look({ ctx.self, nil, ctx.self })", "look", "pieces"),
        ("ctx:disclose({ coin = 1 })", "disclose", "what"),
        ("ctx:at({ a = ctx.self })", "at", "cell"),
    ] {
        assert_eq!(fault(call), format!("1: `ctx:{method}`: `{what}` {NO_LIST}"), "{call}");
    }
    for call in [
        "ctx:filter({ a = 1 }, function() return true end)",
        "ctx:filter({ 1, nil, 3 }, function() return true end)",
        "ctx:first({ a = 1 })",
        "ctx:any({ 1, a = 2 }, function() return false end)",
        "ctx:sum({ 1, nil, 3 }, function(n) return n end)",
    ] {
        let message = "1: the list must be one such as { a, b }, but it has names, or nil before its end";
        assert_eq!(fault(call), message, "{call}");
    }
    assert_eq!(fault("ctx:sum({ 1 }, function() end)"), "1: `ctx:sum`: `amount` must give back a number");
    // Lists that grew, that shrank, and empty ones.
    assert_eq!(
        value("local l = {} for n = 1, 40 do l[n] = n end return ctx:sum(l, function(n) return n end)"),
        Value::Int(820)
    );
    assert_eq!(value("local l = { 1, 2, 3 } l[3] = nil return ctx:sum(l, function(n) return n end)"), Value::Int(3));
    assert_eq!(value("local l = {} l[2] = 5 l[1] = 4 return ctx:sum(l, function(n) return n end)"), Value::Int(9));
    assert_eq!(value("return ctx:sum({}, function(n) return n end)"), Value::Int(0));
}

#[test]
fn what_a_list_was_narrowed_down_from_holds_all_of_it() {
    let wrong = "1: `ctx:choose`: `among` must hold all of `from`: it is the list before it was narrowed down";
    assert_eq!(fault("ctx:choose { from = { 'coin' }, among = { 'rope' } }"), wrong);
    assert_eq!(fault("ctx:choose { from = { 'coin' }, among = {} }"), wrong);
    let Ok(Progress::Request(_)) = Table::body("ctx:choose { from = { 'coin' }, among = { 'rope', 'coin' } }").go()
    else {
        panic!()
    };
}

#[test]
fn zones_are_not_asked_for_what_they_do_not_have() {
    assert_eq!(
        fault("return ctx:pieces(ctx:zone('hand'), ctx.opponent)"),
        "1: `ctx:pieces`: this is the zone `hand` of one player already: name the player in `ctx:zone(\"hand\", player)`"
    );
    assert_eq!(
        fault("return ctx:free_cells('deck')"),
        "1: the zone `deck` has no spaces: write `ctx:pieces` for what lies in it"
    );
}

/// Messages of the VM about a wrong value speak of the things of a game.
#[test]
fn values_of_the_wrong_kind_are_named_in_plain_words() {
    for (body, message) in [
        (
            "return ctx.self.owner.coin",
            "`coin` is read of nothing: test first whether it is there, as in `if piece then … end`",
        ),
        (
            "return ({})[1][2]",
            "an entry is read of nothing: test first whether it is there, as in `if piece then … end`",
        ),
        ("return ctx.me.index.x", "a number has no `x`"),
        (
            "return ctx.me + 1",
            "only numbers can be calculated with, not a handle (player, piece, space or zone) and a number",
        ),
        ("return ctx.me.coin < 'x'", "only two numbers or two texts can be compared by size, not a number and a text"),
        ("return nil .. 'x'", "only texts and numbers can be joined with `..`, not nothing and a text"),
        ("ctx.self()", "what is called here is no function, but a handle (player, piece, space or zone)"),
        ("return #ctx.self", "only a list or a text has a length, not a handle (player, piece, space or zone)"),
    ] {
        assert_eq!(fault(body), format!("1: {message}"), "{body}");
    }
}
