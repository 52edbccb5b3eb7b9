//! What is drawn: everything fits or is said not to fit, and pages hold what they should.

use crate::card::{Back, Backs, Card, Cost, Field, Paper, PrintError, Printed, Sheets, Size, Symbol, Theme};

fn colours_of(size: Size) -> Theme {
    let icon = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><path d=\"M4 1l3 6H1z\" fill=\"currentColor\"/></svg>";
    Theme {
        game: "The Inn".to_string(),
        icons: [("inn/sign.svg".to_string(), icon.to_string())].into(),
        size,
        ..Theme::default()
    }
}

fn coin() -> Symbol {
    Symbol { title: "coin".to_string(), letters: "C".to_string(), colour: "#c9962b".to_string(), icon: None }
}

fn card(title: &str, text: &str) -> Card {
    Card {
        id: "card/inn".to_string(),
        title: title.to_string(),
        kind: "Shop".to_string(),
        costs: vec![Cost { title: String::new(), parts: vec![(2, coin())], less: 0 }],
        fields: vec![
            Field { title: "beds".to_string(), value: "4".to_string(), symbol: None },
            Field { title: "warm".to_string(), value: String::new(), symbol: None },
        ],
        text: text.to_string(),
        colour: "#7a3b2e".to_string(),
        icon: Some("inn/sign.svg".to_string()),
        count: 2,
        back: Back {
            id: "back/card".to_string(),
            title: "Card".to_string(),
            colour: "#7a3b2e".to_string(),
            icon: None,
        },
    }
}

const A4: Sheets = Sheets { paper: Paper::A4, bleed: 20, backs: Backs::Behind };

#[track_caller]
fn drawn(cards: &[Card], sheets: Option<&Sheets>) -> Printed {
    super::print(&colours_of(Size::POKER), cards, sheets).expect("it is drawn")
}

fn said(printed: &Printed) -> Vec<&str> {
    printed.unfit.iter().map(|unfit| unfit.what.as_str()).collect()
}

#[test]
fn a_card_with_everything_fits() {
    let printed = drawn(&[card("Inn", "Gain 2 coins. You may discard a card to gain 1 more.")], None);
    assert_eq!(said(&printed), [""; 0]);
    let names: Vec<&str> = printed.pictures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["card/inn", "back/card"]);
}

#[test]
fn what_does_not_fit_is_said() {
    let long = "All players give one card to their left neighbour. ".repeat(40);
    assert_eq!(said(&drawn(&[card("Inn", &long)], None)), ["the text does not fit, even in the smallest letters"]);
    let title = "Unverhältnismäßigkeitsvermutungsausschuss der Stadtverwaltungsangelegenheiten";
    let printed = drawn(&[card(title, "")], None);
    assert!(said(&printed)[0].contains("does not fit"), "{:?}", printed.unfit);
    let printed = drawn(&[card("Inn", "一")], None);
    assert_eq!(said(&printed), ["the font has no letter for `一`"]);
}

#[test]
fn a_long_text_takes_the_room_of_the_emblem() {
    let words = "Each player who has more than three coins gives one of them to the player on the left. ";
    let printed = drawn(&[card("Inn", &words.repeat(6))], None);
    assert_eq!(said(&printed), [""; 0]);
}

#[test]
fn pages_hold_as_many_cards_as_fit() {
    let cards: Vec<Card> = (0..5).map(|_| card("Inn", "")).collect();
    // 5 types in 2 copies, 9 on a page of A4: two pages, each with its backs.
    let printed = drawn(&cards, Some(&A4));
    assert_eq!(printed.pages, 4);
    let pdf = printed.pdf.expect("pages were asked for");
    assert!(pdf.starts_with(b"%PDF-"));
    let letter = Sheets { paper: Paper::Letter, backs: Backs::None, ..A4 };
    assert_eq!(drawn(&cards, Some(&letter)).pages, 2);
    assert_eq!(drawn(&[], Some(&A4)).pages, 0);
}

#[test]
fn backs_lie_behind_their_fronts() {
    let grid = super::pages::Grid::new(&A4, (63.5, 88.9)).expect("it fits");
    assert_eq!((grid.columns, grid.rows), (3, 3));
    for index in 0..9 {
        let (front, back) = (grid.place(index, false), grid.place(index, true));
        // Turned on its long side, the left edge of the paper becomes the right one.
        assert!((210.0 - back.0 - 63.5 - front.0).abs() < 0.001, "{index}: {front:?} {back:?}");
        assert!((front.1 - back.1).abs() < 0.001);
    }
}

#[test]
fn a_card_larger_than_the_paper_is_refused() {
    let size = Size::read("200x200").expect("it is a size");
    let sheets = Sheets { bleed: 50, ..A4 };
    let refused = super::print(&colours_of(size), &[card("Inn", "")], Some(&sheets));
    assert!(matches!(refused, Err(PrintError::TooLarge)));
}

#[test]
fn sizes_are_read() {
    assert_eq!(Size::read("poker"), Some(Size::POKER));
    assert_eq!(Size::read("63x88.5"), Some(Size { width: 630, height: 885 }));
    for wrong in ["", "huge", "63", "x", "63x", "-1x88", "1e3x88", "63x88.55", "10x10", "900x900"] {
        assert_eq!(Size::read(wrong), None, "{wrong}");
    }
}
