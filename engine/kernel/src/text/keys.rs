//! The names of options for scenarios and programs: ids, in no language.

use rulepack_model::PieceId;

use crate::flow::decision::Opt;
use crate::flow::frame::ResourceHolder;
use crate::flow::log::LogEntry;
use crate::rules::layout::SpaceName;
use crate::rules::ruleset::Ruleset;
use crate::state::table::State;
use crate::state::value::{Cell, Value, ZoneIx};
use crate::text::words::Words;

/// The paths that name an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionKeys {
    /// The shortest, such as `["open", "inn"]`; two options of a decision may share it.
    pub primary: Vec<String>,
    /// Others with more detail, such as `["open", "inn@II.left"]`.
    pub others: Vec<Vec<String>>,
}

impl OptionKeys {
    /// Whether a path names the option.
    pub fn matches<S: AsRef<str>>(&self, path: &[S]) -> bool {
        std::iter::once(&self.primary)
            .chain(&self.others)
            .any(|key| key.len() == path.len() && key.iter().zip(path).all(|(word, wanted)| word == wanted.as_ref()))
    }
}

impl Words<'_> {
    /// The names of an option.
    pub fn keys(&self, state: &State, option: Opt) -> OptionKeys {
        option_keys(self.rules, state, option)
    }
}

/// The names of an option.
pub fn option_keys(rules: &Ruleset, state: &State, option: Opt) -> OptionKeys {
    let word = |word: &str| OptionKeys { primary: vec![word.to_string()], others: Vec::new() };
    match option {
        Opt::Action(action, value) | Opt::Free(action, value) => {
            let name = rules.actions[action.index()].name.clone();
            let paths: Vec<Vec<String>> =
                value_keys(rules, state, value).into_iter().map(|key| vec![name.clone(), key]).collect();
            split(if paths.is_empty() { vec![vec![name]] } else { paths })
        }
        Opt::Value(Value::Nil) => word("nothing"),
        Opt::Value(value) => split(value_keys(rules, state, value).into_iter().map(|key| vec![key]).collect()),
        Opt::Branch(prompt, _) => word(&rules.prompts[prompt.index()]),
        Opt::Done => word("done"),
        Opt::Yes => word("yes"),
        Opt::No => word("no"),
        Opt::Continue => word("continue"),
    }
}

fn split(mut paths: Vec<Vec<String>>) -> OptionKeys {
    let others = paths.split_off(paths.len().min(1));
    OptionKeys { primary: paths.pop().unwrap_or_default(), others }
}

/// The names of something that the game chose by itself: a piece is named by its place at that time.
pub fn forced_keys(rules: &Ruleset, state: &State, option: Opt, at: Option<Cell>) -> OptionKeys {
    match (option, at) {
        (Opt::Value(Value::Piece(piece)), Some(cell)) => {
            split(piece_keys(rules, piece, cell).into_iter().map(|key| vec![key]).collect())
        }
        _ => option_keys(rules, state, option),
    }
}

/// The names of a value, the shortest first; empty for no value.
pub fn value_keys(rules: &Ruleset, state: &State, value: Value) -> Vec<String> {
    match value {
        Value::Nil => Vec::new(),
        Value::Int(n) => vec![n.to_string()],
        Value::Bool(flag) => vec![flag.to_string()],
        Value::Res(res) => vec![rules.resources[res.index()].name.clone()],
        Value::Sym(symbol) => vec![rules.symbol(symbol).to_string()],
        Value::Type(ty) => vec![rules.types[ty.index()].name.clone()],
        Value::Seat(seat) => vec![seat_key(seat)],
        Value::Cell(cell) => cell_keys(rules, cell),
        Value::Piece(piece) => piece_keys(rules, piece, state.cell_of(piece)),
    }
}

/// The names of a piece that lies there, the shortest first.
fn piece_keys(rules: &Ruleset, piece: PieceId, cell: Cell) -> Vec<String> {
    let ty = &rules.types[rules.type_of(piece).index()];
    let root = &rules.types[ty.printing_of.index()].name;
    // Copies that differ only in something that has no name share a name.
    let name = if ty.same_name { root } else { &ty.name };
    let mut keys = vec![name.clone()];
    if SpaceName::of(rules.zone_of(cell.zone), cell.at).is_some() {
        keys.extend(cell_keys(rules, cell).into_iter().map(|place| format!("{name}@{place}")));
    }
    keys.push(format!("{name}@{}", rules.zone_of(cell.zone).name));
    if let Some(owner) = rules.zone_owner(cell.zone) {
        keys.push(format!("{name}@{}", seat_key(owner)));
    }
    if ty.name != *name {
        keys.push(ty.name.clone());
    }
    if root != name {
        keys.push(root.clone());
    }
    keys
}

/// The name of a player: `player_1` is the first.
pub fn seat_key(seat: rulepack_model::Seat) -> String {
    format!("player_{}", seat.index() + 1)
}

/// The name of a space within its zone, such as `II.left` or `3`.
pub fn space_key(rules: &Ruleset, cell: Cell) -> Option<String> {
    SpaceName::of(rules.zone_of(cell.zone), cell.at).map(|name| name.to_string())
}

