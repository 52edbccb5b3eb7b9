//! All that is known of a definition: how players read it, its fields with their places, what its texts say in sentences, which
//! scenarios name it, and how often it was taken in a simulation.

use std::collections::BTreeMap;
use std::path::Path;

use rulepack_kernel::Words;
use rulepack_model::visible::one_line;
use rulepack_model::{Node, Span, Value};
use rulepack_pack::{Catalogue, TextUse, read_text};
use rulepack_tools::sentences::{Titles, in_words};
use rulepack_tools::{GameBox, Library, Touching, all_scenarios};
use serde::Serialize;

use crate::origin::{Field, fields, made};
use crate::stop::{Stop, shown};

/// A definition with everything that is known of it.
#[derive(Serialize)]
pub struct Described<'d> {
    /// Its kind and its id, with a point in between.
    pub definition: String,
    /// As players read it, in every language.
    pub seen: Vec<Seen>,
    /// Its fields with their places.
    pub fields: Vec<Field>,
    /// Its texts of the expression language in sentences.
    pub words: Vec<InWords>,
    /// The scenarios that name it.
    pub scenarios: Vec<&'d Touching>,
    /// How often it was taken in a simulation, if one was given.
    pub taken: Option<Vec<Taken>>,
}

/// A definition as players read it in one language.
#[derive(Serialize)]
pub struct Seen {
    /// The language.
    pub language: String,
    /// The title.
    pub title: String,
    /// The text.
    pub text: Option<String>,
}

/// A text of the expression language in a sentence.
#[derive(Serialize)]
pub struct InWords {
    /// The field.
    pub field: String,
    /// What it says.
    pub words: String,
}

/// How often something was taken in a simulation.
#[derive(Debug, Clone, Serialize)]
pub struct Taken {
    /// The action for which it was taken; none: it was chosen in the middle of something.
    pub action: Option<String>,
    /// At how many questions it was offered.
    pub offered: u64,
    /// At how many of them it was taken.
    pub taken: u64,
}

/// The answers of a simulation, by the card that they are about, or by the action.
pub struct Simulated {
    answers: BTreeMap<String, Vec<Taken>>,
}

impl Simulated {
    /// Reads what `rulepack sim --statistics --format json` has written about a pack.
    pub fn read(path: &Path, pack: &str) -> Result<Simulated, Stop> {
        const MOST: u64 = 1 << 28;
        let name = shown(path);
        let text =
            read_text(path, None, MOST).map_err(|error| Stop::Call(format!("`{name}` cannot be read: {error}")))?;
        let cure = "write it with `rulepack sim PACK --statistics --format json`";
        let report: serde_json::Value = serde_json::from_str(&text)
            .map_err(|error| Stop::Call(format!("`{name}` is no report of a simulation ({error}); {cure}")))?;
        let list = report.pointer("/statistics/answers").and_then(|answers| answers.as_array());
        let Some(list) = list else {
            return Err(Stop::Call(format!("`{name}` holds no statistics; {cure}")));
        };
        let of = report.get("pack").and_then(|pack| pack.as_str()).unwrap_or_default();
        if of != pack {
            let message = format!("`{name}` is about the pack `{of}`, and not about `{pack}`; {cure}");
            return Err(Stop::Call(one_line(&message).into_owned()));
        }
        let mut answers: BTreeMap<String, Vec<Taken>> = BTreeMap::new();
        for answer in list {
            let text = |key: &str| answer.get(key).and_then(|value| value.as_str()).map(str::to_string);
            let number = |key: &str| answer.get(key).and_then(serde_json::Value::as_u64).unwrap_or(0);
            let action = text("action");
            let taken = Taken { action: action.clone(), offered: number("offered"), taken: number("taken") };
            match text("card") {
                Some(card) => answers.entry(card).or_default().push(taken),
                None => {
                    let Some(action) = action else { continue };
                    answers.entry(format!("action.{action}")).or_default().push(Taken { action: None, ..taken });
                }
            }
        }
        Ok(Simulated { answers })
    }

    fn about(&self, definition: &str) -> Vec<Taken> {
        self.answers.get(definition).cloned().unwrap_or_default()
    }
}

