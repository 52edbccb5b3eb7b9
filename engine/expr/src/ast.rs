//! The syntax tree of a text of the expression language, before any name is resolved.

use std::ops::Range;

/// A place inside the text.
pub type At = Range<usize>;

/// An expression with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Ast {
    /// Its place in the text.
    pub at: At,
    /// Its shape.
    pub kind: AstKind,
    /// The depth of the tree below it.
    pub(crate) depth: u16,
}

impl Ast {
    /// An expression without parts.
    pub(crate) fn leaf(kind: AstKind, at: At) -> Ast {
        Ast { at, kind, depth: 0 }
    }
}

/// The shapes of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum AstKind {
    /// `3`
    Int(i64),
    /// `true`
    Bool(bool),
    /// `'red'`
    Symbol(String),
    /// `coin`
    Name(String),
    /// `my cards`
    My(String),
    /// `x.field`
    Dot(Box<Ast>, String),
    /// `x[resource]`
    Index(Box<Ast>, Box<Ast>),
    /// `hand of x`
    Of(Box<Ast>, Box<Ast>),
    /// `count(x)`
    Call(String, Vec<Ast>),
    /// `file.function(x)`
    Query(String, Vec<Ast>),
    /// `-x`
    Negative(Box<Ast>),
    /// `not x`
    Not(Box<Ast>),
    /// `a + b`, `a and b`, `a == b`
    Binary(BinaryOp, Box<Ast>, Box<Ast>),
    /// `x is inn`
    Is(Box<Ast>, String, At),
    /// `x is in set`
    In(Box<Ast>, Box<Ast>),
    /// `set where it.level > 1`
    Where(Box<Ast>, Box<Ast>),
    /// `set as m`: the name of the member, in what follows.
    As(Box<Ast>, NameAst),
    /// `0..my.coin`
    Range(Box<Ast>, Box<Ast>),
    /// `[me, opponent]`
    List(Vec<Ast>),
    /// `set while it.empty`
    While(Box<Ast>, Box<Ast>),
    /// `set until it.empty`
    Until(Box<Ast>, Box<Ast>),
    /// `if a then b else c`
    If(Box<Ast>, Box<Ast>, Box<Ast>),
}

impl AstKind {
    /// The parts of the expression.
    pub fn parts(&self) -> Vec<&Ast> {
        match self {
            AstKind::Int(_) | AstKind::Bool(_) | AstKind::Symbol(_) | AstKind::Name(_) | AstKind::My(_) => Vec::new(),
            AstKind::Dot(one, _)
            | AstKind::Is(one, ..)
            | AstKind::Negative(one)
            | AstKind::Not(one)
            | AstKind::As(one, _) => vec![&**one],
            AstKind::Index(one, other)
            | AstKind::Of(one, other)
            | AstKind::Binary(_, one, other)
            | AstKind::In(one, other)
            | AstKind::Where(one, other)
            | AstKind::Range(one, other)
            | AstKind::While(one, other)
            | AstKind::Until(one, other) => vec![&**one, &**other],
            AstKind::If(one, other, third) => vec![&**one, &**other, &**third],
            AstKind::Call(_, all) | AstKind::Query(_, all) | AstKind::List(all) => all.iter().collect(),
        }
    }
}

/// Binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

impl BinaryOp {
    /// The operator as written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
        }
    }
}

/// A cost: terms that are added.
#[derive(Debug, Clone, PartialEq)]
pub struct CostAst {
    /// Its place.
    pub at: At,
    /// The terms.
    pub terms: Vec<TermAst>,
    /// The number of units that the payer may leave out.
    pub less: Option<Ast>,
}

/// One term of a cost.
#[derive(Debug, Clone, PartialEq)]
pub enum TermAst {
    /// `2 coin`
    Counted(Ast, Ast),
    /// `card.cost`
    Whole(Ast),
}

/// A step of an effect with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct StepAst {
    /// Its place.
    pub at: At,
    /// Its shape.
    pub kind: StepKind,
}

/// A name with its place, for messages about the name alone.
#[derive(Debug, Clone, PartialEq)]
pub struct NameAst {
    /// Its place.
    pub at: At,
    /// The name.
    pub text: String,
}

/// `choose 0..2 card in my hand by opponent as question with free { … }`
#[derive(Debug, Clone, PartialEq)]
pub struct ChooseAst {
    /// The least and the most number, if several are chosen.
    pub range: Option<(Ast, Ast)>,
    /// Whether none may be chosen twice.
    pub different: bool,
    /// The name of the chosen one.
    pub name: NameAst,
    /// The set from which it is chosen.
    pub set: Ast,
    /// `in secret`: whether only the player who chooses is told what.
    pub secret: bool,
    /// `if any`: whether fewer are accepted if there are fewer.
    pub if_any: bool,
    /// The player who chooses, if not `me`.
    pub by: Option<Ast>,
    /// The question.
    pub prompt: Option<NameAst>,
    /// Whether free actions are offered in between.
    pub free: bool,
    /// The steps for each chosen one.
    pub body: Option<Vec<StepAst>>,
}

/// Who has won: `end game`, `end game won by PLAYERS`, `end game drawn`.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum WinnersAst {
    ByPoints,
    Are(Ast),
    Everybody,
}

/// The shapes of a step.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum StepKind {
    Block(Vec<StepAst>),
    Named { label: NameAst, step: Box<StepAst> },
    Exchange { cost: CostAst, then: Box<StepAst> },
    Pay { cost: CostAst, to: Option<Ast> },
    Gain { cost: CostAst, whom: Option<Ast> },
    Put { cost: CostAst, on: Ast },
    Store { cost: CostAst, on: Ast },
    Take { cost: CostAst, from: Ast },
    GiveBack { cost: CostAst, from: Ast },
    Lay { piece: Ast, on: Ast },
    Move { piece: Ast, to: Ast, bottom: bool, facing: Option<bool> },
    Draw { count: Ast, from: Ast, to: Ast },
    Shuffle(Ast),
    Refill(Ast),
    Flip(Ast),
    Swap { one: Ast, other: Ast },
    Choose(ChooseAst),
    Pick { name: NameAst, set: Ast, secret: bool },
    Let { name: NameAst, value: Ast },
    Roll { name: NameAst, sides: Ast, secret: bool },
    Set { target: Ast, value: Ast },
    May { step: Box<StepAst>, prompt: Option<NameAst> },
    Either(Vec<(NameAst, Vec<StepAst>)>),
    Repeat { times: Ast, body: Vec<StepAst> },
    ForEach { name: NameAst, set: Ast, body: Vec<StepAst> },
    If { cond: Ast, then: Vec<StepAst>, other: Vec<StepAst> },
    AsSeat { seat: Ast, body: Vec<StepAst> },
    Together { players: Ast, body: Vec<StepAst> },
    Raise { event: NameAst, args: Vec<Ast> },
    Perform { action: NameAst, args: Vec<Ast>, free: bool },
    Use(Ast),
    EndTurn,
    EndPhase,
    EndGame { winners: WinnersAst },
    Pass,
    Pause,
    Cancel,
    Rejoin(Ast),
    Eliminate { players: Ast, round: bool },
    Look { set: Ast, lasting: bool, by: Option<Ast>, prompt: Option<NameAst> },
    Reveal { set: Ast, to: Option<Ast>, lasting: bool },
    Disclose { what: Ast, prompt: Option<NameAst> },
    Script { file: NameAst, function: String, args: Vec<Ast> },
}
