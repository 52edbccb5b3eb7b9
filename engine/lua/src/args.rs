//! Check: the number and the kinds of arguments.

use std::ops::Range;

use crate::tree::{LuaAstNode, LuaCallExpr, LuaExpr, LuaIndexExpr, LuaLiteralToken, LuaTableExpr};
use rulepack_model::{Code, Diagnostic, did_you_mean};
use rulepack_script::{ApiMethod, ApiParam, OptionTable, option_tables};

use crate::definitions::standard;
use crate::kinds::Kinds;
use crate::program::Program;
use crate::scope::{key_name, range};
use crate::texts;

const CODE: Code = Code::ScriptArgument;

/// The parameters of a function.
struct Signature {
    /// Its name in messages.
    name: String,
    params: Vec<Param>,
    /// Whether any number of further values may follow.
    open: bool,
}

struct Param {
    name: String,
    wanted: Kinds,
    /// The kinds for people.
    words: String,
    needed: bool,
    /// Whether it may name a player.
    is_player: bool,
    /// Whether a table given here is a list.
    is_list: bool,
    options: Option<&'static OptionTable>,
}

impl Signature {
    /// From names and types in the notation of the API.
    fn new<'t>(name: String, params: impl IntoIterator<Item = (&'t str, &'t str)>) -> Signature {
        let mut signature = Signature { name, params: Vec::new(), open: false };
        for (name, ty) in params {
            if name == "..." {
                signature.open = true;
                continue;
            }
            let wanted = Kinds::parse(ty);
            signature.params.push(Param {
                name: name.to_string(),
                wanted,
                words: words(ty),
                needed: !wanted.meets(Kinds::NIL),
                is_player: ty.contains("Seat"),
                is_list: ty.contains("[]"),
                options: option_tables().iter().find(|table| ty.trim_end_matches('?') == table.name),
            });
        }
        signature
    }

    /// All its parameters, in words.
    fn taken(&self) -> String {
        let names: Vec<&str> = self.params.iter().map(|param| param.name.as_str()).collect();
        if names.is_empty() { "no arguments".into() } else { format!("only `{}`", names.join("`, `")) }
    }
}

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    for (at, chunk) in program.chunks.iter().enumerate() {
        for call in Program::calls(&chunk.root) {
            check_call(program, at, &call, out);
        }
    }
}

fn check_call(program: &Program<'_>, at: usize, call: &LuaCallExpr, out: &mut Vec<Diagnostic>) {
    let Some(list) = call.get_args_list() else { return };
    let mut args: Vec<LuaExpr> = list.get_args().collect();
    let chunk = program.chunk(at);
    let Some(place) = call.get_prefix_expr().map(|prefix| named(&prefix)) else { return };
    let signature = if let Some(method) = program.api_method(at, call) {
        if !call.is_colon_call() {
            if !args.first().is_some_and(|first| program.infer.kinds(program, at, first).fits(Kinds::CONTEXT)) {
                let message = format!("`{}` is a method of `ctx`, but is called with a dot", method.name);
                let help = format!("write `ctx:{}(…)`, with a colon", method.name);
                out.push(Diagnostic::warning(CODE, message).at(chunk.span(place)).help(help));
                return;
            }
            args.remove(0);
        }
        numbers(program, at, method, &args, out);
        let params = method.params.iter().map(|param| (param.name, param.ty));
        Some(Signature::new(format!("ctx:{}", method.name), params))
    } else {
        standard_of(program, at, call).or_else(|| own(program, at, call))
    };
    if let Some(signature) = signature {
        let found = Call { program, at, place, args, signature };
        found.count(out);
        found.kinds(out);
    }
}

