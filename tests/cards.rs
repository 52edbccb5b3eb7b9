//! Cards in quantity: types from lists, copies by formula, kinds of two kinds, modified attributes, sorted hands, a deck that
//! renews itself, actions that go first; and what patches add. The cases are scenarios of the fixture.

use std::path::Path;

use rulepack::{Game, Library, LinkRequest, View, Viewer, Words};

use crate::support::{Scratch, fixture, rulepack};

/// The packs of the fixture.
const PACKS: [&str; 6] = ["parade", "parade-stars", "guild", "guild-ships", "guild-songs", "guild-feast"];

#[track_caller]
fn passes(arguments: &[&str]) -> String {
    let run = rulepack(&fixture("cards"), arguments);
    assert_eq!(run.code, 0, "rulepack {}\n{}", arguments.join(" "), run.shown());
    run.stdout
}

#[test]
fn the_packs_are_right_and_their_scenarios_pass() {
    for pack in PACKS {
        passes(&["check", pack, "--deny", "warnings"]);
        passes(&["test", pack]);
    }
}

#[test]
fn random_games_tell_nothing_hidden_and_keep_the_invariants() {
    for pack in PACKS {
        passes(&["sim", pack, "--games", "40", "--views", "--invariants"]);
    }
}

/// Every type of a list says where it comes from, and the list says which types it makes.
#[test]
fn explain_shows_the_list_and_its_types() {
    let own = passes(&["explain", "parade", "hearts_9"]);
    assert!(own.contains("\"Nine of hearts\"") && own.contains("made by") && own.contains("card.each"), "{own}");
    let suit = own.lines().find(|line| line.starts_with("suit")).expect("it has a suit");
    assert!(suit.contains("\"hearts\"") && suit.contains("parade/pack.toml:"), "{own}");
    let list = passes(&["explain", "parade-stars", "card.each"]);
    let makes = list.lines().find(|line| line.starts_with("makes")).expect("it makes types");
    assert!(makes.contains("acorns_7, ") && makes.contains("stars_10") && !makes.contains("acorns_6"), "{list}");
}

/// The titles of types are made in each language.
#[test]
fn titles_are_made_in_each_language() {
    let library = Library::open(&[fixture("cards")]).expect("the fixture is there");
    let game_box = library.load(&LinkRequest { pack: "parade".into(), ..LinkRequest::default() }).expect("it links");
    let title = |language: &str, name: &str| Words::new(game_box.rules(), language).title(&format!("card.{name}"));
    assert_eq!(title("en", "hearts_10"), "Ten of hearts");
    assert_eq!(title("de", "hearts_10"), "Herz-Zehn");
    assert_eq!(title("en", "leaves_10"), "The Fool");
    assert_eq!(title("de", "leaves_10"), "Der Narr");
}

/// A language that a pack promises needs the title of the list, once.
#[test]
fn a_list_without_translation_is_told_once() {
    let scratch = Scratch::copy_of("cards", "cards_untranslated");
    let path = "content/parade/locale/de.toml";
    let text = std::fs::read_to_string(scratch.path().join(path)).expect("it is there");
    scratch.write(path, text.replace("{suit}-{rank}", "").as_bytes());
    let run = rulepack(scratch.path(), &["check", "parade", "--deny", "warnings"]);
    assert_eq!(run.stdout.matches("missing-translation").count(), 1, "{}", run.shown());
    assert!(run.stdout.contains("`card.each` has no title in `de`"), "{}", run.shown());
}

/// The owner of a hand sees it sorted, also among the options; who came first stays a matter of the rules.
#[test]
fn a_hand_is_shown_sorted() {
    let library = Library::open(&[fixture("cards")]).expect("the fixture is there");
    let game_box = library.load(&LinkRequest { pack: "parade".into(), ..LinkRequest::default() }).expect("it links");
    let host = game_box.host().expect("there are no scripts");
    let (rules, mut unsorted) = (game_box.rules(), 0);
    let rank = |name: &str| rules.types.iter().position(|ty| ty.name == name).expect("it is a type");
    for seed in 0..20 {
        let game: Game = game_box.start(&host, seed).expect("the game starts");
        let decision = game.decision().expect("a card is to be played");
        let words = Words::new(rules, "en");
        let view = View::new(&game, &host, Viewer::Seat(decision.seat), &words);
        let owner = format!("player_{}", decision.seat.0 + 1);
        let is_hand = |zone: &&rulepack::ZoneView| zone.id == "hand" && zone.owner.as_deref() == Some(&*owner);
        let hand = view.zones.iter().find(is_hand).expect("everybody has a hand");
        let shown: Vec<usize> = hand.spaces[0].pieces.iter().map(|piece| rank(&piece.name)).collect();
        assert!(shown.len() == 3 && shown.is_sorted(), "seed {seed}: {shown:?}");
        let offered = decision.options.iter().filter_map(|option| option.piece());
        let offered: Vec<usize> = offered.map(|piece| rules.type_of(piece).index()).collect();
        assert_eq!(offered, shown, "seed {seed}: the options are in the same order");
        let zone = game.state().piece(decision.options[0].piece().expect("it is about a card")).zone;
        let lies: Vec<usize> = game.state().zone(zone).map(|piece| rules.type_of(piece).index()).collect();
        unsorted += usize::from(!lies.is_sorted());
    }
    assert!(unsorted > 5, "the table itself is not sorted: {unsorted} of 20");
}

