//! Why something is not offered: there is a reason exactly if it is not, and it tells nobody what is hidden.

use std::collections::BTreeSet;
use std::path::Path;

use rulepack::{
    ActionId, EffectHost, Game, GameBox, Library, LinkRequest, Opt, Pick, PieceId, RandomBot, Reason, Value, Viewer,
    Wanted, Words,
};

use crate::support::{Scratch, fixture};

/// Packs with their numbers of players, so that every kind of question is met.
const PACKS: [(&str, &str, u8); 13] = [
    (".", "settlement", 2),
    (".", "settlement", 1),
    (".", "skara-brae", 3),
    (".", "skara-brae", 1),
    (".", "catan-duel", 2),
    (".", "catan-duel-princes", 2),
    (".", "colons-de-catane", 2),
    ("tests/fixtures/tiny", "tiny", 2),
    ("tests/fixtures/nest", "nest", 2),
    ("tests/fixtures/stock", "stock", 2),
    ("tests/fixtures/expansions", "harbor-grand", 2),
    ("tests/fixtures/mutants", "fair", 2),
    ("tests/fixtures/small", "connect-four", 2),
];

fn load(folder: &Path, pack: &str, players: u8) -> GameBox {
    let library = Library::open(&[folder]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), players: Some(players), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("{pack} does not link: {mistakes:#?}"))
}

/// Small numbers by chance, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}

fn value_of(option: &Opt) -> Option<Value> {
    match option {
        Opt::Action(_, value) | Opt::Free(_, value) | Opt::Value(value) => Some(*value),
        _ => None,
    }
}

fn actions(game: &Game) -> impl Iterator<Item = ActionId> + use<> {
    (0..game.rules().actions.len()).map(ActionId::from)
}

fn begins(option: &Opt, id: ActionId) -> bool {
    matches!(option, Opt::Action(action, _) | Opt::Free(action, _) if *action == id)
}

/// Some things that might be chosen: a few pieces, a few spaces, all resources, and whatever is offered.
fn some_values(game: &Game, dice: &mut Dice) -> Vec<Value> {
    let (rules, decision) = (game.rules(), game.decision().expect("somebody is asked"));
    let mut values: Vec<Value> = decision.options.iter().filter_map(value_of).filter(|it| *it != Value::Nil).collect();
    values.truncate(12);
    for _ in 0..6 {
        let piece = PieceId::from(dice.below(rules.pieces.len()));
        values.push(Value::Piece(piece));
        values.push(Value::Cell(game.state().cell_of(piece)));
    }
    values.extend((0..rules.resources.len()).map(|res| Value::Res(rulepack::ResId::from(res))));
    values
}

fn same(game: &Game, host: &dyn EffectHost, a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Piece(a), Value::Piece(b)) => a == b || game.eval(host).alike(a, b),
        _ => a == b,
    }
}

/// Follows a game by chance and looks at some of its decisions.
fn follow(game_box: &GameBox, seed: u64, each: usize, mut look: impl FnMut(&Game, &dyn EffectHost, &mut Dice)) {
    let host = game_box.host().expect("the scripts are right");
    let mut game = game_box.start(&host, seed).expect("the game can be set up");
    let (mut bot, mut dice) = (RandomBot::new(seed), Dice(seed));
    for count in 0..400 {
        let Some(decision) = game.decision() else { break };
        let answer = bot.choose(game_box.rules(), decision);
        if count % each == 0 {
            look(&game, &host, &mut dice);
        }
        game.answer_fast(&host, answer).expect("an option can be chosen");
    }
}

/// Whether there is a reason exactly for what is not offered, told to somebody who may know everything.
fn agrees(game: &Game, host: &dyn EffectHost, dice: &mut Dice, met: &mut BTreeSet<String>) {
    let decision = game.decision().expect("somebody is asked");
    let mut check = |wanted: &Wanted, offered: bool| {
        let reason = game.why_not(host, Viewer::All, wanted);
        let kind = serde_json::to_value(&reason).expect("a reason is plain data")["reason"].clone();
        met.extend(kind.as_str().map(str::to_string));
        let name = match wanted {
            Wanted::Action(action, _) => game.rules().actions[action.index()].name.as_str(),
            Wanted::Choice(_) => "a choice",
        };
        assert_eq!(reason.is_none(), offered, "{name}: {wanted:?}: {reason:?}\n{decision:?}");
        assert_ne!(reason, Some(Reason::Unseen), "{name}: nothing is hidden from all: {wanted:?}\n{decision:?}");
    };
    let values = some_values(game, dice);
    for id in actions(game) {
        let mine: Vec<&Opt> = decision.options.iter().filter(|option| begins(option, id)).collect();
        check(&Wanted::Action(id, Vec::new()), !mine.is_empty());
        if game.rules().actions[id.index()].params.is_empty() {
            continue;
        }
        for value in &values {
            let is_it = |option: &&Opt| value_of(option).is_some_and(|offered| same(game, host, offered, *value));
            check(&Wanted::Action(id, vec![Pick::Value(*value)]), mine.iter().any(is_it));
        }
    }
    for value in values {
        let is_it = |option: &Opt| matches!(option, Opt::Value(offered) if same(game, host, *offered, value));
        check(&Wanted::Choice(Pick::Value(value)), decision.options.iter().any(is_it));
    }
}

