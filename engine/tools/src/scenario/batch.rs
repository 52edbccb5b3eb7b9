//! All scenarios of packs, files and folders, played in parallel.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rulepack_kernel::Ruleset;
use rulepack_model::visible::{one_line, with_commas};
use rulepack_model::{
    Code, Diagnostic, Sources, Span, all_threads, known_instead, nearest, side_by_side, side_by_side_with,
};
use rulepack_pack::{Catalogue, LinkRequest, Word};
use serde::Serialize;

use super::Scenario;
use super::files::{Found, ScenarioFile, TargetError, find, shapes};
use super::one::{Beginnings, Passed, Prepared, Stopped, run_scenario};
use super::place::place_of;
use crate::load::{GameBox, Library, Loaded};
use crate::report::{Finding, REPORT_VERSION, only_causes, without_repeats};

/// Which scenarios are played.
#[derive(Debug, Clone, Default)]
pub struct TestRequest {
    /// Packs, files and folders; all packs if there is none.
    pub targets: Vec<String>,
    /// Packs that are loaded with every scenario, in addition to its own.
    pub with: Vec<String>,
    /// Only scenarios with this text in their path, their case or their `about`.
    pub filter: Option<String>,
}

/// The results of all scenarios.
#[derive(Debug, Clone, Serialize)]
pub struct TestReport {
    /// The version of the format.
    pub version: u32,
    /// How many passed.
    pub passed: usize,
    /// How many failed, files with mistakes included.
    pub failed: usize,
    /// The failures.
    pub failures: Vec<Failure>,
    /// All of them, in the order of the files.
    pub cases: Vec<TestCase>,
    /// Notes for the caller about the targets.
    pub notes: Vec<String>,
    /// Mistakes of packs and scenario files; each is also the message of a failure.
    #[serde(skip)]
    pub diagnostics: Vec<Diagnostic>,
    /// What the passed scenarios cover, by pack.
    #[serde(skip)]
    pub shown: BTreeMap<String, Shown>,
}

impl Default for TestReport {
    fn default() -> Self {
        TestReport {
            version: REPORT_VERSION,
            passed: 0,
            failed: 0,
            failures: Vec::new(),
            cases: Vec::new(),
            notes: Vec::new(),
            diagnostics: Vec::new(),
            shown: BTreeMap::new(),
        }
    }
}

/// A failed scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The file.
    pub file: String,
    /// The line of the step or key that failed, counted from 1.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// The case, if the file has cases.
    pub case: Option<String>,
    /// The expected and the actual result.
    pub message: String,
}

/// One scenario that was played, or could not be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestCase {
    /// The pack it is for; empty if that could not be read.
    pub pack: String,
    /// The file.
    pub file: String,
    /// The case, if the file has cases.
    pub case: Option<String>,
    /// What it shows, in a sentence.
    pub about: String,
    /// How long it took.
    pub seconds: f64,
    /// Whether it passed.
    pub passed: bool,
    /// The failure, if it failed.
    #[serde(rename = "message", skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The pieces that its table took from elsewhere, and random events before the position where it begins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Line and column of the step or key that failed.
    #[serde(skip)]
    pub at: (usize, usize),
    /// Whether the file or the pack has mistakes, so that nothing was played.
    #[serde(skip)]
    pub has_mistakes: bool,
}

/// What the scenarios of a pack cover.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// Ids of rules.
    pub rules: BTreeSet<String>,
    /// Ids of worked examples.
    pub examples: BTreeSet<String>,
    /// Types of pieces that took part, as `kind.type`.
    pub pieces: BTreeSet<String>,
}

/// Reads the scenarios of a pack, of a file, or of all files below a folder, with all mistakes in their shape.
///
/// # Errors
/// If the target is neither a pack nor a path.
pub fn read_scenarios(library: &Library, target: &str) -> Result<(Vec<Scenario>, Vec<Diagnostic>), TargetError> {
    let Found { files, mistakes: mut out, .. } = find(library, target)?;
    let mut scenarios = Vec::new();
    for file in files {
        scenarios.extend(file.scenarios);
        out.extend(file.mistakes);
    }
    Ok((scenarios, out))
}

/// All mistakes in the scenarios of a pack that can be found without playing them.
pub fn check_scenarios(library: &Library, pack: &str, with: &[String], threads: usize) -> Vec<Diagnostic> {
    check_some_scenarios(library, pack, with, threads, &|_| true)
}

