//! A running game goes on under changed rules: with all its answers, from its table, or up to the decision that differs.

use rulepack::{
    Answer, Carried, Carry, GameBox, Library, LinkRequest, RandomBot, Session, Table, View, Viewer, Words,
    check_invariants,
};

use crate::support::Scratch;

const PACK: &str = "content/tiny/pack.toml";

/// The small game, whose files a test may change.
struct Edited(Scratch);

impl Edited {
    fn new(name: &str) -> Edited {
        Edited(Scratch::copy_of("tiny", &format!("carry-{name}")))
    }

    #[track_caller]
    fn replace(&self, file: &str, old: &str, new: &str) {
        let text = std::fs::read_to_string(self.0.path().join(file)).expect("the file is there");
        assert!(text.contains(old), "{file} does not contain {old}");
        self.0.write(file, text.replacen(old, new, 1).as_bytes());
    }

    #[track_caller]
    fn load(&self) -> GameBox {
        let library = Library::open(&[self.0.path()]).expect("the library is there");
        let request = LinkRequest { pack: "tiny".into(), players: Some(2), ..LinkRequest::default() };
        library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"))
    }

    /// A game after a number of random answers.
    #[track_caller]
    fn played(&self, answers: usize) -> Session {
        let mut session = Session::start(&self.load(), 7).expect("the game starts");
        let mut bot = RandomBot::new(3);
        for _ in 0..answers {
            let decision = session.decision().expect("the game is not over");
            let answer = bot.choose(session.game().rules(), decision);
            session.answer(answer).expect("it is offered");
        }
        session
    }
}

/// All that can be seen of a game, for comparisons between rules.
fn table(session: &Session) -> String {
    let host = session.host().expect("the scripts run");
    let words = Words::new(session.game().rules(), "");
    serde_json::to_string(&View::new(session.game(), &*host, Viewer::All, &words)).expect("a view is JSON")
}

fn options(session: &Session) -> Vec<String> {
    session.decision().map(|decision| session.game().option_names(decision)).unwrap_or_default()
}

/// Plays on to the end; at every decision the game is sound.
#[track_caller]
fn plays_on(mut session: Session) {
    let mut bot = RandomBot::new(5);
    while let Some(decision) = session.decision() {
        let answer = bot.choose(session.game().rules(), decision);
        session.answer(answer).expect("it is offered");
        check_invariants(session.game().rules(), session.game().state()).expect("the table is sound");
    }
}

#[track_caller]
fn from_table(carry: Carry) -> Session {
    assert!(matches!(carry.how, Carried::ByNames { stopped: None, .. }), "{}", carry.how);
    carry.session
}

#[test]
fn a_changed_text_keeps_the_whole_game() {
    let edited = Edited::new("text");
    let session = edited.played(9);
    edited.replace(PACK, "title   = \"Inn\"", "title   = \"Tavern\"");
    let carry = session.carried(&edited.load()).expect("the game goes on");
    assert_eq!(carry.how, Carried::Replayed);
    assert!(carry.changes.is_empty());
    assert_eq!(carry.session.depth(), 9);
    assert_eq!(table(&carry.session), table(&session).replace("Inn", "Tavern"));
}

#[test]
fn a_new_card_leaves_the_table_as_it_was() {
    for answers in 0..14 {
        let edited = Edited::new(&format!("card-{answers}"));
        let session = edited.played(answers);
        // Before all others, so that types, pieces and effects get other numbers.
        edited.replace(
            PACK,
            "[stall.inn]",
            "[stall.abbey]\ntitle = \"Abbey\"\ncost = \"1 rope\"\nopening = \"gain 1 coin\"\n\n[stall.inn]",
        );
        let carry = session.carried(&edited.load()).expect("the game goes on");
        match &carry.how {
            Carried::ByNames { new, stopped: None, .. } => assert_eq!(new, &[("abbey".to_string(), 3)]),
            how => panic!("{how}"),
        }
        let carried = from_table(carry);
        assert_eq!(options(&carried), options(&session), "after {answers} answers");
        let with_bag = |count: usize| format!("\"title\":\"bag\",\"owner\":null,\"columns\":0,\"count\":{count}");
        let (before, after) = (table(&session), table(&carried));
        let count = (0..10).find(|count| before.contains(&with_bag(*count))).expect("there is a bag");
        assert!(after.contains(&with_bag(count + 3)), "{after}");
        let rest = |text: &str| {
            let bag = text.find("\"id\":\"bag\"").expect("there is a bag");
            let end = text[bag..].find("\"id\":\"row\"").expect("the row comes next");
            format!("{}{}", &text[..bag], &text[bag + end..])
        };
        assert_eq!(rest(&after), rest(&before), "after {answers} answers");
        plays_on(carried);
    }
}

