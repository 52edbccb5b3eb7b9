//! Effects compiled to steps: their operations, with all expressions as functions.

use rulepack_expr::{
    AttrId, Cost, Dest, Disclosed, Doubt, Expr, Op, Program, Set, Term, TogetherSlots, Told, What, Winners, ZoneRef,
};
use rulepack_model::{ActionId, EventId, HookId, Local, PromptId, VarId};

use super::{Number, Price, Source, Truth, Walk, ZoneSource, checked};
use crate::eval::kept_sets::Keeper;
use crate::rules::ruleset::Ruleset;

/// One operation of an effect; see [`Op`]. It has the same number in the effect.
pub(crate) enum Step {
    Jump(u32),
    JumpUnless(Truth, u32),
    Let(usize, Source),
    Keep(Box<Keeper>),
    Roll {
        into: usize,
        sides: Number,
        secret: bool,
    },
    Gain {
        price: Price,
        whom: Source,
    },
    Pay {
        price: Price,
        to: Option<Source>,
    },
    /// `supplied`: the resources that the operations up to `end` take from the supply.
    Exchange {
        price: Price,
        supplied: Vec<Price>,
        end: u32,
    },
    Put {
        price: Price,
        on: Source,
    },
    Store {
        price: Price,
        on: Source,
    },
    TakeFromPiece {
        price: Price,
        from: Source,
    },
    TakeFromSeat {
        price: Price,
        from: Source,
    },
    GiveBack {
        price: Price,
        from: Source,
    },
    Lay {
        piece: Source,
        on: Source,
    },
    Move {
        piece: Source,
        to: Target,
        bottom: bool,
        facing: Option<bool>,
    },
    Draw {
        count: Number,
        from: ZoneSource,
        to: Target,
    },
    Shuffle(ZoneSource),
    Refill(ZoneSource),
    Flip(Source),
    MoveAll {
        from: Walk,
        to: Target,
        bottom: bool,
        facing: Option<bool>,
    },
    FlipAll(Walk),
    Swap(Source, Source),
    Choose(Choice),
    ChooseMore(Choice, More),
    List(usize),
    Pick {
        into: usize,
        from: Walk,
        secret: bool,
    },
    May {
        prompt: Option<PromptId>,
        no: u32,
    },
    Either(Vec<(PromptId, u32)>),
    Collect {
        list: usize,
        from: Walk,
    },
    Next {
        list: usize,
        into: usize,
        end: u32,
    },
    SetVar {
        var: VarId,
        owner: Option<Source>,
        value: Source,
    },
    Raise {
        event: EventId,
        args: Vec<Source>,
    },
    Perform {
        action: ActionId,
        args: Vec<Source>,
        free: bool,
    },
    Use {
        piece: Source,
        attr: AttrId,
    },
    Script {
        hook: HookId,
        args: Vec<Source>,
    },
    EndTurn,
    EndPhase,
    EndGame {
        winners: Winning,
    },
    Pass,
    Pause,
    Cancel,
    Rejoin(Source),
    Eliminate {
        players: Box<Walk>,
        round: bool,
    },
    Look {
        from: Walk,
        by: Source,
        lasting: bool,
    },
    Show(Box<Showing>),
    Disclose {
        what: Telling,
        prompt: Option<PromptId>,
    },
    Seen {
        by: Source,
        prompt: PromptId,
    },
    AskNext {
        slots: TogetherSlots,
        end: u32,
    },
    KeepChoices {
        slots: TogetherSlots,
        lists: Vec<Local>,
        next: u32,
        then: u32,
    },
    Reveal {
        slots: TogetherSlots,
        lists: Vec<Local>,
        told: Vec<Told>,
    },
    DoNext {
        slots: TogetherSlots,
        lists: Vec<Local>,
        end: u32,
    },
    OnlyTried(u32),
}

/// Who has won when an effect ends the game.
pub(crate) enum Winning {
    ByPoints,
    Are(Box<Walk>),
    Everybody,
}

impl Winning {
    fn new(rules: &Ruleset, winners: &Winners) -> Winning {
        match winners {
            Winners::ByPoints => Winning::ByPoints,
            Winners::Are(players) => Winning::Are(Box::new(Walk::new(rules, players))),
            Winners::Everybody => Winning::Everybody,
        }
    }
}

/// Pieces that are shown to players.
pub(crate) struct Showing {
    pub(crate) from: Walk,
    /// The players; all if there are none.
    pub(crate) to: Option<Walk>,
    pub(crate) lasting: bool,
}

