//! Writes a game that somebody plays as a scenario: the table before the last action, the answers since, and what holds now.
//!
//! Not every table can be written in this way, for example in the middle of an effect. Then the scenario begins with the
//! set-up and gives all answers again.

use std::fmt::Write;

use rulepack_expr::Subject;
use rulepack_kernel::{Answer, Cell, FileFormat, Game, Header, Ruleset, State, Value, ZoneIx, seat_key, space_key};
use rulepack_model::visible::{lines, one_line};
use rulepack_model::{Diagnostic, PieceId, ResId, Seat, VarId};
use rulepack_pack::LinkRequest;

use super::batch::{read_scenarios, request};
use super::one::{Stopped, begin_scenario};
use super::write::{quoted, words_of};
use crate::load::Library;
use crate::render::render;
use crate::replay::Start;
use crate::session::Session;

/// The largest number of answers of a scenario: nobody would read a longer one.
const MOST_ANSWERS: usize = 500;

/// A scenario of a game that is being played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// From the table before the last action, if it can be written.
    pub from_table: Option<String>,
    /// From the beginning of the game, if it began with a seed and there are not too many answers.
    pub from_setup: Option<String>,
}

/// Writes the present position of a game as the end of a scenario. Whoever writes the text to a file should test it, and take the
/// other text if it fails.
pub fn record(session: &Session, about: &str) -> Recorded {
    Recorded { from_table: from_table(session, about), from_setup: from_setup(session, about) }
}

/// The game at the beginning of the first scenario of a file: its given table, before its first step.
///
/// # Errors
/// Why there is none, in lines for people: the file, its pack or its table is wrong.
pub fn open(library: &Library, path: &str) -> Result<Session, String> {
    let rendered = |diagnostics: &[Diagnostic]| render(diagnostics, &library.sources(), false).trim_end().to_string();
    let (scenarios, mistakes) = read_scenarios(library, path).map_err(|error| error.to_string())?;
    if mistakes.iter().any(Diagnostic::is_error) {
        return Err(rendered(&mistakes));
    }
    let scenario = scenarios.first().ok_or_else(|| format!("`{}` holds no scenario", one_line(path)))?;
    let game_box = library.load(&request(scenario)).map_err(|mistakes| rendered(&mistakes))?;
    let host = game_box.host_here().map_err(|fault| fault.to_string())?;
    let begun = begin_scenario(scenario, game_box.rules(), &*host, &library.sources());
    match begun {
        Ok(game) => Ok(Session::at_table(&game_box, game)),
        Err(Stopped::Mistakes(mistakes)) => Err(rendered(&mistakes)),
        Err(Stopped::Unfit { message, .. } | Stopped::Failed(message)) => Err(lines(&message).into_owned()),
    }
}

/// The table before the last action whose answers lead to the present question.
fn from_table(session: &Session, about: &str) -> Option<String> {
    let mut before = session.fork();
    before.undo(1).ok()?;
    while !before.game().is_at_turn_menu() {
        if before.depth() == 0 {
            before = session.fork();
            break;
        }
        before.undo(1).ok()?;
    }
    let seed = match session.began() {
        Start::Seed(seed) => *seed,
        Start::Save(_) => 1,
    };
    let mut text = head(session.game(), seed, "play", about);
    text += &table(before.game())?;
    let answers = session.depth().saturating_sub(before.depth());
    steps(&mut text, before, session, answers)?;
    Some(text)
}

/// All answers since the game began.
fn from_setup(session: &Session, about: &str) -> Option<String> {
    let Start::Seed(seed) = session.began() else { return None };
    if session.depth() > MOST_ANSWERS {
        return None;
    }
    let mut text = head(session.game(), *seed, "setup", about);
    steps(&mut text, session.at(0).ok()?, session, session.depth())?;
    Some(text)
}

fn list(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ")
}

fn head(game: &Game, seed: u64, from: &str, about: &str) -> String {
    let rules = game.rules();
    let request = LinkRequest::of(&Header::new(FileFormat::Save, rules));
    let mut text = format!("about = {}\npack = {}\n\n[given]\n", quoted(about), quoted(&rules.pack));
    if !rules.modes.is_empty() {
        let _ = writeln!(text, "modes = [{}]", list(&rules.modes));
    }
    if !request.with.is_empty() {
        let _ = writeln!(text, "with = [{}]", list(&request.with));
    }
    let seats: Vec<String> = rules.seats().map(seat_key).collect();
    let _ = writeln!(text, "players = [{}]\nseed = {seed}\nfrom = {}", list(&seats), quoted(from));
    text
}

