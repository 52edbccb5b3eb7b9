//! Standing rules: checked after every change of what they read.

use rulepack_model::Seat;

use crate::flow::fault::Fault;
use crate::flow::frame::Frame;
use crate::flow::machine::Machine;
use crate::rules::shortcuts::ORACLE;
use crate::state::cache::Key;
use crate::state::value::Value;

/// The largest number of times that standing rules may run between two questions; beyond it, some rule never becomes
/// false.
const MAX_STANDING: u32 = 1_000;

impl Machine<'_> {
    /// Whether the standing rules must be checked: something that they read has changed.
    #[inline]
    pub(crate) fn standing_due(&self) -> bool {
        !self.rules.standing.is_empty() && !self.state.memo().standing_clean()
    }

    /// Whether the effect of a standing rule is running.
    pub(crate) fn at_work(&self) -> bool {
        self.state.frames().iter().any(|frame| matches!(frame, Frame::Run(run) if run.standing))
    }

    /// Checks the standing rules that a change may concern. The first that applies runs, and the others are checked
    /// again after it.
    #[inline(always)]
    pub(crate) fn check_standing(&mut self) -> Result<(), Fault> {
        if !self.standing_due() {
            if ORACLE && !self.at_work() {
                self.state.compare("no standing rule applies while all is calm", || (None, self.applying()));
            }
            return Ok(());
        }
        self.apply_standing()
    }

    /// Whether a standing rule applies to a player. The result is cached until something that the condition has read
    /// changes.
    fn applies_now(&self, rule: usize, me: Option<Seat>) -> bool {
        let key = Key::of_standing(rule, me);
        let find = || Value::Bool(self.eval().holds(self.rules.standing[rule].when, me, None, &[]));
        if let Some(known) = self.state.memo().get(key) {
            let both = || (known.truth(), find().truth());
            self.state.compare("a standing rule that is remembered is still right", both);
            return known.truth();
        }
        self.state.memo().find(key, find, || !self.state.fuel().is_out()).truth()
    }

    /// The first standing rule that applies, with its player.
    fn applying(&self) -> Option<(usize, Option<Seat>)> {
        for (index, standing) in self.rules.standing.iter().enumerate() {
            if standing.each {
                let mut seats = self.rules.seats().map(Some);
                if let Some(seat) = seats.find(|seat| self.applies_now(index, *seat)) {
                    return Some((index, seat));
                }
            } else {
                let active = self.state.active();
                if self.applies_now(index, active) {
                    return Some((index, active));
                }
            }
        }
        None
    }

    #[inline(never)]
    fn apply_standing(&mut self) -> Result<(), Fault> {
        if self.at_work() {
            return Ok(());
        }
        let rules = self.rules;
        let Some((index, me)) = self.state.memo().check_standing(|| self.applying()) else {
            return Ok(());
        };
        let effect = rules.standing[index].effect;
        self.applied += 1;
        if self.applied > MAX_STANDING {
            let message = "this rule applies again and again: what it does leaves its `when` true";
            return Err(Fault::new(message).in_origin(&rules.programs[effect.index()].origin).endless());
        }
        let locals = crate::eval::expressions::slots(me, None, &[], rules.programs[effect.index()].program.locals);
        self.push_program(effect, locals);
        if let Some(Frame::Run(run)) = self.state.top_frame_mut() {
            run.standing = true;
        }
        Ok(())
    }
}
