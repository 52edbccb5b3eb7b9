//! Coverage: which rules, worked examples and pieces of a pack are shown by scenarios that pass.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use rulepack_model::{Diagnostic, all_threads};
use rulepack_pack::{RuleEntry, printing_of};
use serde::Serialize;

use crate::check::requests;
use crate::load::{GameBox, Library};
use crate::report::{REPORT_VERSION, only_causes};
use crate::scenario::{Shown, TargetError, TestReport, run_files};
use crate::sim::{SimRequest, simulate};

/// The number of random games for pieces that no scenario needs.
pub const SIM_GAMES: u64 = 1_000;

/// What is covered and what is not. Only definitions of the pack itself count, covered by scenarios of the pack or of
/// packs that build on it, because an abstract mode or a library can only be shown by those.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Coverage {
    /// The version of the format.
    pub version: u32,
    /// The pack.
    pub pack: String,
    /// The packs whose scenarios were played.
    pub scenarios: Vec<ScenariosOf>,
    /// Packs that build on it and have mistakes, so that their scenarios were not played.
    pub left_out: Vec<String>,
    /// The pack's rules, without those that no program can show.
    pub rules: Covered,
    /// The worked examples of the rulebook.
    pub examples: Covered,
    /// Types of pieces, in any mode.
    pub pieces: Exercised,
    /// The scenarios that were played.
    #[serde(skip)]
    pub tests: TestReport,
}

/// The results of the scenarios of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScenariosOf {
    /// The pack.
    pub pack: String,
    /// How many passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
}

/// Entries of a list of the pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// How many can be covered.
    pub total: usize,
    /// How many are covered.
    pub covered: usize,
    /// Those that are not covered.
    pub uncovered: Vec<String>,
    /// Those that only packs that build on this one cover, by pack.
    pub elsewhere: BTreeMap<String, Vec<String>>,
    /// Those that no program can show, with the reason.
    pub not_shown: Vec<NotShown>,
}

/// An entry that no program can show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotShown {
    /// Its id.
    pub id: String,
    /// The reason.
    pub reason: String,
}

/// Types of pieces, as `kind.type`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Exercised {
    /// How many there are; a printing is not counted as a type.
    pub total: usize,
    /// How many took part in a scenario that passes, or moved in a random game.
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

/// Plays all scenarios of a pack and of packs that build on it, then random games for pieces that no scenario needs.
///
/// # Errors
/// If there is no such pack, or it has mistakes.
pub fn coverage(library: &Library, pack: &str, sim_games: u64) -> Result<Coverage, CoverageError> {
    if !library.has(pack) {
        return Err(TargetError::NotThere(pack.to_string(), String::new()).into());
    }
    // A library is played only by the packs that need it.
    let mut boxes =
        if library.has_game(pack) { load_all(library, pack).map_err(CoverageError::Mistakes)? } else { Vec::new() };
    let mut packs = vec![pack.to_string()];
    let mut left_out = Vec::new();
    for other in library.built_on(pack) {
        match load_all(library, &other) {
            Ok(more) => {
                boxes.extend(more);
                packs.push(other);
            }
            Err(_) => left_out.push(other),
        }
    }
    let tests = run_files(library, &packs)?;
    let mut lists = Lists::default();
    for game_box in &boxes {
        lists.add(game_box, pack);
    }
    let mut pieces: BTreeSet<String> = tests.shown.values().flat_map(|shown| shown.pieces.clone()).collect();
    lists.count_printings(&mut pieces);
    play_for_the_rest(&boxes, &lists, &mut pieces, sim_games);
    let scenarios = packs.iter().map(|pack| {
        let (failed, passed): (Vec<_>, Vec<_>) =
            tests.cases.iter().filter(|case| case.pack == *pack).partition(|case| case.failure.is_some());
        ScenariosOf { pack: pack.clone(), passed: passed.len(), failed: failed.len() }
    });
    Ok(Coverage {
        version: REPORT_VERSION,
        pack: pack.to_string(),
        scenarios: scenarios.collect(),
        left_out,
        rules: Covered::new(pack, &lists.rules, &tests, |shown| &shown.rules),
        examples: Covered::new(pack, &lists.examples, &tests, |shown| &shown.examples),
        pieces: Exercised::new(&lists.types, &pieces),
        tests,
    })
}

