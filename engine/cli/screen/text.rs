//! Lines of text with looks, as wide as a terminal shows them. A text of a pack becomes a span only through [`Span::new`],
//! which makes control characters visible.

use ratatui::text::Line as Drawn;
use rulepack_model::visible::one_line;

/// How a stretch of text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// As usual.
    Plain,
    /// A heading.
    Head,
    /// Of little importance.
    Dim,
    /// What belongs to the viewer.
    Own,
    /// What has changed since the viewer's last question.
    Changed,
    /// A key to press.
    Key,
    /// The selected option.
    Chosen,
    /// What was searched for.
    Found,
    /// A mistake.
    Wrong,
}

/// A stretch of text in one look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Safe for a terminal.
    text: String,
    /// How it looks.
    pub look: Look,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line(pub Vec<Span>);

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    Drawn::raw(text).width()
}

impl Span {
    /// A text in one look.
    pub fn new(text: &str, look: Look) -> Span {
        Span { text: one_line(text).into_owned(), look }
    }

    /// Its text, safe for a terminal.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Line {
    /// A line in one look.
    pub fn of(text: &str, look: Look) -> Line {
        Line(vec![Span::new(text, look)])
    }

    /// The same with more text.
    #[must_use]
    pub fn and(mut self, text: &str, look: Look) -> Line {
        self.0.push(Span::new(text, look));
        self
    }

    /// Its text without looks.
    pub fn plain(&self) -> String {
        self.0.iter().map(Span::text).collect()
    }

    /// How many columns it takes.
    pub fn width(&self) -> usize {
        self.0.iter().map(|span| width(&span.text)).sum()
    }

    /// All of it in another look.
    #[must_use]
    pub fn looking(mut self, look: Look) -> Line {
        self.0.iter_mut().for_each(|span| span.look = look);
        self
    }

    /// The line in several lines of at most `most` columns, broken at spaces; all but the first are indented.
    pub fn wrapped(&self, most: usize, indent: usize) -> Vec<Line> {
        let most = most.max(indent + 8);
        if self.width() <= most {
            return vec![self.clone()];
        }
        let mut lines = vec![Line::default()];
        let mut used = 0;
        for span in &self.0 {
            for word in words(&span.text) {
                let bare = width(word.trim_end());
                if used > indent && used + bare > most {
                    lines.push(Line::of(&" ".repeat(indent), Look::Plain));
                    used = indent;
                }
                let mut word = if used == indent && lines.len() > 1 { word.trim_start() } else { word };
                // A word that is wider than the line is cut.
                while used + width(word.trim_end()) > most {
                    let (first, rest) = split_at_width(word, most - used);
                    push(&mut lines, first, span.look);
                    lines.push(Line::of(&" ".repeat(indent), Look::Plain));
                    (used, word) = (indent, rest);
                }
                // The space after the last word of a line may not fit.
                let word = if used + width(word) > most { word.trim_end() } else { word };
                push(&mut lines, word, span.look);
                used += width(word);
            }
        }
        lines
    }

    /// At most `most` columns of it.
    pub fn cut(&self, most: usize) -> Line {
        if self.width() <= most {
            return self.clone();
        }
        let (mut line, mut left) = (Line::default(), most.saturating_sub(1));
        for span in &self.0 {
            let (first, rest) = split_at_width(&span.text, left);
            line.0.push(Span { text: first.to_string(), look: span.look });
            left -= width(first);
            if !rest.is_empty() {
                break;
            }
        }
        line.and("…", Look::Dim)
    }
}

fn push(lines: &mut [Line], text: &str, look: Look) {
    let Some(line) = lines.last_mut() else { return };
    match line.0.last_mut() {
        Some(last) if last.look == look => last.text.push_str(text),
        _ => line.0.push(Span { text: text.to_string(), look }),
    }
}

/// The words of a text, each with the spaces after it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ')
}

/// The longest beginning of a text that takes at most so many columns, but at least one character, and the rest.
pub fn split_at_width(text: &str, most: usize) -> (&str, &str) {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        if at > 0 && width(text.get(..next).unwrap_or(text)) > most {
            break;
        }
        end = next;
    }
    text.split_at_checked(end).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces_and_indented() {
        let line = Line::of("gain two coins, and then discard a card", Look::Plain);
        let texts: Vec<String> = line.wrapped(16, 2).iter().map(Line::plain).collect();
        assert_eq!(texts, ["gain two coins, ", "  and then ", "  discard a card"]);
        let long: Vec<String> =
            Line::of("abcdefghijklmnop", Look::Plain).wrapped(10, 2).iter().map(Line::plain).collect();
        assert_eq!(long, ["abcdefghij", "  klmnop"]);
    }

    #[test]
    fn wide_characters_count_twice_and_hidden_ones_are_shown() {
        assert_eq!(Line::of("漢字", Look::Plain).width(), 4);
        assert_eq!(Line::of("漢字漢字", Look::Plain).cut(5).plain(), "漢字…");
        assert_eq!(Span::new("a\u{1b}[2J\u{202e}b", Look::Plain).text(), r"a\u{1b}[2J\u{202e}b");
    }
}
