//! The header of a save and of a log: what kind of file it is, and under which rules the game was played.
//!
//! The keys of a header stand beside the other keys of a save, and of the first record of a log. They are written, read
//! and checked here only. `#[serde(flatten)]` could read them, too, but it lets unknown keys pass and loses the line of
//! a mistake.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, forward_to_deserialize_any};

use crate::persist::save::SaveError;
use crate::rules::limits::Limits;
use crate::rules::meaning::Meaning;
use crate::rules::ruleset::{PackStamp, Ruleset};

/// The kinds of files that hold a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// A saved game.
    Save,
    /// A log.
    Log,
}

impl FileFormat {
    /// The name in the file.
    pub fn name(self) -> &'static str {
        match self {
            FileFormat::Save => "rulepack-save",
            FileFormat::Log => "rulepack-log",
        }
    }
}

/// What a file says of itself, before anything else of it is read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Stamp {
    /// The kind of file.
    pub format: Option<String>,
    /// The version of the format.
    pub version: Option<u32>,
}

/// Why a file is not read any further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrongStamp {
    /// It is of another kind.
    Format(String),
    /// It has a version that this engine does not read.
    Version(u32),
}

impl Stamp {
    /// Whether the file is of a kind, whatever its version.
    pub fn is(&self, format: FileFormat) -> bool {
        self.format.as_deref() == Some(format.name())
    }

    /// Whether the file is of a kind, in a version that this engine reads.
    ///
    /// # Errors
    /// The kind or the version of the file.
    pub fn check(self, format: FileFormat) -> Result<(), WrongStamp> {
        if !self.is(format) {
            return Err(WrongStamp::Format(self.format.unwrap_or_default()));
        }
        match self.version {
            Some(Header::VERSION | Header::UNHASHED) => Ok(()),
            other => Err(WrongStamp::Version(other.unwrap_or(0))),
        }
    }
}

/// What a save and a log have in common.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Header {
    /// The kind of file.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The version of the engine that wrote it.
    pub engine: String,
    /// The pack that is played.
    pub pack: String,
    /// All packs in use.
    pub packs: Vec<PackStamp>,
    /// Modes in use.
    pub modes: Vec<String>,
    /// The number of players.
    pub players: u8,
    /// What the rules meant.
    pub meaning: Meaning,
    /// The numbering of pieces and definitions.
    pub numbering: String,
    /// The limits under which it was played. Whoever goes on with the game decides which limits apply from then on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

impl Header {
    /// The version of saves and logs.
    pub const VERSION: u32 = 3;
    /// An older version that can still be read. Its hash is not compared: it covers fields that are [`Gone`].
    ///
    /// [`Gone`]: crate::persist::gone::Gone
    pub const UNHASHED: u32 = 2;

    /// The header of a new file about a game with these rules.
    pub fn new(format: FileFormat, rules: &Ruleset) -> Header {
        Header {
            format: format.name().to_string(),
            version: Header::VERSION,
            engine: env!("CARGO_PKG_VERSION").to_string(),
            pack: rules.pack.clone(),
            packs: rules.packs.clone(),
            modes: rules.modes.clone(),
            players: rules.players,
            meaning: (*rules.meaning).clone(),
            numbering: rules.numbering(),
            limits: Some(rules.limits),
        }
    }

    /// The same header for a new file of another kind.
    #[must_use]
    pub fn for_file(self, format: FileFormat) -> Header {
        Header { format: format.name().to_string(), version: Header::VERSION, ..self }
    }

    /// Whether this engine would compute the hash that was written, of the same game.
    pub fn is_hash_comparable(&self) -> bool {
        self.version != Header::UNHASHED
    }

    /// A limit that is zero, in words: no game can be played under it.
    pub fn zero_limit(&self) -> Option<String> {
        self.limits.and_then(Limits::zero)
    }

