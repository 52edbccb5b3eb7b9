//! Suggestions for unknown names in texts: "did you mean …?" A wrong name often occurs many times, and comparing it
//! with all known names is slow. So each suggestion is computed once, and only for a limited number of names.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rulepack_model::known_instead;

use crate::error::ExprError;

/// The largest number of different mistakes of one game that are compared with the known names; others get no help.
const MOST: usize = 1_000;

/// The suggestion for each mistake, by its message.
#[derive(Debug, Default)]
pub struct Suggestions(Mutex<BTreeMap<String, Option<Box<str>>>>);

/// Names may be added to a copy, so a copy begins with an empty cache.
impl Clone for Suggestions {
    fn clone(&self) -> Self {
        Suggestions::default()
    }
}

impl Suggestions {
    /// Adds to a mistake the nearest known name, or else a list of known names. The same message must always come with
    /// the same known names.
    pub(crate) fn add<'k>(&self, error: ExprError, name: &str, known: impl IntoIterator<Item = &'k str>) -> ExprError {
        let message = error.message.clone();
        self.find(error, message, || known_instead(name, known))
    }

    /// Adds a suggestion to a mistake; `key` contains everything that the suggestion depends on.
    pub(crate) fn find(&self, mut error: ExprError, key: String, meant: impl FnOnce() -> Option<String>) -> ExprError {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let help = match found.get(&key) {
            Some(help) => help.clone(),
            None if found.len() >= MOST => None,
            None => {
                let help = meant().map(Into::into);
                found.insert(key, help.clone());
                help
            }
        };
        error.help = help.or(error.help);
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_compared_once_and_only_so_many_are() {
        let suggestions = Suggestions::default();
        let mut compared = 0;
        let mut help = |name: &str| {
            let known = ["coin", "rope"].into_iter().inspect(|_| compared += 1);
            let error = ExprError::name(0..1, format!("nothing is called `{name}` here"));
            suggestions.add(error, name, known).help.map(String::from)
        };
        for _ in 0..5 {
            assert_eq!(help("coim").as_deref(), Some("did you mean `coin`?"));
        }
        for number in 1..1_000 {
            assert!(help(&format!("other_{number}")).is_some());
        }
        assert_eq!(help("ropw"), None);
        assert_eq!(help("coim").as_deref(), Some("did you mean `coin`?"));
        assert_eq!(compared, 2_000);
    }
}
