//! Standing rules: looked at after every change of what they read.

use rulepack_model::Seat;
use smallvec::SmallVec;

use crate::fault::Fault;
use crate::frame::Frame;
use crate::machine::Machine;
use crate::memo::Key;
use crate::parts::Parts;
use crate::value::Value;

/// A standing rule that goes to work more often between two questions is never satisfied.
const MAX_STANDING: u32 = 1_000;

impl Machine<'_> {
    /// Whether a standing rule may have come to apply.
    #[inline]
    pub(crate) fn must_look_round(&self) -> bool {
        self.state.changed.meets(self.rules.facts.watched)
    }

    /// Whether the effect of a standing rule is under way.
    pub(crate) fn at_work(&self) -> bool {
        self.state.frames.iter().any(|frame| matches!(frame, Frame::Run(run) if run.standing))
    }

    /// Looks at the standing rules that a change may concern; the first that applies goes to work, and the others are
    /// looked at again when it has done so.
    #[inline]
    pub(crate) fn look_round(&mut self) -> Result<(), Fault> {
        if !self.must_look_round() {
            self.state.changed = Parts::NONE;
            return Ok(());
        }
        self.look_closely()
    }

    /// Whether a standing rule applies to a player; that it did not before is remembered until what was looked at changes.
    fn applies_now(&self, rule: usize, me: Option<Seat>) -> bool {
        let key = Key::of_standing(rule, me);
        let find = || Value::Bool(self.eval().holds(self.rules.standing[rule].when, me, None, &[]));
        if let Some(known) = self.state.memo.get(key) {
            #[cfg(debug_assertions)]
            self.state.aside(|| {
                assert_eq!(known.truth(), find().truth(), "a standing rule that is remembered is still right");
            });
            return known.truth();
        }
        self.state.memo.find(key, find, || !self.state.fuel.is_out()).truth()
    }

    fn look_closely(&mut self) -> Result<(), Fault> {
        let changed = self.state.changed;
        if self.at_work() {
            return Ok(());
        }
        let rules = self.rules;
        for (index, standing) in rules.standing.iter().enumerate() {
            if !changed.meets(standing.reads) {
                continue;
            }
            let whom: SmallVec<[Option<Seat>; 4]> = if standing.each {
                rules.seats().map(Some).collect()
            } else {
                SmallVec::from_elem(self.state.active, 1)
            };
            for me in whom {
                if self.applies_now(index, me) {
                    self.applied += 1;
                    if self.applied > MAX_STANDING {
                        let message = "this rule applies again and again: what it does leaves its `when` true";
                        return Err(Fault::new(message).in_origin(&rules.programs[standing.effect.index()].origin));
                    }
                    let locals =
                        crate::eval::slots(me, None, &[], rules.programs[standing.effect.index()].program.locals);
                    self.push_program(standing.effect, locals);
                    if let Some(Frame::Run(run)) = self.state.frames.last_mut() {
                        run.standing = true;
                    }
                    return Ok(());
                }
            }
        }
        self.state.changed = Parts::NONE;
        Ok(())
    }
}
