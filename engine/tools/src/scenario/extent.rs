//! The size of a scenario file: the number of its cases, and of the values in them.
//!
//! A few lines of a matrix can ask for millions of cases, and each case repeats the content of the file. So the size is
//! counted before the cases are built.

use rulepack_model::visible::with_commas;
use rulepack_model::{Code, Diagnostic, Node, Span, Table, Value};

use super::matrix::MATRIX_KEYS;

/// Cases of one file.
const MOST_CASES: usize = 1_000;
/// Cases of all files of a pack.
const MOST_CASES_OF_PACK: usize = 100_000;
/// Values of all cases of a pack, each with the content of its file for all cases.
const MOST_VALUES_OF_PACK: usize = 1_000_000;

/// The size of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    cases: usize,
    values: usize,
    /// The matrix or the list of cases that asks for them.
    at: Option<Span>,
}

impl Extent {
    pub(super) fn of(table: &Table) -> Extent {
        let part = |table: &Table, key: &str| table.get(key).and_then(Node::as_table).cloned().unwrap_or_default();
        let matrix = part(table, "matrix");
        let whole = values_of(table, &["case", "matrix"]);
        let key = |key: &str| table.entries.get(key).map(|entry| entry.key);
        let mut extent = Extent { cases: 0, values: 0, at: key("matrix") };
        let Some(cases) = table.get("case").and_then(Node::as_list) else {
            extent.add(combinations(&matrix, &Table::default()), whole);
            return extent;
        };
        let own_matrix =
            |case: &Table| case.entries.get("matrix").map(|entry| entry.key).filter(|_| extent.at.is_none());
        let first = cases.iter().filter_map(Node::as_table).find_map(own_matrix);
        extent.at = extent.at.or(first).or(key("case"));
        for case in cases.iter().filter_map(Node::as_table) {
            let values = whole.saturating_add(values_of(case, &["matrix"]));
            extent.add(combinations(&matrix, &part(case, "matrix")), values);
        }
        extent
    }

    fn add(&mut self, cases: usize, values: usize) {
        self.cases = self.cases.saturating_add(cases);
        self.values = self.values.saturating_add(cases.saturating_mul(values));
    }

    /// Why a file is refused because of its own size, if it is.
    pub(super) fn refusal(&self, top: Span) -> Option<Diagnostic> {
        if self.cases <= MOST_CASES {
            return None;
        }
        let most = with_commas(MOST_CASES);
        let message = format!("this file has {} cases: at most {most} are allowed", with_commas(self.cases));
        let help = "let `matrix` list fewer entries, or spread the cases over several files";
        Some(Diagnostic::error(Code::WrongValue, message).at(self.at.unwrap_or(top)).help(help))
    }
}

/// The room that earlier files have left in a pack.
#[derive(Debug)]
pub(super) struct Room {
    cases: usize,
    values: usize,
}

impl Default for Room {
    fn default() -> Self {
        Room { cases: MOST_CASES_OF_PACK, values: MOST_VALUES_OF_PACK }
    }
}

impl Room {
    /// Takes the room of a file; returns why there is none, if so. A file that is refused by itself takes none.
    pub(super) fn take(&mut self, extent: &Extent, top: Span) -> Option<Diagnostic> {
        if extent.refusal(top).is_some() {
            return None;
        }
        let (cases, values) = (self.cases.checked_sub(extent.cases), self.values.checked_sub(extent.values));
        if let (Some(cases), Some(values)) = (cases, values) {
            (self.cases, self.values) = (cases, values);
            return None;
        }
        let (most, what) = match cases {
            None => (MOST_CASES_OF_PACK, "cases"),
            Some(_) => (MOST_VALUES_OF_PACK, "values, counted once for each case that they hold for"),
        };
        let message = format!(
            "with this file, the scenarios have more than {} {what}: it and those that do not fit in are not read",
            with_commas(most)
        );
        let help = "let `matrix` list fewer entries, or say less for all cases of the file";
        Some(Diagnostic::error(Code::WrongValue, message).at(extent.at.unwrap_or(top)).help(help))
    }
}

/// The number of cases that the matrix of a file makes of one case.
fn combinations(whole: &Table, case: &Table) -> usize {
    let entries = |key: &str| case.get(key).or(whole.get(key)).and_then(Node::as_list).map_or(1, <[Node]>::len);
    MATRIX_KEYS.iter().map(|key| entries(key).max(1)).fold(1, usize::saturating_mul)
}

fn values_of(table: &Table, without: &[&str]) -> usize {
    let entries = table.iter().filter(|(key, _)| !without.contains(key));
    entries.map(|(_, entry)| values_in(&entry.node)).fold(0, usize::saturating_add)
}

/// Values in a tree; eight characters of a text count as one more.
fn values_in(node: &Node) -> usize {
    let inside = match &node.value {
        Value::Str(text) | Value::Date(text) => text.len() / 8,
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => 0,
        Value::List(items) => items.iter().map(values_in).fold(0, usize::saturating_add),
        Value::Table(table) => values_of(table, &[]),
    };
    inside.saturating_add(1)
}
