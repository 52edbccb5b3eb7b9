//! A choice of several things is offered only if as many can be chosen as must be.

use rulepack::{Answer, Game, GameBox, Reason, ScriptHost, Viewer, Wanted, Words};

use crate::support::game_of;

/// The first player has a hand of these prices and some coins; `swap` does what is asked about.
fn pack(prices: &[u8], coins: u8, effect: &str) -> String {
    let cards: String = prices
        .iter()
        .enumerate()
        .map(|(n, price)| format!("[card.card_{n}]\nprice = {price}\nstarts_in = \"box\"\n"))
        .collect();
    let count = prices.len();
    format!(
        r#"
[pack]
id      = "game"
version = "1.0.0"
title   = "Several"
kind    = "game"
players = {{ min = 2, max = 2 }}
[resource.coin]
[zone.hand]
owner   = "player"
visible = "all"
[zone.heap]
[zone.box]
[zone.bag]
[kind.card]
attributes = {{ price = "number" }}
{cards}
[card.spare]
price     = 0
count     = 4
starts_in = "bag"
[prompt.one]
title = "One"
[prompt.other]
title = "Other"
[phase.game]
sequence = ["setup", "play"]
[phase.setup]
effect = "draw {count} from box to hand of first(players); gain {coins} coin for first(players)"
[phase.play]
turns = {{ turn = "turn", until = "each_once" }}
[phase.turn]
actions = ["swap", "wait"]
once    = true
[action.swap]
effect = "{effect}"
[action.wait]
effect = "end turn"
"#
    )
}

struct Table {
    game_box: GameBox,
    host: ScriptHost,
    game: Game,
}

impl Table {
    #[track_caller]
    fn new(name: &str, prices: &[u8], coins: u8, effect: &str) -> Table {
        let game_box = game_of(&format!("several-{name}"), &pack(prices, coins, effect));
        let host = game_box.host().expect("there are no scripts");
        let game = game_box.start(&host, 1).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        Table { game_box, host, game }
    }

    fn is_offered(&self) -> bool {
        self.game.decision().expect("the game is not over").options.len() == 2
    }

    /// Chooses `swap`; then whatever is listed can be chosen to the end.
    fn can_be_completed(&self) {
        let mut game = self.game.clone();
        game.answer(&self.host, Answer(0)).unwrap_or_else(|fault| panic!("swap: {fault}"));
        let mut left = vec![game];
        while let Some(game) = left.pop() {
            let Some(decision) = game.decision() else { continue };
            if decision.seat.0 == 1 {
                continue;
            }
            for answer in 0..decision.options.len() {
                let mut next = game.clone();
                let what = decision.options[answer];
                next.answer(&self.host, Answer(answer as u16)).unwrap_or_else(|fault| panic!("{what:?}: {fault}"));
                left.push(next);
            }
        }
    }

    fn reason(&self) -> Option<(Reason, String)> {
        let swap = Wanted::Action(rulepack::ActionId::from(0), Vec::new());
        let viewer = Viewer::Seat(rulepack::Seat(0));
        let reason = self.game.why_not(&self.host, viewer, &swap)?;
        let text = Words::new(self.game_box.rules(), "en").reason(&reason);
        Some((reason, text))
    }
}

#[track_caller]
fn offered(name: &str, prices: &[u8], coins: u8, effect: &str, wanted: bool) {
    let table = Table::new(name, prices, coins, effect);
    assert_eq!(table.is_offered(), wanted, "{name}: `{effect}` with {prices:?} and {coins} coins");
    assert_eq!(table.reason().is_none(), wanted, "{name}: {:?}", table.reason());
    if wanted {
        table.can_be_completed();
    }
}

