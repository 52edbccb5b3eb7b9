//! Names to ids, and a check that every part gives the kind of thing that is needed.

use rulepack_model::{GroupId, KindId, Local, ResId, did_you_mean, known_instead};

use crate::ast::*;
use crate::code::*;
use crate::error::ExprError;
use crate::notes::{About, Fact, Note};
use crate::slips::Care;
use crate::synonyms::name_instead;
use crate::vocabulary::{AttrTy, Subject, Ty, Vocabulary};

pub(crate) type Checked<T> = Result<T, ExprError>;

/// Compiles texts in one scope: who is meant by `me`, whether there is a `self`, which parameters there are.
pub struct Checker<'v> {
    pub(crate) vocabulary: &'v mut Vocabulary,
    pub(crate) scope: Vec<(String, Local, Ty)>,
    pub(crate) next: u16,
    pub(crate) most: u16,
    /// Slots that texts have named.
    named: Vec<Local>,
    /// Which part of the text a slot has its value from.
    pub(crate) origins: Vec<(Local, At)>,
    /// What is known of slots that a step has filled.
    pub(crate) facts: Vec<(Local, Fact)>,
    /// What the steps around and before this one make sure of.
    pub(crate) care: Care,
    /// What the parts of the effect before this one have ended.
    pub(crate) ended: Option<About>,
    /// Where the step stands that an operation belongs to.
    pub(crate) places: Vec<Option<At>>,
    /// Mistakes besides the one that is given back: one text may have several.
    pub(crate) more: Vec<ExprError>,
    /// Names whose values are not known because of a mistake.
    pub(crate) doubtful: Vec<String>,
}

/// What a checked text is.
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

/// What every space has.
const SPACE_PARTS: [&str; 4] = ["row", "column", "position", "empty"];

