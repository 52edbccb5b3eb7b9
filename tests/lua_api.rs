//! What scripts can call: every example runs, `docs/lua.md` shows the table of methods as it is, and `rulepack lua-api`
//! prints it.

use std::fmt::Write;
use std::path::Path;

use rulepack::{Answer, Ask, Game, GameBox, Library, LinkRequest, Opt, ScriptHost};
use rulepack_script::api;

use crate::support::{Scratch, rulepack};

/// Every example, with a name of its own: those of the methods, and those in the text of the page.
fn examples() -> Vec<(String, String)> {
    let of_methods = api().iter().map(|method| (method.name.to_string(), method.example.to_string()));
    let (_, before, _, _) = page();
    let blocks = before.split("```lua\n").skip(1).filter_map(|rest| rest.split_once("```")).map(|(block, _)| block);
    // A whole function is called by what surrounds it.
    let body = |block: &str| match block.split_once("(ctx)\n") {
        Some((_, rest)) => rest.trim_end().strip_suffix("end").expect("the function ends").to_string(),
        None => block.to_string(),
    };
    let of_page = (1..).zip(blocks).map(|(number, block)| (format!("in_text_{number}"), body(block)));
    of_methods.chain(of_page).collect()
}

/// The harbor with an action for each example.
fn harbor(name: &str) -> Scratch {
    let folder = Scratch::copy_of("harbor", name);
    let (mut actions, mut script) = (String::new(), String::from("local examples = {}\n"));
    let mut menu = Vec::new();
    for (name, example) in examples() {
        let _ = writeln!(actions, "[action.try_{name}]\neffect = \"examples.{name}\"");
        let _ = writeln!(script, "function examples.{name}(ctx)\n{example}\nend");
        menu.push(format!("\"try_{name}\""));
    }
    script.push_str("return examples\n");
    let pack =
        folder.read("content/harbor/pack.toml").replace("\"sell\", ", &format!("\"sell\", {}, ", menu.join(", ")));
    folder.write("content/harbor/pack.toml", pack.as_bytes());
    folder.write("content/harbor/examples.toml", actions.as_bytes());
    folder.write("scripts/harbor/examples.lua", script.as_bytes());
    folder
}

fn opened(folder: &Scratch) -> (GameBox, ScriptHost) {
    let library = Library::open(&[folder.path()]).expect("the library is there");
    let linked = library.load(&LinkRequest { pack: "harbor".into(), players: Some(2), ..LinkRequest::default() });
    let game_box = linked.unwrap_or_else(|mistakes| panic!("the examples do not link: {mistakes:#?}"));
    let host = game_box.host().expect("the scripts can be loaded");
    (game_box, host)
}

/// Takes the action of a method and gives the first or the last answer until its script is over.
fn play(game: &Game, host: &ScriptHost, name: &str, gives_last: bool) {
    let mut game = game.clone();
    let wanted = format!("try_{name}");
    let options = &game.decision().expect("somebody is at turn").options;
    let is_wanted = |option: &Opt| match option {
        Opt::Action(action, _) => game.rules().actions[action.index()].name == wanted,
        _ => false,
    };
    let at = options.iter().position(is_wanted).unwrap_or_else(|| panic!("{wanted} is not offered"));
    let mut answer = Answer(u16::try_from(at).expect("there are few options"));
    for _ in 0..50 {
        game.answer(host, answer).unwrap_or_else(|error| panic!("the example of `{name}`: {error}"));
        let Some(decision) = game.decision().filter(|decision| !matches!(decision.ask, Ask::Menu(..))) else { return };
        let last = u16::try_from(decision.options.len() - 1).expect("there are few options");
        answer = Answer(if gives_last { last } else { 0 });
    }
    panic!("the example of `{name}` does not end");
}

#[test]
fn every_example_runs() {
    let folder = harbor("lua-examples");
    let (game_box, host) = opened(&folder);
    let game = game_box.start(&host, 1).expect("the game starts");
    for (name, _) in examples() {
        play(&game, &host, &name, false);
        play(&game, &host, &name, true);
    }
}

#[test]
fn check_finds_nothing_in_the_examples() {
    let folder = harbor("lua-examples-checked");
    let said = rulepack(folder.path(), &["check", "harbor", "--playouts", "0"]);
    assert_eq!(said.code, 0, "{}", said.shown());
    assert!(!said.shown().contains("script-"), "{}", said.shown());
}

/// The part of the page between the two marks.
fn page() -> (std::path::PathBuf, String, String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lua.md");
    let text = std::fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = text.split_once("<!-- methods -->\n").expect("the list begins");
    let (list, after) = rest.split_once("<!-- end of methods -->").expect("the list ends");
    (path.clone(), before.to_string(), list.to_string(), after.to_string())
}

#[test]
fn the_page_lists_every_method() {
    let (path, before, list, after) = page();
    let now = format!("\n{}", rulepack_lua::reference());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let text = format!("{before}<!-- methods -->\n{now}<!-- end of methods -->{after}");
        std::fs::write(path, text).expect("the page can be written");
        return;
    }
    assert!(list == now, "docs/lua.md is not up to date: run `UPDATE_DOCS=1 cargo test lua_api`");
}

#[test]
fn the_program_prints_the_methods() {
    let folder = Scratch::new("lua-api");
    let lua = rulepack(folder.path(), &["lua-api"]);
    assert_eq!((lua.code, lua.stdout.trim_end()), (0, rulepack_lua::definitions().trim_end()));
    for method in api() {
        assert!(lua.stdout.contains(&format!("function Context:{}(", method.name)), "{}", method.name);
        assert!(method.example.lines().all(|line| lua.stdout.contains(&format!("---{line}\n"))), "{}", method.name);
    }
    let page = rulepack(folder.path(), &["lua-api", "--format", "markdown"]);
    assert_eq!((page.code, page.stdout.trim_end()), (0, rulepack_lua::reference().trim_end()));
}
