//! Effects, phases and free actions that come back to an earlier position.

use crate::support::{Scratch, fixture, rulepack, rulepack_told};

#[test]
fn a_loop_is_named_or_is_a_draw_as_the_pack_says() {
    let run = rulepack(&fixture("loops"), &["test", "rings"]);
    assert_eq!((run.code, run.stdout.trim()), (0, "12 passed, 0 failed"), "{}", run.shown());
}

#[test]
fn a_draw_by_a_loop_is_told_with_its_cards_and_replayed() {
    let scratch = Scratch::new("loops");
    let log = scratch.path().join("draw.jsonl");
    let log = log.to_str().expect("the path is text");
    let call = ["play", "rings", "--mode", "draw", "--bots", "none", "--log", log];
    let run = rulepack_told(&fixture("loops"), &call, "1\n");
    assert!(run.stdout.contains("A draw: this would go on for ever (High bell, Low bell)"), "{}", run.shown());
    assert!(run.stdout.contains("Shared victory"), "{}", run.shown());
    let again = rulepack(&fixture("loops"), &["replay", log]);
    assert!(again.code == 0 && again.stdout.contains("EXACT"), "{}", again.shown());
}

#[test]
fn a_simulation_counts_draws_as_ended() {
    let call = ["sim", "rings", "--mode", "draw", "--games", "40", "--seed", "3", "--format", "json"];
    // With views, every game is played by the way that can go back; without, by the way that keeps nothing to go back to.
    let (fast, careful) =
        (rulepack(&fixture("loops"), &call), rulepack(&fixture("loops"), &[&call[..], &["--views"]].concat()));
    let (fast, careful) = (fast.json(), careful.json());
    assert_eq!(fast["digest"], careful["digest"]);
    assert!(fast["finished"].as_u64() > Some(0), "{fast}");
    let failures = fast["failures"].as_array().expect("a list");
    assert!(failures.iter().all(|failure| failure["message"].to_string().contains("inside one another")), "{fast}");
}
