//! What is on the screen: a pure function from a question, the table and the size of the window to lines. Drawing them is in
//! `terminal.rs`, the keys are in `talk.rs`.

use super::board::Board;
use super::text::{Line, Look, width};

/// From this width on, the options stand beside the table instead of below it.
const WIDE: usize = 110;

/// An option on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The key that takes it.
    pub key: Option<char>,
    /// What it is.
    pub text: String,
    /// What it costs, and what stands on the card.
    pub remark: String,
}

/// What one question shows.
pub struct Content<'c> {
    /// The first line of the screen.
    pub head: String,
    /// The table.
    pub board: Board<'c>,
    /// The question.
    pub question: String,
    /// Its options.
    pub choices: Vec<Choice>,
    /// What has happened, the last at the end.
    pub log: &'c [String],
    /// The last line of the screen.
    pub foot: String,
}

/// What covers a part of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cover {
    /// Nothing.
    Nothing,
    /// Something to read: any key ends it.
    Told(Vec<Line>),
    /// Something to type, in the last line.
    Typing {
        /// What is typed.
        about: String,
        /// As far as it is typed.
        text: String,
        /// What it leads to so far.
        found: Vec<Line>,
    },
}

/// What the player has scrolled to, selected and typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The first line of the table.
    pub scroll: usize,
    /// The selected option.
    pub selected: usize,
    /// What options must contain.
    pub search: String,
    /// What lies over it.
    pub cover: Cover,
}

/// The lines of a screen, and how far the table can be scrolled.
#[derive(Debug)]
pub struct Screen {
    /// As many as the window has.
    pub lines: Vec<Line>,
    /// The largest useful `scroll`.
    pub most_scroll: usize,
    /// How many lines of the table are shown.
    pub page: usize,
}

impl Content<'_> {
    /// The options that fit a search.
    pub fn fitting(&self, search: &str) -> Vec<usize> {
        let search = search.to_lowercase();
        let fits = |choice: &Choice| {
            search.is_empty()
                || choice.text.to_lowercase().contains(&search)
                || choice.remark.to_lowercase().contains(&search)
        };
        self.choices.iter().enumerate().filter(|(_, choice)| fits(choice)).map(|(index, _)| index).collect()
    }

    /// The screen.
    pub fn screen(&self, place: &Place, columns: usize, rows: usize) -> Screen {
        let (columns, rows) = (columns.max(20), rows.max(6));
        let head = Line::of(&format!(" {}", self.head), Look::Head).cut(columns);
        let body = rows - 2;
        let (mut lines, most_scroll, page) = match columns >= WIDE {
            true => self.beside(place, columns, body),
            false => self.below(place, columns, body),
        };
        let over = match &place.cover {
            Cover::Told(lines) => lines.as_slice(),
            Cover::Typing { found, .. } => found.as_slice(),
            Cover::Nothing => &[],
        };
        cover(&mut lines, over, columns);
        let foot = match &place.cover {
            Cover::Typing { about, text, .. } => Line::of(about, Look::Key).and(text, Look::Plain).and("▏", Look::Key),
            _ => Line::of(&self.foot, Look::Dim),
        };
        let mut all = vec![head];
        all.extend(filled(lines, body));
        all.push(foot.cut(columns));
        Screen { lines: all, most_scroll, page }
    }

    /// The table on the left, the question and what has happened on the right.
    fn beside(&self, place: &Place, columns: usize, rows: usize) -> (Vec<Line>, usize, usize) {
        let side = (columns * 2 / 5).clamp(40, 64);
        let left = columns - side - 3;
        let table = Board { width: left, ..self.board }.lines();
        let most_scroll = table.len().saturating_sub(rows);
        let table: Vec<Line> = table.into_iter().skip(place.scroll.min(most_scroll)).take(rows).collect();
        let told = self.log.len().min(rows / 3);
        let mut right = self.asked(place, side, rows.saturating_sub(told + 1));
        let mut log = self.told(side, rows.saturating_sub(right.len() + 1));
        right.extend((right.len() + log.len()..rows).map(|_| Line::default()));
        right.append(&mut log);
        let mut right = right.into_iter();
        let mut lines = Vec::new();
        for line in filled(table, rows) {
            let blank = " ".repeat(left.saturating_sub(line.width()));
            let mut whole = line.cut(left).and(&blank, Look::Plain).and(" │ ", Look::Dim);
            whole.0.extend(right.next().unwrap_or_default().0);
            lines.push(whole);
        }
        (lines, most_scroll, rows)
    }

    /// The table above, the question below.
    fn below(&self, place: &Place, columns: usize, rows: usize) -> (Vec<Line>, usize, usize) {
        let table = Board { width: columns, ..self.board }.lines();
        let told = self.told(columns, if rows >= 20 { 2 } else { 1 });
        let wanted = table.len().min(rows * 3 / 5).max(rows / 3);
        let asked = self.asked(place, columns, rows.saturating_sub(wanted + told.len() + 1));
        let page = rows.saturating_sub(asked.len() + told.len() + 1);
        let most_scroll = table.len().saturating_sub(page);
        let from = place.scroll.min(most_scroll);
        let mut lines: Vec<Line> = table.into_iter().skip(from).take(page).map(|line| line.cut(columns)).collect();
        lines = filled(lines, page);
        let more = match (from, most_scroll - from) {
            (0, 0) => String::new(),
            (above, below) => format!(" ↑{above} ↓{below} "),
        };
        let bar = "─".repeat(columns.saturating_sub(width(&more)));
        lines.push(Line::of(&format!("{bar}{more}"), Look::Dim));
        lines.extend(told);
        lines.extend(asked);
        (lines, most_scroll, page)
    }

    /// The question with its options; the selected one is among them.
    fn asked(&self, place: &Place, columns: usize, rows: usize) -> Vec<Line> {
        let mut lines = Line::of(&self.question, Look::Head).wrapped(columns, 2);
        lines.truncate(rows.saturating_sub(1).max(1));
        let room = rows.saturating_sub(lines.len()).max(1);
        let fitting = self.fitting(&place.search);
        let mut options: Vec<(bool, Line)> = Vec::new();
        for index in &fitting {
            let Some(choice) = self.choices.get(*index) else { continue };
            let is_selected = *index == place.selected;
            let key = choice.key.map_or_else(|| "  ".to_string(), |key| format!("{key} "));
            let look = if is_selected { Look::Chosen } else { Look::Plain };
            let line =
                Line::of(if is_selected { "▸ " } else { "  " }, look).and(&key, Look::Key).and(&choice.text, look);
            let line = line.and(&choice.remark, if is_selected { look } else { Look::Dim });
            match is_selected {
                true => options.extend(line.wrapped(columns, 6).into_iter().take(room.min(4)).map(|line| (true, line))),
                false => options.push((false, line.cut(columns))),
            }
        }
        let last = options.iter().rposition(|(is_selected, _)| *is_selected).unwrap_or(0);
        let skipped = (last + 1).saturating_sub(room);
        let more = options.len().saturating_sub(skipped + room);
        let mut shown: Vec<Line> = options.into_iter().skip(skipped).take(room).map(|(_, line)| line).collect();
        if more > 0 && shown.len() > 1 {
            shown.pop();
            shown.push(Line::of(&format!("    … +{}", more + 1), Look::Dim));
        }
        lines.extend(shown);
        lines
    }

    /// What has happened last.
    fn told(&self, columns: usize, rows: usize) -> Vec<Line> {
        let lines: Vec<Line> = self
            .log
            .iter()
            .rev()
            .take(rows)
            .rev()
            .flat_map(|text| Line::of(text, Look::Dim).wrapped(columns, 2))
            .collect();
        let skipped = lines.len().saturating_sub(rows);
        lines.into_iter().skip(skipped).collect()
    }
}

