//! What players must not learn: every way in which a pack can tell it is planted here, and noticed.

use rulepack::{
    Answer, Game, GameBox, Library, LinkRequest, Pending, RandomBot, Seat, Sight, SimReport, SimRequest, View, Viewer,
    Words, simulate,
};
use rulepack_kernel::option_keys;

use crate::support::{Scratch, fixture, rulepack, rulepack_told, snapshot};

fn load(folder: &std::path::Path, pack: &str, players: Option<u8>) -> GameBox {
    let library = Library::open(&[folder]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), players, ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"))
}

/// The fixture with another definition, another script, or both.
fn planted(name: &str, more: &str, script: &str) -> GameBox {
    planted_for(2, name, more, script)
}

fn planted_for(players: u8, name: &str, more: &str, script: &str) -> GameBox {
    let scratch = Scratch::copy_of("secrets", name);
    scratch.write("content/secrets/more.toml", more.as_bytes());
    if !script.is_empty() {
        scratch.write("scripts/secrets/planted.lua", script.as_bytes());
    }
    load(scratch.path(), "secrets", Some(players))
}

fn watched(game_box: &GameBox, games: u64) -> SimReport {
    let request = SimRequest { games, views: true, ..SimRequest::default() };
    simulate(game_box, &request, |_| true)
}

/// An action that is taken most of the time.
fn with_action(effect: &str) -> String {
    format!(
        "[action.try]\nweight = 400\neffect = \"\"\"{effect}\"\"\"\n[patch.phase.turn]\nactions = {{ adds = [\"try\"] }}\n"
    )
}

#[test]
fn nothing_is_told_by_what_tells_nothing() {
    for players in [2, 3] {
        let report = watched(&load(&fixture("secrets"), "secrets", Some(players)), 20);
        assert_eq!(report.failed, 0, "{:?}", report.failures);
    }
}

#[test]
fn a_question_inside_a_script_that_tells_what_is_hidden_is_noticed() {
    let script = r#"
local planted = {}
function planted.second(ctx)
  ctx:confirm("boast")
  local high = ctx:any(ctx:pieces("hand", ctx.opponent), function(card) return card.value > 4 end)
  if high then ctx:confirm("louder") end
end
return planted
"#;
    let in_lua = watched(&planted("second-lua", &with_action("planted.second"), script), 20);
    assert_eq!(in_lua.failed, 20, "{:?}", in_lua.failures);
    let message = &in_lua.failures[0].message;
    assert!(message.starts_with("who is asked next tells player"), "{message}");
    let step =
        "may gain 1 coin as boast; if count(hand of opponent where it.value > 4) > 0 { may gain 1 coin as louder }";
    let in_text = watched(&planted("second-text", &with_action(step), ""), 20);
    assert_eq!(in_text.failed, 20, "{:?}", in_text.failures);
}

// ---- what was chosen, computed or looked at before ----

/// An action with a card of one's own hand.
fn with_card(effect: &str) -> String {
    with_action(effect).replace("weight = 400", "weight = 400\nparam.card = \"my hand\"")
}

#[test]
fn a_hidden_card_that_a_player_chooses_decides_nothing_that_others_notice() {
    // It goes face down into the deck, and another one comes: nobody else ever sees it.
    let back = "move card to deck; draw 1 from deck to my hand";
    let quiet = watched(&planted("chosen-quiet", &with_card(back), ""), 20);
    assert_eq!(quiet.failed, 0, "{:?}", quiet.failures);
    let told = format!("if card.value > 4 {{ gain 1 coin }}; {back}");
    let leaky = watched(&planted("chosen", &with_card(&told), ""), 10);
    assert_eq!(leaky.failed, 10, "{:?}", leaky.failures);
    let message = &leaky.failures[0].message;
    assert!(message.contains("gain") && message.contains("content/secrets/more.toml:4:"), "{message}");
    // The same as a choice inside an effect, and behind a question.
    for (name, between) in [("chosen-inside", ""), ("chosen-later", "may gain 1 rope as boast;")] {
        let told = format!("choose card in my hand as which; {between} if card.value > 4 {{ gain 1 coin }}; {back}");
        let leaky = watched(&planted(name, &with_action(&told), ""), 10);
        assert_eq!(leaky.failed, 10, "{name}: {:?}", leaky.failures);
    }
    // What is shown in the same answer, everybody knows.
    let shown = "if card.value > 4 { gain 1 coin }; move card to discard; draw 1 from deck to my hand";
    let open = watched(&planted("chosen-open", &with_card(shown), ""), 20);
    assert_eq!(open.failed, 0, "{:?}", open.failures);
}

#[test]
fn a_script_that_tells_which_card_was_chosen_is_noticed() {
    let script = r#"
local planted = {}
function planted.chosen(ctx)
  local card = ctx:choose { from = ctx:pieces("hand", ctx.me), prompt = "which" }
  ctx:confirm("boast")
  if card.value > 4 then ctx:gain("coin", 1) end
end
return planted
"#;
    let leaky = watched(&planted("chosen-lua", &with_action("planted.chosen"), script), 10);
    assert_eq!(leaky.failed, 10, "{:?}", leaky.failures);
    let message = &leaky.failures[0].message;
    assert!(message.contains("scripts/secrets/planted.lua:6, called from action.try effect"), "{message}");
}