impl Showing {
    fn new(rules: &Ruleset, set: &Set, to: Option<&Set>, lasting: bool) -> Showing {
        let to = to.map(|players| Walk::new(rules, players));
        Showing { from: Walk::new(rules, set), to, lasting }
    }
}

/// What all players learn.
pub(crate) enum Telling {
    One(Source),
    Many(Box<Walk>),
}

/// The destination of a move.
pub(crate) enum Target {
    Zone(ZoneSource),
    Cell(Source),
}

/// A choice of one thing.
pub(crate) struct Choice {
    pub(crate) into: usize,
    pub(crate) from: Walk,
    pub(crate) by: Source,
    pub(crate) prompt: Option<PromptId>,
    /// Whether only the player who chooses is told what.
    pub(crate) secret: bool,
}

impl Choice {
    fn new(rules: &Ruleset, into: Local, set: &Set, by: &Expr, (prompt, secret): (Option<PromptId>, bool)) -> Choice {
        Choice { into: into.index(), from: Walk::new(rules, set), by: Source::whole(rules, by), prompt, secret }
    }
}

/// Further data of a choice of several things, mostly slots.
#[derive(Clone, Copy)]
pub(crate) struct More {
    pub(crate) taken: usize,
    pub(crate) least: usize,
    pub(crate) most: usize,
    pub(crate) end: u32,
    pub(crate) if_any: bool,
    pub(crate) free: bool,
    pub(crate) different: Option<usize>,
    /// Whether the list stays after the choice.
    pub(crate) keeps: bool,
    /// Whether the block for each may be impossible, because it contains a payment or a choice.
    pub(crate) may_get_stuck: bool,
    /// Whether each thing is chosen once, and only that very thing is paid for it: `choose 2..3 different x in … { pay
    /// 1 x }`. Or whether the block only marks it: `choose 3..3 x in … where not it.named { set x.named = true }`.
    pub(crate) is_apart: bool,
}

impl More {
    /// The data of a choice of several; whether it may get stuck depends on the steps after it.
    fn new(op: &Op) -> More {
        let mut more = More {
            taken: 0,
            least: 0,
            most: 0,
            end: 0,
            if_any: false,
            free: false,
            different: None,
            keeps: false,
            may_get_stuck: false,
            is_apart: false,
        };
        if let Op::ChooseMore { if_any, free, taken, least, most, different, keeps, end, .. } = op {
            (more.taken, more.least, more.most) = (taken.index(), least.index(), most.index());
            (more.end, more.if_any, more.free, more.keeps) = (*end, *if_any, *free, *keeps);
            more.different = different.map(|list| list.index());
        }
        more
    }
}

/// The steps of an effect.
pub(crate) fn steps(rules: &Ruleset, program: &Program) -> Vec<Step> {
    let ops = &program.ops;
    let block = |at: usize, end: u32| ops.get(at + 1..end as usize).unwrap_or(&[]);
    let names: Box<[usize]> = ops.iter().filter_map(kept_in).collect();
    let mut steps: Vec<Step> = ops.iter().map(|op| step(rules, op)).collect();
    for (at, (op, step)) in ops.iter().zip(&mut steps).enumerate() {
        match (op, step) {
            (Op::ChooseMore { into, set, end, .. }, Step::ChooseMore(_, more)) => {
                let block = block(at, *end);
                more.may_get_stuck = may_get_stuck(block);
                more.is_apart = more.keeps
                    || more.different.is_some() && block.iter().all(|op| is_apart(op, *into))
                    || only_of_itself(set) && block.iter().all(|op| only_marks(op, *into));
            }
            (Op::Exchange { end, .. }, Step::Exchange { supplied, .. }) => {
                let costs = block(at, *end).iter().filter_map(|op| op.facts().supplied);
                *supplied = costs.map(|cost| Price::new(rules, cost)).collect();
            }
            (Op::Keep(..), Step::Keep(keeper)) => {
                keeper.names.clone_from(&names);
                keeper.slots = usize::from(program.locals);
            }
            _ => {}
        }
    }
    steps
}

/// The slot of the name that an operation gives to a set.
fn kept_in(op: &Op) -> Option<usize> {
    match op {
        Op::Keep(into, _) => Some(into.index()),
        _ => None,
    }
}

/// Whether a block contains a payment or a choice. An exchange or an effect that cannot be carried out is skipped.
fn may_get_stuck(ops: &[Op]) -> bool {
    let has = |doubt: Doubt| ops.iter().any(|op| op.facts().doubt == doubt);
    has(Doubt::Must) && !has(Doubt::Depends)
}

