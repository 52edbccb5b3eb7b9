//! Loading: every mistake is reported, `require` works and ends, hooks find their functions.

use rulepack_kernel::{EffectHost, Value};
use rulepack_model::HookId;

use super::harbor::*;
use crate::{Script, ScriptErrorKind, ScriptHost};

#[track_caller]
fn errors(hooks: &[&str], scripts: &[Script]) -> Vec<String> {
    let errors = ScriptHost::new(&rules(hooks), scripts).expect_err("something is wrong");
    errors
        .iter()
        .map(|error| format!("{error}{}", error.help.as_deref().map_or(String::new(), |help| format!(" - {help}"))))
        .collect()
}

#[test]
fn all_syntax_errors_are_reported() {
    let scripts = [
        script("ferries", "local ferries = {}\nfunction ferries.go(ctx\nreturn ferries"),
        script("inns", "return {}"),
        script("mills", "return { = 1 }"),
    ];
    let errors = ScriptHost::new(&rules(&["ferries.go", "inns.stay"]), &scripts).expect_err("two are no Lua");
    let found: Vec<_> = errors.iter().map(|error| (error.path.as_str(), error.line, error.kind)).collect();
    let missing = ScriptErrorKind::MissingFunction { hook: HookId(1) };
    assert_eq!(
        found,
        [
            ("scripts/harbor/ferries.lua", 3, ScriptErrorKind::Syntax),
            ("scripts/harbor/mills.lua", 1, ScriptErrorKind::Syntax),
            ("scripts/harbor/inns.lua", 0, missing),
        ]
    );
    assert!(!errors[0].message.contains("ferries.lua"), "{}", errors[0].message);
}

#[test]
fn missing_functions_have_a_hint() {
    let scripts = [script("ferries", "return { night_ferry = function() end, day = 1 }")];
    let hooks = ["ferries.nigth_ferry", "ferrys.x", "ferries.day"];
    assert_eq!(
        errors(&hooks, &scripts),
        [
            "scripts/harbor/ferries.lua: there is no function `nigth_ferry` in the script `ferries` - did you mean `night_ferry`?",
            "there is no script `ferrys` in the pack `harbor` - did you mean `ferries`?",
            "scripts/harbor/ferries.lua: `day` of the script `ferries` is no function, but a integer",
        ]
    );
}

#[test]
fn loading_can_fail_in_many_ways() {
    let scripts = [
        script("a", "\nerror('wet')\nreturn {}"),
        script("b", "return 1"),
        script("c", "while true do end"),
        script("d", "count = 1\nreturn {}"),
        // Not reported: what it needs is.
        script("e", "local a = require('a')\nreturn {}"),
        script("f", "return { x = require('g') }"),
        script("g", "\nreturn { x = require('f') }"),
        script("h", "return require('hh')"),
    ];
    assert_eq!(
        errors(&[], &scripts),
        [
            "scripts/harbor/a.lua:2: wet",
            "scripts/harbor/b.lua:1: a script gives one table of functions: it ends with `return`",
            "scripts/harbor/c.lua:1: scripts took more than 200000 steps while they were loaded (limit `script_steps`)",
            "scripts/harbor/d.lua:1: `count` cannot be set: write `local count`, since scripts share no globals",
            "scripts/harbor/g.lua:2: `f` requires itself, by way of the scripts that it requires",
            "scripts/harbor/h.lua:1: there is no script `hh` (did you mean `h`?)",
        ]
    );
}

#[test]
fn scripts_require_one_another() {
    let mut lib = script("lib.count", "return { two = function() return 2 end }");
    lib.pack = "lib".into();
    let scripts = [
        script(
            "f",
            "local count, sub = require('lib.count'), require('sub.more')\nreturn { go = function() return count.two() + sub.three end }",
        ),
        script("sub.more", "return { three = 3 }"),
        lib,
    ];
    let table = Table::body("");
    let host = ScriptHost::new(&table.rules, &scripts).expect("all is well");
    assert_eq!(host.query(&table.rules, table.state(), HookId(0), None, &[]), Ok(Value::Int(5)));
}
