//! The bodies of the fuzzers (`tests/fuzz`), with a fixed number of inputs that a generator makes, and with every input that a
//! fuzzer has found and that is kept.

#[path = "fuzz/bodies.rs"]
pub(crate) mod bodies;

use std::path::Path;

use rulepack_kernel::Rng;

use bodies::BODIES;

/// So many inputs are made for each body.
const INPUTS: u64 = 120;

/// An input: mostly short, and now and then a long one.
fn input(rng: &mut Rng) -> Vec<u8> {
    let most = if rng.below(8) == 0 { 400 } else { 48 };
    let length = 4 + rng.below(most);
    (0..length).map(|_| rng.below(256) as u8).collect()
}

/// Runs a body on inputs of its own; what fails is kept in the message, to be put into the corpus.
fn survives(target: &str) {
    let (_, body) = BODIES.iter().find(|(name, _)| *name == target).expect("there is such a body");
    let mut rng = Rng::new(target.len() as u64);
    for number in 0..INPUTS {
        let data = input(&mut rng);
        let outcome = std::panic::catch_unwind(|| body(&data));
        assert!(outcome.is_ok(), "{target}: input {number} panics: {data:?}");
    }
}

#[test]
fn texts_of_chance_are_refused_or_played() {
    survives("expression");
}

#[test]
fn changed_packs_are_refused_or_played() {
    survives("pack");
}

#[test]
fn changed_scripts_are_refused_or_played() {
    survives("script");
}

#[test]
fn changed_scenarios_are_refused_or_played() {
    survives("scenario");
}

#[test]
fn changed_saves_are_refused_or_played() {
    survives("save");
}

#[test]
fn changed_logs_are_refused_or_played() {
    survives("log");
}

#[test]
fn answers_of_chance_are_taken_or_refused() {
    survives("answers");
}

#[test]
fn kept_inputs_are_refused_or_played() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
    let mut played = 0;
    for (target, body) in BODIES {
        let Ok(entries) = std::fs::read_dir(corpus.join(target)) else { panic!("{target} has no corpus") };
        for path in entries.flatten().map(|entry| entry.path()) {
            let data = std::fs::read(&path).expect("it can be read");
            let outcome = std::panic::catch_unwind(|| body(&data));
            assert!(outcome.is_ok(), "{} panics", path.display());
            played += 1;
        }
    }
    assert!(played >= BODIES.len(), "only {played} inputs are kept");
}
