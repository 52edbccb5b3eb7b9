//! `rulepack serve`: tables for programs in any language.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use rulepack::serve::{Server, read_line};
use rulepack_kernel::Limits;
use rulepack_tools::Library;

use crate::play::any_seed;
use crate::stop::Stop;

/// Plays games for other programs: one request as JSON on each line, one reply for each
///
/// `docs/serve.md` describes the requests, `docs/serve.schema.json` is their schema. The program at the other end may see and
/// do everything that the caller may; what it asks for a seat tells only what that seat may see.
#[derive(Debug, Args)]
#[command(after_help = "Example: echo '{\"id\": 1, \"method\": \"packs\"}' | rulepack serve --stdio")]
pub struct Serve {
    /// Read requests from the input and write replies to the output
    #[arg(long, required = true)]
    stdio: bool,
}

impl Serve {
    /// Runs it until the input ends.
    pub fn run(&self, library: &Library, limits: Limits) -> Result<(), Stop> {
        let folders: Vec<PathBuf> = library.folders().to_vec();
        let mut server = Server::new(folders, limits, any_seed);
        let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
        let mut line = Vec::new();
        loop {
            match read_line(&mut input, &mut line) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) => return Err(Stop::Wrong(format!("the input cannot be read: {error}"))),
            }
            match writeln!(output, "{}", server.reply(&line)).and_then(|()| output.flush()) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(Stop::Closed),
                Err(error) => return Err(Stop::Wrong(format!("a reply cannot be written: {error}"))),
            }
        }
    }
}
