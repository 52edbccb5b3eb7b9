//! The kinds of values of an expression: easy cases here, the rest by the type checker if there is one.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;

use crate::tree::{
    BinaryOperator, LuaAstNode, LuaCallArgList, LuaCallExpr, LuaExpr, LuaIndexExpr, LuaLiteralToken, LuaTableExpr,
    LuaTableField, UnaryOperator,
};
use rulepack_script::{ApiField, cell_fields, context_fields, piece_fields, seat_fields, zone_fields};

use crate::definitions::standard;
use crate::kinds::Kinds;
use crate::literals::{Part, Sort};
use crate::module::is_set;
use crate::program::Program;
use crate::scope::{LocalIx, Use, key_name, range};

/// The largest number of locals that are followed from one to the next.
const DEEPEST: usize = 100;

/// The known kinds of values.
#[derive(Default)]
pub(crate) struct Infer {
    known: RefCell<BTreeMap<(usize, usize, usize), Kinds>>,
    depth: Cell<usize>,
    #[cfg(feature = "analysis")]
    types: crate::typed::Types,
}

impl Infer {
    pub(crate) fn new(program: &Program<'_>) -> Infer {
        #[cfg(feature = "analysis")]
        return Infer { types: crate::typed::Types::new(program), ..Infer::default() };
        #[cfg(not(feature = "analysis"))]
        {
            let _ = program;
            Infer::default()
        }
    }

    /// The possible kinds of an expression of a script.
    pub(crate) fn kinds(&self, program: &Program<'_>, at: usize, expr: &LuaExpr) -> Kinds {
        let Range { start, end } = range(expr);
        if let Some(known) = self.known.borrow().get(&(at, start, end)) {
            return *known;
        }
        if self.depth.get() > DEEPEST {
            return Kinds::ANY;
        }
        self.depth.set(self.depth.get().saturating_add(1));
        let plain = self.plain(program, at, expr).unwrap_or(Kinds::ANY);
        let kinds = if plain == Kinds::ANY { self.typed(program, at, expr) } else { plain };
        self.depth.set(self.depth.get().saturating_sub(1));
        self.known.borrow_mut().insert((at, start, end), kinds);
        kinds
    }

    fn plain(&self, program: &Program<'_>, at: usize, expr: &LuaExpr) -> Option<Kinds> {
        let chunk = program.chunk(at);
        Some(match expr {
            LuaExpr::Literal(literal) => match literal.get_literal()? {
                LuaLiteralToken::String(_) => Kinds::TEXT,
                LuaLiteralToken::Number(_) => Kinds::NUMBER,
                LuaLiteralToken::Bool(_) => Kinds::BOOL,
                LuaLiteralToken::Nil(_) => Kinds::NIL,
                LuaLiteralToken::Dots(_) => Kinds::ANY,
            },
            LuaExpr::Table(_) => Kinds::TABLE,
            LuaExpr::Closure(_) => Kinds::FUNCTION,
            LuaExpr::Paren(inner) => self.kinds(program, at, &inner.get_expr()?),
            LuaExpr::Unary(unary) => match unary.get_op()? {
                UnaryOperator::Not => Kinds::BOOL,
                UnaryOperator::Len | UnaryOperator::Unm => Kinds::NUMBER,
            },
            LuaExpr::Binary(binary) => {
                use BinaryOperator as Op;
                let (left, right) = binary.get_exprs()?;
                match binary.get_op()? {
                    Op::Add | Op::Sub | Op::Mul | Op::Div | Op::IDiv | Op::Mod | Op::Pow => Kinds::NUMBER,
                    Op::Concat => Kinds::TEXT,
                    Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => Kinds::BOOL,
                    Op::And => Kinds::NIL | Kinds::BOOL | self.kinds(program, at, &right),
                    Op::Or => self.kinds(program, at, &left) | self.kinds(program, at, &right),
                }
            }
            LuaExpr::Call(call) => {
                if let Some(method) = program.api_method(at, call) {
                    return Some(match method.name {
                        "choose" if chooses_several(call) => Kinds::TABLE,
                        "choose" => self.choosable(program, at, call)? | Kinds::NIL,
                        "first" | "last" => self.members(program, at, &first_arg(call)?) | Kinds::NIL,
                        "pick" => self.members(program, at, &first_arg(call)?),
                        _ => given(method.returns),
                    });
                }
                let name = chunk.scope.global_path(&call.get_prefix_expr()?)?;
                given(standard(&name)?.returns)
            }
            LuaExpr::Index(index) => {
                let prefix = index.get_prefix_expr()?;
                let name = key_name(&index.get_index_key()?)?;
                if !program.is_context(at, &prefix) {
                    return field(program, self.kinds(program, at, &prefix), &name);
                }
                Kinds::parse(context_fields().iter().find(|field| field.name == name)?.ty)
            }
            LuaExpr::Name(name) => {
                let local = chunk.scope.local_of(name)?;
                let declared = chunk.scope.local(local);
                match &declared.value {
                    _ if chunk.contexts.contains(&local) => Kinds::CONTEXT,
                    _ if !declared.writes.is_empty() => Kinds::ANY,
                    Some(value) => self.kinds(program, at, value),
                    None => match &declared.member_of {
                        Some(list) => self.members(program, at, list),
                        None => self.param(program, at, local).unwrap_or(Kinds::ANY),
                    },
                }
            }
        })
    }

