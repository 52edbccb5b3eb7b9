//! `[look]`: colours, icons and the order of zones. Nothing here changes a rule, a digest or a save.
//!
//! A pack has one such table. What a later pack says comes before what the packs say that it builds on, key by key.

use std::sync::Arc;

use rulepack_kernel::{Look, LookBy, Mark, ZoneLook, ZoneSize};
use rulepack_model::{Code, Diagnostic, Entry, Node, did_you_mean, known_instead};

use super::Linker;
use super::fields::Fields;
use crate::icon;
use crate::library::PackSource;

/// The table that says how a game is shown; it defines nothing.
pub(crate) const LOOK: &str = "look";

/// The icons of one pack.
struct Icons<'p> {
    pack: &'p PackSource,
}

impl Linker<'_> {
    /// Reads the looks of all packs into one.
    pub(crate) fn link_look(&mut self, packs: &[Arc<PackSource>]) {
        let mut look = Look::default();
        for pack in packs {
            let tables = pack.files.iter().filter_map(|(_, table)| table.entries.get(LOOK));
            let mut first: Option<&Entry> = None;
            for entry in tables {
                if let Some(first) = first {
                    let twice = Diagnostic::error(Code::DuplicateId, "a pack has one `[look]`");
                    let twice = twice.label(entry.key, "here again").label(first.key, "first here");
                    self.out.push(twice.help("move both into one file, such as `look.toml`"));
                    continue;
                }
                first = Some(entry);
                self.look_of(&Icons { pack }, &entry.node, &mut look);
            }
        }
        self.rules.look = look;
    }

    fn look_of(&mut self, icons: &Icons<'_>, node: &Node, look: &mut Look) {
        let mut out = Vec::new();
        let Some(mut fields) = Fields::of(node, LOOK, &mut out) else {
            self.out.extend(out);
            return;
        };
        look.accent = colour(&mut fields, "accent", &mut out).or(look.accent.take());
        look.background = colour(&mut fields, "background", &mut out).or(look.background.take());
        for (id, entry) in fields.table("kind", &mut out) {
            let known: Vec<&str> = self.vocabulary.kinds.keys().map(String::as_str).collect();
            if !self.is_there("kind", id, entry, &known, &mut out) {
                continue;
            }
            let what = format!("look.kind.{id}");
            let Some(mut fields) = Fields::of(&entry.node, what, &mut out) else { continue };
            let mut kind = look.kinds.remove(id).unwrap_or_default();
            let Mark { colour, icon } = self.mark(icons, &mut fields, look, &mut out);
            kind.colour = colour.or(kind.colour);
            kind.icon = icon.or(kind.icon);
            kind.fields = self.shown_fields(&mut fields, &mut out).or(kind.fields);
            fields.done(&mut out);
            look.kinds.insert(id.to_string(), kind);
        }
        for (id, entry) in fields.table("resource", &mut out) {
            let groups = self.vocabulary.groups.keys();
            let known: Vec<&str> = self.vocabulary.resources.keys().chain(groups).map(String::as_str).collect();
            let sort = if self.definitions.absent.contains_key(&format!("group.{id}")) { "group" } else { "resource" };
            if self.is_there(sort, id, entry, &known, &mut out) {
                let what = format!("look.resource.{id}");
                let Some(mut fields) = Fields::of(&entry.node, what, &mut out) else { continue };
                let mark = self.mark(icons, &mut fields, look, &mut out);
                fields.done(&mut out);
                add(look.resources.entry(id.to_string()).or_default(), mark);
            }
        }
        for (id, entry) in fields.table("by", &mut out) {
            self.look_by(icons, id, entry, look, &mut out);
        }
        for (id, entry) in fields.table("zone", &mut out) {
            let known: Vec<&str> = self.vocabulary.zones.keys().map(String::as_str).collect();
            if self.is_there("zone", id, entry, &known, &mut out) {
                zone(id, entry, look, &mut out);
            }
        }
        fields.done(&mut out);
        self.out.extend(out);
    }

    /// Whether the game has what a table is about. What another mode has is no mistake.
    fn is_there(&self, sort: &str, id: &str, entry: &Entry, known: &[&str], out: &mut Vec<Diagnostic>) -> bool {
        if known.contains(&id) {
            return true;
        }
        if !self.definitions.absent.contains_key(&format!("{sort}.{id}")) {
            let unknown = Diagnostic::error(Code::UnknownName, format!("the game has no {sort} `{id}`")).at(entry.key);
            out.push(unknown.missing(id).maybe_help(known_instead(id, known.iter().copied())));
        }
        false
    }

    fn look_by(&mut self, icons: &Icons<'_>, id: &str, entry: &Entry, look: &mut Look, out: &mut Vec<Diagnostic>) {
        let known: Vec<&str> = self.vocabulary.attrs.keys().map(String::as_str).collect();
        if !self.is_there("attribute", id, entry, &known, out) {
            return;
        }
        let Some(mut values) = Fields::of(&entry.node, format!("look.by.{id}"), out) else { return };
        let names: Vec<&str> =
            entry.node.as_table().into_iter().flat_map(|table| table.iter()).map(|(id, _)| id).collect();
        for name in names {
            let Some(node) = values.get(name) else { continue };
            let is_there = self.vocabulary.symbols.contains_key(name) || self.vocabulary.resources.contains_key(name);
            let elsewhere = |sort: &str| self.definitions.absent.contains_key(&format!("{sort}.{name}"));
            if !is_there {
                if !elsewhere("symbol") && !elsewhere("resource") {
                    let known = self.vocabulary.symbols.keys().chain(self.vocabulary.resources.keys());
                    let message = format!("no symbol and no resource is called `{name}`");
                    let at = entry.node.as_table().and_then(|table| table.key_span(name)).unwrap_or(node.span);
                    let help = did_you_mean(name, known.map(String::as_str));
                    out.push(Diagnostic::error(Code::UnknownName, message).at(at).missing(name).maybe_help(help));
                }
                continue;
            }
            // `red = "#c00"` is short for `red = { colour = "#c00" }`.
            let mark = match node.as_str() {
                Some(_) => Mark { colour: colour(&mut values, name, out), icon: None },
                None => {
                    let Some(mut fields) = Fields::of(node, format!("look.by.{id}.{name}"), out) else { continue };
                    let mark = self.mark(icons, &mut fields, look, out);
                    fields.done(out);
                    mark
                }
            };
            let at = look.by.iter().position(|by| by.attribute == id).unwrap_or_else(|| {
                look.by.push(LookBy { attribute: id.to_string(), ..LookBy::default() });
                look.by.len().saturating_sub(1)
            });
            if let Some(by) = look.by.get_mut(at) {
                add(by.values.entry(name.to_string()).or_default(), mark);
            }
        }
    }

    fn mark(&self, icons: &Icons<'_>, fields: &mut Fields<'_>, look: &mut Look, out: &mut Vec<Diagnostic>) -> Mark {
        let colour = colour(fields, "colour", out);
        let path = fields.text("icon", out);
        let icon = path.and_then(|path| {
            let at = fields.span_of("icon");
            let pack = &icons.pack.manifest.id;
            let name = format!("{pack}/{path}");
            if look.icons.contains_key(&name) {
                return Some(name);
            }
            let Some(file) = icons.pack.icons.get(path) else {
                let message = format!("there is no icon `{path}`");
                let help = did_you_mean(path, icons.pack.icons.keys().map(String::as_str));
                let help =
                    help.unwrap_or_else(|| format!("draw it as `content/{pack}/look/{path}`, which ends in `.svg`"));
                out.push(Diagnostic::error(Code::MissingFile, message).at(at).help(help));
                return None;
            };
            let source = self.sources.get(*file)?;
            match icon::clean(*file, source, &prefix(&name)) {
                Ok(text) => {
                    look.icons.insert(name.clone(), text);
                    Some(name)
                }
                Err(refused) => {
                    // A file that several tables name is wrong once.
                    if !out.iter().chain(&self.out).any(|known| known.labels.first() == refused.labels.first()) {
                        out.push(refused.label(at, "the icon is used here"));
                    }
                    None
                }
            }
        });
        Mark { colour, icon }
    }

    /// The attributes that are shown.
    fn shown_fields(&self, fields: &mut Fields<'_>, out: &mut Vec<Diagnostic>) -> Option<Vec<String>> {
        fields.get("fields")?;
        let mut shown = Vec::new();
        for (name, at) in fields.texts("fields", out) {
            if self.vocabulary.attrs.contains_key(name) {
                shown.push(name.to_string());
            } else if !self.definitions.absent.contains_key(&format!("attribute.{name}")) {
                let known = self.vocabulary.attrs.keys().map(String::as_str);
                let message = format!("no kind has an attribute `{name}`");
                let unknown = Diagnostic::error(Code::UnknownName, message).at(at).missing(name);
                out.push(unknown.maybe_help(known_instead(name, known)));
            }
        }
        Some(shown)
    }
}

