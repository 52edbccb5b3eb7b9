//! Parsing, with a limit for the depth of nesting, because functions that walk the tree are recursive.

use std::collections::HashMap;
use std::ops::Range;

use emmylua_parser::{
    LexerConfig, LuaChunk, LuaFeatures, LuaFeaturesSet, LuaLanguageLevel, LuaLexer, LuaParseErrorKind, LuaParser,
    LuaSyntaxNode, LuaTokenKind, ParserConfig, Reader,
};
use rulepack_model::{Code, Diagnostic, FileId, Span};

/// Deeper scripts are not checked: the VM refuses them, or nobody has written them by hand.
const DEEPEST: usize = 180;
const LONGEST: usize = 1 << 20;
/// Enough stack for the longest text within the limits.
const STACK: usize = 64 << 20;

/// The extensions of the VM to Lua 5.1.
const FEATURES: &[LuaFeatures] = &[
    LuaFeatures::Continue,
    LuaFeatures::IntegerFloorDivision,
    LuaFeatures::UnderscoreNumber,
    LuaFeatures::BinaryInteger,
    LuaFeatures::PlusAssign,
    LuaFeatures::MinusAssign,
    LuaFeatures::StarAssign,
    LuaFeatures::SlashAssign,
    LuaFeatures::DoubleSlashAssign,
    LuaFeatures::PercentAssign,
    LuaFeatures::CaretAssign,
    LuaFeatures::ConcatAssign,
];

/// A parsed text.
pub(crate) struct Parsed {
    /// The whole tree, with gaps at mistakes.
    pub root: LuaChunk,
    /// The mistakes.
    pub mistakes: Vec<Mistake>,
}

/// A place where the text is not valid Lua.
pub(crate) struct Mistake {
    pub range: Range<usize>,
    pub message: String,
}

/// Parses a text; `None` if it is too long or nested too deep.
pub(crate) fn parse(text: &str) -> Option<Parsed> {
    let features = || LuaFeaturesSet::new(FEATURES.to_vec());
    let lexer = LexerConfig::new_with_extended_features(LuaLanguageLevel::Lua51, features());
    if text.len() > LONGEST || too_deep(text, lexer) {
        return None;
    }
    let config = ParserConfig::new(LuaLanguageLevel::Lua51, None, HashMap::new(), features(), true);
    let tree = LuaParser::parse(text, config);
    let mut mistakes: Vec<Mistake> = tree
        .get_errors()
        .iter()
        .filter(|error| error.kind == LuaParseErrorKind::SyntaxError)
        .map(|error| {
            let range: Range<usize> = error.range.start().into()..error.range.end().into();
            let message = plain(&error.message, text.get(range.clone()).unwrap_or_default());
            Mistake { range, message }
        })
        .collect();
    mistakes.sort_by_key(|mistake| mistake.range.start);
    let root = tree.get_chunk_node();
    (depth(&root) <= DEEPEST * 8).then_some(Parsed { root, mistakes })
}

/// Reports where a script is not valid Lua: only the first place, because later ones may be consequences.
pub(crate) fn report(file: FileId, text: &str, mistakes: &[Mistake]) -> Option<Diagnostic> {
    let mistake = mistakes.first()?;
    let mut range = mistake.range.clone();
    if range.start >= text.trim_end().len() {
        // At the end of the text there is nothing to point at, so the mistake is placed at the last token.
        let read = text.trim_end();
        range = read.char_indices().next_back().map_or(0, |(at, _)| at)..read.len();
    }
    let found = Diagnostic::error(Code::ScriptSyntax, mistake.message.clone());
    let is_of_vm = matches!(text.get(range.clone()), Some("if" | ":" | "::" | "`"));
    let help =
        is_of_vm.then(|| "write plain Lua 5.1: no types, no `if` inside an expression, no texts in backticks".into());
    Some(found.at(Span::new(file, range.start, range.end)).maybe_help(help))
}

/// Runs a function with enough stack for deep trees. A panic inside is a bug of the type checker, and returns nothing.
pub(crate) fn with_room<T: Send + Default>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let Ok(worker) = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) else {
            return T::default();
        };
        match worker.join() {
            Ok(done) => done,
            // In tests the panic goes on, so that they notice it.
            Err(panic) if cfg!(test) => std::panic::resume_unwind(panic),
            Err(_) => T::default(),
        }
    })
}

/// Whether brackets, blocks or operators are nested too deep, judged by tokens only, because the parser is recursive
/// too.
fn too_deep(text: &str, config: LexerConfig) -> bool {
    let (mut open, mut signs) = (0_usize, 0_usize);
    for token in LuaLexer::new(Reader::new(text), config, None).tokenize() {
        use LuaTokenKind as T;
        match token.kind {
            T::TkLeftParen | T::TkLeftBrace | T::TkLeftBracket | T::TkFunction | T::TkDo | T::TkThen | T::TkRepeat => {
                open = open.saturating_add(1);
            }
            // `elseif` has a `then` of its own, but no `end`.
            T::TkRightParen | T::TkRightBrace | T::TkRightBracket | T::TkEnd | T::TkUntil | T::TkElseIf => {
                open = open.saturating_sub(1);
            }
            _ => {}
        }
        match token.kind {
            T::TkNot | T::TkMinus | T::TkLen | T::TkConcat | T::TkPow => signs = signs.saturating_add(1),
            T::TkEnd | T::TkLocal | T::TkReturn | T::TkThen | T::TkComma | T::TkAssign | T::TkDo => signs = 0,
            _ => {}
        }
        if open > DEEPEST || signs > DEEPEST {
            return true;
        }
    }
    false
}

fn depth(root: &LuaChunk) -> usize {
    use emmylua_parser::LuaAstNode;
    let mut deepest = 0;
    let mut stack: Vec<(LuaSyntaxNode, usize)> = vec![(root.syntax().clone(), 0)];
    while let Some((node, depth)) = stack.pop() {
        deepest = deepest.max(depth);
        stack.extend(node.children().map(|child| (child, depth.saturating_add(1))));
    }
    deepest
}

/// Rewrites a message of the parser: a sentence without a full stop, Lua keywords in backticks.
fn plain(message: &str, word: &str) -> String {
    let message = message.trim().trim_end_matches('.').replace(['\'', '"'], "`");
    // It uses its own names for keywords.
    match message.strip_prefix("unexpected token `").and_then(|rest| rest.split_once('`')) {
        Some((_, rest)) => format!("unexpected `{word}`{rest}"),
        None => message,
    }
}
