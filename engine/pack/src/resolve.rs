//! The load order: a pack and all packs that it needs; each pack comes after those it builds on.
//!
//! Reads manifests only.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_model::{Code, Diagnostic, Label, Span, did_you_mean};

use crate::library::{Found, Shelf};
use crate::manifest::{Manifest, Need, PackKind, Players};

/// The largest number of packs that can be loaded together: a pack and all packs that it needs, directly or not.
const MOST_PACKS: usize = 200;

/// The packs to load for `root` and the `extra` packs: each pack comes after those it builds on; otherwise in the order
/// of their names.
pub fn resolve(shelf: &Shelf, root: &str, extra: &[String]) -> Result<Vec<String>, Vec<Diagnostic>> {
    let mut out = Vec::new();
    let asked: BTreeSet<&str> = extra.iter().map(String::as_str).filter(|id| *id != root).collect();
    let asked = std::iter::once(root).chain(asked);
    let set = collect(shelf, asked, &mut out);
    if set.len() > MOST_PACKS {
        let message = format!("`{root}` needs more than {} packs, directly or by way of others", MOST_PACKS - 1);
        let large = Diagnostic::error(Code::WrongValue, message);
        let large = match shelf.packs.get(root) {
            Some(found) => large.at(found.manifest.id_span),
            None => large.of_the_call(),
        };
        out.push(large.help("join some of them in one pack"));
        return Err(out);
    }
    for (id, found) in &set {
        check_versions(shelf, &set, id, found, &mut out);
        check_conflicts(&set, id, found, &mut out);
    }
    let order = sort(&set, &mut out);
    if out.is_empty() { Ok(order) } else { Err(out) }
}

/// A pack and all packs that it needs, directly or not: the nearest first, those of the same distance by name.
pub(crate) fn from_near_to_far<'s>(shelf: &'s Shelf, root: &str) -> Vec<&'s Manifest> {
    let mut all: Vec<&Manifest> = Vec::new();
    let mut known: BTreeSet<&str> = BTreeSet::from([root]);
    let mut next = known.clone();
    // Larger numbers are refused when the packs are loaded.
    while !next.is_empty() && all.len() <= MOST_PACKS {
        let found: Vec<&Manifest> = next.iter().filter_map(|id| Some(&shelf.packs.get(*id)?.manifest)).collect();
        all.extend(&found);
        let needs = found.iter().flat_map(|manifest| manifest.needs.keys().map(String::as_str));
        next = needs.filter(|id| known.insert(id)).collect();
    }
    all
}

/// The numbers of players of a pack: its own, or those of the game that it builds on.
///
/// # Errors
/// If no pack states them, or several games do.
pub fn players_of(shelf: &Shelf, root: &str) -> Result<Players, Diagnostic> {
    let all = from_near_to_far(shelf, root);
    let Some(manifest) = all.first() else { return Err(shelf.unknown_pack(root)) };
    if let Some(players) = manifest.players {
        return Ok(players);
    }
    let games: Vec<&&Manifest> = all.iter().filter(|manifest| manifest.kind == PackKind::Game).collect();
    if let [game] = games[..]
        && let Some(players) = game.players
    {
        return Ok(players);
    }
    let write = "write `players = { min = 2, max = 4 }` under `[pack]`";
    let (message, at, help) = match games[..] {
        [] if manifest.kind == PackKind::Library => {
            let message = format!("`{root}` is a library, which cannot be played by itself");
            let needs = |found: &&Found| found.manifest.needs.contains_key(root);
            let users: Vec<String> =
                shelf.packs.values().filter(needs).map(|found| format!("`{}`", found.manifest.id)).collect();
            let help = match users[..] {
                [] => "no pack needs it yet".to_string(),
                _ => format!("take a pack that needs it: {}", users.join(", ")),
            };
            return Err(Diagnostic::error(Code::MissingKey, message).at(manifest.id_span).help(help));
        }
        [] => {
            let message = format!("`{root}` builds on no game, so that it cannot be played");
            (message, manifest.id_span, "name the game under `[needs]`")
        }
        [game] => (format!("`{}` does not say how many can play", game.id), game.id_span, write),
        [first, second, ..] => {
            let message =
                format!("`{root}` builds on `{}` and `{}` and does not say how many can play", first.id, second.id);
            (message, manifest.id_span, write)
        }
    };
    let mut missing = Diagnostic::error(Code::MissingKey, message).at(at).help(help);
    missing.hidden().packs = true;
    Err(missing)
}

