//! Renaming an id wherever it is named. A new name that would bring mistakes is refused.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use lsp_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit};
use rulepack_expr::means_something;
use rulepack_pack::is_snake;
use rulepack_tools::{Library, glance};

use super::document::uri_of;
use super::find::{Under, Use};
use super::lines::Lines;
use super::{Refused, Server};
use crate::words::Thing;

impl Server {
    pub(super) fn prepare_rename(&self, at: &TextDocumentPositionParams) -> Result<PrepareRenameResponse, Refused> {
        let because = |why: &str| Refused::Because(why.to_string());
        let under = self.under(at).ok_or_else(|| because("nothing here can be renamed"))?;
        let id = id_of(&under).ok_or_else(|| because("this has no name that can be changed"))?;
        let text = under.document.text.get(under.word.at.clone()).unwrap_or_default();
        let uses = self.uses(&under);
        if !uses.iter().any(|used| used.declares) {
            return Err(because("it is declared nowhere in these packs, so that it cannot be renamed"));
        }
        // Of a plural or of `mode_NAME`, the id is renamed.
        let placeholder = if text.contains(&id) { id } else { text.to_string() };
        let range = under.document.lines.place(&under.document.text, under.word.at.clone());
        Ok(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
    }

    pub(super) fn rename(&mut self, params: &RenameParams) -> Result<WorkspaceEdit, Refused> {
        let at = &params.text_document_position;
        let new = params.new_name.trim();
        let (edits, folders, pack) = {
            let under = self.under(at).ok_or_else(|| Refused::Because("nothing here can be renamed".into()))?;
            let id = id_of(&under).ok_or_else(|| Refused::Because("this has no name that can be changed".into()))?;
            self.refuse_name(&under, &id, new)?;
            let uses = self.uses(&under);
            if !uses.iter().any(|used| used.declares) {
                return Err(Refused::Because("it is declared nowhere in these packs".into()));
            }
            (edits(&under, &uses, &id, new), under.room.folders.clone(), under.pack.clone())
        };
        self.refuse_mistakes(&folders, &pack, &edits)?;
        #[allow(clippy::mutable_key_type)]
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for (path, (text, all)) in edits {
            let lines = Lines::new(&text);
            let open = self.documents.values().find(|document| document.path == path);
            let Some(uri) = open.map(|document| document.uri.clone()).or_else(|| uri_of(&path)) else { continue };
            let edits = all.into_iter().map(|(at, new_text)| TextEdit { range: lines.place(&text, at), new_text });
            changes.insert(uri, edits.collect());
        }
        Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
    }

    fn refuse_name(&self, under: &Under<'_>, id: &str, new: &str) -> Result<(), Refused> {
        let is_good = is_snake(new)
            || matches!(&under.word.thing, Some(Thing::Definition { kind, .. }) if ["rule", "example", "component"].contains(&kind.as_str()));
        if !is_good || new.is_empty() {
            return Err(Refused::Because(format!("`{new}` is no good name: write small letters, digits and `_`")));
        }
        if means_something(new) {
            return Err(Refused::Because(format!("`{new}` is a word of the expression language")));
        }
        let world = under.room.world(&under.pack);
        let taken = match &under.word.thing {
            Some(Thing::Definition { kind, .. }) => {
                let kinds: &[&str] = if world.names.kinds.contains_key(kind) { &["piece"] } else { &[kind] };
                world.find(kinds, new)
            }
            Some(Thing::Attribute(_)) => world.find(&["attribute"], new),
            _ => None,
        };
        match taken {
            Some(_) if new != id => Err(Refused::Because(format!("there is already a `{new}`"))),
            _ => Ok(()),
        }
    }

    /// Tries the edits on a copy: a name that another text already gives a meaning would bring mistakes.
    fn refuse_mistakes(&self, folders: &[PathBuf], pack: &str, edits: &Edits) -> Result<(), Refused> {
        let Ok(library) = Library::open(folders) else { return Ok(()) };
        library.hold();
        for document in self.documents.values() {
            if let Some(shown) = library.shown_path(&document.path) {
                library.replace(&shown, document.text.to_string());
            }
        }
        let before = glance(&library, pack).1.len();
        for (path, (text, all)) in edits {
            let Some(shown) = library.shown_path(path) else { continue };
            let mut new = text.clone();
            for (at, with) in all.iter().rev() {
                if new.get(at.clone()).is_some() {
                    new.replace_range(at.clone(), with);
                }
            }
            library.replace(&shown, new);
        }
        let after = glance(&library, pack).1;
        match after.first() {
            Some(first) if after.len() > before => {
                Err(Refused::Because(format!("the new name would bring a mistake: {}", first.message)))
            }
            _ => Ok(()),
        }
    }
}

/// The id that is renamed.
fn id_of(under: &Under<'_>) -> Option<String> {
    match under.word.thing.as_ref()? {
        Thing::Definition { kind, id } => (id != "each" && !(kind == "phase" && id == "game")).then(|| id.clone()),
        Thing::Attribute(name) | Thing::Mark(name) | Thing::Local { name, .. } => Some(name.clone()),
        Thing::Function { name, .. } => name.rsplit('.').next().map(str::to_string),
        Thing::Method(_) | Thing::Key { .. } | Thing::Language(_) => None,
    }
}

/// The edits of each file, with its text before.
type Edits = BTreeMap<PathBuf, (String, Vec<(std::ops::Range<usize>, String)>)>;

fn edits(under: &Under<'_>, uses: &[Use], id: &str, new: &str) -> Edits {
    let world = under.room.world(&under.pack);
    // A plural that the kind says itself stays.
    let has_plural =
        world.definitions.and_then(|all| all.get("kind", id)).is_some_and(|kind| kind.below("plural").is_some());
    let mut edits = Edits::new();
    for used in uses {
        let written = used.text.get(used.at.clone()).unwrap_or_default();
        let now = match written {
            _ if written == id => new.to_string(),
            _ if written == format!("{id}s") && !has_plural => format!("{new}s"),
            _ if written == format!("mode_{id}") => format!("mode_{new}"),
            _ => continue,
        };
        let file = edits.entry(used.path.clone()).or_insert_with(|| (used.text.clone(), Vec::new()));
        file.1.push((used.at.clone(), now));
    }
    for (_, all) in edits.values_mut() {
        all.sort_by_key(|(at, _)| at.start);
        all.dedup();
    }
    edits
}