#[test]
fn a_changed_price_is_paid_from_now_on() {
    for answers in 4..14 {
        let edited = Edited::new(&format!("price-{answers}"));
        let session = edited.played(answers);
        edited.replace(PACK, "cost    = \"1 coin\"", "cost    = \"3 coin\"");
        edited.replace(PACK, "supply = 30", "supply = 36");
        let carry = session.carried(&edited.load()).expect("the game goes on");
        assert!(carry.changes.changed.contains(&"stall.inn".to_string()), "{}", carry.changes);
        // An action in the middle, such as one that can no longer be paid, may begin again.
        assert!(matches!(carry.how, Carried::Replayed | Carried::ByNames { .. }), "{}", carry.how);
        let carried = carry.session;
        check_invariants(carried.game().rules(), carried.game().state()).expect("the table is sound");
        plays_on(carried);
    }
}

#[test]
fn a_card_on_the_table_that_is_gone_stops_the_game_where_it_came() {
    let edited = Edited::new("gone");
    let mut session = edited.played(0);
    // Whatever lies in the row: its type goes.
    let names = options(&session);
    let first = names.iter().find_map(|name| name.strip_prefix("take ")).expect("something can be taken").to_string();
    let name = first.split('@').next().expect("it has a name").to_string();
    let index = names.iter().position(|option| *option == format!("take {first}")).expect("it is offered");
    session.answer(Answer(index as u16)).expect("it is offered");
    let text = std::fs::read_to_string(edited.0.path().join(PACK)).expect("the file is there");
    let from = text.find(&format!("[stall.{name}]")).expect("it is defined");
    let to = from + text[from..].find("\n\n").expect("it ends");
    edited.0.write(PACK, format!("{}{}", &text[..from], &text[to..]).as_bytes());
    let carry = session.carried(&edited.load()).expect("the rules can be played");
    match &carry.how {
        Carried::Differs { divergence, table } => {
            assert_eq!(divergence.difference.number, 1);
            assert!(divergence.responsible.contains(&format!("stall.{name}")), "{divergence}");
            assert!(table.to_string().contains(&format!("`{name}` lies in `")), "{table}");
        }
        how => panic!("{how}"),
    }
    plays_on(carry.session);
}

#[test]
fn a_carried_game_is_carried_again_and_saved() {
    let edited = Edited::new("again");
    let session = edited.played(6);
    edited.replace(
        PACK,
        "[stall.inn]",
        "[stall.abbey]\ntitle = \"Abbey\"\ncost = \"1 rope\"\nopening = \"gain 1 coin\"\n\n[stall.inn]",
    );
    let mut first = from_table(session.carried(&edited.load()).expect("the game goes on"));
    first.answer(Answer(0)).expect("it is offered");
    edited.replace(PACK, "title = \"Abbey\"", "title = \"Minster\"");
    let second = first.carried(&edited.load()).expect("the game goes on");
    assert_eq!(second.how, Carried::Replayed);
    assert_eq!(second.session.depth(), first.depth());
    let game_box = edited.load();
    let loaded = Session::load(&game_box, &second.session.log().to_text()).err();
    assert!(loaded.is_some(), "a log is no save");
    let loaded = Session::from_log(&game_box, &second.session.log()).expect("the log can be played again");
    assert_eq!(loaded.game(), second.session.game());
}

#[test]
fn a_changed_script_counts_from_now_on() {
    let edited = Edited::new("script");
    let session = edited.played(12);
    let script = "scripts/tiny/stalls.lua";
    let text = std::fs::read_to_string(edited.0.path().join(script)).expect("the file is there");
    edited.0.write(script, format!("-- A comment more.\n{text}").as_bytes());
    let carry = session.carried(&edited.load()).expect("the game goes on");
    assert_eq!(carry.how, Carried::Replayed, "a comment is no rule");
}

#[test]
fn a_table_is_carried_with_the_logs_of_its_seats() {
    let edited = Edited::new("table");
    let mut table = Table::open(&edited.load(), 7, "fr").expect("the game starts");
    let seats: Vec<_> = table.seats().collect();
    for _ in 0..5 {
        let question = seats.iter().find_map(|seat| table.questions(*seat).expect("it can be asked").pop());
        let question = question.expect("somebody is asked");
        table.answer_as(question.player, question.revision, 0).expect("it is offered");
    }
    let asked = table.asked(Viewer::Public).expect("somebody is asked");
    edited.replace(
        PACK,
        "[stall.inn]",
        "[stall.abbey]\ntitle = \"Abbey\"\ncost = \"1 rope\"\nopening = \"gain 1 coin\"\n\n[stall.inn]",
    );
    let (mut carried, how) = table.carried(&edited.load()).expect("the game goes on");
    assert!(matches!(how, Carried::ByNames { .. }), "{how}");
    let now = carried.asked(Viewer::Public).expect("somebody is asked");
    assert_eq!(asked[0].player, now[0].player);
    assert!(now[0].revision > asked[0].revision, "an old answer must not count");
    assert!(carried.answer_as(asked[0].player, asked[0].revision, 0).is_err());
    assert!(carried.answer_as(now[0].player, now[0].revision, 0).is_ok());
}
