//! The tables that methods of `ctx` take, with their entries.

/// A table of options that a method takes.
#[derive(Debug)]
pub struct OptionTable {
    /// Its name in [`crate::ApiParam::ty`].
    pub name: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// Its entries.
    pub options: &'static [ApiOption],
}

/// An entry of such a table.
#[derive(Debug)]
pub struct ApiOption {
    /// Its name.
    pub name: &'static str,
    /// Its type, as editors write it; with `?` at the end it may be left out.
    pub ty: &'static str,
    /// Its meaning.
    pub doc: &'static str,
}

const fn option(name: &'static str, ty: &'static str, doc: &'static str) -> ApiOption {
    ApiOption { name, ty, doc }
}

const PROMPT: ApiOption = option("prompt", "string?", "The id of the question.");
const OPTIONAL: ApiOption = option("optional", "boolean?", "Whether the player may choose nothing.");
const BY: ApiOption = option("by", "Seat?", "Who chooses; `me` if nobody is named.");

static TABLES: &[OptionTable] = &[
    OptionTable {
        name: "Choice",
        doc: "What is chosen, and by whom.",
        options: &[
            option("from", "string|Zone|any[]", "The zone of `me`, or the list, to choose from."),
            option(
                "where",
                "(fun(value: any): boolean)?",
                "Which of them can be chosen; others know the zone or the list only.",
            ),
            option("most", "integer?", "How many can be chosen, none twice: the result is the list of those chosen."),
            option("least", "integer?", "How many must be chosen of several; 0 if this is left out."),
            option("if_any", "boolean?", "Whether fewer are accepted if there are fewer."),
            option(
                "among",
                "any[]?",
                "What the list was narrowed down from, if a script did that: all that others know.",
            ),
            PROMPT,
            OPTIONAL,
            BY,
            option(
                "in_secret",
                "boolean?",
                "Whether only the player is told what was chosen; only for a choice of one.",
            ),
        ],
    },
    OptionTable {
        name: "ResourceChoice",
        doc: "Which resource is chosen, and by whom.",
        options: &[
            option("from", "string|Seat|Piece|string[]", "A group, a list, or who has the resources."),
            PROMPT,
            OPTIONAL,
            option("if_any", "boolean?", "Whether none is accepted if there is none."),
            BY,
        ],
    },
    OptionTable {
        name: "LookOptions",
        doc: "How long players see pieces.",
        options: &[option(
            "until_it_moves",
            "boolean?",
            "Whether each piece is seen until it moves or is shuffled, and not only until the script is over.",
        )],
    },
    OptionTable {
        name: "ChanceOptions",
        doc: "Who is told what chance brings.",
        options: &[option("in_secret", "boolean?", "Whether only `me` is told.")],
    },
    OptionTable {
        name: "MoveOptions",
        doc: "How a piece is laid down.",
        options: &[
            option("bottom", "boolean?", "Whether it comes below the others."),
            option("face", "(\"up\"|\"down\")?", "Which side is up; as it was if this is left out."),
        ],
    },
];

/// Every table of options.
pub fn option_tables() -> &'static [OptionTable] {
    TABLES
}

/// The names of the entries of a table of options.
pub(crate) fn option_names(table: &str) -> impl Iterator<Item = &'static str> {
    TABLES.iter().filter(move |known| known.name == table).flat_map(|known| known.options).map(|option| option.name)
}