    /// The value of a parameter: a member of a list in methods of `ctx`, or the arguments that definitions of the pack
    /// give.
    fn param(&self, program: &Program<'_>, at: usize, local: LocalIx) -> Option<Kinds> {
        let chunk = program.chunk(at);
        let function = chunk.scope.function(chunk.scope.local(local).function);
        let place = function.params.iter().position(|param| *param == local)?;
        let closure = function.closure.as_ref()?;
        if let Some(args) = closure.get_parent::<LuaCallArgList>() {
            let call = args.get_parent::<LuaCallExpr>()?;
            let method = program.api_method(at, &call)?;
            let is_of_list = matches!(
                method.name,
                "filter"
                    | "take_while"
                    | "take_until"
                    | "first"
                    | "last"
                    | "any"
                    | "none"
                    | "sum"
                    | "largest"
                    | "smallest"
            );
            return (is_of_list && place == 0)
                .then(|| first_arg(&call))
                .flatten()
                .map(|list| self.members(program, at, &list));
        }
        if let Some(field) = closure.get_parent::<LuaTableField>() {
            let table = field.get_parent::<LuaTableExpr>()?;
            let call = table.get_parent::<LuaCallArgList>()?.get_parent::<LuaCallExpr>()?;
            let is_where =
                place == 0 && field.get_field_key().and_then(|key| key_name(&key)).as_deref() == Some("where");
            let chooses = program.api_method(at, &call).is_some_and(|method| method.name == "choose");
            return (is_where && chooses).then(|| self.choosable(program, at, &call)).flatten();
        }
        let function = chunk.scope.function_of(closure)?;
        // The first is `ctx`.
        let given = place.checked_sub(1).filter(|_| chunk.hooks.contains_key(&function))?;
        let export = chunk.module.exports.iter().find(|export| export.function == Some(function))?;
        let name = format!("{}.{}", chunk.input.name, export.name);
        let calls = program.names.given.get(&(chunk.input.pack.to_string(), name))?;
        let kinds = calls.iter().map(|types| types.get(given).map_or(Kinds::ANY, |ty| Kinds::parse(ty)));
        Some(kinds.fold(Kinds::NONE, |all, kinds| all | kinds)).filter(|kinds| *kinds != Kinds::NONE)
    }

    /// The kinds of what `ctx:choose` chooses from: pieces of a zone, or members of a list.
    fn choosable(&self, program: &Program<'_>, at: usize, call: &LuaCallExpr) -> Option<Kinds> {
        let from = chosen_from(call)?;
        let is_zone = self.kinds(program, at, &from).only(Kinds::TEXT | Kinds::ZONE);
        Some(if is_zone { Kinds::PIECE } else { self.members(program, at, &from) })
    }

    /// The kinds of the members of a list.
    fn members(&self, program: &Program<'_>, at: usize, list: &LuaExpr) -> Kinds {
        if self.depth.get() > DEEPEST {
            return Kinds::ANY;
        }
        self.depth.set(self.depth.get().saturating_add(1));
        let kinds = self.members_of(program, at, list).unwrap_or(Kinds::ANY);
        self.depth.set(self.depth.get().saturating_sub(1));
        kinds
    }

