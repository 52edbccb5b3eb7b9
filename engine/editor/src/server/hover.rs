//! What is told of a word under the pointer: what it is, its value, where it comes from, and its text for players.

use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use rulepack_expr::{AttrTy, Subject, Ty};
use rulepack_kernel::Words;
use rulepack_pack::keys::{keys_at, sort_named};
use rulepack_script::api;

use super::Server;
use super::find::{Under, line_of};
use crate::words::{Thing, about_word};

/// The most lines of a definition that are shown.
const MOST_LINES: usize = 12;

impl Server {
    pub(super) fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let under = self.under(&params.text_document_position_params)?;
        let value = self.about(&under)?;
        let range = under.document.lines.place(&under.document.text, under.word.at.clone());
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
        Some(Hover { contents, range: Some(range) })
    }

    fn about(&self, under: &Under<'_>) -> Option<String> {
        let thing = under.word.thing.as_ref()?;
        let parts = match thing {
            Thing::Language(word) => {
                let found = about_word(word)?;
                vec![format!("`{}`", found.form), found.about.to_string()]
            }
            Thing::Method(name) => {
                let method = api().iter().find(|method| method.name == name)?;
                let params: Vec<String> =
                    method.params.iter().map(|param| format!("{}: {}", param.name, param.ty)).collect();
                let returns = if method.returns.is_empty() { String::new() } else { format!(": {}", method.returns) };
                vec![
                    format!("```lua\nctx:{name}({}){returns}\n```", params.join(", ")),
                    method.doc.to_string(),
                    format!("```lua\n{}\n```", method.example),
                ]
            }
            Thing::Key { path, name } if path.is_empty() => {
                vec![format!("`[{name}.NAME]`"), sort_named(name)?.about.to_string()]
            }
            Thing::Key { path, name } => {
                let parts: Vec<&str> = path.iter().map(String::as_str).collect();
                let key = keys_at(&parts)?.into_iter().find(|key| key.name == name)?;
                vec![format!("`{name}`"), key.about.to_string()]
            }
            Thing::Local { name, .. } => {
                vec![format!("`{name}`: a name of this definition or text")]
            }
            Thing::Attribute(name) => self.attribute(under, name),
            Thing::Mark(name) => vec![format!("`{name}`: a mark of spaces, `SPACE.{name}`")],
            Thing::Function { name, .. } => vec![format!("`{name}`: a function of a script")],
            Thing::Definition { kind, id } => self.definition_of(under, kind, id),
        };
        let mut parts = parts;
        parts.extend(self.declared(under));
        Some(parts.join("\n\n"))
    }

    fn attribute(&self, under: &Under<'_>, name: &str) -> Vec<String> {
        let world = under.room.world(&under.pack);
        let Some(ty) = world.attribute(name) else { return vec![format!("`{name}`: an attribute")] };
        let holds = match ty {
            AttrTy::Int => "a number",
            AttrTy::Bool => "yes or no",
            AttrTy::Text => "a text",
            AttrTy::Res => "a resource",
            AttrTy::Sym => "a symbol",
            AttrTy::Type => "the name of a piece",
            AttrTy::Cost => "a cost",
            AttrTy::Effect => "an effect",
            AttrTy::Amount => "an amount, worked out when it is asked for",
            AttrTy::Condition => "a condition, worked out when it is asked for",
        };
        let kinds = world.names.attrs.get(name).map_or(&[][..], |attr| &attr.kinds);
        let kinds = world.names.kinds.iter().filter(|(_, id)| kinds.contains(id));
        let kinds: Vec<String> = kinds.map(|(kind, _)| format!("`{kind}`")).collect();
        let of = if kinds.is_empty() { String::new() } else { format!(" of {}", kinds.join(", ")) };
        vec![format!("`{name}`: an attribute{of}; {holds}")]
    }

    fn definition_of(&self, under: &Under<'_>, kind: &str, id: &str) -> Vec<String> {
        let world = under.room.world(&under.pack);
        let mut parts = Vec::new();
        let state = under.room.packs.get(&under.pack).and_then(|state| state.game.as_ref());
        let language = self.language.clone().or_else(|| under.room.language.clone()).unwrap_or_else(|| "en".into());
        let path = format!("{kind}.{id}");
        if let Some(game) = state {
            let words = Words::new(game.rules(), &language);
            if let Some(title) = words.given_title(&path) {
                parts.push(format!("**{title}**"));
            }
            parts.extend(words.text(&path).map(str::to_string));
        }
        let describe = |ty: Ty| world.names.describe(ty);
        let of = |subject: &Subject| match subject {
            Subject::Game => "",
            Subject::Seat => " of each player",
            Subject::Piece(_) => " of pieces",
            Subject::Space => " of spaces",
        };
        let what = match kind {
            "var" => {
                world.names.vars.get(id).map(|(_, subject, ty)| format!("a variable{}: {}", of(subject), describe(*ty)))
            }
            "value" => {
                world.names.values.get(id).map(|(_, subject, ty)| format!("a value{}: {}", of(subject), describe(*ty)))
            }
            "zone" => world
                .names
                .zones
                .get(id)
                .map(|zone| format!("a zone of {}", if zone.per_player { "each player" } else { "the table" })),
            "set" => world.names.sets.get(id).map(|set| format!("a set; each member is {}", describe(set.member))),
            "event" => world.names.events.get(id).map(|(_, args)| {
                let args: Vec<String> = args.iter().map(|ty| describe(*ty)).collect();
                if args.is_empty() { "an event".to_string() } else { format!("an event with {}", args.join(", ")) }
            }),
            _ => None,
        };
        let what = what.or_else(|| sort_named(kind).map(|sort| sort.about.to_string()));
        parts.push(format!("`{path}` – {}", what.unwrap_or_else(|| format!("a type of the kind `{kind}`"))));
        parts
    }

    /// The lines that declare it, and where they stand.
    fn declared(&self, under: &Under<'_>) -> Vec<String> {
        let uses = self.uses(under);
        let Some(declared) = uses.iter().find(|used| used.declares) else { return Vec::new() };
        if matches!(under.word.thing, Some(Thing::Local { .. })) {
            return Vec::new();
        }
        let is_script = declared.path.extension().is_some_and(|ending| ending == "lua");
        let begin = declared.text.get(..declared.at.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let rest = declared.text.get(begin..).unwrap_or_default();
        let lines = rest
            .lines()
            .enumerate()
            .take_while(|(index, line)| *index == 0 || !is_script && !line.trim().is_empty() && !line.starts_with('['));
        let lines: Vec<&str> = lines.map(|(_, line)| line).take(MOST_LINES).collect();
        let language = if is_script { "lua" } else { "toml" };
        let folder = under.room.folders.iter().find_map(|folder| declared.path.strip_prefix(folder).ok());
        let path = folder.unwrap_or(&declared.path).to_string_lossy().replace('\\', "/");
        let count = uses.iter().filter(|used| !used.declares).count();
        vec![
            format!("```{language}\n{}\n```", lines.join("\n")),
            format!("{path}:{}; named {count} more times", line_of(&declared.text, declared.at.start)),
        ]
    }
}
