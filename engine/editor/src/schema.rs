//! JSON Schema (2020-12) for every kind of file that authors write.
//!
//! Definitions come from `rulepack_pack::keys`, which the reader of tables is held to; scenarios and the project file from the lists
//! of keys that their readers use. With a game, its own kinds and attributes are in the schema; without one, any kind and any
//! attribute is accepted.

use rulepack_expr::{AttrTy, Vocabulary};
use rulepack_model::{Code, KindId};
use rulepack_pack::keys::{Holds, Key, LIST, NEEDS, PACK, SORTS, TYPE};
use rulepack_tools::scenario::{CASE_KEYS, FILE_KEYS, GIVEN_KEYS, MATRIX_KEYS, STEP_KEYS, THEN_KEYS};
use rulepack_tools::{ALL_WARNINGS, PROJECT_BOTS, PROJECT_CHECK, PROJECT_KEYS};
use serde_json::{Map, Value, json};

/// The schema of one kind of file.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Its name, such as `scenario`: that of the file without `.schema.json`.
    pub name: &'static str,
    /// The files that it is for, as patterns below a library; of the project file, below its folder.
    pub files: &'static [&'static str],
    /// The schema.
    pub json: Value,
}

/// The schemas of all kinds of files; with the kinds and attributes of a game, if one is given.
pub fn schemas(game: Option<&Vocabulary>) -> Vec<Schema> {
    let definitions = definitions(game);
    let mut manifest = definitions.clone();
    manifest.insert("pack".into(), with_required(table(PACK), &["id", "version", "title"]));
    for key in NEEDS {
        manifest.insert(key.name.into(), described(key));
    }
    let more = further_kinds(game);
    let schema = |name, files, title: &str, mut json: Value| {
        if let Some(all) = json.as_object_mut() {
            all.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
            all.insert("title".into(), json!(title));
        }
        Schema { name, files, json }
    };
    vec![
        schema(
            "manifest",
            &["content/*/pack.toml"],
            "The manifest of a pack",
            json!({ "type": "object", "properties": manifest, "additionalProperties": more, "required": ["pack"] }),
        ),
        schema(
            "definitions",
            &["content/*/**/*.toml"],
            "Definitions of a pack",
            json!({ "type": "object", "properties": definitions, "additionalProperties": more }),
        ),
        schema("scenario", &["content/*/scenarios/**/*.toml"], "A scenario", scenario()),
        schema("translation", &["content/*/locale/*.toml"], "A translation of a pack", translation()),
        schema("survivors", &["content/*/.survivors.toml"], "Accepted survivors of mutation testing", survivors()),
        schema("project", &["rulepack.toml"], "The project file", project()),
    ]
}

/// The properties of a file of definitions.
fn definitions(game: Option<&Vocabulary>) -> Map<String, Value> {
    let mut all = Map::new();
    for sort in SORTS {
        let open = sort.name == "resource" && game.is_none();
        let mut keys = properties(sort.keys);
        if let Some(game) = game.filter(|_| sort.name == "resource") {
            keys.extend(game.resource_attrs.iter().map(|(name, (_, ty))| (name.clone(), attribute(*ty))));
        }
        let mut one = json!({ "type": "object", "properties": keys, "additionalProperties": open });
        let json = if sort.is_single() {
            one
        } else {
            if let Some(one) = one.as_object_mut() {
                one.insert("description".into(), json!(sort.about));
            }
            json!({ "type": "object", "additionalProperties": one })
        };
        all.insert(sort.name.into(), with_about(json, sort.about));
    }
    let fields = json!({ "type": "object", "additionalProperties": { "type": "object" } });
    let patches =
        json!({ "type": "object", "additionalProperties": { "type": "object", "additionalProperties": fields } });
    all.insert("patch".into(), with_about(patches, "Changes of definitions of other packs."));
    if let Some(game) = game {
        all.extend(game.kinds.iter().map(|(kind, id)| (kind.clone(), types_of(game, kind, *id))));
    }
    all
}

