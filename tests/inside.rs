//! Effects that run inside others are on the stack only if they do not come to their end at once; and lines of pieces, which
//! are followed in a loop. Debug builds compare every line with what its text says.

use rulepack::{Answer, AnswerError, Game, GameBox, LogEntry, ScriptHost, Seat, Value};
use rulepack_model::VarId;

use crate::support::started;

struct Table {
    game_box: GameBox,
    host: ScriptHost,
    game: Game,
}

impl Table {
    fn new() -> Table {
        let (game_box, host, game) = started("inside");
        Table { game_box, host, game }
    }

    #[track_caller]
    fn choose(&mut self, name: &str) -> Vec<LogEntry> {
        self.try_to(name).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[track_caller]
    fn try_to(&mut self, name: &str) -> Result<Vec<LogEntry>, AnswerError> {
        let decision = self.game.decision().expect("the game is not over");
        let keys =
            |option| rulepack_kernel::option_keys(self.game.rules(), self.game.state(), option).primary.join(" ");
        let index = decision.options.iter().position(|option| keys(*option) == name);
        let index = index.unwrap_or_else(|| panic!("`{name}` cannot be chosen"));
        self.game.answer(&self.host, Answer(index as u16))
    }

    /// A variable of the first player.
    fn var(&self, name: &str) -> i64 {
        let rules = self.game_box.rules();
        let index = rules.vars.iter().position(|var| var.name == name).expect("there is such a variable");
        self.game.state().var(rules, VarId::from(index), Some(Value::Seat(Seat(0)))).int()
    }
}

#[test]
fn who_is_called_off_is_heard_by_nobody_and_what_is_around_goes_on() {
    let mut table = Table::new();
    table.choose("ring");
    // What was called off does what it does all the same, but nobody hears of it; what is around it is not called off.
    assert_eq!((table.var("done"), table.var("heard")), (23147, 101));
}

#[test]
fn a_question_inside_an_event_inside_an_effect_can_be_saved() {
    let mut table = Table::new();
    table.choose("ask");
    assert_eq!(table.var("done"), 0);
    let save = table.game.save().to_json();
    let loaded = Game::load(table.game_box.rules().clone(), &table.host, &save).expect("the save loads");
    assert_eq!((loaded.hash(), loaded.decision()), (table.game.hash(), table.game.decision()));
    let mut forked = Table { game: loaded, ..Table::new() };
    table.choose("one");
    assert_eq!((table.var("done"), table.var("heard")), (518, 1));
    forked.choose("two");
    assert_eq!((forked.var("done"), forked.var("heard")), (618, 1));
}

#[test]
fn a_line_is_followed_to_its_end() {
    let mut table = Table::new();
    table.choose("line");
    // 29 stones come after the first, 10 after the twentieth.
    assert_eq!((table.var("done"), table.var("heard")), (29, 10));
}

#[test]
fn a_line_with_two_on_one_space_goes_on_from_both() {
    let mut table = Table::new();
    table.choose("crowd");
    // The second, and after it two in the third place, each with the fourth after it.
    assert_eq!(table.var("done"), 1 + 2 * (1 + 1));
}

#[test]
fn counting_a_large_zone_costs_what_walking_it_costs() {
    let mut table = Table::new();
    let fault = table.try_to("overdo").expect_err("that is too much to look at").to_string();
    assert!(fault.contains("too much is looked at"), "{fault}");
}
