//! Bots: what they cannot see changes nothing, chance and threads change nothing, and they play better than chance.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rulepack::{
    ArenaRequest, Bot, BotKind, Effort, Game, GameBox, Library, LinkRequest, RandomBot, ScriptHost, Session, Situation,
    Thought, arena,
};
use rulepack_kernel::{Recent, TableSampler};
use rulepack_model::Seat;

use crate::support::{Scratch, fixture, linked, rulepack, rulepack_told};

fn shipped(pack: &str, players: u8) -> GameBox {
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), players: Some(players), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"))
}

fn of(folder: &str, pack: &str) -> GameBox {
    let library = Library::open(&[fixture(folder)]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), players: Some(2), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"))
}

fn thought(bot: &mut dyn Bot, game: &Game, game_box: &GameBox, threads: usize) -> Thought {
    let situation = Situation::of(game, game_box, threads).expect("the game is not over");
    bot.choose(&situation).expect("the scripts are right")
}

/// The tables of every so many questions of a game by chance.
fn every(game_box: &GameBox, host: &ScriptHost, step: usize, mut each: impl FnMut(&Game)) {
    let mut game = game_box.start(host, 5).expect("the pack is right");
    let mut chance = RandomBot::new(5);
    let mut count = 0;
    while let Some(decision) = game.decision() {
        if decision.options.len() > 1 {
            count += 1;
            if count % step == 0 {
                each(&game);
            }
        }
        let decision = game.decision().expect("it was asked");
        let answer = chance.choose(game.rules(), decision);
        game.answer(host, answer).expect("the pack is right");
    }
}

/// Two games that differ only in what a player cannot see.
fn twins(game: &Game, host: &ScriptHost, seed: u64) -> Option<Game> {
    let seat = game.decision()?.seat;
    let recent = Recent::new(game, host).expect("the scripts are right");
    let (other, exchange) = recent.resampled(game, host, seat, seed, &[]);
    (!exchange.is_empty()).then_some(other)
}

#[test]
fn tables_are_drawn_from_what_the_player_sees() {
    for (pack, players, step) in [("catan-duel-princes", 2, 31), ("colons-de-catane", 2, 31), ("skara-brae", 3, 7)] {
        let game_box = shipped(pack, players);
        let host = game_box.host().expect("the scripts are right");
        let (mut compared, mut different) = (0, 0);
        every(&game_box, &host, step, |game| {
            let seat = game.decision().expect("it is asked").seat;
            let Some(other) = twins(game, &host, 3) else { return };
            let tables = |game| TableSampler::new(game, &host, seat).expect("the scripts are right");
            let (ours, theirs) = (tables(game), tables(&other));
            for seed in 0..3 {
                let hash = |table: Option<Game>| table.map(|table| table.hash());
                let table = hash(ours.draw(&host, seed));
                assert_eq!(table, hash(theirs.draw(&host, seed)), "{pack}: {:?}", game.decision());
                assert!(table.is_some(), "{pack}: no table agrees: {:?}", game.decision());
                compared += 1;
                different += usize::from(table != Some(game.hash()));
            }
        });
        assert!(compared > 10 && different > compared / 2, "{pack}: {compared} tables, {different} of them others");
    }
}