#[test]
fn a_value_that_was_computed_before_a_question_is_noticed_after_it() {
    let effect =
        |told: &str| format!("let n = count(hand of next(me) where it.value > 4);\nmay gain 1 coin as boast;\n{told}");
    for (name, told) in [("before", "gain n rope"), ("before-if", "if n > 0 { gain 1 rope }")] {
        let leaky = watched(&planted(name, &with_action(&effect(told)), ""), 10);
        assert_eq!(leaky.failed, 10, "{name}: {:?}", leaky.failures);
        let message = &leaky.failures[0].message;
        assert!(message.contains("(in action.try effect, content/secrets/more.toml:5:"), "{name}: {message}");
    }
    let quiet = watched(&planted("before-quiet", &with_action(&effect("gain 1 rope")), ""), 20);
    assert_eq!(quiet.failed, 0, "{:?}", quiet.failures);
}

#[test]
fn what_one_player_looked_at_tells_others_nothing() {
    let effect = |told: &str| format!("look at hand of next(me) as which; {told}");
    let told = "if any(hand of next(me) where it.value > 4) { gain 1 rope }";
    let leaky = watched(&planted_for(3, "looked", &with_action(&effect(told)), ""), 10);
    assert_eq!(leaky.failed, 10, "{:?}", leaky.failures);
    assert!(leaky.failures[0].message.contains("content/secrets/more.toml:3:"), "{:?}", leaky.failures[0]);
    let top = "look at deck where it == top(deck) as which; if any(deck where it == top(deck) and it.value > 4) { gain 1 rope }";
    let leaky = watched(&planted("looked-top", &with_action(top), ""), 10);
    assert_eq!(leaky.failed, 10, "{:?}", leaky.failures);
    let quiet = watched(&planted_for(3, "looked-quiet", &with_action(&effect("gain 1 rope")), ""), 20);
    assert_eq!(quiet.failed, 0, "{:?}", quiet.failures);
}

/// Every card that is drawn is marked, and stays hidden.
const MARKED: &str = r#"
[var.marked]
of = "card"
[patch.phase.setup]
effect = { now = """shuffle deck; for each player in players {
  draw 2 from deck to hand of player
}; for each player in players { for each card in hand of player { MARK } }""" }
"#;

#[test]
fn what_lies_on_a_hidden_card_does_not_keep_it_from_being_shuffled() {
    let told = "if any(hand of next(me) where it.value > 4) { gain 1 rope }";
    for (name, mark) in [("var", "set card.marked = 1"), ("resource", "put 1 rope on card")] {
        let marked = MARKED.replace("MARK", mark);
        // No card of a hand is ever without a mark.
        let only = with_action(told).replace("{ adds = [\"try\"] }", "{ now = [\"try\", \"done\"] }");
        let report = watched(&planted(&format!("marked-{name}"), &format!("{marked}{only}"), ""), 10);
        assert_eq!(report.failed, 10, "{name}: {:?}", report.failures);
        let quiet = planted(&format!("marked-{name}-quiet"), &marked, "");
        let report = watched(&quiet, 20);
        assert_eq!(report.failed, 0, "{name}: {:?}", report.failures);
        let (refused, changed, tried) = refusals(&quiet, 1..5);
        assert!(refused == 0 && changed * 2 > tried, "{name}: {refused} refused, {changed} of {tried} changed");
    }
}

#[test]
fn an_action_can_show_what_it_is_taken_with() {
    let effect = "if card.value > 4 { gain 1 coin }; may gain 1 rope as boast; move card to deck; \
                  draw 1 from deck to my hand";
    let hidden = with_card(effect);
    assert_eq!(watched(&planted("with-hidden", &hidden, ""), 10).failed, 10);
    let shown = hidden.replace("weight = 400", "weight = 400\ndisclose = true");
    let game_box = planted("with-shown", &shown, "");
    let report = watched(&game_box, 20);
    assert_eq!(report.failed, 0, "{:?}", report.failures);
    // Others see the card while the action goes on, and are told which one it was.
    let host = game_box.host().expect("there are no scripts to load");
    let mut game = game_box.start(&host, 1).expect("the game starts");
    let at = game.decision().and_then(|now| now.options.iter().position(|option| option.piece().is_some()));
    let card = game.decision().and_then(|now| now.options[at?].piece()).expect("a card of the hand");
    let other = Viewer::Seat(Seat(1));
    assert!(!Sight::new(game.rules(), game.state(), other).sees(card));
    let taken = keys(&game).iter().position(|key| key.starts_with("try ")).expect("it is offered");
    let card = game.decision().and_then(|now| now.options[taken].piece()).expect("a card of the hand");
    let events = game.answer(&host, Answer(taken as u16)).expect("the game goes on");
    let sight = Sight::new(game.rules(), game.state(), other);
    assert!(sight.sees(card));
    let words = Words::new(game.rules(), "en");
    let told: Vec<String> = events.iter().filter_map(|event| words.event(event, &sight)).collect();
    let title = words.type_title(game.rules().type_of(card));
    assert!(told.iter().any(|line| line.contains(&format!("try: {title}"))), "{told:?}");
}

