//! Actions, phases, points.

use std::collections::BTreeSet;

use rulepack_expr::{FIRST_PARAM, Subject, Ty, means_something};
use rulepack_kernel::ruleset::{
    Action, Audience, Order, Param, Phase, PhaseBody, Rank, Scope as Lifetime, ScoreLine, Until, Var,
};
use rulepack_kernel::{EffectLoop, FreeLoop, LoopRules, Value};
use rulepack_model::{Code, Diagnostic, Node, PhaseId, VarId, did_you_mean, known_instead, nearest};

use super::Linker;
use super::compile::{Scope, TextUse};
use super::fields::{Fields, wrong_type};
use super::merge::reserved;
use super::repetition::read_teams;

impl Linker<'_> {
    pub(crate) fn link_flow(&mut self) {
        let actions: Vec<String> = self.vocabulary.actions.keys().cloned().collect();
        for id in actions {
            let action = self.action(&id);
            self.rules.actions.push(action);
        }
        let phases: Vec<String> = self.definitions.of("phase").map(|(id, _)| id.to_string()).collect();
        for id in &phases {
            let phase = self.phase(id);
            self.rules.phases.push(phase);
        }
        self.rules.root = phases.iter().position(|id| id == "game").map(PhaseId::from);
        if self.rules.root.is_none() && !self.out.iter().any(|d| d.code == Code::TomlSyntax) {
            let meant = nearest("game", phases.iter().map(String::as_str));
            let help = did_you_mean("game", phases.iter().map(String::as_str));
            // A phase with nearly this name is probably meant.
            let at = meant.and_then(|id| Some(self.definitions.kinds.get("phase")?.entries.get(id)?.key));
            self.out.push(
                Diagnostic::error(Code::NoFlow, format!("`{}` has no phase `game`", self.rules.pack))
                    .at(at.unwrap_or(self.at))
                    .help(help.unwrap_or_else(|| "the flow of a game starts in `[phase.game]`".into())),
            );
        }
        self.points();
    }

    fn action(&mut self, id: &str) -> Action {
        let path = format!("action.{id}");
        let mut action = Action::new(id);
        let Some(node) = self.definitions.get("action", id).cloned() else { return action };
        action.place = self.line_of(node.span);
        let mut out = Vec::new();
        let Some(mut fields) = Fields::of(&node, path.clone(), &mut out) else {
            self.out.extend(out);
            return action;
        };
        let mut scope = Scope::default();
        for (name, entry) in fields.table("param", &mut out) {
            if means_something(name) {
                self.out.push(reserved(name, entry.key, Some(&node)));
            }
            let (from, (prompt, named)) = match entry.node.as_table() {
                Some(_) => {
                    let Some(mut inner) = Fields::of(&entry.node, format!("{path}.param.{name}"), &mut out) else {
                        continue;
                    };
                    let from = inner.need("from", &mut out).cloned();
                    let asked = inner.get("prompt");
                    let prompt = self.prompt(asked);
                    let (named, locals) = self.named_by(prompt, asked, &scope);
                    action.locals = action.locals.max(locals);
                    inner.done(&mut out);
                    (from, (prompt, named))
                }
                None => (Some(entry.node.clone()), (None, Vec::new())),
            };
            let mut ty = Ty::Any;
            if let Some(from) = from
                && let Some((set, member, locals)) = self.set(&from, &format!("{path} param.{name}"), &scope)
            {
                ty = member;
                action.locals = action.locals.max(locals);
                action.params.push(Param { name: name.to_string(), set, prompt, named });
            } else {
                scope.doubtful.push(name.to_string());
            }
            scope.params.push((name.to_string(), ty));
            let from = entry.node.as_table().and_then(|table| table.get("from")).unwrap_or(&entry.node).as_str();
            // The condition of a parameter says what the effect can rely on.
            scope.assure(from.and_then(|from| from.split_once(" where ")).map_or("", |(_, condition)| condition));
        }
        self.note_parameters(id, scope.params.iter().map(|(_, ty)| *ty).collect());
        let params = scope.params.len() as u16;
        action.locals = action.locals.max(FIRST_PARAM.saturating_add(params));
        let parses = self.parses;
        if let Some(requires) = fields.get("requires").cloned()
            && let Some(((expr, named), locals)) =
                self.check(&requires, TextUse::Condition, &format!("{path} requires"), &scope, |text, checker| {
                    let expr = checker.bool(parses.expr(text)?.as_ref())?;
                    Ok((expr, checker.parameters_named(params)))
                })
        {
            action.requires_after = named;
            action.requires = Some(expr);
            action.locals = action.locals.max(locals);
        }
        if let Some(cost) = fields.get("cost").cloned() {
            let costs = match cost.as_list() {
                Some(list) => list.to_vec(),
                None => vec![cost],
            };
            for (number, cost) in (1..).zip(&costs) {
                let origin = if costs.len() == 1 { format!("{path} cost") } else { format!("{path} cost.{number}") };
                if let Some(((cost, named), locals)) = self.cost_to(cost, &origin, &scope) {
                    action.costs.push(cost);
                    action.costs_after = action.costs_after.max(named);
                    action.locals = action.locals.max(locals);
                }
            }
        }
        if let Some(effect) = fields.get("effect").cloned() {
            let scope = scope.clone().assured_by(fields.get("requires"));
            action.effect = self.effect(&effect, &format!("{path} effect"), &scope);
        }
        if let Some(limit) = fields.get("limit").cloned() {
            action.limit = self.limit(id, &limit);
        }
        action.free = fields.bool("free", &mut out).unwrap_or(false);
        action.disclose = fields.bool("disclose", &mut out).unwrap_or(false);
        action.priority = fields.whole("priority", 0..=1_000, &mut out).unwrap_or(0) as u16;
        if let Some(weight) = fields.whole("weight", 0..=10_000, &mut out) {
            action.weight = weight as u32;
        }
        fields.also(&["title", "text", "only_in"]);
        fields.done(&mut out);
        self.out.extend(out);
        action
    }

    /// `"once per turn"`, `{ times = 1, per = "turn", shared = "name" }`, or `{ times = 1, counts = "variable" }`.
    fn limit(&mut self, action: &str, node: &Node) -> Option<(VarId, i64)> {
        let mut out = Vec::new();
        let (times, per, shared) = match node.as_str() {
            Some(text) => {
                let Some((times, per)) = text.split_once(" per ") else {
                    self.out.push(
                        Diagnostic::error(Code::WrongValue, format!("`{text}` is no limit"))
                            .at(node.span)
                            .help("write \"once per turn\", or `{ times = 2, per = \"turn\" }`"),
                    );
                    return None;
                };
                let times = match times {
                    "once" => 1,
                    "twice" => 2,
                    other => match other.strip_suffix(" times").and_then(|n| n.parse().ok()) {
                        Some(n) => n,
                        None => {
                            self.out.push(
                                Diagnostic::error(Code::WrongValue, format!("`{other}` does not say how often"))
                                    .at(node.span)
                                    .help("write \"once\", \"twice\" or \"3 times\""),
                            );
                            return None;
                        }
                    },
                };
                let per = Node { span: node.span, value: rulepack_model::Value::Str(per.to_string()) };
                (times, self.lifetime(&per, &mut out), format!("action {action}"))
            }
            None => {
                let mut fields = Fields::of(node, format!("action.{action}.limit"), &mut out)?;
                let times = fields.int("times", &mut out).unwrap_or(1);
                // A declared variable of the player can do the counting, so that other texts can read it.
                if let Some((var, Subject::Seat, Ty::Int)) =
                    fields.get("counts").and_then(Node::as_str).and_then(|name| self.vocabulary.vars.get(name)).copied()
                {
                    fields.done(&mut out);
                    self.out.extend(out);
                    return Some((var, times));
                }
                let per = match fields.need("per", &mut out) {
                    Some(per) => self.lifetime(per, &mut out),
                    None => Lifetime::Turn,
                };
                let shared = fields
                    .text("shared", &mut out)
                    .map_or_else(|| format!("action {action}"), |name| format!("limit {name}"));
                fields.done(&mut out);
                (times, per, shared)
            }
        };
        self.out.extend(out);
        let known = self.rules.vars.iter().position(|var| var.name == shared && var.scope == per);
        let var = match known {
            Some(index) => VarId::from(index),
            None => {
                let new = VarId::from(self.rules.vars.len());
                self.rules.vars.push(Var {
                    name: shared,
                    subject: Subject::Seat,
                    ty: Ty::Int,
                    base: 0,
                    slots: 1,
                    scope: per,
                    start: Value::Int(0),
                    range: None,
                    visible: Audience::All,
                    among: None,
                    by_piece: false,
                });
                new
            }
        };
        Some((var, times))
    }

    fn phase_named(&mut self, name: &str, at: rulepack_model::Span) -> Option<PhaseId> {
        let found = self.definitions.of("phase").position(|(id, _)| id == name).map(PhaseId::from);
        if found.is_none() {
            // A phase that nothing leads to was perhaps meant by this name.
            let used = self.phases_in_use();
            let unused = self.definitions.of("phase").map(|(id, _)| id).filter(|id| !used.contains(*id));
            let help = did_you_mean(name, unused)
                .or_else(|| known_instead(name, self.definitions.of("phase").map(|(id, _)| id)));
            self.out.push(
                Diagnostic::error(Code::UnknownName, format!("no phase is called `{name}`")).at(at).maybe_help(help),
            );
        }
        found
    }

    /// The phase with which the flow starts, and all phases that it names.
    fn phases_in_use(&self) -> BTreeSet<&str> {
        let named = self.definitions.of("phase").flat_map(|(_, entry)| {
            let sequence = entry.node.below("sequence").and_then(Node::as_list).unwrap_or_default();
            let turn = entry.node.below("turns").and_then(|turns| turns.below("turn"));
            sequence.iter().chain(turn).filter_map(Node::as_str)
        });
        named.chain(["game"]).collect()
    }

    fn phase(&mut self, id: &str) -> Phase {
        let path = format!("phase.{id}");
        let mut phase = Phase { name: id.to_string(), ..Phase::default() };
        let Some(node) = self.definitions.get("phase", id).cloned() else { return phase };
        let mut out = Vec::new();
        let Some(mut fields) = Fields::of(&node, path.clone(), &mut out) else {
            self.out.extend(out);
            return phase;
        };
        let scope = Scope::default();
        let of_effect = scope.clone().assured_by(fields.get("when"));
        phase.effect =
            fields.get("effect").cloned().and_then(|node| self.effect(&node, &format!("{path} effect"), &of_effect));
        phase.when =
            fields.get("when").cloned().and_then(|node| self.expr(&node, &format!("{path} when"), &scope, Ty::Bool));
        phase.free = fields.bool("free", &mut out).unwrap_or(false);
        let bodies =
            ["sequence", "turns", "actions"].iter().filter(|key| node.as_table().is_some_and(|t| t.get(key).is_some()));
        if bodies.count() > 1 {
            out.push(
                Diagnostic::error(
                    Code::WrongValue,
                    format!("`{path}` has more than one of `sequence`, `turns` and `actions`"),
                )
                .at(node.span)
                .help("make a phase of each and put them into a sequence"),
            );
        }
        if node.as_table().is_some_and(|table| table.get("sequence").is_some()) {
            let phases = fields.texts("sequence", &mut out);
            let phases = phases.into_iter().filter_map(|(name, at)| self.phase_named(name, at)).collect();
            let times = fields
                .get("repeat")
                .cloned()
                .and_then(|node| self.expr(&node, &format!("{path} repeat"), &scope, Ty::Int));
            let until = fields
                .get("until")
                .cloned()
                .and_then(|node| self.expr(&node, &format!("{path} until"), &scope, Ty::Bool));
            let counter = fields.get("counts").and_then(|node| {
                let name = node.as_str().unwrap_or("");
                match self.vocabulary.vars.get(name) {
                    Some((var, Subject::Game, Ty::Int)) => Some(*var),
                    _ => {
                        out.push(
                            Diagnostic::error(Code::UnknownName, format!("`{name}` is no number variable of the game"))
                                .at(node.span)
                                .help(format!("declare it with `[var.{name}]`")),
                        );
                        None
                    }
                }
            });
            phase.body = PhaseBody::Sequence { phases, times, until, counter };
        } else if let Some(turns) = fields.get("turns") {
            if let Some(body) = self.turns(&path, turns, &mut out) {
                phase.body = body;
            }
        } else if fields.get("actions").is_some() {
            let mut actions = Vec::new();
            for (name, at) in fields.texts("actions", &mut out) {
                match self.vocabulary.actions.get(name) {
                    Some((id, _)) => actions.push(*id),
                    None => {
                        let known = self.vocabulary.actions.keys().map(String::as_str);
                        out.push(
                            Diagnostic::error(Code::UnknownName, format!("no action is called `{name}`"))
                                .at(at)
                                .maybe_help(known_instead(name, known)),
                        );
                    }
                }
            }
            let once = fields.bool("once", &mut out).unwrap_or(false);
            let asked = fields.get("prompt");
            let prompt = self.prompt(asked);
            let prompt = self.names_nothing(prompt, asked);
            phase.body = PhaseBody::Menu { actions, once, prompt };
        }
        fields.also(&[
            "title", "text", "only_in", "sequence", "turns", "actions", "repeat", "until", "counts", "once", "prompt",
        ]);
        fields.done(&mut out);
        self.out.extend(out);
        phase
    }

    fn turns(&mut self, path: &str, node: &Node, out: &mut Vec<Diagnostic>) -> Option<PhaseBody> {
        let mut fields = Fields::of(node, format!("{path}.turns"), out)?;
        let turn = fields.need("turn", out).and_then(|node| match node.as_str() {
            Some(name) => self.phase_named(name, node.span),
            None => {
                out.push(wrong_type(node, &format!("{path}.turns.turn"), "the name of a phase"));
                None
            }
        });
        let scope = Scope::default();
        let order = match fields.get("order") {
            None => Order::Clockwise,
            Some(node) => match node.as_str() {
                Some("clockwise") => Order::Clockwise,
                Some("counter_clockwise") => Order::CounterClockwise,
                Some("pass_order") => Order::PassOrder,
                Some(script) if script.contains('.') => {
                    self.vocabulary.pack = self.files.get(&node.span.file).cloned().unwrap_or_default();
                    self.vocabulary.origin = format!("{path} turns.order");
                    let hook = self.vocabulary.hook(script);
                    self.vocabulary.queries.push(hook);
                    // No text says which arguments it gets.
                    self.vocabulary.given.entry(hook).or_default().push(Vec::new());
                    Order::Script(hook)
                }
                _ => {
                    let name = node.as_str().unwrap_or("");
                    out.push(
                        Diagnostic::error(Code::WrongValue, format!("`{name}` is no order of turns"))
                            .at(node.span)
                            .help("write \"clockwise\", \"counter_clockwise\", \"pass_order\", or a script as `file.function`"),
                    );
                    Order::Clockwise
                }
            },
        };
        let first = fields
            .get("first")
            .cloned()
            .and_then(|node| self.expr(&node, &format!("{path} turns.first"), &scope, Ty::Seat));
        let until = match fields.get("until").cloned() {
            None => Until::AllPassed,
            Some(node) => match node.as_str() {
                Some("all_passed") => Until::AllPassed,
                Some("each_once") => Until::EachOnce,
                Some("never") => Until::Never,
                Some(word)
                    if is_bare_word(word)
                        && !self.vocabulary.vars.contains_key(word)
                        && !self.vocabulary.values.contains_key(word) =>
                {
                    let known = ["all_passed", "each_once", "never"];
                    let help = did_you_mean(word, known)
                        .unwrap_or_else(|| "write \"all_passed\", \"each_once\", \"never\", or a condition".into());
                    out.push(
                        Diagnostic::error(Code::WrongValue, format!("`{word}` does not say when the turns are over"))
                            .at(node.span)
                            .help(help),
                    );
                    Until::AllPassed
                }
                _ => match self.expr(&node, &format!("{path} turns.until"), &scope, Ty::Bool) {
                    Some(expr) => Until::Holds(expr),
                    None => Until::AllPassed,
                },
            },
        };
        fields.done(out);
        Some(PhaseBody::Turns { turn: turn?, order, first, until })
    }

    fn points(&mut self) {
        let mut out = Vec::new();
        let scope = Scope::default();
        let lines: Vec<(String, Node)> =
            self.definitions.of("score").map(|(id, entry)| (id.to_string(), entry.node.clone())).collect();
        for (id, node) in lines {
            let Some(mut fields) = Fields::of(&node, format!("score.{id}"), &mut out) else { continue };
            let points = fields.need("points", &mut out).cloned();
            fields.also(&["title", "text", "only_in"]);
            fields.done(&mut out);
            if let Some(points) =
                points.and_then(|node| self.expr(&node, &format!("score.{id} points"), &scope, Ty::Int))
            {
                self.rules.score_lines.push(ScoreLine { name: id, points });
            }
        }
        for (key, entry) in self.definitions.of("game").map(|(k, e)| (k.to_string(), e.clone())).collect::<Vec<_>>() {
            match key.as_str() {
                "loops" => {
                    self.rules.loops = read_loops(&entry.node, &mut out);
                    continue;
                }
                "evaluate" => {
                    self.rules.evaluate = self.expr(&entry.node, "game.evaluate", &scope, Ty::Int);
                    continue;
                }
                "teams" => {
                    self.rules.teams = read_teams(&entry.node, &mut out);
                    self.seating.teams = Some(entry.node.span);
                    continue;
                }
                "repetition" => {
                    self.rules.repetition = self.repetition(&entry.node, &mut out);
                    continue;
                }
                "wins" => {
                    self.rules.least_wins = reads_least(&entry.node, &mut out);
                    continue;
                }
                "tie_breaks" => {}
                _ => {
                    out.push(
                        Diagnostic::error(Code::UnknownKey, format!("`game` has no key `{key}`"))
                            .at(entry.key)
                            .maybe_help(known_instead(
                                &key,
                                ["evaluate", "loops", "repetition", "teams", "tie_breaks", "wins"],
                            )),
                    );
                    continue;
                }
            }
            let Some(list) = entry.node.as_list() else {
                out.push(wrong_type(&entry.node, "game.tie_breaks", "a list of texts"));
                continue;
            };
            for node in list {
                if let Some(expr) = self.expr(node, "game.tie_breaks", &scope, Ty::Int) {
                    self.rules.tie_breaks.push(expr);
                }
            }
        }
        let ranks: Vec<(String, Node)> =
            self.definitions.of("rank").map(|(id, entry)| (id.to_string(), entry.node.clone())).collect();
        for (id, node) in ranks {
            let Some(mut fields) = Fields::of(&node, format!("rank.{id}"), &mut out) else { continue };
            let from = fields.int("from", &mut out).unwrap_or(0);
            fields.also(&["title", "text", "only_in"]);
            fields.done(&mut out);
            self.rules.ranks.push(Rank { name: id, from });
        }
        self.rules.ranks.sort_by_key(|rank| rank.from);
        self.out.extend(out);
    }
}

