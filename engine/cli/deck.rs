//! Cards made from the data of a pack: its words, costs and attributes, and its look.

use std::collections::{BTreeMap, BTreeSet};

use rulepack::{Glossary, TypeEntry};
use rulepack_kernel::{Look, Mark, Ruleset, Words};
use rulepack_model::{KindId, did_you_mean};
use rulepack_print::{Back, Card, Cost, Field, Size, Symbol, Theme};

/// Colours of kinds that have none of their own, in the order of the kinds.
const KINDS: [&str; 10] =
    ["#7c3a2d", "#2c5f66", "#3f6a3b", "#5b4a7d", "#8a6320", "#34507d", "#8c3657", "#55602f", "#5f4737", "#2c6f8a"];

/// Colours of resources that have none of their own, in the order of the resources.
const RESOURCES: [&str; 10] =
    ["#c08a1e", "#a8452c", "#5b8a3a", "#4a6fa8", "#8f6a4c", "#6f7480", "#b45f8b", "#2f8a86", "#cf7629", "#6857a8"];

/// The cards of a game in one language.
pub struct Deck<'r> {
    rules: &'r Ruleset,
    words: Words<'r>,
    glossary: Glossary,
    /// By resource and group of resources.
    signs: BTreeMap<String, Symbol>,
    /// How many copies of each type there are.
    counts: BTreeMap<&'r str, u32>,
}

