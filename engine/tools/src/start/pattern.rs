//! A new card begins as a copy of one that the game has: it has the attributes that its kind needs, and begins where the
//! others of its kind begin.

use rulepack_model::{Sources, Table, Value};
use rulepack_pack::{Definitions, Manifest};

use super::{Named, NewFile, filled, quoted};
use crate::load::GameBox;

/// Fields of a type that a copy does not take over.
const OWN: [&str; 9] =
    ["title", "text", "only_in", "count", "source", "printing", "printing_of", "face_down", "flipped"];

/// The largest number of proposals, and of those of one kind.
const MOST: usize = 24;
const MOST_OF_A_KIND: usize = 4;

/// The files of one proposal, and the scenarios of which the first that passes is taken.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// All files but the scenario.
    pub files: Vec<NewFile>,
    /// The possible scenarios, the one that says most first.
    pub scenarios: Vec<NewFile>,
}

/// A card to make.
#[derive(Debug, Clone)]
pub struct CardIn<'a> {
    /// The pack in which it is.
    pub pack: &'a str,
    /// Its name.
    pub name: &'a Named,
    /// Its kind, if it is to be of one kind.
    pub kind: Option<&'a str>,
    /// The one that it begins as a copy of, if it is to be a certain one.
    pub like: Option<&'a str>,
    /// Whether its effect is a script.
    pub lua: bool,
}

/// A type of the game that can be copied.
struct Pattern<'g> {
    kind: &'g str,
    like: &'g str,
    /// The fields to copy, as they are written.
    fields: Vec<(String, String)>,
    /// An attribute of it that is an effect.
    effect: Option<String>,
    /// Where it begins, and whether every player has such a zone.
    zone: Option<(String, bool)>,
    /// Whether the pieces of its kind are listed as components.
    is_listed: bool,
}

/// The types that can be copied, the simplest with an effect first.
fn patterns<'g>(game: &'g GameBox, sources: &Sources) -> Vec<Pattern<'g>> {
    let catalogue = game.catalogue();
    let definitions = &catalogue.definitions;
    let mut all = Vec::new();
    for (kind, _) in definitions.of("kind") {
        let chain = chain(definitions, kind);
        let attributes: Vec<&str> = chain.iter().flat_map(|kind| effects(definitions, kind)).collect();
        let of_kind = format!("{kind}.");
        let is_listed = catalogue
            .components
            .iter()
            .any(|component| component.what.as_deref().is_some_and(|what| what.starts_with(&of_kind)));
        let mut some: Vec<Pattern<'g>> = Vec::new();
        for (like, entry) in definitions.of(kind) {
            let Some(table) = entry.node.as_table() else { continue };
            if table.get("printing_of").is_some() {
                continue;
            }
            let mut fields = Vec::new();
            leaves(table, "", sources, &mut fields);
            let has = |name: &&str| fields.iter().any(|(key, _)| key == name);
            let effect = attributes.iter().copied().find(has).map(str::to_string);
            let zone = table.get("starts_in").and_then(|node| node.as_str()).map(str::to_string);
            let zone = zone.or_else(|| chain.iter().find_map(|kind| text_of(definitions, "kind", kind, "starts_in")));
            let zone = zone.map(|zone| {
                let is_players = text_of(definitions, "zone", &zone, "owner").as_deref() == Some("player");
                (zone, is_players)
            });
            some.push(Pattern { kind, like, fields, effect, zone, is_listed });
        }
        sort(&mut some);
        some.truncate(MOST_OF_A_KIND);
        all.append(&mut some);
    }
    sort(&mut all);
    all.truncate(MOST);
    all
}

/// Those whose effect can be replaced first, then those that say least.
fn sort(patterns: &mut [Pattern<'_>]) {
    let length = |pattern: &Pattern<'_>| pattern.fields.iter().map(|(_, text)| text.len()).sum::<usize>();
    patterns.sort_by_key(|pattern| (pattern.effect.is_none(), pattern.fields.len(), length(pattern)));
}

/// A kind and the kinds above it.
fn chain(definitions: &Definitions, kind: &str) -> Vec<String> {
    const MOST_ABOVE: usize = 32;
    let mut chain = vec![kind.to_string()];
    while let Some(above) = chain.last().and_then(|kind| text_of(definitions, "kind", kind, "of")) {
        if chain.len() >= MOST_ABOVE {
            break;
        }
        chain.push(above);
    }
    chain
}

/// The attributes of a kind that are effects.
fn effects<'d>(definitions: &'d Definitions, kind: &str) -> Vec<&'d str> {
    let attributes = definitions.get("kind", kind).and_then(|node| node.below("attributes"));
    let is_effect = |value: &Value| match value {
        Value::Str(text) => text.trim_end_matches('?') == "effect",
        Value::Table(table) => table.get("type").and_then(|node| node.as_str()) == Some("effect"),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Date(_) | Value::List(_) => false,
    };
    let table = attributes.and_then(|node| node.as_table());
    let all = table.into_iter().flat_map(Table::iter);
    all.filter(|(_, entry)| is_effect(&entry.node.value)).map(|(name, _)| name).collect()
}

