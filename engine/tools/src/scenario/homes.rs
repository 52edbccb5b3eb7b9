//! Which pieces can ever lie in a zone, as far as the texts of a pack tell.

use std::collections::BTreeSet;

use rulepack_expr::{Dest, Expr, Op, Set};
use rulepack_kernel::{Ruleset, ZoneIx};
use rulepack_model::{Diagnostic, KindId, Node, ZoneId};

use super::names::Names;
use super::pieces::{PieceSpec, Stack, ZoneSpec};

impl Names<'_> {
    /// Refuses pieces in a zone that never holds their kind.
    pub(super) fn refuse_strangers(&mut self, node: &Node, zone: ZoneIx, spec: &ZoneSpec) {
        let rules = self.rules;
        let declared = rules.zone_instance(zone).0;
        let Some(kinds) = kinds_in(rules, declared) else { return };
        let fits = |spec: &PieceSpec| {
            let Some(ty) = spec.which.ty() else { return true };
            kinds.iter().any(|kind| rules.is_kind(rules.ty(ty).kind, *kind))
        };
        if let Some(stranger) = pieces_of(spec).into_iter().find(|spec| !fits(spec)) {
            let (piece, name) = (stranger.which.name(rules), &rules.zone(declared).name);
            let message =
                format!("`{piece}` never comes to `{name}`: no piece of its kind starts there or is moved there");
            self.out.push(Diagnostic::error("wrong-value", message).at(node.span));
        }
    }
}

/// The pieces that are named in a zone; not what lies on them.
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

/// The kinds of the pieces that can lie in a zone; nothing stands for a zone of which that is not known: scripts move what
/// they like, and a space can be one of any zone.
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
        let has_spaces = rules.zone(zone).layout.cells() > 0;
        waiting.extend(rules.zone(zone).refill);
        for op in rules.programs.iter().flat_map(|compiled| &compiled.program.ops) {
            match op {
                Op::Move { to: Dest::Cell(_), .. } | Op::Draw { to: Dest::Cell(_), .. } if has_spaces => return None,
                Op::Lay { .. } => return None,
                Op::Draw { from, to: Dest::Zone(to), .. } if to.zone == zone => waiting.push(from.zone),
                Op::Move { piece, to: Dest::Zone(to), .. } if to.zone == zone => waiting.push(source(piece)?),
                _ => {}
            }
        }
    }
    Some(kinds)
}

/// The zone from which a piece is moved, if the text says so.
fn source(piece: &Expr) -> Option<ZoneId> {
    match piece {
        Expr::First(set) => match &**set {
            Set::Zone(zone) => Some(zone.zone),
            _ => None,
        },
        _ => None,
    }
}
