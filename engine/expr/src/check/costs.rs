//! Costs and the resources that they name.

use rulepack_model::ResId;

use super::{Checkable, Checked, Checker, singular};
use crate::ast::*;
use crate::code::*;
use crate::error::ExprError;
use crate::vocabulary::Ty;

impl Checker<'_> {
    /// A cost.
    pub fn cost(&mut self, ast: &CostAst) -> Checked<Cost> {
        // All fields by name: if a new one is forgotten here, this does not compile.
        let CostAst { at: _, terms, less } = ast;
        let terms = terms.iter().map(|term| self.term(term)).collect();
        let terms = self.all(terms);
        let less = less.as_ref().map(|less| self.int(less)).transpose();
        let (terms, less) = self.both(terms, less)?;
        if let (Some(less), CostAst { less: Some(ast), .. }) = (&less, ast) {
            in_bounds(ast.at.clone(), less)?;
            if less.constant().is_some_and(|less| less < 0) {
                let error = ExprError::value(ast.at.clone(), "fewer units than none cannot be left out");
                return Err(error
                    .help("write how many are left out, such as `less 1`; what is paid besides is added: `+ 1 NAME`"));
            }
        }
        Ok(Cost { terms, less: less.map(Box::new) })
    }

    pub(crate) fn term(&mut self, term: &TermAst) -> Checked<Term> {
        match term {
            TermAst::Counted(amount, thing) => {
                if let Some(error) = self.times(amount, thing) {
                    return Err(error);
                }
                if let AstKind::List(_) | AstKind::Range(..) = amount.kind {
                    let error = ExprError::kind(amount.at.clone(), "an amount is one number");
                    return Err(error.help(
                        "write `gain 2 NAME`; what a player may leave is written `repeat 2 { may gain 1 NAME }`",
                    ));
                }
                let (at, amount, what) = (amount.at.clone(), self.int(amount), self.what(thing));
                let (amount, what) = self.both(amount, what)?;
                in_bounds(at, &amount)?;
                Ok(Term::Counted(amount, what))
            }
            TermAst::Whole(whole) => match self.name_of_amount(whole).map_or_else(|| self.check(whole), Err)? {
                Checkable::Cost(term) => Ok(term),
                Checkable::Group(_) | Checkable::One(_, Ty::Res) => {
                    let name = match &whole.kind {
                        AstKind::Name(name) => name,
                        _ => "…",
                    };
                    Err(ExprError::kind(whole.at.clone(), "how much of it?").help(format!("write `1 {name}`")))
                }
                _ => Err(ExprError::kind(whole.at.clone(), "this is no cost")
                    .help("write an amount and a name: `1 NAME`; a piece is moved by `move PIECE to ZONE`")),
            },
        }
    }

    /// The mistake `coin x2`: the amount must come first.
    pub(crate) fn times(&self, amount: &Ast, thing: &Ast) -> Option<ExprError> {
        let (AstKind::Name(name), AstKind::Name(times)) = (&amount.kind, &thing.kind) else { return None };
        let times = times.strip_prefix(['x', 'X']).filter(|times| times.parse::<u32>().is_ok())?;
        self.what_named(name)?;
        let (at, cure) = (amount.at.start..thing.at.end, format!("{times} {name}"));
        let error = ExprError::kind(at.clone(), "a number stands before a name");
        Some(ExprError { cure: Some((at, cure.clone())), ..error.help(format!("write `{cure}`")) })
    }

    /// The mistakes `'coin'` and `1 of coin`, where an amount and a name are needed.
    pub(crate) fn name_of_amount(&self, whole: &Ast) -> Option<ExprError> {
        let (cure, message) = match &whole.kind {
            AstKind::Symbol(name) => {
                (format!("1 {}", self.what_named(name).map(|_| name)?), "names stand without quotes")
            }
            AstKind::Of(amount, name) => match (&amount.kind, &name.kind) {
                (AstKind::Int(amount), AstKind::Name(name)) => {
                    (format!("{amount} {name}"), "a number stands right before a name")
                }
                _ => return None,
            },
            _ => return None,
        };
        let error = ExprError::kind(whole.at.clone(), message).help(format!("write `{cure}`"));
        Some(ExprError { cure: Some((whole.at.clone(), cure)), ..error })
    }

    pub(crate) fn what_named(&self, name: &str) -> Option<What> {
        let v = &*self.vocabulary;
        v.resources.get(name).map(|id: &ResId| What::Res(*id)).or_else(|| v.groups.get(name).map(|id| What::Group(*id)))
    }

    pub(crate) fn unknown_resource(&self, name: &str, at: At) -> ExprError {
        let v = &*self.vocabulary;
        let known = v.resources.keys().chain(v.groups.keys()).map(String::as_str);
        let error = ExprError::resource(at.clone(), format!("no resource is called `{name}`"));
        let small = name.to_lowercase();
        if let Some(single) =
            std::iter::once(small.as_str()).chain(singular(&small)).find(|it| self.what_named(it).is_some())
        {
            let help = format!("write `{single}`: one name stands for one and for several");
            return ExprError { cure: Some((at, single.to_string())), ..error.help(help) };
        }
        v.suggestions.add(error, name, known)
    }

    pub(crate) fn what(&mut self, ast: &Ast) -> Checked<What> {
        if let AstKind::Name(name) = &ast.kind
            && self.lookup(name).is_none()
        {
            return self.what_named(name).ok_or_else(|| self.unknown_resource(name, ast.at.clone()));
        }
        match self.expect_type(ast, Ty::Res)? {
            Expr::Res(id) => Ok(What::Res(id)),
            expr => Ok(What::Of(Box::new(expr))),
        }
    }
}

/// Refuses an amount of resources that is known to be too large.
fn in_bounds(at: At, amount: &Expr) -> Checked<()> {
    match amount.constant() {
        Some(amount) if !(-MOST_UNITS..=MOST_UNITS).contains(&amount) => {
            Err(ExprError::value(at, format!("{amount} units are too many to be paid or gained at once"))
                .help(format!("write at most {MOST_UNITS}")))
        }
        _ => Ok(()),
    }
}
