//! Playing mutants: each until the first scenario fails. The result does not depend on the order of scenarios, only the
//! time does.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rulepack_model::{Node, Table, Value, run_on_threads};
use rulepack_pack::LinkRequest;
use rulepack_script::ScriptHost;

use super::{Class, Mutant, MutateError};
use crate::load::{GameBox, Library};
use crate::scenario::{Beginnings, Scenario, Stopped, read_scenarios, request, run_scenario};

/// The keys of `given` in a scenario without steps that looks at the game's own set-up.
const HEAD: [&str; 6] = ["players", "modes", "with", "seed", "from", "rolls"];

/// The result of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A scenario failed.
    Killed,
    /// All scenarios that could be played passed.
    Survived,
    /// The pack cannot be linked any more.
    Invalid,
    /// The engine crashed with this message: a bug of the engine. The change counts as noticed.
    Panicked(String),
}

/// The results of all mutants.
pub(super) struct AllPlayed {
    /// One for each mutant that was played; fewer than mutants if the caller stopped.
    pub(super) verdicts: Vec<Verdict>,
    /// How many scenarios were played.
    pub(super) scenarios: usize,
    /// Scenarios that fail without any change.
    pub(super) failing: usize,
}

/// A scenario with what is known about it.
struct Job {
    /// Its index in the list of requests.
    request: usize,
    /// Whether it belongs to the pack, or covers a rule of it: then a mutant must be linked with its game.
    own: bool,
    /// Whether it can notice a change of data, and does not only repeat the data.
    plays: bool,
    /// The time it takes.
    seconds: f64,
    /// All words in it.
    words: BTreeSet<String>,
}

/// Scenarios and their games.
struct Plan {
    packs: Vec<String>,
    /// The games of scenarios, after those that a mutant must be linked with.
    requests: Vec<LinkRequest>,
    /// The number of requests a mutant must be linked with; one success is enough.
    homes: usize,
    /// One entry for each scenario; `None` if it fails without any change.
    jobs: Vec<Option<Job>>,
}

/// Plays all mutants on several threads.
pub(super) fn play_all(
    library: &Library,
    pack: &str,
    mutants: &[Mutant],
    threads: usize,
    mut progress: impl FnMut(usize) -> bool,
) -> Result<AllPlayed, MutateError> {
    let plan = Plan::new(library, pack)?;
    let mut libraries = Vec::new();
    for _ in 0..threads.clamp(1, mutants.len().max(1)) {
        libraries.push(library.again().map_err(|error| MutateError::Unreadable(error.to_string()))?);
    }
    let mut verdicts: Vec<(u64, Verdict)> = Vec::new();
    // The number of a job is the place of its mutant.
    let work = |player: &mut Player<'_>, job: u64| mutants.get(job as usize).map(|mutant| player.verdict(mutant));
    run_on_threads(
        libraries,
        mutants.len() as u64,
        |library| Player::new(library, &plan),
        work,
        |job, verdict| {
            verdicts.extend(verdict.map(|verdict| (job, verdict)));
            progress(mutants.len())
        },
    );
    verdicts.sort_unstable_by_key(|(job, _)| *job);
    let failing = plan.jobs.iter().filter(|job| job.is_none()).count();
    let scenarios = plan.jobs.len() - failing;
    Ok(AllPlayed { verdicts: verdicts.into_iter().map(|(_, verdict)| verdict).collect(), scenarios, failing })
}