fn text_of(definitions: &Definitions, kind: &str, id: &str, key: &str) -> Option<String> {
    definitions.get(kind, id)?.below(key)?.as_str().map(str::to_string)
}

/// The fields of a table as they are written, those of inner tables with dots.
fn leaves(table: &Table, above: &str, sources: &Sources, out: &mut Vec<(String, String)>) {
    for (key, entry) in table.iter() {
        if above.is_empty() && OWN.contains(&key) {
            continue;
        }
        let path = if above.is_empty() { key.to_string() } else { format!("{above}.{key}") };
        match entry.node.as_table() {
            Some(inner) => leaves(inner, &path, sources, out),
            None => out.push((path, sources.text(entry.node.span).to_string())),
        }
    }
}

/// What a script can do in every game: give one of a resource, if there is any.
fn lua_effect(definitions: &Definitions, pattern: &Pattern<'_>, id: &str) -> (String, String) {
    let is_kept = |id: &str| definitions.get("resource", id).and_then(|node| node.below("kept")).is_some();
    let plain = definitions.of("resource").map(|(id, _)| id).find(|id| !is_kept(id));
    let group = definitions.of("group").map(|(id, _)| id).next();
    match (&pattern.effect, plain.or(group)) {
        (Some(_), Some(what)) => {
            let function = format!("-- \"Gain 1 {what}.\"\nfunction cards.{id}(ctx)\n  ctx:gain(\"{what}\", 1)\nend\n");
            (format!("cards.{id}"), function)
        }
        // Points are counted in every game.
        _ => {
            let function = format!("-- \"Gives 1 point.\"\nfunction cards.{id}(ctx, piece)\n  return 1\nend\n");
            (format!("cards.{id}(self)"), function)
        }
    }
}

fn script(functions: &str) -> String {
    format!(
        "-- What is a procedure. docs/lua.md shows all that `ctx` can do, with an example each.\nlocal cards = {{}}\n\n{functions}\nreturn cards\n"
    )
}

/// The definition of a copy. With `hook`, its effect or its points are this script.
fn definition(pattern: &Pattern<'_>, name: &Named, hook: Option<&str>) -> String {
    let title = format!("\"{}\"", name.title);
    let mut fields = vec![("title".to_string(), title)];
    let replaced =
        hook.map(|hook| (pattern.effect.clone().unwrap_or_else(|| "score".to_string()), format!("\"{hook}\"")));
    for (key, text) in &pattern.fields {
        match &replaced {
            Some((effect, hook)) if key == effect => {
                fields.push((key.clone(), format!("{hook}    # a function of scripts/")))
            }
            _ => fields.push((key.clone(), text.clone())),
        }
    }
    if let Some((effect, hook)) = replaced
        && !fields.iter().any(|(key, _)| *key == effect)
    {
        fields.push((effect, format!("{hook}    # a function of scripts/")));
    }
    let width = fields.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = fields.iter().map(|(key, text)| format!("{key:width$} = {text}\n")).collect();
    format!("[{}.{}]\n{}", pattern.kind, name.id, lines.concat())
}

fn component(pattern: &Pattern<'_>, prefix: &str, id: &str) -> String {
    let name = id.to_uppercase().replace('_', "-");
    format!("[component.{prefix}-{name}]\npiece = \"{}.{id}\"\ncount = 1\n", pattern.kind)
}

/// Scenarios that lay the new pieces where they begin, and one that says less.
fn scenarios(path: &str, about: &str, covers: &str, pattern: &Pattern<'_>, ids: &[&str]) -> Vec<NewFile> {
    let listed = ids.iter().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(", ");
    let head = format!(
        "# Lay the table out under `given`, give the answers under `when`, and say under `then` what must hold: docs/scenarios.md.\nabout  = \"{about}\"\n{covers}"
    );
    let mut texts = Vec::new();
    if let Some((zone, is_players)) = &pattern.zone {
        let (place, then, whose) = if *is_players { ("seat.a", "then.seat.a", "my ") } else { ("zone", "then", "") };
        let holds: Vec<String> = ids.iter().map(|id| format!("\"any({whose}{zone} where it is {id})\"")).collect();
        let holds = holds.join(", ");
        for what in [format!("{zone} = {{ top = [{listed}] }}"), format!("{zone} = [{listed}]")] {
            texts.push(format!("{head}\n[given.{place}]\n{what}\n\n[{then}]\nholds = [{holds}]\n"));
        }
    }
    texts.push(format!("{head}\n[then]\nover = false\n"));
    texts.into_iter().map(|text| NewFile::new(path, text)).collect()
}

