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
}
