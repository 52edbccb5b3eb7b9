//! The arguments of a method, checked one by one, with messages that name the method and the parameter.

use std::borrow::Cow;

use mlua::{Lua, MultiValue, Table, Value as LuaValue, Variadic};
use rulepack_expr::{AttrId, AttrName, AttrTy, Subject, Ty};
use rulepack_kernel::{Bundle, Kept, ResourceSel, Ruleset, Value, ZoneIx};
use rulepack_model::{PieceId, PromptId, Seat, ValueId, VarId};

use crate::api::{ApiMethod, ApiParam};
use crate::convert::{describe, describe_text, handle, to_lua, whole};
use crate::fail::{Said, Trouble, said, unknown};
use crate::handle::{Handle, word_index};
use crate::limits::Limits;
use crate::names::{Names, Word};
use crate::slot::View;

/// What is wrong with a table that is no list; `prelude.lua` says the same.
const NO_LIST: &str = "must be a list such as { a, b }, but it has names, or nil before its end";

/// The largest amount of a resource.
const MOST: i64 = ApiParam::MOST;
/// The entry of a table of resources that says how many units the payer may leave out.
const LESS: &str = "less";

/// How many arguments are passed without a list.
const FEW: usize = 4;
/// The arguments of most methods: the first few, and further ones, which are too many.
pub(crate) type Given = (LuaValue, LuaValue, LuaValue, LuaValue, Variadic<LuaValue>);
/// The same of a method whose second argument is a player that may be left out: whether it was given as `nil` shows in the rest.
pub(crate) type GivenAfterOne = (LuaValue, Variadic<LuaValue>);
/// The same of a method whose third argument is such a player.
pub(crate) type GivenAfterTwo = (LuaValue, LuaValue, Variadic<LuaValue>);

/// How the arguments of a method are passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    Few,
    FewAfterOne,
    FewAfterTwo,
    List,
}

/// How the arguments of a method are passed.
pub(crate) fn passing(method: &ApiMethod) -> Passing {
    if method.params.len() > FEW || takes_any_number(method) {
        return Passing::List;
    }
    match optional_player(method) {
        None => Passing::Few,
        Some(1) => Passing::FewAfterOne,
        Some(2) => Passing::FewAfterTwo,
        Some(_) => Passing::List,
    }
}

/// The first parameter that is a player and may be left out. Such a parameter is not passed as `nil`: see `Args::is_left_out`.
pub(crate) fn optional_player(method: &ApiMethod) -> Option<usize> {
    method.params.iter().position(|param| param.is_optional() && param.ty.contains("Seat"))
}

fn takes_any_number(method: &ApiMethod) -> bool {
    method.params.last().is_some_and(|param| param.name == "...")
}

/// What a script has passed to a method.
struct Passed {
    values: Values,
    /// How many were given, `nil`s included.
    given: usize,
    /// How many stand before the `nil`s at the end.
    count: usize,
}

enum Values {
    /// Missing ones are nil.
    Few([LuaValue; FEW]),
    Many(MultiValue),
}

/// A call of a method.
pub(crate) struct Args<'a> {
    /// The VM.
    pub lua: &'a Lua,
    /// The view of the script.
    pub view: &'a View<'a>,
    /// Names after the dot.
    pub names: &'a Names,
    /// The budget of scripts.
    limits: &'a Limits,
    method: &'static ApiMethod,
    passed: Passed,
}

/// Arguments as the VM passes them.
pub(crate) trait Arguments {
    /// Counts them.
    fn checked<'a>(
        self,
        lua: &'a Lua,
        view: &'a View<'a>,
        shared: (&'a Names, &'a Limits),
        method: &'static ApiMethod,
    ) -> Said<Args<'a>>;
}

