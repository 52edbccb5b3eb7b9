//! How a game likes to be shown: colours, icons, the order of things. No rule reads it, and no digest counts it.
//!
//! `rulepack_pack` reads it from `[look]`. Front ends and printed cards take what they can use of it; see `docs/look.md`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The look of a game. Every colour is written `#rrggbb`, and every icon is a key of `icons`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The colour of what stands out: titles, the chosen card, the back of a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accent: Option<String>,
    /// The colour behind everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background: Option<String>,
    /// By the id of a kind. A kind without an entry looks like the kind above it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<String, KindLook>,
    /// By attribute, in the order of the pack. The first one that a type has decides, and comes before its kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<LookBy>,
    /// By the id of a resource or a group of resources.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub resources: BTreeMap<String, Mark>,
    /// By the id of a zone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub zones: BTreeMap<String, ZoneLook>,
    /// The icons as SVG texts that refer to nothing outside and run nothing, by `pack/path`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub icons: BTreeMap<String, String>,
}

/// A colour and an icon.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// The icon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
}

/// How the types of a kind look.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindLook {
    /// The colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// The icon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// The attributes that are shown, in this order; all of them if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<String>>,
}

/// How types look by the value of an attribute.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookBy {
    /// The id of the attribute.
    pub attribute: String,
    /// By the id of its value: a symbol or a resource.
    pub values: BTreeMap<String, Mark>,
}

/// How a zone is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneLook {
    /// Zones are shown by increasing numbers; zones without a number follow, in the order of the pack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<i64>,
    /// How much room it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<ZoneSize>,
    /// Whether people need not see it, such as a zone for bookkeeping.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// How much room a zone takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum ZoneSize {
    Small,
    Large,
}

impl Look {
    /// Whether the packs say nothing about it.
    pub fn is_empty(&self) -> bool {
        *self == Look::default()
    }

    /// The mark of a type: by the first attribute that says something, then by its kinds, the narrowest first. `value_of`
    /// gives the id of the symbol or the resource that the type has for an attribute.
    pub fn mark<'a>(&self, kinds: &[String], value_of: impl Fn(&str) -> Option<&'a str>) -> Mark {
        let by = self.by.iter().filter_map(|by| by.values.get(value_of(&by.attribute)?));
        let by = by.map(|mark| (&mark.colour, &mark.icon));
        let of_kinds = kinds.iter().filter_map(|kind| self.kinds.get(kind)).map(|kind| (&kind.colour, &kind.icon));
        by.chain(of_kinds).fold(Mark::default(), |found, (colour, icon)| Mark {
            colour: found.colour.or_else(|| colour.clone()),
            icon: found.icon.or_else(|| icon.clone()),
        })
    }

    /// The attributes that types of these kinds show, the narrowest kind first; `None` for all of them.
    pub fn fields(&self, kinds: &[String]) -> Option<&[String]> {
        kinds.iter().find_map(|kind| self.kinds.get(kind)?.fields.as_deref())
    }
}
