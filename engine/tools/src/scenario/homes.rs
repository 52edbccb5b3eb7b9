//! Which pieces can ever come to a zone, judging by the texts of a pack.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_expr::{Combination, Dest, Expr, FIRST_PARAM, Filling, Moves, Op, Set};
use rulepack_kernel::{Ruleset, ZoneIx};
use rulepack_model::{ActionId, Code, Diagnostic, KindId, Local, Node, ProgId, ZoneId};

use super::names::Names;
use super::pieces::{PieceSpec, Stack, ZoneSpec};

impl Names<'_> {
    /// Refuses pieces in a zone that never holds their kind.
    pub(super) fn refuse_strangers(&mut self, node: &Node, zone: ZoneIx, spec: &ZoneSpec) {
        let rules = self.rules;
        let declared = rules.zone_instance(zone).0;
        let Some(kinds) = kinds_in(rules, declared).filter(|_| self.is_whole) else { return };
        let fits = |spec: &PieceSpec| {
            let Some(ty) = spec.which.ty() else { return true };
            kinds.iter().any(|kind| rules.is_kind(rules.ty(ty).kind, *kind))
        };
        if let Some(stranger) = pieces_of(spec).into_iter().find(|spec| !fits(spec)) {
            let (piece, name) = (stranger.which.name(rules), &rules.zone(declared).name);
            let message =
                format!("`{piece}` never comes to `{name}`: no piece of its kind starts there or is moved there");
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(node.span));
        }
    }
}

/// The pieces that are named in a zone, without those that lie on them.
pub(super) fn pieces_of(spec: &ZoneSpec) -> Vec<&PieceSpec> {
    match spec {
        ZoneSpec::Count(_) => Vec::new(),
        ZoneSpec::All(pieces) => pieces.iter().collect(),
        ZoneSpec::Spaces(spaces) => {
            let mut all = Vec::new();
            for (_, stack) in spaces {
                match stack {
                    Stack::Exactly(pieces) | Stack::Top(pieces) => all.extend(pieces),
                    Stack::Places(places) => all.extend(places.iter().map(|(_, spec)| spec)),
                    Stack::Count(_) => {}
                }
            }
            all
        }
        ZoneSpec::Part(part) => {
            let places = part.places.iter().map(|(_, spec)| spec);
            part.top.iter().chain(&part.bottom).chain(&part.pieces).chain(places).collect()
        }
    }
}

/// The kinds of pieces that can lie in a zone; `None` if that is not known: scripts can move any piece, and a space can belong
/// to any zone.
fn kinds_in(rules: &Ruleset, zone: ZoneId) -> Option<BTreeSet<KindId>> {
    if !rules.hooks.is_empty() {
        return None;
    }
    let (mut known, mut waiting) = (BTreeSet::new(), vec![zone]);
    let mut kinds = BTreeSet::new();
    while let Some(zone) = waiting.pop() {
        if !known.insert(zone) {
            continue;
        }
        let starts = rules.pieces.iter().filter(|piece| rules.zone_instance(piece.zone).0 == zone);
        kinds.extend(starts.map(|piece| rules.ty(piece.ty).kind));
        let has_spaces = rules.zone(zone).layout.has_spaces();
        waiting.extend(rules.zone(zone).refill);
        for (index, compiled) in rules.programs.iter().enumerate() {
            for op in &compiled.program.ops {
                let Some(moves) = op.facts().moves else { continue };
                let to = match moves {
                    Moves::Onto { .. } | Moves::Swapped { .. } => return None,
                    // The zone from which a row is filled was added above.
                    Moves::Refilled(_) => continue,
                    Moves::One { to, .. } | Moves::Many { to, .. } | Moves::Drawn { to, .. } => to,
                };
                match to {
                    Dest::Cell(_) if has_spaces => return None,
                    Dest::Zone(to) if to.zone == zone => {}
                    Dest::Cell(_) | Dest::Zone(_) => continue,
                }
                match moves {
                    Moves::Drawn { from, .. } => waiting.push(from.zone),
                    Moves::One { piece, .. } => {
                        waiting.extend(Sources::of(rules, ProgId::from(index)).of_piece(piece)?);
                    }
                    Moves::Many { set, .. } => waiting.extend(Sources::of(rules, ProgId::from(index)).of_set(set)?),
                    Moves::Onto { .. } | Moves::Swapped { .. } | Moves::Refilled(_) => {}
                }
            }
        }
    }
    Some(kinds)
}

/// For the slots of an effect: the zones from which their pieces come; `None` if that is not known.
struct Sources(BTreeMap<Local, Option<BTreeSet<ZoneId>>>);

impl Sources {
    fn of(rules: &Ruleset, program: ProgId) -> Sources {
        let mut sources = Sources(BTreeMap::new());
        for (index, action) in rules.actions.iter().enumerate().filter(|(_, action)| action.effect == Some(program)) {
            for (number, param) in action.params.iter().enumerate() {
                // `do ACTION(…)` may pass a piece from another zone.
                let is_chosen = !is_given(rules, ActionId::from(index), number);
                let from = sources.of_set(&param.set).filter(|_| is_chosen);
                sources.note(Local::from((FIRST_PARAM as usize).saturating_add(number)), from);
            }
        }
        for op in &rules.program(program).program.ops {
            let Some((into, filling)) = op.facts().fills else { continue };
            let from = match filling {
                Filling::Member(set) | Filling::List(set) => sources.of_set(set),
                Filling::NextOf(list) => sources.0.get(&list).cloned().flatten(),
                Filling::Value(value) => sources.of_piece(value),
                Filling::Chance | Filling::EmptyList => None,
            };
            sources.note(into, from);
        }
        sources
    }

    /// Adds zones to a slot: several steps may fill the same one.
    fn note(&mut self, local: Local, from: Option<BTreeSet<ZoneId>>) {
        match (self.0.get_mut(&local), from) {
            (Some(Some(known)), Some(from)) => known.extend(from),
            (Some(known), _) => *known = None,
            (None, from) => drop(self.0.insert(local, from)),
        }
    }

    fn of_piece(&self, piece: &Expr) -> Option<BTreeSet<ZoneId>> {
        match piece {
            Expr::First(set) | Expr::Last(set) => self.of_set(set),
            Expr::Top(zone) => Some(BTreeSet::from([zone.zone])),
            Expr::Local(local) => self.0.get(local).cloned().flatten(),
            _ => None,
        }
    }

    fn of_set(&self, set: &Set) -> Option<BTreeSet<ZoneId>> {
        match set {
            Set::Zone(zone) => Some(BTreeSet::from([zone.zone])),
            Set::Filter { base, .. } => self.of_set(base),
            Set::One(piece) => self.of_piece(piece),
            Set::OfEach { part, .. } => self.of_set(part),
            Set::Combined(Combination::Intersection | Combination::Difference, one, _) => self.of_set(one),
            Set::Combined(Combination::Union, one, other) => {
                let mut zones = self.of_set(one)?;
                zones.extend(self.of_set(other)?);
                Some(zones)
            }
            Set::Kept(local) => self.0.get(local).cloned().flatten(),
            _ => None,
        }
    }
}

/// Whether some effect does an action with a value of its own for a parameter.
fn is_given(rules: &Ruleset, action: ActionId, param: usize) -> bool {
    let gives = |op: &Op| op.facts().performs.is_some_and(|(done, args)| done == action && args.len() > param);
    rules.programs.iter().flat_map(|compiled| &compiled.program.ops).any(gives)
}
