//! The options of a question: actions that can be taken, once for each value of their first parameter. Of several pieces that
//! are alike, only one is an option.

use std::ops::ControlFlow;

use rulepack_model::{ActionId, PieceId, Seat};

use crate::eval::bundle::Bundle;
use crate::eval::expressions::{Eval, Locals, slots};
use crate::flow::decision::Opt;
use crate::flow::machine::{Machine, Mode};
use crate::hidden::sight::{Sight, Viewer};
use crate::rules::ruleset::{Action, Visibility};
use crate::rules::shortcuts::Shortcut;
use crate::state::cache::{Known, Priced};
use crate::state::fuel::Culprit;
use crate::state::value::Value;

impl Eval<'_> {
    fn all_costs(&self, action: &Action, locals: &mut Locals) -> Bundle {
        let mut whole = Bundle::default();
        for (cost, _) in &action.costs {
            self.kept_in(whole.add_all(self.bundle(cost, locals)));
        }
        whole
    }

    /// The cost of an action with its first parameter, while the others are still empty.
    pub fn price(&self, seat: Seat, action: ActionId, first: Value) -> Bundle {
        let declared = &self.rules.actions[action.index()];
        self.all_costs(declared, &mut slots(Some(seat), None, &[first], declared.locals))
    }

    /// Whether two pieces are alike in every way that can matter, so that one of them is enough to choose from.
    pub fn alike(&self, a: PieceId, b: PieceId) -> bool {
        if self.rules.called(a) != self.rules.called(b) {
            return false;
        }
        let (one, other) = (self.state.piece(a), self.state.piece(b));
        let _ = self.state.fuel().burn_many(self.rules.resources.len() / 16);
        let stands_alone = |piece| self.state.host(piece).is_none() && self.state.attached(piece).next().is_none();
        one.zone == other.zone
            && one.at == other.at
            && one.face_down == other.face_down
            && one.flipped == other.flipped
            && stands_alone(a)
            && stands_alone(b)
            && (0..self.rules.resources.len())
                .map(rulepack_model::ResId::from)
                .all(|res| self.state.held(self.rules, a, res) == self.state.held(self.rules, b, res))
            && self.have_same_variables(a, b)
            && self.are_seen_alike(a, b)
    }

    fn have_same_variables(&self, a: PieceId, b: PieceId) -> bool {
        let _ = self.state.fuel().burn_many(self.rules.vars.len() / 16);
        let values = |piece| self.state.variables_of(self.rules, piece).map(|(var, _, value)| (var, value));
        values(a).eq(values(b))
    }

    /// Whether taking one of two equal pieces of a zone looks like taking the other. In a pile that shows its top, the top
    /// piece and a copy of it further down are two options: all players see which one is taken.
    fn are_seen_alike(&self, a: PieceId, b: PieceId) -> bool {
        let zone = self.rules.zone_of(self.state.piece(a).zone);
        (zone.visible != Visibility::Top || self.is_open(a) == self.is_open(b)) && self.have_same_lookers(a, b)
    }

    /// Whether the same players see two pieces because of looks that last until they move.
    fn have_same_lookers(&self, a: PieceId, b: PieceId) -> bool {
        let looks = self.state.lasting_looks();
        let lookers = |piece| looks.iter().filter(move |(_, seen)| *seen == piece).map(|(seat, _)| *seat);
        looks.is_empty() || lookers(a).eq(lookers(b))
    }

    /// Whether a player sees all variables of a piece.
    fn sees_variables(&self, asked: Seat, piece: PieceId) -> bool {
        let sight = Sight::new(self.rules, self.state, Viewer::Seat(asked));
        let sees = |id| sight.sees_variable(id, Some(Value::Piece(piece)));
        !self.rules.has_secrets() || self.state.variables_of(self.rules, piece).all(|(id, ..)| sees(id))
    }

    /// Adds an option. A piece is left out if one that is alike is listed already (from index `start` on), unless the asked
    /// player may not know which piece it is.
    #[inline]
    pub fn push_distinct(&self, asked: Option<Seat>, list: &mut Vec<Opt>, start: usize, option: Opt) {
        match option.piece() {
            Some(piece) if list.len() > start => self.push_unless_alike(asked, list, start, option, piece),
            _ => list.push(option),
        }
    }

    fn push_unless_alike(&self, asked: Option<Seat>, list: &mut Vec<Opt>, start: usize, option: Opt, piece: PieceId) {
        let action_of = |option: &Opt| match option {
            Opt::Action(action, _) | Opt::Free(action, _) => Some(*action),
            _ => None,
        };
        let called = self.rules.called(piece);
        let _ = self.state.fuel().burn_many((list.len() - start) / 16);
        // The name is compared first: it is quick, and most pieces differ in it.
        let is_like = |known: &Opt| {
            let other = known.piece().filter(|other| self.rules.called(*other) == called);
            other.is_some_and(|other| action_of(known) == action_of(&option) && self.alike(other, piece))
        };
        if list[start..].iter().any(is_like)
            && asked.is_none_or(|asked| self.may_choose_by_name(asked, piece) && self.sees_variables(asked, piece))
        {
            return;
        }
        list.push(option);
    }
}

