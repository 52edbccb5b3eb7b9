//! Whether a state from a file fits a ruleset: every number in it that is used as an index is inside its table.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use std::collections::BTreeSet;

use rulepack_model::{PieceId, Seat};

use crate::eval::bundle::ResourceSel;
use crate::eval::score::{LineLabel, Outcome};
use crate::flow::decision::Opt;
use crate::flow::frame::*;
use crate::persist::invariant::{check_amounts, check_kept, check_pieces};
use crate::rules::ruleset::Ruleset;
use crate::state::table::State;
use crate::state::value::Value;

/// The largest value of a counter, so that counting on cannot overflow.
const MOST_TIMES: u32 = 1 << 30;
/// The largest length of a list: no game has more pieces or spaces.
const MOST_ITEMS: usize = 1 << 20;

type Checked = Result<(), String>;

/// Whether every number in a state means something under these rules.
///
/// # Errors
/// A sentence about the first thing that does not fit.
pub(crate) fn check_state(rules: &Ruleset, state: &State) -> Checked {
    check_pieces(rules, state)?;
    check_amounts(rules, state)?;
    check_kept(rules, state)?;
    let table = state.stored();
    let fit = Fit(rules);
    if table.vars.len() != rules.var_slots {
        return Err(format!("there are {} variables instead of {}", table.vars.len(), rules.var_slots));
    }
    fit.values(table.vars)?;
    fit.value(state.result())?;
    fit.maybe_seat(table.active)?;
    fit.seats(table.pass_order)?;
    need(u64::from(table.passed) >> rules.players.min(32) == 0, "a player has passed who is not in the game")?;
    state.chance().validate(rules.pieces.len())?;
    fit.looks(state.lasting_looks())?;
    for (seat, until) in state.out() {
        fit.maybe_seat(Some(*seat))?;
        let is_there = until.is_none_or(|phase| phase.index() < rules.phases.len());
        need(is_there, "a player is out until a phase that does not exist")?;
    }
    need(state.positions().len() <= MOST_ITEMS, "a list is too long")?;
    need(table.turns < MOST_TIMES, "too many turns have begun")?;
    need(state.rolls_left() <= MOST_ITEMS && state.visited_positions().len() <= MOST_ITEMS, "a list is too long")?;
    need(
        state.disguise().fits(rules.pieces.len(), table.held.len(), table.vars.len()),
        "pieces are known by numbers that do not exist",
    )?;
    need(
        state.depth() <= rules.limits.frames as usize,
        "too many effects are running inside one another (limit `frames`)",
    )?;
    state.frames().iter().try_for_each(|frame| fit.frame(frame))?;
    match state.outcome() {
        Some(outcome) => {
            need(state.frames().is_empty(), "the game is over, but something is still running")?;
            fit.outcome(outcome)
        }
        None => Ok(()),
    }
}

fn need(holds: bool, otherwise: &str) -> Checked {
    if holds { Ok(()) } else { Err(otherwise.to_string()) }
}

fn within(index: usize, table: usize, what: &str) -> Checked {
    if index < table { Ok(()) } else { Err(format!("{what} number {index} does not exist")) }
}

/// Checks whether parts of a state fit these rules.
struct Fit<'r>(&'r Ruleset);

