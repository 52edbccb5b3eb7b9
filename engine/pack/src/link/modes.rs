//! Which modes are in use, and what they change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;
use rulepack_model::{Code, Diagnostic, FileId, Label, Node, Span, did_you_mean, known_instead};

use super::fields::{Fields, wrong_type};
use super::patch::{Patch, PatchAuthor};
use super::{Absent, Definitions, LinkRequest, Linker, Merged};
use crate::library::{PackSource, Shelf};
use crate::manifest::{Need, PackKind, Word, needs_of_mode};
use crate::resolve::from_near_to_far;

/// A mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModeInfo {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// The pack that declares it.
    pub pack: String,
    /// Where it is declared.
    pub span: Span,
    /// Whether it is an edition: one of the modes of which exactly one is played.
    pub edition: bool,
    /// Whether it exists only to be extended.
    pub is_abstract: bool,
    /// The number of players for which it is always in use.
    pub players: Option<u8>,
    /// Modes that it extends.
    pub extends: Vec<Word>,
    /// Packs that it needs.
    pub needs: BTreeMap<String, Need>,
    /// Definitions that it removes, as `kind.id`.
    pub remove: Vec<Word>,
}

/// The modes that a pack itself declares, whether or not it can be played.
pub fn modes_of(shelf: &mut Shelf, pack: &str) -> Vec<ModeInfo> {
    let (Some(source), _) = shelf.read(pack) else { return Vec::new() };
    let mut out = Vec::new();
    let mut definitions = Definitions::default();
    let mut files = BTreeMap::new();
    for (file, table) in &source.files {
        files.insert(*file, pack.to_string());
        definitions.add(table, &mut out);
    }
    read_modes(&definitions, &source.manifest.editions, &files, &mut out).into_values().collect()
}

pub(crate) type Modes = IndexMap<String, ModeInfo>;

fn read_modes(
    definitions: &Definitions,
    editions: &[Word],
    files: &BTreeMap<FileId, String>,
    out: &mut Vec<Diagnostic>,
) -> Modes {
    let mut modes = Modes::new();
    for (id, entry) in definitions.of("mode") {
        let Some(mut fields) = Fields::of(&entry.node, format!("mode.{id}"), out) else { continue };
        let title = fields.text("title", out).unwrap_or(id).to_string();
        let players = fields.whole("players", 1..=i64::from(u8::MAX), out).map(|players| players as u8);
        let is_abstract = fields.bool("abstract", out).unwrap_or(false);
        let words = |list: Vec<(&str, Span)>| -> Vec<Word> {
            list.into_iter().map(|(text, span)| Word { text: text.to_string(), span }).collect()
        };
        let extends = words(fields.texts("extends", out));
        let remove = words(fields.texts("remove", out));
        let needs = fields.get("needs").map(|node| needs_of_mode(node, &format!("mode.{id}.needs"), out));
        fields.also(&["text", "patch"]);
        fields.done(out);
        if let (true, Some(node)) = (is_abstract, entry.node.as_table().and_then(|table| table.get("players"))) {
            out.push(
                Diagnostic::error(
                    Code::AbstractMode,
                    format!("`mode.{id}` is abstract, so no number of players uses it"),
                )
                .at(node.span)
                .help("write `players` in a mode that extends it"),
            );
        }
        let mode = ModeInfo {
            id: id.to_string(),
            title,
            pack: files.get(&entry.key.file).cloned().unwrap_or_default(),
            span: entry.key,
            edition: editions.iter().any(|word| word.text == id),
            is_abstract,
            players: players.filter(|_| !is_abstract),
            extends,
            needs: needs.unwrap_or_default(),
            remove,
        };
        modes.insert(id.to_string(), mode);
    }
    modes
}

/// The number of players of a mode: its own, or else that of the first mode it extends that has one.
pub(crate) fn players_of_mode<'m>(mode_of: impl Fn(&str) -> Option<&'m ModeInfo>, id: &str) -> Option<u8> {
    let mut waiting = vec![mode_of(id)?];
    let mut seen = BTreeSet::new();
    while let Some(mode) = waiting.pop() {
        if mode.players.is_some() {
            return mode.players;
        }
        if seen.insert(&mode.id) {
            waiting.extend(mode.extends.iter().rev().filter_map(|word| mode_of(&word.text)));
        }
    }
    None
}

/// The extended modes, without those that do not exist.
struct Family<'m> {
    modes: &'m Modes,
    extends: Vec<Vec<(usize, Span)>>,
}

