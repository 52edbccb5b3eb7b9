//! Hidden variables and resources: who knows them, and other values that they may have as far as a player knows.

use rulepack_expr::Subject;
use rulepack_model::{PieceId, ResId, Seat, VarId};

use crate::eval::expressions::{Eval, slots};
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::hidden::sight::{Sight, Viewer};
use crate::rules::ruleset::{Audience, Domain, Ruleset};
use crate::state::rng::Rng;
use crate::state::table::State;
use crate::state::value::Value;
use crate::text::keys::value_keys;

impl Sight<'_> {
    /// Whether the viewer sees a variable of an owner.
    pub fn sees_variable(&self, var: VarId, owner: Option<Value>) -> bool {
        self.is_in(self.rules().var(var).visible, owner)
    }

    /// Whether the viewer sees how much a player has of a resource.
    pub fn sees_amount(&self, seat: Seat, res: ResId) -> bool {
        self.is_in(self.rules().resource(res).visible, Some(Value::Seat(seat)))
    }

    /// Takes all that the viewer does not see from another state of the same game.
    pub(crate) fn take_unseen(&self, state: &mut State, from: &State) {
        let rules = self.rules();
        if !rules.has_secrets() {
            return;
        }
        for (index, resource) in rules.resources.iter().enumerate().filter(|(_, res)| res.visible != Audience::All) {
            let res = ResId::from(index);
            for seat in rules.seats().filter(|seat| !self.sees_amount(*seat, res)) {
                let by = from.amount(rules, seat, res) - state.amount(rules, seat, res);
                state.add(rules, seat, res, by);
            }
            if resource.supply.is_some() {
                state.add_supply(rules, res, from.supply(rules, res) - state.supply(rules, res));
            }
        }
        for id in (0..rules.vars.len()).map(VarId::from).filter(|id| rules.var(*id).visible != Audience::All) {
            for owner in owners(rules, id) {
                let slot = State::var_slot(rules, id, owner).filter(|_| !self.sees_variable(id, owner));
                let value = slot.and_then(|slot| from.stored().vars.get(slot).copied());
                slot.zip(value).into_iter().for_each(|(slot, value)| state.put_variable(slot, value));
            }
        }
    }

    /// Whether the viewer is one of those who see what belongs to an owner.
    pub(crate) fn is_in(&self, audience: Audience, owner: Option<Value>) -> bool {
        let is_owner = || {
            let owner = match owner {
                Some(Value::Seat(seat)) => Some(seat),
                Some(Value::Piece(piece)) => self.state().owner(self.rules(), piece),
                _ => None,
            };
            owner.is_some_and(|owner| self.viewer() == Viewer::Seat(owner))
        };
        match audience {
            Audience::All => true,
            Audience::Owner => self.viewer() == Viewer::All || is_owner(),
            Audience::Nobody => self.viewer() == Viewer::All,
        }
    }
}

/// Other values of what a player does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Redrawn {
    /// The player.
    pub(crate) seat: Seat,
    /// The seed of secret rolls and choices.
    pub(crate) seed: u64,
    /// Variables, by their slots.
    vars: Vec<(usize, Value)>,
    /// The amounts of players.
    amounts: Vec<(Seat, ResId, i32)>,
}

impl Redrawn {
    /// Puts the values into a state.
    pub(crate) fn put(&self, rules: &Ruleset, state: &mut State) {
        for (slot, value) in &self.vars {
            state.put_variable(*slot, *value);
        }
        for (seat, res, amount) in &self.amounts {
            put_amount(rules, state, *seat, *res, *amount);
        }
        state.chance_unknown_to(self.seat, self.seed);
    }

    /// Draws values for all that a player does not know: nothing if the rules hide no values. They depend on what the player sees,
    /// and on the seed.
    pub(crate) fn new(rules: &Ruleset, host: &dyn EffectHost, state: &State, seat: Seat, seed: u64) -> Option<Redrawn> {
        if !rules.has_secrets() {
            return None;
        }
        let mut drawn = Redrawn { seat, seed, vars: Vec::new(), amounts: Vec::new() };
        let mut rng = Rng::new(seed);
        let mut state = state.clone();
        drawn.draw_amounts(rules, host, &mut state, &mut rng);
        for id in (0..rules.vars.len()).map(VarId::from) {
            drawn.draw_variable(rules, host, &mut state, id, &mut rng);
        }
        Some(drawn)
    }

    /// The definitions of the values, each once; what is rolled or chosen in secret, if there are none.
    pub(crate) fn names(&self, rules: &Ruleset) -> Vec<String> {
        let of_slot = |slot: usize| {
            rules.vars.iter().find(|var| (var.base as usize..(var.base + var.slots) as usize).contains(&slot))
        };
        let vars = self.vars.iter().filter_map(|(slot, _)| Some(format!("var.{}", of_slot(*slot)?.name)));
        let amounts = self.amounts.iter().map(|(_, res, _)| format!("resource.{}", rules.resource(*res).name));
        let mut names: Vec<String> = vars.chain(amounts).collect();
        names.dedup();
        if names.is_empty() { vec!["what is rolled or chosen in secret".to_string()] } else { names }
    }

