//! Chance: every zone that is shuffled and every effect that rolls draws from a stream of its own.
//!
//! A stream is named after the definition that draws from it, not after the time. So one more card, with its own
//! shuffles and rolls, leaves all other rolls unchanged, and one more piece in a pile leaves the others in the same
//! order.

use rulepack_model::{PieceId, Seat};
use serde::{Deserialize, Serialize};

use crate::rules::ruleset::{Hook, Ruleset};
use crate::state::rng::{Rng, mixed};
use crate::state::value::ZoneIx;

/// The seed of a game, and the number of draws from each stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chance {
    seed: u64,
    /// The streams in the order of their first use. There are few, and they are searched only when a number is drawn.
    drawn: Vec<(StreamId, u32)>,
    /// For each piece, the piece by whose name it is shuffled, if not itself: in a resampled game, the piece whose
    /// place it took.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stands_for: Vec<u32>,
    /// In a resampled game, another seed for future draws, because nobody knows what the original game will draw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    later: Vec<Later>,
    /// In a resampled game, a seed for what is drawn in secret, and the player who is not told what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unknown: Option<(Seat, u64)>,
}

/// Another seed, for all draws after this number of draws from each stream.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Later {
    seed: u64,
    drawn: Vec<(StreamId, u32)>,
}

impl std::hash::Hash for Chance {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        let Chance { seed, drawn, stands_for, later, unknown } = self;
        (seed, drawn, stands_for).hash(hasher);
        // A game that was not resampled has the same hash as before this field existed.
        if !later.is_empty() {
            later.hash(hasher);
        }
        if let Some(unknown) = unknown {
            unknown.hash(hasher);
        }
    }
}

/// The name of a stream as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct StreamId(u64);

impl StreamId {
    /// The stream of an effect or a script.
    pub(crate) fn of_roll(place: &str) -> Self {
        StreamId(named(&["roll", place], None))
    }

    /// The stream of a script.
    pub(crate) fn of_hook(hook: &Hook) -> Self {
        StreamId(named(&["roll", &hook.pack, &hook.name], None))
    }

    /// The stream of a zone.
    pub(crate) fn of_zone(rules: &Ruleset, zone: ZoneIx) -> Self {
        StreamId(named(&["shuffle", &rules.zone_of(zone).name], rules.zone_owner(zone)))
    }
}

/// A hash of a list of words and a player or nobody, the same on every machine.
fn named(words: &[&str], whose: Option<Seat>) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rulepack_model::StableHasher::new();
    for word in words {
        hasher.write(word.as_bytes());
        hasher.write(&[0]);
    }
    hasher.write_u64(whose.map_or(0, |seat| seat.index() as u64 + 1));
    hasher.finish()
}

/// A number for every piece of the box that stays the same when other types are added: it follows from its kind, its
/// type, its owner at the start, and the number of the copy.
pub(crate) fn names_of_pieces(rules: &Ruleset) -> Vec<u64> {
    let mut copies = std::collections::BTreeMap::new();
    let name = |piece: &crate::rules::ruleset::PieceInit| {
        let copy: &mut u64 = copies.entry((piece.ty, piece.owner)).or_default();
        *copy += 1;
        let ty = &rules.types[piece.ty.index()];
        let kind = rules.kinds.get(ty.kind.index()).map_or("", |kind| kind.name.as_str());
        mixed(named(&["piece", kind, &ty.name], piece.owner).wrapping_add(*copy))
    };
    rules.pieces.iter().map(name).collect()
}

/// Any number would do. With this one, most shipped scenarios get the rolls that they were written for.
const OFFSET: u64 = 38 << 32;

impl Chance {
    /// The chance of a new game.
    pub(crate) fn new(seed: u64) -> Self {
        Chance { seed: seed ^ OFFSET, ..Chance::default() }
    }

    /// Begins all streams again: a bug that a test makes on purpose.
    pub(crate) fn forget_draws(&mut self) {
        self.drawn.clear();
    }

    /// The next draw of a stream.
    fn draw(&mut self, stream: StreamId) -> Rng {
        self.draw_otherwise(stream, 0)
    }

    /// The same; another number for `otherwise` gives another draw.
    fn draw_otherwise(&mut self, stream: StreamId, otherwise: u64) -> Rng {
        let number = match self.drawn.iter_mut().find(|(known, _)| *known == stream) {
            Some((_, count)) => {
                *count = count.saturating_add(1);
                *count
            }
            None => {
                self.drawn.push((stream, 0));
                0
            }
        };
        let was_drawn = |later: &Later| later.drawn.iter().any(|(known, last)| *known == stream && number <= *last);
        let seed = self.later.iter().rfind(|later| !was_drawn(later)).map_or(self.seed, |later| later.seed);
        Rng::new(mixed(mixed(mixed(seed ^ otherwise) ^ stream.0) ^ u64::from(number)))
    }

    /// Draws from another seed from now on. `now` is the number of draws of this or a later moment of the same game.
    pub(crate) fn draw_anew(&mut self, seed: u64, now: &Chance) {
        self.later.push(Later { seed: mixed(seed ^ OFFSET), drawn: now.drawn.clone() });
    }

    /// A die with the given number of sides.
    pub(crate) fn roll(&mut self, stream: StreamId, sides: u32) -> u32 {
        self.draw(stream).below(sides) + 1
    }

    /// A die of which only one player is told the result.
    pub(crate) fn roll_in_secret(&mut self, stream: StreamId, told: Option<Seat>, sides: u32) -> u32 {
        let otherwise =
            self.unknown.filter(|(seat, _)| told != Some(*seat)).map_or(0, |(_, seed)| mixed(seed ^ OFFSET));
        self.draw_otherwise(stream, otherwise).below(sides) + 1
    }

