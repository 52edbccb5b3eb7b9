//! The type checker: `emmylua_code_analysis`, which reads the scripts with [`definitions`].
//!
//! Only its types are used. Its own findings are made for editors: they change with its version, and are reliable for
//! annotated code only.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use emmylua_code_analysis::{
    EmmyLuaAnalysis, Emmyrc, EmmyrcLuaVersion, FileId, LuaType, SemanticModel, file_path_to_uri,
};
use emmylua_parser::{LuaAstNode as _, LuaExpr};
use rulepack_model::Cut;

use crate::chunk::Chunk;
use crate::definitions::definitions;
use crate::kinds::Kinds;
use crate::program::Program;
use crate::scope::range;
use crate::tree::{Kind, LuaAstNode as _};

/// Paths are only names: no file is read.
const ROOT: &str = if cfg!(windows) { "C:/rulepack" } else { "/rulepack" };

/// Longer scripts are not type-checked, because the time grows faster than the text.
const LONGEST: usize = 100_000;

/// The kinds of all expressions of all scripts, by their place.
#[derive(Default)]
pub(crate) struct Types(Vec<BTreeMap<(usize, usize), Kinds>>);

impl Types {
    pub(crate) fn new(program: &Program<'_>) -> Types {
        if program.chunks.is_empty() {
            return Types::default();
        }
        let mut analysis = EmmyLuaAnalysis::new();
        analysis.update_config(Arc::new(config()));
        analysis.add_main_workspace(PathBuf::from(ROOT));
        let mut add = |path: PathBuf, text: String| analysis.update_file_by_uri(&file_path_to_uri(&path)?, Some(text));
        add(PathBuf::from(ROOT).join("definitions.lua"), definitions());
        let texts: Vec<Annotated> = (0..program.chunks.len()).map(|at| Annotated::new(program, at)).collect();
        let mut files: Vec<Option<FileId>> = vec![None; texts.len()];
        // Required scripts come first, so that their types are known.
        for at in in_order(program) {
            let (Some(Annotated { text, .. }), Some(file)) = (texts.get(at), files.get_mut(at)) else { continue };
            if text.len() <= LONGEST {
                let name = program.chunk(at).input.name.replace('.', "/");
                let path = PathBuf::from(ROOT).join(prefix(at)).join(format!("{name}.lua"));
                *file = add(path, text.clone());
            }
        }
        let kinds = |(file, text): (Option<FileId>, &Annotated)| {
            let model = file.and_then(|file| analysis.compilation.get_semantic_model(file));
            model.map_or_else(BTreeMap::new, |model| text.kinds(&model))
        };
        Types(files.into_iter().zip(&texts).map(kinds).collect())
    }

    /// The kinds of the expression in a range.
    pub(crate) fn kinds(&self, at: usize, range: Range<usize>) -> Kinds {
        let found = self.0.get(at).and_then(|kinds| kinds.get(&(range.start, range.end)));
        found.copied().unwrap_or(Kinds::ANY)
    }
}

fn config() -> Emmyrc {
    let mut config = Emmyrc::default();
    // Other code decides what is valid Lua: here, more may be accepted.
    config.runtime.version = EmmyrcLuaVersion::Lua53;
    // The names in its own settings; their type is not public.
    let symbols = r#"["continue", "+=", "-=", "*=", "/=", "%=", "^=", "//="]"#;
    config.runtime.nonstandard_symbol = serde_json::from_str(symbols).unwrap_or_default();
    config.strict.require_path = true;
    config
}

/// The folder of a script: each has its own, so that none is found by accident.
fn prefix(at: usize) -> String {
    format!("s{at}")
}

/// The scripts in an order in which each comes after those it requires.
fn in_order(program: &Program<'_>) -> Vec<usize> {
    fn visit(program: &Program<'_>, at: usize, seen: &mut BTreeSet<usize>, order: &mut Vec<usize>) {
        if !seen.insert(at) {
            return;
        }
        for require in &program.chunk(at).requires {
            if let Some(required) = program.required(at, &require.name) {
                visit(program, required, seen, order);
            }
        }
        order.push(at);
    }
    let (mut seen, mut order) = (BTreeSet::new(), Vec::new());
    for at in 0..program.chunks.len() {
        visit(program, at, &mut seen, &mut order);
    }
    order
}

/// The text of a script with annotations that its author need not write: the type of `ctx`, and the location of
/// required scripts.
struct Annotated {
    text: String,
    /// The places and lengths of the insertions, in the original text.
    added: Vec<(usize, usize)>,
}