impl Machine<'_> {
    /// Lists an action, once for each value of its first parameter.
    pub(crate) fn action_options(&self, seat: Seat, id: ActionId, interrupts: bool, options: &mut Vec<Opt>) {
        let action = &self.rules.actions[id.index()];
        let start = options.len();
        let place = id.index() * usize::from(self.rules.players) + seat.index();
        if interrupts {
            self.find_options(seat, id, |value| Opt::Free(id, value), options);
        } else if action.code(self.rules).is_cheap {
            self.find_options(seat, id, |value| Opt::Action(id, value), options);
        } else {
            let is_priced = action.code(self.rules).is_priced && self.rules.shortcuts.takes(Shortcut::PricedOptions);
            let find = |options: &mut Vec<Opt>| match is_priced {
                true => self.find_payable(seat, id, place, options),
                false => self.find_options(seat, id, |value| Opt::Action(id, value), options),
            };
            let known = self.state.memo().list(place, options, find);
            if known == Known::Already {
                let both = || (options[start..].to_vec(), listed(find));
                self.state.compare("options that are remembered are still right", both);
            }
            if is_priced {
                let plain = |options: &mut Vec<Opt>| {
                    self.find_options(seat, id, |value| Opt::Action(id, value), options);
                };
                let both = || (options[start..].to_vec(), listed(plain));
                self.state.compare("who can pay for an action can take it", both);
            }
        }
        if action.free && self.mode != Mode::Trial && self.may_lead_nowhere(interrupts) {
            let mut index = start;
            while index < options.len() {
                if self.leads_somewhere(seat, options[index]) {
                    index += 1;
                } else {
                    options.remove(index);
                }
            }
        }
        self.state.fuel().blame(Culprit::Action(id));
    }

    /// Lists the ways to begin an action.
    #[inline]
    fn find_options(&self, seat: Seat, id: ActionId, option: impl Fn(Value) -> Opt, options: &mut Vec<Opt>) {
        let action = &self.rules.actions[id.index()];
        let code = action.code(self.rules);
        let eval = self.eval();
        let start = options.len();
        let mut locals = slots(Some(seat), None, &[], action.locals);
        match code.params.first() {
            None => {
                if eval.can_act(action, &mut locals, 0, false) {
                    options.push(option(Value::Nil));
                }
            }
            Some(param) => {
                let begins = code.begins_always
                    || eval.can_begin(action, &mut locals) && eval.allows(action, &mut locals, 0..=0, false);
                if begins {
                    let shortcuts = self.rules.shortcuts;
                    if code.certain
                        && shortcuts.takes(Shortcut::FreeCells)
                        && param.cells(&eval, &mut locals, |cell| options.push(option(Value::Cell(cell))))
                    {
                        if shortcuts.spoils(Shortcut::FreeCells) {
                            options.pop();
                        }
                        return;
                    }
                    let _ = param.each(&eval, &mut locals, |value, locals| {
                        let possible = code.certain || eval.can_go_on_with(action, locals, 0, value, false);
                        match value {
                            _ if !possible => {}
                            Value::Piece(_) => eval.push_distinct(Some(seat), options, start, option(value)),
                            _ => options.push(option(value)),
                        }
                        ControlFlow::Continue(())
                    });
                }
            }
        }
    }

    /// Like [`Machine::find_options`], for an action whose price is known with its first parameter. The values of the
    /// parameter are cached with their prices: they change less often than what a player can pay.
    fn find_payable(&self, seat: Seat, id: ActionId, place: usize, options: &mut Vec<Opt>) {
        let action = &self.rules.actions[id.index()];
        let code = action.code(self.rules);
        let eval = self.eval();
        let (start, first) = (options.len(), rulepack_expr::FIRST_PARAM as usize);
        let mut locals = slots(Some(seat), None, &[], action.locals);
        let ([param, ..], [(price, None)]) = (code.params.as_slice(), code.costs.as_slice()) else { return };
        let find = |list: &mut Priced| {
            let mut locals = slots(Some(seat), None, &[], action.locals);
            if eval.can_begin(action, &mut locals) {
                let _ = param.each(&eval, &mut locals, |value, locals| {
                    let kept = std::mem::replace(&mut locals[first], value);
                    if eval.meets_requirement(action, locals, 1) {
                        list.push((value, price.bundle(&eval, locals)));
                    }
                    locals[first] = kept;
                    ControlFlow::Continue(())
                });
            }
        };
        self.state.memo().with_candidates(place, find, |list, known| {
            if known == Known::Already {
                self.state.compare("prices that are remembered are still right", || (list.clone(), listed(find)));
            }
            for (value, bundle) in list {
                if !eval.can_pay(seat, bundle) && !self.rules.shortcuts.spoils(Shortcut::PricedOptions) {
                    continue;
                }
                locals[first] = *value;
                if eval.can_complete(action, &mut locals, 1, false) {
                    eval.push_distinct(Some(seat), options, start, Opt::Action(id, *value));
                }
            }
        });
    }

    /// Lists all free actions of the player at turn.
    pub(crate) fn free_options(&self, seat: Seat, options: &mut Vec<Opt>) {
        if !self.may_act_free(seat) {
            return;
        }
        for (index, action) in self.rules.actions.iter().enumerate() {
            if action.free {
                self.action_options(seat, ActionId::from(index), true, options);
            }
        }
    }
}

/// A list that a function writes.
fn listed<T>(write: impl FnOnce(&mut Vec<T>)) -> Vec<T> {
    let mut list = Vec::new();
    write(&mut list);
    list
}