/// The steps from a game to the present one, and what holds then.
fn steps(text: &mut String, mut game: Session, now: &Session, answers: usize) -> Option<()> {
    let mut steps: Vec<(String, Vec<String>)> = Vec::new();
    let given: Vec<_> = now.answers_since(now.depth().saturating_sub(answers)).collect();
    for given in given {
        let (answer, _) = game.game().find(&given).ok()?;
        let decision = game.decision()?;
        let words = words_of(game.game(), decision, answer)?;
        match steps.last_mut() {
            Some((last, chosen)) if *last == given.seat => chosen.extend(words),
            _ => steps.push((given.seat.clone(), words)),
        }
        game.answer(answer).ok()?;
    }
    let has_steps = !steps.is_empty();
    for (seat, words) in steps {
        let _ = write!(text, "\n[[when]]\nseat = {}\nchoose = [{}]\n", quoted(&seat), list(&words));
    }
    let (rules, state) = (now.game().rules(), now.game().state());
    match now.decision() {
        Some(decision) => {
            let offered: Vec<String> = (0..decision.options.len())
                .map(|index| words_of(now.game(), decision, Answer(index as u16)).map(|words| words.join(" ")))
                .collect::<Option<_>>()?;
            let seat = seat_key(decision.seat);
            let _ = write!(text, "\n[[when]]\nseat = {}\nall_offered = [{}]\n", quoted(&seat), list(&offered));
            let _ = write!(text, "\n[then]\nasked = {}\n", quoted(&seat));
        }
        None => text.push_str("\n[then]\nover = true\n"),
    }
    if has_steps {
        for seat in rules.seats() {
            let amounts = amounts(rules, state, seat);
            if !amounts.is_empty() {
                let _ = writeln!(text, "seat.{} = {{ {} }}", seat_key(seat), amounts.join(", "));
            }
        }
    }
    Some(())
}

/// What a player has, but for what lies on pieces.
fn amounts(rules: &Ruleset, state: &State, seat: Seat) -> Vec<String> {
    let own = rules.resources.iter().enumerate().filter(|(_, resource)| !resource.kept);
    own.map(|(index, resource)| format!("{} = {}", resource.name, state.amount(rules, seat, ResId::from(index))))
        .collect()
}

/// The table; nothing if a scenario has no words for a part of it.
fn table(game: &Game) -> Option<String> {
    let (rules, state) = (game.rules(), game.state());
    let writer = Writer { rules, state };
    let mut text = String::new();
    if let Some(first) = state.turn_order(rules, None).first() {
        let _ = writeln!(text, "first = {}", quoted(&seat_key(*first)));
    }
    if let Some(active) = state.active() {
        let _ = writeln!(text, "turn = {}", quoted(&seat_key(active)));
    }
    let passed: Vec<String> = rules.seats().filter(|seat| state.has_passed(*seat)).map(seat_key).collect();
    if !passed.is_empty() {
        let _ = writeln!(text, "passed = [{}]", list(&passed));
    }
    let vars = writer.variables(None, |subject| subject == Subject::Game)?;
    if !vars.is_empty() {
        let _ = writeln!(text, "vars = {{ {} }}", vars.join(", "));
    }
    for (owner, seat) in std::iter::once((None, None)).chain(rules.seats().map(|seat| (Some(seat), Some(seat)))) {
        let mut lines = match seat {
            Some(seat) => {
                let mut lines = amounts(rules, state, seat);
                lines.extend(writer.variables(Some(Value::Seat(seat)), |subject| subject == Subject::Seat)?);
                lines
            }
            None => Vec::new(),
        };
        for index in 0..rules.zone_instances.len() {
            let zone = ZoneIx(u16::try_from(index).ok()?);
            if rules.zone_owner(zone) == owner {
                lines.extend(writer.zone(zone)?);
            }
        }
        if !lines.is_empty() {
            let name = seat.map_or_else(|| "zone".to_string(), |seat| format!("seat.{}", seat_key(seat)));
            let _ = write!(text, "\n[given.{name}]\n{}\n", lines.join("\n"));
        }
    }
    Some(text)
}

