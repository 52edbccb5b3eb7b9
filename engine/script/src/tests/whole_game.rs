//! The host under the kernel: a game is forked, saved in the middle of a script, and goes on.

use std::sync::Arc;

use rulepack_kernel::{Answer, Game, Pending};
use rulepack_model::{ResId, Seat};

use super::harbor::*;
use crate::ScriptHost;

const DAY: &str = r#"
local day = {}
-- Take one thing, then another one; the opponent may have a rope.
function day.begin(ctx)
  for _ = 1, 2 do
    local what = ctx:choose_resource { from = "goods", optional = true }
    if what then
      ctx:gain(what)
    end
  end
  if ctx:confirm("pick", ctx.opponent) then
    ctx:gain("rope", ctx:roll(6), ctx.opponent)
  end
end
return day
"#;

fn play(game: &mut Game, host: &ScriptHost, answers: &[u16]) {
    for answer in answers {
        game.answer(host, Answer(*answer)).expect("it is among the options");
    }
}

#[test]
fn a_game_is_forked_between_the_questions_of_a_script() {
    let rules = Arc::new(playable(&["day.begin"]));
    let host = ScriptHost::new(&rules, &[script("day", DAY)]).expect("the script is well");
    let mut game = Game::start(Arc::clone(&rules), 7, &host).expect("it begins");
    play(&mut game, &host, &[0]);
    let mut fork = game.clone();
    assert_eq!(game.hash(), fork.hash());
    // Another host, which has not run the script before, continues a copy.
    let other = ScriptHost::new(&rules, &[script("day", DAY)]).expect("the script is well");
    let mut again = game.clone();
    play(&mut game, &host, &[1, 1]);
    play(&mut fork, &host, &[0, 0]);
    play(&mut again, &other, &[0, 0]);
    let coins = |game: &Game, seat| game.state().amount(&rules, Seat(seat), ResId(0));
    assert_eq!((coins(&game, 0), coins(&fork, 0), coins(&again, 0)), (4, 5, 5));
    let ropes = game.state().amount(&rules, Seat(1), ResId(1));
    assert!(ropes == 3 && fork.state().amount(&rules, Seat(1), ResId(1)) > ropes);
    play(&mut fork, &host, &[2, 0, 0]);
    play(&mut again, &other, &[2, 0, 0]);
    assert_eq!(fork.hash(), again.hash());
    assert!(matches!(fork.pending(), Pending::Over(_)));
}

#[test]
fn a_fault_leaves_the_game_as_it_was() {
    let rules = Arc::new(playable(&["day.begin"]));
    let text = DAY.replace("ctx:gain(what)", "ctx:gain(what .. what)");
    let host = ScriptHost::new(&rules, &[script("day", &text)]).expect("the script is well");
    let mut game = Game::start(Arc::clone(&rules), 7, &host).expect("it begins");
    let before = game.hash();
    let error = game.answer(&host, Answer(0)).expect_err("there is no such resource");
    assert_eq!(
        error.to_string(),
        "there is no resource or group `coincoin` (did you mean `coin`?) (scripts/harbor/day.lua:8, called from card.inn day.begin)"
    );
    assert_eq!(game.hash(), before);
    play(&mut game, &host, &[2]);
}
