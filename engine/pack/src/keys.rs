//! The keys of every table of definitions, with what each holds: for the schema, editors and completion.
//!
//! The linker reads these tables key by key (`link/fields.rs`). In a debug build it refuses to read a key that is not listed here,
//! and a test misspells each key that is, so that the list and the reader say the same.

use crate::link::TextUse;

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub holds: Holds,
    /// What it means, in a sentence.
    pub about: &'static str,
}

/// What a key holds.
#[derive(Debug, Clone, Copy)]
pub enum Holds {
    /// A text for people.
    Text,
    /// One of some words.
    Word(&'static [&'static str]),
    /// A whole number.
    Whole,
    /// True or false.
    Flag,
    /// The name of a definition of one of these kinds; `piece` stands for every kind of pieces, `attribute` for the attributes
    /// of kinds.
    Name(&'static [&'static str]),
    /// The path of a definition, such as `card.inn`.
    Path,
    /// A type of values.
    Type,
    /// A type of attributes, with or without `?`.
    AttributeType,
    /// A text of the expression language; numbers, `true` and `false` may stand for themselves.
    Formula(TextUse),
    /// A function of a script, such as `file.function`.
    Function,
    /// A table with these keys.
    Table(&'static [Key]),
    /// A table from names of definitions of these kinds (any names if there are none) to values.
    Map(&'static [&'static str], &'static Holds),
    /// A list.
    List(&'static Holds),
    /// One of several.
    Any(&'static [Holds]),
    /// Whatever the attribute or the game says.
    Anything,
}

use Holds::{Any, Anything, Flag, Formula, List, Map, Name, Table, Text, Whole, Word};
use TextUse::{Condition, Cost, Effect, Set, Value};

const fn key(name: &'static str, holds: Holds, about: &'static str) -> Key {
    Key { name, holds, about }
}

const TITLE: Key = key("title", Text, "Its name, for players.");
const TEXT: Key = key("text", Text, "A text about it, for players.");
const SOURCE: Key = key("source", Text, "Where its figures come from.");
const ONLY_IN: Key = key("only_in", List(&Name(&["mode"])), "It exists only in these modes.");
const PROMPT: Key = key("prompt", Name(&["prompt"]), "The question that is asked.");

/// The keys of `[pack]`.
pub const PACK: &[Key] = &[
    key("id", Text, "The name of the pack: that of its folder."),
    key("version", Text, "Three numbers, such as `1.0.0`."),
    key("title", Text, "The name of the pack, for players."),
    key("text", Text, "One sentence about it, for players."),
    key("kind", Word(&["game", "expansion", "library"]), "What the pack is; a game if not given."),
    key(
        "players",
        Table(&[key("min", Whole, "The fewest players."), key("max", Whole, "The most players.")]),
        "For how many players it is.",
    ),
    key("language", Text, "The language of its titles and texts; `en` if not given."),
    key("locales", List(&Text), "Further languages; each has a file `locale/NAME.toml`."),
    key("editions", List(&Name(&["mode"])), "Modes of which exactly one is played; the first is the default."),
    key("alias", Text, "The name of the pack inside expressions."),
];

/// The tables of a manifest from packs to versions.
pub const NEEDS: &[Key] = &[
    key("needs", Map(&[], &Text), "Packs that must be there, with their versions."),
    key("optional", Map(&[], &Text), "Packs after which this one is loaded, if they are loaded at all."),
    key("conflicts", Map(&[], &Text), "Packs that cannot be loaded with this one."),
];

const LIMIT: &[Key] = &[
    key("times", Whole, "How often."),
    key("counts", Name(&["var"]), "A variable of the player that counts."),
    key("per", Any(&[Word(&["turn", "game"]), Name(&["phase"])]), "In which time."),
    key("shared", Text, "A name; actions with the same name share the limit."),
];

const PARAM: &[Key] = &[key("from", Formula(Set), "The set from which it is chosen."), PROMPT];

const TURNS: &[Key] = &[
    key("turn", Name(&["phase"]), "The phase that is one turn."),
    key("order", Any(&[Word(&["clockwise", "counter_clockwise", "pass_order"]), Holds::Function]), "Who comes next."),
    key("first", Formula(Value), "The player who begins."),
    key("until", Any(&[Word(&["all_passed", "each_once", "never"]), Formula(Condition)]), "When the turns are over."),
];

const LAYOUT: &[Key] = &[
    key("row", Whole, "A row with so many spaces."),
    key("grid", List(&Whole), "Columns and rows."),
    key("hex", List(&Whole), "Columns and rows of six-sided spaces."),
    key("points", List(&Text), "Names of points."),
    key("lines", Map(&[], &Anything), "Lines through points, by their directions."),
    key("paths", Anything, "Ways between points."),
    key("rows", List(&Text), "Names of the rows."),
    key("columns", List(&Text), "Names of the columns."),
    key("enters", Word(&["left", "right"]), "From which side pieces enter a row."),
    key("grows", Flag, "Only the columns in use and one beside them are shown."),
    key("directions", Whole, "How many directions it has: 2, 4 or 8."),
    key("wraps", Word(&["across", "down", "both"]), "Whether the last space is next to the first."),
];

const LISTENER: &[Key] = &[
    key("whose", Word(&["mine", "others", "any"]), "Whose events it hears; mine if not given."),
    key("when", Formula(Condition), "Only if this holds."),
    key("do", Formula(Effect), "What happens."),
];

const MODIFIER: &[Key] = &[
    key("of", Formula(Set), "Of which pieces the value is changed."),
    key("by", Formula(Value), "What is added."),
    key("when", Formula(Condition), "Only if this holds."),
];

const REPETITION: &[Key] = &[
    key("times", Whole, "How often the position must be there."),
    key("of", List(&Name(&["zone", "var"])), "The zones and variables that make the position."),
    key("effect", Formula(Effect), "What happens then."),
];

const COLOUR: Key = key("colour", Text, "Red, green and blue: `#a03c1e`, or short `#a31`.");
const ICON: Key = key("icon", Text, "An SVG file below the folder `look` of the pack.");
const MARK: &[Key] = &[COLOUR, ICON];

const LOOK_OF_KIND: &[Key] =
    &[COLOUR, ICON, key("fields", List(&Name(&["attribute"])), "The attributes that are shown, in this order.")];

const LOOK_OF_ZONE: &[Key] = &[
    key("order", Whole, "Zones are shown by increasing numbers."),
    key("size", Word(&["small", "large"]), "How large it is shown."),
    key("hidden", Flag, "People need not see it."),
];

const ATTRIBUTE: &[Key] = &[
    key("type", Holds::AttributeType, "What the attribute holds."),
    key("default", Anything, "What types have that do not set it."),
    key("optional", Flag, "Types may leave it out."),
];

const KEEPS: &[Key] = &[
    key("what", Name(&["resource", "group", "attribute"]), "The resource that is kept, or an attribute that names it."),
    key("room", Formula(Value), "How much fits."),
];

const VISIBLE: Key = key("visible", Word(&["all", "owner", "none"]), "Who sees it; all if not given.");
const AMONG: Key = key("among", Formula(Set), "What it may be, as far as the others know.");
const EFFECTS: Holds = Any(&[Formula(Effect), List(&Formula(Effect))]);
const COSTS: Holds = Any(&[Formula(Cost), List(&Formula(Cost))]);
const AMOUNT: Holds = Any(&[Formula(Value), List(&Formula(Value))]);
const COUNT: Holds = Any(&[Whole, Formula(Value), Table(&[key("per_player", Whole, "How many for each player.")])]);

/// A kind of definitions that the engine knows.
#[derive(Debug, Clone, Copy)]
pub struct Sort {
    /// Its word in headers: `zone` in `[zone.hand]`.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// The keys of each definition; of `game` and `look`, those of the table itself.
    pub keys: &'static [Key],
}

impl Sort {
    /// Whether there is one such table, `[game]`, and not one for each definition, `[zone.hand]`.
    pub fn is_single(&self) -> bool {
        ["game", "look"].contains(&self.name)
    }
}

const fn sort(name: &'static str, about: &'static str, keys: &'static [Key]) -> Sort {
    Sort { name, about, keys }
}

/// All kinds of definitions but types of pieces and patches.
pub const SORTS: &[Sort] = &[
    sort(
        "resource",
        "Something that players gain, pay and have a number of.",
        &[
            TITLE,
            TEXT,
            SOURCE,
            ONLY_IN,
            key("supply", Any(&[Whole, Word(&["unlimited"])]), "How many there are; unlimited if not given."),
            key("start", Whole, "What every player has at the start, from the supply."),
            VISIBLE,
            AMONG,
            key("kept", Flag, "It lies on its player's pieces."),
        ],
    ),
    sort(
        "group",
        "Several resources of which any can be meant.",
        &[TITLE, TEXT, ONLY_IN, key("of", List(&Name(&["resource"])), "Its members.")],
    ),
    sort("symbol", "A word that attributes and marks hold, written `'red'`.", &[TITLE, TEXT, ONLY_IN]),
    sort(
        "kind",
        "A kind of pieces; `[card.inn]` is then a type of the kind `card`.",
        &[
            TITLE,
            TEXT,
            ONLY_IN,
            key("plural", Text, "The word for several of them; the id with an s if not given."),
            key(
                "attributes",
                Map(&[], &Any(&[Holds::AttributeType, Table(ATTRIBUTE)])),
                "What each type of the kind says of itself.",
            ),
            key("of", Any(&[Name(&["kind"]), List(&Name(&["kind"]))]), "The kinds to which it belongs."),
            key("holds", List(&Name(&["resource", "group"])), "Resources that can lie on such a piece."),
            key("keeps", Table(KEEPS), "Resources that its owner keeps on it."),
            key("starts_in", Name(&["zone"]), "The zone in which its pieces start."),
            key("count", COUNT, "How many copies there are of each type."),
            key("score_by", Name(&["attribute"]), "The symbol attribute by which points are listed."),
            key("back", Name(&["attribute"]), "The symbol attribute that everybody sees of hidden ones."),
        ],
    ),
    sort(
        "zone",
        "A place where pieces lie.",
        &[
            TITLE,
            TEXT,
            ONLY_IN,
            key("owner", Word(&["player", "table"]), "Whose it is; the table's if not given."),
            key("layout", Any(&[Word(&["pile"]), Table(LAYOUT)]), "The shape of its spaces; a pile if not given."),
            key("refill", Name(&["zone"]), "The zone from which `refill` fills it up."),
            key("renews_from", Name(&["zone"]), "The zone that is shuffled into it when it is empty."),
            key("sorted_by", List(&Name(&["attribute"])), "How views and questions order its pieces."),
            key("surcharge", List(&Formula(Cost)), "What each space costs in addition."),
            key("visible", Word(&["all", "owner", "top", "none"]), "Who sees its pieces; all if not given."),
            key("in_play", Flag, "Its pieces listen, modify and score."),
            key("reacts", Flag, "Cards can be played from it in answer to an event."),
            key("out_of_game", Flag, "Pieces never come back from it."),
            key("capacity", Whole, "How many pieces fit."),
            key(
                "marks",
                Map(&[], &Any(&[List(&Name(&["symbol"])), Map(&[], &Name(&["symbol"]))])),
                "Symbols of its spaces.",
            ),
        ],
    ),
    sort(
        "adjacency",
        "Ways from spaces to spaces: `beside(space)`.",
        &[
            TITLE,
            TEXT,
            ONLY_IN,
            key("zone", Name(&["zone"]), "The zone of the spaces."),
            key("from", Map(&[], &List(&List(&Anything))), "For each row, the rows and distances to which it leads."),
        ],
    ),
    sort(
        "var",
        "A value that effects set.",
        &[
            TITLE,
            TEXT,
            ONLY_IN,
            key(
                "of",
                Any(&[Word(&["game", "player", "piece"]), Name(&["kind"])]),
                "Who has one; the game if not given.",
            ),
            key("type", Holds::Type, "What it holds; a number if not given."),
            key("scope", Any(&[Word(&["turn", "game"]), Name(&["phase"])]), "When it is reset to `start`."),
            key("start", Any(&[Whole, Flag]), "What it is at the start."),
            key("track", List(&Whole), "The first and the last space of a track."),
            VISIBLE,
            AMONG,
        ],
    ),
    sort(
        "value",
        "A value that is worked out whenever it is asked for.",
        &[
            TITLE,
            TEXT,
            ONLY_IN,
            key(
                "of",
                Any(&[Word(&["game", "player", "piece", "space"]), Name(&["kind"])]),
                "Of what; of the game if not given.",
            ),
            key("type", Holds::Type, "What it is; a number if not given."),
            key("base", AMOUNT, "The number, before pieces modify it."),
            key("is", AMOUNT, "What it is."),
            VISIBLE,
        ],
    ),
    sort(
        "set",
        "A set with a name.",
        &[
            TITLE,
            TEXT,
            ONLY_IN,
            key("args", Map(&[], &Holds::Type), "What stands in brackets behind the name."),
            key("is", Formula(Set), "Its members."),
        ],
    ),
    sort(
        "event",
        "Something that happens, and that pieces hear.",
        &[
            TITLE,
            TEXT,
            ONLY_IN,
            key("args", Map(&[], &Holds::Type), "What it is about."),
            key("window", Formula(Set), "Who may answer before it happens."),
            key("effect", EFFECTS, "What happens, unless a piece replaces it."),
            PROMPT,
        ],
    ),
    sort(
        "action",
        "Something that players choose to do.",
        &[
            TITLE,
            TEXT,
            ONLY_IN,
            key("param", Map(&[], &Any(&[Formula(Set), Table(PARAM)])), "What is chosen, one after the other."),
            key("requires", Formula(Condition), "Only if this holds."),
            key("cost", COSTS, "What it costs."),
            key("effect", EFFECTS, "What it does."),
            key("limit", Any(&[Text, Table(LIMIT)]), "How often it can be done: `once per turn`."),
            key("free", Flag, "It may also be done at other moments."),
            key("disclose", Flag, "All players see its parameters until it is over."),
            key("priority", Whole, "While it is possible, a menu offers nothing lower."),
            key("weight", Whole, "How likely random bots are to choose it; 100 if not given."),
        ],
    ),
    sort(
        "phase",
        "A part of the flow; play starts in `[phase.game]`.",
        &[
            TITLE,
            TEXT,
            ONLY_IN,
            key("sequence", List(&Name(&["phase"])), "Its phases, one after the other."),
            key("repeat", Formula(Value), "How often it is played."),
            key("until", Formula(Condition), "It is repeated until this holds."),
            key("counts", Name(&["var"]), "The variable that counts its rounds."),
            key("turns", Table(TURNS), "Players take turns."),
            key("actions", List(&Name(&["action"])), "What is offered."),
            key("once", Flag, "One action only."),
            key("free", Flag, "Free actions are possible at every question of it."),
            key("when", Formula(Condition), "It is left out unless this holds."),
            key("effect", EFFECTS, "What happens when it begins."),
            PROMPT,
        ],
    ),
    sort("prompt", "A question.", &[TITLE, TEXT, ONLY_IN]),
    sort(
        "score",
        "A line of the score that does not belong to a piece.",
        &[TITLE, TEXT, ONLY_IN, key("points", AMOUNT, "The points.")],
    ),
    sort("rank", "A name of a result.", &[TITLE, TEXT, ONLY_IN, key("from", Whole, "The fewest points for it.")]),
    sort(
        "mode",
        "A way to play, or an edition.",
        &[
            TITLE,
            TEXT,
            key("players", Whole, "The number of players for which it is."),
            key("abstract", Flag, "It exists only to be extended."),
            key("extends", List(&Name(&["mode"])), "Modes that are in use with it."),
            key("remove", List(&Holds::Path), "Definitions that it takes out."),
            key("needs", Any(&[List(&Text), Map(&[], &Text)]), "Packs without which it cannot be played."),
            key("patch", Anything, "Changes of definitions."),
        ],
    ),
    sort("rule", "A rule of the rulebook, for coverage.", RULE),
    sort("example", "A worked example of the rulebook, for coverage.", RULE),
    sort(
        "component",
        "An entry of the list of components, which is compared with the definitions.",
        &[
            key("piece", Holds::Path, "The type that it counts, such as `card.inn`."),
            key("resource", Name(&["resource"]), "The resource that it counts."),
            key("count", Whole, "How many there are."),
            key("mode", Name(&["mode"]), "The mode in which it is compared."),
            SOURCE,
            key("note", Text, "A note."),
            ONLY_IN,
        ],
    ),
    sort(
        "game",
        "What holds for the whole game.",
        &[
            key("loops", Table(LOOPS), "What happens when effects come back to the same table."),
            key("evaluate", AMOUNT, "How well a player stands, for bots."),
            key("wins", Word(&["most", "least"]), "Whether the highest or the lowest score wins."),
            key("tie_breaks", List(&AMOUNT), "What decides ties, one after the other."),
            key("teams", Whole, "How many teams there are; players of one team sit one after every other team."),
            key("repetition", Table(REPETITION), "What happens when a position has come back."),
        ],
    ),
    sort(
        "look",
        "How the game looks: colours, icons, the order of zones. No rule depends on it.",
        &[
            key("accent", Text, "The colour of what stands out."),
            key("background", Text, "The colour behind everything."),
            key("kind", Map(&["kind"], &Table(LOOK_OF_KIND)), "Of the types of a kind."),
            key(
                "by",
                Map(&["attribute"], &Map(&["symbol", "resource"], &Any(&[Text, Table(MARK)]))),
                "Of types by the value of an attribute.",
            ),
            key("resource", Map(&["resource", "group"], &Table(MARK)), "Of a resource or a group."),
            key("zone", Map(&["zone"], &Table(LOOK_OF_ZONE)), "Of a zone."),
        ],
    ),
    sort(
        "attribute",
        "An attribute that resources may have.",
        &[key("type", Holds::AttributeType, "What it holds."), ONLY_IN],
    ),
    sort("word", "The name of a row or column, so that it can be translated.", &[TITLE, TEXT, ONLY_IN]),
    sort(
        "standing",
        "A rule that is looked at after every change.",
        &[
            TITLE,
            TEXT,
            ONLY_IN,
            key("of", Word(&["player", "game"]), "Whether it is looked at for each player."),
            key("when", Formula(Condition), "When it applies."),
            key("effect", EFFECTS, "What happens then; it must make `when` false."),
        ],
    ),
];

const RULE: &[Key] = &[
    key("text", Text, "What it says, in your own words."),
    key("shown", Text, "`no: REASON` if no program can show it."),
    ONLY_IN,
    SOURCE,
];

const LOOPS: &[Key] = &[
    key("effects", Word(&["stop", "draw"]), "Among effects, rules and phases."),
    key("free", Word(&["leave_out", "stop", "draw"]), "Among free actions."),
];

/// The keys of every type of pieces, besides the attributes of its kind.
pub const TYPE: &[Key] = &[
    TITLE,
    TEXT,
    SOURCE,
    ONLY_IN,
    key("count", COUNT, "How many copies there are; 1 if not given."),
    key("starts_in", Name(&["zone"]), "The zone in which it starts."),
    key("printing_of", Name(&["piece"]), "The type of which it is a further printing."),
    key("printing", Map(&[], &Anything), "Copies that differ in some fields."),
    key("score", AMOUNT, "Its points at the end."),
    key("on", Map(&["event"], &Any(&[Formula(Effect), Table(LISTENER), List(&Anything)])), "What happens at an event."),
    key(
        "replaces",
        Map(&["event"], &Any(&[Formula(Effect), Table(LISTENER), List(&Anything)])),
        "What happens instead of an event.",
    ),
    key(
        "reacts",
        Map(&["event"], &Any(&[Formula(Effect), Table(LISTENER), List(&Anything)])),
        "What may be done in answer to an event.",
    ),
    key(
        "modifies",
        Map(&["value", "attribute"], &Any(&[Formula(Value), Table(MODIFIER), List(&Anything)])),
        "What it adds to a value.",
    ),
];

/// The further keys of a definition that stands for many types: `[card.each]` with `id = "{suit}_{rank}"`.
pub const LIST: &[Key] = &[
    key("id", Text, "How each type is called: `{suit}_{rank}`."),
    key("names", Map(&[], &Map(&[], &Text)), "Words for what stands in the lists."),
    key("without", List(&Text), "Types that are left out."),
    key("differs", Map(&[], &Anything), "Types that differ in some fields."),
];

/// The keys of a patch of a field.
pub const PATCH: &[Key] = &[
    key("was", Anything, "The present value, so that a changed base is noticed."),
    key("now", Anything, "The new value."),
    key("adds", Anything, "What is added: steps, terms, members, or a number."),
    key("before", Text, "The name of the step before which it is added."),
    key("after", Text, "The name of the step after which it is added."),
];

/// The kind of definitions with a name, if the engine knows it.
pub fn sort_named(name: &str) -> Option<&'static Sort> {
    SORTS.iter().find(|sort| sort.name == name)
}

/// The keys of a table by its path, `["zone", "hand", "layout"]`. `None` if the path leads to no table with fixed keys.
pub fn keys_at(path: &[&str]) -> Option<Vec<&'static Key>> {
    let (kind, below) = path.split_first()?;
    let (keys, below): (Vec<&Key>, &[&str]) = match (*kind, sort_named(kind)) {
        ("pack", _) => (PACK.iter().collect(), below),
        (_, Some(sort)) if sort.is_single() => (sort.keys.iter().collect(), below),
        (_, Some(sort)) => (sort.keys.iter().collect(), below.get(1..)?),
        (_, None) => (TYPE.iter().chain(LIST).collect(), below.get(1..)?),
    };
    let Some((first, rest)) = below.split_first() else { return Some(keys) };
    let holds = keys.iter().find(|key| key.name == *first)?.holds;
    below_value(&holds, rest)
}

