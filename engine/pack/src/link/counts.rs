//! How many copies of a type there are: a number, a number for each player, or a formula over the number of players and
//! the attributes of the type.

use rulepack_expr::ast::{Ast, AstKind, BinaryOp};
use rulepack_expr::{AttrTy, ExprError, with_room};
use rulepack_kernel::Value;
use rulepack_kernel::ruleset::AttrValue;
use rulepack_model::{Code, Diagnostic, Node, TypeId, known_instead};

use super::Linker;
use super::compile::TextUse;
use super::seats::MAX_COPIES;

/// The number of players, as formulas call it.
const PLAYERS: &str = "players";

/// A number of copies.
#[derive(Debug, Clone)]
pub(crate) enum Count {
    Number(i64),
    /// The number of players.
    Players,
    Negative(Box<Count>),
    Not(Box<Count>),
    Binary(BinaryOp, Box<Count>, Box<Count>),
    If(Box<Count>, Box<Count>, Box<Count>),
    Least(Box<Count>, Box<Count>),
    Most(Box<Count>, Box<Count>),
}

impl Count {
    /// The number with this many players; `None` if it is too large to be worked out. A yes is 1.
    pub(crate) fn of(&self, players: u8) -> Option<i64> {
        Some(match self {
            Count::Number(number) => *number,
            Count::Players => i64::from(players),
            Count::Negative(inner) => inner.of(players)?.checked_neg()?,
            Count::Not(inner) => i64::from(inner.of(players)? == 0),
            Count::If(cond, yes, no) => {
                let way = if cond.of(players)? != 0 { yes } else { no };
                way.of(players)?
            }
            Count::Least(one, other) => one.of(players)?.min(other.of(players)?),
            Count::Most(one, other) => one.of(players)?.max(other.of(players)?),
            Count::Binary(op, one, other) => {
                let (one, other) = (one.of(players)?, other.of(players)?);
                match op {
                    BinaryOp::Add => one.checked_add(other)?,
                    BinaryOp::Sub => one.checked_sub(other)?,
                    BinaryOp::Mul => one.checked_mul(other)?,
                    // As in every text: dividing by 0 gives 0.
                    BinaryOp::Div => one.checked_div(other).unwrap_or(0),
                    BinaryOp::Rem => one.checked_rem(other).unwrap_or(0),
                    BinaryOp::Eq => i64::from(one == other),
                    BinaryOp::Ne => i64::from(one != other),
                    BinaryOp::Lt => i64::from(one < other),
                    BinaryOp::Le => i64::from(one <= other),
                    BinaryOp::Gt => i64::from(one > other),
                    BinaryOp::Ge => i64::from(one >= other),
                    BinaryOp::And => i64::from(one != 0 && other != 0),
                    BinaryOp::Or => i64::from(one != 0 || other != 0),
                }
            }
        })
    }

    /// The number, if it does not depend on the players.
    pub(crate) fn fixed(&self) -> Option<i64> {
        match self {
            Count::Number(number) => Some(*number),
            Count::Players
            | Count::Negative(_)
            | Count::Not(_)
            | Count::Binary(..)
            | Count::If(..)
            | Count::Least(..)
            | Count::Most(..) => None,
        }
    }
}

impl Linker<'_> {
    /// `count = 3`, or `count = "players * 2"`. A wrong one is reported.
    pub(super) fn count(&mut self, path: &str, ty: TypeId, node: &Node) -> Option<Count> {
        if let Some(number) = node.as_int() {
            if (0..=MAX_COPIES).contains(&number) {
                return Some(Count::Number(number));
            }
        } else if let Some(text) = node.as_str() {
            self.keep_text(node, TextUse::Value);
            let parses = self.parses;
            let read = with_room(text, || parses.expr(text)).and_then(|ast| self.formula(ty, &ast));
            return read.map_err(|error| self.mistake(node, error)).ok();
        }
        self.out.push(
            Diagnostic::error(Code::WrongValue, format!("`{path}.count` must be a number from 0 to {MAX_COPIES}"))
                .at(node.span)
                .help("write `count = 3`, `count = { per_player = 1 }`, or a formula: `count = \"players * 2\"`"),
        );
        None
    }

    fn formula(&self, ty: TypeId, ast: &Ast) -> Result<Count, ExprError> {
        let part = |ast: &Ast| self.formula(ty, ast).map(Box::new);
        Ok(match &ast.kind {
            AstKind::Int(number) => Count::Number(*number),
            AstKind::Bool(flag) => Count::Number(i64::from(*flag)),
            AstKind::Name(name) if name == PLAYERS => Count::Players,
            AstKind::Name(name) => Count::Number(self.number_of(ty, name, ast)?),
            AstKind::Dot(base, name) if matches!(&base.kind, AstKind::Name(base) if base == "self") => {
                Count::Number(self.number_of(ty, name, ast)?)
            }
            AstKind::Call(name, args) => match (name.as_str(), args.as_slice()) {
                ("count", [Ast { kind: AstKind::Name(of), .. }]) if of == PLAYERS => Count::Players,
                ("min", [one, other]) => Count::Least(part(one)?, part(other)?),
                ("max", [one, other]) => Count::Most(part(one)?, part(other)?),
                _ => return Err(not_counted(ast)),
            },
            AstKind::Negative(inner) => Count::Negative(part(inner)?),
            AstKind::Not(inner) => Count::Not(part(inner)?),
            AstKind::Binary(op, one, other) => Count::Binary(*op, part(one)?, part(other)?),
            AstKind::If(cond, yes, no) => Count::If(part(cond)?, part(yes)?, part(no)?),
            AstKind::Symbol(_)
            | AstKind::My(_)
            | AstKind::Dot(..)
            | AstKind::Index(..)
            | AstKind::Of(..)
            | AstKind::Query(..)
            | AstKind::Is(..)
            | AstKind::In(..)
            | AstKind::Where(..)
            | AstKind::As(..)
            | AstKind::Range(..)
            | AstKind::List(_)
            | AstKind::While(..)
            | AstKind::Until(..) => return Err(not_counted(ast)),
        })
    }

    /// A number attribute of a type; 0 if the type does not set it.
    fn number_of(&self, ty: TypeId, name: &str, ast: &Ast) -> Result<i64, ExprError> {
        let kind = self.rules.ty(ty).kind;
        let is_number = |ty: AttrTy| matches!(ty, AttrTy::Int | AttrTy::Bool);
        let of_kind =
            || self.vocabulary.attrs.iter().filter(|(_, attr)| attr.kinds.contains(&kind) && is_number(attr.ty));
        let Some((_, attr)) = of_kind().find(|(known, _)| *known == name) else {
            let message = format!("`{name}` is neither `{PLAYERS}` nor a number attribute of this kind");
            let known = of_kind().map(|(known, _)| known.as_str()).chain([PLAYERS]);
            let help = known_instead(name, known).unwrap_or_default();
            return Err(ExprError::name(ast.at.clone(), message).help(help));
        };
        Ok(match self.rules.ty(ty).attrs.get(usize::from(attr.id.0)) {
            Some(Some(AttrValue::Plain(Value::Int(number)))) => *number,
            Some(Some(AttrValue::Plain(Value::Bool(flag)))) => i64::from(*flag),
            _ => 0,
        })
    }
}

fn not_counted(ast: &Ast) -> ExprError {
    ExprError::kind(ast.at.clone(), "how many copies there are does not depend on this")
        .help("a formula has numbers, `players`, and number attributes of the type: `players * 2 + rank`")
}
