//! All checks of a pack: every edition and number of players is linked, and a few games are played.

use std::collections::BTreeSet;
use std::sync::Arc;

use rulepack_kernel::ruleset::Hook;
use rulepack_lua::GameNames;
use rulepack_model::{Code, Diagnostic, FileId, Severity, ShownBy, Sources};
use rulepack_pack::{Catalogue, LinkRequest, Manifest, ModeInfo};

use rulepack_script::Script;

use crate::allow::apply_allows;
use crate::blame::{fault_mistake, leak_mistake};
use crate::calls::{capped_call, play_call, sim_call};
use crate::lint::{Findings, Lint};
use crate::load::{GameBox, Library, Loaded, MOST_LOADED};
use crate::report::{Finding, only_causes};
use crate::scenario::{check_scenarios, scenario_of};
use crate::scripts::{add_named, add_parts, check_scripts};
use crate::secrecy::{Glances, Kinds};
use crate::sim::{End, Played, SimRequest, simulate};

/// How a pack is checked.
#[derive(Debug, Clone, Default)]
pub struct CheckRequest {
    /// Further packs that are loaded with it.
    pub with: Vec<String>,
    /// The number of random games for each mode and number of players.
    pub playouts: u64,
    /// The number of threads; the findings do not depend on it.
    pub threads: usize,
}

/// The result of checking a pack.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// All findings.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of findings that the files themselves allow.
    pub allowed: usize,
}

/// Reads and links, in parallel, the games that the first checks of some packs need, so that each check starts sooner.
pub fn prepare(library: &Library, packs: &[String], threads: usize) {
    library.hold();
    let mut all: Vec<String> = packs.iter().flat_map(|pack| library.load_order(pack)).collect();
    all.sort();
    all.dedup();
    library.read_ahead(&all, threads);
    let played = packs.iter().filter(|pack| library.has_game(pack));
    let first: Vec<LinkRequest> = played.map(|pack| first_request(library, pack)).collect();
    library.attempt_all(&first, threads);
    let ways: Vec<LinkRequest> = packs.iter().flat_map(|pack| requests(library, pack, &mut Vec::new())).collect();
    library.attempt_all(&ways, threads);
}

/// The default edition for the fewest players.
fn first_request(library: &Library, pack: &str) -> LinkRequest {
    let players = library.players(pack).map(|players| players.min);
    LinkRequest { pack: pack.to_string(), players, ..LinkRequest::default() }
}

/// The number of answers of the first game of each way to play that are tested for leaks.
pub const GLANCES: u32 = 40;

/// The number of further games in which some answers are tested. A leak shows only where something hidden decides it, and each
/// game hides other things.
const GLANCED_GAMES: u64 = 9;

/// The largest number of answers of each of these games that are tested: those of kinds that were hardly tested before, and
/// some that are spread over the game.
const MORE_GLANCES: u32 = 6;

/// The number of those that are spread over the game, whatever their kinds are.
const SPREAD_GLANCES: u64 = 3;

/// Checks a pack. `played` is called after every game. Files count as unchanged while the library is open.
pub fn check(library: &Library, pack: &str, request: &CheckRequest, played: &mut dyn FnMut()) -> Checked {
    check_glancing(library, pack, request, GLANCES, played)
}