// ---- what an option tells ----

#[test]
fn the_order_of_what_is_hidden_is_not_told_by_being_asked() {
    let listed = |name: &str, hands: &str| {
        let more = format!("{hands}{}", with_action("choose card in hand of next(me) as which; move card to discard"));
        let game_box = planted(name, &more, "");
        let host = game_box.host().expect("there are no scripts to load");
        let mut game = game_box.start(&host, 1).expect("the game starts");
        let at = keys(&game).iter().position(|key| key == "try").expect("it is offered");
        game.answer(&host, Answer(at as u16)).expect("the game goes on");
        keys(&game)
    };
    let drawn = |one: &str, two: &str| HANDS.replace("page", "ONE").replace("queen", two).replace("ONE", one);
    assert_eq!(listed("order-one", &drawn("page", "queen")), listed("order-two", &drawn("queen", "page")));
}

#[test]
fn cards_that_lie_face_down_are_not_told_to_be_alike() {
    let more = format!(
        "[zone.table]\n{}[patch.phase.setup]\neffect = {{ now = \"\"\"\
         move first(deck where it is page) to table face down; move first(deck where it is queen) to table face down; \
         move first(deck where it is page) to table face down\"\"\" }}\n",
        with_action("choose card in table as which; move card to discard")
    );
    let game_box = planted("face-down", &more, "");
    let host = game_box.host().expect("there are no scripts to load");
    let mut game = game_box.start(&host, 1).expect("the game starts");
    let at = keys(&game).iter().position(|key| key == "try").expect("it is offered");
    game.answer(&host, Answer(at as u16)).expect("the game goes on");
    let decision = game.decision().expect("a card is to be chosen");
    let texts = Words::new(game.rules(), "en").options(game.state(), decision);
    assert_eq!(texts, ["card (table) #1", "card (table) #2", "card (table) #3"]);
}

// ---- what people at a terminal are told ----

#[test]
fn a_fault_does_not_name_what_is_hidden_before_the_game_is_over() {
    let script = "local planted = {}\nfunction planted.fails(ctx)\n  local card = ctx:pieces(\"hand\", ctx.opponent)[1]\n  \
                  error(\"WHAT \" .. SAID)\nend\nreturn planted\n";
    let played = |name: &str, said: &str| {
        let scratch = Scratch::copy_of("secrets", name);
        scratch.write("content/secrets/more.toml", with_action("planted.fails").as_bytes());
        scratch.write("scripts/secrets/planted.lua", script.replace("SAID", said).as_bytes());
        let call = ["play", "secrets", "--players", "2", "--bots", "2", "--seed", "1"];
        // The planted action is the last of the menu.
        let shown = rulepack_told(scratch.path(), &call, "t\n").shown();
        let last =
            shown.lines().filter_map(|line| line.trim().strip_suffix("try")?.trim().parse::<u32>().ok()).next_back();
        let try_it = last.unwrap_or_else(|| panic!("it is offered: {shown}"));
        rulepack_told(scratch.path(), &call, &format!("{try_it}\ny\nq\n")).shown()
    };
    // However it is spelt: nobody can tell what a script's own words mean.
    for (name, said) in [
        ("fault-open", "\"happened\""),
        ("fault-hidden", "tostring(card.type)"),
        ("fault-spelt", "string.upper(tostring(card.type))"),
    ] {
        let shown = played(name, said);
        let told =
            "the pack failed: what the script says is told after the game (scripts/secrets/planted.lua:4, called";
        assert!(shown.contains(told), "{shown}");
        assert!(!shown.contains("WHAT"), "{shown}");
    }
}

#[test]
fn the_seed_of_a_game_of_people_is_not_told_before_its_end() {
    let played = |input: &str| {
        let call = ["play", "secrets", "--players", "2", "--bots", "2"];
        rulepack_told(&fixture("secrets"), &call, input).shown()
    };
    let begun = played("t\nq\n");
    assert!(begun.contains("turn") && !begun.contains("seed"), "{begun}");
    // Whatever is answered, the game is over after four rounds; `done` is the last of every menu.
    let over = played(&"99\n".repeat(3));
    assert!(!over.contains("seed"), "{over}");
}

// ---- what a finding says ----

#[test]
fn a_variable_that_tells_what_is_hidden_is_reported_with_the_step_that_sets_it() {
    let more = "[var.noted]\n".to_string()
        + &with_action("gain 1 rope;\nset noted = count(hand of next(me) where it.value > 4);\ngain 1 coin");
    let leaky = watched(&planted("noted", &more, ""), 10);
    assert_eq!(leaky.failed, 10, "{:?}", leaky.failures);
    let message = &leaky.failures[0].message;
    assert!(message.contains("(in action.try effect, content/secrets/more.toml:5:1)"), "{message}");
}

/// The fixture with a set-up that does more after the hands are dealt.
fn with_set_up(more: &str) -> String {
    let deal = "shuffle deck; for each player in players { draw 2 from deck to hand of player }";
    let was = format!("was = \"{deal}\"");
    let now = format!("now = \"\"\"\n{deal};\n{more}\"\"\"");
    format!("[var.noted]\n[prompt.high]\ntitle = \"High cards\"\n[patch.phase.setup]\neffect = {{ {was}, {now} }}\n")
}

