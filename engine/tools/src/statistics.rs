//! Statistics of many games: who wins with how many points, how long games are, and which answers go with winning.
//!
//! What is kept grows with the rules, not with the number of games. All sums are of whole numbers, so that they do not depend on the
//! order in which games end.

use std::collections::BTreeMap;

use rulepack_bots::Seats;
use rulepack_kernel::{Answer, Ask, Decision, EffectHost, Game, Opt, Ruleset, Value, seat_key};
use rulepack_model::{ActionId, Seat, TypeId};
use serde::{Deserialize, Serialize};

use crate::interval::{Figure, Sums, WIDE, share};

/// What a game is worth to a seat that wins it alone. So many winners can share it without a rest.
const WIN: i64 = 2_520;

/// At most so many different numbers are counted one by one: the least.
const MOST_BARS: usize = 4_096;

/// Points are looked at after each of so many equal parts of a game.
const CURVE_PARTS: usize = 20;

/// So many games of a sort are named.
const NAMED: usize = 3;

/// An answer, as it is counted: an action, a card, or an action with a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Item {
    action: Option<ActionId>,
    ty: Option<TypeId>,
}

/// How often an answer could be given and was given by a seat in one game.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Noted {
    offered: u32,
    taken: u32,
    /// Whether the seat was behind (-1), level (0) or ahead (1) when it was first offered.
    standing: i8,
}

/// What is noted of one game as it is played.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Notes {
    #[serde(with = "crate::sim::as_list")]
    items: BTreeMap<(Seat, Item), Noted>,
    /// Whether each seat is behind, level or ahead since the turn began.
    standing: Vec<i8>,
    turn: Option<u32>,
    /// Who was alone in the lead last.
    leader: Option<Seat>,
    lead_changes: i64,
    /// Options of each question with a choice.
    options: Sums,
    /// The points of all seats when each turn began, one turn after the other.
    points: Vec<i64>,
}

impl Notes {
    /// For a game that begins.
    pub fn new(rules: &Ruleset) -> Notes {
        Notes {
            items: BTreeMap::new(),
            standing: vec![0; usize::from(rules.players)],
            turn: None,
            leader: None,
            lead_changes: 0,
            options: Sums::default(),
            points: Vec::new(),
        }
    }

    /// Whether they name nothing that the rules do not have: they may come from a file.
    pub(crate) fn fit(&self, rules: &Ruleset) -> bool {
        self.items.iter().all(|((seat, item), noted)| {
            seat.index() < usize::from(rules.players)
                && item.action.is_none_or(|action| action.index() < rules.actions.len())
                && item.ty.is_none_or(|ty| ty.index() < rules.types.len())
                && (-1..=1).contains(&noted.standing)
        })
    }

    /// How often the lead changed.
    pub fn lead_changes(&self) -> i64 {
        self.lead_changes
    }

    /// Notes an answer before it is given.
    pub fn answer(&mut self, game: &Game, host: &dyn EffectHost, decision: &Decision, answer: Answer) {
        if self.turn != Some(game.state().turns()) {
            self.turn = Some(game.state().turns());
            self.look_who_leads(game, host);
        }
        if decision.options.len() < 2 {
            return;
        }
        self.options.add(decision.options.len() as i64);
        let seat = decision.seat;
        let standing = self.standing[seat.index()];
        let mut offered: Vec<Item> =
            decision.options.iter().filter_map(|option| item(game, decision.ask, *option)).collect();
        offered.sort_unstable();
        offered.dedup();
        for item in offered {
            self.items.entry((seat, item)).or_insert(Noted { standing, ..Noted::default() }).offered += 1;
        }
        let taken = decision.options.get(usize::from(answer.0)).and_then(|option| item(game, decision.ask, *option));
        if let Some(noted) = taken.and_then(|item| self.items.get_mut(&(seat, item))) {
            noted.taken += 1;
        }
    }