/// Whether a name is that of a part of every space, so that no mark can be called so.
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
            facts: Vec::new(),
            care: Care::default(),
            ended: None,
            places: Vec::new(),
            more: Vec::new(),
            doubtful: Vec::new(),
        }
    }

    /// Where the steps stand that the operations checked so far belong to, one for each.
    pub fn places(&self) -> Vec<At> {
        self.places.iter().map(|place| place.clone().unwrap_or_default()).collect()
    }

    /// How many slots the texts checked so far need.
    pub fn locals(&self) -> u16 {
        self.most
    }

    /// How many parameters must be known for the texts checked so far: all up to the last that they name.
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

    /// A slot for a short while: the next name takes it again.
    pub(crate) fn spare(&mut self) -> Local {
        self.most = self.most.max(self.next.saturating_add(1));
        Local(self.next)
    }

    // ---- several mistakes ----

    /// All mistakes of the texts checked so far, besides those that were given back, and the names whose values are not
    /// known because of one.
    pub fn take_mistakes(&mut self) -> (Vec<ExprError>, Vec<String>) {
        (std::mem::take(&mut self.more), std::mem::take(&mut self.doubtful))
    }

    /// Both, or the mistake of the first; one of the second is kept too.
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

    /// All of them, or the mistake of the first; those of others are kept too.
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

    /// Goes on with something else behind a mistake in a step: nothing will be made of the text.
    pub(crate) fn keep<T>(&mut self, checked: Checked<T>, instead: T) -> T {
        checked.unwrap_or_else(|error| {
            self.more.push(error);
            instead
        })
    }

    /// A set that `name` is taken from; if it is not known, neither is what has the name.
    pub(crate) fn set_for(&mut self, name: &str, ast: &Ast) -> (Set, Ty) {
        let set = self.set(ast);
        if set.is_err() {
            self.doubtful.push(name.to_string());
        }
        self.keep(set, (Set::Seats, Ty::Any))
    }

    /// What came of a whole text.
    fn whole<T>(&mut self, value: T) -> Checked<T> {
        if self.more.is_empty() { Ok(value) } else { Err(self.more.remove(0)) }
    }

    // ---- entry points ----

    /// A whole number.
    pub fn int(&mut self, ast: &Ast) -> Checked<Expr> {
        self.expect(ast, Ty::Int)
    }

    /// Yes or no.
    pub fn bool(&mut self, ast: &Ast) -> Checked<Expr> {
        self.expect(ast, Ty::Bool)
    }

    /// A value of a given type.
    pub fn expect(&mut self, ast: &Ast, want: Ty) -> Checked<Expr> {
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
        match self.check(ast)? {
            Checkable::One(expr, ty) => Ok((expr, ty)),
            Checkable::Many(..) | Checkable::Zone(_) | Checkable::Group(_) => {
                Err(ExprError::kind(ast.at.clone(), "this is a set of things, but a single one is needed")
                    .help("write `count(…)`, `any(…)` or `first(…)`"))
            }
            Checkable::Cost(_) => Err(ExprError::kind(ast.at.clone(), "this is a cost, but a value is needed")),
            Checkable::Effect(..) => Err(ExprError::kind(ast.at.clone(), "this is an effect, but a value is needed")
                .help("`can(…)` says whether it can be carried out")),
            Checkable::Supply => Err(ExprError::kind(ast.at.clone(), "say which resource of the supply is meant")
                .help("write `supply.NAME`")),
        }
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

    /// The pieces of a zone. If it is called like several pieces of a kind, only those are meant, not what lies on them.
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

    /// A cost.
    pub fn cost(&mut self, ast: &CostAst) -> Checked<Cost> {
        // All parts by name: one that is forgotten here does not compile.
        let CostAst { at: _, terms, less } = ast;
        let terms = terms.iter().map(|term| self.term(term)).collect();
        let terms = self.all(terms);
        let less = less.as_ref().map(|less| self.int(less)).transpose();
        let (terms, less) = self.both(terms, less)?;
        if let (Some(less), CostAst { less: Some(ast), .. }) = (&less, ast) {
            in_bounds(ast.at.clone(), less)?;
            if less.constant().is_some_and(|less| less < 0) {
                let error = ExprError::value(ast.at.clone(), "fewer units than none cannot be left out");
                return Err(error
                    .help("write how many are left out, such as `less 1`; what is paid besides is added: `+ 1 NAME`"));
            }
        }
        Ok(Cost { terms, less: less.map(Box::new) })
    }

    fn term(&mut self, term: &TermAst) -> Checked<Term> {
        match term {
            TermAst::Counted(amount, thing) => {
                if let Some(error) = self.times(amount, thing) {
                    return Err(error);
                }
                let (at, amount, what) = (amount.at.clone(), self.int(amount), self.what(thing));
                let (amount, what) = self.both(amount, what)?;
                in_bounds(at, &amount)?;
                Ok(Term::Counted(amount, what))
            }
            TermAst::Whole(whole) => match self.name_of_amount(whole).map_or_else(|| self.check(whole), Err)? {
                Checkable::Cost(term) => Ok(term),
                Checkable::Group(_) | Checkable::One(_, Ty::Res) => {
                    let name = match &whole.kind {
                        AstKind::Name(name) => name,
                        _ => "…",
                    };
                    Err(ExprError::kind(whole.at.clone(), "how much of it?").help(format!("write `1 {name}`")))
                }
                _ => Err(ExprError::kind(whole.at.clone(), "this is no cost")
                    .help("write an amount and a name: `1 NAME`; a piece is moved by `move PIECE to ZONE`")),
            },
        }
    }

    /// `coin x2`: how much of it stands behind it.
    fn times(&self, amount: &Ast, thing: &Ast) -> Option<ExprError> {
        let (AstKind::Name(name), AstKind::Name(times)) = (&amount.kind, &thing.kind) else { return None };
        let times = times.strip_prefix(['x', 'X']).filter(|times| times.parse::<u32>().is_ok())?;
        self.what_named(name)?;
        let (at, cure) = (amount.at.start..thing.at.end, format!("{times} {name}"));
        let error = ExprError::kind(at.clone(), "a number stands before a name");
        Some(ExprError { cure: Some((at, cure.clone())), ..error.help(format!("write `{cure}`")) })
    }

    /// `'coin'`, `1 of coin`: a name where an amount and a name are wanted.
    fn name_of_amount(&self, whole: &Ast) -> Option<ExprError> {
        let (cure, message) = match &whole.kind {
            AstKind::Symbol(name) => {
                (format!("1 {}", self.what_named(name).map(|_| name)?), "names stand without quotes")
            }
            AstKind::Of(amount, name) => match (&amount.kind, &name.kind) {
                (AstKind::Int(amount), AstKind::Name(name)) => {
                    (format!("{amount} {name}"), "a number stands right before a name")
                }
                _ => return None,
            },
            _ => return None,
        };
        let error = ExprError::kind(whole.at.clone(), message).help(format!("write `{cure}`"));
        Some(ExprError { cure: Some((whole.at.clone(), cure)), ..error })
    }

    /// A whole effect.
    pub fn program(&mut self, steps: &[StepAst]) -> Checked<Program> {
        let mut ops = Vec::new();
        self.steps(steps, &mut ops);
        let locals = self.most;
        self.whole(Program { ops, locals })
    }

    /// A further part of an effect, from a text of another pack: it knows the names of the parts before it.
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
            AstKind::Of(what, owner) => {
                let AstKind::Name(name) = &what.kind else {
                    return Err(ExprError::kind(what.at.clone(), "`of` follows the name of a zone, a kind or a value")
                        .help("write `NAME of PLAYER`"));
                };
                if matches!(name.as_str(), "top" | "bottom" | "first" | "last") && self.names_set(owner) {
                    return Err(ExprError::kind(at, format!("`{name}` of a set stands before it")).help(
                        match name.as_str() {
                            "bottom" => {
                                "a piece goes there by `move PIECE to ZONE at bottom`, and lies there as `first(ZONE)`"
                                    .to_string()
                            }
                            _ => format!("write `{name}(SET)`"),
                        },
                    ));
                }
                let (owner, ty) = self.one(owner)?;
                match ty {
                    Ty::Seat | Ty::Any => self.owned(name, at, owner),
                    _ => self.field(owner, ty, name, at),
                }
            }
            AstKind::Dot(base, field) => {
                if let AstKind::Name(name) = &base.kind
                    && name == "supply"
                    && self.lookup(name).is_none()
                {
                    return match self.what_named(field) {
                        Some(what) => int(Expr::Amount(Holder::Supply, what)),
                        None => Err(self.unknown_resource(field, at)),
                    };
                }
                if self.names_set(base) {
                    return Err(part_of_set(base.at.clone(), field));
                }
                let (value, ty) = self.one(base)?;
                self.field(value, ty, field, at).map_err(|error| self.traced(error, base))
            }
            AstKind::Index(base, index) => {
                if matches!(index.kind, AstKind::Int(_)) && self.names_set(base) {
                    return Err(ExprError::kind(index.at.clone(), "the pieces of a set have no numbers")
                        .help("write `first(SET)`, `last(SET)`, or `top(ZONE)`"));
                }
                let of = What::Of(Box::new(self.expect(index, Ty::Res)?));
                if matches!(&base.kind, AstKind::Name(name) if name == "supply") {
                    return int(Expr::Amount(Holder::Supply, of));
                }
                let (expr, ty) = self.one(base)?;
                let holder = match ty {
                    Ty::Seat => Holder::Seat(Box::new(expr)),
                    Ty::Piece(_) => Holder::Piece(Box::new(expr)),
                    _ => return Err(ExprError::kind(at, format!("{} holds no resources", self.describe(ty)))),
                };
                int(Expr::Amount(holder, of))
            }
            AstKind::Call(function, args) => self.call(function, args, at),
            AstKind::Query(function, args) => {
                let args = args.iter().map(|arg| self.one(arg)).collect();
                let (args, types): (Vec<Expr>, Vec<Ty>) = self.all(args)?.into_iter().unzip();
                let hook = self.vocabulary.hook(function);
                self.vocabulary.queries.push(hook);
                self.vocabulary.given.entry(hook).or_default().push(types);
                Ok(Checkable::One(Expr::Query(hook, args), Ty::Any))
            }
            AstKind::Negative(inner) => int(Expr::Negative(Box::new(self.int(inner)?))),
            AstKind::Not(inner) => bool(Expr::Not(Box::new(self.bool(inner)?))),
            AstKind::Binary(op, left, right) => self.binary(*op, left, right, at),
            AstKind::Is(inner, name, name_at) => {
                if self.names_set(inner) {
                    let error = ExprError::kind(inner.at.clone(), "`is` asks about one piece, and this is a set");
                    return Err(error.help(match name.as_str() {
                        "empty" => "whether a set is empty is asked with `none(SET)`".to_string(),
                        _ => format!("write `any(SET where it is {name})`"),
                    }));
                }
                let (expr, ty) = self.one(inner)?;
                if !matches!(ty, Ty::Piece(_) | Ty::Type | Ty::Any) {
                    let message = format!("`is` asks about a piece, but this is {}", self.describe(ty));
                    return Err(
                        ExprError::kind(at, message).help("numbers, symbols and players are compared with `==`")
                    );
                }
                if let Some((id, _)) = self.vocabulary.types.get(name) {
                    return bool(Expr::IsType(Box::new(expr), *id));
                }
                if let Some(kind) = self.vocabulary.kinds.get(name) {
                    return bool(Expr::IsKind(Box::new(expr), *kind));
                }
                let known = self.vocabulary.types.keys().chain(self.vocabulary.kinds.keys()).map(String::as_str);
                let error = ExprError::name(name_at.clone(), format!("no piece and no kind is called `{name}`"));
                Err(self.vocabulary.suggestions.add(error, name, known))
            }
            AstKind::In(inner, set) => {
                let (inner, set) = (self.one(inner), self.set(set));
                let ((expr, ty), (set, of)) = self.both(inner, set)?;
                if !self.fits(ty, of) {
                    let message =
                        format!("{} is never in a set of which each is {}", self.describe(ty), self.describe(of));
                    let error = ExprError::kind(at, message);
                    return Err(match (ty, of) {
                        (Ty::Type, Ty::Piece(_)) => error.help("write `any(SET where it is NAME)`"),
                        _ => error.help("ask for what the set holds"),
                    });
                }
                bool(Expr::Contains(Box::new(set), Box::new(expr)))
            }
            AstKind::Where(base, cond) => {
                let base = self.set(base);
                let ty = base.as_ref().map_or(Ty::Any, |(_, ty)| *ty);
                if base.is_err() {
                    self.doubtful.push("it".to_string());
                }
                let cond = self.with_it(ty, |checker| checker.bool(cond));
                let ((base, ty), (it, cond)) = self.both(base, cond)?;
                Ok(Checkable::Many(Set::filter(base, it, cond), ty))
            }
            AstKind::If(cond, yes, no) => {
                let (cond, yes) = (self.bool(cond), self.one(yes));
                let ty = yes.as_ref().map_or(Ty::Any, |(_, ty)| *ty);
                let no = self.expect(no, ty);
                let rest = self.both(yes, no);
                let (cond, ((yes, ty), no)) = self.both(cond, rest)?;
                Ok(Checkable::One(Expr::If(Box::new(cond), Box::new(yes), Box::new(no)), ty))
            }
        }
    }

    pub(crate) fn with_it<T>(&mut self, ty: Ty, check: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<(Local, T)> {
        let depth = (self.scope.len(), self.next);
        let it = self.bind("it", ty);
        let result = check(self);
        self.scope.truncate(depth.0);
        // Slots inside a condition are used again by the next one; those of an enclosing one stay.
        self.next = depth.1;
        Ok((it, result?))
    }

    pub(crate) fn lookup(&self, name: &str) -> Option<(Local, Ty)> {
        self.scope.iter().rev().find(|(known, ..)| known == name).map(|(_, local, ty)| (*local, *ty))
    }

    pub(crate) fn name(&mut self, name: &str, at: At) -> Checked<Checkable> {
        if let Some((local, ty)) = self.lookup(name) {
            self.named.push(local);
            return Ok(Checkable::One(Expr::Local(local), ty));
        }
        let me = || Expr::Local(ME);
        match name {
            "players" => return Ok(Checkable::Many(Set::Seats, Ty::Seat)),
            "others" => return Ok(Checkable::Many(Set::Others(Box::new(me())), Ty::Seat)),
            "opponent" => return Ok(Checkable::One(Expr::NextSeat(Box::new(me())), Ty::Seat)),
            "pieces" => return Ok(Checkable::Many(Set::InPlay { kind: None, owner: None }, Ty::Piece(None))),
            "supply" => return Ok(Checkable::Supply),
            _ => {}
        }
        let v = &*self.vocabulary;
        if let Some(id) = v.resources.get(name) {
            return Ok(Checkable::One(Expr::Res(*id), Ty::Res));
        }
        if let Some(id) = v.groups.get(name) {
            return Ok(Checkable::Group(*id));
        }
        if let Some((id, subject, ty)) = v.vars.get(name) {
            return match subject {
                Subject::Game => Ok(Checkable::One(Expr::Var(*id, None), *ty)),
                Subject::Seat => {
                    Err(ExprError::kind(at, format!("whose `{name}` is meant?")).help(format!("write `my.{name}`")))
                }
                Subject::Piece(_) => Err(self.of_which_piece(name, at)),
            };
        }
        if let Some((id, subject, ty)) = v.values.get(name) {
            return match subject {
                Subject::Game | Subject::Seat => Ok(Checkable::One(Expr::Value(*id, Box::new(me())), *ty)),
                Subject::Piece(_) => Err(self.of_which_piece(name, at)),
            };
        }
        if let Some(zone) = v.zones.get(name) {
            if zone.per_player {
                return Err(ExprError::kind(at, format!("whose `{name}` is meant? Every player has one"))
                    .help(format!("write `my {name}`")));
            }
            return Ok(Checkable::Zone(ZoneRef { zone: zone.id, owner: None }));
        }
        if let Some(kind) = v.plurals.get(name) {
            return Ok(Checkable::Many(Set::InPlay { kind: Some(*kind), owner: None }, Ty::Piece(Some(*kind))));
        }
        if let Some((id, _)) = v.types.get(name) {
            return Ok(Checkable::One(Expr::Type(*id), Ty::Type));
        }
        if let Some(id) = v.symbols.get(name) {
            return Ok(Checkable::One(Expr::Sym(*id), Ty::Sym));
        }
        if let Some(active) = name.strip_prefix("mode_").and_then(|mode| v.modes.get(mode)) {
            return Ok(Checkable::One(Expr::Bool(*active), Ty::Bool));
        }
        if v.attrs.contains_key(name) && (self.lookup("it").is_some() || self.lookup("self").is_some()) {
            return Err(self.of_which_piece(name, at));
        }
        let error = ExprError::name(at.clone(), format!("nothing is called `{name}` here"));
        if v.kinds.contains_key(name) {
            let plural = v.plurals.iter().find(|(_, kind)| v.kinds.get(name) == Some(kind)).map(|(word, _)| word);
            return Err(
                error.maybe_help(plural.map(|word| format!("all of the kind are `{word}`, mine are `my {word}`")))
            );
        }
        if let Some(single) = singular(name).find(|single| v.types.contains_key(*single)) {
            return Err(error.help(of_type(single)));
        }
        Err(name_instead(error, name, at, self.lookup("self").is_some()).unwrap_or_else(|error| {
            let scope = self.scope.iter().fold(error.message.clone(), |all, (name, ..)| all + " " + name);
            v.suggestions.find(error, scope, || known_instead(name, self.known_names()))
        }))
    }

    /// A symbol that nothing declares; names of pieces and resources are none.
    fn unknown_symbol(&self, text: &str, at: At) -> ExprError {
        let v = &*self.vocabulary;
        let small = text.to_lowercase();
        let error = ExprError::name(at.clone(), format!("no symbol is called `{text}`"));
        if v.symbols.contains_key(&small) {
            let cure = format!("'{small}'");
            return ExprError { cure: Some((at, cure.clone())), ..error.help(format!("write `{cure}`")) };
        }
        if v.types.contains_key(text) || v.resources.contains_key(text) || v.kinds.contains_key(text) {
            let error = error.help(format!("names of pieces and resources stand without quotes: `{text}`"));
            return ExprError { cure: Some((at, text.to_string())), ..error };
        }
        v.suggestions.add(error, text, v.symbols.keys().map(String::as_str))
    }

    /// A part of pieces that stands alone.
    fn of_which_piece(&self, name: &str, at: At) -> ExprError {
        let error = ExprError::kind(at.clone(), format!("`{name}` of which piece?"));
        // The nearest: what a `where` looks at comes before the piece that the text stands on.
        let is_piece = |ty: Ty| matches!(ty, Ty::Piece(_) | Ty::Any);
        let near = self.scope.iter().rev().find(|(known, _, ty)| !known.starts_with(' ') && is_piece(*ty));
        match near {
            Some((piece, ..)) => {
                let cure = format!("{piece}.{name}");
                ExprError { cure: Some((at, cure.clone())), ..error.help(format!("write `{cure}`")) }
            }
            None => error.help(format!("write `PIECE.{name}`, with the piece that is meant")),
        }
    }

    pub(crate) fn known_names(&self) -> impl Iterator<Item = &str> {
        let v = &*self.vocabulary;
        let scope = self.scope.iter().map(|(name, ..)| name);
        let amounts = v.resources.keys().chain(v.groups.keys()).chain(v.vars.keys()).chain(v.values.keys());
        let pieces = v.zones.keys().chain(v.plurals.keys()).chain(v.types.keys()).chain(v.symbols.keys());
        scope.chain(amounts).chain(pieces).map(String::as_str)
    }

    /// `my NAME`, `NAME of PLAYER`.
    pub(crate) fn owned(&mut self, name: &str, at: At, owner: Expr) -> Checked<Checkable> {
        let v = &*self.vocabulary;
        if let Some(zone) = v.zones.get(name) {
            if !zone.per_player {
                return Err(ExprError::kind(at, format!("`{name}` belongs to the table, not to a player"))
                    .help(format!("write `{name}`")));
            }
            return Ok(Checkable::Zone(ZoneRef { zone: zone.id, owner: Some(Box::new(owner)) }));
        }
        if let Some(kind) = v.plurals.get(name) {
            let set = Set::InPlay { kind: Some(*kind), owner: Some(Box::new(owner)) };
            return Ok(Checkable::Many(set, Ty::Piece(Some(*kind))));
        }
        if name == "pieces" {
            return Ok(Checkable::Many(Set::InPlay { kind: None, owner: Some(Box::new(owner)) }, Ty::Piece(None)));
        }
        if let Some(kind) = v.kinds.get(name) {
            let plural = v.plurals.iter().find(|(_, id)| *id == kind).map(|(word, _)| word.clone());
            return Err(ExprError::name(at, format!("`{name}` is one; for all of them there is another word"))
                .maybe_help(plural.map(|word| format!("write `my {word}`"))));
        }
        if self.has_seat_field(name) {
            return self.field(owner, Ty::Seat, name, at);
        }
        if let Some(single) =
            std::iter::once(name).chain(singular(name)).find(|it| self.vocabulary.types.contains_key(*it))
        {
            let error = ExprError::name(at, format!("a player has nothing called `{name}`"));
            return Err(error.help(of_type(single)));
        }
        let zones = self.vocabulary.zones.iter().filter(|(_, zone)| zone.per_player).map(|(name, _)| name);
        let known = zones.chain(self.vocabulary.plurals.keys()).map(String::as_str);
        let error = ExprError::name(at, format!("a player has nothing called `{name}`"));
        Err(self.vocabulary.suggestions.add(error, name, known))
    }

    fn has_seat_field(&self, name: &str) -> bool {
        let v = &*self.vocabulary;
        v.resources.contains_key(name)
            || v.groups.contains_key(name)
            || matches!(v.vars.get(name), Some((_, Subject::Seat, _)))
            || matches!(v.values.get(name), Some((_, Subject::Seat, _)))
    }

    pub(crate) fn field(&mut self, base: Expr, ty: Ty, name: &str, at: At) -> Checked<Checkable> {
        let base = Box::new(base);
        match ty {
            Ty::Seat => self.seat_field(base, name, at),
            Ty::Piece(kind) => self.piece_field(base, kind, name, at),
            Ty::Any => self.piece_field(base, None, name, at),
            Ty::Type => self.attr(base, None, name, at),
            Ty::Cell => {
                let (built, ty) = match name {
                    "row" => (Built::CellRow, Ty::Int),
                    "column" | "position" => (Built::CellColumn, Ty::Int),
                    "empty" => (Built::CellEmpty, Ty::Bool),
                    _ => {
                        if let Some(mark) = self.vocabulary.marks.get(name) {
                            return Ok(Checkable::One(Expr::Mark(*mark, base), Ty::Sym));
                        }
                        let marks = self.vocabulary.marks.keys().map(String::as_str);
                        let known = SPACE_PARTS.into_iter().chain(marks);
                        let parts =
                            "a space has `row`, `column` (or `position`), `empty`, and what its zone is marked with";
                        let error = ExprError::name(at, format!("a space has no `{name}`")).help(parts);
                        let message = error.message.clone();
                        return Err(self.vocabulary.suggestions.find(error, message, || did_you_mean(name, known)));
                    }
                };
                Ok(Checkable::One(Expr::Built(built, base), ty))
            }
            Ty::Res => match self.vocabulary.resource_attrs.get(name) {
                Some((id, AttrTy::Cost)) => Ok(Checkable::Cost(Term::Attr(*base, *id))),
                Some((id, attr)) => Ok(Checkable::One(Expr::ResAttr(base, *id), plain(*attr))),
                None => {
                    let error = ExprError::name(at, format!("resources have no `{name}`"));
                    let known = self.vocabulary.resource_attrs.keys().map(String::as_str);
                    Err(self.vocabulary.suggestions.add(error, name, known))
                }
            },
            Ty::Int | Ty::Bool | Ty::Sym => Err(match self.symbol_named(&base) {
                // Whoever asks a symbol for a part means something else that should be called so.
                Some(symbol) => ExprError::name(
                    at,
                    format!("a symbol has no parts such as `.{name}`, and nothing else is called `{symbol}` here"),
                )
                .help(format!("name the piece that has `.{name}`, or declare a parameter `{symbol}`")),
                None => ExprError::kind(at, format!("{} has no parts, so there is no `.{name}`", self.describe(ty))),
            }),
        }
    }

    /// The name of a symbol that stands in the text itself.
    fn symbol_named(&self, base: &Expr) -> Option<&str> {
        let Expr::Sym(wanted) = base else { return None };
        let mut symbols = self.vocabulary.symbols.iter();
        symbols.find(|(_, symbol)| *symbol == wanted).map(|(name, _)| name.as_str())
    }

    fn seat_field(&mut self, base: Box<Expr>, name: &str, at: At) -> Checked<Checkable> {
        if let Some(what) = self.what_named(name) {
            return Ok(Checkable::One(Expr::Amount(Holder::Seat(base), what), Ty::Int));
        }
        let v = &*self.vocabulary;
        if let Some((id, Subject::Seat, ty)) = v.values.get(name) {
            return Ok(Checkable::One(Expr::Value(*id, base), *ty));
        }
        if let Some((id, Subject::Seat, ty)) = v.vars.get(name) {
            return Ok(Checkable::One(Expr::Var(*id, Some(base)), *ty));
        }
        if let Some(zone) = v.zones.get(name).filter(|zone| zone.per_player) {
            return Ok(Checkable::Zone(ZoneRef { zone: zone.id, owner: Some(base) }));
        }
        if name == "passed" {
            return Ok(Checkable::One(Expr::Passed(base), Ty::Bool));
        }
        let seat_vars = v.vars.iter().filter(|(_, (_, subject, _))| *subject == Subject::Seat).map(|(name, _)| name);
        let seat_values =
            v.values.iter().filter(|(_, (_, subject, _))| *subject == Subject::Seat).map(|(name, _)| name);
        let known = v.resources.keys().chain(v.groups.keys()).chain(seat_vars).chain(seat_values).map(String::as_str);
        let error = ExprError::name(at, format!("a player has no `{name}`"));
        Err(v.suggestions.add(error, name, known))
    }

    fn piece_field(&mut self, base: Box<Expr>, kind: Option<KindId>, name: &str, at: At) -> Checked<Checkable> {
        if self.vocabulary.attrs.get(name).is_some_and(|attr| kind.is_none_or(|kind| attr.kinds.contains(&kind))) {
            return self.attr(base, kind, name, at);
        }
        if let Some(what) = self.what_named(name) {
            return Ok(Checkable::One(Expr::Amount(Holder::Piece(base), what), Ty::Int));
        }
        let v = &*self.vocabulary;
        if let Some((id, Subject::Piece(of), ty)) = v.values.get(name)
            && of.is_none_or(|of| kind.is_none_or(|kind| v.is_kind(kind, of)))
        {
            return Ok(Checkable::One(Expr::Value(*id, base), *ty));
        }
        if let Some((id, Subject::Piece(of), ty)) = v.vars.get(name)
            && of.is_none_or(|of| kind.is_none_or(|kind| v.is_kind(kind, of)))
        {
            return Ok(Checkable::One(Expr::Var(*id, Some(base)), *ty));
        }
        let (built, ty) = match name {
            "row" => (Built::PieceRow, Ty::Int),
            "column" | "position" => (Built::PieceColumn, Ty::Int),
            "cell" => (Built::PieceCell, Ty::Cell),
            "owner" => (Built::PieceOwner, Ty::Seat),
            "type" => (Built::PieceType, Ty::Type),
            "host" => (Built::PieceHost, Ty::Piece(None)),
            "face_up" => (Built::PieceFaceUp, Ty::Bool),
            "flipped" => (Built::PieceFlipped, Ty::Bool),
            _ => return self.attr(base, kind, name, at),
        };
        Ok(Checkable::One(Expr::Built(built, base), ty))
    }

    fn attr(&mut self, base: Box<Expr>, kind: Option<KindId>, name: &str, at: At) -> Checked<Checkable> {
        let v = &*self.vocabulary;
        if let Some(attr) = v.attrs.get(name).filter(|attr| kind.is_none_or(|kind| attr.kinds.contains(&kind))) {
            return Ok(match attr.ty {
                AttrTy::Cost => Checkable::Cost(Term::Attr(*base, attr.id)),
                AttrTy::Effect => Checkable::Effect(*base, attr.id),
                AttrTy::Text => return Err(ExprError::kind(at, format!("`{name}` is a text for people"))),
                ty => Checkable::One(Expr::Attr(base, attr.id), plain(ty)),
            });
        }
        let of_piece = |subject: &Subject| matches!(subject, Subject::Piece(of) if of.is_none_or(|of| kind.is_none_or(|kind| v.is_kind(kind, of))));
        let known = v
            .attrs
            .iter()
            .filter(|(_, attr)| kind.is_none_or(|kind| attr.kinds.contains(&kind)))
            .map(|(name, _)| name.as_str())
            .chain(v.resources.keys().map(String::as_str))
            .chain(v.groups.keys().map(String::as_str))
            .chain(v.values.iter().filter(|(_, (_, subject, _))| of_piece(subject)).map(|(name, _)| name.as_str()))
            .chain(v.vars.iter().filter(|(_, (_, subject, _))| of_piece(subject)).map(|(name, _)| name.as_str()))
            .chain(["row", "column", "position", "cell", "owner", "type", "host", "face_up", "flipped"]);
        let of = match kind.and_then(|kind| v.kinds.iter().find(|(_, id)| **id == kind)) {
            Some((kind, _)) => format!("`{kind}`"),
            None => "a piece".to_string(),
        };
        let error = ExprError::name(at, format!("{of} has no `{name}`"));
        let elsewhere = match (v.vars.get(name), v.values.get(name)) {
            (Some((_, Subject::Piece(Some(of)), _)), _) => Some(("variable", *of)),
            (_, Some((_, Subject::Piece(Some(of)), _))) => Some(("value", *of)),
            _ => None,
        };
        if let Some((what, kind)) = elsewhere
            && let Some((kind, _)) = v.kinds.get_index(kind.index())
        {
            return Err(error.help(format!("`{name}` is a {what} of the kind `{kind}`")));
        }
        if ["name", "title", "id", "kind"].contains(&name) {
            return Err(error.help("which piece it is is asked with `PIECE is NAME`, be it a piece or a kind"));
        }
        Err(v.suggestions.add(error, name, known))
    }

    fn binary(&mut self, op: BinaryOp, left: &Ast, right: &Ast, at: At) -> Checked<Checkable> {
        let make = |left, right, ty| Ok(Checkable::One(Expr::Binary(op, Box::new(left), Box::new(right)), ty));
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let is_comment = op == BinaryOp::Sub && matches!(right.kind, AstKind::Negative(_));
                let (left, right) = (self.int(left), self.int(right));
                let right = right.map_err(|error| match is_comment {
                    true => error.help("a comment begins with `#`, and ends with its line"),
                    false => error,
                });
                let (left, right) = self.both(left, right)?;
                if let (Some(a), Some(b)) = (left.constant(), right.constant())
                    && op.of_constants(a, b).is_none()
                {
                    return Err(ExprError::value(at, "this number is too large").help(format!(
                        "numbers go from {} to {}",
                        i64::MIN,
                        i64::MAX
                    )));
                }
                make(left, right, Ty::Int)
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let (left, divisor) = (self.int(left), self.int(right));
                let (divided, divisor) = self.both(left, divisor)?;
                self.note(right.at.clone(), About::Divide(divisor.clone()));
                make(divided, divisor, Ty::Int)
            }
            BinaryOp::And | BinaryOp::Or => {
                let (left, right) = (self.bool(left), self.bool(right));
                let (left, right) = self.both(left, right)?;
                make(left, right, Ty::Bool)
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let (left, right) = (self.int(left), self.int(right));
                let (left, right) = self.both(left, right)?;
                self.note(at, About::Compare(op, left.clone(), right.clone()));
                make(left, right, Ty::Bool)
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let (left, right) = (self.one(left), self.one(right));
                let ((left, left_ty), (right, right_ty)) = self.both(left, right)?;
                if !self.fits(left_ty, right_ty) && !self.fits(right_ty, left_ty) {
                    let message =
                        format!("{} and {} are never the same", self.describe(left_ty), self.describe(right_ty));
                    let error = ExprError::kind(at, message);
                    return Err(match (left_ty, right_ty) {
                        (Ty::Piece(_), Ty::Type) | (Ty::Type, Ty::Piece(_)) => error.help("write `PIECE is NAME`"),
                        _ => error.help("compare two things of one kind"),
                    });
                }
                self.note(at, About::Compare(op, left.clone(), right.clone()));
                make(left, right, Ty::Bool)
            }
        }
    }

    /// What was noted since this was asked last.
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

    // ---- costs ----

    fn what_named(&self, name: &str) -> Option<What> {
        let v = &*self.vocabulary;
        v.resources.get(name).map(|id: &ResId| What::Res(*id)).or_else(|| v.groups.get(name).map(|id| What::Group(*id)))
    }

    fn unknown_resource(&self, name: &str, at: At) -> ExprError {
        let v = &*self.vocabulary;
        let known = v.resources.keys().chain(v.groups.keys()).map(String::as_str);
        let error = ExprError::resource(at.clone(), format!("no resource is called `{name}`"));
        let small = name.to_lowercase();
        if let Some(single) =
            std::iter::once(small.as_str()).chain(singular(&small)).find(|it| self.what_named(it).is_some())
        {
            let help = format!("write `{single}`: one name stands for one and for several");
            return ExprError { cure: Some((at, single.to_string())), ..error.help(help) };
        }
        v.suggestions.add(error, name, known)
    }

    pub(crate) fn what(&mut self, ast: &Ast) -> Checked<What> {
        if let AstKind::Name(name) = &ast.kind
            && self.lookup(name).is_none()
        {
            return self.what_named(name).ok_or_else(|| self.unknown_resource(name, ast.at.clone()));
        }
        match self.expect(ast, Ty::Res)? {
            Expr::Res(id) => Ok(What::Res(id)),
            expr => Ok(What::Of(Box::new(expr))),
        }
    }

    /// Whether a value of one type can stand where another is wanted.
    fn fits(&self, have: Ty, want: Ty) -> bool {
        self.vocabulary.fits(have, want)
    }

    pub(crate) fn describe(&self, ty: Ty) -> String {
        self.vocabulary.describe(ty)
    }
}

