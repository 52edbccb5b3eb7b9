//! Linking: packs are merged, names are turned into ids, texts are compiled. The result is a [`Ruleset`] that can be
//! played.
//!
//! This stage, or an earlier one, finds every mistake of a pack. All mistakes are kept; there is a ruleset only if none
//! of them is an error.

mod below;
mod catalogue;
mod circles;
mod compile;
mod counts;
mod each;
mod fields;
mod flow;
mod kept;
mod kinds;
mod layout;
pub(crate) mod lengths;
mod look;
mod many;
mod meaning;
mod merge;
mod modes;
mod names;
mod parts;
mod patch;
mod performed;
mod pieces;
mod piles;
mod printings;
mod questions;
mod repetition;
mod required;
mod seats;
mod secrets;
mod sets;
mod standing;
mod table;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rulepack_expr::{Parses, Ty, Vocabulary};
use rulepack_kernel::Header;
use rulepack_kernel::Ruleset;
use rulepack_kernel::ruleset::PackStamp;
use rulepack_model::{Code, Diagnostic, FileId, Sources, did_you_mean, known_instead, nearest};

pub use catalogue::{Catalogue, Component, RuleEntry};
pub use compile::{CompiledText, TextNote, TextUse};
pub use each::TypeList;
use fields::keys_in;
pub(crate) use kept::Kept;
pub use merge::{Absent, Definitions};
use merge::{is_taken, reserved};
pub use modes::{ModeInfo, modes_of};
pub use patch::{Layer, PatchAuthor};
pub use texts::printing_of;

use crate::library::{PackSource, ReadPack, Shelf};
use crate::manifest::{MANIFEST_TABLES, Manifest};
use crate::resolve::{players_of, resolve};
use crate::shape::Headers;

/// A request to link a pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkRequest {
    /// The pack.
    pub pack: String,
    /// Further packs to be loaded with it.
    pub with: Vec<String>,
    /// Modes that are asked for.
    pub modes: Vec<String>,
    /// The number of players; the smallest that the pack allows if not given.
    pub players: Option<u8>,
}

impl LinkRequest {
    /// What the header of a save or a log asks for: the packs, modes and players of its game.
    pub fn of(header: &Header) -> LinkRequest {
        let Header { pack, packs, modes, players, .. } = header;
        LinkRequest {
            pack: pack.clone(),
            with: packs.iter().map(|other| other.id.clone()).filter(|id| id != pack).collect(),
            modes: modes.clone(),
            players: Some(*players),
        }
    }
}

/// A pack that is ready to be played.
#[derive(Debug, Clone)]
pub struct Linked {
    /// The part for the kernel.
    pub rules: Ruleset,
    /// The part for the script host.
    pub scripts: Arc<[ScriptText]>,
    /// The part for reports.
    pub catalogue: Arc<Catalogue>,
    /// Comparisons and divisions of all texts.
    pub notes: Arc<[TextNote]>,
}

/// A script as it was read.
#[derive(Debug, Clone)]
pub struct ScriptText {
    /// The pack.
    pub pack: String,
    /// Its name as hooks use it.
    pub name: String,
    /// The file.
    pub file: FileId,
    /// The path for people.
    pub path: String,
    /// The text.
    pub text: String,
}

/// Merged packs, before the modes of a game are applied.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    pub(crate) definitions: Definitions,
    /// The pack of each file.
    pub(crate) files: Arc<BTreeMap<FileId, String>>,
    /// All modes.
    pub(crate) modes: Arc<modes::Modes>,
    pub(crate) patching: patch::Patching,
    pub(crate) out: Vec<Diagnostic>,
}

/// A game without its players.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    rules: Ruleset,
    seating: seats::Seating,
    scripts: Arc<[ScriptText]>,
    catalogue: Arc<Catalogue>,
    notes: Arc<[TextNote]>,
    out: Vec<Diagnostic>,
}