#[test]
fn a_set_up_that_tells_what_is_hidden_is_noticed() {
    let script = "local planted = {}\nfunction planted.deal(ctx)\n  for _, player in ipairs(ctx.players) do\n    \
                  local hand = ctx:pieces(\"hand\", player)\n    \
                  if hand[1].value > 4 then ctx:gain(\"coin\", 1, player) end\n  end\nend\nreturn planted\n";
    let gain = "for each player in players { as player { if any(my hand where it.value > 4) { gain 1 coin } } }";
    let note = "set noted = count(deck where it.value > 4)";
    for (name, more, script, place) in [
        ("set-up-gains", gain, "", "(in phase.setup effect, content/secrets/more.toml:7:1)"),
        ("set-up-notes", note, "", "(in phase.setup effect, content/secrets/more.toml:7:1)"),
        ("set-up-by-script", "planted.deal", script, "(scripts/secrets/planted.lua:5"),
    ] {
        let leaky = watched(&planted(name, &with_set_up(more), script), 10);
        let told: Vec<&str> = leaky.failures.iter().map(|failure| failure.message.as_str()).collect();
        assert!(!told.is_empty(), "{name}: nothing is noticed");
        let is_told = |told: &&str| told.contains("; in the set-up; hidden: ") && told.contains(place);
        assert!(told.iter().all(is_told), "{told:#?}");
    }
    for (name, more) in [
        // All that is told of the hands is declared, or the same whatever they hold.
        ("set-up-declares", "let n = count(deck where it.value > 4); disclose n as high; set noted = n"),
        ("set-up-counts", "set noted = count(deck)"),
        ("set-up-shows", "move top(deck) to discard; set noted = sum(discard, it.value)"),
    ] {
        let sound = watched(&planted(name, &with_set_up(more), ""), 10);
        assert_eq!(sound.failed, 0, "{name}: {:?}", sound.failures);
    }
}

#[test]
fn a_leak_in_the_log_is_reported_with_the_line_of_the_script() {
    let script = "local planted = {}\nfunction planted.told(ctx)\n  ctx:confirm(\"boast\")\n  ctx:gain(\"rope\", 1)\n  \
                  local hand = ctx:pieces(\"hand\", ctx.opponent)\n  \
                  if ctx:any(hand, function(card) return card.value > 4 end) then\n    ctx:gain(\"coin\", 1)\n  end\nend\n\
                  return planted\n";
    let leaky = watched(&planted("log-lua", &with_action("planted.told"), script), 10);
    assert_eq!(leaky.failed, 10, "{:?}", leaky.failures);
    let message = &leaky.failures[0].message;
    assert!(message.starts_with("the log of player"), "{message}");
    assert!(message.contains("(scripts/secrets/planted.lua:7, called from action.try effect)"), "{message}");
}

#[test]
fn a_leak_is_reported_with_step_file_line_and_both_tables() {
    let step = "may gain 1 coin as boast;\nif count(hand of opponent where it.value > 4) > 0 {\n  may gain 1 coin as louder\n}";
    let scratch = Scratch::copy_of("secrets", "leak-report");
    scratch.write("content/secrets/more.toml", with_action(step).as_bytes());
    let run = rulepack(scratch.path(), &["sim", "secrets", "--games", "1", "--views", "--players", "2", "--seed", "3"]);
    assert_eq!(run.code, 1);
    let failed = run.stdout.split_once("failed with seed").expect("a game fails").1;
    assert!(failed.contains("Boast louder?`") && failed.contains("after the answer"), "{failed}");
    // Two pieces are enough: one that is high in place of one that is not.
    let hidden = failed.split_once("; hidden: ").expect("both tables are told").1;
    assert!(
        hidden.starts_with("hand, Player ") && hidden.contains("; deck: ") && hidden.matches(" or ").count() == 2,
        "{hidden}"
    );
    assert!(failed.contains("(in action.try effect, content/"), "{failed}");
    assert!(failed.contains("at content/secrets/more.toml:5:3"), "the line of the step: {failed}");
}

#[test]
fn a_leak_in_a_script_is_reported_with_its_line() {
    let script = "local planted = {}\nfunction planted.second(ctx)\n  ctx:confirm(\"boast\")\n  if ctx:any(ctx:pieces(\"hand\", ctx.opponent), function(card) return card.value > 4 end) then\n    ctx:confirm(\"louder\")\n  end\nend\nreturn planted\n";
    let scratch = Scratch::copy_of("secrets", "leak-line");
    scratch.write("content/secrets/more.toml", with_action("planted.second").as_bytes());
    scratch.write("scripts/secrets/planted.lua", script.as_bytes());
    let run = rulepack(scratch.path(), &["sim", "secrets", "--games", "1", "--views", "--players", "2", "--seed", "3"]);
    assert!(run.stdout.contains("(scripts/secrets/planted.lua:5, called from action.try effect)"), "{}", run.stdout);
    assert!(run.stdout.contains("at scripts/secrets/planted.lua:5:5"), "{}", run.stdout);
}

// ---- what the rules mean to tell ----

const GUESS: &str = "let right = any(hand of opponent where it.value > 4); DISCLOSE if right { gain 1 coin }";