/// Proposals for a new card in a pack, the best first.
pub fn for_card(game: &GameBox, sources: &Sources, card: &CardIn<'_>) -> Vec<Proposal> {
    let CardIn { pack, name, kind, like, lua } = card;
    let definitions = &game.catalogue().definitions;
    let proposal = |pattern: &Pattern<'_>| {
        let (hook, function) = lua_effect(definitions, pattern, &name.id);
        let path = format!("content/{pack}/cards/{}.toml", name.id);
        let head = format!(
            "# It begins as a copy of `{}.{}`: change what it should do differently.\n\n",
            pattern.kind, pattern.like
        );
        let (hook, function) = if *lua {
            let file = format!("card_{}", name.id);
            (Some(hook.replacen("cards.", &format!("{file}."), 1)), Some((file, function)))
        } else {
            (None, None)
        };
        let mut text = head + &definition(pattern, name, hook.as_deref());
        if pattern.is_listed {
            text.push_str(&format!("\n# The box holds one.\n{}", component(pattern, &pack.to_uppercase(), &name.id)));
        }
        let mut files = vec![NewFile::new(path, text)];
        if let Some((file, function)) = function {
            files.push(NewFile::new(format!("scripts/{pack}/{file}.lua"), script(&function)));
        }
        let about = format!("{} is part of the game.", name.title);
        let path = format!("content/{pack}/scenarios/{}.toml", name.id);
        Proposal { files, scenarios: scenarios(&path, &about, "", pattern, &[&name.id]) }
    };
    let all = patterns(game, sources);
    let fits = |pattern: &&Pattern<'_>| {
        kind.is_none_or(|kind| kind == pattern.kind) && like.is_none_or(|like| like == pattern.like)
    };
    all.iter().filter(fits).map(proposal).collect()
}

/// Proposals for an expansion of a game, the best first.
pub fn for_expansion(game: &GameBox, sources: &Sources, base: &Manifest, name: &Named) -> Vec<Proposal> {
    let definitions = &game.catalogue().definitions;
    let snake = name.id.replace('-', "_");
    let (first, second) = (format!("{snake}_first"), format!("{snake}_second"));
    let other = if base.language == "fr" { "en" } else { "fr" };
    let locale = base.locales.first().map_or(other, |word| word.text.as_str());
    let text = format!("Two new ones for {}.", quoted(&base.title));
    let (rules, version) = (name.rules(), base.version.to_string());
    let values: Vec<(&str, &str)> = vec![
        ("id", &name.id),
        ("title", &name.title),
        ("text", &text),
        ("ID", &rules),
        ("base", &base.id),
        ("version", &version),
        ("language", &base.language),
        ("locale", locale),
    ];
    let folder = format!("content/{}", name.id);
    let proposal = |pattern: &Pattern<'_>| {
        let (in_data, in_lua) = (Named::of(&first, Some("In data")), Named::of(&second, Some("In Lua")));
        let (hook, function) = lua_effect(definitions, pattern, &second);
        let data = format!(
            "{}\n# This one calls a function of scripts/{}/cards.lua.\n{}",
            definition(pattern, &in_data, None),
            name.id,
            definition(pattern, &in_lua, Some(&hook)).trim_end()
        );
        let more = [("kind", pattern.kind), ("like", pattern.like), ("data", data.as_str())];
        let with = |template: &str| filled(template, &[&values[..], &more].concat());
        let mut rules_text = with(include_str!("../../templates/expansion_rules.toml"));
        if pattern.is_listed {
            for id in [&first, &second] {
                rules_text.push_str(&format!("\n{}", component(pattern, &rules, id)));
            }
        }
        let mut locale_text = with(include_str!("../../templates/locale.toml"));
        for named in [&in_data, &in_lua] {
            locale_text.push_str(&format!("\n[{}.{}]\ntitle = \"{}\"\n", pattern.kind, named.id, named.title));
        }
        let files = vec![
            NewFile::new(format!("{folder}/pack.toml"), with(include_str!("../../templates/expansion_pack.toml"))),
            NewFile::new(
                format!("{folder}/cards/cards.toml"),
                with(include_str!("../../templates/expansion_cards.toml")),
            ),
            NewFile::new(format!("{folder}/rules/rules.toml"), rules_text),
            NewFile::new(format!("{folder}/locale/{locale}.toml"), locale_text),
            NewFile::new(format!("scripts/{}/cards.lua", name.id), script(&function)),
        ];
        let path = format!("{folder}/scenarios/new_pieces.toml");
        let covers = format!("covers = [\"{rules}-01\"]\n");
        let about = "The new pieces are part of the game.";
        Proposal { files, scenarios: scenarios(&path, about, &covers, pattern, &[&first, &second]) }
    };
    patterns(game, sources).iter().map(proposal).collect()
}
