//! Tests of the checker: texts that are right, and the messages about others.

use rulepack_model::{EventId, GroupId, KindId, PromptId, ResId, SymId, TypeId, ValueId, VarId, ZoneId};

use crate::*;

/// Coins and ropes, cards in hands, and a quay with spaces.
fn harbor() -> Vocabulary {
    let mut words = Vocabulary::default();
    words.resources.insert("coin".into(), ResId(0));
    words.resources.insert("rope".into(), ResId(1));
    words.groups.insert("goods".into(), GroupId(0));
    words.resource_attrs.insert("weight".into(), (AttrId(0), AttrTy::Int));
    words.kinds.insert("card".into(), KindId(0));
    words.plurals.insert("cards".into(), KindId(0));
    words.types.insert("inn".into(), (TypeId(0), KindId(0)));
    for (index, (name, ty)) in
        [("speed", AttrTy::Int), ("cost", AttrTy::Cost), ("play", AttrTy::Effect), ("colour", AttrTy::Sym)]
            .into_iter()
            .enumerate()
    {
        words.attrs.insert(name.into(), AttrName { id: AttrId(index as u16), ty, kinds: vec![KindId(0)] });
    }
    words.symbols.insert("red".into(), SymId(0));
    words.zones.insert("deck".into(), ZoneName { id: ZoneId(0), per_player: false });
    words.zones.insert("hand".into(), ZoneName { id: ZoneId(1), per_player: true });
    words.zones.insert("quay".into(), ZoneName { id: ZoneId(2), per_player: true });
    words.vars.insert("round".into(), (VarId(0), Subject::Game, Ty::Int));
    words.vars.insert("tired".into(), (VarId(1), Subject::Seat, Ty::Int));
    words.values.insert("strength".into(), (ValueId(0), Subject::Piece(None), Ty::Int));
    words.events.insert("sold".into(), (EventId(0), vec![Ty::Piece(None)]));
    words.prompts.insert("which".into(), PromptId(0));
    words
}

/// The mistake of an effect: the place, the message and the help; empty if it is right.
fn effect(text: &str) -> String {
    let mut words = harbor();
    let mut checker = Checker::new(&mut words, Some(Ty::Piece(Some(KindId(0)))), &[]);
    told(text, with_room(text, || parse_effect(text).and_then(|steps| checker.program(&steps)).map(drop)))
}

/// The same for a condition.
fn condition(text: &str) -> String {
    let mut words = harbor();
    let mut checker = Checker::new(&mut words, Some(Ty::Piece(Some(KindId(0)))), &[]);
    told(text, with_room(text, || parse_expr(text).and_then(|ast| checker.bool(&ast)).map(drop)))
}

fn told(text: &str, checked: Result<(), ExprError>) -> String {
    match checked {
        Ok(()) => String::new(),
        Err(error) => {
            let help = error.help.map_or(String::new(), |help| format!(" [{help}]"));
            format!("`{}`: {}{help}", &text[error.at.start..error.at.end.min(text.len())], error.message)
        }
    }
}

#[test]
fn every_step_of_the_language_is_understood() {
    for text in [
        "",
        "gain 1 coin; pay 2 rope; # a comment\n gain 1 coin + 2 rope for opponent",
        "pay 1 goods -> gain self.speed coin",
        "store 1 coin on self; put 1 rope on self; take 1 coin from self; return 1 rope from self; take 1 coin from opponent",
        "move self to my hand at bottom face down; lay self on top(deck); draw 2 from deck to my hand",
        "shuffle deck; refill deck; flip self",
        "choose card in my hand where it.speed > 1 as which; move card to deck",
        "choose 0..2 card in my hand by opponent as which with free { pay card.cost }",
        "choose space in free_cells(my quay); move self to space",
        "pick card in my hand; roll result of 6; let twice = result * 2; gain twice coin",
        "may use self.play as which; either which { gain 1 coin } or which { pass }",
        "if round > 1 and not my.tired == 1 { end turn } else if self.strength >= 2 { end phase } else { end game }",
        "repeat 3 { for each card in my cards { raise sold(card) } }",
        "as opponent { set my.tired = my.tired + 1 }; set round = 2; rejoin opponent; pause; cancel",
        "ferries.night_ferry; ferries.day_ferry(self, 3)",
        "choose thing in goods where my[it] > 0; pay 1 thing; gain thing.weight coin",
        "swap self with top(deck); move my hand to deck; flip my cards; shuffle hand of players",
        "let fast = my hand where it.speed > 1; choose 0..1 card in fast { move card to deck }; move fast to deck",
        "choose number in 1..round; choose named in types(card); choose colour in ['red']; gain number coin",
        "together players { choose card in my hand as which; move card to deck }",
        "together (players where it.coin > 0) { choose 2..2 different card in my hand { flip card }; may pay 1 coin }",
        "together players { let most = my.coin; if most > 1 { either which { pay 1 coin } or which { pass } } else { may pass } }",
        "together players { choose card in my hand { may { choose other in my hand; lay other on card } as which }; gain 1 coin }",
    ] {
        assert_eq!(effect(text), "", "{text}");
    }
}

