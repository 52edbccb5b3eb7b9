//! The kinds of nodes, each with the parts that it has.

use std::ops::Range;

use super::lexer::{Number, TokenKind, number, unquoted};
use super::{Kind, LuaAstNode, Node};

/// Types for nodes of one kind each.
macro_rules! nodes {
    ($($name:ident: $kind:pat,)*) => {$(
        #[derive(Debug, Clone, PartialEq)]
        pub(crate) struct $name(Node);

        impl LuaAstNode for $name {
            fn cast(node: Node) -> Option<$name> {
                matches!(node.kind(), $kind).then(|| $name(node))
            }

            fn syntax(&self) -> &Node {
                &self.0
            }
        }
    )*};
}

/// Types for nodes of one of several kinds.
macro_rules! choices {
    ($($name:ident { $($variant:ident($inner:ident),)* })*) => {$(
        #[derive(Debug, Clone, PartialEq)]
        pub(crate) enum $name {
            $($variant($inner),)*
        }

        impl LuaAstNode for $name {
            fn cast(node: Node) -> Option<$name> {
                $(if let Some(found) = $inner::cast(node.clone()) {
                    return Some($name::$variant(found));
                })*
                None
            }

            fn syntax(&self) -> &Node {
                match self {
                    $($name::$variant(inner) => inner.syntax(),)*
                }
            }
        }
    )*};
}

nodes! {
    LuaChunk: Kind::Chunk,
    LuaBlock: Kind::Block,
    LuaLocalStat: Kind::LocalStat,
    LuaLocalFuncStat: Kind::LocalFuncStat,
    LuaAssignStat: Kind::AssignStat,
    LuaFuncStat: Kind::FuncStat,
    LuaCallExprStat: Kind::CallExprStat,
    LuaReturnStat: Kind::ReturnStat,
    LuaDoStat: Kind::DoStat,
    LuaIfStat: Kind::IfStat,
    LuaElseIfClauseStat: Kind::ElseIfClause,
    LuaClause: Kind::ElseIfClause | Kind::ElseClause,
    LuaWhileStat: Kind::WhileStat,
    LuaRepeatStat: Kind::RepeatStat,
    LuaForStat: Kind::ForStat,
    LuaForRangeStat: Kind::ForRangeStat,
    LuaPlainStat: Kind::BreakStat | Kind::ContinueStat | Kind::EmptyStat,
    LuaNameExpr: Kind::NameExpr,
    LuaIndexExpr: Kind::IndexExpr,
    LuaClosureExpr: Kind::ClosureExpr,
    LuaCallExpr: Kind::CallExpr,
    LuaTableExpr: Kind::TableExpr,
    LuaBinaryExpr: Kind::BinaryExpr,
    LuaUnaryExpr: Kind::UnaryExpr,
    LuaParenExpr: Kind::ParenExpr,
    LuaLiteralExpr: Kind::LiteralExpr,
    LuaCallArgList: Kind::CallArgList,
    LuaParamList: Kind::ParamList,
    LuaParamName: Kind::ParamName,
    LuaLocalName: Kind::LocalName,
    LuaTableField: Kind::TableFieldAssign | Kind::TableFieldValue,
    LuaNameToken: Kind::Token(TokenKind::Name),
    LuaStringToken: Kind::Token(TokenKind::String),
    LuaNumberToken: Kind::Token(TokenKind::Number),
    LuaBoolToken: Kind::Token(TokenKind::True | TokenKind::False),
    LuaNilToken: Kind::Token(TokenKind::Nil),
    LuaDotsToken: Kind::Token(TokenKind::Dots),
    LuaIndexToken: Kind::Token(TokenKind::Dot | TokenKind::Colon | TokenKind::LeftBracket),
    LuaAssignToken: Kind::Token(TokenKind::Assign | TokenKind::AssignWith),
    LuaOpToken: Kind::Token(_),
}

