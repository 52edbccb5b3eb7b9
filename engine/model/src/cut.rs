//! Cutting parts out of texts that come from files.

use std::slice::SliceIndex;

/// Cuts a range of bytes out of a text, where `text[range]` could panic.
pub trait Cut {
    /// The bytes of a range; `None` if the range does not fit: it ends behind the text, runs backwards, or begins or
    /// ends inside a character.
    fn cut(&self, range: impl SliceIndex<str, Output = str>) -> &str;
}

impl Cut for str {
    fn cut(&self, range: impl SliceIndex<str, Output = str>) -> &str {
        self.get(range).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::Cut;

    #[test]
    fn a_range_that_does_not_fit_gives_nothing() {
        let text = "prêt";
        assert_eq!(text.cut(1..4), "rê");
        assert_eq!(text.cut(4..), "t");
        let (from, to) = (3, 1);
        for range in [3..4, 4..9, from..to] {
            assert_eq!(text.cut(range), "");
        }
    }
}