/// Tables of a kind that the engine does not know: without a game, each may be a kind of pieces.
fn further_kinds(game: Option<&Vocabulary>) -> Value {
    match game {
        Some(_) => json!(false),
        None => {
            let keys: Vec<Key> = TYPE.iter().chain(LIST).copied().collect();
            let one = json!({ "type": "object", "properties": properties(&keys), "additionalProperties": true });
            json!({ "type": "object", "additionalProperties": one })
        }
    }
}

/// The types of a kind of pieces.
fn types_of(game: &Vocabulary, kind: &str, id: KindId) -> Value {
    let attributes = game.attrs.iter().filter(|(_, attr)| attr.kinds.contains(&id));
    let (mut one, mut many) = (properties(TYPE), properties(TYPE));
    let lists: Vec<Key> = LIST.to_vec();
    many.extend(properties(&lists));
    for (name, attr) in attributes {
        one.insert(name.clone(), attribute(attr.ty));
        // A list, or a template with the words of lists.
        many.insert(name.clone(), json!(true));
    }
    // Lists of resources and symbols stand under any name in a definition that makes many types.
    let single = json!({ "properties": one, "additionalProperties": false });
    let each = json!({ "properties": many, "additionalProperties": true });
    let types = json!({
        "type": "object",
        "if": { "required": ["id"] },
        "then": each,
        "else": single,
    });
    with_about(json!({ "type": "object", "additionalProperties": types }), &format!("A type of the kind `{kind}`."))
}

fn attribute(ty: AttrTy) -> Value {
    match ty {
        AttrTy::Int => json!({ "type": "integer" }),
        AttrTy::Bool => json!({ "type": "boolean" }),
        AttrTy::Text | AttrTy::Res | AttrTy::Sym | AttrTy::Type => json!({ "type": "string" }),
        AttrTy::Cost | AttrTy::Effect => json!({ "type": ["string", "integer"] }),
        AttrTy::Amount | AttrTy::Condition => json!({ "type": ["string", "integer", "boolean"] }),
    }
}

fn properties(keys: &[Key]) -> Map<String, Value> {
    keys.iter().map(|key| (key.name.to_string(), described(key))).collect()
}

fn described(key: &Key) -> Value {
    let json = match key.name {
        // Tables of the same fields as the type itself.
        "printing" | "differs" => json!({ "type": "object", "additionalProperties": { "type": "object" } }),
        _ => value(&key.holds),
    };
    with_about(json, key.about)
}

fn with_about(mut json: Value, about: &str) -> Value {
    if json == json!(true) {
        json = json!({});
    }
    if let Some(all) = json.as_object_mut() {
        all.insert("description".into(), json!(about));
    }
    json
}

fn with_required(mut json: Value, keys: &[&str]) -> Value {
    if let Some(all) = json.as_object_mut() {
        all.insert("required".into(), json!(keys));
    }
    json
}

fn table(keys: &[Key]) -> Value {
    json!({ "type": "object", "properties": properties(keys), "additionalProperties": false })
}

/// The types of attributes, see `names.rs` of the linker.
const ATTRIBUTE_TYPE: &str = "^(number|yes_no|text|resource|symbol|piece|cost|effect|amount|condition)\\??$";

fn value(holds: &Holds) -> Value {
    match holds {
        Holds::Text | Holds::Name(_) | Holds::Type | Holds::Function => json!({ "type": "string" }),
        Holds::Path => json!({ "type": "string", "pattern": "^[^.]+\\..+$" }),
        Holds::Word(words) => json!({ "enum": words }),
        Holds::Whole => json!({ "type": "integer" }),
        Holds::Flag => json!({ "type": "boolean" }),
        Holds::AttributeType => json!({ "type": "string", "pattern": ATTRIBUTE_TYPE }),
        Holds::Formula(_) => json!({ "type": ["string", "integer", "boolean"] }),
        Holds::Table(keys) => table(keys),
        Holds::Map(_, inner) => json!({ "type": "object", "additionalProperties": value(inner) }),
        Holds::List(inner) => json!({ "type": "array", "items": value(inner) }),
        Holds::Any(all) => json!({ "anyOf": all.iter().map(value).collect::<Vec<_>>() }),
        Holds::Anything => json!(true),
    }
}