/// Links one game.
pub(crate) struct Linker<'s> {
    pub(crate) sources: &'s Sources,
    pub(crate) parses: &'s Parses,
    pub(crate) definitions: Definitions,
    pub(crate) files: Arc<BTreeMap<FileId, String>>,
    /// The manifest, for mistakes of the pack as a whole.
    pub(crate) at: rulepack_model::Span,
    /// The default of an attribute.
    pub(crate) attr_defaults: BTreeMap<(rulepack_model::KindId, String), rulepack_model::Node>,
    /// Paths of files, and the line starts in each.
    pub(crate) lines: BTreeMap<FileId, (Arc<str>, Vec<usize>)>,
    /// The attributes that types must set.
    pub(crate) required: required::Required,
    /// For each action, the types of its parameters; needed until all actions have been read.
    pub(crate) parameters: BTreeMap<String, Vec<Ty>>,
    /// For each kind, the widest kind above it.
    pub(crate) widest: Vec<rulepack_model::KindId>,
    /// Types that are printings of another one; texts call both by one name.
    pub(crate) copies: BTreeMap<String, String>,
    /// All modes, in use or not.
    pub(crate) modes: Arc<modes::Modes>,
    pub(crate) patching: patch::Patching,
    /// The texts that were compiled.
    pub(crate) texts: BTreeSet<CompiledText>,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) rules: Ruleset,
    pub(crate) seating: seats::Seating,
    /// Checks that run once the whole game is known.
    pub(crate) notes: Vec<TextNote>,
    pub(crate) out: Vec<Diagnostic>,
}

/// The result of linking. If there are mistakes, it contains everything that was understood, so that scripts can be
/// checked as well.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The game, as far as it was linked; `None` if the packs could not be read.
    pub linked: Option<Linked>,
    /// Whether it can be played.
    pub playable: bool,
    /// All mistakes and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl Attempt {
    fn failed(diagnostics: Vec<Diagnostic>) -> Self {
        Attempt { linked: None, playable: false, diagnostics }
    }
}

/// Links a pack with all packs that it needs.
pub fn link(shelf: &mut Shelf, request: &LinkRequest) -> (Option<Linked>, Vec<Diagnostic>) {
    let attempt = try_link(shelf, request);
    (attempt.linked.filter(|_| attempt.playable), attempt.diagnostics)
}

/// Links a pack with all packs that it needs, and returns the parts that could be linked even if the pack cannot be played.
pub fn try_link(shelf: &mut Shelf, request: &LinkRequest) -> Attempt {
    let order = match resolve(shelf, &request.pack, &request.with) {
        Ok(order) => order,
        Err(mut diagnostics) => {
            diagnostics.extend(check_shapes(shelf, &request.pack));
            return Attempt::failed(diagnostics);
        }
    };
    let read = order.iter().map(|id| shelf.read(id)).collect();
    link_read(shelf, request, read)
}

/// The same for a shelf whose packs have been read and are held, so that several can be linked at the same time; `None`
/// if a file would have to be read.
pub fn try_link_held(shelf: &Shelf, request: &LinkRequest) -> Option<Attempt> {
    let order = resolve(shelf, &request.pack, &request.with).ok()?;
    let read = order.iter().map(|id| shelf.held(id)).collect::<Option<_>>()?;
    Some(link_read(shelf, request, read))
}

fn link_read(shelf: &Shelf, request: &LinkRequest, read: Vec<ReadPack>) -> Attempt {
    let mut out = Vec::new();
    let mut packs = Vec::new();
    for (pack, diagnostics) in read {
        out.extend(diagnostics);
        packs.extend(pack);
    }
    let Some(main) = packs.iter().find(|pack| pack.manifest.id == request.pack) else { return Attempt::failed(out) };
    let manifest = main.manifest.clone();
    let players = match players(shelf, &request.pack, request.players) {
        Ok(players) => players,
        Err(diagnostic) => {
            // A manifest without a usable number of players was reported when it was read.
            let in_manifest = |known: &Diagnostic| {
                let labels = || known.labels.iter().zip(&diagnostic.labels);
                known.is_error() && labels().any(|(known, label)| known.span.file == label.span.file)
            };
            if diagnostic.code != Code::MissingKey || !shelf.diagnostics.iter().any(in_manifest) {
                out.push(diagnostic);
            }
            out.extend(shapes(shelf, &packs));
            return Attempt::failed(out);
        }
    };
    link_packs(shelf, request, &packs, &manifest, players, out)
}

/// The mistakes in the files of a pack that cannot be linked, as far as each file shows them by itself.
pub fn check_shapes(shelf: &mut Shelf, pack: &str) -> Vec<Diagnostic> {
    let (pack, mut out) = shelf.read_or_guess(pack);
    out.extend(shapes(shelf, pack.as_slice()));
    out
}

