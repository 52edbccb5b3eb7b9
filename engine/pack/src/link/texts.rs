//! Titles and texts in all languages.

use std::collections::BTreeMap;
use std::sync::Arc;

use rulepack_kernel::Text;
use rulepack_model::{Diagnostic, Node, Table, known_instead};

use super::{Definitions, Linker};
use crate::library::PackSource;
use crate::manifest::{Manifest, PackKind};

/// Lists for reports: no part of the game.
const LISTS: [&str; 3] = ["rule", "example", "component"];

/// Definitions that players never read about.
const SILENT: [&str; 8] = ["rule", "example", "component", "var", "value", "game", "attribute", "event"];

impl Linker<'_> {
    pub(crate) fn link_texts(&mut self, manifest: &Manifest, packs: &[Arc<PackSource>]) {
        self.rules.texts.own.clone_from(&manifest.language);
        for pack in packs {
            let own = self.own_texts(&pack.manifest.id);
            let language = self.rules.texts.languages.entry(pack.manifest.language.clone()).or_default();
            language.extend(own);
            for (locale, (_, table)) in &pack.locales {
                let texts = self.translated(table);
                self.rules.texts.languages.entry(locale.clone()).or_default().extend(texts);
            }
            // What other packs leave out is said when they are checked; a library is never checked by itself.
            if pack.manifest.id != manifest.id && pack.manifest.kind != PackKind::Library {
                continue;
            }
            // A language without a file has been reported as such.
            for locale in pack.manifest.locales.iter().filter(|locale| pack.locales.contains_key(&locale.text)) {
                self.missing(&pack.manifest.id, &locale.text, locale.span);
            }
        }
        self.texts_of_printings();
    }

    /// A further printing of a type has the words of that type, unless it has its own.
    fn texts_of_printings(&mut self) {
        let Definitions { kinds, .. } = &self.definitions;
        for (kind, table) in kinds {
            for (id, entry) in table.iter() {
                let Some(original) = printing_of(&entry.node) else { continue };
                let holds = |(_, table): &(&String, &Table)| table.get(original).is_some();
                let same = kinds.get_key_value(kind).filter(holds);
                let Some((original_kind, _)) = same.or_else(|| kinds.iter().find(holds)) else { continue };
                let original = format!("{original_kind}.{original}");
                for texts in self.rules.texts.languages.values_mut() {
                    let Some(words) = texts.get(&original).cloned() else { continue };
                    let own = texts.entry(format!("{kind}.{id}")).or_default();
                    own.title = own.title.take().or(words.title);
                    own.text = own.text.take().or(words.text);
                }
            }
        }
    }

    fn own_texts(&self, pack: &str) -> BTreeMap<String, Text> {
        let mut texts = BTreeMap::new();
        let shown = self.definitions.kinds.iter().filter(|(kind, _)| !LISTS.contains(&kind.as_str()));
        for (kind, table) in shown {
            for (id, entry) in table.iter() {
                if self.files.get(&entry.key.file).is_none_or(|file| file != pack) {
                    continue;
                }
                let Some(fields) = entry.node.as_table() else { continue };
                let text = read(fields);
                if text != Text::default() {
                    texts.insert(format!("{kind}.{id}"), text);
                }
            }
        }
        texts
    }

    fn translated(&mut self, file: &Table) -> BTreeMap<String, Text> {
        let mut texts = BTreeMap::new();
        for (kind, entry) in file.iter() {
            let Some(ids) = entry.node.as_table() else { continue };
            for (id, entry) in ids.iter() {
                if self.definitions.get(kind, id).is_none() {
                    // A definition of another mode is not there now, but its translation has a use.
                    let elsewhere = self.all_ids(kind, id);
                    if !elsewhere {
                        let known: Vec<&str> = self.definitions.of(kind).map(|(id, _)| id).collect();
                        let help = known_instead(id, known);
                        self.out.push(
                            Diagnostic::warning(
                                "unused-translation",
                                format!("there is no `{kind}.{id}` to translate"),
                            )
                            .at(entry.key)
                            .maybe_help(help),
                        );
                    }
                    continue;
                }
                let Some(fields) = entry.node.as_table() else { continue };
                for (key, entry) in fields.iter() {
                    if key != "title" && key != "text" {
                        self.out.push(
                            Diagnostic::error("unknown-key", format!("a translation has no key `{key}`"))
                                .at(entry.key)
                                .help("it has `title` and `text`"),
                        );
                    }
                }
                texts.insert(format!("{kind}.{id}"), read(fields));
            }
        }
        texts
    }

    fn all_ids(&self, kind: &str, id: &str) -> bool {
        self.definitions.absent.contains_key(&format!("{kind}.{id}"))
    }

    fn missing(&mut self, pack: &str, locale: &str, at: rulepack_model::Span) {
        let mut without = Vec::new();
        for (kind, table) in &self.definitions.kinds {
            if SILENT.contains(&kind.as_str()) {
                continue;
            }
            for (id, entry) in table.iter() {
                let path = format!("{kind}.{id}");
                let has_title = entry.node.as_table().is_some_and(|table| table.get("title").is_some())
                    && printing_of(&entry.node).is_none();
                let ours = self.files.get(&entry.key.file).is_some_and(|file| file == pack);
                let translated = self
                    .rules
                    .texts
                    .languages
                    .get(locale)
                    .and_then(|texts| texts.get(&path))
                    .is_some_and(|t| t.title.is_some());
                if has_title && ours && !translated {
                    without.push((path, entry.key));
                }
            }
        }
        for (path, key) in without {
            self.out.push(
                Diagnostic::warning("missing-translation", format!("`{path}` has no title in `{locale}`"))
                    .at(key)
                    .label(at, "the pack promises this language"),
            );
        }
    }
}

/// The type of which a definition is a further printing: title and text come from there.
pub fn printing_of(definition: &Node) -> Option<&str> {
    definition.as_table()?.get("printing_of")?.as_str()
}

fn read(fields: &Table) -> Text {
    let get = |key: &str| fields.get(key).and_then(|node| node.as_str()).map(str::to_string);
    Text { title: get("title"), text: get("text") }
}
