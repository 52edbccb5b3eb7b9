//! The list of all diagnostic codes. `rulepack explain CODE` prints one file per code, from `codes/`.

/// A code and its explanation.
#[derive(Debug, Clone, Copy)]
pub struct Code {
    /// Stable, kebab-case.
    pub name: &'static str,
    /// What is wrong and what to do, with an example of each, in Markdown; the first paragraph is a summary.
    pub explanation: &'static str,
}

impl Code {
    /// The summary: one or two sentences.
    pub fn summary(&self) -> &'static str {
        self.explanation.split("\n\n").next().unwrap_or("").trim_end()
    }
}

macro_rules! codes {
    ($($name:literal)*) => {
        /// Every code, in alphabetical order.
        pub const CODES: &[Code] =
            &[$(Code { name: $name, explanation: include_str!(concat!("../codes/", $name, ".md")) }),*];
    };
}

codes! {
    "abstract-mode"
    "ambiguous-answers"
    "bad-allow"
    "bad-patch"
    "circular-dependency"
    "circular-mode"
    "circular-value"
    "component-count"
    "conflicting-pack"
    "conflicting-patch"
    "constant-condition"
    "dead-patch"
    "division-by-zero"
    "duplicate-id"
    "duplicate-pack"
    "empty-choice"
    "empty-scenario"
    "endless-game"
    "expression-syntax"
    "expression-type"
    "game-fault"
    "leak"
    "missing-attribute"
    "missing-dependency"
    "missing-file"
    "missing-key"
    "missing-script"
    "missing-translation"
    "missing-zone"
    "mode-players"
    "never-offered"
    "no-flow"
    "out-of-game"
    "outside-library"
    "script-argument"
    "script-fault"
    "script-global"
    "script-order"
    "script-state"
    "script-syntax"
    "script-unknown-name"
    "script-unused-local"
    "step-after-end"
    "toml-syntax"
    "unbound-function"
    "unentered-zone"
    "unknown-key"
    "unknown-mode"
    "unknown-name"
    "unknown-pack"
    "unknown-resource"
    "unknown-rule"
    "unlisted-piece"
    "unpayable-cost"
    "unreachable-phase"
    "unread-file"
    "unused-allow"
    "unused-name"
    "unused-piece"
    "unused-translation"
    "version-mismatch"
    "wrong-type"
    "wrong-value"
}

/// The explanation of a code.
pub fn explain(name: &str) -> Option<&'static Code> {
    CODES.iter().find(|code| code.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_unique() {
        assert!(CODES.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn every_explanation_has_a_bad_and_a_good_example() {
        for Code { name, explanation } in CODES {
            let (_, examples) =
                explanation.split_once("\nInstead of\n").unwrap_or_else(|| panic!("{name}: no bad example"));
            assert!(examples.contains("\nwrite\n"), "{name}: no good example");
            assert_eq!(examples.matches("```").count() % 2, 0, "{name}: a block is not closed");
        }
    }
}
