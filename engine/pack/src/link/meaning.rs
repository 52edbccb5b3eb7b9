//! Digests of the meaning of definitions and scripts. Comments, titles, texts, spaces and file names do not count.

use std::hash::Hasher;

use rulepack_kernel::{Meaning, ORDER, Ruleset};
use rulepack_model::{Cut, Node, StableHasher, Table, Value};

use super::{Definitions, ScriptText};

/// Lists for reports, and modes (their patches show in the definitions that they patch).
const NO_RULES: [&str; 4] = ["component", "example", "mode", "rule"];
/// Fields that people read, and fields about sources.
const NO_RULE_KEYS: [&str; 5] = ["only_in", "plural", "source", "text", "title"];

/// The digests of everything in use.
pub(crate) fn meaning(definitions: &Definitions, scripts: &[ScriptText], rules: &Ruleset) -> Meaning {
    let mut meaning = Meaning::default();
    for (kind, table) in definitions.kinds.iter().filter(|(kind, _)| !NO_RULES.contains(&kind.as_str())) {
        // How bots judge a table is not a rule.
        for (id, entry) in table.iter().filter(|(id, _)| (kind.as_str(), *id) != ("game", "evaluate")) {
            let mut hasher = StableHasher::new();
            match entry.node.as_table() {
                Some(fields) => definition(kind, fields, &mut hasher),
                None => value(&entry.node, &mut hasher),
            }
            meaning.definitions.insert(format!("{kind}.{id}"), short(&hasher));
        }
    }
    for script in in_use(scripts) {
        let mut hasher = StableHasher::new();
        words(&script.text, Comments::Lua, &mut hasher);
        meaning.definitions.insert(format!("script.{}:{}", script.pack, script.name), short(&hasher));
    }
    for (what, names) in orders(rules) {
        if names.len() > 1 {
            meaning.definitions.insert(format!("{ORDER}{what}"), names.join(" "));
        }
    }
    meaning
}

/// Definitions whose order is a rule: of two standing rules that apply at once the first runs first, and pieces listen
/// zone by zone. Modifiers of a value are added up, so their order does not matter.
fn orders(rules: &Ruleset) -> [(&'static str, Vec<&str>); 3] {
    let listens = rules.types.iter().any(|ty| !ty.listens.is_empty() || !ty.replaces.is_empty());
    let zones = |of_players: bool| {
        let in_play = rules.zones.iter().filter(move |zone| listens && zone.in_play && zone.per_player == of_players);
        in_play.map(|zone| zone.name.as_str()).collect()
    };
    let standing = rules.standing.iter().map(|standing| standing.name.as_str()).collect();
    [("standing", standing), ("zones_of_players", zones(true)), ("zones_of_the_table", zones(false))]
}

/// The scripts of the packs themselves, and those shared scripts of a library that they use.
fn in_use(scripts: &[ScriptText]) -> Vec<&ScriptText> {
    let (mut shared, mut used): (Vec<_>, Vec<_>) = scripts.iter().partition(|script| script.name.starts_with("lib."));
    let mut looked_at = 0;
    while let Some(script) = used.get(looked_at) {
        let (named, others): (Vec<_>, Vec<_>) =
            shared.into_iter().partition(|lib| lib.pack == script.pack && script.text.contains(&lib.name));
        used.extend(named);
        shared = others;
        looked_at = looked_at.saturating_add(1);
    }
    used
}

fn short(hasher: &StableHasher) -> String {
    format!("{:08x}", hasher.finish() as u32)
}

/// The fields of a definition; the order in which they are written does not matter.
fn definition(kind: &str, fields: &Table, hasher: &mut StableHasher) {
    // How often bots choose an action is not a rule.
    let is_rule = |key: &str| !NO_RULE_KEYS.contains(&key) && (kind, key) != ("action", "weight");
    let mut fields: Vec<_> = fields.iter().filter(|(key, _)| is_rule(key)).collect();
    fields.sort_by_key(|(key, _)| *key);
    for (key, entry) in fields {
        word(key, hasher);
        value(&entry.node, hasher);
    }
}

/// Inside a field, the order counts: the order of parameters is the order of questions.
fn value(node: &Node, hasher: &mut StableHasher) {
    match &node.value {
        Value::Str(text) => {
            hasher.write_u8(1);
            words(text, Comments::Hash, hasher);
        }
        Value::Int(number) => {
            hasher.write_u8(2);
            hasher.write_i64(*number);
        }
        Value::Float(number) => hasher.write_u64(number.to_bits()),
        Value::Bool(flag) => hasher.write_u8(if *flag { 4 } else { 3 }),
        Value::Date(text) => word(text, hasher),
        Value::List(items) => {
            hasher.write_u8(5);
            items.iter().for_each(|item| value(item, hasher));
            hasher.write_u8(6);
        }
        Value::Table(table) => {
            hasher.write_u8(7);
            for (key, entry) in table.iter() {
                word(key, hasher);
                value(&entry.node, hasher);
            }
            hasher.write_u8(8);
        }
    }
}

fn word(text: &str, hasher: &mut StableHasher) {
    hasher.write(text.as_bytes());
    hasher.write_u8(0xff);
}

/// The mark that begins a comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comments {
    /// With `#`, in expressions.
    Hash,
    /// With `--`, in Lua.
    Lua,
}

