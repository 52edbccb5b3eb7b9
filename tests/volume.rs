//! How much a pack, a script, a library or a file may hold, and that the work grows with it and not faster. What is large is
//! generated here, not kept.

use std::path::Path;

use crate::support::{ONE_TURN, Run, Scratch, WILD, rulepack};

const WORK: &str = "[action.work]\neffect = 'end turn'\n";

/// A library with one pack.
fn wild(name: &str, body: &str) -> Scratch {
    let scratch = Scratch::new(&format!("volume-{name}"));
    scratch.write("content/wild/pack.toml", format!("{WILD}{ONE_TURN}{body}").as_bytes());
    scratch
}

/// So many lines, or so many of anything.
fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

#[track_caller]
fn says(run: &Run, code: i32, parts: &[&str]) {
    let told = format!("{}{}", run.stdout, run.stderr);
    let cut = |text: &str| text.chars().take(3_000).collect::<String>();
    assert_eq!(run.code, code, "{}", cut(&told));
    for part in parts {
        assert!(told.contains(part), "`{part}` is not said:\n{}", cut(&told));
    }
}

// ---- depth ----

/// A long chain is a deep tree: whatever walked over it ran out of stack.
#[test]
fn chains_of_operators_are_refused_in_every_command() {
    let chains = [
        ("sum", format!("1{} > 0", "+1".repeat(2_999))),
        ("fields", format!("me{}", ".a".repeat(3_500))),
        ("brackets", format!("{}1{} > 0", "(".repeat(20), ")+1+1+1+1+1+1+1+1+1+1+1+1".repeat(20))),
    ];
    for (name, chain) in chains {
        let scratch =
            wild(&format!("chain-{name}"), &format!("[action.work]\nrequires = '{chain}'\neffect = 'end turn'\n"));
        for arguments in [
            &["check", "wild"][..],
            &["play", "wild"],
            &["sim", "wild"],
            &["test", "wild"],
            &["coverage", "wild"],
            &["mutate", "wild"],
        ] {
            let run = rulepack(scratch.path(), arguments);
            let place = "content/wild/pack.toml:15:";
            says(&run, 1, &["more than 200 parts of one expression", place, "move a part of it into a `[value.…]`"]);
        }
        assert_eq!(rulepack(scratch.path(), &["list"]).code, 0);
    }
}

#[test]
fn chains_of_operators_in_scenarios_are_refused() {
    let scratch = wild("chain-scenario", WORK);
    let chain = format!("1{} > 0", "+1".repeat(2_999));
    let scenario = format!("about = 'a chain'\nwhen = []\nthen.holds = [\"{chain}\"]\n");
    scratch.write("content/wild/scenarios/chain.toml", scenario.as_bytes());
    let run = rulepack(scratch.path(), &["test", "wild"]);
    says(&run, 1, &["more than 200 parts of one expression", "content/wild/scenarios/chain.toml:3:"]);
}

/// As much as may be joined, in values that build on one another as deep as they may: there is stack for it, also on the
/// threads of a simulation.
#[test]
fn expressions_at_their_limit_have_stack() {
    let value = |index: usize| {
        let next = if index < 149 { format!("me.v{}", index + 1) } else { "me[coin]".to_string() };
        format!("[value.v{index}]\nof = 'player'\nbase = '{next}{}'\n", " + me[coin]".repeat(195))
    };
    let body =
        format!("[resource.coin]\n[action.work]\nrequires = 'me.v0 >= 0'\neffect = 'end turn'\n{}", many(150, value));
    let scratch = wild("stack", &body);
    let run = rulepack(scratch.path(), &["sim", "wild", "--games", "4", "--threads", "2"]);
    says(&run, 0, &["finished   4"]);
    says(&rulepack(scratch.path(), &["check", "wild", "--playouts", "1"]), 0, &[]);
}

/// Tables that a script gives were made unchangeable one inside the other, on the stack.
#[test]
fn tables_of_scripts_are_as_deep_as_they_like_and_not_too_many() {
    let scratch = wild("freeze", "[action.work]\neffect = 'f.go()'\n");
    let script = |tables: &str| format!("local f = {{}}\nfunction f.go(ctx) end\n{tables}\nreturn f\n");
    let deep = |count: usize| format!("local t = f\nfor i = 1, {count} do local n = {{}} t.x = n t = n end");
    scratch.write("scripts/wild/f.lua", script(&deep(15_000)).as_bytes());
    says(&rulepack(scratch.path(), &["sim", "wild", "--games", "1"]), 0, &["finished   1"]);
    let wide = format!("f.all = {{ {} }}", "{},".repeat(30_000));
    for tables in [deep(25_000), wide] {
        scratch.write("scripts/wild/f.lua", script(&tables).as_bytes());
        let run = rulepack(scratch.path(), &["check", "wild"]);
        says(&run, 1, &["what a script gives holds at most 20000 tables", "scripts/wild/f.lua:"]);
    }
}