/// The same for some of the files, by their paths.
pub fn check_some_scenarios(
    library: &Library,
    pack: &str,
    with: &[String],
    threads: usize,
    is_meant: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut scenarios = Vec::new();
    for file in shapes(library, pack, threads).into_iter().filter(|file| is_meant(&file.path)) {
        out.extend(file.mistakes);
        scenarios.extend(file.scenarios);
    }
    add_packs(scenarios.iter_mut(), with);
    let asked: Vec<LinkRequest> = scenarios.iter().map(request).collect();
    library.attempt_all(&asked, threads);
    let mut boxes = Vec::new();
    for (scenario, asked) in scenarios.iter().zip(&asked) {
        let Loaded { game_box, playable, diagnostics } = library.attempt(asked);
        if !playable {
            out.extend(diagnostics.into_iter().map(|mistake| placed(mistake, scenario)));
        }
        // A definition that cannot be read must not be reported as missing.
        boxes.push(game_box.filter(|game_box| playable || is_complete(game_box.rules())).map(|one| (one, playable)));
    }
    let sources = library.sources();
    let jobs: Vec<(&Scenario, (GameBox, bool))> =
        scenarios.iter().zip(boxes).filter_map(|(scenario, game_box)| Some((scenario, game_box?))).collect();
    let all = &*sources;
    let found = side_by_side(&jobs, threads, |(scenario, (game_box, is_whole))| {
        mistakes_in(scenario, game_box, all, *is_whole)
    });
    out.extend(found.into_iter().flatten());
    without_repeats(out, &sources)
}

/// Whether every name of a game refers to a definition, even one with mistakes.
fn is_complete(rules: &Ruleset) -> bool {
    let words = &rules.vocabulary;
    let named = [
        (words.resources.len(), rules.resources.len()),
        (words.groups.len(), rules.groups.len()),
        (words.kinds.len(), rules.kinds.len()),
        (words.types.len(), rules.types.len()),
        (words.zones.len(), rules.zones.len()),
        (words.values.len(), rules.values.len()),
        (words.events.len(), rules.events.len()),
        (words.actions.len(), rules.actions.len()),
        (words.adjacencies.len(), rules.adjacencies.len()),
    ];
    named.iter().all(|(names, there)| names == there) && words.vars.len() <= rules.vars.len() && rules.root.is_some()
}

/// The mistakes of a scenario in a game: unknown names and impossible tables. `is_whole`: whether every text of the pack could
/// be read.
fn mistakes_in(scenario: &Scenario, game_box: &GameBox, sources: &Sources, is_whole: bool) -> Vec<Diagnostic> {
    let mut mistakes = Prepared::new(scenario, game_box.rules(), sources, is_whole).1;
    mistakes.extend(unknown_rules(scenario, game_box.catalogue()));
    mistakes.sort_by_key(|mistake| mistake.labels.first().map(|label| label.span));
    mistakes
}

/// Unknown names, in the game of a scenario.
fn mistakes_of(scenario: &Scenario, game_box: &Asked, sources: &Sources) -> Vec<Diagnostic> {
    match game_box {
        Ok(game_box) => mistakes_in(scenario, game_box, sources, true),
        Err(mistakes) => mistakes.iter().cloned().map(|mistake| placed(mistake, scenario)).collect(),
    }
}

/// Plays all scenarios of the targets: packs, files and folders; without targets, those of all packs.
///
/// # Errors
/// If a target is neither a pack nor a path.
pub fn run_files(library: &Library, targets: &[String]) -> Result<TestReport, TargetError> {
    run_tests(library, &TestRequest { targets: targets.to_vec(), ..TestRequest::default() })
}