fn cell_keys(rules: &Ruleset, cell: Cell) -> Vec<String> {
    let zone = &rules.zone_of(cell.zone).name;
    let Some(name) = space_key(rules, cell) else { return vec![zone.clone()] };
    let number = (cell.at + 1).to_string();
    let mut keys = vec![name.clone()];
    if number != name {
        keys.push(number.clone());
        keys.push(format!("{zone}.{number}"));
    }
    keys.push(format!("{zone}.{name}"));
    if let Some(owner) = rules.zone_owner(cell.zone) {
        keys.push(format!("{}.{zone}.{name}", seat_key(owner)));
    }
    keys
}

/// An event by ids, such as `moved inn deck hand`; `None` for events that people do not read either. It contains
/// everything, hidden information too, for code that compares two games.
pub fn event_key(rules: &Ruleset, state: &State, event: &LogEntry) -> Option<String> {
    let value = |value: Value| value_keys(rules, state, value).into_iter().next().unwrap_or_else(|| "nothing".into());
    let piece = |piece: &PieceId| value(Value::Piece(*piece));
    let seat = |seat: &Option<rulepack_model::Seat>| seat.map_or_else(|| "nobody".to_string(), seat_key);
    let zone = |zone: ZoneIx| {
        let owner = rules.zone_owner(zone).map_or(String::new(), |owner| format!("{}.", seat_key(owner)));
        format!("{owner}{}", rules.zone_of(zone).name)
    };
    let cell = |at: &Cell| {
        let space = space_key(rules, *at).map_or(String::new(), |space| format!(".{space}"));
        format!("{}{space}", zone(at.zone))
    };
    let place = |place: &ResourceHolder| match place {
        ResourceHolder::Supply => "supply".to_string(),
        ResourceHolder::Seat(seat) => seat_key(*seat),
        ResourceHolder::Piece(piece) => value(Value::Piece(*piece)),
    };
    let resource = |res: &rulepack_model::ResId| rules.resources[res.index()].name.as_str();
    let list = |values: &[Value]| values.iter().map(|one| value(*one)).collect::<Vec<_>>().join(",");
    Some(match event {
        LogEntry::PhaseBegan { phase, count } => format!("phase {} {count}", rules.phases[phase.index()].name),
        LogEntry::TurnBegan { seat } => format!("turn {}", seat_key(*seat)),
        LogEntry::Eliminated { seat, round } => {
            format!("eliminated {}{}", seat_key(*seat), if *round { " round" } else { "" })
        }
        LogEntry::Repeated { times } => format!("repeated {times}"),
        LogEntry::Passed { seat } => format!("passed {}", seat_key(*seat)),
        LogEntry::ActionTaken { seat, action, args, .. } => {
            format!("action {} {} {}", seat_key(*seat), rules.actions[action.index()].name, list(args))
        }
        LogEntry::Chose { seat, option, .. } => {
            format!("chose {} {}", seat_key(*seat), option_keys(rules, state, *option).primary.join(" "))
        }
        LogEntry::Transferred { from, to, res, amount } => {
            format!("transferred {} {} {amount} {}", place(from), place(to), resource(res))
        }
        LogEntry::Lost { by, res, amount } => format!("lost {} {amount} {}", place(by), resource(res)),
        LogEntry::Looked { seat, at, pieces } => {
            let pieces: Vec<String> = pieces.iter().map(piece).collect();
            format!("looked {} {} {}", seat_key(*seat), cell(at), pieces.join(","))
        }
        LogEntry::Shown { to, at, pieces } => {
            let to = to
                .as_ref()
                .map_or_else(String::new, |to| to.iter().map(|seat| format!("{} ", seat_key(*seat))).collect());
            let pieces: Vec<String> = pieces.iter().map(piece).collect();
            format!("shown {to}{} {}", cell(at), pieces.join(","))
        }
        LogEntry::Disclosed { values, prompt } => {
            let prompt = prompt.map_or("", |prompt| rules.prompts[prompt.index()].as_str());
            format!("disclosed {prompt} {}", list(values))
        }
        LogEntry::Noted { prompt, values } => {
            let values: Vec<Value> = values.iter().map(|(value, _)| *value).collect();
            format!("noted {} {}", rules.prompts[prompt.index()], list(&values))
        }
        LogEntry::Moved { piece: moved, from, to, .. } => {
            format!("moved {} {} {}", piece(moved), cell(from), cell(to))
        }
        LogEntry::Laid { piece: laid, on, .. } => format!("laid {} {}", piece(laid), piece(on)),
        LogEntry::Flipped { piece: flipped } => format!("flipped {}", piece(flipped)),
        LogEntry::Shuffled { zone: shuffled } => format!("shuffled {}", zone(*shuffled)),
        LogEntry::Rolled { seat: by, sides, result, secret: _ } => format!("rolled {} {result} of {sides}", seat(by)),
        LogEntry::Looped { names } => format!("looped {}", names.join(" ")),
        LogEntry::AllChose => "all chose".to_string(),
        LogEntry::GameOver => "over".to_string(),
        LogEntry::Raised { .. } | LogEntry::Forced { .. } | LogEntry::ActionBegan { .. } => return None,
    })
}