    /// Draws in secret other numbers from now on, unless this player is told them.
    pub(crate) fn unknown_to(&mut self, seat: Seat, seed: u64) {
        self.unknown = Some((seat, seed));
    }

    /// Puts pieces in random order: each gets a random number that does not depend on the others.
    pub(crate) fn shuffle(&mut self, stream: StreamId, names: &[u64], pieces: &mut [PieceId]) {
        let number = self.draw(stream).next_u64();
        let stands_for = &self.stands_for;
        let name = |piece: PieceId| {
            let called = stands_for.get(piece.index()).map_or(piece.index(), |other| *other as usize);
            names.get(called).copied().unwrap_or(called as u64)
        };
        pieces.sort_by_cached_key(|piece| mixed(number ^ name(*piece)));
    }

    /// Lets each piece be shuffled by the name of the piece whose place it takes, so that it ends where that piece
    /// would have ended.
    pub(crate) fn exchange(&mut self, takes_place_of: &[u32]) {
        let before = std::mem::take(&mut self.stands_for);
        let called = |piece: usize| before.get(piece).copied().unwrap_or(piece as u32);
        self.stands_for = vec![0; takes_place_of.len()];
        for (piece, other) in takes_place_of.iter().enumerate() {
            self.stands_for[*other as usize] = called(piece);
        }
        if self.stands_for.iter().enumerate().all(|(piece, other)| piece as u32 == *other) {
            self.stands_for.clear();
        }
    }

    /// Seed and streams in words, independent of the order of first use.
    pub(crate) fn in_words(&self, piece_names: &[String]) -> Vec<String> {
        let streams = |drawn: &[(StreamId, u32)]| {
            let mut known: Vec<(u64, u32)> = drawn.iter().map(|(stream, count)| (stream.0, *count)).collect();
            known.sort_unstable();
            known.iter().map(|(stream, count)| format!("{stream:016x}: {count}")).collect::<Vec<_>>().join(", ")
        };
        let mut lines = vec![format!("seed {:016x}, drawn {}", self.seed, streams(&self.drawn))];
        lines
            .extend(self.later.iter().map(|later| format!("then {:016x} after {}", later.seed, streams(&later.drawn))));
        lines.extend(
            self.unknown.map(|(seat, seed)| format!("{seed:016x} for what player {} is not told", seat.index() + 1)),
        );
        let name = |piece: usize| piece_names.get(piece).map_or("", String::as_str);
        let moved = self.stands_for.iter().enumerate().filter(|(piece, other)| *piece != **other as usize);
        lines.extend(moved.map(|(piece, other)| format!("{} stands for {}", name(piece), name(*other as usize))));
        lines
    }

    /// Whether it can belong to a game with this number of pieces.
    pub(crate) fn validate(&self, pieces: usize) -> Result<(), String> {
        // No pack has more effects and zones.
        const MOST_STREAMS: usize = 1 << 16;
        let mut known: Vec<u64> = self.drawn.iter().map(|(stream, _)| stream.0).collect();
        known.sort_unstable();
        known.dedup();
        if self.drawn.len() > MOST_STREAMS || known.len() != self.drawn.len() {
            return Err("the streams of chance are not those of a game".into());
        }
        let mut stands_for = self.stands_for.clone();
        stands_for.sort_unstable();
        let all = stands_for.iter().enumerate().all(|(index, piece)| index as u32 == *piece);
        if !stands_for.is_empty() && (stands_for.len() != pieces || !all) {
            return Err("pieces are shuffled in the place of pieces that are not there".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_comes_up_about_as_often() {
        let names: Vec<u64> = (0..4).map(|piece| mixed(piece + 77)).collect();
        let mut seen = std::collections::BTreeMap::new();
        let mut chance = Chance::new(5);
        for _ in 0..24_000 {
            let mut order: Vec<PieceId> = (0..4).map(PieceId).collect();
            chance.shuffle(StreamId(9), &names, &mut order);
            *seen.entry(order).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 24);
        assert!(seen.values().all(|times| (850..1150).contains(times)), "{seen:?}");
    }

    #[test]
    fn every_face_comes_up_about_as_often_with_every_seed() {
        let mut seen = [0; 6];
        for seed in 0..6_000 {
            let mut chance = Chance::new(seed);
            chance.roll(StreamId::of_roll("a"), 6);
            seen[chance.roll(StreamId::of_roll("a"), 6) as usize - 1] += 1;
        }
        assert!(seen.iter().all(|times| (850..1150).contains(times)), "{seen:?}");
    }

    #[test]
    fn a_stream_does_not_notice_what_others_draw() {
        let rolls = |others: bool| -> Vec<u32> {
            let mut chance = Chance::new(3);
            (0..50)
                .map(|_| {
                    if others {
                        chance.roll(StreamId::of_roll("b"), 6);
                    }
                    chance.roll(StreamId::of_roll("a"), 6)
                })
                .collect()
        };
        assert_eq!(rolls(false), rolls(true));
    }

    #[test]
    fn one_more_piece_leaves_the_others_in_the_same_order() {
        let names: Vec<u64> = (0..30).map(|piece| mixed(piece + 77)).collect();
        let order = |pieces: &[u32]| {
            let mut order: Vec<PieceId> = pieces.iter().copied().map(PieceId).collect();
            Chance::new(8).shuffle(StreamId(9), &names, &mut order);
            order
        };
        let few = order(&(0..20).collect::<Vec<_>>());
        let more: Vec<PieceId> =
            order(&(0..30).rev().collect::<Vec<_>>()).into_iter().filter(|piece| piece.0 < 20).collect();
        assert_eq!(few, more);
    }
}
