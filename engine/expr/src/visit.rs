//! Walking expressions, sets, costs and effects: the only code that knows the parts of each.
//!
//! A [`Visitor`] overrides the methods for the parts that it needs, and calls `visit_parts` to go deeper. Other parts
//! are walked through. Example: `count(hand where it.level > 1)` is one expression with one set in it; the set has a
//! zone and an expression.

use crate::code::{Cost, Dest, Disclosed, Expr, Holder, Op, Program, Set, Term, What, Winners, ZoneRef};

/// Is called with the parts of an expression, a set, a cost or an effect.
pub trait Visitor {
    /// An expression.
    fn expr(&mut self, expr: &Expr) {
        expr.visit_parts(self);
    }

    /// A set.
    fn set(&mut self, set: &Set) {
        set.visit_parts(self);
    }

    /// A zone that is named.
    fn zone(&mut self, zone: &ZoneRef) {
        zone.visit_parts(self);
    }

    /// A cost.
    fn cost(&mut self, cost: &Cost) {
        cost.visit_parts(self);
    }

    /// A term of a cost.
    fn term(&mut self, term: &Term) {
        term.visit_parts(self);
    }
}

/// Calls a function with every expression, and goes no deeper.
struct Direct<F>(F);

impl<F: FnMut(&Expr)> Visitor for Direct<F> {
    fn expr(&mut self, expr: &Expr) {
        (self.0)(expr);
    }
}

impl Expr {
    /// Visits its direct parts.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        match self {
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => {}
            Expr::AtTurn => {}
            Expr::Amount(holder, what) | Expr::Room(holder, what) => {
                holder.visit_parts(visitor);
                what.visit_parts(visitor);
            }
            Expr::Attr(of, _)
            | Expr::ResAttr(of, _)
            | Expr::Property(_, of)
            | Expr::Mark(_, of)
            | Expr::Value(_, of)
            | Expr::Negative(of)
            | Expr::Not(of)
            | Expr::IsType(of, _)
            | Expr::IsKind(of, _)
            | Expr::NextSeat(of)
            | Expr::PreviousSeat(of)
            | Expr::Opposite(of)
            | Expr::Passed(of)
            | Expr::Out(of)
            | Expr::Partner(of)
            | Expr::Can(of, _) => visitor.expr(of),
            Expr::Var(_, owner) => owner.iter().for_each(|owner| visitor.expr(owner)),
            Expr::Binary(_, left, right) | Expr::Min(left, right) | Expr::Max(left, right) => {
                visitor.expr(left);
                visitor.expr(right);
            }
            Expr::If(cond, yes, no) => [cond, yes, no].into_iter().for_each(|part| visitor.expr(part)),
            Expr::Contains(set, of) => {
                visitor.set(set);
                visitor.expr(of);
            }
            Expr::Any(set) | Expr::Count(set) | Expr::First(set) | Expr::Last(set) => visitor.set(set),
            Expr::Sum(set, _, body) | Expr::Largest(set, _, body) | Expr::Smallest(set, _, body) => {
                visitor.set(set);
                visitor.expr(body);
            }
            Expr::Top(zone) => visitor.zone(zone),
            Expr::CanPay(cost) | Expr::Units(cost) => visitor.cost(cost),
            Expr::Query(_, args) => args.iter().for_each(|arg| visitor.expr(arg)),
        }
    }

    /// Calls a function with each expression that is a direct part, or a direct part of its sets and costs.
    pub fn each_part(&self, visit: impl FnMut(&Expr)) {
        self.visit_parts(&mut Direct(visit));
    }

    /// Whether a condition holds for the expression, or for one somewhere inside it.
    pub fn has(&self, is_such: &mut dyn FnMut(&Expr) -> bool) -> bool {
        let mut found = is_such(self);
        if !found {
            self.each_part(|part| found = found || part.has(is_such));
        }
        found
    }
}

impl Set {
    /// Visits its direct parts.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        match self {
            Set::Zone(zone) | Set::Cells(zone) | Set::FreeCells(zone) => visitor.zone(zone),
            Set::InPlay { kind: _, owner } => owner.iter().for_each(|owner| visitor.expr(owner)),
            Set::Neighbours(of)
            | Set::At(of)
            | Set::DirectionsFrom(of)
            | Set::Adjacent(_, of)
            | Set::Attached(of)
            | Set::One(of)
            | Set::Others(of)
            | Set::Team(of)
            | Set::Round { from: of, clockwise: _ } => visitor.expr(of),
            Set::Line(of, direction) | Set::Through(of, direction) => {
                visitor.expr(of);
                visitor.expr(direction);
            }
            Set::On(set) | Set::AdjacentToAll(_, set) => visitor.set(set),
            Set::Kept(_) | Set::Resources(_) | Set::Types(_) | Set::Symbols(_) | Set::Seats | Set::Directions(_) => {}
            Set::Combined(_, one, other) | Set::OfEach { of: one, it: _, part: other } => {
                visitor.set(one);
                visitor.set(other);
            }
            Set::Named(_, me, args) => {
                visitor.expr(me);
                args.iter().for_each(|arg| visitor.expr(arg));
            }
            Set::Numbers(least, most) => {
                visitor.expr(least);
                visitor.expr(most);
            }
            Set::Listed(members) => members.iter().for_each(|member| visitor.expr(member)),
            Set::Connected(from, within) => {
                visitor.set(from);
                visitor.set(within);
            }
            Set::Filter { base, it: _, cond } | Set::While { base, it: _, cond } | Set::Until { base, it: _, cond } => {
                visitor.set(base);
                visitor.expr(cond);
            }
        }
    }
}