/// Reads what happens when a loop is found.
fn read_loops(node: &Node, out: &mut Vec<Diagnostic>) -> LoopRules {
    let mut loops = LoopRules::default();
    let Some(mut fields) = Fields::of(node, "game.loops", out) else { return loops };
    let wrong = |fields: &mut Fields, key: &str, word: &str, known: &[&str], out: &mut Vec<Diagnostic>| {
        let help =
            did_you_mean(word, known.iter().copied()).unwrap_or_else(|| format!("write one of: {}", known.join(", ")));
        let at = fields.get(key).map_or(node.span, |node| node.span);
        let message = format!("`{word}` does not say what happens when a loop is found");
        out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
    };
    match fields.text("effects", out) {
        None => {}
        Some("stop") => loops.effects = EffectLoop::Stop,
        Some("draw") => loops.effects = EffectLoop::Draw,
        Some(word) => wrong(&mut fields, "effects", word, &["stop", "draw"], out),
    }
    match fields.text("free", out) {
        None => {}
        Some("leave_out") => loops.free = FreeLoop::LeaveOut,
        Some("stop") => loops.free = FreeLoop::Stop,
        Some("draw") => loops.free = FreeLoop::Draw,
        Some(word) => wrong(&mut fields, "free", word, &["leave_out", "stop", "draw"], out),
    }
    fields.done(out);
    loops
}

fn is_bare_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
}

/// `wins = "least"`: whether the lowest score wins.
fn reads_least(node: &Node, out: &mut Vec<Diagnostic>) -> bool {
    match node.as_str() {
        Some("most") => false,
        Some("least") => true,
        _ => {
            let help = "write \"most\" if the highest score wins, or \"least\"";
            out.push(
                Diagnostic::error(Code::WrongValue, "`game.wins` must be \"most\" or \"least\"")
                    .at(node.span)
                    .help(help),
            );
            false
        }
    }
}