/// Like [`check`], with the number of answers to test for leaks.
#[doc(hidden)]
pub fn check_glancing(
    library: &Library,
    pack: &str,
    request: &CheckRequest,
    glances: u32,
    played: &mut dyn FnMut(),
) -> Checked {
    library.hold();
    let mut out = Vec::new();
    let mut known = BTreeSet::new();
    let mut lint = Lint::new(pack);
    let mut playable_ways = Vec::new();
    let (mut scripts, mut hooks): (Vec<Script>, Vec<Hook>) = (Vec::new(), Vec::new());
    let mut names = GameNames::default();
    let mut ways = requests(library, pack, &mut out);
    for way in &mut ways {
        let fresh = request.with.iter().filter(|more| **more != way.pack && !way.with.contains(more)).cloned();
        let fresh: Vec<String> = fresh.collect();
        way.with.extend(fresh);
    }
    let (mut told, mut known_hooks) = (BTreeSet::new(), BTreeSet::new());
    let some_at_a_time = ways.chunks(MOST_LOADED / 2).flat_map(|some| {
        library.attempt_all(some, request.threads);
        some
    });
    for way in some_at_a_time {
        let Loaded { game_box, playable, diagnostics } = library.attempt(way);
        // Missing translations of the base game are reported when the base game is checked.
        let is_ours = |found: &Diagnostic| way.pack == pack || found.code != Code::MissingTranslation;
        let sources = library.sources();
        let is_new = |found: &Diagnostic| told.insert(Finding::new(found, &sources));
        out.extend(diagnostics.into_iter().filter(is_ours).filter(is_new));
        drop(sources);
        let Some(game_box) = game_box else { continue };
        add_parts(&mut names, &game_box.rules().vocabulary);
        add_named(&mut names, &game_box.rules().vocabulary);
        let own = game_box.rules().hooks.iter().filter(|hook| hook.pack == pack);
        hooks.extend(own.filter(|hook| known_hooks.insert((*hook).clone())).cloned());
        if scripts.is_empty() {
            scripts = game_box.scripts().iter().filter(|script| script.pack == pack).cloned().collect();
        }
        lint.look_at_texts(&game_box);
        if playable {
            lint.look(&game_box);
            playable_ways.push(way);
        }
    }
    for way in abstract_ways(library, pack, &ways) {
        let Loaded { game_box, diagnostics, .. } = library.attempt(&way);
        let sources = library.sources();
        let is_new = |found: &Diagnostic| told.insert(Finding::new(found, &sources));
        out.extend(diagnostics.into_iter().filter(is_new).filter_map(in_abstract_mode));
        drop(sources);
        let Some(game_box) = game_box else { continue };
        add_parts(&mut names, &game_box.rules().vocabulary);
        add_named(&mut names, &game_box.rules().vocabulary);
        let own = game_box.rules().hooks.iter().filter(|hook| hook.pack == pack);
        hooks.extend(own.filter(|hook| known_hooks.insert((*hook).clone())).cloned());
    }
    // A definition that could not be read may be the one that a script names.
    if out.iter().any(hides_names) {
        names.forget_named();
    }
    let scripts = check_scripts(&scripts, &hooks, &names);
    // A mistake that is found without running a script is not reported again when the script runs.
    let told: BTreeSet<(FileId, usize)> = lines(&scripts, &library.sources()).collect();
    let unread: Vec<&Diagnostic> = scripts.iter().filter(|found| found.code == Code::ScriptSyntax).collect();
    let file = |found: &Diagnostic| found.labels.first().map(|label| label.span.file);
    out.retain(|found| match found.code {
        Code::ScriptFault => !lines(std::slice::from_ref(found), &library.sources()).any(|line| told.contains(&line)),
        // Where parsing stops, the two may disagree.
        Code::ScriptSyntax => !unread.iter().any(|unread| file(unread) == file(found)),
        _ => true,
    });
    let failing: Vec<Diagnostic> = lint.taken_back().into_iter().chain(lint.nobodys(library)).collect();
    let stops = scripts.iter().chain(&failing).any(Diagnostic::is_error);
    out.extend(scripts.into_iter().chain(failing));
    // A script or an effect with such a mistake would fail in every game.
    for way in playable_ways.into_iter().filter(|_| !stops) {
        let Some(game_box) = library.attempt(way).game_box else { continue };
        let faults = play_some(library, &game_box, request, glances, &mut known, played);
        let sources = library.sources();
        out = faults.into_iter().fold(out, |found, fault| with_fault(found, fault, &sources));
    }
    let is_sound = !out.iter().any(Diagnostic::is_error);
    out.extend(lint.texts(library));
    // It is unknown what a broken text would have used, reached or entered.
    let Findings { found, answered } = if is_sound { lint.finish(library) } else { Findings::default() };
    out.extend(found);
    out.extend(check_scenarios(library, pack, &request.with, request.threads));
    let texts = library.texts_of(pack);
    let sources = library.sources();
    let diagnostics = only_causes(out, &sources);
    let Some(texts) = texts else { return Checked { diagnostics, allowed: 0 } };
    let (diagnostics, allowed) = apply_allows(diagnostics, &answered, &texts, &sources, is_sound);
    Checked { diagnostics, allowed }
}

