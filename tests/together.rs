//! Players who choose at the same time: the order in which they answer leaves no trace, and nobody is told anything before
//! all have chosen.

use std::path::Path;

use rulepack::{
    Answer, Game, GameBox, GameLog, Library, LinkRequest, Refused, Seat, Session, SimRequest, StableHasher, Table,
    Viewer, simulate,
};

use crate::support::{Scratch, fixture, game_of, rulepack};

fn parlour(players: u8) -> GameBox {
    let library = Library::open(&[fixture("together")]).expect("the fixture is there");
    let request = LinkRequest { pack: "parlour".into(), players: Some(players), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"))
}

/// What a player answers to a question: it depends on the player and on how many the player has answered, not on others.
fn wish(seat: Seat, count: usize, options: usize) -> Answer {
    let mut hasher = StableHasher::new();
    std::hash::Hash::hash(&(seat.index(), count), &mut hasher);
    Answer((std::hash::Hasher::finish(&hasher) % options as u64) as u16)
}

/// Answers as the player whom `next` takes from those who are asked, until nobody is asked or so many answers were given.
fn play(session: &mut Session, most: usize, mut next: impl FnMut(&[Seat]) -> Seat) {
    let mut counts = [0; 4];
    for _ in 0..most {
        let asked = session.asked().expect("the pack does not fail");
        if asked.is_empty() {
            return;
        }
        let seat = next(&asked);
        let options = session.decision_of(seat).expect("no fault").expect("the seat is asked").options.len();
        session.answer_as(seat, wish(seat, counts[seat.index()], options)).expect("it is listed");
        counts[seat.index()] += 1;
    }
}

fn traces(session: &Session) -> (String, String, String) {
    (session.game().hash_text(), session.save(), session.log().to_text())
}

#[test]
fn the_order_of_answers_leaves_no_trace() {
    for players in 2..=4 {
        let game_box = parlour(players);
        let mut plain = Session::start(&game_box, 5).expect("it begins");
        play(&mut plain, 1_000, |asked| asked[0]);
        assert!(plain.outcome().is_some());
        for order in 0..6_usize {
            let mut other = Session::start(&game_box, 5).expect("it begins");
            let mut count = order;
            play(&mut other, 1_000, |asked| {
                count = (count * 7 + order + 1) % 1_000;
                asked[if order == 0 { asked.len() - 1 } else { count % asked.len() }]
            });
            assert_eq!(traces(&other), traces(&plain), "{players} players, order {order}");
        }
    }
}

#[test]
fn in_the_middle_the_same_answers_are_the_same_game() {
    let game_box = parlour(3);
    let orders: [&[u8]; 4] = [&[0, 0, 1, 2, 2, 2], &[2, 1, 2, 0, 2, 0], &[2, 2, 2, 1, 0, 0], &[0, 1, 2, 0, 2, 2]];
    let mut all = Vec::new();
    for order in orders {
        let mut session = Session::start(&game_box, 9).expect("it begins");
        let mut seats = order.iter();
        play(&mut session, order.len(), |_| Seat(*seats.next().expect("as many as there are answers")));
        assert_eq!(session.told(), 0, "nobody is told");
        assert_eq!(session.asked().expect("no fault"), [Seat(0), Seat(1)], "the last has chosen all three");
        all.push(session);
    }
    for session in &all {
        assert_eq!(traces(session), traces(&all[0]));
        // From a file it goes on as it would have.
        for mut again in [
            Session::load(&game_box, &session.save()).expect("it was saved"),
            Session::from_log(&game_box, &GameLog::from_text(&session.log().to_text()).expect("a log"))
                .expect("it goes on"),
        ] {
            assert_eq!(traces(&again), traces(session));
            let mut on = session.fork();
            for session in [&mut again, &mut on] {
                play(session, 40, |asked| asked[0]);
            }
            assert_eq!(traces(&again), traces(&on));
        }
    }
}

#[test]
fn each_takes_back_only_what_it_has_chosen_itself() {
    let game_box = parlour(3);
    let mut session = Session::start(&game_box, 2).expect("it begins");
    play(&mut session, 3, |asked| asked[0]);
    let first = traces(&session);
    let second = session.decision_of(Seat(1)).expect("no fault").expect("it is asked").into_owned();
    session.answer_as(Seat(2), Answer(1)).expect("all are asked");
    session.answer_as(Seat(1), Answer(0)).expect("all are asked");
    // The first has finished, and takes back the last of three cards; the others have not noticed.
    assert!(session.take_back(Seat(0)).expect("no fault"));
    assert_eq!(session.asked().expect("no fault"), [Seat(0), Seat(1), Seat(2)]);
    assert!(session.take_back(Seat(2)).expect("no fault"));
    assert!(!session.take_back(Seat(2)).expect("no fault"), "there is nothing left");
    let options = session.decision_of(Seat(0)).expect("no fault").expect("it is asked").options.len();
    session.answer_as(Seat(0), wish(Seat(0), 2, options)).expect("it is asked again");
    assert!(session.take_back(Seat(1)).expect("no fault"));
    assert_eq!(traces(&session), first);
    assert_eq!(*session.decision_of(Seat(1)).expect("no fault").expect("it is asked"), second);
    // What all were told is not taken back like this.
    play(&mut session, 6, |asked| asked[0]);
    assert!(session.told() > 0 && !session.take_back(Seat(0)).expect("no fault"));
    session.undo(session.depth()).expect("no fault");
    assert_eq!(session.asked().expect("no fault").len(), 3);
}

#[test]
fn nobody_is_told_before_all_have_chosen() {
    let mut table = Table::open(&parlour(3), 3, "en").expect("it begins");
    let everybody = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Seat(Seat(2)), Viewer::Public, Viewer::All];
    let sees = |table: &Table, viewer: Viewer| {
        let mut view = table.view(viewer).expect("it plays");
        view.asked.retain(|one| viewer == Viewer::Public || one.player != Seat(2));
        serde_json::to_string(&view).expect("plain data")
    };
    let before: Vec<String> = everybody.iter().map(|viewer| sees(&table, *viewer)).collect();
    for (index, revision) in [(4, 1), (0, 2)] {
        table.answer_as(Seat(2), revision, index).expect("all are asked");
        for (viewer, before) in everybody.iter().zip(&before).filter(|(viewer, _)| **viewer != Viewer::All) {
            assert_eq!(sees(&table, *viewer), *before, "{viewer:?}");
            assert_eq!(table.log(*viewer, 0).expect("it plays").count(), 0);
        }
    }
    // Others are told the first question to the player, whichever is the present one.
    let asked = table.asked(Viewer::Seat(Seat(0))).expect("it plays");
    assert_eq!(asked.iter().map(|one| one.revision).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!(table.asked(Viewer::Seat(Seat(2))).expect("it plays")[2].revision, 3);
    for (seat, revision) in [(0, 1), (2, 3), (1, 1), (1, 2), (0, 2), (1, 3)] {
        table.answer_as(Seat(seat), revision, 0).expect("all are asked");
        assert_eq!(table.answers(), 0);
    }
    table.answer_as(Seat(0), 3, 0).expect("it is the last");
    assert_eq!(table.answers(), 9);
    let players: Vec<Seat> = table.log(Viewer::Public, 0).expect("it plays").map(|entry| entry.player).collect();
    assert_eq!(players[2..4], [Seat(0), Seat(1)]);
    assert_eq!(table.asked(Viewer::Public).expect("it plays").len(), 3, "all bid at the same time");
}

#[test]
fn what_is_not_asked_is_refused_and_nothing_is_lost() {
    let mut table = Table::open(&parlour(2), 1, "en").expect("it begins");
    for revision in 1..=3 {
        table.answer_as(Seat(1), revision, 0).expect("it is asked");
    }
    let saved = table.save();
    let refused = |table: &mut Table, seat, revision, index| {
        table.answer_as(Seat(seat), revision, index).expect_err("it is not asked").to_string()
    };
    assert_eq!(refused(&mut table, 1, 4, 0), "player_2 is not asked anything; player_1 is");
    assert_eq!(refused(&mut table, 1, 3, 0), "player_2 is not asked anything; player_1 is");
    assert_eq!(refused(&mut table, 2, 1, 0), "there is no player 3: there are 2");
    assert_eq!(refused(&mut table, 0, 2, 0), "the answer is to question 2 of this player, who is asked question 1");
    assert_eq!(refused(&mut table, 0, 1, 5), "there is no option 5: they are numbered from 0 to 4");
    assert!(matches!(table.undo(1, true), Err(Refused::TooFewAnswers { .. })));
    assert_eq!(table.save(), saved);
    for revision in 1..=3 {
        table.answer_as(Seat(0), revision, 0).expect("it is asked");
    }
    let closed = table.save();
    assert_eq!(refused(&mut table, 1, 3, 0), "the answer is to question 3 of this player, who is asked question 4");
    assert!(matches!(table.take_back(Seat(1)), Err(Refused::NothingToTakeBack { .. })));
    assert_eq!(table.save(), closed);
    let mut session = Session::start(&parlour(2), 1).expect("it begins");
    assert!(session.answer_as(Seat(1), Answer(9)).is_err() && session.answer_as(Seat(7), Answer(0)).is_err());
    assert_eq!(session.save(), Session::start(&parlour(2), 1).expect("it begins").save());
}

#[test]
fn a_bot_does_not_know_what_others_have_chosen() {
    let game_box = parlour(2);
    let host = game_box.host().expect("the scripts can be loaded");
    let mut session = Session::start(&game_box, 4).expect("it begins");
    play(&mut session, 3, |asked| asked[0]);
    let game = session.game();
    let decision = game.decision().expect("the second is asked");
    assert_eq!(decision.seat, Seat(1));
    let mut chosen = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let mut other = game.choices_redrawn(&host, Seat(1), seed).expect("no fault");
        assert_eq!(other.decision(), Some(decision));
        for _ in 0..3 {
            other.answer(&host, Answer(0)).expect("it is listed");
        }
        chosen.insert(other.hash());
        let own = game.choices_redrawn(&host, Seat(0), seed).expect("no fault");
        assert_eq!(own.hash(), game.hash(), "who has chosen knows it");
    }
    assert!(chosen.len() > 5, "the cards of the first are drawn anew");
}

