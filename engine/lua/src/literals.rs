//! Names of the game in string literals of scripts: zones, resources, events, prompts and so on, and arguments of
//! events and actions. Only literals are checked, and nothing in scripts that several packs share.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::tree::{LuaCallExpr, LuaExpr, LuaLiteralToken, LuaTableExpr};
use rulepack_model::{Code, Diagnostic, did_you_mean};

use crate::kinds::Kinds;
use crate::program::Program;
use crate::scope::{key_name, range};
use crate::texts::{literal, tables, texts};

/// The sort of thing that a string names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Sort {
    Resource,
    Zone,
    Prompt,
    Event,
    Action,
    Variable,
    Value,
    Effect,
    Cost,
    Way,
    /// A kind or a type.
    Piece,
    /// A kind, its plural, or a type.
    Pieces,
    /// A type or a resource.
    Described,
    Attribute,
    /// A symbol.
    Symbol,
    Type,
    Kind,
    /// A kind or its plural.
    KindOrPlural,
    /// A set with a name.
    Set,
    Direction,
    /// An attribute or a mark that is a symbol.
    OfSymbols,
    /// Not a name.
    Number,
    Flag,
}

/// The owner of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Part {
    Game,
    Piece,
    Seat,
    Space,
}

impl Part {
    /// The owner of the field, if the value has one kind.
    pub(crate) fn of(kinds: Kinds) -> Option<Part> {
        let all = [(Kinds::PIECE, Part::Piece), (Kinds::SEAT, Part::Seat), (Kinds::CELL, Part::Space)];
        all.into_iter().find(|(kind, _)| kinds.only(*kind)).map(|(_, part)| part)
    }
}

impl Sort {
    /// The value of a field of it.
    pub(crate) fn kinds(self) -> Kinds {
        match self {
            Sort::Number => Kinds::NUMBER,
            Sort::Flag => Kinds::BOOL,
            Sort::Symbol | Sort::Type | Sort::Kind | Sort::Resource | Sort::Zone => Kinds::TEXT | Kinds::NIL,
            _ => Kinds::ANY,
        }
    }

    /// Its name for people.
    fn words(self) -> &'static str {
        match self {
            Sort::Resource => "resource",
            Sort::Zone => "zone",
            Sort::Prompt => "question",
            Sort::Event => "event",
            Sort::Action => "action",
            Sort::Variable => "variable",
            Sort::Value => "value",
            Sort::Effect => "effect of pieces",
            Sort::Cost => "cost of pieces",
            Sort::Way => "adjacency",
            Sort::Piece | Sort::Pieces => "piece and no kind",
            Sort::Described => "piece and no resource",
            Sort::Attribute => "attribute",
            Sort::Symbol => "symbol",
            Sort::Type => "piece",
            Sort::Kind | Sort::KindOrPlural => "kind",
            Sort::Set => "set",
            Sort::Direction => "direction",
            Sort::OfSymbols => "attribute or mark of symbols",
            Sort::Number | Sort::Flag => "name",
        }
    }
}

/// The names of a game in all ways to play it; empty if the game is not known.
#[derive(Debug, Clone, Default)]
pub struct GameNames {
    /// Fields of pieces besides those of the API.
    pub pieces: BTreeSet<String>,
    /// The same for players.
    pub seats: BTreeSet<String>,
    /// The same for spaces.
    pub spaces: BTreeSet<String>,
    /// The valid names of each sort.
    pub named: BTreeMap<Sort, BTreeSet<String>>,
    /// The values of fields of handles; `None` if unknown, or if it depends on the way to play.
    pub parts: BTreeMap<(Part, String), Option<Sort>>,
    /// The arguments after `ctx` that each text gives to a function, by pack and `file.function`, as types in the
    /// notation of editors.
    pub given: BTreeMap<(String, String), Vec<Vec<&'static str>>>,
    /// The arguments of events and actions, as types in the notation of editors; `None` if they depend on the way to
    /// play.
    pub takes: BTreeMap<(Sort, String), Option<Vec<&'static str>>>,
}

impl GameNames {
    /// Removes the list of names of a sort, so that every string is accepted.
    pub fn forget_named(&mut self) {
        self.named.clear();
        self.takes.clear();
    }

