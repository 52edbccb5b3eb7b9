//! The table as lines: players, supply and zones, within a width. It reads a view only, so nothing hidden is shown.

use std::collections::BTreeMap;

use rulepack_kernel::ruleset::Layout;
use rulepack_kernel::{Named, OWNER, PieceView, PlayerView, Ruleset, Shown, SpaceView, View, Words, ZoneView};

use super::text::{Line, Look, Span, width};

/// The largest width of a cell of a grid.
const WIDEST: usize = 26;

/// The smallest width at which a grid is drawn as a grid; narrower ones are listed.
const NARROWEST: usize = 3;

/// The largest number of different pieces shown on a space.
const MOST: usize = 16;

/// What the table looked like before, by place: the text of each space and of each player.
pub type Known = BTreeMap<String, String>;

/// What is drawn, and how.
#[derive(Clone, Copy)]
pub struct Board<'b> {
    /// What the viewer sees.
    pub view: &'b View,
    /// The words of the game.
    pub words: &'b Words<'b>,
    /// The rules: how zones are laid out.
    pub rules: &'b Ruleset,
    /// The viewer, such as `player_1`, whose zones come first.
    pub own: Option<&'b str>,
    /// What the viewer saw at the last question.
    pub before: Option<&'b Known>,
    /// Whether variables and values without a title are shown, too.
    pub all: bool,
    /// What is searched for, in small letters.
    pub search: &'b str,
    /// The number of columns.
    pub width: usize,
}