    fn draw_amounts(&mut self, rules: &Ruleset, host: &dyn EffectHost, state: &mut State, rng: &mut Rng) {
        for (index, resource) in rules.resources.iter().enumerate() {
            let (res, Some(among)) = (ResId::from(index), &resource.among) else { continue };
            let sight = Sight::new(rules, state, Viewer::Seat(self.seat));
            let unknown: Vec<Seat> = rules.seats().filter(|seat| !sight.sees_amount(*seat, res)).collect();
            // What the supply can give follows from what all players together have, which everybody knows.
            unknown.iter().for_each(|seat| put_amount(rules, state, *seat, res, 0));
            for seat in unknown {
                let most = match resource.supply {
                    Some(_) => state.supply(rules, res),
                    None => i32::MAX,
                };
                let mut possible = possible(rules, host, state, among, Value::Seat(seat));
                possible.retain(|value| (0..=i64::from(most)).contains(&value.int()));
                let drawn = one_of(&possible, rng).map_or(0, Value::int);
                let amount = i32::try_from(drawn).unwrap_or(0);
                put_amount(rules, state, seat, res, amount);
                self.amounts.push((seat, res, amount));
            }
        }
    }

    fn draw_variable(&mut self, rules: &Ruleset, host: &dyn EffectHost, state: &mut State, id: VarId, rng: &mut Rng) {
        let var = rules.var(id);
        let Some(among) = &var.among else { return };
        for owner in owners(rules, id) {
            let Some(slot) = State::var_slot(rules, id, owner) else { continue };
            if Sight::new(rules, state, Viewer::Seat(self.seat)).sees_variable(id, owner) {
                continue;
            }
            let possible = possible(rules, host, state, among, owner.unwrap_or(Value::Nil));
            // A start value that is not among them stands for nothing yet, as everybody knows.
            let is_unset = state.var(rules, id, owner) == var.start && !possible.contains(&var.start);
            if let Some(value) = one_of(&possible, rng).filter(|_| !is_unset) {
                state.put_variable(slot, value);
                self.vars.push((slot, value));
            }
        }
    }
}

/// All that may have a variable.
fn owners(rules: &Ruleset, id: VarId) -> Vec<Option<Value>> {
    match rules.var(id).subject {
        Subject::Game => vec![None],
        Subject::Seat => rules.seats().map(|seat| Some(Value::Seat(seat))).collect(),
        Subject::Piece(_) => (0..rules.pieces.len()).map(|piece| Some(Value::Piece(PieceId::from(piece)))).collect(),
        Subject::Space => Vec::new(),
    }
}

impl Game {
    /// Whether every hidden value is one of those that it may be, or the start value. Otherwise bots and tests of secrets take
    /// something else to be possible.
    ///
    /// # Errors
    /// A sentence about the first value that does not fit.
    pub fn check_hidden_values(&self, host: &dyn EffectHost) -> Result<(), String> {
        let (rules, state) = (self.rules(), self.state());
        for (index, resource) in rules.resources.iter().enumerate() {
            let (Some(among), res) = (&resource.among, ResId::from(index)) else { continue };
            for seat in rules.seats() {
                let amount = state.amount(rules, seat, res);
                if !possible(rules, host, state, among, Value::Seat(seat)).contains(&Value::Int(i64::from(amount))) {
                    return Err(format!("{amount} of `{}` is not among what its `among` says", resource.name));
                }
            }
        }
        for id in (0..rules.vars.len()).map(VarId::from) {
            let var = rules.var(id);
            let Some(among) = &var.among else { continue };
            for owner in owners(rules, id).into_iter().filter(|owner| State::var_slot(rules, id, *owner).is_some()) {
                let value = state.var(rules, id, owner);
                let fits = || possible(rules, host, state, among, owner.unwrap_or(Value::Nil)).contains(&value);
                if value != var.start && !fits() {
                    let value = value_keys(rules, state, value).into_iter().next().unwrap_or_else(|| "nothing".into());
                    return Err(format!("`{}` is {value}, which is not among what its `among` says", var.name));
                }
            }
        }
        Ok(())
    }
}

fn possible(rules: &Ruleset, host: &dyn EffectHost, state: &State, among: &Domain, owner: Value) -> Vec<Value> {
    let me = match owner {
        Value::Piece(piece) => state.owner(rules, piece),
        owner => owner.seat(),
    };
    Eval::new(rules, state, host).collect(&among.set, &mut slots(me, owner.piece(), &[], among.locals))
}

fn one_of(values: &[Value], rng: &mut Rng) -> Option<Value> {
    let count = u32::try_from(values.len()).ok().filter(|count| *count > 0)?;
    values.get(rng.below(count) as usize).copied()
}

/// Gives a player another amount; the rest of a limited resource is in the supply.
fn put_amount(rules: &Ruleset, state: &mut State, seat: Seat, res: ResId, amount: i32) {
    let by = amount.saturating_sub(state.amount(rules, seat, res));
    state.add(rules, seat, res, by);
    if rules.resource(res).supply.is_some() {
        state.add_supply(rules, res, -by);
    }
}
