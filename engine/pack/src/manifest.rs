//! The manifest: the description of a pack in `pack.toml`.
//!
//! Reads the tables `pack`, `needs`, `optional` and `conflicts`; the linker reads all other tables of the file.

use std::collections::BTreeMap;

use rulepack_model::{Code, Diagnostic, FileId, Node, Span, Table, did_you_mean, nearest};
use semver::{Version, VersionReq};

use crate::link::lengths::long_texts;

/// The largest number of players: the kernel keeps who has passed in the bits of one word.
const MOST_PLAYERS: u8 = 32;

/// The tables of `pack.toml` that belong to the manifest.
pub(crate) const MANIFEST_TABLES: [&str; 4] = ["pack", "needs", "optional", "conflicts"];

const KEYS: [&str; 10] =
    ["id", "version", "title", "text", "kind", "players", "language", "locales", "editions", "alias"];

/// The description of a pack.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The name of the pack and of its folder, kebab-case.
    pub id: String,
    /// The place of the id.
    pub id_span: Span,
    /// The version of the pack.
    pub version: Version,
    /// The place of the version.
    pub version_span: Span,
    /// The title for players.
    pub title: String,
    /// One sentence for players.
    pub text: Option<String>,
    /// A game, an expansion of one, or neither.
    pub kind: PackKind,
    /// The numbers of players; every game gives them.
    pub players: Option<Players>,
    /// The language of the titles in the pack's own files.
    pub language: String,
    /// The place of the language, if the pack names it.
    pub language_span: Option<Span>,
    /// Further languages, each with a file in `locale/`.
    pub locales: Vec<Word>,
    /// Modes that are editions of the rulebook; the first is the default.
    pub editions: Vec<Word>,
    /// The name of the pack inside expressions, snake_case.
    pub alias: Option<Word>,
    /// Packs that must be loaded before this one.
    pub needs: BTreeMap<String, Need>,
    /// Packs that are loaded before this one if they are loaded at all.
    pub optional: BTreeMap<String, Need>,
    /// Packs that cannot be loaded together with this one.
    pub conflicts: BTreeMap<String, Need>,
}

impl Manifest {
    /// The replacement for a manifest that cannot be used.
    pub(crate) fn guess(id: &str, at: Span) -> Self {
        Manifest {
            id: id.to_string(),
            id_span: at,
            version: Version::new(0, 0, 0),
            version_span: at,
            title: id.to_string(),
            text: None,
            kind: PackKind::Game,
            players: None,
            language: "en".to_string(),
            language_span: None,
            locales: Vec::new(),
            editions: Vec::new(),
            alias: None,
            needs: BTreeMap::new(),
            optional: BTreeMap::new(),
            conflicts: BTreeMap::new(),
        }
    }
}

/// The sort of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackKind {
    /// Can be played.
    Game,
    /// Changes a game.
    Expansion,
    /// Definitions that other packs build on.
    Library,
}

/// The possible numbers of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Players {
    /// At least one.
    pub min: u8,
    /// Not less than `min`.
    pub max: u8,
    /// The place where they are given.
    pub span: Span,
}

impl std::fmt::Display for Players {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.min, self.max) {
            (1, 1) => f.write_str("1 player"),
            (min, max) if min == max => write!(f, "{min} players"),
            (min, max) => write!(f, "{min} to {max} players"),
        }
    }
}

/// A name in the manifest, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A line under `[needs]`, `[optional]` or `[conflicts]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The accepted versions.
    pub versions: VersionReq,
    /// The place of the name of the other pack.
    pub span: Span,
    /// The place of the versions.
    pub versions_span: Span,
}

impl Need {
    /// Whether a version is accepted; `*` accepts every version, early ones such as `1.0.0-beta` too.
    pub fn accepts(&self, version: &Version) -> bool {
        self.versions == VersionReq::STAR || self.versions.matches(version)
    }
}

