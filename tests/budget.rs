//! One budget for all that follows from an answer, whoever uses it: every attack here ends by count, and the message names
//! pack, card or action, hook and line. The limits are far below the default, so that it is soon over.

use rulepack::{Answer, AnswerError, Fault, Game, GameBox, Library, Limits, LinkRequest, ScriptHost};

use crate::support::{ONE_TURN, Scratch, WILD, rulepack};

const FEW: Limits =
    Limits { steps: 2_000, members: 100_000, script_steps: 20_000, script_memory: 4 << 20, frames: 2_000 };

/// Where pieces lie.
const ZONES: &str = "
[zone.bag]
[zone.box]
[zone.row]
layout = { row = 40 }
refill = 'bag'
";

const CHESTS: &str = "
[kind.chest]
starts_in = 'bag'
[chest.oak]
count = 2_000
";

struct Wild {
    // The files are gone after it.
    _folder: Scratch,
    game_box: GameBox,
    host: ScriptHost,
}

impl Wild {
    fn new(name: &str, limits: Limits, pack: &str, script: &str) -> Wild {
        let folder = library(name, pack, script);
        let library = Library::open(&[folder.path()]).expect("the library is there").with_limits(limits);
        let request = LinkRequest { pack: "wild".into(), ..LinkRequest::default() };
        let game_box = library.load(&request).unwrap_or_else(|mistakes| panic!("{name}: {mistakes:?}"));
        let host = game_box.host().expect("the scripts are well");
        Wild { _folder: folder, game_box, host }
    }

    fn start(&self) -> Game {
        self.game_box.start(&self.host, 1).expect("it starts")
    }
}

fn library(name: &str, pack: &str, script: &str) -> Scratch {
    let folder = Scratch::new(&format!("budget-{name}"));
    folder.write(
        "content/wild/pack.toml",
        format!("{WILD}{}{}{pack}", ONE_TURN.trim_start(), ZONES.trim_start()).as_bytes(),
    );
    if !script.is_empty() {
        folder.write("scripts/wild/f.lua", format!("local f = {{}}\n{script}\nreturn f\n").as_bytes());
    }
    folder
}

fn fault_of(game: &mut Game, host: &ScriptHost) -> Option<Fault> {
    match game.answer(host, Answer(0)) {
        Ok(_) => None,
        Err(AnswerError::Fault(fault)) => Some(fault),
        Err(error) => panic!("{error}"),
    }
}

/// Fails with this message, always: again in the same game, in a copy, in a loaded one, in another host, and under limits
/// that are a little wider.
#[track_caller]
fn stopped(name: &str, pack: &str, script: &str, message: &str) {
    let wild = Wild::new(name, FEW, pack, script);
    let mut game = wild.start();
    let first = fault_of(&mut game, &wild.host).unwrap_or_else(|| panic!("{name} is not stopped: {:?}", game.spent()));
    match message.ends_with(':') {
        // The column does not matter.
        true => assert!(first.to_string().starts_with(message), "{name}: {first}"),
        false => assert_eq!(first.to_string(), message, "{name}"),
    }
    assert_eq!(fault_of(&mut game, &wild.host).as_ref(), Some(&first), "{name}: again");
    assert_eq!(fault_of(&mut game.clone(), &wild.host).as_ref(), Some(&first), "{name}: in a copy");
    let text = game.save().to_json();
    let mut loaded = Game::load(game.rules().clone(), &wild.host, &text).expect("it was saved");
    assert_eq!(fault_of(&mut loaded, &wild.host).as_ref(), Some(&first), "{name}: loaded");
    let wider = Limits { members: FEW.members + FEW.members / 9, script_steps: FEW.script_steps + 999, ..FEW };
    let wild = Wild::new(name, wider, pack, script);
    assert!(fault_of(&mut wild.start(), &wild.host).is_some(), "{name}: under other limits");
}

const WORK: &str = "[action.work]\neffect = 'f.go'\n";

fn steps_at(line: u32, hook: &str) -> String {
    format!(
        "scripts took more than 20000 steps before the next question (limit `script_steps`) \
         (scripts/wild/f.lua:{line}, called from {hook})"
    )
}

fn members_at(place: &str) -> String {
    format!(
        "too much is looked at before the next question: sets inside sets, or a long loop (limit `members`: 100000) \
         (in {place})"
    )
}

#[test]
fn what_a_script_asks_for_does_not_fill_its_budget() {
    let script = "function f.go(ctx)\n  while true do\n    for _ = 1, 900 do end\n    ctx:shuffle('box')\n  end\nend";
    stopped("requests", &format!("{WORK}{CHESTS}"), script, &steps_at(4, "action.work effect"));
}