/// An object with these keys, and the schemas of some of them.
fn object(keys: &[&str], known: &[(&str, Value)]) -> Value {
    let of = |key: &&str| {
        let found = known.iter().find(|(name, _)| name == key).map_or(json!(true), |(_, json)| json.clone());
        ((*key).to_string(), found)
    };
    let properties: Map<String, Value> = keys.iter().map(of).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn scenario() -> Value {
    let text = json!({ "type": "string" });
    let texts = json!({ "anyOf": [text, { "type": "array", "items": text }] });
    let any_table = json!({ "type": "object" });
    let tables = json!({ "type": "object", "additionalProperties": { "type": "object" } });
    let given = object(
        &GIVEN_KEYS,
        &[
            ("with", texts.clone()),
            ("modes", texts.clone()),
            ("players", json!({ "type": ["integer", "array"] })),
            ("seed", json!({ "type": "integer" })),
            ("from", text.clone()),
            ("first", text.clone()),
            ("turn", text.clone()),
            ("aside", text.clone()),
            ("vars", any_table.clone()),
            ("supply", any_table.clone()),
            ("each", any_table.clone()),
            ("zone", any_table.clone()),
            ("seat", tables.clone()),
            ("rolls", json!({ "type": "array" })),
        ],
    );
    let then = object(
        &THEN_KEYS,
        &[
            ("turn", text.clone()),
            ("over", json!({ "type": "boolean" })),
            ("vars", any_table.clone()),
            ("supply", any_table.clone()),
            ("zone", any_table.clone()),
            ("each", any_table.clone()),
            ("seat", tables),
        ],
    );
    let step = object(&STEP_KEYS, &[("seat", text.clone()), ("refused", text.clone()), ("then", then.clone())]);
    let when = json!({ "type": "array", "items": step });
    let parts = [
        ("name", text.clone()),
        ("about", text.clone()),
        ("pack", text.clone()),
        ("covers", texts.clone()),
        ("example", texts),
        ("legend", any_table),
        ("matrix", object(&MATRIX_KEYS, &[])),
        ("given", given),
        ("when", when),
        ("then", then),
    ];
    let case = object(&CASE_KEYS, &parts);
    let mut all = parts.to_vec();
    all.push(("case", json!({ "type": "array", "items": with_required(case, &["name"]) })));
    object(&FILE_KEYS, &all)
}

fn translation() -> Value {
    let text = json!({ "type": "string" });
    let fields = json!({
        "type": "object",
        "properties": {
            "title": text,
            "text": text,
            "names": { "type": "object" },
            "patch": { "type": "object" },
        },
        "additionalProperties": { "type": "object" },
    });
    let pack = json!({
        "type": "object",
        "properties": { "title": text, "text": text },
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": { "pack": pack },
        "additionalProperties": { "type": "object", "additionalProperties": fields },
    })
}

fn survivors() -> Value {
    let keys = ["path", "text", "what", "reason"];
    let text = json!({ "type": "string", "minLength": 1 });
    let known: Vec<(&str, Value)> = keys.iter().map(|key| (*key, text.clone())).collect();
    let one = with_required(object(&keys, &known), &keys);
    object(&["survivor"], &[("survivor", json!({ "type": "array", "items": one }))])
}

fn project() -> Value {
    let text = json!({ "type": "string", "minLength": 1 });
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    let denied: Vec<&str> = codes.iter().copied().chain([ALL_WARNINGS]).collect();
    let bots: Vec<(&str, Value)> = PROJECT_BOTS.iter().map(|command| (*command, text.clone())).collect();
    let list = |words: Vec<&str>| json!({ "type": "array", "items": { "enum": words } });
    object(
        &PROJECT_KEYS,
        &[
            ("libraries", json!({ "type": "array", "items": text, "minItems": 1 })),
            ("pack", text.clone()),
            ("language", text.clone()),
            ("bots", object(&PROJECT_BOTS, &bots)),
            ("check", object(&PROJECT_CHECK, &[("allow", list(codes)), ("deny", list(denied))])),
        ],
    )
}