#[test]
fn an_action_is_offered_unless_there_is_a_reason() {
    let mut met = BTreeSet::new();
    for (folder, pack, players) in PACKS {
        let game_box = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), pack, players);
        for seed in 1..=2 {
            follow(&game_box, seed, 7, |game, host, dice| agrees(game, host, dice, &mut met));
        }
    }
    for kind in ["cannot_pay", "requires", "no_value", "not_among", "not_in_menu", "leads_back", "used_up"] {
        assert!(met.contains(kind), "no reason of the kind `{kind}` among {met:?}");
    }
}

/// The same question gets the same answer in every game that looks the same to whoever asks.
#[test]
fn a_reason_is_the_same_whatever_is_hidden() {
    let mut compared = 0;
    let mut changed = 0;
    for (folder, pack, players) in PACKS {
        let game_box = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), pack, players);
        let words = Words::new(game_box.rules(), "en");
        let other_host = game_box.host().expect("the scripts are right");
        follow(&game_box, 3, 11, |game, host, dice| {
            let seat = game.decision().expect("somebody is asked").seat;
            let Ok((other, exchange)) = game.resampled(&other_host, seat, dice.below(1000) as u64, &[]) else {
                return;
            };
            changed += usize::from(!exchange.is_empty());
            let told = |game: &Game, host: &dyn EffectHost, wanted: &Wanted| {
                game.why_not(host, Viewer::Seat(seat), wanted).map(|reason| words.reason(&reason))
            };
            for id in actions(game) {
                let mut all = vec![Wanted::Action(id, Vec::new())];
                for _ in 0..4 {
                    let ty = &game.rules().types[dice.below(game.rules().types.len())].name;
                    all.push(Wanted::Action(id, vec![Pick::Named(ty.clone())]));
                }
                for wanted in all {
                    compared += 1;
                    assert_eq!(
                        told(game, host, &wanted),
                        told(&other, &other_host, &wanted),
                        "{pack}: {}: {wanted:?}",
                        game.rules().actions[id.index()].name
                    );
                }
            }
        });
    }
    assert!(compared > 1000 && changed > 50, "{compared} reasons, {changed} games with something else in them");
}

const SECRETS: &str = r#"
[pack]
id      = "secrets"
version = "1.0.0"
title   = "Secrets"
players = { min = 2, max = 2 }
[resource.coin]
title = "Coin"
start = 1
[resource.gem]
title  = "Gem"
supply = 0
[zone.hand]
owner   = "player"
visible = "owner"
[zone.deck]
visible = "none"
[kind.card]
starts_in  = "deck"
attributes = { power = { type = "number", default = 1 } }
[card.low]
title = "Low"
count = 4
[card.high]
title = "High"
count = 4
power = 5
[action.peek]
requires = "any(hand of opponent where it.power > 3)"
[action.never]
requires = "any(hand of opponent where it.power > 9) and my.coin > 7"
[action.sly]
requires = "any(hand of opponent where it.power > 3)"
cost     = "9 coin"
[action.buy]
param.card = "my hand where it.power > 3"
cost       = "card.power coin"
effect     = "move card to deck"
[action.trade]
effect = "pay 3 coin -> gain 1 coin"
[action.cut]
effect = "pay 1 coin -> gain 2 gem"
[action.wait]
limit = "once per turn"
effect = "gain 0 coin"
[action.end]
effect = "end turn"
[phase.game]
sequence = ["setup", "round"]
[phase.setup]
effect = "shuffle deck; for each player in players { as player { draw 1 from deck to my hand } }"
[phase.round]
turns = { turn = "turn", until = "never" }
[phase.turn]
actions = ["peek", "never", "sly", "buy", "trade", "cut", "wait", "end"]
[phase.other]
actions = ["end"]
"#;