/// Plays the scenarios that are asked for.
///
/// # Errors
/// If a target is neither a pack nor a path, or the filter fits nothing.
pub fn run_tests(library: &Library, request: &TestRequest) -> Result<TestReport, TargetError> {
    let all: Vec<String> = library.list().into_iter().map(|info| info.id).collect();
    let targets = if request.targets.is_empty() { &all } else { &request.targets };
    let mut report = TestReport::default();
    let mut files = Vec::new();
    for target in targets {
        let found = find(library, target)?;
        report.notes.extend(found.notes);
        let slips = found.files.iter().flat_map(|file| &file.mistakes).filter(|found| found.code == Code::UnreadFile);
        report.notes.extend(slips.map(|slip| match &slip.help {
            Some(help) => format!("{}: {help}", slip.message),
            None => slip.message.clone(),
        }));
        if !found.mistakes.is_empty() {
            let path = file_of(&found.mistakes, &library.sources(), target);
            let pack = target.clone();
            files.push(ScenarioFile { pack, path, scenarios: Vec::new(), mistakes: found.mistakes });
        }
        files.extend(found.files);
    }
    // If both a pack and a folder of it are named, each scenario is played once.
    let mut seen = BTreeSet::new();
    files.retain(|file| file.scenarios.is_empty() || seen.insert(file.path.clone()));
    if let Some(filter) = &request.filter {
        let nearest = nearest_word(&files, filter);
        files.retain_mut(|file| fits(file, filter));
        if files.is_empty() {
            let hint = nearest.map_or(String::new(), |word| format!("; did you mean `{word}`?"));
            return Err(TargetError::NothingMatches(filter.clone(), hint));
        }
    }
    add_packs(files.iter_mut().flat_map(|file| &mut file.scenarios), &request.with);
    let mut boxes = Boxes::default();
    let mut jobs = Vec::new();
    let mut done: Vec<Played> = Vec::new();
    for mut file in files {
        if file.mistakes.iter().any(Diagnostic::is_error) {
            for scenario in &file.scenarios {
                let chosen = boxes.choose(library, scenario);
                file.mistakes.extend(mistakes_of(scenario, game_box(&boxes.all, chosen), &library.sources()));
            }
            let sources = library.sources();
            file.mistakes = without_repeats(file.mistakes, &sources);
            let case = TestCase {
                pack: file.pack,
                file: file.path,
                case: None,
                about: String::new(),
                seconds: 0.0,
                passed: false,
                failure: Some(in_words(&file.mistakes, &sources)),
                notes: Vec::new(),
                at: first_place(&file.mistakes, &sources),
                has_mistakes: true,
            };
            done.push((case, file.mistakes, None));
            continue;
        }
        for scenario in file.scenarios {
            let chosen = boxes.choose(library, &scenario);
            jobs.push((scenario, chosen));
        }
    }
    let sources = library.sources();
    done.extend(play_all(&jobs, &boxes.all, &sources));
    done.sort_by(|(a, ..), (b, ..)| a.file.cmp(&b.file));
    for (case, mistakes, shown) in done {
        report.diagnostics.extend(mistakes);
        match &case.failure {
            None => report.passed = report.passed.saturating_add(1),
            Some(message) => {
                report.failed = report.failed.saturating_add(1);
                let (file, name, (line, column)) = (case.file.clone(), case.case.clone(), case.at);
                report.failures.push(Failure { file, line, column, case: name, message: message.clone() });
            }
        }
        if let Some(shown) = shown {
            let all = report.shown.entry(case.pack.clone()).or_default();
            all.rules.extend(shown.rules);
            all.examples.extend(shown.examples);
            all.pieces.extend(shown.pieces);
        }
        report.cases.push(case);
    }
    report.diagnostics = only_causes(report.diagnostics, &sources);
    Ok(report)
}

/// Loads further packs with scenarios, in addition to those that they name.
fn add_packs<'s>(scenarios: impl Iterator<Item = &'s mut Scenario>, packs: &[String]) {
    for scenario in scenarios {
        for pack in packs {
            if scenario.pack != *pack && !scenario.with.iter().any(|word| word.text == *pack) {
                scenario.with.push(Word { text: pack.clone(), span: Span::top(scenario.file) });
            }
        }
    }
}

/// Keeps the scenarios of a file in which the words occur; returns whether there are any. A pack that cannot be loaded, and a
/// file that cannot be read, stay, because their content is not known.
fn fits(file: &mut ScenarioFile, filter: &str) -> bool {
    let filter = plain(filter);
    let has = |text: &str| plain(text).contains(&filter);
    if has(&file.path) || file.scenarios.is_empty() && !file.mistakes.is_empty() {
        return true;
    }
    file.scenarios.retain(|scenario| has(&scenario.about) || scenario.case.as_deref().is_some_and(has));
    !file.scenarios.is_empty()
}

/// A text in lower case, with spaces between its words: `Night_Ferry` and `night ferry` are the same.
fn plain(text: &str) -> String {
    text.to_lowercase().replace(['_', '-'], " ")
}