#[test]
fn a_guess_is_a_leak_unless_it_is_declared() {
    let undeclared = watched(&planted("guess", &with_action(&GUESS.replace("DISCLOSE", "")), ""), 10);
    assert_eq!(undeclared.failed, 10, "{:?}", undeclared.failures);
    let message = &undeclared.failures[0].message;
    assert!(
        message.contains("of player") && message.contains("(in action.try effect, content/secrets/more.toml:3:"),
        "{message}"
    );
    let declared = with_action(&GUESS.replace("DISCLOSE", "disclose right as which;"));
    let declared = watched(&planted("guess-declared", &declared, ""), 20);
    assert_eq!(declared.failed, 0, "{:?}", declared.failures);
}

#[test]
fn a_disclosure_excuses_only_what_it_tells() {
    let high = "any(hand of opponent where it.value > 4)";
    let leaks = [
        // What is told has nothing to do with what is hidden, and whether it is told depends on it.
        format!("if {high} {{ disclose count(my hand) as boast; gain 1 coin }}"),
        format!("if {high} {{ disclose first(my hand) as boast; gain 1 coin }}"),
        // It is asked before it is told.
        format!("if {high} {{ may gain 1 coin as boast }}; disclose {high} as louder"),
    ];
    for (index, effect) in leaks.iter().enumerate() {
        let leaky = watched(&planted(&format!("unrelated-{index}"), &with_action(effect), ""), 10);
        assert!(leaky.failed >= 8, "{effect}: {} of 10: {:?}", leaky.failed, leaky.failures);
    }
    let script = r#"
local planted = {}
function planted.told(ctx)
  if ctx:any(ctx:pieces("hand", ctx.opponent), function(card) return card.value > 4 end) then
    ctx:disclose(7, "boast")
    ctx:gain("coin", 1)
  end
end
return planted
"#;
    let leaky = watched(&planted("unrelated-lua", &with_action("planted.told"), script), 10);
    assert!(leaky.failed >= 8, "{} of 10: {:?}", leaky.failed, leaky.failures);
    // Told in both cases, it is declared.
    let both = format!("if {high} {{ disclose 1 as boast; gain 1 coin }} else {{ disclose 2 as boast }}");
    let declared = watched(&planted("told-in-both", &with_action(&both), ""), 20);
    assert_eq!(declared.failed, 0, "{:?}", declared.failures);
}

#[test]
fn a_variable_of_a_hidden_card_is_public() {
    let marked = |effect: &str| format!("[var.mark]\nof = \"card\"\n{}", with_action(effect));
    // At once, behind a question, and in another action.
    let effects = [
        "for each c in hand of opponent { set c.mark = c.value }",
        "for each c in hand of opponent { set c.mark = c.value }; may gain 1 coin as boast; gain sum(hand of opponent, it.mark) coin",
    ];
    for (index, effect) in effects.iter().enumerate() {
        let leaky = watched(&planted(&format!("marked-{index}"), &marked(effect), ""), 10);
        assert_eq!(leaky.failed, 10, "{effect}: {:?}", leaky.failures);
        let message = &leaky.failures[0].message;
        assert!(message.contains("mark"), "{message}");
    }
    let harmless = "for each c in hand of opponent { set c.mark = 1 }; gain sum(hand of opponent, it.mark) coin";
    let quiet = watched(&planted("marked-alike", &marked(harmless), ""), 20);
    assert_eq!(quiet.failed, 0, "{:?}", quiet.failures);
    // And everybody sees it.
    let game_box = planted("marked-seen", &marked(harmless), "");
    let host = game_box.host().expect("the scripts are right");
    let mut game = game_box.start(&host, 1).expect("the game begins");
    let names = game.option_names(game.decision().expect("somebody is asked"));
    let at = names.iter().position(|name| name == "try").expect("it is offered");
    game.answer(&host, Answer(at as u16)).expect("it is accepted");
    let words = Words::new(game.rules(), &game.rules().texts.own);
    for viewer in [Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1))] {
        let view = serde_json::to_string(&View::new(&game, &host, viewer, &words)).expect("a view is plain data");
        assert!(view.contains("\"mark\":"), "{viewer:?}: {view}");
    }
}

#[test]
fn cards_that_differ_in_a_variable_are_two_options() {
    let options = |name: &str, marks: &str| {
        let effect = format!(
            "for each c in my hand {{ move c to deck }}; for each c in deck where it.value == 7 {{ move c to my hand }}; \
             {marks}; choose c in my hand as which; move c to discard"
        );
        let more = format!("[var.mark]\nof = \"card\"\n{}", with_action(&effect));
        let game_box = planted(name, &more, "");
        let host = game_box.host().expect("the scripts are right");
        let mut game = game_box.start(&host, 1).expect("the game begins");
        let names = game.option_names(game.decision().expect("somebody is asked"));
        let at = names.iter().position(|name| name == "try").expect("it is offered");
        game.answer(&host, Answer(at as u16)).expect("it is accepted");
        game.decision().expect("somebody is asked").options.len()
    };
    assert_eq!(options("alike", "for each c in my hand { set c.mark = 1 }"), 1);
    assert_eq!(options("not-alike", "set first(my hand).mark = 1"), 2);
}