impl Manifest {
    /// Reads the manifest of the pack in `folder`. `None` if it does not give the pack's id and version.
    pub fn read(table: &Table, folder: &str, file: FileId, out: &mut Vec<Diagnostic>) -> Option<Manifest> {
        let needs = read_needs(table, "needs", out);
        let optional = read_needs(table, "optional", out);
        let conflicts = read_needs(table, "conflicts", out);
        for (name, need) in &needs {
            for (other, place) in [("optional", optional.get(name)), ("conflicts", conflicts.get(name))] {
                let Some(place) = place else { continue };
                let message = format!("`{name}` stands under `[needs]` and under `[{other}]`");
                let diagnostic = Diagnostic::error(Code::WrongValue, message).label(place.span, "");
                out.push(diagnostic.label(need.span, "also here").help("keep one of them"));
            }
        }

        let Some(node) = table.get("pack") else {
            let meant = nearest("pack", table.iter().map(|(key, _)| key));
            let span = meant.and_then(|key| table.key_span(key)).unwrap_or(Span::top(file));
            let help = meant.map(|key| format!("did you mean `[pack]` instead of `[{key}]`?"));
            let help =
                help.unwrap_or_else(|| format!("write `[pack]` with `id = \"{folder}\"` and `version = \"0.1.0\"`"));
            out.push(Diagnostic::error(Code::MissingKey, "a manifest needs a table `[pack]`").at(span).help(help));
            return None;
        };
        let Some(pack) = node.as_table() else {
            out.push(wrong_type("pack", "a table", node));
            return None;
        };
        for (key, entry) in pack.iter().filter(|(key, _)| !KEYS.contains(key)) {
            let message = format!("`[pack]` has no key `{key}`");
            out.push(Diagnostic::error(Code::UnknownKey, message).at(entry.key).maybe_help(did_you_mean(key, KEYS)));
        }
        Fields { pack, place: node.span, out }.manifest(folder, needs, optional, conflicts)
    }
}

/// The table `[pack]` while it is being read.
struct Fields<'a> {
    pack: &'a Table,
    place: Span,
    out: &'a mut Vec<Diagnostic>,
}

