//! A simulation in shards: each plays some of the games, on any machine, and writes a row for each of them to a file.
//!
//! [`merge`] reads the rows in the order of the games and adds them up as [`simulate`](super::simulate) does. So the digest and the
//! statistics are those of the whole simulation.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use rulepack_kernel::{FileFormat, Header, Ruleset};
use rulepack_pack::LinkRequest;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Played, SimReport, SimRequest, Tally};
use crate::load::GameBox;
use crate::write::{Growing, Safety, replace};

/// The word by which the file of a shard is recognised.
const FORMAT: &str = "rulepack-shard";

/// One of several equal parts of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// Its number; the first is 1.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

impl Shard {
    /// Reads a shard such as `3/64`.
    pub fn read(text: &str) -> Option<Shard> {
        let (number, of) = text.split_once('/')?;
        let shard = Shard { number: number.trim().parse().ok()?, of: of.trim().parse().ok()? };
        shard.is_one().then_some(shard)
    }

    fn is_one(self) -> bool {
        (1..=self.of).contains(&self.number)
    }

    /// The index of its first game, and how many it has.
    pub fn games(self, all: u64) -> (u64, u64) {
        let before = |number: u64| {
            let games = u128::from(all) * u128::from(number) / u128::from(self.of.max(1));
            u64::try_from(games).unwrap_or(all)
        };
        let first = before(self.number.saturating_sub(1));
        (first, before(self.number).saturating_sub(first))
    }
}

/// What is simulated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stamp {
    shard: Shard,
    /// The number of games of all shards.
    games: u64,
    seed: u64,
    bots: String,
    max_turns: u32,
    max_answers: u64,
    statistics: bool,
    invariants: bool,
    views: bool,
}

/// The first line of a file.
#[derive(Debug, Serialize)]
struct Beginning {
    #[serde(flatten)]
    header: Header,
    simulation: Stamp,
}

impl<'de> Deserialize<'de> for Beginning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Others {
            simulation: Stamp,
        }
        let (header, Others { simulation }) = Header::read_with(deserializer)?;
        Ok(Beginning { header, simulation })
    }
}

/// The last line of a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ending {
    rows: u64,
    seconds: f64,
}

/// The file of a shard, which grows as games end.
#[derive(Debug)]
pub struct ShardWriter {
    file: Growing,
    rows: u64,
}

impl ShardWriter {
    /// Begins the file of a shard of a simulation with so many games in all; `bots` is what `--bots` says.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(
        path: &Path,
        game_box: &GameBox,
        request: &SimRequest,
        (shard, games): (Shard, u64),
        bots: &str,
    ) -> io::Result<ShardWriter> {
        let mut header = Header::new(FileFormat::Log, game_box.rules());
        header.format = FORMAT.to_string();
        let simulation = Stamp {
            shard,
            games,
            seed: request.seed,
            bots: bots.to_string(),
            max_turns: request.max_turns,
            max_answers: request.max_answers,
            statistics: request.statistics,
            invariants: request.invariants,
            views: request.views,
        };
        let file = replace(path, &line(&Beginning { header, simulation })?, Safety::Written)?;
        Ok(ShardWriter { file, rows: 0 })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &Played) -> io::Result<()> {
        self.rows += 1;
        self.file.append(&line(game)?, Safety::Written)
    }

    /// Ends the file. A file without this end is refused.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(mut self, seconds: f64) -> io::Result<()> {
        self.file.append(&line(&Ending { rows: self.rows, seconds })?, Safety::Synced)
    }
}

fn line(value: &impl Serialize) -> io::Result<String> {
    serde_json::to_string(value).map(|text| text + "\n").map_err(io::Error::other)
}

/// Whether a text is the file of a shard, perhaps cut short.
pub fn is_shard(text: &str) -> bool {
    text.starts_with(&format!("{{\"format\":\"{FORMAT}\""))
}

