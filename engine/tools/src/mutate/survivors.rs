//! Accepted survivors, each with a reason: a TOML file beside the pack.
//!
//! An entry is recognised by the text of the line and the change, without spaces, so that it stays valid when lines move or files
//! are formatted.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use rulepack_model::{Code, Diagnostic, FileId, Node, Span};
use rulepack_pack::read_toml;
use serde::Serialize;

use super::Mutant;
use crate::load::Library;
use crate::report::without_spaces;

/// A survivor that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The file.
    pub path: String,
    /// The line.
    pub text: String,
    /// The change.
    pub what: String,
    /// The reason.
    pub reason: String,
}

/// An accepted survivor that was found in this run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Known {
    /// The change.
    #[serde(flatten)]
    pub mutant: Mutant,
    /// The reason.
    pub reason: String,
}

impl Accepted {
    pub(super) fn is(&self, mutant: &Mutant) -> bool {
        self.path == mutant.path
            && without_spaces(&self.text).eq(without_spaces(&mutant.text))
            && without_spaces(&self.what).eq(without_spaces(&mutant.what))
    }
}

/// Reads a list of accepted survivors.
///
/// # Errors
/// All mistakes in it.
pub fn read_survivors(library: &Library, file: FileId) -> Result<Vec<Accepted>, Vec<Diagnostic>> {
    let mut out = Vec::new();
    let table = read_toml(&library.sources(), file, &mut out);
    let mut accepted = Vec::new();
    for (key, entry) in table.iter() {
        let Some(list) = entry.node.as_list().filter(|_| key == "survivor") else {
            let message = format!("a list of survivors has no `{key}`");
            out.push(Diagnostic::error(Code::UnknownKey, message).at(entry.key).help("write `[[survivor]]`"));
            continue;
        };
        accepted.extend(list.iter().filter_map(|node| read_entry(node, &mut out)));
    }
    if out.is_empty() { Ok(accepted) } else { Err(out) }
}

fn read_entry(node: &Node, out: &mut Vec<Diagnostic>) -> Option<Accepted> {
    const KEYS: [&str; 4] = ["path", "text", "what", "reason"];
    let table = node.as_table()?;
    for (key, entry) in table.iter().filter(|(key, _)| !KEYS.contains(key)) {
        let message = format!("a survivor has no key `{key}`");
        out.push(Diagnostic::error(Code::UnknownKey, message).at(entry.key).help("it has path, text, what and reason"));
    }
    let mut text = |key: &str| {
        let found = table.get(key).and_then(Node::as_str).filter(|text| !text.trim().is_empty());
        if found.is_none() {
            let at: Span = table.get(key).map_or(node.span, |node| node.span);
            out.push(Diagnostic::error(Code::MissingKey, format!("a survivor needs the text `{key}`")).at(at));
        }
        found.map(str::to_string)
    };
    let [path, line, what, reason] = KEYS.map(&mut text);
    Some(Accepted { path: path?, text: line?.trim().to_string(), what: what?, reason: reason? })
}