#[test]
fn all_queries_of_a_set_share_one_budget() {
    let pack = format!("[action.work]\neffect = 'if any(bag where f.is_slow(it)) {{ pass }}'\n{CHESTS}");
    let script = "function f.is_slow(ctx, piece)\n  for _ = 1, 900 do end\n  return false\nend";
    stopped("queries", &pack, script, &steps_at(3, "action.work effect"));
}

#[test]
fn all_listeners_share_one_budget() {
    let pack = "[event.rung]\n[action.work]\neffect = 'raise rung'\n[kind.bell]\nstarts_in = 'tower'\n[zone.tower]\nin_play = true\n\
                [bell.big]\ncount = 200\non.rung = { whose = 'any', do = 'f.hear' }\n";
    let script = "function f.hear(ctx)\n  for _ = 1, 900 do end\nend";
    stopped("listeners", pack, script, &steps_at(3, "bell.big on.rung.do"));
}

#[test]
fn all_values_share_one_budget() {
    let values: String = (0..60).map(|n| format!("[value.v{n}]\nbase = 'f.worth({n})'\n")).collect();
    let all: Vec<String> = (0..60).map(|n| format!("v{n}")).collect();
    let pack = format!("[var.all]\n[action.work]\neffect = 'set all = {}'\n{values}", all.join(" + "));
    let script = "function f.worth(ctx, n)\n  for _ = 1, 900 do end\n  return n\nend";
    stopped("worths", &pack, script, &steps_at(3, "value.v0 base"));
}

/// What the VM does not count, counts by its size.
#[test]
fn what_a_function_handles_counts() {
    let long = "local s = 'xxxxxxxx' for _ = 1, 10 do s = s .. s end";
    let hook = "action.work effect";
    let cases = [
        ("balance", "local s = ('x'):gsub('x', '((((((((') for _ = 1, 9 do s = s .. s end\nreturn s:match('%b()')"),
        ("set", "local t = 'yyyyyyyy' for _ = 1, 10 do t = t .. t end\nreturn t:match('[' .. s .. 'y]*z')"),
        ("matches", "\nfor _ in s:gmatch('[' .. s .. ']-z') do end"),
        ("changes", "\nwhile true do s:gsub('y', '') end"),
        ("compare", "local t, u = s .. 'a', s .. 'b'\nwhile true do local _ = t < u, t < u, t < u end"),
        ("unpack", "\nwhile true do unpack({}, 1, 240) end"),
        ("concat", "local l = { s, s, s }\nwhile true do table.concat(l) end"),
        ("sort", "local l = {} for i = 1, 90 do l[i] = s .. (i % 7) end\nwhile true do table.sort(l) end"),
        ("insert", "local l = {} for i = 1, 900 do l[i] = i end\nwhile true do table.insert(l, 1, 0) end"),
    ];
    for (name, body) in cases {
        let script = format!("function f.go(ctx)\n  {long} {body}\nend");
        stopped(name, WORK, &script, &steps_at(4, hook));
    }
    let too_much = |line: u32| {
        format!(
            "the script used too much memory (limit `script_memory`) (scripts/wild/f.lua:{line}, called from {hook})"
        )
    };
    stopped("join", WORK, &format!("function f.go(ctx)\n  {long}\nwhile true do s = s .. 'a' end\nend"), &too_much(4));
    // One step that asks for more than is left: the VM does not say in which line.
    stopped("double", WORK, &format!("function f.go(ctx)\n  {long}\nwhile true do s = s .. s end\nend"), &too_much(2));
}

/// Each of 23 values reads the next three times; the last is `last`.
fn line_of_values(last: &str) -> String {
    let line: String = (0..23).map(|n| format!("[value.v{n}]\nbase = 'v{0} + v{0} + v{0}'\n", n + 1)).collect();
    format!("[var.all]\n[action.work]\neffect = 'set all = v0'\n{line}[value.v23]\nbase = '{last}'\n")
}

#[test]
fn values_that_each_read_the_next_three_times_end() {
    // Each is worked out once, also where the last asks a script, which is remembered while the first is worked out.
    let script = "function f.worth(ctx)\n  return 1\nend";
    for (name, last, script) in [("values-scripted", "f.worth()", script), ("values-remembered", "all", "")] {
        let wild = Wild::new(name, FEW, &line_of_values(last), script);
        let mut game = wild.start();
        assert_eq!(fault_of(&mut game, &wild.host), None, "{name}");
        assert!(game.spent().members < 1_000, "{name}: {:?}", game.spent());
    }
}

