//! The list of all diagnostic codes, with what `rulepack explain CODE` prints.

/// A code and its explanation.
#[derive(Debug, Clone, Copy)]
pub struct Code {
    /// Stable, kebab-case.
    pub name: &'static str,
    /// What is wrong and what to do.
    pub explanation: &'static str,
}

macro_rules! codes {
    ($($name:literal: $explanation:literal,)*) => {
        /// Every code, in alphabetical order.
        pub const CODES: &[Code] = &[$(Code { name: $name, explanation: $explanation }),*];
    };
}

codes! {
    "abstract-mode": "A mode with `abstract = true` is there for other modes to extend. It cannot be asked for, be an edition, or follow from a number of players; name a mode that extends it.",
    "bad-patch": "A patch names a field with `was` and `now`, or with `adds`. The value below must equal `was`, so that a changed base is noticed. Look up the present value with `rulepack explain PACK KIND.ID` and correct `was`, or drop the patch.",
    "circular-dependency": "Packs need one another in a circle, so that none can be loaded first. Move what they share into a pack that needs none of them.",
    "circular-mode": "Modes extend one another in a circle. Move what they share into an abstract mode that extends none of them.",
    "component-count": "The list of components (`[component.…]`) says how many copies the box holds; the definitions add up to another number. Correct one of them.",
    "conflicting-pack": "A pack says in `conflicts` that it cannot be loaded together with another one that is in use.",
    "conflicting-patch": "Two packs patch the same field, and neither builds on the other, so that which one comes last would be chance. Let one of them name the other under `[needs]` or `[optional]` and patch what that one leaves. Two patches that only add do not conflict.",
    "duplicate-id": "Two definitions have the same kind and id. Rename one; to change another pack's definition, write a patch.",
    "duplicate-pack": "Two folders hold a pack of the same id. Remove one, or give fewer libraries.",
    "empty-choice": "An effect must choose from something that can be empty. Ask `any(…)` first, or write `may`.",
    "endless-game": "A game that was played by chance did not end. Something must end it: a number of rounds, a supply that runs out, a victory.",
    "expression-syntax": "A text in the expression language cannot be read. The place shows where reading stopped.",
    "expression-type": "An expression gives one kind of thing where another is needed, such as a number where a yes-or-no is asked for.",
    "game-fault": "A game that was played by chance could not go on: a choice without options, a move to a space that is not there, a piece or a resource that got lost. The effect that was running is named.",
    "missing-dependency": "A pack or a mode needs a pack that is not there. Add the library that holds it with `--library DIR`, load the pack with `--with PACK`, or correct the name under `needs`.",
    "missing-file": "A file that a pack must have is not there.",
    "missing-key": "A table lacks a key that it must have.",
    "missing-script": "A hook names a function `file.name` that no script of the pack gives. A script returns a table; the function is one of its fields.",
    "missing-translation": "A locale that the manifest names has no title for a definition.",
    "missing-zone": "Pieces have no zone to start in: set `starts_in` on the type or on its kind.",
    "no-flow": "A game needs a phase called `game`: the flow starts there.",
    "outside-library": "A path leaves its library. Packs may only name files of their own folders.",
    "script-fault": "A script failed while the game ran: an error in Lua, or a limit of steps or memory was hit. Pack, script, line, card and hook are named.",
    "script-syntax": "A Lua file cannot be read.",
    "toml-syntax": "A file is not valid TOML.",
    "uncovered-rule": "A rule of the pack is covered by no scenario.",
    "unknown-key": "A table has a key that means nothing there. Keys are never ignored, so that a misspelt one cannot go unnoticed.",
    "unknown-mode": "A mode is named that the pack does not have.",
    "unknown-name": "A name is used that nothing declares.",
    "unknown-pack": "A pack is named that no library holds.",
    "unknown-resource": "A resource or a group of resources is named that nothing declares. Resources are declared by `[resource.NAME]`, groups by `[group.NAME]`.",
    "unknown-rule": "A scenario says that it covers a rule or an example that the pack does not list.",
    "unused-translation": "A locale translates something that is not there.",
    "version-mismatch": "A pack needs another version of a pack than the one that is there.",
    "wrong-type": "A key holds the wrong kind of value.",
    "wrong-value": "A key holds a value of the right kind that makes no sense there.",
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
}
