//! Titles and texts in all languages.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rulepack_kernel::{Language, Text};
use rulepack_model::{Code, Diagnostic, Node, Span, Table, known_instead};

use super::each::{fill, has_words, word_for};
use super::lengths::long_texts;
use super::merge::PATCHES;
use super::{Definitions, Linker};
use crate::library::PackSource;
use crate::manifest::{Manifest, PackKind};

/// Lists for reports, which are not part of the game.
const LISTS: [&str; 3] = ["rule", "example", "component"];

/// Definitions whose names players never read.
const SILENT: [&str; 8] = ["rule", "example", "component", "var", "value", "set", "game", "attribute"];

impl Linker<'_> {
    pub(crate) fn link_texts(&mut self, manifest: &Manifest, packs: &[Arc<PackSource>]) {
        self.rules.texts.own.clone_from(&manifest.language);
        for pack in packs {
            let mut own = self.own_texts(&pack.manifest.id);
            let Manifest { id, title, text, .. } = &pack.manifest;
            own.insert(format!("pack.{id}"), Text { title: Some(title.clone()), text: text.clone() });
            let language = self.rules.texts.languages.entry(pack.manifest.language.clone()).or_default();
            language.extend(own);
            for (locale, (_, table)) in &pack.locales {
                let texts = self.translated(&pack.manifest.id, table);
                let language = self.rules.texts.languages.entry(locale.clone()).or_default();
                language.extend(texts);
                for (path, Text { title, text }) in changed_texts(table, &self.vocabulary.modes) {
                    let own: &mut Text = language.entry(path).or_default();
                    own.title = title.or(own.title.take());
                    own.text = text.or(own.text.take());
                }
            }
        }
        self.texts_of_lists(packs);
        for pack in packs {
            // Missing translations of other packs are reported when those packs are checked; a library is never checked
            // by itself.
            if pack.manifest.id != manifest.id && pack.manifest.kind != PackKind::Library {
                continue;
            }
            // A language without a file has been reported already.
            for locale in pack.manifest.locales.iter().filter(|locale| pack.locales.contains_key(&locale.text)) {
                self.missing(&pack.manifest, &locale.text, locale.span);
                self.missing_changes(pack, &locale.text, locale.span);
                self.missing_words_of_the_program(&locale.text, locale.span);
            }
            if let Some(span) = pack.manifest.language_span {
                self.missing_words_of_the_program(&pack.manifest.language, span);
            }
            if !pack.manifest.locales.is_empty() {
                self.missing_words(&pack.manifest.id);
            }
        }
        self.texts_of_printings();
    }

    /// Reports a language of a pack that the program does not speak; a misspelt one is such a language, too.
    fn missing_words_of_the_program(&mut self, language: &str, span: Span) {
        if Language::named(language).is_some() {
            return;
        }
        let message = format!("the program has no words of its own in `{language}`");
        let help = format!(
            "it speaks {}; \"wins\", \"gains\" and the like stay English beside the texts of the pack",
            Language::ALL.map(|language| format!("`{}`", language.code())).join(", ")
        );
        self.out.push(Diagnostic::warning(Code::MissingTranslation, message).at(span).help(help));
    }

    /// The types of a list use its templates, with the words of each language.
    fn texts_of_lists(&mut self, packs: &[Arc<PackSource>]) {
        for (path, list) in &self.definitions.lists {
            let Some((kind, id)) = path.split_once('.') else { continue };
            let locales = packs.iter().flat_map(|pack| &pack.locales);
            for (locale, (_, table)) in locales {
                let translated = table.get(kind).and_then(|types| types.below(id));
                if let Some(fields) = translated.and_then(Node::as_table) {
                    self.out.extend(self.definitions.places_unknown(path, list, fields));
                }
                let names = translated.and_then(|fields| fields.below("names")).or(list.node.below("names"));
                let texts = &self.rules.texts;
                let symbol = |name: &str| Some(texts.title(locale, &format!("symbol.{name}")));
                let mut filled = Vec::new();
                for ty in &list.types {
                    let Some(fields) = self.definitions.get(kind, ty).and_then(Node::as_table) else { continue };
                    let word = |field: &str| word_for(field, fields.get(field)?, names, symbol);
                    let text = |key: &str| {
                        let own = list.node.below(key).and_then(Node::as_str).filter(|own| !has_words(own));
                        let template = translated.and_then(|fields| fields.below(key)).and_then(Node::as_str);
                        template.or(own).map(|template| fill(template, word))
                    };
                    filled.push((format!("{kind}.{ty}"), Text { title: text("title"), text: text("text") }));
                }
                let language = self.rules.texts.languages.entry(locale.clone()).or_default();
                for (path, Text { title, text }) in filled {
                    let own: &mut Text = language.entry(path).or_default();
                    own.title = own.title.take().or(title);
                    own.text = own.text.take().or(text);
                }
            }
        }
    }

    /// A printing of a type uses the words of that type, unless it has its own.
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

    fn translated(&mut self, pack: &str, file: &Table) -> BTreeMap<String, Text> {
        let mut texts = BTreeMap::new();
        for (kind, entry) in file.iter() {
            let Some(ids) = entry.node.as_table() else { continue };
            // The pack itself has no id inside its table.
            if kind == "pack" {
                self.refuse_other_keys(ids, &[]);
                self.out.extend(long_texts("pack", ids));
                texts.insert(format!("pack.{pack}"), read(ids));
                continue;
            }
            for (id, entry) in ids.iter() {
                if self.definitions.lists.contains_key(&format!("{kind}.{id}")) {
                    let Some(fields) = entry.node.as_table() else { continue };
                    self.refuse_other_keys(fields, &["names"]);
                    self.out.extend(long_texts(&format!("{kind}.{id}"), fields));
                    continue;
                }
                if self.definitions.get(kind, id).is_none() {
                    // A definition of another mode is not in use now, but its translation is needed.
                    let elsewhere = self.all_ids(kind, id);
                    if !elsewhere {
                        let known: Vec<&str> = self.definitions.of(kind).map(|(id, _)| id).collect();
                        let help = known_instead(id, known);
                        self.out.push(
                            Diagnostic::warning(
                                Code::UnusedTranslation,
                                format!("there is no `{kind}.{id}` to translate"),
                            )
                            .at(entry.key)
                            .maybe_help(help),
                        );
                    }
                    continue;
                }
                let Some(fields) = entry.node.as_table() else { continue };
                self.refuse_other_keys(fields, if kind == "mode" { &[PATCHES] } else { &[] });
                if kind == "prompt" {
                    self.check_translated(id, fields);
                }
                let path = format!("{kind}.{id}");
                self.out.extend(long_texts(&path, fields));
                texts.insert(path, read(fields));
            }
        }
        texts
    }

    fn refuse_other_keys(&mut self, fields: &Table, further: &[&str]) {
        let is_known = |key: &str| ["title", "text"].contains(&key) || further.contains(&key);
        for (key, entry) in fields.iter().filter(|(key, _)| !is_known(key)) {
            self.out.push(
                Diagnostic::error(Code::UnknownKey, format!("a translation has no key `{key}`"))
                    .at(entry.key)
                    .help("it has `title` and `text`"),
            );
        }
    }

    fn all_ids(&self, kind: &str, id: &str) -> bool {
        self.definitions.absent.contains_key(&format!("{kind}.{id}"))
    }

    /// Titles and texts that a language does not translate.
    fn missing(&mut self, manifest: &Manifest, locale: &str, at: Span) {
        let empty = Text::default();
        let texts = self.rules.texts.languages.get(locale);
        let translated = |path: &str| texts.and_then(|texts| texts.get(path)).unwrap_or(&empty);
        let mut without = Vec::new();
        for (kind, table) in self.definitions.kinds.iter().filter(|(kind, _)| !SILENT.contains(&kind.as_str())) {
            for (id, entry) in table.iter() {
                let ours = self.files.get(&entry.key.file).is_some_and(|file| *file == manifest.id);
                let Some(fields) = entry.node.as_table().filter(|_| ours) else { continue };
                let path = format!("{kind}.{id}");
                // The list is translated, and not each of its types.
                let list = self.definitions.made_by(kind, id);
                let (path, key) = match list.and_then(|path| Some((path, self.definitions.lists.get(path)?))) {
                    Some((path, list)) => (path.to_string(), list.key),
                    None => (path, entry.key),
                };
                let Text { title, text } = translated(&format!("{kind}.{id}"));
                // A printing uses the words of its type, unless it has its own.
                let no_title = says(fields, "title") && is_empty(title);
                let no_text = says(fields, "text") && is_empty(text);
                without.extend(lacks(no_title, no_text).map(|what| (path, what, key)));
            }
        }
        without.dedup();
        // Players never read the name of a library.
        let path = format!("pack.{}", manifest.id);
        let Text { title, text } = translated(&path);
        if manifest.kind != PackKind::Library {
            let what = lacks(is_empty(title), !is_empty(&manifest.text) && is_empty(text));
            without.extend(what.map(|what| ("pack".to_string(), what, manifest.id_span)));
        }
        for (path, what, key) in without {
            self.out.push(
                Diagnostic::warning(Code::MissingTranslation, format!("`{path}` has no {what} in `{locale}`"))
                    .at(key)
                    .label(at, "the pack promises this language")
                    .help(format!("write it under `[{path}]` in `locale/{locale}.toml`")),
            );
        }
    }

    /// Titles and texts that a patch of the pack changes and a language does not translate.
    fn missing_changes(&mut self, pack: &PackSource, locale: &str, promised: Span) {
        let translated: Option<&Table> = pack.locales.get(locale).map(|(_, table)| &**table);
        for (path, layers) in &self.definitions.patched {
            let Some((definition, field @ ("title" | "text"))) = path.rsplit_once('.') else { continue };
            let Some((kind, id)) = definition.split_once('.') else { continue };
            let Some(layer) = layers.last().filter(|layer| layer.by.pack == pack.manifest.id) else { continue };
            let now = self.definitions.get(kind, id).and_then(Node::as_table);
            if SILENT.contains(&kind) || !now.is_some_and(|fields| says(fields, field)) {
                continue;
            }
            let place: Vec<&str> = match &layer.by.mode {
                Some(mode) => vec!["mode", mode, PATCHES, kind, id],
                None => vec![kind, id],
            };
            let table = place.iter().fold(translated, |table, key| table?.get(key)?.as_table());
            if table.is_some_and(|table| says(table, field)) {
                continue;
            }
            let who = layer.by.mode.as_ref().map_or("a patch".to_string(), |mode| format!("the mode `{mode}`"));
            let message = format!("`{definition}` keeps its {field} in `{locale}`, although {who} changes it");
            self.out.push(
                Diagnostic::warning(Code::MissingTranslation, message)
                    .at(layer.at)
                    .label(promised, "the pack promises this language")
                    .help(format!("write it under `[{}]` in `locale/{locale}.toml`", place.join("."))),
            );
        }
    }

    /// Names of rows and columns that are words but cannot be translated, because the pack does not declare them.
    fn missing_words(&mut self, pack: &str) {
        let mut told = BTreeSet::new();
        for (id, entry) in self.definitions.of("zone") {
            if self.files.get(&entry.key.file).is_none_or(|file| file != pack) {
                continue;
            }
            let Some(layout) = entry.node.below("layout") else { continue };
            let lists = ["rows", "columns"].into_iter().filter_map(|key| layout.below(key)?.as_list());
            for name in lists.flatten() {
                let Some(word) = name.as_str().filter(|word| is_word(word)) else { continue };
                if self.definitions.get("word", word).is_none() && told.insert(word.to_string()) {
                    self.out.push(
                        Diagnostic::warning(
                            Code::MissingTranslation,
                            format!("`{word}` in `zone.{id}` is the same in all languages"),
                        )
                        .at(name.span)
                        .help(format!("declare it with `[word.{word}]` and a `title`, and translate that")),
                    );
                }
            }
        }
    }
}