/// A grid with more rows than names for them, and the other way round.
#[test]
fn names_of_rows_need_not_fit_the_rows() {
    for (name, grid, rows, row) in [("fewer", "[2, 3]", "['a']", "a"), ("more", "[2, 1]", "['a', 'b', 'c']", "c")] {
        let zone = format!(
            "[symbol.red]\n[zone.board]\nlayout = {{ grid = {grid}, rows = {rows} }}\nmarks.m = {{ {row} = 'red' }}\n\
             [adjacency.east]\nzone = 'board'\nfrom.{row} = [['{row}', 1]]\n"
        );
        let scratch = wild(&format!("rows-{name}"), &format!("{WORK}{zone}"));
        let run = rulepack(scratch.path(), &["check", "wild"]);
        assert!([0, 1].contains(&run.code), "{}", run.shown());
        assert!(!run.stderr.contains("panicked"), "{}", run.shown());
        assert!(run.stdout.contains("content/wild/pack.toml:"), "{}", run.shown());
    }
}

// ---- between two questions ----

/// Everything that happens is kept until the next question: gigabytes.
#[test]
fn what_happens_between_two_questions_is_bounded() {
    let body = "[zone.bag]\n[zone.other]\n[kind.stone]\n[stone.pebble]\ncount = 3000\nstarts_in = 'bag'\n[action.work]\n\
        effect = 'repeat 5000 { for each p in bag { move p to other }; for each p in other { move p to bag } }; end turn'\n";
    let scratch = wild("events", body);
    let what = "more than 100000 things happen before the next question";
    // Much is looked at as well, which has a limit of its own.
    let much = ["--limit", "members=4000000000"];
    let run = rulepack(scratch.path(), &[&["play", "wild", "--seed", "1"][..], &much].concat());
    says(&run, 1, &[what]);
    // The same whether or not somebody listens.
    let run = rulepack(scratch.path(), &[&["sim", "wild", "--games", "1"][..], &much].concat());
    says(&run, 1, &[what, "failed     1"]);
}

/// The option with the number 65,537 chose the first.
#[test]
fn a_question_has_at_most_65536_options() {
    let pack = |actions: usize| {
        let names: Vec<String> = (0..actions).map(|n| format!("'work{n}'")).collect();
        let turn = ONE_TURN.replace("'work'", &names.join(", "));
        let action = |n: usize| format!("[action.work{n}]\nparam.spot = 'cells(board)'\neffect = 'end turn'\n");
        format!("{WILD}{turn}[zone.board]\nlayout = {{ grid = [100, 10] }}\n{}", many(actions, action))
    };
    let scratch = Scratch::new("volume-options");
    scratch.write("content/wild/pack.toml", pack(65).as_bytes());
    let run = rulepack(scratch.path(), &["sim", "wild", "--games", "1"]);
    says(&run, 0, &["at most 65000 options"]);
    scratch.write("content/wild/pack.toml", pack(66).as_bytes());
    let run = rulepack(scratch.path(), &["sim", "wild", "--games", "1"]);
    says(&run, 1, &["a question has 66000 options, and at most 65536 are possible", "narrow the set with `where`"]);
}

// ---- what is told ----

/// A pack with files of which each has so many keys twice.
fn repeated_keys(name: &str, files: usize, keys: usize) -> Scratch {
    let scratch = wild(name, WORK);
    for file in 0..files {
        let keys = many(keys, |key| format!("k{key} = 1\nk{key} = 2\n"));
        scratch.write(&format!("content/wild/f{file:02}.toml"), format!("[word.w{file}]\n{keys}").as_bytes());
    }
    scratch
}

#[test]
fn people_are_told_a_hundred_mistakes_and_how_many_more_there_are() {
    let scratch = repeated_keys("told", 3, 500);
    let run = rulepack(scratch.path(), &["check", "wild", "--playouts", "0"]);
    assert_eq!(run.code, 1);
    let told = run.stdout.matches("error[").count();
    assert_eq!(told, 100);
    let report = rulepack(scratch.path(), &["check", "wild", "--playouts", "0", "--format", "json"]).json();
    let all = report["errors"].as_u64().expect("a number");
    assert!(all >= 1_500, "{all}");
    assert_eq!(report["diagnostics"].as_array().expect("a list").len() as u64, all);
    assert!(report.get("left_out").is_none());
    let more = format!("\nand {},{:03} more\n", (all - 100) / 1_000, (all - 100) % 1_000);
    assert!(run.stdout.ends_with(&more), "{}", &run.stdout[run.stdout.len() - 200..]);
}