impl Board<'_> {
    /// The whole table.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = vec![self.rule()];
        for player in self.in_order(&self.view.players, |player| Some(&player.id)) {
            let mut line = self.marked(&player.id, &self.player(player));
            if self.own == Some(player.id.as_str()) && self.look(&player.id, &line.plain()) == Look::Plain {
                line = line.looking(Look::Own);
            }
            lines.extend(line.wrapped(self.width, 4));
        }
        let supply = self.supply();
        if !supply.is_empty() {
            let text = format!("[{}]", supply.join(", "));
            lines.extend(self.marked("supply", &text).wrapped(self.width, 2));
        }
        let zones = self.view.zones.iter().filter(|zone| zone.count > 0 || self.is_board(zone));
        for zone in self.in_order(zones, |zone| zone.owner.as_ref()) {
            lines.extend(self.zone(zone));
        }
        lines
    }

    /// What the table looks like, to mark what changes until the next question.
    pub fn known(&self) -> Known {
        let players = self.view.players.iter().map(|player| (player.id.clone(), self.player(player)));
        let spaces =
            self.view.zones.iter().flat_map(|zone| {
                zone.spaces.iter().enumerate().map(|(at, space)| (place(zone, at), self.contents(space)))
            });
        let supply = [("supply".to_string(), format!("[{}]", self.supply().join(", ")))];
        players.chain(spaces).chain(supply).collect()
    }

    /// What belongs to the viewer, then what belongs to nobody, then what belongs to others.
    fn in_order<'i, T: 'i>(
        &self,
        all: impl IntoIterator<Item = &'i T>,
        owner: impl Fn(&'i T) -> Option<&'i String>,
    ) -> Vec<&'i T> {
        let mut sorted: Vec<&T> = all.into_iter().collect();
        sorted.sort_by_key(|one| match owner(*one) {
            Some(owner) if Some(owner.as_str()) == self.own => 0,
            None => 1,
            Some(_) => 2,
        });
        sorted
    }

    /// An empty zone is drawn only if it is a board: pieces can be put on its spaces.
    fn is_board(&self, zone: &ZoneView) -> bool {
        match self.layout(zone) {
            Some(Layout::Grid(_) | Layout::Hex(_) | Layout::Points(_)) => true,
            Some(Layout::List | Layout::Row(_)) | None => false,
        }
    }

    fn layout(&self, zone: &ZoneView) -> Option<&Layout> {
        self.rules.zones.iter().find(|known| known.name == zone.id).map(|known| &known.layout)
    }

    /// How a text at a place looks: whether it has changed, or is searched for.
    fn look(&self, place: &str, text: &str) -> Look {
        if !self.search.is_empty() && text.to_lowercase().contains(self.search) {
            return Look::Found;
        }
        match self.before.map(|before| before.get(place)) {
            Some(before) if before.map(String::as_str) != Some(text) => Look::Changed,
            _ => Look::Plain,
        }
    }

    fn marked(&self, place: &str, text: &str) -> Line {
        Line::of(text, self.look(place, text))
    }

    fn rule(&self) -> Line {
        let mut parts = vec![format!("#{}", self.view.turn)];
        parts.extend(numbers("var", &self.view.variables, self.words, true, self.all));
        let text = parts.join(" · ");
        let left = self.width.min(76).saturating_sub(4 + width(&text));
        Line::of(&format!("── {text} {}", "─".repeat(left)), Look::Head).cut(self.width)
    }

    fn supply(&self) -> Vec<String> {
        let left = |(name, left): &(String, Option<i32>)| {
            Some(format!("{} {}", self.words.title(&format!("resource.{name}")), (*left)?))
        };
        self.view.supply.0.iter().filter_map(left).collect()
    }

    fn player(&self, player: &PlayerView) -> String {
        let mark = if player.active { '>' } else { ' ' };
        let passed = match (player.out, player.passed) {
            (true, _) => " (×)",
            (false, true) => " (–)",
            (false, false) => "",
        };
        let head = format!("{mark} {}{passed}", player.title);
        let mut text = self.words.headed(&head, &resources(&player.resources, self.words));
        let mut values = numbers("var", &player.variables, self.words, false, self.all);
        values.extend(numbers("value", &player.values, self.words, false, self.all));
        if !values.is_empty() {
            text.push_str(&format!(" · {}", values.join(", ")));
        }
        text
    }

    fn zone(&self, zone: &ZoneView) -> Vec<Line> {
        let owner = zone.owner.as_ref().map_or(String::new(), |owner| format!(" ({})", number_of(owner)));
        let title = format!("{}{owner}", zone.title);
        let look = if zone.owner.as_deref() == self.own && self.own.is_some() { Look::Own } else { Look::Plain };
        let rows = zone.spaces.len() / usize::from(zone.columns.max(1));
        let drawn = match self.layout(zone) {
            Some(Layout::Points(_)) => self.points(zone),
            Some(Layout::Hex(_)) => self.grid(zone, true),
            Some(Layout::Grid(_) | Layout::Row(_) | Layout::List) | None if zone.columns > 0 && rows > 1 => {
                self.grid(zone, false)
            }
            Some(Layout::Grid(_) | Layout::Row(_) | Layout::List) | None => None,
        };
        let head = self.words.headed(&title, "");
        match drawn {
            Some(lines) => std::iter::once(Line::of(head.trim_end(), look)).chain(lines).collect(),
            None => {
                let mut line = Line::of(&head, look);
                for (at, space) in zone.spaces.iter().enumerate() {
                    if at > 0 {
                        line = line.and(" | ", Look::Dim);
                    }
                    line.0.push(self.in_row(zone, at, space));
                }
                line.wrapped(self.width, 2)
            }
        }
    }

    /// A space of a row, with its name if it has one.
    fn in_row(&self, zone: &ZoneView, at: usize, space: &SpaceView) -> Span {
        let contents = self.contents(space);
        let look = self.look(&place(zone, at), &contents);
        match &space.name {
            Some(name) => Span::new(&self.words.headed(name, &contents), look),
            None => Span::new(&contents, look),
        }
    }

    /// Rows and columns, as narrow as the window needs; nothing if it is too narrow.
    fn grid(&self, zone: &ZoneView, is_hex: bool) -> Option<Vec<Line>> {
        let columns = usize::from(zone.columns.max(1));
        let rows = zone.spaces.len() / columns;
        let cells: Vec<String> = zone.spaces.iter().map(|space| self.in_grid(space)).collect();
        let widest = cells.iter().map(|cell| width(cell)).max().unwrap_or(0).clamp(4, WIDEST);
        // Every row of hexagons begins half a cell further to the right.
        let room = |cell: usize| 4 + columns * (cell + 3) + if is_hex { rows * (cell + 3) / 2 } else { 0 };
        let (cell, is_tight) = match (NARROWEST..=widest).rev().find(|cell| room(*cell) <= self.width + 1) {
            Some(cell) => (cell, false),
            None if 4 + columns * 2 + if is_hex { rows } else { 0 } <= self.width => (1, true),
            None => return None,
        };
        let mut lines = Vec::new();
        if is_tight {
            lines.push(Line::of(&format!("   {}", self.column_names(zone, columns)), Look::Dim));
        }
        for (row, spaces) in cells.chunks(columns).enumerate() {
            let from = row * columns;
            if is_tight {
                let name = zone.spaces.get(from).and_then(|space| space.name.as_deref()?.split('.').next());
                let blank = " ".repeat(if is_hex { row } else { 0 });
                let mut line = Line::of(&format!("{blank}{:>2} ", name.unwrap_or("")), Look::Dim).cut(3 + row);
                for at in from..from + spaces.len() {
                    let (sign, look) = self.signed(zone, at);
                    line = line.and(sign.encode_utf8(&mut [0; 4]), look).and(" ", Look::Plain);
                }
                lines.push(line);
                continue;
            }
            let shift = if is_hex { row * (cell + 3) / 2 } else { 0 };
            let drawn: Vec<Vec<Line>> =
                spaces.iter().enumerate().map(|(at, text)| self.cell(zone, from + at, text, cell)).collect();
            let height = drawn.iter().map(Vec::len).max().unwrap_or(1);
            for number in 0..height {
                let mut line = Line::of(&" ".repeat(2 + shift), Look::Plain);
                for part in &drawn {
                    let shown = part.get(number).cloned().unwrap_or_default();
                    let blank = " ".repeat(cell.saturating_sub(shown.width()));
                    line = line.and("| ", Look::Dim);
                    line.0.extend(shown.0);
                    line = line.and(&blank, Look::Plain).and(" ", Look::Plain);
                }
                lines.push(line.and("|", Look::Dim));
            }
        }
        if is_tight {
            lines.extend(self.signs(zone).into_iter().map(|text| Line::of(&format!("   {text}"), Look::Dim)));
        }
        Some(lines)
    }

    /// The lines of one cell: what lies there, on as many lines as are allowed, or the name of an empty space if it fits.
    fn cell(&self, zone: &ZoneView, at: usize, text: &str, cell: usize) -> Vec<Line> {
        const HIGHEST: usize = 3;
        let is_empty = zone.spaces.get(at).is_none_or(|space| space.pieces.is_empty() && space.hidden.is_empty());
        let known = zone.spaces.get(at).map_or_else(String::new, |space| self.contents(space));
        let look = match self.look(&place(zone, at), &known) {
            Look::Plain if is_empty => Look::Dim,
            look => look,
        };
        if is_empty {
            return vec![Line::of(if width(text) <= cell { text } else { "·" }, look)];
        }
        let mut lines = Line::of(text, look).wrapped(cell, 0);
        if lines.len() > HIGHEST || lines.iter().any(|line| line.width() > cell) {
            lines = vec![Line::of(text, look)];
        }
        lines.into_iter().map(|line| line.cut(cell)).collect()
    }

    /// The names of the columns, one letter each.
    fn column_names(&self, zone: &ZoneView, columns: usize) -> String {
        let name = |space: &SpaceView| space.name.as_deref()?.split('.').nth(1)?.chars().next();
        let letters = zone.spaces.iter().take(columns).map(|space| name(space).unwrap_or(' '));
        letters.flat_map(|letter| [letter, ' ']).collect()
    }

    /// A space of a grid; an empty one shows its name.
    fn in_grid(&self, space: &SpaceView) -> String {
        if space.pieces.is_empty() && space.hidden.is_empty() {
            return format!("({})", space.name.as_deref().unwrap_or(""));
        }
        self.contents(space)
    }

    /// Points whose names are a letter and a number, such as `d6`, at their places, with the lines between neighbours.
    fn points(&self, zone: &ZoneView) -> Option<Vec<Line>> {
        let layout = self.layout(zone)?;
        let spots: Vec<(usize, usize)> =
            zone.spaces.iter().map(|space| spot(space.name.as_deref()?)).collect::<Option<_>>()?;
        let columns = spots.iter().map(|(column, _)| *column).max()? + 1;
        let rows = spots.iter().map(|(_, row)| *row).max()?;
        let step = (self.width.saturating_sub(4) / columns).clamp(2, 6);
        if columns * step + 4 > self.width || columns > 26 || rows > 26 {
            return None;
        }
        let mut cells = vec![vec![(' ', Look::Dim); columns * step]; rows * 2 - 1];
        for (at, from) in spots.iter().enumerate() {
            for next in layout.next_to(u16::try_from(at).ok()?) {
                let Some(to) = spots.get(usize::from(next)) else { continue };
                draw(&mut cells, rows, step, *from, *to);
            }
        }
        for (at, (column, row)) in spots.iter().enumerate() {
            let (sign, look) = self.signed(zone, at);
            if let Some(cell) = cells.get_mut((rows - row) * 2).and_then(|line| line.get_mut(column * step)) {
                *cell = (sign, look);
            }
        }
        let mut lines: Vec<Line> = Vec::new();
        for (number, cells) in cells.into_iter().enumerate() {
            let name = if number % 2 == 0 { format!("{:>2} ", rows - number / 2) } else { "   ".to_string() };
            lines.push(
                cells.into_iter().fold(Line::of(&name, Look::Dim), |line, (sign, look)| {
                    line.and(sign.encode_utf8(&mut [0; 4]), look)
                }),
            );
        }
        let letters: String = (b'a'..).take(columns).map(|letter| format!("{:<step$}", char::from(letter))).collect();
        lines.push(Line::of(&format!("   {letters}"), Look::Dim));
        lines.extend(self.signs(zone).into_iter().map(|text| Line::of(&format!("   {text}"), Look::Dim)));
        Some(lines)
    }

    /// One letter for what lies on a space, and how it looks.
    fn signed(&self, zone: &ZoneView, at: usize) -> (char, Look) {
        let Some(space) = zone.spaces.get(at) else { return (' ', Look::Plain) };
        let is_empty = space.pieces.is_empty() && space.hidden.is_empty();
        match self.look(&place(zone, at), &self.contents(space)) {
            Look::Plain if is_empty => ('·', Look::Dim),
            look if is_empty => ('·', look),
            Look::Plain if self.own.is_some() && owner_of(space) == self.own => (self.sign(space), Look::Own),
            look => (self.sign(space), look),
        }
    }

    /// The number of the owner of the piece on top, or the first letter of its name.
    fn sign(&self, space: &SpaceView) -> char {
        let Some(piece) = space.pieces.last() else { return '?' };
        let named = owner_of(space).map_or(piece.title.as_str(), number_of);
        let first = named.chars().next().unwrap_or('?');
        if width(first.encode_utf8(&mut [0; 4])) == 1 { first } else { '?' }
    }

    /// What the letters on points mean.
    fn signs(&self, zone: &ZoneView) -> Vec<String> {
        let mut all: BTreeMap<char, Vec<String>> = BTreeMap::new();
        for space in zone.spaces.iter().filter(|space| !space.pieces.is_empty()) {
            let contents = self.contents(space);
            let titles = all.entry(self.sign(space)).or_default();
            if !titles.contains(&contents) {
                titles.push(contents);
            }
        }
        all.into_iter().map(|(sign, titles)| format!("{sign} = {}", titles.join(", "))).collect()
    }

    fn contents(&self, space: &SpaceView) -> String {
        let mut parts: Vec<(String, usize)> = Vec::new();
        for piece in &space.pieces {
            let text = piece_text(piece, self.words);
            match parts.iter_mut().find(|(known, _)| *known == text) {
                Some((_, count)) => *count += 1,
                None => parts.push((text, 1)),
            }
        }
        parts.extend(space.hidden.iter().map(|hidden| (format!("[{}]", hidden.title), hidden.count)));
        let mut parts: Vec<String> =
            parts.into_iter().map(|(text, count)| if count > 1 { format!("{count}× {text}") } else { text }).collect();
        if parts.len() > MOST {
            let more = parts.len() - MOST;
            parts.truncate(MOST);
            parts.push(format!("… (+{more})"));
        }
        if parts.is_empty() { "–".to_string() } else { parts.join(", ") }
    }
}