/// Who asks why something is not offered reads which action goes first.
#[test]
fn why_names_the_action_that_goes_first() {
    let scratch = Scratch::copy_of("cards", "cards_why");
    let scenario = "about = \"x\"\ngiven.first = \"a\"\ngiven.zone.row = [\"bells_6\"]\n\
        given.seat.a.hand = [\"bells_9\", \"leaves_7\"]\nwhen = [{ seat = \"a\", choose = \"throw leaves_7\" }]\n";
    scratch.write("content/parade/scenarios/why.toml", scenario.as_bytes());
    let run = rulepack(scratch.path(), &["test", "parade"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stdout.contains("“Follow” is possible, and goes first"), "{}", run.shown());
}

/// A kind of two kinds: who does not see the piece, sees one of the first.
#[test]
fn the_first_of_two_kinds_is_seen_from_behind() {
    let library = Library::open(&[fixture("cards")]).expect("the fixture is there");
    let game_box = library.load(&LinkRequest { pack: "guild".into(), ..LinkRequest::default() }).expect("it links");
    let rules = game_box.rules();
    let kind = |name: &str| rules.vocabulary.kinds[name];
    assert_eq!(rules.widest(kind("blade")), kind("card"));
    assert!(rules.is_kind(kind("blade"), kind("tool")) && rules.is_kind(kind("blade"), kind("card")));
    assert!(!rules.is_kind(kind("card"), kind("tool")));
}

/// The text of a question names what it is about, for each viewer as this viewer sees it.
#[test]
fn a_question_names_what_each_viewer_sees() {
    let library = Library::open(&[fixture("cards")]).expect("the fixture is there");
    let request = LinkRequest { pack: "guild".into(), players: Some(3), ..LinkRequest::default() };
    let game_box = library.load(&request).expect("it links");
    let (host, words) = (game_box.host().expect("there are no scripts"), Words::new(game_box.rules(), "en"));
    let mut game: Game = game_box.start(&host, 3).expect("the game starts");
    let answer = |game: &mut Game, wanted: &str| {
        let decision = game.decision().expect("somebody is asked");
        let options = words.options(game.state(), decision);
        let index = options.iter().position(|option| option.starts_with(wanted)).expect(wanted);
        game.answer(&host, rulepack::Answer(index as u16)).expect("it is offered");
    };
    for wanted in ["Buy", "Work", "Work", "Stow", "Work", "Work", "Boast"] {
        answer(&mut game, wanted);
    }
    let decision = game.decision().expect("the boaster is asked");
    let read = |viewer| words.question_for(decision, viewer);
    let own = read(Viewer::Seat(decision.seat));
    let title = own.strip_prefix("Really take ").and_then(|rest| rest.split_once(" coin for ")).expect(&own);
    assert!(title.0.parse::<i64>().is_ok() && !title.1.starts_with("card") && !own.contains(['{', '…']), "{own}");
    assert_eq!(read(Viewer::Public), "Really take … coin for card?");
    assert_eq!(read(Viewer::All), own);
    for wanted in ["Yes", "Work", "Work", "Give"] {
        answer(&mut game, wanted);
    }
    let decision = game.decision().expect("whom to give it");
    let asked = words.question_for(decision, Viewer::Public);
    assert!(asked == format!("Who gets {}", title.1), "{asked}");
}

/// What patches have added is shown with its place.
#[test]
fn explain_shows_what_was_added() {
    let value = passes(&["explain", "guild-feast", "value.fame"]);
    assert!(value.contains("count(my blades)") && value.contains("guild-songs/pack.toml"), "{value}");
    let action = passes(&["explain", "guild-feast", "action.buy"]);
    assert!(action.contains("before = \"toll\"") && action.contains("after = \"take_home\""), "{action}");
}

/// Each block of TOML in the pages stands in a pack of the fixture, word by word.
#[test]
fn the_pages_show_the_packs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let read = |path: &Path| words(&std::fs::read_to_string(path).expect("it is there"));
    let mut files = vec!["parade/locale/de.toml".to_string()];
    files.extend(PACKS.map(|pack| format!("{pack}/pack.toml")));
    let packs: Vec<String> = files.iter().map(|file| read(&fixture("cards").join("content").join(file))).collect();
    for (page, least) in [("docs/cards.md", 8), ("docs/expansions.md", 4)] {
        let text = std::fs::read_to_string(root.join(page)).expect("it is there");
        let blocks: Vec<&str> = text.split("```toml").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert!(blocks.len() >= least, "{page} has examples");
        for block in blocks {
            assert!(
                packs.iter().any(|pack| pack.contains(&words(block))),
                "no pack has this block of {page}:\n{block}"
            );
        }
    }
}