impl<'m> Family<'m> {
    fn new(modes: &'m Modes) -> Self {
        let known = |word: &Word| Some((modes.get_index_of(&word.text)?, word.span));
        let extends = modes.values().map(|mode| mode.extends.iter().filter_map(known).collect()).collect();
        Family { modes, extends }
    }

    /// The modes and all that they extend, depth first and each once, every mode after those it extends. Circles are
    /// returned too, and not followed further.
    fn order(&self, heads: impl Iterator<Item = usize>) -> (Vec<usize>, Vec<Vec<usize>>) {
        let (mut order, mut circles) = (Vec::new(), Vec::new());
        let (mut begun, mut done) = (BTreeSet::new(), BTreeSet::new());
        for head in heads {
            // Not recursive, because a pack may contain a very long chain of modes.
            let mut path: Vec<(usize, usize)> = Vec::new();
            if begun.insert(head) {
                path.push((head, 0));
            }
            while let Some((mode, next)) = path.last_mut() {
                let Some((below, _)) = self.extends(*mode).get(*next) else {
                    order.push(*mode);
                    done.insert(*mode);
                    path.pop();
                    continue;
                };
                *next = next.saturating_add(1);
                if begun.insert(*below) {
                    path.push((*below, 0));
                } else if !done.contains(below) {
                    let circle = path.iter().map(|(mode, _)| *mode).skip_while(|mode| mode != below);
                    circles.push(circle.collect());
                }
            }
        }
        (order, circles)
    }

    /// The modes that a mode itself extends, with the places.
    fn extends(&self, mode: usize) -> &[(usize, Span)] {
        self.extends.get(mode).map_or(&[], Vec::as_slice)
    }

    fn id(&self, mode: usize) -> &'m str {
        &self.modes[mode].id
    }

    /// The number of players of a mode.
    fn players(&self, mode: usize) -> Option<u8> {
        players_of_mode(|id| self.modes.get(id), self.id(mode))
    }

    /// Modes that can be asked for and bring this one into use.
    fn users(&self, mode: usize) -> Vec<&'m str> {
        let mut users = BTreeSet::from([mode]);
        // A mode that uses it comes after it.
        for other in self.order(0..self.modes.len()).0 {
            if self.extends(other).iter().any(|(below, _)| users.contains(below)) {
                users.insert(other);
            }
        }
        users.into_iter().filter(|other| !self.modes[*other].is_abstract).map(|other| self.id(other)).collect()
    }

    /// The editions among modes in use that no other edition in use extends.
    fn editions(&self, order: &[usize]) -> Vec<&'m str> {
        let mut along = BTreeSet::new();
        let mut editions = Vec::new();
        for mode in order.iter().rev() {
            let is_along = along.contains(mode);
            if self.modes[*mode].edition && !is_along {
                editions.push(self.id(*mode));
            }
            if self.modes[*mode].edition || is_along {
                along.extend(self.extends(*mode).iter().map(|(below, _)| *below));
            }
        }
        editions.reverse();
        editions
    }
}

/// The modes of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct InUse {
    /// Those that were asked for, are the default, or follow from the number of players.
    pub(crate) heads: Vec<String>,
    /// Those and all modes that they extend, in the order in which they patch.
    pub(crate) all: Vec<String>,
}

/// The default number of players: that of a mode that is asked for, else the pack's usual number.
pub(crate) fn usual_players(modes: &Modes, asked: &[String], usual: u8) -> u8 {
    let family = Family::new(modes);
    let wanted = asked.iter().find_map(|id| family.players(modes.get_index_of(id)?));
    wanted.unwrap_or(usual)
}

impl Merged {
    /// Reads all modes.
    pub(crate) fn read_modes(&mut self, packs: &[Arc<PackSource>]) {
        let editions: Vec<Word> = packs.iter().flat_map(|pack| pack.manifest.editions.clone()).collect();
        let modes = read_modes(&self.definitions, &editions, &self.files, &mut self.out);
        self.check_editions(&modes, packs);
        self.check_extends(&modes, packs);
        self.check_players(&modes, packs);
        self.refuse_circles(&Family::new(&modes));
        self.modes = Arc::new(modes);
    }

