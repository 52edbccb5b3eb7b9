//! The keys of options. An option keeps its key for the whole game, so that a key never means something else because another
//! option came or went.

use std::collections::{BTreeMap, BTreeSet};

/// The keys that options can have. Capital letters are commands.
const ALL: &str = "abcdefghijklmnopqrstuvwxyz1234567890";

/// The keys of all options so far, by the ids of the options.
#[derive(Debug, Clone, Default)]
pub struct Keys(BTreeMap<String, char>);

impl Keys {
    /// The keys of the options of a question, each with the text that people read. There are more options than keys in some
    /// questions: the rest is reached with the arrows, or by searching.
    pub fn of(&mut self, options: &[(String, String)]) -> Vec<Option<char>> {
        let mut used = BTreeSet::new();
        let mut keys: Vec<Option<char>> =
            options.iter().map(|(name, _)| self.0.get(name).copied().filter(|key| used.insert(*key))).collect();
        let given: BTreeSet<char> = self.0.values().copied().collect();
        for (key, (name, text)) in keys.iter_mut().zip(options) {
            if key.is_some() {
                continue;
            }
            let free = |key: &char| !used.contains(key);
            let fresh = |key: &char| free(key) && !given.contains(key);
            let letters = || text.chars().flat_map(char::to_lowercase).filter(|c| ALL.contains(*c));
            let found = letters().find(fresh).or_else(|| ALL.chars().find(fresh)).or_else(|| ALL.chars().find(free));
            if let Some(found) = found {
                used.insert(found);
                self.0.insert(name.clone(), found);
            }
            *key = found;
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(names: &[&str]) -> Vec<(String, String)> {
        names.iter().map(|name| (name.to_string(), name.to_string())).collect()
    }

    #[test]
    fn an_option_keeps_its_key_while_others_come_and_go() {
        let mut keys = Keys::default();
        assert_eq!(keys.of(&options(&["build inn", "pass"])), [Some('b'), Some('p')]);
        assert_eq!(keys.of(&options(&["fetch", "pass"])), [Some('f'), Some('p')]);
        assert_eq!(keys.of(&options(&["build quay", "build inn"])), [Some('u'), Some('b')]);
    }

    #[test]
    fn more_options_than_keys_leave_some_without() {
        let mut keys = Keys::default();
        let names: Vec<String> = (0..50).map(|number| format!("option {number}")).collect();
        let all: Vec<(String, String)> = names.iter().map(|name| (name.clone(), name.clone())).collect();
        let found = keys.of(&all);
        assert_eq!(found.iter().flatten().collect::<BTreeSet<_>>().len(), 36);
        assert_eq!(found.iter().flatten().count(), 36);
        // A question later, other options take over keys that are not in use.
        assert!(keys.of(&options(&["other"]))[0].is_some());
    }
}
