//! The API of scripts as annotations, for the type checker and for editors.
//!
//! Generated from the tables of the host. Only Lua's own functions have their signatures here. A function that the host
//! allows and that has no signature takes and returns anything.

use std::fmt::Write;

use rulepack_script::{
    ApiField, ApiMethod, ApiParam, allowed, api, cell_fields, context_fields, option_tables, piece_fields, seat_fields,
    zone_fields,
};

/// A Lua function that scripts can call.
pub(crate) struct Standard {
    /// `name` or `library.name`.
    pub name: &'static str,
    /// Parameter names with types, as in the API; with `?` at the end one may be left out.
    pub params: &'static [(&'static str, &'static str)],
    /// Its result.
    pub returns: &'static str,
    /// Names of type variables in it.
    generic: &'static str,
}

type Params = &'static [(&'static str, &'static str)];

const fn plain(name: &'static str, params: Params, returns: &'static str) -> Standard {
    Standard { name, params, returns, generic: "" }
}

const fn generic(generic: &'static str, name: &'static str, params: Params, returns: &'static str) -> Standard {
    Standard { name, params, returns, generic }
}

const REST: (&str, &str) = ("...", "any");

static STANDARD: &[Standard] = &[
    generic("T", "assert", &[("value", "T?"), ("message", "any?"), REST], "T"),
    plain("error", &[("message", "any?")], "nil"),
    generic("V", "ipairs", &[("list", "V[]")], "fun(list: V[], at?: integer): integer, V"),
    plain("math.abs", &[("x", "number")], "number"),
    plain("math.ceil", &[("x", "number")], "integer"),
    plain("math.floor", &[("x", "number")], "integer"),
    plain("math.fmod", &[("x", "number"), ("y", "number")], "number"),
    plain("math.max", &[("x", "number"), ("...", "number")], "number"),
    plain("math.min", &[("x", "number"), ("...", "number")], "number"),
    generic("K, V", "next", &[("list", "table<K, V>"), ("key", "K?")], "K?, V?"),
    generic("K, V", "pairs", &[("list", "table<K, V>")], "fun(list: table<K, V>, key?: K): K, V"),
    plain("require", &[("name", "string")], "any"),
    plain("select", &[("from", "integer|string"), REST], "any"),
    plain("string.format", &[("pattern", "string"), REST], "string"),
    plain("string.gmatch", &[("text", "string"), ("pattern", "string")], "fun(): string"),
    plain(
        "string.gsub",
        &[
            ("text", "string"),
            ("pattern", "string"),
            ("by", "string|number|table|fun(found: string): any"),
            ("times", "integer?"),
        ],
        "string, integer",
    ),
    plain("string.len", &[("text", "string")], "integer"),
    plain("string.lower", &[("text", "string")], "string"),
    plain("string.match", &[("text", "string"), ("pattern", "string"), ("from", "integer?")], "any"),
    plain("string.sub", &[("text", "string"), ("from", "integer"), ("to", "integer?")], "string"),
    plain("string.upper", &[("text", "string")], "string"),
    plain(
        "table.concat",
        &[("list", "any[]"), ("between", "string?"), ("from", "integer?"), ("to", "integer?")],
        "string",
    ),
    plain("table.find", &[("list", "any[]"), ("value", "any"), ("from", "integer?")], "integer?"),
    plain("table.insert", &[("list", "any[]"), ("value", "any"), ("last", "any?")], ""),
    generic("V", "table.remove", &[("list", "V[]"), ("at", "integer?")], "V?"),
    plain("table.sort", &[("list", "any[]"), ("before", "(fun(a: any, b: any): boolean)?")], ""),
    generic("V", "table.unpack", &[("list", "V[]"), ("from", "integer?"), ("to", "integer?")], "V..."),
    plain("tonumber", &[("value", "any"), ("base", "integer?")], "number?"),
    plain("tostring", &[("value", "any")], "string"),
    plain("type", &[("value", "any")], "string"),
    generic("V", "unpack", &[("list", "V[]"), ("from", "integer?"), ("to", "integer?")], "V..."),
];

/// A Lua function that scripts can call, by its name.
pub(crate) fn standard(name: &str) -> Option<&'static Standard> {
    STANDARD.iter().find(|function| function.name == name)
}

/// Members of libraries that are not functions.
fn constant(name: &str) -> Option<&'static str> {
    (name == "math.huge").then_some("number")
}