choices! {
    LuaExpr {
        Name(LuaNameExpr),
        Index(LuaIndexExpr),
        Call(LuaCallExpr),
        Literal(LuaLiteralExpr),
        Binary(LuaBinaryExpr),
        Unary(LuaUnaryExpr),
        Paren(LuaParenExpr),
        Table(LuaTableExpr),
        Closure(LuaClosureExpr),
    }
    LuaVarExpr {
        Name(LuaNameExpr),
        Index(LuaIndexExpr),
    }
    LuaStat {
        Local(LuaLocalStat),
        LocalFunc(LuaLocalFuncStat),
        Assign(LuaAssignStat),
        Func(LuaFuncStat),
        CallExpr(LuaCallExprStat),
        Return(LuaReturnStat),
        Do(LuaDoStat),
        If(LuaIfStat),
        While(LuaWhileStat),
        Repeat(LuaRepeatStat),
        For(LuaForStat),
        ForRange(LuaForRangeStat),
        Plain(LuaPlainStat),
    }
    LuaAst {
        LocalStat(LuaLocalStat),
        LocalFuncStat(LuaLocalFuncStat),
        AssignStat(LuaAssignStat),
        FuncStat(LuaFuncStat),
        CallExprStat(LuaCallExprStat),
        IfStat(LuaIfStat),
        ElseIfClauseStat(LuaElseIfClauseStat),
        ForRangeStat(LuaForRangeStat),
        CallExpr(LuaCallExpr),
        LiteralExpr(LuaLiteralExpr),
        BinaryExpr(LuaBinaryExpr),
        UnaryExpr(LuaUnaryExpr),
    }
    LuaLiteralToken {
        String(LuaStringToken),
        Number(LuaNumberToken),
        Bool(LuaBoolToken),
        Nil(LuaNilToken),
        Dots(LuaDotsToken),
    }
    LuaIndexKey {
        Name(LuaNameToken),
        String(LuaStringToken),
        Number(LuaNumberToken),
        Expr(LuaExpr),
    }
}

/// An operator between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    Or,
    And,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    Concat,
    Add,
    Sub,
    Mul,
    Div,
    IDiv,
    Mod,
    Pow,
}

impl BinaryOperator {
    pub(crate) fn of(token: TokenKind) -> Option<BinaryOperator> {
        use BinaryOperator as Op;
        use TokenKind as T;
        Some(match token {
            T::Or => Op::Or,
            T::And => Op::And,
            T::Less => Op::Lt,
            T::LessEqual => Op::Le,
            T::Greater => Op::Gt,
            T::GreaterEqual => Op::Ge,
            T::Equal => Op::Eq,
            T::Unequal => Op::Ne,
            T::Concat => Op::Concat,
            T::Plus => Op::Add,
            T::Minus => Op::Sub,
            T::Star => Op::Mul,
            T::Slash => Op::Div,
            T::DoubleSlash => Op::IDiv,
            T::Percent => Op::Mod,
            T::Caret => Op::Pow,
            _ => return None,
        })
    }
}

/// An operator before a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnaryOperator {
    Not,
    Len,
    Unm,
}

impl UnaryOperator {
    pub(crate) fn of(token: TokenKind) -> Option<UnaryOperator> {
        match token {
            TokenKind::Not => Some(UnaryOperator::Not),
            TokenKind::Length => Some(UnaryOperator::Len),
            TokenKind::Minus => Some(UnaryOperator::Unm),
            _ => None,
        }
    }
}

/// The first node of a kind right inside another one.
fn child<N: LuaAstNode>(node: &impl LuaAstNode) -> Option<N> {
    node.syntax().children().find_map(N::cast)
}

/// Nodes with a block inside.
macro_rules! with_block {
    ($($name:ident)*) => {$(
        impl $name {
            pub(crate) fn get_block(&self) -> Option<LuaBlock> {
                child(self)
            }
        }
    )*};
}

with_block! {
    LuaChunk LuaDoStat LuaIfStat LuaClause LuaWhileStat LuaRepeatStat LuaForStat LuaForRangeStat LuaClosureExpr
}

/// Nodes with a condition right inside.
macro_rules! with_condition {
    ($($name:ident)*) => {$(
        impl $name {
            pub(crate) fn get_condition_expr(&self) -> Option<LuaExpr> {
                child(self)
            }
        }
    )*};
}

with_condition! { LuaIfStat LuaElseIfClauseStat LuaClause LuaWhileStat LuaRepeatStat }

/// Nodes that are a name.
macro_rules! with_name {
    ($($name:ident)*) => {$(
        impl $name {
            pub(crate) fn get_name_token(&self) -> Option<LuaNameToken> {
                child(self)
            }
        }
    )*};
}

with_name! { LuaParamName LuaLocalName }

