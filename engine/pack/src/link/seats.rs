//! The parts of a ruleset that depend on the number of players: zones and pieces of each player, and room for their
//! variables. The rest of a game is linked once for all numbers.

use rulepack_expr::Subject;
use rulepack_kernel::ZoneIx;
use rulepack_kernel::ruleset::{PieceInit, Ruleset};
use rulepack_model::{Code, Diagnostic, KindId, ResId, Seat, Span, TypeId, ZoneId};

use super::counts::Count;
use super::many::refuse_large_tables;

/// The largest number of pieces; no box holds so many, so more is a mistake or an attack.
pub(crate) const MAX_COPIES: i64 = 10_000;
const MAX_PIECES: usize = 200_000;

/// The data from which a game gets its players.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seating {
    /// The copies of every type, in the order of the box.
    pub(crate) copies: Vec<Copies>,
    /// The places where the pack gives the starting amounts of players.
    pub(crate) starts: Vec<(ResId, Span)>,
    /// The places of the zones, in their order.
    pub(crate) zones: Vec<Span>,
    /// The place of the number of teams.
    pub(crate) teams: Option<Span>,
}

/// The number of copies of a type, and the zone in which they start.
#[derive(Debug, Clone)]
pub(crate) struct Copies {
    pub(crate) ty: TypeId,
    pub(crate) zone: ZoneId,
    /// The number in the box, or for each player.
    pub(crate) count: Count,
    pub(crate) per_player: bool,
    pub(crate) at: Span,
}

impl Seating {
    /// Whether the box holds a copy of a type.
    pub(crate) fn has(&self, ty: usize) -> bool {
        self.copies.iter().any(|copies| copies.ty.index() == ty && copies.count.fixed() != Some(0))
    }

    /// Gives a game its players. The place of the manifest is that of mistakes of the game as a whole.
    pub(crate) fn seat(&self, rules: &mut Ruleset, players: u8, manifest: Span, out: &mut Vec<Diagnostic>) {
        rules.players = players;
        self.check_teams(rules, out);
        self.check_starts(rules, out);
        self.zones(rules, out);
        self.pieces(rules, out);
        vars(rules);
        if refuse_large_tables(rules, self.copies.first().map_or(manifest, |copies| copies.at), out) {
            // Such a game will not be played; its other mistakes can be found without its pieces.
            rules.pieces.clear();
            (rules.held_slots, rules.var_slots) = (0, 0);
            vars(rules);
        }
        rules.prepare();
    }

    /// Refuses teams of different sizes.
    fn check_teams(&self, rules: &mut Ruleset, out: &mut Vec<Diagnostic>) {
        let (players, teams) = (rules.players, rules.teams);
        if let Some(at) = self.teams
            && teams > 0
            && (players < teams || players.checked_rem(teams) != Some(0))
        {
            let message = format!("{players} players cannot form {teams} teams of the same size");
            let help = "let `players` of the pack be a multiple of `teams`, or write `teams` into a mode that has such a number";
            out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
            rules.teams = 0;
        }
    }

    fn check_starts(&self, rules: &Ruleset, out: &mut Vec<Diagnostic>) {
        for (res, at) in &self.starts {
            let resource = rules.resource(*res);
            let all = resource.start.saturating_mul(i32::from(rules.players));
            if resource.supply.is_some_and(|supply| all > supply) {
                let message = format!("every player starts with more `{}` than the supply can give", resource.name);
                out.push(Diagnostic::error(Code::WrongValue, message).at(*at));
            }
        }
    }

