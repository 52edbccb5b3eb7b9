//! Suggestions for misspelt words: "did you mean …?"

/// Longer words get no suggestion: nobody mistypes them, and comparing two words takes the product of their lengths.
const LONGEST: usize = 64;

/// The largest number of known words that are compared. So the time grows with the number of unknown words plus that of known
/// words, and not with the product.
const MOST: usize = 1_000;

/// The known word that is nearest to `word`, if it is near enough. Only the first thousand known words are compared.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    all_near(word, known)
        .min_by_key(|(distance, candidate)| (*distance, std::cmp::Reverse(candidate.len()), *candidate))
        .map(|(_, candidate)| candidate)
}

/// Whether a known word is near enough to `word`. The search ends at the first one.
pub fn is_near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> bool {
    all_near(word, known).next().is_some()
}

/// The known words that `word` may be a misspelling of, each with its distance.
fn all_near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> impl Iterator<Item = (usize, &'a str)> {
    let length = word.chars().count();
    let limit = (length / 3).max(1);
    let letters = Letters::of(word);
    known
        .into_iter()
        .take(if word.len() > LONGEST { 0 } else { MOST })
        .filter(move |candidate| *candidate != word && candidate.len() <= LONGEST)
        .filter_map(move |candidate| {
            let is_prefix = is_prefix(word, candidate);
            // A lower bound of the distance is cheap to compute.
            if !is_prefix && letters.least_distance(candidate) > limit {
                return None;
            }
            let distance = strsim::damerau_levenshtein(word, candidate);
            (is_prefix || distance <= limit).then_some((distance, candidate))
        })
}

/// The number of times each letter occurs in a word; letters whose code points differ by a multiple of 32 count as one.
struct Letters([i16; 32]);

impl Letters {
    fn of(word: &str) -> Self {
        let mut counts = [0; 32];
        for letter in word.chars() {
            Self::add(&mut counts, letter, 1);
        }
        Letters(counts)
    }

    fn add(counts: &mut [i16; 32], letter: char, by: i16) {
        if let Some(count) = counts.get_mut((u32::from(letter) % 32) as usize) {
            *count = count.saturating_add(by);
        }
    }

    /// A lower bound of the edit distance: changing one word into the other removes at least the letters that only the
    /// first has, and inserts at least those that only the second has. One replacement does both.
    fn least_distance(&self, other: &str) -> usize {
        let mut counts = self.0;
        for letter in other.chars() {
            Self::add(&mut counts, letter, -1);
        }
        let only =
            |sign: i16| counts.iter().map(|count| usize::try_from(count.saturating_mul(sign)).unwrap_or(0)).sum();
        usize::max(only(1), only(-1))
    }
}

/// The help line for an unknown word.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|found| format!("did you mean `{found}`?"))
}

/// The help line for an unknown word: the nearest known word, or else a list of the known words.
pub fn known_instead<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const TOLD: usize = 12;
    let mut all: Vec<&str> = known.into_iter().filter(|name| !name.starts_with(' ')).take(MOST).collect();
    if let Some(found) = did_you_mean(word, all.iter().copied()) {
        return Some(found);
    }
    let mut seen = std::collections::BTreeSet::new();
    all.retain(|name| seen.insert(*name));
    let list: Vec<String> = all.iter().take(TOLD).map(|name| format!("`{name}`")).collect();
    let list = list.join(", ");
    match all.len() {
        0 => None,
        1 => Some(format!("there is only {list}")),
        2..=TOLD => Some(format!("there are {list}")),
        MOST => Some(format!("there are {list} and many more")),
        more => Some(format!("there are {list} and {} more", more.saturating_sub(TOLD))),
    }
}

fn is_prefix(word: &str, candidate: &str) -> bool {
    word.len() >= 3 && (candidate.starts_with(word) || word.starts_with(candidate) && candidate.len() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_word_that_was_meant() {
        assert_eq!(nearest("stroe", ["store", "story"]), Some("store"));
        assert_eq!(nearest("coins", ["coin", "rope"]), Some("coin"));
        assert_eq!(nearest("zebra", ["coin", "rope"]), None);
    }

    #[test]
    fn the_least_distance_is_never_more_than_the_distance() {
        let words = [
            "", "a", "coin", "icon", "coins", "conis", "train", "été", "ete", "shone", "noses", "tone", "aaaa", "Aaaa",
        ];
        for (one, other) in words.iter().flat_map(|one| words.iter().map(move |other| (one, other))) {
            let least = Letters::of(one).least_distance(other);
            assert!(least <= strsim::damerau_levenshtein(one, other), "{one} and {other}: {least}");
        }
        assert!(is_near("coins", ["rope", "coin", "coinz"]));
        assert!(!is_near("coins", ["rope", "train"]));
    }

    #[test]
    fn long_words_and_long_lists_are_not_compared() {
        let long = "x".repeat(1 << 20);
        assert_eq!(nearest(&long, [long[1..].to_string()].iter().map(String::as_str)), None);
        assert_eq!(nearest("coins", [long.as_str(), "coin"]), Some("coin"));
        // The similar words come too late in the list.
        let word = |n: u32| if n < 1_000 { format!("{n:08}") } else { format!("word_{n}") };
        let many: Vec<String> = (0..5_000).map(word).collect();
        let known = || many.iter().map(String::as_str);
        assert_eq!(nearest("word_4999x", known()), None);
        assert!(known_instead("zebra", known()).is_some_and(|help| help.ends_with(" and many more")));
    }

    #[test]
    fn lists_what_there_is_if_no_word_is_near() {
        assert_eq!(known_instead("stroe", ["store"]).as_deref(), Some("did you mean `store`?"));
        assert_eq!(known_instead("zebra", ["coin", "rope", "coin"]).as_deref(), Some("there are `coin`, `rope`"));
        assert_eq!(known_instead("zebra", ["coin"]).as_deref(), Some("there is only `coin`"));
        assert_eq!(known_instead("zebra", []), None);
    }
}
