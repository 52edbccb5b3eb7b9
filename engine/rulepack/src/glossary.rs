//! The glossary of a game: what the box contains and how it is laid out, in words for people. It never changes during a game,
//! and everybody may know it.

use rulepack_expr::{Expr, Term as CostTerm, What};
use rulepack_kernel::ruleset::{AttrValue, Layout, Visibility};
use rulepack_kernel::{Look, Ruleset, Value, Words};
use rulepack_model::{KindId, TypeId};
use serde::{Deserialize, Serialize};

use crate::question::{Cost, CostPart};

/// All that a front end shows besides the table itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Glossary {
    /// The pack.
    pub pack: String,
    /// The language in use.
    pub language: String,
    /// Modes in use.
    pub modes: Vec<String>,
    /// The types of pieces in the box.
    pub types: Vec<TypeEntry>,
    /// The zones, each once, also if every player has one.
    pub zones: Vec<ZoneEntry>,
    /// Colours, icons and the order of zones, as far as the packs say it.
    #[serde(default, skip_serializing_if = "Look::is_empty")]
    pub look: Look,
}

/// A type of pieces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeEntry {
    /// Its id, as `type` of a piece in a view.
    pub id: String,
    /// Its kind, then the kinds above it.
    pub kinds: Vec<String>,
    /// The name that people read.
    pub title: String,
    /// The name of its kind.
    pub kind_title: String,
    /// What stands on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its costs, as far as they are fixed numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<NamedCost>,
    /// Its other attributes that are not 0, no or nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Attribute>,
}

/// A cost with the name of its attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedCost {
    /// The id of the attribute.
    pub id: String,
    /// The cost.
    pub cost: Cost,
}

/// An attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// Its value for people; empty for a plain yes.
    pub value: String,
    /// The id of its value, if that is a symbol or a resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneEntry {
    /// Its id.
    pub id: String,
    /// Whether every player has one.
    pub per_player: bool,
    /// How its spaces lie.
    pub layout: LayoutKind,
    /// How many spaces stand in a row; 0 for a pile.
    pub columns: u16,
    /// How many rows there are; 0 for a pile.
    pub rows: u16,
    /// Whether only the columns in use are shown.
    pub grows: bool,
    /// Who sees its pieces: `all`, `owner`, `top` or `none`.
    pub visible: String,
    /// Whether its pieces can never come back.
    pub out_of_game: bool,
    /// Of points: the pairs of spaces that are joined, counted from 0 in reading order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<(u16, u16)>,
}

/// How the spaces of a zone lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum LayoutKind {
    Pile,
    Row,
    Grid,
    Hex,
    Points,
}

impl Glossary {
    /// The glossary of a game in a language.
    pub fn new(rules: &Ruleset, language: &str) -> Glossary {
        let words = Words::new(rules, language);
        let types = (0..rules.types.len()).map(TypeId::from).map(|ty| TypeEntry::new(rules, &words, ty));
        let zones = rules.zones.iter().map(|zone| {
            let has_spaces = zone.layout.has_spaces();
            ZoneEntry {
                id: zone.name.clone(),
                per_player: zone.per_player,
                layout: kind_of(&zone.layout),
                columns: if has_spaces { zone.layout.columns() } else { 0 },
                rows: if has_spaces { zone.layout.rows() } else { 0 },
                grows: zone.grows,
                visible: visibility(zone.visible).to_string(),
                out_of_game: zone.out_of_game,
                joined: joined(&zone.layout),
            }
        });
        Glossary {
            pack: rules.pack.clone(),
            language: words.language().to_string(),
            modes: rules.modes.clone(),
            types: types.collect(),
            zones: zones.collect(),
            look: rules.look.clone(),
        }
    }
}

fn kind_of(layout: &Layout) -> LayoutKind {
    match layout {
        Layout::List => LayoutKind::Pile,
        Layout::Row(_) => LayoutKind::Row,
        Layout::Grid(_) => LayoutKind::Grid,
        Layout::Hex(_) => LayoutKind::Hex,
        Layout::Points(_) => LayoutKind::Points,
    }
}