impl Fields<'_> {
    fn manifest(
        mut self,
        folder: &str,
        needs: BTreeMap<String, Need>,
        optional: BTreeMap<String, Need>,
        conflicts: BTreeMap<String, Need>,
    ) -> Option<Manifest> {
        let id_span = self.id(folder);
        self.out.extend(long_texts("pack", self.pack));
        let version = self.version();
        let title = self.needed("title").map_or_else(|| folder.to_string(), |title| title.text);
        let text = self.word("text").map(|text| text.text);
        let kind = self.kind();
        let players = self.players();
        if kind == PackKind::Game && !self.pack.entries.contains_key("players") {
            self.missing("players", "players = { min = 1, max = 4 }");
        }
        let language = self.word("language");
        if let Some(language) = &language {
            self.well_formed(language, is_language, "the name of a language, such as `en` or `pt-BR`");
        }
        let language_span = language.as_ref().map(|language| language.span);
        let language = language.map_or_else(|| "en".to_string(), |language| language.text);
        let locales = self.words("locales", is_language, "the name of a language, such as `en` or `pt-BR`");
        if let Some(own) = locales.iter().find(|locale| locale.text == language) {
            let message = format!("`{language}` is the pack's own language");
            let help = "name only further languages; the own titles stand in the pack's files";
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(own.span).help(help));
        }
        let editions = self.words("editions", is_snake, "a name in small letters, such as `second_edition`");
        let alias = self.word("alias");
        if let Some(alias) = &alias {
            self.well_formed(alias, is_snake, "a name in small letters, such as `night_ferry`");
        }
        let (version, version_span) = version?;
        let id = folder.to_string();
        Some(Manifest {
            id,
            id_span: id_span.unwrap_or(self.place),
            version,
            version_span,
            title,
            text,
            kind,
            players,
            language,
            language_span,
            locales,
            editions,
            alias,
            needs,
            optional,
            conflicts,
        })
    }

    /// Checks the id. A wrong one is replaced by the name of the folder, so that reading can go on.
    fn id(&mut self, folder: &str) -> Option<Span> {
        let id = self.needed("id")?;
        let wrong = |message: String| Diagnostic::error(Code::WrongValue, message).at(id.span);
        if id.text != folder {
            let message = format!("the pack `{}` stands in a folder named `{folder}`", id.text);
            self.out.push(wrong(message).help(format!("write `id = \"{folder}\"`, or rename the folder")));
        } else if id.text == "lib" {
            let message = "`lib` is the folder of shared scripts, so no pack can have this id".to_string();
            self.out.push(wrong(message).help("choose another id and rename the folder"));
        } else {
            self.well_formed(&id, is_kebab, "a name in small letters with `-`, such as `night-ferry`");
        }
        Some(id.span)
    }

    fn version(&mut self) -> Option<(Version, Span)> {
        let word = self.needed("version")?;
        match Version::parse(&word.text) {
            Ok(version) => Some((version, word.span)),
            Err(error) => {
                let message = format!("`{}` is not a version: {error}", word.text);
                let help = "write three numbers, such as `\"1.0.0\"`";
                self.out.push(Diagnostic::error(Code::WrongValue, message).at(word.span).help(help));
                None
            }
        }
    }

    fn kind(&mut self) -> PackKind {
        const KINDS: [(&str, PackKind); 3] =
            [("game", PackKind::Game), ("expansion", PackKind::Expansion), ("library", PackKind::Library)];
        let Some(word) = self.word("kind") else { return PackKind::Game };
        if let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == word.text) {
            return *kind;
        }
        let help = did_you_mean(&word.text, KINDS.map(|(name, _)| name))
            .unwrap_or_else(|| "write `\"game\"`, `\"expansion\"` or `\"library\"`".to_string());
        let message = format!("`{}` is not a kind of pack", word.text);
        self.out.push(Diagnostic::error(Code::WrongValue, message).at(word.span).help(help));
        // If it is not a game, it is unknown whether `players` is missing.
        PackKind::Library
    }

    fn players(&mut self) -> Option<Players> {
        let node = self.pack.get("players")?;
        let Some(table) = node.as_table() else {
            self.out.push(wrong_type("players", "a table such as `{ min = 1, max = 4 }`", node));
            return None;
        };
        for (key, entry) in table.iter().filter(|(key, _)| !["min", "max"].contains(key)) {
            let message = format!("`players` has no key `{key}`");
            let help = did_you_mean(key, ["min", "max"]);
            self.out.push(Diagnostic::error(Code::UnknownKey, message).at(entry.key).maybe_help(help));
        }
        let mut number = |key: &str| {
            let Some(node) = table.get(key) else {
                self.out.push(Diagnostic::error(Code::MissingKey, format!("`players` needs `{key}`")).at(node.span));
                return None;
            };
            let Some(number) = node.as_int() else {
                self.out.push(wrong_type(key, "a whole number", node));
                return None;
            };
            let number = u8::try_from(number).ok().filter(|number| (1..=MOST_PLAYERS).contains(number));
            if number.is_none() {
                let message = format!("`{key}` must be a number from 1 to {MOST_PLAYERS}");
                self.out.push(Diagnostic::error(Code::WrongValue, message).at(node.span));
            }
            number
        };
        let (min, max) = (number("min"), number("max"));
        let (min, max) = (min?, max?);
        if min > max {
            let message = format!("at least {min} players, but at most {max}");
            self.out
                .push(Diagnostic::error(Code::WrongValue, message).at(node.span).help("`min` is the smaller number"));
            return None;
        }
        Some(Players { min, max, span: node.span })
    }

    /// A required text that must not be empty.
    fn needed(&mut self, key: &str) -> Option<Word> {
        if !self.pack.entries.contains_key(key) {
            self.missing(key, &format!("{key} = \"…\""));
            return None;
        }
        let word = self.word(key)?;
        if word.text.trim().is_empty() {
            self.out.push(Diagnostic::error(Code::WrongValue, format!("`{key}` is empty")).at(word.span));
            return None;
        }
        Some(word)
    }

    fn word(&mut self, key: &str) -> Option<Word> {
        let node = self.pack.get(key)?;
        let word = node.as_str().map(|text| Word { text: text.to_string(), span: node.span });
        if word.is_none() {
            self.out.push(wrong_type(key, "a text", node));
        }
        word
    }

    /// A list of different names; wrong ones are reported and left out.
    fn words(&mut self, key: &str, good: fn(&str) -> bool, expected: &str) -> Vec<Word> {
        let Some(node) = self.pack.get(key) else { return Vec::new() };
        let Some(items) = node.as_list() else {
            self.out.push(wrong_type(key, "a list of texts", node));
            return Vec::new();
        };
        let mut words: Vec<Word> = Vec::new();
        for item in items {
            let Some(text) = item.as_str() else {
                self.out.push(wrong_type(key, "a list of texts", item));
                continue;
            };
            let word = Word { text: text.to_string(), span: item.span };
            if let Some(first) = words.iter().find(|word| word.text == text) {
                let message = format!("`{key}` names `{text}` twice");
                let diagnostic = Diagnostic::error(Code::WrongValue, message).at(item.span);
                self.out.push(diagnostic.label(first.span, "first here"));
            } else if self.well_formed(&word, good, expected) {
                words.push(word);
            }
        }
        words
    }

    fn well_formed(&mut self, word: &Word, good: fn(&str) -> bool, expected: &str) -> bool {
        let is_good = good(&word.text);
        if !is_good {
            let message = format!("`{}` is not {expected}", word.text);
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(word.span));
        }
        is_good
    }

    fn missing(&mut self, key: &str, example: &str) {
        // A key that is nearly this one is reported by itself.
        let is_meant = |(other, _): (&str, _)| !KEYS.contains(&other) && nearest(other, KEYS) == Some(key);
        if self.pack.iter().any(is_meant) {
            return;
        }
        let message = format!("`[pack]` needs a key `{key}`");
        self.out.push(Diagnostic::error(Code::MissingKey, message).at(self.place).help(format!("add `{example}`")));
    }
}

