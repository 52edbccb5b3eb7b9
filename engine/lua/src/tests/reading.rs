//! Parsing: which texts are Lua, the values of names and literals, and the places of expressions.

use crate::syntax::parse;
use crate::tree::{LuaAstNode, LuaExpr, LuaLiteralExpr, LuaLiteralToken, Number};

/// The first mistake, or nothing.
#[track_caller]
fn mistake(text: &str) -> Option<String> {
    let read = parse(text).expect("it does not nest too deep");
    read.err().map(|mistake| format!("{}: {}", &text[mistake.range.clone()], mistake.message))
}

fn literals(text: &str) -> Vec<LuaLiteralToken> {
    let root = parse(text).expect("it does not nest too deep").expect("it is Lua");
    root.descendants::<LuaLiteralExpr>().filter_map(|literal| literal.get_literal()).collect()
}

#[test]
fn operators_hold_as_the_manual_says() {
    let text = "return not a == b .. c .. d ^ -e ^ f and 1 + 2 * 3 - 4 // 5 or g < h";
    let root = parse(text).expect("it does not nest too deep").expect("it is Lua");
    let found: Vec<&str> = text.split("return ").skip(1).collect();
    let exprs: Vec<LuaExpr> = root.descendants().collect();
    let spans: Vec<&str> = exprs.iter().map(|expr| expr.syntax().text()).collect();
    assert_eq!(spans[0], found[0]);
    for part in [
        "not a == b .. c .. d ^ -e ^ f and 1 + 2 * 3 - 4 // 5",
        "not a == b .. c .. d ^ -e ^ f",
        "not a",
        "b .. c .. d ^ -e ^ f",
        "c .. d ^ -e ^ f",
        "d ^ -e ^ f",
        "-e ^ f",
        "e ^ f",
        "1 + 2 * 3 - 4 // 5",
        "1 + 2 * 3",
        "4 // 5",
        "g < h",
    ] {
        assert!(spans.contains(&part), "{part} is not one expression of {spans:#?}");
    }
    // 13 names and numbers, 12 signs between two, 2 before one.
    assert_eq!(spans.len(), 13 + 12 + 2, "{spans:#?}");
}

#[test]
fn texts_say_what_is_meant() {
    let text = r#"return "a\n\65\x42\u{e9}\z
        c\"\\", 'it''s', [[
two
lines]], [=[a]]b]=]"#;
    // Two texts beside each other are a call.
    let text = text.replace("'it''s'", "'it\\'s'");
    let said: Vec<String> = literals(&text)
        .into_iter()
        .map(|literal| match literal {
            LuaLiteralToken::String(text) => text.get_value(),
            other => panic!("{other:?} is no text"),
        })
        .collect();
    assert_eq!(said, ["a\nABéc\"\\", "it's", "two\nlines", "a]]b"]);
}

#[test]
fn numbers_say_what_is_meant() {
    let numbers: Vec<Option<Number>> = literals("return 7, 1_000, 0xff, 0b101, 2.5, .5, 1e3, 3.")
        .into_iter()
        .map(|literal| match literal {
            LuaLiteralToken::Number(number) => number.get_value(),
            other => panic!("{other:?} is no number"),
        })
        .collect();
    let whole = |number| Some(Number::Whole(number));
    let float = |number| Some(Number::Float(number));
    let expected = [whole(7), whole(1000), whole(255), whole(5), float(2.5), float(0.5), float(1000.0), float(3.0)];
    assert_eq!(numbers, expected);
    assert_eq!(mistake("return 3x").as_deref(), Some("3x: malformed number"));
}

#[test]
fn continue_is_a_name_unless_it_stands_alone() {
    for good in ["for i = 1, 2 do continue end", "continue = 1", "continue()", "local continue = 2 return continue"] {
        assert_eq!(mistake(good), None, "{good}");
    }
}

