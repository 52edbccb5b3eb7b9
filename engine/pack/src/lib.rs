//! From folders of TOML and Lua to packs: searching libraries, reading manifests, ordering dependencies, linking.
//!
//! The only crate that opens pack files. It runs no game and no Lua: scripts are plain texts here.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod damage;
mod file;
mod icon;
mod library;
mod link;
mod manifest;
mod open;
mod otherwise;
mod read;
mod resolve;
mod root;
mod shape;
mod texts;

pub use file::{ReadError, open_file, read_text};
pub use library::{Found, PackSource, ScenarioSource, Shelf};
pub use link::{
    Absent, Attempt, Catalogue, CompiledText, Component, Definitions, Layer, LinkRequest, Linked, ModeInfo,
    PatchAuthor, RuleEntry, ScriptText, TextNote, TextUse, TypeList, check_shapes, link, modes_of, printing_of,
    try_link, try_link_held,
};
pub use manifest::{Manifest, Need, PackKind, Players, Word, is_kebab, is_snake};
pub use open::{OpenError, open};
pub use read::{TextMap, read_toml, text_map};
pub use resolve::{players_of, players_of_all, resolve};
pub use root::{MAX_BYTES, meant_name, passed_over};
pub use texts::Texts;