#[test]
fn people_are_told_a_hundred_mistakes_of_a_scenario() {
    let scratch = wild("scenario-mistakes", WORK);
    let keys = many(500, |n| format!("x{n} = 1\n"));
    scratch.write("content/wild/scenarios/x.toml", format!("about = 'x'\n[then.seat.a]\n{keys}").as_bytes());
    let run = rulepack(scratch.path(), &["test", "wild"]);
    says(&run, 1, &["x.toml:102:1: ", "    and 400 more\n", "0 passed, 1 failed"]);
    assert!(!run.stdout.contains("x.toml:103:1"), "{}", run.stdout);
}

#[test]
fn scenarios_are_for_as_many_players_as_packs_are() {
    let scratch = wild("scenario-players", WORK);
    let pack = format!("{WILD}{ONE_TURN}{WORK}").replace("max = 2", "max = 32");
    scratch.write("content/wild/pack.toml", pack.as_bytes());
    let scenario = |players: usize| {
        format!("about = 'x'\ngiven.players = {players}\nwhen = [{{ seat = 'a', choose = 'work' }}]\nthen.turn = 'b'\n")
    };
    scratch.write("content/wild/scenarios/x.toml", scenario(20).as_bytes());
    says(&rulepack(scratch.path(), &["test", "wild"]), 0, &["1 passed"]);
    scratch.write("content/wild/scenarios/x.toml", scenario(33).as_bytes());
    says(&rulepack(scratch.path(), &["test", "wild"]), 1, &["it goes from 1 to 32"]);
}

#[test]
fn programs_are_told_ten_thousand_mistakes_and_how_many_more_there_are() {
    let scratch = repeated_keys("findings", 11, 999);
    let run = |format| rulepack(scratch.path(), &["check", "wild", "--playouts", "0", "--format", format]);
    let report = run("json").json();
    let all = report["errors"].as_u64().expect("a number");
    assert!(all > 10_900, "{all}");
    assert_eq!(report["diagnostics"].as_array().expect("a list").len(), 10_000);
    assert_eq!(report["left_out"], all - 10_000);
    let sarif = run("sarif").json();
    assert_eq!(sarif["runs"][0]["results"].as_array().expect("a list").len(), 10_000);
    let notes = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"].to_string();
    assert!(notes.contains(&format!("and {} more findings", all - 10_000)), "{notes}");
    let github = run("github").stdout;
    assert_eq!(github.lines().count(), 10_001);
    assert!(github.trim_end().ends_with(&format!("and {} more findings", all - 10_000)));
}

// ---- sizes ----

#[test]
fn threads_are_bounded() {
    let scratch = wild("threads", WORK);
    for arguments in [&["sim", "wild"][..], &["mutate", "wild"], &["check", "wild"]] {
        for threads in ["100000", "0"] {
            let run = rulepack(scratch.path(), &[arguments, &["--threads", threads]].concat());
            says(&run, 2, &["1..=256"]);
        }
    }
}

#[test]
fn a_pack_has_only_so_many_files_and_bytes() {
    let scratch = wild("files", WORK);
    let cases = [("content/wild/many", "toml"), ("scripts/wild", "lua"), ("content/wild/scenarios", "toml")];
    for (folder, ending) in cases {
        for file in 0..5_001 {
            scratch.write(&format!("{folder}/f{file}.{ending}"), b"");
        }
        let run = rulepack(scratch.path(), &["check", "wild", "--playouts", "0", "--format", "json"]);
        says(&run, 1, &["has more than 5000 files or folders", "join some of the files"]);
        std::fs::remove_dir_all(scratch.path().join(folder)).expect("it was written");
        let comment = if ending == "lua" { "--" } else { "#" };
        let large = format!("{comment}{}\n", "x".repeat(3 << 20));
        for file in ["a", "b", "c"] {
            scratch.write(&format!("{folder}/{file}.{ending}"), large.as_bytes());
        }
        let run = rulepack(scratch.path(), &["check", "wild", "--playouts", "0"]);
        let first = format!("with `{folder}/c.{ending}` the files of");
        says(&run, 1, &[&first, "are larger than 8 MiB", "make them smaller"]);
        std::fs::remove_dir_all(scratch.path().join(folder)).expect("it was written");
    }
    scratch.write("content/wild/values.toml", many(50_001, |index| format!("k{index} = 1\n")).as_bytes());
    let run = rulepack(scratch.path(), &["check", "wild", "--playouts", "0"]);
    says(&run, 1, &["this file holds 50001 values, and at most 50000 are read", "content/wild/values.toml:1:1"]);
}

#[test]
fn a_library_has_only_so_many_packs_and_bytes() {
    let library = |name: &str, packs: usize, more: &str| {
        let scratch = Scratch::new(&format!("volume-library-{name}"));
        for pack in 0..packs {
            let manifest =
                format!("[pack]\nid = 'p{pack:04}'\nversion = '1.0.0'\ntitle = 'P'\nkind = 'library'\n{more}");
            scratch.write(&format!("content/p{pack:04}/pack.toml"), manifest.as_bytes());
        }
        rulepack(scratch.path(), &["list"])
    };
    let most = "a library has at most 5000 packs, with manifests of 8 MiB together";
    says(&library("packs", 5_001, ""), 1, &["p4999", "`content/p5000` is not read", most]);
    let large = format!("#{}\n", "x".repeat(3 << 20));
    says(&library("bytes", 5, &large), 1, &["p0002", "`content/p0003` is not read", most]);
}