/// Mistakes that the texts of packs show without the packs they build on: for packs that cannot be linked.
fn shapes(shelf: &Shelf, packs: &[Arc<PackSource>]) -> Vec<Diagnostic> {
    const SHAPES: [Code; 4] = [Code::DuplicateId, Code::ExpressionSyntax, Code::UnknownKey, Code::WrongType];
    let mut out = Vec::new();
    for pack in packs {
        let request = LinkRequest { pack: pack.manifest.id.clone(), ..LinkRequest::default() };
        let attempt = link_packs(shelf, &request, std::slice::from_ref(pack), &pack.manifest, 2, Vec::new());
        // A pack that it needs may declare the kind.
        let is_shape =
            |found: &Diagnostic| SHAPES.contains(&found.code) && !found.message.ends_with("is no kind of definition");
        out.extend(attempt.diagnostics.into_iter().filter(is_shape));
    }
    out
}

fn link_packs(
    shelf: &Shelf,
    request: &LinkRequest,
    packs: &[Arc<PackSource>],
    manifest: &Manifest,
    players: u8,
    mut out: Vec<Diagnostic>,
) -> Attempt {
    let order: Vec<String> = packs.iter().map(|pack| pack.manifest.id.clone()).collect();
    let kept = shelf.kept();
    let merged = match kept {
        Some(kept) => kept.merged.get(order.clone(), || Merged::new(packs)),
        None => Arc::new(Merged::new(packs)),
    };
    out.extend(merged.out.iter().cloned());
    let players = match request.players {
        Some(_) => players,
        None => modes::usual_players(&merged.modes, &request.modes, players),
    };
    let in_use = merged.choose_modes(shelf, packs, request, players, &mut out);
    let draft = match kept {
        Some(kept) => {
            let key = (request.pack.clone(), order, in_use.clone());
            kept.drafts.get(key, || merged.draft(shelf, packs, manifest, in_use))
        }
        None => Arc::new(merged.draft(shelf, packs, manifest, in_use)),
    };
    let Draft { mut rules, seating, scripts, catalogue, notes, out: found } = Arc::unwrap_or_clone(draft);
    out.extend(found);
    seating.seat(&mut rules, players, manifest.id_span, &mut out);
    let playable = !out.iter().any(Diagnostic::is_error);
    Attempt { linked: Some(Linked { rules, scripts, catalogue, notes }), playable, diagnostics: out }
}

impl Merged {
    fn new(packs: &[Arc<PackSource>]) -> Self {
        let mut merged = Merged { patching: patch::Patching::new(packs), ..Merged::default() };
        let mut files = BTreeMap::new();
        for pack in packs {
            for (file, table) in &pack.files {
                files.insert(*file, pack.manifest.id.clone());
                merged.definitions.add(table, &mut merged.out);
            }
        }
        merged.files = Arc::new(files);
        merged.definitions.make_types(&mut merged.out);
        merged.patch_by_packs(packs);
        merged.read_modes(packs);
        merged
    }

    /// The game with some modes, for any number of players.
    fn draft(&self, shelf: &Shelf, packs: &[Arc<PackSource>], manifest: &Manifest, in_use: modes::InUse) -> Draft {
        let mut linker = Linker {
            sources: &shelf.texts.sources,
            parses: &shelf.texts.parses,
            definitions: self.definitions.clone(),
            files: Arc::clone(&self.files),
            attr_defaults: BTreeMap::new(),
            lines: BTreeMap::new(),
            required: required::Required::default(),
            copies: BTreeMap::new(),
            widest: Vec::new(),
            parameters: BTreeMap::new(),
            modes: Arc::clone(&self.modes),
            patching: self.patching.clone(),
            texts: BTreeSet::new(),
            at: manifest.id_span,
            vocabulary: Vocabulary::default(),
            rules: Ruleset { pack: manifest.id.clone(), ..Ruleset::default() },
            seating: seats::Seating::default(),
            notes: Vec::new(),
            out: Vec::new(),
        };
        linker.vocabulary.modes = self.modes.keys().map(|id| (id.clone(), in_use.all.contains(id))).collect();
        linker.patch_by_modes(&in_use.all);
        linker.drop_other_modes(&in_use.all);
        linker.printings();
        linker.rules.modes = in_use.heads;
        linker.rules.packs = packs
            .iter()
            .map(|pack| PackStamp { id: pack.manifest.id.clone(), version: pack.manifest.version.to_string() })
            .collect();
        linker.refuse_too_many();
        linker.refuse_long_texts();
        linker.refuse_kinds_of_definitions();
        linker.refuse_unknown_kinds();
        linker.names();
        linker.link_sets();
        linker.link_pieces();
        linker.link_table();
        linker.link_flow();
        linker.link_standing();
        linker.link_secrets();
        linker.refuse_misfits();
        linker.refuse_circles();
        linker.link_texts(manifest, packs);
        linker.link_look(packs);
        let scripts = scripts(&shelf.texts.sources, packs);
        linker.finish_hooks(&scripts);
        linker.doubt_what_goes_on();
        linker.rules.meaning = Arc::new(meaning::meaning(&linker.definitions, &scripts, &linker.rules));
        let out = linker.definitions.told_once(std::mem::take(&mut linker.out));
        let catalogue = Arc::new(linker.catalogue());
        let Linker { mut rules, seating, vocabulary, notes, out: found, .. } = linker;
        let out = out.into_iter().chain(found).collect();
        rules.vocabulary = vocabulary;
        Draft { rules, seating, scripts: scripts.into(), catalogue, notes: notes.into(), out }
    }
}