fn below_value(holds: &Holds, path: &[&str]) -> Option<Vec<&'static Key>> {
    match holds {
        Table(keys) => match path.split_first() {
            None => Some(keys.iter().collect()),
            Some((first, rest)) => below_value(&keys.iter().find(|key| key.name == *first)?.holds, rest),
        },
        Map(_, inner) => below_value(inner, path.get(1..)?),
        List(inner) => below_value(inner, path),
        Any(all) => all.iter().find_map(|one| below_value(one, path)),
        _ => None,
    }
}

/// What stands at a path below the table of a definition, `["hand", "refill"]` of `zone`. `None` if nothing fixed does, such as an
/// attribute of a type.
pub fn holds_at(path: &[&str]) -> Option<Holds> {
    let (kind, below) = path.split_first()?;
    let keys: &[Key] = match (*kind, sort_named(kind)) {
        ("pack", _) => return value_at(&Table(PACK), below),
        (_, Some(sort)) if sort.is_single() => return value_at(&Table(sort.keys), below),
        ("needs" | "optional" | "conflicts", _) => return Some(Text),
        (_, Some(sort)) => sort.keys,
        (_, None) => {
            let below = below.get(1..)?;
            let found = TYPE.iter().chain(LIST).find(|key| below.first().is_some_and(|first| key.name == *first))?;
            return value_at(&found.holds, below.get(1..)?);
        }
    };
    value_at(&Table(keys), below.get(1..)?)
}

