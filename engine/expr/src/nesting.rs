//! The depth of nesting in texts: limited, so that no pack can exhaust the stack.

use crate::error::ExprError;

/// Deeper brackets are refused, so that no text can exhaust the stack.
const MAX_DEPTH: usize = 24;
/// The same for words and signs that nest without brackets; no effect comes near it.
const MAX_NESTING: usize = 40;
/// Each pair of braces may contain such a step again, so the product is limited too.
const MAX_TOGETHER: usize = 100;

/// Refuses texts that are nested deeper than any card needs.
pub(crate) fn check_nesting(text: &str) -> Result<(), ExprError> {
    let Nesting { brackets, words } = Nesting::of(text);
    if brackets > MAX_DEPTH {
        return Err(ExprError::syntax(0..text.len(), "too many brackets inside one another")
            .help("move the longer part into a script, or into a `[value.NAME]`"));
    }
    if words > MAX_NESTING || brackets.saturating_mul(words) > MAX_TOGETHER {
        return Err(ExprError::syntax(0..text.len(), "this text is too deeply nested")
            .help("move the longer part into a script, or into a `[value.NAME]`"));
    }
    Ok(())
}

/// Runs a function on a text with enough stack for its depth: the generated parser uses much stack per level, most of
/// all in unoptimised builds. Texts that are nested deeper than people write get a stack of their own, so that no pack
/// can exhaust the caller's.
///
/// # Errors
/// The error of the function, or that there is no memory for the stack.
pub fn with_room<T: Send>(text: &str, work: impl FnOnce() -> Result<T, ExprError> + Send) -> Result<T, ExprError> {
    let Nesting { brackets, words } = Nesting::of(text);
    if brackets <= 6 && words <= 12 {
        return work();
    }
    let failed = || ExprError::syntax(0..text.len(), "this text is too deeply nested to be read here");
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work);
        worker.ok().and_then(|worker| worker.join().ok()).unwrap_or_else(|| Err(failed()))
    })
}

/// The largest possible depth of a text.
struct Nesting {
    brackets: usize,
    /// Words and signs of one step that nest without brackets: `not not …`, `may may …`, `a where b where …`,
    /// `pay … -> pay … -> …`.
    words: usize,
}

impl Nesting {
    fn of(text: &str) -> Self {
        let (mut depth, mut brackets) = (0usize, 0);
        for letter in text.chars() {
            match letter {
                '(' | '{' | '[' => depth = depth.saturating_add(1),
                ')' | '}' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            brackets = brackets.max(depth);
        }
        let nests = |word: &&str| matches!(*word, "not" | "may" | "if" | "where" | "while" | "until" | "of");
        let count = |step: &str| {
            let words = step.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            words.filter(nests).count().saturating_add(step.matches('-').count())
        };
        Nesting { brackets, words: text.split([';', '{', '}']).map(count).max().unwrap_or(0) }
    }
}