/// A pack in every way to play it.
pub(crate) fn load_all(library: &Library, pack: &str) -> Result<Vec<GameBox>, Vec<Diagnostic>> {
    let mut mistakes = Vec::new();
    let mut boxes = Vec::new();
    for request in requests(library, pack, &mut mistakes) {
        match library.load(&request) {
            Ok(game_box) => boxes.push(game_box),
            Err(found) => mistakes.extend(found),
        }
    }
    if boxes.is_empty() || mistakes.iter().any(Diagnostic::is_error) {
        return Err(only_causes(mistakes, &library.sources()));
    }
    Ok(boxes)
}

/// The lists of the pack in all modes together, because an entry may exist in some modes only.
#[derive(Default)]
struct Lists {
    rules: IndexMap<String, RuleEntry>,
    examples: IndexMap<String, RuleEntry>,
    types: BTreeSet<String>,
    /// Printings of types, with the type of each.
    printings: BTreeMap<String, String>,
}

impl Lists {
    fn add(&mut self, game_box: &GameBox, pack: &str) {
        let catalogue = game_box.catalogue();
        for (all, list) in [(&mut self.rules, &catalogue.rules), (&mut self.examples, &catalogue.examples)] {
            for (id, entry) in list.iter().filter(|(_, entry)| catalogue.pack_of(entry.span) == pack) {
                all.entry(id.clone()).or_insert_with(|| entry.clone());
            }
        }
        let rules = game_box.rules();
        for ty in &rules.types {
            let kind = &rules.kinds[ty.kind.index()].name;
            let path = format!("{kind}.{}", ty.name);
            // A type without a place was made by the linker: it does not count as a type.
            let Some(node) = catalogue.definitions.get(kind, &ty.name) else { continue };
            if let Some(original) = printing_of(node) {
                self.printings.insert(path, format!("{kind}.{original}"));
            } else if catalogue.pack_of(node.span) == pack {
                self.types.insert(path);
            }
        }
    }

    /// A printing counts as a use of its type.
    fn count_printings(&self, used: &mut BTreeSet<String>) {
        let printings = self.printings.iter().filter(|(printing, _)| used.contains(*printing));
        let originals: Vec<String> = printings.map(|(_, original)| original.clone()).collect();
        used.extend(originals);
    }
}

/// Plays random games, the same number in each mode, until every type has moved.
fn play_for_the_rest(boxes: &[GameBox], lists: &Lists, used: &mut BTreeSet<String>, games: u64) {
    let threads = all_threads();
    let share = games.div_ceil(boxes.len().max(1) as u64);
    for game_box in boxes {
        if games == 0 || lists.types.is_subset(used) {
            return;
        }
        let request = SimRequest { games: share, threads, ..SimRequest::default() };
        used.extend(simulate(game_box, &request, |_| true).types_used);
        lists.count_printings(used);
    }
}

impl Covered {
    fn new(
        pack: &str,
        entries: &IndexMap<String, RuleEntry>,
        tests: &TestReport,
        ids: fn(&Shown) -> &BTreeSet<String>,
    ) -> Self {
        let shown_by = |pack: &str, id: &String| tests.shown.get(pack).is_some_and(|shown| ids(shown).contains(id));
        let mut covered = Covered::default();
        for (id, entry) in entries {
            let by: Vec<&String> = tests.shown.keys().filter(|pack| shown_by(pack, id)).collect();
            // A scenario that shows a rule is better than a reason why that is impossible.
            match &entry.not_shown {
                Some(reason) if by.is_empty() => {
                    covered.not_shown.push(NotShown { id: id.clone(), reason: reason.clone() });
                    continue;
                }
                _ => covered.total += 1,
            }
            if by.is_empty() {
                covered.uncovered.push(id.clone());
                continue;
            }
            covered.covered += 1;
            if !shown_by(pack, id) {
                for other in by {
                    covered.elsewhere.entry(other.clone()).or_default().push(id.clone());
                }
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