    fn look_who_leads(&mut self, game: &Game, host: &dyn EffectHost) {
        let eval = game.eval(host);
        let seats: Vec<Seat> = game.rules().seats().collect();
        self.points.extend(seats.iter().map(|seat| eval.sheet(*seat).total));
        let points: Vec<i64> = seats.iter().map(|seat| eval.standing(*seat)).collect();
        for seat in &seats {
            let others =
                points.iter().enumerate().filter(|(other, _)| *other != seat.index()).map(|(_, points)| *points);
            let best = others.max().unwrap_or(points[seat.index()]);
            self.standing[seat.index()] = points[seat.index()].cmp(&best) as i8;
        }
        let alone = seats.into_iter().find(|seat| self.standing[seat.index()] > 0);
        if let Some(leader) = alone {
            self.lead_changes += i64::from(self.leader.is_some_and(|before| before != leader));
            self.leader = Some(leader);
        }
    }
}

/// The answer that an option is counted as; nothing for yes, no and the like.
fn item(game: &Game, ask: Ask, option: Opt) -> Option<Item> {
    let (action, value) = match (option, ask) {
        (Opt::Action(action, value) | Opt::Free(action, value), _) => (Some(action), value),
        (Opt::Value(value), Ask::Param(action, ..)) => (Some(action), value),
        (Opt::Value(value), _) => (None, value),
        (Opt::Branch(..) | Opt::Done | Opt::Yes | Opt::No | Opt::Continue, _) => return None,
    };
    let ty = match value {
        // What lies face down is chosen as a place.
        Value::Piece(piece) if !game.state().piece(piece).face_down => Some(game.rules().called(piece)),
        Value::Type(ty) => Some(ty),
        _ => None,
    };
    // A further question of an action about something else than a card tells nothing new.
    let is_further = matches!((option, ask), (Opt::Value(_), Ask::Param(..)));
    match (action, ty) {
        (None, None) => None,
        (Some(_), None) if is_further => None,
        _ => Some(Item { action, ty }),
    }
}

/// Games in which an answer was given, or could have been given and was not.
#[derive(Debug, Clone, Copy, Default)]
struct Stratum {
    with: Sums,
    without: Sums,
}

#[derive(Debug, Clone, Default)]
struct Counted {
    offered: u64,
    taken: u64,
    /// By seat, and by whether it was behind, level or ahead when the answer was first offered.
    strata: Vec<Stratum>,
    /// Games in which a seat gave it and won.
    won: Examples,
    /// Games in which a seat gave it and did not win.
    lost: Examples,
    /// Games in which it was offered and not given.
    passed_over: Examples,
}

/// The first games of a sort: their index and seed.
#[derive(Debug, Clone, Default)]
struct Examples(BTreeMap<u64, u64>);

impl Examples {
    fn add(&mut self, index: u64, seed: u64) {
        self.0.insert(index, seed);
        if self.0.len() > NAMED {
            self.0.pop_last();
        }
    }

    fn seeds(&self) -> Vec<u64> {
        self.0.values().copied().collect()
    }
}

/// How many games there are with each number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bars(BTreeMap<i64, u64>);

impl Bars {
    /// The numbers that are kept do not depend on the order of the games.
    pub(crate) fn add(&mut self, number: i64) {
        *self.0.entry(number).or_default() += 1;
        if self.0.len() > MOST_BARS {
            self.0.pop_last();
        }
    }

    pub(crate) fn listed(&self) -> Vec<(i64, u64)> {
        self.0.iter().map(|(number, games)| (*number, *games)).collect()
    }
}

#[derive(Debug, Clone, Default)]
struct OfSeat {
    games: u64,
    won: i64,
    points: Sums,
    bars: Bars,
    /// The points after each part of a game; the first are those at the beginning.
    curve: Vec<Sums>,
    won_games: Examples,
}

impl OfSeat {
    fn add(&mut self, points: i64, won: i64) {
        self.games += 1;
        self.won += won;
        self.points.add(points);
        self.bars.add(points);
    }

    /// The points that so large a share of the games does not exceed.
    fn quantile(&self, share: f64) -> i64 {
        let wanted = (share * self.games.saturating_sub(1) as f64).round() as u64;
        let mut seen = 0;
        let reached = self.bars.0.iter().find(|(_, count)| {
            seen += **count;
            seen > wanted
        });
        reached.or(self.bars.0.last_key_value()).map_or(0, |(points, _)| *points)
    }
}

/// Sums over many games.
#[derive(Debug, Clone)]
pub struct Tallies {
    bots: Vec<String>,
    games: u64,
    draws: u64,
    seats: Vec<OfSeat>,
    by_bot: BTreeMap<String, OfSeat>,
    turns: Sums,
    turn_bars: Bars,
    questions: Sums,
    options: Sums,
    lead_changes: Sums,
    margin: Sums,
    items: BTreeMap<Item, Counted>,
}

