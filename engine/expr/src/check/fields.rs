//! Fields of players, pieces, spaces, types and resources: the names behind a dot.

use rulepack_model::{KindId, did_you_mean};

use super::{Checkable, Checked, Checker, OWNER, SPACE_PARTS};
use crate::ast::*;
use crate::code::*;
use crate::error::ExprError;
use crate::vocabulary::{AttrTy, Subject, Ty};

impl Checker<'_> {
    pub(crate) fn field(&mut self, base: Expr, ty: Ty, name: &str, at: At) -> Checked<Checkable> {
        let base = Box::new(base);
        match ty {
            Ty::Seat => self.seat_field(base, name, at),
            Ty::Piece(kind) => self.piece_field(base, kind, name, at),
            Ty::Any => self.piece_field(base, None, name, at),
            Ty::Type => self.attr(base, None, name, at),
            Ty::Cell => {
                let (property, ty) = match name {
                    "row" => (Property::CellRow, Ty::Int),
                    "column" | "position" => (Property::CellColumn, Ty::Int),
                    "empty" => (Property::CellEmpty, Ty::Bool),
                    _ => {
                        if let Some((id, Subject::Space, ty)) = self.vocabulary.values.get(name) {
                            return Ok(Checkable::One(Expr::Value(*id, base), *ty));
                        }
                        if let Some(mark) = self.vocabulary.marks.get(name) {
                            return Ok(Checkable::One(Expr::Mark(*mark, base), Ty::Sym));
                        }
                        let marks = self.vocabulary.marks.keys().map(String::as_str);
                        let values = self.vocabulary.values.iter();
                        let values = values.filter(|(_, (_, subject, _))| *subject == Subject::Space);
                        let known = SPACE_PARTS.into_iter().chain(marks).chain(values.map(|(name, _)| name.as_str()));
                        let parts =
                            "a space has `row`, `column` (or `position`), `empty`, and what its zone is marked with";
                        let error = ExprError::name(at, format!("a space has no `{name}`")).help(parts);
                        let message = error.message.clone();
                        return Err(self.vocabulary.suggestions.find(error, message, || did_you_mean(name, known)));
                    }
                };
                Ok(Checkable::One(Expr::Property(property, base), ty))
            }
            Ty::Res => match self.vocabulary.resource_attrs.get(name) {
                Some((id, AttrTy::Cost)) => Ok(Checkable::Cost(Term::Attr(*base, *id))),
                Some((id, attr)) => Ok(Checkable::One(Expr::ResAttr(base, *id), plain(*attr))),
                None => {
                    let error = ExprError::name(at, format!("resources have no `{name}`"));
                    let known = self.vocabulary.resource_attrs.keys().map(String::as_str);
                    Err(self.vocabulary.suggestions.add(error, name, known))
                }
            },
            Ty::Int | Ty::Bool | Ty::Sym => Err(match self.symbol_named(&base) {
                // Symbols have no fields: the author means a thing with this name.
                Some(symbol) => ExprError::name(
                    at,
                    format!("a symbol has no parts such as `.{name}`, and nothing else is called `{symbol}` here"),
                )
                .help(format!("name the piece that has `.{name}`, or declare a parameter `{symbol}`")),
                None => ExprError::kind(at, format!("{} has no parts, so there is no `.{name}`", self.describe(ty))),
            }),
        }
    }

    /// The name of a symbol that stands in the text itself.
    fn symbol_named(&self, base: &Expr) -> Option<&str> {
        let Expr::Sym(wanted) = base else { return None };
        let mut symbols = self.vocabulary.symbols.iter();
        symbols.find(|(_, symbol)| *symbol == wanted).map(|(name, _)| name.as_str())
    }

    pub(crate) fn seat_field(&mut self, base: Box<Expr>, name: &str, at: At) -> Checked<Checkable> {
        if let Some(what) = self.what_named(name) {
            return Ok(Checkable::One(Expr::Amount(Holder::Seat(base), what), Ty::Int));
        }
        let v = &*self.vocabulary;
        if let Some((id, Subject::Seat, ty)) = v.values.get(name) {
            return Ok(Checkable::One(Expr::Value(*id, base), *ty));
        }
        if let Some((id, Subject::Seat, ty)) = v.vars.get(name) {
            return Ok(Checkable::One(Expr::Var(*id, Some(base)), *ty));
        }
        if let Some(zone) = v.zones.get(name).filter(|zone| zone.per_player) {
            return Ok(Checkable::Zone(ZoneRef { zone: zone.id, owner: Some(base) }));
        }
        if name == "passed" {
            return Ok(Checkable::One(Expr::Passed(base), Ty::Bool));
        }
        let seat_vars = v.vars.iter().filter(|(_, (_, subject, _))| *subject == Subject::Seat).map(|(name, _)| name);
        let seat_values =
            v.values.iter().filter(|(_, (_, subject, _))| *subject == Subject::Seat).map(|(name, _)| name);
        let known = v.resources.keys().chain(v.groups.keys()).chain(seat_vars).chain(seat_values).map(String::as_str);
        let error = ExprError::name(at, format!("a player has no `{name}`"));
        Err(v.suggestions.add(error, name, known))
    }

    pub(crate) fn piece_field(
        &mut self,
        base: Box<Expr>,
        kind: Option<KindId>,
        name: &str,
        at: At,
    ) -> Checked<Checkable> {
        if self.vocabulary.modified.contains(name)
            && let Some((id, _, ty)) = self.vocabulary.values.get(name)
        {
            return Ok(Checkable::One(Expr::Value(*id, base), *ty));
        }
        if self.vocabulary.attrs.get(name).is_some_and(|attr| kind.is_none_or(|kind| attr.kinds.contains(&kind))) {
            return self.attr(base, kind, name, at);
        }
        if let Some(what) = self.what_named(name) {
            return Ok(Checkable::One(Expr::Amount(Holder::Piece(base), what), Ty::Int));
        }
        let v = &*self.vocabulary;
        if let Some((id, Subject::Piece(of), ty)) = v.values.get(name)
            && of.is_none_or(|of| kind.is_none_or(|kind| v.is_kind(kind, of)))
        {
            return Ok(Checkable::One(Expr::Value(*id, base), *ty));
        }
        if let Some((id, Subject::Piece(of), ty)) = v.vars.get(name)
            && of.is_none_or(|of| kind.is_none_or(|kind| v.is_kind(kind, of)))
            && (name, *ty) != (OWNER, Ty::Seat)
        {
            return Ok(Checkable::One(Expr::Var(*id, Some(base)), *ty));
        }
        let (property, ty) = match name {
            "row" => (Property::PieceRow, Ty::Int),
            "column" | "position" => (Property::PieceColumn, Ty::Int),
            "cell" => (Property::PieceCell, Ty::Cell),
            OWNER => (Property::PieceOwner, Ty::Seat),
            "type" => (Property::PieceType, Ty::Type),
            "host" => (Property::PieceHost, Ty::Piece(None)),
            "face_up" => (Property::PieceFaceUp, Ty::Bool),
            "flipped" => (Property::PieceFlipped, Ty::Bool),
            _ => return self.attr(base, kind, name, at),
        };
        Ok(Checkable::One(Expr::Property(property, base), ty))
    }

    pub(crate) fn attr(&mut self, base: Box<Expr>, kind: Option<KindId>, name: &str, at: At) -> Checked<Checkable> {
        let v = &*self.vocabulary;
        if let Some(attr) = v.attrs.get(name).filter(|attr| kind.is_none_or(|kind| attr.kinds.contains(&kind))) {
            return Ok(match attr.ty {
                AttrTy::Cost => Checkable::Cost(Term::Attr(*base, attr.id)),
                AttrTy::Effect => Checkable::Effect(*base, attr.id),
                AttrTy::Text => return Err(ExprError::kind(at, format!("`{name}` is a text for people"))),
                ty => Checkable::One(Expr::Attr(base, attr.id), plain(ty)),
            });
        }
        let of_piece = |subject: &Subject| matches!(subject, Subject::Piece(of) if of.is_none_or(|of| kind.is_none_or(|kind| v.is_kind(kind, of))));
        let known = v
            .attrs
            .iter()
            .filter(|(_, attr)| kind.is_none_or(|kind| attr.kinds.contains(&kind)))
            .map(|(name, _)| name.as_str())
            .chain(v.resources.keys().map(String::as_str))
            .chain(v.groups.keys().map(String::as_str))
            .chain(v.values.iter().filter(|(_, (_, subject, _))| of_piece(subject)).map(|(name, _)| name.as_str()))
            .chain(v.vars.iter().filter(|(_, (_, subject, _))| of_piece(subject)).map(|(name, _)| name.as_str()))
            .chain(["row", "column", "position", "cell", "owner", "type", "host", "face_up", "flipped"]);
        let of = match kind.and_then(|kind| v.kinds.iter().find(|(_, id)| **id == kind)) {
            Some((kind, _)) => format!("`{kind}`"),
            None => "a piece".to_string(),
        };
        let error = ExprError::name(at, format!("{of} has no `{name}`"));
        let elsewhere = match (v.vars.get(name), v.values.get(name)) {
            (Some((_, Subject::Piece(Some(of)), _)), _) => Some(("variable", *of)),
            (_, Some((_, Subject::Piece(Some(of)), _))) => Some(("value", *of)),
            _ => None,
        };
        if let Some((what, kind)) = elsewhere
            && let Some((kind, _)) = v.kinds.get_index(kind.index())
        {
            return Err(error.help(format!("`{name}` is a {what} of the kind `{kind}`")));
        }
        if ["name", "title", "id", "kind"].contains(&name) {
            return Err(error.help("which piece it is is asked with `PIECE is NAME`, be it a piece or a kind"));
        }
        Err(v.suggestions.add(error, name, known))
    }
}

fn plain(attr: AttrTy) -> Ty {
    match attr {
        AttrTy::Int | AttrTy::Amount => Ty::Int,
        AttrTy::Bool | AttrTy::Condition => Ty::Bool,
        AttrTy::Res => Ty::Res,
        AttrTy::Sym => Ty::Sym,
        AttrTy::Type => Ty::Type,
        AttrTy::Text | AttrTy::Cost | AttrTy::Effect => Ty::Any,
    }
}
