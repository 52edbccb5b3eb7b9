//! The words of the expression language, with what each does: one table, for completion and for hovering.

/// A word, how it is used, and what it means.
pub(crate) struct LanguageWord {
    pub(crate) word: &'static str,
    pub(crate) form: &'static str,
    pub(crate) about: &'static str,
}

const fn w(word: &'static str, form: &'static str, about: &'static str) -> LanguageWord {
    LanguageWord { word, form, about }
}

/// The words with which steps begin.
pub(crate) const STEP_WORDS: [&str; 37] = [
    "swap",
    "gain",
    "pay",
    "put",
    "store",
    "take",
    "return",
    "lay",
    "move",
    "draw",
    "shuffle",
    "refill",
    "flip",
    "choose",
    "pick",
    "let",
    "roll",
    "set",
    "may",
    "either",
    "repeat",
    "for",
    "if",
    "as",
    "raise",
    "do",
    "use",
    "end",
    "pass",
    "rejoin",
    "eliminate",
    "pause",
    "cancel",
    "look",
    "together",
    "reveal",
    "disclose",
];

/// Words that belong to a step or an expression where no definition has the name.
pub(crate) const KEYWORDS: [&str; 23] = [
    "face",
    "down",
    "up",
    "bottom",
    "with",
    "free",
    "different",
    "any",
    "secret",
    "until",
    "while",
    "it",
    "moves",
    "less",
    "won",
    "drawn",
    "turn",
    "phase",
    "game",
    "the",
    "round",
    "directions",
    "straights",
];

