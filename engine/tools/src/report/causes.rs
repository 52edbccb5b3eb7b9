//! One mistake, one message: consequences of a mistake are left out, and a missing name is reported once.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_model::{Code, Diagnostic, Sources, Span, is_near};

use super::without_repeats;

/// Mistakes of texts that cannot be parsed, or of two definitions in one place: they are no consequences.
const PRIMARY: [Code; 4] = [Code::DuplicateId, Code::ExpressionSyntax, Code::ScriptSyntax, Code::TomlSyntax];

/// Codes of missing names. Their messages name the missing word last. A key that the engine does not know is not a
/// name: each is a slip of its own.
const MISSES: [Code; 5] =
    [Code::UnknownMode, Code::UnknownName, Code::UnknownResource, Code::UnknownRule, Code::UnusedTranslation];

/// Mistakes that occur because a definition is missing or is another one than intended.
const ABSENT: [Code; 9] = [
    Code::BadPatch,
    Code::ComponentCount,
    Code::ConstantCondition,
    Code::DeadPatch,
    Code::ExpressionType,
    Code::MissingZone,
    Code::NoFlow,
    Code::UnusedTranslation,
    Code::WrongValue,
];

/// The largest number of misspelt declarations that are compared with missing names.
const MOST_NEAR: usize = 200;

/// Leaves out repeats and consequences of earlier mistakes. A name that is missing in several places becomes one
/// finding that counts them. Applying it twice changes nothing.
pub fn only_causes(diagnostics: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let mut all = without_repeats(diagnostics, sources);
    all.sort_by_key(rank);
    let mut hidden = Hidden::default();
    let mut kept: Vec<Diagnostic> = Vec::new();
    let mut missed: BTreeMap<String, usize> = BTreeMap::new();
    let mut counted = BTreeSet::new();
    for found in all {
        let first = missing_name(&found).and_then(|name| missed.get(name)).copied();
        if let Some((first, told)) = first.and_then(|first| Some((first, kept.get_mut(first)?))) {
            add_uses(told, &found, |place| counted.insert((first, place)));
            hidden.add(&found);
            continue;
        }
        let follows = hidden.follows(&found, sources);
        hidden.add(&found);
        if follows {
            continue;
        }
        if let Some(name) = missing_name(&found) {
            missed.insert(name.to_string(), kept.len());
            counted.extend(found.ties.also.iter().map(|place| (kept.len(), *place)));
        }
        kept.push(found);
    }
    kept
}

/// Errors come before warnings; among errors, first texts that could not be read, then mistakes with the most
/// consequences.
fn rank(found: &Diagnostic) -> usize {
    match &found.ties.hides {
        _ if !found.is_error() => 5,
        Some(_) if found.code == Code::TomlSyntax => 0,
        Some(hides) if hides.packs => 1,
        Some(hides) if hides.definitions => 2,
        Some(_) => 3,
        None => 4,
    }
}

/// Counts the places of a mistake as further places of the same one.
fn add_uses(first: &mut Diagnostic, again: &Diagnostic, mut is_new: impl FnMut(Span) -> bool) {
    let main = first.labels.first().map(|label| label.span);
    let places = again.labels.first().map(|label| label.span).into_iter().chain(again.ties.also.iter().copied());
    for place in places {
        if Some(place) != main && is_new(place) {
            first.ties.also.push(place);
        }
    }
}

/// The name that a mistake is about, if nothing declares it.
fn missing_name(found: &Diagnostic) -> Option<&str> {
    if let Some(name) = &found.ties.missing {
        return Some(name);
    }
    if !MISSES.contains(&found.code) {
        return None;
    }
    let name = quoted(&found.message).last()?;
    Some(name.rsplit('.').next().unwrap_or(name))
}

/// The parts of a message in back quotes.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// The names and files that are not known because of the mistakes so far.
#[derive(Default)]
struct Hidden {
    names: BTreeSet<String>,
    near: BTreeSet<String>,
    doubtful: BTreeSet<String>,
    unknown: BTreeSet<String>,
    definitions: bool,
    packs: bool,
    /// Whether a name is missing, or a text could not be read: a comparison may be constant because of it.
    incomplete: bool,
}

impl Hidden {
    fn add(&mut self, found: &Diagnostic) {
        self.incomplete |= found.is_error() && (found.code == Code::TomlSyntax || missing_name(found).is_some());
        let Some(hides) = &found.ties.hides else { return };
        self.names.extend(hides.names.iter().cloned());
        let room = MOST_NEAR.saturating_sub(self.near.len());
        self.near.extend(hides.near.iter().take(room).cloned());
        self.doubtful.extend(hides.doubtful.iter().cloned());
        self.unknown.extend(hides.unknown.iter().cloned());
        self.definitions |= hides.definitions;
        self.packs |= hides.packs;
    }

    /// Whether a mistake may be a consequence of an earlier one.
    fn follows(&self, found: &Diagnostic, sources: &Sources) -> bool {
        let is_manifest = found.ties.hides.as_ref().is_some_and(|hides| hides.packs);
        if PRIMARY.contains(&found.code) || is_manifest {
            return false;
        }
        let missing = missing_name(found);
        if missing.is_some_and(|name| self.is_hidden(name)) || found.code == Code::ConstantCondition && self.incomplete
        {
            return true;
        }
        let main = found.labels.first().and_then(|label| sources.get(label.span.file));
        let in_scenario = main.is_some_and(|file| file.path.contains("/scenarios/"));
        if (in_scenario || found.code.name().ends_with("-translation"))
            && quoted(&found.message).flat_map(words).any(|word| self.is_hidden(word))
        {
            return true;
        }
        // Spaces of a zone that could not be read.
        let is_space = |name: &str| name.contains('.') || name.bytes().all(|byte| byte.is_ascii_digit());
        if in_scenario && quoted(&found.message).last().is_some_and(is_space) && !self.doubtful.is_empty() {
            return true;
        }
        // A name that is nearly a known one is a slip of its own; not so in a scenario, which was right before.
        let near = !in_scenario && found.help.as_deref().is_some_and(|help| help.starts_with("did you mean"));
        let is_absent = missing.is_some() || in_scenario || ABSENT.contains(&found.code);
        if is_absent && (self.packs || self.definitions && !near) {
            return true;
        }
        let text = found.labels.first().map_or("", |label| sources.text(label.span));
        let mentions = |names: &BTreeSet<String>| {
            !names.is_empty()
                && quoted(&found.message).flat_map(words).chain(words(text)).any(|word| names.contains(word))
        };
        mentions(&self.unknown) || missing.is_none() && mentions(&self.doubtful)
    }

    /// Whether something that could not be read may have declared a name.
    fn is_hidden(&self, name: &str) -> bool {
        let near = self.near.iter().map(String::as_str);
        self.names.contains(name)
            || is_near(name, near.clone().filter(|word| word.len().abs_diff(name.len()) <= 2))
            || name.len() >= 4 && near.into_iter().any(|word| word.contains(name))
    }
}
