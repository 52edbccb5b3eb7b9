//! The list of all diagnostic codes. `rulepack explain CODE` prints one file per code, from `codes/`.

use std::fmt;

use serde::{Serialize, Serializer};

macro_rules! codes {
    ($($variant:ident: $name:literal,)*) => {
        /// The kinds of mistakes that a diagnostic can report, in alphabetical order of their names.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $name] $variant,)*
        }

        impl Code {
            /// Every code, in alphabetical order.
            pub const ALL: &[Code] = &[$(Code::$variant),*];

            /// As people and reports write it, such as `unknown-name`. It never changes.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => $name,)*
                }
            }

            /// What is wrong and what to do, with an example of each, in Markdown; the first paragraph is a summary.
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Code::$variant => include_str!(concat!("../codes/", $name, ".md")),)*
                }
            }
        }
    };
}

// A code whose explanation is missing below `codes/` does not compile.
codes! {
    AbstractMode: "abstract-mode",
    AmbiguousAnswers: "ambiguous-answers",
    BadAllow: "bad-allow",
    BadPatch: "bad-patch",
    CircularDependency: "circular-dependency",
    CircularMode: "circular-mode",
    CircularValue: "circular-value",
    ComponentCount: "component-count",
    ConflictingPack: "conflicting-pack",
    ConflictingPatch: "conflicting-patch",
    ConstantCondition: "constant-condition",
    DeadPatch: "dead-patch",
    DivisionByZero: "division-by-zero",
    DuplicateId: "duplicate-id",
    DuplicatePack: "duplicate-pack",
    EmptyChoice: "empty-choice",
    EmptyScenario: "empty-scenario",
    EndlessGame: "endless-game",
    ExpressionSyntax: "expression-syntax",
    ExpressionType: "expression-type",
    GameFault: "game-fault",
    Leak: "leak",
    MissingAttribute: "missing-attribute",
    MissingDependency: "missing-dependency",
    MissingFile: "missing-file",
    MissingKey: "missing-key",
    MissingScript: "missing-script",
    MissingTranslation: "missing-translation",
    MissingZone: "missing-zone",
    ModePlayers: "mode-players",
    NeverOffered: "never-offered",
    NoFlow: "no-flow",
    NobodysTurn: "nobodys-turn",
    OutOfGame: "out-of-game",
    OutsideLibrary: "outside-library",
    ScriptArgument: "script-argument",
    ScriptFault: "script-fault",
    ScriptGlobal: "script-global",
    ScriptOrder: "script-order",
    ScriptState: "script-state",
    ScriptSyntax: "script-syntax",
    ScriptUnknownName: "script-unknown-name",
    ScriptUnusedLocal: "script-unused-local",
    StepAfterEnd: "step-after-end",
    TomlSyntax: "toml-syntax",
    UnboundFunction: "unbound-function",
    UnenteredZone: "unentered-zone",
    UnknownKey: "unknown-key",
    UnknownMode: "unknown-mode",
    UnknownName: "unknown-name",
    UnknownPack: "unknown-pack",
    UnknownResource: "unknown-resource",
    UnknownRule: "unknown-rule",
    UnlistedPiece: "unlisted-piece",
    UnpayableCost: "unpayable-cost",
    UnreachablePhase: "unreachable-phase",
    UnreadFile: "unread-file",
    UnusedAllow: "unused-allow",
    UnusedName: "unused-name",
    UnusedPiece: "unused-piece",
    UnusedTranslation: "unused-translation",
    VersionMismatch: "version-mismatch",
    WrongType: "wrong-type",
    WrongValue: "wrong-value",
}

impl Code {
    /// The code of that name.
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// The summary: one or two sentences.
    pub fn summary(self) -> &'static str {
        self.explanation().split("\n\n").next().unwrap_or("").trim_end()
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_named_like_their_variants() {
        assert!(Code::ALL.windows(2).all(|pair| pair[0].name() < pair[1].name()));
        for code in Code::ALL {
            let flat = format!("{code:?}").to_lowercase();
            assert_eq!(code.name().replace('-', ""), flat, "the variant and the name of a code differ");
        }
    }

    #[test]
    fn every_explanation_belongs_to_a_code() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("codes");
        let files = std::fs::read_dir(folder).expect("the explanations lie there");
        let mut found: Vec<_> = files.map(|file| file.expect("it can be listed").file_name()).collect();
        found.sort();
        let codes: Vec<std::ffi::OsString> = Code::ALL.iter().map(|code| format!("{code}.md").into()).collect();
        assert_eq!(found, codes);
    }

    #[test]
    fn every_explanation_has_a_bad_and_a_good_example() {
        for code in Code::ALL {
            let (_, examples) =
                code.explanation().split_once("\nInstead of\n").unwrap_or_else(|| panic!("{code}: no bad example"));
            assert!(examples.contains("\nwrite\n"), "{code}: no good example");
            assert_eq!(examples.matches("```").count() % 2, 0, "{code}: a block is not closed");
        }
    }
}
