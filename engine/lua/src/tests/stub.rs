//! The definitions for editors.

use rulepack_script::{allowed, api, option_tables};

use crate::definitions;
use crate::definitions::standard;
use crate::kinds::Kinds;

#[test]
fn they_are_lua() {
    let read = crate::syntax::parse(&definitions()).expect("they are not too long");
    assert!(read.is_ok(), "{:?}", read.err());
}

#[cfg(feature = "analysis")]
#[test]
fn they_are_lua_with_annotations_that_can_be_read() {
    use emmylua_parser::{LuaParser, ParserConfig};
    let text = definitions();
    let tree = LuaParser::parse(&text, ParserConfig::default());
    assert!(tree.get_errors().is_empty(), "{:?}", tree.get_errors());
}

#[test]
fn every_method_and_function_is_there() {
    let text = definitions();
    for method in api() {
        assert!(text.contains(&format!("function Context:{}(", method.name)), "{}", method.name);
    }
    for (name, members) in allowed() {
        let names = members.iter().map(|member| format!("{name}.{member}"));
        for name in names.chain(members.is_empty().then(|| (*name).to_string())).filter(|name| name != "math.huge") {
            assert!(text.contains(&format!("function {name}(")), "{name}");
            assert!(standard(&name).is_some(), "{name} has no signature");
        }
    }
}

#[test]
fn every_type_is_declared() {
    let options = option_tables().iter().flat_map(|table| table.options).map(|option| option.ty);
    let types = api().iter().flat_map(|method| method.params.iter().map(|param| param.ty).chain([method.returns]));
    for ty in types.chain(options) {
        for word in
            ty.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.starts_with(char::is_uppercase))
        {
            assert!(definitions().contains(&format!("---@class {word}\n")), "{word}");
            assert_ne!(Kinds::parse(word), Kinds::ANY, "{word}");
        }
    }
}
