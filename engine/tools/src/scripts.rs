//! Checks of the scripts of a pack without running them.

use rulepack_expr::{AttrTy, Subject, Ty, Vocabulary};
use rulepack_kernel::ruleset::Hook;
use rulepack_lua::{Binding, GameNames, Part, ScriptInput, Sort, analyse};
use rulepack_model::{Diagnostic, SymId};
use rulepack_script::Script;

/// The mistakes of the scripts of one pack and of `scripts/lib`. The hooks are those of all ways to play the pack: a
/// function that no mode binds is reported. The caller leaves out scripts of other packs, whose modes are not tried
/// here.
pub(crate) fn check_scripts(scripts: &[Script], hooks: &[Hook], names: &GameNames) -> Vec<Diagnostic> {
    let inputs: Vec<ScriptInput<'_>> = scripts
        .iter()
        .map(|Script { pack, name, path, text, file }| ScriptInput { file: *file, path, pack, name, text })
        .collect();
    let mut bindings: Vec<Binding> = Vec::new();
    for Hook { pack, name, query, .. } in hooks {
        let binding = Binding { pack: pack.clone(), name: name.clone(), query: *query };
        if !bindings.contains(&binding) {
            bindings.push(binding);
        }
    }
    analyse(&inputs, &bindings, names)
}

/// Adds the fields that pieces, players and spaces of a game may have.
pub(crate) fn add_parts(names: &mut GameNames, words: &Vocabulary) {
    for name in words.resources.keys().chain(words.groups.keys()) {
        names.pieces.insert(name.clone());
        names.seats.insert(name.clone());
    }
    names.pieces.extend(words.attrs.keys().cloned());
    names.spaces.extend(words.marks.keys().cloned());
    add_sorts(names, words);
    for ((pack, name), (hook, _)) in &words.hooks {
        let calls = words.given.get(hook).into_iter().flatten();
        let calls = calls.map(|types| types.iter().map(|ty| written(*ty)).collect());
        names.given.entry((pack.clone(), name.clone())).or_default().extend(calls);
    }
    let vars = words.vars.iter().map(|(name, (_, subject, _))| (name, subject));
    for (name, subject) in vars.chain(words.values.iter().map(|(name, (_, subject, _))| (name, subject))) {
        match subject {
            Subject::Piece(_) => drop(names.pieces.insert(name.clone())),
            Subject::Seat => drop(names.seats.insert(name.clone())),
            Subject::Game | Subject::Space => {}
        }
    }
}

/// Adds the values of fields of handles.
fn add_sorts(names: &mut GameNames, words: &Vocabulary) {
    for name in words.resources.keys().chain(words.groups.keys()) {
        names.part(Part::Piece, name, Some(Sort::Number));
        names.part(Part::Seat, name, Some(Sort::Number));
    }
    for (name, attr) in &words.attrs {
        let sort = match attr.ty {
            AttrTy::Int | AttrTy::Amount => Some(Sort::Number),
            AttrTy::Bool | AttrTy::Condition => Some(Sort::Flag),
            AttrTy::Res => Some(Sort::Resource),
            AttrTy::Sym => Some(Sort::Symbol),
            AttrTy::Type => Some(Sort::Type),
            AttrTy::Text | AttrTy::Cost | AttrTy::Effect => None,
        };
        names.part(Part::Piece, name, sort);
    }
    for name in words.marks.keys() {
        names.part(Part::Space, name, Some(Sort::Symbol));
    }
    let vars = words.vars.iter().map(|(name, (_, subject, ty))| (name, subject, ty));
    for (name, subject, ty) in vars.chain(words.values.iter().map(|(name, (_, subject, ty))| (name, subject, ty))) {
        let part = match subject {
            Subject::Game => Part::Game,
            Subject::Seat => Part::Seat,
            Subject::Piece(_) => Part::Piece,
            Subject::Space => Part::Space,
        };
        let sort = match ty {
            Ty::Int => Some(Sort::Number),
            Ty::Bool => Some(Sort::Flag),
            Ty::Res => Some(Sort::Resource),
            Ty::Sym => Some(Sort::Symbol),
            Ty::Type => Some(Sort::Type),
            Ty::Seat | Ty::Cell | Ty::Piece(_) | Ty::Any => None,
        };
        names.part(part, name, sort);
    }
}

