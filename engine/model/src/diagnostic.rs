//! One type for every mistake of a pack author.

use crate::Span;

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
            message: message.into(),
            labels: Vec::new(),
            help: None,
            shown_by: None,
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
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Says what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what to write instead, if there is something to say.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Whether the pack cannot be played because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
