//! A game in words: everything on the table, the variables, the random generator and the question, by the names that the pack
//! gives them.
//!
//! The hash over these lines does not depend on how the engine lays a state out in memory, on the order of definitions, or on
//! numbers that the linker assigns. Two versions of the engine that play by the same rules give the same hash, so that tests
//! can show that a change of the engine changes no rule. It is slow and not meant for play: see [`Game::hash`] for that.
//! Frames are not part of it: the present question, and those that follow its answers, depend on all that they contain.

use std::collections::BTreeMap;
use std::hash::Hash;

use rulepack_expr::Subject;
use rulepack_model::{PieceId, PromptId, ResId, Seat, StableHasher, VarId};

use crate::eval::bundle::ResourceSel;
use crate::eval::score::{Line, LineLabel};
use crate::flow::decision::{Ask, Decision};
use crate::flow::game::Game;
use crate::rules::ruleset::Ruleset;
use crate::state::table::State;
use crate::state::value::{Value, ZoneIx};
use crate::text::keys::{seat_key, space_key, value_keys};

impl Game {
    /// A hash of [`Game::content`].
    pub fn content_hash(&self) -> u128 {
        let mut hasher = StableHasher::new();
        self.content().hash(&mut hasher);
        hasher.finish128()
    }

    /// The whole game, one line for each zone, amount or variable, such as `player_1.hand: inn#2 ferry#1` or
    /// `player_2.coin = 3`.
    pub fn content(&self) -> Vec<String> {
        let content = Content { rules: self.rules(), state: self.state(), names: piece_names(self.rules()) };
        let mut lines = content.zones();
        lines.extend(content.resources());
        lines.extend(content.variables());
        lines.extend(content.turn());
        lines.extend(self.state().chance().in_words(&content.names));
        match self.decision() {
            Some(decision) => {
                lines.push(format!("{} is asked {}", seat_key(decision.seat), content.question(decision)));
                // In their order: answers are given by number.
                lines.extend(self.option_names(decision).into_iter().map(|name| format!("option {name}")));
            }
            None => lines.push("nobody is asked".into()),
        }
        lines.extend(content.outcome());
        lines
    }
}

/// A name for each piece: its owner at the start, its type, and the number of the copy, such as `inn#2` or `player_1.lamp#1`.
fn piece_names(rules: &Ruleset) -> Vec<String> {
    let mut copies: BTreeMap<(String, Option<Seat>), u32> = BTreeMap::new();
    let name = |piece: &crate::rules::ruleset::PieceInit| {
        let ty = &rules.types[piece.ty.index()].name;
        let copy = copies.entry((ty.clone(), piece.owner)).or_default();
        *copy += 1;
        let owner = piece.owner.map_or(String::new(), |owner| format!("{}.", seat_key(owner)));
        format!("{owner}{ty}#{copy}")
    };
    rules.pieces.iter().map(name).collect()
}

struct Content<'g> {
    rules: &'g Ruleset,
    state: &'g State,
    names: Vec<String>,
}

