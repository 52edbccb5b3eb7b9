//! Attributes of pieces and costs of actions: read from `then`, and compared.

use rulepack_expr::{AttrId, AttrName, AttrTy, Checker, Cost, Ty, parse_cost};
use rulepack_kernel::ruleset::AttrValue;
use rulepack_kernel::{Bundle, Value};
use rulepack_model::{ActionId, Code, Diagnostic, Node, PieceId, Seat, Span, TypeId, did_you_mean};
use rulepack_pack::text_map;

use super::names::{Names, Want};
use super::when::Play;

/// The value of an attribute of a piece.
#[derive(Debug, Clone)]
pub(super) enum Printed {
    Is(Want),
    Cost(Cost),
}

impl Names<'_> {
    /// The attribute of a type with this name, if it can be compared.
    pub(super) fn attribute(&self, ty: TypeId, key: &str) -> Option<AttrName> {
        let (rules, words) = (self.rules, &self.rules.vocabulary);
        let found = words.attrs.get(key).filter(|_| !self.is_named(key) && !words.modified.contains(key))?;
        let kind = rules.ty(ty).kind;
        found.kinds.iter().any(|known| rules.is_kind(kind, *known)).then(|| found.clone())
    }

    /// Whether a variable or another changing thing has this name: it takes precedence over an attribute.
    pub(super) fn is_named(&self, key: &str) -> bool {
        let words = &self.rules.vocabulary;
        words.vars.contains_key(key)
            || words.values.contains_key(key)
            || words.resources.contains_key(key)
            || words.groups.contains_key(key)
            || words.zones.contains_key(key)
    }

    pub(super) fn printed(&mut self, node: &Node, key: &str, attribute: &AttrName) -> Option<(AttrId, Printed)> {
        let ty = match attribute.ty {
            AttrTy::Int => Ty::Int,
            AttrTy::Bool => Ty::Bool,
            AttrTy::Res => Ty::Res,
            AttrTy::Sym => Ty::Sym,
            AttrTy::Type => Ty::Type,
            AttrTy::Cost => return self.price(node, key).map(|cost| (attribute.id, Printed::Cost(cost))),
            AttrTy::Text | AttrTy::Effect | AttrTy::Amount | AttrTy::Condition => {
                let message =
                    format!("`{key}` is a text, an effect or a condition: what it does is seen when it is used");
                self.out.push(Diagnostic::error(Code::WrongValue, message).at(node.span));
                return None;
            }
        };
        self.value(node, key, ty).map(|want| (attribute.id, Printed::Is(want)))
    }

    /// A price as packs write it: `"2 coin + 1 rope"`.
    fn price(&mut self, node: &Node, key: &str) -> Option<Cost> {
        let text = self.fields().text(node, key)?;
        let words = self.words.get_or_insert_with(|| self.rules.vocabulary.clone());
        let checked = parse_cost(&text.text).and_then(|(ast, _)| Checker::new(words, None, &[]).cost(&ast));
        checked
            .map_err(|error| {
                let at = text_map(self.sources, text.span).span(error.at);
                self.out
                    .push(Diagnostic::error(error.code, error.message).at(at).maybe_help(error.help.map(Into::into)));
            })
            .ok()
    }

    /// `{ "build inn" = "1 coin" }`: actions with their parameters, and prices.
    pub(super) fn prices(&mut self, node: &Node) -> Vec<(String, ActionId, Option<String>, Cost)> {
        let Some(table) = node.as_table() else {
            self.fields().wrong(node, "price", "a table from actions to prices");
            return Vec::new();
        };
        let mut prices = Vec::new();
        for (name, entry) in table.iter() {
            let (action, of) = match name.split_once(' ') {
                Some((action, of)) => (action, Some(of.trim().to_string())),
                None => (name, None),
            };
            let action = self.action(action, entry.key);
            let cost = self.price(&entry.node, name);
            prices.extend(action.zip(cost).map(|(action, cost)| (name.to_string(), action, of, cost)));
        }
        prices
    }

    fn action(&mut self, name: &str, span: Span) -> Option<ActionId> {
        let known = &self.rules.vocabulary.actions;
        if let Some((action, _)) = known.get(name) {
            return Some(*action);
        }
        let help = did_you_mean(name, known.keys().map(String::as_str));
        let message = format!("there is no action `{name}`");
        self.out.push(Diagnostic::error(Code::UnknownName, message).at(span).maybe_help(help));
        None
    }
}

impl Play<'_> {
    /// Whether a piece has this attribute.
    pub(super) fn is_printed(&self, piece: PieceId, attr: AttrId, printed: &Printed) -> bool {
        match (self.rules().attr(self.rules().type_of(piece), attr), printed) {
            (Some(AttrValue::Plain(value)), Printed::Is(want)) => self.fits(*want, value),
            (Some(AttrValue::Cost(cost)), Printed::Cost(wanted)) => {
                let cost = &self.rules().cost(cost).cost;
                self.in_resources(&self.bundle_of(cost, None)) == self.in_resources(&self.bundle_of(wanted, None))
            }
            _ => false,
        }
    }

    /// The expected and the actual price of an action, if they differ.
    pub(super) fn compare_price(
        &self,
        seat: Seat,
        action: ActionId,
        of: Option<&str>,
        cost: &Cost,
    ) -> (String, String) {
        let eval = self.eval();
        let expected = self.in_resources(&self.bundle_of(cost, Some(seat)));
        let mut found: Vec<String> = eval
            .first_values(seat, action)
            .into_iter()
            .filter(|value| of.is_none_or(|of| self.is_called(*value, of)))
            .map(|value| self.in_resources(&eval.price(seat, action, value)))
            .collect();
        found.sort();
        found.dedup();
        let actual = match found.as_slice() {
            [] => "nothing that it could be done to".into(),
            found => found.join(", or "),
        };
        (expected, actual)
    }

    fn bundle_of(&self, cost: &Cost, me: Option<Seat>) -> Bundle {
        let mut locals = self.locals(me);
        self.eval().bundle(cost, &mut locals)
    }

    /// A price in words, in the order of the rules.
    fn in_resources(&self, bundle: &Bundle) -> String {
        let rules = self.rules();
        let mut parts: Vec<String> = bundle
            .parts
            .iter()
            .filter(|(_, amount)| *amount != 0)
            .map(|(kinds, amount)| {
                let name = match kinds {
                    rulepack_kernel::ResourceSel::One(res) => rules.resource(*res).name.as_str(),
                    rulepack_kernel::ResourceSel::Group(group) => rules.group(*group).name.as_str(),
                    rulepack_kernel::ResourceSel::None => "nothing",
                };
                format!("{amount} {name}")
            })
            .collect();
        parts.sort();
        let less = if bundle.less > 0 { format!(" less {}", bundle.less) } else { String::new() };
        if parts.is_empty() { "nothing".into() } else { parts.join(" + ") + &less }
    }

    fn is_called(&self, value: Value, name: &str) -> bool {
        let option = rulepack_kernel::Opt::Value(value);
        let keys = rulepack_kernel::option_keys(self.rules(), self.game.state(), option);
        self.in_words(&keys).iter().any(|key| key.join(" ") == name)
    }
}
