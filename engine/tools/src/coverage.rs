//! Which rules, worked examples and pieces of a pack are shown by scenarios that pass, and which are not.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rulepack_model::{Diagnostic, Span};
use rulepack_pack::{PackKind, RuleEntry};
use serde::Serialize;

use crate::check::requests;
use crate::load::{GameBox, Library};
use crate::report::without_repeats;
use crate::scenario::{Shown, TargetError, TestReport, run_files};
use crate::sim::{SimRequest, simulate};

/// So many games are played by chance for pieces that no scenario needs.
pub const SIM_GAMES: u64 = 1_000;

/// What is covered and what is not.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Coverage {
    /// The pack.
    pub pack: String,
    /// The pack's rules, without those that no program can show.
    pub rules: Covered,
    /// The worked examples of the rulebook.
    pub examples: Covered,
    /// Types of pieces, in any mode.
    pub pieces: Exercised,
    /// The scenarios behind it.
    #[serde(skip)]
    pub tests: TestReport,
}

/// Entries of a list of the pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// How many can be covered.
    pub total: usize,
    /// How many are.
    pub covered: usize,
    /// Those that are not.
    pub uncovered: Vec<String>,
    /// Those that no program can show, with the reason.
    pub not_shown: Vec<NotShown>,
}

/// An entry that no program can show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotShown {
    /// Its id.
    pub id: String,
    /// Why not.
    pub reason: String,
}

/// Types of pieces, as `kind.type`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Exercised {
    /// How many there are.
    pub total: usize,
    /// How many took part in a scenario that passes, or left their place in a game by chance.
    pub exercised: usize,
    /// Those that did not.
    pub unexercised: Vec<String>,
}

/// Why there is nothing to report.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CoverageError {
    /// The call is wrong.
    #[error("{0}")]
    Target(#[from] TargetError),
    /// The pack is wrong.
    #[error("the pack has mistakes")]
    Mistakes(Vec<Diagnostic>),
}

/// Plays all scenarios of a pack, then games by chance for pieces that none of them needs.
///
/// # Errors
/// If there is no such pack, or it has mistakes.
pub fn coverage(library: &Library, pack: &str, sim_games: u64) -> Result<Coverage, CoverageError> {
    if !library.has(pack) {
        return Err(TargetError::NotThere(pack.to_string(), String::new()).into());
    }
    let mut mistakes = Vec::new();
    let mut boxes = Vec::new();
    for request in requests(library, pack, &mut mistakes) {
        match library.load(&request) {
            Ok(game_box) => boxes.push(game_box),
            Err(found) => mistakes.extend(found),
        }
    }
    if boxes.is_empty() || mistakes.iter().any(Diagnostic::is_error) {
        let sources = library.sources();
        return Err(CoverageError::Mistakes(without_repeats(mistakes, &sources)));
    }
    let tests = run_files(library, &[pack.to_string()])?;
    let shown = tests.shown.get(pack).cloned().unwrap_or_default();
    let mut lists = Lists::default();
    let own = Own::new(library, pack);
    for game_box in &boxes {
        lists.add(game_box, &own);
    }
    let Shown { rules, examples, mut pieces } = shown;
    play_for_the_rest(&boxes, &lists.types, &mut pieces, sim_games);
    Ok(Coverage {
        pack: pack.to_string(),
        rules: Covered::new(&lists.rules, &rules),
        examples: Covered::new(&lists.examples, &examples),
        pieces: Exercised::new(&lists.types, &pieces),
        tests,
    })
}

/// What the pack lists, in all modes together: an entry may stand in some of them only.
#[derive(Default)]
struct Lists {
    rules: IndexMap<String, RuleEntry>,
    examples: IndexMap<String, RuleEntry>,
    types: BTreeSet<String>,
}

impl Lists {
    fn add(&mut self, game_box: &GameBox, own: &Own<'_>) {
        let catalogue = game_box.catalogue();
        for (all, list) in [(&mut self.rules, &catalogue.rules), (&mut self.examples, &catalogue.examples)] {
            for (id, entry) in list.iter().filter(|(_, entry)| own.holds(entry.span)) {
                all.entry(id.clone()).or_insert_with(|| entry.clone());
            }
        }
        let rules = game_box.rules();
        for ty in &rules.types {
            let kind = &rules.kinds[ty.kind.index()].name;
            let place = catalogue.definitions.get(kind, &ty.name).map(|node| node.span);
            if place.is_none_or(|span| own.holds(span)) {
                self.types.insert(format!("{kind}.{}", ty.name));
            }
        }
    }
}

/// What a pack itself defines: everything for a game, its own files for an expansion.
struct Own<'l> {
    library: &'l Library,
    folder: Option<String>,
}

impl<'l> Own<'l> {
    fn new(library: &'l Library, pack: &str) -> Self {
        let is_game = library.manifest(pack).is_some_and(|manifest| manifest.kind == PackKind::Game);
        Own { library, folder: (!is_game).then(|| format!("content/{pack}/")) }
    }

    fn holds(&self, span: Span) -> bool {
        let sources = self.library.sources();
        let path = sources.get(span.file).map_or("", |file| file.path.as_str());
        self.folder.as_ref().is_none_or(|folder| path.contains(folder.as_str()))
    }
}

/// Plays games by chance, the same number in each mode, until every type has left its place.
fn play_for_the_rest(boxes: &[GameBox], types: &BTreeSet<String>, used: &mut BTreeSet<String>, games: u64) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = games.div_ceil(boxes.len().max(1) as u64);
    for game_box in boxes {
        if games == 0 || types.is_subset(used) {
            return;
        }
        let request = SimRequest { games: share, threads, ..SimRequest::default() };
        used.extend(simulate(game_box, &request, |_| true).types_used);
    }
}

impl Covered {
    fn new(entries: &IndexMap<String, RuleEntry>, shown: &BTreeSet<String>) -> Self {
        let mut covered = Covered::default();
        for (id, entry) in entries {
            // A scenario that shows it is worth more than a reason why that cannot be.
            match &entry.not_shown {
                Some(reason) if !shown.contains(id) => {
                    covered.not_shown.push(NotShown { id: id.clone(), reason: reason.clone() });
                    continue;
                }
                _ => covered.total += 1,
            }
            if shown.contains(id) {
                covered.covered += 1;
            } else {
                covered.uncovered.push(id.clone());
            }
        }
        covered
    }
}

impl Exercised {
    fn new(types: &BTreeSet<String>, used: &BTreeSet<String>) -> Self {
        let unexercised: Vec<String> = types.difference(used).cloned().collect();
        Exercised { total: types.len(), exercised: types.len() - unexercised.len(), unexercised }
    }
}
