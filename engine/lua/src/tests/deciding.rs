//! `constant-condition`.

use super::{bad, good};

#[test]
fn a_list_is_always_true() {
    let what = "a list is always true, also an empty one";
    bad(
        "if ctx:pieces('row') then ctx:pause() end",
        &[&format!(
            "3:4 constant-condition: `ctx:pieces('row')` is no condition: {what} (write `#ctx:pieces('row') > 0`)"
        )],
    );
    bad(
        "local row = ctx:pieces('row')\nif not row then ctx:pause() end",
        &[&format!("4:8 constant-condition: `row` is no condition: {what} (write `#row == 0` instead of `not row`)")],
    );
    good("local row = ctx:pieces('row')\nif #row > 0 and row[1] then ctx:flip(row[1]) end");
    // A table of the script may be there or not.
    good("local best\nfor _, piece in ipairs(ctx:pieces('row')) do best = { piece } end\nif best then ctx:pause() end");
}

#[test]
fn a_number_is_always_true() {
    let what = "a number is always true, also 0";
    bad(
        "if ctx:count('row') then ctx:pause() end",
        &[&format!(
            "3:4 constant-condition: `ctx:count('row')` is no condition: {what} (write `ctx:count('row') > 0`)"
        )],
    );
    bad(
        "return ctx:filter(ctx:pieces('row'), function(piece) return piece.row end)",
        &[&format!("3:61 constant-condition: `piece.row` is no condition: {what} (write `piece.row > 0`)")],
    );
    bad(
        "return ctx:choose { from = ctx:pieces('row'), where = function(piece) return not piece.row end }",
        &[&format!(
            "3:82 constant-condition: `piece.row` is no condition: {what} (write `piece.row == 0` instead of `not piece.row`)"
        )],
    );
    bad(
        "local n = #card or 1\nwhile (card and n - 1) do n = 2 end",
        &[&format!("4:17 constant-condition: `n - 1` is no condition: {what} (write `n - 1 > 0`)")],
    );
    good("local n = card.weight or 0\nreturn n > 0 and ctx:count('row') or ctx:count('deck')");
    good("return ctx:sum(ctx:pieces('row'), function(piece) return piece.row end)");
    good("local owner = ctx:top('row').owner\nif owner then ctx:gain('coin', 1, owner) end");
}
