//! Players as texts see them: those who are still in the game, their neighbours, and teams.

use rulepack_model::Seat;

use crate::eval::expressions::Eval;
use crate::state::value::Value;

impl Eval<'_> {
    /// The players who are not out.
    #[inline]
    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        let out = self.out();
        self.rules.seats().filter(move |seat| out >> seat.0 & 1 == 0)
    }

    /// The players who are not out, for scripts.
    pub fn players(&self) -> impl Iterator<Item = Seat> + use<> {
        self.seats()
    }

    /// The players who are not out, beginning with one, in one direction round the table.
    #[inline]
    pub(crate) fn round_from(&self, from: Seat, clockwise: bool) -> impl Iterator<Item = Seat> + use<> {
        let out = self.out();
        self.rules.round_from(from, clockwise).filter(move |seat| out >> seat.0 & 1 == 0)
    }

    /// A bit for each player who is out. In a game in which nobody can be put out, nothing is read.
    #[inline]
    fn out(&self) -> u32 {
        if self.rules.facts.has_elimination { self.state.eliminated() } else { 0 }
    }

    /// The next player in one direction who is not out, or the player if nobody else is left; `by` is 1, or one less than the
    /// number of players for the other direction.
    #[inline]
    pub(crate) fn neighbour_seat(&self, seat: Value, by: u8) -> Value {
        let Value::Seat(seat) = seat else { return seat };
        let players = self.rules.players;
        let beside = |seat: Seat| Seat((seat.0 + by) % players);
        if !self.rules.facts.has_elimination {
            return Value::Seat(beside(seat));
        }
        let out = self.out();
        let mut next = beside(seat);
        while next != seat && out >> next.0 & 1 == 1 {
            next = beside(next);
        }
        Value::Seat(next)
    }

    /// The same for scripts.
    pub fn neighbour(&self, seat: Seat, by: u8) -> Value {
        self.neighbour_seat(Value::Seat(seat), by)
    }

    /// The next player of the same team; nobody if there is none. Whether they are out does not matter.
    pub(crate) fn partner(&self, seat: Value) -> Value {
        let Value::Seat(seat) = seat else { return seat };
        let next = self.rules.team_of(seat).find(|other| other.0 > seat.0).or_else(|| self.rules.team_of(seat).next());
        next.filter(|partner| *partner != seat).map_or(Value::Nil, Value::Seat)
    }

    /// The players of a player's team who are not out.
    pub(crate) fn team(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let out = self.out();
        self.rules.team_of(seat).filter(move |seat| out >> seat.0 & 1 == 0)
    }
}