/// Numbers that a method of `ctx` does not take, such as a negative amount.
fn numbers(program: &Program<'_>, at: usize, method: &ApiMethod, args: &[LuaExpr], out: &mut Vec<Diagnostic>) {
    for (param, arg) in method.params.iter().zip(args).filter(|(param, _)| param.is_number()) {
        let numbers = texts::numbers(program, at, arg).into_iter();
        for (number, place) in numbers.filter(|(number, _)| !param.takes(*number)) {
            let range = format!("a whole number from {} to {}", param.least, ApiParam::MOST);
            let message = format!("`ctx:{}`: `{}` must be {range}, but it is {number}", method.name, param.name);
            let help = method.instead_of(number).unwrap_or_else(|| format!("write {range}"));
            out.push(Diagnostic::warning(CODE, message).at(program.chunk(at).span(place)).help(help));
        }
    }
}

/// A call of a Lua function, or of a method of a string.
fn standard_of(program: &Program<'_>, at: usize, call: &LuaCallExpr) -> Option<Signature> {
    let prefix = call.get_prefix_expr()?;
    if let Some(name) = program.chunk(at).scope.global_path(&prefix) {
        let known = standard(&name).filter(|_| !call.is_colon_call())?;
        return Some(Signature::new(name, known.params.iter().copied()));
    }
    let LuaExpr::Index(index) = prefix else { return None };
    let of_text = program.infer.kinds(program, at, &index.get_prefix_expr()?).only(Kinds::TEXT);
    let name = key_name(&index.get_index_key()?)?;
    let known = standard(&format!("string.{name}")).filter(|_| of_text && call.is_colon_call())?;
    Some(Signature::new(format!("text:{name}"), known.params.iter().skip(1).copied()))
}

/// A call of a function of a script: not more arguments than parameters, and `ctx` where it takes `ctx`.
fn own(program: &Program<'_>, at: usize, call: &LuaCallExpr) -> Option<Signature> {
    let (script, function) = program.callee(at, call).filter(|_| !call.is_colon_call())?;
    let chunk = program.chunk(script);
    let function = chunk.scope.function(function);
    let param = |local: &usize| {
        let is_context = chunk.contexts.contains(local);
        let wanted = if is_context { Kinds::CONTEXT } else { Kinds::ANY };
        let name = chunk.scope.local(*local).name.clone();
        Param {
            name,
            wanted,
            words: wanted.to_string(),
            needed: is_context,
            is_player: false,
            is_list: false,
            options: None,
        }
    };
    let name = call.get_prefix_expr()?.syntax().text().to_string();
    Some(Signature { name, params: function.params.iter().map(param).collect(), open: function.open })
}

struct Call<'p, 'a> {
    program: &'p Program<'a>,
    at: usize,
    place: Range<usize>,
    args: Vec<LuaExpr>,
    signature: Signature,
}

impl Call<'_, '_> {
    fn warn(&self, place: Range<usize>, message: String) -> Diagnostic {
        Diagnostic::warning(CODE, message).at(self.program.chunk(self.at).span(place))
    }

    fn wrong(&self, arg: &LuaExpr, name: &str, wanted: &str, given: Kinds) -> Diagnostic {
        let given = if given == Kinds::NIL { given } else { given.without_nil() };
        self.warn(range(arg), format!("`{}`: `{name}` must be {wanted}, but it is {given}", self.signature.name))
    }

    fn count(&self, out: &mut Vec<Diagnostic>) {
        let Signature { name, params, open } = &self.signature;
        // The last argument may expand to several values, or to none.
        let is_many = self.args.last().is_some_and(|last| match last {
            LuaExpr::Call(_) => true,
            LuaExpr::Literal(literal) => matches!(literal.get_literal(), Some(LuaLiteralToken::Dots(_))),
            _ => false,
        });
        let sure = self.args.len().saturating_sub(usize::from(is_many));
        if let Some(beyond) = self.args.get(params.len()).filter(|_| !open && sure > params.len()) {
            out.push(self.warn(range(beyond), format!("`{name}` takes {}", self.signature.taken())));
        }
        let missing = params.iter().skip(self.args.len()).filter(|param| param.needed);
        let missing: Vec<String> = missing.map(|param| format!("`{}`", param.name)).collect();
        if !is_many && !missing.is_empty() {
            let all: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
            let help = format!("write `{name}({})`", all.join(", "));
            let message = format!("`{name}` is called without {}", missing.join(" and "));
            out.push(self.warn(self.place.clone(), message).help(help));
        }
    }

