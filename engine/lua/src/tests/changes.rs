//! Mutations.

use crate::mutations;

fn shown(text: &str) -> Vec<String> {
    let apply =
        |change: &crate::LuaMutation| format!("{}{}{}", &text[..change.start], change.replacement, &text[change.end..]);
    mutations(text).iter().map(|change| format!("{} -- {}", apply(change), change.what)).collect()
}

#[test]
fn numbers_and_truth() {
    assert_eq!(
        shown("return 0, 1.5, 0x10, true, false, '7' --8"),
        [
            "return 1, 1.5, 0x10, true, false, '7' --8 -- `0` becomes `1`",
            "return 0, 2.5, 0x10, true, false, '7' --8 -- `1.5` becomes `2.5`",
            "return 0, 1.5, 17, true, false, '7' --8 -- `0x10` becomes `17`",
            "return 0, 1.5, 0x10, false, false, '7' --8 -- `true` becomes `false`",
            "return 0, 1.5, 0x10, true, true, '7' --8 -- `false` becomes `true`",
        ]
    );
}

#[test]
fn operators() {
    assert_eq!(
        shown("return a < b and c == d"),
        [
            "return a <= b and c == d -- `<` becomes `<=`",
            "return a < b or c == d -- `and` becomes `or`",
            "return a < b and c ~= d -- `==` becomes `~=`",
        ]
    );
    assert_eq!(
        shown("return a + -b, not (c)"),
        ["return a - -b, not (c) -- `+` becomes `-`", "return a + -b, (c) -- `not` is left out",]
    );
    assert_eq!(shown("return a+-b"), ["return a- -b -- `+` becomes `-`"]);
}

#[test]
fn statements() {
    assert_eq!(
        shown("if a > b then f(c) elseif g then h() end"),
        [
            "if not (a > b) then f(c) elseif g then h() end -- the condition `a > b` is negated",
            "if a >= b then f(c) elseif g then h() end -- `>` becomes `>=`",
            "if a > b then  elseif g then h() end -- `f(c)` is left out",
            "if a > b then f(c) elseif not (g) then h() end -- the condition `g` is negated",
            "if a > b then f(c) elseif g then  end -- `h()` is left out",
        ]
    );
    // The other change does the same.
    assert_eq!(shown("if a == b then return end").len(), 1);
    assert_eq!(shown("if a == b then return").len(), 0);
}
