//! The words of a script: names of the game in texts and fields, methods of `ctx`, and functions that definitions call.

use rulepack_lua::{LuaWord, LuaWordKind, lua_words};
use rulepack_script::api;

use super::{Role, Thing, Word, World, role_of};

/// Where a text in a call is looked for, by the method.
pub(crate) fn kinds_of(method: &str, argument: usize) -> &'static [&'static str] {
    const RESOURCES: &[&str] = &["resource", "group"];
    const ALL: &[&str] = &[
        "piece",
        "zone",
        "resource",
        "group",
        "var",
        "value",
        "event",
        "action",
        "prompt",
        "symbol",
        "kind",
        "plural",
        "adjacency",
        "attribute",
    ];
    match (method, argument) {
        ("gain" | "pay" | "put" | "store" | "take" | "give_back" | "can_pay" | "supply" | "room", 0)
        | ("pay_to", 1) => RESOURCES,
        ("raise", 0) => &["event"],
        ("perform" | "act" | "do_action", 0) => &["action"],
        ("set" | "get" | "var", 0) => &["var", "value"],
        ("value", 0) => &["value", "var"],
        _ => ALL,
    }
}

/// The words of a script; `module` is its name, such as `ferries`.
pub(crate) fn script_words(text: &str, module: &str, world: &World<'_>) -> Vec<Word> {
    let words = lua_words(text);
    let at = |index: usize| words.get(index).and_then(|word| text.get(word.at.clone())).unwrap_or("");
    let back = |index: usize, by: usize| index.checked_sub(by).map_or("", at);
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let name = at(index);
        let thing = match word.kind {
            LuaWordKind::Sign => continue,
            LuaWordKind::Text => {
                let (method, argument) = call_around(text, &words, index).unwrap_or_default();
                let kinds = match (back(index, 1), back(index, 2)) {
                    ("=", "prompt") => &["prompt"],
                    ("=", "from" | "to") => &["zone"],
                    _ => kinds_of(method, argument),
                };
                world.find(kinds, name).or_else(|| world.find(kinds_of("", 0), name))
            }
            LuaWordKind::Name => match (back(index, 3), back(index, 1)) {
                ("function", ".") => {
                    let name = format!("{module}.{name}");
                    let thing = Thing::Function { pack: world.pack.to_string(), name };
                    found.push(Word { declares: true, ..Word::new(word.at.clone(), Role::Script, Some(thing)) });
                    continue;
                }
                (_, ":") => api().iter().any(|method| method.name == name).then(|| Thing::Method(name.to_string())),
                (_, ".") => world.find(&["attribute", "resource", "group", "var", "value", "mark"], name),
                (_, "{" | ",") if at(index + 1) == "=" => world.find(&["resource", "group", "attribute", "var"], name),
                _ => None,
            },
        };
        if let Some(thing) = thing {
            found.push(Word::new(word.at.clone(), role_of(&thing), Some(thing)));
        }
    }
    found
}

/// The method in whose brackets a word stands, and which argument it is, from 0.
pub(crate) fn call_around<'t>(text: &'t str, words: &[LuaWord], index: usize) -> Option<(&'t str, usize)> {
    let at = |index: usize| words.get(index).and_then(|word| text.get(word.at.clone())).unwrap_or("");
    let (mut depth, mut argument) = (0_usize, 0_usize);
    for back in (0..index).rev().take(200) {
        match at(back) {
            ")" | "}" | "]" => depth += 1,
            "(" | "{" | "[" if depth > 0 => depth -= 1,
            "(" | "{" => {
                let method = words.get(back.checked_sub(1)?)?;
                if method.kind == LuaWordKind::Name {
                    return Some((text.get(method.at.clone())?, argument));
                }
                // Inside a table in brackets: go on outwards.
                argument = 0;
            }
            "," if depth == 0 => argument += 1,
            _ => {}
        }
    }
    None
}