/// The call of a method with few arguments. `given` says how many there were, `nil`s included.
fn few<'a>(
    (lua, view, (names, limits), method): (&'a Lua, &'a View<'a>, (&'a Names, &'a Limits), &'static ApiMethod),
    values: [LuaValue; FEW],
    given: usize,
    further: &[LuaValue],
) -> Said<Args<'a>> {
    let is_given = |value: &LuaValue| !matches!(value, LuaValue::Nil);
    let count = values.iter().rposition(is_given).map_or(0, |at| at.saturating_add(1));
    let are_too_many = count > method.params.len() || further.iter().any(is_given);
    let passed = Passed { values: Values::Few(values), given: given.max(count), count };
    let args = Args { lua, view, names, limits, method, passed };
    if are_too_many {
        return said(format!("{} takes {}", args.name(), args.taken()));
    }
    Ok(args)
}

/// The next value, or nil.
fn next(values: &mut std::vec::IntoIter<LuaValue>) -> LuaValue {
    values.next().unwrap_or(LuaValue::Nil)
}

impl Arguments for Given {
    fn checked<'a>(
        self,
        lua: &'a Lua,
        view: &'a View<'a>,
        shared: (&'a Names, &'a Limits),
        method: &'static ApiMethod,
    ) -> Said<Args<'a>> {
        let (first, second, third, fourth, further) = self;
        few((lua, view, shared, method), [first, second, third, fourth], 0, &further)
    }
}

impl Arguments for GivenAfterOne {
    fn checked<'a>(
        self,
        lua: &'a Lua,
        view: &'a View<'a>,
        shared: (&'a Names, &'a Limits),
        method: &'static ApiMethod,
    ) -> Said<Args<'a>> {
        let (first, rest) = self;
        let given = rest.len().saturating_add(1);
        let mut rest = Vec::from(rest).into_iter();
        let values = [first, next(&mut rest), next(&mut rest), next(&mut rest)];
        few((lua, view, shared, method), values, given, rest.as_slice())
    }
}

impl Arguments for GivenAfterTwo {
    fn checked<'a>(
        self,
        lua: &'a Lua,
        view: &'a View<'a>,
        shared: (&'a Names, &'a Limits),
        method: &'static ApiMethod,
    ) -> Said<Args<'a>> {
        let (first, second, rest) = self;
        let given = rest.len().saturating_add(2);
        let mut rest = Vec::from(rest).into_iter();
        let values = [first, second, next(&mut rest), next(&mut rest)];
        few((lua, view, shared, method), values, given, rest.as_slice())
    }
}

impl Arguments for MultiValue {
    fn checked<'a>(
        mut self,
        lua: &'a Lua,
        view: &'a View<'a>,
        (names, limits): (&'a Names, &'a Limits),
        method: &'static ApiMethod,
    ) -> Said<Args<'a>> {
        let many = takes_any_number(method);
        let given = self.len();
        while !many && matches!(self.back(), Some(LuaValue::Nil)) {
            self.pop_back();
        }
        let count = self.len();
        let passed = Passed { values: Values::Many(self), given, count };
        let args = Args { lua, view, names, limits, method, passed };
        if count > method.params.len() && !many {
            return said(format!("{} takes {}", args.name(), args.taken()));
        }
        Ok(args)
    }
}

impl<'a> Args<'a> {
    /// Pays for going through a number of pieces or spaces.
    pub(crate) fn pay(&self, count: usize) -> Said<()> {
        if self.view.eval.state.pay_for_looking(count) {
            return Ok(());
        }
        let most = self.rules().limits.members;
        said(format!("too much is looked at before the next question (limit `members`: {most})"))
    }

