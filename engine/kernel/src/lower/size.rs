//! The size of a text. What is evaluated for every member of a set costs by its size, but only if it is long.

use rulepack_expr::{Cost, Expr, Holder, Set, Term, What, ZoneRef};

/// This many parts of a text cost as much as one member of a set.
const PARTS: u32 = 64;

/// The extra price of a text beyond the price of its parts; 0 except for long texts.
pub(super) fn surplus(expr: &Expr) -> u32 {
    let all = size(expr);
    if all < PARTS {
        return 0;
    }
    let mut parts = 0;
    each_part(expr, &mut |part| parts += size(part) / PARTS);
    (all / PARTS).saturating_sub(parts)
}

fn size(expr: &Expr) -> u32 {
    let mut all = 1;
    each_part(expr, &mut |part| all += size(part));
    all
}

fn each_part(expr: &Expr, visit: &mut impl FnMut(&Expr)) {
    match expr {
        Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => {}
        Expr::Amount(holder, what) | Expr::Room(holder, what) => {
            of_holder(holder, visit);
            of_what(what, visit);
        }
        Expr::Attr(of, _) | Expr::ResAttr(of, _) | Expr::Built(_, of) | Expr::Mark(_, of) | Expr::Value(_, of) => {
            visit(of);
        }
        Expr::Var(_, owner) => owner.iter().for_each(|owner| visit(owner)),
        Expr::Negative(of) | Expr::Not(of) | Expr::IsType(of, _) | Expr::IsKind(of, _) => visit(of),
        Expr::NextSeat(of) | Expr::PreviousSeat(of) | Expr::Passed(of) | Expr::Can(of, _) => visit(of),
        Expr::Binary(_, left, right) | Expr::Min(left, right) | Expr::Max(left, right) => {
            visit(left);
            visit(right);
        }
        Expr::If(cond, yes, no) => [cond, yes, no].into_iter().for_each(|part| visit(part)),
        Expr::Contains(set, of) => {
            of_set(set, visit);
            visit(of);
        }
        Expr::Any(set) | Expr::Count(set) | Expr::First(set) | Expr::Last(set) => of_set(set, visit),
        Expr::Sum(set, _, of) | Expr::Largest(set, _, of) | Expr::Smallest(set, _, of) => {
            of_set(set, visit);
            visit(of);
        }
        Expr::Top(zone) => of_zone(zone, visit),
        Expr::CanPay(cost) | Expr::Units(cost) => of_cost(cost, visit),
        Expr::Query(_, args) => args.iter().for_each(visit),
    }
}

fn of_set(set: &Set, visit: &mut impl FnMut(&Expr)) {
    match set {
        Set::Zone(zone) | Set::Cells(zone) | Set::FreeCells(zone) => of_zone(zone, visit),
        Set::InPlay { owner, .. } => owner.iter().for_each(|owner| visit(owner)),
        Set::Neighbours(of) | Set::At(of) | Set::Adjacent(_, of) | Set::Attached(of) | Set::One(of) => visit(of),
        Set::Others(of) => visit(of),
        Set::On(set) | Set::AdjacentToAll(_, set) => of_set(set, visit),
        Set::Resources(_) | Set::Seats => {}
        Set::Filter { base, cond, .. } => {
            of_set(base, visit);
            visit(cond);
        }
    }
}

fn of_zone(zone: &ZoneRef, visit: &mut impl FnMut(&Expr)) {
    zone.owner.iter().for_each(|owner| visit(owner));
}

fn of_holder(holder: &Holder, visit: &mut impl FnMut(&Expr)) {
    match holder {
        Holder::Seat(of) | Holder::Piece(of) => visit(of),
        Holder::Supply => {}
    }
}

fn of_what(what: &What, visit: &mut impl FnMut(&Expr)) {
    match what {
        What::Of(of) => visit(of),
        What::Res(_) | What::Group(_) => {}
    }
}

fn of_cost(cost: &Cost, visit: &mut impl FnMut(&Expr)) {
    for term in &cost.terms {
        match term {
            Term::Counted(count, what) => {
                visit(count);
                of_what(what, visit);
            }
            Term::Attr(of, _) | Term::Surcharge(of) => visit(of),
        }
    }
    cost.less.iter().for_each(|less| visit(less));
}