impl<'r> Deck<'r> {
    /// Reads the words of a game.
    pub fn new(rules: &'r Ruleset, language: &str) -> Deck<'r> {
        let words = Words::new(rules, language);
        let mut counts = BTreeMap::new();
        for piece in &rules.pieces {
            *counts.entry(rules.ty(piece.ty).name.as_str()).or_insert(0) += 1;
        }
        let signs = signs(rules, &words);
        Deck { rules, words, glossary: Glossary::new(rules, language), signs, counts }
    }

    /// Whether there is a kind; else what was perhaps meant.
    pub fn knows(&self, kind: &str) -> Result<(), String> {
        if self.rules.kinds.iter().any(|known| known.name == kind) {
            return Ok(());
        }
        let hint = did_you_mean(kind, self.rules.kinds.iter().map(|known| known.name.as_str()));
        Err(hint.map_or("the game has no such kind".to_string(), |hint| format!("the game has no such kind; {hint}")))
    }

    /// What all cards share.
    pub fn theme(&self, size: Size) -> Theme {
        let Look { accent, background, icons, .. } = self.glossary.look.clone();
        Theme { game: self.words.title(&format!("pack.{}", self.rules.pack)), accent, background, icons, size }
    }

    /// The cards of some kinds; without any, of those on which there is something to read.
    pub fn cards(&self, kinds: &[String]) -> Vec<Card> {
        let is_asked = |entry: &TypeEntry| entry.kinds.iter().any(|kind| kinds.contains(kind));
        let readable = self.readable();
        let is_shown = |entry: &&TypeEntry| match kinds.is_empty() {
            true => entry.kinds.first().is_some_and(|kind| readable.contains(kind.as_str())),
            false => is_asked(entry),
        };
        let cards = self.glossary.types.iter().filter(is_shown).map(|entry| self.card(entry));
        cards.filter(|card| card.count > 0).collect()
    }

    /// Kinds of which a type has a text, a cost, or two attributes: a counter with a colour is no card.
    fn readable(&self) -> BTreeSet<&str> {
        let says = |entry: &&TypeEntry| entry.text.is_some() || !entry.costs.is_empty() || self.fields(entry).len() > 1;
        self.glossary.types.iter().filter(says).filter_map(|entry| Some(entry.kinds.first()?.as_str())).collect()
    }

    fn mark(&self, entry: &TypeEntry) -> Mark {
        let value = |id: &str| entry.attributes.iter().find(|known| known.id == id)?.name.as_deref();
        self.glossary.look.mark(&entry.kinds, value)
    }

    /// The colour of a kind that has none.
    fn own_colour(&self, kind: &str) -> String {
        let at = self.rules.kinds.iter().position(|known| known.name == kind).unwrap_or(0);
        KINDS.get(at % KINDS.len()).copied().unwrap_or("#505050").to_string()
    }

    fn card(&self, entry: &TypeEntry) -> Card {
        let kind = entry.kinds.first().map_or("", String::as_str);
        let mark = self.mark(entry);
        Card {
            id: format!("{kind}/{}", entry.id),
            title: capital(&entry.title),
            kind: capital(&entry.kind_title),
            costs: self.costs(entry),
            fields: self.fields(entry),
            text: entry.text.clone().unwrap_or_default(),
            colour: mark.colour.unwrap_or_else(|| self.own_colour(kind)),
            icon: mark.icon,
            count: self.counts.get(entry.id.as_str()).copied().unwrap_or(0),
            back: self.back(entry),
        }
    }

    fn costs(&self, entry: &TypeEntry) -> Vec<Cost> {
        let shown = self.glossary.look.fields(&entry.kinds);
        let is_shown = |id: &String| shown.is_none_or(|shown| shown.contains(id));
        let costs: Vec<_> = entry.costs.iter().filter(|cost| is_shown(&cost.id)).collect();
        let cost = |named: &&rulepack::NamedCost| Cost {
            // One cost needs no name.
            title: if costs.len() > 1 { self.words.title(&format!("attribute.{}", named.id)) } else { String::new() },
            parts: named.cost.parts.iter().map(|part| (part.amount, self.sign(&part.id, &part.title))).collect(),
            less: named.cost.less,
        };
        costs.iter().map(cost).collect()
    }

    fn sign(&self, id: &str, title: &str) -> Symbol {
        let plain =
            || Symbol { title: title.to_string(), letters: letters(title, 1), colour: "#505050".into(), icon: None };
        self.signs.get(id).cloned().unwrap_or_else(plain)
    }

    fn fields(&self, entry: &TypeEntry) -> Vec<Field> {
        let look = &self.glossary.look;
        let shown: Vec<&rulepack::Attribute> = match look.fields(&entry.kinds) {
            None => entry.attributes.iter().collect(),
            Some(ids) => {
                let named = |id: &String| entry.attributes.iter().find(|known| known.id == *id);
                ids.iter().filter_map(named).collect()
            }
        };
        let field = |attribute: &rulepack::Attribute| Field {
            title: attribute.title.clone(),
            value: attribute.value.clone(),
            symbol: attribute.name.as_deref().and_then(|name| self.value_sign(attribute, name)),
        };
        shown.into_iter().map(field).collect()
    }

    /// The sign of a value that has a colour, an icon, or is a resource.
    fn value_sign(&self, attribute: &rulepack::Attribute, name: &str) -> Option<Symbol> {
        let by = self.glossary.look.by.iter().find(|by| by.attribute == attribute.id);
        if let Some(Mark { colour, icon }) = by.and_then(|by| by.values.get(name)) {
            let colour = colour.clone().unwrap_or_else(|| "#505050".to_string());
            let letters = letters(&attribute.value, 1);
            return Some(Symbol { title: attribute.value.clone(), letters, colour, icon: icon.clone() });
        }
        self.signs.get(name).cloned()
    }

    /// What stands behind: the widest kind, and what everybody sees of a hidden card.
    fn back(&self, entry: &TypeEntry) -> Back {
        let widest = entry.kinds.last().map_or("", String::as_str);
        let seen = entry.kinds.iter().find_map(|kind| {
            let back = self.rules.kinds.iter().find(|known| known.name == *kind)?.back?;
            let (id, _) = self.rules.attrs.get(usize::from(back.0))?;
            entry.attributes.iter().find(|known| known.id == *id)
        });
        let look = &self.glossary.look;
        let of_kind = look.kinds.get(widest).map(|kind| Mark { colour: kind.colour.clone(), icon: kind.icon.clone() });
        let by = seen.and_then(|seen| {
            let by = look.by.iter().find(|by| by.attribute == seen.id)?;
            by.values.get(seen.name.as_deref()?).cloned()
        });
        let (by, of_kind) = (by.unwrap_or_default(), of_kind.unwrap_or_default());
        let number = self.rules.kinds.iter().position(|known| known.name == widest);
        let title = number.map_or(String::new(), |number| capital(&self.words.kind(KindId::from(number))));
        let accent = if seen.is_some() { None } else { look.accent.clone() };
        Back {
            id: match seen {
                Some(seen) => format!("back/{widest}_{}", seen.name.as_deref().unwrap_or(&seen.value)),
                None => format!("back/{widest}"),
            },
            title: match seen {
                Some(seen) => format!("{title} · {}", seen.value),
                None => title,
            },
            colour: by.colour.or(accent).or(of_kind.colour).unwrap_or_else(|| self.own_colour(widest)),
            icon: by.icon.or(of_kind.icon),
        }
    }
}

/// The signs of all resources and groups of resources.
fn signs(rules: &Ruleset, words: &Words<'_>) -> BTreeMap<String, Symbol> {
    let resources = rules.resources.iter().map(|it| ("resource", &it.name));
    let groups = rules.groups.iter().map(|it| ("group", &it.name));
    let named: Vec<(&String, String)> =
        resources.chain(groups).map(|(sort, name)| (name, words.title(&format!("{sort}.{name}")))).collect();
    let sign = |(at, (name, title)): (usize, &(&String, String))| {
        // Two that begin alike have two letters.
        let alike = named.iter().filter(|(_, other)| letters(other, 1) == letters(title, 1)).count();
        let Mark { colour, icon } = rules.look.resources.get(*name).cloned().unwrap_or_default();
        let own = || RESOURCES.get(at % RESOURCES.len()).copied().unwrap_or("#505050").to_string();
        let letters = letters(title, if alike > 1 { 2 } else { 1 });
        ((*name).clone(), Symbol { title: title.clone(), letters, colour: colour.unwrap_or_else(own), icon })
    };
    named.iter().enumerate().map(sign).collect()
}

/// The first letters of a word, the first of them a capital.
fn letters(title: &str, count: usize) -> String {
    capital(&title.chars().filter(|letter| letter.is_alphanumeric()).take(count).collect::<String>())
}

/// A text that begins with a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
