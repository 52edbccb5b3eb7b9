//! Check: pieces that the list of components does not contain.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_model::{Code, Diagnostic, Span};

use crate::load::GameBox;

/// The listed and the defined pieces of a pack, in all ways to play it.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// Pieces that a component names, as `kind.type`.
    listed: BTreeSet<String>,
    /// By kind: the first component of the pack that lists such a piece.
    covered: BTreeMap<String, Span>,
    /// Types of the pack of which there is a copy, as `kind.type`.
    defined: BTreeMap<String, Span>,
}

impl Listed {
    /// Adds one way to play the pack.
    pub(super) fn look(&mut self, game_box: &GameBox, pack: &str) {
        let (rules, catalogue) = (game_box.rules(), game_box.catalogue());
        for component in &catalogue.components {
            let Some((path, (kind, _))) =
                component.what.as_deref().and_then(|path| Some((path, path.split_once('.')?)))
            else {
                continue;
            };
            self.listed.insert(path.to_string());
            if catalogue.pack_of(component.span) == pack {
                let first = self.covered.entry(kind.to_string()).or_insert(component.span);
                *first = (*first).min(component.span);
            }
        }
        let types: BTreeSet<usize> =
            rules.pieces.iter().map(|piece| rules.types[piece.ty.index()].printing_of.index()).collect();
        for ty in types.into_iter().map(|index| &rules.types[index]) {
            let kind = &rules.kinds[ty.kind.index()].name;
            // A component may count all types of a list.
            let list = catalogue.definitions.made_by(kind, &ty.name);
            if list.is_some_and(|list| self.listed.contains(list)) {
                continue;
            }
            let entry = catalogue.definitions.kinds.get(kind).and_then(|table| table.entries.get(&ty.name));
            if let Some(span) = entry.map(|entry| entry.key).filter(|span| catalogue.pack_of(*span) == pack) {
                self.defined.insert(format!("{kind}.{}", ty.name), span);
            }
        }
    }

    /// Pieces that no component lists although others of their kind are listed.
    pub(super) fn finish(&self) -> impl Iterator<Item = Diagnostic> {
        self.defined.iter().filter(|(path, _)| !self.listed.contains(*path)).filter_map(|(path, span)| {
            let covered = self.covered.get(path.split_once('.')?.0)?;
            let help = format!("add a component with `piece = \"{path}\"` and its `count`, or remove the piece");
            Some(
                Diagnostic::warning(Code::UnlistedPiece, format!("no component lists `{path}`"))
                    .at(*span)
                    .label(*covered, "others of its kind are listed, here for one")
                    .help(help),
            )
        })
    }
}
