//! The checker: it replaces names by ids, and tests that every part of a text has the type that is needed.

mod costs;
mod fields;
mod lines;
mod names;
mod sets;
mod values;

use rulepack_model::{Code, GroupId, Local};

pub use lines::DIRECTIONS;

use crate::ast::*;
use crate::code::*;
use crate::effects::AddedSteps;
use crate::error::ExprError;
use crate::notes::{About, Fact, Note};
use crate::slips::Care;
use crate::vocabulary::{Ty, Vocabulary};

pub(crate) type Checked<T> = Result<T, ExprError>;

/// One player, or several.
#[derive(Debug, Clone, PartialEq)]
pub enum Who {
    /// This one.
    One(Expr),
    /// Each of them.
    Each(Set),
}

/// Compiles texts in one scope: with or without `self`, and with these parameters.
pub struct Checker<'v> {
    pub(crate) vocabulary: &'v mut Vocabulary,
    pub(crate) scope: Vec<(String, Local, Ty)>,
    pub(crate) next: u16,
    pub(crate) most: u16,
    /// The slots that the texts checked so far use.
    named: Vec<Local>,
    /// For slots: the part of the text from which they get their value.
    pub(crate) origins: Vec<(Local, At)>,
    /// Slots of names that stand for sets.
    pub(crate) kept: Vec<Local>,
    /// What is known of the values of slots that steps have filled.
    pub(crate) facts: Vec<(Local, Fact)>,
    /// The precautions in the steps around and before this one; see `slips.rs`.
    pub(crate) care: Care,
    /// The step that ends the turn or the like in earlier parts of this effect, if there is one.
    pub(crate) ended: Option<About>,
    /// For each operation, the place of its step.
    pub(crate) places: Vec<Option<At>>,
    /// Further mistakes, besides the one that is returned as the error: one text may have several.
    pub(crate) more: Vec<ExprError>,
    /// Names whose values are not known because of a mistake.
    pub(crate) doubtful: Vec<String>,
    /// Steps that patches add beside steps with names.
    pub(crate) added: Vec<AddedSteps>,
    /// The names of steps so far.
    pub(crate) labels: Vec<String>,
    /// For each question so far, what its text names.
    pub(crate) asked: Vec<Vec<Expr>>,
}

/// The result of checking a part of a text.
pub(crate) enum Checkable {
    One(Expr, Ty),
    Many(Set, Ty),
    Zone(ZoneRef),
    /// A whole cost, such as an attribute that holds one.
    Cost(Term),
    /// An effect attribute of a piece.
    Effect(Expr, AttrId),
    Supply,
    Group(GroupId),
}

/// A variable of this name, of pieces and with a player as its value, names the owner of a piece in a zone of the table.
pub const OWNER: &str = "owner";

/// The fields of every space.
const SPACE_PARTS: [&str; 4] = ["row", "column", "position", "empty"];

/// Whether every space has a field with this name, so that no mark can have it.
pub fn is_part_of_space(name: &str) -> bool {
    SPACE_PARTS.contains(&name)
}

