//! Functions that scripts must not have.

use rulepack_kernel::Value;

use super::harbor::*;

const ESCAPES: &[&str] = &[
    "io",
    "os",
    "debug",
    "package",
    "load",
    "loadstring",
    "loadfile",
    "dofile",
    "getfenv",
    "setfenv",
    "collectgarbage",
    "newproxy",
    "coroutine",
    "pcall",
    "xpcall",
    "getmetatable",
    "setmetatable",
    "rawset",
    "rawget",
    "rawequal",
    "rawlen",
    "_G",
    "_VERSION",
    "print",
    "utf8",
    "bit32",
    "buffer",
    "vector",
    "integer",
    "gcinfo",
    "typeof",
    "warn",
    "class",
];

#[test]
fn what_is_gone_is_not_defined() {
    for name in ESCAPES {
        let message = fault(&format!("return {name}"));
        assert!(message.starts_with(&format!("1: `{name}` is not defined")), "{message}");
        // A call could take the VM's short cut.
        let message = fault(&format!("return {name}('')"));
        assert!(message.contains("is not defined"), "{name}: {message}");
    }
    for name in [
        "string.find",
        "string.split",
        "string.rep",
        "string.byte",
        "string.char",
        "table.move",
        "math.random",
        "math.sin",
        "table.create",
        "table.freeze",
        "string.dump",
        "string.pack",
    ] {
        for body in [format!("return {name}"), format!("return {name}('a', 'a')")] {
            let message = fault(&body);
            assert!(message.contains("is not defined") || message.contains("a text has no"), "{name}: {message}");
        }
    }
}

#[test]
fn exactly_the_listed_globals_are_there() {
    for (name, members) in crate::allowed() {
        assert_eq!(value(&format!("return {name} ~= nil")), Value::Bool(true), "{name}");
        for member in *members {
            assert_eq!(value(&format!("return {name}.{member} ~= nil")), Value::Bool(true), "{name}.{member}");
        }
        if !members.is_empty() {
            let count = format!("local n = 0 for _ in pairs({name}) do n = n + 1 end return n");
            assert_eq!(value(&count), Value::Int(i64::try_from(members.len()).unwrap()), "{name}");
        }
    }
}

#[test]
fn globals_cannot_be_written() {
    assert_eq!(fault("tide = 1"), "1: `tide` cannot be set: write `local tide`, since scripts share no globals");
    assert_eq!(fault("\nreturn tied"), "2: `tied` is not defined");
    assert_eq!(fault("return ipair({})"), "1: `ipair` is not defined (did you mean `ipairs`?)");
    for body in ["string.len = 1", "require = 1", "table.extra = 1", "ipairs = 1"] {
        assert!(fault(body).contains("cannot be"), "{body}: {}", fault(body));
    }
    assert!(fault("f.other = 1").starts_with("1: this table cannot be changed"));
}

#[test]
fn the_library_that_is_left_works() {
    assert_eq!(value("local l = {3, 1, 2} table.sort(l) table.insert(l, 1, 0) return #l * 10 + l[4]"), Value::Int(43));
    assert_eq!(value("local l = {3, 1, 2} return table.remove(l, 1) + table.remove(l) + #l"), Value::Int(6));
    assert_eq!(value("return tonumber(('terrain_3'):match('%d'))"), Value::Int(3));
    assert_eq!(value("return #table.concat({'a', 'b'}, ', ')"), Value::Int(4));
    assert_eq!(value("return select('#', unpack({1, 2, 3}))"), Value::Int(3));
    assert_eq!(value("local n = 0 for _, v in pairs({a = 1, b = 2}) do n = n + v end return n"), Value::Int(3));
    assert_eq!(
        fault("local what = 'coin' return what.weight"),
        "1: a text has no `weight`: for an attribute of a resource or a type, write `ctx:attr(what, \"weight\")`"
    );
    assert_eq!(fault("error('so it is')"), "1: so it is");
    assert_eq!(fault("\nassert(1 == 2, 'no sum')"), "2: no sum");
    assert_eq!(
        fault("for _ in pairs({[{}] = 1}) do end"),
        "1: a table whose keys are tables or functions has no order: use a list"
    );
    assert_eq!(fault("\ntable.insert(nil, 1, 2)"), "2: only a list or a text has a length, not nothing");
    assert_eq!(
        fault("\nlocal x = nil\nreturn x.y"),
        "3: `y` is read of nothing: test first whether it is there, as in `if piece then … end`"
    );
}