/// One game that ended by the rules.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'g> {
    /// Its index among all games of the seed.
    pub index: u64,
    /// Its seed.
    pub seed: u64,
    /// The points of each seat, and whether it won.
    pub results: &'g [(i64, bool)],
    /// Turns.
    pub turns: u64,
    /// Questions with a choice.
    pub questions: u64,
    /// What was noted on the way.
    pub notes: &'g Notes,
}

impl Tallies {
    /// For games of these bots; everybody by chance if there are none.
    pub fn new(rules: &Ruleset, seats: &Seats) -> Tallies {
        let bot = |seat: Seat| match seats.get(seat.index()) {
            Some(Some(kind)) => kind.to_string(),
            _ => "random".to_string(),
        };
        Tallies {
            bots: rules.seats().map(bot).collect(),
            games: 0,
            draws: 0,
            seats: vec![OfSeat::default(); usize::from(rules.players)],
            by_bot: BTreeMap::new(),
            turns: Sums::default(),
            turn_bars: Bars::default(),
            questions: Sums::default(),
            options: Sums::default(),
            lead_changes: Sums::default(),
            margin: Sums::default(),
            items: BTreeMap::new(),
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: Ended<'_>) {
        self.games += 1;
        let winners = game.results.iter().filter(|(_, won)| *won).count();
        self.draws += u64::from(winners > 1);
        let won = |is_winner: bool| if is_winner { WIN / winners.max(1) as i64 } else { 0 };
        for (seat, (points, is_winner)) in game.results.iter().enumerate() {
            self.seats[seat].add(*points, won(*is_winner));
            if *is_winner {
                self.seats[seat].won_games.add(game.index, game.seed);
            }
            self.by_bot.entry(self.bots[seat].clone()).or_default().add(*points, won(*is_winner));
        }
        let mut points: Vec<i64> = game.results.iter().map(|(points, _)| *points).collect();
        points.sort_unstable_by(|one, two| two.cmp(one));
        if let [first, second, ..] = points.as_slice() {
            self.margin.add(first.saturating_sub(*second));
        }
        self.add_curves(&game);
        self.turns.add(game.turns as i64);
        self.turn_bars.add(game.turns as i64);
        self.questions.add(game.questions as i64);
        self.options.add(game.notes.options.mean().round() as i64);
        self.lead_changes.add(game.notes.lead_changes);
        let strata = 3 * self.seats.len();
        let is_alone = self.seats.len() == 1;
        for ((seat, item), noted) in &game.notes.items {
            let Some((points, is_winner)) = game.results.get(seat.index()) else { continue };
            let counted = self.items.entry(*item).or_default();
            counted.strata.resize(strata, Stratum::default());
            counted.offered += u64::from(noted.offered);
            counted.taken += u64::from(noted.taken);
            let stratum = &mut counted.strata[3 * seat.index() + (noted.standing + 1) as usize];
            let (sums, examples) = match (noted.taken > 0, *is_winner) {
                (true, true) => (&mut stratum.with, &mut counted.won),
                (true, false) => (&mut stratum.with, &mut counted.lost),
                (false, _) => (&mut stratum.without, &mut counted.passed_over),
            };
            examples.add(game.index, game.seed);
            // Alone at the table, the points say how well it went.
            sums.add(if is_alone { *points } else { won(*is_winner) });
        }
    }

    /// Adds the points after each part of a game. The last turn with a question is followed by the end.
    fn add_curves(&mut self, game: &Ended<'_>) {
        let turns = game.notes.points.len() / self.seats.len().max(1);
        let begun: Vec<&[i64]> = game.notes.points.chunks_exact(self.seats.len().max(1)).collect();
        for (seat, (points, _)) in game.results.iter().enumerate() {
            let curve = &mut self.seats[seat].curve;
            curve.resize(CURVE_PARTS + 1, Sums::default());
            for (part, sums) in curve.iter_mut().enumerate() {
                sums.add(begun.get(part * turns / CURVE_PARTS).map_or(*points, |then| then[seat]));
            }
        }
    }

    /// The statistics.
    pub fn statistics(&self, rules: &Ruleset) -> Statistics {
        let of_seat = |name: String, bot: String, sums: &OfSeat| SeatStatistics {
            name,
            bot,
            games: sums.games,
            wins: sums.won as f64 / WIN as f64,
            share: sums.won as f64 / WIN as f64 / sums.games.max(1) as f64,
            share_interval: share(sums.won as f64 / WIN as f64, sums.games as f64),
            points: sums.points.figure(),
            quartiles: [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| sums.quantile(share)),
            bars: sums.bars.listed(),
            curve: sums.curve.iter().map(Sums::figure).collect(),
            won_games: sums.won_games.seeds(),
        };
        let seats = rules.seats().zip(&self.seats);
        let mut answers: Vec<AnswerStatistics> =
            self.items.iter().map(|(item, counted)| self.answer(rules, *item, counted)).collect();
        // Of many answers, some seem good or bad by luck alone: the more there are, the more it takes to be out of line.
        let many = answers.iter().filter(|answer| answer.effect.is_some()).count().max(1) as f64;
        let wanted = (2.0 * (many / 0.05).ln()).sqrt() / WIDE;
        for answer in &mut answers {
            let clear = |effect: &Effect| effect.difference.abs() > wanted * (effect.interval.1 - effect.difference);
            answer.is_out_of_line = answer.effect.as_ref().is_some_and(clear);
        }
        Statistics {
            games: self.games,
            draws: self.draws,
            seats: seats.map(|(seat, sums)| of_seat(seat_key(seat), self.bots[seat.index()].clone(), sums)).collect(),
            bots: self.by_bot.iter().map(|(bot, sums)| of_seat(bot.clone(), bot.clone(), sums)).collect(),
            turns: self.turns.figure(),
            turn_bars: self.turn_bars.listed(),
            questions: self.questions.figure(),
            options: self.options.figure(),
            lead_changes: self.lead_changes.figure(),
            margin: (self.seats.len() > 1).then(|| self.margin.figure()),
            answers,
        }
    }

    fn answer(&self, rules: &Ruleset, item: Item, counted: &Counted) -> AnswerStatistics {
        let unit = if self.seats.len() == 1 { 1.0 } else { WIN as f64 };
        let games =
            |sums: fn(&Stratum) -> &Sums| counted.strata.iter().map(|stratum| sums(stratum).count()).sum::<u64>();
        let (with, without) = (games(|stratum| &stratum.with), games(|stratum| &stratum.without));
        AnswerStatistics {
            action: item.action.map(|action| rules.action(action).name.clone()),
            card: item.ty.map(|ty| format!("{}.{}", rules.kind(rules.ty(ty).kind).name, rules.ty(ty).name)),
            offered: counted.offered,
            taken: counted.taken,
            games_with: with,
            games_without: without,
            effect: effect(&counted.strata, unit),
            is_out_of_line: false,
            won: counted.won.seeds(),
            lost: counted.lost.seeds(),
            passed_over: counted.passed_over.seeds(),
        }
    }
}

/// How much better games with an answer go than games in which it was offered and not given, compared among games of the same seat
/// that was equally far ahead at the time: the usual weighted mean of the differences.
fn effect(strata: &[Stratum], unit: f64) -> Option<Effect> {
    let (mut weights, mut sum, mut variance) = (0.0, 0.0, 0.0);
    for Stratum { with, without } in strata {
        let (one, other) = (with.count() as f64, without.count() as f64);
        if with.count() < 2 || without.count() < 2 {
            continue;
        }
        let weight = one * other / (one + other);
        weights += weight;
        sum += weight * (with.mean() - without.mean());
        // Never surer than if one more game had gone the other way.
        let unsure = |sums: &Sums, count: f64| (sums.variance() + unit * unit / count) / count;
        variance += weight * weight * (unsure(with, one) + unsure(without, other));
    }
    if weights == 0.0 {
        return None;
    }
    let (difference, width) = (sum / weights / unit, WIDE * variance.sqrt() / weights / unit);
    Some(Effect { difference, interval: (difference - width, difference + width) })
}

/// Statistics of many games.
#[derive(Debug, Clone, Serialize)]
pub struct Statistics {
    /// Games that ended by the rules; only these count.
    pub games: u64,
    /// Games with several winners.
    pub draws: u64,
    /// Seat by seat.
    pub seats: Vec<SeatStatistics>,
    /// Bot by bot.
    pub bots: Vec<SeatStatistics>,
    /// Turns of a game.
    pub turns: Figure,
    /// How many games took so many turns.
    pub turn_bars: Vec<(i64, u64)>,
    /// Questions of a game with a choice.
    pub questions: Figure,
    /// Options of such a question, on average over a game.
    pub options: Figure,
    /// How often in a game another player takes the lead, looked at once each turn.
    pub lead_changes: Figure,
    /// How many points the first has more than the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Figure>,
    /// Answer by answer: actions, cards, and actions with cards.
    pub answers: Vec<AnswerStatistics>,
}

/// Statistics of a seat or a bot.
#[derive(Debug, Clone, Serialize)]
pub struct SeatStatistics {
    /// The seat, such as `player_1`, or the bot.
    pub name: String,
    /// The bot.
    pub bot: String,
    /// Games.
    pub games: u64,
    /// Victories; one that is shared counts as a part.
    pub wins: f64,
    /// Their share.
    pub share: f64,
    /// The interval of the share.
    pub share_interval: (f64, f64),
    /// Points.
    pub points: Figure,
    /// The least points, those of a quarter, half and three quarters of the games, and the most.
    pub quartiles: [i64; 5],
    /// How many games ended with so many points.
    pub bars: Vec<(i64, u64)>,
    /// Points at the beginning and after each twentieth of a game; of a bot, nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<Figure>,
    /// Seeds of the first games that the seat won; of a bot, none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub won_games: Vec<u64>,
}

/// Statistics of an answer.
#[derive(Debug, Clone, Serialize)]
pub struct AnswerStatistics {
    /// The action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The card or another piece, as `kind.type`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// At how many questions it was offered.
    pub offered: u64,
    /// How often it was given.
    pub taken: u64,
    /// Games, seat by seat, in which it was given.
    pub games_with: u64,
    /// Games, seat by seat, in which it was offered and never given.
    pub games_without: u64,
    /// How much winning goes with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// Whether that is more than luck explains, among so many answers.
    pub is_out_of_line: bool,
    /// Seeds of the first games in which a seat gave it and won.
    pub won: Vec<u64>,
    /// Seeds of the first games in which a seat gave it and did not win.
    pub lost: Vec<u64>,
    /// Seeds of the first games in which it was offered and not given.
    pub passed_over: Vec<u64>,
}

impl AnswerStatistics {
    /// The share of the games that offered it in which it was given.
    pub fn share_of_games(&self) -> f64 {
        self.games_with as f64 / (self.games_with + self.games_without).max(1) as f64
    }