#[test]
fn what_a_bot_cannot_see_changes_nothing() {
    for (game_box, step) in [(shipped("catan-duel-princes", 2), 97), (shipped("colons-de-catane", 2), 97)] {
        let host = game_box.host().expect("the scripts are right");
        let mut compared = 0;
        every(&game_box, &host, step, |game| {
            let Some(other) = twins(game, &host, 9) else { return };
            for kind in [BotKind::Greedy, BotKind::Mcts(Effort::Games(6))] {
                let [ours, theirs] = [game, &other].map(|game| thought(&mut *kind.bot(1), game, &game_box, 1));
                assert_eq!(ours, theirs, "{kind}: {:?}", game.decision());
                compared += 1;
            }
        });
        assert!(compared >= 4, "{compared}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let game_box = of("tiny", "tiny");
    let play = |threads: usize| {
        let mut session = Session::start(&game_box, 4).expect("the pack is right");
        let mut bots = rulepack::Players::new(&vec![Some(BotKind::Mcts(Effort::Games(20))); 2], 4);
        let mut thoughts = Vec::new();
        while let Some(thought) = bots.choose(session.game(), &game_box, threads).expect("the scripts are right") {
            session.answer(thought.answer).expect("the pack is right");
            thoughts.push(thought);
        }
        assert!(session.outcome().is_some() && thoughts.iter().any(|thought| thought.simulated == 20));
        thoughts
    };
    assert_eq!(play(1), play(2));
    assert_eq!(play(1), play(3));
}

/// Three in a row now, or the other player has them next: a search of a few games finds it.
#[test]
fn a_search_takes_a_win_and_prevents_one() {
    let game_box = of("small", "connect-four");
    let host = game_box.host().expect("there are no scripts");
    let mut found = 0;
    every(&game_box, &host, 1, |game| {
        let decision = game.decision().expect("it is asked");
        let wins = |answer: u16| {
            let mut tried = game.clone();
            tried.answer(&host, rulepack::Answer(answer)).expect("it is listed");
            tried.state().outcome().is_some_and(|outcome| outcome.winners == [decision.seat])
        };
        let winning: Vec<u16> = (0..decision.options.len() as u16).filter(|answer| wins(*answer)).collect();
        if !winning.is_empty() {
            let thought = thought(&mut *BotKind::Mcts(Effort::Games(300)).bot(2), game, &game_box, 1);
            assert!(winning.contains(&thought.answer.0), "{winning:?}: {thought:?}");
            found += 1;
        }
    });
    assert!(found > 0);
}

/// What a position is worth to the seat that is asked, if both play as well as can be: 1, 0 or -1.
fn solved(game: &Game, host: &ScriptHost, known: &mut HashMap<u64, i32>) -> i32 {
    let Some(decision) = game.decision() else { panic!("the game is over") };
    let board = board(game);
    if let Some(worth) = known.get(&board) {
        return *worth;
    }
    let worth = (0..decision.options.len() as u16).map(|answer| after(game, host, answer, known)).max();
    let worth = worth.expect("there are options");
    known.insert(board, worth);
    worth
}

/// The marks on the board: whichever of the same sort lies where.
fn board(game: &Game) -> u64 {
    let pieces = (0..game.rules().pieces.len()).map(rulepack_model::PieceId::from);
    let placed = pieces.filter(|piece| game.state().piece(*piece).zone != game.rules().pieces[piece.index()].zone);
    placed.fold(0, |sum, piece| {
        let mut hasher = DefaultHasher::new();
        (game.state().piece(piece).at, game.rules().called(piece)).hash(&mut hasher);
        hasher.finish().wrapping_add(sum)
    })
}

/// What an answer is worth to the seat that gives it.
fn after(game: &Game, host: &ScriptHost, answer: u16, known: &mut HashMap<u64, i32>) -> i32 {
    let seat = game.decision().expect("it is asked").seat;
    let mut next = game.clone();
    next.answer_fast(host, rulepack::Answer(answer)).expect("it is listed");
    match (next.state().outcome(), next.decision()) {
        (Some(outcome), _) if outcome.winners == [seat] => 1,
        (Some(outcome), _) => -i32::from(!outcome.winners.contains(&seat)),
        (None, Some(decision)) if decision.seat == seat => solved(&next, host, known),
        (None, _) => -solved(&next, host, known),
    }
}

/// The perfect player takes any of its best answers by chance, so that the search is led everywhere.
#[test]
fn a_search_never_loses_tic_tac_toe_to_a_perfect_player() {
    let game_box = of("small", "tic-tac-toe");
    let host = game_box.host().expect("there are no scripts");
    let (mut known, mut asked) = (HashMap::new(), 0);
    for seed in 0..16_u64 {
        let ours = Seat((seed % 2) as u8);
        let (mut bot, mut chance) = (BotKind::Mcts(Effort::Games(2_000)).bot(seed), rulepack_kernel::Rng::new(seed));
        let mut game = game_box.start(&host, seed).expect("the pack is right");
        while let Some(decision) = game.decision() {
            let answer = if decision.seat == ours {
                asked += 1;
                thought(&mut *bot, &game, &game_box, 1).answer.0
            } else {
                let options = 0..decision.options.len() as u16;
                let best = solved(&game, &host, &mut known);
                let good: Vec<u16> =
                    options.filter(|answer| after(&game, &host, *answer, &mut known) == best).collect();
                good[chance.below(good.len() as u32) as usize]
            };
            game.answer(&host, rulepack::Answer(answer)).expect("it is listed");
        }
        let winners = &game.state().outcome().expect("it is over").winners;
        assert!(winners.contains(&ours), "seed {seed}: {winners:?}");
    }
    assert!(asked > 16 * 3 && known.len() > 300, "{asked}, {}", known.len());
}

#[test]
fn bots_that_look_ahead_beat_chance() {
    let game_box = of("small", "tic-tac-toe");
    let bots = vec![BotKind::Random, BotKind::Mcts(Effort::Games(60))];
    let report = arena(&game_box, &ArenaRequest { bots, games: 20, seed: 1, threads: 2 }, || true);
    assert_eq!((report.bots[0].bot.as_str(), report.unfinished), ("mcts:60", 0));
    assert!(report.bots[0].wins >= 17.0, "{report:?}");
    assert!(report.pairs[0].share_interval.1 < 0.5 && report.bots[0].elo_interval.0 > 0.0, "{report:?}");
}

#[test]
fn the_same_seed_gives_the_same_game_and_other_bots_another_one() {
    let folder = Scratch::copy_of("tiny", "bots");
    let game = |bots: &str| {
        let run = rulepack(folder.path(), &["play", "tiny", "--players", "2", "--seed", "3", "--bots", bots]);
        assert_eq!(run.code, 0, "{}", run.shown());
        run.stdout
    };
    assert_eq!(game("mcts:20"), game("mcts:20,mcts:20"));
    assert_ne!(game("mcts:20"), game("random"));
}

#[test]
fn a_person_is_told_what_a_bot_would_answer() {
    let folder = Scratch::copy_of("tiny", "bots-hint");
    let call = ["play", "tiny", "--players", "2", "--seed", "3", "--bots", "2=random"];
    let run = rulepack_told(folder.path(), &call, "hint\nq\n");
    assert_eq!(run.code, 0, "{}", run.shown());
    let games = |line: &str| line.split_once(" points on average (")?.1.strip_suffix(" games)")?.parse::<u32>().ok();
    let advice: Vec<u32> = run.stdout.lines().filter_map(games).collect();
    assert!((1..=3).contains(&advice.len()) && advice[0] > 0, "{}", run.shown());
}

#[test]
fn a_bot_tells_what_it_thinks() {
    let folder = Scratch::copy_of("tiny", "bots-think");
    let call = ["play", "tiny", "--players", "2", "--seed", "3", "--bots", "mcts:10,random", "--think"];
    let run = rulepack(folder.path(), &call);
    assert!(run.stdout.contains("Player 1 thinks of the answers:\n  "), "{}", run.shown());
    assert!(!run.stdout.contains("Player 2 thinks"), "{}", run.shown());
}

#[test]
fn wrong_bots_are_refused_before_anything_is_played() {
    let folder = Scratch::copy_of("tiny", "bots-wrong");
    for (call, told) in [
        (&["play", "tiny", "--bots", "mtcs"][..], "did you mean `mcts`?"),
        (&["play", "tiny", "--players", "2", "--bots", "3"], "there is no seat `3`: there are seats from 1 to 2"),
        (&["sim", "tiny", "--bots", "mcts:0"], "`mcts:0`: write how many games"),
        (&["sim", "tiny", "--bots", "none"], "here a bot plays every seat"),
        (&["arena", "tiny", "--bots", "mcts"], "two bots or more"),
        (&["arena", "tiny", "--bots", "mcts,gredy"], "did you mean `greedy`?"),
    ] {
        let run = rulepack(folder.path(), call);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{call:?}: {}", run.shown());
        assert!(run.stderr.contains(told), "{call:?}: {}", run.shown());
    }
}

#[test]
fn statistics_are_written_as_tables_and_do_not_depend_on_threads() {
    let folder = Scratch::copy_of("tiny", "bots-statistics");
    let sim = |threads: &str| {
        let call = ["sim", "tiny", "--players", "2", "--games", "30", "--csv", "out", "--format", "json", "--threads"];
        let run = rulepack(folder.path(), &[&call[..], &[threads]].concat());
        assert_eq!(run.code, 0, "{}", run.shown());
        let mut report = run.json();
        (report["statistics"].take(), folder.read("out/answers.csv"))
    };
    let (one, several) = (sim("1"), sim("3"));
    assert_eq!(one, several);
    let (statistics, answers) = one;
    assert_eq!(statistics["games"], 30);
    let wins = |seat: usize| statistics["seats"][seat]["wins"].as_f64().expect("a number");
    assert!((wins(0) + wins(1) - 30.0).abs() < 1e-9, "{statistics:#}");
    assert!(answers.lines().any(|line| line.starts_with("open,stall.inn,")), "{answers}");
    let games = folder.read("out/games.csv");
    assert_eq!(games.lines().count(), 31);
    assert!(games.starts_with("game,seed,end,turns,answers,questions,points_1,won_1,points_2,won_2\n"), "{games}");
}

#[test]
fn a_stall_that_is_worth_far_too_much_is_told() {
    let folder = Scratch::copy_of("tiny", "bots-balance");
    let call = ["balance", "tiny", "--players", "2", "--bots", "random", "--games", "60", "--format", "json"];
    let run = rulepack(folder.path(), &[&call[..], &["--vary", "stall.inn.score=50"]].concat());
    assert_eq!(run.code, 0, "{}", run.shown());
    let differences = run.json()[0]["differences"].clone();
    let points =
        differences.as_array().expect("a list").iter().find(|one| one["name"] == "points").expect("it is told");
    assert_eq!(points["verdict"], "differs", "{differences:#}");
    let failed =
        rulepack(folder.path(), &[&call[..], &["--vary", "stall.inn.score=50", "--fail-if", "points > 1"]].concat());
    assert_eq!(failed.code, 1, "{}", failed.shown());
    // The same value in the order of the file: nothing differs.
    let run = rulepack(folder.path(), &[&call[..], &["--vary", "stall.inn.score=1"]].concat());
    let differences = run.json()[0]["differences"].clone();
    let verdicts = differences.as_array().expect("a list").iter().map(|one| one["verdict"].clone());
    assert!(verdicts.into_iter().all(|verdict| verdict == "no-difference"), "{differences:#}");
}

#[test]
fn a_wrong_call_of_balance_names_what_is_there() {
    let folder = Scratch::copy_of("tiny", "bots-balance-wrong");
    for (arguments, code, told) in [
        (&["--vary", "stall.in.cost=1 coin"][..], 2, "there is no `stall.in`; did you mean `inn`?"),
        (&["--vary", "stall.inn.cots=1 coin"], 2, "`stall.inn` has no `cots`; did you mean `cost`?"),
        (&["--vary", "stall.inn.cost=1 coinn"], 1, "help: write `coin`"),
        (&["--fail-if", "seat_advantag > 8%"], 2, "did you mean `seat_advantage`?"),
        (&["--fail-if", "turns > many"], 2, "`many` is not a number"),
        (&["--against", "nowhere"], 2, "is neither a folder nor a revision of git"),
    ] {
        let call = [&["balance", "tiny", "--bots", "random"][..], arguments].concat();
        let run = rulepack(folder.path(), &call);
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{call:?}: {}", run.shown());
        assert!(run.stderr.contains(told), "{call:?}: {}", run.shown());
    }
}

/// Each question of this game is much work: whether 900 can be chosen is tried on a copy of the table for each of them.
const LABORIOUS: &str = r#"
[pack]
id      = "game"
version = "1.0.0"
title   = "Much work"
kind    = "game"
players = { min = 2, max = 2 }
[kind.card]
starts_in = "yard"
[card.inn]
count = 40
[card.quay]
count = 40
[zone.yard]
[resource.coin]
[phase.game]
turns = { turn = "turn", until = "each_once" }
[phase.turn]
actions = ["walk", "wait"]
[action.walk]
effect = "choose 900..900 card in yard where my.coin < 2000 as one { gain 1 coin; choose x in yard where it is quay }; end turn"
[action.wait]
effect = "end turn"
[prompt.one]
"#;

/// The work of a bot is counted: it stops at the same game whatever the threads, and no shipped game is cut short.
#[test]
fn a_bot_answers_with_what_it_knows_when_its_work_is_used_up() {
    let game_box = linked("bots-laborious", LABORIOUS, None).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let host = game_box.host().expect("there are no scripts");
    let game = game_box.start(&host, 1).expect("it begins");
    let many = BotKind::Mcts(Effort::Games(40));
    let alone = thought(&mut *many.bot(7), &game, &game_box, 1);
    assert!((2..40).contains(&alone.simulated), "{} games were simulated", alone.simulated);
    assert_eq!(thought(&mut *many.bot(7), &game, &game_box, 4), alone);
    let greedy = |threads| thought(&mut *BotKind::Greedy.bot(7), &game, &game_box, threads);
    assert!(greedy(1).simulated < 12 && greedy(1) == greedy(4), "{:?}", greedy(1));
    for game_box in [shipped("reversi", 2), shipped("settlement", 2)] {
        let host = game_box.host().expect("the scripts are right");
        let mut game = game_box.start(&host, 1).expect("it begins");
        while game.decision().is_some_and(|decision| decision.options.len() == 1) {
            game.answer(&host, rulepack::Answer(0)).expect("it is listed");
        }
        assert_eq!(thought(&mut *many.bot(7), &game, &game_box, 1).simulated, 40);
    }
}

/// The page needs nothing else, and every game that it names can be played again.
#[test]
fn a_page_stands_alone_and_its_games_are_there() {
    let folder = Scratch::copy_of("tiny", "bots-page");
    let call = ["balance", "tiny", "--players", "2", "--bots", "random", "--games", "80", "--html", "page.html"];
    let run = rulepack(folder.path(), &call);
    assert_eq!(run.code, 0, "{}", run.shown());
    let page = folder.read("page.html");
    for part in
        ["Who wins", "In the course of a game", "Turns of a game", "What goes with winning", "Dominant and dead"]
    {
        assert!(page.contains(part), "{part}");
    }
    for outside in ["<script", "<link", "<img", "src=", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let links: Vec<&str> =
        page.split("http").skip(1).filter(|rest| !rest.starts_with("://www.w3.org/2000/svg")).collect();
    assert!(links.iter().all(|rest| rest.starts_with("-equiv")), "{links:?}");
    let calls: Vec<&str> = page.split("<code>").skip(1).filter_map(|rest| rest.split("</code>").next()).collect();
    let plays: Vec<&&str> = calls.iter().filter(|call| call.starts_with("rulepack play ")).collect();
    assert!(plays.len() >= 2, "{calls:?}");
    for call in plays {
        let words: Vec<&str> = call.split(' ').skip(1).collect();
        let run = rulepack(folder.path(), &words);
        assert_eq!(run.code, 0, "{call}: {}", run.shown());
    }
    // The call that it names for itself writes it again.
    let again: Vec<&str> = calls.last().expect("there is one").split(' ').skip(1).collect();
    assert_eq!(rulepack(folder.path(), &again).code, 0, "{again:?}");
    assert_eq!(folder.read("page.html"), page);
}

#[test]
fn a_page_about_a_change_tells_what_differs_and_no_foreign_file_is_lost() {
    let folder = Scratch::copy_of("tiny", "bots-page-change");
    let call = [
        "balance",
        "tiny",
        "--players",
        "2",
        "--bots",
        "random",
        "--vary",
        "stall.inn.score=50",
        "--html",
        "page.html",
    ];
    folder.write("page.html", b"letters to my aunt");
    let refused = rulepack(folder.path(), &call);
    assert_eq!((refused.code, folder.read("page.html").as_str()), (2, "letters to my aunt"), "{}", refused.shown());
    let run = rulepack(folder.path(), &[&call[..], &["--force"]].concat());
    assert_eq!(run.code, 0, "{}", run.shown());
    let page = folder.read("page.html");
    assert!(
        page.contains("stall.inn.score = &quot;50&quot;") && page.contains("points, mean of the seats differ"),
        "{page}"
    );
}
