//! `script-order`.

use super::{bad, good};

const HELP: &str = "(go through a list with `ipairs`, or collect the keys and sort them with `table.sort`)";

#[track_caller]
fn bad_order(lines: &str, place: &str, message: &str) {
    bad(lines, &[&format!("{place} script-order: {message} {HELP}")]);
}

#[test]
fn changes_in_the_order_of_keys() {
    let message = "`pairs` goes through keys in no chosen order, and `ctx:gain` changes the game in that order";
    bad_order("for what, n in pairs({ coin = 1, rope = 2 }) do ctx:gain(what, n) end", "3:16", message);
    let message = "`next` goes through keys in no chosen order, and `give` changes the game in that order";
    bad_order(
        "local function give(ctx, what) ctx:gain(what) end\nlocal t = { coin = 1 }\nfor what in next, t do give(ctx, what) end",
        "5:13",
        message,
    );
    let message =
        "a loop over a table goes through keys in no chosen order, and `ctx:gain` changes the game in that order";
    bad_order("local t = { coin = 1 }\nfor what, n in t do ctx:gain(what, n) end", "4:16", message);
    good("for _, what in ipairs({ 'coin', 'rope' }) do ctx:gain(what) end");
    good("for _, what in pairs({ 'coin', 'rope' }) do ctx:gain(what) end");
    good("local n = 0\nfor _, more in pairs({ coin = 1, rope = 2 }) do n = n + more end\nctx:gain('coin', n)");
    good("for _, piece in pairs(ctx:pieces('row')) do ctx:flip(piece) end");
}

#[test]
fn lists_in_the_order_of_keys() {
    let message = "`pairs` goes through keys in no chosen order, and `list` is filled in that order";
    bad_order(
        "local list = {}\nfor what in pairs({ coin = 1 }) do table.insert(list, what) end\nreturn list",
        "4:13",
        message,
    );
    bad_order(
        "local list = {}\nfor what in pairs({ coin = 1 }) do list[#list + 1] = what end\nfor _, what in ipairs(list) do ctx:gain(what) end",
        "4:13",
        message,
    );
    good(
        "local list = {}\nfor what in pairs({ coin = 1 }) do table.insert(list, what) end\ntable.sort(list)\nreturn list",
    );
    good("local list = {}\nfor what in pairs({ coin = 1 }) do table.insert(list, what) end\nreturn #list");
}

#[test]
fn the_first_that_fits() {
    let message = "`pairs` goes through keys in no chosen order, and the first that fits is given back";
    bad_order("for what, n in pairs({ coin = 1 }) do if n > 0 then return what end end", "3:16", message);
    good("for _, n in pairs({ coin = 1 }) do if n > 0 then return true end end");
}

#[test]
fn any_key() {
    bad_order(
        "local t = { coin = 1 }\nreturn next(t)",
        "4:8",
        "`next` gives whichever key comes first, in no chosen order",
    );
    good("local t = { coin = 1 }\nif next(t) == nil or not next(t) then return 1 end");
}