#[test]
fn the_top_of_a_pile_is_another_choice_than_a_copy_below_it() {
    let effect = "draw 4 from deck to discard; look at discard; choose c in discard as which; move c to my hand; \
                  for each c in discard { move c to deck }; for each c in my hand where count(my hand) > 3 { move c to deck }; \
                  shuffle deck";
    let quiet = watched(&planted("top-of-a-pile", &with_action(effect), ""), 60);
    assert_eq!(quiet.failed, 0, "{:?}", quiet.failures);
}

#[test]
fn as_many_as_there_are_of_a_hand_tells_nothing_by_not_being_asked() {
    let effect =
        "choose c in my hand where it.value > 4 if any as which { move c to deck; draw 1 from deck to my hand }";
    let quiet = watched(&planted("if-any", &with_action(effect), ""), 40);
    assert_eq!(quiet.failed, 0, "{:?}", quiet.failures);
    // With one card in the hand, there is one that fits or none.
    let one = format!("while_one; {effect}").replace(
        "while_one",
        "for each c in my hand where count(my hand) > 1 { move c to deck }; draw 1 from deck to my hand",
    );
    let quiet = watched(&planted("if-any-one", &with_action(&one), ""), 40);
    assert_eq!(quiet.failed, 0, "{:?}", quiet.failures);
}

#[test]
fn what_is_declared_stays_known_until_the_effect_is_over() {
    // A question comes between the telling and what follows from it.
    let more = with_action(
        "disclose any(hand of opponent where it.value > 4) as which; may gain 1 rope as boast; \
         if any(hand of opponent where it.value > 4) { may gain 1 coin as louder }",
    );
    let report = watched(&planted("guess-later", &more, ""), 20);
    assert_eq!(report.failed, 0, "{:?}", report.failures);
    // What is told by one effect does not allow the next one to tell more.
    let more = with_action(
        "disclose any(hand of opponent where it.value > 4) as which; may gain 1 rope as boast; \
         if any(hand of opponent where it.value > 6) { may gain 1 coin as louder }",
    );
    assert!(watched(&planted("guess-more", &more, ""), 20).failed > 0);
}

#[test]
fn a_hand_that_is_shown_because_nothing_fits_is_no_leak() {
    let shown = |disclose: &str| {
        with_action(&format!(
            "if none(hand of opponent where it.colour == 'red') {{ {disclose} }} else {{ \
             choose card in hand of opponent where it.colour == 'red' by opponent as which; move card to discard; \
             draw 1 from deck to hand of opponent }}"
        ))
    };
    assert!(watched(&planted("void", &shown("gain 0 coin"), ""), 10).failed > 0);
    let report = watched(&planted("void-shown", &shown("disclose hand of opponent"), ""), 20);
    assert_eq!(report.failed, 0, "{:?}", report.failures);
}

#[test]
fn a_script_declares_what_it_tells() {
    let script = |disclose: &str| {
        format!(
            "local planted = {{}}\nfunction planted.guess(ctx)\n  ctx:confirm(\"boast\")\n  local hand = ctx:pieces(\"hand\", ctx.opponent)\n  \
             local right = ctx:any(hand, function(card) return card.value > 4 end)\n  {disclose}\n  \
             if right then ctx:gain(\"coin\", 1) end\n  ctx:confirm(\"louder\")\nend\nreturn planted\n"
        )
    };
    let more = with_action("planted.guess");
    let undeclared = watched(&planted("lua-guess", &more, &script("")), 10);
    assert_eq!(undeclared.failed, 10, "{:?}", undeclared.failures);
    let declared = watched(&planted("lua-declared", &more, &script("ctx:disclose(right, \"which\")")), 20);
    assert_eq!(declared.failed, 0, "{:?}", declared.failures);
    let shown = watched(&planted("lua-shown", &more, &script("ctx:disclose(hand)")), 20);
    assert_eq!(shown.failed, 0, "{:?}", shown.failures);
}

/// Hands of a page and a queen.
const HANDS: &str = r#"
[patch.phase.setup]
effect = { now = """for each player in players {
  move first(deck where it is page) to hand of player; move first(deck where it is queen) to hand of player
}""" }
"#;

/// A game with these hands, after the planted action.
fn tried(name: &str, effect: &str, script: &str) -> (GameBox, Game, Vec<String>) {
    let game_box = planted(name, &format!("{HANDS}{}", with_action(effect)), script);
    let host = game_box.host().expect("scripts load");
    let mut game = game_box.start(&host, 1).expect("the game starts");
    let at = keys(&game).iter().position(|key| key == "try").expect("it is offered");
    let events = game.answer(&host, Answer(at as u16)).expect("the game goes on");
    let words = Words::new(game.rules(), "en");
    let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(Seat(1)));
    let told = events.iter().filter_map(|event| words.event(event, &sight)).collect();
    drop(words);
    (game_box, game, told)
}

fn keys(game: &Game) -> Vec<String> {
    let decision = game.decision().expect("the game is not over");
    let key = |option| option_keys(game.rules(), game.state(), option).primary.join(" ");
    decision.options.iter().map(|option| key(*option)).collect()
}

