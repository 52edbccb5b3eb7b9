//! A small game in a folder of its own, and scenarios that pass, fail and have mistakes.

// Tests set up and look at files of their own.
#![allow(clippy::disallowed_methods)]

use std::fs;
use std::path::PathBuf;

use rulepack_kernel::{Answer, LogEntry, Opt, Sight, Viewer, Words, option_keys};
use rulepack_model::Seat;
use rulepack_pack::LinkRequest;

use super::{TestReport, check_scenarios, run_files};
use crate::coverage::coverage;
use crate::load::Library;

const PACK: &str = r#"
pack = { id = "harbor", version = "1.0.0", title = "Harbor", kind = "game", players = { min = 1, max = 4 } }

resource.coin = { supply = 20, start = 1 }
resource.rope = { supply = 10 }
resource.tale = { supply = "unlimited" }
group.goods   = { of = ["coin", "rope"] }
symbol.red    = {}

kind.card  = { attributes = { cost = "cost", colour = "symbol" }, starts_in = "deck", score_by = "colour" }
kind.plank = { holds = ["coin"], starts_in = "planks" }
kind.lamp  = { starts_in = "lamps" }
kind.berth = { holds = ["goods"], count = { per_player = 1 }, starts_in = "berths" }

card.inn         = { count = 2, cost = "1 coin", colour = "red", score = "3" }
card.quay        = { count = 2, cost = "2 coin", colour = "red", score = "4" }
card.night_ferry = { count = 2, cost = "", colour = "red", score = "1" }
card.rowing_boat = { count = 2, cost = "1 rope", colour = "red", score = "1" }
plank.oak        = { count = 4 }
lamp.oil_lamp    = { count = 4 }
berth.pier       = {}

zone.deck   = { visible = "none" }
zone.row    = { layout = { row = 3, enters = "left" }, refill = "deck" }
zone.away   = {}
zone.planks = {}
zone.lamps  = {}
zone.hand   = { owner = "player", visible = "owner" }
zone.berths = { owner = "player" }
zone.board  = { owner = "player", layout = { grid = [3, 2], rows = ["I", "II"], columns = ["left", "middle", "right"] } }

var.round   = {}
var.luck    = { of = "player" }
var.marked  = { of = "plank" }
value.reach = { of = "player", base = "2 + count(my pieces where it is plank)" }

phase.game  = { sequence = ["setup", "draft", "round"] }
phase.setup = { effect = "shuffle deck; refill row" }
phase.draft = { turns = { turn = "pick", until = "each_once" } }
phase.pick  = { actions = ["take"], once = true }
phase.round = { sequence = ["turns"], repeat = 3, counts = "round" }
phase.turns = { turns = { turn = "turn", until = "all_passed" } }
phase.turn  = { actions = ["build", "buy", "settle", "gamble", "fetch", "boom", "rob", "sort", "pass"], once = true, effect = "set my.luck = my.luck + 10" }

action.take   = { param.card = "row", effect = "move card to my hand; refill row" }
action.buy    = { param.card = "row", cost = "card.cost", effect = "move card to my hand; refill row" }
action.build  = { param = { card = "my hand", space = "free_cells(my board)" }, cost = "1 coin to first(my berths)", effect = "move card to space" }
action.settle = { effect = "choose space in free_cells(my board) as place; move top(planks) to space; may lay top(lamps) on first(pieces_at(space)) as light" }
action.gamble = { effect = "roll die of 6; gain die tale; set my.luck = die" }
action.fetch  = { effect = "either coins { gain 2 coin } or ropes { gain 1 rope }" }
action.rob    = { param.victim = "others", effect = "take 1 goods from victim" }
action.boom   = { requires = "my.tale > 90", effect = "move top(deck) to away; choose card in my hand where it.colour != 'red' as place; move card to away" }
action.sort   = { requires = "count(my hand) > 1", effect = "choose 0..2 card in my hand as place { move card to away }" }
action.pass   = { effect = "pass" }

prompt.place = { title = "Where?" }
prompt.light = { title = "A lamp?" }
prompt.coins = { title = "Coins" }
prompt.ropes = { title = "Ropes" }

rule.HAR-1 = { text = "A stall costs a coin." }
rule.HAR-2 = { text = "A turn is one action." }
rule.HAR-3 = { text = "It smells of tar.", shown = "no: flavour" }
example.HAR-EX-1 = { text = "Jenny builds an inn." }
"#;