    /// Adds the value of a field.
    pub fn part(&mut self, part: Part, name: &str, sort: Option<Sort>) {
        let known = self.parts.entry((part, name.to_string())).or_insert(sort);
        if *known != sort {
            *known = None;
        }
    }

    /// Adds a name.
    pub fn name(&mut self, sort: Sort, name: &str) {
        self.named.entry(sort).or_default().insert(name.to_string());
    }

    /// Adds an event or an action with its arguments.
    pub fn takes(&mut self, sort: Sort, name: &str, types: Vec<&'static str>) {
        self.name(sort, name);
        let known = self.takes.entry((sort, name.to_string())).or_insert_with(|| Some(types.clone()));
        if known.as_ref() != Some(&types) {
            *known = None;
        }
    }
}

/// The sort of thing that a string argument of a method names.
fn sort_of(method: &str, param: &str) -> Option<Sort> {
    Some(match (method, param) {
        ("disclose", "what") => return None,
        (_, "what") => Sort::Resource,
        (_, "zone") | ("zone", "name") | ("move" | "move_all" | "draw", "to") | ("draw" | "choose", "from") => {
            Sort::Zone
        }
        ("either", "ways") => Sort::Prompt,
        ("cost", "of") => Sort::Type,
        (_, "cost") => Sort::Cost,
        (_, "prompt") => Sort::Prompt,
        (_, "event") => Sort::Event,
        (_, "action") => Sort::Action,
        ("set" | "get", "name") => Sort::Variable,
        ("value", "name") => Sort::Value,
        (_, "effect") => Sort::Effect,
        ("adjacent", "name") => Sort::Way,
        ("in_play", "sort") => Sort::Pieces,
        ("is", "sort") => Sort::Piece,
        ("attr", "of") => Sort::Described,
        ("attr", "name") => Sort::Attribute,
        ("choose_resource", "from") => Sort::Resource,
        ("named", "set") => Sort::Set,
        (_, "direction") => Sort::Direction,
        ("types", "kind") => Sort::KindOrPlural,
        ("symbols", "name") => Sort::OfSymbols,
        _ => return None,
    })
}

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    if program.names.named.is_empty() {
        return;
    }
    for (at, chunk) in program.chunks.iter().enumerate().filter(|(_, chunk)| !chunk.is_shared()) {
        for call in Program::calls(&chunk.root).filter(LuaCallExpr::is_colon_call) {
            let Some(method) = program.api_method(at, &call) else { continue };
            let args: Vec<LuaExpr> = call.get_args_list().into_iter().flat_map(|list| list.get_args()).collect();
            for (param, arg) in method.params.iter().zip(&args) {
                let options = tables(program, at, arg);
                if !options.is_empty() && param.name == "what" && method.name != "disclose" {
                    options.iter().for_each(|table| look_at_amounts(program, at, method.name, table, out));
                } else if !options.is_empty() && param.name == "ways" {
                    options.iter().for_each(|list| look_at_members(program, at, Sort::Prompt, list, out));
                } else if !options.is_empty() {
                    options.iter().for_each(|options| look_at_options(program, at, method.name, options, out));
                } else if let Some(sort) = sort_of(method.name, param.name) {
                    look(program, at, sort, arg, out);
                }
            }
            look_at_given(program, at, method.name, &args, out);
            look_at_set(program, at, method.name, &args, out);
        }
    }
    look_at_helpers(program, out);
}

/// A parameter of a function of a script.
type ParamRef = (usize, usize, usize);

/// Parameters of functions of scripts that are passed on as names, and of which sort.
fn named_params(program: &Program<'_>) -> BTreeMap<ParamRef, Sort> {
    let mut known: BTreeMap<ParamRef, Sort> = BTreeMap::new();
    // A function may pass its parameters on; a few rounds are enough.
    for _ in 0..4 {
        let before = known.len();
        for (at, chunk) in program.chunks.iter().enumerate() {
            for call in Program::calls(&chunk.root) {
                for (sort, arg) in named_args(program, at, &call, &known) {
                    let Some(local) = chunk.scope.local_expr(&arg) else { continue };
                    let declared = chunk.scope.local(local);
                    let function = chunk.scope.function(declared.function);
                    let place = function.params.iter().position(|param| *param == local);
                    if let Some(place) = place.filter(|_| declared.writes.is_empty()) {
                        known.entry((at, declared.function, place)).or_insert(sort);
                    }
                }
            }
        }
        if known.len() == before {
            break;
        }
    }
    known
}

