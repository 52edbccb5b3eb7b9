//! A mistake inside a text of the expression language.

use rulepack_model::Code;

use crate::ast::At;

/// The mistake, its place inside the text, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    /// Stable code of the diagnostic.
    pub code: Code,
    /// Its place: bytes of the text.
    pub at: At,
    /// One sentence.
    pub message: String,
    /// What to write instead.
    pub help: Option<Box<str>>,
    /// The replacement that corrects it as it stands, and its place.
    pub cure: Option<(At, String)>,
    /// Another place of the text that is related to it, and why.
    pub because: Option<Box<(At, String)>>,
}

impl ExprError {
    fn new(code: Code, at: At, message: String) -> Self {
        ExprError { code, at, message, help: None, cure: None, because: None }
    }

    /// The text cannot be parsed.
    pub fn syntax(at: At, message: impl Into<String>) -> Self {
        ExprError::new(Code::ExpressionSyntax, at, message.into())
    }

    /// The text has the wrong type.
    pub fn kind(at: At, message: impl Into<String>) -> Self {
        ExprError::new(Code::ExpressionType, at, message.into())
    }

    /// The text has the right type, but an impossible value.
    pub fn value(at: At, message: impl Into<String>) -> Self {
        ExprError::new(Code::WrongValue, at, message.into())
    }

    /// The text uses a name that nothing declares.
    pub fn name(at: At, message: impl Into<String>) -> Self {
        ExprError::new(Code::UnknownName, at, message.into())
    }

    /// The text names a resource that nothing declares.
    pub fn resource(at: At, message: impl Into<String>) -> Self {
        ExprError::new(Code::UnknownResource, at, message.into())
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into().into());
        self
    }

    /// Adds what to write instead, if `help` is not empty.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.map(Into::into).or(self.help);
        self
    }

    /// Adds another place of the text that is related to it.
    #[must_use]
    pub fn because(mut self, at: At, why: impl Into<String>) -> Self {
        self.because = Some(Box::new((at, why.into())));
        self
    }
}