/// Whose the piece on top of a space is, in a zone of all players.
fn owner_of(space: &SpaceView) -> Option<&str> {
    match space.pieces.last()?.variables.get(OWNER)? {
        Shown::Name(owner) => Some(owner),
        Shown::Nothing | Shown::Number(_) | Shown::Flag(_) => None,
    }
}

/// The name of a place for [`Known`].
fn place(zone: &ZoneView, at: usize) -> String {
    format!("{}/{}/{at}", zone.owner.as_deref().unwrap_or(""), zone.id)
}

/// Column and row of a point such as `d6`, counted from 0 and from 1.
fn spot(name: &str) -> Option<(usize, usize)> {
    let mut letters = name.chars();
    let column = letters.next().filter(char::is_ascii_lowercase)?;
    let row: usize = letters.as_str().parse().ok()?;
    (row > 0).then_some((usize::from(u8::try_from(column).ok()?.checked_sub(b'a')?), row))
}

/// Draws a line between two points if they lie in one row or one column.
fn draw(cells: &mut [Vec<(char, Look)>], rows: usize, step: usize, from: (usize, usize), to: (usize, usize)) {
    let (top, bottom) = (rows.saturating_sub(from.1.max(to.1)) * 2, rows.saturating_sub(from.1.min(to.1)) * 2);
    let (left, right) = (from.0.min(to.0) * step, from.0.max(to.0) * step);
    let sign = match (from.0 == to.0, from.1 == to.1) {
        (true, false) => '│',
        (false, true) => '─',
        _ => return,
    };
    for line in cells.iter_mut().take(bottom + 1).skip(top) {
        for cell in line.iter_mut().take(right + 1).skip(left) {
            *cell = (sign, Look::Dim);
        }
    }
}