/// What was read of a shard.
#[derive(Debug)]
pub struct Part {
    name: String,
    beginning: Beginning,
    games: Vec<Played>,
    seconds: f64,
}

impl Part {
    /// Reads the file of a shard; `name` is what messages call it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(name: &str, text: &str) -> Result<Part, String> {
        if !is_shard(text) {
            return Err(format!(
                "`{name}` is not the file of a shard: `rulepack sim --shard 1/4 --out FILE` writes one"
            ));
        }
        let short = || format!("`{name}` is cut short: simulate the shard again");
        let mut lines = text.split_inclusive('\n').enumerate().peekable();
        let (_, first) = lines.next().ok_or_else(short)?;
        if !first.ends_with('\n') {
            return Err(short());
        }
        let wrong = |number: usize, error: &dyn std::error::Error| format!("`{name}`, line {}: {error}", number + 1);
        let beginning: Beginning = serde_json::from_str(first).map_err(|error| wrong(0, &error))?;
        if !beginning.simulation.shard.is_one() {
            let Shard { number, of } = beginning.simulation.shard;
            return Err(format!("`{name}`: there is no shard {number} of {of}"));
        }
        let mut games = Vec::new();
        while let Some((number, row)) = lines.next() {
            if !row.ends_with('\n') {
                return Err(short());
            }
            if lines.peek().is_some() {
                games.push(serde_json::from_str(row).map_err(|error| wrong(number, &error))?);
                continue;
            }
            let Ok(end) = serde_json::from_str::<Ending>(row) else { return Err(short()) };
            if end.rows != games.len() as u64 {
                return Err(format!("`{name}`: {} of {} games are there", games.len(), end.rows));
            }
            return Ok(Part { name: name.to_string(), beginning, games, seconds: end.seconds });
        }
        Err(short())
    }

    /// The request that loads its packs.
    pub fn request(&self) -> LinkRequest {
        LinkRequest::of(&self.beginning.header)
    }

    /// The bots, in the notation of `--bots`.
    pub fn bots(&self) -> &str {
        &self.beginning.simulation.bots
    }

    /// The simulation that it is a part of; the bots are missing.
    pub fn simulation(&self) -> SimRequest {
        let stamp = &self.beginning.simulation;
        SimRequest {
            games: stamp.games,
            seed: stamp.seed,
            max_turns: stamp.max_turns,
            max_answers: stamp.max_answers,
            statistics: stamp.statistics,
            invariants: stamp.invariants,
            views: stamp.views,
            ..SimRequest::default()
        }
    }

    /// What this part and another one do not agree on.
    fn differs_from(&self, other: &Part) -> Option<String> {
        let (one, two) = (&self.beginning, &other.beginning);
        let told = |what: &str, one: String, two: String| {
            (one != two)
                .then(|| format!("`{}` and `{}` do not fit together: {what}: {one}, {two}", self.name, other.name))
        };
        let packs = |header: &Header| header.packs.iter().map(|pack| pack.id.clone()).collect::<Vec<_>>().join(", ");
        let modes = |header: &Header| match header.modes.is_empty() {
            true => "none".to_string(),
            false => header.modes.join(", "),
        };
        let (first, second) = (&one.simulation, &two.simulation);
        told("packs", packs(&one.header), packs(&two.header))
            .or_else(|| told("modes", modes(&one.header), modes(&two.header)))
            .or_else(|| told("players", one.header.players.to_string(), two.header.players.to_string()))
            .or_else(|| told("seed", first.seed.to_string(), second.seed.to_string()))
            .or_else(|| told("number of games", first.games.to_string(), second.games.to_string()))
            .or_else(|| told("number of shards", first.shard.of.to_string(), second.shard.of.to_string()))
            .or_else(|| told("bots", first.bots.clone(), second.bots.clone()))
            .or_else(|| {
                let is_alike = Stamp { shard: first.shard, ..second.clone() } == *first;
                (!is_alike).then(|| format!("`{}` and `{}` were called with other options", self.name, other.name))
            })
            .or_else(|| {
                let is_alike = one.header.meaning.changes(&two.header.meaning).is_empty();
                (!is_alike).then(|| format!("the rules have changed between `{}` and `{}`", self.name, other.name))
            })
    }

    /// Whether its games are those of its shard, and name nothing that the rules do not have.
    fn check(&self, rules: &Ruleset, request: &SimRequest) -> Result<(), String> {
        let (first, count) = self.beginning.simulation.shard.games(request.games);
        if self.games.len() as u64 != count {
            return Err(format!("`{}` has {} games, not {count}", self.name, self.games.len()));
        }
        for (game, index) in self.games.iter().zip(first..) {
            let is_right = game.index == index && game.seed == request.seed_of(index);
            let is_known = game.results.len() <= usize::from(rules.players)
                && game.notes.as_ref().is_none_or(|notes| notes.fit(rules))
                && game.notes.is_some() == request.statistics;
            if !(is_right && is_known) {
                return Err(format!("`{}`: game {index} is missing, there twice, or not of these rules", self.name));
            }
        }
        Ok(())
    }
}

