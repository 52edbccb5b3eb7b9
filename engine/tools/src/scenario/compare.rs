//! Comparing the game with `[then]`.

use rulepack_kernel::{Eval, Ruleset, Sheet, Sight, Slots, Value, Viewer, ZoneIx};
use rulepack_model::{Seat, ValueId};

use super::names::{Want, value_name, zone_name};
use super::then::Check;
use super::when::Play;

impl Play<'_> {
    pub(super) fn rules(&self) -> &Ruleset {
        self.game.rules()
    }

    pub(super) fn eval(&self) -> Eval<'_> {
        self.game.eval(self.host)
    }

    /// The expected and the actual value, if they differ.
    pub(super) fn compare(&self, check: &Check) -> Option<(String, String)> {
        let (rules, state) = (self.rules(), self.game.state());
        let seat_name = |seat: Option<Seat>| match seat {
            Some(seat) => self.value(Value::Seat(seat)),
            None => "nobody".into(),
        };
        let seat_names = |seats: &[Seat]| {
            let mut seats = seats.to_vec();
            seats.sort();
            let names: Vec<String> = seats.into_iter().map(|seat| self.value(Value::Seat(seat))).collect();
            if names.is_empty() { "nobody".into() } else { names.join(", ") }
        };
        let (expected, actual) = match check {
            Check::Turn(seat) => (seat_name(*seat), seat_name(state.active())),
            Check::Asked(seat) => {
                (seat_name(Some(*seat)), seat_name(self.game.decision().map(|decision| decision.seat)))
            }
            Check::Over(over) => (over.to_string(), state.outcome().is_some().to_string()),
            Check::Winners(seats) => {
                let actual = state.outcome().map(|outcome| seat_names(&outcome.winners));
                (seat_names(seats), actual.unwrap_or_else(|| "that the game is not over".into()))
            }
            Check::Passed(seats) => {
                let passed: Vec<Seat> = rules.seats().filter(|seat| state.has_passed(*seat)).collect();
                (seat_names(seats), seat_names(&passed))
            }
            Check::Out(seats) => {
                let out: Vec<Seat> = rules.seats().filter(|seat| state.is_eliminated(*seat)).collect();
                (seat_names(seats), seat_names(&out))
            }
            Check::Supply(res, amount) => {
                let left = match rules.resource(*res).supply {
                    Some(_) => state.supply(rules, *res).to_string(),
                    None => "no limit".into(),
                };
                (amount.to_string(), left)
            }
            Check::Amount(seat, resources, amount) => {
                let have: i64 = resources.iter().map(|res| i64::from(state.amount(rules, *seat, *res))).sum();
                (amount.to_string(), have.to_string())
            }
            Check::Zone(zone, spec) => {
                let (expected, actual) = self.compare_zone(*zone, spec)?;
                (expected, format!("{actual} in {}", zone_name(rules, self.seats, *zone)))
            }
            Check::Var(var, owner, want) => {
                let value = state.var(rules, *var, *owner);
                if self.fits(*want, value) {
                    return None;
                }
                (self.wanted(*want), self.value(value))
            }
            Check::Derived(derived, of, want) => {
                let value = self.derived(*derived, *of);
                if self.fits(*want, value) {
                    return None;
                }
                (self.wanted(*want), self.value(value))
            }
            Check::Score(seat, points) => (points.to_string(), self.sheet(*seat).total.to_string()),
            Check::Line(seat, labels, points) => {
                let sheet = self.sheet(*seat);
                let lines = sheet.lines.iter().filter(|line| labels.contains(&line.label));
                (points.to_string(), lines.map(|line| line.points).sum::<i64>().to_string())
            }
            Check::Rank(seat, rank) => {
                let name = |rank: Option<u16>| {
                    rank.and_then(|rank| rules.ranks.get(rank as usize)).map_or("none", |rank| rank.name.as_str())
                };
                (name(*rank).to_string(), name(self.sheet(*seat).rank).to_string())
            }
            Check::Sees(seat, zone, count) => {
                let sight = Sight::new(rules, state, Viewer::Seat(*seat));
                (count.to_string(), state.zone(*zone).filter(|piece| sight.sees(*piece)).count().to_string())
            }
            Check::Dice(count) => (count.to_string(), self.chance.rolls().len().to_string()),
            Check::Rolls(rolls) => (in_list(rolls), in_list(self.chance.rolls())),
            Check::Shuffled(zones) => {
                let names = |zones: &[ZoneIx]| match zones {
                    [] => "nothing".to_string(),
                    zones => {
                        let names: Vec<String> = zones.iter().map(|zone| zone_name(rules, self.seats, *zone)).collect();
                        names.join(", ")
                    }
                };
                (names(zones), names(&self.chance.shuffled()))
            }
            Check::Price(seat, action, of, cost) => self.compare_price(*seat, *action, of.as_deref(), cost),
            Check::Holds(seat, expr, slots) => {
                let mut locals = self.locals(seat.or(state.active()));
                locals.resize((*slots).max(2) as usize, Value::Nil);
                ("true".to_string(), self.eval().truth(expr, &mut locals).to_string())
            }
        };
        (expected != actual).then_some((expected, actual))
    }

    fn sheet(&self, seat: Seat) -> Sheet {
        match self.game.state().outcome().and_then(|outcome| outcome.sheets.get(seat.index())) {
            Some(sheet) => sheet.clone(),
            None => self.eval().sheet(seat),
        }
    }

    pub(super) fn locals(&self, me: Option<Seat>) -> Slots {
        let mut locals = Slots::new();
        locals.push(me.map_or(Value::Nil, Value::Seat));
        locals.push(Value::Nil);
        locals
    }

    /// A derived value of a player, a piece or the game.
    pub(super) fn derived(&self, value: ValueId, of: Value) -> Value {
        let me = of.seat().or(self.game.state().active());
        self.eval().value(value, of, &self.locals(me))
    }

    pub(super) fn fits(&self, want: Want, value: Value) -> bool {
        match (want, value) {
            (Want::PieceOf(ty), Value::Piece(piece)) => self.rules().is_type(self.rules().type_of(piece), ty),
            (Want::PieceOf(ty), Value::Type(other)) => other == ty,
            (Want::PieceOf(_), _) => false,
            (Want::Is(wanted), value) => wanted == value,
        }
    }

    fn wanted(&self, want: Want) -> String {
        match want {
            Want::Is(value) => self.value(value),
            Want::PieceOf(ty) => self.value(Value::Type(ty)),
        }
    }

    fn value(&self, value: Value) -> String {
        value_name(self.rules(), self.seats, value)
    }
}

/// Numbers in words.
fn in_list(numbers: &[u32]) -> String {
    match numbers {
        [] => "no die".into(),
        numbers => numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}
