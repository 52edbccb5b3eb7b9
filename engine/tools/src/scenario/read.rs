//! Reads scenarios from a TOML table: checks the keys, and lays each case over the part of the file that is for all cases.
//!
//! Names of the game are not looked up here (see `names.rs`): the modes that decide which names there are stand in the
//! very same file.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use rulepack_model::visible::with_commas;
use rulepack_model::{Code, Diagnostic, Entry, FileId, Node, Span, Table, Value, did_you_mean};
use rulepack_pack::Word;

use super::empty::{any_refusal, empty_part, is_blank, no_answer, says_nothing};
use super::extent::Extent;
use super::{Begin, FlatList, Scenario, Step, Steps};

/// The keys of a scenario file.
pub const FILE_KEYS: [&str; 10] =
    ["about", "covers", "example", "pack", "matrix", "legend", "given", "when", "then", "case"];
/// The keys of a case.
pub const CASE_KEYS: [&str; 9] = ["name", "about", "covers", "example", "matrix", "legend", "given", "when", "then"];
/// The keys of `given`.
pub const GIVEN_KEYS: [&str; 16] = [
    "with", "modes", "players", "seed", "from", "first", "turn", "vars", "passed", "out", "rolls", "supply", "aside",
    "each", "seat", "zone",
];
/// The keys of a step.
pub const STEP_KEYS: [&str; 9] =
    ["seat", "choose", "refused", "offered", "all_offered", "not_offered", "none_offered", "options", "then"];

/// The keys of a step that name answers.
const ANSWER_KEYS: [&str; 5] = ["choose", "offered", "all_offered", "not_offered", "none_offered"];

/// The largest number of players in a scenario.
const MAX_PLAYERS: i64 = 32;

/// Steps of a file, and of a case.
const MOST_STEPS: usize = 1_000;

/// Words of one path of answers. A game of 500 moves, as `check --scenarios` writes it, has fewer.
const MOST_WORDS: usize = 2_000;

/// Reads the scenarios of one file. `pack` is the pack whose folder it lies in, if it lies in one.
pub(super) fn read_file(
    file: FileId,
    path: &str,
    pack: Option<&str>,
    table: &Table,
    out: &mut Vec<Diagnostic>,
) -> Vec<Scenario> {
    let mut fields = Fields { out };
    fields.known(table, &FILE_KEYS, "a scenario");
    let named = fields.word(table, "pack");
    let pack_span = named.as_ref().map(|named| named.span);
    let pack = match (named, pack) {
        (Some(named), _) => named.text,
        (None, Some(pack)) => pack.to_string(),
        (None, None) => {
            fields.out.push(
                Diagnostic::error(Code::MissingKey, "a scenario outside a pack says which pack it is for")
                    .at(Span::top(file))
                    .help("write `pack = \"ID\"` at the top"),
            );
            return Vec::new();
        }
    };
    if let Some(refusal) = Extent::of(table).refusal(Span::top(file)) {
        fields.out.push(refusal);
        return Vec::new();
    }
    let mut told = Told::default();
    let whole = Parts::read(table, None, &mut fields);
    let cases = match table.get("case") {
        None => {
            let all = whole.expanded(None, &mut fields).into_iter();
            let scenarios = all.map(|(name, parts)| {
                let scenario = parts.scenario(file, path, &pack, name, Span::top(file), &mut fields);
                told.forget_repeats(fields.out);
                Scenario { pack_span, ..scenario }
            });
            return scenarios.collect();
        }
        Some(node) => {
            let cases = fields.tables(node, "case");
            if cases.is_empty() && node.as_list().is_some() {
                fields.out.push(empty_part("case", node.span));
            }
            cases
        }
    };
    let mut names = HashSet::new();
    let mut scenarios = Vec::new();
    for (span, case) in cases {
        fields.known(case, &CASE_KEYS, "a case");
        let Some(name) = fields.word(case, "name") else {
            let diagnostic = Diagnostic::error(Code::MissingKey, "a case needs a name").at(span);
            fields.out.push(diagnostic.help("write `name = \"…\"`"));
            continue;
        };
        if !names.insert(name.text.clone()) {
            let message = format!("two cases of this file are called `{}`", name.text);
            fields.out.push(Diagnostic::error(Code::DuplicateId, message).at(name.span));
        }
        let parts = whole.clone().with(Parts::read(case, Some(&whole), &mut fields));
        for (case, parts) in parts.expanded(Some(name.text), &mut fields) {
            let scenario = parts.scenario(file, path, &pack, case, name.span, &mut fields);
            scenarios.push(Scenario { pack_span, ..scenario });
            told.forget_repeats(fields.out);
        }
    }
    scenarios
}