/// The numbers of players of each pack, as far as known. Shared packs are read once.
pub fn players_of_all(shelf: &Shelf) -> BTreeMap<&str, Players> {
    // The games that a pack is or builds on; it makes no difference whether there are two or more.
    let mut games: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for root in shelf.packs.values() {
        let mut waiting = vec![(&root.manifest, false)];
        while let Some((manifest, is_known_below)) = waiting.pop() {
            let id = manifest.id.as_str();
            let needs = || manifest.needs.keys().filter_map(|id| Some(&shelf.packs.get(id)?.manifest));
            if is_known_below {
                let below = needs().filter_map(|need| games.get(need.id.as_str())).flatten().copied();
                let own = (manifest.kind == PackKind::Game).then_some(id);
                let some: BTreeSet<&str> = own.into_iter().chain(below).collect();
                games.insert(id, some.into_iter().take(2).collect());
            } else if !games.contains_key(id) {
                // A pack that is reached again through a circle adds nothing.
                games.insert(id, BTreeSet::new());
                waiting.push((manifest, true));
                waiting.extend(needs().map(|need| (need, false)));
            }
        }
    }
    let players = |found: &Found| {
        let only = games.get(found.manifest.id.as_str()).filter(|games| games.len() == 1)?.first()?;
        shelf.packs.get(*only)?.manifest.players
    };
    let known = |found: &Found| found.manifest.players.or_else(|| players(found));
    shelf.packs.iter().filter_map(|(id, found)| Some((id.as_str(), known(found)?))).collect()
}

type LoadSet<'a> = BTreeMap<&'a str, &'a Found>;

/// All packs that the asked ones need, directly or not.
fn collect<'a>(shelf: &'a Shelf, asked: impl Iterator<Item = &'a str>, out: &mut Vec<Diagnostic>) -> LoadSet<'a> {
    let mut set = LoadSet::new();
    let mut waiting = Vec::new();
    for id in asked {
        match shelf.packs.get(id) {
            Some(found) => waiting.push((id, found)),
            None => out.push(shelf.unknown_pack(id)),
        }
    }
    while let Some((id, found)) = waiting.pop().filter(|_| set.len() <= MOST_PACKS) {
        if set.insert(id, found).is_none() {
            let needs = found.manifest.needs.keys();
            waiting.extend(needs.filter_map(|id| shelf.packs.get(id).map(|found| (id.as_str(), found))));
        }
    }
    set
}

/// The packs that a pack loads after: those it needs, and the optional ones that are loaded anyway.
fn before<'a>(set: &LoadSet<'a>, found: &'a Found) -> BTreeMap<&'a str, &'a Need> {
    let needs = found.manifest.needs.iter().chain(&found.manifest.optional);
    needs.map(|(id, need)| (id.as_str(), need)).filter(|(id, _)| set.contains_key(id)).collect()
}

fn check_versions(shelf: &Shelf, set: &LoadSet<'_>, id: &str, found: &Found, out: &mut Vec<Diagnostic>) {
    for (name, need) in found.manifest.needs.iter().filter(|(name, _)| !set.contains_key(name.as_str())) {
        let diagnostic = if shelf.is_broken(name) {
            let message = format!("`{id}` needs `{name}`, whose manifest has mistakes");
            Diagnostic::error(Code::MissingDependency, message).help(format!("correct the manifest of `{name}` first"))
        } else {
            let help = did_you_mean(name, shelf.packs.keys().map(String::as_str).filter(|known| *known != id));
            let message = format!("`{id}` needs `{name}`, which no library holds");
            let diagnostic = Diagnostic::error(Code::MissingDependency, message);
            diagnostic.help("add the library that holds it with `--library DIR`").maybe_help(help)
        };
        out.push(diagnostic.at(need.span));
    }
    for (name, need) in before(set, found) {
        let Some(other) = set.get(name).map(|other| &other.manifest) else { continue };
        if !need.accepts(&other.version) {
            let message = format!("`{id}` needs `{name}` {}, and version {} is there", need.versions, other.version);
            let diagnostic = Diagnostic::error(Code::VersionMismatch, message).label(need.versions_span, "needed here");
            out.push(diagnostic.label(other.version_span, "the version that is there"));
        }
    }
}

