//! What editors need for packs: the schema of every kind of file, and a language server.
//!
//! The server finds nothing by itself: its findings are those of `rulepack check`, with the texts that the editor shows in the place of
//! the files. It writes no file. `schema` makes JSON Schema from `rulepack_pack::keys`; `words` finds out what each word of a file
//! means, and all abilities of the server (`server/`) use that.

// Input comes from strangers: no input may end the program. Places in one file of at most 4 MiB are added up; a wrong one cuts out nothing.
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod schema;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod words;

pub use schema::{Schema, schemas};
#[cfg(feature = "server")]
pub use server::serve;

/// Whether this program has the server for editors: the feature `server`.
pub const HAS_SERVER: bool = cfg!(feature = "server");
