//! The parser: it makes a tree of tokens, with one function for each construct of Lua 5.1.
//!
//! It stops at the first mistake, because most further mistakes would only follow from that one. It is recursive: callers must
//! check the depth of nesting first.

use std::ops::Range;
use std::rc::Rc;

use super::lexer::{Token, TokenKind as T, tokens};
use super::{BinaryOperator, Data, Kind, LuaAstNode, LuaChunk, Node, Tree, UnaryOperator};

/// A place where the text is no Lua.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub range: Range<usize>,
    pub message: String,
}

/// A parsed part, or the mistake.
type Read<V> = Result<V, Mistake>;

/// Reads a whole text.
pub(crate) fn parse(text: &str) -> Read<LuaChunk> {
    let mut parser = Parser { text, tokens: tokens(text), at: 0, end: 0, nodes: Vec::new() };
    let root = parser.chunk()?;
    let tree = Rc::new(Tree { text: text.to_string(), nodes: parser.nodes });
    LuaChunk::cast(Node { tree, number: root }).ok_or(Mistake { range: 0..0, message: "no script".to_string() })
}

/// The precedence of an operator on its left and on its right side.
fn binding(op: BinaryOperator) -> (u8, u8) {
    use BinaryOperator as Op;
    match op {
        Op::Or => (1, 1),
        Op::And => (2, 2),
        Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => (3, 3),
        // The next two go from right to left.
        Op::Concat => (5, 4),
        Op::Pow => (10, 9),
        Op::Add | Op::Sub => (6, 6),
        Op::Mul | Op::Div | Op::IDiv | Op::Mod => (7, 7),
    }
}
const UNARY: u8 = 8;

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    /// Where the last token that was read ends.
    end: usize,
    nodes: Vec<Data>,
}