fn secrets(name: &str) -> (Scratch, GameBox) {
    let scratch = Scratch::new(name);
    scratch.write("content/secrets/pack.toml", SECRETS.as_bytes());
    let game_box = load(scratch.path(), "secrets", 2);
    (scratch, game_box)
}

/// Neither the condition nor the cost can be met, and which of them fails first depends on a hidden card.
#[test]
fn which_reason_comes_first_tells_nothing_hidden() {
    let (_scratch, game_box) = secrets("why-resampled");
    let (host, other_host) = (game_box.host().expect("no scripts"), game_box.host().expect("no scripts"));
    let words = Words::new(game_box.rules(), "en");
    let mut changed = 0;
    for seed in 1..=20 {
        let game = game_box.start(&host, seed).expect("it can be set up");
        let seat = game.decision().expect("somebody is asked").seat;
        let resampled = game.resampled(&other_host, seat, seed, &[]).expect("it goes on");
        let (other, _) = resampled;
        let all = |text: &str, game: &Game, host: &dyn EffectHost, viewer| {
            game.why_not(host, viewer, &words.wanted(text).expect("a question")).map(|reason| words.reason(&reason))
        };
        changed += usize::from(all("sly", &game, &host, Viewer::All) != all("sly", &other, &other_host, Viewer::All));
        for text in ["sly", "never", "buy", "buy high", "trade"] {
            let viewer = Viewer::Seat(seat);
            assert_eq!(all(text, &game, &host, viewer), all(text, &other, &other_host, viewer), "{text}");
        }
    }
    assert!(changed > 2, "the hidden card is another one in {changed} games only");
}

#[test]
fn what_is_hidden_is_told_in_one_general_sentence() {
    let (_scratch, game_box) = secrets("why-secrets");
    let host = game_box.host().expect("there are no scripts");
    let words = Words::new(game_box.rules(), "en");
    let (mut hidden, mut tops) = (0, 0);
    for seed in 1..=20 {
        let game = game_box.start(&host, seed).expect("it can be set up");
        let seat = game.decision().expect("somebody is asked").seat;
        let ask = |viewer, text: &str| {
            let wanted = words.wanted(text).expect("it is a question");
            game.why_not(&host, viewer, &wanted).map(|reason| words.reason(&reason))
        };
        match ask(Viewer::All, "peek") {
            None => assert_eq!(ask(Viewer::Seat(seat), "peek"), None),
            Some(reason) => {
                hidden += 1;
                assert_eq!(reason, "this does not hold: `any(hand of next(me) where it.power > 3)`");
                let told = ask(Viewer::Seat(seat), "peek");
                assert_eq!(told.as_deref(), Some("it depends on something that you cannot see"));
            }
        }
        // What the player sees is told, whatever stands before it.
        let told = ask(Viewer::Seat(seat), "never");
        assert_eq!(told.as_deref(), Some("this does not hold: `my.coin > 7`"));
        if ask(Viewer::Seat(seat), "buy High").as_deref() == Some("it costs 5 Coin, and there is only 1 Coin") {
            tops += 1;
            assert_eq!(
                ask(Viewer::Seat(seat), "buy").as_deref(),
                Some(
                    "nothing can be chosen of `my hand where it.power > 3`: high (it costs 5 Coin, and there is only 1 Coin)"
                )
            );
            assert_eq!(ask(Viewer::Seat(seat), "buy low").as_deref(), Some("it is not there: `my hand`"));
        } else {
            assert_eq!(ask(Viewer::Seat(seat), "buy low").as_deref(), Some("this does not hold: `it.power > 3`"));
        }
        assert_eq!(ask(Viewer::Seat(seat), "trade").as_deref(), Some("it costs 3 Coin, and there is only 1 Coin"));
        let told = ask(Viewer::Seat(seat), "cut");
        assert_eq!(told.as_deref(), Some("it would give 2 Gem, and the supply has only 0 Gem"));
    }
    assert!(hidden > 3 && hidden < 17 && tops > 3 && tops < 17, "{hidden} {tops}");
}