const STALLS: &str = r#"
covers  = ["HAR-1"]
example = "HAR-EX-1"
[given]
players   = ["jenny", "georges"]
vars      = { round = 3 }
zone.row  = ["quay", "inn", "rowing_boat"]
zone.deck = { top = ["night_ferry"] }
[given.seat.jenny]
coin  = 2
hand  = ["inn", "night_ferry"]
board = { "I.left" = "oak", "II.right" = { piece = "oak", coin = 2, on = ["oil_lamp"], marked = 1 } }
[given.seat.georges]
hand = []
[[when]]
seat        = "jenny"
not_offered = [["build", "inn", "I.left"], ["build", "quay"]]
offered     = ["build", "inn", "II.middle"]
choose      = ["build", "inn", "I.middle"]
[[when]]
seat   = "georges"
choose = "pass"
[[when]]
seat   = "jenny"
choose = "pass"
[then]
over    = true
winners = ["jenny"]
supply  = { coin = 15 }
[then.seat.jenny]
coin   = 1
goods  = 1
hand   = ["night_ferry"]
berths = { pier = { goods = 1, coin = 1 } }
board  = { "I.left" = "oak", "I.middle" = "inn", "II.left" = "", "II.right" = { piece = "oak", coin = 2, on = ["oil_lamp"], marked = 1 } }
reach  = 4
score  = 3
scores = { red = 3 }
holds  = ["count(my cards) == 1", "my.coin == 1"]
[then.zone]
row  = { 1 = "quay", 2 = "inn", 3 = "rowing_boat" }
deck = { top = ["night_ferry"], size = 3 }
"#;

const CASES: &str = r#"
covers = ["HAR-2"]
[given]
players = ["x", "y"]
each    = { coin = 0, hand = [] }
[[case]]
name = "a fixed roll"
given = { rolls = [4], turn = "y" }
when = [{ seat = "y", choose = "gamble" }]
then = { turn = "x", seat.y = { tale = 4, luck = 4 } }
[[case]]
name = "all options"
given.zone.row = ["quay", "inn", "night_ferry"]
when = [{ seat = "x", choose = ["fetch", "ropes"] }, { options = ["settle", "gamble", "fetch", "rob x", "pass", "buy night_ferry"] }]
then = { each.coin = 0, seat.x.rope = 1, asked = "y" }
[[case]]
name = "a forced choice may be named"
given.seat.y.coin = 1
when = [{ seat = "x", choose = ["rob", "y", "coin"] }]
then = { seat.x.coin = 1, seat.y.coin = 0 }
[[case]]
name = "a fault leaves the game as it was"
given.seat.x.tale = 91
when = [{ seat = "x", choose = "boom", refused = "nothing to choose" }, { seat = "x", choose = ["settle", "II.left", "yes"] }]
then.seat.x.board = { "II.left" = { piece = "oak", on = ["oil_lamp"] } }
[[case]]
name = "an empty supply"
given.supply.coin = 1
when = [{ seat = "x", choose = "fetch coins" }]
then = { supply.coin = 0, seat.x.coin = 1, passed = [] }
[[case]]
name = "the round goes on without those who passed"
given.passed = ["x"]
when = [{ seat = "y", choose = "fetch coins" }, { seat = "y", choose = "pass" }]
then = { vars.round = 2, passed = [] }
[[case]]
name = "what was just taken is not offered again"
given.seat.x.hand = ["inn", "quay"]
when = [{ seat = "x", choose = "sort inn" }, { seat = "x", not_offered = "inn", choose = "done" }]
then = { seat.x.hand = ["quay"], zone.away = ["inn"] }
[[case]]
name = "a turn from its beginning"
given = { from = "turn", turn = "y", seat.y.luck = 1 }
then.seat = { x.luck = 10, y.luck = 11 }
[[case]]
name = "from a phase"
given = { from = "phase:pick", turn = "y", zone.row = ["quay", "inn", "night_ferry"] }
when = [{ seat = "y", choose = "take inn" }]
then = { turn = "x", seat.y.hand = ["inn"], zone.row = { 2 = "quay", 3 = "night_ferry" } }
[[case]]
name = "from the first decision"
given = { from = "setup", each = {}, players = 4 }
when = [{ seat = "a", offered = "take" }]
then.zone = { row = 3, deck = 5 }
"#;

const FAILING: &str = r#"
given.players = ["x", "y"]
given.seat.x = { coin = 3, hand = ["inn", "inn", "quay"] }
given.zone.row = ["night_ferry", "rowing_boat", "night_ferry"]
case = [
  { name = "not offered", when = [{ seat = "x", choose = ["build", "rowing_boat"] }] },
  { name = "not asked", when = [{ seat = "y", choose = "pass" }] },
  { name = "ambiguous", when = [{ seat = "x", choose = ["buy", "night_ferry"] }] },
  { name = "other values", then.seat.x = { coin = 4, hand = ["inn", "quay"], board = { "I.left" = "oak" } } },
  { name = "a roll left over", given.rolls = [1], when = [{ seat = "x", choose = "pass" }] },
  { name = "more than there are", given.seat.y.hand = ["inn"], then.turn = "x" },
  { name = "no place for the rest", given.zone.deck = [], then.turn = "x" },
]
"#;