    /// Finds out which modes are in use.
    pub(crate) fn choose_modes(
        &self,
        shelf: &Shelf,
        packs: &[Arc<PackSource>],
        request: &LinkRequest,
        players: u8,
        out: &mut Vec<Diagnostic>,
    ) -> InUse {
        let modes = &*self.modes;
        let family = Family::new(modes);
        let mut heads: BTreeSet<usize> = BTreeSet::new();
        for id in &request.modes {
            match modes.get_full(id) {
                Some((mode, _, info)) => {
                    // It is linked all the same: `check` reads what it says.
                    if info.is_abstract {
                        out.push(asked_for_abstract(&family, mode));
                    }
                    heads.insert(mode);
                }
                None => {
                    let known = modes.values().filter(|mode| !mode.is_abstract).map(|mode| mode.id.as_str());
                    out.push(
                        Diagnostic::error(Code::UnknownMode, format!("`{}` has no mode `{id}`", request.pack))
                            .of_the_call()
                            .maybe_help(known_instead(id, known)),
                    );
                }
            }
        }
        heads.extend((0..modes.len()).filter(|mode| modes[*mode].players == Some(players)));
        let order = |heads: &BTreeSet<usize>| family.order(heads.iter().copied()).0;
        if !order(&heads).iter().any(|mode| modes[*mode].edition) {
            let nearest = from_near_to_far(shelf, &request.pack);
            let default = nearest.iter().find_map(|manifest| manifest.editions.first());
            heads.extend(default.and_then(|word| modes.get_index_of(&word.text)));
        }
        // A mode that another one extends need not be named.
        let extended = order(&heads).into_iter().flat_map(|mode| family.extends(mode)).map(|(below, _)| *below);
        let extended: BTreeSet<usize> = extended.collect();
        heads.retain(|mode| !extended.contains(mode));
        let order = order(&heads);
        if let [first, second, ..] = family.editions(&order)[..] {
            let message = format!("`{first}` and `{second}` are both editions: only one can be played");
            out.push(Diagnostic::error(Code::WrongValue, message).of_the_call());
        }
        for mode in &order {
            check_needs(&modes[*mode], shelf, packs, out);
        }
        for mode in request.modes.iter().filter_map(|id| modes.get_index_of(id)) {
            let wanted = family.players(mode);
            if let Some(wanted) = wanted.filter(|wanted| *wanted != players) {
                out.push(wrong_players(family.id(mode), wanted, players));
            }
        }
        let ids = |modes: &mut dyn Iterator<Item = usize>| modes.map(|mode| family.id(mode).to_string()).collect();
        InUse { heads: ids(&mut heads.iter().copied()), all: ids(&mut order.iter().copied()) }
    }

    /// The number of players of a mode must be possible in its pack, otherwise nobody could play it.
    fn check_players(&mut self, modes: &Modes, packs: &[Arc<PackSource>]) {
        for mode in modes.values() {
            let Some(players) = mode.players else { continue };
            let manifest = |pack: &&Arc<PackSource>| pack.manifest.id == mode.pack;
            let own = packs.iter().find(manifest).and_then(|pack| pack.manifest.players);
            let games = || packs.iter().filter(|pack| pack.manifest.kind == PackKind::Game);
            // Modes of several games may not fit together.
            let only_game = || if games().count() == 1 { games().next()?.manifest.players } else { None };
            let Some(range) = own.or_else(only_game) else { continue };
            if (range.min..=range.max).contains(&players) {
                continue;
            }
            let key = self.definitions.get("mode", &mode.id).and_then(Node::as_table);
            let at = key.and_then(|table| table.get("players")).map_or(mode.span, |node| node.span);
            let plural = if players == 1 { "" } else { "s" };
            let message = format!("`mode.{}` is for {players} player{plural}, and the pack is for {range}", mode.id);
            let (min, max) = (range.min.min(players), range.max.max(players));
            self.out.push(Diagnostic::error(Code::ModePlayers, message).at(at).label(range.span, "said here").help(
                format!("write `players = {{ min = {min}, max = {max} }}` under `[pack]`, or another number here"),
            ));
        }
    }

    /// Every edition must be a mode that can be asked for.
    fn check_editions(&mut self, modes: &Modes, packs: &[Arc<PackSource>]) {
        for word in packs.iter().flat_map(|pack| &pack.manifest.editions) {
            match modes.get(&word.text) {
                None => {
                    let message = format!("the edition `{}` is no mode of the pack", word.text);
                    let known = did_you_mean(&word.text, modes.keys().map(String::as_str));
                    let help = known.unwrap_or_else(|| format!("declare it with `[mode.{}]`", word.text));
                    let mut unknown = Diagnostic::error(Code::UnknownMode, message).at(word.span).help(help);
                    unknown.hidden().packs = true;
                    self.out.push(unknown);
                }
                Some(mode) if mode.is_abstract => self.out.push(
                    Diagnostic::error(Code::AbstractMode, format!("the edition `{}` is an abstract mode", word.text))
                        .at(word.span)
                        .label(mode.span, "declared here")
                        .help("an edition is played by itself: name a mode that extends this one"),
                ),
                Some(_) => {}
            }
        }
    }

