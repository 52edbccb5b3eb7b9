//! The checks on small scripts, a bad and a good one for each check; then on all shipped scripts, and on random text.

mod arguments;
mod changes;
mod deciding;
mod keeping;
mod naming;
mod ordering;
mod reading;
mod shipped;
mod stub;
mod using;

use rulepack_model::{Diagnostic, FileId, Sources};

use crate::{Binding, GameNames, ScriptInput, analyse};

/// Scripts of packs, with the bindings of their functions.
#[derive(Default)]
struct Case {
    scripts: Vec<(&'static str, &'static str, String)>,
    bindings: Vec<Binding>,
}

impl Case {
    /// A script `cards` of the pack `harbor` whose functions are all bound.
    fn bound(text: &str) -> Case {
        let names = text.match_indices("function cards.").filter_map(|(at, start)| {
            let name = &text[at + start.len()..];
            name.split('(').next()
        });
        let mut case = Case::default().script("harbor", "cards", text);
        for name in names {
            case = case.bind("harbor", &format!("cards.{name}"));
        }
        case
    }

    fn script(mut self, pack: &'static str, name: &'static str, text: &str) -> Case {
        self.scripts.push((pack, name, text.to_string()));
        self
    }

    fn bind(mut self, pack: &str, name: &str) -> Case {
        self.bindings.push(Binding { pack: pack.into(), name: name.into(), query: false });
        self
    }

    fn query(mut self, pack: &str, name: &str) -> Case {
        self.bindings.push(Binding { pack: pack.into(), name: name.into(), query: true });
        self
    }

    fn run(&self) -> (Vec<Diagnostic>, Sources) {
        let mut sources = Sources::default();
        let paths: Vec<(FileId, String)> = self
            .scripts
            .iter()
            .map(|(pack, name, text)| {
                let path = format!("{pack}/{name}.lua");
                (sources.add(path.clone(), text.clone()), path)
            })
            .collect();
        let inputs: Vec<ScriptInput<'_>> = (self.scripts.iter().zip(&paths))
            .map(|((pack, name, text), (file, path))| ScriptInput { file: *file, path, pack, name, text })
            .collect();
        (analyse(&inputs, &self.bindings, &GameNames::default()), sources)
    }

    /// `path:line:column code: message (help)`, one for each finding.
    fn found(&self) -> Vec<String> {
        let (found, sources) = self.run();
        let show = |found: &Diagnostic| {
            let (path, line, column) = sources.position(found.labels[0].span);
            let path = if self.scripts.len() > 1 { format!("{path}:") } else { String::new() };
            let help = found.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
            format!("{path}{line}:{column} {}: {}{help}", found.code, found.message)
        };
        found.iter().map(show).collect()
    }
}

/// The findings in the body of a bound function `cards.play(ctx, card)`; its first line is line 3.
#[track_caller]
fn body(lines: &str) -> Vec<String> {
    Case::bound(&format!("local cards = {{}}\nfunction cards.play(ctx, card)\n{lines}\nend\nreturn cards\n")).found()
}

#[track_caller]
fn good(lines: &str) {
    assert_eq!(body(lines), Vec::<String>::new());
}

#[track_caller]
fn bad(lines: &str, expected: &[&str]) {
    assert_eq!(body(lines), expected);
}