/// The tokens of a text, without comments and spaces.
fn words(text: &str, comments: Comments, hasher: &mut StableHasher) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if first.is_whitespace() => {
                rest = rest.trim_start();
                continue;
            }
            '#' if comments == Comments::Hash => {
                rest = rest.split_once('\n').map_or("", |(_, below)| below);
                continue;
            }
            '-' if comments == Comments::Lua && rest.starts_with("--") => {
                let comment = rest.cut(2..);
                let end = long_bracket(comment).or_else(|| comment.find('\n')).unwrap_or(comment.len());
                rest = comment.cut(end..);
                continue;
            }
            '"' | '\'' => quoted(rest, first),
            '[' if comments == Comments::Lua => long_bracket(rest).unwrap_or(1),
            _ if is_letter(first) => rest.find(|c| !is_letter(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (part, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        word(part, hasher);
        rest = after;
    }
    hasher.write_u8(0xfe);
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a text in quotes; up to the end of the line if no quote closes it.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if c == quote => return at.saturating_add(1),
            _ => {}
        }
    }
    text.len()
}

/// The length of a text in brackets such as `[[` or `[==[`, if it is one.
fn long_bracket(text: &str) -> Option<usize> {
    let (level, _) = text.strip_prefix('[')?.split_once('[')?;
    level.chars().all(|c| c == '=').then_some(())?;
    let close = format!("]{level}]");
    Some(text.find(&close).map_or(text.len(), |at| at.saturating_add(close.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn lua(one: &str, other: &str) -> bool {
        let digest = |text: &str| {
            let mut hasher = StableHasher::new();
            words(text, Comments::Lua, &mut hasher);
            hasher.finish()
        };
        digest(one) == digest(other)
    }

    #[test]
    fn comments_and_spaces_of_a_script_do_not_count() {
        assert!(lua("local a=1\nreturn a", "-- why\nlocal a = 1 --[[ long\n comment ]]\n\nreturn  a -- done"));
        assert!(lua("a = b", "--[==[ ]] ]==]a=b"));
        assert!(lua("", "-- only a comment"));
    }

    #[test]
    fn what_a_script_says_counts() {
        assert!(!lua("return 1", "return 2"));
        assert!(!lua("return 'a b'", "return 'a  b'"));
        assert!(!lua("return '--a'", "return '--b'"));
        assert!(!lua("return [[ -- a ]]", "return [[ -- b ]]"));
        assert!(!lua("return 'it\\'s' -- x", "return 'it\\'z' -- x"));
        assert!(!lua("ab", "a b"));
    }
}