fn zone(id: &str, entry: &Entry, look: &mut Look, out: &mut Vec<Diagnostic>) {
    let Some(mut fields) = Fields::of(&entry.node, format!("look.zone.{id}"), out) else { return };
    let zone: &mut ZoneLook = look.zones.entry(id.to_string()).or_default();
    zone.order = fields.whole("order", -1_000..=1_000, out).or(zone.order);
    zone.size = match fields.text("size", out) {
        None => zone.size,
        Some("small") => Some(ZoneSize::Small),
        Some("large") => Some(ZoneSize::Large),
        Some(other) => {
            let message = format!("`{other}` is no size of a zone");
            let at = fields.span_of("size");
            out.push(Diagnostic::error(Code::WrongValue, message).at(at).help("write \"small\" or \"large\""));
            zone.size
        }
    };
    zone.hidden = fields.bool("hidden", out).unwrap_or(zone.hidden);
    fields.done(out);
}

fn add(mark: &mut Mark, more: Mark) {
    mark.colour = more.colour.or(mark.colour.take());
    mark.icon = more.icon.or(mark.icon.take());
}

/// What names inside an icon begin with, so that two icons on one page do not share any.
fn prefix(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

/// A colour, as `#rrggbb` in small letters.
fn colour(fields: &mut Fields<'_>, key: &str, out: &mut Vec<Diagnostic>) -> Option<String> {
    let text = fields.text(key, out)?;
    let digits = text.strip_prefix('#').filter(|digits| digits.chars().all(|digit| digit.is_ascii_hexdigit()));
    let long = match digits {
        Some(digits) if digits.len() == 6 => Some(digits.to_ascii_lowercase()),
        Some(digits) if digits.len() == 3 => {
            Some(digits.to_ascii_lowercase().chars().flat_map(|digit| [digit, digit]).collect())
        }
        _ => None,
    };
    if long.is_none() {
        let message = format!("`{text}` is no colour");
        let help = "write red, green and blue as `#rrggbb`, such as \"#a03c1e\"";
        out.push(Diagnostic::error(Code::WrongValue, message).at(fields.span_of(key)).help(help));
    }
    Some(format!("#{}", long?))
}