/// What can be said of a pack at once, while somebody types: its default edition is linked and its scripts are read. Only
/// errors are told, because warnings need every way to play; [`check`] says the rest.
pub fn glance(library: &Library, pack: &str) -> (Option<GameBox>, Vec<Diagnostic>) {
    library.hold();
    let mut out = Vec::new();
    if library.manifest(pack).is_some() && !library.has_game(pack) {
        out.extend(library.diagnostics());
        out.extend(library.shapes(pack));
        let texts = library.texts_of(pack);
        let files = texts.iter().flat_map(|texts| &texts.files).map(|(file, _)| *file);
        let files: BTreeSet<FileId> = files.collect();
        out.retain(|found| found.labels.first().is_some_and(|label| files.contains(&label.span.file)));
        let sources = library.sources();
        return (None, only_causes(out, &sources));
    }
    let Loaded { game_box, playable, diagnostics } = library.attempt(&first_request(library, pack));
    out.extend(diagnostics);
    if let Some(game_box) = &game_box {
        let mut names = GameNames::default();
        add_parts(&mut names, &game_box.rules().vocabulary);
        // Another mode may declare what this one does not know.
        if playable && game_box.catalogue().definitions.absent.is_empty() {
            add_named(&mut names, &game_box.rules().vocabulary);
        }
        let own = |id: &str| id == pack;
        let scripts: Vec<Script> = game_box.scripts().iter().filter(|script| own(&script.pack)).cloned().collect();
        let hooks: Vec<Hook> = game_box.rules().hooks.iter().filter(|hook| own(&hook.pack)).cloned().collect();
        let scripts = check_scripts(&scripts, &hooks, &names);
        let file = |found: &Diagnostic| found.labels.first().map(|label| label.span.file);
        let is_unread =
            |found: &Diagnostic| scripts.iter().any(|one| one.code == Code::ScriptSyntax && file(one) == file(found));
        // Where parsing stops, the two may disagree.
        out.retain(|found| found.code != Code::ScriptSyntax || !is_unread(found));
        out.extend(scripts);
    }
    out.retain(Diagnostic::is_error);
    let sources = library.sources();
    (game_box, only_causes(out, &sources))
}

/// The abstract modes of a pack that none of these ways brings into use, each to be linked with its pack alone. None of
/// them can be played.
fn abstract_ways(library: &Library, pack: &str, ways: &[LinkRequest]) -> Vec<LinkRequest> {
    let Some(first) = ways.iter().find(|way| way.pack == pack) else { return Vec::new() };
    let Some(game_box) = library.attempt(first).game_box else { return Vec::new() };
    let catalogue = game_box.catalogue();
    let asked: Vec<&str> = ways.iter().flat_map(|way| &way.modes).map(String::as_str).collect();
    let tried = catalogue.brought_by(&asked);
    let own = catalogue.modes.iter().filter(|mode| mode.is_abstract && mode.pack == pack);
    let untried: Vec<&ModeInfo> = own.filter(|mode| !tried.contains(mode.id.as_str())).collect();
    // A mode that another of them extends is linked with that one: a long chain is linked once, not once for each mode.
    let along: BTreeSet<&str> =
        untried.iter().flat_map(|mode| mode.extends.iter().map(|word| word.text.as_str())).collect();
    let link = |mode: &ModeInfo| LinkRequest {
        with: [needs(library, catalogue, &[&mode.id]), first.with.clone()].concat(),
        modes: vec![mode.id.clone()],
        players: None,
        pack: pack.to_string(),
    };
    untried.into_iter().filter(|mode| !along.contains(mode.id.as_str())).map(link).collect()
}