    fn members_of(&self, program: &Program<'_>, at: usize, list: &LuaExpr) -> Option<Kinds> {
        let scope = &program.chunk(at).scope;
        match list {
            LuaExpr::Paren(inner) => Some(self.members(program, at, &inner.get_expr()?)),
            LuaExpr::Call(call) => {
                let method = program.api_method(at, call)?;
                if method.name == "choose" && chooses_several(call) {
                    return self.choosable(program, at, call);
                }
                match method.returns.strip_suffix("[]")? {
                    _ if is_part_of_list(method.name) => Some(self.members(program, at, &first_arg(call)?)),
                    member => Some(Kinds::parse(member)),
                }
            }
            LuaExpr::Index(index) => {
                let name = key_name(&index.get_index_key()?)?;
                let field = context_fields().iter().find(|field| field.name == name);
                let field =
                    field.filter(|_| index.get_prefix_expr().is_some_and(|prefix| program.is_context(at, &prefix)));
                Some(Kinds::parse(field?.ty.strip_suffix("[]")?))
            }
            LuaExpr::Table(table) => {
                let values: Option<Vec<LuaExpr>> = table.get_fields().map(|field| field.get_value_expr()).collect();
                let kinds = values?.iter().fold(Kinds::NONE, |kinds, value| kinds | self.kinds(program, at, value));
                Some(kinds).filter(|kinds| *kinds != Kinds::NONE)
            }
            LuaExpr::Name(name) => {
                let local = scope.local(scope.local_of(name)?);
                // Members that are added later are not known here.
                let grows = |used: &Use| {
                    let call =
                        used.node.get_parent::<LuaCallArgList>().and_then(|args| args.get_parent::<LuaCallExpr>());
                    let is_set = used.node.get_parent::<LuaIndexExpr>().is_some_and(|index| is_set(&index));
                    is_set
                        || call.and_then(|call| scope.global_path(&call.get_prefix_expr()?)).as_deref()
                            == Some("table.insert")
                };
                let is_same = local.writes.is_empty() && !local.reads.iter().any(grows);
                Some(self.members(program, at, local.value.as_ref().filter(|_| is_same)?))
            }
            _ => None,
        }
    }

    fn typed(&self, program: &Program<'_>, at: usize, expr: &LuaExpr) -> Kinds {
        let scope = &program.chunk(at).scope;
        // A local that another function assigns can hold anything by now.
        if let Some(local) = scope.local_expr(expr).map(|local| scope.local(local))
            && local.writes.iter().any(|used| used.function != local.function)
        {
            return Kinds::ANY;
        }
        #[cfg(feature = "analysis")]
        let found = self.types.kinds(at, range(expr));
        #[cfg(not(feature = "analysis"))]
        let found = {
            let _ = range(expr);
            Kinds::ANY
        };
        // "Always nil" is rarely the whole truth.
        if found == Kinds::NIL || found == Kinds::NONE { Kinds::ANY } else { found }
    }
}

/// The kinds of a field of a handle: what the game declares under that name, and what the API does.
fn field(program: &Program<'_>, handle: Kinds, name: &str) -> Option<Kinds> {
    let of_api =
        |fields: &[ApiField]| fields.iter().find(|field| field.name == name).map(|field| Kinds::parse(field.ty));
    let Some(part) = Part::of(handle) else {
        return handle.only(Kinds::ZONE).then(|| of_api(zone_fields())).flatten();
    };
    let of_game = program.names.parts.get(&(part, name.to_string()));
    let of_game = of_game.map(|sort| sort.map_or(Kinds::ANY, Sort::kinds));
    let of_api = match part {
        Part::Piece => of_api(piece_fields()),
        Part::Seat => of_api(seat_fields()),
        Part::Space => of_api(cell_fields()),
        Part::Game => None,
    };
    // A name of the game may belong to some kinds of pieces only; others have the field of the API.
    match (of_game, of_api) {
        (Some(game), Some(api)) => Some(game | api),
        (found, None) | (None, found) => found,
    }
}

/// The first argument of a call.
fn first_arg(call: &LuaCallExpr) -> Option<LuaExpr> {
    call.get_args_list()?.get_args().next()
}

/// What `ctx:choose { from = … }` chooses from.
fn chosen_from(call: &LuaCallExpr) -> Option<LuaExpr> {
    option_of(call, "from")
}

/// Whether `ctx:choose { most = … }` gives a list.
fn chooses_several(call: &LuaCallExpr) -> bool {
    option_of(call, "most").is_some()
}

/// An entry of the table of options that a call is given.
fn option_of(call: &LuaCallExpr, name: &str) -> Option<LuaExpr> {
    let LuaExpr::Table(options) = first_arg(call)? else { return None };
    let mut fields = options.get_fields().filter(|field| field.is_assign_field());
    let named = |field: &LuaTableField| field.get_field_key().and_then(|key| key_name(&key)).as_deref() == Some(name);
    fields.find(named)?.get_value_expr()
}

/// The first of the returned values.
fn given(returns: &str) -> Kinds {
    match returns {
        "" => Kinds::NIL,
        _ if returns.contains("...") => Kinds::ANY,
        _ if returns.starts_with("fun(") => Kinds::FUNCTION,
        _ => Kinds::parse(returns.split(',').next().unwrap_or(returns)),
    }
}

/// Whether a method gives a part of the list that is its first argument.
fn is_part_of_list(method: &str) -> bool {
    matches!(method, "filter" | "take_while" | "take_until" | "intersection" | "difference")
}
