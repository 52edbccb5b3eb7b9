//! One type for every mistake of a pack author.

use std::borrow::Cow;

use crate::Span;
use crate::visible::one_line;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The pack cannot be played.
    Error,
    /// Something to look at; the pack plays.
    Warning,
}

impl Severity {
    /// As reports write it.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It follows from what is written.
    Certain,
    /// It follows unless something that cannot be seen from outside, such as a script, says otherwise.
    Likely,
}

impl Confidence {
    /// As reports write it.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::Certain => "certain",
            Confidence::Likely => "likely",
        }
    }
}

/// A place in a source, with what is to be said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What; may be empty for the main place.
    pub text: String,
}

/// A mistake: code, message, places, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable, kebab-case; listed in [`crate::CODES`].
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// How sure it is.
    pub confidence: Confidence,
    /// One sentence without a full stop.
    pub message: String,
    /// The first is the main place.
    pub labels: Vec<Label>,
    /// What to write instead.
    pub help: Option<String>,
    /// The game that showed it, if one did.
    pub shown_by: Option<Box<ShownBy>>,
    /// How it hangs together with other mistakes.
    pub ties: Box<Ties>,
}

/// What one mistake has to do with others, and how it is mended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ties {
    /// The name that nothing declares, if that is the mistake.
    pub missing: Option<String>,
    /// Further places that name it.
    pub also: Vec<Span>,
    /// What can be put where, as it stands, to make it right.
    pub cure: Option<(Span, String)>,
    /// What cannot be known because of this mistake.
    pub hides: Option<Hides>,
}

/// What cannot be known because of a mistake: what is said about it follows from the mistake, and is held back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hides {
    /// Names that what could not be read may have declared.
    pub names: Vec<String>,
    /// Names that were written wrongly where they are declared: who misses one that is nearly the same means it.
    pub near: Vec<String>,
    /// Definitions of which not everything is known: whatever does not fit them may be right.
    pub doubtful: Vec<String>,
    /// Kinds of which nothing is known for sure: nothing is said about them.
    pub unknown: Vec<String>,
    /// Whether it is not even known which definitions there are.
    pub definitions: bool,
    /// Whether it is not even known which packs are used, and how.
    pub packs: bool,
}

/// A game in which a mistake showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownBy {
    /// The seed of the game.
    pub seed: u64,
    /// A call of the program that shows it again.
    pub call: String,
    /// The moves up to the mistake, as a scenario; `None` if there are too many.
    pub scenario: Option<String>,
}

impl Diagnostic {
    /// An error without a place; add places with [`Diagnostic::at`].
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        debug_assert!(crate::explain(code).is_some(), "diagnostic code `{code}` is not in the list of codes");
        Diagnostic {
            code,
            severity: Severity::Error,
            confidence: Confidence::Certain,
            message: shown(message),
            labels: Vec::new(),
            help: None,
            shown_by: None,
            ties: Box::default(),
        }
    }

    /// A warning without a place.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Says that it is likely, not certain.
    #[must_use]
    pub fn likely(self) -> Self {
        Diagnostic { confidence: Confidence::Likely, ..self }
    }

    /// Adds a place.
    #[must_use]
    pub fn at(self, span: Span) -> Self {
        self.label(span, "")
    }

    /// Adds a place with words.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: shown(text) });
        self
    }

    /// Says what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shown(help));
        self
    }

    /// Says what to write instead, if there is something to say.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.map(shown).or(self.help);
        self
    }

    /// Says which name is missing: whoever else misses it has the same mistake.
    #[must_use]
    pub fn missing(mut self, name: impl Into<String>) -> Self {
        self.ties.missing = Some(name.into());
        self
    }

    /// Says which names may be missed because of it.
    #[must_use]
    pub fn hides<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.hidden().names.extend(names.into_iter().map(Into::into));
        self
    }

    /// Says of which definition not everything is known because of it.
    #[must_use]
    pub fn doubts(mut self, name: impl Into<String>) -> Self {
        self.hidden().doubtful.push(name.into());
        self
    }

    /// What cannot be known because of it, to add to.
    pub fn hidden(&mut self) -> &mut Hides {
        self.ties.hides.get_or_insert_default()
    }

    /// The message, with how often the name is used that is missing.
    pub fn headline(&self) -> String {
        let what = if self.code.starts_with("unknown") { "use" } else { "place" };
        match self.ties.also.len() {
            0 => self.message.clone(),
            1 => format!("{} (and 1 more {what})", self.message),
            more => format!("{} (and {more} more {what}s)", self.message),
        }
    }

    /// Whether the pack cannot be played because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// A sentence as it is told: what it quotes may come from anywhere.
fn shown(text: impl Into<String>) -> String {
    let text = text.into();
    match one_line(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(shown) => shown,
    }
}
