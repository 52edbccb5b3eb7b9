//! The scripts of a pack, looked at without running them.

use std::collections::BTreeSet;

use rulepack_expr::Vocabulary;
use rulepack_kernel::ruleset::Hook;
use rulepack_lua::{Binding, ScriptInput, analyse};
use rulepack_model::Diagnostic;
use rulepack_script::Script;

/// What is wrong with the scripts of one pack and of `scripts/lib`. The hooks are those of all ways to play the pack: a
/// function that no mode binds is reported. Scripts of packs below it are left out by the caller, since their modes are
/// not tried here.
pub(crate) fn check_scripts(scripts: &[Script], hooks: &[Hook], names: &BTreeSet<String>) -> Vec<Diagnostic> {
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

/// The names that pieces, players and spaces of a game may have.
pub(crate) fn names_of(words: &Vocabulary) -> impl Iterator<Item = &String> {
    let pieces = words.attrs.keys().chain(words.resource_attrs.keys());
    let stock = words.resources.keys().chain(words.groups.keys());
    pieces.chain(stock).chain(words.vars.keys()).chain(words.values.keys()).chain(words.marks.keys())
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
            check_scripts(&[script(text)], hooks, &BTreeSet::new()).iter().map(|found| found.code).collect()
        };
        assert_eq!(codes(&[hook("ferries.sail", false)]), Vec::<&str>::new());
        assert_eq!(codes(&[]), ["unbound-function"]);
        assert_eq!(codes(&[hook("ferries.sail", true)]), ["script-unknown-name"]);
        assert!(check_scripts(&[], &[], &BTreeSet::new()).is_empty());
    }
}
