//! The functions of the language: `count(…)`, `any(…)`, `can(…)` and the others.

use crate::ast::*;
use crate::check::{Checkable, Checked, Checker};
use crate::code::*;
use crate::error::ExprError;
use crate::synonyms::function_instead;
use crate::vocabulary::{Subject, Ty};

/// The functions.
pub const FUNCTIONS: [&str; 40] = [
    "any",
    "none",
    "count",
    "sum",
    "largest",
    "smallest",
    "first",
    "last",
    "top",
    "cells",
    "free_cells",
    "neighbours",
    "line",
    "through",
    "connected",
    "directions",
    "opposite",
    "clockwise",
    "counter_clockwise",
    "pieces_at",
    "attached",
    "min",
    "max",
    "next",
    "previous",
    "passed",
    "out",
    "partner",
    "team",
    "can",
    "can_pay",
    "has",
    "surcharge",
    "room",
    "units",
    "types",
    "symbols",
    "union",
    "intersection",
    "difference",
];

/// Whether a name is the name of a function, so that no definition can have it.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

impl Checker<'_> {
    pub(crate) fn call(&mut self, function: &str, args: &[Ast], at: At) -> Checked<Checkable> {
        if let Some((id, subject, value_ty)) = self.vocabulary.values.get(function).copied() {
            let [of] = self.exactly(function, args, &at)?;
            let (base, ty) = self.one(of)?;
            return match (subject, ty) {
                (Subject::Game | Subject::Seat, Ty::Seat) => {
                    Ok(Checkable::One(Expr::Value(id, Box::new(base)), value_ty))
                }
                _ => self.field(base, ty, function, at),
            };
        }
        if self.vocabulary.sets.contains_key(function) {
            return self.named_set(function, Expr::Local(ME), args, at);
        }
        if let Some(way) = self.vocabulary.adjacencies.get(function).copied() {
            let [from] = self.exactly(function, args, &at)?;
            let set = match self.check(from)? {
                Checkable::Many(set, Ty::Cell | Ty::Piece(_) | Ty::Any) => Set::AdjacentToAll(way, Box::new(set)),
                Checkable::Zone(zone) => Set::AdjacentToAll(way, Box::new(Set::Zone(zone))),
                _ => Set::Adjacent(way, Box::new(self.space(from, function)?)),
            };
            return Ok(Checkable::Many(set, Ty::Cell));
        }
        if !FUNCTIONS.contains(&function) {
            let v = &*self.vocabulary;
            let known = v.values.keys().chain(v.sets.keys()).chain(v.adjacencies.keys()).map(String::as_str);
            let known = FUNCTIONS.iter().copied().chain(known);
            let error = ExprError::name(at, format!("there is no function `{function}`"));
            return Err(
                function_instead(error, function).unwrap_or_else(|error| v.suggestions.add(error, function, known))
            );
        }
        match function {
            "room" => self.room(args, at),
            "sum" | "largest" | "smallest" => {
                let [set, body] = self.exactly(function, args, &at)?;
                self.over_set(function, set, body)
            }
            "union" | "intersection" | "difference" => {
                let how = match function {
                    "union" => Combination::Union,
                    "intersection" => Combination::Intersection,
                    _ => Combination::Difference,
                };
                self.combined(how, args, at)
            }
            "min" | "max" => {
                let [left, right] = self.exactly(function, args, &at)?;
                self.of_two(function, left, right, at)
            }
            "line" | "through" => {
                let [from, direction] = self.exactly(function, args, &at)?;
                self.line(function, from, direction)
            }
            "connected" => {
                let [from, within] = self.exactly(function, args, &at)?;
                self.connected(from, within)
            }
            "directions" => {
                let [of] = self.exactly(function, args, &at)?;
                self.directions_from(of)
            }
            _ => {
                let [of] = self.exactly(function, args, &at)?;
                self.of_one(function, of, at)
            }
        }
    }

    /// A function that is applied to each member of a set.
    fn over_set(&mut self, function: &str, set: &Ast, body: &Ast) -> Checked<Checkable> {
        let (set, label) = self.labelled(set);
        let (set, ty) = self.set(set)?;
        let (it, body) = self.with_member(ty, label, |checker| checker.int(body))?;
        let (set, body) = (Box::new(set), Box::new(body));
        let expr = match function {
            "sum" => Expr::Sum(set, it, body),
            "largest" => Expr::Largest(set, it, body),
            _ => Expr::Smallest(set, it, body),
        };
        Ok(Checkable::One(expr, Ty::Int))
    }

    /// A function of two numbers.
    fn of_two(&mut self, function: &str, first: &Ast, second: &Ast, at: At) -> Checked<Checkable> {
        let left = self.int(first);
        if left.is_err() && self.is_set(first) {
            let right = if function == "min" { "smallest" } else { "largest" };
            let message = format!("`{function}` compares two numbers, and this is a set");
            let error = ExprError::kind(first.at.clone(), message);
            let cure = Some((at.start..at.start.saturating_add(function.len()), right.to_string()));
            return Err(ExprError { cure, ..error.help(format!("of a set, write `{right}(…, it.…)`")) });
        }
        let right = self.int(second);
        let (left, right) = self.both(left, right)?;
        let (left, right) = (Box::new(left), Box::new(right));
        let expr = if function == "min" { Expr::Min(left, right) } else { Expr::Max(left, right) };
        Ok(Checkable::One(expr, Ty::Int))
    }

    /// A function with one argument.
    fn of_one(&mut self, function: &str, of: &Ast, at: At) -> Checked<Checkable> {
        let int = |expr| Ok(Checkable::One(expr, Ty::Int));
        let bool = |expr| Ok(Checkable::One(expr, Ty::Bool));
        match function {
            "types" => self.types_of(of),
            "symbols" => self.symbols_of(of),
            "any" => bool(Expr::Any(Box::new(self.set(of)?.0))),
            "none" => bool(Expr::Not(Box::new(Expr::Any(Box::new(self.set(of)?.0))))),
            "count" => int(Expr::Count(Box::new(self.set(of)?.0))),
            "first" | "last" => {
                let (set, ty) = self.set(of)?;
                let set = Box::new(set);
                Ok(Checkable::One(if function == "first" { Expr::First(set) } else { Expr::Last(set) }, ty))
            }
            "top" => {
                let zone = self.zone(of)?;
                Ok(Checkable::One(Expr::Top(zone), Ty::Piece(None)))
            }
            "cells" => Ok(Checkable::Many(Set::Cells(self.zone(of)?), Ty::Cell)),
            "free_cells" => Ok(Checkable::Many(Set::FreeCells(self.zone(of)?), Ty::Cell)),
            "neighbours" => {
                let cell = self.space(of, function)?;
                Ok(Checkable::Many(Set::Neighbours(Box::new(cell)), Ty::Cell))
            }
            "pieces_at" => {
                let set = match self.check(of)? {
                    Checkable::One(cell, Ty::Cell | Ty::Any) => Set::At(Box::new(cell)),
                    Checkable::Many(cells, Ty::Cell) => Set::On(Box::new(cells)),
                    _ => {
                        return Err(ExprError::kind(of.at.clone(), "a space or several of them are needed here")
                            .help("such as `pieces_at(PIECE.cell)` or `pieces_at(cells(ZONE))`"));
                    }
                };
                Ok(Checkable::Many(set, Ty::Piece(None)))
            }
            "attached" => {
                let piece = self.expect_type(of, Ty::Piece(None))?;
                Ok(Checkable::Many(Set::Attached(Box::new(piece)), Ty::Piece(None)))
            }
            "next" => Ok(Checkable::One(Expr::NextSeat(Box::new(self.expect_type(of, Ty::Seat)?)), Ty::Seat)),
            "previous" => Ok(Checkable::One(Expr::PreviousSeat(Box::new(self.expect_type(of, Ty::Seat)?)), Ty::Seat)),
            "clockwise" | "counter_clockwise" => {
                let from = Box::new(self.expect_type(of, Ty::Seat)?);
                Ok(Checkable::Many(Set::Round { from, clockwise: function == "clockwise" }, Ty::Seat))
            }
            "opposite" => Ok(Checkable::One(Expr::Opposite(Box::new(self.direction(of)?)), Ty::Sym)),
            "passed" => bool(Expr::Passed(Box::new(self.expect_type(of, Ty::Seat)?))),
            "out" => bool(Expr::Out(Box::new(self.expect_type(of, Ty::Seat)?))),
            "partner" | "team" => {
                let player = Box::new(self.expect_type(of, Ty::Seat)?);
                self.of_team(function, player, at)
            }
            "can" => match self.check(of)? {
                Checkable::Effect(base, attr) => bool(Expr::Can(Box::new(base), attr)),
                _ => Err(ExprError::kind(at, "`can` asks about an effect of a piece")
                    .help("write `can(PIECE.EFFECT)`, such as `can(self.play)`")),
            },
            "can_pay" => match self.check(of)? {
                Checkable::Cost(term) => bool(Expr::CanPay(Box::new(Cost { terms: vec![term], less: None }))),
                _ => Err(ExprError::kind(at, "`can_pay` asks about a cost of a piece")
                    .help("write `can_pay(PIECE.cost)`, such as `can_pay(it.cost)`")),
            },
            "units" => match self.check(of)? {
                Checkable::Cost(term) => int(Expr::Units(Box::new(Cost { terms: vec![term], less: None }))),
                _ => Err(ExprError::kind(at, "`units` counts a cost of a piece")
                    .help("write `units(PIECE.cost)`, such as `units(it.cost)`")),
            },
            "has" => {
                let expr = self.expect_type(of, Ty::Type)?;
                let Expr::Type(id) = expr else {
                    return Err(ExprError::kind(at, "`has` takes the name of a piece")
                        .help("write `has(NAME)`; how much of a resource one has is written `my.NAME`"));
                };
                let owner = Some(Box::new(Expr::Local(ME)));
                let it = self.spare();
                let cond = Expr::IsType(Box::new(Expr::Local(it)), id);
                bool(Expr::Any(Box::new(Set::filter(Set::InPlay { kind: None, owner }, it, cond))))
            }
            _ => Ok(Checkable::Cost(Term::Surcharge(self.expect_type(of, Ty::Piece(None))?))),
        }
    }

    /// `partner(player)`, `team(player)`
    fn of_team(&self, function: &str, player: Box<Expr>, at: At) -> Checked<Checkable> {
        if !self.vocabulary.has_teams {
            let error = ExprError::name(at, format!("there are no teams, so nobody has a {function}"));
            return Err(error.help("write `teams = 2` under `[game]`: players who sit opposite are partners"));
        }
        Ok(match function {
            "team" => Checkable::Many(Set::Team(player), Ty::Seat),
            _ => Checkable::One(Expr::Partner(player), Ty::Seat),
        })
    }

    /// Whether a text with a mistake would be right as a set.
    pub(crate) fn is_set(&mut self, ast: &Ast) -> bool {
        // Checked again only where that is cheap: the time must not double with each nested mistake.
        let is_short = match &ast.kind {
            AstKind::Where(..) | AstKind::While(..) | AstKind::Until(..) => return true,
            AstKind::Range(..) | AstKind::List(_) => return true,
            AstKind::Name(_) | AstKind::My(_) | AstKind::Of(..) => true,
            AstKind::Call(function, _) => !matches!(function.as_str(), "min" | "max" | "sum" | "largest" | "smallest"),
            _ => false,
        };
        if !is_short {
            return false;
        }
        let mistakes = self.more.len();
        let found = self.check(ast);
        self.more.truncate(mistakes);
        matches!(found, Ok(Checkable::Many(..) | Checkable::Zone(_) | Checkable::Group(_)))
    }

    /// Whether a text is a set by its name alone, which is cheap to find out.
    pub(crate) fn names_set(&mut self, ast: &Ast) -> bool {
        match &ast.kind {
            AstKind::Name(_) | AstKind::My(_) => self.is_set(ast),
            AstKind::Of(_, owner) if matches!(owner.kind, AstKind::Name(_)) => self.is_set(ast),
            _ => false,
        }
    }

    /// A space, or the space of a piece.
    pub(crate) fn space(&mut self, ast: &Ast, function: &str) -> Checked<Expr> {
        let (expr, ty) = self.one(ast)?;
        match ty {
            Ty::Cell | Ty::Any => Ok(expr),
            Ty::Piece(_) => Ok(Expr::Property(Property::PieceCell, Box::new(expr))),
            _ => Err(ExprError::kind(ast.at.clone(), format!("`{function}` of what? A space or a piece is needed"))
                .help(format!("write `{function}(PIECE)`, or `{function}(PIECE.cell)`"))),
        }
    }

    /// `room(coin)`: how much more I can keep; `room(opponent, coin)`, `room(card, coin)`.
    fn room(&mut self, args: &[Ast], at: At) -> Checked<Checkable> {
        let (holder, what) = match args {
            [what] => (Holder::Seat(Box::new(Expr::Local(ME))), what),
            [of, what] => {
                let (expr, ty) = self.one(of)?;
                match ty {
                    Ty::Seat => (Holder::Seat(Box::new(expr)), what),
                    Ty::Piece(_) => (Holder::Piece(Box::new(expr)), what),
                    _ => {
                        return Err(ExprError::kind(of.at.clone(), "room with whom? A player or a piece is needed")
                            .help("write `room(PLAYER, RESOURCE)` or `room(PIECE, RESOURCE)`"));
                    }
                }
            }
            _ => {
                return Err(ExprError::kind(at, "`room` takes a resource, or a player or piece and a resource")
                    .help("write `room(RESOURCE)`, `room(PLAYER, RESOURCE)` or `room(PIECE, RESOURCE)`"));
            }
        };
        let what = self.what(what)?;
        Ok(Checkable::One(Expr::Room(holder, what), Ty::Int))
    }

    /// Checks the number of arguments of a function.
    fn exactly<'a, const N: usize>(&self, function: &str, args: &'a [Ast], at: &At) -> Checked<&'a [Ast; N]> {
        if let Ok(args) = args.try_into() {
            return Ok(args);
        }
        let things = if N == 1 { "one thing" } else { "two things" };
        let help = match function {
            "sum" | "largest" | "smallest" => format!("write `{function}(SET, it.NAME)`"),
            "min" | "max" => {
                format!("write `{function}(a, b)`; of a set, `smallest(SET, it.NAME)` or `largest(SET, it.NAME)`")
            }
            "line" | "through" => format!("write `{function}(SPACE, DIRECTION)`"),
            "connected" => "write `connected(SPACE, SET)`: which of the set can be reached from there".to_string(),
            "any" | "none" | "count" | "first" | "last" => {
                format!("write `{function}(SET)`, or `{function}(SET where …)`")
            }
            _ => format!("write `{function}(…)`"),
        };
        let message = format!("`{function}` takes {things} in brackets, here are {}", args.len());
        Err(ExprError::kind(at.clone(), message).help(help))
    }
}