#[test]
fn what_is_chosen_together_comes_first_and_is_told_in_a_designers_words() {
    const FIRST: &str =
        "in a `together`, all choose before anything is done [write this behind the last choice of the block]";
    for (text, told) in [
        (
            "together players { gain 1 coin }",
            "`players`: nobody chooses anything in this `together` \
             [without a choice, write `for each player in players { as player { … } }`]",
        ),
        ("together players { gain 1 coin; choose card in my hand }", &format!("`gain 1 coin`: {FIRST}")),
        (
            "together players { choose card in my hand; move card to deck; may pass }",
            &format!("`move card to deck`: {FIRST}"),
        ),
        (
            "together my cards { may pass }",
            "`my cards`: players choose together, and these are no players \
             [write `together players { … }`, or `together (players where …) { … }`]",
        ),
        (
            "together me { may pass }",
            "`me`: this is a player, but a set of things is needed [such as `my hand`, `players` or `pieces where …`]",
        ),
        (
            "together players { for each card in my hand { may flip card } }",
            "`for each card in my hand { may flip card }`: what players choose together does not stand in a loop \
             [write the choices of each player one after the other, such as `choose 2..2 different …`]",
        ),
        (
            "together players { together others { may pass } }",
            "`together others { may pass }`: one `together` does not stand inside another [write one after the other]",
        ),
        (
            "together players { choose card in my hand by me }",
            "`me`: in a `together`, nobody chooses for another player [leave out `by …`: each of the players chooses]",
        ),
        (
            "together players { choose 1..2 different card in my hand with free { flip card } }",
            "`card`: no free actions are offered while players choose together [leave out `with free`]",
        ),
        (
            "together players { choose 2..2 card in my hand { flip card } }",
            "`card`: what is chosen stays where it is until all have chosen, and could be chosen twice \
             [write `different`: `choose 2..2 different card in … { … }`]",
        ),
        (
            "together players { choose 2..2 different card in my hand { pay 1 coin } }",
            "`pay 1 coin`: whether each of several can be paid for is not known before all have chosen \
             [write `if can_pay(…) { pay … }`, or choose one thing after the other]",
        ),
        (
            "together players { choose 2..2 different card in my hand { may flip card } }",
            "`may flip card`: what is done for each of several is done when all have chosen \
             [write this choice behind the block, or choose one thing after the other]",
        ),
        (
            "together players { let fast = my hand where it.speed > 1; choose card in fast }",
            "`my hand where it.speed > 1`: no set gets a name among what players choose together \
             [write the set where it is used, or name it before the `together`]",
        ),
        // A mistake in what is done is told once, although it is compiled twice.
        ("together players { may { gain 1 cion } }", "`cion`: no resource is called `cion` [did you mean `coin`?]"),
        ("togehter players { may pass }", "`togehter`: no step begins with `togehter` [did you mean `together`?]"),
    ] {
        assert_eq!(effect(text), told, "{text}");
    }
    let mut words = harbor();
    let mut checker = Checker::new(&mut words, Some(Ty::Piece(Some(KindId(0)))), &[]);
    let steps = parse_effect("together players { may { gain 1 cion }; choose card in my hand { gain 1 rpoe } }");
    assert!(steps.and_then(|steps| checker.program(&steps)).is_err());
    assert_eq!(checker.take_mistakes().0.len(), 1, "the other one");
}