#[test]
fn what_is_disclosed_is_told_to_all() {
    let (.., told) = tried("told-truth", "disclose any(my hand where it is queen) as which", "");
    assert!(told.contains(&"Disclosed: Which card? Yes".to_string()), "{told:?}");
    let (.., told) = tried("told-hand", "disclose my hand", "");
    assert!(told.contains(&"Disclosed: page, queen".to_string()), "{told:?}");
    let (.., told) = tried("told-nothing", "disclose my hand where it is knight as which", "");
    assert!(told.contains(&"Disclosed: Which card? nothing".to_string()), "{told:?}");
}

// ---- choices in scripts ----

/// What a script of the first player asks; `done` at the end if it asked nothing.
fn asked_by_script(choice: &str) -> Vec<String> {
    let script = format!(
        "local planted = {{}}\nlocal function high(card) return card.value > LIMIT end\nfunction planted.choose(ctx)\n  \
         local card = {choice}\n  if card then ctx:move(card, \"discard\") end\nend\nreturn planted\n"
    );
    let limit = if choice.contains("none") { "9" } else { "4" };
    let script = script.replace("LIMIT", limit).replace("--none", "");
    let name = format!("asked-{:?}-{}", std::thread::current().id(), choice.len());
    let (_, game, _) = tried(&name, "planted.choose", &script);
    keys(&game)
}

#[test]
fn a_choice_of_a_script_from_a_part_of_a_hand_is_as_discreet_as_an_expression() {
    let hand = "ctx:pieces(\"hand\", ctx.me)";
    // One card fits: others do not know that.
    assert_eq!(
        asked_by_script(&format!("ctx:choose {{ from = {hand}, where = high, prompt = \"which\" }}")),
        ["queen"]
    );
    assert_eq!(
        asked_by_script(&format!("ctx:choose {{ from = ctx:filter({hand}, high), prompt = \"which\" }}")),
        ["queen"]
    );
    let among = format!("ctx:choose {{ from = {{ {hand}[2] }}, among = {hand}, prompt = \"which\" }}");
    assert_eq!(asked_by_script(&among), ["queen"]);
    // None fits: nor that.
    let none = format!("ctx:choose {{ from = {hand}, where = high, prompt = \"which\", optional = true }} --none");
    assert_eq!(asked_by_script(&none), ["done"]);
    // What all see to be forced is not asked.
    let top = "ctx:choose { from = { ctx:top(\"deck\") }, prompt = \"which\" }";
    assert!(asked_by_script(top).contains(&"boast".to_string()), "one card of a pile");
    let open =
        "ctx:choose { from = ctx:pieces(\"discard\"), where = high, prompt = \"which\", optional = true } --none";
    assert!(asked_by_script(open).contains(&"boast".to_string()), "nothing that anybody could hide");
}

#[test]
fn a_script_that_narrows_a_hand_down_tells_nothing_of_it() {
    let script = |from: &str| {
        format!(
            "local planted = {{}}\nfunction planted.choose(ctx)\n  ctx:confirm(\"boast\")\n  \
             local function high(card) return card.value > 4 end\n  local hand = ctx:pieces(\"hand\", ctx.me)\n  \
             local card = ctx:choose {{ {from}, prompt = \"which\", optional = true }}\n  \
             if card then ctx:move(card, \"discard\") end\nend\nreturn planted\n"
        )
    };
    let more = with_action("planted.choose");
    for (name, from) in [("where", "from = hand, where = high"), ("filter", "from = ctx:filter(hand, high)")] {
        let report = watched(&planted(&format!("narrowed-{name}"), &more, &script(from)), 20);
        assert_eq!(report.failed, 0, "{name}: {:?}", report.failures);
    }
    let by_hand = "from = (function() local kept = {} for _, card in ipairs(hand) do if high(card) then table.insert(kept, card) end end return kept end)()";
    assert!(watched(&planted("narrowed-by-hand", &more, &script(by_hand)), 20).failed > 0);
}

// ---- check ----

#[test]
fn check_notices_a_leak() {
    let scratch = Scratch::copy_of("secrets", "check-leak");
    let check =
        || rulepack(scratch.path(), &["check", "secrets", "--playouts", "2", "--threads", "1", "--deny", "warnings"]);
    let sound = check();
    assert_eq!(sound.code, 0, "{}", sound.shown());
    let step = "may gain 1 coin as boast;\nif count(hand of next(me) where it.value > 4) > 0 {\n  may gain 1 coin as louder\n}";
    scratch.write("content/secrets/more.toml", with_action(step).as_bytes());
    let leaky = check();
    assert_eq!(leaky.code, 1, "{}", leaky.shown());
    snapshot("secrets", "check-leak", &leaky.shown());
    // Nothing is asked here; what follows from the answer shows it.
    let guess = GUESS.replace("opponent", "next(me)").replace("DISCLOSE", "");
    scratch.write("content/secrets/more.toml", with_action(&guess).as_bytes());
    let leaky = check();
    assert!(leaky.code == 1 && leaky.stdout.contains("warning[leak]"), "{}", leaky.shown());
}

// ---- games as far as one player knows ----

