//! The functions of the language: `count(…)`, `any(…)`, `can(…)` and the others.

use rulepack_model::{Local, did_you_mean};

use crate::ast::*;
use crate::check::{Checkable, Checked, Checker};
use crate::code::*;
use crate::error::ExprError;
use crate::vocabulary::{Subject, Ty};

impl Checker<'_> {
    pub(crate) fn call(&mut self, function: &str, args: &[Ast], at: At) -> Checked<Checkable> {
        let int = |expr| Ok(Checkable::One(expr, Ty::Int));
        let bool = |expr| Ok(Checkable::One(expr, Ty::Bool));
        let count = match function {
            "sum" | "largest" | "smallest" | "min" | "max" => 2,
            _ => 1,
        };
        if let Some((_, subject, _)) = self.vocabulary.values.get(function).copied() {
            self.arity(function, args, 1, &at)?;
            let (base, ty) = self.one(&args[0])?;
            return match (subject, ty) {
                (Subject::Game | Subject::Seat, Ty::Seat) => {
                    let (id, _, ty) = self.vocabulary.values[function];
                    Ok(Checkable::One(Expr::Value(id, Box::new(base)), ty))
                }
                _ => self.field(base, ty, function, at),
            };
        }
        const FUNCTIONS: [&str; 23] = [
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
            "pieces_at",
            "attached",
            "min",
            "max",
            "next",
            "previous",
            "passed",
            "can",
            "can_pay",
            "has",
            "surcharge",
        ];
        if !FUNCTIONS.contains(&function) {
            let known = FUNCTIONS.iter().copied().chain(self.vocabulary.values.keys().map(String::as_str));
            return Err(ExprError::name(at, format!("there is no function `{function}`"))
                .maybe_help(did_you_mean(function, known)));
        }
        self.arity(function, args, count, &at)?;
        match function {
            "any" => bool(Expr::Any(Box::new(self.set(&args[0])?.0))),
            "none" => bool(Expr::Not(Box::new(Expr::Any(Box::new(self.set(&args[0])?.0))))),
            "count" => int(Expr::Count(Box::new(self.set(&args[0])?.0))),
            "sum" | "largest" | "smallest" => {
                let (set, ty) = self.set(&args[0])?;
                let (it, body) = self.with_it(ty, |checker| checker.int(&args[1]))?;
                let (set, body) = (Box::new(set), Box::new(body));
                int(match function {
                    "sum" => Expr::Sum(set, it, body),
                    "largest" => Expr::Largest(set, it, body),
                    _ => Expr::Smallest(set, it, body),
                })
            }
            "first" | "last" => {
                let (set, ty) = self.set(&args[0])?;
                let set = Box::new(set);
                Ok(Checkable::One(if function == "first" { Expr::First(set) } else { Expr::Last(set) }, ty))
            }
            "top" => {
                let zone = self.zone(&args[0])?;
                Ok(Checkable::One(Expr::Last(Box::new(Set::Zone(zone))), Ty::Piece(None)))
            }
            "cells" => Ok(Checkable::Many(Set::Cells(self.zone(&args[0])?), Ty::Cell)),
            "free_cells" => Ok(Checkable::Many(Set::FreeCells(self.zone(&args[0])?), Ty::Cell)),
            "neighbours" => {
                let (expr, ty) = self.one(&args[0])?;
                let cell = match ty {
                    Ty::Cell => expr,
                    Ty::Piece(_) => Expr::Built(Built::PieceCell, Box::new(expr)),
                    _ => return Err(ExprError::kind(at, "neighbours of what? A space or a piece is needed")),
                };
                Ok(Checkable::Many(Set::Neighbours(Box::new(cell)), Ty::Cell))
            }
            "pieces_at" => Ok(Checkable::Many(Set::At(Box::new(self.expect(&args[0], Ty::Cell)?)), Ty::Piece(None))),
            "attached" => {
                let piece = self.expect(&args[0], Ty::Piece(None))?;
                Ok(Checkable::Many(Set::Attached(Box::new(piece)), Ty::Piece(None)))
            }
            "min" | "max" => {
                let (left, right) = (Box::new(self.int(&args[0])?), Box::new(self.int(&args[1])?));
                int(if function == "min" { Expr::Min(left, right) } else { Expr::Max(left, right) })
            }
            "next" => Ok(Checkable::One(Expr::NextSeat(Box::new(self.expect(&args[0], Ty::Seat)?)), Ty::Seat)),
            "previous" => Ok(Checkable::One(Expr::PreviousSeat(Box::new(self.expect(&args[0], Ty::Seat)?)), Ty::Seat)),
            "passed" => bool(Expr::Passed(Box::new(self.expect(&args[0], Ty::Seat)?))),
            "can" => match self.check(&args[0])? {
                Checkable::Effect(base, attr) => bool(Expr::Can(Box::new(base), attr)),
                _ => Err(ExprError::kind(at, "`can` asks about an effect of a piece, such as `can(self.play)`")),
            },
            "can_pay" => match self.check(&args[0])? {
                Checkable::Cost(term) => bool(Expr::CanPay(Box::new(Cost { terms: vec![term] }))),
                _ => Err(ExprError::kind(at, "`can_pay` asks about a cost of a piece, such as `can_pay(it.cost)`")),
            },
            "has" => {
                let expr = self.expect(&args[0], Ty::Type)?;
                let Expr::Type(id) = expr else {
                    return Err(ExprError::kind(at, "`has` takes the name of a piece"));
                };
                let owner = Some(Box::new(Expr::Local(ME)));
                let it = Local(self.next);
                self.most = self.most.max(self.next + 1);
                bool(Expr::Any(Box::new(Set::Filter {
                    base: Box::new(Set::InPlay { kind: None, owner }),
                    it,
                    cond: Box::new(Expr::IsType(Box::new(Expr::Local(it)), id)),
                })))
            }
            _ => Ok(Checkable::Cost(Term::Surcharge(self.expect(&args[0], Ty::Piece(None))?))),
        }
    }

    fn arity(&self, function: &str, args: &[Ast], want: usize, at: &At) -> Checked<()> {
        if args.len() == want {
            return Ok(());
        }
        let things = if want == 1 { "one thing" } else { "two things" };
        Err(ExprError::kind(at.clone(), format!("`{function}` takes {things} in brackets, here are {}", args.len())))
    }
}
