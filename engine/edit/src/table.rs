//! Definitions as rows of a table, and edited rows back into the files.
//!
//! A row is a definition: its kind, its id, the file in which it stands, and one column for each field. Fields of inner tables are
//! joined by dots: `count.per_player`. On the way back only cells that differ from what stands in the file change it.

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{DocumentMut, Formatted, Item, TableLike, Value};

use crate::format::format;

/// A file with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A table of texts; the first row names the columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows(pub Vec<Vec<String>>);

/// A mistake in an edited table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowMistake {
    /// The row, counted from 1; the first one names the columns.
    pub row: usize,
    /// What is wrong, and what to write instead.
    pub what: String,
}

/// A cell that differs from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The row, counted from 1.
    pub row: usize,
    /// The definition and the field: `card.inn.cost`.
    pub field: String,
}

/// Files with the changes of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edited {
    /// The files that change, as they will be.
    pub files: Vec<File>,
    /// What changes.
    pub changes: Vec<Change>,
}

/// The columns that say what a row is about.
const FIXED: [&str; 3] = ["kind", "id", "file"];

/// The most columns and rows of a table that is read.
const MOST: usize = 20_000;

/// How an empty text is written, because an empty cell means that there is no value.
const EMPTY: &str = "\"\"";

/// What a cell begins with that programs for tables take for a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The definitions of a kind in some files, as rows.
///
/// # Errors
/// The path of a file that is not TOML, and why.
pub fn rows(kind: &str, files: &[File]) -> Result<Rows, String> {
    let mut columns: Vec<String> = Vec::new();
    let mut found: Vec<(String, String, BTreeMap<String, String>)> = Vec::new();
    for file in files {
        let document = read(file)?;
        let Some(definitions) = document.get(kind).and_then(Item::as_table_like) else { continue };
        for (id, item) in definitions.iter() {
            // A list of types is no type.
            let Some(fields) = item.as_table_like().filter(|_| id != "each") else { continue };
            let mut cells = BTreeMap::new();
            leaves(fields, "", &mut |key, value| {
                if !columns.iter().any(|known| known == &key) {
                    columns.push(key.clone());
                }
                cells.insert(key, cell(value));
            });
            found.push((id.to_string(), file.path.clone(), cells));
        }
    }
    let fixed = FIXED.iter().map(|name| (*name).to_string());
    let mut all = vec![fixed.chain(columns.iter().cloned()).collect::<Vec<String>>()];
    for (id, path, mut cells) in found {
        let values = columns.iter().map(|column| cells.remove(column).unwrap_or_default());
        all.push([kind.to_string(), id, path].into_iter().chain(values.collect::<Vec<_>>()).collect());
    }
    Ok(Rows(all))
}

/// The kinds of definitions in some files.
///
/// # Errors
/// The path of a file that is not TOML, and why.
pub fn kinds(files: &[File]) -> Result<BTreeSet<String>, String> {
    let mut kinds = BTreeSet::new();
    for file in files {
        let document = read(file)?;
        let has_definitions =
            |item: &Item| item.as_table_like().is_some_and(|all| all.iter().any(|(_, item)| item.is_table_like()));
        kinds.extend(document.iter().filter(|(_, item)| has_definitions(item)).map(|(kind, _)| kind.to_string()));
    }
    Ok(kinds)
}

fn read(file: &File) -> Result<DocumentMut, String> {
    file.text.parse().map_err(|error: toml_edit::TomlError| format!("`{}`: {}", file.path, error.message()))
}

/// Every value below a table, with its key.
fn leaves(fields: &dyn TableLike, above: &str, each: &mut dyn FnMut(String, &Value)) {
    for (key, item) in fields.iter() {
        let key = if above.is_empty() { key.to_string() } else { format!("{above}.{key}") };
        match (item.as_table_like(), item.as_value()) {
            (Some(inner), _) => leaves(inner, &key, each),
            (None, Some(value)) => each(key, value),
            (None, None) => {}
        }
    }
}

/// A value as it stands in a cell.
fn cell(value: &Value) -> String {
    match value {
        Value::String(text) if text.value().is_empty() => EMPTY.to_string(),
        Value::String(text) => with_guard(text.value()),
        Value::Integer(number) => number.value().to_string(),
        Value::Float(number) => number.value().to_string(),
        Value::Boolean(flag) => flag.value().to_string(),
        Value::Datetime(date) => date.value().to_string(),
        Value::Array(_) | Value::InlineTable(_) => {
            let mut plain = value.clone();
            plain.decor_mut().clear();
            plain.to_string()
        }
    }
}