    /// Whether the rules are unchanged: the packs, and the meaning of their definitions. Versions do not count.
    ///
    /// # Errors
    /// What differs.
    pub fn same_rules(&self, now: &Ruleset) -> Result<(), SaveError> {
        let ids = |packs: &[PackStamp]| packs.iter().map(|pack| pack.id.clone()).collect::<Vec<_>>().join(", ");
        let (saved, found) = (ids(&self.packs), ids(&now.packs));
        if saved != found {
            return Err(SaveError::OtherRules { what: "set of packs".into(), saved, now: found });
        }
        let changes = self.meaning.changes(&now.meaning);
        if changes.is_empty() { Ok(()) } else { Err(SaveError::Changed(Box::new(changes))) }
    }

    /// Whether a state beside it fits these rules: they are the same, for as many players, with the same numbers.
    ///
    /// # Errors
    /// What differs.
    pub fn fits(&self, rules: &Ruleset) -> Result<(), SaveError> {
        let differs =
            |what: &str, saved: String, now: String| Err(SaveError::OtherRules { what: what.to_string(), saved, now });
        if self.pack != rules.pack {
            return differs("pack", self.pack.clone(), rules.pack.clone());
        }
        if self.players != rules.players {
            return differs("number of players", self.players.to_string(), rules.players.to_string());
        }
        if self.modes != rules.modes {
            return differs("choice of modes", self.modes.join(", "), rules.modes.join(", "));
        }
        self.same_rules(rules)?;
        if self.numbering != rules.numbering() {
            return Err(SaveError::Renumbered);
        }
        Ok(())
    }

    /// Reads a header, and the other keys that stand beside it as a struct.
    ///
    /// # Errors
    /// If a key is missing, unknown, wrong or there twice.
    pub fn read_with<'de, T: Deserialize<'de>, D: Deserializer<'de>>(inner: D) -> Result<(Header, T), D::Error> {
        let mut keys = Keys::default();
        let others = T::deserialize(Others { inner, keys: &mut keys })?;
        Ok((keys.header()?, others))
    }
}

/// The keys of a header that have been read.
#[derive(Default)]
struct Keys {
    format: Option<String>,
    version: Option<u32>,
    engine: Option<String>,
    pack: Option<String>,
    packs: Option<Vec<PackStamp>>,
    modes: Option<Vec<String>>,
    players: Option<u8>,
    meaning: Option<Meaning>,
    numbering: Option<String>,
    limits: Option<Option<Limits>>,
}

/// All keys of a header, for messages.
const KEYS: [&str; 10] =
    ["format", "version", "engine", "pack", "packs", "modes", "players", "meaning", "numbering", "limits"];

impl Keys {
    /// Reads the value of a key, if it belongs to a header.
    fn read<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "format" => once("format", &mut self.format, map)?,
            "version" => once("version", &mut self.version, map)?,
            "engine" => once("engine", &mut self.engine, map)?,
            "pack" => once("pack", &mut self.pack, map)?,
            "packs" => once("packs", &mut self.packs, map)?,
            "modes" => once("modes", &mut self.modes, map)?,
            "players" => once("players", &mut self.players, map)?,
            "meaning" => once("meaning", &mut self.meaning, map)?,
            "numbering" => once("numbering", &mut self.numbering, map)?,
            "limits" => once("limits", &mut self.limits, map)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn header<E: Error>(self) -> Result<Header, E> {
        let Keys { format, version, engine, pack, packs, modes, players, meaning, numbering, limits } = self;
        Ok(Header {
            format: format.ok_or_else(|| E::missing_field("format"))?,
            version: version.ok_or_else(|| E::missing_field("version"))?,
            engine: engine.ok_or_else(|| E::missing_field("engine"))?,
            pack: pack.ok_or_else(|| E::missing_field("pack"))?,
            packs: packs.ok_or_else(|| E::missing_field("packs"))?,
            modes: modes.ok_or_else(|| E::missing_field("modes"))?,
            players: players.ok_or_else(|| E::missing_field("players"))?,
            meaning: meaning.ok_or_else(|| E::missing_field("meaning"))?,
            numbering: numbering.ok_or_else(|| E::missing_field("numbering"))?,
            // Older files do not name them.
            limits: limits.flatten(),
        })
    }
}

fn once<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    key: &'static str,
    value: &mut Option<T>,
    map: &mut A,
) -> Result<(), A::Error> {
    if value.is_some() {
        return Err(A::Error::duplicate_field(key));
    }
    *value = Some(map.next_value()?);
    Ok(())
}