/// The word of a path, a case or an `about` that is nearest to the filter.
fn nearest_word(files: &[ScenarioFile], filter: &str) -> Option<String> {
    let cases = |file: &ScenarioFile| -> Vec<String> {
        let texts = file.scenarios.iter().flat_map(|scenario| [Some(&scenario.about), scenario.case.as_ref()]);
        texts.flatten().map(|text| plain(text)).collect()
    };
    let texts: Vec<String> = files.iter().flat_map(|file| [vec![plain(&file.path)], cases(file)].concat()).collect();
    let is_part = |letter: char| !letter.is_alphanumeric();
    let words: BTreeSet<&str> =
        texts.iter().flat_map(|text| text.split(is_part)).filter(|word| word.len() > 2).collect();
    nearest(&plain(filter), words).map(str::to_string)
}

/// The place of the first mistake.
fn first_span(mistakes: &[Diagnostic]) -> Option<Span> {
    let errors = mistakes.iter().filter(|mistake| mistake.is_error());
    errors.chain(mistakes).find_map(|mistake| mistake.labels.first()).map(|label| label.span)
}

/// Line and column of the first mistake.
fn first_place(mistakes: &[Diagnostic], sources: &Sources) -> (usize, usize) {
    first_span(mistakes).map_or((1, 1), |span| {
        let (_, line, column) = sources.position(span);
        (line, column)
    })
}

/// The file with the first mistake of a pack; its manifest if that is not known.
pub(super) fn file_of(mistakes: &[Diagnostic], sources: &Sources, pack: &str) -> String {
    let file = first_span(mistakes).and_then(|span| sources.get(span.file));
    file.map_or_else(|| format!("content/{pack}/pack.toml"), |file| file.path.clone())
}

/// A loaded game for every combination of packs, modes and players that scenarios ask for.
#[derive(Default)]
struct Boxes {
    places: BTreeMap<LinkRequest, usize>,
    all: Vec<Asked>,
}

type Asked = Result<GameBox, Vec<Diagnostic>>;

impl Boxes {
    fn choose(&mut self, library: &Library, scenario: &Scenario) -> usize {
        let request = request(scenario);
        if let Some(place) = self.places.get(&request) {
            return *place;
        }
        let place = self.all.len();
        self.all.push(library.load(&request));
        self.places.insert(request, place);
        place
    }
}

/// The game that was chosen.
#[allow(clippy::indexing_slicing, reason = "`Boxes::choose` gives the numbers, and no game is ever taken out")]
fn game_box(boxes: &[Asked], chosen: usize) -> &Asked {
    &boxes[chosen]
}

/// The game that a scenario is played in: its pack with all that it needs.
pub(crate) fn request(scenario: &Scenario) -> LinkRequest {
    let modes = scenario.modes.iter().map(|mode| mode.text.clone()).collect();
    LinkRequest {
        pack: scenario.pack.clone(),
        with: scenario.with.iter().map(|pack| pack.text.clone()).collect(),
        modes,
        players: scenario.players,
    }
}

type Played = (TestCase, Vec<Diagnostic>, Option<Shown>);

/// Plays on all cores; every thread has its own script hosts.
fn play_all(jobs: &[(Scenario, usize)], boxes: &[Asked], sources: &Sources) -> Vec<Played> {
    let work = |hosts: &mut BTreeMap<usize, _>, (scenario, chosen): &(Scenario, usize)| {
        let began = Instant::now();
        let asked = game_box(boxes, *chosen);
        let mistakes = mistakes_of(scenario, asked, sources);
        let outcome = match asked {
            Ok(game_box) if !mistakes.iter().any(Diagnostic::is_error) => {
                let new = || (game_box.host(), Beginnings::default());
                let (host, beginnings) = hosts.entry(*chosen).or_insert_with(new);
                match host {
                    Ok(host) => run_scenario(scenario, game_box.rules(), host, sources, beginnings),
                    Err(fault) => Err(Stopped::Failed(fault.to_string())),
                }
            }
            _ => Err(Stopped::Mistakes(mistakes)),
        };
        told(scenario, asked.as_ref().ok(), outcome, began.elapsed().as_secs_f64(), sources)
    };
    side_by_side_with(vec![(); all_threads()], jobs, |()| BTreeMap::new(), work)
}

