//! The syntax tree of a script.
//!
//! [`lexer`] makes tokens, [`parser`] makes a tree of them, [`nodes`] has a type with methods for each kind of node. Only plain
//! Lua 5.1 is read, with the few additions of the VM: no types and no annotations. `scope.rs` resolves the names.

mod lexer;
mod nodes;
mod parser;

use std::ops::Range;
use std::rc::Rc;

pub(crate) use lexer::{Number, Token, TokenKind, tokens};
pub(crate) use nodes::*;
pub(crate) use parser::{Mistake, parse};

/// The kinds of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Chunk,
    Block,
    LocalStat,
    LocalFuncStat,
    AssignStat,
    FuncStat,
    CallExprStat,
    ReturnStat,
    DoStat,
    IfStat,
    ElseIfClause,
    ElseClause,
    WhileStat,
    RepeatStat,
    ForStat,
    ForRangeStat,
    BreakStat,
    ContinueStat,
    EmptyStat,
    NameExpr,
    IndexExpr,
    ClosureExpr,
    CallExpr,
    TableExpr,
    BinaryExpr,
    UnaryExpr,
    ParenExpr,
    LiteralExpr,
    CallArgList,
    ParamList,
    ParamName,
    LocalName,
    /// `name = value` or `[key] = value` in a table.
    TableFieldAssign,
    /// A value in a table.
    TableFieldValue,
    /// A token that is needed: names, literals, operators.
    Token(TokenKind),
}

/// The data of a node. The number of a node is its index in the list.
#[derive(Debug)]
struct Data {
    kind: Kind,
    range: Range<usize>,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// A script and its nodes.
#[derive(Debug)]
struct Tree {
    text: String,
    nodes: Vec<Data>,
}

/// A node of a tree. A copy is cheap: it shares the tree.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    tree: Rc<Tree>,
    number: usize,
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.number == other.number && Rc::ptr_eq(&self.tree, &other.tree)
    }
}

impl Node {
    #[allow(clippy::indexing_slicing, reason = "the parser gives out a number when it adds a node, and takes none out")]
    fn data(&self) -> &Data {
        &self.tree.nodes[self.number]
    }

    fn at(&self, number: usize) -> Node {
        Node { tree: Rc::clone(&self.tree), number }
    }

    pub(crate) fn kind(&self) -> Kind {
        self.data().kind
    }

    /// Its range of bytes in the text.
    pub(crate) fn range(&self) -> Range<usize> {
        self.data().range.clone()
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        self.tree.text.get(self.range()).unwrap_or_default()
    }

    /// The node around it.
    pub(crate) fn parent(&self) -> Option<Node> {
        self.data().parent.map(|parent| self.at(parent))
    }

    /// The nodes right inside it, in the order of the text.
    pub(crate) fn children(&self) -> impl DoubleEndedIterator<Item = Node> {
        self.data().children.iter().map(|child| self.at(*child))
    }

    /// It and all nodes inside it, in the order of the text.
    pub(crate) fn descendants(&self) -> impl Iterator<Item = Node> + use<> {
        let mut waiting = vec![self.clone()];
        std::iter::from_fn(move || {
            let node = waiting.pop()?;
            waiting.extend(node.children().rev());
            Some(node)
        })
    }
}

/// A node whose kind is known.
pub(crate) trait LuaAstNode: Sized {
    /// The node as one of this kind, if it is.
    fn cast(node: Node) -> Option<Self>;

    fn syntax(&self) -> &Node;

    /// The node around it, if that is of a kind.
    fn get_parent<N: LuaAstNode>(&self) -> Option<N> {
        self.syntax().parent().and_then(N::cast)
    }

    /// The nodes of a kind right inside it.
    fn children<N: LuaAstNode>(&self) -> impl Iterator<Item = N> {
        self.syntax().children().filter_map(N::cast)
    }

    /// It and all nodes inside it, as far as they are of a kind.
    fn descendants<N: LuaAstNode>(&self) -> impl Iterator<Item = N> + use<Self, N> {
        self.syntax().descendants().filter_map(N::cast)
    }
}