impl<'v> Checker<'v> {
    /// A scope with the given parameters, in the order of their slots; `self_kind` if the text stands on a piece.
    pub fn new(vocabulary: &'v mut Vocabulary, self_kind: Option<Ty>, params: &[(String, Ty)]) -> Self {
        let mut scope = vec![("me".to_string(), ME, Ty::Seat)];
        if let Some(ty) = self_kind {
            scope.push(("self".to_string(), SELF, ty));
        }
        let mut next = FIRST_PARAM;
        for (name, ty) in params {
            scope.push((name.clone(), Local(next), *ty));
            next = next.saturating_add(1);
        }
        Checker {
            vocabulary,
            scope,
            next,
            most: next,
            named: Vec::new(),
            origins: Vec::new(),
            kept: Vec::new(),
            facts: Vec::new(),
            care: Care::default(),
            ended: None,
            places: Vec::new(),
            more: Vec::new(),
            doubtful: Vec::new(),
            added: Vec::new(),
            labels: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// For each operation checked so far, the place of its step.
    pub fn places(&self) -> Vec<At> {
        self.places.iter().map(|place| place.clone().unwrap_or_default()).collect()
    }

    /// How many slots the texts checked so far need.
    pub fn locals(&self) -> u16 {
        self.most
    }

    /// How many parameters must be known to evaluate the texts checked so far: all up to the last one that they name.
    pub fn parameters_named(&self, count: u16) -> u16 {
        let number = |local: &Local| local.0.checked_sub(FIRST_PARAM)?.checked_add(1);
        self.named.iter().filter_map(number).filter(|number| *number <= count).max().unwrap_or(0)
    }

    /// Adds a name, such as a parameter that later texts of the same scope may use.
    pub fn bind(&mut self, name: &str, ty: Ty) -> Local {
        let local = self.spare();
        self.next = self.next.saturating_add(1);
        self.scope.push((name.to_string(), local, ty));
        local
    }

    /// A slot that is free until the next name takes it.
    pub(crate) fn spare(&mut self) -> Local {
        self.most = self.most.max(self.next.saturating_add(1));
        Local(self.next)
    }

    // ---- several mistakes ----

    /// The further mistakes of the texts checked so far, besides those that were returned as errors, and the names whose
    /// values are not known because of a mistake.
    pub fn take_mistakes(&mut self) -> (Vec<ExprError>, Vec<String>) {
        (std::mem::take(&mut self.more), std::mem::take(&mut self.doubtful))
    }

    /// Both values, or the first mistake. If both have mistakes, the second is kept in `more`.
    pub(crate) fn both<A, B>(&mut self, first: Checked<A>, second: Checked<B>) -> Checked<(A, B)> {
        match (first, second) {
            (Ok(first), Ok(second)) => Ok((first, second)),
            (Err(error), Err(other)) => {
                self.more.push(other);
                Err(error)
            }
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
        }
    }

    /// All values, or the first mistake. Further mistakes are kept in `more`.
    pub(crate) fn all<T>(&mut self, checked: Vec<Checked<T>>) -> Checked<Vec<T>> {
        let mut values = Vec::new();
        let mut first = None;
        for one in checked {
            match one {
                Ok(value) => values.push(value),
                Err(error) if first.is_none() => first = Some(error),
                Err(error) => self.more.push(error),
            }
        }
        first.map_or(Ok(values), Err)
    }

    /// Keeps a mistake and returns a substitute, so that checking goes on. The text as a whole is an error then.
    pub(crate) fn keep<T>(&mut self, checked: Checked<T>, instead: T) -> T {
        checked.unwrap_or_else(|error| {
            self.more.push(error);
            instead
        })
    }

    /// The set from which the value of `name` is chosen. If it has a mistake, the type of `name` is not known.
    pub(crate) fn set_for(&mut self, name: &str, ast: &Ast) -> (Set, Ty) {
        let before = self.more.len();
        let set = self.set(ast);
        if set.is_err() {
            self.doubtful.push(name.to_string());
        }
        let set = self.keep(set, (Set::Seats, Ty::Any));
        // What is chosen has its name only behind the set: inside, people use it for the member.
        for error in self.more.iter_mut().skip(before) {
            if error.code == Code::UnknownName && error.message == names::not_called(name) {
                error.help =
                    Some(format!("it is called `{name}` only behind the set: in a `where`, write `it`").into());
                error.cure = Some((error.at.clone(), "it".to_string()));
            }
        }
        set
    }

    /// The result of a whole text: an error if any part has a mistake.
    fn whole<T>(&mut self, value: T) -> Checked<T> {
        if self.more.is_empty() { Ok(value) } else { Err(self.more.remove(0)) }
    }

    // ---- entry points ----

    /// A whole number.
    pub fn int(&mut self, ast: &Ast) -> Checked<Expr> {
        self.expect_type(ast, Ty::Int)
    }

    /// Yes or no.
    pub fn bool(&mut self, ast: &Ast) -> Checked<Expr> {
        self.expect_type(ast, Ty::Bool)
    }

    /// A value of a given type.
    pub fn expect_type(&mut self, ast: &Ast, want: Ty) -> Checked<Expr> {
        let (expr, ty) = self.one(ast)?;
        if self.fits(ty, want) {
            return Ok(expr);
        }
        let error = ExprError::kind(
            ast.at.clone(),
            format!("this is {}, but {} is needed", self.describe(ty), self.describe(want)),
        );
        let error = self.traced(error, ast);
        Err(match (ty, want) {
            (Ty::Int, Ty::Bool) => error.help("compare it with something, such as `… > 0`"),
            (Ty::Res, Ty::Int) => error.help("how much of it one has is written `my.NAME`, or `self.NAME` for a piece"),
            (Ty::Seat, Ty::Piece(_)) => {
                error.help("a player gets it by `let giver = me; as PLAYER { take 1 NAME from giver }`")
            }
            (Ty::Res, Ty::Type) => error.help("how much of a resource one has is written `my.NAME`"),
            (Ty::Seat, Ty::Int) => error.help("how much of something a player has is written `PLAYER.NAME`"),
            (Ty::Type, Ty::Bool) => error.help("say each time what is asked: `PIECE is NAME or PIECE is NAME`"),
            (Ty::Sym, Ty::Bool) => {
                error.help("say each time what is compared: `PIECE.NAME == 'a' or PIECE.NAME == 'b'`")
            }
            (Ty::Type, Ty::Piece(_)) => {
                error.help("a piece of that name is chosen, or `first(pieces where it is NAME)`")
            }
            (Ty::Piece(_), Ty::Seat) => error.help("whose it is is written `PIECE.owner`"),
            (Ty::Piece(_), Ty::Int) => error.help("a number that it has is written `PIECE.NAME`"),
            _ => error,
        })
    }

    /// Any value, with its type.
    pub fn one(&mut self, ast: &Ast) -> Checked<(Expr, Ty)> {
        let found = self.check(ast)?;
        single(found, ast)
    }

    /// A set, with the type of its members.
    pub fn set(&mut self, ast: &Ast) -> Checked<(Set, Ty)> {
        match self.check(ast)? {
            Checkable::Many(set, ty) => Ok((set, ty)),
            Checkable::Zone(zone) => Ok(self.pieces_of(zone)),
            Checkable::Group(group) => Ok((Set::Resources(group), Ty::Res)),
            Checkable::One(_, ty) => {
                let message = format!("this is {}, but a set of things is needed", self.describe(ty));
                let error = self.traced(ExprError::kind(ast.at.clone(), message), ast);
                Err(match (ty, &ast.kind) {
                    (Ty::Type, AstKind::Name(name)) => error.help(of_type(name)),
                    (Ty::Int, AstKind::Call(function, _)) => error.help(format!(
                        "what a set is narrowed by stands inside the brackets: `{function}(SET where …)`"
                    )),
                    _ => error.help("such as `my hand`, `players` or `pieces where …`"),
                })
            }
            _ => Err(ExprError::kind(ast.at.clone(), "this is no set of things")),
        }
    }

    /// The pieces of a zone. If its name is the plural of a kind, such as `ships`, only pieces of that kind are meant, and not
    /// others that lie on them.
    fn pieces_of(&mut self, zone: ZoneRef) -> (Set, Ty) {
        let v = &*self.vocabulary;
        let name = v.zones.iter().find(|(_, known)| known.id == zone.zone).map(|(name, _)| name);
        let Some(kind) = name.and_then(|name| v.plurals.get(name)).copied() else {
            return (Set::Zone(zone), Ty::Piece(None));
        };
        let it = self.spare();
        let cond = Expr::IsKind(Box::new(Expr::Local(it)), kind);
        (Set::filter(Set::Zone(zone), it, cond), Ty::Piece(Some(kind)))
    }

    /// One player, or a set of players.
    pub fn who(&mut self, ast: &Ast) -> Checked<Who> {
        match self.check(ast)? {
            Checkable::One(expr, Ty::Seat | Ty::Any) => Ok(Who::One(expr)),
            Checkable::Many(set, Ty::Seat | Ty::Any) => Ok(Who::Each(set)),
            _ => Err(ExprError::kind(ast.at.clone(), "a player or several players are needed here")
                .help("such as `opponent`, `others` or `players where …`")),
        }
    }

    /// A whole effect.
    pub fn program(&mut self, steps: &[StepAst]) -> Checked<Program> {
        let mut ops = Vec::new();
        self.steps(steps, &mut ops);
        let locals = self.most;
        let named = self.take_named(&ops);
        self.whole(Program { ops, locals, named })
    }

    /// A further part of an effect, from a text of another pack. It can use the names of the parts before it.
    pub fn part(&mut self, pack: &str, origin: &str, steps: &[StepAst], program: &mut Program) -> Checked<()> {
        self.vocabulary.pack = pack.to_string();
        self.vocabulary.origin = origin.to_string();
        self.note_after_parts(steps);
        self.steps(steps, &mut program.ops);
        self.whole(())
    }

    // ---- values ----

    pub(crate) fn check(&mut self, ast: &Ast) -> Checked<Checkable> {
        let at = ast.at.clone();
        let int = |expr| Ok(Checkable::One(expr, Ty::Int));
        let bool = |expr| Ok(Checkable::One(expr, Ty::Bool));
        match &ast.kind {
            AstKind::Int(n) => int(Expr::Int(*n)),
            AstKind::Bool(flag) => bool(Expr::Bool(*flag)),
            AstKind::Symbol(text) => match self.vocabulary.symbols.get(text) {
                Some(id) => Ok(Checkable::One(Expr::Sym(*id), Ty::Sym)),
                None => Err(self.unknown_symbol(text, at)),
            },
            AstKind::Name(name) => self.name(name, at),
            AstKind::My(name) => self.owned(name, at, Expr::Local(ME)),
            AstKind::Of(what, owner) => self.of(what, owner, at),
            AstKind::Dot(base, field) => self.dot(base, field, at),
            AstKind::Index(base, index) => self.indexed(base, index, at),
            AstKind::Call(function, args) => self.call(function, args, at),
            AstKind::Query(function, args) => self.query(function, args),
            AstKind::Negative(inner) => int(Expr::Negative(Box::new(self.int(inner)?))),
            AstKind::Not(inner) => bool(Expr::Not(Box::new(self.bool(inner)?))),
            AstKind::Binary(op, left, right) => self.binary(*op, left, right, at),
            AstKind::Is(inner, name, name_at) => self.is(inner, name, name_at, at),
            AstKind::In(inner, set) => self.is_in(inner, set, at),
            AstKind::As(_, label) => Err(self.label_without_use(label)),
            AstKind::Range(least, most) => self.numbers(least, most),
            AstKind::List(members) => self.listed(members),
            AstKind::Where(base, cond) => self.narrowed(base, cond, Set::filter),
            AstKind::While(base, cond) => self.narrowed(base, cond, |base, it, cond| Set::While {
                base: Box::new(base),
                it,
                cond: Box::new(cond),
            }),
            AstKind::Until(base, cond) => self.narrowed(base, cond, |base, it, cond| Set::Until {
                base: Box::new(base),
                it,
                cond: Box::new(cond),
            }),
            AstKind::If(cond, yes, no) => self.one_of_two(cond, yes, no),
        }
    }

    pub(crate) fn with_it<T>(&mut self, ty: Ty, check: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<(Local, T)> {
        let depth = (self.scope.len(), self.next);
        let it = self.bind("it", ty);
        let result = check(self);
        self.scope.truncate(depth.0);
        // The next condition uses these slots again; those of an enclosing condition stay.
        self.next = depth.1;
        Ok((it, result?))
    }

    pub(crate) fn lookup(&self, name: &str) -> Option<(Local, Ty)> {
        self.scope.iter().rev().find(|(known, ..)| known == name).map(|(_, local, ty)| (*local, *ty))
    }

    /// The notes since the last call.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.vocabulary.notes)
    }

    fn note(&mut self, at: At, about: About) {
        self.vocabulary.notes.push(Note { at, about, facts: self.facts.clone() });
    }

    pub(crate) fn zone(&mut self, ast: &Ast) -> Checked<ZoneRef> {
        match self.check(ast)? {
            Checkable::Zone(zone) => Ok(zone),
            _ => Err(ExprError::kind(ast.at.clone(), "a zone is needed here")
                .help("write the name of a zone, or `my NAME` for one that every player has")),
        }
    }

    /// Whether a value of one type can be used where another is needed.
    fn fits(&self, have: Ty, want: Ty) -> bool {
        self.vocabulary.fits(have, want)
    }

    pub(crate) fn describe(&self, ty: Ty) -> String {
        self.vocabulary.describe(ty)
    }
}

/// A checked text as a single value.
pub(crate) fn single(found: Checkable, ast: &Ast) -> Checked<(Expr, Ty)> {
    match found {
        Checkable::One(expr, ty) => Ok((expr, ty)),
        Checkable::Many(..) | Checkable::Zone(_) | Checkable::Group(_) => {
            Err(ExprError::kind(ast.at.clone(), "this is a set of things, but a single one is needed")
                .help("write `count(…)`, `any(…)` or `first(…)`"))
        }
        Checkable::Cost(_) => Err(ExprError::kind(ast.at.clone(), "this is a cost, but a value is needed")),
        Checkable::Effect(..) => Err(ExprError::kind(ast.at.clone(), "this is an effect, but a value is needed")
            .help("`can(…)` says whether it can be carried out")),
        Checkable::Supply => {
            Err(ExprError::kind(ast.at.clone(), "say which resource of the supply is meant")
                .help("write `supply.NAME`"))
        }
    }
}

/// The possible singulars of a plural.
fn singular(name: &str) -> impl Iterator<Item = &str> {
    ["s", "es", "n", "en"].into_iter().filter_map(|ending| name.strip_suffix(ending))
}

/// The help for a type where a set is needed.
fn of_type(name: &str) -> String {
    format!("those in play are `pieces where it is {name}`, mine are `my pieces where it is {name}`")
}

/// The mistake of writing `SET.field`, as if the set were a single thing.
fn part_of_set(at: At, field: &str) -> ExprError {
    let error = ExprError::kind(at, "these are several, and each has its own");
    error.help(match field {
        "count" | "length" | "size" | "len" => "how many there are is written `count(SET)`".to_string(),
        "top" | "first" | "last" => format!("write `{field}(SET)`"),
        _ => format!("write `sum(SET, it.{field})`, `largest(SET, it.{field})` or `any(SET where it.{field} > 1)`"),
    })
}

pub(crate) fn number_of_things(count: usize) -> String {
    match count {
        0 => "nothing".into(),
        1 => "one thing".into(),
        n => format!("{n} things"),
    }
}
