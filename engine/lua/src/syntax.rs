//! Parsing, with a limit for the depth of nesting, because functions that walk the tree are recursive.

use rulepack_model::{Code, Diagnostic, FileId, Span};

use crate::tree::{self, LuaAstNode, LuaChunk, Mistake, Node, TokenKind};

/// Deeper scripts are not checked: the VM refuses them, or nobody has written them by hand.
const DEEPEST: usize = 180;
const LONGEST: usize = 1 << 20;
/// Enough stack for the longest text within the limits.
const STACK: usize = 64 << 20;

/// Reads a text; nothing if it is too long or nests too deep to be looked at.
pub(crate) fn parse(text: &str) -> Option<Result<LuaChunk, Mistake>> {
    if text.len() > LONGEST || too_deep(text) {
        return None;
    }
    match tree::parse(text) {
        Ok(root) => (depth(&root) <= DEEPEST * 8).then_some(Ok(root)),
        Err(mistake) => Some(Err(mistake)),
    }
}

/// Reports where a script is not valid Lua: only the first place, because later ones may be consequences.
pub(crate) fn report(file: FileId, text: &str, mistake: &Mistake) -> Diagnostic {
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
    found.at(Span::new(file, range.start, range.end)).maybe_help(help)
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
fn too_deep(text: &str) -> bool {
    let (mut open, mut signs) = (0_usize, 0_usize);
    for token in tree::tokens(text) {
        use TokenKind as T;
        match token.kind {
            T::LeftParen | T::LeftBrace | T::LeftBracket | T::Function | T::Do | T::Then | T::Repeat => {
                open = open.saturating_add(1);
            }
            // `elseif` has a `then` of its own, but no `end`.
            T::RightParen | T::RightBrace | T::RightBracket | T::End | T::Until | T::ElseIf => {
                open = open.saturating_sub(1);
            }
            T::Not | T::Minus | T::Length | T::Concat | T::Caret => signs = signs.saturating_add(1),
            _ => {}
        }
        if let T::End | T::Local | T::Return | T::Then | T::Comma | T::Assign | T::Do = token.kind {
            signs = 0;
        }
        if open > DEEPEST || signs > DEEPEST {
            return true;
        }
    }
    false
}

fn depth(root: &LuaChunk) -> usize {
    let mut deepest = 0;
    let mut stack: Vec<(Node, usize)> = vec![(root.syntax().clone(), 0)];
    while let Some((node, depth)) = stack.pop() {
        deepest = deepest.max(depth);
        stack.extend(node.children().map(|child| (child, depth.saturating_add(1))));
    }
    deepest
}
