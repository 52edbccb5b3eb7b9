//! A mistake inside a text of the expression language.

use crate::ast::At;

/// What is wrong, where inside the text, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    /// Stable code of the diagnostic.
    pub code: &'static str,
    /// Bytes of the text.
    pub at: At,
    /// One sentence.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// What can be put where, as it stands, to make it right.
    pub cure: Option<(At, String)>,
}

impl ExprError {
    /// The text cannot be read.
    pub fn syntax(at: At, message: impl Into<String>) -> Self {
        ExprError { code: "expression-syntax", at, message: message.into(), help: None, cure: None }
    }

    /// The text gives the wrong kind of thing.
    pub fn kind(at: At, message: impl Into<String>) -> Self {
        ExprError { code: "expression-type", at, message: message.into(), help: None, cure: None }
    }

    /// The text uses a name that nothing declares.
    pub fn name(at: At, message: impl Into<String>) -> Self {
        ExprError { code: "unknown-name", at, message: message.into(), help: None, cure: None }
    }

    /// The text names a resource that nothing declares.
    pub fn resource(at: At, message: impl Into<String>) -> Self {
        ExprError { code: "unknown-resource", at, message: message.into(), help: None, cure: None }
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what to write instead, if there is something to say.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }
}