impl Plan {
    /// Plays everything once without a change.
    fn new(library: &Library, pack: &str) -> Result<Plan, MutateError> {
        let packs: Vec<String> = std::iter::once(pack.to_string()).chain(library.built_on(pack)).collect();
        // To find out whether a mutant can be linked, the pack is linked in its default way; for a library, the packs
        // that need it.
        let homes = packs.iter().filter(|home| library.has_game(home));
        let homes = homes.take(if library.has_game(pack) { 1 } else { packs.len() });
        let mut requests: Vec<LinkRequest> =
            homes.map(|home| LinkRequest { pack: home.clone(), ..LinkRequest::default() }).collect();
        let homes = requests.len();
        let scenarios = scenarios(library, &packs)?;
        let mut places: BTreeMap<LinkRequest, usize> = requests.iter().cloned().zip(0..).collect();
        let chosen: Vec<usize> = scenarios
            .iter()
            .map(|scenario| {
                let request = request(scenario);
                *places.entry(request.clone()).or_insert_with(|| {
                    requests.push(request);
                    requests.len() - 1
                })
            })
            .collect();
        let mut boxes: Vec<Option<Loaded>> = requests.iter().map(|request| Loaded::new(library, request)).collect();
        let sources = library.sources();
        let jobs = scenarios.iter().zip(chosen).map(|(scenario, request)| {
            let Loaded { game_box, host, beginnings } = boxes[request].as_mut()?;
            let began = Instant::now();
            run_scenario(scenario, game_box.rules(), host, &sources, beginnings).ok()?;
            let seconds = began.elapsed().as_secs_f64();
            let own = scenario.pack == pack || shows_rule_of(scenario, game_box, pack);
            let (plays, words) = (plays(scenario), words(scenario));
            Some(Job { request, own, plays, seconds, words })
        });
        let jobs = jobs.collect();
        Ok(Plan { packs, requests, homes, jobs })
    }
}

/// The scenarios of packs, in the order of packs and files.
fn scenarios(library: &Library, packs: &[String]) -> Result<Vec<Scenario>, MutateError> {
    let mut scenarios = Vec::new();
    for pack in packs {
        scenarios.extend(read_scenarios(library, pack)?.0);
    }
    Ok(scenarios)
}

/// Whether a scenario, which may belong to another pack, covers a rule or plays an example of this pack.
fn shows_rule_of(scenario: &Scenario, game_box: &GameBox, pack: &str) -> bool {
    let catalogue = game_box.catalogue();
    let listed = scenario.covers.iter().filter_map(|word| catalogue.rules.get(&word.text));
    let listed = listed.chain(scenario.examples.iter().filter_map(|word| catalogue.examples.get(&word.text)));
    listed.into_iter().any(|entry| catalogue.pack_of(entry.span) == pack)
}

/// Whether a scenario can notice a change of data: it plays, or it looks at the game's own set-up. One that only lays
/// out a table and looks at it repeats the definitions.
fn plays(scenario: &Scenario) -> bool {
    !scenario.when.is_empty() || scenario.given.iter().all(|(key, _)| HEAD.contains(&key))
}

/// All words in a scenario.
fn words(scenario: &Scenario) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for table in [&scenario.given, &scenario.then] {
        words_of_table(table, &mut words);
    }
    for step in scenario.when.iter() {
        words_of_table(&step.then, &mut words);
        let lists = step.offered.iter().chain(&step.not_offered).chain(&step.options);
        for word in step.choose.iter().chain(lists.flatten()) {
            words_of_text(&word.text, &mut words);
        }
    }
    words
}

fn words_of_table(table: &Table, words: &mut BTreeSet<String>) {
    for (key, entry) in table.iter() {
        words_of_text(key, words);
        words_of_node(&entry.node, words);
    }
}

fn words_of_node(node: &Node, words: &mut BTreeSet<String>) {
    match &node.value {
        Value::Str(text) => words_of_text(text, words),
        Value::List(items) => items.iter().for_each(|item| words_of_node(item, words)),
        Value::Table(table) => words_of_table(table, words),
        _ => {}
    }
}

fn words_of_text(text: &str, words: &mut BTreeSet<String>) {
    let all = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.extend(all.filter(|word| !word.is_empty()).map(str::to_string));
}

/// A game that is ready to be played.
struct Loaded {
    game_box: GameBox,
    host: ScriptHost,
    beginnings: Beginnings,
}

impl Loaded {
    fn new(library: &Library, request: &LinkRequest) -> Option<Loaded> {
        let (game_box, host) = library.load_to_play(request)?;
        Some(Loaded { game_box, host, beginnings: Beginnings::default() })
    }
}

/// A thread with a library of its own.
struct Player<'p> {
    library: Library,
    plan: &'p Plan,
    scenarios: Vec<Scenario>,
    /// The scenarios that last noticed a change, by definition and by file.
    noticed: BTreeMap<String, Vec<usize>>,
    /// How often each scenario noticed a change.
    notices: Vec<u32>,
}

