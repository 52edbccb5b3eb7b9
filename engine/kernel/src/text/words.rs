//! Readable texts: titles from the packs, the engine's own words around them, in one language.
//!
//! `event_text.rs` puts events into words; `keys.rs` names options for scenarios and programs.

use std::collections::BTreeMap;

use rulepack_model::{ActionId, GroupId, KindId, PhaseId, PieceId, PromptId, ResId, Seat, SymId, TypeId};

use crate::eval::bundle::{Bundle, ResourceSel};
use crate::eval::expressions::Eval;
use crate::eval::score::LineLabel;
use crate::flow::decision::{Ask, Decision, Opt};
use crate::hidden::sight::{Sight, Viewer};
use crate::rules::layout::{Name, SpaceName};
use crate::rules::ruleset::Ruleset;
use crate::state::table::State;
use crate::state::value::{Cell, Value, ZoneIx};
use crate::text::phrases::{Language, Phrases, as_packs_write, fill};

/// Puts a game into words in one language.
#[derive(Debug, Clone)]
pub struct Words<'r> {
    pub(crate) rules: &'r Ruleset,
    pub(crate) own: &'static Phrases,
    spoken: Language,
    language: String,
}

impl<'r> Words<'r> {
    /// The words of a language, named as `fr`, `pt-BR` or as a locale such as `fr_FR.UTF-8`. Untranslated texts are in
    /// the pack's own language.
    pub fn new(rules: &'r Ruleset, language: &str) -> Self {
        let has = |language: &str| rules.texts.has(language);
        let spoken = Language::of_game(language, &rules.texts.own, has);
        Words { rules, own: spoken.phrases(), spoken, language: as_packs_write(language, has) }
    }

    /// The language of the engine's own words.
    pub fn spoken(&self) -> Language {
        self.spoken
    }

    /// The language in use.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The title of a definition, such as `card.inn`.
    pub fn title(&self, path: &str) -> String {
        self.rules.texts.title(&self.language, path)
    }

    /// The title of a definition, if the pack gives it one.
    pub fn given_title(&self, path: &str) -> Option<String> {
        self.rules.texts.has_title(path).then(|| self.title(path))
    }