impl LuaBlock {
    pub(crate) fn get_stats(&self) -> impl Iterator<Item = LuaStat> {
        self.0.children().filter_map(LuaStat::cast)
    }
}

impl LuaLocalStat {
    pub(crate) fn get_local_name_list(&self) -> impl Iterator<Item = LuaLocalName> {
        self.children()
    }

    pub(crate) fn get_value_exprs(&self) -> impl Iterator<Item = LuaExpr> {
        self.children()
    }
}

impl LuaLocalFuncStat {
    pub(crate) fn get_local_name(&self) -> Option<LuaLocalName> {
        child(self)
    }

    pub(crate) fn get_closure(&self) -> Option<LuaClosureExpr> {
        child(self)
    }
}

impl LuaFuncStat {
    pub(crate) fn get_func_name(&self) -> Option<LuaVarExpr> {
        child(self)
    }

    pub(crate) fn get_closure(&self) -> Option<LuaClosureExpr> {
        child(self)
    }
}

impl LuaAssignStat {
    pub(crate) fn get_assign_op(&self) -> Option<LuaAssignToken> {
        child(self)
    }

    /// The variables that are set, and their new values.
    pub(crate) fn get_var_and_expr_list(&self) -> (Vec<LuaVarExpr>, Vec<LuaExpr>) {
        let op = self.get_assign_op().map_or(0, |op| op.0.range().start);
        let (vars, values): (Vec<Node>, Vec<Node>) = self.0.children().partition(|node| node.range().start < op);
        (
            vars.into_iter().filter_map(LuaVarExpr::cast).collect(),
            values.into_iter().filter_map(LuaExpr::cast).collect(),
        )
    }
}

impl LuaAssignToken {
    /// Whether it is `=` and not `+=` or the like.
    pub(crate) fn is_plain(&self) -> bool {
        self.0.kind() == Kind::Token(TokenKind::Assign)
    }
}

impl LuaCallExprStat {
    pub(crate) fn get_call_expr(&self) -> Option<LuaCallExpr> {
        child(self)
    }
}

impl LuaReturnStat {
    pub(crate) fn get_expr_list(&self) -> impl Iterator<Item = LuaExpr> {
        self.children()
    }
}

impl LuaIfStat {
    /// Every `elseif` and `else`.
    pub(crate) fn get_all_clause(&self) -> impl Iterator<Item = LuaClause> {
        self.children()
    }
}

impl LuaForStat {
    pub(crate) fn get_var_name(&self) -> Option<LuaNameToken> {
        child(self)
    }

    /// The first value, the last value and the step.
    pub(crate) fn get_iter_expr(&self) -> impl Iterator<Item = LuaExpr> {
        self.children()
    }
}

impl LuaForRangeStat {
    pub(crate) fn get_var_name_list(&self) -> impl Iterator<Item = LuaNameToken> {
        self.children()
    }

    pub(crate) fn get_expr_list(&self) -> impl Iterator<Item = LuaExpr> {
        self.children()
    }
}

impl LuaNameExpr {
    pub(crate) fn get_name_text(&self) -> Option<String> {
        Some(self.0.text().to_string())
    }
}

impl LuaNameToken {
    pub(crate) fn get_name_text(&self) -> &str {
        self.0.text()
    }
}

/// The key after an opening bracket, or the name that stands without one.
fn key_of(node: &Node) -> Option<LuaIndexKey> {
    let after = node.children().skip_while(|part| LuaIndexToken::cast(part.clone()).is_none()).nth(1);
    let key = after.or_else(|| node.children().next())?;
    match LuaLiteralExpr::cast(key.clone()).and_then(|literal| literal.get_literal()) {
        Some(LuaLiteralToken::String(text)) => Some(LuaIndexKey::String(text)),
        Some(LuaLiteralToken::Number(number)) => Some(LuaIndexKey::Number(number)),
        _ => LuaIndexKey::cast(key),
    }
}

impl LuaIndexExpr {
    pub(crate) fn get_prefix_expr(&self) -> Option<LuaExpr> {
        child(self)
    }

    pub(crate) fn get_index_token(&self) -> Option<LuaIndexToken> {
        child(self)
    }

    pub(crate) fn get_index_key(&self) -> Option<LuaIndexKey> {
        key_of(&self.0)
    }
}