const MISTAKES: &str = r#"
covers = ["HAR-9"]
abuot = "x"
[given]
players = ["x", "y"]
vars = { ruond = 1 }
[given.seat.x]
coni = 3
hand = ["in"]
board = { "III.left" = "oak" }
[[when]]
choose = "biuld"
[then]
holds = ["count(my crads) == 1"]
"#;

/// A library in a folder that goes away with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, scenarios: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("rulepack-{name}-{}", std::process::id()));
        let pack = folder.join("content/harbor");
        fs::create_dir_all(pack.join("scenarios")).unwrap();
        fs::write(pack.join("pack.toml"), PACK).unwrap();
        for (name, text) in scenarios {
            fs::write(pack.join("scenarios").join(format!("{name}.toml")), text).unwrap();
        }
        Folder(folder)
    }

    fn open(&self) -> Library {
        Library::open(&[&self.0]).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn messages(report: &TestReport) -> Vec<String> {
    report.failures.iter().map(|f| format!("{}: {}", f.case.as_deref().unwrap_or(""), f.message)).collect()
}

#[test]
fn scenarios_that_say_what_happens_pass_and_cover() {
    let folder = Folder::new("pass", &[("stalls", STALLS), ("cases", CASES)]);
    let library = folder.open();
    let report = run_files(&library, &["harbor".into()]).unwrap();
    assert_eq!(messages(&report), Vec::<String>::new());
    assert_eq!((report.passed, report.failed), (11, 0));
    let coverage = coverage(&library, "harbor", 50).unwrap();
    assert_eq!((coverage.rules.total, coverage.rules.covered, coverage.rules.not_shown.len()), (2, 2, 1));
    assert_eq!((coverage.examples.total, coverage.examples.covered), (1, 1));
    assert_eq!(coverage.pieces.unexercised, Vec::<String>::new());
}

#[test]
fn a_failure_says_what_was_expected_and_what_was_there() {
    let folder = Folder::new("fail", &[("failing", FAILING)]);
    let report = run_files(&folder.open(), &["harbor".into()]).unwrap();
    assert_eq!(report.passed, 0);
    let expected = [
        "not offered: step 1: `build rowing_boat` is not offered\n  x is asked",
        "not asked: step 1: `pass` cannot be chosen: `y` is not asked now\n  x is asked",
        "ambiguous: step 1: `buy night_ferry` can mean several options: `buy night_ferry@1`, `buy night_ferry@3`",
        "other values: then: x.coin: expected 4, found 3\n\
         then: x.hand: expected inn, quay, found inn, inn, quay in hand of x\n\
         then: x.board: expected I.left: oak, found I.left: nothing in board of x",
        "a roll left over: then: rolls: 1 of 1 were not rolled",
        "more than there are: given: there are only 2 copies of `inn` in this game",
        "no place for the rest: given: `",
    ];
    let found = messages(&report);
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}\ndoes not begin with\n{expected}");
    }
}

#[test]
fn all_mistakes_of_a_file_are_found_in_one_run() {
    let folder = Folder::new("mistakes", &[("mistakes", MISTAKES)]);
    let library = folder.open();
    let mistakes = check_scenarios(&library, "harbor", &[], 2);
    let helps: Vec<&str> = mistakes.iter().filter_map(|mistake| mistake.help.as_deref()).collect();
    for word in ["about", "HAR-1", "round", "coin", "inn", "II.left", "build", "cards"] {
        assert!(helps.contains(&format!("did you mean `{word}`?").as_str()), "{word} is not in {helps:#?}");
    }
    assert!(mistakes.iter().all(|mistake| !mistake.labels.is_empty()));
    let report = run_files(&library, &["harbor".into()]).unwrap();
    assert_eq!((report.passed, report.failed, report.diagnostics.len()), (0, 1, mistakes.len()));
}

#[test]
fn nobody_is_told_what_the_game_chose_by_itself() {
    let folder = Folder::new("forced", &[]);
    let library = folder.open();
    let request = LinkRequest { pack: "harbor".into(), players: Some(2), ..LinkRequest::default() };
    let game_box = library.load(&request).unwrap();
    let host = game_box.host().unwrap();
    let mut game = game_box.start(&host, 1).unwrap();
    let mut forced = 0;
    for _ in 0..40 {
        let Some(decision) = game.decision() else { break };
        // The rope runs out, and then only coins can be taken.
        let is_rob = |option: &Opt| option_keys(game.rules(), game.state(), *option).primary[0] == "rob";
        let answer = decision.options.iter().position(is_rob).unwrap_or(0);
        let events = game.answer(&host, Answer(answer as u16)).unwrap();
        for event in events.iter().filter(|event| matches!(event, LogEntry::Forced { .. })) {
            forced += 1;
            for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Public, Viewer::All] {
                let sight = Sight::new(game.rules(), game.state(), viewer);
                assert_eq!(Words::new(game.rules(), "").event(event, &sight), None);
            }
        }
    }
    assert!(forced > 0, "something was chosen by the game itself");
}