/// Describes the definitions of a game.
pub struct Describer<'a> {
    library: &'a Library,
    game_box: &'a GameBox,
    /// What stands for the names in texts.
    pub titles: Titles,
    /// All scenarios of the pack and of those that it needs.
    pub scenarios: Vec<Touching>,
    texts: BTreeMap<Span, TextUse>,
    languages: Vec<String>,
    simulated: Option<Simulated>,
}

impl<'a> Describer<'a> {
    /// For a game of a pack.
    pub fn new(library: &'a Library, game_box: &'a GameBox, pack: &str, simulated: Option<Simulated>) -> Self {
        let catalogue = game_box.catalogue();
        let order = library.load_order(pack);
        let mut languages: Vec<String> = Vec::new();
        for manifest in order.iter().rev().filter_map(|pack| library.manifest(pack)) {
            let all = std::iter::once(manifest.language).chain(manifest.locales.into_iter().map(|locale| locale.text));
            for language in all {
                if !languages.contains(&language) {
                    languages.push(language);
                }
            }
        }
        Describer {
            library,
            game_box,
            titles: Titles::of(&catalogue.definitions),
            scenarios: all_scenarios(library, &order),
            texts: catalogue.texts.iter().rev().map(|text| (text.span, text.used)).collect(),
            languages,
            simulated,
        }
    }

    /// The definitions of the game.
    pub fn catalogue(&self) -> &'a Catalogue {
        self.game_box.catalogue()
    }

    /// Everything about one definition.
    pub fn describe(&self, path: &str) -> Option<Described<'_>> {
        let definitions = &self.catalogue().definitions;
        let (kind, id) = path.split_once('.').unwrap_or((path, ""));
        let list = definitions.lists.get(path);
        let node = definitions.get(kind, id).or(list.map(|list| &list.node))?;
        let sources = self.library.sources();
        let mut fields = fields(node, path, self.catalogue(), &sources);
        if let Some((by, list)) = definitions.made_by(kind, id).and_then(|by| definitions.lists.get_key_value(by)) {
            fields.push(made("made by", by.clone(), list.key, self.catalogue(), &sources));
        }
        if let Some(list) = list {
            let types: Vec<&str> = list.types.iter().map(String::as_str).collect();
            fields.push(made("makes", types.join(", "), list.key, self.catalogue(), &sources));
        }
        Some(Described {
            definition: path.to_string(),
            seen: self.seen(path),
            fields,
            words: self.words(node),
            scenarios: self.scenarios.iter().filter(|scenario| scenario.names(id)).collect(),
            taken: self.simulated.as_ref().map(|simulated| simulated.about(path)),
        })
    }

    /// A definition in every language of the packs, the pack's own first.
    fn seen(&self, path: &str) -> Vec<Seen> {
        let in_language = |language: &String| {
            let words = Words::new(self.game_box.rules(), language);
            let title = words.given_title(path)?;
            Some(Seen { title, text: words.text(path).map(str::to_string), language: language.clone() })
        };
        self.languages.iter().filter_map(in_language).collect()
    }

    /// The texts below a node in sentences, by field.
    pub fn words(&self, node: &Node) -> Vec<InWords> {
        let mut all = Vec::new();
        self.collect(node, "", &mut all);
        all
    }

    fn collect(&self, node: &Node, field: &str, out: &mut Vec<InWords>) {
        match &node.value {
            Value::Table(table) => {
                for (name, entry) in table.iter() {
                    let field = if field.is_empty() { name.to_string() } else { format!("{field}.{name}") };
                    self.collect(&entry.node, &field, out);
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.collect(item, field, out)),
            Value::Str(text) => {
                let words = self.texts.get(&node.span).and_then(|used| in_words(text, *used, &self.titles));
                if let Some(words) = words.filter(|words| !words.is_empty()) {
                    out.push(InWords { field: field.to_string(), words });
                }
            }
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Date(_) => {}
        }
    }
}

impl Taken {
    /// For people.
    pub fn text(&self) -> String {
        let Taken { action, offered, taken } = self;
        let share = if *offered == 0 { 0.0 } else { 100.0 * *taken as f64 / *offered as f64 };
        let what = action.as_deref().map_or("chosen".to_string(), |action| format!("`{action}`"));
        format!("{what}: taken at {taken} of {offered} questions that offered it ({share:.0} %)")
    }
}
