//! `script-unknown-name` and `script-global`.

use super::{Case, bad, good};

#[test]
fn methods_and_parts_of_ctx() {
    bad("ctx:gian('coin')", &["3:5 script-unknown-name: `ctx` has no `gian` (did you mean `gain`?)"]);
    bad("return ctx.oponent", &["3:12 script-unknown-name: `ctx` has no `oponent` (did you mean `opponent`?)"]);
    bad(
        "local them = ctx:as(ctx.opponent) them:gian('coin')",
        &["3:40 script-unknown-name: `ctx` has no `gian` (did you mean `gain`?)"],
    );
    bad("ctx:as(ctx.opponent):gian('coin')", &["3:22 script-unknown-name: `ctx` has no `gian` (did you mean `gain`?)"]);
    good("local them = ctx:as(ctx.opponent) them:gain('coin') ctx:as(them.me):gain('coin')");
    good("ctx:gain('coin', 1, ctx.opponent)");
    good("return ctx:filter(ctx:pieces('row'), function(ctx) return ctx.weight > 1 end)");
}

#[test]
fn the_first_parameter_of_a_hook_is_ctx_whatever_it_is_called() {
    let case = Case::bound("local cards = {}\n-- Gains.\nfunction cards.play(c) c:gian('coin') end\nreturn cards");
    assert_eq!(case.found(), ["3:26 script-unknown-name: `ctx` has no `gian` (did you mean `gain`?)"]);
    let case = Case::default()
        .script("harbor", "cards", "return {\n  play = function(c) return c:tpo('deck') end,\n}")
        .bind("harbor", "cards.play");
    assert_eq!(case.found(), ["2:31 script-unknown-name: `ctx` has no `tpo` (did you mean `top`?)"]);
}

#[test]
fn libraries() {
    bad(
        "return math.random(6)",
        &["3:13 script-unknown-name: `math.random` is not there (write `ctx:roll(sides)`: chance belongs to the game)"],
    );
    bad("return table.cocat({})", &["3:14 script-unknown-name: `table.cocat` is not there (did you mean `concat`?)"]);
    good("return math.max(1, 2), table.concat({}, ', ')");
}

#[test]
fn handles_have_no_methods() {
    bad(
        "local top = ctx:top('deck')\ntop:move('hand')",
        &["4:5 script-unknown-name: a piece has no methods (write `ctx:move(…)`, and give `top` to it)"],
    );
    good("local top = ctx:top('deck')\nctx:move(top, 'hand')");
}

#[cfg(feature = "analysis")]
#[test]
fn parts_of_what_a_list_holds() {
    bad(
        "for _, piece in ipairs(ctx:pieces('row')) do piece:flip() end",
        &["3:52 script-unknown-name: a piece has no methods (write `ctx:flip(…)`, and give `piece` to it)"],
    );
    good("for _, piece in ipairs(ctx:pieces('row')) do if piece.coin > 1 then ctx:flip(piece) end end");
}

#[test]
fn zones_and_texts() {
    bad("return ctx:zone('row').nmae", &["3:24 script-unknown-name: a zone has no `nmae` (did you mean `name`?)"]);
    bad(
        "local what = 'co' .. card.sort\nreturn what.weight",
        &[
            "4:13 script-unknown-name: a text has no `weight` (for an attribute of a resource or a type, write `ctx:attr(what, \"weight\")`)",
        ],
    );
    good("local what = 'co' .. card.sort\nreturn ctx:zone('row').name, what:upper()");
}

#[test]
fn options() {
    bad(
        "return ctx:choose { form = {} , from = {} }",
        &["3:21 script-unknown-name: `ctx:choose` has no option `form` (did you mean `from`?)"],
    );
    good("return ctx:choose { from = ctx:pieces('row'), optional = true, by = ctx.opponent, prompt = 'which' }");
}

#[test]
fn functions_of_other_scripts() {
    let lib = "local lists = {}\nfunction lists.last(list) return list[#list] end\nreturn lists";
    let case = |name: &str| {
        Case::bound(&format!(
            "local lists = require('lib.lists')\nlocal cards = {{}}\nfunction cards.play() return lists.{name}({{ 1 }}) end\nreturn cards"
        ))
        .script("harbor", "lib.lists", lib)
    };
    assert_eq!(case("last").found(), Vec::<String>::new());
    assert_eq!(
        case("lsat").found(),
        [
            "harbor/cards.lua:3:36 script-unknown-name: the script `lib.lists` gives no `lsat` (did you mean `last`?)",
            "harbor/lib.lists.lua:2:16 unbound-function: no script uses `lib.lists.last` (take it out, or use it)",
        ]
    );
}

#[test]
fn a_query_only_looks() {
    let text = "local cards = {}\nlocal function drain(ctx) ctx:pay('coin') end\nfunction cards.fits(ctx)\n  ctx:gain('coin')\n  drain(ctx)\n  return ctx:count('hand') > 1\nend\nreturn cards";
    let help = "let the function only look, and change the game in an effect";
    assert_eq!(
        Case::default().script("harbor", "cards", text).query("harbor", "cards.fits").found(),
        [
            format!("4:7 script-unknown-name: a query has no `ctx:gain`, which changes the game ({help})"),
            format!("5:3 script-unknown-name: a query calls `drain`, which changes the game ({help})"),
        ]
    );
    assert_eq!(Case::bound(text).found(), Vec::<String>::new());
}

#[test]
fn globals() {
    bad(
        "total = 1\nreturn total",
        &["3:1 script-global: `total` is set as a global, but scripts share none (write `local total`)"],
    );
    bad(
        "function sum() end",
        &["3:10 script-global: `sum` is set as a global, but scripts share none (write `local function sum`)"],
    );
    bad("return ipair(card)", &["3:8 script-global: there is no global `ipair` (did you mean `ipairs`?)"]);
    bad(
        "return os.time()",
        &["3:8 script-global: there is no global `os` (there is no clock: count turns in a variable of the pack)"],
    );
    bad(
        "return zebra",
        &["3:8 script-global: there is no global `zebra` (write `local zebra = …` above, or take it as a parameter)"],
    );
    good("local total = 1\nlocal function sum(n) return n < 1 and 0 or n + sum(n - 1) end\nreturn sum(total)");
}

#[test]
fn unused_locals() {
    bad(
        "local spare = 1",
        &["3:7 script-unused-local: `spare` is never used (take it out, or write `_spare` if its place is needed)"],
    );
    bad(
        "local function again() return again() end",
        &["3:16 script-unused-local: the function `again` is never called (take it out, or call it)"],
    );
    bad("local n = 1\nn = 2", &["3:7 script-unused-local: `n` is set, but never read (take it out, or read it)"]);
    good("local _, second = ctx:top('deck'), 2\nfor i, piece in ipairs({}) do end\nreturn second");
}

#[test]
fn places_count_characters_not_bytes() {
    bad("local s = 'é' ctx:gian(s)", &["3:19 script-unknown-name: `ctx` has no `gian` (did you mean `gain`?)"]);
}
