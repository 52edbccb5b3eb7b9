//! "Did you mean …?"

/// Longer words are no slip of the finger: nothing is suggested for them. Comparing two takes the product of their lengths.
const LONGEST: usize = 64;

/// So many known words are looked at, so that many unknown words beside many known ones take no longer than their sum.
const MOST: usize = 1_000;

/// The known word that is nearest to `word`, if one is near enough to be meant. Of many known words only the first
/// thousand are looked at.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let length = word.chars().count();
    let limit = (length / 3).max(1);
    known
        .into_iter()
        .take(MOST)
        .filter(|candidate| *candidate != word && candidate.len() <= LONGEST)
        // The distance is at least the difference of the lengths.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit || is_prefix(word, candidate))
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit || is_prefix(word, candidate))
        .min_by_key(|(distance, candidate)| (*distance, std::cmp::Reverse(candidate.len()), *candidate))
        .map(|(_, candidate)| candidate)
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
