//! What changes a table: answers, and taking them back.

use std::sync::Arc;

use rulepack_kernel::{Answer, AnswerError, LogEntry, Viewer, Words};
use rulepack_model::Seat;

use super::{Table, Untold};
use crate::handles::Lying;
use crate::log::{Entry, told};
use crate::refused::Refused;

impl Table {
    /// Gives the answer of a seat to the question with this revision: the option with this index. If players choose at the same
    /// time, they answer in any order, and nobody is told anything before all have chosen.
    ///
    /// # Errors
    /// If the seat is not asked, if the revision is that of another question, if there is no such option, or if the pack fails.
    /// The table is then unchanged.
    pub fn answer_as(&mut self, seat: Seat, revision: u64, index: usize) -> Result<(), Refused> {
        self.observer(Viewer::Seat(seat))?;
        if self.session.decision().is_none() {
            return Err(Refused::Over);
        }
        let Some(decision) = self.decision_of(seat, Viewer::Seat(seat))? else {
            return Err(Refused::NotAsked { seat, asked: self.asked.clone() });
        };
        let now = self.revision(seat);
        if revision != now {
            return Err(Refused::Stale { revision, now });
        }
        let options = decision.options.len();
        let answer = u16::try_from(index).ok().filter(|_| index < options).map(Answer);
        let answer = answer.ok_or(Refused::OutOfRange { index, options })?;
        let asked = self.before(&decision, self.game());
        let lying: Vec<_> =
            self.observers.iter().map(|observer| observer.handles.borrow().lying(self.session.game())).collect();
        let (told_before, together) = (self.session.told(), self.game().together());
        let events = self.session.answer_as(seat, answer).map_err(|error| match error {
            AnswerError::Fault(fault) => Refused::failed(self.session.game(), Viewer::Seat(seat), fault),
            AnswerError::Illegal(_) => Refused::OutOfRange { index, options },
        })?;
        self.untold.push(Untold { seat, answer, asked });
        if self.session.told() == told_before {
            // Others have not chosen yet.
            self.ask(Some(seat));
            return Ok(());
        }
        let order = together.map_or(Vec::new(), |(players, _)| players);
        let mut untold = std::mem::take(&mut self.untold);
        untold.sort_by_key(|untold| order.iter().position(|player| *player == untold.seat));
        self.tell(told_before, untold, &events, lying);
        self.asked.clear();
        self.ask(None);
        self.begin();
        Ok(())
    }

    /// Tells the observers of answers, and what followed from the last of them; `number` is that of the first.
    fn tell(&mut self, number: usize, untold: Vec<Untold>, events: &[LogEntry], mut lying: Vec<Lying>) {
        let game = self.session.game();
        let last = untold.len().saturating_sub(1);
        for (at, Untold { seat, answer, asked }) in untold.into_iter().enumerate() {
            let events = if at == last { events } else { &[] };
            for ((observer, asked), lying) in self.observers.iter_mut().zip(asked).zip(&mut lying) {
                let words = Words::new(game.rules(), &observer.language);
                let handles = observer.handles.get_mut();
                handles.begin();
                let told = told(events, game, observer.viewer, &words, Some((handles, lying)));
                if at == last {
                    handles.end(game);
                }
                observer.log.push(Arc::new(Entry::new(number + at, seat, asked.answered(answer), told)));
            }
        }
    }

    /// Takes back the last answer of a seat that chooses at the same time as others. Nobody has been told of it, and the answers
    /// of others stay.
    ///
    /// # Errors
    /// If there is no such answer, or the answers before cannot be given again. The table is then unchanged.
    pub fn take_back(&mut self, seat: Seat) -> Result<(), Refused> {
        self.observer(Viewer::Seat(seat))?;
        let taken = self.session.take_back(seat);
        let taken = taken.map_err(|fault| Refused::failed(self.session.game(), Viewer::Seat(seat), fault))?;
        let last = self.untold.iter().rposition(|untold| untold.seat == seat).filter(|_| taken);
        let Some(last) = last else { return Err(Refused::NothingToTakeBack { seat }) };
        self.untold.remove(last);
        self.ask(Some(seat));
        Ok(())
    }

    /// Undoes answers, and with them those of players who choose at the same time now; with `also_reveals` even if a player has
    /// learnt something since, such as the result of a roll. If the first answer to undo is one of several that were given at the
    /// same time, all of these are undone.
    ///
    /// # Errors
    /// If fewer answers were given, if something was revealed since, or if the answers before cannot be given again. The table
    /// is then unchanged.
    pub fn undo(&mut self, answers: usize, also_reveals: bool) -> Result<(), Refused> {
        let there = self.answers();
        if answers > there {
            return Err(Refused::TooFewAnswers { wanted: answers, there });
        }
        if answers == 0 {
            return Ok(());
        }
        if !also_reveals && self.session.undo_reveals(self.session.depth() - (there - answers)) {
            return Err(Refused::Revealed);
        }
        let all = self.session.depth() - (there - answers);
        let undone = self.session.undo(all).and_then(|()| {
            // All have seen what was chosen together: all choose anew.
            let chosen = self.session.depth() - self.session.told();
            self.session.undo(chosen)
        });
        undone.map_err(|fault| Refused::failed(self.session.game(), Viewer::Public, fault))?;
        self.undone += 1;
        self.untold.clear();
        let left = self.answers();
        for observer in &mut self.observers {
            observer.handles.get_mut().undo(there - left);
            observer.log.retain(|entry| entry.number < left);
        }
        self.asked.clear();
        self.ask(None);
        self.begin();
        Ok(())
    }
}