/// Whether an operation takes nothing away, except from `it`.
fn is_apart(op: &Op, it: Local) -> bool {
    let is_it = |term: &Term| match term {
        Term::Counted(Expr::Int(_), What::Of(what)) => **what == Expr::Local(it),
        Term::Counted(..) | Term::Attr(..) | Term::Surcharge(_) => false,
    };
    match op {
        Op::Pay { cost, to: None } => cost.less.is_none() && cost.terms.iter().all(is_it),
        Op::Jump(_) | Op::Let(..) | Op::SetVar { .. } | Op::Gain { .. } => true,
        Op::JumpUnless(..) | Op::Keep(..) | Op::Roll { .. } | Op::Pay { .. } | Op::Exchange { .. } => false,
        Op::Put { .. } | Op::Store { .. } | Op::TakeFromPiece { .. } | Op::TakeFromSeat { .. } => false,
        Op::GiveBack { .. } | Op::Lay { .. } | Op::Move { .. } | Op::Draw { .. } | Op::Shuffle(_) => false,
        Op::Refill(_) | Op::Flip(_) | Op::MoveAll { .. } | Op::FlipAll(_) | Op::Swap(..) | Op::Choose { .. } => false,
        Op::ChooseMore { .. } | Op::List(_) | Op::Pick { .. } | Op::May { .. } | Op::Either(_) => false,
        Op::Collect { .. } | Op::Next { .. } | Op::Raise { .. } | Op::Perform { .. } | Op::Use { .. } => false,
        Op::Script { .. } | Op::EndTurn | Op::EndPhase | Op::EndGame { .. } | Op::Pass | Op::Pause => false,
        Op::Eliminate { .. } => false,
        Op::Cancel | Op::Rejoin(_) | Op::Look { .. } | Op::Show { .. } | Op::Disclose { .. } => false,
        Op::Seen { .. } => false,
        Op::AskNext { .. } | Op::KeepChoices { .. } | Op::Reveal { .. } | Op::DoNext { .. } => false,
        Op::OnlyTried(_) => false,
    }
}

/// Whether an operation only marks `it`.
fn only_marks(op: &Op, it: Local) -> bool {
    match op {
        Op::SetVar { owner: Some(Expr::Local(owner)), value, .. } => {
            *owner == it && matches!(value, Expr::Int(_) | Expr::Bool(_) | Expr::Sym(_))
        }
        Op::Jump(_) => true,
        Op::JumpUnless(..) | Op::Let(..) | Op::Keep(..) | Op::Roll { .. } | Op::Gain { .. } | Op::Pay { .. } => false,
        Op::Exchange { .. } | Op::Put { .. } | Op::Store { .. } | Op::TakeFromPiece { .. } => false,
        Op::TakeFromSeat { .. } | Op::GiveBack { .. } | Op::Lay { .. } | Op::Move { .. } | Op::Draw { .. } => false,
        Op::Shuffle(_) | Op::Refill(_) | Op::Flip(_) | Op::MoveAll { .. } | Op::FlipAll(_) | Op::Swap(..) => false,
        Op::Choose { .. } | Op::ChooseMore { .. } | Op::List(_) | Op::Pick { .. } | Op::May { .. } => false,
        Op::Either(_) | Op::Collect { .. } | Op::Next { .. } | Op::SetVar { .. } | Op::Raise { .. } => false,
        Op::Perform { .. } | Op::Use { .. } | Op::Script { .. } | Op::EndTurn | Op::EndPhase => false,
        Op::Eliminate { .. } => false,
        Op::EndGame { .. } | Op::Pass | Op::Pause | Op::Cancel | Op::Rejoin(_) | Op::Look { .. } => false,
        Op::Show { .. } | Op::Disclose { .. } | Op::Seen { .. } | Op::AskNext { .. } => false,
        Op::KeepChoices { .. } => false,
        Op::Reveal { .. } | Op::DoNext { .. } | Op::OnlyTried(_) => false,
    }
}

