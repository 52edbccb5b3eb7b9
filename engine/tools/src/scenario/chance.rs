//! Random events: dice that were rolled, zones that were shuffled.

use rulepack_kernel::{LogEntry, Ruleset, ZoneIx};

use super::names::zone_name;
use super::{Begin, Scenario};

/// All dice and shuffles since the scenario began, and the start of the present step.
#[derive(Debug, Clone, Default)]
pub(super) struct Chance {
    rolls: Vec<u32>,
    shuffled: Vec<ZoneIx>,
    /// The number of both before the step whose `then` is compared.
    from: (usize, usize),
}

impl Chance {
    pub(super) fn of(events: &[LogEntry]) -> Chance {
        let mut chance = Chance::default();
        events.iter().for_each(|event| chance.note(event));
        chance
    }

    pub(super) fn note(&mut self, event: &LogEntry) {
        match event {
            LogEntry::Rolled { result, .. } => self.rolls.push(*result),
            LogEntry::Shuffled { zone } => self.shuffled.push(*zone),
            _ => {}
        }
    }

    /// Compares only events from here on.
    pub(super) fn begin_step(&mut self) {
        self.from = (self.rolls.len(), self.shuffled.len());
    }

    /// Compares all events.
    pub(super) fn look_at_all(&mut self) {
        self.from = (0, 0);
    }

    pub(super) fn rolls(&self) -> &[u32] {
        self.rolls.get(self.from.0..).unwrap_or_default()
    }

    /// The zones, each once.
    pub(super) fn shuffled(&self) -> Vec<ZoneIx> {
        let mut zones = self.shuffled.get(self.from.1..).unwrap_or_default().to_vec();
        zones.sort();
        zones.dedup();
        zones
    }
}

/// The random events before the phase in which a scenario begins.
pub(super) struct Way<'r> {
    rules: &'r Ruleset,
    /// The phase, if the scenario names one.
    phase: Option<String>,
    seats: Vec<String>,
    chance: Chance,
    questions: usize,
}

impl<'r> Way<'r> {
    pub(super) fn new(scenario: &Scenario, rules: &'r Ruleset, events: &[LogEntry]) -> Self {
        let phase = match &scenario.from {
            Begin::Phase(phase) => Some(phase.text.clone()),
            _ => None,
        };
        Way { rules, phase, seats: scenario.seat_names(rules.players), chance: Chance::of(events), questions: 0 }
    }

    pub(super) fn note(&mut self, events: &[LogEntry]) {
        events.iter().for_each(|event| self.chance.note(event));
        self.questions = self.questions.saturating_add(1);
    }

    /// The random events, for readers who wonder where the table comes from.
    pub(super) fn notes(&self) -> Vec<String> {
        let Some(phase) = &self.phase else { return Vec::new() };
        let mut done = Vec::new();
        if !self.chance.rolls().is_empty() {
            let rolls = self.chance.rolls().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            done.push(format!("{rolls} was rolled"));
        }
        let zones = self.chance.shuffled();
        if !zones.is_empty() {
            let names: Vec<String> = zones.iter().map(|zone| zone_name(self.rules, &self.seats, *zone)).collect();
            done.push(format!("{} was shuffled", names.join(", ")));
        }
        match self.questions {
            0 => {}
            1 => done.push("one question was answered by its first option".into()),
            many => done.push(format!("{many} questions were answered by their first options")),
        }
        if done.is_empty() { Vec::new() } else { vec![format!("on the way to `{phase}`: {}", done.join("; "))] }
    }
}