    /// An extended mode must exist, unless the mode needs a pack that is not loaded.
    fn check_extends(&mut self, modes: &Modes, packs: &[Arc<PackSource>]) {
        let is_loaded = |id: &String| packs.iter().any(|pack| pack.manifest.id == *id);
        for mode in modes.values().filter(|mode| mode.needs.keys().all(is_loaded)) {
            for word in mode.extends.iter().filter(|word| !modes.contains_key(&word.text)) {
                let known = modes.keys().map(String::as_str).filter(|known| *known != mode.id);
                let mut unknown =
                    Diagnostic::error(Code::UnknownMode, format!("there is no mode `{}` to extend", word.text))
                        .at(word.span)
                        .maybe_help(known_instead(&word.text, known));
                unknown.hidden().definitions = true;
                self.out.push(unknown);
            }
        }
    }

    fn refuse_circles(&mut self, family: &Family<'_>) {
        for circle in family.order(0..family.modes.len()).1 {
            let names: Vec<String> =
                circle.iter().chain(circle.first()).map(|mode| format!("`{}`", family.id(*mode))).collect();
            let message = format!("modes extend one another: {}", names.join(" -> "));
            let mut labels = Vec::new();
            for (mode, next) in circle.iter().zip(circle.iter().cycle().skip(1)) {
                if let Some((_, span)) = family.extends(*mode).iter().find(|(below, _)| below == next) {
                    let text = format!("`{}` extends `{}`", family.id(*mode), family.id(*next));
                    labels.push(Label { span: *span, text });
                }
            }
            let Some(declared) = circle.first().and_then(|mode| family.modes.get_index(*mode)) else { continue };
            let circular = Diagnostic::error(Code::CircularMode, message).at_all(labels, declared.1.span);
            let help = "move what they share into a mode with `abstract = true` that both extend";
            self.out.push(circular.help(help));
        }
    }

    /// The patches of packs, in the order of loading.
    pub(crate) fn patch_by_packs(&mut self, packs: &[Arc<PackSource>]) {
        for pack in packs {
            let by = PatchAuthor { pack: pack.manifest.id.clone(), mode: None };
            for changes in pack.files.iter().filter_map(|(_, table)| table.get(super::merge::PATCHES)) {
                let patch = Patch { by: by.clone(), knows: Vec::new(), changes };
                self.definitions.patch(&mut self.patching, &patch, &self.files, &mut self.out);
            }
        }
    }
}

