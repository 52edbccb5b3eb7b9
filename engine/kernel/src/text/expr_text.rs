//! Expressions, sets and costs printed as text again, for messages that quote the false part of a rule. Names are ids,
//! as in the pack's own texts.

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{
    AttrId, Cost, Directions, Expr, FIRST_PARAM, Holder, ME, Property, SELF, Set, Subject, SymbolsOf, Term, Visitor,
    What, ZoneRef,
};
use rulepack_model::{KindId, Local, MarkId};

use crate::rules::ruleset::Ruleset;

/// Prints the texts of one definition, whose parameters have these names.
pub(crate) struct Writer<'r> {
    pub(crate) rules: &'r Ruleset,
    pub(crate) params: Vec<&'r str>,
    /// Members of sets that conditions inside their own condition ask about: `board as m where any(… m.row …)`.
    pub(crate) outer: Vec<Local>,
}

/// Looks for a member of a set inside the conditions of further sets, where `it` is another.
struct Inside {
    it: Local,
    depth: u32,
    found: bool,
}

impl Inside {
    fn is_in(it: Local, cond: &Expr) -> bool {
        let mut inside = Inside { it, depth: 0, found: false };
        inside.expr(cond);
        inside.found
    }

    fn below(&mut self, body: &Expr) {
        self.depth += 1;
        self.expr(body);
        self.depth -= 1;
    }
}

impl Visitor for Inside {
    fn expr(&mut self, expr: &Expr) {
        self.found |= self.depth > 0 && *expr == Expr::Local(self.it);
        match expr {
            Expr::Sum(set, _, body) | Expr::Largest(set, _, body) | Expr::Smallest(set, _, body) => {
                self.set(set);
                self.below(body);
            }
            expr => expr.visit_parts(self),
        }
    }

    fn set(&mut self, set: &Set) {
        match set {
            Set::Filter { base, cond, .. } => {
                self.set(base);
                self.below(cond);
            }
            set => set.visit_parts(self),
        }
    }
}

