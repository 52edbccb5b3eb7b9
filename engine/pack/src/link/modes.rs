//! Which modes are in use, and what follows for the definitions.

use rulepack_model::{Diagnostic, did_you_mean};

use super::Linker;
use super::fields::Fields;
use super::merge::ModeDef;
use crate::manifest::Manifest;

/// A mode, for lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModeInfo {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// Whether it is an edition of the rulebook.
    pub edition: bool,
    /// The number of players that brings it into use by itself.
    pub players: Option<u8>,
}

impl Linker<'_> {
    /// The modes that were asked for, the default edition, and what the number of players implies.
    pub(crate) fn choose_modes(&mut self, manifest: &Manifest, asked: &[String], players: u8) -> Vec<String> {
        let editions: Vec<&str> = manifest.editions.iter().map(|word| word.text.as_str()).collect();
        let known: Vec<String> = self.definitions.of("mode").map(|(id, _)| id.to_string()).collect();
        for word in &manifest.editions {
            if !known.contains(&word.text) {
                self.out.push(
                    Diagnostic::error("unknown-mode", format!("the edition `{}` is no mode of the pack", word.text))
                        .at(word.span)
                        .help(format!("declare it with `[mode.{}]`", word.text)),
                );
            }
        }
        for mode in asked {
            if !known.contains(mode) {
                self.out.push(
                    Diagnostic::error("unknown-mode", format!("`{}` has no mode `{mode}`", manifest.id))
                        .maybe_help(did_you_mean(mode, known.iter().map(String::as_str))),
                );
            }
        }
        let chosen: Vec<&String> = asked.iter().filter(|mode| editions.contains(&mode.as_str())).collect();
        if chosen.len() > 1 {
            self.out.push(Diagnostic::error(
                "wrong-value",
                format!("`{}` and `{}` are both editions: only one can be played", chosen[0], chosen[1]),
            ));
        }
        let default = if chosen.is_empty() { editions.first().copied() } else { None };
        let infos = self.mode_infos(manifest);
        let in_use: Vec<String> = infos
            .iter()
            .filter(|info| {
                asked.contains(&info.id) || default == Some(info.id.as_str()) || info.players == Some(players)
            })
            .map(|info| info.id.clone())
            .collect();
        for id in &known {
            self.words.modes.insert(id.clone(), in_use.contains(id));
        }
        for id in &in_use {
            let patch = self
                .definitions
                .get("mode", id)
                .and_then(|node| node.as_table())
                .and_then(|table| table.get("patch").cloned());
            let mode = ModeDef { id: id.clone(), patch };
            self.definitions.patch(&mode, &self.files, &mut self.out);
        }
        in_use
    }

    /// All modes, in the order of the pack.
    pub(crate) fn mode_infos(&mut self, manifest: &Manifest) -> Vec<ModeInfo> {
        let mut infos = Vec::new();
        let mut out = Vec::new();
        for (id, entry) in self.definitions.of("mode") {
            let Some(mut fields) = Fields::of(&entry.node, format!("mode.{id}"), &mut out) else { continue };
            let title = fields.text("title", &mut out).unwrap_or(id).to_string();
            let players = fields.int("players", &mut out).and_then(|players| u8::try_from(players).ok());
            fields.also(&["text", "patch"]);
            fields.done(&mut out);
            let edition = manifest.editions.iter().any(|word| word.text == id);
            infos.push(ModeInfo { id: id.to_string(), title, edition, players });
        }
        for diagnostic in out {
            if !self.out.contains(&diagnostic) {
                self.out.push(diagnostic);
            }
        }
        infos
    }

    /// Definitions may be `only_in` some modes.
    pub(crate) fn drop_other_modes(&mut self, in_use: &[String]) {
        let known: Vec<String> = self.definitions.of("mode").map(|(id, _)| id.to_string()).collect();
        let out = &mut self.out;
        let dropped = &mut self.dropped;
        for (kind, table) in &mut self.definitions.kinds {
            table.entries.retain(|id, entry| {
                let Some(only) = entry.node.as_table().and_then(|table| table.get("only_in")) else { return true };
                let Some(modes) = only.as_list() else {
                    out.push(super::fields::wrong_type(only, &format!("{kind}.{id}.only_in"), "a list of modes"));
                    return true;
                };
                let mut misspelt = false;
                for mode in modes {
                    let name = mode.as_str().unwrap_or("");
                    if !known.iter().any(|known| known == name) {
                        misspelt = true;
                        out.push(
                            Diagnostic::error("unknown-mode", format!("there is no mode `{name}`"))
                                .at(mode.span)
                                .maybe_help(did_you_mean(name, known.iter().map(String::as_str))),
                        );
                    }
                }
                let kept = misspelt
                    || modes
                        .iter()
                        .any(|mode| mode.as_str().is_some_and(|mode| in_use.iter().any(|used| used == mode)));
                if !kept {
                    dropped.insert(format!("{kind}.{id}"));
                }
                kept
            });
        }
    }
}