/// A text that no program takes for a formula.
fn with_guard(text: &str) -> String {
    let is_guard = text.starts_with('\'') && text.get(1..).is_some_and(|rest| rest.starts_with(FORMULA));
    if text.starts_with(FORMULA) || is_guard { format!("'{text}") } else { text.to_string() }
}

/// The text of a cell.
fn without_guard(cell: &str) -> String {
    let cell = cell.replace("\r\n", "\n");
    match cell.strip_prefix('\'') {
        Some(rest) if rest.starts_with(FORMULA) || rest.starts_with('\'') => rest.to_string(),
        _ => cell,
    }
}

/// The table as CSV.
///
/// # Errors
/// If a row cannot be written.
pub fn write_csv(rows: &Rows) -> Result<String, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in &rows.0 {
        writer.write_record(row).map_err(|error| error.to_string())?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// Reads CSV with commas or semicolons, as programs for tables write it.
///
/// # Errors
/// What is wrong, with its row.
pub fn read_csv(text: &str) -> Result<Rows, RowMistake> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let head = text.lines().next().unwrap_or_default();
    let delimiter = if head.contains(';') && !head.contains(',') { b';' } else { b',' };
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let row = index + 1;
        let record = record.map_err(|error| RowMistake { row, what: error.to_string() })?;
        if row > MOST || record.len() > MOST {
            return Err(RowMistake { row, what: format!("a table has at most {MOST} rows and columns") });
        }
        rows.push(record.iter().map(str::to_string).collect());
    }
    Ok(Rows(rows))
}

