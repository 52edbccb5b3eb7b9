//! Reachability in one game: phases, actions, zones, resources.

use std::collections::BTreeSet;

use rulepack_expr::{Cost, Dest, Expr, Moves, Op, Term, What};
use rulepack_kernel::Ruleset;
use rulepack_kernel::ruleset::{AttrValue, PhaseBody};
use rulepack_model::{ActionId, Confidence, PhaseId, PieceId, ResId, Seat, ZoneId};

use super::ranges::Ranges;

/// The phases, actions, zones and resources that the texts of a game can reach.
#[derive(Debug, Default)]
pub(super) struct Reach {
    pub(super) phases: BTreeSet<PhaseId>,
    pub(super) actions: BTreeSet<ActionId>,
    pub(super) zones: BTreeSet<ZoneId>,
    /// Resources that players can get.
    pub(super) resources: BTreeSet<ResId>,
    /// Whether free actions are offered somewhere.
    pub(super) pauses: bool,
}

impl Reach {
    pub(super) fn of(rules: &Ruleset) -> Reach {
        let mut reach = Reach::default();
        reach.walk_phases(rules);
        for piece in &rules.pieces {
            reach.zones.insert(rules.zone_instances[piece.zone.index()].0);
        }
        for (index, zone) in rules.zones.iter().enumerate() {
            if zone.refill.is_some() {
                reach.zones.insert(ZoneId::from(index));
            }
        }
        for (index, resource) in rules.resources.iter().enumerate() {
            if resource.start > 0 {
                reach.resources.insert(ResId::from(index));
            }
        }
        for op in rules.programs.iter().flat_map(|compiled| &compiled.program.ops) {
            reach.op(rules, op);
        }
        reach
    }

    fn walk_phases(&mut self, rules: &Ruleset) {
        let mut waiting: Vec<PhaseId> = rules.root.into_iter().collect();
        while let Some(phase) = waiting.pop() {
            if !self.phases.insert(phase) {
                continue;
            }
            self.pauses |= rules.phases.get(phase.index()).is_some_and(|phase| phase.free);
            match rules.phases.get(phase.index()).map(|phase| &phase.body) {
                Some(PhaseBody::Sequence { phases, .. }) => waiting.extend(phases),
                Some(PhaseBody::Turns { turn, .. }) => waiting.push(*turn),
                Some(PhaseBody::Menu { actions, .. }) => self.actions.extend(actions),
                Some(PhaseBody::Leaf) | None => {}
            }
        }
    }

    fn op(&mut self, rules: &Ruleset, op: &Op) {
        let does = op.facts();
        match does.moves {
            Some(
                Moves::One { to: Dest::Zone(zone), .. }
                | Moves::Many { to: Dest::Zone(zone), .. }
                | Moves::Drawn { to: Dest::Zone(zone), .. },
            ) => {
                self.zones.insert(zone.zone);
            }
            // A space is one of some zone that has them; what a zone is filled from was noted before.
            Some(
                Moves::One { to: Dest::Cell(_), .. }
                | Moves::Many { to: Dest::Cell(_), .. }
                | Moves::Drawn { to: Dest::Cell(_), .. },
            ) => {}
            Some(Moves::Onto { .. } | Moves::Swapped { .. } | Moves::Refilled(_)) | None => {}
        }
        self.actions.extend(does.performs.map(|(action, _)| action));
        self.pauses |= does.offers_free;
        if let Some(cost) = does.gives {
            self.gained(rules, cost);
        }
    }

    fn gained(&mut self, rules: &Ruleset, cost: &Cost) {
        for term in &cost.terms {
            match term {
                Term::Counted(_, What::Res(res)) => {
                    self.resources.insert(*res);
                }
                Term::Counted(_, What::Group(group)) => {
                    self.resources.extend(rules.groups.get(group.index()).into_iter().flat_map(|group| &group.members));
                }
                // Which one is known only during the game.
                Term::Counted(_, What::Of(_)) | Term::Attr(..) | Term::Surcharge(_) => {
                    self.resources.extend((0..rules.resources.len()).map(ResId::from));
                }
            }
        }
    }
}

/// Why a cost can never be paid, if so, and how certain that is: pieces with room may change owners.
pub(super) fn unpayable(rules: &Ruleset, reach: &Reach, cost: &Cost) -> Option<(String, Confidence)> {
    const SURE: Confidence = Confidence::Certain;
    if cost.less.is_some() {
        return None;
    }
    cost.terms.iter().find_map(|term| match term {
        Term::Counted(Expr::Int(amount), What::Res(res)) if *amount > 0 => {
            let resource = rules.resources.get(res.index())?;
            let name = &resource.name;
            match resource.supply {
                Some(supply) if i64::from(supply) < *amount => {
                    Some((format!("costs {amount} `{name}`, and there are only {supply}"), SURE))
                }
                _ if !reach.resources.contains(res) => Some((format!("costs `{name}`, which nobody ever gets"), SURE)),
                _ if resource.kept => {
                    let most = most_room(rules, *res);
                    let reason = format!("costs {amount} `{name}`, and nobody has room for more than {most}");
                    (most < *amount).then_some((reason, Confidence::Likely))
                }
                _ => None,
            }
        }
        Term::Counted(Expr::Int(amount), What::Group(group)) if *amount > 0 => {
            let members = &rules.groups.get(group.index())?.members;
            let supply: Option<i64> =
                members.iter().map(|res| rules.resources.get(res.index())?.supply.map(i64::from)).sum();
            let name = &rules.groups.get(group.index())?.name;
            supply
                .filter(|supply| supply < amount)
                .map(|supply| (format!("costs {amount} of `{name}`, and there are only {supply}"), SURE))
        }
        Term::Counted(..) | Term::Attr(..) | Term::Surcharge(_) => None,
    })
}

/// How much of a resource one player can keep at most, on pieces that belong to nobody else at the start.
fn most_room(rules: &Ruleset, res: ResId) -> i64 {
    let of_seat = |seat: Seat| -> i64 {
        let pieces = rules.pieces.iter().enumerate().filter(|(_, init)| init.owner.is_none_or(|owner| owner == seat));
        let rooms = pieces.filter_map(|(index, _)| rules.keeps(PieceId::from(index), res));
        rooms
            .map(|keeps| Ranges::new(rules, &[]).of(&rules.exprs[keeps.room.index()].expr).most)
            .fold(0, i64::saturating_add)
    };
    rules.seats().map(of_seat).max().unwrap_or(0)
}

/// All costs of a game with their places: a definition and a key.
pub(super) fn costs(rules: &Ruleset) -> Vec<(String, &Cost)> {
    let mut all = Vec::new();
    for action in &rules.actions {
        let path = |index: usize| match action.costs.len() {
            1 => format!("action.{} cost", action.name),
            _ => format!("action.{} cost.{}", action.name, index + 1),
        };
        all.extend(action.costs.iter().enumerate().map(|(index, (cost, _))| (path(index), cost)));
    }
    for ty in &rules.types {
        let kind = &rules.kinds[ty.kind.index()].name;
        for ((name, _), value) in rules.attrs.iter().zip(&ty.attrs) {
            if let Some(AttrValue::Cost(cost)) = value {
                all.push((format!("{kind}.{} {name}", ty.name), &rules.costs[cost.index()].cost));
            }
        }
    }
    for compiled in &rules.programs {
        let paid = compiled.program.ops.iter().filter_map(|op| op.facts().costs);
        all.extend(paid.map(|cost| (compiled.origin.clone(), cost)));
    }
    all
}
