//! Standing rules, which are checked after every change, such as who holds a contested token, or a victory in the
//! middle of a turn.

use rulepack_expr::Ty;
use rulepack_kernel::ruleset::Standing;
use rulepack_model::{Code, Diagnostic, did_you_mean};

use super::Linker;
use super::compile::Scope;
use super::fields::Fields;

impl Linker<'_> {
    pub(crate) fn link_standing(&mut self) {
        for (id, _) in self.ids("standing") {
            let path = format!("standing.{id}");
            let Some(node) = self.definitions.get("standing", &id).cloned() else { continue };
            let mut out = Vec::new();
            let Some(mut fields) = Fields::of(&node, path.clone(), &mut out) else {
                self.out.extend(out);
                continue;
            };
            let each = match fields.text("of", &mut out) {
                None | Some("game") => false,
                Some("player") => true,
                Some(other) => {
                    let at = fields.get("of").map_or(node.span, |node| node.span);
                    let help = did_you_mean(other, ["player", "game"])
                        .unwrap_or_else(|| "write \"player\" (looked at for each) or \"game\"".into());
                    let message = format!("a standing rule cannot be of `{other}`");
                    out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
                    false
                }
            };
            let when = fields.need_as("when", "say when it applies: `when = \"my.… > 5\"`", &mut out).cloned();
            let effect = fields.need_as("effect", "say what happens then: `effect = \"…\"`", &mut out).cloned();
            fields.also(&["title", "text", "only_in"]);
            fields.done(&mut out);
            self.out.extend(out);
            let when = when.and_then(|when| self.expr(&when, &format!("{path} when"), &Scope::default(), Ty::Bool));
            let effect = effect.and_then(|effect| self.effect(&effect, &format!("{path} effect"), &Scope::default()));
            if let (Some(when), Some(effect)) = (when, effect) {
                self.rules.standing.push(Standing { name: id, each, when, effect });
            }
        }
    }
}
