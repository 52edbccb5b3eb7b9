//! No pack, however broken, makes the program panic or hang: files of small packs are damaged at random, then linked,
//! and played if they still link.

use std::path::Path;

use rulepack::{Library, LinkRequest, Pending, RandomBot};
use rulepack_kernel::Rng;

use crate::fuzzing::bodies;
use crate::support::{ONE_TURN, Scratch, WILD, files, fixture};

/// One or two changes of a text, of the kind that the fuzzers make.
fn damaged(text: &str, rng: &mut Rng) -> String {
    const BYTES_OF_A_CHANGE: u32 = 6;
    let bytes: Vec<u8> = (0..BYTES_OF_A_CHANGE * (1 + rng.below(2))).map(|_| rng.below(256) as u8).collect();
    bodies::damaged(text, &bytes)
}

/// Links what is there and plays a little, if that is possible.
fn use_it(folder: &Path, pack: &str, seed: u64) -> bool {
    let library = Library::open(&[folder]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), ..LinkRequest::default() };
    let Ok(game_box) = library.load(&request) else { return false };
    let Ok(host) = game_box.host() else { return false };
    let Ok(mut game) = game_box.start(&host, seed) else { return false };
    let mut bot = RandomBot::new(seed);
    for _ in 0..60 {
        let Pending::Decision(decision) = game.pending() else { break };
        let answer = bot.choose(game_box.rules(), decision);
        if game.answer_fast(&host, answer).is_err() {
            break;
        }
    }
    true
}

fn survives(name: &str, pack: &str, rounds: u64) {
    let source = fixture(name);
    let scratch = Scratch::new(&format!("hostile-{pack}"));
    let originals = files(&source);
    let mut rng = Rng::new(rounds);
    let (mut played, mut refused) = (0, 0);
    for round in 0..rounds {
        let victim = rng.below(originals.len() as u32) as usize;
        for (index, (path, bytes)) in originals.iter().enumerate() {
            let text = std::str::from_utf8(bytes).expect("fixtures are texts");
            let text = if index == victim { damaged(text, &mut rng) } else { text.to_string() };
            let path = path.strip_prefix(&source).expect("it lies below");
            scratch.write(&path.to_string_lossy(), text.as_bytes());
        }
        if use_it(scratch.path(), pack, round) { played += 1 } else { refused += 1 }
    }
    assert!(played > 0 && refused > 0, "{played} played, {refused} refused: the damage is not of the right size");
}

#[test]
fn damaged_packs_never_panic() {
    survives("tiny", "tiny", 150);
    survives("nest", "nest", 150);
    survives("expansions", "harbor-grand", 150);
}

/// A library of one pack, written for one test.
fn wild(name: &str, pack: &str) -> Scratch {
    let scratch = Scratch::new(&format!("wild-{name}"));
    scratch.write("content/wild/pack.toml", pack.as_bytes());
    scratch
}

#[test]
fn numbers_that_run_wild_do_not_overflow() {
    // What is too large as it stands is a mistake of the text, what becomes too large stops the game.
    for (huge, most, links) in [("9223372036854775807", "9223372036854775807", false), ("4000000000", "1000000", true)]
    {
        let pack = format!(
            "{WILD}[resource.coin]\n[resource.rope]\n[group.goods]\nof = ['coin', 'rope']\n\
             [action.work]\ncost = '0 goods'\n\
             effect = 'repeat 9000 {{ gain {most} coin + {most} rope }}; if my.goods > 5 {{ pay 3 goods }}'\n\
             [score.a]\npoints = '{huge}'\n[score.b]\npoints = '(my.coin + 1) * {huge} * {huge} + {huge}'\n\
             [score.c]\npoints = '-{huge} - {huge}'\n{ONE_TURN}"
        );
        let folder = wild("numbers", &pack);
        assert_eq!(use_it(folder.path(), "wild", 1), links, "{huge}");
    }
}

/// Modes are gone through without recursion and without going twice over what is known.
#[test]
fn a_long_line_of_modes_is_read() {
    let line = |n: usize| match n {
        0 => "[mode.m0]\nabstract = true\n".to_string(),
        1 => "[mode.m1]\nextends = ['m0']\n".to_string(),
        n => format!("[mode.m{n}]\nextends = ['m{}', 'm{}']\n", n - 1, n - 2),
    };
    let modes: String = (0..2_000).map(line).collect();
    let folder = wild("modes", &format!("{WILD}[action.work]\neffect = 'pass'\n{ONE_TURN}{modes}"));
    let library = Library::open(&[folder.path()]).expect("the library is there");
    let ask = |mode: &str| {
        let request = LinkRequest { pack: "wild".into(), modes: vec![mode.into()], ..LinkRequest::default() };
        library.load(&request).map(|game_box| game_box.rules().modes.clone())
    };
    assert_eq!(ask("m1999").expect("it links"), ["m1999"]);
    assert_eq!(ask("m0").expect_err("it is abstract")[0].code, rulepack_model::Code::AbstractMode);
}

#[test]
fn a_piece_can_hold_more_kinds_of_things_than_a_byte_counts() {
    let names: Vec<String> = (0..300).map(|n| format!("r{n}")).collect();
    let resources: String = names.iter().map(|name| format!("[resource.{name}]\n")).collect();
    let pack = format!(
        "{WILD}{resources}[zone.bag]\n[kind.chest]\nstarts_in = 'bag'\nholds = {names:?}\n[chest.oak]\n[chest.elm]\n\
         [action.work]\neffect = 'for each chest in bag {{ put 1 r0 on chest; put 2 r254 on chest; put 3 r255 on chest; put 4 r299 on chest }}'\n\
         [score.a]\npoints = 'sum(bag, it.r0 + 10 * it.r254 + 100 * it.r255 + 1000 * it.r299)'\n{ONE_TURN}"
    );
    let folder = wild("holds", &pack);
    let library = Library::open(&[folder.path()]).expect("the library is there");
    let game_box = library.load(&LinkRequest { pack: "wild".into(), ..LinkRequest::default() }).expect("it links");
    let host = game_box.host().expect("there are no scripts");
    let mut game = game_box.start(&host, 1).expect("it starts");
    game.answer(&host, rulepack::Answer(0)).expect("the work is done");
    game.answer(&host, rulepack::Answer(0)).expect("the work is done again");
    // Two chests, filled twice.
    assert_eq!(game.state().outcome().expect("it is over").sheets[0].total, 4 * 4_321);
}