#[test]
fn games_hide_the_choices_and_go_the_plain_way() {
    for players in 2..=4 {
        let game_box = parlour(players);
        let request = SimRequest { games: 6, seed: 1, views: true, invariants: true, ..SimRequest::default() };
        let report = simulate(&game_box, &request, |_| true);
        assert_eq!((report.finished, report.failed), (6, 0), "{:?}", report.failures);
    }
}

/// Each player may answer an event in turn order, which begins after the player who caused it; who has declined is not asked
/// again.
#[test]
fn several_players_answer_an_event_in_turn_order() {
    let text = "
[pack]
id      = 'game'
version = '1.0.0'
title   = 'Storms'
players = { min = 4, max = 4 }
[resource.coin]
[kind.card]
starts_in = 'deck'
[card.guard]
count = 12
reacts.storm = 'move self to used; gain 1 coin'
[card.wall]
count = 4
reacts.storm = 'move self to used; cancel'
[zone.deck]
[zone.used]
[zone.hand]
owner  = 'player'
reacts = true
[event.storm]
window = 'others where it.coin < 2'
effect = 'gain 5 coin for players_turn'
[var.players_turn]
type = 'player'
[phase.game]
sequence = ['set_up', 'turn']
[phase.set_up]
effect = '''
for each p in players { as p {
  for each card in deck { if card is guard and count(my hand) < 3 { move card to my hand } };
  for each card in deck { if card is wall and count(my hand) < 4 { move card to my hand } }
} };
set players_turn = first(players where it != first(players))
'''
[phase.turn]
turns = { turn = 'storming', first = 'players_turn', until = 'each_once' }
[phase.storming]
actions = ['blow']
once    = true
[action.blow]
effect = 'raise storm'
";
    let game_box = game_of("storms", text);
    let host = game_box.host().expect("there are no scripts");
    let mut game = game_box.start(&host, 1).expect("it begins");
    let mut asked = Vec::new();
    let mut answer = |game: &mut Game, name: &str| {
        let decision = game.decision().expect("somebody is asked").clone();
        let names = game.option_names(&decision);
        let index = names.iter().position(|option| option == name).unwrap_or_else(|| panic!("{name}: {names:?}"));
        asked.push(format!("{} {name}", decision.seat.index() + 1));
        game.answer(&host, Answer(index as u16)).expect("it is listed");
    };
    for name in ["blow", "continue", "guard", "guard", "continue", "blow"] {
        answer(&mut game, name);
    }
    // The second has caused it: the third declines, the fourth answers until it has two coins, the first declines.
    assert_eq!(asked, ["2 blow", "3 continue", "4 guard", "4 guard", "1 continue", "3 blow"]);
}