fn players(shelf: &Shelf, pack: &str, wanted: Option<u8>) -> Result<u8, Diagnostic> {
    let range = players_of(shelf, pack)?;
    let players = wanted.unwrap_or(range.min.max(2).min(range.max));
    if players < range.min || players > range.max {
        let message = format!("`{pack}` is for {range}, not for {players}");
        return Err(Diagnostic::error(Code::WrongValue, message).at(range.span));
    }
    Ok(players)
}

fn scripts(sources: &Sources, packs: &[Arc<PackSource>]) -> Vec<ScriptText> {
    let mut scripts = Vec::new();
    for pack in packs {
        for (name, file) in &pack.scripts {
            let Some(source) = sources.get(*file) else { continue };
            scripts.push(ScriptText {
                pack: pack.manifest.id.clone(),
                name: name.clone(),
                file: *file,
                path: source.path.clone(),
                text: source.text.clone(),
            });
        }
    }
    scripts
}

/// Kinds of definitions that the engine knows; every other kind is a kind of pieces that the game declares.
pub(crate) const BUILT_IN: [&str; 24] = [
    "resource",
    "group",
    "symbol",
    "kind",
    "zone",
    "var",
    "value",
    "set",
    "event",
    "action",
    "phase",
    "prompt",
    "score",
    "rank",
    "mode",
    "rule",
    "example",
    "component",
    "game",
    "attribute",
    "word",
    "adjacency",
    "standing",
    "look",
];