#[test]
fn attributes_that_each_read_the_next_three_times_end() {
    let keys: Vec<String> = (0..24).map(|n| format!("a{n} = 'amount'")).collect();
    let texts: String = (0..23).map(|n| format!("a{n} = 'self.a{0} + self.a{0} + self.a{0}'\n", n + 1)).collect();
    let pack = format!(
        "[var.all]\n[action.work]\neffect = 'set all = first(bag).a0'\n[kind.chest]\nstarts_in = 'bag'\nattributes = {{ {} }}\n\
         [chest.oak]\n{texts}a23 = 'my.luck'\n[var.luck]\nof = 'player'\n",
        keys.join(", ")
    );
    // Each is worked out once.
    let wild = Wild::new("attributes", FEW, &pack, "");
    let mut game = wild.start();
    assert_eq!(fault_of(&mut game, &wild.host), None);
    assert!(game.spent().members < 1_000, "{:?}", game.spent());
}

#[test]
fn moving_pieces_counts() {
    let cases = [
        ("shuffles", "repeat 9000 { shuffle bag }"),
        ("draws", "repeat 9000 { draw 2000 from bag to box; draw 2000 from box to bag }"),
        ("refills", "repeat 9000 { refill row; for each c in row { move c to bag } }"),
        ("looks", "repeat 9000 { look at bag }"),
        ("tells", "repeat 9000 { disclose bag }"),
        ("sets", "if any(bag as a where any(bag as b where any(bag where it.row + a.row + b.row == 9))) { pass }"),
    ];
    for (name, effect) in cases {
        let place = members_at("action.work effect, content/wild/pack.toml:19:");
        let place = place.trim_end_matches(')');
        stopped(name, &format!("[action.work]\neffect = '{effect}'\n{CHESTS}"), "", place);
    }
}

/// What is gone through for every member counts by its length.
#[test]
fn a_long_text_counts_by_its_length() {
    let long = vec!["it.row"; 150].join(" + ");
    let pack = format!("[action.work]\neffect = 'if any(bag where {long} == 9) {{ pass }}'\n{CHESTS}");
    let wild = Wild::new("long-text", Limits::default(), &pack, "");
    let mut game = wild.start();
    assert_eq!(fault_of(&mut game, &wild.host), None);
    assert!(game.spent().members > 2_000 * 4, "{:?}", game.spent());
}

/// A tower as high as there are pieces is built and moved as a whole, without recursion, and costs by its height.
#[test]
fn a_tower_of_nine_thousand() {
    let pack = format!("{WORK}{}", CHESTS.replace("2_000", "9_000"));
    let build = "local all, last = ctx:pieces('bag'), nil\n  for _, c in ipairs(all) do\n    if last then ctx:lay(c, last) end\n    last = c\n  end";
    let script = format!("function f.go(ctx)\n  {build}\n  ctx:move(all[1], 'box')\nend");
    let wild = Wild::new("tower", Limits::default(), &pack, &script);
    let mut game = wild.start();
    // On a small stack, as threads have it.
    let spent = std::thread::scope(|scope| {
        let small = std::thread::Builder::new().stack_size(1 << 20);
        let (game, game_box) = (&mut game, &wild.game_box);
        let build = move || {
            let host = game_box.host().expect("the scripts are well");
            assert_eq!(fault_of(game, &host), None);
            game.spent().members
        };
        small.spawn_scoped(scope, build).expect("there can be threads").join().expect("it is built")
    });
    assert!((9_000..60_000).contains(&spent), "{spent}");
    let endless = format!(
        "function f.go(ctx)\n  {build}\n  while true do\n    ctx:move(all[1], 'box')\n    ctx:move(all[1], 'bag')\n  end\nend"
    );
    let place = "too much is looked at before the next question: sets inside sets, or a long loop (limit `members`: 100000) \
                 (scripts/wild/f.lua:10, called from action.work effect)";
    stopped("tower-moves", &format!("{WORK}{}", CHESTS.replace("2_000", "500")), &endless, place);
}

/// What `ctx` goes through for a script counts, too.
#[test]
fn what_a_script_looks_at_counts() {
    let pack = format!("{WORK}{CHESTS}");
    for look in ["ctx:pieces('bag')", "ctx:free_cells('row')", "ctx:in_play('chests')"] {
        let script = format!("function f.go(ctx)\n  while true do\n    local _ = {look}\n  end\nend");
        let wild = Wild::new("look", FEW, &pack, &script);
        let fault = fault_of(&mut wild.start(), &wild.host).expect("it is stopped");
        assert!(matches!(fault.script.as_deref(), Some("scripts/wild/f.lua:3" | "scripts/wild/f.lua:4")), "{fault}");
    }
}

