//! Games that change threads: each thread has a VM of its own, and a script that waits is begun again where the game goes on.

use rulepack::{Answer, GameBox, Library, LinkRequest, RandomBot, Session};

use crate::support::fixture;

fn fixture_game(pack: &str, players: u8) -> GameBox {
    let library = Library::open(&[fixture(pack)]).expect("the fixture is there");
    let request = LinkRequest { pack: pack.into(), players: Some(players), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("{pack}: {mistakes:?}"))
}

/// The answers of a game by chance, and the hash after each.
fn played(game_box: &GameBox, seed: u64) -> Vec<(Answer, u128)> {
    let mut session = Session::start(game_box, seed).expect("the game begins");
    let mut bot = RandomBot::new(seed);
    let mut played = Vec::new();
    while let Some(decision) = session.decision() {
        let answer = bot.choose(game_box.rules(), decision);
        session.answer(answer).expect("the answer is listed");
        played.push((answer, session.game().hash()));
    }
    played
}

/// Gives one answer in another thread.
fn answered_elsewhere(mut session: Session, answer: Answer) -> Session {
    let elsewhere = std::thread::spawn(move || {
        session.answer(answer).expect("what is taken in one thread is taken in every other");
        session
    });
    elsewhere.join().expect("the thread ends well")
}

#[test]
fn a_game_goes_on_in_another_thread_also_inside_a_script() {
    let mut inside = 0;
    for (pack, players) in [("tiny", 2), ("nest", 2)] {
        let game_box = fixture_game(pack, players);
        for seed in 0..3 {
            let played = played(&game_box, seed);
            let mut session = Session::start(&game_box, seed).expect("the game begins");
            for (answer, hash) in &played {
                inside += usize::from(session.game().answers_in_script() > 0);
                session = answered_elsewhere(session, *answer);
                assert_eq!(session.game().hash(), *hash, "{pack} with seed {seed}");
            }
            session.undo(played.len() / 2).expect("the answers can be given again");
            let at = played.len() - played.len() / 2;
            assert_eq!(session.game().hash(), played[at - 1].1);
        }
    }
    assert!(inside > 10, "a script waited for more than its first answer {inside} times");
}

/// Two games begin in two threads and wait in scripts there; then each is answered where the other one waits.
#[test]
fn a_waiting_script_is_not_taken_for_that_of_another_game() {
    let game_box = fixture_game("nest", 2);
    let one = played(&game_box, 1);
    let two = played(&game_box, 2);
    let begin = |seed: u64, played: Vec<(Answer, u128)>, count: usize| {
        let game_box = game_box.clone();
        std::thread::spawn(move || {
            let mut session = Session::start(&game_box, seed).expect("the game begins");
            for (answer, _) in &played[..count] {
                session.answer(*answer).expect("the answer is listed");
            }
            session
        })
        .join()
        .expect("the thread ends well")
    };
    for count in 0..one.len().min(two.len()) {
        let (mut first, mut second) = (begin(1, one.clone(), count), begin(2, two.clone(), count));
        // In this thread both have begun no script yet: the numbers of their calls come from two other hosts.
        first.answer(one[count].0).expect("the answer is listed");
        second.answer(two[count].0).expect("the answer is listed");
        assert_eq!((first.game().hash(), second.game().hash()), (one[count].1, two[count].1), "after {count} answers");
    }
}

/// More rulesets than a thread keeps hosts for.
#[test]
fn many_games_in_one_thread_take_turns() {
    let boxes: Vec<GameBox> = (0..12).map(|_| fixture_game("nest", 2)).collect();
    let expected: Vec<_> = boxes.iter().map(|game_box| played(game_box, 5)).collect();
    let mut sessions: Vec<Session> = boxes.iter().map(|one| Session::start(one, 5).expect("the game begins")).collect();
    for at in 0..40 {
        for (session, expected) in sessions.iter_mut().zip(&expected) {
            let Some((answer, hash)) = expected.get(at) else { continue };
            session.answer(*answer).expect("the answer is listed");
            assert_eq!(session.game().hash(), *hash);
        }
    }
}

/// A fork shares what lies before, and nothing that happens in one shows in the other.
#[test]
fn forks_go_their_own_way_in_their_own_threads() {
    let game_box = fixture_game("nest", 2);
    let played = played(&game_box, 3);
    let mut session = Session::start(&game_box, 3).expect("the game begins");
    let half = played.len() / 2;
    for (answer, _) in &played[..half] {
        session.answer(*answer).expect("the answer is listed");
    }
    let (log, hash) = (session.log().to_text(), session.game().hash());
    let forks: Vec<_> = (0..4)
        .map(|n| {
            let mut fork = session.fork();
            let rest = played[half..].to_vec();
            std::thread::spawn(move || {
                for (answer, _) in rest.iter().take(rest.len() - n) {
                    fork.answer(*answer).expect("the answer is listed");
                }
                fork.undo(n).expect("the answers can be given again");
                (fork.depth(), fork.game().hash(), fork.log().answers.len())
            })
        })
        .collect();
    for (n, fork) in forks.into_iter().enumerate() {
        let depth = played.len() - 2 * n;
        assert_eq!(fork.join().expect("the thread ends well"), (depth, played[depth - 1].1, depth));
    }
    assert_eq!((session.log().to_text(), session.game().hash()), (log, hash), "the first one has not moved");
}