impl Writer<'_> {
    /// An expression.
    pub(crate) fn expr(&self, expr: &Expr) -> String {
        self.above(expr, 0)
    }

    /// An expression inside another one, in brackets if it binds less strongly.
    fn above(&self, expr: &Expr, least: u8) -> String {
        let text = self.plain(expr);
        if binds(expr) < least { format!("({text})") } else { text }
    }

    fn plain(&self, expr: &Expr) -> String {
        let rules = self.rules;
        match expr {
            Expr::Int(n) => n.to_string(),
            Expr::Bool(flag) => flag.to_string(),
            Expr::Res(res) => rules.resources[res.index()].name.clone(),
            Expr::Sym(symbol) => format!("'{}'", rules.symbol(*symbol)),
            Expr::Type(ty) => rules.types[ty.index()].name.clone(),
            Expr::Local(local) => self.local(*local),
            Expr::Amount(holder, what) => match what {
                What::Of(res) => format!("{}[{}]", self.holder(holder), self.expr(res)),
                what => format!("{}.{}", self.holder(holder), self.what(what)),
            },
            Expr::Attr(base, attr) => format!("{}.{}", self.owner(base), self.attr(*attr)),
            Expr::ResAttr(base, attr) => {
                let known = rules.vocabulary.resource_attrs.iter().find(|(_, (id, _))| id == attr);
                format!("{}.{}", self.owner(base), known.map_or("", |(name, _)| name))
            }
            Expr::Property(property, base) => format!("{}.{}", self.owner(base), property_name(*property)),
            Expr::Mark(mark, cell) => format!("{}.{}", self.owner(cell), self.mark(*mark)),
            Expr::Room(holder, what) => match holder {
                Holder::Seat(seat) if **seat == Expr::Local(ME) => format!("room({})", self.what(what)),
                holder => format!("room({}, {})", self.holder(holder), self.what(what)),
            },
            Expr::Value(value, subject) => {
                let declared = &rules.values[value.index()];
                match declared.subject {
                    Subject::Game => declared.name.clone(),
                    _ => format!("{}.{}", self.owner(subject), declared.name),
                }
            }
            Expr::Var(var, owner) => {
                let name = &rules.vars[var.index()].name;
                owner.as_ref().map_or(name.clone(), |owner| format!("{}.{name}", self.owner(owner)))
            }
            Expr::Negative(inner) => format!("-{}", self.above(inner, 6)),
            Expr::Not(inner) => match &**inner {
                Expr::Any(set) => format!("none({})", self.set(set)),
                inner => format!("not {}", self.above(inner, 6)),
            },
            Expr::Binary(op, left, right) => {
                let level = binds(expr);
                format!("{} {} {}", self.above(left, level), op.text(), self.above(right, level + 1))
            }
            Expr::If(cond, yes, no) => {
                format!("if {} then {} else {}", self.expr(cond), self.expr(yes), self.expr(no))
            }
            Expr::IsType(inner, ty) => format!("{} is {}", self.above(inner, 4), rules.types[ty.index()].name),
            Expr::IsKind(inner, kind) => format!("{} is {}", self.above(inner, 4), rules.kinds[kind.index()].name),
            Expr::Contains(set, inner) => format!("{} is in {}", self.above(inner, 4), self.set(set)),
            Expr::Any(set) => format!("any({})", self.set(set)),
            Expr::Count(set) => format!("count({})", self.set(set)),
            Expr::Sum(set, it, body) => format!("sum({})", self.about_each(set, *it, body, ", ")),
            Expr::Largest(set, it, body) => format!("largest({})", self.about_each(set, *it, body, ", ")),
            Expr::Smallest(set, it, body) => format!("smallest({})", self.about_each(set, *it, body, ", ")),
            Expr::First(set) => format!("first({})", self.set(set)),
            Expr::Last(set) => format!("last({})", self.set(set)),
            Expr::Top(zone) => format!("top({})", self.zone(zone)),
            Expr::Min(left, right) => format!("min({}, {})", self.expr(left), self.expr(right)),
            Expr::Max(left, right) => format!("max({}, {})", self.expr(left), self.expr(right)),
            Expr::AtTurn => "at_turn".into(),
            Expr::Opposite(direction) => format!("opposite({})", self.expr(direction)),
            Expr::NextSeat(seat) => format!("next({})", self.expr(seat)),
            Expr::PreviousSeat(seat) => format!("previous({})", self.expr(seat)),
            Expr::Out(seat) => format!("out({})", self.expr(seat)),
            Expr::Partner(seat) => format!("partner({})", self.expr(seat)),
            Expr::Passed(seat) => format!("passed({})", self.expr(seat)),
            Expr::Can(piece, attr) => format!("can({}.{})", self.owner(piece), self.attr(*attr)),
            Expr::CanPay(cost) => format!("can_pay({})", self.cost(cost)),
            Expr::Units(cost) => format!("units({})", self.cost(cost)),
            Expr::Query(hook, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                format!("{}({})", rules.hooks[hook.index()].name, args.join(", "))
            }
        }
    }

    fn local(&self, local: Local) -> String {
        match local {
            ME => "me".into(),
            SELF => "self".into(),
            local if self.outer.contains(&local) => self.outer_name(local),
            Local(slot) => {
                let param = self.params.get(usize::from(slot - FIRST_PARAM));
                param.map_or("it", |name| name).to_string()
            }
        }
    }

    /// The name of a member of an outer set: `m`, `m2`, …
    fn outer_name(&self, local: Local) -> String {
        match self.outer.iter().position(|known| *known == local) {
            None | Some(0) => "m".into(),
            Some(index) => format!("m{}", index + 1),
        }
    }

    /// A set, and a text about each of its members.
    fn about_each(&self, set: &Set, it: Local, body: &Expr, join: &str) -> String {
        let before = self.set(set);
        if !Inside::is_in(it, body) {
            return format!("{before}{join}{}", self.expr(body));
        }
        let outer = self.outer.iter().copied().chain([it]).collect();
        let inner = Writer { rules: self.rules, params: self.params.clone(), outer };
        format!("{before} as {}{join}{}", inner.outer_name(it), inner.expr(body))
    }

    /// The part before a dot.
    fn owner(&self, expr: &Expr) -> String {
        if *expr == Expr::Local(ME) { "my".into() } else { self.above(expr, 6) }
    }

    fn holder(&self, holder: &Holder) -> String {
        match holder {
            Holder::Seat(of) | Holder::Piece(of) => self.owner(of),
            Holder::Supply => "supply".into(),
        }
    }

    fn what(&self, what: &What) -> String {
        match what {
            What::Res(res) => self.rules.resources[res.index()].name.clone(),
            What::Group(group) => self.rules.groups[group.index()].name.clone(),
            What::Of(expr) => self.expr(expr),
        }
    }

    fn attr(&self, attr: AttrId) -> &str {
        self.rules.attrs.get(usize::from(attr.0)).map_or("", |(name, _)| name)
    }

    fn mark(&self, mark: MarkId) -> &str {
        let known = self.rules.vocabulary.marks.iter().find(|(_, id)| **id == mark);
        known.map_or("", |(name, _)| name)
    }

    fn of(&self, name: &str, owner: Option<&Expr>) -> String {
        match owner {
            None => name.to_string(),
            Some(Expr::Local(ME)) => format!("my {name}"),
            Some(owner) => format!("{name} of {}", self.above(owner, 6)),
        }
    }

    fn zone(&self, zone: &ZoneRef) -> String {
        self.of(&self.rules.zones[zone.zone.index()].name, zone.owner.as_deref())
    }

    fn plural(&self, kind: KindId) -> &str {
        let known = self.rules.vocabulary.plurals.iter().find(|(_, id)| **id == kind);
        known.map_or(&self.rules.kinds[kind.index()].name, |(name, _)| name)
    }

    /// A set.
    pub(crate) fn set(&self, set: &Set) -> String {
        let way = |way: &rulepack_model::AdjacencyId| {
            let known = self.rules.vocabulary.adjacencies.iter().find(|(_, id)| *id == way);
            known.map_or(String::new(), |(name, _)| name.clone())
        };
        match set {
            Set::Zone(zone) => self.zone(zone),
            Set::InPlay { kind, owner } => self.of(kind.map_or("pieces", |kind| self.plural(kind)), owner.as_deref()),
            Set::Cells(zone) => format!("cells({})", self.zone(zone)),
            Set::FreeCells(zone) => format!("free_cells({})", self.zone(zone)),
            Set::Neighbours(cell) => format!("neighbours({})", self.expr(cell)),
            Set::Line(from, direction) => format!("line({}, {})", self.expr(from), self.expr(direction)),
            Set::Through(from, direction) => format!("through({}, {})", self.expr(from), self.expr(direction)),
            Set::Connected(from, within) => format!("connected({}, {})", self.set(from), self.set(within)),
            Set::DirectionsFrom(cell) => format!("directions({})", self.expr(cell)),
            Set::Directions(Directions::All) => "directions".into(),
            Set::Directions(Directions::Straight) => "straights".into(),
            Set::Directions(Directions::Diagonal) => "diagonals".into(),
            Set::While { base, it, cond } => self.about_each(base, *it, cond, " while "),
            Set::Until { base, it, cond } => self.about_each(base, *it, cond, " until "),
            Set::At(cell) => format!("pieces_at({})", self.expr(cell)),
            Set::On(cells) => format!("pieces_at({})", self.set(cells)),
            Set::Adjacent(name, cell) => format!("{}({})", way(name), self.expr(cell)),
            Set::AdjacentToAll(name, cells) => format!("{}({})", way(name), self.set(cells)),
            Set::Attached(host) => format!("attached({})", self.expr(host)),
            Set::One(thing) => self.expr(thing),
            Set::Resources(group) => self.rules.groups[group.index()].name.clone(),
            Set::Types(kind) => format!("types({})", self.rules.kinds[kind.index()].name),
            Set::Symbols(SymbolsOf::Attr(attr)) => format!("symbols({})", self.attr(*attr)),
            Set::Symbols(SymbolsOf::Mark(mark)) => format!("symbols({})", self.mark(*mark)),
            Set::Numbers(least, most) => format!("{}..{}", self.above(least, 1), self.above(most, 1)),
            Set::Listed(members) => {
                let members: Vec<String> = members.iter().map(|member| self.expr(member)).collect();
                format!("[{}]", members.join(", "))
            }
            Set::Named(id, me, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
                let name = &self.rules.sets[id.index()].name;
                let call = if args.is_empty() { name.clone() } else { format!("{name}({})", args.join(", ")) };
                match &**me {
                    Expr::Local(ME) => call,
                    owner => self.of(&call, Some(owner)),
                }
            }
            Set::Kept(local) => self.local(*local),
            Set::Combined(how, one, other) => format!("{}({}, {})", how.name(), self.set(one), self.set(other)),
            Set::OfEach { of, part, .. } => {
                let whole = self.set(part);
                let name = whole.split(" of ").next().unwrap_or(&whole);
                format!("{name} of {}", self.set(of))
            }
            Set::Seats => "players".into(),
            Set::Others(_) => "others".into(),
            Set::Team(of) => format!("team({})", self.expr(of)),
            Set::Round { from, clockwise: true } => format!("clockwise({})", self.expr(from)),
            Set::Round { from, clockwise: false } => format!("counter_clockwise({})", self.expr(from)),
            Set::Filter { base, it, cond } => self.about_each(base, *it, cond, " where "),
        }
    }

    /// A cost.
    pub(crate) fn cost(&self, cost: &Cost) -> String {
        let term = |term: &Term| match term {
            Term::Counted(amount, what) => format!("{} {}", self.above(amount, 6), self.what(what)),
            Term::Attr(base, attr) => format!("{}.{}", self.owner(base), self.attr(*attr)),
            Term::Surcharge(piece) => format!("surcharge({})", self.expr(piece)),
        };
        let terms: Vec<String> = cost.terms.iter().map(term).collect();
        let less = cost.less.as_ref().map_or(String::new(), |less| format!(" less {}", self.above(less, 6)));
        terms.join(" + ") + &less
    }
}

/// The precedence of an expression.
fn binds(expr: &Expr) -> u8 {
    match expr {
        Expr::If(..) => 0,
        Expr::Binary(op, ..) => match op {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Add | BinaryOp::Sub => 4,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 5,
            _ => 3,
        },
        Expr::IsType(..) | Expr::IsKind(..) | Expr::Contains(..) => 3,
        Expr::Not(inner) if matches!(**inner, Expr::Any(_)) => 7,
        Expr::Not(_) | Expr::Negative(_) => 5,
        _ => 7,
    }
}

fn property_name(property: Property) -> &'static str {
    match property {
        Property::PieceRow | Property::CellRow => "row",
        Property::PieceColumn | Property::CellColumn => "column",
        Property::PieceCell => "cell",
        Property::PieceOwner => "owner",
        Property::PieceType => "type",
        Property::PieceHost => "host",
        Property::PieceFaceUp => "face_up",
        Property::PieceFlipped => "flipped",
        Property::CellEmpty => "empty",
    }
}