#[test]
fn every_kind_of_value_is_understood() {
    for text in [
        "self.colour == 'red' and self is inn and self is card and self is in my hand",
        "any(neighbours(self) where it.empty) or none(pieces_at(self.cell))",
        "sum(my cards, it.speed) + largest(cards, it.speed) - smallest(hand of opponent, 1) > min(1, max(2, 3))",
        "can(self.play) and can_pay(self.cost) and has(inn) and passed(next(me))",
        "(if round == 1 then 2 else -3) % 2 == strength(self) / 2",
        "orders.is_open(self)",
        "count(attached(self) where it.host == self) == supply.goods",
        "any(cards as m where any(cards where it.speed > m.speed)) or sum(players as p, count(hand of p)) > 2",
        "count(union(my hand, my cards)) > count(difference(intersection(my hand, cards), [self]))",
        "2 is in 1..round + 1 and 3 is in [1, round] and any(symbols(colour)) and count(hand of others) == 0 and first(types(card)) == inn",
    ] {
        assert_eq!(condition(text), "", "{text}");
    }
}

#[test]
fn a_mistake_is_told_in_a_designers_words() {
    for (text, told) in [
        ("gain coin", "`coin`: how much of it? [write `1 coin`]"),
        ("gain 1 cion", "`cion`: no resource is called `cion` [did you mean `coin`?]"),
        ("move self to hand", "`hand`: whose `hand` is meant? Every player has one [write `my hand`]"),
        ("move self to my deck", "`my deck`: `deck` belongs to the table, not to a player [write `deck`]"),
        (
            "raise sold",
            "`raise sold`: `sold` takes one thing in brackets, here are 0 [write `sold(…)`, with a piece in the brackets]",
        ),
        ("raise bought(self)", "`bought`: no event is called `bought` [there is only `sold`]"),
        (
            "choose 0..2 card in my hand",
            "`card`: what happens with each of them? [a choice of several needs a block: `choose … card in … { … }`, with steps for `card`]",
        ),
        ("set self.speed = 2", "`self.speed`: only a variable can be set [declare it with `[var.NAME]`]"),
        (
            "use self.speed",
            "`self.speed`: `use` takes an effect of a piece [write `use PIECE.EFFECT`, such as `use self.play`]",
        ),
        ("gain 1 coin, pay 1 rope", "`,`: steps are separated by `;` [write `;`]"),
    ] {
        assert_eq!(effect(text), told, "{text}");
    }
    for (text, told) in [
        (
            "my.coin",
            "`my.coin`: this is a number, but a yes-or-no is needed [compare it with something, such as `… > 0`]",
        ),
        (
            "coin > 2",
            "`coin`: this is a resource, but a number is needed [how much of it one has is written `my.NAME`, or `self.NAME` for a piece]",
        ),
        ("self.spede > 2", "`self.spede`: `card` has no `spede` [did you mean `speed`?]"),
        (
            "my cards > 2",
            "`my cards`: this is a set of things, but a single one is needed [write `count(…)`, `any(…)` or `first(…)`]",
        ),
        ("my card", "`my card`: `card` is one; for all of them there is another word [write `my cards`]"),
        (
            "self == me",
            "`self == me`: a piece of the kind `card` and a player are never the same [compare two things of one kind]",
        ),
        ("round = 2", "`=`: two things are compared with `==` [write `==`]"),
        ("cuont(my cards) > 1", "`cuont(my cards)`: there is no function `cuont` [did you mean `count`?]"),
    ] {
        assert_eq!(condition(text), told, "{text}");
    }
}

#[test]
fn no_part_of_what_newcomers_write_is_too_odd_for_the_reader() {
    let effects = include_str!("../../../tests/fixtures/messages/effects.txt");
    let conditions = include_str!("../../../tests/fixtures/messages/conditions.txt");
    for text in effects.lines().chain(conditions.lines()) {
        let text = format!("{text} \u{e9}\u{2265}");
        for (at, _) in text.char_indices() {
            for part in [&text[..at], &text[at..]] {
                for shape in [TextShape::Effect, TextShape::Expr, TextShape::Cost] {
                    for mistake in recover(part, shape).mistakes {
                        assert!(mistake.at.start <= mistake.at.end, "{part}");
                        assert!(part.get(mistake.at.clone()).is_some(), "{part}: {mistake:?}");
                        let cure = mistake.cure.map_or(mistake.at, |(place, _)| place);
                        assert!(part.get(cure).is_some(), "{part}: {}", mistake.message);
                    }
                }
            }
        }
    }
}

