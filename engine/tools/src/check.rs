//! All that can be wrong with a pack: every edition and number of players is linked, and a few games are played.

use std::collections::BTreeSet;

use rulepack_model::Diagnostic;
use rulepack_pack::{LinkRequest, PackKind};

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
        out.extend(diagnostics);
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

/// Every way to play a pack: editions, modes and numbers of players.
pub fn requests(library: &Library, pack: &str, out: &mut Vec<Diagnostic>) -> Vec<LinkRequest> {
    let Some(manifest) = library.manifest(pack) else {
        // Not there, or not to be read: linking says so.
        return vec![LinkRequest { pack: pack.to_string(), ..LinkRequest::default() }];
    };
    if manifest.kind != PackKind::Game {
        return expanded(library, pack, out);
    }
    let counts: Vec<Option<u8>> = match manifest.players {
        Some(players) => (players.min..=players.max).map(Some).collect(),
        None => vec![None],
    };
    let first = LinkRequest { pack: pack.to_string(), players: counts[0], ..LinkRequest::default() };
    // Modes are known once the definitions are read; if those have mistakes, they are reported for the default.
    let (game_box, diagnostics) = library.try_load(&first);
    let Some(game_box) = game_box else {
        out.extend(diagnostics);
        return Vec::new();
    };
    let modes = &game_box.catalogue().modes;
    let editions: Vec<Vec<String>> = match modes.iter().filter(|mode| mode.edition).count() {
        0 => vec![Vec::new()],
        _ => modes.iter().filter(|mode| mode.edition).map(|mode| vec![mode.id.clone()]).collect(),
    };
    let mut requests = Vec::new();
    for edition in &editions {
        for players in &counts {
            let request = LinkRequest {
                modes: edition.clone(),
                players: *players,
                ..LinkRequest { pack: pack.into(), ..first.clone() }
            };
            // A mode that some number of players implies is in use then; others are tried one by one.
            let asked = modes.iter().filter(|mode| !mode.edition && mode.players.is_none());
            requests.extend(asked.map(|mode| {
                let modes = edition.iter().cloned().chain([mode.id.clone()]).collect();
                LinkRequest { modes, ..request.clone() }
            }));
            requests.push(request);
        }
    }
    requests
}

/// A pack that is no game is checked with the games that it needs.
fn expanded(library: &Library, pack: &str, out: &mut Vec<Diagnostic>) -> Vec<LinkRequest> {
    let games = library.manifest(pack).map(|manifest| manifest.needs.into_keys().collect::<Vec<_>>());
    let games = games
        .unwrap_or_default()
        .into_iter()
        .filter(|id| library.manifest(id).is_some_and(|manifest| manifest.kind == PackKind::Game));
    let requests: Vec<LinkRequest> =
        games.map(|game| LinkRequest { pack: game, with: vec![pack.to_string()], ..LinkRequest::default() }).collect();
    if requests.is_empty() {
        // Nothing to play it with: at least what it needs must be there.
        out.extend(library.diagnostics());
    }
    requests
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
            let call =
                format!("rulepack play {} --players {}{modes} --seed {seed} --bots all", rules.pack, rules.players);
            out.push(diagnostic.help(format!("see it with `{call}`")));
        }
        if is_endless {
            break;
        }
    }
    out
}