    /// The rules.
    pub(crate) fn rules(&self) -> &'a Ruleset {
        self.view.eval.rules
    }

    pub(crate) fn name(&self) -> String {
        format!("`ctx:{}`", self.method.name)
    }

    fn taken(&self) -> String {
        if self.method.params.is_empty() {
            return "no arguments".into();
        }
        let names: Vec<&str> = self.method.params.iter().map(|param| param.name).collect();
        format!("only `{}`", names.join("`, `"))
    }

    /// An argument is wrong: the error.
    pub(crate) fn wrong<T>(&self, at: usize, wanted: &str) -> Said<T> {
        let param = self.method.params.get(at).map_or("...", |param| param.name);
        said(format!("{}: `{param}` must be {wanted}, but it is {}", self.name(), self.described(at)))
    }

    /// A description of an argument.
    fn described(&self, at: usize) -> String {
        match self.word(at) {
            Some(word) => describe_text(&word.text),
            None => describe(self.rules(), self.at(at)),
        }
    }

    /// The argument at a position; nil if it is missing.
    pub(crate) fn at(&self, at: usize) -> &LuaValue {
        let found = match &self.passed.values {
            Values::Few(values) => values.get(at),
            Values::Many(values) => values.get(at),
        };
        found.unwrap_or(&LuaValue::Nil)
    }

    /// The id of the pack at a position, if the prelude has passed its number.
    fn word(&self, at: usize) -> Option<&'a Word> {
        match self.at(at) {
            LuaValue::LightUserData(light) => self.names.words.get(word_index(*light)?),
            _ => None,
        }
    }

    /// A text at a position.
    pub(crate) fn string(&self, at: usize) -> Option<Cow<'a, str>> {
        match self.at(at) {
            LuaValue::String(text) => Some(text.to_string_lossy().into()),
            _ => self.word(at).map(|word| Cow::Borrowed(word.text.as_str())),
        }
    }

    /// Whether an argument was given.
    pub(crate) fn has(&self, at: usize) -> bool {
        !matches!(self.at(at), LuaValue::Nil)
    }

    /// Whether an argument may be left out.
    pub(crate) fn may_lack(&self, at: usize) -> bool {
        self.method.params.get(at).is_none_or(ApiParam::is_optional)
    }

    /// The arguments from a position on, of a method that takes any number.
    pub(crate) fn rest(&self, from: usize) -> impl ExactSizeIterator<Item = &LuaValue> {
        let values = match &self.passed.values {
            Values::Few(_) => None,
            Values::Many(values) => Some(values.range(from.min(values.len())..)),
        };
        values.unwrap_or_default()
    }

    /// A text.
    pub(crate) fn text(&self, at: usize, wanted: &str) -> Said<Cow<'a, str>> {
        self.string(at).map_or_else(|| self.wrong(at, wanted), Ok)
    }

    /// A table.
    pub(crate) fn table(&self, at: usize, wanted: &str) -> Said<&Table> {
        match self.at(at) {
            LuaValue::Table(table) => Ok(table),
            _ => self.wrong(at, wanted),
        }
    }

    /// A whole number that the parameter takes; 1 if it may be left out and is missing.
    pub(crate) fn amount(&self, at: usize) -> Said<i64> {
        if !self.has(at) && self.may_lack(at) {
            return Ok(1);
        }
        let least = self.method.params.get(at).map_or(0, |param| param.least);
        if let Some(n) = whole(self.at(at)).filter(|n| (least..=ApiParam::MOST).contains(n)) {
            return Ok(n);
        }
        let given = match self.at(at) {
            LuaValue::Integer(n) => Some(*n as f64),
            LuaValue::Number(n) => Some(*n),
            _ => None,
        };
        let help = given.and_then(|number| self.method.instead_of(number));
        let help = help.map_or(String::new(), |help| format!(" ({help})"));
        let (name, param) = (self.name(), self.method.params.get(at).map_or("...", |param| param.name));
        let (most, given) = (ApiParam::MOST, self.described(at));
        said(format!("{name}: `{param}` must be a whole number from {least} to {most}, but it is {given}{help}"))
    }

    /// A resource or a group.
    pub(crate) fn kinds(&self, at: usize) -> Said<ResourceSel> {
        if let Some(found) = self.word(at).and_then(|word| word.resources) {
            return Ok(found);
        }
        let name = self.text(at, "the id of a resource or a group")?;
        kinds(self.rules(), &name)
    }

    /// What is paid or gained: a resource or a group and how many, or a table such as `{ coin = 2, rope = 1 }`.
    pub(crate) fn bundle(&self, what: usize, n: usize) -> Said<Bundle> {
        let mut bundle = Bundle::default();
        let LuaValue::Table(table) = self.at(what) else {
            let kinds = self.kinds(what)?;
            // `amount` has refused numbers that are too large.
            let _ = bundle.add(kinds, self.amount(n)?);
            return Ok(bundle);
        };
        if self.has(n) {
            return said(format!("{}: the table says how many of each, so `n` is left out (`nil`)", self.name()));
        }
        let mut parts = Vec::new();
        let entries: Vec<(LuaValue, LuaValue)> = table.pairs().collect::<mlua::Result<_>>()?;
        self.pay(entries.len())?;
        for (key, value) in entries {
            let LuaValue::String(key) = key else {
                return self.wrong(what, "the id of a resource or a group, or a table such as { coin = 2 }");
            };
            let key = key.to_string_lossy();
            let Some(amount) = whole(&value).filter(|n| (0..=MOST).contains(n)) else {
                let given = describe(self.rules(), &value);
                return said(format!(
                    "{}: `{key}` must be a whole number from 0 to {MOST}, but it is {given}",
                    self.name()
                ));
            };
            parts.push((key, amount));
        }
        // The order of the keys of a table means nothing.
        parts.sort_unstable();
        for (key, amount) in parts {
            if key == LESS && !self.rules().vocabulary.resources.contains_key(LESS) {
                bundle.less = i32::try_from(amount).unwrap_or(i32::MAX);
                continue;
            }
            if bundle.add(kinds(self.rules(), &key)?, amount) == Kept::TooMany {
                return self.wrong(what, &format!("at most {MOST} of a resource"));
            }
        }
        bundle.sort(self.rules());
        Ok(bundle)
    }

    /// Resources as a table such as `{ coin = 2, rope = 1 }`.
    pub(crate) fn table_of(&self, bundle: &Bundle) -> Said<LuaValue> {
        let (rules, table) = (self.rules(), self.lua.create_table()?);
        for (kinds, amount) in &bundle.parts {
            let name = match kinds {
                ResourceSel::One(res) => &rules.resource(*res).name,
                ResourceSel::Group(group) => &rules.group(*group).name,
                ResourceSel::None => continue,
            };
            table.raw_set(name.as_str(), *amount)?;
        }
        if bundle.less > 0 {
            table.raw_set(LESS, bundle.less)?;
        }
        Ok(LuaValue::Table(table))
    }

    /// A piece.
    pub(crate) fn piece(&self, at: usize) -> Said<PieceId> {
        match handle(self.at(at)) {
            Some(Handle::Piece(piece)) => Ok(piece),
            _ => self.wrong(at, "a piece"),
        }
    }

    /// The values of a list, or a single value in place of a list.
    pub(crate) fn one_or_many(&self, at: usize) -> Said<Vec<LuaValue>> {
        let LuaValue::Table(list) = self.at(at) else { return Ok(vec![self.at(at).clone()]) };
        let param = self.method.params.get(at).map_or("...", |param| param.name);
        self.members(list, param)
    }

    /// The members of a list. Nothing is passed over: names, and places without a value, are mistakes.
    pub(crate) fn members(&self, list: &Table, what: &str) -> Said<Vec<LuaValue>> {
        let mut found = Vec::with_capacity(list.raw_len());
        list.for_each_value(|value: LuaValue| {
            found.push(value);
            Ok(())
        })?;
        let mut entries = 0_usize;
        list.for_each(|_: LuaValue, _: LuaValue| {
            entries = entries.saturating_add(1);
            Ok(())
        })?;
        if entries == found.len() {
            return Ok(found);
        }
        said(format!("{}: `{what}` {NO_LIST}", self.name()))
    }

    /// A piece, or a list of pieces.
    pub(crate) fn pieces(&self, at: usize) -> Said<Vec<PieceId>> {
        let piece = |value: &LuaValue| match handle(value) {
            Some(Handle::Piece(piece)) => Some(piece),
            _ => None,
        };
        let found: Option<Vec<PieceId>> = self.one_or_many(at)?.iter().map(piece).collect();
        found.map_or_else(|| self.wrong(at, "a piece or a list of pieces"), Ok)
    }

    /// The named player, if an argument names one.
    pub(crate) fn seat(&self, at: usize) -> Said<Option<Seat>> {
        match (self.is_left_out(at)?, handle(self.at(at))) {
            (true, _) => Ok(None),
            (false, Some(Handle::Seat(seat))) => Ok(Some(seat)),
            _ => self.wrong(at, "a player"),
        }
    }

    /// Whether an argument that may be left out was left out. A `nil` that stands at its place is a mistake, unless another
    /// argument follows it: `ctx:gain("coin", 1, piece.owner)` is not for `me` if nobody owns the piece.
    pub(crate) fn is_left_out(&self, at: usize) -> Said<bool> {
        if self.has(at) {
            return Ok(false);
        }
        if at < self.passed.count || at >= self.passed.given {
            return Ok(true);
        }
        let param = self.method.params.get(at).map_or("...", |param| param.name);
        let name = self.name();
        said(format!("{name}: `{param}` is nil: leave it out, or make sure that there is one"))
    }

    /// The named player, or `me`.
    pub(crate) fn seat_or_me(&self, at: usize) -> Said<Seat> {
        match self.seat(at)? {
            Some(seat) => Ok(seat),
            None => self.me(),
        }
    }

    /// The player for whom the script runs.
    pub(crate) fn me(&self) -> Said<Seat> {
        match self.view.me {
            Some(me) => Ok(me),
            None => said(format!("{}: this script runs for nobody, so there is no `ctx.me`", self.name())),
        }
    }

    /// A zone by its id or its handle; the next argument may name the player.
    pub(crate) fn zone(&self, at: usize) -> Said<ZoneIx> {
        if let Some(Handle::Zone(zone)) = handle(self.at(at)) {
            if self.has(at.saturating_add(1)) {
                let zone = &self.rules().zone_of(zone).name;
                let message = format!("{}: this is the zone `{zone}` of one player already", self.name());
                return said(format!("{message}: name the player in `ctx:zone(\"{zone}\", player)`"));
            }
            return Ok(zone);
        }
        let name = self.text(at, "the id of a zone")?;
        let owner = self.seat(at.saturating_add(1))?;
        self.zone_at_once(at, owner).map_or_else(|| self.zone_named(&name, owner), Ok)
    }

    /// A zone by its id, of `me` unless a player is named; `None` if there is anything to complain about.
    fn zone_at_once(&self, at: usize, owner: Option<Seat>) -> Option<ZoneIx> {
        let zone = self.word(at)?.zone?;
        let owner = match (zone.per_player, owner) {
            (true, owner) => Some(owner.or(self.view.me)?),
            (false, Some(_)) => return None,
            (false, None) => None,
        };
        Some(self.rules().zone_ix(zone.id, owner))
    }

    /// A zone by its id, of `me`, or its handle.
    pub(crate) fn zone_at(&self, at: usize) -> Said<ZoneIx> {
        if let Some(Handle::Zone(zone)) = handle(self.at(at)) {
            return Ok(zone);
        }
        match self.zone_at_once(at, None) {
            Some(zone) => Ok(zone),
            None => self.zone_named(&self.text(at, "a zone")?, None),
        }
    }

    /// A variable by its id.
    pub(crate) fn var(&self, at: usize) -> Said<(VarId, Subject, Ty)> {
        if let Some(found) = self.word(at).and_then(|word| word.var) {
            return Ok(found);
        }
        let name = self.text(at, "the id of a variable")?;
        let vars = &self.rules().vocabulary.vars;
        vars.get(&*name).copied().ok_or_else(|| unknown("variable", &name, vars.keys().map(String::as_str)))
    }

    /// A value by its id.
    pub(crate) fn value(&self, at: usize) -> Said<(ValueId, Subject, Ty)> {
        if let Some(found) = self.word(at).and_then(|word| word.value) {
            return Ok(found);
        }
        let name = self.text(at, "the id of a value")?;
        let values = &self.rules().vocabulary.values;
        values.get(&*name).copied().ok_or_else(|| unknown("value", &name, values.keys().map(String::as_str)))
    }

    /// A zone by its id, of `me` unless an argument names a player.
    pub(crate) fn zone_named(&self, name: &str, owner: Option<Seat>) -> Said<ZoneIx> {
        let zones = &self.rules().vocabulary.zones;
        let Some(zone) = zones.get(name) else {
            return Err(unknown("zone", name, zones.keys().map(String::as_str)));
        };
        if !zone.per_player {
            if owner.is_some() {
                return said(format!("{}: the zone `{name}` is everybody's, so no player can be named", self.name()));
            }
            return Ok(self.rules().zone_ix(zone.id, None));
        }
        let owner = owner.map_or_else(|| self.me(), Ok)?;
        Ok(self.rules().zone_ix(zone.id, Some(owner)))
    }

    /// An effect of pieces, by its name.
    pub(crate) fn effect(&self, at: usize) -> Said<AttrId> {
        self.attr_of(at, AttrTy::Effect, "effect")
    }

    /// A cost of pieces, by its name.
    pub(crate) fn cost(&self, at: usize) -> Said<AttrId> {
        self.attr_of(at, AttrTy::Cost, "cost")
    }

    fn attr_of(&self, at: usize, ty: AttrTy, noun: &str) -> Said<AttrId> {
        let name = self.text(at, &format!("the name of a{} {noun}", if noun == "effect" { "n" } else { "" }))?;
        let attrs = &self.rules().vocabulary.attrs;
        let fits = |attr: &AttrName| attr.ty == ty;
        match attrs.get(&*name).filter(|attr| fits(attr)) {
            Some(attr) => Ok(attr.id),
            None => {
                let known = attrs.iter().filter(|(_, attr)| fits(attr)).map(|(name, _)| name.as_str());
                Err(unknown(noun, &name, known))
            }
        }
    }

    /// A question by its id.
    pub(crate) fn prompt(&self, name: &str) -> Said<PromptId> {
        let prompts = &self.rules().vocabulary.prompts;
        prompts.get(name).copied().ok_or_else(|| unknown("prompt", name, prompts.keys().map(String::as_str)))
    }

    /// The owner of a variable or value: the one that an argument names, else `me` or `self`.
    pub(crate) fn subject(&self, at: usize, subject: Subject) -> Said<Option<Value>> {
        match (subject, self.has(at)) {
            (Subject::Game, false) => Ok(None),
            (Subject::Game, true) => self.wrong(at, "left out, since this is the game's"),
            (Subject::Seat, _) => Ok(Some(Value::Seat(self.seat_or_me(at)?))),
            (Subject::Space, _) => match handle(self.at(at)) {
                Some(Handle::Cell(cell)) => Ok(Some(Value::Cell(cell))),
                _ => self.wrong(at, "a space"),
            },
            (Subject::Piece(kind), named) => {
                let piece = match (named, self.view.this) {
                    (false, Some(this)) if self.is_left_out(at)? => this,
                    _ => self.piece(at)?,
                };
                if kind.is_some_and(|kind| !self.rules().is_kind(self.rules().kind_of(piece), kind)) {
                    return self.wrong(at, "a piece of another kind");
                }
                Ok(Some(Value::Piece(piece)))
            }
        }
    }

    /// A list of values of the kernel for the script.
    pub(crate) fn values(&self, values: Vec<Value>) -> Said<LuaValue> {
        let values = values.into_iter().map(|value| to_lua(self.lua, self.rules(), value));
        let values: Vec<LuaValue> = values.collect::<mlua::Result<_>>()?;
        Ok(LuaValue::Table(self.limits.count_list(self.lua, || self.lua.create_sequence_from(values))?))
    }

    /// A list of handles for the script.
    pub(crate) fn list(&self, values: impl IntoIterator<Item = Handle>) -> Said<LuaValue> {
        let lights = values.into_iter().map(Handle::light);
        Ok(LuaValue::Table(self.limits.count_list(self.lua, || self.lua.create_sequence_from(lights))?))
    }
}

/// A resource or a group by its id.
pub(crate) fn kinds(rules: &Ruleset, name: &str) -> Result<ResourceSel, Trouble> {
    let words = &rules.vocabulary;
    (words.resources.get(name).map(|id| ResourceSel::One(*id)))
        .or_else(|| words.groups.get(name).map(|id| ResourceSel::Group(*id)))
        .ok_or_else(|| {
            let known = words.resources.keys().chain(words.groups.keys()).map(String::as_str);
            unknown("resource or group", name, known)
        })
}
