//! Tables as they may be, judging by what one player knows: what a bot searches in.
//!
//! A table is drawn from what the player sees and from a seed, and from nothing else: two games that differ only in what the
//! player cannot see give the same tables, piece by piece. `resample.rs` gives less: it shuffles the true table, so that the
//! same seed leads from two such games to two different tables.

use std::cell::Cell;

use rulepack_model::{PieceId, Seat};

use crate::flow::decision::Opt;
use crate::flow::fault::Fault;
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::hidden::recent::Recent;
use crate::hidden::resample::{Exchange, Hidden, bound, in_use};
use crate::hidden::sight::{Sight, Viewer};
use crate::rules::ruleset::Ruleset;
use crate::state::rng::Rng;
use crate::state::table::State;
use crate::state::value::ZoneIx;

/// The number of tables that are drawn until one agrees with what the player was told.
const MAX_TRIES: u32 = 16;

/// Draws tables that look to one player like the game that is played.
#[derive(Debug)]
pub struct TableSampler<'g> {
    game: &'g Game,
    seat: Seat,
    recent: Recent,
    /// The pieces that are dealt out anew; if no such table agrees with what the player was told, a second time without the
    /// pieces that a running effect refers to.
    deals: [Deal<'g>; 2],
    /// How many pieces were dealt out so far.
    dealt: Cell<u64>,
}

/// Pieces of one back and kind, and their places.
#[derive(Debug)]
struct Deal<'g> {
    hidden: Hidden<'g>,
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    /// The zones of the places, each with the pieces that lie in them, in the order in which they lie.
    places: Vec<(ZoneIx, Vec<u32>)>,
    /// The pieces that may lie anywhere, by number.
    loose: Vec<u32>,
    /// The pieces of which the player knows in which zone they lie, by zone and number.
    held: Vec<(ZoneIx, u32)>,
}

impl<'g> TableSampler<'g> {
    /// For a game that asks somebody, and for what a player knows of it.
    ///
    /// # Errors
    /// If a script cannot be run again.
    pub fn new(game: &'g Game, host: &dyn EffectHost, seat: Seat) -> Result<TableSampler<'g>, Fault> {
        let recent = Recent::new(game, host)?;
        let start = recent.start();
        let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(seat));
        let mut fixed = recent.known(seat).to_vec();
        bound(start).into_iter().for_each(|piece| fixed[piece.index()] = true);
        let asked = game.decision().filter(|decision| decision.seat == seat);
        let offered = asked.iter().flat_map(|decision| &decision.options).filter_map(|option| option.piece());
        // Of a hidden pile that the player may look through, the player knows the cards, but not their order.
        let held: Vec<PieceId> =
            offered.filter(|piece| !fixed[piece.index()] && sight.may_choose_by_name(*piece)).collect();
        let wide = Deal::new(game.rules(), start, &fixed, &held);
        in_use(start).into_iter().for_each(|piece| fixed[piece.index()] = true);
        let deals = [wide, Deal::new(game.rules(), start, &fixed, &held)];
        Ok(TableSampler { game, seat, recent, deals, dealt: Cell::new(0) })
    }

    /// Whether the player knows where every piece lies.
    pub fn is_all_known(&self) -> bool {
        self.deals[0].groups.is_empty() && !self.game.rules().has_secrets()
    }

    /// The work so far, in about what one member of a set takes: of following the history of the game, of dealing pieces out, and
    /// of giving answers again on the tables that were drawn.
    pub fn work(&self) -> u64 {
        self.recent.work().saturating_add(self.dealt.get())
    }

    /// A table as it may be, and what is to come drawn anew from the seed; nothing if none of those that were drawn agrees with
    /// what the player was told.
    pub fn draw(&self, host: &dyn EffectHost, seed: u64) -> Option<Game> {
        let mut rng = Rng::new(seed);
        let mut table = match self.is_all_known() {
            true => Some(self.game.clone()),
            false => self.deals.iter().find_map(|deal| {
                (0..MAX_TRIES).find_map(|_| {
                    self.dealt.set(self.dealt.get().saturating_add(self.game.rules().pieces.len() as u64));
                    let exchange = deal.exchange(self.game.rules(), &mut rng)?;
                    let (rules, start) = (self.game.rules(), self.recent.start());
                    let exchange = exchange.with_values(rules, host, start, self.seat, rng.next_u64());
                    self.agrees(host, &exchange)
                })
            }),
        };
        if let Some(table) = &mut table {
            table.draw_anew(rng.next_u64());
        }
        table
    }