/// The mistakes reported so far. The part of a file that is for all cases is read again for each case.
#[derive(Default)]
struct Told {
    known: HashSet<(Option<Span>, String)>,
    count: usize,
}

impl Told {
    /// Leaves out the last mistakes if they were there before.
    fn forget_repeats(&mut self, out: &mut Vec<Diagnostic>) {
        let last = out.split_off(self.count.min(out.len()));
        let place = |mistake: &Diagnostic| mistake.labels.first().map(|label| label.span);
        out.extend(last.into_iter().filter(|mistake| self.known.insert((place(mistake), mistake.message.clone()))));
        self.count = out.len();
    }
}

/// The content of a file or of a case.
#[derive(Clone, Default)]
pub(super) struct Parts {
    about: String,
    covers: Vec<Word>,
    examples: Vec<Word>,
    pub(super) matrix: Table,
    legend: Table,
    pub(super) given: Table,
    of_file: Arc<[Step]>,
    of_case: Arc<[Step]>,
    /// Whether there are steps, even with mistakes.
    has_steps: bool,
    then: Table,
    /// Whether a part of it was refused because it is empty.
    has_empty: bool,
}

impl Parts {
    /// Reads the content of a file, or of a case; `whole` is the content of the file of a case.
    fn read(table: &Table, whole: Option<&Parts>, fields: &mut Fields<'_>) -> Parts {
        let mut has_empty = false;
        for key in ["matrix", "given", "when", "then"] {
            let Some(entry) = table.entries.get(key) else { continue };
            let is_empty = |node: &Node| match &node.value {
                Value::Table(table) => table.is_empty(),
                Value::List(items) => items.is_empty(),
                _ => false,
            };
            if is_empty(&entry.node) {
                fields.out.push(empty_part(key, entry.key));
                has_empty = true;
            }
            // An empty list in a case is useful if it replaces a list of the file.
            for key in ["with", "modes", "rolls"].into_iter().filter(|_| key == "given") {
                let entry = entry.node.as_table().and_then(|given| given.entries.get(key));
                let replaces = whole.is_some_and(|whole| whole.given.get(key).is_some());
                if let Some(entry) = entry.filter(|entry| is_empty(&entry.node) && !replaces) {
                    fields.out.push(empty_part(key, entry.key));
                }
            }
        }
        let part = |key: &str, fields: &mut Fields<'_>| match table.get(key).map(|node| (node, node.as_table())) {
            Some((_, Some(table))) => table.clone(),
            Some((node, None)) => {
                fields.wrong(node, key, "a table");
                Table::default()
            }
            None => Table::default(),
        };
        let (matrix, given, then) = (part("matrix", fields), part("given", fields), part("then", fields));
        let legend = part("legend", fields);
        let when = match table.get("when") {
            None => &[],
            Some(node) => fields.list(node, "when", "a list of steps"),
        };
        if let Some(node) = when.get(MOST_STEPS) {
            let (count, most) = (with_commas(when.len()), with_commas(MOST_STEPS));
            let message = format!("`when` has {count} steps: at most {most} are allowed");
            let help = "make several scenarios of it; each can begin with a table of its own under `given`";
            fields.out.push(Diagnostic::error(Code::WrongValue, message).at(node.span).help(help));
        }
        let steps = when.iter().take(MOST_STEPS).filter_map(|node| fields.step(node)).collect();
        let (of_file, of_case) = if whole.is_some() { (Arc::default(), steps) } else { (steps, Arc::default()) };
        Parts {
            about: fields.word(table, "about").map(|word| word.text).unwrap_or_default(),
            covers: fields.words(table, "covers"),
            examples: fields.words(table, "example"),
            matrix,
            legend,
            given,
            of_file,
            of_case,
            has_steps: !when.is_empty(),
            then,
            has_empty,
        }
    }

    /// The content of the file with that of a case laid over it.
    fn with(mut self, case: Parts) -> Parts {
        if !case.about.is_empty() {
            self.about = case.about;
        }
        self.covers.extend(case.covers);
        self.examples.extend(case.examples);
        self.matrix = merged(&self.matrix, &case.matrix);
        self.legend = merged(&self.legend, &case.legend);
        self.given = merged(&self.given, &case.given);
        self.of_case = case.of_case;
        self.has_steps |= case.has_steps;
        self.then = merged(&self.then, &case.then);
        self.has_empty |= case.has_empty;
        self
    }

    fn scenario(
        self,
        file: FileId,
        path: &str,
        pack: &str,
        case: Option<String>,
        at: Span,
        fields: &mut Fields<'_>,
    ) -> Scenario {
        let given = &self.given;
        fields.known(given, &GIVEN_KEYS, "`given`");
        let (seats, players) = fields.players(given);
        let seed = fields.int(given, "seed", 0, i64::MAX).map_or(1, |seed| seed as u64);
        let from = fields.from(given);
        // A misspelt key may be the missing part.
        let is_sound = fields.out.iter().all(|mistake| mistake.code == Code::EmptyScenario);
        if !self.has_steps && self.then.is_empty() && !self.has_empty && is_sound {
            fields.out.push(says_nothing(at));
        }
        Scenario {
            pack: pack.to_string(),
            pack_span: None,
            file,
            path: path.to_string(),
            case,
            about: self.about,
            covers: self.covers,
            examples: self.examples,
            with: fields.words(given, "with"),
            modes: fields.words(given, "modes"),
            seats,
            players,
            seed,
            from,
            legend: self.legend,
            given: self.given,
            when: Steps { of_file: self.of_file, of_case: self.of_case },
            then: self.then,
        }
    }
}

