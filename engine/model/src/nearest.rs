//! "Did you mean …?"

/// The known word that is nearest to `word`, if one is near enough to be meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        .filter(|candidate| *candidate != word)
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
    const MOST: usize = 12;
    let mut all: Vec<&str> = known.into_iter().filter(|name| !name.starts_with(' ')).collect();
    if let Some(found) = did_you_mean(word, all.iter().copied()) {
        return Some(found);
    }
    let mut seen = std::collections::BTreeSet::new();
    all.retain(|name| seen.insert(*name));
    let list: Vec<String> = all.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    match all.len() {
        0 => None,
        1 => Some(format!("there is only {}", list[0])),
        2..=MOST => Some(format!("there are {}", list.join(", "))),
        more => Some(format!("there are {} and {} more", list.join(", "), more - MOST)),
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
    fn lists_what_there_is_if_no_word_is_near() {
        assert_eq!(known_instead("stroe", ["store"]).as_deref(), Some("did you mean `store`?"));
        assert_eq!(known_instead("zebra", ["coin", "rope", "coin"]).as_deref(), Some("there are `coin`, `rope`"));
        assert_eq!(known_instead("zebra", ["coin"]).as_deref(), Some("there is only `coin`"));
        assert_eq!(known_instead("zebra", []), None);
    }
}