impl Annotated {
    fn new(program: &Program<'_>, at: usize) -> Annotated {
        let chunk = program.chunk(at);
        let mut additions: BTreeMap<usize, String> = BTreeMap::new();
        for local in &chunk.contexts {
            if let Some((place, note)) = note(chunk, *local) {
                additions.entry(place).or_default().push_str(&note);
            }
        }
        for require in &chunk.requires {
            let name = require.call.get_args_list().and_then(|args| args.get_args().next()).map(|name| range(&name));
            let quoted = name.filter(|name| chunk.input.text.cut(name.clone()).starts_with(['"', '\'']));
            if let Some((quoted, required)) = quoted.zip(program.required(at, &require.name)) {
                additions.insert(quoted.start.saturating_add(1), format!("{}.", prefix(required)));
            }
        }
        let (mut text, mut added, mut from) = (String::new(), Vec::new(), 0);
        for (place, addition) in additions {
            text.push_str(chunk.input.text.cut(from..place));
            text.push_str(&addition);
            added.push((place, addition.len()));
            from = place;
        }
        text.push_str(chunk.input.text.cut(from..));
        Annotated { text, added }
    }

    /// The place in the original text of a place in the new one.
    fn original(&self, place: usize) -> usize {
        let mut before = place;
        for (at, len) in &self.added {
            match before.checked_sub(*len).filter(|before| before >= at) {
                Some(shorter) => before = shorter,
                None => break,
            }
        }
        before
    }

    fn kinds(&self, model: &SemanticModel<'_>) -> BTreeMap<(usize, usize), Kinds> {
        let mut found = BTreeMap::new();
        for expr in model.get_root().descendants::<LuaExpr>() {
            if matches!(expr, LuaExpr::LiteralExpr(_) | LuaExpr::ClosureExpr(_) | LuaExpr::TableExpr(_)) {
                continue;
            }
            let place = expr.get_range();
            let (start, end) = (usize::from(place.start()), usize::from(place.end()));
            let kinds = model.infer_expr(expr).map_or(Kinds::ANY, |ty| kinds_of(&ty));
            found.insert((self.original(start), self.original(end)), kinds);
        }
        found
    }
}

/// The annotation of a parameter that is `ctx`, and its place; `None` if the author has written one.
fn note(chunk: &Chunk<'_>, local: usize) -> Option<(usize, String)> {
    let scope = &chunk.scope;
    let closure = scope.function(scope.local(local).function).closure.clone()?;
    let around = closure.syntax().parent()?;
    let owner = matches!(
        around.kind(),
        Kind::FuncStat
            | Kind::LocalFuncStat
            | Kind::LocalStat
            | Kind::AssignStat
            | Kind::TableFieldAssign
            | Kind::TableFieldValue
    );
    if !owner {
        return None;
    }
    let place = around.range().start;
    let before = chunk.input.text.cut(..place);
    let name = &scope.local(local).name;
    let comments = before.lines().rev().skip_while(|line| line.trim().is_empty());
    let has_own = comments
        .take_while(|line| line.trim_start().starts_with("--"))
        .any(|line| line.split_once("@param").is_some_and(|(_, param)| param.split_whitespace().next() == Some(name)));
    if has_own {
        return None;
    }
    let line = before.rsplit('\n').next().unwrap_or("");
    let fresh_line = if line.trim().is_empty() { "" } else { "\n" };
    Some((place, format!("{fresh_line}---@param {name} Context\n")))
}

fn kinds_of(ty: &LuaType) -> Kinds {
    match ty {
        LuaType::Nil => Kinds::NIL,
        LuaType::Boolean | LuaType::BooleanConst(_) | LuaType::DocBooleanConst(_) | LuaType::TypeGuard(_) => {
            Kinds::BOOL
        }
        LuaType::String | LuaType::StringConst(_) | LuaType::DocStringConst(_) => Kinds::TEXT,
        LuaType::Integer
        | LuaType::Number
        | LuaType::IntegerConst(_)
        | LuaType::FloatConst(_)
        | LuaType::DocIntegerConst(_) => Kinds::NUMBER,
        LuaType::Table
        | LuaType::TableConst(_)
        | LuaType::Array(_)
        | LuaType::Tuple(_)
        | LuaType::Object(_)
        | LuaType::TableGeneric(_) => Kinds::TABLE,
        LuaType::Function | LuaType::DocFunction(_) | LuaType::Signature(_) => Kinds::FUNCTION,
        LuaType::Ref(id) | LuaType::Def(id) => Kinds::parse(id.get_name()),
        LuaType::Union(union) => union.into_vec().iter().fold(Kinds::NONE, |kinds, ty| kinds | kinds_of(ty)),
        LuaType::Instance(instance) => kinds_of(instance.get_base()),
        LuaType::Variadic(values) => values.get_type(0).map_or(Kinds::ANY, kinds_of),
        _ => Kinds::ANY,
    }
}
