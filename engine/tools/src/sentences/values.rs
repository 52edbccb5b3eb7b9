//! Values, conditions, sets and costs in words.

use rulepack_expr::ast::{Ast, AstKind, BinaryOp, CostAst, TermAst};

use super::Titles;

impl Titles {
    /// A value, a condition or a set.
    pub(super) fn value(&self, ast: &Ast) -> String {
        match &ast.kind {
            AstKind::Int(number) => number.to_string(),
            AstKind::Bool(true) => "yes".to_string(),
            AstKind::Bool(false) => "no".to_string(),
            AstKind::Symbol(name) => self.name(name),
            AstKind::Name(name) => self.word(name),
            AstKind::My(name) => format!("your {}", self.name(name)),
            AstKind::Dot(of, field) => self.field(of, field),
            AstKind::Index(of, what) => format!("{} {}", self.possessive(of), self.value(what)),
            AstKind::Of(what, whom) => format!("{} of {}", self.value(what), self.value(whom)),
            AstKind::Call(function, parts) => self.call(function, parts),
            AstKind::Query(script, _) => format!("what the script {script} says"),
            AstKind::Negative(part) => format!("minus {}", self.value(part)),
            AstKind::Not(part) => format!("it is not so that {}", self.value(part)),
            AstKind::Binary(operator, left, right) => {
                format!("{} {} {}", self.value(left), operator_word(*operator), self.value(right))
            }
            AstKind::Is(what, name, _) => format!("{} is {}", self.value(what), self.name(name)),
            AstKind::In(what, set) => format!("{} is among {}", self.value(what), self.value(set)),
            AstKind::Where(set, condition) => format!("{} where {}", self.value(set), self.value(condition)),
            AstKind::As(set, name) => format!("{} (each called {})", self.value(set), name.text),
            AstKind::Range(from, to) => format!("{} to {}", self.value(from), self.value(to)),
            AstKind::List(parts) => self.listed(parts),
            AstKind::While(set, condition) => {
                format!("{} as long as {}", self.value(set), self.value(condition))
            }
            AstKind::Until(set, condition) => {
                format!("{} up to the first where {}", self.value(set), self.value(condition))
            }
            AstKind::If(condition, yes, no) => {
                format!("{} if {}, else {}", self.value(yes), self.value(condition), self.value(no))
            }
        }
    }

    fn word(&self, name: &str) -> String {
        match name {
            "me" => "you".to_string(),
            "opponent" => "the opponent".to_string(),
            "players" => "all players".to_string(),
            "others" => "the other players".to_string(),
            "self" => "this piece".to_string(),
            "at_turn" => "the player at turn".to_string(),
            "supply" => "the supply".to_string(),
            name if self.is_plural(name) => format!("all {}", self.name(name)),
            name => self.name(name),
        }
    }

    /// `x.field` as "the field of x", and `my.field` as "your field".
    fn field(&self, of: &Ast, field: &str) -> String {
        match &of.kind {
            AstKind::Name(name) if name == "me" => format!("your {}", self.name(field)),
            AstKind::Name(name) if name == "it" || name == "self" => format!("its {}", self.name(field)),
            AstKind::Name(name) if name == "supply" => format!("the {} in the supply", self.name(field)),
            _ => format!("the {} of {}", self.name(field), self.value(of)),
        }
    }

    fn possessive(&self, of: &Ast) -> String {
        match &of.kind {
            AstKind::Name(name) if name == "me" => "your".to_string(),
            _ => format!("{}’s", self.value(of)),
        }
    }

    fn listed(&self, parts: &[Ast]) -> String {
        let all: Vec<String> = parts.iter().map(|part| self.value(part)).collect();
        match all.split_last() {
            None => "nothing".to_string(),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
        }
    }

    fn call(&self, function: &str, parts: &[Ast]) -> String {
        let first = parts.first().map_or_else(String::new, |part| self.value(part));
        let second = parts.get(1).map_or_else(String::new, |part| self.value(part));
        match function {
            "count" => format!("the number of {first}"),
            "any" => format!("there is one in {first}"),
            "none" => format!("there is none in {first}"),
            "sum" => format!("the sum of {second} over {first}"),
            "largest" => format!("the largest {second} of {first}"),
            "smallest" => format!("the smallest {second} of {first}"),
            "first" => format!("the first of {first}"),
            "last" => format!("the last of {first}"),
            "top" => format!("the top piece of {first}"),
            "has" => format!("you have {first}"),
            "min" => format!("the smaller of {}", self.listed(parts)),
            "max" => format!("the larger of {}", self.listed(parts)),
            "next" => format!("the player after {first}"),
            "previous" => format!("the player before {first}"),
            "passed" => format!("{first} passed"),
            "can" => format!("{first} can be done"),
            "can_pay" => format!("{first} can be paid"),
            "units" => format!("the number of units in {first}"),
            "union" => format!("{} together", self.listed(parts)),
            "intersection" => format!("what is common to {}", self.listed(parts)),
            "difference" => format!("{first} without {second}"),
            "cells" => format!("the spaces of {first}"),
            "free_cells" => format!("the empty spaces of {first}"),
            "neighbours" => format!("the spaces next to {first}"),
            "pieces_at" => format!("the pieces on {first}"),
            "attached" => format!("the pieces lying on {first}"),
            "types" => format!("the types of {first}"),
            "room" => format!("the room for {}", self.listed(parts)),
            _ if parts.is_empty() => self.name(function),
            _ => format!("{} of {}", self.name(function), self.listed(parts)),
        }
    }

    /// A cost or a gain.
    pub(super) fn cost(&self, cost: &CostAst) -> String {
        let terms = cost.terms.iter().map(|term| match term {
            TermAst::Counted(amount, what) => format!("{} {}", self.value(amount), self.value(what)),
            TermAst::Whole(whole) => self.value(whole),
        });
        let terms = terms.collect::<Vec<_>>().join(" and ");
        match &cost.less {
            Some(less) => format!("{terms}, {} less", self.value(less)),
            None => terms,
        }
    }
}

fn operator_word(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "−",
        BinaryOp::Mul => "times",
        BinaryOp::Div => "divided by",
        BinaryOp::Rem => "modulo",
        BinaryOp::Eq => "is",
        BinaryOp::Ne => "is not",
        BinaryOp::Lt => "is less than",
        BinaryOp::Le => "is at most",
        BinaryOp::Gt => "is more than",
        BinaryOp::Ge => "is at least",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
    }
}
