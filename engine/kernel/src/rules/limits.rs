//! Limits of the work for one answer. The caller of the program sets them; a pack cannot.

use serde::{Deserialize, Serialize};

/// Limits of the work between an answer and the next question. All of them are counted, never timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Steps of the flow: a phase, an action, an effect or a script does its next step.
    pub steps: u32,
    /// Members of sets that are read, values that are computed, operations of effects, pieces that are moved.
    pub members: u32,
    /// Steps of scripts: calls, returns, rounds of loops, and library functions by the size of their arguments.
    pub script_steps: u32,
    /// Bytes that scripts allocate.
    pub script_memory: u32,
    /// Effects, actions, events and scripts inside one another. They take memory, but no native stack.
    pub frames: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 100_000, members: 5_000_000, script_steps: 200_000, script_memory: 32 << 20, frames: 2_000 }
    }
}

/// The name of a limit, its field, and what it counts.
type Named = (&'static str, fn(&mut Limits) -> &mut u32, &'static str);

const ALL: [Named; 5] = [
    ("steps", |limits| &mut limits.steps, "steps of the flow"),
    ("members", |limits| &mut limits.members, "members looked at, values worked out, operations, pieces moved"),
    ("script_steps", |limits| &mut limits.script_steps, "steps of scripts"),
    ("script_memory", |limits| &mut limits.script_memory, "bytes that scripts ask for"),
    ("frames", |limits| &mut limits.frames, "effects, actions, events and scripts inside one another"),
];

impl Limits {
    /// The names of all limits, with what each of them counts.
    pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
        ALL.into_iter().map(|(name, _, counts)| (name, counts))
    }

    /// The mistake of a limit that is 0, if there is one.
    pub fn zero(self) -> Option<String> {
        let (name, _) = self.all().into_iter().find(|(_, value)| *value == 0)?;
        Some(format!("the limit `{name}` is 0: write a whole number from 1 to {}", u32::MAX))
    }

    /// Sets a limit by its name; false if there is no such limit.
    pub fn set(&mut self, name: &str, value: u32) -> bool {
        let found = ALL.iter().find(|(known, ..)| *known == name);
        if let Some((_, place, _)) = found {
            *place(self) = value;
        }
        found.is_some()
    }

    /// How much work it is to use all of this, in about what one member of a set takes.
    pub fn work(self) -> u64 {
        let small = u64::from(self.members) + u64::from(self.script_memory) / 16;
        small + 5 * (u64::from(self.steps) + u64::from(self.script_steps))
    }

    /// Every limit with its name.
    pub fn all(mut self) -> [(&'static str, u32); 5] {
        ALL.map(|(name, place, _)| (name, *place(&mut self)))
    }

    /// The differences from other limits, as `steps 100000 instead of 2000`; `None` if there are none.
    pub fn against(self, other: Limits) -> Option<String> {
        let pairs = self.all().into_iter().zip(other.all()).filter(|(mine, theirs)| mine != theirs);
        let texts: Vec<String> =
            pairs.map(|((name, mine), (_, theirs))| format!("{name} {mine} instead of {theirs}")).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    }
}