fn check_conflicts(set: &LoadSet<'_>, id: &str, found: &Found, out: &mut Vec<Diagnostic>) {
    for (name, need) in &found.manifest.conflicts {
        let Some(other) = set.get(name.as_str()).map(|other| &other.manifest) else { continue };
        let back = other.conflicts.get(id).is_some_and(|back| back.accepts(&found.manifest.version));
        // If two packs exclude each other, that is one mistake.
        if need.accepts(&other.version) && !(back && name.as_str() < id) {
            let message = format!("`{id}` cannot be loaded together with `{name}`");
            let diagnostic = Diagnostic::error(Code::ConflictingPack, message).label(need.span, "excluded here");
            out.push(diagnostic.label(other.id_span, "this pack"));
        }
    }
}

/// Repeatedly takes the first pack by name whose dependencies are loaded. Circles are reported and taken as a whole.
fn sort(set: &LoadSet<'_>, out: &mut Vec<Diagnostic>) -> Vec<String> {
    let mut waits: BTreeMap<_, _> = set.iter().map(|(id, found)| (*id, before(set, found))).collect();
    // For each pack the packs that wait for it, and the packs that wait for nothing.
    let mut waiting: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, needs) in &waits {
        needs.keys().for_each(|need| waiting.entry(need).or_default().push(id));
    }
    let mut free: BTreeSet<&str> = waits.iter().filter(|(_, needs)| needs.is_empty()).map(|(id, _)| *id).collect();
    let mut order = Vec::new();
    while !waits.is_empty() {
        let taken = match free.pop_first() {
            Some(id) => vec![id],
            None => {
                let circle = circle(&waits);
                // All packs of a circle are in the set.
                let manifest = circle.iter().find_map(|id| Some(set.get(id)?.manifest.id_span));
                out.extend(manifest.map(|manifest| circular(&waits, &circle, manifest)));
                circle
            }
        };
        for id in taken {
            waits.remove(id);
            for other in waiting.remove(id).unwrap_or_default() {
                let Some(needs) = waits.get_mut(other) else { continue };
                needs.remove(id);
                if needs.is_empty() {
                    free.insert(other);
                }
            }
            order.push(id.to_string());
            // A member of a circle may have become free before it was taken.
            free.remove(id);
        }
    }
    order
}

/// Finds a circle among packs that all wait for one another, by following dependencies until a pack appears again.
fn circle<'a>(waits: &BTreeMap<&'a str, BTreeMap<&'a str, &'a Need>>) -> Vec<&'a str> {
    let mut path: Vec<&str> = Vec::new();
    let mut next = waits.keys().next().copied();
    while let Some(id) = next {
        if let Some(start) = path.iter().position(|seen| *seen == id) {
            return path.split_off(start);
        }
        path.push(id);
        next = waits.get(id).and_then(|needs| needs.keys().next().copied());
    }
    path
}

fn circular(waits: &BTreeMap<&str, BTreeMap<&str, &Need>>, circle: &[&str], manifest: Span) -> Diagnostic {
    let names: Vec<_> = circle.iter().chain(circle.first()).map(|id| format!("`{id}`")).collect();
    let mut labels = Vec::new();
    for (id, next) in circle.iter().zip(circle.iter().cycle().skip(1)) {
        if let Some(need) = waits.get(id).and_then(|needs| needs.get(next)) {
            labels.push(Label { span: need.span, text: format!("`{id}` loads after `{next}`") });
        }
    }
    Diagnostic::error(Code::CircularDependency, format!("packs need one another: {}", names.join(" -> ")))
        .at_all(labels, manifest)
        .help("move what they share into a pack that needs none of them")
}

