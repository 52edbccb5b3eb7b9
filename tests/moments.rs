//! A phase in which free actions are possible at every question of the player at turn.

use rulepack::{ActionId, Answer, Game, GameBox, ScriptHost, Seat, Value, Viewer, Wanted, Words};
use rulepack_model::{ResId, VarId};

use crate::support::started;

struct Table {
    game_box: GameBox,
    host: ScriptHost,
    game: Game,
}

impl Table {
    fn new() -> Table {
        let (game_box, host, game) = started("moments");
        Table { game_box, host, game }
    }

    /// What can be answered now.
    fn options(&self) -> Vec<String> {
        let decision = self.game.decision().expect("the game is not over");
        let key = |option| rulepack_kernel::option_keys(self.game.rules(), self.game.state(), option).primary.join(" ");
        decision.options.iter().map(|option| key(*option)).collect()
    }

    /// Why a free action is not offered, in words; nothing if it is.
    fn why_not(&self, action: &str, language: &str) -> Option<String> {
        let rules = self.game_box.rules();
        let index = rules.actions.iter().position(|known| known.name == action).expect("there is such an action");
        let wanted = Wanted::Action(ActionId::from(index), Vec::new());
        let reason = self.game.why_not(&self.host, Viewer::Seat(Seat(0)), &wanted)?;
        Some(Words::new(rules, language).reason(&reason))
    }

    #[track_caller]
    fn choose(&mut self, name: &str) {
        let options = self.options();
        let index = options.iter().position(|option| option == name);
        let index = index.unwrap_or_else(|| panic!("`{name}` cannot be chosen: {options:?}"));
        self.game.answer(&self.host, Answer(index as u16)).unwrap_or_else(|error| panic!("{name}: {error}"));
        // What is asked is the same in a game that is taken up here.
        let save = self.game.save();
        let again = Game::restore(self.game.rules().clone(), &self.host, save).expect("a saved game can be taken up");
        assert_eq!(again.decision(), self.game.decision(), "{name}");
    }

    fn chosen(&self) -> i64 {
        let rules = self.game_box.rules();
        let index = rules.vars.iter().position(|var| var.name == "chosen").expect("there is such a variable");
        self.game.state().var(rules, VarId::from(index), Some(Value::Seat(Seat(0)))).int()
    }

    fn has(&self, name: &str) -> i32 {
        let rules = self.game_box.rules();
        let index = rules.resources.iter().position(|res| res.name == name).expect("there is such a resource");
        self.game.state().amount(rules, Seat(0), ResId::from(index))
    }
}

#[test]
fn a_menu_that_does_not_list_them_offers_free_actions_all_the_same() {
    let table = Table::new();
    let options = table.options();
    assert!(["to_rope", "to_coin", "burn"].iter().all(|free| options.contains(&(*free).to_string())), "{options:?}");
}

#[test]
fn a_choice_is_a_moment_for_something_free() {
    let mut table = Table::new();
    table.choose("one");
    assert_eq!(table.options(), ["inn", "quay", "to_rope", "to_coin", "burn"]);
    table.choose("to_rope");
    assert_eq!(table.options(), ["inn", "quay", "to_rope"], "what leads back is not offered");
    table.choose("inn");
    assert_eq!(table.chosen(), 12);
}

#[test]
fn what_leads_back_and_what_leaves_no_answer_have_reasons_of_their_own() {
    let mut table = Table::new();
    table.choose("one");
    table.choose("to_rope");
    let back = table.why_not("to_coin", "en").expect("it leads back");
    assert_eq!(back, "it would only lead back to where you have been already");
    let mut table = Table::new();
    table.choose("several");
    let stuck = table.why_not("to_coin", "en").expect("the rope is needed");
    assert_eq!(stuck, "after it, the present question could not be answered");
    assert_eq!(table.why_not("to_rope", "en"), None);
}

#[test]
fn what_leaves_no_choice_and_cannot_change_is_not_asked() {
    let mut table = Table::new();
    table.choose("forced");
    assert_eq!(table.chosen(), 11, "the only card was taken without a question");
}