    fn kinds(&self, out: &mut Vec<Diagnostic>) {
        for (index, (param, arg)) in self.signature.params.iter().zip(&self.args).enumerate() {
            let given = self.program.infer.kinds(self.program, self.at, arg);
            let is_last = index.saturating_add(1) == self.args.len();
            if given == Kinds::NIL && is_last && param.is_player {
                let message = format!("`{}`: `{}` is nil, which names nobody", self.signature.name, param.name);
                out.push(self.warn(range(arg), message).help("leave it out, or name a player"));
            } else if !given.fits(param.wanted) {
                let Param { name, words, .. } = param;
                out.push(self.wrong(arg, name, words, given));
            } else if let LuaExpr::Table(given) = arg {
                if let Some(table) = param.options {
                    self.options(table, given, out);
                } else if param.is_list {
                    self.list(&param.name, given, out);
                }
            }
        }
    }

    /// Checks that a table is a list: a method would pass over entries with a name.
    fn list(&self, name: &str, given: &LuaTableExpr, out: &mut Vec<Diagnostic>) {
        if let Some(field) = given.get_fields().find(|field| field.is_assign_field()) {
            let message = format!("`{}`: `{name}` must be a list, but this entry has a name", self.signature.name);
            out.push(self.warn(range(&field), message).help("write the values alone, as in `{ a, b }`"));
        }
    }

    /// Checks the entries of a table of options.
    fn options(&self, table: &OptionTable, given: &LuaTableExpr, out: &mut Vec<Diagnostic>) {
        let method = &self.signature.name;
        let mut seen = Vec::new();
        for field in given.get_fields() {
            let key = field.get_field_key().filter(|_| field.is_assign_field());
            let Some((name, place)) = key.and_then(|key| Some((key_name(&key)?, key.range()))) else {
                if field.is_value_field() {
                    let message = format!("`{method}` takes a table of options, each with its name");
                    let first = table.options.first().map(|option| format!("write `{} = …`", option.name));
                    out.push(self.warn(range(&field), message).maybe_help(first));
                    return;
                }
                // Whatever its type, nothing may be missing.
                return;
            };
            seen.push(name.clone());
            let Some(option) = table.options.iter().find(|option| option.name == name) else {
                let span = self.program.chunk(self.at).span(place);
                let known = table.options.iter().map(|option| option.name);
                let message = format!("`{method}` has no option `{name}`");
                let found = Diagnostic::error(Code::ScriptUnknownName, message).at(span);
                out.push(found.maybe_help(did_you_mean(&name, known)));
                continue;
            };
            let Some(value) = field.get_value_expr() else { continue };
            let given = self.program.infer.kinds(self.program, self.at, &value);
            if !given.fits(Kinds::parse(option.ty)) {
                out.push(self.wrong(&value, &name, &words(option.ty), given));
            } else if let LuaExpr::Table(list) = &value
                && option.ty.contains("[]")
            {
                self.list(&name, list, out);
            }
        }
        let is_missing = |option: &&rulepack_script::ApiOption| {
            !Kinds::parse(option.ty).meets(Kinds::NIL) && !seen.iter().any(|name| name == option.name)
        };
        if let Some(option) = table.options.iter().find(is_missing) {
            let message = format!("`{method}` is called without the option `{}`", option.name);
            out.push(self.warn(self.place.clone(), message).help(format!("write `{} = …`", option.name)));
        }
    }
}

/// The accepted kinds of a type of the API, for people.
fn words(ty: &str) -> String {
    let words = Kinds::parse(ty).without_nil().to_string();
    if ty.contains("[]") { words.replace("a table", "a list") } else { words }
}

/// The last name of the called expression.
fn named(prefix: &LuaExpr) -> Range<usize> {
    let key = LuaIndexExpr::cast(prefix.syntax().clone()).and_then(|index| index.get_index_key());
    key.map_or_else(|| range(prefix), |key| key.range())
}
