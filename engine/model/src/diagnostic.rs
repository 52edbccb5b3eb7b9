//! Diagnostics: the one type for every mistake of a pack author.

use std::borrow::Cow;

use crate::Span;
use crate::codes::Code;
use crate::visible::one_line;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The pack cannot be played.
    Error,
    /// Worth looking at; the pack can be played.
    Warning,
}

impl Severity {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// How sure it is that a finding is a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The texts prove it.
    Certain,
    /// It is true unless something that the check cannot see makes it false, such as a script that builds a name from
    /// parts.
    Likely,
}

impl Confidence {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::Certain => "certain",
            Confidence::Likely => "likely",
        }
    }
}

/// A place in a source, with a note about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// The note; may be empty for the main place.
    pub text: String,
}

/// A mistake: code, message, places, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of mistake it is.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// How sure it is.
    pub confidence: Confidence,
    /// One sentence without a full stop.
    pub message: String,
    /// The first is the main place. There is none only for what stands in no text; see [`Origin`].
    pub labels: Vec<Label>,
    /// Where the mistake was made.
    pub origin: Origin,
    /// What to write instead.
    pub help: Option<String>,
    /// The game that showed it, if one did.
    pub shown_by: Option<Box<ShownBy>>,
    /// How it is related to other mistakes.
    pub ties: Box<Ties>,
}

/// Where a mistake was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// In a text, at the places of the diagnostic.
    Text,
    /// In a folder, which the message names.
    Folder,
    /// In what was asked for, such as a mode that is not there: whoever asked has made it, not the author of a pack.
    Call,
}

/// How a mistake is related to others, and how it can be corrected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ties {
    /// The name that nothing declares, if a missing name is the mistake.
    pub missing: Option<String>,
    /// Further places that name it.
    pub also: Vec<Span>,
    /// Replacements that correct the mistake as they stand: a place and the new text.
    pub cure: Option<(Span, String)>,
    /// What cannot be known because of this mistake.
    pub hides: Option<Hides>,
}

/// What cannot be known because of a mistake. Findings that depend on it are consequences of the mistake, and are not
/// reported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hides {
    /// Names that an unreadable part may have declared.
    pub names: Vec<String>,
    /// Names that are misspelt where they are declared. A text that uses an unknown name of nearly the same spelling
    /// probably means one of them.
    pub near: Vec<String>,
    /// Definitions that were read only in part: a text that does not fit them may be right.
    pub doubtful: Vec<String>,
    /// Kinds whose attributes are not known for certain: no finding about them is reported.
    pub unknown: Vec<String>,
    /// Whether the list of definitions is incomplete.
    pub definitions: bool,
    /// Whether the list of packs, or how they are used, is incomplete.
    pub packs: bool,
}

/// A game in which a mistake showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownBy {
    /// The seed of the game.
    pub seed: u64,
    /// A command line that shows it again.
    pub call: String,
    /// The moves up to the mistake, as a scenario; `None` if there are too many.
    pub scenario: Option<String>,
}

/// A mistake without its place. Adding the place makes a [`Diagnostic`] of it:
///
/// ```
/// # use rulepack_model::{Code, Diagnostic, FileId, Span};
/// let span = Span::new(FileId(0), 4, 8);
/// let mistake = Diagnostic::error(Code::UnknownName, "no zone is called `hnad`").at(span).help("did you mean `hand`?");
/// assert_eq!(mistake.labels[0].span, span);
/// ```
///
/// Without a place there is no diagnostic:
///
/// ```compile_fail
/// # use rulepack_model::{Code, Diagnostic};
/// let mistake: Diagnostic = Diagnostic::error(Code::UnknownName, "no zone is called `hnad`");
/// ```
#[derive(Debug)]
#[must_use = "a mistake is reported only when its place is said"]
pub struct Unplaced(Diagnostic);

impl Unplaced {
    /// Adds its place.
    pub fn at(self, span: Span) -> Diagnostic {
        self.0.at(span)
    }

    /// Adds its place, with a note about the place.
    pub fn label(self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.0.label(span, text)
    }

    /// Adds several places, the main one first; `otherwise` is the place if the list is empty.
    pub fn at_all(mut self, labels: Vec<Label>, otherwise: Span) -> Diagnostic {
        if labels.is_empty() {
            return self.at(otherwise);
        }
        self.0.labels = labels.into_iter().map(|label| Label { text: shown(label.text), ..label }).collect();
        self.0
    }

    /// A mistake in the request, such as a mode that does not exist, has no place in a text. The caller can add one with
    /// [`Diagnostic::at`], for instance the line of a scenario that names the mode.
    pub fn of_the_call(self) -> Diagnostic {
        Diagnostic { origin: Origin::Call, ..self.0 }
    }

    /// A mistake about a folder has no place in a text; the message names the folder.
    pub fn of_a_folder(self) -> Diagnostic {
        Diagnostic { origin: Origin::Folder, ..self.0 }
    }

    /// Marks it as likely instead of certain.
    pub fn likely(self) -> Self {
        Unplaced(self.0.likely())
    }

    /// Adds what to write instead.
    pub fn help(self, help: impl Into<String>) -> Self {
        Unplaced(self.0.help(help))
    }

    /// Adds what to write instead, if `help` is not empty.
    pub fn maybe_help(self, help: Option<String>) -> Self {
        Unplaced(self.0.maybe_help(help))
    }
}

impl Diagnostic {
    /// An error, without its place.
    pub fn error(code: Code, message: impl Into<String>) -> Unplaced {
        Unplaced(Diagnostic {
            code,
            severity: Severity::Error,
            confidence: Confidence::Certain,
            message: shown(message),
            labels: Vec::new(),
            origin: Origin::Text,
            help: None,
            shown_by: None,
            ties: Box::default(),
        })
    }

    /// A warning, without its place.
    pub fn warning(code: Code, message: impl Into<String>) -> Unplaced {
        Unplaced(Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message).0 })
    }

    /// Marks it as likely instead of certain.
    #[must_use]
    pub fn likely(self) -> Self {
        Diagnostic { confidence: Confidence::Likely, ..self }
    }

    /// Adds a further place; the first that is added to a mistake of the call is its main place: it is then the mistake of
    /// that text.
    #[must_use]
    pub fn at(self, span: Span) -> Self {
        self.label(span, "")
    }

    /// Adds a place with a note.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: shown(text) });
        self.origin = Origin::Text;
        self
    }

    /// Says what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shown(help));
        self
    }

    /// Says what to write instead, if `help` is not empty.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.map(shown).or(self.help);
        self
    }

    /// Says which name is missing. Other findings about the same name are then the same mistake.
    #[must_use]
    pub fn missing(mut self, name: impl Into<String>) -> Self {
        self.ties.missing = Some(name.into());
        self
    }

    /// Says which names may be missing because of it.
    #[must_use]
    pub fn hides<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.hidden().names.extend(names.into_iter().map(Into::into));
        self
    }

    /// Names a definition that was read only in part because of it.
    #[must_use]
    pub fn doubts(mut self, name: impl Into<String>) -> Self {
        self.hidden().doubtful.push(name.into());
        self
    }

    /// The record of what cannot be known because of it, to add to.
    pub fn hidden(&mut self) -> &mut Hides {
        self.ties.hides.get_or_insert_default()
    }

    /// The message, with the number of uses of the missing name.
    pub fn headline(&self) -> String {
        let what = if self.code.name().starts_with("unknown") { "use" } else { "place" };
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

/// A sentence for a report: control characters in quoted texts are made visible.
fn shown(text: impl Into<String>) -> String {
    let text = text.into();
    match one_line(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(shown) => shown,
    }
}
