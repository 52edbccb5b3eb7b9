//! Texts of the expression language: one space where spaces stand, none where none does. No line is broken or joined.

/// Signs with a space on both sides.
const BETWEEN: [&str; 9] = ["->", "==", "!=", "<=", ">=", "<", ">", "+", "="];

/// The text with even spaces, or as it is if it is none of the expression language.
pub(crate) fn even(text: &str) -> String {
    let is_one = |text: &str| {
        rulepack_expr::parse_effect(text).is_ok()
            || rulepack_expr::parse_expr(text).is_ok()
            || rulepack_expr::parse_cost(text).is_ok()
    };
    if text.trim().is_empty() || !is_one(text) {
        return text.to_string();
    }
    let lines: Vec<String> = text.split('\n').map(line).collect();
    let even = lines.join("\n");
    // The pieces must be the same: the language does not care about spaces, but symbols do.
    if spaceless(&even) == spaceless(text) && is_one(&even) { even } else { text.to_string() }
}

/// One line, with the spaces at its beginning as they are.
fn line(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let (before, rest) = line.split_at_checked(indent).unwrap_or(("", line));
    let mut out = String::from(before);
    let mut gap = false;
    let mut at = 0;
    while let Some(left) = rest.get(at..).filter(|left| !left.is_empty()) {
        let first = left.chars().next().unwrap_or(' ');
        let sign = BETWEEN.iter().find(|sign| left.starts_with(**sign));
        let length = match first {
            '\'' => left.get(1..).and_then(|inner| inner.find('\'')).map_or(left.len(), |end| end + 2),
            '#' => left.len(),
            _ => sign.map_or(first.len_utf8(), |sign| sign.len()),
        };
        let piece = left.get(..length).unwrap_or(left);
        at += length;
        if first.is_whitespace() {
            gap = true;
            continue;
        }
        let is_start = out.len() == before.len();
        let wants = sign.is_some() || gap;
        let refuses = matches!(first, ',' | ';' | ')' | ']') || out.ends_with(['(', '[']);
        // `a - b` and `-b` look alike to somebody who does not parse: a minus keeps its spaces.
        if !is_start && wants && !refuses && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(piece);
        gap = sign.is_some()
            || matches!(first, ',' | ';' | '{')
            || left.get(length..).is_some_and(|next| next.starts_with('}'));
    }
    out.truncate(out.trim_end().len().max(before.len().min(out.len())));
    if out.trim().is_empty() { String::new() } else { out }
}

/// A text without its spaces, except inside quotes.
pub(crate) fn spaceless(text: &str) -> String {
    let mut inside = false;
    text.chars()
        .filter(|letter| {
            inside ^= *letter == '\'';
            inside || !letter.is_whitespace()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::even;

    #[test]
    fn spaces_become_even() {
        for (before, after) in [
            ("gain  2 coin ;pay 1 rope", "gain 2 coin; pay 1 rope"),
            ("pay 1 rope->gain 2 coin", "pay 1 rope -> gain 2 coin"),
            ("my.coin>=3 and  not my.done", "my.coin >= 3 and not my.done"),
            ("if c {gain 1 coin}", "if c { gain 1 coin }"),
            ("min( 2 , my.coin )", "min(2, my.coin)"),
            ("it.colour == 'dark  red'", "it.colour == 'dark  red'"),
            ("a - b", "a - b"),
            ("-1", "-1"),
            ("2 coin+1 rope", "2 coin + 1 rope"),
            ("first(my cards where it.power<3)", "first(my cards where it.power < 3)"),
            ("0..2", "0..2"),
            ("gain 1 coin;   # why  not", "gain 1 coin; # why  not"),
            ("gain 1 coin;\n  pay  1 rope", "gain 1 coin;\n  pay 1 rope"),
        ] {
            assert_eq!(even(before), after, "{before}");
            assert_eq!(even(after), after, "{before}");
        }
    }

    #[test]
    fn what_is_no_expression_stays() {
        for text in ["Gain  2 coins, then stop.", "", "  ", "gain  2 2 coin"] {
            assert_eq!(even(text), text);
        }
    }
}