fn read_needs(table: &Table, key: &str, out: &mut Vec<Diagnostic>) -> BTreeMap<String, Need> {
    let Some(node) = table.get(key) else { return BTreeMap::new() };
    match node.as_table() {
        Some(lines) => needs_in(lines, out),
        None => {
            out.push(wrong_type(key, "a table from packs to versions, such as `base = \"^1.0\"`", node));
            BTreeMap::new()
        }
    }
}

/// The packs that a mode needs: a table like that of the manifest, or a list of packs in any version.
pub(crate) fn needs_of_mode(node: &Node, key: &str, out: &mut Vec<Diagnostic>) -> BTreeMap<String, Need> {
    if let Some(lines) = node.as_table() {
        return needs_in(lines, out);
    }
    let mut needs = BTreeMap::new();
    let Some(items) = node.as_list() else {
        out.push(wrong_type(key, "a list of packs, or a table from packs to versions", node));
        return needs;
    };
    for item in items {
        match item.as_str() {
            Some(name) if is_pack_id(name, item.span, out) => {
                let need = Need { versions: VersionReq::STAR, span: item.span, versions_span: item.span };
                needs.insert(name.to_string(), need);
            }
            Some(_) => {}
            None => out.push(wrong_type(key, "a list of packs", item)),
        }
    }
    needs
}

fn is_pack_id(name: &str, at: Span, out: &mut Vec<Diagnostic>) -> bool {
    if !is_kebab(name) {
        let message = format!("`{name}` cannot be the id of a pack");
        let help = "ids of packs are written in small letters with `-`, such as `night-ferry`";
        out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
    }
    is_kebab(name)
}

fn needs_in(lines: &Table, out: &mut Vec<Diagnostic>) -> BTreeMap<String, Need> {
    let mut needs = BTreeMap::new();
    for (name, entry) in lines.iter() {
        if !is_pack_id(name, entry.key, out) {
            continue;
        }
        let Some(text) = entry.node.as_str() else {
            out.push(wrong_type(name, "a text such as `\"^1.0\"`", &entry.node));
            continue;
        };
        match VersionReq::parse(text) {
            Ok(versions) => {
                let need = Need { versions, span: entry.key, versions_span: entry.node.span };
                needs.insert(name.to_string(), need);
            }
            Err(error) => {
                let message = format!("`{text}` does not say which versions: {error}");
                let help = "write `\"^1.0\"` for version 1.0 or a later one before 2.0, or `\"*\"` for any";
                out.push(Diagnostic::error(Code::WrongValue, message).at(entry.node.span).help(help));
            }
        }
    }
    needs
}

fn wrong_type(key: &str, expected: &str, node: &Node) -> Diagnostic {
    let message = format!("`{key}` must be {expected}, and this is {}", node.describe());
    Diagnostic::error(Code::WrongType, message).at(node.span)
}

/// Words of lower-case letters and digits, joined by single `joint`s; the first character is not a digit.
fn is_joined(text: &str, joint: char) -> bool {
    let word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.split(joint).all(word)
}

