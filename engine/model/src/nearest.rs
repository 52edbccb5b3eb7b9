//! "Did you mean …?"

/// Longer words are no slip of the finger: nothing is suggested for them. Comparing two takes the product of their lengths.
const LONGEST: usize = 64;

/// So many known words are looked at, so that many unknown words beside many known ones take no longer than their sum.
const MOST: usize = 1_000;

/// The known word that is nearest to `word`, if one is near enough to be meant. Of many known words only the first
/// thousand are looked at.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    all_near(word, known)
        .min_by_key(|(distance, candidate)| (*distance, std::cmp::Reverse(candidate.len()), *candidate))
        .map(|(_, candidate)| candidate)
}

/// Whether one of the known words is near enough to be meant by `word`: the first that is ends the search.
pub fn is_near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> bool {
    all_near(word, known).next().is_some()
}

/// The known words that may be meant by `word`, each with its distance.
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
            // What the distance is at least is soon known.
            if !is_prefix && letters.least_distance(candidate) > limit {
                return None;
            }
            let distance = strsim::damerau_levenshtein(word, candidate);
            (is_prefix || distance <= limit).then_some((distance, candidate))
        })
}

/// How often each letter stands in a word; letters whose numbers differ by a multiple of 32 count as one.
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

    /// Whoever changes one word into the other takes out at least the letters that only the one has, and puts in those that
    /// only the other has; an exchange does both.
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

/// The help line for an unknown word: the one that was meant, or else what there is.
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
        // The near ones come too late.
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