/// Whether membership of each member depends on itself alone: marking one does not change the others.
fn only_of_itself(set: &Set) -> bool {
    match set {
        Set::Filter { base, it, cond } => only_of_itself(base) && asks_only_about(cond, *it),
        Set::Resources(_) | Set::Types(_) | Set::Symbols(_) | Set::Seats | Set::Directions(_) => true,
        Set::Named(..) | Set::Kept(_) | Set::Numbers(..) | Set::Listed(_) | Set::Combined(..) | Set::OfEach { .. } => {
            false
        }
        Set::Zone(ZoneRef { owner, .. }) | Set::InPlay { owner, .. } => owner.as_deref().is_none_or(is_fixed),
        Set::Others(seat) | Set::Team(seat) | Set::Round { from: seat, .. } => is_fixed(seat),
        Set::Cells(_) | Set::FreeCells(_) | Set::Neighbours(_) | Set::At(_) | Set::On(_) | Set::Adjacent(..) => false,
        Set::AdjacentToAll(..) | Set::Attached(_) | Set::One(_) | Set::DirectionsFrom(_) => false,
        Set::Line(..) | Set::Through(..) | Set::Connected(..) | Set::While { .. } | Set::Until { .. } => false,
    }
}

/// Whether a player is the same one whatever happens.
fn is_fixed(seat: &Expr) -> bool {
    match seat {
        Expr::NextSeat(inner) | Expr::PreviousSeat(inner) => is_fixed(inner),
        seat => matches!(seat, Expr::Local(_)),
    }
}

/// Whether a condition tests only marks of `it`, its type, and whether something lies on it.
fn asks_only_about(cond: &Expr, it: Local) -> bool {
    let is_it = |expr: &Expr| *expr == Expr::Local(it);
    match cond {
        Expr::Int(_) | Expr::Bool(_) | Expr::Sym(_) => true,
        Expr::Var(_, Some(of)) | Expr::IsKind(of, _) | Expr::IsType(of, _) => is_it(of),
        Expr::Not(inner) => asks_only_about(inner, it),
        Expr::Binary(_, left, right) => asks_only_about(left, it) && asks_only_about(right, it),
        Expr::Any(set) => matches!(&**set, Set::Attached(host) if is_it(host)),
        Expr::Res(_) | Expr::Type(_) | Expr::Local(_) | Expr::Amount(..) | Expr::Attr(..) => false,
        Expr::ResAttr(..) | Expr::Property(..) | Expr::Mark(..) | Expr::Room(..) | Expr::Value(..) => false,
        Expr::Var(..) | Expr::Negative(_) | Expr::If(..) | Expr::Contains(..) | Expr::Count(_) => false,
        Expr::Sum(..) | Expr::Largest(..) | Expr::Smallest(..) | Expr::First(_) | Expr::Last(_) => false,
        Expr::Top(_) | Expr::Min(..) | Expr::Max(..) | Expr::NextSeat(_) | Expr::PreviousSeat(_) => false,
        Expr::Opposite(_) | Expr::AtTurn | Expr::Passed(_) | Expr::Can(..) | Expr::CanPay(_) => false,
        Expr::Out(_) | Expr::Partner(_) => false,
        Expr::Units(_) | Expr::Query(..) => false,
    }
}

