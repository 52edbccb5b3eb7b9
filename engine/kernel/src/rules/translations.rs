//! Titles and texts in all languages of the packs in use. Playing a game does not read them.

use std::collections::BTreeMap;

/// The title and text of a definition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// Its name.
    pub title: Option<String>,
    /// What it says.
    pub text: Option<String>,
}

/// Texts by language and path, such as `card.inn`.
#[derive(Debug, Clone, Default)]
pub struct Translations {
    /// The language of the texts in the definitions.
    pub own: String,
    /// Language, path, text.
    pub languages: BTreeMap<String, BTreeMap<String, Text>>,
}

impl Translations {
    /// The title of a path in a language, in the pack's own language, or made from the id.
    pub fn title(&self, language: &str, path: &str) -> String {
        [language, &self.own]
            .into_iter()
            .find_map(|language| self.languages.get(language)?.get(path)?.title.clone())
            .unwrap_or_else(|| path.rsplit('.').next().unwrap_or(path).replace('_', " "))
    }

    /// The text of a path, if there is one.
    pub fn text(&self, language: &str, path: &str) -> Option<&str> {
        [language, &self.own].into_iter().find_map(|language| self.languages.get(language)?.get(path)?.text.as_deref())
    }

    /// Whether a path has a title in the packs' own language.
    pub fn has_title(&self, path: &str) -> bool {
        self.languages.get(&self.own).and_then(|texts| texts.get(path)).is_some_and(|text| text.title.is_some())
    }

    /// Whether a language is there.
    pub fn has(&self, language: &str) -> bool {
        self.languages.contains_key(language)
    }
}
