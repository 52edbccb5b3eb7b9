//! Traces: the steps that follow from an answer, to find the step at which two games part.

use std::mem::{Discriminant, discriminant};

use rulepack_model::{HookId, ProgId};

use crate::flow::decision::Answer;
use crate::flow::fault::Fault;
use crate::flow::game::Game;
use crate::flow::host::{EffectHost, Request};
use crate::flow::log::Log;
use crate::flow::set_up::SetUp;
use crate::hidden::resample::Exchange;
use crate::rules::ruleset::Ruleset;

/// The source of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// An effect: its operation.
    Program(ProgId, u32),
    /// A script: the sort of its request.
    Script(HookId, Discriminant<Request>),
}

/// A step that was done.
#[derive(Debug, Clone, Copy)]
struct Done {
    by: By,
    /// The number of events before it.
    told: usize,
    /// Whether it sets a variable, which is no event.
    sets: bool,
}

/// The steps so far.
#[derive(Debug, Clone)]
pub(crate) struct Trace {
    steps: Vec<Done>,
    /// The step before which the run stops.
    stop: usize,
}

impl Log {
    /// Records a step of an effect.
    ///
    /// # Errors
    /// If it is the step at which the run stops: the caller adds the place to the fault.
    #[cold]
    pub(crate) fn trace_step(&mut self, rules: &Ruleset, program: ProgId, pc: u32) -> Result<(), Fault> {
        let ops = &rules.programs[program.index()].program.ops;
        let sets = ops.get(pc as usize).is_some_and(|op| op.facts().sets);
        self.trace(By::Program(program, pc), sets)
    }

    /// Records a request of a script.
    ///
    /// # Errors
    /// As [`Log::trace_step`].
    #[cold]
    pub(crate) fn trace_request(&mut self, hook: HookId, request: &Request) -> Result<(), Fault> {
        let sets = matches!(request, Request::SetVar { .. });
        self.trace(By::Script(hook, discriminant(request)), sets)
    }

    fn trace(&mut self, by: By, sets: bool) -> Result<(), Fault> {
        let told = self.events.len();
        let Some(trace) = &mut self.trace else { return Ok(()) };
        if trace.steps.len() == trace.stop {
            return Err(Fault::new("it is looked for up to here"));
        }
        trace.steps.push(Done { by, told, sets });
        Ok(())
    }
}

impl SetUp {
    /// The step at which this set-up parts from the one with pieces exchanged, as [`Game::place_of_parting`].
    pub fn place_of_parting(&self, host: &dyn EffectHost, exchange: &Exchange, event: Option<usize>) -> Option<String> {
        let same = Exchange::nothing(self.game().rules().pieces.len());
        let traced = |exchange: &Exchange, stop| {
            let mut log = Log::wanted();
            log.trace = Some(Box::new(Trace { steps: Vec::new(), stop }));
            let begun = self.begin(host, exchange, &mut log);
            let fault = begun.map(|game| game.abandon(host)).err();
            (log.trace.map(|trace| trace.steps).unwrap_or_default(), fault)
        };
        parting(&|stop| traced(&same, stop), &|stop| traced(exchange, stop), event)
    }
}

impl Game {
    /// The step at which two games part when the same answer is given in both, as in a fault: definition, file and
    /// line. `event` is the number of the first different event; if all are the same, a variable may differ.
    pub fn place_of_parting(
        &self,
        host: &dyn EffectHost,
        answer: Answer,
        (other, other_answer): (&Game, Answer),
        event: Option<usize>,
    ) -> Option<String> {
        let here = |stop| self.traced(host, answer, stop);
        let there = |stop| other.traced(host, other_answer, stop);
        parting(&here, &there, event)
    }

    /// The step that raised an event after an answer.
    pub fn place_of_event(&self, host: &dyn EffectHost, answer: Answer, event: usize) -> Option<String> {
        let steps = self.steps_after(host, answer);
        self.place_of_step(host, answer, steps.iter().rposition(|done| done.told <= event)?)
    }

    fn traced(&self, host: &dyn EffectHost, answer: Answer, stop: usize) -> Traced {
        let mut log = Log::wanted();
        log.trace = Some(Box::new(Trace { steps: Vec::new(), stop }));
        let mut game = self.clone();
        let fault = game.apply(host, answer, &mut log).err();
        game.abandon(host);
        (log.trace.map(|trace| trace.steps).unwrap_or_default(), fault)
    }

    fn steps_after(&self, host: &dyn EffectHost, answer: Answer) -> Vec<Done> {
        self.traced(host, answer, usize::MAX).0
    }

    fn place_of_step(&self, host: &dyn EffectHost, answer: Answer, at: usize) -> Option<String> {
        self.traced(host, answer, at).1.map(|fault| fault.place())
    }
}

/// The steps up to a limit, and the fault at the step where the run stops.
type Traced = (Vec<Done>, Option<Fault>);

/// The step at which two runs part.
fn parting(first: &dyn Fn(usize) -> Traced, second: &dyn Fn(usize) -> Traced, event: Option<usize>) -> Option<String> {
    let place = |run: &dyn Fn(usize) -> Traced, at: usize| run(at).1.map(|fault| fault.place());
    let (one, two) = (first(usize::MAX).0, second(usize::MAX).0);
    let same = one.iter().zip(&two).take_while(|(one, two)| one.by == two.by).count();
    let at_event = event.and_then(|event| one.iter().rposition(|done| done.told <= event));
    let is_common = |at: &usize| *at < same;
    let here = |at: usize| place(first, at);
    let there = |at: usize| place(second, at);
    if let Some(at) =
        at_event.filter(is_common).filter(|at| two.get(*at + 1).is_none_or(|next| next.told > event.unwrap_or(0)))
    {
        return here(at);
    }
    match (one.get(same), two.get(same)) {
        (Some(_), None) => here(same),
        (None, Some(_)) => there(same),
        (Some(one_next), Some(two_next)) => match (one_next.by, two_next.by) {
            // Skipped steps come before the next one.
            (By::Program(a, pc), By::Program(b, other_pc)) if a == b => {
                if pc <= other_pc {
                    here(same)
                } else {
                    there(same)
                }
            }
            (_, by) => match same.checked_sub(1).map(|last| one[last].by.owner()) {
                Some(owner) if owner == by.owner() => there(same),
                _ => here(same),
            },
        },
        (None, None) => {
            let sets = || one.iter().rposition(|done| done.sets);
            here(at_event.or_else(|| if event.is_none() { sets() } else { None })?)
        }
    }
}

impl By {
    fn owner(self) -> (bool, usize) {
        match self {
            By::Program(program, _) => (false, program.index()),
            By::Script(hook, _) => (true, hook.index()),
        }
    }
}