/// What one of several may be called.
fn singular(name: &str) -> impl Iterator<Item = &str> {
    ["s", "es", "n", "en"].into_iter().filter_map(|ending| name.strip_suffix(ending))
}

/// Pieces of one type.
fn of_type(name: &str) -> String {
    format!("those in play are `pieces where it is {name}`, mine are `my pieces where it is {name}`")
}

/// A part of each of a set, as if it were one.
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

fn plain(attr: AttrTy) -> Ty {
    match attr {
        AttrTy::Int | AttrTy::Amount => Ty::Int,
        AttrTy::Bool | AttrTy::Condition => Ty::Bool,
        AttrTy::Res => Ty::Res,
        AttrTy::Sym => Ty::Sym,
        AttrTy::Type => Ty::Type,
        AttrTy::Text | AttrTy::Cost | AttrTy::Effect => Ty::Any,
    }
}

/// Refuses an amount of resources that is known to be too large.
fn in_bounds(at: At, amount: &Expr) -> Checked<()> {
    match amount.constant() {
        Some(amount) if !(-MOST_UNITS..=MOST_UNITS).contains(&amount) => {
            Err(ExprError::value(at, format!("{amount} units are too many to be paid or gained at once"))
                .help(format!("write at most {MOST_UNITS}")))
        }
        _ => Ok(()),
    }
}
