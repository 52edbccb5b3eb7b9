//! What zones say about their pieces as a whole: the order in which they are shown, and the zone that renews an empty one.

use rulepack_expr::{AttrId, AttrTy};
use rulepack_kernel::ruleset::Zone;
use rulepack_model::{Code, Diagnostic, Node, ZoneId, known_instead};

use super::Linker;
use super::fields::wrong_type;

impl Linker<'_> {
    /// `sorted_by = ["suit", "rank"]`: the attributes by which the pieces of a zone are sorted where they are shown.
    pub(super) fn sorted_by(&self, path: &str, zone: &Zone, node: &Node, out: &mut Vec<Diagnostic>) -> Vec<AttrId> {
        let Some(names) = node.as_list() else {
            out.push(wrong_type(node, &format!("{path}.sorted_by"), "a list of texts"));
            return Vec::new();
        };
        if zone.layout.has_spaces() {
            let message = format!("`{path}` has spaces, so that each piece is shown in its place");
            let help = "leave `sorted_by` out, or leave `layout` out";
            out.push(Diagnostic::error(Code::WrongValue, message).at(node.span).help(help));
            return Vec::new();
        }
        let mut attrs = Vec::new();
        for name in names {
            let Some(text) = name.as_str() else {
                out.push(wrong_type(name, &format!("{path}.sorted_by"), "the name of an attribute"));
                continue;
            };
            match self.vocabulary.attrs.get(text) {
                Some(attr) if is_ordered(attr.ty) => attrs.push(attr.id),
                Some(_) => {
                    let message = format!("pieces cannot be sorted by `{text}`");
                    let help = "name attributes that hold a number, a symbol, a yes-or-no, a resource or a piece";
                    out.push(Diagnostic::error(Code::WrongType, message).at(name.span).help(help));
                }
                None => {
                    let known = self.vocabulary.attrs.iter().filter(|(_, attr)| is_ordered(attr.ty));
                    let help = known_instead(text, known.map(|(name, _)| name.as_str()));
                    let message = format!("no attribute is called `{text}`");
                    out.push(Diagnostic::error(Code::UnknownName, message).at(name.span).maybe_help(help));
                }
            }
        }
        attrs
    }

    /// `renews_from = "discard"`: the zone that is shuffled into this one when something is drawn and nothing is left.
    pub(super) fn renews_from(
        &self,
        path: &str,
        zone: &Zone,
        node: &Node,
        out: &mut Vec<Diagnostic>,
    ) -> Option<ZoneId> {
        let Some(name) = node.as_str() else {
            out.push(wrong_type(node, &format!("{path}.renews_from"), "the name of a zone"));
            return None;
        };
        let Some(source) = self.vocabulary.zones.get(name) else {
            let known = self.vocabulary.zones.keys().map(String::as_str);
            let message = format!("no zone is called `{name}`");
            out.push(
                Diagnostic::error(Code::UnknownName, message).at(node.span).maybe_help(known_instead(name, known)),
            );
            return None;
        };
        let field = |key: &str| self.definitions.get("zone", name).and_then(|zone| zone.below(key));
        let is_out = field("out_of_game").and_then(Node::as_bool).unwrap_or(false);
        let (message, help) = if name == zone.name {
            (format!("`{path}` cannot be renewed from itself"), "name the zone in which used pieces lie")
        } else if source.per_player != zone.per_player {
            let help = "give both zones the same `owner`: a player's deck is renewed from the player's own discard";
            (format!("`{path}` and `zone.{name}` do not belong together"), help)
        } else if zone.layout.has_spaces() {
            (format!("`{path}` has spaces, so that nothing can be shuffled into it"), "leave `layout` out")
        } else if is_out && !zone.out_of_game {
            (format!("what lies in `{name}` is out of the game and cannot come back"), "leave `out_of_game` out")
        } else {
            return Some(source.id);
        };
        out.push(Diagnostic::error(Code::WrongValue, message).at(node.span).help(help));
        None
    }
}

/// Whether the values of such an attribute have an order.
fn is_ordered(ty: AttrTy) -> bool {
    match ty {
        AttrTy::Int | AttrTy::Bool | AttrTy::Res | AttrTy::Sym | AttrTy::Type => true,
        AttrTy::Text | AttrTy::Cost | AttrTy::Effect | AttrTy::Amount | AttrTy::Condition => false,
    }
}
