//! Where the cursor stands in a TOML file that is being typed: in a header, at a key, or in a value, and under which path.

/// What stands at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Inside {
    /// In `[…]`: the parts before the one that is being typed.
    Header(Vec<String>),
    /// At a key of the table at `path`.
    Key,
    /// In a text: what stands in it before the cursor.
    Text(String),
    /// At a value that is no text.
    Value,
    Comment,
}

/// Where the cursor stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Context {
    /// The table of a key, or the whole path of a value.
    pub(super) path: Vec<String>,
    pub(super) inside: Inside,
}

/// A bracket that is open at the cursor.
struct Open {
    is_table: bool,
    /// The number of parts of the path outside.
    depth: usize,
}

/// Where a byte of a text stands.
pub(super) fn context(text: &str, cursor: usize) -> Context {
    let before = text.get(..cursor).unwrap_or(text);
    let mut header: Vec<String> = Vec::new();
    let mut key: Vec<String> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut word = String::new();
    let mut in_value = false;
    let mut rest = before;
    let mut line_is_fresh = true;
    while let Some(letter) = rest.chars().next() {
        let next = rest.get(letter.len_utf8()..).unwrap_or_default();
        if letter == '#' {
            match next.find('\n') {
                Some(end) => rest = next.get(end..).unwrap_or_default(),
                None => return at(&header, &key, Inside::Comment),
            }
            continue;
        }
        if letter == '[' && line_is_fresh && open.is_empty() && !in_value {
            let inner = next.trim_start_matches('[');
            match inner.find([']', '\n']) {
                Some(end) => {
                    header = inner.get(..end).unwrap_or_default().split('.').map(plain).collect();
                    rest = inner.get(end..).unwrap_or_default().trim_start_matches(']');
                    (key, word) = (Vec::new(), String::new());
                    continue;
                }
                None => {
                    let mut parts: Vec<String> = inner.split('.').map(plain).collect();
                    parts.pop();
                    return Context { path: parts.clone(), inside: Inside::Header(parts) };
                }
            }
        }
        line_is_fresh = letter == '\n' || line_is_fresh && letter.is_whitespace();
        if letter == '"' || letter == '\'' {
            match quoted(rest) {
                (body, Some((end, after))) => {
                    if !in_value {
                        word.push_str(body.get(..end).unwrap_or_default());
                    }
                    rest = after;
                }
                (body, None) if in_value => return at(&header, &key, Inside::Text(body.to_string())),
                (_, None) => return at(&header, &key, Inside::Key),
            }
            continue;
        }
        match letter {
            '=' if !in_value => {
                key.extend(word.split('.').map(plain));
                word.clear();
                in_value = true;
            }
            '{' if in_value => {
                open.push(Open { is_table: true, depth: key.len() });
                in_value = false;
            }
            '[' if in_value => open.push(Open { is_table: false, depth: key.len() }),
            '}' | ']' => {
                if let Some(closed) = open.pop() {
                    key.truncate(closed.depth);
                }
                in_value = true;
                word.clear();
            }
            ',' => {
                if let Some(last) = open.last() {
                    key.truncate(last.depth);
                    in_value = !last.is_table;
                }
                word.clear();
            }
            '\n' => {
                // A bracket that was never closed ends where a line begins with a key or a table.
                let is_table =
                    next.trim_start_matches(['\n', '\r']).starts_with('[') && open.iter().all(|open| open.is_table);
                if open.is_empty() || is_table {
                    open.clear();
                    key.clear();
                    in_value = false;
                }
                word.clear();
            }
            _ if !in_value => word.push(letter),
            _ => {}
        }
        rest = next;
    }
    if in_value {
        return at(&header, &key, Inside::Value);
    }
    // `turns.ord`: the parts before the last full stop belong to the path.
    let mut path: Vec<String> = word.split('.').map(plain).collect();
    path.pop();
    key.extend(path);
    at(&header, &key, Inside::Key)
}

/// What follows the quote at the beginning of a text: up to where it is quoted, and what comes behind it; `None` if it does not end.
fn quoted(text: &str) -> (&str, Option<(usize, &str)>) {
    let one = if text.starts_with('"') { "\"" } else { "'" };
    let three = one.repeat(3);
    let (quote, body) = match text.strip_prefix(three.as_str()) {
        Some(body) => (three.as_str(), body),
        None => (one, text.get(1..).unwrap_or_default()),
    };
    let after = |end: usize| {
        // A text that is not closed ends with its line.
        let is_open = body.get(end..).is_some_and(|rest| rest.starts_with('\n'));
        let end = if is_open { end } else { end + quote.len() };
        body.get(end..).unwrap_or_default()
    };
    (body, closing(body, quote).map(|end| (end, after(end))))
}

fn at(header: &[String], key: &[String], inside: Inside) -> Context {
    Context { path: header.iter().chain(key).cloned().collect(), inside }
}

fn plain(part: &str) -> String {
    part.trim().trim_matches(['"', '\'']).to_string()
}

/// Where a text ends; one of a single line ends with its line at the latest.
fn closing(body: &str, quote: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in body.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quote.starts_with('"') => escaped = true,
            '\n' if quote.len() == 1 => return Some(at),
            _ if body.get(at..).is_some_and(|rest| rest.starts_with(quote)) => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn shown(text: &str) -> String {
        let found = context(text, text.len());
        format!("{} {:?}", found.path.join("."), found.inside)
    }

    #[test]
    fn contexts_of_files_that_are_being_typed() {
        assert_eq!(shown("[zone.hand]\nref"), "zone.hand Key");
        assert_eq!(shown("[zone.hand]\nrefill = \"de"), "zone.hand.refill Text(\"de\")");
        assert_eq!(shown("[zone.hand]\nlayout = { row = 4, ent"), "zone.hand.layout Key");
        assert_eq!(shown("[zone.hand]\nlayout = { row = 4, enters = \"l"), "zone.hand.layout.enters Text(\"l\")");
        assert_eq!(shown("[phase.game]\nsequence = [\n  \"setup\",\n  \"ro"), "phase.game.sequence Text(\"ro\")");
        assert_eq!(shown("[phase.turn]\nactions = []\n"), "phase.turn Key");
        assert_eq!(
            shown("[action.build]\neffect = \"\"\"\ngain 1 coin;\npay "),
            "action.build.effect Text(\"\\ngain 1 coin;\\npay \")"
        );
        assert_eq!(shown("[patch.zo"), "patch Header([\"patch\"])");
        assert_eq!(shown("[zone.a]\n# no"), "zone.a Comment");
        assert_eq!(shown("[zone.a]\nreacts = tr"), "zone.a.reacts Value");
        assert_eq!(shown("[phase.turns]\nturns.or"), "phase.turns.turns Key");
    }

    #[test]
    fn a_forgotten_bracket_ends_with_the_table() {
        assert_eq!(shown("[zone.a]\nlayout = { row = 4\n\n[zone.b]\nref"), "zone.b Key");
        assert_eq!(shown("[zone.a]\nrefill = \"de\n[zone.b]\nref"), "zone.b Key");
    }
}
