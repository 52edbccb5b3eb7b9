//! Words with a meaning: those of the language, and those of plain English and of other languages, each with what to
//! write instead.

/// The words with which steps begin.
pub(crate) const VERBS: [&str; 36] = [
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
];

/// Whether a step begins with a word.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.contains(&word)
}

/// Keywords, as in the grammar: nothing can have one of these names.
pub const RESERVED: [&str; 25] = [
    "and", "or", "not", "where", "if", "then", "else", "to", "on", "from", "for", "each", "in", "is", "my", "of", "by",
    "as", "at", "true", "false", "may", "choose", "either", "repeat",
];

/// Whether a word is a keyword, so that no text can use it as a name.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Words for players and things in every text.
pub const MEANT_EVERYWHERE: [&str; 8] = ["it", "me", "opponent", "others", "pieces", "players", "self", "supply"];

/// Whether a word has a meaning in every text, so that a definition of the same name would hide it or be hidden.
pub fn means_something(word: &str) -> bool {
    RESERVED.contains(&word) || MEANT_EVERYWHERE.contains(&word)
}

/// A replacement for a keyword that is used as a name.
pub fn name_besides(word: &str) -> String {
    match word {
        "me" | "my" => "host".to_string(),
        "it" | "self" => "item".to_string(),
        "players" | "others" => "hosts".to_string(),
        "opponent" => "rival".to_string(),
        "to" | "on" | "at" | "in" => "target".to_string(),
        "where" => "place".to_string(),
        "from" | "of" | "by" => "origin".to_string(),
        "any" | "each" => "wild".to_string(),
        "count" | "sum" => "number".to_string(),
        word => format!("the_{word}"),
    }
}

/// Verbs of other games, with the verbs of the language.
pub(super) const ELSEWHERE: [(&str, &str); 43] = [
    ("activate", "an effect of a piece is used by `use card.NAME`"),
    ("add", "what a player gets is written `gain 1 NAME`"),
    ("at", "what happens at a time belongs to a phase or an event: `on.EVENT = \"…\"` of a piece, `effect` of a phase"),
    ("begin", "blocks stand in braces: `{ … }`"),
    ("break", "texts always end, and all steps are done: write `if … { … }` around those that may be left out"),
    ("buy", "write `pay … -> gain …`"),
    ("continue", "texts always end, and all steps are done: write `if … { … }` around those that may be left out"),
    ("deal", "cards are dealt by `draw 3 from deck to my hand`, for everybody with `for each player in players { … }`"),
    ("destroy", "write `move card to ZONE`, with the zone of what is out of the game"),
    ("discard", "write `move card to ZONE`, with the zone of discarded cards"),
    ("emit", "an event happens by `raise EVENT(…)`"),
    ("exile", "write `move card to ZONE`, with the zone of what is out of the game"),
    ("fire", "an event happens by `raise EVENT(…)`"),
    ("function", "a longer effect is a function of a script: `file.function`"),
    ("get", "what a player gets is written `gain 1 NAME`"),
    ("give", "write `let giver = me; as PLAYER { take 1 NAME from giver }`, or `move card to ZONE of PLAYER`"),
    ("log", "what happens is told by itself; a question is asked with `as QUESTION`"),
    ("loop", "texts always end: write `repeat 3 { … }` or `for each NAME in … { … }`"),
    ("lose", "what a player loses is written `pay 1 NAME`"),
    ("none", "an empty text does nothing: leave it out"),
    ("nothing", "an empty text does nothing: leave it out"),
    ("perform", "another action is done by `do NAME`"),
    ("place", "write `move card to ZONE`, or `put 1 NAME on PIECE` for resources"),
    ("play", "an effect of a piece is used by `use card.NAME`"),
    ("print", "what happens is told by itself; a question is asked with `as QUESTION`"),
    ("random", "chance is a step of its own: `roll NAME of 6`, or `pick NAME in SET`"),
    ("remove", "write `move card to ZONE`, with the zone of what is out of the game"),
    (
        "score",
        "points are worked out from what lies there: `score = \"…\"` of a piece or kind; what is collected is a resource: `gain 1 NAME`",
    ),
    ("search", "write `choose card in ZONE where …; move card to …; shuffle ZONE`"),
    ("show", "pieces are shown by `reveal …`, and one player sees them by `look at …`"),
    ("skip", "an empty text does nothing: leave it out; who is done passes by `pass`"),
    ("spend", "what a player spends is written `pay 1 NAME`"),
    ("steal", "write `take 1 NAME from PLAYER`"),
    ("swap", "move one after the other: `let place = a.cell; move a to b.cell; move b to place`"),
    ("switch", "write `if … { … } else if … { … } else { … }`"),
    ("trade", "write `pay … -> gain …`"),
    ("trash", "write `move card to ZONE`, with the zone of what is out of the game"),
    ("trigger", "an event happens by `raise EVENT(…)`"),
    ("until", "texts always end: write `repeat 3 { … }` or `for each NAME in … { … }`"),
    ("when", "what follows an event belongs to a piece: `on.EVENT = \"…\"`; a condition among steps is `if … { … }`"),
    ("whenever", "what follows an event belongs to a piece: `on.EVENT = \"…\"`"),
    ("while", "texts always end: write `repeat 3 { … }` or `for each NAME in … { … }`"),
    ("win", "write `end game won by me`"),
];

/// A number in words.
pub fn number_word(word: &str) -> Option<usize> {
    const WORDS: [&str; 11] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.iter().position(|known| *known == word)
}