/// The API of scripts, as a file for Lua editors.
pub fn definitions() -> String {
    let mut out = String::from("---@meta\n\n");
    let handles: [(&str, &str, &[ApiField], bool); 4] = [
        ("Piece", "A piece; also its attributes, resources, values and variables.", piece_fields(), true),
        ("Seat", "A player; also resources, values and variables.", seat_fields(), true),
        ("Cell", "A space; also its marks.", cell_fields(), true),
        ("Zone", "A zone.", zone_fields(), false),
    ];
    for (name, doc, fields, open) in handles {
        class(&mut out, name, doc, fields.iter().map(|field| (field.name, field.ty, field.doc)));
        out.push_str(if open { "---@field [string] any\n\n" } else { "\n" });
    }
    for table in option_tables() {
        class(&mut out, table.name, table.doc, table.options.iter().map(|option| (option.name, option.ty, option.doc)));
        out.push('\n');
    }
    let doc = "What a function of a script gets first.";
    class(&mut out, "Context", doc, context_fields().iter().map(|field| (field.name, field.ty, field.doc)));
    out.push_str("local Context = {}\n\n");
    for method in api() {
        context_method(&mut out, method);
    }
    for (name, members) in allowed() {
        if members.is_empty() {
            global(&mut out, name);
            continue;
        }
        // Strings find their methods in the library of that name.
        let _ = write!(out, "---@class {name}{}\n{name} = {{}}\n\n", if *name == "string" { "" } else { "lib" });
        for member in *members {
            global(&mut out, &format!("{name}.{member}"));
        }
    }
    out
}

/// The API of scripts in Markdown, for the docs.
pub fn reference() -> String {
    let mut out = String::new();
    let mut about = "";
    for method in api() {
        if method.about != about {
            about = method.about;
            let _ = write!(out, "### {about}\n\n");
        }
        let param = |param: &ApiParam| match param.name {
            "..." => "...".to_string(),
            name => format!("{name}: {}", param.ty),
        };
        let params: Vec<String> = method.params.iter().map(param).collect();
        let returns = if method.returns.is_empty() { String::new() } else { format!(" → {}", method.returns) };
        let _ = writeln!(out, "**`ctx:{}({}){returns}`**  \n{}\n", method.name, params.join(", "), method.doc);
        let _ = writeln!(out, "```lua\n{}\n```\n", method.example);
    }
    for table in option_tables() {
        let _ = writeln!(out, "### {}\n\n{}\n\n| entry | type | meaning |\n|---|---|---|", table.name, table.doc);
        rows(&mut out, table.options.iter().map(|option| (option.name, option.ty, option.doc)));
    }
    let fields: [(&str, &[ApiField]); 5] = [
        ("Fields of `ctx`", context_fields()),
        ("Fields of pieces, besides their attributes, resources, values and variables", piece_fields()),
        ("Fields of players, besides their resources, values and variables", seat_fields()),
        ("Fields of spaces, besides their marks", cell_fields()),
        ("Fields of zones", zone_fields()),
    ];
    for (title, fields) in fields {
        let _ = writeln!(out, "### {title}\n\n| field | type | meaning |\n|---|---|---|");
        rows(&mut out, fields.iter().map(|field| (field.name, field.ty, field.doc)));
    }
    out
}

fn rows<'a>(out: &mut String, rows: impl Iterator<Item = (&'a str, &'a str, &'a str)>) {
    for (name, ty, doc) in rows {
        let _ = writeln!(out, "| `{name}` | `{}` | {doc} |", ty.replace('|', "\\|"));
    }
    out.push('\n');
}

fn class<'a>(out: &mut String, name: &str, doc: &str, fields: impl Iterator<Item = (&'a str, &'a str, &'a str)>) {
    let _ = writeln!(out, "---{doc}\n---@class {name}");
    for (name, ty, doc) in fields {
        let _ = writeln!(out, "---@field {name} {ty} {doc}");
    }
}

fn context_method(out: &mut String, method: &ApiMethod) {
    let params: Vec<(&str, &str)> = method.params.iter().map(|param| (param.name, param.ty)).collect();
    let _ = writeln!(out, "---{}\n---\n---```lua", method.doc);
    for line in method.example.lines() {
        let _ = writeln!(out, "---{line}");
    }
    out.push_str("---```\n");
    function(out, &format!("Context:{}", method.name), &params, method.returns);
}

fn global(out: &mut String, name: &str) {
    match (constant(name), standard(name)) {
        (Some(ty), _) => {
            let _ = write!(out, "---@type {ty}\n{name} = nil\n\n");
        }
        (None, Some(known)) => {
            if !known.generic.is_empty() {
                let _ = writeln!(out, "---@generic {}", known.generic);
            }
            function(out, name, known.params, known.returns);
        }
        (None, None) => function(out, name, &[REST], "any"),
    }
}

fn function(out: &mut String, name: &str, params: &[(&str, &str)], returns: &str) {
    for (name, ty) in params {
        let (mark, ty) = ty.strip_suffix('?').map_or(("", *ty), |ty| ("?", ty));
        let _ = writeln!(out, "---@param {name}{mark} {ty}");
    }
    if !returns.is_empty() {
        let _ = writeln!(out, "---@return {returns}");
    }
    let names: Vec<&str> = params.iter().map(|(name, _)| *name).collect();
    let _ = write!(out, "function {name}({}) end\n\n", names.join(", "));
}
