//! `rulepack lua-api`: what scripts can call.

use clap::{Args, ValueEnum};

use crate::stop::{Stop, emit_lines};

/// Prints what Lua scripts can call: every method of `ctx` with its types and an example
#[derive(Debug, Args)]
#[command(
    after_help = "Example: rulepack lua-api > .lua/rulepack.lua, which a Lua editor with EmmyLua annotations then reads"
)]
pub struct LuaApi {
    /// The output format
    #[arg(long, value_enum, default_value = "lua")]
    format: ApiFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ApiFormat {
    /// Annotations for editors
    Lua,
    /// A page for people
    Markdown,
}

impl LuaApi {
    /// Runs it.
    pub fn run(&self) -> Result<(), Stop> {
        emit_lines(&match self.format {
            ApiFormat::Lua => rulepack_lua::definitions(),
            ApiFormat::Markdown => rulepack_lua::reference(),
        })
    }
}