#[test]
fn definitions_are_bounded() {
    let attributes =
        |count| format!("[kind.k]\nattributes = {{ {} }}\n", many(count, |n| format!("a{n} = 'number?',")));
    let cases = [
        ("zones", many(2_001, |n| format!("[zone.z{n}]\n")), "at most 2000 definitions of `zone`: `zone.z2000`"),
        ("types", format!("[kind.k]\n{}", many(10_001, |n| format!("[k.t{n}]\n"))), "at most 10000 definitions of `k`"),
        ("attributes", attributes(501), "at most 500 attributes of kinds: `kind.k.attributes.a500`"),
        (
            "slots",
            format!(
                "[zone.bag]\n[kind.k]\n[k.t]\ncount = 10000\nstarts_in = 'bag'\n{}",
                many(401, |n| format!("[var.v{n}]\nof = 'k'\n"))
            ),
            "at most 4000000 are possible",
        ),
        (
            "marks",
            format!("[zone.z]\nlayout = {{ row = 1 }}\n[zone.z.marks]\n{}", many(2_001, |n| format!("m{n} = {{}}\n"))),
            "at most 2000 marks of spaces: `zone.z.marks.m2000`",
        ),
        (
            "parameters",
            format!("[zone.z]\n[action.a.param]\n{}", many(201, |n| format!("p{n} = 'z'\n"))),
            "at most 200 parameters of an action: `action.a.param.p200`",
        ),
        (
            "arguments",
            format!("[event.e.args]\n{}", many(201, |n| format!("a{n} = 'number'\n"))),
            "at most 200 arguments of an event: `event.e.args.a200`",
        ),
        (
            "kinds",
            format!("[kind.k0]\n{}", many(40, |n| format!("[kind.k{}]\nof = 'k{n}'\n", n + 1))),
            "more than 32 kinds stand above one another, down to `kind.k32`",
        ),
    ];
    for (name, body, what) in cases {
        let scratch = wild(&format!("definitions-{name}"), &format!("{WORK}{body}"));
        let run = rulepack(scratch.path(), &["check", "wild", "--playouts", "0"]);
        says(&run, 1, &[what, "content/wild/pack.toml:"]);
    }
}

/// Titles are told once for each piece, each option and each line of a log.
#[test]
fn titles_and_texts_are_bounded() {
    let (title, text) = ("t".repeat(201), "é".repeat(5_001));
    let what = |path: &str, length: usize, most: usize| {
        format!("`{path}` has {length} characters, and at most {most} are possible")
    };
    let cases = [
        ("card", format!("[kind.card]\n[card.inn]\ntitle = '{title}'\n"), what("card.inn.title", 201, 200)),
        ("text", format!("[kind.card]\n[card.inn]\ntext = '{text}'\n"), what("card.inn.text", 5_001, 5_000)),
        (
            "attribute",
            format!("[kind.card]\nattributes = {{ motto = 'text' }}\n[card.inn]\nmotto = '{text}'\n"),
            what("card.inn.motto", 5_001, 5_000),
        ),
        (
            "default",
            format!("[kind.card]\nattributes.motto = {{ type = 'text', default = '{text}' }}\n[card.inn]\n"),
            what("kind.card.attributes.motto.default", 5_001, 5_000),
        ),
        ("resource", format!("[resource.coin]\ntitle = '{title}'\n"), what("resource.coin.title", 201, 200)),
        ("prompt", format!("[prompt.which]\ntitle = '{title}'\n"), what("prompt.which.title", 201, 200)),
        ("id", format!("[zone.{title}]\n"), what(&format!("zone.{}…", "t".repeat(20)), 201, 200)),
        (
            "rows",
            format!("[zone.board]\nlayout = {{ grid = [1, 1], rows = ['{title}'] }}\n"),
            what("zone.board.layout.rows", 201, 200),
        ),
        (
            "columns",
            format!("[zone.board]\nlayout = {{ grid = [1, 1], columns = ['{title}'] }}\n"),
            what("zone.board.layout.columns", 201, 200),
        ),
        ("patch", format!("[patch.action.work]\ntitle = {{ now = '{title}' }}\n"), what("action.work.title", 201, 200)),
    ];
    for (name, body, what) in cases {
        let scratch = wild(&format!("long-{name}"), &format!("{WORK}{body}"));
        for arguments in [&["check", "wild", "--playouts", "0"][..], &["play", "wild"]] {
            says(&rulepack(scratch.path(), arguments), 1, &[&what, "content/wild/pack.toml:"]);
        }
    }
    let library = |name: &str, title: &str| {
        let scratch = Scratch::new(&format!("volume-long-{name}"));
        let head = WILD.replace("'Wild'", &format!("'{title}'"));
        let pack = format!("{head}locales = ['fr']\n{ONE_TURN}{WORK}[resource.coin]\n");
        scratch.write("content/wild/pack.toml", pack.as_bytes());
        scratch
    };
    let run = rulepack(library("pack", &title).path(), &["check", "wild", "--playouts", "0"]);
    says(&run, 1, &[&what("pack.title", 201, 200), "content/wild/pack.toml:4:"]);
    let scratch = library("locale", "Wild");
    let locale = format!("[pack]\ntitle = '{title}'\n[resource.coin]\ntitle = 'sou'\ntext = '{text}'\n");
    scratch.write("content/wild/locale/fr.toml", locale.as_bytes());
    let parts = [what("pack.title", 201, 200), what("resource.coin.text", 5_001, 5_000)];
    let run = rulepack(scratch.path(), &["check", "wild", "--playouts", "0"]);
    says(&run, 1, &[&parts[0], &parts[1], "content/wild/locale/fr.toml:2:", "content/wild/locale/fr.toml:5:"]);
    // As long as they may be.
    let body = format!("[kind.card]\n[card.inn]\ntitle = '{}'\ntext = '{}'\n", &title[1..], &text[2..]);
    let scratch = wild("long-enough", &format!("{WORK}{body}"));
    let run = rulepack(scratch.path(), &["check", "wild", "--playouts", "0"]);
    assert!(!run.stdout.contains("characters"), "{}", run.shown());
}

