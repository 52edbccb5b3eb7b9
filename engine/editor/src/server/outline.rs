//! The symbols of a file: its definitions, scenarios' cases, or functions.

use lsp_types::{DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, SymbolKind};

use super::Server;
use super::document::{Document, FileSort};
use crate::words::{Thing, headers};

impl Server {
    pub(super) fn outline(&self, params: &DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
        let document = self.documents.get(params.text_document.uri.as_str())?;
        let symbols = match self.open_file(params.text_document.uri.as_str()) {
            Some((document, room, pack, sort @ FileSort::Script(_))) => {
                let words = room.words(&document.text, &sort, &room.world(&pack));
                let functions = words.into_iter().filter(|word| word.declares);
                let named = functions.filter_map(|word| match word.thing {
                    Some(Thing::Function { name, .. }) => Some((name, word.at)),
                    _ => None,
                });
                named.map(|(name, at)| symbol(document, name, SymbolKind::FUNCTION, at.clone(), at)).collect()
            }
            _ => tables(document),
        };
        Some(DocumentSymbolResponse::Nested(symbols))
    }
}

/// The tables of a file, each up to the next one.
fn tables(document: &Document) -> Vec<DocumentSymbol> {
    let all = headers(&document.text);
    let mut symbols = Vec::new();
    for (index, header) in all.iter().enumerate() {
        let end = all.get(index + 1).map_or(document.text.len(), |next| next.line.start);
        let (Some((_, first)), Some((_, last))) = (header.parts.first(), header.parts.last()) else { continue };
        let names: Vec<&str> = header.parts.iter().map(|(name, _)| name.as_str()).collect();
        let kind = match names.first() {
            Some(&"event") => SymbolKind::EVENT,
            Some(&"action" | &"phase") => SymbolKind::METHOD,
            Some(&"var" | &"value" | &"resource") => SymbolKind::VARIABLE,
            Some(&"symbol") => SymbolKind::ENUM_MEMBER,
            Some(&"kind") => SymbolKind::CLASS,
            _ => SymbolKind::OBJECT,
        };
        let name = names.join(".");
        let name = if name.is_empty() { "?".to_string() } else { name };
        symbols.push(symbol(document, name, kind, header.line.start..end, first.start..last.end));
    }
    symbols
}

#[allow(deprecated, reason = "the protocol's type has a field that nobody fills in any more")]
fn symbol(
    document: &Document,
    name: String,
    kind: SymbolKind,
    whole: std::ops::Range<usize>,
    at: std::ops::Range<usize>,
) -> DocumentSymbol {
    DocumentSymbol {
        name,
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range: document.lines.place(&document.text, whole),
        selection_range: document.lines.place(&document.text, at),
        children: None,
    }
}
