//! Screens of a small game in windows of three sizes. None may be wider or higher than its window.

use std::path::Path;

use rulepack_kernel::{Answer, Ruleset, View, Viewer, Words, seat_key};
use rulepack_pack::LinkRequest;
use rulepack_tools::{Library, Session};

use super::board::{Board, Known};
use super::keys::Keys;
use super::model::{Choice, Content, Cover, Place, curtain};
use super::text::{Line, Look};

/// A table as a player sees it.
fn board<'b>(
    seen: &'b (View, String),
    before: Option<&'b Known>,
    words: &'b Words<'b>,
    rules: &'b Ruleset,
) -> Board<'b> {
    Board { view: &seen.0, words, rules, own: Some(&seen.1), before, all: false, search: "", width: 0 }
}

/// The screens of a pack after some first answers, in windows of these sizes.
fn screens(folder: &str, pack: &str, answers: &[u16], sizes: &[(usize, usize)], cover: &Cover) -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let library = Library::open(&[folder]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), players: Some(2), ..LinkRequest::default() };
    let game_box = library.load(&request).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let mut session = Session::start(&game_box, 7).expect("the game starts");
    let words = Words::new(game_box.rules(), "");
    let host = session.host().expect("the scripts run");
    let seen = |session: &Session| {
        let seat = session.decision().expect("somebody is asked").seat;
        (View::new(session.game(), &*host, Viewer::Seat(seat), &words), seat_key(seat))
    };
    let mut before: Option<Known> = None;
    for answer in answers {
        before = Some(board(&seen(&session), None, &words, game_box.rules()).known());
        session.answer(Answer(*answer)).expect("it is offered");
    }
    let now = seen(&session);
    let decision = session.decision().expect("somebody is asked");
    let texts = words.options(session.game().state(), decision);
    let names: Vec<(String, String)> = texts.iter().map(|text| (text.clone(), text.clone())).collect();
    let choices = Keys::default().of(&names).into_iter().zip(&texts);
    let eval = session.game().eval(&*host);
    let choices = choices.zip(&decision.options).map(|((key, text), option)| Choice {
        key,
        text: text.clone(),
        remark: words.remark(&eval, decision, *option),
    });
    let log = ["Player 1: Pass".to_string(), "Player 2: Work".to_string()];
    let content = Content {
        head: pack.to_string(),
        board: board(&now, before.as_ref(), &words, game_box.rules()),
        question: words.headed(&words.seat(decision.seat), &words.question(decision)),
        choices: choices.collect(),
        log: &log,
        foot: "? help".into(),
    };
    let place = Place { scroll: 0, selected: 0, search: String::new(), cover: cover.clone() };
    let lines = |(columns, rows): &(usize, usize)| {
        let screen = content.screen(&place, *columns, *rows);
        assert_eq!(screen.lines.len(), *rows, "{pack} {columns}x{rows}");
        for line in &screen.lines {
            assert!(line.width() <= *columns, "{pack} {columns}x{rows}: {:?}", line.plain());
        }
        screen.lines.iter().map(|line| line.plain().trim_end().to_string()).collect()
    };
    sizes.iter().map(lines).collect()
}

const SIZES: [(usize, usize); 3] = [(80, 24), (120, 40), (60, 24)];

#[test]
fn a_small_game_fits_every_window() {
    let screens = screens("tests/fixtures/tiny", "tiny", &[0, 0, 0], &SIZES, &Cover::Nothing);
    let shown: Vec<String> =
        SIZES.iter().zip(&screens).map(|(size, lines)| format!("{size:?}\n{}", lines.join("\n"))).collect();
    insta::assert_snapshot!("tiny_screens", shown.join("\n\n"));
}

#[test]
fn every_shipped_game_fits_every_window() {
    let library = Library::open(&[Path::new(env!("CARGO_MANIFEST_DIR"))]).expect("the library is there");
    let games = library.list().into_iter().filter(|pack| {
        let is_for_two = pack.players.is_some_and(|(least, most)| (least..=most).contains(&2));
        pack.kind == "game" && is_for_two
    });
    for pack in games.map(|pack| pack.id) {
        let sizes = [(80, 24), (120, 40), (60, 20), (40, 16), (200, 60)];
        let screens = screens(".", &pack, &[0, 0], &sizes, &Cover::Nothing);
        for (size, lines) in sizes.iter().zip(&screens) {
            let text = lines.join("\n");
            assert!(text.contains('▸'), "{pack} {size:?}: no option is selected\n{text}");
        }
    }
}

#[test]
fn a_curtain_fits_its_window() {
    for (columns, rows) in SIZES {
        let lines = curtain("It is for Player 2 to choose. The others look away. Press Enter.", columns, rows);
        assert_eq!(lines.len(), rows);
        assert!(lines.iter().all(|line| line.width() <= columns));
        assert!(lines.iter().any(|line| line.plain().contains("Player 2")));
    }
}

#[test]
fn a_box_lies_over_the_table_and_its_lines_are_wrapped() {
    let told = Cover::Told(vec![Line::of(&"word ".repeat(40), Look::Plain), Line::of("\u{1b}[31mred", Look::Plain)]);
    let lines = screens("tests/fixtures/tiny", "tiny", &[0], &[(60, 20)], &told).concat();
    assert!(lines.iter().filter(|line| line.starts_with('│')).count() >= 5, "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains(r"\u{1b}[31mred")), "{lines:#?}");
}