/// A pack with modes of which each adds to one effect, and one mode that brings them all.
fn adding_modes(name: &str, modes: usize, added: &str) -> Scratch {
    let mode = |n: usize| format!("[mode.m{n}]\nabstract = true\npatch.action.work.effect = {{ adds = '{added}' }}\n");
    let names: Vec<String> = (0..modes).map(|n| format!("'m{n}'")).collect();
    let all = format!("[mode.all]\nextends = [{}]\n", names.join(", "));
    wild(&format!("adds-{name}-{modes}"), &format!("[resource.coin]\n{WORK}{}{all}", many(modes, mode)))
}

#[test]
fn what_patches_add_is_bounded() {
    let added = format!("gain 1 coin{}", "; gain 1 coin".repeat(299));
    for arguments in [&["check", "wild", "--playouts", "0"][..], &["explain", "wild", "action.work", "--mode", "all"]] {
        let run = rulepack(adding_modes("field", 60, &added).path(), arguments);
        let what = "with this patch `action.work.effect` is 10";
        says(&run, 1, &[what, "characters long, and at most 100000 are possible", "content/wild/pack.toml:"]);
        assert!(run.stdout.len() < 200_000, "{} bytes are told", run.stdout.len());
    }
    let run =
        rulepack(adding_modes("all", 600, "gain 1 coin; gain 1 coin").path(), &["check", "wild", "--playouts", "0"]);
    says(&run, 1, &["what patches add to is 20", "characters long in all with `action.work.effect`"]);
    let scratch = adding_modes("explain", 200, "gain 1 coin");
    let run = rulepack(scratch.path(), &["explain", "wild", "action.work", "--mode", "all"]);
    says(&run, 0, &["patched by its mode m199"]);
    assert!(run.stdout.len() < 2_000_000, "{} bytes are told", run.stdout.len());
}

/// A mark has a number of 16 bits: with the 65,537th, linking panicked.
#[test]
fn marks_in_several_files_are_bounded() {
    let scratch = wild("marks", WORK);
    for zone in ["a", "b"] {
        let marks = many(33_000, |n| format!("{zone}{n} = {{}}\n"));
        let zone = format!("[zone.{zone}]\nlayout = {{ row = 1 }}\n[zone.{zone}.marks]\n{marks}");
        scratch.write(&format!("content/wild/{}.toml", &zone[6..7]), zone.as_bytes());
    }
    let run = rulepack(scratch.path(), &["check", "wild", "--playouts", "0"]);
    says(&run, 1, &["at most 2000 marks of spaces: `zone.a.marks.a2000`", "content/wild/a.toml:2004:"]);
}

#[test]
fn ways_to_play_that_are_checked_are_bounded() {
    let modes = many(40, |n| format!("[mode.e{n}]\n"));
    let names: Vec<String> = (0..40).map(|n| format!("'e{n}'")).collect();
    let head = WILD.replace("{ min = 2, max = 2 }", "{ min = 1, max = 32 }");
    let pack = format!("{head}editions = [{}]\n{modes}{ONE_TURN}{WORK}", names.join(", "));
    let scratch = Scratch::new("volume-ways");
    scratch.write("content/wild/pack.toml", pack.as_bytes());
    let run = rulepack(scratch.path(), &["check", "wild", "--playouts", "0"]);
    says(&run, 1, &["`wild` can be played in 1280 ways", "at most 1000 are checked", "content/wild/pack.toml:2:"]);
}