#[test]
fn two_of_one_card_are_not_offered() {
    let effect = "choose 2..2 card in my hand { move card to heap }";
    for (count, wanted) in [(0, false), (1, false), (2, true), (3, true)] {
        offered(&format!("moved-{count}"), &vec![1; count], 0, effect, wanted);
    }
    offered("at-least-two", &[1], 0, "choose 2..3 card in my hand { move card to heap }", false);
    offered("up-to-two", &[1], 0, "choose 0..2 card in my hand { move card to heap }", true);
    offered("worked-out", &[1], 0, "let n = 1 + 1; choose n..n card in my hand { move card to heap }", false);
    offered("as-many-as-there-are", &[1], 0, "choose 2..2 card in my hand if any { move card to heap }", true);
}

#[test]
fn two_different_ones_need_two() {
    let effect = "choose 2..2 different card in my hand { gain 1 coin }";
    offered("different-1", &[1], 0, effect, false);
    offered("different-2", &[1, 1], 0, effect, true);
}

/// What stays where it is can be chosen again, and what is drawn can be chosen next.
#[test]
fn one_card_may_do_for_two_choices() {
    offered("stays", &[1], 0, "choose 2..2 card in my hand { gain 1 coin }", true);
    let drawn = "choose 2..2 card in my hand { move card to heap; draw 1 from bag to my hand }";
    offered("drawn", &[1], 0, drawn, true);
    let back = "choose 2..2 card in my hand { move card to heap; move first(bag) to my hand }";
    offered("back", &[1], 0, back, true);
}

#[test]
fn costs_in_between_must_be_paid_too() {
    let effect = "choose 2..2 card in my hand { pay card.price coin; move card to heap }";
    offered("cost-short", &[1, 1], 1, effect, false);
    offered("cost-enough", &[1, 1], 2, effect, true);
    // Whoever begins with the dear one cannot go on: it is not listed, and every listed one leads to the end.
    offered("cost-dear-first", &[1, 1, 3], 3, effect, true);
    offered("cost-all-dear", &[1, 3], 3, effect, false);
    // What is gained before counts.
    let gained = "gain 2 coin; choose 2..2 card in my hand { pay card.price coin; move card to heap }";
    offered("cost-gained", &[1, 1], 0, gained, true);
    // Up to two, of which only one can be paid: then `done` is the only answer.
    let up_to = "choose 1..2 card in my hand { pay card.price coin; move card to heap }";
    offered("cost-one-of-two", &[1, 1], 1, up_to, true);
    offered("cost-none", &[1, 1], 0, up_to, false);
    offered(
        "cost-may-none",
        &[1, 1],
        0,
        "choose 0..2 card in my hand { pay card.price coin; move card to heap }",
        true,
    );
}

#[test]
fn choices_inside_choices_need_their_cards_too() {
    let effect = "choose 2..2 card in my hand { move card to heap; choose other in my hand; move other to box }";
    offered("nested-3", &[1, 1, 1], 0, effect, false);
    offered("nested-4", &[1, 1, 1, 1], 0, effect, true);
    let inner = "choose 2..2 card in my hand { move card to heap; choose 2..2 other in my hand { move other to box } }";
    offered("nested-5", &[1; 5], 0, inner, false);
    offered("nested-6", &[1; 6], 0, inner, true);
    let after = "choose kept in my hand; choose 2..2 card in my hand where it != kept { move card to heap }";
    offered("after-2", &[1, 2], 0, after, false);
    offered("after-3", &[1, 2, 3], 0, after, true);
}

#[test]
fn ways_that_need_two_cards_are_left_out() {
    let either = "either one { choose 2..2 card in my hand { move card to heap } } or other { gain 1 coin }";
    offered("either-1", &[1], 0, either, true);
    offered("either-2", &[1, 1], 0, either, true);
    offered("may-1", &[1], 0, "may choose 2..2 card in my hand { move card to heap }", true);
    let both = "either one { choose 2..2 card in my hand { move card to heap } } or other { pay 1 coin }";
    offered("either-none", &[1], 0, both, false);
}

#[test]
fn the_reason_says_how_many_there_are() {
    let table = Table::new("why", &[1], 0, "choose 2..2 card in my hand { move card to heap }");
    let (reason, text) = table.reason().expect("it is not offered");
    assert_eq!(text, "2 must be chosen from `my hand`, but only 1 can be", "{reason:?}");
}
