//! Quick fixes: the edits that findings offer, and all safe ones of a file at once.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Range, TextEdit, Uri,
    WorkspaceEdit,
};

use super::Server;
use super::document::uri_of;
use super::findings::{Fix, Found, hash_of};

impl Server {
    pub(super) fn fixes(&self, params: &CodeActionParams) -> CodeActionResponse {
        let Some(document) = self.documents.get(params.text_document.uri.as_str()) else { return Vec::new() };
        let wanted = |kind: &CodeActionKind| {
            params.context.only.as_ref().is_none_or(|only| {
                only.iter().any(|only| {
                    kind.as_str() == only.as_str() || kind.as_str().starts_with(&format!("{}.", only.as_str()))
                })
            })
        };
        let now = hash_of(&document.text);
        // An edit of an older text would hit another place.
        let mut here: Vec<&Found> = Vec::new();
        for found in self.told.values().flatten().filter(|found| found.path == document.path && found.of == now) {
            if !here.iter().any(|known| known.shown == found.shown) {
                here.push(found);
            }
        }
        let mut actions = Vec::new();
        for found in
            here.iter().filter(|found| meet(found.shown.range, params.range) && wanted(&CodeActionKind::QUICKFIX))
        {
            for (index, fix) in found.offers.iter().enumerate() {
                let Some(edit) = self.edit_of(std::slice::from_ref(fix)) else { continue };
                actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                    title: fix.title.clone(),
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![found.shown.clone()]),
                    edit: Some(edit),
                    is_preferred: Some(fix.is_safe && index == 0),
                    ..CodeAction::default()
                }));
            }
        }
        let mut safe: Vec<Fix> = Vec::new();
        for fix in here.iter().flat_map(|found| &found.offers).filter(|fix| fix.is_safe && fix.path == document.path) {
            if safe.iter().all(|known| !meet(known.edit.range, fix.edit.range)) {
                safe.push(fix.clone());
            }
        }
        if wanted(&CodeActionKind::SOURCE_FIX_ALL)
            && safe.len() > 1
            && let Some(edit) = self.edit_of(&safe)
        {
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: format!("Apply all {} safe corrections of this file", safe.len()),
                kind: Some(CodeActionKind::SOURCE_FIX_ALL),
                edit: Some(edit),
                ..CodeAction::default()
            }));
        }
        actions
    }

    fn edit_of(&self, fixes: &[Fix]) -> Option<WorkspaceEdit> {
        #[allow(clippy::mutable_key_type)]
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for fix in fixes {
            let open = self.documents.values().find(|document| document.path == fix.path);
            let uri = open.map(|document| document.uri.clone()).or_else(|| uri_of(&fix.path))?;
            changes.entry(uri).or_default().push(fix.edit.clone());
        }
        Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
    }
}

/// Whether two ranges have a place in common.
fn meet(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}
