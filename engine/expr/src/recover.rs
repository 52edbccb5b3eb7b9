//! Parsing on behind a mistake, so that all mistakes of one text are reported: the suggested replacement is applied if
//! there is one, else the broken step is left out.

use rulepack_model::Cut;

use crate::ast::At;
use crate::error::ExprError;
use crate::meant::whole_step;
use crate::parse::TextShape;
use crate::parse::{parse_cost, parse_effect, parse_expr};

/// The largest number of mistakes reported for one text.
const MOST: usize = 8;

/// A text with mistakes, and the rest of it, which can be checked.
#[derive(Debug, Clone)]
pub struct Recovered {
    /// The mistakes, with places in the original text.
    pub mistakes: Vec<ExprError>,
    /// The text without these mistakes, if it can be parsed then.
    pub text: Option<String>,
    /// Names that the steps that were left out would have declared.
    pub lost: Vec<String>,
    /// Remaining mistakes in a replacement.
    pub behind: Option<ExprError>,
    /// The replacements: the place in the new text, and how much longer it is than the original.
    edits: Vec<(At, isize)>,
}

impl Recovered {
    /// The place in the original text; `None` inside a replacement.
    pub fn original(&self, at: &At) -> Option<At> {
        let mut place = at.clone();
        for (edit, longer) in self.edits.iter().rev() {
            if place.start < edit.end && edit.start < place.end.max(place.start.saturating_add(1)) {
                return None;
            }
            if place.start >= edit.end {
                let back = longer.checked_neg()?;
                place = place.start.checked_add_signed(back)?..place.end.checked_add_signed(back)?;
            }
        }
        Some(place)
    }

    /// Replaces a range, which must be inside the text.
    fn replace(&mut self, text: &mut String, at: At, with: &str, about: At) {
        text.replace_range(at.clone(), with);
        let longer = (with.len() as isize).saturating_sub(at.len() as isize);
        let start = about.start.min(at.start);
        let end = about.end.max(at.end).checked_add_signed(longer).unwrap_or(start).max(start);
        self.edits.push((start..end.min(text.len()), longer));
    }
}

/// Parses a text repeatedly, each time without the last mistake.
pub fn recover(text: &str, shape: TextShape) -> Recovered {
    let mut found = Recovered { mistakes: Vec::new(), text: None, lost: Vec::new(), behind: None, edits: Vec::new() };
    let mut now = text.to_string();
    for _ in 0..MOST {
        let Err(error) = parse(&now, shape) else {
            found.text = Some(now);
            break;
        };
        let Some(at) = found.original(&error.at) else {
            found.behind = Some(error);
            break;
        };
        let cure = error.cure.clone();
        let step = whole_step(&now, error.at.start);
        // A suggestion fits the original text only if nothing was replaced there.
        let written = cure.clone().and_then(|(at, with)| Some((found.original(&at)?, with)));
        // A wrong name is reported where it is declared; mistakes at its uses are consequences.
        if !found.mistakes.iter().any(|known| known.message == error.message && error.message.contains("names nothing"))
        {
            found.mistakes.push(ExprError { at, cure: written, ..error });
        }
        match cure {
            // A corrected step is not checked further: it may have been intended otherwise.
            Some((at, with)) if now.get(at.clone()).is_some_and(|old| old != with) => {
                found.replace(&mut now, at.clone(), &with, at)
            }
            _ if shape == TextShape::Effect && step.len() >= 2 => {
                let words: Vec<&str> =
                    now.cut(step.clone()).split(|c: char| !c.is_alphanumeric() && c != '_').collect();
                found.lost.extend(words.iter().map(|word| (*word).to_string()));
                let blanks = " ".repeat(step.len().saturating_sub(2));
                found.replace(&mut now, step.clone(), &format!("{{}}{blanks}"), step);
            }
            _ => break,
        }
    }
    found
}

fn parse(text: &str, shape: TextShape) -> Result<(), ExprError> {
    match shape {
        TextShape::Expr => parse_expr(text).map(drop),
        TextShape::Cost => parse_cost(text).map(drop),
        TextShape::Effect => parse_effect(text).map(drop),
    }
}