/// The language, word by word.
pub(crate) const LANGUAGE: &[LanguageWord] = &[
    w("gain", "gain 2 coin [for PLAYER]", "Resources from the supply."),
    w(
        "pay",
        "pay 1 coin [to PIECE]",
        "Resources to the supply; they must be paid in full. `pay … -> STEP` is an exchange: only if both can be done.",
    ),
    w("store", "store 1 coin on PIECE", "Resources of mine onto a piece."),
    w("put", "put 1 coin on PIECE", "Resources from the supply onto a piece."),
    w("take", "take 1 coin from PIECE", "Resources from a piece or a player to me."),
    w("return", "return 1 coin from PIECE", "Resources from a piece to the supply."),
    w("move", "move PIECE to ZONE [at bottom] [face down]", "Moves a piece, or all pieces of a set."),
    w("lay", "lay PIECE on PIECE", "Lays a piece on another one."),
    w("draw", "draw 2 from deck to my hand", "Moves pieces from the top of a zone."),
    w("shuffle", "shuffle ZONE", "Puts the pieces of a zone in an order by chance."),
    w("refill", "refill ZONE", "Closes gaps and fills up from the zone that `refill` names."),
    w("flip", "flip PIECE", "Turns a piece over, or all pieces of a set."),
    w("swap", "swap PIECE with PIECE", "Two pieces change places, each with what lies on it."),
    w(
        "choose",
        "choose [0..2] [different] NAME in SET [as PROMPT] [{ … }]",
        "A player chooses one, or several, of a set.",
    ),
    w("pick", "pick NAME in SET", "One of a set by chance."),
    w("roll", "roll NAME of 6", "A die."),
    w("let", "let NAME = VALUE", "A name for a value or a set, in the rest of the block."),
    w("set", "set VARIABLE = VALUE", "Changes a variable."),
    w("may", "may STEP [as PROMPT]", "The player decides whether it is done."),
    w("either", "either PROMPT { … } or PROMPT { … }", "The player decides which of the ways is taken."),
    w("together", "together PLAYERS { … }", "Several players choose at the same time, then it is done."),
    w("repeat", "repeat 3 { … }", "Steps, a number of times."),
    w("for", "for each NAME in SET { … }", "Steps for each member of a set."),
    w("each", "for each NAME in SET { … }", "Steps for each member of a set."),
    w("if", "if CONDITION { … } else { … }", "Steps if a condition holds; `if a then b else c` is a value."),
    w("then", "if CONDITION then VALUE else VALUE", "A value that depends on a condition."),
    w("else", "if CONDITION { … } else { … }", "What is done or meant otherwise."),
    w("as", "as PLAYER { … }", "Steps in which `me` is another player; behind a choice, its question."),
    w("raise", "raise EVENT(…)", "An event, which pieces hear."),
    w("cancel", "cancel", "What the event does is left out."),
    w("do", "do ACTION(…) [free]", "Another action."),
    w("use", "use PIECE.EFFECT", "The effect of a piece."),
    w("look", "look at SET [by PLAYER] [until it moves]", "The player sees these pieces until the effect is over."),
    w("reveal", "reveal SET [to PLAYERS] [until it moves]", "Shows pieces to all, or to some."),
    w("disclose", "disclose VALUE [as PROMPT]", "Tells all players something hidden, because the rules say so."),
    w("end", "end turn, end phase, end game [won by PLAYERS]", "The turn, the phase or the game is over."),
    w("pass", "pass", "The player takes no further part in these turns."),
    w("rejoin", "rejoin PLAYER", "A player who has passed takes part again."),
    w("eliminate", "eliminate PLAYERS [for the round]", "The players are out, of the game or until the next round."),
    w("pause", "pause", "A moment for free actions."),
    w("where", "SET where CONDITION", "The members of a set for which a condition holds; each of them is `it`."),
    w("while", "SET while CONDITION", "The members before the first for which it does not hold."),
    w("until", "SET until CONDITION", "The members before the first for which it holds."),
    w("and", "A and B", "Both hold."),
    w("or", "A or B", "At least one holds; in `either`, the next way."),
    w("not", "not A", "It does not hold."),
    w("is", "PIECE is NAME, PIECE is in SET", "Whether a piece is of a type or kind, or in a set."),
    w("my", "my ZONE, my.RESOURCE", "What belongs to the player for whom the text is evaluated."),
    w("of", "ZONE of PLAYER", "What belongs to somebody."),
    w("me", "me", "The player for whom the text is evaluated."),
    w("it", "SET where it.NAME > 1", "The member of a set that is tested."),
    w("self", "self.NAME", "The piece to which the text belongs."),
    w("players", "players", "All players, from the first one on."),
    w("others", "others", "All players but me."),
    w("opponent", "opponent", "The other one of two players."),
    w("pieces", "my pieces", "All pieces in play."),
    w("supply", "supply.RESOURCE", "How much is left in the supply."),
    w("less", "COST less 2", "So many units of the payer's choice are not paid."),
    w("any", "any(SET)", "Whether a set has members."),
    w("none", "none(SET)", "Whether a set is empty."),
    w("count", "count(SET)", "How many members a set has."),
    w("sum", "sum(SET, it.NAME)", "The sum over the members of a set."),
    w("largest", "largest(SET, it.NAME)", "The largest number among the members."),
    w("smallest", "smallest(SET, it.NAME)", "The smallest number among the members."),
    w("first", "first(SET)", "The first member."),
    w("last", "last(SET)", "The last member."),
    w("top", "top(ZONE)", "The piece that is drawn next."),
    w("cells", "cells(ZONE)", "The spaces of a zone."),
    w("free_cells", "free_cells(ZONE)", "The empty spaces of a zone."),
    w("neighbours", "neighbours(SPACE)", "The spaces beside a space."),
    w("line", "line(SPACE, DIRECTION)", "The spaces from a space on in one direction."),
    w("through", "through(SPACE, DIRECTION)", "The line in both directions."),
    w("connected", "connected(SPACE, SET)", "The spaces or pieces of a set that hang together with one."),
    w("directions", "directions, directions(SPACE)", "The directions of the boards, or those that a space has."),
    w("opposite", "opposite(DIRECTION)", "The opposite direction."),
    w("clockwise", "clockwise(PLAYER)", "All players from one on."),
    w("counter_clockwise", "counter_clockwise(PLAYER)", "All players from one on, the other way round."),
    w("pieces_at", "pieces_at(SPACE)", "The pieces on a space."),
    w("attached", "attached(PIECE)", "The pieces that lie on a piece."),
    w("min", "min(A, B)", "The smaller number."),
    w("max", "max(A, B)", "The larger number."),
    w("next", "next(PLAYER)", "The next player in turn order."),
    w("previous", "previous(PLAYER)", "The player before."),
    w("passed", "passed(PLAYER)", "Whether a player has passed."),
    w("out", "out(PLAYER)", "Whether a player is out."),
    w("partner", "partner(PLAYER)", "The next player of the same team."),
    w("team", "team(PLAYER)", "All players of the team of a player."),
    w("can", "can(PIECE.EFFECT)", "Whether an effect can be carried out now."),
    w("can_pay", "can_pay(COST)", "Whether I can pay it."),
    w("has", "has(NAME)", "Whether I have such a piece in play."),
    w("surcharge", "surcharge(PIECE)", "What the space of a piece costs in addition."),
    w("room", "room(RESOURCE)", "How much still fits on my pieces."),
    w("units", "units(COST)", "The number of units in a cost."),
    w("types", "types(KIND)", "The types of a kind."),
    w("symbols", "symbols(ATTRIBUTE)", "The symbols that an attribute has on some type."),
    w("union", "union(SET, SET)", "The members of all sets."),
    w("intersection", "intersection(SET, SET)", "The members that are in all sets."),
    w("difference", "difference(SET, SET)", "The members of the first that are not in the others."),
];

/// What a word of the language does.
pub(crate) fn about_word(word: &str) -> Option<&'static LanguageWord> {
    LANGUAGE.iter().find(|known| known.word == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulepack_expr::FUNCTIONS;

    /// The words with which steps begin, as the grammar has them.
    #[test]
    fn every_step_and_function_is_described() {
        let missing: Vec<&str> =
            STEP_WORDS.into_iter().chain(FUNCTIONS).filter(|word| about_word(word).is_none()).collect();
        assert_eq!(missing, [""; 0]);
        let grammar = include_str!("../../../expr/grammar/expr.pest");
        let keywords = grammar.lines().filter_map(|line| line.strip_prefix("kw_")?.split(' ').next());
        let unknown: Vec<&str> =
            keywords.filter(|word| !STEP_WORDS.contains(word) && !KEYWORDS.contains(word)).collect();
        assert_eq!(unknown, [""; 0]);
    }
}