impl<'p> Player<'p> {
    fn new(library: Library, plan: &'p Plan) -> Self {
        library.hold();
        let scenarios = scenarios(&library, &plan.packs).unwrap_or_default();
        // Texts that are read while an edit is in place are forgotten with it, so everything is read before.
        for request in &plan.requests {
            library.load_to_play(request);
        }
        Player { library, plan, scenarios, noticed: BTreeMap::new(), notices: vec![0; plan.jobs.len()] }
    }

    fn verdict(&mut self, mutant: &Mutant) -> Verdict {
        let text = self.library.sources().iter().find(|(_, source)| source.path == mutant.path).map(|(_, source)| {
            let (before, after) = (&source.text[..mutant.range.start], &source.text[mutant.range.end..]);
            format!("{before}{}{after}", mutant.replacement)
        });
        let Some(text) = text else { return Verdict::Invalid };
        self.library.edit(&mutant.path, text);
        let played = catch_unwind(AssertUnwindSafe(|| self.play(mutant)));
        self.library.restore();
        match played {
            Ok((verdict, by)) => {
                if let Some(by) = by {
                    self.notices[by] += 1;
                    for name in [&mutant.definition, &mutant.path] {
                        let list = self.noticed.entry(name.clone()).or_default();
                        list.retain(|known| *known != by);
                        list.push(by);
                    }
                }
                verdict
            }
            Err(panic) => {
                let words = panic.downcast_ref::<String>().map(String::as_str);
                let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
                Verdict::Panicked(words.unwrap_or("no reason given").to_string())
            }
        }
    }

    /// Plays scenarios until one of them fails, and returns it.
    fn play(&self, mutant: &Mutant) -> (Verdict, Option<usize>) {
        let mut boxes: BTreeMap<usize, Option<Loaded>> = BTreeMap::new();
        let mut is_valid = true;
        for index in self.order(mutant) {
            let Some((job, scenario)) = self.plan.jobs[index].as_ref().zip(self.scenarios.get(index)) else { continue };
            let loaded = boxes.entry(job.request);
            let loaded = loaded.or_insert_with(|| Loaded::new(&self.library, &self.plan.requests[job.request]));
            let Some(Loaded { game_box, host, beginnings }) = loaded else {
                // Packs that build on this one may not fit any more, which does not count.
                is_valid &= !job.own;
                continue;
            };
            match run_scenario(scenario, game_box.rules(), host, &self.library.sources(), beginnings) {
                Err(Stopped::Failed(_)) => return (Verdict::Killed, Some(index)),
                // A table that cannot be laid out is not played.
                Ok(_) | Err(Stopped::Mistakes(_) | Stopped::Unfit { .. }) => {}
            }
        }
        let mut homes = 0..self.plan.homes;
        is_valid &= homes.any(|home| match boxes.get(&home) {
            Some(loaded) => loaded.is_some(),
            None => Loaded::new(&self.library, &self.plan.requests[home]).is_some(),
        });
        (if is_valid { Verdict::Survived } else { Verdict::Invalid }, None)
    }

    /// The scenarios that can notice a mutant, the likeliest first.
    fn order(&self, mutant: &Mutant) -> Vec<usize> {
        let latest = |name: &str, index: usize| {
            self.noticed.get(name).and_then(|list| list.iter().rev().take(3).position(|known| *known == index))
        };
        let jobs = self.plan.jobs.iter().enumerate().filter_map(|(index, job)| Some((index, job.as_ref()?)));
        let can_notice = |job: &Job| mutant.class == Class::Behaviour || job.plays;
        let mut order: Vec<_> = jobs
            .filter(|(_, job)| can_notice(job))
            .map(|(index, job)| {
                let rank = match (latest(&mutant.definition, index), latest(&mutant.path, index)) {
                    (Some(place), _) => place,
                    _ if job.words.contains(&mutant.definition) => 4,
                    (_, Some(place)) => 5 + place,
                    _ => 10,
                };
                let notices = std::cmp::Reverse(self.notices[index]);
                let micros = (job.seconds * 1e6) as u64;
                ((rank, !job.own, notices, job.request, micros), index)
            })
            .collect();
        order.sort_unstable();
        order.into_iter().map(|(_, index)| index).collect()
    }
}
