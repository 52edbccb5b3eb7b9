//! Sets that no zone holds: numbers, types, symbols, things named one by one; and the names of their members.

use rulepack_model::Local;

use super::{Checkable, Checked, Checker};
use crate::ast::*;
use crate::code::*;
use crate::effects::named_well;
use crate::error::ExprError;
use crate::vocabulary::{AttrTy, SetName, Ty};

impl Checker<'_> {
    /// A set and the name of its member, if it has one: `board as m`.
    pub(crate) fn labelled<'a>(&mut self, ast: &'a Ast) -> (&'a Ast, Option<&'a NameAst>) {
        match &ast.kind {
            AstKind::As(set, label) => (set, Some(label)),
            _ => (ast, None),
        }
    }

    /// Checks what is about a member of a set, which is called `it`, and by a name of its own if it has one.
    pub(crate) fn with_member<T>(
        &mut self,
        ty: Ty,
        label: Option<&NameAst>,
        check: impl FnOnce(&mut Self) -> Checked<T>,
    ) -> Checked<(Local, T)> {
        label.map(named_well).transpose()?;
        self.with_it(ty, |checker| {
            if let (Some(label), Some((it, ty))) = (label, checker.lookup("it")) {
                checker.scope.push((label.text.clone(), it, ty));
            }
            check(checker)
        })
    }

    /// `SET as NAME` without a text that uses the name.
    pub(super) fn label_without_use(&mut self, label: &NameAst) -> ExprError {
        let name = &label.text;
        ExprError::kind(label.at.clone(), format!("nothing here uses the name `{name}`")).help(format!(
            "a name for the member stands before `where`, or before what is added up: `SET as {name} where …`, \
             `sum(SET as {name}, …)`"
        ))
    }

    /// `0..my.coin`
    pub(super) fn numbers(&mut self, least: &Ast, most: &Ast) -> Checked<Checkable> {
        let (low, high) = (self.int(least), self.int(most));
        let (low, high) = self.both(low, high)?;
        if let (Some(lowest), Some(highest)) = (low.constant(), high.constant())
            && lowest > highest
        {
            let at = least.at.start..most.at.end;
            let error = ExprError::kind(at, format!("there is no number from {lowest} to {highest}"));
            return Err(error.help(format!("write the smaller number first: `{highest}..{lowest}`")));
        }
        Ok(Checkable::Many(Set::Numbers(Box::new(low), Box::new(high)), Ty::Int))
    }

    /// `[me, opponent]`
    pub(super) fn listed(&mut self, members: &[Ast]) -> Checked<Checkable> {
        let checked = members.iter().map(|member| self.one(member)).collect();
        let (listed, types): (Vec<Expr>, Vec<Ty>) = self.all(checked)?.into_iter().unzip();
        let mut common = Ty::Any;
        for (member, ty) in members.iter().zip(types) {
            common = self.common(common, ty).ok_or_else(|| {
                let (before, here) = (self.describe(common), self.describe(ty));
                let message = format!("this is {here}, but what stands before it in the list is {before}");
                ExprError::kind(member.at.clone(), message).help("a list holds things of one sort")
            })?;
        }
        for (at, member) in listed.iter().enumerate() {
            let (Some(first), Some(again)) = (listed.iter().position(|one| one == member), members.get(at)) else {
                continue;
            };
            if first < at {
                let error =
                    ExprError::kind(again.at.clone(), "this stands twice in the list, which holds each thing once");
                return Err(error.help("leave it out, or write what was meant"));
            }
        }
        Ok(Checkable::Many(Set::Listed(listed), common))
    }

    /// `union(a, b)`, `intersection(a, b)`, `difference(a, b)`
    pub(crate) fn combined(&mut self, how: Combination, parts: &[Ast], at: At) -> Checked<Checkable> {
        let name = how.name();
        let (Some((first, more)), true) = (parts.split_first(), parts.len() >= 2) else {
            let message = format!("`{name}` takes two sets in brackets, here are {}", parts.len());
            return Err(ExprError::kind(at, message).help(format!("write `{name}(SET, SET)`")));
        };
        let mut whole = self.set(first);
        for part in more {
            let next = self.set(part);
            let ((set, ty), (other, of)) = self.both(whole, next)?;
            let common = match (how, self.common(ty, of)) {
                // What is left of the first are its own members.
                (Combination::Intersection | Combination::Difference, Some(_)) => Some(ty),
                (Combination::Union, common) => common,
                (_, None) => None,
            };
            let Some(common) = common else {
                let (one, other) = (self.describe(ty), self.describe(of));
                let message = format!("each of this is {other}, and each of the other set is {one}");
                let help = format!("`{name}` takes sets of things of one sort");
                return Err(ExprError::kind(part.at.clone(), message).help(help));
            };
            whole = Ok((Set::Combined(how, Box::new(set), Box::new(other)), common));
        }
        whole.map(|(set, ty)| Checkable::Many(set, ty))
    }

    /// `hand of players`: what each of several players has.
    pub(super) fn of_each(&mut self, name: &str, owners: Set, at: At) -> Checked<Checkable> {
        // The slot stays taken: the sets inside it have slots of their own.
        let it = self.bind(" each", Ty::Seat);
        self.scope.pop();
        let part = self.owned(name, at.clone(), Expr::Local(it))?;
        let (part, ty) = match part {
            Checkable::Many(set, ty) => (set, ty),
            Checkable::Zone(zone) => self.pieces_of(zone),
            _ => {
                let message = format!("`{name}` is no set, and several players are meant");
                let help = format!("write `sum(SET, it.{name})`, or name one player: `{name} of PLAYER`");
                return Err(ExprError::kind(at, message).help(help));
            }
        };
        Ok(Checkable::Many(Set::OfEach { of: Box::new(owners), it, part: Box::new(part) }, ty))
    }

    /// A set that the pack gives a name: `reachable(piece)`, `my targets`.
    pub(crate) fn named_set(&mut self, name: &str, owner: Expr, args: &[Ast], at: At) -> Checked<Checkable> {
        let Some(SetName { id, args: types, member }) = self.vocabulary.sets.get(name).cloned() else {
            return Err(ExprError::name(at, format!("no set is called `{name}`")));
        };
        let (args, _) = self.arguments(name, args, &types, &at)?;
        Ok(Checkable::Many(Set::Named(id, Box::new(owner), args), member))
    }

    /// What things of two sorts have in common, if a set may hold both.
    pub(crate) fn common(&self, one: Ty, other: Ty) -> Option<Ty> {
        match (one, other) {
            (Ty::Any, ty) | (ty, Ty::Any) => Some(ty),
            (Ty::Piece(Some(one)), Ty::Piece(Some(other))) => {
                let above = self.vocabulary.lineage_of(one);
                let shared = above.iter().find(|kind| self.vocabulary.is_kind(other, **kind));
                Some(Ty::Piece(shared.copied().or((one == other).then_some(one))))
            }
            (Ty::Piece(_), Ty::Piece(_)) => Some(Ty::Piece(None)),
            (one, other) => (one == other).then_some(one),
        }
    }

    /// `types(card)`
    pub(crate) fn types_of(&mut self, of: &Ast) -> Checked<Checkable> {
        let v = &*self.vocabulary;
        if let AstKind::Name(name) = &of.kind {
            if let Some(kind) = v.kinds.get(name) {
                return Ok(Checkable::Many(Set::Types(*kind), Ty::Type));
            }
            let error = ExprError::name(of.at.clone(), format!("no kind of pieces is called `{name}`"));
            let one = v.plurals.get(name).and_then(|kind| v.kinds.iter().find(|(_, known)| *known == kind));
            return Err(match one {
                Some((kind, _)) => {
                    let cure = Some((of.at.clone(), kind.clone()));
                    ExprError { cure, ..error.help(format!("write `types({kind})`")) }
                }
                None => v.suggestions.add(error, name, v.kinds.keys().map(String::as_str)),
            });
        }
        Err(ExprError::kind(of.at.clone(), "`types` takes the name of a kind").help("write `types(KIND)`"))
    }

    /// `symbols(suit)`
    pub(crate) fn symbols_of(&mut self, of: &Ast) -> Checked<Checkable> {
        let v = &*self.vocabulary;
        let AstKind::Name(name) = &of.kind else {
            let error = ExprError::kind(of.at.clone(), "`symbols` takes the name of an attribute or a mark");
            return Err(error.help("write `symbols(ATTRIBUTE)`; symbols one by one are `['a', 'b']`"));
        };
        let such = match (v.attrs.get(name), v.marks.get(name)) {
            (Some(attr), _) if attr.ty == AttrTy::Sym => SymbolsOf::Attr(attr.id),
            (_, Some(mark)) => SymbolsOf::Mark(*mark),
            (Some(_), None) => {
                let error = ExprError::kind(of.at.clone(), format!("the attribute `{name}` holds no symbols"));
                return Err(error.help("`symbols` takes an attribute with `type = \"symbol\"`, or a mark of spaces"));
            }
            (None, None) => {
                let error = ExprError::name(of.at.clone(), format!("no attribute and no mark is called `{name}`"));
                let attrs = v.attrs.iter().filter(|(_, attr)| attr.ty == AttrTy::Sym).map(|(name, _)| name);
                return Err(v.suggestions.add(error, name, attrs.chain(v.marks.keys()).map(String::as_str)));
            }
        };
        Ok(Checkable::Many(Set::Symbols(such), Ty::Sym))
    }
}