    /// The game with pieces exchanged, if the player would not have noticed and is offered the same.
    fn agrees(&self, host: &dyn EffectHost, exchange: &Exchange) -> Option<Game> {
        let other = self.recent.lead(self.game, host, self.seat, exchange)?;
        let options = |game: &'_ Game| game.decision().map(|decision| decision.options.clone()).unwrap_or_default();
        let (mine, others) = (options(self.game), options(&other));
        let is_asked = self.game.decision().is_some_and(|decision| decision.seat == self.seat);
        let sight = Sight::new(self.game.rules(), self.game.state(), Viewer::Seat(self.seat));
        let same = |(one, two): (&Opt, &Opt)| match (one.piece(), two.piece()) {
            (Some(piece), Some(other)) if sight.may_choose_by_name(piece) => {
                one == two || self.game.rules().called(piece) == self.game.rules().called(other)
            }
            (Some(_), Some(other)) => one.with_piece(other) == *two,
            _ => one == two,
        };
        if is_asked && !(mine.len() == others.len() && mine.iter().zip(&others).all(same)) {
            other.abandon(host);
            return None;
        }
        Some(other)
    }
}

impl<'g> Deal<'g> {
    fn new(rules: &'g Ruleset, start: &State, fixed: &[bool], held: &[PieceId]) -> Deal<'g> {
        let hidden = Hidden::apart(rules, start, fixed, |_| ());
        let called = |piece: &u32| rules.called(PieceId(*piece));
        let differ = |group: &&Vec<u32>| group.iter().any(|piece| called(piece) != called(&group[0]));
        let groups = hidden.groups().iter().filter(differ).map(|group| Group::new(rules, start, group, held)).collect();
        Deal { hidden, groups }
    }

    /// Deals the pieces out; nothing if a piece lies where it cannot, judging by what everybody sees there.
    fn exchange(&self, rules: &Ruleset, rng: &mut Rng) -> Option<Exchange> {
        let mut exchange = Exchange::nothing(rules.pieces.len());
        for group in &self.groups {
            let mut dealt = group.deal(rng);
            for at in 0..dealt.len() {
                let (place, piece) = dealt[at];
                if self.hidden.fits(place, piece) {
                    continue;
                }
                let from = rng.below(dealt.len() as u32) as usize;
                let other = (0..dealt.len()).map(|step| (from + step) % dealt.len()).find(|other| {
                    let (of_other, there) = dealt[*other];
                    self.hidden.fits(place, there) && self.hidden.fits(of_other, piece)
                })?;
                (dealt[at].1, dealt[other].1) = (dealt[other].1, dealt[at].1);
            }
            dealt.into_iter().for_each(|(place, piece)| exchange.put(place, piece));
        }
        Some(exchange)
    }
}

impl Group {
    fn new(rules: &Ruleset, start: &State, group: &[u32], held: &[PieceId]) -> Group {
        let zone_of = |piece: u32| start.piece(PieceId(piece)).zone;
        let mut zones: Vec<ZoneIx> = group.iter().map(|piece| zone_of(*piece)).collect();
        zones.sort_unstable();
        zones.dedup();
        let mut is_one = vec![false; rules.pieces.len()];
        group.iter().for_each(|piece| is_one[*piece as usize] = true);
        let in_order = |zone: ZoneIx| start.zone(zone).map(|piece| piece.0).filter(|piece| is_one[*piece as usize]);
        let mut loose = group.to_vec();
        let mut held: Vec<(ZoneIx, u32)> =
            held.iter().map(|piece| (zone_of(piece.0), piece.0)).filter(|(_, piece)| is_one[*piece as usize]).collect();
        held.sort_unstable();
        loose.retain(|piece| !held.iter().any(|(_, known)| known == piece));
        loose.sort_unstable();
        Group { places: zones.iter().map(|zone| (*zone, in_order(*zone).collect())).collect(), loose, held }
    }

    /// Each place with the piece that comes to lie there.
    fn deal(&self, rng: &mut Rng) -> Vec<(u32, u32)> {
        let (mut dealt, mut left) = (Vec::new(), Vec::new());
        for (zone, places) in &self.places {
            let mut places = places.clone();
            rng.shuffle(&mut places);
            let held = self.held.iter().filter(|(in_zone, _)| in_zone == zone);
            let mut places = places.into_iter();
            dealt.extend(held.zip(places.by_ref()).map(|((_, piece), place)| (place, *piece)));
            left.extend(places);
        }
        let mut loose = self.loose.clone();
        rng.shuffle(&mut loose);
        dealt.extend(left.into_iter().zip(loose));
        dealt
    }
}