impl Linker<'_> {
    /// The patches and removals of the modes in use, one mode after the other.
    pub(crate) fn patch_by_modes(&mut self, in_use: &[String]) {
        for id in in_use {
            let Some(mode) = self.modes.get(id).cloned() else { continue };
            let changes =
                self.definitions.get("mode", id).and_then(Node::as_table).and_then(|table| table.get("patch"));
            if let Some(changes) = changes.cloned() {
                let by = PatchAuthor { pack: mode.pack.clone(), mode: Some(id.clone()) };
                let patch = Patch { by, knows: mode.needs.keys().cloned().collect(), changes: &changes };
                self.definitions.patch(&mut self.patching, &patch, &self.files, &mut self.out);
            }
            for word in &mode.remove {
                self.remove(id, word);
            }
        }
    }

    fn remove(&mut self, mode: &str, word: &Word) {
        let Some((kind, id)) = word.text.split_once('.').filter(|(kind, _)| *kind != "mode") else {
            self.out.push(
                Diagnostic::error(Code::WrongValue, format!("`{}` is nothing that a mode can take out", word.text))
                    .at(word.span)
                    .help("write a definition as `KIND.NAME`"),
            );
            return;
        };
        let made = self.definitions.lists.get(&word.text).map(|list| list.types.clone());
        for id in made.iter().flatten() {
            self.remove(mode, &Word { text: format!("{kind}.{id}"), span: word.span });
        }
        let taken = self.definitions.kinds.get_mut(kind).and_then(|table| table.entries.shift_remove(id));
        if taken.is_some() || made.is_some() {
            for key in self.patching.by_mode(mode, &word.text) {
                let message = format!("the mode `{mode}` patches `{}` and then takes it out", word.text);
                let dead = Diagnostic::warning(Code::DeadPatch, message).label(key, "the patch");
                self.out.push(dead.label(word.span, "taken out here").help("keep one of the two"));
            }
            let absent = Absent::Removed { mode: mode.to_string(), at: word.span };
            self.definitions.absent.insert(word.text.clone(), absent);
        } else if !self.definitions.absent.contains_key(&word.text) {
            let known: Vec<String> = self
                .definitions
                .kinds
                .iter()
                .flat_map(|(kind, table)| table.entries.keys().map(move |id| format!("{kind}.{id}")))
                .collect();
            self.out.push(
                Diagnostic::error(Code::UnknownName, format!("there is no `{}` to remove", word.text))
                    .at(word.span)
                    .maybe_help(known_instead(&word.text, known.iter().map(String::as_str))),
            );
        }
    }

    /// Applies `only_in`: definitions that exist in some modes only.
    pub(crate) fn drop_other_modes(&mut self, in_use: &[String]) {
        let known: Vec<String> = self.definitions.of("mode").map(|(id, _)| id.to_string()).collect();
        let out = &mut self.out;
        let Definitions { kinds, absent, .. } = &mut self.definitions;
        for (kind, table) in kinds {
            // A table from which nothing is removed is not copied.
            if !table.iter().any(|(_, entry)| entry.node.below("only_in").is_some()) {
                continue;
            }
            table.entries.retain(|id, entry| {
                let Some(only) = entry.node.as_table().and_then(|table| table.get("only_in")) else { return true };
                let Some(modes) = only.as_list() else {
                    out.push(wrong_type(only, &format!("{kind}.{id}.only_in"), "a list of modes"));
                    return true;
                };
                let mut misspelt = false;
                for mode in modes {
                    let name = mode.as_str().unwrap_or("");
                    if !known.iter().any(|known| known == name) {
                        misspelt = true;
                        out.push(
                            Diagnostic::error(Code::UnknownMode, format!("there is no mode `{name}`"))
                                .at(mode.span)
                                .maybe_help(known_instead(name, known.iter().map(String::as_str))),
                        );
                    }
                }
                let names = || modes.iter().filter_map(Node::as_str);
                let kept = misspelt || names().any(|mode| in_use.iter().any(|used| used == mode));
                if !kept {
                    absent.insert(format!("{kind}.{id}"), Absent::OnlyIn(names().map(str::to_string).collect()));
                }
                kept
            });
        }
    }
}

/// The packs that a mode in use needs must be loaded.
fn check_needs(mode: &ModeInfo, shelf: &Shelf, packs: &[Arc<PackSource>], out: &mut Vec<Diagnostic>) {
    for (id, need) in &mode.needs {
        let Some(pack) = packs.iter().find(|pack| pack.manifest.id == *id) else {
            let (message, help) = if shelf.packs.contains_key(id) {
                let message = format!("the mode `{}` needs the pack `{id}`, which is not loaded", mode.id);
                (message, format!("add `--with {id}`"))
            } else {
                let message = format!("the mode `{}` needs the pack `{id}`, which no library holds", mode.id);
                let known = shelf.packs.keys().map(String::as_str).filter(|known| *known != mode.pack);
                let help = "add the library that holds it with `--library DIR`".to_string();
                (message, did_you_mean(id, known).unwrap_or(help))
            };
            out.push(
                Diagnostic::error(Code::MissingDependency, message)
                    .label(need.span, "needed here")
                    .label(mode.span, "by this mode")
                    .help(help),
            );
            continue;
        };
        let version = &pack.manifest.version;
        if !need.accepts(version) {
            let message =
                format!("the mode `{}` needs `{id}` {}, and version {version} is there", mode.id, need.versions);
            out.push(
                Diagnostic::error(Code::VersionMismatch, message)
                    .label(need.versions_span, "needed here")
                    .label(pack.manifest.version_span, "the version that is there"),
            );
        }
    }
}

fn wrong_players(mode: &str, wanted: u8, players: u8) -> Diagnostic {
    let plural = if wanted == 1 { "" } else { "s" };
    Diagnostic::error(Code::ModePlayers, format!("the mode `{mode}` is for {wanted} player{plural}, not for {players}"))
        .of_the_call()
        .help(format!("write `--players {wanted}`, or leave `--mode {mode}` out"))
}

fn asked_for_abstract(family: &Family<'_>, mode: usize) -> Diagnostic {
    let users: Vec<String> = family.users(mode).into_iter().map(|id| format!("`{id}`")).collect();
    let help = match users.is_empty() {
        true => "no mode of the packs that are loaded extends it".to_string(),
        false => format!("ask for a mode that extends it: {}", users.join(", ")),
    };
    let message = format!("the mode `{}` is abstract and cannot be played by itself", family.id(mode));
    Diagnostic::error(Code::AbstractMode, message).of_the_call().help(help)
}