#[cfg(test)]
// Tests set up and look at files of their own.
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Resolves the first of some packs, given as id, version and further tables; the others are loaded if needed or
    /// named in `extra`.
    fn order(packs: &[(&str, &str, &str)], extra: &[&str]) -> Result<Vec<String>, Vec<String>> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let unique = format!("rulepack-resolve-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let library = std::env::temp_dir().join(unique);
        for (id, version, rest) in packs {
            let folder = library.join("content").join(id);
            fs::create_dir_all(&folder).unwrap();
            let head = format!("[pack]\nid = '{id}'\nversion = '{version}'\ntitle = 'T'\nkind = 'library'\n");
            fs::write(folder.join("pack.toml"), head + rest).unwrap();
        }
        let shelf = crate::open(std::slice::from_ref(&library)).unwrap();
        fs::remove_dir_all(&library).unwrap();
        let extra: Vec<_> = extra.iter().map(ToString::to_string).collect();
        let show = |found: Diagnostic| {
            let place = |span| {
                let (path, line, _) = shelf.texts.sources.position(span);
                format!(" {}:{line}", path.split('/').nth(1).unwrap())
            };
            let places: String = found.labels.iter().map(|label| place(label.span)).collect();
            format!("{}{places}", found.code)
        };
        resolve(&shelf, packs[0].0, &extra).map_err(|found| found.into_iter().map(show).collect())
    }

    #[test]
    fn what_a_pack_builds_on_comes_first_then_by_name() {
        let packs = [
            ("a", "1.0.0", "[needs]\nz = '^1'\nm = '*'\n"),
            ("m", "1.0.0-beta", "[optional]\nx = '^2'\n"),
            ("x", "2.1.0", ""),
            ("z", "1.2.0", ""),
            ("unasked", "1.0.0", ""),
        ];
        assert_eq!(order(&packs, &[]).unwrap(), ["m", "z", "a"]);
        assert_eq!(order(&packs, &["x"]).unwrap(), ["x", "m", "z", "a"]);
    }

    #[test]
    fn reports_what_is_not_there() {
        let packs = [("a", "1.0.0", "[needs]\nb = '*'\nc = '*'\n"), ("c", "wrong", "")];
        let expected = ["unknown-pack", "missing-dependency a:7", "missing-dependency a:8"];
        assert_eq!(order(&packs, &["d"]).unwrap_err(), expected);
    }

    #[test]
    fn reports_wrong_versions_with_both_places() {
        let packs =
            [("a", "1.0.0", "[needs]\nb = '^2'\n[optional]\nc = '^2'\n"), ("b", "1.0.0", ""), ("c", "1.0.0", "")];
        assert_eq!(order(&packs, &[]).unwrap_err(), ["version-mismatch a:7 b:3"]);
        assert_eq!(order(&packs, &["c"]).unwrap_err(), ["version-mismatch a:7 b:3", "version-mismatch a:9 c:3"]);
    }

    #[test]
    fn reports_every_need_of_a_circle() {
        let needs = |id| format!("[needs]\n{id} = '*'\n");
        let packs = [("a", "1.0.0", &*needs("b")), ("b", "1.0.0", &needs("c")), ("c", "1.0.0", &needs("b"))];
        assert_eq!(order(&packs, &[]).unwrap_err(), ["circular-dependency b:7 c:7"]);
        assert_eq!(order(&[("a", "1.0.0", &needs("a"))], &[]).unwrap_err(), ["circular-dependency a:7"]);
    }

    #[test]
    fn packs_that_exclude_each_other_are_one_mistake() {
        let packs = [("a", "1.0.0", "[conflicts]\nb = '*'\n"), ("b", "1.0.0", "[conflicts]\na = '<2'\n")];
        assert_eq!(order(&packs, &["b"]).unwrap_err(), ["conflicting-pack a:7 b:2"]);
        assert_eq!(order(&packs, &[]).unwrap(), ["a"]);
    }
}
