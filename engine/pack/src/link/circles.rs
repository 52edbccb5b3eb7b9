//! Circles of values that can be found without playing: a value that always needs itself, for the same piece or player
//! and whatever the table looks like. A circle that depends on the table is a fault when it happens.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{AttrId, Expr, ME, SELF, Subject};
use rulepack_kernel::ruleset::{AttrValue, Modifier};
use rulepack_model::{Code, Diagnostic, Label, Node, Span, TypeId, ValueId};

use super::Linker;

/// A text that belongs to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    Value(ValueId),
    Attr(TypeId, AttrId),
}

/// The text that is needed, and the modifier that needs it, if it is not the text of the value itself.
type Ask = (Asked, Option<Span>);

impl Linker<'_> {
    /// Refuses circles of values and of computed attributes.
    pub(crate) fn refuse_circles(&mut self) {
        let edges = self.what_asks_what();
        let mut told = BTreeSet::new();
        for start in edges.keys() {
            let Some(circle) = circle_from(*start, &edges) else { continue };
            // Each circle is reported once, from whichever member it is found.
            let members: BTreeSet<Asked> = circle.iter().map(|(asked, _)| *asked).collect();
            if !told.insert(members) {
                continue;
            }
            let names: Vec<String> =
                circle.iter().chain(circle.first()).map(|(asked, _)| self.name_of(*asked)).collect();
            let message = format!("{} leads back to itself: {}", self.name_of(*start), names.join(" → "));
            let mut labels = Vec::new();
            for ((asked, modifier), next) in circle.iter().zip(names.iter().skip(1)) {
                let Some(span) = modifier.or_else(|| self.place_of(*asked)) else { continue };
                let text = if circle.len() > 1 { format!("asks for {next}") } else { String::new() };
                labels.push(Label { span, text });
            }
            let circular = Diagnostic::error(Code::CircularValue, message).at_all(labels, self.at);
            self.out.push(circular.help("let one of them give its value without asking for the others"));
        }
    }

    /// The texts that every value and attribute always needs, for the same piece or player.
    fn what_asks_what(&self) -> BTreeMap<Asked, Vec<Ask>> {
        let mut edges: BTreeMap<Asked, Vec<Ask>> = BTreeMap::new();
        let mut note = |of: Asked, asked: Vec<Asked>, modifier: Option<Span>| {
            edges.entry(of).or_default().extend(asked.into_iter().map(|asked| (asked, modifier)));
        };
        for (index, value) in self.rules.values.iter().enumerate() {
            let Some(base) = self.rules.exprs.get(value.base.index()) else { continue };
            let mut found = Vec::new();
            self.asks(&base.expr, matches!(value.subject, Subject::Piece(_) | Subject::Space), None, &mut found);
            note(Asked::Value(ValueId::from(index)), found, None);
        }
        for (index, ty) in self.rules.types.iter().enumerate() {
            let id = TypeId::from(index);
            for (attr, value) in ty.attrs.iter().enumerate() {
                let Some(AttrValue::Expr(text)) = value else { continue };
                let mut found = Vec::new();
                self.asks(&self.rules.expr(*text).expr, true, Some(id), &mut found);
                note(Asked::Attr(id, AttrId(attr as u16)), found, None);
            }
            // The amount that a piece in play adds to a value of its owner.
            for modifier in ty.modifies.iter().filter(|modifier| modifier.of.is_none()) {
                let text = modifier.when.unwrap_or(modifier.by);
                let mut found = Vec::new();
                self.asks(&self.rules.expr(text).expr, false, None, &mut found);
                note(Asked::Value(modifier.value), found, self.place_of_modifier(id, modifier));
            }
        }
        edges
    }

    /// Adds the texts that an expression always needs; `ty` is the type of the piece to which it belongs, if known.
    fn asks(&self, expr: &Expr, of_piece: bool, ty: Option<TypeId>, out: &mut Vec<Asked>) {
        let own = if of_piece { SELF } else { ME };
        match expr {
            Expr::Value(value, of) => {
                let subject = self.rules.values.get(value.index()).map(|value| value.subject);
                if subject == Some(Subject::Game) || **of == Expr::Local(own) {
                    out.push(Asked::Value(*value));
                }
                self.asks(of, of_piece, ty, out);
            }
            Expr::Attr(of, attr) => {
                if let (Some(ty), true) = (ty, **of == Expr::Local(SELF)) {
                    out.push(Asked::Attr(ty, *attr));
                }
                self.asks(of, of_piece, ty, out);
            }
            // The right side is evaluated only if the left side leaves the result open.
            Expr::Binary(BinaryOp::And | BinaryOp::Or, left, _) => self.asks(left, of_piece, ty, out),
            Expr::Binary(_, left, right) | Expr::Min(left, right) | Expr::Max(left, right) => {
                self.asks(left, of_piece, ty, out);
                self.asks(right, of_piece, ty, out);
            }
            Expr::If(inner, ..)
            | Expr::Negative(inner)
            | Expr::Not(inner)
            | Expr::IsType(inner, _)
            | Expr::IsKind(inner, _)
            | Expr::NextSeat(inner)
            | Expr::PreviousSeat(inner)
            | Expr::Opposite(inner)
            | Expr::Passed(inner)
            | Expr::Out(inner)
            | Expr::Partner(inner)
            | Expr::Property(_, inner)
            | Expr::Mark(_, inner) => self.asks(inner, of_piece, ty, out),
            // Sets may be empty.
            Expr::Contains(..)
            | Expr::Any(_)
            | Expr::Count(_)
            | Expr::Sum(..)
            | Expr::Largest(..)
            | Expr::Smallest(..)
            | Expr::First(_)
            | Expr::Last(_) => {}
            // The values that these use may depend on the table.
            Expr::Amount(..)
            | Expr::ResAttr(..)
            | Expr::Room(..)
            | Expr::Var(..)
            | Expr::Top(_)
            | Expr::Can(..)
            | Expr::CanPay(_)
            | Expr::Units(_)
            | Expr::Query(..) => {}
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => {}
            Expr::AtTurn => {}
        }
    }

    fn name_of(&self, asked: Asked) -> String {
        match asked {
            Asked::Value(value) => format!("`{}`", self.rules.value(value).name),
            Asked::Attr(ty, attr) => {
                let attr = self.rules.attrs.get(attr.0 as usize).map_or("", |(name, _)| name.as_str());
                format!("`{}.{attr}`", self.rules.ty(ty).name)
            }
        }
    }

    /// The text of a modifier that is always evaluated.
    fn place_of_modifier(&self, ty: TypeId, modifier: &Modifier) -> Option<Span> {
        let ty = self.rules.ty(ty);
        let node = self.definitions.get(&self.rules.kinds.get(ty.kind.index())?.name, &ty.name)?;
        let node = node.below("modifies")?.below(&self.rules.value(modifier.value).name)?;
        Some(["when", "by"].into_iter().find_map(|key| node.below(key)).unwrap_or(node).span)
    }

    fn place_of(&self, asked: Asked) -> Option<Span> {
        match asked {
            Asked::Value(value) => {
                let node = self.definitions.get("value", &self.rules.value(value).name)?;
                Some(["base", "is"].into_iter().find_map(|key| node.below(key)).unwrap_or(node).span)
            }
            Asked::Attr(ty, attr) => {
                let ty = self.rules.ty(ty);
                let node = self.definitions.get(&self.rules.kinds.get(ty.kind.index())?.name, &ty.name)?;
                let (name, _) = self.rules.attrs.get(attr.0 as usize)?;
                Some(node.below(name).unwrap_or(node as &Node).span)
            }
        }
    }
}

/// A path from a text back to itself, if there is one: the text first, each with the modifier that needs the next.
fn circle_from(start: Asked, edges: &BTreeMap<Asked, Vec<Ask>>) -> Option<Vec<Ask>> {
    let mut seen = BTreeSet::new();
    // The path so far, and the texts that it has reached.
    let mut paths: Vec<(Vec<Ask>, Asked)> = vec![(Vec::new(), start)];
    while let Some((path, last)) = paths.pop() {
        for (next, modifier) in edges.get(&last).into_iter().flatten() {
            let path: Vec<Ask> = path.iter().copied().chain([(last, *modifier)]).collect();
            if *next == start {
                return Some(path);
            }
            if seen.insert(*next) {
                paths.push((path, *next));
            }
        }
    }
    None
}