impl Content<'_> {
    fn piece(&self, piece: PieceId) -> &str {
        &self.names[piece.index()]
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Piece(piece) => self.piece(piece).to_string(),
            Value::Cell(cell) => {
                format!("{}.{}", self.zone(cell.zone), space_key(self.rules, cell).unwrap_or_default())
            }
            Value::Nil => "nothing".into(),
            other => value_keys(self.rules, self.state, other).into_iter().next().unwrap_or_default(),
        }
    }

    fn zone(&self, zone: ZoneIx) -> String {
        let name = &self.rules.zone_of(zone).name;
        self.rules.zone_owner(zone).map_or_else(|| name.clone(), |owner| format!("{}.{name}", seat_key(owner)))
    }

    /// Every zone with its pieces from bottom to top: where each lies, and how.
    fn zones(&self) -> Vec<String> {
        let line = |zone: ZoneIx| {
            let mut line = format!("{}:", self.zone(zone));
            for piece in self.state.zone(zone) {
                let lies = self.state.piece(piece);
                line += &format!(" {}", self.piece(piece));
                if let Some(space) = space_key(self.rules, self.state.cell_of(piece)) {
                    line += &format!("@{space}");
                }
                if let Some(host) = self.state.host(piece) {
                    line += &format!(" on {}", self.piece(host));
                }
                line += if lies.face_down { " face down" } else { "" };
                line += if lies.flipped { " flipped" } else { "" };
            }
            line
        };
        sorted((0..self.rules.zone_instances.len()).map(|zone| line(ZoneIx(zone as u16))).collect())
    }

    /// The amounts of resources that are not 0: of players, on pieces and in the supply.
    fn resources(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, resource) in self.rules.resources.iter().enumerate() {
            let res = ResId::from(index);
            let name = &resource.name;
            let mut add = |whose: String, amount: i32| {
                if amount != 0 {
                    lines.push(format!("{whose}.{name} = {amount}"));
                }
            };
            for seat in self.rules.seats() {
                add(seat_key(seat), self.state.amount(self.rules, seat, res));
            }
            for piece in (0..self.rules.pieces.len()).map(PieceId::from) {
                add(self.piece(piece).to_string(), self.state.held(self.rules, piece, res));
            }
            if resource.supply.is_some() {
                add("supply".into(), self.state.supply(self.rules, res));
            }
        }
        sorted(lines)
    }

    /// The variables that differ from their start values.
    fn variables(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, var) in self.rules.vars.iter().enumerate() {
            let id = VarId::from(index);
            let mut add = |whose: String, owner: Option<Value>| {
                let is_there = State::var_slot(self.rules, id, owner).is_some();
                let value = self.state.var(self.rules, id, owner);
                if is_there && value != var.start {
                    lines.push(format!("{whose}{} = {}", var.name, self.value(value)));
                }
            };
            match var.subject {
                Subject::Game => add(String::new(), None),
                Subject::Seat => {
                    for seat in self.rules.seats() {
                        add(format!("{}.", seat_key(seat)), Some(Value::Seat(seat)));
                    }
                }
                // Piece by piece, below; spaces have none.
                Subject::Piece(_) | Subject::Space => {}
            }
        }
        for piece in (0..self.rules.pieces.len()).map(PieceId::from) {
            let marks = self.state.variables_of(self.rules, piece).filter(|(_, var, value)| *value != var.start);
            lines.extend(
                marks.map(|(_, var, value)| format!("{}.{} = {}", self.piece(piece), var.name, self.value(value))),
            );
        }
        sorted(lines)
    }

    fn turn(&self) -> Vec<String> {
        let seats = |seats: &mut dyn Iterator<Item = Seat>| seats.map(seat_key).collect::<Vec<_>>().join(" ");
        let state = self.state;
        let active = state.active().map_or_else(|| "nobody".to_string(), seat_key);
        let mut lines = vec![
            format!("turn {} of {active}", state.turns()),
            format!("passed: {}", seats(&mut self.rules.seats().filter(|seat| state.has_passed(*seat)))),
            format!("in the order: {}", seats(&mut state.pass_order().iter().copied())),
            format!("dice to come: {:?}", state.fixed_rolls()),
        ];
        lines.extend(state.out().iter().map(|(seat, until)| match until {
            None => format!("{} is out", seat_key(*seat)),
            Some(phase) => {
                format!("{} is out until {} goes on", seat_key(*seat), self.rules.phases[phase.index()].name)
            }
        }));
        if !state.positions().is_empty() {
            lines.push(format!("{} positions", state.positions().len()));
        }
        let looks = state.lasting_looks().iter();
        lines.extend(looks.map(|(seat, piece)| format!("{} has seen {}", seat_key(*seat), self.piece(*piece))));
        lines
    }

    fn question(&self, decision: &Decision) -> String {
        let rules = self.rules;
        let prompt = |prompt: Option<PromptId>| prompt.map_or("", |prompt| rules.prompts[prompt.index()].as_str());
        let resource = |res: ResId| rules.resources[res.index()].name.as_str();
        let several = |kinds: ResourceSel| {
            kinds.members(rules).iter().map(|res| resource(*res).to_string()).collect::<Vec<_>>().join(" ")
        };
        match decision.ask {
            Ask::Menu(phase, text) => format!("menu {} {}", rules.phases[phase.index()].name, prompt(text)),
            Ask::Param(action, number, text) => {
                format!("parameter {number} of {} {}", rules.actions[action.index()].name, prompt(text))
            }
            Ask::Choose(text) => format!("choose {}", prompt(text)),
            Ask::Pay(kinds, amount) => format!("pay {amount} {}", several(kinds)),
            Ask::Gain(kinds, amount) => format!("gain {amount} {}", several(kinds)),
            Ask::LeaveOut(amount) => format!("leave out {amount}"),
            Ask::From(res) => format!("from {}", resource(res)),
            Ask::Keep(res) => format!("keep {}", resource(res)),
            Ask::May(text) => format!("may {}", prompt(text)),
            Ask::Either => "either".into(),
            Ask::Window(event, text) => format!("window {} {}", rules.events[event.index()].name, prompt(text)),
            Ask::Pause => "pause".into(),
            Ask::Acknowledge(text) => format!("seen {}", prompt(Some(text))),
        }
    }

    fn outcome(&self) -> Vec<String> {
        let Some(outcome) = self.state.outcome() else { return Vec::new() };
        let mut lines = Vec::new();
        for (seat, sheet) in self.rules.seats().zip(&outcome.sheets) {
            let whose = seat_key(seat);
            for Line { label, pieces, points } in &sheet.lines {
                let label = match label {
                    LineLabel::Symbol(symbol) => self.rules.symbol(*symbol),
                    LineLabel::Type(ty) => &self.rules.types[ty.index()].name,
                    LineLabel::Line(line) => &self.rules.score_lines[usize::from(*line)].name,
                };
                lines.push(format!("{whose}: {points} points of {pieces} {label}"));
            }
            let rank = sheet.rank.map_or("no rank", |rank| self.rules.ranks[usize::from(rank)].name.as_str());
            lines.push(format!("{whose}: {} points, {:?}, {rank}", sheet.total, sheet.tie_breaks));
        }
        lines.extend(outcome.winners.iter().map(|seat| format!("{} has won", seat_key(*seat))));
        lines
    }
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}