/// Numbers by name: those with a title in the pack. Without any title, all if `others` is set; with `all`, every one.
fn numbers(table: &str, named: &Named<Shown>, words: &Words<'_>, others: bool, all: bool) -> Vec<String> {
    let title = |name: &str| words.given_title(&format!("{table}.{name}"));
    let all = all || others && named.0.iter().all(|(name, _)| title(name).is_none());
    let shown = named.0.iter().filter_map(|(name, value)| {
        let Shown::Number(number) = value else { return None };
        let name = title(name).or_else(|| all.then(|| name.replace('_', " ")))?;
        Some(format!("{name} {number}"))
    });
    shown.collect()
}

fn resources(amounts: &Named<i32>, words: &Words<'_>) -> String {
    let parts: Vec<String> = amounts
        .0
        .iter()
        .filter(|(_, amount)| *amount != 0)
        .map(|(name, amount)| format!("{amount} {}", words.title(&format!("resource.{name}"))))
        .collect();
    if parts.is_empty() { "–".to_string() } else { parts.join(", ") }
}

/// The number of a player: `2` of `player_2`.
fn number_of(player: &str) -> &str {
    player.rsplit('_').next().unwrap_or(player)
}

fn piece_text(piece: &PieceView, words: &Words<'_>) -> String {
    let mut text = piece.title.clone();
    // Whose it is in a zone of all players.
    if let Some((_, Shown::Name(owner))) = piece.variables.0.iter().find(|(name, _)| name == OWNER) {
        text.push_str(&format!(" ({})", number_of(owner)));
    }
    if piece.face_down || piece.flipped {
        text.push('*');
    }
    if !piece.resources.0.is_empty() {
        text.push_str(&format!(" <{}>", resources(&piece.resources, words)));
    }
    for rider in &piece.attached {
        text.push_str(&format!(" + {}", piece_text(rider, words)));
    }
    text
}