/// The arguments of a call that must be names.
fn named_args(
    program: &Program<'_>,
    at: usize,
    call: &LuaCallExpr,
    known: &BTreeMap<ParamRef, Sort>,
) -> Vec<(Sort, LuaExpr)> {
    let args: Vec<LuaExpr> = call.get_args_list().into_iter().flat_map(|list| list.get_args()).collect();
    if call.is_colon_call()
        && let Some(method) = program.api_method(at, call)
    {
        let pairs = method.params.iter().zip(args);
        return pairs.filter_map(|(param, arg)| Some((sort_of(method.name, param.name)?, arg))).collect();
    }
    let Some((script, function)) = program.callee(at, call).filter(|_| !call.is_colon_call()) else {
        return Vec::new();
    };
    let sort = |place: usize| known.get(&(script, function, place)).copied();
    args.into_iter().enumerate().filter_map(|(place, arg)| Some((sort(place)?, arg))).collect()
}

/// Names that are passed to functions of scripts, which pass them on.
fn look_at_helpers(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    let known = named_params(program);
    for (at, chunk) in program.chunks.iter().enumerate().filter(|(_, chunk)| !chunk.is_shared()) {
        for call in Program::calls(&chunk.root).filter(|call| !call.is_colon_call()) {
            for (sort, arg) in named_args(program, at, &call, &known) {
                look(program, at, sort, &arg, out);
            }
        }
    }
}

/// A string that must be a name.
fn look(program: &Program<'_>, at: usize, sort: Sort, arg: &LuaExpr, out: &mut Vec<Diagnostic>) {
    let none = BTreeSet::new();
    let known = program.names.named.get(&sort).unwrap_or(&none);
    for (name, place) in texts(program, at, arg) {
        if !known.contains(&name) {
            out.push(unknown(program, at, sort, &name, place));
        }
    }
}

/// A string that is not a name of the sort.
pub(crate) fn unknown(program: &Program<'_>, at: usize, sort: Sort, name: &str, place: Range<usize>) -> Diagnostic {
    let none = BTreeSet::new();
    let known = program.names.named.get(&sort).unwrap_or(&none);
    let all = || known.iter().map(String::as_str);
    let help = did_you_mean(name, all()).unwrap_or_else(|| match known.len() {
        0 => "the game has none".to_string(),
        1..=12 => format!("there are: {}", all().collect::<Vec<_>>().join(", ")),
        _ => format!("there are {}, such as: {}", known.len(), all().take(8).collect::<Vec<_>>().join(", ")),
    });
    let message = format!("no {} is called `{name}`", sort.words());
    let span = program.chunk(at).span(place);
    Diagnostic::error(Code::ScriptUnknownName, message).at(span).help(help)
}

fn look_at_options(program: &Program<'_>, at: usize, method: &str, table: &LuaTableExpr, out: &mut Vec<Diagnostic>) {
    for field in table.get_fields().filter(|field| field.is_assign_field()) {
        let Some(name) = field.get_field_key().and_then(|key| key_name(&key)) else { continue };
        if let (Some(sort), Some(value)) = (sort_of(method, &name), field.get_value_expr()) {
            look(program, at, sort, &value, out);
            // A list of names; of `choose` it is a list of anything.
            if let (LuaExpr::Table(list), true) = (&value, method != "choose") {
                look_at_members(program, at, sort, list, out);
            }
        }
    }
}

/// A list of names.
fn look_at_members(program: &Program<'_>, at: usize, sort: Sort, list: &LuaTableExpr, out: &mut Vec<Diagnostic>) {
    let members = list.get_fields().filter(|member| member.is_value_field());
    members.filter_map(|member| member.get_value_expr()).for_each(|name| look(program, at, sort, &name, out));
}

