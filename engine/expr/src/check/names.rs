//! The meaning of a name at its place: a slot, a zone, a kind, a variable, a value, a resource.

use rulepack_model::known_instead;

use super::{Checkable, Checked, Checker, of_type, singular};
use crate::ast::*;
use crate::code::*;
use crate::error::ExprError;
use crate::synonyms::name_instead;
use crate::vocabulary::{Subject, Ty};

/// What is said of a name that nothing has.
pub(crate) fn not_called(name: &str) -> String {
    format!("nothing is called `{name}` here")
}

impl Checker<'_> {
    pub(crate) fn name(&mut self, name: &str, at: At) -> Checked<Checkable> {
        if let Some((local, ty)) = self.lookup(name) {
            self.named.push(local);
            if self.kept.contains(&local) {
                return Ok(Checkable::Many(Set::Kept(local), ty));
            }
            return Ok(Checkable::One(Expr::Local(local), ty));
        }
        let me = || Expr::Local(ME);
        match name {
            "players" => return Ok(Checkable::Many(Set::Seats, Ty::Seat)),
            "others" => return Ok(Checkable::Many(Set::Others(Box::new(me())), Ty::Seat)),
            "opponent" => return Ok(Checkable::One(Expr::NextSeat(Box::new(me())), Ty::Seat)),
            "pieces" => return Ok(Checkable::Many(Set::InPlay { kind: None, owner: None }, Ty::Piece(None))),
            "supply" => return Ok(Checkable::Supply),
            _ => {}
        }
        let v = &*self.vocabulary;
        if let Some(id) = v.resources.get(name) {
            return Ok(Checkable::One(Expr::Res(*id), Ty::Res));
        }
        if let Some(id) = v.groups.get(name) {
            return Ok(Checkable::Group(*id));
        }
        if let Some((id, subject, ty)) = v.vars.get(name) {
            return match subject {
                Subject::Game => Ok(Checkable::One(Expr::Var(*id, None), *ty)),
                Subject::Seat => {
                    Err(ExprError::kind(at, format!("whose `{name}` is meant?")).help(format!("write `my.{name}`")))
                }
                Subject::Piece(_) => Err(self.of_which_piece(name, at)),
                Subject::Space => Err(of_which_space(name, at)),
            };
        }
        if let Some((id, subject, ty)) = v.values.get(name) {
            return match subject {
                Subject::Game | Subject::Seat => Ok(Checkable::One(Expr::Value(*id, Box::new(me())), *ty)),
                Subject::Piece(_) => Err(self.of_which_piece(name, at)),
                Subject::Space => Err(of_which_space(name, at)),
            };
        }
        if v.sets.contains_key(name) {
            return self.named_set(name, me(), &[], at);
        }
        if let Some(zone) = v.zones.get(name) {
            if zone.per_player {
                return Err(ExprError::kind(at, format!("whose `{name}` is meant? Every player has one"))
                    .help(format!("write `my {name}`")));
            }
            return Ok(Checkable::Zone(ZoneRef { zone: zone.id, owner: None }));
        }
        if let Some(kind) = v.plurals.get(name) {
            return Ok(Checkable::Many(Set::InPlay { kind: Some(*kind), owner: None }, Ty::Piece(Some(*kind))));
        }
        if let Some((id, _)) = v.types.get(name) {
            return Ok(Checkable::One(Expr::Type(*id), Ty::Type));
        }
        if let Some(id) = v.symbols.get(name) {
            return Ok(Checkable::One(Expr::Sym(*id), Ty::Sym));
        }
        if let Some(active) = name.strip_prefix("mode_").and_then(|mode| v.modes.get(mode)) {
            return Ok(Checkable::One(Expr::Bool(*active), Ty::Bool));
        }
        if name == "at_turn" {
            return Ok(Checkable::One(Expr::AtTurn, Ty::Seat));
        }
        if let Some(set) = self.directions(name, &at) {
            return set;
        }
        let v = &*self.vocabulary;
        if v.attrs.contains_key(name) && (self.lookup("it").is_some() || self.lookup("self").is_some()) {
            return Err(self.of_which_piece(name, at));
        }
        let error = ExprError::name(at.clone(), not_called(name));
        if v.kinds.contains_key(name) {
            let plural = v.plurals.iter().find(|(_, kind)| v.kinds.get(name) == Some(kind)).map(|(word, _)| word);
            return Err(
                error.maybe_help(plural.map(|word| format!("all of the kind are `{word}`, mine are `my {word}`")))
            );
        }
        if let Some(single) = singular(name).find(|single| v.types.contains_key(*single)) {
            return Err(error.help(of_type(single)));
        }
        Err(name_instead(error, name, at, self.lookup("self").is_some()).unwrap_or_else(|error| {
            let scope = self.scope.iter().fold(error.message.clone(), |all, (name, ..)| all + " " + name);
            v.suggestions.find(error, scope, || known_instead(name, self.known_names()))
        }))
    }

    /// The mistake of a symbol that nothing declares; if it is the name of a piece or resource, it needs no quotes.
    pub(crate) fn unknown_symbol(&self, text: &str, at: At) -> ExprError {
        let v = &*self.vocabulary;
        let small = text.to_lowercase();
        let error = ExprError::name(at.clone(), format!("no symbol is called `{text}`"));
        if v.symbols.contains_key(&small) {
            let cure = format!("'{small}'");
            return ExprError { cure: Some((at, cure.clone())), ..error.help(format!("write `{cure}`")) };
        }
        if v.types.contains_key(text) || v.resources.contains_key(text) || v.kinds.contains_key(text) {
            let error = error.help(format!("names of pieces and resources stand without quotes: `{text}`"));
            return ExprError { cure: Some((at, text.to_string())), ..error };
        }
        v.suggestions.add(error, text, v.symbols.keys().map(String::as_str))
    }

    /// The mistake of a field of pieces without a piece before it.
    pub(crate) fn of_which_piece(&self, name: &str, at: At) -> ExprError {
        let error = ExprError::kind(at.clone(), format!("`{name}` of which piece?"));
        // The nearest piece in scope: `it` of a `where` comes before `self`.
        let is_piece = |ty: Ty| matches!(ty, Ty::Piece(_) | Ty::Any);
        let near = self.scope.iter().rev().find(|(known, _, ty)| !known.starts_with(' ') && is_piece(*ty));
        match near {
            Some((piece, ..)) => {
                let cure = format!("{piece}.{name}");
                ExprError { cure: Some((at, cure.clone())), ..error.help(format!("write `{cure}`")) }
            }
            None => error.help(format!("write `PIECE.{name}`, with the piece that is meant")),
        }
    }

    pub(crate) fn known_names(&self) -> impl Iterator<Item = &str> {
        let v = &*self.vocabulary;
        let scope = self.scope.iter().map(|(name, ..)| name);
        let amounts = v.resources.keys().chain(v.groups.keys()).chain(v.vars.keys()).chain(v.values.keys());
        let amounts = amounts.chain(v.sets.keys());
        let pieces = v.zones.keys().chain(v.plurals.keys()).chain(v.types.keys()).chain(v.symbols.keys());
        scope.chain(amounts).chain(pieces).map(String::as_str)
    }

    /// `my NAME`, `NAME of PLAYER`.
    pub(crate) fn owned(&mut self, name: &str, at: At, owner: Expr) -> Checked<Checkable> {
        let v = &*self.vocabulary;
        if v.sets.contains_key(name) {
            return self.named_set(name, owner, &[], at);
        }
        if let Some(zone) = v.zones.get(name) {
            if !zone.per_player {
                return Err(ExprError::kind(at, format!("`{name}` belongs to the table, not to a player"))
                    .help(format!("write `{name}`")));
            }
            return Ok(Checkable::Zone(ZoneRef { zone: zone.id, owner: Some(Box::new(owner)) }));
        }
        if let Some(kind) = v.plurals.get(name) {
            let set = Set::InPlay { kind: Some(*kind), owner: Some(Box::new(owner)) };
            return Ok(Checkable::Many(set, Ty::Piece(Some(*kind))));
        }
        if name == "pieces" {
            return Ok(Checkable::Many(Set::InPlay { kind: None, owner: Some(Box::new(owner)) }, Ty::Piece(None)));
        }
        if let Some(kind) = v.kinds.get(name) {
            let plural = v.plurals.iter().find(|(_, id)| *id == kind).map(|(word, _)| word.clone());
            return Err(ExprError::name(at, format!("`{name}` is one; for all of them there is another word"))
                .maybe_help(plural.map(|word| format!("write `my {word}`"))));
        }
        if self.has_seat_field(name) {
            return self.field(owner, Ty::Seat, name, at);
        }
        if let Some(single) =
            std::iter::once(name).chain(singular(name)).find(|it| self.vocabulary.types.contains_key(*it))
        {
            let error = ExprError::name(at, format!("a player has nothing called `{name}`"));
            return Err(error.help(of_type(single)));
        }
        let zones = self.vocabulary.zones.iter().filter(|(_, zone)| zone.per_player).map(|(name, _)| name);
        let known = zones.chain(self.vocabulary.plurals.keys()).chain(self.vocabulary.sets.keys()).map(String::as_str);
        let error = ExprError::name(at, format!("a player has nothing called `{name}`"));
        Err(self.vocabulary.suggestions.add(error, name, known))
    }

    pub(crate) fn has_seat_field(&self, name: &str) -> bool {
        let v = &*self.vocabulary;
        v.resources.contains_key(name)
            || v.groups.contains_key(name)
            || matches!(v.vars.get(name), Some((_, Subject::Seat, _)))
            || matches!(v.values.get(name), Some((_, Subject::Seat, _)))
    }
}

/// A part of spaces that stands alone.
fn of_which_space(name: &str, at: At) -> ExprError {
    let error = ExprError::kind(at, format!("`{name}` of which space?"));
    error.help(format!("write `SPACE.{name}`, with the space that is meant"))
}
