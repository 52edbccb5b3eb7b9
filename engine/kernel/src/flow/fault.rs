//! Faults: what can go wrong while a game runs.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use crate::flow::decision::Answer;

/// A bug in a pack or a limit that was hit. The game stays as before the answer.
///
/// It is a pointer to its data, because every step of a game returns a result with room for one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{}{}", self.0.message, self.0.in_brackets())]
#[serde(transparent)]
pub struct Fault(Box<FaultDetails>);

/// The data of a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultDetails {
    /// What happened.
    pub message: String,
    /// The definition that was running: a card or an action and its key.
    pub origin: String,
    /// The script and line, if one was running.
    pub script: Option<String>,
    /// The step that was running, as `path:line:column`.
    #[serde(default)]
    pub step: Option<String>,
    /// The definitions that make up a loop, if it was one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<String>,
    /// Whether a script made the message, which can then contain anything, hidden information too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_script: bool,
    /// Whether the limit was one that a loop would hit.
    #[serde(skip)]
    pub(crate) endless: bool,
    /// The part of the message that names what was going on inside one another, if that went too deep.
    #[serde(skip)]
    chain: String,
}

impl Fault {
    /// A fault whose place callers fill in.
    // Cold, so that frequent code stays close together.
    #[cold]
    #[inline(never)]
    pub fn new(message: impl Into<String>) -> Self {
        Fault::in_script(message, None)
    }

    /// Like [`Fault::new`], with the script and line, if they are known.
    #[cold]
    pub fn in_script(message: impl Into<String>, script: Option<String>) -> Self {
        Fault(Box::new(FaultDetails {
            message: message.into(),
            origin: String::new(),
            script,
            step: None,
            cycle: Vec::new(),
            by_script: false,
            endless: false,
            chain: String::new(),
        }))
    }

    /// A fault with a text that a script made.
    #[cold]
    pub fn by_script(message: impl Into<String>, script: Option<String>) -> Self {
        let mut fault = Fault::in_script(message, script);
        fault.by_script = true;
        fault
    }

    /// A player takes from the same player: whatever was meant, it would change nothing.
    #[cold]
    #[inline(never)]
    pub(crate) fn taken_from_oneself() -> Self {
        Fault::new("a player takes from the same player, which changes nothing: another one must be named")
    }

    /// An event is raised with nothing as its argument at a place.
    #[cold]
    #[inline(never)]
    pub(crate) fn happens_to_nothing(event: &str, at: usize) -> Self {
        let number = at.saturating_add(1);
        let rest = "raise it only if that is there";
        Fault::new(format!("the event `{event}` is raised with nothing as argument {number}: {rest}"))
    }

    /// Adds the running definition, unless it is known already.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub fn in_origin(mut self, origin: &str) -> Self {
        if self.origin.is_empty() {
            self.origin = origin.to_string();
        }
        self
    }

    /// Marks that the limit was one that a loop would hit.
    #[must_use]
    #[cold]
    pub(crate) fn endless(mut self) -> Self {
        self.endless = true;
        self
    }

    /// What goes on inside one another goes too deep: the limit, and the names, the outermost first.
    #[cold]
    pub(crate) fn too_deep(most: u32, names: &[String]) -> Self {
        let chain = format!(": {}", chain(names));
        let mut fault =
            Fault::new(format!("more than {most} effects inside one another{chain} (limit `frames`)")).endless();
        fault.chain = chain;
        fault
    }

    /// The fault of a loop that these definitions make up.
    #[cold]
    pub(crate) fn of_loop(mut self, names: Vec<String>) -> Self {
        let round = names.join(" → ");
        let limit = if self.chain.is_empty() { self.message.clone() } else { self.message.replace(&self.chain, "") };
        self.message =
            format!("this goes on for ever, with the same table each time: {round} → and round again ({limit})");
        self.cycle = names;
        self
    }

    /// Adds the definition and the step that were running, unless a definition is known already.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub(crate) fn in_step(mut self, origin: &str, step: Option<String>) -> Self {
        if self.origin.is_empty() {
            self.step = step;
        }
        self.in_origin(origin)
    }
}

/// The largest number of names in a chain.
const MOST_NAMED: usize = 12;

/// The end of a chain of names: what repeats itself there once, or the last ones.
fn chain(names: &[String]) -> String {
    let repeats = |length: &usize| {
        let [.., before, last] = names.rchunks(*length).take(2).collect::<Vec<_>>()[..] else { return false };
        before == last
    };
    let shown = (1..=MOST_NAMED).find(repeats).unwrap_or(MOST_NAMED);
    let shown = names.get(names.len().saturating_sub(shown)..).unwrap_or(names);
    let begins = if shown.len() < names.len() { "… → " } else { "" };
    format!("{begins}{} → …", shown.join(" → "))
}

impl Deref for Fault {
    type Target = FaultDetails;

    fn deref(&self) -> &FaultDetails {
        &self.0
    }
}

impl DerefMut for Fault {
    fn deref_mut(&mut self) -> &mut FaultDetails {
        &mut self.0
    }
}

impl FaultDetails {
    fn in_brackets(&self) -> String {
        match (&self.script, self.place()) {
            (None, place) if place.is_empty() => place,
            (None, place) => format!(" (in {place})"),
            (Some(_), place) => format!(" ({place})"),
        }
    }

    /// The place: the line of a script and the definition that calls it, or the definition and its step.
    pub fn place(&self) -> String {
        match (&self.script, self.origin.as_str(), &self.step) {
            (None, origin, Some(step)) if !origin.is_empty() => format!("{origin}, {step}"),
            (None, origin, _) => origin.to_string(),
            (Some(script), "", _) => script.clone(),
            (Some(script), origin, _) => format!("{script}, called from {origin}"),
        }
    }
}

/// Why an answer was refused. The game is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// The answer is not among the options.
    #[error("{0}")]
    Illegal(String),
    /// The pack failed.
    #[error("{0}")]
    Fault(#[from] Fault),
}

impl AnswerError {
    /// There is no such option among so many.
    pub fn no_option(answer: Answer, options: usize) -> AnswerError {
        AnswerError::Illegal(format!("there is no option {}: there are {options}", usize::from(answer.0) + 1))
    }
}