/// Shows a struct only the keys that do not belong to the header.
struct Others<'k, T> {
    inner: T,
    keys: &'k mut Keys,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Others<'_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.deserialize_struct("", &[], visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        own: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_map(OfTable { visitor, own, keys: self.keys })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Reads a table that has the keys of a header, and others.
struct OfTable<'k, V> {
    visitor: V,
    own: &'static [&'static str],
    keys: &'k mut Keys,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for OfTable<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(OtherKeys { map, own: self.own, keys: self.keys })
    }
}

struct OtherKeys<'k, A> {
    map: A,
    own: &'static [&'static str],
    keys: &'k mut Keys,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for OtherKeys<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.map.next_key::<String>()? {
            if self.keys.read(&key, &mut self.map)? {
                continue;
            }
            if !self.own.contains(&key.as_str()) {
                let known: Vec<String> = KEYS.iter().chain(self.own).map(|key| format!("`{key}`")).collect();
                return Err(A::Error::custom(format!("unknown field `{key}`, expected one of {}", known.join(", "))));
            }
            let key: StrDeserializer<'_, A::Error> = key.as_str().into_deserializer();
            return seed.deserialize(key).map(Some);
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persist::json_error::misread;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Rest {
        answers: u32,
    }

    const HEADER: &str = "\"format\":\"rulepack-save\",\"version\":3,\"engine\":\"1\",\"pack\":\"p\",\"packs\":[],\
                          \"modes\":[],\"players\":2,\"meaning\":{},\"numbering\":\"0\"";

    fn read(text: &str) -> Result<(Header, Rest), String> {
        let mut json = serde_json::Deserializer::from_str(text);
        Header::read_with(&mut json).map_err(|error| {
            let (message, line, column) = misread(&error);
            format!("{line}:{column}: {message}")
        })
    }

    #[test]
    fn a_header_is_read_beside_other_keys_in_any_order() {
        let (header, rest) = read(&format!("{{\"answers\":7,{HEADER},\"limits\":null}}")).unwrap();
        assert_eq!((header.players, header.limits, rest.answers), (2, None, 7));
        let written = serde_json::to_string(&header).unwrap();
        assert_eq!(written, format!("{{{HEADER}}}"));
    }

    #[test]
    fn each_key_is_there_once_and_known() {
        let wrong = |text: String| read(&text).unwrap_err();
        assert_eq!(
            wrong(format!("{{{HEADER},\"answers\":1,\"pack\":\"q\"}}")).split(": ").nth(1),
            Some("`pack` stands there twice")
        );
        assert!(wrong(format!("{{{HEADER}}}")).ends_with("`answers` is missing"));
        assert!(wrong("{\"answers\":1}".into()).ends_with("`format` is missing"));
        let unknown = wrong(format!("{{{HEADER},\n\"answer\":1}}"));
        assert!(unknown.starts_with("2:8: there is no key `answer`: there are `format`, "), "{unknown}");
        assert!(unknown.ends_with("`limits`, `answers`"), "{unknown}");
        assert!(wrong("[]".into()).ends_with("a table is expected, not a list"));
    }

    #[test]
    fn a_stamp_says_what_cannot_be_read() {
        let stamp = |text: &str| serde_json::from_str::<Stamp>(text).unwrap();
        assert_eq!(stamp("{\"format\":\"rulepack-log\",\"version\":3}").check(FileFormat::Log), Ok(()));
        assert_eq!(stamp("{\"format\":\"rulepack-log\",\"version\":2}").check(FileFormat::Log), Ok(()));
        let other = Err(WrongStamp::Format("rulepack-log".into()));
        assert_eq!(stamp("{\"format\":\"rulepack-log\",\"version\":3}").check(FileFormat::Save), other);
        for (text, found) in [("1", 1), ("4", 4), ("null", 0)] {
            let text = format!("{{\"format\":\"rulepack-save\",\"version\":{text}}}");
            assert_eq!(stamp(&text).check(FileFormat::Save), Err(WrongStamp::Version(found)));
        }
    }
}