/// A table laid over another one: tables are joined, everything else is replaced.
pub(super) fn merged(below: &Table, above: &Table) -> Table {
    let mut result = below.clone();
    for (key, entry) in above.iter() {
        let joined = match (result.get(key).and_then(Node::as_table), entry.node.as_table()) {
            (Some(below), Some(above)) => {
                let node = Node { span: entry.node.span, value: Value::Table(merged(below, above)) };
                Entry { key: entry.key, node }
            }
            _ => entry.clone(),
        };
        result.entries.insert(key.to_string(), joined);
    }
    result
}

/// Reads keys of the right type and reports the others.
pub(super) struct Fields<'o> {
    pub(super) out: &'o mut Vec<Diagnostic>,
}

impl Fields<'_> {
    pub(super) fn known(&mut self, table: &Table, keys: &[&str], what: &str) {
        for (key, entry) in table.iter().filter(|(key, _)| !keys.contains(key)) {
            let message = format!("{what} has no key `{key}`");
            let help = did_you_mean(key, keys.iter().copied())
                .unwrap_or_else(|| format!("the keys are {}", super::listed(keys.iter().copied())));
            self.out.push(Diagnostic::error(Code::UnknownKey, message).at(entry.key).help(help));
        }
    }

    pub(super) fn wrong(&mut self, node: &Node, key: &str, wanted: &str) {
        let message = format!("`{key}` must be {wanted}, not {}", node.describe());
        self.out.push(Diagnostic::error(Code::WrongType, message).at(node.span));
    }

    pub(super) fn list<'n>(&mut self, node: &'n Node, key: &str, wanted: &str) -> &'n [Node] {
        node.as_list().unwrap_or_else(|| {
            self.wrong(node, key, wanted);
            &[]
        })
    }

    pub(super) fn tables<'n>(&mut self, node: &'n Node, key: &str) -> Vec<(Span, &'n Table)> {
        let mut tables = Vec::new();
        for node in self.list(node, key, "a list of tables") {
            match node.as_table() {
                Some(table) => tables.push((node.span, table)),
                None => self.wrong(node, key, "a list of tables"),
            }
        }
        tables
    }

    pub(super) fn text(&mut self, node: &Node, key: &str) -> Option<Word> {
        match node.as_str() {
            Some(text) => Some(Word { text: text.to_string(), span: node.span }),
            None => {
                self.wrong(node, key, "a text");
                None
            }
        }
    }

    fn word(&mut self, table: &Table, key: &str) -> Option<Word> {
        table.get(key).and_then(|node| self.text(node, key))
    }

    /// One text, or a list of them.
    pub(super) fn words(&mut self, table: &Table, key: &str) -> Vec<Word> {
        match table.get(key) {
            None => Vec::new(),
            Some(node) => self.words_of(node, key),
        }
    }

    pub(super) fn words_of(&mut self, node: &Node, key: &str) -> Vec<Word> {
        match &node.value {
            Value::List(items) => items.iter().filter_map(|item| self.text(item, key)).collect(),
            _ => self.text(node, key).into_iter().collect(),
        }
    }

    pub(super) fn int(&mut self, table: &Table, key: &str, least: i64, most: i64) -> Option<i64> {
        table.get(key).and_then(|node| self.int_of(node, key, least, most))
    }

    pub(super) fn int_of(&mut self, node: &Node, key: &str, least: i64, most: i64) -> Option<i64> {
        match node.as_int() {
            Some(number) if (least..=most).contains(&number) => Some(number),
            Some(number) => {
                let message = format!("`{key}` cannot be {number}: it goes from {least} to {most}");
                self.out.push(Diagnostic::error(Code::WrongValue, message).at(node.span));
                None
            }
            None => {
                self.wrong(node, key, "a whole number");
                None
            }
        }
    }

    fn players(&mut self, given: &Table) -> (Vec<Word>, Option<u8>) {
        let Some(node) = given.get("players") else { return (Vec::new(), None) };
        if let Value::List(_) = node.value {
            let names = self.words_of(node, "players");
            let mut seen = BTreeSet::new();
            for name in &names {
                if !seen.insert(&name.text) {
                    let message = format!("two players are called `{}`", name.text);
                    self.out.push(Diagnostic::error(Code::DuplicateId, message).at(name.span));
                }
            }
            let count = u8::try_from(names.len()).unwrap_or(u8::MAX);
            return (names, Some(count));
        }
        let count = self.int_of(node, "players", 1, MAX_PLAYERS);
        (Vec::new(), count.and_then(|count| u8::try_from(count).ok()))
    }

    fn from(&mut self, given: &Table) -> Begin {
        let Some(word) = self.word(given, "from") else { return Begin::Play };
        match (word.text.as_str(), word.text.strip_prefix("phase:")) {
            ("play", _) => Begin::Play,
            ("turn", _) => Begin::Turn,
            ("setup", _) => Begin::Setup,
            (_, Some(name)) => Begin::Phase(Word { text: name.to_string(), span: word.span }),
            (text, None) => {
                let known = ["play", "turn", "setup", "phase:NAME"];
                let diagnostic = Diagnostic::error(Code::WrongValue, format!("a scenario cannot begin from `{text}`"));
                let help = did_you_mean(text, known).unwrap_or_else(|| format!("write {}", super::listed(known)));
                self.out.push(diagnostic.at(word.span).help(help));
                Begin::Play
            }
        }
    }

    fn step(&mut self, node: &Node) -> Option<Step> {
        let Some(table) = node.as_table() else {
            self.wrong(node, "when", "a list of tables");
            return None;
        };
        self.known(table, &STEP_KEYS, "a step");
        let has = |key: &str| table.get(key).is_some();
        if !STEP_KEYS.into_iter().any(|key| !["seat", "refused"].contains(&key) && has(key)) {
            let diagnostic =
                Diagnostic::error(Code::MissingKey, "a step says what is chosen, what is offered or what holds");
            self.out
                .push(diagnostic.at(node.span).help("write `choose`, `offered`, `not_offered`, `options` or `then`"));
            return None;
        }
        for (key, entry) in table.iter().filter(|(key, _)| ANSWER_KEYS.contains(key)) {
            if is_blank(&entry.node) {
                self.out.push(no_answer(key, entry.key));
            }
        }
        if let Some(entry) =
            table.entries.get("then").filter(|entry| entry.node.as_table().is_some_and(Table::is_empty))
        {
            self.out.push(empty_part("then", entry.key));
        }
        let refused = self.word(table, "refused");
        if let Some(entry) = table.entries.get("refused").filter(|entry| is_blank(&entry.node)) {
            self.out.push(any_refusal(entry.key));
        }
        if let Some(refused) = refused.as_ref().filter(|_| !has("choose")) {
            let diagnostic = Diagnostic::error(Code::MissingKey, "`refused` stands beside `choose`");
            self.out.push(diagnostic.at(refused.span).help("write what is chosen: `choose = [\"…\"]`"));
        }
        let mut flat = Vec::new();
        let mut paths = |one: &'static str, several: &'static str, fields: &mut Self| {
            let mut paths = fields.answers(table, one, &mut flat);
            let more = fields.words(table, several);
            paths.extend(more.iter().map(|path| fields.path(std::slice::from_ref(path), several)));
            paths
        };
        let (offered, not_offered) =
            (paths("offered", "all_offered", self), paths("not_offered", "none_offered", self));
        let chosen = self.words(table, "choose");
        let choose = self.path(&chosen, "choose");
        Some(Step {
            span: node.span,
            seat: self.word(table, "seat"),
            choose,
            refused: refused.map(|word| word.text),
            offered,
            not_offered,
            flat,
            options: table.get("options").map(|node| self.words_of(node, "options")),
            then: match table.get("then").map(|node| (node, node.as_table())) {
                Some((_, Some(then))) => then.clone(),
                Some((node, None)) => {
                    self.wrong(node, "then", "a table");
                    Table::default()
                }
                None => Table::default(),
            },
        })
    }

    /// One path of answers as a text or a list of words, or a list of such lists.
    fn answers(&mut self, table: &Table, key: &'static str, flat: &mut Vec<FlatList>) -> Vec<Vec<Word>> {
        let Some(node) = table.get(key) else { return Vec::new() };
        match node.as_list() {
            Some(items) if items.iter().any(|item| item.as_list().is_some()) => {
                let path = |item| {
                    let words = self.words_of(item, key);
                    self.path(&words, key)
                };
                items.iter().map(path).collect()
            }
            _ => {
                let items = self.words_of(node, key);
                let path = self.path(&items, key);
                if items.len() > 1 {
                    flat.push(FlatList { key, span: node.span, items });
                }
                vec![path]
            }
        }
    }

    /// The words of answers that are given one after the other.
    fn path(&mut self, words: &[Word], key: &str) -> Vec<Word> {
        let mut path: Vec<Word> = split(words).take(MOST_WORDS + 1).collect();
        if let Some(beyond) = path.get(MOST_WORDS) {
            let (count, most) = (with_commas(split(words).count()), with_commas(MOST_WORDS));
            let message = format!("`{key}` has {count} words: at most {most} are allowed");
            let help = "make several steps of it";
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(beyond.span).help(help));
            path.clear();
        }
        path
    }
}

/// `"build inn"` is the same as `"build", "inn"`.
fn split(words: &[Word]) -> impl Iterator<Item = Word> {
    let one = |span: Span| move |text: &str| Word { text: text.to_string(), span };
    words.iter().flat_map(move |word| word.text.split_whitespace().map(one(word.span)))
}