fn told(
    scenario: &Scenario,
    game_box: Option<&GameBox>,
    outcome: Result<Passed, Stopped>,
    seconds: f64,
    sources: &Sources,
) -> Played {
    let case = |failure: Option<String>, at, has_mistakes| TestCase {
        pack: scenario.pack.clone(),
        file: scenario.path.clone(),
        case: scenario.case.clone(),
        about: scenario.about.clone(),
        seconds,
        passed: failure.is_none(),
        failure,
        notes: Vec::new(),
        at,
        has_mistakes,
    };
    match outcome {
        Ok(passed) => {
            let ids = |words: &[Word]| words.iter().map(|word| word.text.clone()).collect();
            let pieces = game_box.into_iter().flat_map(|game_box| {
                let rules = game_box.rules();
                passed.exercised.iter().map(|ty| {
                    let declared = rules.ty(*ty);
                    format!("{}.{}", rules.kind(declared.kind).name, declared.name)
                })
            });
            let shown =
                Shown { rules: ids(&scenario.covers), examples: ids(&scenario.examples), pieces: pieces.collect() };
            let case = TestCase { notes: passed.notes, ..case(None, (1, 1), false) };
            (case, Vec::new(), Some(shown))
        }
        Err(Stopped::Failed(message)) => {
            let (_, line, column) = sources.position(place_of(scenario, &message));
            (case(Some(message), (line, column), false), Vec::new(), None)
        }
        Err(Stopped::Unfit { message, at }) => {
            let (_, line, column) = sources.position(at.unwrap_or_else(|| place_of(scenario, &message)));
            (case(Some(message), (line, column), false), Vec::new(), None)
        }
        Err(Stopped::Mistakes(mistakes)) => {
            (case(Some(in_words(&mistakes, sources)), first_place(&mistakes, sources), true), mistakes, None)
        }
    }
}

/// Rules and examples that the pack does not list.
fn unknown_rules(scenario: &Scenario, catalogue: &Catalogue) -> Vec<Diagnostic> {
    let rules = scenario.covers.iter().map(|word| (word, "rule", &catalogue.rules));
    let examples = scenario.examples.iter().map(|word| (word, "example", &catalogue.examples));
    rules
        .chain(examples)
        .filter(|(word, _, known)| !known.contains_key(&word.text))
        .map(|(word, what, known)| {
            let help = known_instead(&word.text, known.keys().map(String::as_str));
            let message = format!("the pack lists no {what} `{}`", word.text);
            Diagnostic::error(Code::UnknownRule, message).at(word.span).maybe_help(help)
        })
        .collect()
}

/// A mistake in the request for a game, such as an unknown mode, comes from the scenario: it is shown there.
fn placed(mistake: Diagnostic, scenario: &Scenario) -> Diagnostic {
    if !mistake.labels.is_empty() {
        return mistake;
    }
    let is_named = |word: &&Word| mistake.message.contains(&format!("`{}`", word.text));
    let named = || scenario.modes.iter().chain(&scenario.with).find(is_named).map(|word| word.span);
    let span = match mistake.code {
        Code::ModePlayers => scenario.given.get("players").map(|node| node.span).or_else(named),
        Code::AbstractMode | Code::UnknownMode | Code::WrongValue => {
            named().or_else(|| scenario.given.get("modes").map(|node| node.span))
        }
        Code::UnknownPack => named().or(scenario.pack_span),
        _ => None,
    };
    let placed = mistake.at(span.unwrap_or(Span::top(scenario.file)));
    match placed.code {
        Code::ModePlayers => {
            placed.help("let as many play in `given.players` as the mode is for, or leave the mode out")
        }
        _ => placed,
    }
}

/// The largest number of mistakes listed for one scenario.
const MOST_TOLD: usize = 100;

/// Mistakes as the message of a failure.
fn in_words(mistakes: &[Diagnostic], sources: &Sources) -> String {
    let mistakes = only_causes(mistakes.to_vec(), sources);
    let more = mistakes.len().saturating_sub(MOST_TOLD);
    let lines = mistakes.iter().take(MOST_TOLD).map(|mistake| {
        let finding = Finding::new(mistake, sources);
        let place =
            finding.places.first().map(|place| format!("{}:{}:{}: ", one_line(&place.path), place.line, place.column));
        let help = finding.help.map(|help| format!(" ({help})")).unwrap_or_default();
        format!("{}{}{help}", place.unwrap_or_default(), finding.message)
    });
    let more = (more > 0).then(|| format!("and {} more", with_commas(more)));
    lines.chain(more).collect::<Vec<_>>().join("\n")
}
