//! What stands under the cursor, where it is declared, and where else it is used.

use std::ops::Range;
use std::path::PathBuf;

use lsp_types::{
    DocumentHighlight, DocumentHighlightParams, GotoDefinitionParams, GotoDefinitionResponse, Location, Position,
    ReferenceParams, TextDocumentPositionParams,
};

use super::Server;
use super::document::{Document, FileSort, uri_of};
use super::lines::Lines;
use super::room::Room;
use crate::words::{Role, Thing, Word};

/// A word under the cursor, with its file.
pub(super) struct Under<'a> {
    pub(super) document: &'a Document,
    pub(super) room: &'a Room,
    pub(super) pack: String,
    pub(super) word: Word,
    pub(super) words: Vec<Word>,
}

/// A place where something is named.
pub(super) struct Use {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) at: Range<usize>,
    pub(super) declares: bool,
}

impl Server {
    /// The open file of a request, with its room, its pack and what kind of file it is.
    pub(super) fn open_file(&self, uri: &str) -> Option<(&Document, &Room, String, FileSort)> {
        let document = self.documents.get(uri)?;
        let room = self.rooms.iter().find(|room| room.holds(&document.path))?;
        let (pack, sort) = room.sort(&document.path);
        // A shared script is read with the names of a pack that is open.
        let pack = pack.or_else(|| room.packs.keys().next().cloned())?;
        Some((document, room, pack, sort))
    }

    pub(super) fn under(&self, at: &TextDocumentPositionParams) -> Option<Under<'_>> {
        let (document, room, pack, sort) = self.open_file(at.text_document.uri.as_str())?;
        let byte = document.lines.byte(&document.text, at.position);
        let words = room.words(&document.text, &sort, &room.world(&pack));
        let here = words.iter().filter(|word| word.at.start <= byte && byte <= word.at.end && word.role != Role::Sign);
        // Between two words it is the one that has a meaning, and of two the shorter.
        let word = here.min_by_key(|word| (word.thing.is_none(), word.at.len()))?.clone();
        Some(Under { document, room, pack, word, words })
    }

    /// Where a thing is named, in all files of the packs around.
    pub(super) fn uses(&self, under: &Under<'_>) -> Vec<Use> {
        let Some(thing) = &under.word.thing else { return Vec::new() };
        if let Thing::Local { name, given } = thing {
            let same = |word: &&Word| match &word.thing {
                Some(Thing::Local { name: other, given: place }) => other == name && place == given,
                _ => false,
            };
            let here = under.words.iter().filter(same).map(|word| Use {
                path: under.document.path.clone(),
                text: under.document.text.to_string(),
                at: word.at.clone(),
                declares: word.declares,
            });
            return here.collect();
        }
        let wanted = match thing {
            Thing::Definition { id, .. } => id.clone(),
            Thing::Attribute(name) | Thing::Mark(name) | Thing::Method(name) => name.clone(),
            Thing::Function { name, .. } => name.rsplit('.').next().unwrap_or(name).to_string(),
            Thing::Local { .. } | Thing::Key { .. } | Thing::Language(_) => return Vec::new(),
        };
        // A plural of its own names a kind without its id.
        let plural = match thing {
            Thing::Definition { kind, id } if kind == "kind" => {
                let world = under.room.world(&under.pack);
                let kind = world.names.kinds.get(id);
                world.names.plurals.iter().find(|(_, of)| Some(*of) == kind).map(|(plural, _)| plural.clone())
            }
            _ => None,
        };
        let wanted: Vec<&str> = std::iter::once(wanted.as_str()).chain(plural.as_deref()).collect();
        let mut found: Vec<Use> = Vec::new();
        for read in under.room.read_all(&under.pack, &wanted) {
            for word in read.words.iter().filter(|word| word.thing.as_ref() == Some(thing)) {
                let (path, text) = (read.path.clone(), read.text.clone());
                found.push(Use { path, text, at: word.at.clone(), declares: word.declares });
            }
        }
        found
    }

    pub(super) fn definition(&self, params: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
        let under = self.under(&params.text_document_position_params)?;
        if let Some(Thing::Local { given: Some((start, end)), .. }) = under.word.thing {
            let range = under.document.lines.place(&under.document.text, start..end);
            return Some(Location { uri: under.document.uri.clone(), range }.into());
        }
        let declared: Vec<Location> =
            self.uses(&under).iter().filter(|used| used.declares).filter_map(Use::location).collect();
        (!declared.is_empty()).then_some(GotoDefinitionResponse::Array(declared))
    }

    pub(super) fn references(&self, params: &ReferenceParams) -> Option<Vec<Location>> {
        let under = self.under(&params.text_document_position)?;
        let with_declaration = params.context.include_declaration;
        let uses = self.uses(&under);
        Some(uses.iter().filter(|used| with_declaration || !used.declares).filter_map(Use::location).collect())
    }

    pub(super) fn highlights(&self, params: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
        let under = self.under(&params.text_document_position_params)?;
        let thing = under.word.thing.as_ref()?;
        let same = under.words.iter().filter(|word| word.thing.as_ref() == Some(thing));
        let place = |word: &Word| under.document.lines.place(&under.document.text, word.at.clone());
        Some(same.map(|word| DocumentHighlight { range: place(word), kind: None }).collect())
    }
}

impl Use {
    pub(super) fn location(&self) -> Option<Location> {
        let lines = Lines::new(&self.text);
        Some(Location { uri: uri_of(&self.path)?, range: lines.place(&self.text, self.at.clone()) })
    }
}

/// The line of a place, from 1.
pub(super) fn line_of(text: &str, byte: usize) -> u32 {
    let Position { line, .. } = Lines::new(text).position(text, byte);
    line + 1
}