impl LuaIndexToken {
    pub(crate) fn is_colon(&self) -> bool {
        self.0.kind() == Kind::Token(TokenKind::Colon)
    }
}

impl LuaIndexKey {
    pub(crate) fn range(&self) -> Range<usize> {
        self.syntax().range()
    }
}

impl LuaClosureExpr {
    pub(crate) fn get_params_list(&self) -> Option<LuaParamList> {
        child(self)
    }
}

impl LuaParamList {
    pub(crate) fn get_params(&self) -> impl Iterator<Item = LuaParamName> {
        self.children()
    }
}

impl LuaParamName {
    pub(crate) fn is_dots(&self) -> bool {
        child::<LuaDotsToken>(self).is_some()
    }
}

impl LuaCallExpr {
    pub(crate) fn get_prefix_expr(&self) -> Option<LuaExpr> {
        child(self)
    }

    pub(crate) fn get_args_list(&self) -> Option<LuaCallArgList> {
        child(self)
    }

    /// Whether it is written `a:b(…)`.
    pub(crate) fn is_colon_call(&self) -> bool {
        let Some(LuaExpr::Index(index)) = self.get_prefix_expr() else { return false };
        index.get_index_token().is_some_and(|token| token.is_colon())
    }
}

impl LuaCallArgList {
    pub(crate) fn get_args(&self) -> impl Iterator<Item = LuaExpr> + use<> {
        let args: Vec<LuaExpr> = self.children().collect();
        args.into_iter()
    }
}

impl LuaTableExpr {
    pub(crate) fn get_fields(&self) -> impl Iterator<Item = LuaTableField> {
        self.children()
    }
}

impl LuaTableField {
    /// Whether it has a key.
    pub(crate) fn is_assign_field(&self) -> bool {
        self.0.kind() == Kind::TableFieldAssign
    }

    pub(crate) fn is_value_field(&self) -> bool {
        !self.is_assign_field()
    }

    pub(crate) fn get_field_key(&self) -> Option<LuaIndexKey> {
        self.is_assign_field().then(|| key_of(&self.0)).flatten()
    }

    pub(crate) fn get_value_expr(&self) -> Option<LuaExpr> {
        self.0.children().next_back().and_then(LuaExpr::cast)
    }
}

impl LuaBinaryExpr {
    pub(crate) fn get_exprs(&self) -> Option<(LuaExpr, LuaExpr)> {
        let mut both = self.children();
        Some((both.next()?, both.next()?))
    }

    /// The operator between two values: its token and its meaning.
    pub(crate) fn get_op_token(&self) -> Option<(LuaOpToken, BinaryOperator)> {
        self.0.children().find_map(|part| match part.kind() {
            Kind::Token(token) => Some((LuaOpToken(part), BinaryOperator::of(token)?)),
            _ => None,
        })
    }

    pub(crate) fn get_op(&self) -> Option<BinaryOperator> {
        self.get_op_token().map(|(_, op)| op)
    }
}

impl LuaUnaryExpr {
    pub(crate) fn get_expr(&self) -> Option<LuaExpr> {
        child(self)
    }

    /// The operator before a value: its token and its meaning.
    pub(crate) fn get_op_token(&self) -> Option<(LuaOpToken, UnaryOperator)> {
        self.0.children().find_map(|part| match part.kind() {
            Kind::Token(token) => Some((LuaOpToken(part), UnaryOperator::of(token)?)),
            _ => None,
        })
    }

    pub(crate) fn get_op(&self) -> Option<UnaryOperator> {
        self.get_op_token().map(|(_, op)| op)
    }
}

impl LuaParenExpr {
    pub(crate) fn get_expr(&self) -> Option<LuaExpr> {
        child(self)
    }
}

impl LuaLiteralExpr {
    pub(crate) fn get_literal(&self) -> Option<LuaLiteralToken> {
        child(self)
    }
}

impl LuaStringToken {
    /// The value of the text, without quotes and escapes.
    pub(crate) fn get_value(&self) -> String {
        unquoted(self.0.text())
    }
}

impl LuaNumberToken {
    pub(crate) fn get_value(&self) -> Option<Number> {
        number(self.0.text())
    }
}

impl LuaBoolToken {
    pub(crate) fn is_true(&self) -> bool {
        self.0.kind() == Kind::Token(TokenKind::True)
    }
}
