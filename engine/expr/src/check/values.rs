//! Expressions that are made of others: with a dot, with brackets, with `of`, `is`, `where`.

use rulepack_model::Local;

use super::{Checkable, Checked, Checker, part_of_set, single};
use crate::ast::*;
use crate::code::*;
use crate::error::ExprError;
use crate::notes::About;
use crate::vocabulary::Ty;

impl Checker<'_> {
    /// `hand of x`
    pub(super) fn of(&mut self, what: &Ast, owner: &Ast, at: At) -> Checked<Checkable> {
        if let AstKind::Call(name, args) = &what.kind
            && self.vocabulary.sets.contains_key(name)
        {
            let owner = self.expect_type(owner, Ty::Seat)?;
            return self.named_set(name, owner, args, at);
        }
        let AstKind::Name(name) = &what.kind else {
            return Err(ExprError::kind(what.at.clone(), "`of` follows the name of a zone, a kind or a value")
                .help("write `NAME of PLAYER`"));
        };
        if matches!(name.as_str(), "top" | "bottom" | "first" | "last") && self.names_set(owner) {
            return Err(ExprError::kind(at, format!("`{name}` of a set stands before it")).help(match name.as_str() {
                "bottom" => {
                    "a piece goes there by `move PIECE to ZONE at bottom`, and lies there as `first(ZONE)`".to_string()
                }
                _ => format!("write `{name}(SET)`"),
            }));
        }
        let (owner, ty) = match self.check(owner)? {
            Checkable::Many(owners, Ty::Seat) => return self.of_each(name, owners, at),
            found => single(found, owner)?,
        };
        match ty {
            Ty::Seat | Ty::Any => self.owned(name, at, owner),
            _ => self.field(owner, ty, name, at),
        }
    }

    /// `x.field`
    pub(super) fn dot(&mut self, base: &Ast, field: &str, at: At) -> Checked<Checkable> {
        let int = |expr| Ok(Checkable::One(expr, Ty::Int));
        if let AstKind::Name(name) = &base.kind
            && name == "supply"
            && self.lookup(name).is_none()
        {
            return match self.what_named(field) {
                Some(what) => int(Expr::Amount(Holder::Supply, what)),
                None => Err(self.unknown_resource(field, at)),
            };
        }
        if self.names_set(base) {
            return Err(part_of_set(base.at.clone(), field));
        }
        let (value, ty) = self.one(base)?;
        self.field(value, ty, field, at).map_err(|error| self.traced(error, base))
    }

    /// `x[resource]`
    pub(super) fn indexed(&mut self, base: &Ast, index: &Ast, at: At) -> Checked<Checkable> {
        let int = |expr| Ok(Checkable::One(expr, Ty::Int));
        if matches!(index.kind, AstKind::Int(_)) && self.names_set(base) {
            return Err(ExprError::kind(index.at.clone(), "the pieces of a set have no numbers")
                .help("write `first(SET)`, `last(SET)`, or `top(ZONE)`"));
        }
        let of = What::Of(Box::new(self.expect_type(index, Ty::Res)?));
        if matches!(&base.kind, AstKind::Name(name) if name == "supply") {
            return int(Expr::Amount(Holder::Supply, of));
        }
        let (expr, ty) = self.one(base)?;
        let holder = match ty {
            Ty::Seat => Holder::Seat(Box::new(expr)),
            Ty::Piece(_) => Holder::Piece(Box::new(expr)),
            _ => return Err(ExprError::kind(at, format!("{} holds no resources", self.describe(ty)))),
        };
        int(Expr::Amount(holder, of))
    }

    /// `file.function(x)`
    pub(super) fn query(&mut self, function: &str, args: &[Ast]) -> Checked<Checkable> {
        let args = args.iter().map(|arg| self.one(arg)).collect();
        let (args, types): (Vec<Expr>, Vec<Ty>) = self.all(args)?.into_iter().unzip();
        let hook = self.vocabulary.hook(function);
        self.vocabulary.queries.push(hook);
        self.vocabulary.given.entry(hook).or_default().push(types);
        Ok(Checkable::One(Expr::Query(hook, args), Ty::Any))
    }

    /// `x is inn`
    pub(super) fn is(&mut self, inner: &Ast, name: &str, name_at: &At, at: At) -> Checked<Checkable> {
        let bool = |expr| Ok(Checkable::One(expr, Ty::Bool));
        if self.names_set(inner) {
            let error = ExprError::kind(inner.at.clone(), "`is` asks about one piece, and this is a set");
            return Err(error.help(match name {
                "empty" => "whether a set is empty is asked with `none(SET)`".to_string(),
                _ => format!("write `any(SET where it is {name})`"),
            }));
        }
        let (expr, ty) = self.one(inner)?;
        if !matches!(ty, Ty::Piece(_) | Ty::Type | Ty::Any) {
            let message = format!("`is` asks about a piece, but this is {}", self.describe(ty));
            return Err(ExprError::kind(at, message).help("numbers, symbols and players are compared with `==`"));
        }
        if let Some((named, Ty::Type)) = self.lookup(name) {
            // A type that was chosen, or that a parameter gives.
            self.named.push(named);
            let own = match ty {
                Ty::Type => expr,
                _ => Expr::Property(Property::PieceType, Box::new(expr)),
            };
            return bool(Expr::Binary(BinaryOp::Eq, Box::new(own), Box::new(Expr::Local(named))));
        }
        if let Some((id, _)) = self.vocabulary.types.get(name) {
            return bool(Expr::IsType(Box::new(expr), *id));
        }
        if let Some(kind) = self.vocabulary.kinds.get(name) {
            return bool(Expr::IsKind(Box::new(expr), *kind));
        }
        let known = self.vocabulary.types.keys().chain(self.vocabulary.kinds.keys()).map(String::as_str);
        let error = ExprError::name(name_at.clone(), format!("no piece and no kind is called `{name}`"));
        Err(self.vocabulary.suggestions.add(error, name, known))
    }

    /// `x is in set`
    pub(super) fn is_in(&mut self, inner: &Ast, set: &Ast, at: At) -> Checked<Checkable> {
        let bool = |expr| Ok(Checkable::One(expr, Ty::Bool));
        let (inner, set) = (self.one(inner), self.set(set));
        let ((mut expr, mut ty), (set, of)) = self.both(inner, set)?;
        if let (Ty::Piece(_), Ty::Type) = (ty, of) {
            // `card is in [inn, ship]` asks about the type of the piece.
            (expr, ty) = (Expr::Property(Property::PieceType, Box::new(expr)), Ty::Type);
        }
        if !self.fits(ty, of) {
            let message = format!("{} is never in a set of which each is {}", self.describe(ty), self.describe(of));
            let error = ExprError::kind(at, message);
            return Err(match (ty, of) {
                (Ty::Type, Ty::Piece(_)) => error.help("write `any(SET where it is NAME)`"),
                _ => error.help("ask for what the set holds"),
            });
        }
        bool(Expr::Contains(Box::new(set), Box::new(expr)))
    }

    /// `set where it.level > 1`, and the same with `while` and `until`
    pub(super) fn narrowed(
        &mut self,
        base: &Ast,
        cond: &Ast,
        make: impl FnOnce(Set, Local, Expr) -> Set,
    ) -> Checked<Checkable> {
        let (base, label) = self.labelled(base);
        let base = self.set(base);
        let ty = base.as_ref().map_or(Ty::Any, |(_, ty)| *ty);
        if base.is_err() {
            self.doubtful.push("it".to_string());
            self.doubtful.extend(label.map(|label| label.text.clone()));
        }
        let cond = self.with_member(ty, label, |checker| checker.bool(cond));
        let ((base, ty), (it, cond)) = self.both(base, cond)?;
        Ok(Checkable::Many(make(base, it, cond), ty))
    }

    /// `if a then b else c`
    pub(super) fn one_of_two(&mut self, cond: &Ast, yes: &Ast, no: &Ast) -> Checked<Checkable> {
        let (cond, yes) = (self.bool(cond), self.one(yes));
        let ty = yes.as_ref().map_or(Ty::Any, |(_, ty)| *ty);
        let no = self.expect_type(no, ty);
        let rest = self.both(yes, no);
        let (cond, ((yes, ty), no)) = self.both(cond, rest)?;
        Ok(Checkable::One(Expr::If(Box::new(cond), Box::new(yes), Box::new(no)), ty))
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: &Ast, right: &Ast, at: At) -> Checked<Checkable> {
        let make = |left, right, ty| Ok(Checkable::One(Expr::Binary(op, Box::new(left), Box::new(right)), ty));
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let (left, right) = (self.int(left), self.int(right));
                let (left, right) = self.both(left, right)?;
                if let (Some(a), Some(b)) = (left.constant(), right.constant())
                    && op.of_constants(a, b).is_none()
                {
                    return Err(ExprError::value(at, "this number is too large").help(format!(
                        "numbers go from {} to {}",
                        i64::MIN,
                        i64::MAX
                    )));
                }
                make(left, right, Ty::Int)
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let (left, divisor) = (self.int(left), self.int(right));
                let (divided, divisor) = self.both(left, divisor)?;
                self.note(right.at.clone(), About::Divide(divisor.clone()));
                make(divided, divisor, Ty::Int)
            }
            BinaryOp::And | BinaryOp::Or => {
                let (left, right) = (self.bool(left), self.bool(right));
                let (left, right) = self.both(left, right)?;
                make(left, right, Ty::Bool)
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let (left, right) = (self.int(left), self.int(right));
                let (left, right) = self.both(left, right)?;
                self.note(at, About::Compare(op, left.clone(), right.clone()));
                make(left, right, Ty::Bool)
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let (left, right) = (self.one(left), self.one(right));
                let ((left, left_ty), (right, right_ty)) = self.both(left, right)?;
                if !self.fits(left_ty, right_ty) && !self.fits(right_ty, left_ty) {
                    let message =
                        format!("{} and {} are never the same", self.describe(left_ty), self.describe(right_ty));
                    let error = ExprError::kind(at, message);
                    return Err(match (left_ty, right_ty) {
                        (Ty::Piece(_), Ty::Type) | (Ty::Type, Ty::Piece(_)) => error.help("write `PIECE is NAME`"),
                        _ => error.help("compare two things of one kind"),
                    });
                }
                self.note(at, About::Compare(op, left.clone(), right.clone()));
                make(left, right, Ty::Bool)
            }
        }
    }
}