/// How often nothing else could be hidden at the decisions of some games, and how often it could.
fn refusals(game_box: &GameBox, seeds: std::ops::Range<u64>) -> (usize, usize, usize) {
    let host = game_box.host().expect("scripts load");
    let (mut refused, mut changed, mut tried) = (0, 0, 0);
    for seed in seeds {
        let mut game = game_box.start(&host, seed).expect("the game starts");
        let mut bot = RandomBot::new(seed);
        while let Pending::Decision(decision) = game.pending() {
            let answer = bot.choose(game.rules(), decision);
            for seat in game.rules().seats() {
                let (other, exchange) = game.resampled(&host, seat, seed, &[]).expect("no script fails");
                let asked = |game: &Game| game.decision().map(|decision| (decision.seat, decision.ask));
                assert_eq!(asked(&game), asked(&other));
                if decision.seat == seat {
                    // Also what is left out because it would only lead back.
                    assert_eq!(game.decision(), other.decision());
                }
                refused += usize::from(exchange.gave_up());
                changed += usize::from(!exchange.is_empty());
                tried += 1;
                other.abandon(&host);
            }
            game.answer_fast(&host, answer).expect("the game goes on");
        }
    }
    (refused, changed, tried)
}

#[test]
fn what_will_be_rolled_is_not_known_in_a_game_as_far_as_one_player_knows() {
    let game_box = planted("rolls", &with_action("roll n of 6; gain n rope"), "");
    let host = game_box.host().expect("there are no scripts to load");
    let game = game_box.start(&host, 1).expect("the game starts");
    let at = keys(&game).iter().position(|key| key == "try").expect("it is offered");
    let rolled = |seed: u64| {
        let (mut other, _) = game.resampled(&host, Seat(0), seed, &[]).expect("there is no script to fail");
        let again = other.clone();
        let events = other.answer(&host, Answer(at as u16)).expect("the game goes on");
        let first = events.iter().find_map(|event| match event {
            rulepack::LogEntry::Rolled { result, .. } => Some(*result),
            _ => None,
        });
        // It is a game like any other: what it will draw is settled.
        let mut again = again;
        assert_eq!(again.answer(&host, Answer(at as u16)).expect("the game goes on"), events);
        first.expect("a die is rolled")
    };
    let results: std::collections::BTreeSet<u32> = (0..60).map(rolled).collect();
    assert_eq!(results.len(), 6, "{results:?}");
}

/// A card goes from the deck over the discard pile, where all see it, into a hand; then a question is asked. Says whether the
/// other player is sure of the card at that question, and after it.
fn is_sure_of_a_card(name: &str, effect: &str, script: &str) -> [bool; 2] {
    let game_box = planted(name, &with_action(effect), script);
    let host = game_box.host().expect("scripts load");
    let mut game = game_box.start(&host, 1).expect("the game starts");
    let seat = game.decision().expect("somebody is asked").seat;
    let other_seat = game.rules().seats().find(|other| *other != seat).expect("two play");
    let at = keys(&game).iter().position(|key| key == "try").expect("it is offered");
    let events = game.answer(&host, Answer(at as u16)).expect("the game goes on");
    let mut moved = events.iter().filter_map(|event| match event {
        rulepack::LogEntry::Moved { piece, .. } => Some(*piece),
        _ => None,
    });
    let card = moved.next_back().expect("a card is moved");
    let is_sure = |game: &Game| {
        (0..40).all(|seed| {
            let (other, exchange) = game.resampled(&host, other_seat, seed, &[]).expect("no script fails");
            other.abandon(&host);
            exchange.of(card) == card
        })
    };
    let meanwhile = is_sure(&game);
    game.answer(&host, Answer(0)).expect("the game goes on");
    [meanwhile, is_sure(&game)]
}

/// A player could remember all of it. `docs/secrets.md` says what is forgotten.
#[test]
fn a_card_that_went_openly_into_a_hand_is_remembered_until_the_script_is_over() {
    let effect = "move top(deck) to discard; move top(discard) to my hand; may gain 1 coin as boast";
    assert_eq!(is_sure_of_a_card("openly", effect, ""), [false, false]);
    let script = r#"
local planted = {}
function planted.take(ctx)
  local card = ctx:pieces("deck")[1]
  ctx:move(card, "discard")
  ctx:move(card, "hand")
  ctx:confirm("boast")
end
return planted
"#;
    assert_eq!(is_sure_of_a_card("openly-by-script", "planted.take", script), [true, false]);
}

#[test]
fn what_is_hidden_can_be_shuffled_at_every_decision() {
    let mut all = Vec::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in [root.to_path_buf(), fixture("secrets"), fixture("nest"), fixture("stock"), fixture("inside")] {
        let library = Library::open(&[&folder]).expect("the library is there");
        for info in library.list() {
            let Some((least, most)) = info.players else { continue };
            for players in [least, most] {
                let game_box = load(&folder, &info.id, Some(players));
                all.push((info.id.clone(), players, refusals(&game_box, 1..3)));
            }
        }
    }
    let refused: Vec<_> = all.iter().filter(|(.., (refused, ..))| *refused > 0).collect();
    assert!(refused.is_empty(), "{refused:?}");
    let (changed, tried) = all.iter().fold((0, 0), |sum, (.., (_, changed, tried))| (sum.0 + changed, sum.1 + tried));
    assert!(tried > 5_000 && changed * 3 > tried, "{changed} of {tried}: {all:?}");
}
