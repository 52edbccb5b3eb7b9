//! Amounts of resources, and room for more, compiled to functions.

use rulepack_expr::{Holder, What};
use rulepack_model::ResId;

use super::{Number, Source};
use crate::eval::bundle::ResourceSel;
use crate::eval::expressions::{Eval, Locals};
use crate::rules::ruleset::Ruleset;
use crate::state::value::Value;

/// Which resources are meant.
pub(super) enum Counted {
    These(ResourceSel),
    Of(Source),
}

impl Counted {
    pub(super) fn new(rules: &Ruleset, what: &What) -> Counted {
        match what {
            What::Res(res) => Counted::These(ResourceSel::One(*res)),
            What::Group(group) => Counted::These(ResourceSel::Group(*group)),
            What::Of(expr) => Counted::Of(Source::new(rules, expr)),
        }
    }

    #[inline]
    pub(super) fn get(&self, eval: &Eval<'_>, locals: &mut Locals) -> ResourceSel {
        match self {
            Counted::These(kinds) => *kinds,
            Counted::Of(res) => res.get(eval, locals).res().map_or(ResourceSel::None, ResourceSel::One),
        }
    }
}

/// The holder of the resources.
enum Keeper {
    Seat(Source),
    Piece(Source),
    Supply,
}

impl Keeper {
    fn new(rules: &Ruleset, holder: &Holder) -> Keeper {
        match holder {
            Holder::Seat(seat) => Keeper::Seat(Source::new(rules, seat)),
            Holder::Piece(piece) => Keeper::Piece(Source::new(rules, piece)),
            Holder::Supply => Keeper::Supply,
        }
    }
}

/// How much there is.
pub(super) fn amount(rules: &Ruleset, holder: &Holder, what: &What) -> Number {
    match (holder, what) {
        (Holder::Seat(seat), What::Res(res)) => {
            let (seat, res) = (Source::new(rules, seat), *res);
            Box::new(move |eval, locals| {
                seat.get(eval, locals).seat().map_or(0, |seat| i64::from(eval.state.amount(eval.rules, seat, res)))
            })
        }
        (Holder::Piece(piece), What::Res(res)) => {
            let (piece, res) = (Source::new(rules, piece), *res);
            Box::new(move |eval, locals| {
                piece.get(eval, locals).piece().map_or(0, |piece| i64::from(eval.state.held(eval.rules, piece, res)))
            })
        }
        (Holder::Seat(seat), What::Of(res)) => {
            let (seat, res) = (Source::new(rules, seat), Source::new(rules, res));
            Box::new(move |eval, locals| match (res.get(eval, locals), seat.get(eval, locals)) {
                (Value::Res(res), Value::Seat(seat)) => i64::from(eval.state.amount(eval.rules, seat, res)),
                _ => 0,
            })
        }
        (Holder::Piece(piece), What::Of(res)) => {
            let (piece, res) = (Source::new(rules, piece), Source::new(rules, res));
            Box::new(move |eval, locals| match (res.get(eval, locals), piece.get(eval, locals)) {
                (Value::Res(res), Value::Piece(piece)) => i64::from(eval.state.held(eval.rules, piece, res)),
                _ => 0,
            })
        }
        _ => {
            let (keeper, counted) = (Keeper::new(rules, holder), Counted::new(rules, what));
            Box::new(move |eval, locals| sum(&keeper, &counted, eval, locals))
        }
    }
}

fn sum(keeper: &Keeper, counted: &Counted, eval: &Eval<'_>, locals: &mut Locals) -> i64 {
    let (rules, state) = (eval.rules, eval.state);
    let kinds = counted.get(eval, locals);
    let all = |amount: &dyn Fn(ResId) -> i32| kinds.members(rules).iter().map(|res| i64::from(amount(*res))).sum();
    match keeper {
        Keeper::Supply => all(&|res| state.supply(rules, res)),
        Keeper::Seat(seat) => match seat.get(eval, locals).seat() {
            Some(seat) => all(&|res| state.amount(rules, seat, res)),
            None => 0,
        },
        Keeper::Piece(piece) => match piece.get(eval, locals).piece() {
            Some(piece) => all(&|res| state.held(rules, piece, res)),
            None => 0,
        },
    }
}

/// How much more fits.
pub(super) fn room(rules: &Ruleset, holder: &Holder, what: &What) -> Number {
    let (keeper, counted) = (Keeper::new(rules, holder), Counted::new(rules, what));
    Box::new(move |eval, locals| {
        let kinds = counted.get(eval, locals);
        match &keeper {
            Keeper::Seat(seat) => seat.get(eval, locals).seat().map_or(0, |seat| eval.room_of(seat, kinds)),
            Keeper::Piece(piece) => piece.get(eval, locals).piece().map_or(0, |piece| eval.room_at(piece, kinds)),
            Keeper::Supply => i64::from(i32::MAX),
        }
    })
}
