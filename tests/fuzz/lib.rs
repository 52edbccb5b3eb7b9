//! The bodies that the fuzz targets run.

#![allow(clippy::disallowed_methods)]

mod bodies;

pub use bodies::*;