#[test]
fn a_reason_is_told_in_the_languages_of_the_pack_and_as_json() {
    let (_scratch, game_box) = secrets("why-words");
    let host = game_box.host().expect("there are no scripts");
    let mut game = game_box.start(&host, 1).expect("it can be set up");
    let words = Words::new(game_box.rules(), "en");
    let ask = |game: &Game, text: &str| {
        game.why_not(&host, Viewer::All, &words.wanted(text).expect("a question")).expect("it is not offered")
    };
    let json = |reason: &Reason| serde_json::to_value(reason).expect("a reason is plain data");
    assert_eq!(
        json(&ask(&game, "trade")),
        serde_json::json!({
            "reason": "cannot_pay",
            "costs": [{ "what": "coin", "is_group": false, "needs": 3, "has": 1 }],
            "less": 0,
        })
    );
    let wait = game.decision().expect("somebody is asked").options.iter().position(
        |option| matches!(option, Opt::Action(action, _) if game.rules().actions[action.index()].name == "wait"),
    );
    game.answer_fast(&host, rulepack::Answer(wait.expect("it is offered") as u16)).expect("it can be done");
    assert_eq!(json(&ask(&game, "wait")), serde_json::json!({ "reason": "used_up", "times": 1 }));
    let other = Viewer::Seat(rulepack::Seat(1));
    let told = game.why_not(&host, other, &words.wanted("end").expect("a question"));
    assert_eq!(told.map(|reason| words.reason(&reason)).as_deref(), Some("Player 1 is asked now"));

    let tiny = load(&fixture("tiny"), "tiny", 2);
    let told = |language: &str| Words::new(tiny.rules(), language).reason(&Reason::Unseen);
    assert_eq!(told("fr"), "cela dépend de quelque chose que vous ne voyez pas");
    assert_eq!(told("xx"), "it depends on something that you cannot see");
}

/// What a player types, by ids or titles.
#[test]
fn a_player_asks_why() {
    let (_scratch, game_box) = secrets("why-typed");
    let host = game_box.host().expect("there are no scripts");
    let game = game_box.start(&host, 1).expect("it can be set up");
    let words = Words::new(game_box.rules(), "en");
    let seat = game.decision().expect("somebody is asked").seat;
    let say = |text: &str| rulepack::tell_why(&game, &host, &words, seat, text);
    assert_eq!(say("trade"), "`trade` is not offered: it costs 3 Coin, and there is only 1 Coin");
    assert_eq!(say("end"), "`end` is offered");
    assert_eq!(say("trad"), "no action is called `trad`; did you mean `trade`?");
    assert!(say("").starts_with("write an action"));
}

/// A scenario that cannot choose what it says tells why.
#[test]
fn a_scenario_says_why_something_is_not_offered() {
    let (scratch, _) = secrets("why-scenario");
    let scenario = |name: &str, step: &str| {
        let text =
            format!("about = \"x\"\ngiven.players = [\"jenny\", \"georges\"]\n[[when]]\nseat = \"jenny\"\n{step}\n");
        scratch.write(&format!("content/secrets/scenarios/{name}.toml"), text.as_bytes());
    };
    scenario("a", "choose = [\"trade\"]");
    scenario("b", "offered = [\"buy\"]");
    scenario("c", "choose = [\"peek\"]");
    let run = crate::support::rulepack(scratch.path(), &["test", "secrets", "--format", "json"]);
    let report = run.json();
    let message = |index: usize| report["failures"][index]["message"].as_str().unwrap_or_default().to_string();
    assert!(message(0).ends_with("\n  why: it costs 3 Coin, and there is only 1 Coin"), "{}", message(0));
    assert!(message(1).contains("\n  why: nothing can be chosen of `my hand where it.power > 3`: "), "{}", message(1));
    // Whoever writes a scenario may know everything.
    assert!(message(2).is_empty() || message(2).contains("where it.power > 3"), "{}", message(2));
}

/// Only the cost of the first way was named.
#[test]
fn every_way_of_an_either_has_its_reason() {
    let text = SECRETS.replace("[action.end]", "[prompt.sell]\ntitle = \"Sell\"\n[prompt.swap]\ntitle = \"Swap\"\n[action.deal]\neffect = \"either sell { pay 2 gem } or swap { pay 3 coin }\"\n[action.end]");
    let text = text.replace("\"wait\", \"end\"]", "\"wait\", \"deal\", \"end\"]");
    let scratch = Scratch::new("why-either");
    scratch.write("content/secrets/pack.toml", text.as_bytes());
    let game_box = load(scratch.path(), "secrets", 2);
    let host = game_box.host().expect("there are no scripts");
    let game = game_box.start(&host, 1).expect("it can be set up");
    let words = Words::new(game_box.rules(), "en");
    let seat = game.decision().expect("somebody is asked").seat;
    assert_eq!(
        rulepack::tell_why(&game, &host, &words, seat, "deal"),
        "`deal` is not offered: none of the ways can be gone: Sell (it costs 2 Gem, and there is only 0 Gem); Swap (it \
         costs 3 Coin, and there is only 1 Coin)"
    );
}