/// What the pages show is in the fixture, word by word.
#[test]
fn the_pages_show_what_is_played() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("it is there");
    let played =
        words(&(read("tests/fixtures/together/content/parlour/pack.toml") + &read("content/goofspiel/game/flow.toml")));
    for path in ["docs/expressions.md", "docs/packs.md"] {
        let page = read(path);
        let shown: Vec<&str> =
            page.split("together ").skip(1).filter_map(|rest| rest.split(['`', '"']).next()).collect();
        let shown: Vec<&str> =
            shown.into_iter().filter(|text| text.contains("choose ") && !text.contains('…')).collect();
        assert!(!shown.is_empty(), "{path}");
        for text in shown {
            assert!(played.contains(&words(text)), "{path} shows what is not played: {text}");
        }
    }
}

/// The game has no menu of actions, so that its scenarios begin at its first question: the message once said `nothing`.
#[test]
fn a_scenario_of_a_game_without_actions_says_where_to_begin() {
    let folder = Scratch::new("first_question");
    for (from, said) in [
        ("phase:bidding", "the phase `bidding` has no `actions`"),
        ("play", "the game is over before the place where the scenario begins: nobody chooses an action in it"),
    ] {
        let text = format!("pack = \"parlour\"\ngiven.from = \"{from}\"\n[[when]]\nchoose = [\"one\"]\n");
        folder.write("bids.toml", text.as_bytes());
        let path = folder.path().join("bids.toml");
        let run = rulepack(&fixture("together"), &["test", &path.to_string_lossy()]);
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(run.stdout.contains(said), "{}", run.shown());
        assert!(run.stdout.contains("write `from = \"setup\"` to begin at its first question"), "{}", run.shown());
    }
}
