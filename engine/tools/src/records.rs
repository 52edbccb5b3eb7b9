//! Lines of a file that grows while a game is played. Each has a checksum over itself and all lines before it.
//!
//! So incomplete, changed, missing and moved lines are noticed; every line is JSON by itself.

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

use std::hash::Hasher;

use rulepack_model::StableHasher;

const BEFORE: &str = "{\"check\":\"";
const BETWEEN: &str = "\",\"record\":";
const AFTER: &str = "}";
const DIGITS: usize = 16;
/// The number of bytes before a record in its line.
pub const BEGINS_AT: usize = BEFORE.len() + DIGITS + BETWEEN.len();

/// Builds lines, one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chain(u64);

impl Chain {
    fn next(&mut self, record: &str) -> String {
        let mut hasher = StableHasher::new();
        hasher.write_u64(self.0);
        hasher.write(record.as_bytes());
        self.0 = hasher.finish();
        format!("{:016x}", self.0)
    }

    /// The next line, with its line end.
    pub fn line(&mut self, record: &str) -> String {
        let check = self.next(record);
        format!("{BEFORE}{check}{BETWEEN}{record}{AFTER}\n")
    }
}

/// The records read from a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Lines<'t> {
    /// The records.
    pub records: Vec<&'t str>,
    /// Whether there is an incomplete last line.
    pub is_torn: bool,
    /// The number of the first damaged line: it and all lines behind it are left out.
    pub damaged: Option<usize>,
}

/// Reads lines up to the first damaged one. An incomplete last line is left out.
pub fn read(text: &str) -> Lines<'_> {
    let mut lines = Lines { records: Vec::new(), is_torn: false, damaged: None };
    let mut known = Chain::default();
    let mut pieces = text.split_inclusive('\n').enumerate().peekable();
    while let Some((index, line)) = pieces.next() {
        let mut chain = known.clone();
        let whole = line.strip_suffix('\n').and_then(parts).filter(|(check, record)| chain.next(record) == *check);
        match whole {
            Some((_, record)) => {
                lines.records.push(record);
                known = chain;
            }
            None if pieces.peek().is_none() && index > 0 => lines.is_torn = true,
            None => {
                lines.damaged = Some(index.saturating_add(1));
                break;
            }
        }
    }
    lines
}

fn parts(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let rest = line.strip_prefix(BEFORE)?.strip_suffix(AFTER)?;
    let (check, rest) = rest.split_at_checked(DIGITS)?;
    Some((check, rest.strip_prefix(BETWEEN)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> String {
        let mut chain = Chain::default();
        ["{\"a\":1}", "2", "\"three\""].iter().map(|record| chain.line(record)).collect()
    }

    #[test]
    fn a_line_that_was_written_in_part_is_left_out() {
        let text = written();
        assert_eq!(read(&text).records, ["{\"a\":1}", "2", "\"three\""]);
        let whole = text.lines().take(2).map(|line| line.len() + 1).sum::<usize>();
        for end in whole + 1..text.len() {
            let lines = read(&text[..end]);
            assert_eq!((lines.records.len(), lines.is_torn), (2, true));
        }
        assert!(!read(&text[..whole]).is_torn);
    }

    #[test]
    fn lines_that_were_changed_moved_or_left_out_are_noticed() {
        let text = written();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        assert_eq!(read(&text.replace("record\":2", "record\":5")).damaged, Some(2));
        assert_eq!(read(&[lines[0], lines[2], lines[1]].concat()).damaged, Some(2));
        assert_eq!(read(&lines[1..].concat()).damaged, Some(1));
        assert_eq!(read("{}\n").damaged, Some(1));
        assert_eq!(read("").records.len(), 0);
        for line in &lines {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
    }
}