/// The files with the changes of a table. Nothing else in them changes.
///
/// # Errors
/// Every mistake in the table, with its row. Then nothing is to be changed.
pub fn edited(rows: &Rows, files: &[File]) -> Result<Edited, Vec<RowMistake>> {
    let Some((head, body)) = rows.0.split_first() else {
        return Err(vec![RowMistake {
            row: 1,
            what: "the table is empty; its first row names the columns".to_string(),
        }]);
    };
    let mut mistakes = columns_of(head);
    let mut documents: Vec<(&File, DocumentMut)> = Vec::new();
    for file in files {
        match read(file) {
            Ok(document) => documents.push((file, document)),
            Err(what) => mistakes.push(RowMistake { row: 1, what }),
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut changes = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, row) in body.iter().enumerate() {
        let number = index + 2;
        let cell = |name: &str| {
            let at = head.iter().position(|column| column.trim() == name);
            at.and_then(|at| row.get(at)).map_or("", |cell| cell.trim())
        };
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let (kind, id) = (cell("kind"), cell("id"));
        let wrong = |what: String| RowMistake { row: number, what };
        if row.len() > head.len() {
            mistakes.push(wrong(format!("the row has {} cells, and there are {} columns", row.len(), head.len())));
            continue;
        }
        if !seen.insert((kind, id)) {
            mistakes.push(wrong(format!("`{kind}.{id}` stands in two rows; remove one of them")));
            continue;
        }
        let place = |(_, document): &&mut (&File, DocumentMut)| {
            document.get(kind).and_then(|kind| kind.get(id)).is_some_and(|item| item.as_table_like().is_some())
        };
        let Some((_, document)) = documents.iter_mut().find(place) else {
            mistakes.push(wrong(format!(
                "the pack has no `{kind}.{id}`; new definitions are written into a file of the pack"
            )));
            continue;
        };
        let fields = document.get_mut(kind).and_then(|kind| kind.get_mut(id)).and_then(Item::as_table_like_mut);
        let Some(fields) = fields else { continue };
        for (column, cell) in head.iter().zip(row) {
            let column = column.trim();
            if FIXED.contains(&column) || column.is_empty() {
                continue;
            }
            match set(fields, column, cell) {
                Ok(false) => {}
                Ok(true) => changes.push(Change { row: number, field: format!("{kind}.{id}.{column}") }),
                Err(what) => mistakes.push(wrong(format!("`{column}`: {what}"))),
            }
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut files = Vec::new();
    for (file, document) in documents {
        let mut text = document.to_string();
        if text == file.text {
            continue;
        }
        // A file that was formatted stays so.
        if let (Ok(before), Ok(after)) = (format(&file.text), format(&text))
            && before == file.text
        {
            text = after;
        }
        files.push(File { path: file.path.clone(), text });
    }
    Ok(Edited { files, changes })
}

/// What is wrong with the names of the columns.
fn columns_of(head: &[String]) -> Vec<RowMistake> {
    let wrong = |what: String| RowMistake { row: 1, what };
    let names: Vec<&str> = head.iter().map(|name| name.trim()).collect();
    let mut mistakes = Vec::new();
    for needed in ["kind", "id"] {
        if !names.contains(&needed) {
            mistakes.push(wrong(format!(
                "there is no column `{needed}`; leave the columns of the exported table as they are"
            )));
        }
    }
    for (index, name) in names.iter().enumerate() {
        if !name.is_empty() && names.iter().take(index).any(|other| other == name) {
            mistakes.push(wrong(format!("two columns are called `{name}`")));
        }
    }
    mistakes
}

/// Writes a cell into a definition, if it differs from what stands there; says whether it does.
fn set(fields: &mut dyn TableLike, column: &str, new: &str) -> Result<bool, String> {
    let (last, above) = match column.rsplit_once('.') {
        Some((above, last)) => (last, above.split('.').collect::<Vec<_>>()),
        None => (column, Vec::new()),
    };
    let mut table: &mut dyn TableLike = fields;
    for key in above {
        // A table that is not there yet is made only for a value.
        if new.is_empty() && !table.get(key).is_some_and(Item::is_table_like) {
            return Ok(false);
        }
        if !table.contains_key(key) {
            let mut inner = toml_edit::InlineTable::new();
            inner.set_dotted(true);
            table.insert(key, Item::Value(Value::InlineTable(inner)));
        }
        let inner = table.get_mut(key).and_then(Item::as_table_like_mut);
        table = inner.ok_or_else(|| format!("`{key}` is no table, so that it has no field `{last}`"))?;
    }
    if table.get(last).is_some_and(Item::is_table_like) {
        // Its fields have columns of their own, so this cell was empty.
        if new.is_empty() {
            return Ok(false);
        }
        return Err(format!("`{last}` is a table here: write its fields, such as `{column}.FIELD`"));
    }
    let old = table.get(last).and_then(Item::as_value);
    let before = old.map(cell).unwrap_or_default();
    if without_guard(&before) == without_guard(new) {
        return Ok(false);
    }
    if new.is_empty() {
        table.remove(last);
        return Ok(true);
    }
    let mut value = parsed(old, new)?;
    match table.get_mut(last).and_then(Item::as_value_mut) {
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => {
            table.insert(last, Item::Value(value));
        }
    }
    Ok(true)
}

/// The value that a cell stands for: of the sort that was there, or else a number, true or false, or a text.
fn parsed(old: Option<&Value>, new: &str) -> Result<Value, String> {
    let text = if new == EMPTY { String::new() } else { without_guard(new) };
    let number = || text.trim().parse::<i64>().ok();
    Ok(match old {
        Some(Value::String(_)) => Value::String(Formatted::new(text)),
        Some(Value::Boolean(_)) => match text.trim().to_lowercase().as_str() {
            "true" => Value::from(true),
            "false" => Value::from(false),
            other => return Err(format!("`{other}` is neither `true` nor `false`")),
        },
        Some(Value::Array(_) | Value::InlineTable(_)) => {
            let value = text.parse::<Value>();
            value.map_err(|_| format!("`{text}` is no list; write it as in a file, such as `[\"a\", \"b\"]`"))?
        }
        Some(Value::Integer(_) | Value::Float(_) | Value::Datetime(_)) | None => match (number(), text.as_str()) {
            (Some(number), _) => Value::from(number),
            (None, "true") => Value::from(true),
            (None, "false") => Value::from(false),
            (None, list) if list.starts_with('[') && list.parse::<Value>().is_ok() => {
                list.parse::<Value>().unwrap_or_else(|_| Value::from(list))
            }
            // A count may be a formula.
            (None, other) => Value::from(other),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARDS: &str = "# The houses.\n[card.inn]\ntitle   = \"Inn\"           # by the quay\ncount   = 3\ncost    = \"2 coin\"\npower   = 1\nflag    = true\non.sold = \"gain 1 coin\"\ntags    = [\"a\", \"b\"]\n\n# It turns.\n[card.mill]\ntitle = \"Mill, =old\"\ntext  = \"\"\"\nOne.\nTwo.\"\"\"\ncost  = \"\"\npower = -2\nsum   = \"=1+1\"\ncount = { per_player = 1 }\n";

    fn files() -> Vec<File> {
        vec![File { path: "cards.toml".to_string(), text: CARDS.to_string() }]
    }

    /// The file after a cell was changed.
    #[track_caller]
    fn with(id: &str, column: &str, cell: &str) -> Result<Edited, Vec<RowMistake>> {
        let mut rows = rows("card", &files()).expect("they are read");
        let at = rows.0[0].iter().position(|name| name == column).unwrap_or_else(|| {
            let new = rows.0[0].len();
            rows.0.iter_mut().for_each(|row| row.push(String::new()));
            rows.0[0][new] = column.to_string();
            new
        });
        let row = rows.0.iter_mut().find(|row| row[1] == id).expect("it is there");
        row[at] = cell.to_string();
        edited(&read_csv(&write_csv(&rows).expect("it is written")).expect("it is read"), &files())
    }

    #[track_caller]
    fn check(id: &str, column: &str, cell: &str, (before, after): (&str, &str)) {
        let edited = with(id, column, cell).expect("it fits");
        assert!(CARDS.contains(before), "{before}");
        assert_eq!(edited.files[0].text, CARDS.replacen(before, after, 1));
        assert_eq!(edited.changes.len(), 1);
    }

    #[test]
    fn out_and_in_changes_nothing() {
        let rows = rows("card", &files()).expect("they are read");
        assert_eq!(rows.0[0][..5], ["kind", "id", "file", "title", "count"]);
        let csv = write_csv(&rows).expect("it is written");
        assert_eq!(edited(&read_csv(&csv).expect("it is read"), &files()), Ok(Edited::default()));
        // As programs for tables save it.
        let saved = format!("\u{feff}{}", csv.replace('\n', "\r\n"));
        assert_eq!(edited(&read_csv(&saved).expect("it is read"), &files()), Ok(Edited::default()));
    }

    #[test]
    fn no_cell_begins_like_a_formula() {
        let rows = rows("card", &files()).expect("they are read");
        let is_formula = |cell: &&String| cell.starts_with(FORMULA) && cell.parse::<i64>().is_err();
        assert_eq!(rows.0.iter().flatten().find(is_formula), None);
        assert!(rows.0.iter().flatten().any(|cell| cell == "'=1+1"));
    }

    #[test]
    fn a_cell_changes_its_field_and_nothing_else() {
        check("inn", "cost", "3 coin", ("\"2 coin\"", "\"3 coin\""));
        check("inn", "title", "The \"Inn\"", ("\"Inn\"", "'The \"Inn\"'"));
        check("inn", "power", "4", ("power   = 1", "power   = 4"));
        check("inn", "flag", "FALSE", ("flag    = true", "flag    = false"));
        check("inn", "on.sold", "gain 2 coin", ("gain 1 coin", "gain 2 coin"));
        check("inn", "tags", "[\"c\"]", ("[\"a\", \"b\"]", "[\"c\"]"));
        check("mill", "count.per_player", "2", ("per_player = 1", "per_player = 2"));
        check("mill", "sum", "'=2", ("\"=1+1\"", "\"=2\""));
        check("mill", "cost", "1 coin", ("cost  = \"\"", "cost  = \"1 coin\""));
        check("mill", "power", "", ("power = -2\n", ""));
        check("mill", "power", "players * 2", ("power = -2", "power = \"players * 2\""));
    }

    #[test]
    fn a_new_field_is_added() {
        check("mill", "size", "3", ("count = { per_player = 1 }\n", "count = { per_player = 1 }\nsize  = 3\n"));
    }

    #[test]
    fn mistakes_name_their_row() {
        let what = |result: Result<Edited, Vec<RowMistake>>| {
            let mistakes = result.expect_err("it is wrong");
            mistakes.into_iter().map(|mistake| (mistake.row, mistake.what)).collect::<Vec<_>>()
        };
        assert_eq!(what(with("mill", "id", "miller"))[0].0, 3);
        assert_eq!(what(with("mill", "id", "inn"))[0], (3, "`card.inn` stands in two rows; remove one of them".into()));
        assert_eq!(what(with("inn", "flag", "maybe"))[0], (2, "`flag`: `maybe` is neither `true` nor `false`".into()));
        assert_eq!(what(with("inn", "tags", "a b"))[0].0, 2);
        assert_eq!(what(with("mill", "count", "2"))[0].0, 3);
        assert_eq!(what(edited(&Rows(vec![]), &files()))[0].0, 1);
        let without = Rows(vec![vec!["id".to_string()]]);
        assert_eq!(what(edited(&without, &files()))[0].0, 1);
    }
}
