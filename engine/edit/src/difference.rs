//! What a change does to a file, for people.

use similar::TextDiff;

/// The changed lines with three lines around them, each marked `-` or `+`, below the names of the file; empty if nothing changes.
pub fn difference(path: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let found = TextDiff::from_lines(before, after);
    found.unified_diff().context_radius(3).header(path, path).to_string()
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn changed_lines_are_marked() {
        assert_eq!(difference("a.toml", "a\n", "a\n"), "");
        let shown = difference("a.toml", "x = 1\ny = 2\n", "x = 1\ny = 3\n");
        assert_eq!(shown, "--- a.toml\n+++ a.toml\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n");
    }
}