/// A script that is run again from its beginning does not pay for what came before it, nor for its first run.
#[test]
fn who_is_run_again_does_not_pay_twice() {
    let pack = "[prompt.sure]\ntitle = 'Sure?'\n[action.work]\neffect = 'f.before; f.go'\n";
    let script = "function f.before(ctx)\n  for _ = 1, 9000 do end\nend\n\
                  function f.go(ctx)\n  for _ = 1, 9000 do end\n  for _ = 1, 3 do\n    ctx:confirm('sure')\n    for _ = 1, 18000 do end\n  end\nend";
    let wild = Wild::new("again", FEW, pack, script);
    let mut game = wild.start();
    let script_steps = |game: &Game| game.spent().script_steps;
    for question in 0..4 {
        assert_eq!(fault_of(&mut game, &wild.host), None, "question {question}");
        assert!((18_000..20_000).contains(&script_steps(&game)), "{question}: {:?}", game.spent());
        let mut copy = game.clone();
        let text = game.save().to_json();
        let mut loaded = Game::load(game.rules().clone(), &wild.host, &text).expect("it was saved");
        if question < 3 {
            assert_eq!(fault_of(&mut copy, &wild.host), None, "a copy after question {question}");
            assert_eq!(fault_of(&mut loaded, &wild.host), None, "a loaded game after question {question}");
            assert_eq!(copy.hash(), loaded.hash());
            assert_eq!(script_steps(&copy), script_steps(&loaded));
        }
    }
}

/// The largest answer in games of every shipped pack takes less than a fiftieth of each limit.
#[test]
fn shipped_packs_stay_far_below_the_limits() {
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the packs are there");
    let mut games = 0;
    for pack in library.list().into_iter().filter(|pack| library.has_game(&pack.id)) {
        let game_box =
            library.load(&LinkRequest { pack: pack.id.clone(), ..LinkRequest::default() }).expect("it links");
        let host = game_box.host().expect("the scripts are well");
        let mut largest = [0; 4];
        for seed in 1..=3 {
            let mut game = game_box.start(&host, seed).expect("it starts");
            let mut bot = rulepack::RandomBot::new(seed);
            games += 1;
            loop {
                for (most, (_, spent)) in largest.iter_mut().zip(game.spent().all()) {
                    *most = (*most).max(spent);
                }
                let Some(decision) = game.decision() else { break };
                let answer = bot.choose(game_box.rules(), decision);
                game.answer_fast(&host, answer).expect("it plays");
            }
        }
        for ((name, limit), most) in Limits::default().all().into_iter().zip(largest) {
            println!("{}: {name} {most}", pack.id);
            assert!(most < limit / 50, "{}: {most} of {limit} {name}", pack.id);
        }
    }
    assert!(games > 10);
}

#[test]
fn only_the_caller_sets_limits() {
    let pack = format!("[action.work]\neffect = 'repeat 500 {{ shuffle bag }}'\n{CHESTS}");
    let folder = library("caller", &pack, "");
    let sim = |more: &[&str]| {
        let mut call = vec!["sim", "wild", "--games", "1", "--threads", "1"];
        call.extend(more);
        rulepack(folder.path(), &call)
    };
    assert_eq!(sim(&[]).code, 0);
    let stopped = sim(&["--limit", "members=5000"]);
    assert_eq!(stopped.code, 1);
    assert!(
        stopped.stdout.contains("(limit `members`: 5000) (in action.work effect, content/wild/pack.toml:19:"),
        "{}",
        stopped.stdout
    );
    // Files of a library are not looked at.
    for place in ["limits.toml", "content/limits.toml", "content/wild/.limits.toml"] {
        folder.write(place, b"members = 5000\n");
    }
    assert_eq!(sim(&[]).code, 0);
    assert_eq!(sim(&["--limits", "limits.toml"]).code, 1);
    // The flag counts more than the file.
    assert_eq!(sim(&["--limits", "limits.toml", "--limit", "members=5000000"]).code, 0);
    for call in ["check", "test", "coverage", "mutate", "sim", "play", "replay"] {
        let said = rulepack(folder.path(), &[call, "--help"]).stdout;
        assert!(said.contains("--limit <NAME=N>") && said.contains("--limits <FILE>"), "{call}: {said}");
    }
    let wrong = [
        (
            vec!["--limit", "stpes=1"],
            "there is no limit `stpes`; the limits are steps, members, script_steps, script_memory, frames",
        ),
        (vec!["--limit", "steps"], "write `NAME=N`, such as `steps=200000`"),
        (vec!["--limit", "steps=0"], "`0` is no limit: write a whole number from 1 to 4294967295"),
        (vec!["--limits", "none.toml"], "there is no file `none.toml`"),
        (vec!["--limits", "wrong.toml"], "wrong.toml:2:1: unknown field `stpes`"),
    ];
    folder.write("wrong.toml", b"steps = 3\nstpes = 4\n");
    for (more, message) in wrong {
        let said = sim(&more);
        assert_eq!(said.code, 2, "{more:?}");
        assert!(said.stderr.contains(message), "{more:?}: {}", said.stderr);
    }
}