/// A mistake in a mode that is linked although it is abstract. A mode that extends it may add a name that is missing, so
/// only what the text shows by itself is certain.
fn in_abstract_mode(found: Diagnostic) -> Option<Diagnostic> {
    const CERTAIN: [Code; 4] = [Code::DuplicateId, Code::ExpressionSyntax, Code::UnknownKey, Code::WrongType];
    match found.code {
        // It was asked for on purpose.
        Code::AbstractMode if found.labels.is_empty() => None,
        code if !found.is_error() || CERTAIN.contains(&code) => Some(found),
        _ => Some(Diagnostic { severity: Severity::Warning, ..found }.likely()),
    }
}

/// Whether a mistake may be the reason why a name is unknown.
fn hides_names(found: &Diagnostic) -> bool {
    const HIDE: [Code; 6] = [
        Code::BadPatch,
        Code::DuplicateId,
        Code::MissingFile,
        Code::MissingDependency,
        Code::TomlSyntax,
        Code::UnknownMode,
    ];
    HIDE.contains(&found.code) || found.message.ends_with("is no kind of definition")
}

/// The lines that findings are about.
fn lines(found: &[Diagnostic], sources: &Sources) -> impl Iterator<Item = (FileId, usize)> {
    let main = found.iter().filter_map(|found| found.labels.first());
    main.map(|label| (label.span.file, sources.position(label.span).1))
}

/// The findings with the fault of a game. If it is a mistake of a script that was found without running it, the game proves
/// that finding, which also knows the cure: one slip has one message.
fn with_fault(mut found: Vec<Diagnostic>, fault: Diagnostic, sources: &Sources) -> Vec<Diagnostic> {
    let line = |one: &Diagnostic| lines(std::slice::from_ref(one), sources).next();
    let explains = |one: &&mut Diagnostic| {
        matches!(one.code, Code::ScriptArgument | Code::ScriptUnknownName) && line(one) == line(&fault)
    };
    match found.iter_mut().filter(|_| fault.code == Code::ScriptFault).find(explains) {
        Some(known) => {
            (known.severity, known.confidence, known.shown_by) = (fault.severity, fault.confidence, fault.shown_by);
        }
        None => found.push(fault),
    }
    found
}

/// Every way to play a pack: its own editions, modes and numbers of players; for an expansion also the game without any
/// edition or mode of the expansion.
pub fn requests(library: &Library, pack: &str, out: &mut Vec<Diagnostic>) -> Vec<LinkRequest> {
    some_requests(library, pack, &[], None, out)
}