impl Parser<'_> {
    fn ahead(&self, tokens: usize) -> Token {
        let at = self.at.saturating_add(tokens);
        let end = Token { kind: T::EndOfText, start: self.text.len(), end: self.text.len() };
        self.tokens.get(at).copied().unwrap_or(end)
    }

    fn token(&self) -> Token {
        self.ahead(0)
    }

    fn is(&self, kind: T) -> bool {
        self.token().kind == kind
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        self.end = token.end;
        self.at = self.at.saturating_add(1);
        token
    }

    /// Reads a token if it is there.
    fn eat(&mut self, kind: T) -> bool {
        let is_there = self.is(kind);
        if is_there {
            self.bump();
        }
        is_there
    }

    fn expect(&mut self, kind: T, message: &str) -> Read<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.wrong(message)) }
    }

    /// Like [`Parser::expect`], for a closing sign; the mistake is shown at the opening sign.
    fn close(&mut self, kind: T, open: Token, message: &str) -> Read<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.wrong_at(open.range(), message)) }
    }

    fn wrong(&self, message: &str) -> Mistake {
        self.wrong_at(self.token().range(), message)
    }

    /// The mistake at a range. If the token there is malformed, that is the mistake, whatever was expected.
    fn wrong_at(&self, range: Range<usize>, message: &str) -> Mistake {
        match self.token() {
            Token { kind: T::Bad(message), start, end } => Mistake { range: start..end, message: message.to_string() },
            _ => Mistake { range, message: message.to_string() },
        }
    }

    fn unexpected(&self, expected: &str) -> Mistake {
        let token = self.token();
        let found = self.text.get(token.range()).unwrap_or_default();
        match token.kind {
            T::EndOfText => self.wrong(&format!("unexpected end of file, expected {expected}")),
            // It may be long.
            T::String => self.wrong(&format!("unexpected text, expected {expected}")),
            _ => self.wrong(&format!("unexpected `{found}`, expected {expected}")),
        }
    }

    /// Adds a node that ends with the last token that was read.
    fn node(&mut self, kind: Kind, start: usize, children: Vec<usize>) -> usize {
        let number = self.nodes.len();
        for child in &children {
            if let Some(child) = self.nodes.get_mut(*child) {
                child.parent = Some(number);
            }
        }
        self.nodes.push(Data { kind, range: start..self.end.max(start), parent: None, children });
        number
    }

    /// Reads a token as a node.
    fn leaf(&mut self) -> usize {
        let token = self.bump();
        self.node(Kind::Token(token.kind), token.start, Vec::new())
    }

    /// Reads a token as the only one of a node.
    fn only(&mut self, kind: Kind) -> usize {
        let start = self.token().start;
        let leaf = self.leaf();
        self.node(kind, start, vec![leaf])
    }

    fn start_of(&self, node: usize) -> usize {
        self.nodes.get(node).map_or(0, |node| node.range.start)
    }

    fn kind_of(&self, node: usize) -> Option<Kind> {
        self.nodes.get(node).map(|node| node.kind)
    }

    fn chunk(&mut self) -> Read<usize> {
        let block = self.block()?;
        match self.token().kind {
            T::EndOfText => {}
            T::End | T::Else | T::ElseIf | T::Until => {
                let found = self.text.get(self.token().range()).unwrap_or_default();
                return Err(self.wrong(&format!("unexpected `{found}`, which belongs to nothing")));
            }
            _ => return Err(self.unexpected("statement")),
        }
        self.end = self.text.len();
        Ok(self.node(Kind::Chunk, 0, vec![block]))
    }

    /// Whether a block ends here.
    fn is_block_end(&self) -> bool {
        matches!(self.token().kind, T::EndOfText | T::End | T::Else | T::ElseIf | T::Until)
    }

    fn block(&mut self) -> Read<usize> {
        let start = self.token().start;
        let mut stats = Vec::new();
        while !self.is_block_end() {
            stats.push(self.stat()?);
            // One behind a statement belongs to it; it is no node.
            self.eat(T::Semicolon);
        }
        Ok(self.node(Kind::Block, start, stats))
    }

    fn stat(&mut self) -> Read<usize> {
        match self.token().kind {
            T::Local => self.local(),
            T::Function => self.function_stat(),
            T::If => self.if_stat(),
            T::While => self.while_stat(),
            T::Repeat => self.repeat_stat(),
            T::For => self.for_stat(),
            T::Return => self.return_stat(),
            T::Do => {
                let open = self.bump();
                let block = self.block()?;
                self.close(T::End, open, "expected `end` after `do` block")?;
                Ok(self.node(Kind::DoStat, open.start, vec![block]))
            }
            T::Break => {
                let token = self.bump();
                Ok(self.node(Kind::BreakStat, token.start, Vec::new()))
            }
            T::Semicolon => {
                let token = self.bump();
                Ok(self.node(Kind::EmptyStat, token.start, Vec::new()))
            }
            T::Name if self.is_continue() => {
                let token = self.bump();
                Ok(self.node(Kind::ContinueStat, token.start, Vec::new()))
            }
            T::Name | T::LeftParen => self.expr_stat(),
            _ => Err(self.unexpected("statement")),
        }
    }

    /// `continue` is a name like any other, unless it stands alone.
    fn is_continue(&self) -> bool {
        let goes_on = matches!(
            self.ahead(1).kind,
            T::LeftParen
                | T::LeftBrace
                | T::String
                | T::Dot
                | T::Colon
                | T::LeftBracket
                | T::Comma
                | T::Assign
                | T::AssignWith
        );
        self.text.get(self.token().range()) == Some("continue") && !goes_on
    }

    fn name(&mut self, message: &str) -> Read<usize> {
        if self.is(T::Name) { Ok(self.leaf()) } else { Err(self.wrong(message)) }
    }

    fn local_name(&mut self, message: &str) -> Read<usize> {
        if self.is(T::Name) { Ok(self.only(Kind::LocalName)) } else { Err(self.wrong(message)) }
    }

    fn local(&mut self) -> Read<usize> {
        let start = self.bump().start;
        if self.eat(T::Function) {
            let name = self.local_name("expected function name after `local function`")?;
            let closure = self.closure(self.token().start)?;
            return Ok(self.node(Kind::LocalFuncStat, start, vec![name, closure]));
        }
        let mut parts = vec![self.local_name("expected `function` or variable name after `local`")?];
        while self.eat(T::Comma) {
            parts.push(self.local_name("expected variable name after `,`")?);
        }
        if self.eat(T::Assign) {
            parts.extend(self.exprs()?);
        }
        Ok(self.node(Kind::LocalStat, start, parts))
    }

    fn function_stat(&mut self) -> Read<usize> {
        let start = self.bump().start;
        if !self.is(T::Name) {
            return Err(self.wrong("expected function name after `function`"));
        }
        let mut name = self.only(Kind::NameExpr);
        while matches!(self.token().kind, T::Dot | T::Colon) {
            let is_method = self.is(T::Colon);
            let sign = self.leaf();
            let message = if is_method { "expected name after `:`" } else { "expected name after `.`" };
            let key = self.name(message)?;
            name = self.node(Kind::IndexExpr, self.start_of(name), vec![name, sign, key]);
            if is_method {
                break;
            }
        }
        let closure = self.closure(self.token().start)?;
        Ok(self.node(Kind::FuncStat, start, vec![name, closure]))
    }

    /// Parameters and body of a function, whose `function` was read.
    fn closure(&mut self, start: usize) -> Read<usize> {
        let open = self.token().start;
        self.expect(T::LeftParen, "expected `(` to start parameter list")?;
        let mut params = Vec::new();
        while !self.is(T::RightParen) {
            match self.token().kind {
                T::Name => params.push(self.only(Kind::ParamName)),
                T::Dots => {
                    params.push(self.only(Kind::ParamName));
                    if self.is(T::Comma) {
                        return Err(self.wrong("vararg `...` must be the last parameter"));
                    }
                }
                _ => return Err(self.wrong("expected parameter name")),
            }
            if !self.eat(T::Comma) {
                break;
            }
            if self.is(T::RightParen) {
                return Err(self.wrong("expected parameter name after `,`"));
            }
        }
        self.expect(T::RightParen, "expected `)` to close parameter list")?;
        let params = self.node(Kind::ParamList, open, params);
        let block = self.block()?;
        self.expect(T::End, "expected `end` to close function definition")?;
        Ok(self.node(Kind::ClosureExpr, start, vec![params, block]))
    }

    fn if_stat(&mut self) -> Read<usize> {
        let open = self.bump();
        let condition = self.expr()?;
        self.expect(T::Then, "expected `then` after if condition")?;
        let mut parts = vec![condition, self.block()?];
        while self.is(T::ElseIf) {
            let start = self.bump().start;
            let condition = self.expr()?;
            self.expect(T::Then, "expected `then` after `elseif` condition")?;
            let block = self.block()?;
            parts.push(self.node(Kind::ElseIfClause, start, vec![condition, block]));
        }
        if self.is(T::Else) {
            let start = self.bump().start;
            let block = self.block()?;
            parts.push(self.node(Kind::ElseClause, start, vec![block]));
        }
        self.close(T::End, open, "expected `end` to close if statement")?;
        Ok(self.node(Kind::IfStat, open.start, parts))
    }

    fn while_stat(&mut self) -> Read<usize> {
        let open = self.bump();
        let condition = self.expr()?;
        self.expect(T::Do, "expected `do` after while condition")?;
        let block = self.block()?;
        self.close(T::End, open, "expected `end` to close while statement")?;
        Ok(self.node(Kind::WhileStat, open.start, vec![condition, block]))
    }

    fn repeat_stat(&mut self) -> Read<usize> {
        let open = self.bump();
        let block = self.block()?;
        self.close(T::Until, open, "expected `until` after repeat block")?;
        let condition = self.expr()?;
        Ok(self.node(Kind::RepeatStat, open.start, vec![block, condition]))
    }

    fn for_stat(&mut self) -> Read<usize> {
        let open = self.bump();
        let mut parts = vec![self.name("expected variable name after `for`")?];
        let kind = if self.eat(T::Assign) {
            parts.push(self.expr()?);
            self.expect(T::Comma, "expected `,` after start value in numeric for loop")?;
            parts.push(self.expr()?);
            if self.eat(T::Comma) {
                parts.push(self.expr()?);
            }
            Kind::ForStat
        } else {
            if !matches!(self.token().kind, T::Comma | T::In) {
                return Err(self.wrong("expected `=` for numeric for loop or `,` or `in` for generic for loop"));
            }
            while self.eat(T::Comma) {
                parts.push(self.name("expected variable name after `,`")?);
            }
            self.expect(T::In, "expected `in` after variable list in generic for loop")?;
            parts.extend(self.exprs()?);
            Kind::ForRangeStat
        };
        self.expect(T::Do, "expected `do` in for statement")?;
        parts.push(self.block()?);
        self.close(T::End, open, "expected `end` to close for statement")?;
        Ok(self.node(kind, open.start, parts))
    }

    fn return_stat(&mut self) -> Read<usize> {
        let start = self.bump().start;
        let exprs = if self.is_block_end() || self.is(T::Semicolon) { Vec::new() } else { self.exprs()? };
        let stat = self.node(Kind::ReturnStat, start, exprs);
        self.eat(T::Semicolon);
        if self.is_block_end() { Ok(stat) } else { Err(self.wrong("expected end of block after return")) }
    }

    /// A call or an assignment.
    fn expr_stat(&mut self) -> Read<usize> {
        let first = self.suffixed()?;
        let start = self.start_of(first);
        if !matches!(self.token().kind, T::Assign | T::AssignWith | T::Comma) {
            return match self.kind_of(first) {
                Some(Kind::CallExpr) => Ok(self.node(Kind::CallExprStat, start, vec![first])),
                _ => Err(self.wrong("expected `=` for assignment or this is an incomplete statement")),
            };
        }
        let mut parts = vec![self.settable(first)?];
        while self.eat(T::Comma) {
            let next = self.suffixed()?;
            parts.push(self.settable(next)?);
        }
        let can_add = parts.len() == 1;
        match self.token().kind {
            T::Assign => {}
            T::AssignWith if can_add => {}
            _ => return Err(self.wrong("expected `=` for assignment or this is an incomplete statement")),
        }
        parts.push(self.leaf());
        parts.extend(self.exprs()?);
        Ok(self.node(Kind::AssignStat, start, parts))
    }

    fn settable(&self, node: usize) -> Read<usize> {
        match self.nodes.get(node) {
            Some(Data { kind: Kind::NameExpr | Kind::IndexExpr, .. }) => Ok(node),
            other => {
                let range = other.map_or(0..0, |node| node.range.clone());
                Err(self.wrong_at(range, "invalid left-hand side in assignment (expected variable or table index)"))
            }
        }
    }

    fn exprs(&mut self) -> Read<Vec<usize>> {
        let mut exprs = vec![self.expr()?];
        while self.eat(T::Comma) {
            exprs.push(self.expr()?);
        }
        Ok(exprs)
    }

    fn expr(&mut self) -> Read<usize> {
        self.operation(0)
    }

    /// An expression whose operators have a higher precedence than `before`.
    fn operation(&mut self, before: u8) -> Read<usize> {
        let mut left = if UnaryOperator::of(self.token().kind).is_some() {
            let start = self.token().start;
            let sign = self.leaf();
            let inner = self.operation(UNARY)?;
            self.node(Kind::UnaryExpr, start, vec![sign, inner])
        } else {
            self.simple()?
        };
        while let Some((on_left, on_right)) = BinaryOperator::of(self.token().kind).map(binding) {
            if on_left <= before {
                break;
            }
            let sign = self.leaf();
            let right = self.operation(on_right)?;
            left = self.node(Kind::BinaryExpr, self.start_of(left), vec![left, sign, right]);
        }
        Ok(left)
    }

    fn simple(&mut self) -> Read<usize> {
        match self.token().kind {
            T::Number | T::String | T::Nil | T::True | T::False | T::Dots => Ok(self.only(Kind::LiteralExpr)),
            T::LeftBrace => self.table(),
            T::Function => {
                let start = self.bump().start;
                self.closure(start)
            }
            T::Name | T::LeftParen => self.suffixed(),
            _ => Err(self.unexpected("expression")),
        }
    }

    /// A name or an expression in parentheses, with the fields and calls that follow it.
    fn suffixed(&mut self) -> Read<usize> {
        let mut expr = match self.token().kind {
            T::Name => self.only(Kind::NameExpr),
            T::LeftParen => {
                let open = self.bump();
                let inner = self.expr()?;
                self.close(T::RightParen, open, "expected `)` to close parentheses")?;
                self.node(Kind::ParenExpr, open.start, vec![inner])
            }
            _ => return Err(self.unexpected("variable")),
        };
        loop {
            let start = self.start_of(expr);
            match self.token().kind {
                T::Dot => {
                    let sign = self.leaf();
                    let key = self.name("expected field name after `.`")?;
                    expr = self.node(Kind::IndexExpr, start, vec![expr, sign, key]);
                }
                T::LeftBracket => {
                    let open = self.token();
                    let sign = self.leaf();
                    let key = self.expr()?;
                    self.close(T::RightBracket, open, "expected `]` to close table index")?;
                    expr = self.node(Kind::IndexExpr, start, vec![expr, sign, key]);
                }
                T::Colon => {
                    let sign = self.leaf();
                    let name = self.token();
                    let key = self.name("expected method name after `:`")?;
                    expr = self.node(Kind::IndexExpr, start, vec![expr, sign, key]);
                    if !matches!(self.token().kind, T::LeftParen | T::LeftBrace | T::String) {
                        // The next token may be several lines below.
                        let message = "expected `(`, string, or table constructor after method name";
                        return Err(self.wrong_at(name.range(), message));
                    }
                    let args = self.args()?;
                    expr = self.node(Kind::CallExpr, start, vec![expr, args]);
                }
                T::LeftParen | T::LeftBrace | T::String => {
                    let args = self.args()?;
                    expr = self.node(Kind::CallExpr, start, vec![expr, args]);
                }
                _ => return Ok(expr),
            }
        }
    }

    fn args(&mut self) -> Read<usize> {
        let start = self.token().start;
        let mut args = Vec::new();
        match self.token().kind {
            T::String => args.push(self.only(Kind::LiteralExpr)),
            T::LeftBrace => args.push(self.table()?),
            T::LeftParen => {
                self.bump();
                while !self.is(T::RightParen) {
                    args.push(self.expr()?);
                    if !self.eat(T::Comma) {
                        break;
                    }
                    if self.is(T::RightParen) {
                        return Err(self.wrong("expected expression after `,`"));
                    }
                }
                self.expect(T::RightParen, "expected `)` to close argument list")?;
            }
            _ => return Err(self.wrong("expected arguments")),
        }
        Ok(self.node(Kind::CallArgList, start, args))
    }

    fn table(&mut self) -> Read<usize> {
        let start = self.bump().start;
        let mut fields = Vec::new();
        while !self.is(T::RightBrace) {
            fields.push(self.field()?);
            if !self.eat(T::Comma) && !self.eat(T::Semicolon) {
                break;
            }
        }
        self.expect(T::RightBrace, "expected `}` to close table constructor")?;
        Ok(self.node(Kind::TableExpr, start, fields))
    }

    fn field(&mut self) -> Read<usize> {
        let start = self.token().start;
        match self.token().kind {
            T::EndOfText | T::Local => Err(self.wrong("unexpected end of table field")),
            T::LeftBracket => {
                let open = self.token();
                let sign = self.leaf();
                let key = self.expr()?;
                self.close(T::RightBracket, open, "expected `]` to close table index")?;
                self.expect(T::Assign, "expected `=` after table index")?;
                let value = self.expr()?;
                Ok(self.node(Kind::TableFieldAssign, start, vec![sign, key, value]))
            }
            T::Name if self.ahead(1).kind == T::Assign => {
                let key = self.leaf();
                self.bump();
                let value = self.expr()?;
                Ok(self.node(Kind::TableFieldAssign, start, vec![key, value]))
            }
            _ => {
                let value = self.expr()?;
                Ok(self.node(Kind::TableFieldValue, start, vec![value]))
            }
        }
    }
}