fn value_at(holds: &Holds, path: &[&str]) -> Option<Holds> {
    let Some((first, rest)) = path.split_first() else { return Some(*holds) };
    match holds {
        Table(keys) => value_at(&keys.iter().find(|key| key.name == *first)?.holds, rest),
        Map(_, inner) => value_at(inner, rest),
        List(inner) if first.parse::<usize>().is_ok() => value_at(inner, rest),
        List(inner) => value_at(inner, path),
        Any(all) => all.iter().find_map(|one| value_at(one, path)),
        Anything => Some(Anything),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::BUILT_IN;

    #[test]
    fn every_kind_of_definition_is_listed() {
        let mut known: Vec<&str> = SORTS.iter().map(|sort| sort.name).collect();
        let mut built_in = BUILT_IN.to_vec();
        known.sort_unstable();
        built_in.sort_unstable();
        assert_eq!(known, built_in);
    }

    #[test]
    fn paths_lead_to_keys_and_values() {
        let names = |path: &[&str]| keys_at(path).map(|keys| keys.iter().map(|key| key.name).collect::<Vec<_>>());
        assert_eq!(names(&["pack", "players"]), Some(vec!["min", "max"]));
        assert_eq!(names(&["action", "x", "param", "card"]), Some(vec!["from", "prompt"]));
        assert_eq!(names(&["card", "inn", "on", "built"]), Some(vec!["whose", "when", "do"]));
        assert_eq!(names(&["zone", "hand", "refill"]), None);
        assert!(matches!(holds_at(&["zone", "hand", "refill"]), Some(Name(["zone"]))));
        assert!(matches!(holds_at(&["phase", "game", "sequence", "0"]), Some(Name(["phase"]))));
        assert!(holds_at(&["card", "inn", "cost"]).is_none());
    }
}