#[test]
fn files_that_are_loaded_are_bounded() {
    let scratch = wild("loaded", WORK);
    let path = scratch.path().join("large.json");
    // As large as it says, and nearly nothing on the disk.
    std::fs::File::create(&path).and_then(|file| file.set_len((64 << 20) + 1)).expect("it can be written");
    for arguments in [&["play", "wild", "--load", "large.json"][..], &["replay", "large.json"]] {
        says(&rulepack(scratch.path(), arguments), 1, &["`large.json` cannot be read: it is larger than 64 MiB"]);
    }
    scratch.write("content/wild/scenarios/large.toml", "#".repeat((4 << 20) + 1).as_bytes());
    let run = rulepack(scratch.path(), &["test", "wild"]);
    says(&run, 1, &["content/wild/scenarios/large.toml", "is larger than 4 MiB"]);
}

// ---- growth ----

/// How many instructions a call takes, counted by callgrind; nothing without valgrind, which CI has.
fn instructions(folder: &Path, arguments: &[&str]) -> Option<u64> {
    let done = std::process::Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", env!("CARGO_BIN_EXE_rulepack")])
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .output()
        .ok()?;
    let told = String::from_utf8_lossy(&done.stderr);
    let line = told.lines().find(|line| line.contains("Collected : ")).unwrap_or_else(|| panic!("no count:\n{told}"));
    line.rsplit(' ').next()?.parse().ok()
}

/// Twice as much takes at most 2.3 times as long.
#[track_caller]
fn grows_no_faster(name: &str, sizes: [usize; 3], arguments: &[&str], library: impl Fn(usize) -> Scratch) {
    let counted = sizes.map(|size| instructions(library(size).path(), arguments));
    let [Some(first), Some(second), Some(third)] = counted else {
        eprintln!("{name}: not counted, because there is no valgrind");
        return;
    };
    println!("{name}: {first}, {second}, {third} instructions; {:.2} times", third as f64 / second as f64);
    assert!(third * 10 <= second * 23, "{name}: {first}, {second}, {third} instructions");
}

const CHECK: &[&str] = &["check", "wild", "--playouts", "0", "--threads", "1", "--format", "json"];

#[test]
fn keys_that_are_there_twice_grow_with_their_number() {
    let pack =
        |size: usize| wild(&format!("twice-{size}"), &format!("{WORK}[word.w]\n{}", many(size, |_| "k = 1\n".into())));
    grows_no_faster("one key again and again", [2_000, 4_000, 8_000], &["list"], pack);
    let pack = |size: usize| repeated_keys(&format!("pairs-{size}"), 1, size);
    grows_no_faster("pairs of keys", [1_000, 2_000, 4_000], CHECK, pack);
    let pack = |size: usize| {
        let line = format!("{WORK}[word.w]\nk = {{ {} }}\n", many(size, |_| "a = 1, ".into()));
        wild(&format!("line-{size}"), line.replace(", }", " }").as_str())
    };
    grows_no_faster("keys of one line", [1_000, 2_000, 4_000], &["list"], pack);
    let pack =
        |size: usize| wild(&format!("tables-{size}"), &format!("{WORK}{}", many(size, |_| "[word.w]\nk = 1\n".into())));
    grows_no_faster("tables", [1_000, 2_000, 4_000], &["list"], pack);
}

#[test]
fn unknown_keys_grow_with_their_number() {
    let keys = |size: usize| many(size, |n| format!("kkkkk{n} = 1\n"));
    let pack = |size: usize| wild(&format!("keys-{size}"), &format!("{WORK}{}", keys(size)));
    grows_no_faster("keys of an action", [500, 1_000, 2_000], CHECK, pack);
    let pack = |size: usize| {
        let scratch = Scratch::new(&format!("volume-manifest-{size}"));
        scratch.write("content/wild/pack.toml", format!("{WILD}{}{ONE_TURN}{WORK}", keys(size)).as_bytes());
        scratch
    };
    grows_no_faster("keys of a manifest", [500, 1_000, 2_000], CHECK, pack);
}

#[test]
fn tables_of_unknown_kinds_grow_with_their_number() {
    let alike = |n: usize| format!("[kkkkk{n}.x]\nk = 1\n");
    // No two have more than a few letters in common.
    let letters = |n: usize| -> String {
        let start = b'a' + (n % 13) as u8;
        (0..6).map(|place| char::from(start + (n >> (2 * place)) as u8 % 4 * 3)).collect()
    };
    let different = |n: usize| format!("[{}{n}.x]\nk = 1\n", letters(n));
    let pack = |size: usize| wild(&format!("alike-{size}"), &format!("{WORK}{}", many(size, alike)));
    grows_no_faster("tables of unknown kinds with names alike", [500, 1_000, 2_000], CHECK, pack);
    let pack = |size: usize| wild(&format!("different-{size}"), &format!("{WORK}{}", many(size, different)));
    grows_no_faster("tables of unknown kinds with different names", [500, 1_000, 2_000], CHECK, pack);
}

