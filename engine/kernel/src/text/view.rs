//! What one viewer sees of a game: names and titles, no kernel ids, no hashes, no order of a deck. Made in `view_maker.rs`.

use serde::{Serialize, Serializer};

/// Names with what stands under them, in the order of the rules; written as a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<T> Named<T> {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What stands under a name; if nothing does, it is put there.
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

    /// What stands under a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// A game as one viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct View {
    /// How many turns have begun.
    pub turn: u32,
    /// Who takes the turn.
    pub active: Option<String>,
    /// Variables of the game, such as the round.
    pub variables: Named<Shown>,
    /// The players.
    pub players: Vec<PlayerView>,
    /// What is left in the supply; nothing stands for no limit.
    pub supply: Named<Option<i32>>,
    /// Zones of the table, then those of the players.
    pub zones: Vec<ZoneView>,
    /// The result, once the game is over.
    pub outcome: Option<OutcomeView>,
}

/// A value by its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum Shown {
    Nothing,
    Number(i64),
    Flag(bool),
    Name(String),
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerView {
    /// Such as `player_1`.
    pub id: String,
    /// For people.
    pub title: String,
    /// Whether it is this player's turn.
    pub active: bool,
    /// Whether this player has passed.
    pub passed: bool,
    /// Resources.
    pub resources: Named<i32>,
    /// Derived values.
    pub values: Named<Shown>,
    /// Variables.
    pub variables: Named<Shown>,
}

/// A zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ZoneView {
    /// Its id.
    pub id: String,
    /// For people.
    pub title: String,
    /// Whose it is.
    pub owner: Option<String>,
    /// How many spaces stand side by side; 0 for a zone without spaces.
    pub columns: u16,
    /// How many pieces it holds, seen or not.
    pub count: usize,
    /// Its spaces in reading order; a zone without spaces is one.
    pub spaces: Vec<SpaceView>,
}

/// A space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpaceView {
    /// Its name within the zone, such as `II.left`.
    pub name: Option<String>,
    /// The pieces that are seen, from bottom to top.
    pub pieces: Vec<PieceView>,
    /// Those that are not, by kind.
    pub hidden: Vec<HiddenView>,
}

/// A piece that is seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// Its type.
    #[serde(rename = "type")]
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// For people.
    pub title: String,
    /// Whether its back is up.
    pub face_down: bool,
    /// Whether it is turned over.
    pub flipped: bool,
    /// What lies on it.
    pub resources: Named<i32>,
    /// Variables that are not what they start as.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub variables: Named<Shown>,
    /// Pieces that lie on it.
    pub attached: Vec<PieceView>,
}

/// Pieces that are not seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HiddenView {
    /// Their kind.
    pub kind: String,
    /// What stands on their backs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back: Option<String>,
    /// For people.
    pub title: String,
    /// How many.
    pub count: usize,
    /// What lies on them, all together.
    pub resources: Named<i32>,
    /// Variables of any of them that are not what they start as; sorted, because nobody knows which piece is which.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub variables: Named<Vec<Shown>>,
}

/// How the game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutcomeView {
    /// Who won.
    pub winners: Vec<String>,
    /// Player by player.
    pub sheets: Vec<SheetView>,
}

/// The points of one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SheetView {
    /// Whose.
    pub player: String,
    /// Line by line.
    pub lines: Vec<LineView>,
    /// The sum.
    pub total: i64,
    /// What decides a tie.
    pub tie_breaks: Vec<i64>,
    /// The rank that it earns.
    pub rank: Option<String>,
}

/// A line of the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineView {
    /// What for.
    pub id: String,
    /// For people.
    pub title: String,
    /// How many pieces; 0 for lines that no piece gives.
    pub pieces: u32,
    /// Points.
    pub points: i64,
}