impl ZoneRef {
    /// Visits its direct parts.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        self.owner.iter().for_each(|owner| visitor.expr(owner));
    }
}

impl Holder {
    /// Visits its direct parts.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        match self {
            Holder::Seat(of) | Holder::Piece(of) => visitor.expr(of),
            Holder::Supply => {}
        }
    }
}

impl What {
    /// Visits its direct parts.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        match self {
            What::Of(of) => visitor.expr(of),
            What::Res(_) | What::Group(_) => {}
        }
    }
}

impl Cost {
    /// Visits its direct parts.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        self.terms.iter().for_each(|term| visitor.term(term));
        self.less.iter().for_each(|less| visitor.expr(less));
    }
}

impl Term {
    /// Visits its direct parts.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        match self {
            Term::Counted(count, what) => {
                visitor.expr(count);
                what.visit_parts(visitor);
            }
            Term::Attr(of, _) | Term::Surcharge(of) => visitor.expr(of),
        }
    }
}

impl Dest {
    /// Visits its direct parts.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        match self {
            Dest::Zone(zone) => visitor.zone(zone),
            Dest::Cell(cell) => visitor.expr(cell),
        }
    }
}

impl Disclosed {
    /// Visits its direct parts.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        match self {
            Disclosed::One(value) => visitor.expr(value),
            Disclosed::Many(set) => visitor.set(set),
        }
    }
}

impl Winners {
    /// Visits what it is directly made of.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        match self {
            Winners::Are(players) => visitor.set(players),
            Winners::ByPoints | Winners::Everybody => {}
        }
    }
}

impl Program {
    /// Visits the parts of all its operations.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        self.ops.iter().for_each(|op| op.visit_parts(visitor));
    }
}

impl Op {
    /// Visits its direct parts.
    pub fn visit_parts<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        match self {
            Op::Jump(_) | Op::List(_) | Op::May { .. } | Op::Either(_) | Op::Next { .. } => {}
            Op::EndTurn | Op::EndPhase | Op::Pass | Op::Pause | Op::Cancel => {}
            Op::AskNext { .. } | Op::KeepChoices { .. } | Op::Reveal { .. } | Op::DoNext { .. } | Op::OnlyTried(_) => {}
            Op::JumpUnless(expr, _)
            | Op::Let(_, expr)
            | Op::Roll { sides: expr, .. }
            | Op::Flip(expr)
            | Op::Rejoin(expr) => {
                visitor.expr(expr);
            }
            Op::Gain { cost, whom: place }
            | Op::Put { cost, on: place }
            | Op::Store { cost, on: place }
            | Op::TakeFromPiece { cost, from: place }
            | Op::TakeFromSeat { cost, from: place }
            | Op::GiveBack { cost, from: place } => {
                visitor.cost(cost);
                visitor.expr(place);
            }
            Op::Pay { cost, to } => {
                visitor.cost(cost);
                to.iter().for_each(|to| visitor.expr(to));
            }
            Op::Exchange { cost, end: _ } => visitor.cost(cost),
            Op::Lay { piece, on } => {
                visitor.expr(piece);
                visitor.expr(on);
            }
            Op::Move { piece, to, bottom: _, facing: _ } => {
                visitor.expr(piece);
                to.visit_parts(visitor);
            }
            Op::Draw { count, from, to } => {
                visitor.expr(count);
                visitor.zone(from);
                to.visit_parts(visitor);
            }
            Op::Shuffle(zone) | Op::Refill(zone) => visitor.zone(zone),
            Op::Choose { set, by, .. } | Op::ChooseMore { set, by, .. } | Op::Look { set, by, .. } => {
                visitor.set(set);
                visitor.expr(by);
            }
            Op::MoveAll { set, to, bottom: _, facing: _ } => {
                visitor.set(set);
                to.visit_parts(visitor);
            }
            Op::Swap(one, other) => {
                visitor.expr(one);
                visitor.expr(other);
            }
            Op::FlipAll(set) | Op::Eliminate { players: set, round: _ } => visitor.set(set),
            Op::Show { set, to, lasting: _ } => {
                visitor.set(set);
                to.iter().for_each(|players| visitor.set(players));
            }
            Op::Pick { set, .. } | Op::Collect { set, .. } | Op::Keep(_, set) => visitor.set(set),
            Op::SetVar { var: _, owner, value } => {
                owner.iter().for_each(|owner| visitor.expr(owner));
                visitor.expr(value);
            }
            Op::Raise { args, .. } | Op::Perform { args, .. } | Op::Script { args, .. } => {
                args.iter().for_each(|arg| visitor.expr(arg));
            }
            Op::Use { piece, attr: _ } => visitor.expr(piece),
            Op::EndGame { winners } => winners.visit_parts(visitor),
            Op::Disclose { what, prompt: _ } => what.visit_parts(visitor),
            Op::Seen { by, prompt: _ } => visitor.expr(by),
        }
    }
}
