//! The script host: runs the Lua functions of packs for the kernel, inside a sandbox with limits.
//!
//! A script sees handles and one `ctx`. Methods that read run at once on the state of the game. Methods that change the
//! game or ask a player yield a request to the kernel, see [`rulepack_kernel::EffectHost`]. Nothing here keeps state of
//! a game, reads a file or a clock.

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

mod api;
mod args;
mod change;
mod context;
mod convert;
mod fail;
mod fields;
mod handle;
mod host;
mod library;
mod limits;
mod methods;
mod names;
mod options;
mod read;
mod runs;
mod sandbox;
mod sets;
mod slot;
#[cfg(test)]
mod tests;

pub use api::{ApiMethod, ApiParam, MethodKind, api};
pub use fields::{ApiField, cell_fields, context_fields, piece_fields, seat_fields, zone_fields};
pub use host::ScriptHost;
pub use library::{Script, ScriptError, ScriptErrorKind};
pub use options::{ApiOption, OptionTable, option_tables};
pub use sandbox::allowed;
