//! The syntax of each step: shown if there is no better suggestion.

/// The first word of a step, and its syntax.
const SHAPES: [(&str, &str); 37] = [
    ("as", "as PLAYER { … }"),
    ("cancel", "cancel"),
    ("choose", "choose NAME in SET"),
    ("disclose", "disclose SET"),
    ("do", "do ACTION"),
    ("draw", "draw 2 from ZONE to ZONE"),
    ("either", "either one { … } or other { … }"),
    ("end", "end turn`, `end phase` or `end game"),
    ("flip", "flip PIECE"),
    ("swap", "swap PIECE with PIECE"),
    ("eliminate", "eliminate PLAYER"),
    ("for", "for each NAME in SET { … }"),
    ("gain", "gain 2 NAME"),
    ("if", "if CONDITION { … } else { … }"),
    ("lay", "lay PIECE on PIECE"),
    ("let", "let NAME = VALUE"),
    ("look", "look at SET"),
    ("may", "may STEP"),
    ("move", "move PIECE to ZONE"),
    ("pass", "pass"),
    ("pause", "pause"),
    ("pay", "pay 2 NAME"),
    ("pick", "pick NAME in SET"),
    ("put", "put 1 NAME on PIECE"),
    ("raise", "raise EVENT(…)"),
    ("refill", "refill ZONE"),
    ("rejoin", "rejoin PLAYER"),
    ("repeat", "repeat 3 { … }"),
    ("reveal", "reveal SET to PLAYERS"),
    ("return", "return 1 NAME from PIECE"),
    ("roll", "roll NAME of 6"),
    ("set", "set VARIABLE = VALUE"),
    ("shuffle", "shuffle ZONE"),
    ("store", "store 1 NAME on PIECE"),
    ("take", "take 1 NAME from PIECE"),
    ("together", "together PLAYERS { … }"),
    ("use", "use PIECE.EFFECT"),
];

/// The syntax of the step that begins with a word.
pub(super) fn shape(verb: &str) -> Option<&'static str> {
    SHAPES.iter().find(|(known, _)| *known == verb).map(|(_, shape)| *shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_has_a_shape() {
        for verb in super::super::VERBS {
            assert!(shape(verb).is_some(), "{verb}");
        }
    }
}