fn visibility(visible: Visibility) -> &'static str {
    match visible {
        Visibility::All => "all",
        Visibility::Owner => "owner",
        Visibility::Top => "top",
        Visibility::None => "none",
    }
}

fn joined(layout: &Layout) -> Vec<(u16, u16)> {
    let Layout::Points(_) = layout else { return Vec::new() };
    let pairs = |at| layout.next_to(at).into_iter().filter(move |next| *next > at).map(move |next| (at, next));
    (0..layout.cells()).flat_map(pairs).collect()
}

impl TypeEntry {
    fn new(rules: &Ruleset, words: &Words<'_>, ty: TypeId) -> TypeEntry {
        let entry = rules.ty(ty);
        let kind_name = |kind: &KindId| rules.kinds.get(kind.index()).map(|kind| kind.name.clone());
        let lineage = rules.kinds.get(entry.kind.index()).map_or(&[][..], |kind| &kind.lineage);
        let (mut costs, mut attributes) = (Vec::new(), Vec::new());
        for ((id, _), value) in rules.attrs.iter().zip(&entry.attrs) {
            match value {
                Some(AttrValue::Cost(cost)) => {
                    let parts = rules.costs.get(cost.index()).and_then(|cost| fixed(rules, words, &cost.cost));
                    costs.extend(parts.map(|cost| NamedCost { id: id.clone(), cost }));
                }
                Some(AttrValue::Plain(value)) => attributes.extend(attribute(rules, words, id, *value)),
                Some(AttrValue::Effect(_) | AttrValue::Expr(_)) | None => {}
            }
        }
        TypeEntry {
            id: entry.name.clone(),
            kinds: lineage.iter().filter_map(kind_name).collect(),
            title: words.type_title(ty),
            kind_title: words.kind(entry.kind),
            text: words.text(&words.type_path(ty)).map(str::to_string),
            costs,
            attributes,
        }
    }
}

/// An attribute in words, if it says anything.
fn attribute(rules: &Ruleset, words: &Words<'_>, id: &str, value: Value) -> Option<Attribute> {
    let (value, name) = match value {
        Value::Nil | Value::Int(0) | Value::Bool(false) => return None,
        Value::Bool(true) => (String::new(), None),
        Value::Int(number) => (number.to_string(), None),
        Value::Res(res) => (words.resource(res), rules.resources.get(res.index()).map(|res| res.name.clone())),
        Value::Sym(symbol) => (words.symbol(symbol), rules.symbols.get(symbol.index()).cloned()),
        Value::Type(ty) => (words.type_title(ty), Some(rules.ty(ty).name.clone())),
        Value::Seat(_) | Value::Piece(_) | Value::Cell(_) => return None,
    };
    Some(Attribute { id: id.to_string(), title: words.title(&format!("attribute.{id}")), value, name })
}

/// A cost whose amounts are plain numbers.
fn fixed(rules: &Ruleset, words: &Words<'_>, cost: &rulepack_expr::Cost) -> Option<Cost> {
    let mut parts = Vec::new();
    for term in &cost.terms {
        let CostTerm::Counted(Expr::Int(amount), what) = term else { return None };
        let (id, title, is_group) = match what {
            What::Res(res) => (rules.resources.get(res.index())?.name.clone(), words.resource(*res), false),
            What::Group(group) => (rules.groups.get(group.index())?.name.clone(), words.group(*group), true),
            What::Of(_) => return None,
        };
        parts.push(CostPart { id, title, is_group, amount: i32::try_from(*amount).ok()? });
    }
    let less = match cost.less.as_deref() {
        None => 0,
        Some(Expr::Int(less)) => i32::try_from(*less).ok()?,
        Some(_) => return None,
    };
    (!parts.is_empty()).then_some(Cost { parts, less })
}