impl Fit<'_> {
    fn seat(&self, seat: Seat) -> Checked {
        within(seat.index(), self.0.players as usize, "player")
    }

    fn maybe_seat(&self, seat: Option<Seat>) -> Checked {
        seat.map_or(Ok(()), |seat| self.seat(seat))
    }

    fn seats(&self, seats: &[Seat]) -> Checked {
        need(seats.len() <= self.0.players as usize, "a list of players is too long")?;
        let mut seen = BTreeSet::new();
        need(seats.iter().all(|seat| seen.insert(*seat)), "a player is twice in a list")?;
        seats.iter().try_for_each(|seat| self.seat(*seat))
    }

    fn piece(&self, piece: PieceId) -> Checked {
        within(piece.index(), self.0.pieces.len(), "piece")
    }

    fn value(&self, value: Value) -> Checked {
        let rules = self.0;
        match value {
            // Every number is possible in a game: expressions check for overflow themselves.
            Value::Nil | Value::Bool(_) | Value::Int(_) => Ok(()),
            Value::Res(id) => within(id.index(), rules.resources.len(), "resource"),
            Value::Sym(id) => within(id.index(), rules.symbols.len(), "symbol"),
            Value::Type(id) => within(id.index(), rules.types.len(), "type"),
            Value::Seat(seat) => self.seat(seat),
            Value::Piece(piece) => self.piece(piece),
            Value::Cell(cell) => {
                within(cell.zone.index(), rules.zone_instances.len(), "zone")?;
                within(cell.at as usize, rules.zone_of(cell.zone).layout.cells().max(1) as usize, "space")
            }
        }
    }

    fn values(&self, values: &[Value]) -> Checked {
        values.iter().try_for_each(|value| self.value(*value))
    }

    fn slots(&self, values: &[Value], least: usize) -> Checked {
        need(values.len() >= least.max(2) && values.len() <= MOST_ITEMS, "an effect has the wrong number of slots")?;
        self.values(values)
    }

    fn kinds(&self, kinds: ResourceSel) -> Checked {
        match kinds {
            ResourceSel::None => Ok(()),
            ResourceSel::One(res) => within(res.index(), self.0.resources.len(), "resource"),
            ResourceSel::Group(group) => within(group.index(), self.0.groups.len(), "group"),
        }
    }

    fn place(&self, place: ResourceHolder) -> Checked {
        match place {
            ResourceHolder::Supply => Ok(()),
            ResourceHolder::Seat(seat) => self.seat(seat),
            ResourceHolder::Piece(piece) => self.piece(piece),
        }
    }

    fn option(&self, option: Opt) -> Checked {
        match option {
            Opt::Action(action, value) | Opt::Free(action, value) => {
                within(action.index(), self.0.actions.len(), "action")?;
                self.value(value)
            }
            Opt::Value(value) => self.value(value),
            Opt::Branch(prompt, _) => within(prompt.index(), self.0.prompts.len(), "prompt"),
            Opt::Done | Opt::Yes | Opt::No | Opt::Continue => Ok(()),
        }
    }

    fn frame(&self, frame: &Frame) -> Checked {
        let rules = self.0;
        match frame {
            Frame::Phase(phase) => {
                within(phase.phase.index(), rules.phases.len(), "phase")?;
                need(phase.step < MOST_TIMES && phase.count < MOST_TIMES, "a counter of a phase is too large")?;
                self.maybe_seat(phase.seat)?;
                self.seats(&phase.order)
            }
            Frame::Action(action) => {
                within(action.action.index(), rules.actions.len(), "action")?;
                let declared = rules.action(action.action);
                let params = declared.params.len().saturating_add(rulepack_expr::FIRST_PARAM as usize);
                self.slots(&action.locals, params.max(declared.locals as usize))?;
                need(action.bound as usize <= declared.params.len(), "an action has too many parameters")?;
                need(action.paid as usize <= declared.costs.len(), "an action has too many costs")
            }
            Frame::Run(run) => self.run(run),
            Frame::Transfer(transfer) => {
                self.place(transfer.from)?;
                self.place(transfer.to)?;
                self.seat(transfer.chooser)?;
                need(transfer.bundle.parts.len() <= MOST_ITEMS, "a list is too long")?;
                need(transfer.bundle.less >= 0, "the amount left out of a payment is below 0")?;
                if let Some(units) = transfer.kept {
                    within(units.res.index(), rules.resources.len(), "resource")?;
                    need(units.left >= 0, "a payment is too small")?;
                    units.source.map_or(Ok(()), |piece| self.piece(piece))?;
                }
                transfer.bundle.parts.iter().try_for_each(|(kinds, amount)| {
                    need(*amount >= 1, "a payment is too small")?;
                    self.kinds(*kinds)
                })
            }
            Frame::Event(event) => {
                within(event.event.index(), rules.events.len(), "event")?;
                self.maybe_seat(event.actor)?;
                need(event.args.len() <= MOST_ITEMS && event.queue.len() <= MOST_ITEMS, "a list is too long")?;
                self.values(&event.args)?;
                event.queue.iter().try_for_each(|(piece, _)| self.piece(*piece))
            }
            Frame::Script(script) => {
                within(script.hook.index(), rules.hooks.len(), "script")?;
                let is_query = rules.hooks.get(script.hook.index()).is_some_and(|hook| hook.query);
                need(!is_query, "a script that only answers expressions is used as an effect")?;
                need(!script.begun, "a script is stored in the middle of its run")?;
                self.maybe_seat(script.me)?;
                script.this.map_or(Ok(()), |piece| self.piece(piece))?;
                self.looks(&script.looks)?;
                need(script.args.len() <= MOST_ITEMS, "a list is too long")?;
                self.values(&script.args)
            }
            Frame::Ask(ask) => {
                self.seat(ask.seat)?;
                ask.prompt.map_or(Ok(()), |prompt| within(prompt.index(), rules.prompts.len(), "prompt"))?;
                need(ask.options.len() <= MOST_ITEMS, "a list is too long")?;
                ask.options.iter().try_for_each(|option| self.option(*option))
            }
            Frame::Pause(seat) => self.seat(*seat),
        }
    }

    fn run(&self, run: &RunFrame) -> Checked {
        within(run.program.index(), self.0.programs.len(), "effect")?;
        let program = &self.0.program(run.program).program;
        need(run.pc as usize <= program.ops.len(), "an effect is behind its last step")?;
        self.slots(&run.locals, program.locals as usize)?;
        need(run.lists.len() <= MOST_ITEMS, "a list is too long")?;
        self.looks(&run.looks)?;
        run.lists.iter().try_for_each(|(items, next)| {
            need(items.len() <= MOST_ITEMS && *next as usize <= items.len(), "a list is too long")?;
            self.values(items)
        })
    }

    fn looks(&self, looks: &[(Seat, PieceId)]) -> Checked {
        let most = self.0.pieces.len().saturating_mul(self.0.players as usize);
        need(looks.len() <= most, "a list is too long")?;
        looks.iter().try_for_each(|(seat, piece)| self.seat(*seat).and_then(|()| self.piece(*piece)))
    }

    fn outcome(&self, outcome: &Outcome) -> Checked {
        let rules = self.0;
        need(outcome.sheets.len() == rules.players as usize, "the score has the wrong number of players")?;
        self.seats(&outcome.winners)?;
        for sheet in &outcome.sheets {
            sheet.rank.map_or(Ok(()), |rank| within(rank as usize, rules.ranks.len(), "rank"))?;
            for line in &sheet.lines {
                match line.label {
                    LineLabel::Symbol(id) => within(id.index(), rules.symbols.len(), "symbol")?,
                    LineLabel::Type(id) => within(id.index(), rules.types.len(), "type")?,
                    LineLabel::Line(id) => within(id as usize, rules.score_lines.len(), "score line")?,
                }
            }
        }
        Ok(())
    }
}