/// A screen that shows nothing of the table: only a text in its middle.
pub fn curtain(text: &str, columns: usize, rows: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = (0..rows / 3).map(|_| Line::default()).collect();
    for line in Line::of(text, Look::Head).wrapped(columns.saturating_sub(8), 0) {
        let blank = " ".repeat(columns.saturating_sub(line.width()) / 2);
        let mut centred = Line::of(&blank, Look::Plain);
        centred.0.extend(line.0);
        lines.push(centred);
    }
    filled(lines, rows)
}

/// Exactly so many lines.
fn filled(mut lines: Vec<Line>, rows: usize) -> Vec<Line> {
    lines.resize(rows, Line::default());
    lines
}

/// Puts a box with lines over the middle of others.
fn cover(lines: &mut [Line], over: &[Line], columns: usize) {
    if over.is_empty() {
        return;
    }
    let inner = columns.saturating_sub(4).min(96);
    let mut wrapped: Vec<Line> = over.iter().flat_map(|line| line.wrapped(inner, 2)).collect();
    wrapped.truncate(lines.len().saturating_sub(2));
    let from = lines.len().saturating_sub(wrapped.len() + 2) / 2;
    let edge = "─".repeat(inner + 2);
    let framed = std::iter::once(Line::of(&format!("┌{edge}┐"), Look::Key))
        .chain(wrapped.into_iter().map(|line| {
            let blank = " ".repeat(inner.saturating_sub(line.width()));
            let mut whole = Line::of("│ ", Look::Key);
            whole.0.extend(line.0);
            whole.and(&blank, Look::Plain).and(" │", Look::Key)
        }))
        .chain(std::iter::once(Line::of(&format!("└{edge}┘"), Look::Key)));
    for (line, over) in lines.iter_mut().skip(from).zip(framed) {
        *line = over;
    }
}
