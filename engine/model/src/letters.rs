//! Characters that look like others: unusual spaces, and letters of other alphabets, which come with copied texts.

/// The plain text for an unusual space; `None` for all other characters.
pub fn plain_space(letter: char) -> Option<&'static str> {
    match letter {
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(" "),
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => Some(""),
        _ => None,
    }
}

/// The plain letter that a letter of another alphabet looks like.
fn plain_letter(letter: char) -> Option<char> {
    const ALIKE: [(char, &str); 25] = [
        ('a', "\u{430}\u{3b1}"),
        ('b', "\u{432}"),
        ('c', "\u{441}\u{3f2}"),
        ('d', "\u{501}"),
        ('e', "\u{435}\u{3b5}"),
        ('g', "\u{261}"),
        ('h', "\u{4bb}\u{43d}"),
        ('i', "\u{456}\u{3b9}\u{131}"),
        ('j', "\u{458}"),
        ('k', "\u{43a}\u{3ba}"),
        ('l', "\u{4cf}"),
        ('m', "\u{43c}"),
        ('n', "\u{3b7}"),
        ('o', "\u{43e}\u{3bf}"),
        ('p', "\u{440}\u{3c1}"),
        ('q', "\u{51b}"),
        ('r', "\u{433}"),
        ('s', "\u{455}"),
        ('t', "\u{442}\u{3c4}"),
        ('u', "\u{3c5}"),
        ('v', "\u{3bd}"),
        ('w', "\u{51d}\u{3c9}"),
        ('x', "\u{445}\u{3c7}"),
        ('y', "\u{443}\u{3b3}"),
        ('z', "\u{1d22}"),
    ];
    if letter.is_ascii() {
        return Some(letter);
    }
    if let '\u{ff01}'..='\u{ff5e}' = letter {
        return u32::from(letter).checked_sub(0xfee0).and_then(char::from_u32);
    }
    let small = letter.to_lowercase().next()?;
    let plain = ALIKE.iter().find(|(_, others)| others.contains(small)).map(|(plain, _)| *plain)?;
    Some(if letter.is_uppercase() { plain.to_ascii_uppercase() } else { plain })
}

/// The word in plain letters, and its first letter that is not plain; `None` if all letters are plain, or if one looks
/// like no plain letter.
pub fn look_alike(word: &str) -> Option<(char, String)> {
    let odd = word.chars().find(|letter| !letter.is_ascii())?;
    let plain: Option<String> = word.chars().map(plain_letter).collect();
    Some((odd, plain?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_other_alphabets() {
        assert_eq!(look_alike("r\u{43e}pe"), Some(('\u{43e}', "rope".to_string())));
        assert_eq!(look_alike("\u{ff43}oin"), Some(('\u{ff43}', "coin".to_string())));
        assert_eq!(look_alike("caf\u{e9}"), None);
        assert_eq!(look_alike("rope"), None);
        assert_eq!(plain_space('\u{a0}'), Some(" "));
        assert_eq!(plain_space(' '), None);
    }
}