/// Like [`requests`], restricted to some modes and to a number of players, if given.
pub(crate) fn some_requests(
    library: &Library,
    pack: &str,
    modes: &[String],
    players: Option<u8>,
    out: &mut Vec<Diagnostic>,
) -> Vec<LinkRequest> {
    let first = first_request(library, pack);
    let Some(manifest) = library.manifest(pack) else {
        // If the pack does not exist or cannot be read, linking says so.
        return vec![first];
    };
    if !library.has_game(pack) {
        // There is no game to play it with: at least its manifest and the shape of its definitions must be right.
        out.extend(library.diagnostics());
        out.extend(library.shapes(pack));
        return Vec::new();
    }
    let counts: Vec<Option<u8>> = match library.players(pack) {
        Some(players) => (players.min..=players.max).map(Some).collect(),
        None => vec![None],
    };
    let counts: Vec<Option<u8>> = counts.into_iter().filter(|count| players.is_none() || *count == players).collect();
    // Modes are known once the definitions are read; if they cannot be read, linking the default reports why.
    let Loaded { game_box: Some(game_box), .. } = library.attempt(&first) else { return vec![first] };
    let catalogue = game_box.catalogue();
    let is_edition = |mode: &&ModeInfo| !mode.is_abstract && manifest.editions.iter().any(|word| word.text == mode.id);
    let editions: Vec<Option<&str>> = catalogue.modes.iter().filter(is_edition).map(|mode| Some(&*mode.id)).collect();
    // A mode that a number of players implies is in use for that number; others are tried one by one.
    let is_option = |mode: &&ModeInfo| !mode.edition && !mode.is_abstract && mode.players.is_none();
    let own = catalogue.modes.iter().filter(|mode| mode.pack == pack);
    let options: Vec<&ModeInfo> = own.filter(is_option).filter(|_| modes.is_empty()).collect();
    let mut requests = Vec::new();
    let editions_tried = if modes.is_empty() { editions.len().max(1) } else { 1 };
    let ways = editions_tried.saturating_mul(counts.len()).saturating_mul(options.len() + 1);
    if ways > MOST_WAYS {
        out.push(too_many_ways(&manifest, ways));
    }
    let asked: Vec<Vec<&str>> = match (modes, editions.as_slice()) {
        ([], []) => vec![Vec::new()],
        ([], editions) => editions.iter().map(|edition| edition.iter().copied().collect()).collect(),
        (modes, _) => vec![modes.iter().map(String::as_str).collect()],
    };
    for edition in asked {
        let along = catalogue.brought_by(&edition);
        for players in &counts {
            if requests.len() >= MOST_WAYS {
                break;
            }
            let ask = |asked: &[&str]| LinkRequest {
                pack: pack.to_string(),
                with: needs(library, catalogue, asked),
                modes: asked.iter().map(|mode| (*mode).to_string()).collect(),
                players: *players,
            };
            for option in options.iter().filter(|option| !along.contains(option.id.as_str())) {
                if requests.len() >= MOST_WAYS {
                    break;
                }
                let alone = !option.extends.is_empty() && brings_edition(library, &ask(&[&option.id]));
                let edition = edition.iter().copied().filter(|_| !alone);
                requests.push(ask(&edition.chain([option.id.as_str()]).collect::<Vec<_>>()));
            }
            requests.push(ask(&edition));
        }
    }
    requests.truncate(MOST_WAYS);
    if let Some(game) = library.game_below(pack).filter(|game| game != pack && !editions.is_empty() && modes.is_empty())
    {
        let with = vec![pack.to_string()];
        let counts = library.players(&game).map(|players| (players.min..=players.max).map(Some));
        let counts: Vec<Option<u8>> = counts.map_or_else(|| vec![None], Iterator::collect);
        requests.extend(counts.into_iter().map(|players| LinkRequest {
            pack: game.clone(),
            with: with.clone(),
            modes: Vec::new(),
            players,
        }));
    }
    let mut seen = BTreeSet::new();
    // A mode for a number of players is not tried with other numbers.
    let is_for = |mode: &String, players| catalogue.players_of(mode).is_none_or(|wanted| Some(wanted) == players);
    requests.retain(|request| {
        request.modes.iter().all(|mode| is_for(mode, request.players)) && seen.insert(request.clone())
    });
    requests
}

/// The largest number of ways to play in which a pack is checked.
const MOST_WAYS: usize = 1_000;

fn too_many_ways(manifest: &Manifest, ways: usize) -> Diagnostic {
    let message = format!(
        "`{}` can be played in {ways} ways: editions, modes and numbers of players; at most {MOST_WAYS} are checked",
        manifest.id
    );
    let help = "have fewer editions or modes, or fewer numbers of players";
    Diagnostic::error(Code::WrongValue, message).at(manifest.id_span).help(help)
}

/// Whether the requested modes extend an edition, also one of a pack that only they need.
fn brings_edition(library: &Library, request: &LinkRequest) -> bool {
    let plain = LinkRequest { modes: Vec::new(), ..request.clone() };
    library.attempt(&plain).game_box.is_some_and(|game_box| {
        let asked: Vec<&str> = request.modes.iter().map(String::as_str).collect();
        let all = game_box.catalogue().brought_by(&asked);
        game_box.catalogue().modes.iter().any(|mode| mode.edition && all.contains(mode.id.as_str()))
    })
}

/// The packs of the library that modes need; linking reports missing ones.
fn needs(library: &Library, catalogue: &Catalogue, asked: &[&str]) -> Vec<String> {
    let all = catalogue.brought_by(asked);
    let used = catalogue.modes.iter().filter(|mode| all.contains(mode.id.as_str()));
    let packs: BTreeSet<&String> = used.flat_map(|mode| mode.needs.keys()).filter(|id| library.has(id)).collect();
    packs.into_iter().cloned().collect()
}

