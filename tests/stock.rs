//! Stock on pieces, costs with something left out, spaces with marks and ways, standing rules, looking at hidden pieces,
//! kinds of kinds and printings: the fixture `stock`. What a table before and after can show stands in its scenarios;
//! here is what they cannot see: views, logs, faults and games that are resampled.

use std::path::Path;

use rulepack::{
    Answer, Ask, Game, GameBox, Library, LinkRequest, LogEntry, Pending, RandomBot, ScriptHost, Seat, Sight,
    SimRequest, View, Viewer, Words, simulate,
};
use rulepack_kernel::{SpaceView, ZoneView, option_keys};

use crate::support::{Scratch, fixture, rulepack};

const A: Seat = Seat(0);
const B: Seat = Seat(1);

/// A game of the fixture that is being played.
struct Table {
    game_box: GameBox,
    host: ScriptHost,
    game: Game,
}

fn load(folder: &Path) -> GameBox {
    let library = Library::open(&[folder]).expect("the library is there");
    let request = LinkRequest { pack: "stock".into(), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"))
}

impl Table {
    fn new() -> Table {
        Table::of(&fixture("stock"))
    }

    fn of(folder: &Path) -> Table {
        let game_box = load(folder);
        let host = game_box.host().expect("scripts load");
        // With this seed, each player begins with two different letters.
        let game = game_box.start(&host, 3).expect("the game starts");
        Table { game_box, host, game }
    }

    /// The fixture with more definitions.
    fn with(name: &str, more: &str) -> Table {
        let scratch = Scratch::copy_of("stock", name);
        scratch.write("content/stock/more.toml", more.as_bytes());
        Table::of(scratch.path())
    }

    fn options(&self) -> Vec<String> {
        let decision = self.game.decision().expect("the game is not over");
        let keys = |option| option_keys(self.game.rules(), self.game.state(), option).primary.join(" ");
        decision.options.iter().map(|option| keys(*option)).collect()
    }

    #[track_caller]
    fn answer(&self, name: &str) -> Answer {
        let options = self.options();
        let index = options.iter().position(|option| option == name);
        Answer(index.unwrap_or_else(|| panic!("`{name}` is not among {options:?}")) as u16)
    }

    /// Chooses an option by its name and tells what happened.
    #[track_caller]
    fn choose(&mut self, name: &str) -> Vec<LogEntry> {
        let answer = self.answer(name);
        self.game.answer(&self.host, answer).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[track_caller]
    fn fault(&mut self, name: &str) -> String {
        let before = self.game.hash();
        let answer = self.answer(name);
        let fault = self.game.answer(&self.host, answer).expect_err("the pack fails").to_string();
        assert_eq!(self.game.hash(), before, "a fault leaves the game as it was");
        fault
    }

    fn words(&self) -> Words<'_> {
        Words::new(self.game.rules(), "en")
    }

    fn view(&self, viewer: Viewer) -> View {
        View::new(&self.game, &self.host, viewer, &self.words())
    }

    /// A zone as somebody sees it.
    fn zone(&self, viewer: Viewer, id: &str, owner: Option<&str>) -> ZoneView {
        let zones = self.view(viewer).zones.into_iter();
        zones.into_iter().find(|zone| zone.id == id && zone.owner.as_deref() == owner).expect("the zone is there")
    }

    /// The log as a player reads it.
    fn log(&self, seat: Seat, events: &[LogEntry]) -> Vec<String> {
        let sight = Sight::new(self.game.rules(), self.game.state(), Viewer::Seat(seat));
        events.iter().filter_map(|event| self.words().event(event, &sight)).collect()
    }

    fn var(&self, name: &str, seat: Seat) -> i64 {
        let rules = self.game.rules();
        let (var, ..) = rules.vocabulary.vars[name];
        self.game.state().var(rules, var, Some(rulepack_kernel::Value::Seat(seat))).int()
    }
}

/// Names of the pieces that are seen.
fn seen(zone: &ZoneView) -> Vec<String> {
    zone.spaces.iter().flat_map(|space| &space.pieces).map(|piece| piece.name.clone()).collect()
}

/// Kinds, backs and numbers of those that are not.
fn hidden(space: &SpaceView) -> Vec<(String, Option<String>, usize)> {
    space.hidden.iter().map(|group| (group.kind.clone(), group.back.clone(), group.count)).collect()
}

#[test]
fn the_fixture_is_well() {
    for arguments in [
        &["check", "stock"][..],
        &["test", "stock"],
        &["sim", "stock", "--games", "30", "--invariants", "--views", "--format", "json"],
    ] {
        let run = rulepack(&fixture("stock"), &[&["--library", "."], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.shown());
    }
}

// ---- stock ----

#[test]
fn the_questions_about_stock_say_what_they_are_about() {
    let mut table = Table::new();
    table.choose("pick_apples");
    let decision = table.game.decision().unwrap();
    assert!(matches!(decision.ask, Ask::Keep(_)) && decision.seat == A, "{decision:?}");
    assert_eq!(table.words().question(decision), "apple: where to keep it?");
    table.choose("bramley");
    table.choose("shed");
    table.choose("shed");
    table.choose("sell");
    let decision = table.game.decision().unwrap();
    assert!(matches!(decision.ask, Ask::From(_)) && decision.seat == A, "{decision:?}");
    assert_eq!(table.words().question(decision), "apple: from where?");
}

#[test]
fn what_is_lost_is_told() {
    let mut table = Table::new();
    let mut told = Vec::new();
    for _ in 0..2 {
        told = table.choose("pick_apples");
        while matches!(table.game.decision().unwrap().ask, Ask::Keep(_)) {
            let first = table.options().remove(0);
            told.extend(table.choose(&first));
        }
    }
    // Six apples, and room for five.
    assert_eq!(table.view(Viewer::Public).players[0].resources.get("apple"), Some(&5));
    let log = table.log(B, &told);
    assert!(log.contains(&"1 apple lost: no room (Player 1)".to_string()), "{log:?}");
}

// ---- spaces ----

#[test]
fn a_zone_that_grows_shows_the_columns_in_use_and_one_beside_them() {
    let table = Table::new();
    let zone = table.zone(Viewer::Public, "orchard", Some("player_1"));
    // Pieces lie in the columns 4 to 6.
    assert_eq!((zone.columns, zone.spaces.len()), (5, 15));
    assert_eq!(zone.spaces[0].name.as_deref(), Some("far.3"));
    assert_eq!(zone.spaces[14].name.as_deref(), Some("near.7"));
    let (rules, state) = (table.game.rules().clone(), table.game.state());
    let orchard = state.cell_of(state.keepers(&rules, A, rules.vocabulary.resources["apple"]).next().unwrap()).zone;
    let pieces: Vec<_> = state.zone(orchard).collect();
    let edge = |at| {
        let edited = table.game.edited(&table.host, |editor| {
            pieces.iter().try_for_each(|piece| editor.put(*piece, rulepack_kernel::Cell { zone: orchard, at }, false))
        });
        let view = View::new(&edited.unwrap().0, &table.host, Viewer::Public, &table.words());
        let zone =
            view.zones.into_iter().find(|zone| zone.id == "orchard" && zone.owner.as_deref() == Some("player_1"));
        let zone = zone.unwrap();
        (zone.columns, zone.spaces[0].name.clone().unwrap())
    };
    assert_eq!(edge(0), (2, "far.1".into()));
    assert_eq!(edge(8), (2, "far.8".into()));
}

// ---- standing rules ----

#[test]
fn a_standing_rule_that_is_never_satisfied_is_a_fault() {
    let more = r#"
[standing.never_enough]
of     = "player"
when   = "my.after > 0"
effect = "set my.after = my.after + 1"
"#;
    let fault = Table::with("never-enough", more).fault("earn");
    assert!(fault.contains("applies again and again"), "{fault}");
    assert!(fault.contains("standing.never_enough effect"), "{fault}");
}

#[test]
fn a_standing_rule_notices_a_pass_at_once() {
    let more = r#"
[var.heard]
of = "player"
[action.leave]
effect = "pass; set my.skill = 1"
[standing.left]
of     = "player"
when   = "passed(me) and my.heard == 0"
effect = "set my.heard = 1 + my.skill"
[patch.phase.turn]
actions = { adds = ["leave"] }
"#;
    let mut table = Table::with("notices-pass", more);
    table.choose("leave");
    assert_eq!((table.var("heard", A), table.var("skill", A)), (1, 1));
}

#[test]
fn an_effect_that_ends_the_game_inside_a_script_ends_the_script() {
    let more = r#"
[action.splash]
effect = "tricks.splash"
[event.splashed]
effect = "end game won by opponent"
[patch.phase.turn]
actions = { adds = ["splash"] }
"#;
    let scratch = Scratch::copy_of("stock", "splash");
    scratch.write("content/stock/more.toml", more.as_bytes());
    let script = std::fs::read_to_string(fixture("stock").join("scripts/stock/tricks.lua")).unwrap();
    let splash = "function tricks.splash(ctx)\n  ctx:raise(\"splashed\")\n  error(\"not reached\")\nend\nreturn tricks";
    scratch.write("scripts/stock/tricks.lua", script.replace("return tricks", splash).as_bytes());
    let mut table = Table::of(scratch.path());
    table.choose("splash");
    let Pending::Over(outcome) = table.game.pending() else { panic!("the game is over") };
    assert_eq!(outcome.winners, [B]);
    let loaded = Game::load(table.game.rules().clone(), &table.host, &table.game.save().to_json()).unwrap();
    assert_eq!(loaded.hash(), table.game.hash());
}

// ---- what is hidden, and looking at it ----

#[test]
fn hidden_pieces_are_known_by_their_backs_and_their_widest_kind() {
    let table = Table::new();
    let hand = table.zone(Viewer::Seat(A), "hand", Some("player_2"));
    assert_eq!(seen(&hand), [""; 0]);
    let groups = hidden(&hand.spaces[0]);
    assert_eq!(groups.iter().map(|(_, _, count)| count).sum::<usize>(), 2);
    for (kind, back, _) in &groups {
        assert_eq!(kind, "letter");
        assert!(matches!(back.as_deref(), Some("green" | "blue")), "{back:?}");
    }
    let deck = table.zone(Viewer::Public, "deck", None);
    assert_eq!(deck.spaces[0].hidden.len(), 2, "{deck:?}");
    assert_eq!(deck.spaces[0].hidden[0].title, "letter (blue)");
    assert_eq!(seen(&table.zone(Viewer::Seat(B), "hand", Some("player_2"))).len(), 2);
}

#[test]
fn the_right_to_look_ends_with_the_effect() {
    let mut table = Table::new();
    let theirs = |table: &Table, viewer| seen(&table.zone(viewer, "hand", Some("player_2")));
    assert_eq!(theirs(&table, Viewer::Seat(A)).len(), 0);
    table.choose("peep");
    assert_eq!(theirs(&table, Viewer::Seat(A)).len(), 2, "while it runs");
    assert_eq!(theirs(&table, Viewer::Public).len(), 0, "nobody else");
    assert_eq!(seen(&table.zone(Viewer::Seat(B), "hand", Some("player_1"))).len(), 0, "nor the other way round");
    let first = table.options().remove(0);
    table.choose(&first);
    // Another effect, raised by it, asks: the one that looks is not over.
    assert_eq!(theirs(&table, Viewer::Seat(A)).len(), 1);
    let loaded = Game::load(table.game.rules().clone(), &table.host, &table.game.save().to_json()).unwrap();
    assert_eq!(loaded.hash(), table.game.hash());
    let first = table.options().remove(0);
    table.choose(&first);
    assert_eq!(theirs(&table, Viewer::Seat(A)).len(), 0, "when it is over");
}

#[test]
fn the_right_to_look_ends_with_the_script() {
    let mut table = Table::new();
    table.choose("gossip");
    assert_eq!(seen(&table.zone(Viewer::Seat(A), "hand", Some("player_2"))).len(), 2);
    assert_eq!(seen(&table.zone(Viewer::Public, "hand", Some("player_2"))).len(), 0);
    table.choose("done");
    while !table.options().contains(&"gossip".to_string()) {
        let first = table.options().remove(0);
        table.choose(&first);
    }
    assert_eq!(seen(&table.zone(Viewer::Seat(A), "hand", Some("player_2"))).len(), 0);
}

const LETTERS: [&str; 4] = ["Demand", "Notice", "Frost", "Wasps"];

#[test]
fn the_log_of_the_other_player_names_nothing_that_is_looked_at() {
    let mut table = Table::new();
    let mut events = table.choose("fetch");
    let letter = table.options().remove(0);
    events.extend(table.choose(&letter));
    let names = |line: &String| LETTERS.iter().any(|letter| line.contains(letter));
    let theirs = table.log(B, &events);
    assert!(!theirs.iter().any(names), "{theirs:?}");
    assert!(theirs.contains(&"Player 1 looks at 10 pieces: deck".to_string()), "{theirs:?}");
    let mine = table.log(A, &events);
    assert!(mine.iter().any(|line| names(line) && line.contains("deck")), "{mine:?}");
}

#[test]
fn nobody_knows_what_has_been_shuffled() {
    let mut table = Table::new();
    assert_eq!(seen(&table.zone(Viewer::Seat(A), "deck", None)).len(), 0);
    table.choose("fetch");
    assert_eq!(seen(&table.zone(Viewer::Seat(A), "deck", None)).len(), 10);
    let mut table = Table::new();
    table.choose("mix");
    assert!(matches!(table.game.decision().unwrap().ask, Ask::Choose(_)), "the effect is not over");
    assert_eq!(seen(&table.zone(Viewer::Seat(A), "deck", None)).len(), 0);
}

// ---- games as far as one player knows ----

#[test]
fn a_resampled_game_is_the_same_to_the_player() {
    let table = Table::new();
    let (mut changed, mut tried) = (0, 0);
    for seed in 0..6 {
        let mut game = table.game_box.start(&table.host, seed).unwrap();
        let mut bot = RandomBot::new(seed);
        while let Pending::Decision(decision) = game.pending() {
            let answer = bot.choose(game.rules(), decision);
            for seat in [A, B] {
                let (other, exchange) = game.resampled(&table.host, seat, seed, &[]).unwrap();
                tried += 1;
                changed += usize::from(!exchange.is_empty());
                let see = |game: &Game| View::new(game, &table.host, Viewer::Seat(seat), &table.words());
                assert_eq!(see(&game), see(&other));
                let asked = |game: &Game| game.decision().map(|decision| (decision.seat, decision.ask));
                assert_eq!(asked(&game), asked(&other));
                if decision.seat == seat {
                    assert_eq!(game.decision(), other.decision());
                }
                rulepack::check_invariants(other.rules(), other.state()).unwrap();
            }
            game.answer_fast(&table.host, answer).unwrap();
        }
    }
    assert!(changed > 100 && changed * 2 > tried, "{changed} of {tried} games had something else in them");
}

#[test]
fn a_value_that_tells_what_is_hidden_is_noticed() {
    let more = r#"
[value.peek]
of   = "player"
base = "count(hand of opponent where it is rumour)"
"#;
    let watched = |table: &Table| {
        let request = SimRequest { games: 3, views: true, ..SimRequest::default() };
        simulate(&table.game_box, &request, |_| true)
    };
    let report = watched(&Table::with("leaky-value", more));
    assert_eq!(report.failed, 3, "{:?}", report.failures);
    let message = &report.failures[0].message;
    assert!(message.contains("shows what is hidden") && message.contains("peek"), "{message}");
    assert_eq!(watched(&Table::new()).failed, 0);
}

#[test]
fn an_option_that_tells_what_is_hidden_is_noticed() {
    let more = r#"
[action.sniff]
requires = "any(hand of opponent where it is rumour)"
effect   = ""
[patch.phase.turn]
actions = { adds = ["sniff"] }
"#;
    let table = Table::with("leaky-option", more);
    let request = SimRequest { games: 3, views: true, ..SimRequest::default() };
    let report = simulate(&table.game_box, &request, |_| true);
    assert!(report.failed > 0);
    assert!(report.failures[0].message.starts_with("the choice of player"), "{:?}", report.failures);
}

/// With hands of two demands for the first player and a frost and a wasps for the second.
const HANDS: &str = r#"
[patch.phase.setup]
effect = { now = """
for each player in players {
  as player {
    move first(my yard where it is shed) to first(cells(my orchard) where it.row == 2 and it.column == 5)
  }
};
repeat 2 { move first(deck where it is demand) to hand of first(players) };
move first(deck where it is frost) to hand of last(players);
move first(deck where it is wasps) to hand of last(players)
""" }
"#;

/// The fixture with these hands and more definitions.
fn with_hands(name: &str, more: &str) -> Table {
    Table::with(name, &format!("{HANDS}{more}"))
}

/// The options of the question that an effect of the first player leads to; nothing if it asks nothing.
#[track_caller]
fn asked_by(effect: &str) -> Vec<String> {
    let more = format!(
        r#"
[action.toss]
free         = true
param.letter = "my hand where it is frost"
effect       = "move letter to spent"
[action.try]
effect = """{effect}; set my.after = 1"""
[patch.phase.turn]
actions = {{ adds = ["try"] }}
"#
    );
    let mut table = with_hands(&format!("asked-{:?}", std::thread::current().id()), &more);
    table.choose("try");
    if table.var("after", A) == 1 { Vec::new() } else { table.options() }
}

#[test]
fn whether_somebody_is_asked_does_not_tell_what_a_hand_holds() {
    // Two letters that are alike are one option; that they are is not for the other player to know.
    assert_eq!(asked_by("choose letter in my hand as which"), ["demand"]);
    assert_eq!(asked_by("choose letter in my hand where it is demand as which"), ["demand"]);
    assert_eq!(asked_by("choose 2..2 letter in my hand as which { move letter to spent }"), ["demand"]);
    // Nor that there is none that fits.
    assert_eq!(asked_by("choose 0..1 letter in my hand where it is frost as which { move letter to spent }"), ["done"]);
    assert_eq!(asked_by("may { choose letter in my hand where it is frost as which; move letter to spent }"), ["no"]);
    let either = "either from_supply { choose letter in my hand where it is frost; move letter to spent } or back { }";
    assert_eq!(asked_by(either), ["back"]);
    assert_eq!(asked_by("pause"), ["continue"]);
}

#[test]
fn what_everybody_sees_to_be_forced_is_not_asked() {
    let none = [""; 0];
    assert_eq!(asked_by("move first(my hand) to spent; choose letter in my hand as which"), none, "one letter");
    assert_eq!(asked_by("choose plant in nursery where it is hazel as which"), none, "two that lie open");
    assert_eq!(asked_by("choose hut in my huts as which"), none);
    assert_eq!(asked_by("may { choose tree in my trees as which; set tree.noted = true }"), none);
    assert_eq!(asked_by("choose 0..2 tree in my trees as which { set tree.noted = true }"), none);
    // Everybody knows that no letter is a plant.
    assert_eq!(asked_by("may { choose letter in my hand where it is plant; move letter to spent }"), none);
}

#[test]
fn a_menu_that_a_hand_leaves_empty_is_asked_all_the_same() {
    let more = r#"
[action.burn]
param.letter = "my hand where it is frost"
effect       = "move letter to spent"
[phase.burning]
actions = ["burn"]
once    = true
[phase.whole_turn]
sequence = ["burning", "turn"]
[patch.phase.turns]
turns = { now = { turn = "whole_turn", until = "each_once" } }
"#;
    let mut table = with_hands("burning", more);
    assert_eq!(table.options(), ["continue"]);
    table.choose("continue");
    table.choose("done");
    assert_eq!(table.options(), ["burn frost"]);
    table.choose("burn frost");
    assert!(table.options().contains(&"done".to_string()));
}

#[test]
fn a_question_that_tells_what_is_hidden_is_noticed() {
    let more = r#"
[action.boast]
weight = 300
effect = "if count(my hand where it is frost) > 0 { may set my.after = 1 }"
[patch.phase.turn]
actions = { adds = ["boast"] }
"#;
    let table = Table::with("leaky-question", more);
    let request = SimRequest { games: 6, views: true, ..SimRequest::default() };
    let report = simulate(&table.game_box, &request, |_| true);
    assert!(report.failed > 0);
    assert!(report.failures[0].message.starts_with("who is asked next tells player"), "{:?}", report.failures);
}

#[test]
fn pieces_are_shown_until_the_player_goes_on() {
    let more = r#"
[prompt.theirs]
title = "These are the letters of the other player."
[action.spy]
effect = "look at hand of opponent as theirs; set my.after = 1"
[action.show]
effect = "look at my hand by opponent as theirs; set my.after = 2"
[action.spy_in_vain]
effect = "for each letter in hand of opponent { move letter to spent }; look at hand of opponent as theirs"
[patch.phase.turn]
actions = { adds = ["spy", "show", "spy_in_vain"] }
"#;
    let mut table = with_hands("shown", more);
    let theirs = |table: &Table| seen(&table.zone(Viewer::Seat(A), "hand", Some("player_2")));
    table.choose("spy");
    assert_eq!(table.options(), ["continue"]);
    let decision = table.game.decision().unwrap();
    assert_eq!((decision.seat, matches!(decision.ask, Ask::Acknowledge(_))), (A, true));
    assert_eq!(table.words().question(decision), "These are the letters of the other player.");
    assert_eq!(theirs(&table), ["frost", "wasps"]);
    let loaded = Game::load(table.game.rules().clone(), &table.host, &table.game.save().to_json()).unwrap();
    assert_eq!(loaded.decision(), table.game.decision());
    table.choose("continue");
    assert_eq!((theirs(&table).len(), table.var("after", A)), (0, 1));

    table.choose("show");
    assert_eq!(table.game.decision().unwrap().seat, B);
    assert_eq!(seen(&table.zone(Viewer::Seat(B), "hand", Some("player_1"))), ["demand", "demand"]);
    table.choose("continue");
    assert_eq!(table.var("after", A), 2);

    table.choose("spy_in_vain");
    assert_eq!(table.options(), ["continue"], "it is asked in any case");
}

// ---- what is only tried ----

#[test]
fn a_way_that_is_only_tried_does_not_change_whose_effect_it_is() {
    let more = r#"
[action.lend]
effect = "either from_supply { as opponent { set my.after = 5 } } or back { }; set my.skill = 1"
[action.ask]
effect = "as opponent { either from_supply { gain 1 bee } or back { } }; set my.skill = 2"
[action.offer]
effect = "may as opponent { set my.after = 6 }; set my.skill = 3"
[patch.phase.turn]
actions = { adds = ["lend", "ask", "offer"] }
"#;
    let mut table = Table::with("only-tried", more);
    let asked = |table: &Table| table.game.decision().expect("the game goes on").seat;
    table.choose("lend");
    assert_eq!(asked(&table), A);
    table.choose("back");
    assert_eq!((table.var("skill", A), table.var("skill", B)), (1, 0));
    // A last way without steps ends where it ends, not with what follows.
    table.choose("ask");
    assert_eq!(asked(&table), B);
    table.choose("back");
    assert_eq!((table.var("skill", A), table.var("skill", B)), (2, 0));
    table.choose("offer");
    assert_eq!(asked(&table), A);
    table.choose("no");
    assert_eq!((table.var("skill", A), table.var("skill", B), table.var("after", B)), (3, 0, 0));
}

// ---- kinds, printings, variables ----

#[test]
fn printings_are_copies_of_their_type() {
    let game_box = load(&fixture("stock"));
    let rules = game_box.rules();
    let copies = |name: &str| rules.pieces.iter().filter(|piece| rules.types[piece.ty.index()].name == name).count();
    assert_eq!(["bramley", "bramley_old", "bramley_dwarf"].map(copies), [3, 1, 1]);
    // Three for each player, one of which differs.
    assert_eq!(["crate", "crate_tin"].map(copies), [4, 2]);
    let words = Words::new(rules, "en");
    let title = |name: &str| words.type_title(rules.vocabulary.types[name].0);
    assert_eq!(["bramley", "bramley_old", "bramley_dwarf"].map(title), ["Bramley"; 3].map(String::from));
}

#[test]
fn a_variable_of_another_kind_is_neither_read_nor_set() {
    let more = r#"
[action.tar]
param.piece = "my pieces"
effect      = "set my.after = piece.pruned; set piece.pruned = 7"
[action.tar_none]
effect = "let piece = first(my ribbons); set my.after = 1 + piece.noted_times; set piece.noted_times = 7"
[var.noted_times]
of = "piece"
[patch.phase.turn]
actions = { adds = ["tar", "tar_none"] }
"#;
    let mut table = Table::with("other-kind", more);
    table.choose("tar shed");
    table.choose("tar shed");
    assert_eq!(table.var("after", A), 7);
    let fault = table.fault("tar bramley");
    assert!(fault.contains("`bramley` is of a kind that has no variable `pruned`"), "{fault}");
    let fault = table.fault("tar_none");
    assert!(fault.contains("nobody is there whose `noted_times` could be set"), "{fault}");
}