#[test]
fn where_nothing_free_can_be_done_nothing_more_is_asked() {
    let mut table = Table::new();
    table.choose("burn");
    table.choose("ways");
    assert_eq!(table.chosen(), 1, "the only way was taken without a question");
    table.choose("perhaps");
    assert_eq!(table.has("mark"), 1, "it is the menu again");
}

#[test]
fn nothing_free_is_offered_after_which_a_choice_has_no_answer() {
    let mut table = Table::new();
    table.choose("several");
    assert_eq!(table.options(), ["inn", "quay", "to_rope"], "without a rope, none of the cards could be chosen");
    table.choose("inn");
    assert_eq!(table.options(), ["done", "to_rope"], "one is enough, but a rope would buy another");
    table.choose("to_rope");
    assert_eq!(table.options(), ["inn", "quay", "done", "to_rope"]);
    table.choose("done");
    assert_eq!((table.chosen(), table.has("rope")), (1, 1));
}

#[test]
fn what_can_be_done_only_after_something_free_is_asked_beforehand() {
    let mut table = Table::new();
    table.choose("perhaps");
    assert_eq!(table.options(), ["no", "to_rope", "to_coin", "burn"]);
    table.choose("to_rope");
    assert_eq!(table.options(), ["yes", "no", "to_rope"]);
    table.choose("yes");
    assert_eq!((table.has("rope"), table.has("mark")), (0, 1));
}

#[test]
fn a_single_way_is_asked_as_long_as_something_free_may_open_another() {
    let mut table = Table::new();
    table.choose("ways");
    assert_eq!(table.options(), ["nothing", "to_rope", "to_coin", "burn"]);
    table.choose("to_rope");
    assert_eq!(table.options(), ["ropes", "nothing", "to_rope"]);
    table.choose("ropes");
    assert_eq!(table.has("mark"), 1);
}

#[test]
fn between_parameters_nothing_is_offered_that_leaves_the_cost_unpaid() {
    let mut table = Table::new();
    table.choose("place inn");
    // The only rope pays for the action: it cannot be given away before.
    assert_eq!(table.options(), ["1", "2", "to_rope"]);
    table.choose("to_rope");
    table.choose("2");
    assert_eq!(table.has("rope"), 1);
}

#[test]
fn between_two_costs_nothing_is_offered_that_leaves_the_second_unpaid() {
    let mut table = Table::new();
    table.choose("to_rope");
    table.choose("toll");
    assert_eq!(table.options(), ["coin", "rope", "to_rope", "to_coin"]);
    table.choose("to_coin");
    // A coin and the rope are all that can be paid now.
    assert_eq!((table.has("coin"), table.has("rope"), table.chosen()), (1, 0, 1));
}

#[test]
fn a_bargain_still_gets_what_is_paid_for() {
    let mut table = Table::new();
    table.choose("bargain");
    assert_eq!(table.options(), ["coin", "rope", "to_rope", "to_coin"], "after `burn` there is nothing to pay with");
    table.choose("to_rope");
    assert_eq!(table.options(), ["coin", "rope", "to_rope"]);
    table.choose("coin");
    assert_eq!((table.has("coin"), table.has("rope"), table.has("mark")), (0, 2, 1));
}

#[test]
fn questions_of_a_script_are_moments_too() {
    let mut table = Table::new();
    table.choose("script");
    assert_eq!(table.options(), ["1", "2", "to_rope", "to_coin", "burn"]);
    table.choose("to_rope");
    table.choose("1");
    assert_eq!(table.options(), ["yes", "no", "to_rope", "to_coin"]);
    table.choose("yes");
    assert_eq!(table.has("mark"), 2);
}

#[test]
fn with_the_pass_the_turn_is_over_and_so_are_its_moments() {
    let mut table = Table::new();
    table.choose("leave");
    assert_eq!(table.options(), ["inn", "quay"]);
}
