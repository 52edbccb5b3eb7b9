//! A server in a few lines: it answers requests in JSON, line by line, from any source of lines: a socket, a pipe, a test.
//!
//! `echo '{"id": 1, "method": "hello"}' | cargo run -p rulepack --example lines -- tests/fixtures/tiny`

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use rulepack::Limits;
use rulepack::serve::{Server, read_line};

fn main() -> io::Result<()> {
    let library = std::env::args().nth(1).unwrap_or_else(|| ".".to_string());
    serve(&library, io::stdin().lock(), io::stdout().lock())
}

// ANCHOR: lines
/// Serves until the input ends.
pub fn serve(library: &str, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut server = Server::new(vec![PathBuf::from(library)], Limits::default(), || 42);
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        writeln!(output, "{}", server.reply(&line))?;
        output.flush()?;
    }
    Ok(())
}
// ANCHOR_END: lines
