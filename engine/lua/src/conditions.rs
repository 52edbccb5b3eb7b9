//! Check: conditions that always hold, because in Lua every number and every table counts as true, also 0 and `{}`.

use crate::tree::{
    BinaryOperator, Kind, LuaAstNode, LuaBinaryExpr, LuaCallArgList, LuaCallExpr, LuaExpr, LuaLiteralToken,
    LuaReturnStat, LuaTableExpr, LuaTableField, LuaUnaryExpr, UnaryOperator,
};
use rulepack_model::{Code, Diagnostic};

use crate::kinds::Kinds;
use crate::literals::Part;
use crate::program::Program;
use crate::scope::{key_name, range};

/// The largest number of locals that are followed from one to the next.
const DEEPEST: usize = 8;

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    for (at, chunk) in program.chunks.iter().enumerate() {
        for expr in chunk.root.descendants::<LuaExpr>() {
            let Some(value) = always_true(program, at, &expr, DEEPEST) else { continue };
            let Some(place) = Condition::of(program, at, &expr) else { continue };
            let text = expr.syntax().text();
            let (what, asked) = match value {
                Value::Number => ("a number is always true, also 0", text.to_string()),
                Value::List => ("a list is always true, also an empty one", format!("#{text}")),
            };
            let help = match place {
                Condition::Plain => format!("write `{asked} > 0`"),
                Condition::Negated => format!("write `{asked} == 0` instead of `not {text}`"),
            };
            let message = format!("`{text}` is no condition: {what}");
            out.push(Diagnostic::warning(Code::ConstantCondition, message).at(chunk.span(range(&expr))).help(help));
        }
    }
}

/// A value that counts as true, whatever it is.
#[derive(Clone, Copy)]
enum Value {
    Number,
    List,
}

/// The value of an expression that is certainly a number or a list. What a type checker thinks is not enough: it takes
/// `list[1]` to be there.
fn always_true(program: &Program<'_>, at: usize, expr: &LuaExpr, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    match expr {
        LuaExpr::Literal(literal) => match literal.get_literal()? {
            LuaLiteralToken::Number(_) => Some(Value::Number),
            _ => None,
        },
        LuaExpr::Unary(unary) => match unary.get_op()? {
            UnaryOperator::Len | UnaryOperator::Unm => Some(Value::Number),
            UnaryOperator::Not => None,
        },
        LuaExpr::Binary(binary) => {
            use BinaryOperator as Op;
            match binary.get_op()? {
                Op::Add | Op::Sub | Op::Mul | Op::Div | Op::IDiv | Op::Mod | Op::Pow => Some(Value::Number),
                Op::Concat | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne | Op::And | Op::Or => None,
            }
        }
        LuaExpr::Call(call) => match program.api_method(at, call)?.returns {
            "integer" => Some(Value::Number),
            returns => returns.ends_with("[]").then_some(Value::List),
        },
        LuaExpr::Index(index) => {
            let handle = program.infer.kinds(program, at, &index.get_prefix_expr()?);
            Part::of(handle)?;
            (program.infer.kinds(program, at, expr) == Kinds::NUMBER).then_some(Value::Number)
        }
        LuaExpr::Name(_) => {
            let scope = &program.chunk(at).scope;
            let local = scope.local(scope.local_expr(expr)?);
            always_true(program, at, local.value.as_ref().filter(|_| local.writes.is_empty())?, depth)
        }
        // A table of the script itself may be a set or a record; whoever tests it knows why.
        LuaExpr::Table(_) | LuaExpr::Closure(_) | LuaExpr::Paren(_) => None,
    }
}

/// How an expression decides something.
enum Condition {
    Plain,
    /// After `not`.
    Negated,
}

impl Condition {
    /// The condition that an expression is, if it is one.
    fn of(program: &Program<'_>, at: usize, expr: &LuaExpr) -> Option<Condition> {
        let mut node = expr.syntax().clone();
        loop {
            let parent = node.parent()?;
            match parent.kind() {
                Kind::IfStat | Kind::ElseIfClause | Kind::WhileStat | Kind::RepeatStat => {
                    return Some(Condition::Plain);
                }
                Kind::UnaryExpr => {
                    let is_not = LuaUnaryExpr::cast(parent)?.get_op()? == UnaryOperator::Not;
                    return is_not.then_some(Condition::Negated);
                }
                Kind::BinaryExpr => {
                    let binary = LuaBinaryExpr::cast(parent.clone())?;
                    let is_left = binary.get_exprs()?.0.syntax() == &node;
                    match binary.get_op()? {
                        BinaryOperator::And if is_left => return Some(Condition::Plain),
                        // The value of the whole is that of this side.
                        BinaryOperator::And | BinaryOperator::Or => {}
                        _ => return None,
                    }
                }
                Kind::ParenExpr => {}
                Kind::ReturnStat => {
                    let returned = LuaReturnStat::cast(parent)?;
                    return is_filter(program, at, &returned).then_some(Condition::Plain);
                }
                _ => return None,
            }
            node = parent;
        }
    }
}

/// Whether a function returns this to a method of `ctx` that keeps what fits.
fn is_filter(program: &Program<'_>, at: usize, returned: &LuaReturnStat) -> bool {
    let scope = &program.chunk(at).scope;
    let Some(closure) = &scope.function(scope.function_at(range(returned).start)).closure else { return false };
    let method = |args: LuaCallArgList| program.api_method(at, &args.get_parent::<LuaCallExpr>()?);
    if let Some(args) = closure.get_parent::<LuaCallArgList>() {
        return method(args).is_some_and(|method| ["filter", "take_while", "first", "any"].contains(&method.name));
    }
    let Some(field) = closure.get_parent::<LuaTableField>() else { return false };
    let is_where = field.get_field_key().and_then(|key| key_name(&key)).as_deref() == Some("where");
    let table = field.get_parent::<LuaTableExpr>();
    is_where && table.and_then(|table| method(table.get_parent()?)).is_some_and(|method| method.name == "choose")
}