#[test]
fn kinds_and_zones_grow_with_their_number() {
    let chain = |size: usize| many(size, |n| format!("[kind.k{}]\nof = 'k{n}'\n", n + 1));
    let pack = |size: usize| wild(&format!("chain-{size}"), &format!("{WORK}[kind.k0]\n{}", chain(size)));
    grows_no_faster("a chain of kinds", [400, 800, 1_600], CHECK, pack);
    let zones = |size: usize| many(size, |n| format!("[zone.z{n}]\nowner = 'player'\n"));
    let pack = |size: usize| wild(&format!("zones-{size}"), &format!("{WORK}{}", zones(size)));
    grows_no_faster("zones", [400, 800, 1_600], CHECK, pack);
}

#[test]
fn packs_grow_with_their_number() {
    let library = |name: &str, size: usize, chained: bool| {
        let scratch = Scratch::new(&format!("volume-{name}-{size}"));
        for pack in 0..size {
            let needs = if chained && pack > 0 { format!("[needs]\np{} = '*'\n", pack - 1) } else { String::new() };
            let manifest = format!("[pack]\nid = 'p{pack}'\nversion = '1.0.0'\ntitle = 'P'\nkind = 'library'\n{needs}");
            scratch.write(&format!("content/p{pack}/pack.toml"), manifest.as_bytes());
        }
        scratch
    };
    grows_no_faster("packs", [200, 400, 800], &["list"], |size| library("packs", size, false));
    let check = ["check", "p49", "--playouts", "0", "--threads", "1"];
    grows_no_faster("a library of which one pack is checked", [200, 400, 800], &check, |size| {
        library("one", size, false)
    });
    // As far as they may be chained, and further.
    for sizes in [[45, 90, 180], [300, 600, 1_200]] {
        grows_no_faster("a chain of packs that is listed", sizes, &["list"], |size| library("chain", size, true));
    }
}

#[test]
fn a_chain_of_needs_that_is_linked_grows_with_its_length() {
    let library = |size: usize| {
        let scratch = wild(&format!("needs-{size}"), WORK);
        let last = format!("{WILD}[needs]\np{} = '*'\n{ONE_TURN}{WORK}", size - 1);
        scratch.write("content/wild/pack.toml", last.as_bytes());
        for pack in 0..size {
            let needs = if pack > 0 { format!("[needs]\np{} = '*'\n", pack - 1) } else { String::new() };
            let manifest = format!("[pack]\nid = 'p{pack}'\nversion = '1.0.0'\ntitle = 'P'\nkind = 'library'\n{needs}");
            scratch.write(&format!("content/p{pack}/pack.toml"), manifest.as_bytes());
        }
        scratch
    };
    grows_no_faster("a chain of needs", [45, 90, 180], CHECK, library);
    let run = rulepack(library(200).path(), &["check", "wild", "--playouts", "0"]);
    says(&run, 1, &["`wild` needs more than 199 packs", "content/wild/pack.toml:2:"]);
}

#[test]
fn editions_and_players_grow_with_their_product() {
    let pack = |editions: usize| {
        let names: Vec<String> = (0..editions).map(|n| format!("'e{n}'")).collect();
        let head = WILD.replace("{ min = 2, max = 2 }", "{ min = 1, max = 8 }");
        let modes = many(editions, |n| format!("[mode.e{n}]\n"));
        let scratch = Scratch::new(&format!("volume-editions-{editions}"));
        let text = format!("{head}editions = [{}]\n{modes}{ONE_TURN}{WORK}", names.join(", "));
        scratch.write("content/wild/pack.toml", text.as_bytes());
        scratch
    };
    grows_no_faster("editions for eight numbers of players", [10, 20, 40], CHECK, pack);
}

#[test]
fn patches_that_add_grow_with_their_number() {
    let added = format!("gain 1 coin{}", "; gain 1 coin".repeat(150));
    grows_no_faster("patches that add to one effect", [10, 20, 40], CHECK, |size| adding_modes("grow", size, &added));
}

#[test]
fn names_that_are_wrong_in_many_texts_grow_with_their_number() {
    let sum = format!("cuont(bxo){}", "+cuont(bxo)".repeat(40));
    let values = |size: usize| many(size, |n| format!("[value.v{n}]\nbase = '{sum}'\n"));
    let pack = |size: usize| wild(&format!("wrong-{size}"), &format!("{WORK}{}", values(size)));
    grows_no_faster("one wrong name in many texts", [100, 200, 400], CHECK, pack);
    let sum = |n: usize| many(40, |term| format!("+cuo{n}_{term}(bxo)"));
    let values = |size: usize| many(size, |n| format!("[value.v{n}]\nbase = '1{}'\n", sum(n)));
    let pack = |size: usize| wild(&format!("wrongs-{size}"), &format!("{WORK}{}", values(size)));
    grows_no_faster("many wrong names", [100, 200, 400], CHECK, pack);
}