/// Whether a text can be the id of a pack: words of small letters and digits, joined by `-`.
pub fn is_kebab(text: &str) -> bool {
    is_joined(text, '-')
}

/// Whether a text can be the id of a definition: words of small letters and digits, joined by `_`.
pub fn is_snake(text: &str) -> bool {
    is_joined(text, '_')
}

fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let first = parts.next().unwrap_or("");
    (2..=3).contains(&first.len())
        && first.chars().all(|c| c.is_ascii_lowercase())
        && parts.all(|part| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulepack_model::Sources;

    fn read(text: &str) -> (Option<Manifest>, Vec<String>) {
        let mut sources = Sources::default();
        let file = sources.add("pack.toml", text);
        let mut out = Vec::new();
        let table = crate::read_toml(&sources, file, &mut out);
        let manifest = Manifest::read(&table, "harbor", file, &mut out);
        let show = |found: &Diagnostic| {
            let (_, line, column) = found.labels.first().map(|label| sources.position(label.span)).unwrap_or_default();
            format!("{line}:{column} {} {}", found.code, found.help.as_deref().unwrap_or("-"))
        };
        (manifest, out.iter().map(show).collect())
    }

    #[test]
    fn reads_every_key() {
        let (manifest, mistakes) = read(
            r#"
            [pack]
            id       = "harbor"
            version  = "1.2.3"
            title    = "Harbor"
            text     = "Ships."
            kind     = "expansion"
            players  = { min = 1, max = 4 }
            language = "en"
            locales  = ["fr", "pt-BR"]
            editions = ["fr", "de"]
            alias    = "har"
            [needs]
            base = "^1.0"
            [conflicts]
            other = "*"
            [resource.coin]
            "#,
        );
        assert_eq!(mistakes, [""; 0]);
        let manifest = manifest.unwrap();
        assert_eq!((manifest.id.as_str(), manifest.version), ("harbor", Version::new(1, 2, 3)));
        assert_eq!(manifest.kind, PackKind::Expansion);
        assert_eq!(manifest.players.map(|players| (players.min, players.max)), Some((1, 4)));
        assert_eq!(manifest.locales.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(), ["fr", "pt-BR"]);
        assert!(manifest.needs["base"].accepts(&Version::new(1, 5, 0)));
        assert!(manifest.conflicts["other"].accepts(&Version::parse("2.0.0-beta").unwrap()));
    }

    #[test]
    fn reports_every_mistake_at_once() {
        let (manifest, mistakes) = read(
            "[pack]\nid = 'haven'\nversion = '1.0'\ntitel = 'Harbor'\nkind = 'gane'\nplayers = { min = 3, max = 2 }\n\
             locales = ['fr', 1, 'fr']\nalias = 'Har'\n[needs]\nbase = 1\nother = 'new'\nBad = '*'\n",
        );
        assert!(manifest.is_none());
        assert_eq!(
            mistakes,
            [
                "10:8 wrong-type -",
                "11:9 wrong-value write `\"^1.0\"` for version 1.0 or a later one before 2.0, or `\"*\"` for any",
                "12:1 wrong-value ids of packs are written in small letters with `-`, such as `night-ferry`",
                "4:1 unknown-key did you mean `title`?",
                "2:6 wrong-value write `id = \"harbor\"`, or rename the folder",
                "3:11 wrong-value write three numbers, such as `\"1.0.0\"`",
                "5:8 wrong-value did you mean `game`?",
                "6:11 wrong-value `min` is the smaller number",
                "7:18 wrong-type -",
                "7:21 wrong-value -",
                "8:9 wrong-value -",
            ]
        );
    }

    #[test]
    fn a_game_says_how_many_play() {
        let (manifest, mistakes) = read("[pack]\nid = 'harbor'\nversion = '1.0.0'\ntitle = 'Harbor'\n");
        assert!(manifest.is_some());
        assert_eq!(mistakes, ["1:1 missing-key add `players = { min = 1, max = 4 }`"]);
    }

    #[test]
    fn a_manifest_needs_its_table() {
        assert_eq!(read("[pakc]\n").1, ["1:2 missing-key did you mean `[pack]` instead of `[pakc]`?"]);
    }
}
