//! `rulepack completions`: what a shell completes.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::stop::{Stop, emit_report};

/// Prints the completions of a shell for all commands and options
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack completions bash > ~/.local/share/bash-completion/completions/rulepack\n          rulepack completions zsh > ~/.zfunc/_rulepack"
)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Runs it.
    pub fn run(&self, mut command: Command) -> Result<(), Stop> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command, "rulepack", &mut text);
        emit_report(String::from_utf8_lossy(&text).trim_end())
    }
}
