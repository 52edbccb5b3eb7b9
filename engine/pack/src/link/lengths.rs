//! Length limits of names and texts for people. A title is printed once for each piece and each line of a log, so a
//! long one takes many times its length.

use rulepack_model::{Code, Diagnostic, Node, Span, Table};

use super::Linker;

/// Characters of a title, of the name of a row or column, and of the id of a definition, which is shown if there is no
/// title.
pub(crate) const LONGEST_TITLE: usize = 200;
/// Characters of a `text`.
pub(crate) const LONGEST_TEXT: usize = 5_000;

/// The mistake of a text for people that is too long; `path` names its definition.
pub(crate) fn too_long(path: &str, text: &str, at: Span, most: usize) -> Option<Diagnostic> {
    // Every character has at least one byte.
    let length = if text.len() > most { text.chars().count() } else { 0 };
    (length > most).then(|| {
        let message = format!("`{path}` has {length} characters, and at most {most} are possible");
        Diagnostic::error(Code::WrongValue, message).at(at).help("shorten it")
    })
}

/// The mistake of a definition with a name that is too long.
pub(crate) fn long_name(kind: &str, id: &str, at: Span) -> Option<Diagnostic> {
    let start: String = id.chars().take(20).collect();
    too_long(&format!("{kind}.{start}…"), id, at, LONGEST_TITLE)
}

/// The mistakes in `title` and `text` of one table.
pub(crate) fn long_texts<'t>(path: &'t str, fields: &'t Table) -> impl Iterator<Item = Diagnostic> + 't {
    [("title", LONGEST_TITLE), ("text", LONGEST_TEXT)].into_iter().filter_map(move |(key, most)| {
        let node = fields.get(key)?;
        too_long(&format!("{path}.{key}"), node.as_str()?, node.span, most)
    })
}

impl Linker<'_> {
    /// Refuses titles, texts and names of rows and columns that are too long after patching.
    pub(super) fn refuse_long_texts(&mut self) {
        for (kind, table) in &self.definitions.kinds {
            for (id, entry) in table.iter() {
                let Some(fields) = entry.node.as_table() else { continue };
                let path = format!("{kind}.{id}");
                self.out.extend(long_texts(&path, fields));
                if kind != "zone" {
                    continue;
                }
                for key in ["rows", "columns"] {
                    let names = entry.node.below("layout").and_then(|layout| layout.below(key)).and_then(Node::as_list);
                    let names = names.into_iter().flatten().filter_map(|name| Some((name.as_str()?, name.span)));
                    let path = format!("{path}.layout.{key}");
                    self.out.extend(names.filter_map(|(name, at)| too_long(&path, name, at, LONGEST_TITLE)));
                }
            }
        }
    }
}