/// A game that does not end is stopped earlier than in a simulation, because nothing is measured.
pub(crate) const MOST_ANSWERS: u64 = 50_000;

/// Plays games; each mistake is reported once, with the seed of its game.
fn play_some(
    library: &Library,
    game_box: &GameBox,
    request: &CheckRequest,
    glances: u32,
    known: &mut BTreeSet<String>,
    played: &mut dyn FnMut(),
) -> Vec<Diagnostic> {
    if request.playouts == 0 {
        return Vec::new();
    }
    let host = match game_box.host() {
        Ok(host) => host,
        Err(fault) => {
            return vec![Diagnostic::error(Code::ScriptFault, fault.to_string()).at(game_box.catalogue().manifest)];
        }
    };
    let sim = SimRequest {
        games: request.playouts,
        threads: request.threads,
        invariants: true,
        max_answers: MOST_ANSWERS,
        small_seeds: true,
        ..SimRequest::default()
    };
    let (mut ends, mut leaks) = (Vec::new(), Vec::new());
    // Faults often come in groups and may take long: the results of a few games are awaited before more begin.
    let (mut first, mut answers, mut glanced) = (0, 0, Kinds::new());
    while first < request.playouts && ends.is_empty() {
        let most_games = match first {
            0 => 1,
            1 => GLANCED_GAMES,
            first => first,
        };
        let games = most_games.min(request.playouts - first);
        let glances = match first {
            0 => Glances { most: glances, ..Glances::default() },
            1 if glances > 0 => {
                let every = (answers / SPREAD_GLANCES).max(1);
                Glances { most: MORE_GLANCES, every, before: Arc::new(std::mem::take(&mut glanced)) }
            }
            _ => Glances::default(),
        };
        simulate(game_box, &SimRequest { first, games, glances, ..sim.clone() }, |game| {
            played();
            if first == 0 {
                answers = game.answers;
                glanced.clone_from(&game.glanced);
            }
            if let End::Leaked(message) = &game.end {
                leaks.push(message.clone());
            } else if game.end != End::Finished {
                ends.push(game.clone());
            }
            true
        });
        first += games;
    }
    ends.sort_by_key(|game| game.index);
    let mut out = Vec::new();
    for message in leaks {
        let leak = leak_mistake(&message, game_box, &library.sources());
        // Of those that name no place each is a leak of its own.
        let place = leak.labels.first().filter(|label| label.span != game_box.catalogue().manifest);
        let place = place.map_or(message, |label| format!("{:?}", label.span));
        if known.insert(format!("leak {place}")) {
            out.push(leak);
        }
    }
    for Played { seed, answers, turns, end, failed_check, .. } in ends {
        let (diagnostic, is_endless) = match end {
            End::Finished | End::Leaked(_) => continue,
            End::Capped => {
                let message = format!("a game did not end after {turns} turns and {answers} answers");
                (Diagnostic::error(Code::EndlessGame, message).at(game_box.catalogue().manifest), true)
            }
            End::Failed(message) => (fault_mistake(&message, game_box, &library.sources()), false),
        };
        let new =
            if is_endless { known.insert("endless-game".into()) } else { known.insert(diagnostic.message.clone()) };
        if !new {
            continue;
        }
        let about = format!("Found by playing: {}", diagnostic.message);
        let scenario = (!is_endless).then(|| scenario_of(game_box, &host, seed, answers, &about)).flatten();
        let rules = game_box.rules();
        let call = match failed_check {
            true => sim_call(library, rules, &sim, seed),
            false if is_endless => capped_call(library, rules, &sim, seed, answers),
            false => play_call(library, rules, &sim, seed),
        };
        let mut diagnostic = diagnostic.help(format!("see it with `{call}`"));
        diagnostic.shown_by = Some(Box::new(ShownBy { seed, call, scenario }));
        out.push(diagnostic);
    }
    out
}