    /// The text of a definition, if it has one.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.rules.texts.text(&self.language, path)
    }

    fn named(&self, table: &str, name: &str) -> String {
        self.title(&format!("{table}.{name}"))
    }

    /// A player.
    pub fn seat(&self, seat: Seat) -> String {
        fill(self.own.player, &[("n", &(seat.index() + 1).to_string())])
    }

    /// A resource.
    pub fn resource(&self, res: ResId) -> String {
        self.named("resource", &self.rules.resources[res.index()].name)
    }

    /// A group of resources.
    pub fn group(&self, group: GroupId) -> String {
        self.named("group", &self.rules.groups[group.index()].name)
    }

    /// A kind of pieces.
    pub fn kind(&self, kind: KindId) -> String {
        self.named("kind", &self.rules.kinds[kind.index()].name)
    }

    /// A type of pieces.
    pub fn type_title(&self, ty: TypeId) -> String {
        self.title(&self.type_path(ty))
    }

    /// The path of a type, such as `card.inn`; a printing uses the path of its type.
    pub fn type_path(&self, ty: TypeId) -> String {
        let declared = &self.rules.types[self.rules.types[ty.index()].printing_of.index()];
        format!("{}.{}", self.rules.kinds[declared.kind.index()].name, declared.name)
    }

    /// A word of a closed list.
    pub fn symbol(&self, symbol: SymId) -> String {
        self.named("symbol", self.rules.symbol(symbol))
    }

    /// An action.
    pub fn action(&self, action: ActionId) -> String {
        self.named("action", &self.rules.actions[action.index()].name)
    }

    /// A phase.
    pub fn phase(&self, phase: PhaseId) -> String {
        self.named("phase", &self.rules.phases[phase.index()].name)
    }

    /// A question.
    pub fn prompt(&self, prompt: PromptId) -> String {
        self.named("prompt", &self.rules.prompts[prompt.index()])
    }

    /// A line of the score.
    pub fn line(&self, label: LineLabel) -> String {
        match label {
            LineLabel::Symbol(symbol) => self.symbol(symbol),
            LineLabel::Type(ty) => self.type_title(ty),
            LineLabel::Line(line) => self.named("score", &self.rules.score_lines[line as usize].name),
        }
    }

    /// A rank.
    pub fn rank(&self, rank: u16) -> String {
        self.named("rank", &self.rules.ranks[rank as usize].name)
    }

    /// A zone, with its owner if it has one.
    pub fn zone(&self, zone: ZoneIx) -> String {
        let title = self.named("zone", &self.rules.zone_of(zone).name);
        match self.rules.zone_owner(zone) {
            Some(owner) => format!("{title}, {}", self.seat(owner)),
            None => title,
        }
    }

    /// The name of a row or column: translated if the pack declares it as a word, else unchanged.
    fn word(&self, name: &str) -> String {
        let path = format!("word.{name}");
        if self.rules.texts.has_title(&path) { self.title(&path) } else { name.to_string() }
    }

    fn kinds(&self, kinds: ResourceSel) -> String {
        match kinds {
            ResourceSel::None => self.own.nothing.to_string(),
            ResourceSel::One(res) => self.resource(res),
            ResourceSel::Group(group) => self.group(group),
        }
    }

    /// A space within its zone; `None` if the zone has no spaces.
    pub fn space(&self, cell: Cell) -> Option<String> {
        let zone = self.rules.zone_of(cell.zone);
        let place = SpaceName::of(zone, cell.at)?;
        Some(match place {
            SpaceName::InRow(name) => match name {
                Name::Given(name) => self.word(name),
                Name::Number(n) => fill(self.own.space, &[("n", &n.to_string())]),
            },
            SpaceName::InGrid(row, column) => {
                let row = match row {
                    Name::Given(row) => self.word(row),
                    Name::Number(n) => fill(self.own.row, &[("n", &n.to_string())]),
                };
                match column {
                    Name::Given(column) => format!("{row}, {}", self.word(column)),
                    Name::Number(n) => format!("{row}, {}", fill(self.own.column, &[("n", &n.to_string())])),
                }
            }
        })
    }

    /// A space with its zone.
    pub fn cell(&self, cell: Cell) -> String {
        let zone = self.zone(cell.zone);
        match self.space(cell) {
            Some(space) => self.headed(&zone, &space),
            None => zone,
        }
    }

    /// A piece: its title, or only its kind if it is hidden.
    pub(crate) fn piece(&self, piece: PieceId, known: bool) -> String {
        if known {
            return self.type_title(self.rules.type_of(piece));
        }
        let kind = self.kind(self.rules.widest_kind(piece));
        match self.rules.back(piece) {
            Some(back) => format!("{kind} ({})", self.symbol(back)),
            None => kind,
        }
    }

    /// Any value; `known` says which pieces may be named.
    pub(crate) fn value(&self, value: Value, known: &dyn Fn(PieceId) -> bool) -> String {
        match value {
            Value::Nil => self.own.nothing.to_string(),
            Value::Int(n) => n.to_string(),
            Value::Bool(true) => self.own.yes.to_string(),
            Value::Bool(false) => self.own.no.to_string(),
            Value::Res(res) => self.resource(res),
            Value::Sym(symbol) => self.symbol(symbol),
            Value::Type(ty) => self.type_title(ty),
            Value::Seat(seat) => self.seat(seat),
            Value::Piece(piece) => self.piece(piece, known(piece)),
            Value::Cell(cell) => self.cell(cell),
        }
    }

    /// Additions to an option: its price, and the text of the piece that it names.
    pub fn remark(&self, eval: &Eval<'_>, decision: &Decision, option: Opt) -> String {
        let (price, value) = match option {
            Opt::Action(action, value) | Opt::Free(action, value) => (eval.price(decision.seat, action, value), value),
            Opt::Value(value) => (Bundle::default(), value),
            _ => return String::new(),
        };
        let mut remark = String::new();
        let sight = Sight::new(self.rules, eval.state, Viewer::Seat(decision.seat));
        // The price of a hidden piece would tell which piece it is.
        let is_named = value.piece().is_none_or(|piece| sight.may_choose_by_name(piece));
        let price = if is_named { price } else { Bundle::default() };
        let parts: Vec<String> = price
            .parts
            .iter()
            .filter(|(_, amount)| *amount > 0)
            .map(|(kinds, amount)| format!("{amount} {}", self.kinds(*kinds)))
            .collect();
        if !parts.is_empty() {
            let less = if price.less > 0 { format!(" − {}", price.less) } else { String::new() };
            remark += &format!(" ({}{less})", parts.join(" + "));
        }
        if let Value::Piece(piece) = value
            && is_named
            && let Some(text) = self.text(&self.type_path(self.rules.type_of(piece)))
        {
            let text: Vec<&str> = text.lines().map(str::trim).collect();
            remark += &format!(" – {}", text.join(" "));
        }
        remark
    }

    /// An option by itself; two options of a decision may read the same.
    pub(crate) fn option(&self, option: Opt, known: &dyn Fn(PieceId) -> bool) -> String {
        match option {
            Opt::Action(action, Value::Nil) | Opt::Free(action, Value::Nil) => self.action(action),
            Opt::Action(action, value) | Opt::Free(action, value) => {
                self.headed(&self.action(action), &self.value(value, known))
            }
            Opt::Value(value) => self.value(value, known),
            Opt::Branch(prompt, _) => self.prompt(prompt),
            Opt::Done => self.own.done.to_string(),
            Opt::Yes => self.own.yes.to_string(),
            Opt::No => self.own.no.to_string(),
            Opt::Continue => self.own.go_on.to_string(),
        }
    }

    /// Two texts joined by a colon, such as `Player 1: what next?`; each language sets its colon.
    pub fn headed(&self, head: &str, text: &str) -> String {
        fill(self.own.does, &[("who", head), ("what", text)])
    }

    /// The question, as the asked player reads it.
    pub fn question(&self, decision: &Decision) -> String {
        self.question_for(decision, Viewer::Seat(decision.seat))
    }

    /// The question, as a viewer reads it: pieces that this viewer does not see are called by their kind.
    pub fn question_for(&self, decision: &Decision, viewer: Viewer) -> String {
        let mut text = self.plain_question(decision);
        let is_own = viewer == Viewer::All || viewer == Viewer::Seat(decision.seat);
        let named = decision.ask.prompt().and_then(|prompt| self.rules.named_in_prompts.get(prompt.index()));
        for (number, name) in named.into_iter().flatten().enumerate() {
            let word = match decision.named.get(number) {
                Some((value, seen_by)) if is_own || is_public(*value) => {
                    self.value(*value, &|_| seen_by.includes(viewer))
                }
                // Others do not know what a number was worked out from. A script that asks has no names.
                Some(_) | None => "…".to_string(),
            };
            text = text.replace(&format!("{{{name}}}"), &word);
        }
        text
    }

    fn plain_question(&self, decision: &Decision) -> String {
        let asked = |prompt: Option<PromptId>, else_: &str| prompt.map_or(else_.to_string(), |id| self.prompt(id));
        match decision.ask {
            Ask::Menu(phase, prompt) => prompt.map_or_else(|| self.phase(phase), |prompt| self.prompt(prompt)),
            Ask::Param(action, _, prompt) => prompt.map_or_else(|| self.action(action), |prompt| self.prompt(prompt)),
            Ask::Choose(prompt) => asked(prompt, self.own.choose),
            Ask::Pay(what, n) => fill(self.own.pay, &[("n", &n.to_string()), ("what", &self.kinds(what))]),
            Ask::Gain(what, n) => fill(self.own.gain, &[("n", &n.to_string()), ("what", &self.kinds(what))]),
            Ask::LeaveOut(n) => fill(self.own.leave_out, &[("n", &n.to_string())]),
            Ask::From(res) => fill(self.own.from_where, &[("what", &self.resource(res))]),
            Ask::Keep(res) => fill(self.own.keep_where, &[("what", &self.resource(res))]),
            Ask::May(prompt) => asked(prompt, self.own.may),
            Ask::Either => self.own.choose.to_string(),
            Ask::Window(event, prompt) => prompt.map_or_else(
                || fill(self.own.respond, &[("what", &self.named("event", &self.rules.events[event.index()].name))]),
                |prompt| self.prompt(prompt),
            ),
            Ask::Pause => self.own.pause.to_string(),
            Ask::Acknowledge(prompt) => self.prompt(prompt),
        }
    }

    /// The options of a decision, each with a text that no other has.
    pub fn options(&self, state: &State, decision: &Decision) -> Vec<String> {
        let sight = Sight::new(self.rules, state, Viewer::Seat(decision.seat));
        let known = |piece: PieceId| sight.may_choose_by_name(piece);
        let mut texts: Vec<String> = decision.options.iter().map(|option| self.option(*option, &known)).collect();
        let places = |zones: bool| -> Vec<Option<String>> {
            decision.options.iter().map(|option| self.place_of(state, *option, zones)).collect()
        };
        for zones in [false, true] {
            let twice = repeated(&texts);
            if twice.iter().any(|twice| *twice) {
                let plain: Vec<String> = decision.options.iter().map(|option| self.option(*option, &known)).collect();
                for (n, place) in places(zones).into_iter().enumerate() {
                    if let (true, Some(place)) = (twice[n], place) {
                        texts[n] = format!("{} ({place})", plain[n]);
                    }
                }
            }
        }
        number(&mut texts);
        texts
    }

    /// The place of the piece of an option.
    fn place_of(&self, state: &State, option: Opt, with_zone: bool) -> Option<String> {
        match option {
            Opt::Action(_, Value::Piece(piece))
            | Opt::Free(_, Value::Piece(piece))
            | Opt::Value(Value::Piece(piece)) => {
                let cell = state.cell_of(piece);
                if with_zone { Some(self.cell(cell)) } else { self.space(cell) }
            }
            _ => None,
        }
    }
}

/// Whether a value may be named to all players; of a piece, each sees what it sees.
fn is_public(value: Value) -> bool {
    match value {
        Value::Seat(_) | Value::Piece(_) | Value::Cell(_) => true,
        Value::Nil | Value::Int(_) | Value::Bool(_) | Value::Res(_) | Value::Sym(_) | Value::Type(_) => false,
    }
}

fn repeated(texts: &[String]) -> Vec<bool> {
    let mut counts = BTreeMap::new();
    for text in texts {
        *counts.entry(text.as_str()).or_insert(0) += 1;
    }
    texts.iter().map(|text| counts[text.as_str()] > 1).collect()
}

/// Numbers options that still have the same text.
fn number(texts: &mut [String]) {
    let twice = repeated(texts);
    for n in 0..texts.len() {
        if !twice[n] {
            continue;
        }
        let text = (1..)
            .map(|number| format!("{} #{number}", texts[n]))
            .find(|text| !texts.contains(text))
            .unwrap_or_default();
        texts[n] = text;
    }
}
