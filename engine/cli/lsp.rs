//! `rulepack lsp`: the language server for editors.

use clap::Args;
use rulepack_editor::HAS_SERVER;

use crate::stop::Stop;

/// Serves an editor over standard input and output (Language Server Protocol): findings while typing, completion, definitions,
/// renaming and quick fixes
#[derive(Debug, Args)]
#[command(
    after_help = "Example: rulepack lsp, which an editor calls; settings for VS Code, Helix and Neovim are in docs/editors.md\n\nThe server writes no file. The project file rulepack.toml above a file says which libraries belong to it."
)]
pub struct Lsp {
    /// Standard input and output, the only way there is; editors may say so
    #[arg(long)]
    #[allow(dead_code, reason = "it changes nothing")]
    stdio: bool,
}

impl Lsp {
    /// Runs it.
    pub fn run(&self) -> Result<(), Stop> {
        if !HAS_SERVER {
            let how = "build it with `cargo build --release --features lsp`";
            return Err(Stop::Call(format!("this program was built without the server for editors; {how}")));
        }
        #[cfg(feature = "lsp")]
        rulepack_editor::serve().map_err(|error| Stop::Call(format!("the editor cannot be served: {error}")))?;
        Ok(())
    }
}