/// A table such as `{ coin = 2, rope = 1 }`.
fn look_at_amounts(program: &Program<'_>, at: usize, method: &str, table: &LuaTableExpr, out: &mut Vec<Diagnostic>) {
    let none = BTreeSet::new();
    let known = program.names.named.get(&Sort::Resource).unwrap_or(&none);
    for field in table.get_fields() {
        if field.is_value_field() {
            let message = format!("`ctx:{method}` takes a table that says how many of each resource");
            let place = program.chunk(at).span(range(&field));
            out.push(Diagnostic::warning(Code::ScriptArgument, message).at(place).help("write `{ coin = 2 }`"));
            return;
        }
        let Some((name, place)) = field.get_field_key().and_then(|key| Some((key_name(&key)?, key.range()))) else {
            continue;
        };
        if name != "less" && !known.contains(&name) {
            out.push(unknown(program, at, Sort::Resource, &name, place));
        }
        let Some(value) = field.get_value_expr() else { continue };
        let given = program.infer.kinds(program, at, &value);
        if !given.fits(Kinds::NUMBER) {
            let message = format!("`ctx:{method}`: `{name}` must be a number, but it is {}", given.without_nil());
            out.push(Diagnostic::warning(Code::ScriptArgument, message).at(program.chunk(at).span(range(&value))));
        }
    }
}

/// The value that a variable is set to.
fn look_at_set(program: &Program<'_>, at: usize, method: &str, args: &[LuaExpr], out: &mut Vec<Diagnostic>) {
    let ("set", [name, value, ..]) = (method, args) else { return };
    let Some(name) = literal(name) else { return };
    let holders = [Part::Game, Part::Seat, Part::Piece];
    let sorts = holders.map(|part| program.names.parts.get(&(part, name.clone())).copied());
    // A variable of the game and an attribute of pieces may have the same name.
    let mut known = sorts.into_iter().flatten();
    let (Some(Some(sort)), None) = (known.next(), known.next()) else { return };
    let (is, wanted) = (program.infer.kinds(program, at, value), sort.kinds());
    if !is.fits(wanted) {
        let message = format!("`{name}` is set to {}, but holds {}", is.without_nil(), wanted.without_nil());
        out.push(Diagnostic::warning(Code::ScriptArgument, message).at(program.chunk(at).span(range(value))));
    } else if matches!(sort, Sort::Symbol | Sort::Type | Sort::Resource) {
        look(program, at, sort, value, out);
    }
}

/// The arguments of an event or an action: their number and kinds.
fn look_at_given(program: &Program<'_>, at: usize, method: &str, args: &[LuaExpr], out: &mut Vec<Diagnostic>) {
    let sort = match method {
        "raise" => Sort::Event,
        "perform" | "perform_free" => Sort::Action,
        "named" => Sort::Set,
        _ => return,
    };
    let Some((first, given)) = args.split_first() else { return };
    let Some(name) = literal(first) else { return };
    let Some(Some(types)) = program.names.takes.get(&(sort, name.clone())) else { return };
    let chunk = program.chunk(at);
    // The last argument may expand to several values, or to none.
    let is_many = given.last().is_some_and(|last| match last {
        LuaExpr::Call(_) => true,
        LuaExpr::Literal(literal) => matches!(literal.get_literal(), Some(LuaLiteralToken::Dots(_))),
        _ => false,
    });
    let too_few = sort != Sort::Action && given.len() < types.len();
    if !is_many && (given.len() > types.len() || too_few) {
        let wanted = match types.len() {
            0 => "nothing".to_string(),
            1 => "1 value".to_string(),
            many => format!("{many} values"),
        };
        let message = format!("`{name}` takes {wanted}, but {} are given", given.len());
        let all: Vec<String> = types.iter().map(|ty| format!(", {}", Kinds::parse(ty))).collect();
        let help = format!("write `ctx:{method}(\"{name}\"{})`", all.concat());
        let place = range(given.get(types.len()).unwrap_or(first));
        out.push(Diagnostic::warning(Code::ScriptArgument, message).at(chunk.span(place)).help(help));
        return;
    }
    for (arg, ty) in given.iter().zip(types) {
        let (is, wanted) = (program.infer.kinds(program, at, arg), Kinds::parse(ty));
        if !is.fits(wanted) {
            let message = format!("`{name}` is given {}, but {wanted} is needed", is.without_nil());
            out.push(Diagnostic::warning(Code::ScriptArgument, message).at(chunk.span(range(arg))));
        }
    }
}
