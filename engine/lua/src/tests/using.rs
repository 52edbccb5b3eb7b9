//! `unbound-function`, and which scripts see which.

use super::Case;

#[test]
fn functions_that_nobody_takes() {
    let text = "local cards = {}\nfunction cards.play(ctx) return cards.worth(), ctx end\nfunction cards.worth() return 1 end\nfunction cards.old() return cards.old() end\nreturn cards";
    let case = Case::default().script("harbor", "cards", text).bind("harbor", "cards.play");
    assert_eq!(
        case.found(),
        [
            "4:16 unbound-function: nothing binds or calls `cards.old` (bind it with `\"cards.old\"` in a definition, make it a local, or take it out)"
        ]
    );
    // A binding of another pack does not count for this one.
    let case = Case::default().script("desert", "cards", text).bind("harbor", "cards.play").bind("desert", "cards.old");
    assert_eq!(
        case.found(),
        [
            "2:16 unbound-function: nothing binds or calls `cards.play` (bind it with `\"cards.play\"` in a definition, make it a local, or take it out)"
        ]
    );
}

#[test]
fn shared_functions_that_nobody_uses_are_only_likely_to_be_too_much() {
    let case = Case::default()
        .script("harbor", "lib.lists", "local function last(list) return list[#list] end\nreturn { last = last, first = function(list) return list[1] end }")
        .script("harbor", "cards", "return { play = function() return require('lib.lists').last({}) end }")
        .bind("harbor", "cards.play");
    assert_eq!(
        case.found(),
        ["harbor/lib.lists.lua:2:23 unbound-function: no script uses `lib.lists.first` (take it out, or use it)"]
    );
    assert_eq!(case.run().0[0].confidence, rulepack_model::Confidence::Likely);
}

#[test]
fn a_table_that_is_given_away_is_used() {
    let case = Case::default()
        .script("harbor", "a", "return { f = function() end }")
        .script("harbor", "b", "local a = require('a')\nreturn { play = function(ctx) return ctx:first(a) end }")
        .bind("harbor", "b.play");
    assert_eq!(case.found(), Vec::<String>::new());
}
