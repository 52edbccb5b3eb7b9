//! A game goes on under rules that have just been edited: `play --watch`.

use std::path::{Path, PathBuf};

use rulepack_kernel::{FileFormat, Header};
use rulepack_model::visible::one_line;
use rulepack_pack::LinkRequest;
use rulepack_tools::{Carried, Carry, Library, Session, first_cause, only_causes, render};

use crate::keep::Kept;
use crate::phrases::Phrases;
use crate::stop::{Stop, shown, talk};

/// What came of reading the packs again.
pub enum Relinked {
    /// They have mistakes, which are told here in several lines. The game stays as it is.
    Mistakes(String),
    /// The game under the new rules.
    Carried(Box<Carry>),
}

/// What to do with a game that goes another way under the new rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Go on under the old rules.
    Keep,
    /// Go on under the new rules from the decision that differs.
    GoBack,
    /// Begin a new game under the new rules.
    Anew,
}

impl Choice {
    /// The choice that a letter stands for.
    pub fn of(letter: char) -> Option<Choice> {
        match letter {
            'k' => Some(Choice::Keep),
            'b' => Some(Choice::GoBack),
            'n' => Some(Choice::Anew),
            _ => None,
        }
    }
}

/// The question after a difference.
pub const ASK: &str = "[k]eep the old rules, go [b]ack to that decision, or begin a [n]ew game? ";

/// Reads the packs of a game again and carries the game over.
pub fn relink(library: &Library, session: &Session, color: bool) -> Relinked {
    let library = match library.again() {
        Ok(library) => library,
        Err(error) => return Relinked::Mistakes(one_line(&error.to_string()).into_owned()),
    };
    let request = LinkRequest::of(&Header::new(FileFormat::Save, session.game().rules()));
    let (game_box, diagnostics) = library.try_load(&request);
    let Some(game_box) = game_box else {
        let sources = library.sources();
        let causes = only_causes(diagnostics, &sources);
        let mut text = render(&causes, &sources, color).trim_end().to_string();
        if let Some(first) = first_cause(&causes, &sources) {
            text = format!("{text}\n{}", one_line(&first));
        }
        return Relinked::Mistakes(text);
    };
    match session.carried(&game_box) {
        Ok(carry) => Relinked::Carried(Box::new(carry)),
        Err(fault) => Relinked::Mistakes(one_line(&format!("the pack failed: {fault}")).into_owned()),
    }
}

/// What happened to a game, in lines for people.
pub fn told(carry: &Carry) -> Vec<String> {
    let mut lines = Vec::new();
    if !carry.changes.is_empty() {
        lines.push(format!("rules {}", carry.changes));
    }
    match &carry.how {
        Carried::Replayed => lines.push(if carry.changes.is_empty() {
            "no rule has changed; the game goes on".to_string()
        } else {
            "all answers were given again, with the same decisions; the game goes on".to_string()
        }),
        Carried::ByNames { new, stopped, elsewhere, .. } => {
            lines.push("the game goes on from its table".to_string());
            let new: Vec<String> = new.iter().map(|(name, copies)| format!("{copies} `{name}`")).collect();
            if !new.is_empty() {
                lines.push(format!("new in the box: {}", new.join(", ")));
            }
            if let Some(difference) = stopped {
                lines.push(format!("the last action begins again: {}", difference.what));
            }
            if let Some(divergence) = elsewhere {
                lines.push(format!("played from its beginning, it would differ {}", divergence.difference));
            }
        }
        Carried::Differs { divergence, table } => {
            lines.push(format!("the game goes another way {}", divergence.difference));
            lines.push(format!("responsible: {}", divergence.responsible.join(", ")));
            lines.push(format!("its table cannot be kept: {table}"));
        }
    }
    lines
}

/// Writes the files of a game that goes on under other rules anew. A log that the player asked for is put aside if the new one
/// does not contain it.
pub fn keep_on(
    kept: &mut Vec<Kept>,
    session: &Session,
    bots: Option<&str>,
    is_whole: bool,
    phrases: &'static Phrases,
) -> Result<(), Stop> {
    for old in std::mem::take(kept) {
        let (path, is_own) = old.leave();
        if !is_own && !is_whole {
            let aside = free_name(&path);
            match rulepack_tools::put_aside(&path, &aside) {
                Ok(()) => talk(&format!("the log under the old rules is kept as `{}`", shown(&aside))),
                Err(error) => talk(&phrases.unwritten(&shown(&aside), &error)),
            }
        }
        kept.push(Kept::begin(&path, session, bots, is_own, phrases)?);
    }
    Ok(())
}

/// The first of `LOG.1`, `LOG.2` … that is not there.
fn free_name(path: &Path) -> PathBuf {
    let named = |number: u32| {
        let mut name = path.as_os_str().to_os_string();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    (1..u32::MAX).map(named).find(|path| !path.exists()).unwrap_or_else(|| path.to_path_buf())
}
