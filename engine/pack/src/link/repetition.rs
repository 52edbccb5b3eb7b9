//! What `[game]` says about positions that come back, and about teams.

use rulepack_expr::{Subject, Ty};
use rulepack_kernel::ruleset::{Audience, Repetition, Visibility};
use rulepack_model::{Code, Diagnostic, Node, Span, VarId, ZoneId};

use super::Linker;
use super::compile::Scope;
use super::fields::{Fields, wrong_type};

/// The numbers of times that a pack can name.
const TIMES: std::ops::RangeInclusive<i64> = 2..=100;

impl Linker<'_> {
    /// `{ times = 3, of = ["board"], effect = "end game drawn" }`
    pub(super) fn repetition(&mut self, node: &Node, out: &mut Vec<Diagnostic>) -> Option<Repetition> {
        let mut fields = Fields::of(node, "game.repetition", out)?;
        let is_given = fields.need("times", out).is_some();
        let times = if is_given { fields.whole("times", TIMES, out) } else { None };
        let help = "name the zones and variables that make up the position: `of = [\"board\"]`";
        let named = match fields.need_as("of", help, out) {
            Some(_) => fields.texts("of", out),
            None => Vec::new(),
        };
        let effect = fields.need("effect", out).cloned();
        fields.done(out);
        let (mut zones, mut vars) = (Vec::new(), Vec::new());
        for (name, at) in named {
            match (self.zone_called(name), self.vocabulary.vars.get(name).map(|(var, ..)| *var)) {
                (Some(zone), _) => out.extend(self.hidden_zone(zone, name, at)),
                (None, Some(var)) => out.extend(self.unfit_variable(var, name, at)),
                (None, None) => {
                    let known = self.vocabulary.zones.keys().chain(self.vocabulary.vars.keys());
                    let help = rulepack_model::known_instead(name, known.map(String::as_str));
                    let message = format!("no zone and no variable is called `{name}`");
                    out.push(Diagnostic::error(Code::UnknownName, message).at(at).maybe_help(help));
                }
            }
            zones.extend(self.zone_called(name));
            vars.extend(
                self.vocabulary.vars.get(name).map(|(var, ..)| *var).filter(|_| self.zone_called(name).is_none()),
            );
        }
        let effect = self.effect(&effect?, "game repetition", &Scope::default())?;
        Some(Repetition { times: u32::try_from(times?).ok()?, zones, vars, effect })
    }

    fn zone_called(&self, name: &str) -> Option<ZoneId> {
        self.vocabulary.zones.get(name).map(|zone| zone.id)
    }

    /// A zone that some players do not see cannot belong to the position: its repetition would tell what lies there.
    fn hidden_zone(&self, zone: ZoneId, name: &str, at: Span) -> Option<Diagnostic> {
        let zone = self.rules.zones.get(zone.index())?;
        let message = format!("not everybody sees what lies in `{name}`, and the repetition would tell it");
        let hidden = Diagnostic::error(Code::WrongValue, message).at(at);
        (zone.visible != Visibility::All)
            .then(|| hidden.help("leave it out, or write `visible = \"all\"` for the zone"))
    }

    /// So for variables. A piece is no part of a position either: which of two equal ones it is means nothing.
    fn unfit_variable(&self, var: VarId, name: &str, at: Span) -> Option<Diagnostic> {
        let var = self.rules.vars.get(var.index())?;
        let wrong = |message: String, help: &str| Some(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
        match (var.visible, var.ty, var.subject) {
            (Audience::Owner | Audience::Nobody, _, _) => {
                wrong(format!("not everybody sees `{name}`, and the repetition would tell it"), "leave it out")
            }
            (_, Ty::Piece(_), _) => {
                let help = "leave it out: the pieces of the zones belong to the position by their types and owners";
                wrong(format!("`{name}` is a piece, and equal pieces make no difference to a position"), help)
            }
            (Audience::All, ..) => None,
        }
        .filter(|_| var.subject != Subject::Space)
    }
}

/// `teams = 2`: how many teams.
pub(super) fn read_teams(node: &Node, out: &mut Vec<Diagnostic>) -> u8 {
    let teams = node.as_int().and_then(|teams| u8::try_from(teams).ok()).filter(|teams| *teams >= 2);
    teams.unwrap_or_else(|| {
        let help = "write `teams = 2`: the first, third, … player against the second, fourth, …";
        out.push(wrong_type(node, "game.teams", "a number of teams, 2 or more").help(help));
        0
    })
}
