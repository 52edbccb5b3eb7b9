//! Changes to the files of a pack as texts: nobody's comment, order or alignment is lost.
//!
//! `format.rs` writes a file as all files are written, `table.rs` turns definitions into rows and edited rows into edited files,
//! `difference.rs` shows what a change does. Nothing here opens a file or knows what a definition means.

// Input comes from strangers: no input may end the program.
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

mod difference;
mod expression;
mod format;
mod scan;
mod table;

pub use difference::difference;
pub use format::{Unformatted, format};
pub use table::{Change, Edited, File, RowMistake, Rows, edited, kinds, read_csv, rows, write_csv};