/// The missing translations, in words.
fn lacks(title: bool, text: bool) -> Option<&'static str> {
    match (title, text) {
        (true, true) => Some("title and no text"),
        (true, false) => Some("title"),
        (false, true) => Some("text"),
        (false, false) => None,
    }
}

/// Whether a name is a word, and not a number or sign such as `II` or `e4`.
fn is_word(name: &str) -> bool {
    let is_numeral = name.chars().all(|letter| "ivx".contains(letter));
    name.len() > 1 && !is_numeral && name.chars().all(|letter| letter.is_lowercase() || letter == '_')
}

/// Whether a definition has a text for a key.
fn says(fields: &Table, key: &str) -> bool {
    fields.get(key).is_some_and(|node| node.as_str().is_none_or(|text| !text.is_empty()))
}

fn is_empty(text: &Option<String>) -> bool {
    text.as_deref().is_none_or(str::is_empty)
}

/// The translations of texts that the modes in use change.
fn changed_texts(file: &Table, modes: &BTreeMap<String, bool>) -> Vec<(String, Text)> {
    let of_modes = file.get("mode").and_then(Node::as_table).into_iter().flat_map(Table::iter);
    let in_use = of_modes.filter(|(mode, _)| modes.get(*mode).copied().unwrap_or(false));
    let patches = in_use.filter_map(|(_, entry)| entry.node.below(PATCHES)?.as_table());
    let mut changed = Vec::new();
    for (kind, definitions) in patches.flat_map(Table::iter) {
        for (id, fields) in definitions.node.as_table().into_iter().flat_map(Table::iter) {
            changed.extend(fields.node.as_table().map(|fields| (format!("{kind}.{id}"), read(fields))));
        }
    }
    changed
}

/// The type whose title and text a printing uses.
pub fn printing_of(definition: &Node) -> Option<&str> {
    definition.as_table()?.get("printing_of")?.as_str()
}

fn read(fields: &Table) -> Text {
    let get = |key: &str| fields.get(key).and_then(|node| node.as_str()).map(str::to_string);
    Text { title: get("title"), text: get("text") }
}