    fn zones(&self, rules: &mut Ruleset, out: &mut Vec<Diagnostic>) {
        rules.play_zones = rules.seats().map(|_| Vec::new()).collect();
        for (index, (zone, at)) in rules.zones.iter_mut().zip(&self.zones).enumerate() {
            let room = usize::from(u16::MAX).saturating_sub(rules.zone_instances.len());
            if usize::from(rules.players) > room {
                let message = "there are more zones than the kernel can count";
                out.push(Diagnostic::error(Code::WrongValue, message).at(*at));
                break;
            }
            zone.base = rules.zone_instances.len() as u16;
            for owner in owners(rules.players, zone.per_player) {
                let ix = ZoneIx(rules.zone_instances.len() as u16);
                rules.zone_instances.push((ZoneId::from(index), owner));
                let in_play = match owner {
                    Some(seat) => rules.play_zones.get_mut(seat.index()),
                    None => Some(&mut rules.shared_play_zones),
                };
                in_play.filter(|_| zone.in_play).into_iter().for_each(|zones| zones.push(ix));
            }
        }
    }

    /// All copies of all types, with their starting zones.
    fn pieces(&self, rules: &mut Ruleset, out: &mut Vec<Diagnostic>) {
        let mut of_kind = vec![0u32; rules.kinds.len()];
        let mut held = 0u32;
        for Copies { ty, zone, count, per_player, at } in &self.copies {
            let kind = rules.ty(*ty).kind;
            let players = if *per_player { usize::from(rules.players) } else { 1 };
            let Some(count) = count.of(rules.players).filter(|count| (0..=MAX_COPIES).contains(count)) else {
                let (kind, name) = (&rules.kind(kind).name, &rules.ty(*ty).name);
                let message = format!(
                    "with {} players, `{kind}.{name}` has no number of copies from 0 to {MAX_COPIES}",
                    rules.players
                );
                let help = "correct the formula, or bound it: `max(0, …)`";
                out.push(Diagnostic::error(Code::WrongValue, message).at(*at).help(help));
                continue;
            };
            let more = players.saturating_mul(count as usize);
            if rules.pieces.len().saturating_add(more) > MAX_PIECES {
                let (kind, name) = (&rules.kind(kind).name, &rules.ty(*ty).name);
                let message = format!("with `{kind}.{name}` there are more than {MAX_PIECES} pieces");
                out.push(Diagnostic::error(Code::WrongValue, message).at(*at));
                continue;
            }
            for owner in owners(rules.players, *per_player) {
                for _ in 0..count {
                    let ordinal = counted(&mut of_kind, kind);
                    let zone = rules.zone_ix(*zone, owner);
                    rules.pieces.push(PieceInit { ty: *ty, zone, held, ordinal, owner });
                    held = held.saturating_add(u32::from(rules.kind(kind).slots));
                }
            }
        }
        rules.held_slots = held as usize;
    }
}

/// Counts one more piece of a kind, and returns the number before.
fn counted(of_kind: &mut [u32], kind: KindId) -> u32 {
    let Some(count) = of_kind.get_mut(kind.index()) else { return 0 };
    std::mem::replace(count, count.saturating_add(1))
}

/// The players, or the table alone.
fn owners(players: u8, per_player: bool) -> impl Iterator<Item = Option<Seat>> {
    let table = (!per_player).then_some(None);
    (0..if per_player { players } else { 0 }).map(|seat| Some(Seat(seat))).chain(table)
}

/// Gives every variable its slots.
fn vars(rules: &mut Ruleset) {
    let mut of_kind = vec![0u32; rules.kinds.len()];
    for piece in &rules.pieces {
        counted(&mut of_kind, rules.ty(piece.ty).kind);
    }
    let lineage = &rules.vocabulary.lineage;
    let has_heirs = |kind: KindId| lineage.iter().any(|line| line.first() != Some(&kind) && line.contains(&kind));
    for var in &mut rules.vars {
        var.base = u32::try_from(rules.var_slots).unwrap_or(u32::MAX);
        let slots = match var.subject {
            Subject::Game => 1,
            Subject::Space => 0,
            Subject::Seat => u32::from(rules.players),
            Subject::Piece(Some(kind)) if !has_heirs(kind) => of_kind.get(kind.index()).copied().unwrap_or(0),
            Subject::Piece(_) => {
                // Ordinals are counted for each kind separately.
                var.by_piece = true;
                rules.pieces.len() as u32
            }
        };
        var.slots = slots.max(1);
        rules.var_slots = rules.var_slots.saturating_add(var.slots as usize);
    }
}
