//! Views: what one viewer sees of a game. Names and titles, no kernel ids, no hashes, no order of a deck.
//! `view_maker.rs` fills them in.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Entries by name, in the order of the rules; written as a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
            type Value = Named<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("names with values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named<T>, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Named(all))
            }
        }

        deserializer.deserialize_map(InOrder(PhantomData))
    }
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Named(Vec::new())
    }
}

impl<T> Named<T> {
    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entry under a name; it is added if it is missing.
    pub(crate) fn entry(&mut self, name: String) -> &mut T
    where
        T: Default,
    {
        let at = self.0.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            self.0.push((name, T::default()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }

    /// The entry under a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// A game as one viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The number of turns that have begun.
    pub turn: u32,
    /// The player at turn.
    pub active: Option<String>,
    /// Variables of the game, such as the round.
    pub variables: Named<Shown>,
    /// The players.
    pub players: Vec<PlayerView>,
    /// The rest in the supply; `None` if it is unlimited.
    pub supply: Named<Option<i32>>,
    /// Zones of the table, then those of the players.
    pub zones: Vec<ZoneView>,
    /// The result, once the game is over.
    pub outcome: Option<OutcomeView>,
}

/// A value by its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum Shown {
    Nothing,
    Number(i64),
    Flag(bool),
    Name(String),
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerView {
    /// What options call it; only in views with handles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// Such as `player_1`.
    pub id: String,
    /// The name that people read.
    pub title: String,
    /// Whether it is this player's turn.
    pub active: bool,
    /// Whether this player has passed.
    pub passed: bool,
    /// Whether this player is out, of the round or of the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub out: bool,
    /// The number of the team, from 1, if there are teams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<u8>,
    /// Resources.
    pub resources: Named<i32>,
    /// Derived values.
    pub values: Named<Shown>,
    /// Variables.
    pub variables: Named<Shown>,
}

/// A zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneView {
    /// Its id.
    pub id: String,
    /// The name that people read.
    pub title: String,
    /// Its owner.
    pub owner: Option<String>,
    /// The number of spaces in a row of spaces; 0 for a zone without spaces.
    pub columns: u16,
    /// The number of pieces, seen or hidden.
    pub count: usize,
    /// Its spaces in reading order; a zone without spaces has one.
    pub spaces: Vec<SpaceView>,
}

/// A space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceView {
    /// What options call it; only in views with handles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// Its name within the zone, such as `II.left`.
    pub name: Option<String>,
    /// The visible pieces, from bottom to top.
    pub pieces: Vec<PieceView>,
    /// The hidden pieces, by kind.
    pub hidden: Vec<HiddenView>,
}

/// A piece that is seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceView {
    /// What options call it; only in views with handles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// Its type.
    #[serde(rename = "type")]
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// The name that people read.
    pub title: String,
    /// Whether its back is up.
    pub face_down: bool,
    /// Whether it is turned over.
    pub flipped: bool,
    /// The resources on it.
    pub resources: Named<i32>,
    /// Variables that differ from their start.
    #[serde(default, skip_serializing_if = "Named::is_empty")]
    pub variables: Named<Shown>,
    /// Pieces that lie on it.
    pub attached: Vec<PieceView>,
}

/// Hidden pieces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenView {
    /// Their kind.
    pub kind: String,
    /// The attribute on their backs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<String>,
    /// The name that people read.
    pub title: String,
    /// How many.
    pub count: usize,
    /// The resources on them, all together.
    pub resources: Named<i32>,
    /// Variables of any of them that differ from their start; sorted, because nobody knows which piece is which.
    #[serde(default, skip_serializing_if = "Named::is_empty")]
    pub variables: Named<Vec<Shown>>,
}

/// How the game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeView {
    /// The winners.
    pub winners: Vec<String>,
    /// The sheet of each player.
    pub sheets: Vec<SheetView>,
}

/// The points of one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetView {
    /// The player.
    pub player: String,
    /// The lines.
    pub lines: Vec<LineView>,
    /// The sum.
    pub total: i64,
    /// The values that decide a tie.
    pub tie_breaks: Vec<i64>,
    /// The rank that it earns.
    pub rank: Option<String>,
}

/// A line of the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineView {
    /// The subject of the line.
    pub id: String,
    /// The name that people read.
    pub title: String,
    /// The number of pieces; 0 for lines that do not belong to pieces.
    pub pieces: u32,
    /// Points.
    pub points: i64,
}