    /// Its name for people, such as `build card.inn`.
    pub fn name(&self) -> String {
        [&self.action, &self.card].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ")
    }
}

/// How much winning goes with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Effect {
    /// How much larger the share in the victory is (0.1: ten of a hundred games more); for one player: how many points more.
    pub difference: f64,
    /// Its interval.
    pub interval: (f64, f64),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(won: i64, lost: i64) -> Sums {
        let mut sums = Sums::default();
        (0..won).for_each(|_| sums.add(WIN));
        (0..lost).for_each(|_| sums.add(0));
        sums
    }

    /// Whoever is ahead takes the card more often and wins more often: that alone says nothing about the card.
    #[test]
    fn being_ahead_is_not_counted_for_a_card() {
        let ahead = Stratum { with: games(90, 10), without: games(9, 1) };
        let behind = Stratum { with: games(1, 9), without: games(10, 90) };
        let found = effect(&[ahead, behind], WIN as f64).expect("there are games of both sorts");
        assert!(found.difference.abs() < 1e-9, "{found:?}");
        assert!(found.interval.0 < 0.0 && found.interval.1 > 0.0, "{found:?}");
        let better = Stratum { with: games(80, 20), without: games(50, 50) };
        let found = effect(&[better], WIN as f64).expect("there are games of both sorts");
        assert!((found.difference - 0.3).abs() < 1e-9 && found.interval.0 > 0.15, "{found:?}");
        assert_eq!(effect(&[Stratum { with: games(5, 5), without: games(1, 0) }], WIN as f64), None);
    }
}
