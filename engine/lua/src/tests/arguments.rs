//! `script-argument` and `script-syntax`.

use super::{Case, bad, good};

#[test]
fn too_few_and_too_many() {
    bad(
        "ctx:put('coin', 1)",
        &["3:5 script-argument: `ctx:put` is called without `piece` (write `ctx:put(what, n, piece)`)"],
    );
    bad("ctx:flip(card, 2)", &["3:16 script-argument: `ctx:flip` takes only `piece`"]);
    bad("ctx:pause(1)", &["3:11 script-argument: `ctx:pause` takes no arguments"]);
    bad(
        "return string.sub('x')",
        &["3:15 script-argument: `string.sub` is called without `from` (write `string.sub(text, from, to)`)"],
    );
    good("ctx:gain('coin') ctx:gain('coin', 1) ctx:raise('sold', 1, 2, 3) ctx:flip(unpack({ card }))");
}

#[test]
fn kinds() {
    bad(
        "ctx:gain(3, 'coin')",
        &[
            "3:10 script-argument: `ctx:gain`: `what` must be a text or a table, but it is a number",
            "3:13 script-argument: `ctx:gain`: `n` must be a number, but it is a text",
        ],
    );
    bad("ctx:flip(ctx.me)", &["3:10 script-argument: `ctx:flip`: `piece` must be a piece, but it is a player"]);
    bad(
        "ctx:move(ctx:top('deck'), 3)",
        &["3:27 script-argument: `ctx:move`: `to` must be a space, a zone or a text, but it is a number"],
    );
    bad(
        "return ctx:choose { from = 3 }",
        &["3:28 script-argument: `ctx:choose`: `from` must be a zone, a text or a list, but it is a number"],
    );
    bad(
        "return ctx:choose { optional = true }",
        &["3:12 script-argument: `ctx:choose` is called without the option `from` (write `from = …`)"],
    );
    good(
        "ctx:move(ctx:top('deck'), ctx:zone('row'), { face = 'down' })\nctx:take('coin', 1, ctx.me)\nctx:gain('coin', card.n / 2)",
    );
    bad("ctx:as(ctx:top('deck'))", &["3:8 script-argument: `ctx:as`: `player` must be a player, but it is a piece"]);
    bad(
        "ctx:as(ctx.opponent):gain(3)",
        &["3:27 script-argument: `ctx:gain`: `what` must be a text or a table, but it is a number"],
    );
    bad(
        "ctx:draw('deck', 1, 'hand')",
        &[
            "3:10 script-argument: `ctx:draw`: `n` must be a number, but it is a text",
            "3:18 script-argument: `ctx:draw`: `from` must be a zone or a text, but it is a number",
        ],
    );
    bad(
        "return ctx:choose { from = 'hand', most = 'two' }",
        &["3:43 script-argument: `ctx:choose`: `most` must be a number, but it is a text"],
    );
    bad(
        "ctx:flip(ctx:choose { from = 'hand', most = 2 })",
        &["3:10 script-argument: `ctx:flip`: `piece` must be a piece, but it is a table"],
    );
    good("ctx:flip(ctx:choose { from = 'hand', where = function(card) return card.face_up end })");
    good("for _, card in ipairs(ctx:choose { from = 'hand', least = 1, most = 2 }) do ctx:flip(card) end");
    good("local found\nctx:any(ctx:pieces('row'), function(piece) found = piece return true end)\nctx:flip(found)");
    good("local piece = ctx:top('a') or ctx:top('b')\nif not piece then piece = card end\nctx:flip(piece)");
}

#[cfg(feature = "analysis")]
#[test]
fn kinds_of_what_a_list_holds() {
    bad(
        "for _, space in ipairs(ctx:cells('row')) do ctx:flip(space) end",
        &["3:54 script-argument: `ctx:flip`: `piece` must be a piece, but it is a space"],
    );
    bad("ctx:flip(ctx.players[1])", &["3:10 script-argument: `ctx:flip`: `piece` must be a piece, but it is a player"]);
    good("for _, space in ipairs(ctx:cells('row')) do ctx:move(card, space) end");
}

#[cfg(feature = "analysis")]
#[test]
fn scripts_see_the_kinds_that_scripts_they_require_give() {
    let case = |argument: &str| {
        Case::bound(&format!(
            "local tops = require('lib.tops')\nlocal cards = {{}}\nfunction cards.play(ctx) ctx:flip(tops.{argument}(ctx)) end\nreturn cards"
        ))
        .script("harbor", "lib.tops", "local tops = {}\nfunction tops.piece(ctx) return ctx:top('deck') end\nfunction tops.zone(ctx) return ctx:zone('deck') end\nreturn tops")
        .script("harbor", "other", "local tops = require('lib.tops')\nreturn { tops.piece, tops.zone }")
        // It has the same name, and another pack.
        .script("desert", "lib.tops", "return { piece = 1, zone = 2 }")
    };
    assert_eq!(case("piece").found(), Vec::<String>::new());
    assert_eq!(
        case("zone").found(),
        ["harbor/cards.lua:3:35 script-argument: `ctx:flip`: `piece` must be a piece, but it is a zone"]
    );
}

