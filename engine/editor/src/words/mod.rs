//! What each word of a file means: of definitions, of the expressions in them, of scenarios, translations and scripts.
//!
//! All abilities of the server read the same list: what stands under the cursor, where it is declared, where else it is used, and
//! which colour it has. A file that cannot be parsed has the words that can be read.

mod definitions;
mod expression;
mod language;
mod scenario;
mod script;

use std::ops::Range;

use rulepack_expr::{AttrTy, Vocabulary};
use rulepack_pack::Definitions;

pub(crate) use definitions::{definition_words, headers, translation_words};
pub(crate) use expression::{Token, expression_words, tokens};
pub(crate) use language::{KEYWORDS, STEP_WORDS, about_word};
pub(crate) use scenario::scenario_words;
pub(crate) use script::{call_around, kinds_of, script_words};

/// What a word names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Thing {
    /// `[zone.hand]`
    Definition { kind: String, id: String },
    /// An attribute of kinds or resources.
    Attribute(String),
    /// A mark of spaces.
    Mark(String),
    /// A function of a script, as `file.function`.
    Function { pack: String, name: String },
    /// A name inside one text or definition, and where it is given in the same file.
    Local { name: String, given: Option<(usize, usize)> },
    /// A method of `ctx`.
    Method(String),
    /// A key of a table, with the path of the table.
    Key { path: Vec<String>, name: String },
    /// A word of the expression language.
    Language(String),
}

/// What a word is, for colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Keyword,
    Function,
    Local,
    Field,
    Symbol,
    Number,
    Comment,
    Sign,
    Name,
    Kind,
    Event,
    Action,
    Script,
    Key,
}

/// A word of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its place in the file, in bytes.
    pub(crate) at: Range<usize>,
    pub(crate) role: Role,
    pub(crate) thing: Option<Thing>,
    /// Whether it is where the thing is declared.
    pub(crate) declares: bool,
    /// Whether it stands in an expression.
    pub(crate) in_expression: bool,
}

impl Word {
    pub(crate) fn new(at: Range<usize>, role: Role, thing: Option<Thing>) -> Word {
        Word { at, role, thing, declares: false, in_expression: false }
    }
}

/// The names of the game to which a file belongs, as far as they are known.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub(crate) names: &'a Vocabulary,
    pub(crate) definitions: Option<&'a Definitions>,
    /// The pack of the file.
    pub(crate) pack: &'a str,
}

impl World<'_> {
    /// The definition that a name means, if it is one of some kinds. `piece` stands for every type, `plural` for kinds by their
    /// plurals.
    pub(crate) fn find(&self, kinds: &[&str], name: &str) -> Option<Thing> {
        kinds.iter().find_map(|kind| self.of_kind(kind, name))
    }

    fn of_kind(&self, kind: &str, name: &str) -> Option<Thing> {
        let names = self.names;
        let named = |kind: &str, id: &str| Thing::Definition { kind: kind.to_string(), id: id.to_string() };
        match kind {
            "piece" => {
                let (_, of) = names.types.get(name)?;
                let (kind, _) = names.kinds.iter().find(|(_, id)| *id == of)?;
                let list = self.definitions.and_then(|all| all.made_by(kind, name));
                let id = list.and_then(|path| path.split_once('.')).map_or(name, |(_, id)| id);
                Some(named(kind, id))
            }
            "plural" => {
                let of = names.plurals.get(name)?;
                names.kinds.iter().find(|(_, id)| *id == of).map(|(kind, _)| named("kind", kind))
            }
            "attribute" => {
                let is_known = names.attrs.contains_key(name) || names.resource_attrs.contains_key(name);
                is_known.then(|| Thing::Attribute(name.to_string()))
            }
            "mark" => names.marks.contains_key(name).then(|| Thing::Mark(name.to_string())),
            _ => {
                let is_known = match kind {
                    "resource" => names.resources.contains_key(name),
                    "group" => names.groups.contains_key(name),
                    "symbol" => names.symbols.contains_key(name),
                    "kind" => names.kinds.contains_key(name),
                    "zone" => names.zones.contains_key(name),
                    "var" => names.vars.contains_key(name),
                    "value" => names.values.contains_key(name) && !names.modified.contains(name),
                    "set" => names.sets.contains_key(name),
                    "event" => names.events.contains_key(name),
                    "action" => names.actions.contains_key(name),
                    "prompt" => names.prompts.contains_key(name),
                    "adjacency" => names.adjacencies.contains_key(name),
                    "mode" => names.modes.contains_key(name),
                    _ => false,
                };
                let is_defined = || {
                    self.definitions.is_some_and(|all| {
                        all.get(kind, name).is_some() || all.absent.contains_key(&format!("{kind}.{name}"))
                    })
                };
                (is_known || is_defined()).then(|| named(kind, name))
            }
        }
    }

    /// All names of some kinds, for completion, each with the word for its kind.
    pub(crate) fn all(&self, kinds: &[&str]) -> Vec<(String, String)> {
        let names = self.names;
        let mut all: Vec<(String, String)> = Vec::new();
        for kind in kinds {
            let mut add =
                |found: Vec<&String>| all.extend(found.into_iter().map(|id| (id.clone(), (*kind).to_string())));
            match *kind {
                "resource" => add(names.resources.keys().collect()),
                "group" => add(names.groups.keys().collect()),
                "symbol" => add(names.symbols.keys().collect()),
                "kind" => add(names.kinds.keys().collect()),
                "plural" => add(names.plurals.keys().collect()),
                "zone" => add(names.zones.keys().collect()),
                "var" => add(names.vars.keys().collect()),
                "value" => add(names.values.keys().collect()),
                "set" => add(names.sets.keys().collect()),
                "event" => add(names.events.keys().collect()),
                "action" => add(names.actions.keys().collect()),
                "prompt" => add(names.prompts.keys().collect()),
                "adjacency" => add(names.adjacencies.keys().collect()),
                "attribute" => add(names.attrs.keys().chain(names.resource_attrs.keys()).collect()),
                "mark" => add(names.marks.keys().collect()),
                "mode" => add(names.modes.keys().collect()),
                "piece" => add(names.types.keys().collect()),
                _ => {
                    let found = self.definitions.into_iter().flat_map(|all| all.of(kind));
                    all.extend(found.map(|(id, _)| (id.to_string(), (*kind).to_string())));
                }
            }
        }
        all
    }

    /// What an attribute of types holds.
    pub(crate) fn attribute(&self, name: &str) -> Option<AttrTy> {
        self.names.attrs.get(name).map(|attr| attr.ty).or(self.names.resource_attrs.get(name).map(|(_, ty)| *ty))
    }
}

/// The role of a name that stands for a definition.
pub(crate) fn role_of(thing: &Thing) -> Role {
    match thing {
        Thing::Definition { kind, .. } => match kind.as_str() {
            "kind" => Role::Kind,
            "event" => Role::Event,
            "action" => Role::Action,
            "symbol" => Role::Symbol,
            _ => Role::Name,
        },
        Thing::Attribute(_) | Thing::Mark(_) => Role::Field,
        Thing::Function { .. } => Role::Script,
        Thing::Method(_) => Role::Function,
        Thing::Local { .. } => Role::Local,
        Thing::Key { .. } => Role::Key,
        Thing::Language(_) => Role::Keyword,
    }
}