struct Writer<'g> {
    rules: &'g Ruleset,
    state: &'g State,
}

impl Writer<'_> {
    /// Variables that differ from their start, each as `name = value`.
    fn variables(&self, owner: Option<Value>, is_wanted: impl Fn(Subject) -> bool) -> Option<Vec<String>> {
        let mut all = Vec::new();
        for (index, var) in self.rules.vars.iter().enumerate().filter(|(_, var)| is_wanted(var.subject)) {
            let value = self.state.var(self.rules, VarId::from(index), owner);
            // Names with a space are the engine's own counters, which a scenario cannot set.
            if value == var.start {
                continue;
            }
            if var.name.contains(' ') {
                return None;
            }
            all.push(format!("{} = {}", var.name, self.value(value)?));
        }
        Some(all)
    }

    fn value(&self, value: Value) -> Option<String> {
        Some(match value {
            Value::Int(number) => number.to_string(),
            Value::Bool(flag) => flag.to_string(),
            Value::Res(res) => quoted(&self.rules.resource(res).name),
            Value::Sym(symbol) => quoted(self.rules.symbol(symbol)),
            Value::Type(ty) => quoted(&self.rules.ty(ty).name),
            Value::Seat(seat) => quoted(&seat_key(seat)),
            Value::Nil | Value::Piece(_) | Value::Cell(_) => return None,
        })
    }

    /// What lies in a zone, as `name = contents`; nothing for an empty zone in which nothing starts.
    fn zone(&self, zone: ZoneIx) -> Option<Vec<String>> {
        let declared = self.rules.zone_of(zone);
        let starts_here = self.rules.pieces.iter().any(|piece| piece.zone == zone);
        if self.state.zone_len(zone) == 0 && !starts_here && declared.refill.is_none() && !declared.layout.has_spaces()
        {
            return Some(Vec::new());
        }
        if !declared.layout.has_spaces() {
            return Some(vec![format!("{} = [{}]", declared.name, self.pile(Cell { zone, at: 0 })?)]);
        }
        let mut spaces = Vec::new();
        for at in 0..declared.layout.cells() {
            let cell = Cell { zone, at };
            let name = space_key(self.rules, cell).unwrap_or_else(|| u32::from(at).saturating_add(1).to_string());
            spaces.push(format!("{} = [{}]", quoted(&name), self.pile(cell)?));
        }
        Some(vec![format!("{} = {{ {} }}", declared.name, spaces.join(", "))])
    }

    /// The pieces of a space that lie on no other piece, from bottom to top.
    fn pile(&self, cell: Cell) -> Option<String> {
        let stands = |piece: &PieceId| self.state.host(*piece).is_none();
        let pieces: Vec<PieceId> = self.state.pieces_at(cell).filter(stands).collect();
        Some(pieces.into_iter().map(|piece| self.piece(piece)).collect::<Option<Vec<_>>>()?.join(", "))
    }

    fn piece(&self, piece: PieceId) -> Option<String> {
        let name = quoted(&self.rules.ty(self.rules.type_of(piece)).name);
        let lies = self.state.piece(piece);
        let mut keys = Vec::new();
        for (index, resource) in self.rules.resources.iter().enumerate() {
            let amount = self.state.held(self.rules, piece, ResId::from(index));
            if amount != 0 {
                keys.push(format!("{} = {amount}", resource.name));
            }
        }
        let own = |subject: Subject| match subject {
            Subject::Piece(None) => true,
            Subject::Piece(Some(kind)) => self.rules.is_kind(self.rules.kind_of(piece), kind),
            Subject::Game | Subject::Seat | Subject::Space => false,
        };
        keys.extend(self.variables(Some(Value::Piece(piece)), own)?);
        for (key, holds) in [("face_down", lies.face_down), ("flipped", lies.flipped)] {
            if holds {
                keys.push(format!("{key} = true"));
            }
        }
        let on: Vec<PieceId> = self.state.attached(piece).collect();
        if !on.is_empty() {
            let on = on.into_iter().map(|rider| self.piece(rider)).collect::<Option<Vec<_>>>()?;
            keys.push(format!("on = [{}]", on.join(", ")));
        }
        Some(if keys.is_empty() { name } else { format!("{{ piece = {name}, {} }}", keys.join(", ")) })
    }
}
