//! The mistakes of packs as an error that can be printed.

use std::fmt;

use rulepack_model::Diagnostic;
use rulepack_pack::LinkRequest;

use crate::load::{GameBox, Library};
use crate::render::render;
use crate::report::only_causes;

/// Why a game cannot be loaded. It prints as `check` shows it: each mistake with the line that it is about.
#[derive(Debug, Clone)]
pub struct Mistakes {
    /// All mistakes, with warnings.
    pub diagnostics: Vec<Diagnostic>,
    text: String,
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Mistakes {}

impl Library {
    /// Loads a game like [`Library::load`], with an error that can be printed and passed on.
    ///
    /// # Errors
    /// All mistakes of the packs, if one of them is an error.
    pub fn game(&self, request: &LinkRequest) -> Result<GameBox, Mistakes> {
        self.load(request).map_err(|diagnostics| {
            let causes = only_causes(diagnostics.clone(), &self.sources());
            Mistakes { text: render(&causes, &self.sources(), false), diagnostics }
        })
    }
}