#[test]
fn no_text_is_too_deep_or_too_long_for_the_reader() {
    let deep = format!("{}round{} > 1", "(".repeat(60), ")".repeat(60));
    assert!(condition(&deep).contains("too many brackets"));
    assert!(condition(&"not ".repeat(5_000)).contains("too long"));
    assert!(condition(&format!("{}true", "not ".repeat(41))).contains("too deeply nested"));
    assert!(condition(&format!("{}1 > 0", "- ".repeat(100))).contains("too deeply nested"));
    assert!(effect(&format!("{}gain 1 coin", "pay 1 coin -> ".repeat(200))).contains("too deeply nested"));
    let both = format!("{}gain 1 coin{}", format!("{} {{ ", "may ".repeat(30)).repeat(20), " }".repeat(20));
    assert!(effect(&both).contains("too deeply nested"));
    // What is just allowed must not exhaust the stack of a test's thread.
    assert!(condition(&format!("{}true", "not ".repeat(40))).contains("`not not` says nothing"));
    assert_eq!(condition(&format!("{}round{} > 1", "(".repeat(24), ")".repeat(24))), "");
    assert_eq!(condition(&format!("{}1 > 0", "- ".repeat(40))), "");
    assert!(condition("1 - -1 > 0").contains("`- -` says nothing"));
    assert_eq!(condition("not true"), "");
    assert_eq!(condition("1 + -1 > -(-1) and 3 * -1 < 0 and 1 - (-1) > 0"), "");
    assert_eq!(effect(&format!("{}gain 1 coin", "may ".repeat(40))), "");
    assert_eq!(effect(&format!("{}gain 1 coin", "pay 1 coin -> ".repeat(40))), "");
    assert_eq!(effect(&format!("{}gain 1 coin{}", "{ ".repeat(24), " }".repeat(24))), "");
    let both = format!("{}gain 1 coin{}", format!("{} {{ ", "may ".repeat(8)).repeat(12), " }".repeat(12));
    assert_eq!(effect(&both), "");
    assert_eq!(condition(&format!("{}true{}", "(not if true then ".repeat(7), " else false)".repeat(7))), "");
    // Conditions inside conditions do not double.
    let nested = format!("{}true{}", "any(my cards where it.speed == 1 and ".repeat(10), ")".repeat(10));
    assert_eq!(condition(&nested), "");
    // Nor do mistakes inside mistakes.
    let nested = format!("{}zebra{} > 1", "min(".repeat(20), ", 1)".repeat(20));
    assert!(condition(&nested).contains("nothing is called `zebra` here"));
}

#[test]
fn a_zone_called_like_a_kind_means_the_pieces_of_the_kind() {
    let set_of = |name: &str| {
        let mut words = harbor();
        words.zones.insert("cards".into(), ZoneName { id: ZoneId(3), per_player: true });
        let mut checker = Checker::new(&mut words, None, &[]);
        checker.set(&parse_expr(name).expect("it is a set")).expect("it is a set")
    };
    let (set, ty) = set_of("my cards");
    assert_eq!(ty, Ty::Piece(Some(KindId(0))));
    let Set::Filter { base, cond, .. } = set else { panic!("all pieces of the zone are meant") };
    assert!(matches!((*base, *cond), (Set::Zone(_), Expr::IsKind(_, KindId(0)))));
    assert!(matches!(set_of("my hand"), (Set::Zone(_), Ty::Piece(None))));
}

#[test]
fn one_where_after_the_other_is_one() {
    use crate::code::Expr;
    use rulepack_model::{KindId, Local};
    const IT: Local = Local(3);
    let is = |kind| Expr::IsKind(Box::new(Expr::Local(IT)), KindId(kind));
    let both = Set::filter(Set::filter(Set::Seats, IT, is(0)), IT, is(1));
    let Set::Filter { base, cond, .. } = both else { panic!("it is a filter") };
    assert_eq!(*base, Set::Seats);
    assert_eq!(*cond, Expr::Binary(crate::ast::BinaryOp::And, Box::new(is(0)), Box::new(is(1))));
}
