//! Cards on paper: what a card says comes in as plain data ([`Card`]), and pictures or pages come out.
//!
//! Knows no pack, no rule and no file. `rulepack cards` fills in the data. Drawing needs the feature `draw`; without it
//! [`print`] says so.

mod card;
#[cfg(feature = "draw")]
mod draw;

pub use card::{Back, Backs, Card, Cost, Field, Paper, PrintError, Printed, Sheets, Size, Symbol, Theme, Unfit};

/// Draws cards as pictures, and as pages if `sheets` says how.
///
/// # Errors
/// If the program was built without drawing, or if a card does not fit on the paper.
#[cfg(feature = "draw")]
pub fn print(theme: &Theme, cards: &[Card], sheets: Option<&Sheets>) -> Result<Printed, PrintError> {
    draw::print(theme, cards, sheets)
}

/// Draws cards as pictures, and as pages if `sheets` says how.
///
/// # Errors
/// If the program was built without drawing, or if a card does not fit on the paper.
#[cfg(not(feature = "draw"))]
pub fn print(_: &Theme, _: &[Card], _: Option<&Sheets>) -> Result<Printed, PrintError> {
    Err(PrintError::NotBuilt)
}
