//! All that can be wrong with a pack: every edition and number of players is linked, and a few games are played.

use std::collections::BTreeSet;

use rulepack_model::Diagnostic;
use rulepack_pack::{Catalogue, LinkRequest, ModeInfo, PackKind};

use crate::blame::fault_mistake;
use crate::load::{GameBox, Library};
use crate::report::without_repeats;
use crate::scenario::{check_scenarios, check_shapes};
use crate::sim::{End, SimRequest, game_seed, play};

/// Checks a pack; `playouts` games are played in each mode.
pub fn check(library: &Library, pack: &str, playouts: u64) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut known = BTreeSet::new();
    for request in requests(library, pack, &mut out) {
        let (game_box, diagnostics) = library.try_load(&request);
        // What the game below leaves untranslated is said when it is checked itself.
        let is_ours = |found: &Diagnostic| request.pack == pack || found.code != "missing-translation";
        out.extend(diagnostics.into_iter().filter(is_ours));
        let Some(game_box) = game_box else { continue };
        out.extend(play_some(library, &game_box, playouts, &mut known));
    }
    if out.iter().any(Diagnostic::is_error) {
        // Names cannot be looked up in a pack with mistakes, but the shape of a scenario can.
        out.extend(check_shapes(library, pack));
    } else {
        out.extend(check_scenarios(library, pack));
    }
    let sources = library.sources();
    without_repeats(out, &sources)
}

/// Every way to play a pack: its own editions, modes and numbers of players; for one that expands a game, also the game
/// as it is without asking for anything of the pack.
pub fn requests(library: &Library, pack: &str, out: &mut Vec<Diagnostic>) -> Vec<LinkRequest> {
    let first = LinkRequest { pack: pack.to_string(), ..LinkRequest::default() };
    let Some(manifest) = library.manifest(pack) else {
        // Not there, or not to be read: linking says so.
        return vec![first];
    };
    if manifest.kind == PackKind::Library && library.game_below(pack).is_none() {
        // Nothing to play it with: at least its manifest must be right.
        out.extend(library.diagnostics());
        return Vec::new();
    }
    let counts: Vec<Option<u8>> = match library.players(pack) {
        Some(players) => (players.min..=players.max).map(Some).collect(),
        None => vec![None],
    };
    let first = LinkRequest { players: counts[0], ..first };
    // Modes are known once the definitions are read; if those have mistakes, they are reported for the default.
    let (game_box, diagnostics) = library.try_load(&first);
    let Some(game_box) = game_box else {
        out.extend(diagnostics);
        return Vec::new();
    };
    let catalogue = game_box.catalogue();
    let is_edition = |mode: &&ModeInfo| manifest.editions.iter().any(|word| word.text == mode.id);
    let editions: Vec<Option<&str>> = catalogue.modes.iter().filter(is_edition).map(|mode| Some(&*mode.id)).collect();
    // A mode that some number of players implies is in use then; others are tried one by one.
    let is_option = |mode: &&ModeInfo| !mode.edition && !mode.is_abstract && mode.players.is_none();
    let own = catalogue.modes.iter().filter(|mode| mode.pack == pack);
    let options: Vec<&ModeInfo> = own.filter(is_option).collect();
    let mut requests = Vec::new();
    for edition in if editions.is_empty() { &[None][..] } else { &editions } {
        let edition: Vec<&str> = edition.iter().copied().collect();
        let along = catalogue.brought_by(&edition);
        for players in &counts {
            let ask = |asked: &[&str]| LinkRequest {
                pack: pack.to_string(),
                with: needs(library, catalogue, asked),
                modes: asked.iter().map(|mode| (*mode).to_string()).collect(),
                players: *players,
            };
            for option in options.iter().filter(|option| !along.contains(option.id.as_str())) {
                let alone = !option.extends.is_empty() && brings_edition(library, &ask(&[&option.id]));
                let edition = edition.iter().copied().filter(|_| !alone);
                requests.push(ask(&edition.chain([option.id.as_str()]).collect::<Vec<_>>()));
            }
            requests.push(ask(&edition));
        }
    }
    if let Some(game) = library.game_below(pack).filter(|game| game != pack && !editions.is_empty()) {
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
    requests.retain(|request| seen.insert(request.clone()));
    requests
}

/// Whether the modes that are asked for bring an edition along, be it one of a pack that only they need.
fn brings_edition(library: &Library, request: &LinkRequest) -> bool {
    let plain = LinkRequest { modes: Vec::new(), ..request.clone() };
    library.load(&plain).is_ok_and(|game_box| {
        let asked: Vec<&str> = request.modes.iter().map(String::as_str).collect();
        let all = game_box.catalogue().brought_by(&asked);
        game_box.catalogue().modes.iter().any(|mode| mode.edition && all.contains(mode.id.as_str()))
    })
}

/// The packs that modes need and that a library holds; others are missed by linking.
fn needs(library: &Library, catalogue: &Catalogue, asked: &[&str]) -> Vec<String> {
    let all = catalogue.brought_by(asked);
    let used = catalogue.modes.iter().filter(|mode| all.contains(mode.id.as_str()));
    let packs: BTreeSet<&String> = used.flat_map(|mode| mode.needs.keys()).filter(|id| library.has(id)).collect();
    packs.into_iter().cloned().collect()
}

/// Plays games; each mistake is reported once, with the seed that led to it.
fn play_some(library: &Library, game_box: &GameBox, playouts: u64, known: &mut BTreeSet<String>) -> Vec<Diagnostic> {
    let host = match game_box.host() {
        Ok(host) => host,
        Err(fault) => return vec![Diagnostic::error("script-fault", fault.to_string())],
    };
    let rules = game_box.rules();
    let request = SimRequest { invariants: true, ..SimRequest::default() };
    let mut out = Vec::new();
    for index in 0..playouts {
        let seed = game_seed(request.seed, index);
        let played = play(game_box, &host, &request, index, seed);
        let diagnostic = match played.end {
            End::Finished => continue,
            End::Capped => {
                let message = format!("a game did not end after {} turns", request.max_turns.min(played.turns as u32));
                Diagnostic::error("endless-game", message)
            }
            End::Failed(message) => fault_mistake(&message, game_box, &library.sources()),
        };
        let is_endless = diagnostic.code == "endless-game";
        if known.insert(diagnostic.message.clone()) {
            let modes: String = rules.modes.iter().map(|mode| format!(" --mode {mode}")).collect();
            let brought = library.load_order(&rules.pack);
            let with = rules.packs.iter().filter(|pack| !brought.contains(&pack.id));
            let with: String = with.map(|pack| format!(" --with {}", pack.id)).collect();
            let call = format!(
                "rulepack play {}{with} --players {}{modes} --seed {seed} --bots all",
                rules.pack, rules.players
            );
            out.push(diagnostic.help(format!("see it with `{call}`")));
        }
        if is_endless {
            break;
        }
    }
    out
}