#[test]
fn what_only_the_vm_knows_is_refused() {
    for (bad, found) in [
        ("local n: number = 1", ":: unexpected `:`, expected statement"),
        ("local s = `a`", "`: unexpected ```, expected expression"),
        ("return a :: number", "::: expected end of block after return"),
        ("function f(a: number) end", ":: expected `)` to close parameter list"),
        ("a, b += 1, 2", "+=: expected `=` for assignment or this is an incomplete statement"),
    ] {
        assert_eq!(mistake(bad).as_deref(), Some(found), "{bad}");
    }
}

#[test]
fn a_comment_that_does_not_end_is_told() {
    assert_eq!(mistake("x() --[[ y").as_deref(), Some("--[[ y: unfinished long comment"));
    assert_eq!(mistake("x() --[==[ y ]] ]==] -- z\n--"), None);
}

/// Compares with another parser of Lua, made for editors: both must accept the same texts, with expressions at the same places.
#[cfg(feature = "analysis")]
mod beside_another {
    use std::collections::{BTreeMap, HashMap};

    use emmylua_parser::{
        LuaAstNode as _, LuaFeatures as F, LuaFeaturesSet, LuaLanguageLevel, LuaParseErrorKind, LuaParser,
        LuaSyntaxTree, ParserConfig,
    };

    use super::super::shipped::shipped;
    use super::*;

    fn other(text: &str) -> LuaSyntaxTree {
        let features = vec![
            F::Continue,
            F::IntegerFloorDivision,
            F::UnderscoreNumber,
            F::BinaryInteger,
            F::PlusAssign,
            F::MinusAssign,
            F::StarAssign,
            F::SlashAssign,
            F::DoubleSlashAssign,
            F::PercentAssign,
            F::CaretAssign,
            F::ConcatAssign,
        ];
        let level = LuaLanguageLevel::Lua51;
        LuaParser::parse(text, ParserConfig::new(level, None, HashMap::new(), LuaFeaturesSet::new(features), true))
    }

    fn is_taken_by_other(text: &str) -> bool {
        !other(text).get_errors().iter().any(|error| error.kind == LuaParseErrorKind::SyntaxError)
    }

    #[test]
    fn expressions_stand_in_the_same_places() {
        let definitions = crate::definitions();
        for text in shipped().into_iter().map(|(.., text)| text).chain([definitions]) {
            let count = |places: Vec<(usize, usize)>| {
                let mut counted = BTreeMap::new();
                places.into_iter().for_each(|place| *counted.entry(place).or_insert(0) += 1);
                counted
            };
            let root = parse(&text).expect("it does not nest too deep").expect("it is Lua");
            let own = root.descendants::<LuaExpr>().map(|expr| expr.syntax().range());
            let own = count(own.map(|place| (place.start, place.end)).collect());
            let theirs = other(&text).get_chunk_node();
            let theirs = theirs.descendants::<emmylua_parser::LuaExpr>().map(|expr| {
                let place = expr.get_range();
                (usize::from(place.start()), usize::from(place.end()))
            });
            let theirs = count(theirs.collect());
            assert!(!own.is_empty());
            assert_eq!(own, theirs);
        }
    }

    #[test]
    fn the_same_texts_are_lua() {
        let slips = ["end ", "if ", ")", "= ", ", ", "\"", "local ", "! ", "] ", "} ", "[[", "--[[", "then ", "x "];
        let mut refused = 0;
        for (.., text) in shipped() {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(29).collect();
            for (number, at) in places.iter().enumerate() {
                let slip = slips[number % slips.len()];
                for wrong in [text[..*at].to_string(), format!("{}{slip}{}", &text[..*at], &text[*at..])] {
                    let mistake = mistake(&wrong);
                    assert_eq!(mistake.is_none(), is_taken_by_other(&wrong), "{mistake:?} in\n{wrong}");
                    refused += usize::from(mistake.is_some());
                }
            }
        }
        assert!(refused > 50, "only {refused} texts were no Lua");
    }
}