impl Linker<'_> {
    /// The mistake of a kind of pieces with the name of a kind of definitions: `[zone.x]` could be either.
    fn refuse_kinds_of_definitions(&mut self) {
        let Some(kinds) = self.definitions.kinds.get_mut("kind") else { return };
        for name in BUILT_IN {
            let Some(entry) = kinds.entries.shift_remove(name) else { continue };
            let message = format!("`{name}` is a kind of definition, so that no kind of pieces can be called so");
            let mut refused = Diagnostic::error(Code::WrongValue, message).at(entry.key);
            let names = [name.to_string(), format!("{name}s")];
            refused.hidden().unknown.extend(names.clone());
            self.out.push(refused.hides(names).help("take another name, be it a longer one"));
        }
    }

    /// A definition that was perhaps meant at a table with a mistake: `[card.guest]` above `[kind.guest.attributes]`.
    /// Findings about it may be consequences.
    fn doubt_what_goes_on(&mut self) {
        let mut out = std::mem::take(&mut self.out);
        let mut headers = BTreeMap::new();
        for found in out.iter_mut().filter(|found| [Code::UnknownKey, Code::WrongValue].contains(&found.code)) {
            let Some(at) = found.labels.first().map(|label| label.span) else { continue };
            let Some(file) = self.sources.get(at.file) else { continue };
            let headers = headers.entry(at.file).or_insert_with(|| Headers::new(&file.text));
            let Some((kind, id)) = headers.continued_after(at.end as usize) else { continue };
            if self.definitions.get(kind, id).is_none() || headers.has(&format!("[{kind}.{id}]")) {
                continue;
            }
            let doubted = if kind == "kind" { self.and_below(id) } else { vec![id.to_string()] };
            found.hidden().unknown.extend(doubted);
        }
        self.out = out;
    }

    /// The mistake of a top-level table that is neither known to the engine nor a kind of the game.
    fn refuse_unknown_kinds(&mut self) {
        let kinds: Vec<String> = self.definitions.of("kind").map(|(id, _)| id.to_string()).collect();
        let known = || BUILT_IN.into_iter().chain(kinds.iter().map(String::as_str));
        let all: BTreeSet<&str> = known().collect();
        // Kinds whose own table has a misspelt name, which is reported there.
        let slips = self.definitions.kinds.iter().filter(|(kind, _)| !all.contains(kind.as_str()));
        let of_slips: BTreeSet<&str> = slips
            .filter(|(kind, _)| nearest(kind, known()) == Some("kind"))
            .flat_map(|(_, table)| table.iter().map(|(id, _)| id))
            .collect();
        for (kind, table) in self.definitions.kinds.iter().filter(|(kind, _)| !of_slips.contains(kind.as_str())) {
            if all.contains(kind.as_str()) {
                let named = table.iter().filter(|(id, _)| is_taken(kind, id));
                self.out.extend(named.map(|(id, entry)| reserved(id, entry.key, None)));
                continue;
            }
            if let Some(at) = self.definitions.headers.get(&(kind.clone(), String::new())) {
                let unknown = Diagnostic::error(Code::UnknownKey, format!("`{kind}` is no kind of definition")).at(*at);
                self.out.push(unknown.missing(kind).maybe_help(known_instead(kind, known())));
            }
            let meant = did_you_mean(kind, known());
            // One message for all of them, and none for texts that use their definitions.
            for (id, entry) in table.iter() {
                let at = self.definitions.headers.get(&(kind.clone(), id.to_string())).copied().unwrap_or(entry.key);
                let declare = || format!("a kind of pieces is declared by `[kind.{kind}]`");
                let message = format!("`{kind}` in `[{kind}.{id}]` is no kind of definition");
                let mut unknown = Diagnostic::error(Code::UnknownKey, message).at(at).missing(kind);
                let hidden = unknown.hidden();
                hidden.names.extend([id.to_string(), format!("{kind}s")]);
                keys_in(&entry.node, &mut hidden.names);
                hidden.near.extend([kind.clone(), id.to_string()]);
                hidden.unknown.push(id.to_string());
                hidden.definitions = nearest(kind, ["mode"]).is_some();
                hidden.packs = nearest(kind, MANIFEST_TABLES).is_some();
                if nearest(kind, ["kind"]).is_some() {
                    hidden.unknown.extend(self.and_below(id));
                }
                // Findings about types of such a kind are consequences, too.
                let types = self.definitions.kinds.get(id).filter(|_| of_slips.contains(id));
                for (ty, entry) in types.into_iter().flat_map(|types| types.iter()) {
                    hidden.names.push(ty.to_string());
                    keys_in(&entry.node, &mut hidden.names);
                    hidden.near.push(ty.to_string());
                    hidden.unknown.push(ty.to_string());
                }
                self.out.push(unknown.help(meant.clone().unwrap_or_else(declare)));
            }
        }
    }

    fn finish_hooks(&mut self, scripts: &[ScriptText]) {
        let hooks = std::mem::take(&mut self.vocabulary.hooks);
        for ((pack, name), (id, bound_at)) in &hooks {
            let query = self.vocabulary.queries.contains(id);
            let file = name.rsplit_once('.').map_or("", |(file, _)| file);
            if !scripts.iter().any(|script| script.pack == *pack && script.name == file) {
                let known: Vec<&str> =
                    scripts.iter().filter(|script| script.pack == *pack).map(|script| script.name.as_str()).collect();
                let help = did_you_mean(file, known).unwrap_or_else(|| {
                    let file = file.replace('.', "/");
                    format!("write `scripts/{pack}/{file}.lua`, which returns a table with the function")
                });
                self.out.push(
                    Diagnostic::error(Code::MissingScript, format!("there is no script `{file}.lua` for `{name}`"))
                        .at(self.span_of(bound_at).unwrap_or(self.at))
                        .help(help),
                );
            }
            self.rules.hooks.push(rulepack_kernel::ruleset::Hook {
                pack: pack.clone(),
                name: name.clone(),
                bound_at: bound_at.clone(),
                query,
            });
        }
        self.vocabulary.hooks = hooks;
    }

    /// The place of `kind.id key`.
    pub(crate) fn span_of(&self, origin: &str) -> Option<rulepack_model::Span> {
        let (path, key) = origin.split_once(' ').unwrap_or((origin, ""));
        let (kind, id) = path.split_once('.')?;
        let mut node = self.definitions.get(kind, id)?;
        let mut span = node.span;
        for part in key.split('.').filter(|part| !part.is_empty()) {
            match node.below(part) {
                Some(inner) => {
                    node = inner;
                    span = inner.span;
                }
                None => break,
            }
        }
        Some(span)
    }
}