/// A pack in which each word `inn` of a step answers a question, and names the only card of the next question, too.
const TWO_MEANINGS: &str = r#"
[pack]
id      = "game"
version = "1.0.0"
title   = "Game"
kind    = "game"
players = { min = 2, max = 2 }
[kind.card]
starts_in = "yard"
[card.inn]
count = 40
[card.quay]
count = 40
[zone.yard]
[resource.coin]
[phase.game]
turns = { turn = "turn", until = "each_once" }
[phase.turn]
actions = ["walk"]
[action.walk]
effect = "repeat 40 { choose card in yard; choose again in yard where it is inn }; gain 1 coin; end turn"
"#;

/// Sixteen such words took ten seconds, and each further one twice as long.
#[test]
fn ways_to_read_a_step_of_a_scenario_are_bounded() {
    let scratch = Scratch::new("volume-two-meanings");
    scratch.write("content/game/pack.toml", TWO_MEANINGS.as_bytes());
    let words = |count: usize, last: &str| format!("\"walk {}{last}\"", "inn ".repeat(count));
    let says_of = |step: String, code: i32, told: &str| {
        let scenario = format!("about = \"x\"\nwhen = [{{ seat = \"a\", {step} }}]\nthen.seat.a.coin = 1\n");
        scratch.write("content/game/scenarios/x.toml", scenario.as_bytes());
        says(&rulepack(scratch.path(), &["test", "game"]), code, &[told]);
    };
    let too_many = "in more than 1000 ways";
    says_of(format!("choose = {}", words(30, "walk")), 1, too_many);
    says_of(format!("not_offered = {}", words(30, "walk")), 1, too_many);
    // A step of a usual length is read to its end.
    says_of(format!("choose = {}", words(6, "walk")), 1, "`walk` is not offered");
    says_of(format!("choose = {}", words(40, "inn")), 0, "1 passed");
}

/// Whether an effect can be completed was followed on the stack, one call inside the other for each of its choices.
#[test]
fn effects_with_many_choices_have_stack() {
    let scratch = Scratch::new("volume-choices");
    let write = |effect: &str| {
        let (head, _) = TWO_MEANINGS.split_once("effect = ").expect("the pack ends with an effect");
        let prompts = "[prompt.one]\n[prompt.two]\n";
        scratch.write("content/game/pack.toml", format!("{head}effect = \"{effect}; end turn\"\n{prompts}").as_bytes());
    };
    let both = "choose card in yard; choose again in yard where it is inn";
    let again = "choose again in yard where it is inn";
    let spent = "(limit `members`: 5000000)";
    // On threads, which have a smaller stack than the program itself.
    let sim = &["sim", "game", "--games", "2", "--threads", "2"][..];
    // A game of many questions is not played to its end. The bots look ahead, and the work that they may do is limited.
    let play = &["play", "game", "--players", "2", "--seed", "1", "--bots", "all", "--max-answers", "10"][..];
    let goes_on = "the game did not end after 10 answers";
    let copied =
        "choose 900..900 card in yard where my.coin < 2000 as one { gain 1 coin; choose x in yard where it is quay }";
    let cases = [
        (format!("repeat 900 {{ {both} }}; gain 1 coin"), sim, 0, "finished   2"),
        (format!("repeat 90000 {{ {both} }}; gain 1 coin"), play, 1, goes_on),
        (format!("repeat 900 {{ {again} }}; gain 1 coin"), sim, 0, "finished   2"),
        (format!("repeat 90000 {{ {again} }}; gain 1 coin"), sim, 1, spent),
        ("repeat 90000 { either one { gain 1 coin } or two { gain 2 coin } }".into(), sim, 0, "finished   2"),
        (format!("repeat 90000 {{ either one {{ gain 1 coin }} or two {{ {again} }} }}"), sim, 0, "finished   2"),
        (format!("choose 2..2 card in yard as one {{ repeat 90000 {{ {again} }} }}"), sim, 1, spent),
        // Whether as many can be chosen as must be is tried on a copy of the table for each of them.
        (copied.into(), play, 1, goes_on),
    ];
    for (effect, arguments, code, told) in cases {
        write(&effect);
        says(&rulepack(scratch.path(), arguments), code, &[told]);
    }
    write(&format!("repeat 900 {{ {again} }}; gain 1 coin"));
    let scenario = "about = \"x\"\nwhen = [{ seat = \"a\", choose = \"walk\" }]\nthen.seat.a.coin = 1\n";
    scratch.write("content/game/scenarios/x.toml", scenario.as_bytes());
    says(&rulepack(scratch.path(), &["test", "game"]), 0, &["1 passed"]);
}
