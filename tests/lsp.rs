//! The server for editors, driven over its standard input and output, and the schemas of files.

mod abilities;
mod client;
mod corpus;
mod schema;
mod slips;