/// The numbers of shards for people.
fn listed(numbers: &[u64]) -> String {
    const MOST: usize = 10;
    let more = if numbers.len() > MOST { format!(" and {} more", numbers.len() - MOST) } else { String::new() };
    numbers.iter().take(MOST).map(u64::to_string).collect::<Vec<_>>().join(", ") + &more
}

/// Puts shards together; `request` is their simulation with its bots.
///
/// # Errors
/// If they do not fit together or to the rules: which of them, and why.
pub fn merge(game_box: &GameBox, request: &SimRequest, parts: Vec<Part>) -> Result<SimReport, String> {
    let Some(first) = parts.first() else { return Err("there are no shards".into()) };
    if let Some(why) = parts.iter().find_map(|part| first.differs_from(part)) {
        return Err(why);
    }
    first.beginning.header.fits(game_box.rules()).map_err(|error| format!("`{}`: {error}", first.name))?;
    let of = first.beginning.simulation.shard.of;
    let mut all: BTreeMap<u64, Part> = BTreeMap::new();
    for mut part in parts {
        let number = part.beginning.simulation.shard.number;
        if let Some(before) = all.get(&number) {
            return Err(format!("shard {number} of {of} is there twice: `{}` and `{}`", before.name, part.name));
        }
        part.games.sort_by_key(|game| game.index);
        part.check(game_box.rules(), request)?;
        all.insert(number, part);
    }
    if all.len() as u64 != of {
        let missing: Vec<u64> = (1..=of).filter(|number| !all.contains_key(number)).take(1_000).collect();
        return Err(format!("of {of} shards, these are missing: {}", listed(&missing)));
    }
    let mut tally = Tally::new(game_box, request);
    let mut seconds = 0.0;
    for part in all.into_values() {
        seconds += part.seconds;
        part.games.into_iter().for_each(|game| tally.add(game));
    }
    Ok(tally.report(game_box, seconds))
}

/// A map whose keys are no texts, as a list.
pub(crate) mod as_list {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(crate) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Vec::<(K, V)>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_all_the_games_and_none_twice() {
        for (games, of) in [(10, 3), (3, 10), (0, 2), (1_000_003, 64), (u64::MAX, 7)] {
            let mut next = 0;
            for number in 1..=of {
                let (first, count) = Shard { number, of }.games(games);
                assert_eq!(first, next);
                next += count;
            }
            assert_eq!(next, games);
        }
    }

    #[test]
    fn a_shard_is_a_number_of_a_number() {
        assert_eq!(Shard::read("3/64"), Some(Shard { number: 3, of: 64 }));
        for wrong in ["", "3", "0/4", "5/4", "a/4", "1/0", "-1/4", "1/2/3"] {
            assert_eq!(Shard::read(wrong), None, "{wrong}");
        }
    }
}