/// A file says under which limits it was played; the call says under which it goes on.
#[test]
fn saves_and_logs_name_their_limits() {
    let folder = library("named", &format!("[action.work]\neffect = 'shuffle bag'\n{CHESTS}"), "");
    let run = |call: &[&str]| rulepack(folder.path(), call);
    let played = run(&["play", "wild", "--bots", "all", "--seed", "1", "--limit", "steps=777", "--log", "game.jsonl"]);
    assert_eq!(played.code, 0, "{}", played.stderr);
    let log = std::fs::read_to_string(folder.path().join("game.jsonl")).expect("it was written");
    assert!(log.contains("\"limits\":{\"steps\":777,"), "{log}");
    let other = "it was played under other limits, steps 777 instead of 100000; those of this call count";
    assert!(run(&["replay", "game.jsonl"]).stderr.contains(other));
    assert!(!run(&["replay", "game.jsonl", "--limit", "steps=777"]).stderr.contains("limits"));
    // The limits of the file do not count.
    let said = run(&["replay", "game.jsonl", "--limit", "members=1000"]);
    assert_eq!(said.code, 1);
    assert!(
        said.stdout.contains("limit `members`: 1000") || said.stderr.contains("limit `members`: 1000"),
        "{}",
        said.shown()
    );
    let wild = Wild::new("saved", FEW, WORK, "function f.go(ctx) end");
    let save: serde_json::Value = serde_json::from_str(&wild.start().save().to_json()).expect("it is JSON");
    assert_eq!(save["limits"]["script_steps"], 20_000);
}

/// What goes on inside itself 400 times ends well: depth takes memory, no stack, also on a small one.
#[test]
fn a_chain_of_four_hundred_plays_fits() {
    let again = "[event.again]\neffect = 'set left = left - 1; if left > 0 { raise again }; gain 1 coin for me'\n";
    let by_text =
        format!("[resource.coin]\n[var.left]\n{again}[action.work]\neffect = 'set left = 400; raise again'\n");
    let by_script = "[resource.coin]\n[var.left]\nstart = 400\n[action.work]\nlimit = 'once per turn'\neffect = 'f.go'\n[event.again]\neffect = 'f.go'\n";
    let script = "function f.go(ctx)\n  ctx:set('left', ctx:get('left') - 1)\n  if ctx:get('left') > 0 then ctx:raise('again') end\n  ctx:gain('coin')\nend";
    for (name, pack, script) in [("chain", by_text.as_str(), ""), ("script-chain", by_script, script)] {
        let wild = Wild::new(name, Limits::default(), pack, script);
        let coins = std::thread::scope(|scope| {
            let small = std::thread::Builder::new().stack_size(1 << 20);
            let play = || {
                let host = wild.game_box.host().expect("the scripts are well");
                let mut game = wild.game_box.start(&host, 1).expect("it starts");
                assert_eq!(fault_of(&mut game, &host), None, "{name}");
                game.state().amount(game.rules(), rulepack::Seat(0), rulepack::ResId::from(0))
            };
            small.spawn_scoped(scope, play).expect("there can be threads").join().expect("it ends")
        });
        assert_eq!(coins, 400, "{name}");
    }
}

/// What goes too deep names what is inside what, once around.
#[test]
fn a_chain_that_is_too_deep_is_named() {
    let shallow = Limits { frames: 60, ..Limits::default() };
    let pack = "[var.left]\n[event.ping]\neffect = 'set left = left + 1; raise pong; set left = left + 1'\n[event.pong]\neffect = 'set left = left + 1; raise ping; set left = left + 1'\n[action.work]\neffect = 'raise ping'\n";
    let wild = Wild::new("deep", shallow, pack, "");
    let fault = fault_of(&mut wild.start(), &wild.host).expect("it is too deep").to_string();
    assert!(fault.starts_with("more than 60 effects inside one another: … → "), "{fault}");
    for name in ["event.ping", "event.pong", "→ … (limit `frames`)"] {
        assert!(fault.contains(name), "{fault}");
    }
    assert!(fault.matches("event.ping").count() <= 3, "{fault}");
}