/// Adds the names that strings in scripts of a game may use.
pub(crate) fn add_named(names: &mut GameNames, words: &Vocabulary) {
    let of_type = |ty: AttrTy| words.attrs.iter().filter(move |(_, attr)| attr.ty == ty).map(|(name, _)| name);
    let is_direction = |(_, symbol): &(&String, &SymId)| words.directions.contains(symbol);
    let sorts: [(Sort, Vec<&String>); 18] = [
        (Sort::Symbol, words.symbols.keys().collect()),
        (Sort::Type, words.types.keys().collect()),
        (Sort::Kind, words.kinds.keys().collect()),
        (Sort::Resource, words.resources.keys().chain(words.groups.keys()).collect()),
        (Sort::Zone, words.zones.keys().collect()),
        (Sort::Prompt, words.prompts.keys().collect()),
        (Sort::Variable, words.vars.keys().collect()),
        (Sort::Value, words.values.keys().collect()),
        (Sort::Effect, of_type(AttrTy::Effect).collect()),
        (Sort::Cost, of_type(AttrTy::Cost).collect()),
        (Sort::Way, words.adjacencies.keys().collect()),
        (Sort::Piece, words.kinds.keys().chain(words.types.keys()).collect()),
        (Sort::Pieces, words.kinds.keys().chain(words.types.keys()).chain(words.plurals.keys()).collect()),
        (Sort::Described, words.types.keys().chain(words.resources.keys()).collect()),
        (Sort::KindOrPlural, words.kinds.keys().chain(words.plurals.keys()).collect()),
        (Sort::Direction, words.symbols.iter().filter(is_direction).map(|(name, _)| name).collect()),
        (Sort::OfSymbols, of_type(AttrTy::Sym).chain(words.marks.keys()).collect()),
        (Sort::Attribute, words.attrs.keys().chain(words.resource_attrs.keys()).collect()),
    ];
    for (sort, known) in sorts {
        known.into_iter().for_each(|name| names.name(sort, name));
    }
    for (name, (_, types)) in &words.events {
        names.takes(Sort::Event, name, types.iter().map(|ty| written(*ty)).collect());
    }
    for (name, set) in &words.sets {
        names.takes(Sort::Set, name, set.args.iter().map(|ty| written(*ty)).collect());
    }
    for (name, (_, types)) in &words.actions {
        names.takes(Sort::Action, name, types.iter().map(|ty| written(*ty)).collect());
    }
}

/// A type in the notation of editors.
fn written(ty: Ty) -> &'static str {
    match ty {
        Ty::Int => "integer",
        Ty::Bool => "boolean",
        Ty::Res | Ty::Sym | Ty::Type => "string",
        Ty::Seat => "Seat",
        Ty::Cell => "Cell",
        Ty::Piece(_) => "Piece",
        Ty::Any => "any",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulepack_model::FileId;

    fn script(text: &str) -> Script {
        let (pack, name, path) = ("harbor".into(), "ferries".into(), "scripts/harbor/ferries.lua".into());
        Script { pack, name, path, text: text.into(), file: FileId(0) }
    }

    fn hook(name: &str, query: bool) -> Hook {
        Hook { pack: "harbor".into(), name: name.into(), bound_at: "card.inn play".into(), query }
    }

    #[test]
    fn hooks_are_the_bindings() {
        let text = "local ferries = {}\nfunction ferries.sail(c) c:flip(c.self) end\nreturn ferries\n";
        let codes = |hooks: &[Hook]| -> Vec<&str> {
            check_scripts(&[script(text)], hooks, &GameNames::default()).iter().map(|found| found.code.name()).collect()
        };
        assert_eq!(codes(&[hook("ferries.sail", false)]), Vec::<&str>::new());
        assert_eq!(codes(&[]), ["unbound-function"]);
        assert_eq!(codes(&[hook("ferries.sail", true)]), ["script-unknown-name"]);
        assert!(check_scripts(&[], &[], &GameNames::default()).is_empty());
    }
}
