//! What players do not see of one another: `visible` and `among` of variables and resources, `visible` of values.

use rulepack_expr::{Expr, Set, Subject, Ty};
use rulepack_kernel::ruleset::{Audience, Domain};
use rulepack_model::{Code, Diagnostic, Node, did_you_mean};

use super::Linker;
use super::compile::Scope;
use super::fields::Fields;

/// Reads who sees something that belongs to a subject.
pub(super) fn audience(fields: &mut Fields<'_>, subject: Subject, node: &Node, out: &mut Vec<Diagnostic>) -> Audience {
    let owned = subject != Subject::Game;
    let known: &[&str] = if owned { &["all", "owner", "none"] } else { &["all", "none"] };
    match fields.text("visible", out) {
        None | Some("all") => Audience::All,
        Some("none") => Audience::Nobody,
        Some("owner") if owned => Audience::Owner,
        Some(other) => {
            let help = match owned {
                true => "write \"all\", \"owner\" or \"none\"",
                false => "it belongs to nobody: write \"all\" or \"none\"",
            };
            let help = did_you_mean(other, known.iter().copied()).unwrap_or_else(|| help.to_string());
            let at = fields.get("visible").map_or(node.span, |node| node.span);
            let message = format!("`{other}` does not say who sees it");
            out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
            Audience::All
        }
    }
}

impl Linker<'_> {
    /// What hidden variables and amounts may be. It comes last: these texts may use all names.
    pub(crate) fn link_secrets(&mut self) {
        for index in 0..self.rules.vars.len() {
            let Some(var) = self.rules.vars.get(index).cloned() else { continue };
            let Some(node) = self.definitions.get("var", &var.name).cloned() else { continue };
            let path = format!("var.{}", var.name);
            let scope = match var.subject {
                Subject::Piece(kind) => Scope::on(Ty::Piece(kind)),
                Subject::Space => Scope::on(Ty::Cell),
                Subject::Game | Subject::Seat => Scope::default(),
            };
            let plain = match (var.ty, var.range) {
                (Ty::Bool, _) => Some(Set::Listed(vec![Expr::Bool(false), Expr::Bool(true)])),
                (Ty::Int, Some((first, last))) => {
                    Some(Set::Numbers(Box::new(Expr::Int(first)), Box::new(Expr::Int(last))))
                }
                (Ty::Seat, _) => Some(Set::Seats),
                _ => None,
            };
            let among = self.domain(&node, &path, (&scope, var.ty), var.visible, plain);
            if let Some(var) = self.rules.vars.get_mut(index) {
                var.among = among;
            }
        }
        for index in 0..self.rules.resources.len() {
            let Some(resource) = self.rules.resources.get(index).cloned() else { continue };
            let Some(node) = self.definitions.get("resource", &resource.name).cloned() else { continue };
            let path = format!("resource.{}", resource.name);
            let among = self.domain(&node, &path, (&Scope::default(), Ty::Int), resource.visible, None);
            if let Some(resource) = self.rules.resources.get_mut(index) {
                resource.among = among;
            }
        }
    }

    /// `among`, or what follows from the type.
    fn domain(
        &mut self,
        node: &Node,
        path: &str,
        (scope, ty): (&Scope, Ty),
        visible: Audience,
        plain: Option<Set>,
    ) -> Option<Domain> {
        match (node.below("among"), visible) {
            (None, Audience::All) => None,
            // Who sees it is a mistake that was reported already.
            (Some(_), Audience::All)
                if node.below("visible").is_some_and(|visible| visible.as_str() != Some("all")) =>
            {
                None
            }
            (Some(among), Audience::All) => {
                let message = format!("everybody sees what `{path}` is, so `among` has no place here");
                let help = "leave it out, or write `visible = \"owner\"` or `visible = \"none\"`";
                self.out.push(Diagnostic::error(Code::WrongValue, message).at(among.span).help(help));
                None
            }
            (None, _) => match plain {
                Some(set) => Some(Domain { set, locals: rulepack_expr::FIRST_PARAM }),
                None => {
                    let at = node.below("visible").map_or(node.span, |visible| visible.span);
                    let message = format!("what may `{path}` be, as far as those know who do not see it?");
                    let help = "write it as a set, such as `among = \"1..6\"`: bots and tests of secrets draw from it";
                    self.out.push(Diagnostic::error(Code::MissingKey, message).at(at).help(help));
                    None
                }
            },
            (Some(among), _) => {
                let (set, member, locals) = self.set(among, &format!("{path} among"), scope)?;
                let is_alike = std::mem::discriminant(&member) == std::mem::discriminant(&ty);
                if !is_alike && member != Ty::Any {
                    let message = format!("`{path}` cannot be one of these");
                    let help = "write a set of what it can be, such as `1..6`, `symbols(…)` or `players`";
                    self.out.push(Diagnostic::error(Code::WrongType, message).at(among.span).help(help));
                    return None;
                }
                Some(Domain { set, locals })
            }
        }
    }
}