fn step(rules: &Ruleset, op: &Op) -> Step {
    let source = |expr: &Expr| Source::whole(rules, expr);
    let sources = |exprs: &[Expr]| exprs.iter().map(source).collect();
    let price = |cost: &Cost| Price::new(rules, cost);
    let place = |zone: &ZoneRef| ZoneSource::new(rules, zone);
    let target = |dest: &Dest| match dest {
        Dest::Zone(zone) => Target::Zone(place(zone)),
        Dest::Cell(cell) => Target::Cell(source(cell)),
    };
    match op {
        Op::Jump(to) => Step::Jump(*to),
        Op::JumpUnless(cond, to) => Step::JumpUnless(checked::truth(rules, cond), *to),
        Op::Let(local, value) => Step::Let(local.index(), source(value)),
        Op::Keep(into, set) => Step::Keep(Box::new(Keeper {
            into: into.index(),
            from: Walk::new(rules, set),
            names: Box::default(),
            slots: 0,
        })),
        Op::Roll { into, sides, secret } => {
            Step::Roll { into: into.index(), sides: checked::number(rules, sides), secret: *secret }
        }
        Op::Gain { cost, whom } => Step::Gain { price: price(cost), whom: source(whom) },
        Op::Pay { cost, to } => Step::Pay { price: price(cost), to: to.as_ref().map(source) },
        Op::Exchange { cost, end } => Step::Exchange { price: price(cost), supplied: Vec::new(), end: *end },
        Op::Put { cost, on } => Step::Put { price: price(cost), on: source(on) },
        Op::Store { cost, on } => Step::Store { price: price(cost), on: source(on) },
        Op::TakeFromPiece { cost, from } => Step::TakeFromPiece { price: price(cost), from: source(from) },
        Op::TakeFromSeat { cost, from } => Step::TakeFromSeat { price: price(cost), from: source(from) },
        Op::GiveBack { cost, from } => Step::GiveBack { price: price(cost), from: source(from) },
        Op::Lay { piece, on } => Step::Lay { piece: source(piece), on: source(on) },
        Op::Move { piece, to, bottom, facing } => {
            Step::Move { piece: source(piece), to: target(to), bottom: *bottom, facing: *facing }
        }
        Op::Draw { count, from, to } => {
            Step::Draw { count: checked::number(rules, count), from: place(from), to: target(to) }
        }
        Op::Shuffle(zone) => Step::Shuffle(place(zone)),
        Op::Refill(zone) => Step::Refill(place(zone)),
        Op::Flip(piece) => Step::Flip(source(piece)),
        Op::MoveAll { set, to, bottom, facing } => {
            Step::MoveAll { from: Walk::new(rules, set), to: target(to), bottom: *bottom, facing: *facing }
        }
        Op::FlipAll(set) => Step::FlipAll(Walk::new(rules, set)),
        Op::Swap(one, other) => Step::Swap(source(one), source(other)),
        Op::Choose { into, set, by, prompt, secret } => {
            Step::Choose(Choice::new(rules, *into, set, by, (*prompt, *secret)))
        }
        Op::ChooseMore { into, set, by, prompt, .. } => {
            let more = More::new(op);
            Step::ChooseMore(Choice::new(rules, *into, set, by, (*prompt, false)), more)
        }
        Op::List(list) => Step::List(list.index()),
        Op::Pick { into, set, secret } => {
            Step::Pick { into: into.index(), from: Walk::new(rules, set), secret: *secret }
        }
        Op::May { prompt, no } => Step::May { prompt: *prompt, no: *no },
        Op::Either(branches) => Step::Either(branches.clone()),
        Op::Collect { list, set } => Step::Collect { list: list.index(), from: Walk::new(rules, set) },
        Op::Next { list, into, end } => Step::Next { list: list.index(), into: into.index(), end: *end },
        Op::SetVar { var, owner, value } => {
            Step::SetVar { var: *var, owner: owner.as_ref().map(source), value: source(value) }
        }
        Op::Raise { event, args } => Step::Raise { event: *event, args: sources(args) },
        Op::Perform { action, args, free } => Step::Perform { action: *action, args: sources(args), free: *free },
        Op::Use { piece, attr } => Step::Use { piece: source(piece), attr: *attr },
        Op::Script { hook, args } => Step::Script { hook: *hook, args: sources(args) },
        Op::EndTurn => Step::EndTurn,
        Op::EndPhase => Step::EndPhase,
        Op::EndGame { winners } => Step::EndGame { winners: Winning::new(rules, winners) },
        Op::Pass => Step::Pass,
        Op::Pause => Step::Pause,
        Op::Cancel => Step::Cancel,
        Op::Rejoin(seat) => Step::Rejoin(source(seat)),
        Op::Eliminate { players, round } => {
            Step::Eliminate { players: Box::new(Walk::new(rules, players)), round: *round }
        }
        Op::Look { set, by, lasting } => Step::Look { from: Walk::new(rules, set), by: source(by), lasting: *lasting },
        Op::Show { set, to, lasting } => Step::Show(Box::new(Showing::new(rules, set, to.as_ref(), *lasting))),
        Op::Disclose { what, prompt } => {
            let what = match what {
                Disclosed::One(value) => Telling::One(source(value)),
                Disclosed::Many(set) => Telling::Many(Box::new(Walk::new(rules, set))),
            };
            Step::Disclose { what, prompt: *prompt }
        }
        Op::Seen { by, prompt } => Step::Seen { by: source(by), prompt: *prompt },
        Op::AskNext { slots, end } => Step::AskNext { slots: *slots, end: *end },
        Op::KeepChoices { slots, lists, next, then } => {
            Step::KeepChoices { slots: *slots, lists: lists.clone(), next: *next, then: *then }
        }
        Op::Reveal { slots, lists, told } => Step::Reveal { slots: *slots, lists: lists.clone(), told: told.clone() },
        Op::DoNext { slots, lists, end } => Step::DoNext { slots: *slots, lists: lists.clone(), end: *end },
        Op::OnlyTried(end) => Step::OnlyTried(*end),
    }
}