#[test]
fn a_dot_is_not_a_colon() {
    bad(
        "ctx.gain('coin')",
        &[
            "3:5 script-argument: `gain` is a method of `ctx`, but is called with a dot (write `ctx:gain(…)`, with a colon)",
        ],
    );
    good("ctx.gain(ctx, 'coin')");
}

#[test]
fn functions_of_the_script() {
    bad(
        "local function twice(n) return 2 * n end\nreturn twice(1, 2)",
        &["4:17 script-argument: `twice` takes only `n`"],
    );
    bad(
        "local function draw(ctx) return ctx:top('deck') end\nreturn draw(card.row == 1)",
        &["4:13 script-argument: `draw`: `ctx` must be `ctx`, but it is true or false"],
    );
    good("local function all(...) return ... end\nreturn all(1, 2)");
}

#[test]
fn syntax() {
    bad("ctx:gain('coin', )", &["3:18 script-syntax: expected expression after `,`"]);
    bad("if card then", &["5:12 script-syntax: expected `end` to close function definition"]);
    bad(
        "return if card then 1 else 2",
        &[
            "3:8 script-syntax: unexpected `if`, expected expression (write plain Lua 5.1: no types, no `if` inside an expression, no texts in backticks)",
        ],
    );
    good("local n = 7 // 2\nn += 1\nfor i = 1, n do if i == 2 then continue end ctx:pause() end");
}

#[test]
fn a_script_that_is_no_lua_does_not_hide_the_others() {
    let case = Case::bound("local cards = {}\nfunction cards.play(ctx) ctx:gian() end\nreturn cards")
        .script("harbor", "broken", "return {");
    assert_eq!(
        case.found(),
        [
            "harbor/cards.lua:2:30 script-unknown-name: `ctx` has no `gian` (did you mean `gain`?)",
            "harbor/broken.lua:1:8 script-syntax: unexpected end of table field",
        ]
    );
}

#[test]
fn numbers_that_no_method_takes() {
    bad(
        "ctx:pay('coin', -1)",
        &[
            "3:17 script-argument: `ctx:pay`: `n` must be a whole number from 0 to 1000000, but it is -1 (`ctx:gain` moves resources the other way)",
        ],
    );
    bad(
        "ctx:roll(0)",
        &[
            "3:10 script-argument: `ctx:roll`: `sides` must be a whole number from 1 to 1000000, but it is 0 (write a whole number from 1 to 1000000)",
        ],
    );
    bad(
        "local half = 0.5\nctx:put('coin', half, card)",
        &[
            "3:14 script-argument: `ctx:put`: `n` must be a whole number from 0 to 1000000, but it is 0.5 (round it with `math.floor` or `math.ceil`)",
        ],
    );
    good("ctx:gain('coin', 0)\nctx:gain('coin')\nctx:roll(card.weight)\nctx:roll(6)\nctx:take('coin', 3 - 1, card)");
}

#[test]
fn a_list_has_no_names() {
    bad(
        "return ctx:choose { from = { coin = true } }",
        &[
            "3:30 script-argument: `ctx:choose`: `from` must be a list, but this entry has a name (write the values alone, as in `{ a, b }`)",
        ],
    );
    bad(
        "return ctx:any({ one = card })",
        &[
            "3:18 script-argument: `ctx:any`: `list` must be a list, but this entry has a name (write the values alone, as in `{ a, b }`)",
        ],
    );
    good("return ctx:choose { from = { 'coin', 'rope' }, among = ctx:pieces('row') }");
}

#[test]
fn fields_of_handles_have_kinds() {
    bad(
        "ctx:flip(ctx:top('row').owner)",
        &["3:10 script-argument: `ctx:flip`: `piece` must be a piece, but it is a player"],
    );
    bad(
        "ctx:gain('coin', 1, ctx:top('row').host)",
        &["3:21 script-argument: `ctx:gain`: `whom` must be a player, but it is a piece"],
    );
    bad(
        "return ctx:zone('hand').owner:flip()",
        &[
            "3:31 script-unknown-name: a player has no methods (write `ctx:flip(…)`, and give `ctx:zone('hand').owner` to it)",
        ],
    );
    good(
        "ctx:gain('coin', 1, ctx:top('row').owner)\nctx:move(card, ctx:top('row').cell)\nreturn ctx:zone('hand').owner.index",
    );
}
