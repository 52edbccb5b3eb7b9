//! The layout of a zone: its spaces, their names, and what is next to what.

use std::collections::BTreeSet;

use rulepack_kernel::ruleset::{Direction, Grid, Hex, Layout, Points, Row, Slide, Wraps, Zone};
use rulepack_model::{Code, Diagnostic, Node, Span, SymId, ZoneId, did_you_mean};

use super::Linker;
use super::fields::{Fields, wrong_type};

const MAX_CELLS: i64 = 1_000;

impl Linker<'_> {
    /// Declares the symbols of the directions that the layouts of the pack name. Other packs get none, so that nothing
    /// changes for them.
    pub(super) fn direction_names(&mut self) {
        let mut used = BTreeSet::new();
        for (_, entry) in self.definitions.of("zone") {
            let Some(layout) = entry.node.below("layout") else { continue };
            let is_named = ["hex", "directions", "lines"].iter().any(|key| layout.below(key).is_some());
            used.extend(directions_of(layout).into_iter().filter(|_| is_named));
        }
        for direction in used {
            let next = SymId::from(self.rules.symbols.len());
            let symbol = *self.vocabulary.symbols.entry(direction.name().to_string()).or_insert(next);
            if symbol == next {
                self.rules.symbols.push(direction.name().to_string());
            }
            self.vocabulary.directions.push(symbol);
            self.rules.directions.push((symbol, direction));
        }
    }

    /// Says in which directions lines go in a zone.
    pub(super) fn directions_in(&mut self, zone: ZoneId, id: &str) {
        let Some(layout) = self.definitions.get("zone", id).and_then(|node| node.below("layout")) else { return };
        let has_spaces = ["row", "grid", "hex", "points"].iter().any(|key| layout.below(key).is_some());
        if has_spaces && !self.rules.directions.is_empty() {
            let ways = directions_of(layout);
            let known = self.rules.directions.iter().filter(|(_, way)| ways.contains(way)).map(|(symbol, _)| *symbol);
            self.vocabulary.directions_of.insert(zone, known.collect());
        }
    }
}

/// The directions in which lines go on a layout; none where it has no spaces, or is wrong.
fn directions_of(layout: &Node) -> BTreeSet<Direction> {
    let all = Direction::ALL.into_iter();
    if layout.below("hex").is_some() {
        all.filter(|it| !matches!(it, Direction::North | Direction::South)).collect()
    } else if layout.below("grid").is_some() {
        let has_corners = layout.below("directions").and_then(Node::as_int) == Some(8);
        all.filter(|it| has_corners || !it.is_diagonal()).collect()
    } else if layout.below("row").is_some() {
        [Direction::East, Direction::West].into()
    } else if let Some(lines) = layout.below("lines").and_then(Node::as_table) {
        let named = lines.iter().filter_map(|(name, _)| Direction::named(name));
        named.flat_map(|direction| [direction, direction.opposite()]).collect()
    } else {
        BTreeSet::new()
    }
}

pub(super) fn read_layout(zone: &mut Zone, node: &Node, path: &str, out: &mut Vec<Diagnostic>) {
    if node.as_str() == Some("pile") {
        return;
    }
    if node.as_table().is_none() {
        out.push(
            wrong_type(node, &format!("{path}.layout"), "\"pile\" or a table")
                .help("write `{ row = 4 }` or `{ grid = [3, 3] }`"),
        );
        return;
    }
    let Some(mut fields) = Fields::of(node, format!("{path}.layout"), out) else { return };
    if let Some(row) = fields.get("row") {
        if let Some(row) = read_row(&mut fields, row, path, out) {
            zone.layout = Layout::Row(row);
        }
    } else if let Some(grid) = fields.get("grid") {
        let has_corners = read_directions(&mut fields, &[4, 8], out) == 8;
        let wraps = read_wraps(&mut fields, out);
        if let Some((columns, rows)) = read_size(grid, &format!("{path}.layout.grid"), out) {
            zone.layout = Layout::Grid(Grid { columns, rows, has_corners, wraps });
        }
    } else if let Some(hex) = fields.get("hex") {
        if let Some((columns, rows)) = read_size(hex, &format!("{path}.layout.hex"), out) {
            zone.layout = Layout::Hex(Hex { columns, rows });
        }
    } else if let Some(points) = fields.get("points") {
        read_points(zone, &mut fields, points, path, out);
        fields.done(out);
        return;
    } else {
        out.push(
            Diagnostic::error(Code::MissingKey, format!("`{path}.layout` needs `row`, `grid`, `hex` or `points`"))
                .at(node.span)
                .help("write `{ row = 4 }` or `{ grid = [3, 3] }`"),
        );
    }
    zone.grows = fields.bool("grows", out).unwrap_or(false);
    read_names(zone, &mut fields, path, out);
    fields.done(out);
}

/// A number of spaces.
fn size(n: i64) -> Option<u16> {
    (1..=MAX_CELLS).contains(&n).then_some(n as u16)
}

fn read_row(fields: &mut Fields<'_>, row: &Node, path: &str, out: &mut Vec<Diagnostic>) -> Option<Row> {
    let slide = match fields.text("enters", out) {
        None => Slide::Never,
        Some("left") => Slide::EnterFirst,
        Some("right") => Slide::EnterLast,
        Some(other) => {
            out.push(
                Diagnostic::error(Code::WrongValue, format!("pieces cannot enter from `{other}`"))
                    .at(fields.span_of("enters"))
                    .help("write \"left\" or \"right\""),
            );
            Slide::Never
        }
    };
    read_directions(fields, &[2], out);
    let size = row.as_int().and_then(size);
    if size.is_none() {
        out.push(wrong_type(row, &format!("{path}.layout.row"), "a number of spaces from 1 on"));
    }
    Some(Row { size: size?, slide })
}

/// `[columns, rows]`
fn read_size(node: &Node, path: &str, out: &mut Vec<Diagnostic>) -> Option<(u16, u16)> {
    let numbers: Vec<u16> =
        node.as_list().unwrap_or(&[]).iter().filter_map(|node| node.as_int().and_then(size)).collect();
    match numbers.as_slice() {
        [columns, rows] if i64::from(*columns).saturating_mul(i64::from(*rows)) <= MAX_CELLS => Some((*columns, *rows)),
        _ => {
            out.push(wrong_type(node, path, "a list of two numbers: columns, rows"));
            None
        }
    }
}

/// `directions = 8`; the first possible number if it is not given.
fn read_directions(fields: &mut Fields<'_>, possible: &[i64], out: &mut Vec<Diagnostic>) -> i64 {
    let least = possible.first().copied().unwrap_or_default();
    let Some(node) = fields.get("directions") else { return least };
    if let Some(number) = node.as_int().filter(|number| possible.contains(number)) {
        return number;
    }
    let numbers: Vec<String> = possible.iter().map(i64::to_string).collect();
    let numbers = numbers.join(" or ");
    let message = format!("`directions` must be {numbers} here");
    let help = match possible {
        [4, 8] => "4: spaces that share a side are next to each other; 8: those that share a corner, too".to_string(),
        _ => format!("write `directions = {numbers}`"),
    };
    out.push(Diagnostic::error(Code::WrongValue, message).at(node.span).help(help));
    least
}

fn read_wraps(fields: &mut Fields<'_>, out: &mut Vec<Diagnostic>) -> Wraps {
    match fields.text("wraps", out) {
        None => Wraps::default(),
        Some("across") => Wraps { across: true, down: false },
        Some("down") => Wraps { across: false, down: true },
        Some("both") => Wraps { across: true, down: true },
        Some(other) => {
            let help = did_you_mean(other, ["across", "down", "both"]).unwrap_or_else(|| {
                "write \"across\" if the last column is next to the first, \"down\" for rows, or \"both\"".to_string()
            });
            let message = format!("a board cannot wrap `{other}`");
            out.push(Diagnostic::error(Code::WrongValue, message).at(fields.span_of("wraps")).help(help));
            Wraps::default()
        }
    }
}

/// The names of rows and columns.
fn read_names(zone: &mut Zone, fields: &mut Fields<'_>, path: &str, out: &mut Vec<Diagnostic>) {
    let (rows, columns) = (fields.texts("rows", out), fields.texts("columns", out));
    let cells = zone.layout.cells() as usize;
    let wide = zone.layout.columns() as usize;
    for (key, names, there) in [("rows", &rows, usize::from(zone.layout.rows())), ("columns", &columns, wide)] {
        if let Some((_, at)) = names.iter().find(|(name, _)| name.is_empty()) {
            let message = format!("`{path}.layout.{key}` has a name without letters");
            out.push(
                Diagnostic::error(Code::WrongValue, message).at(*at).help("scenarios and players name spaces by it"),
            );
        }
        if let Some((_, at)) = names.get(there).filter(|_| cells > 0) {
            let message = format!("`{path}.layout.{key}` has {} names, but there are {there}", names.len());
            out.push(Diagnostic::error(Code::WrongValue, message).at(*at).help("leave out what is too many"));
        }
    }
    zone.row_names = rows.into_iter().map(|(name, _)| name.to_string()).collect();
    zone.column_names = columns.into_iter().map(|(name, _)| name.to_string()).collect();
}

/// `points = ["a1", "a2"], lines = { east = [["a1", "a2"]] }, paths = [["a1", "a2"]]`
fn read_points(zone: &mut Zone, fields: &mut Fields<'_>, node: &Node, path: &str, out: &mut Vec<Diagnostic>) {
    let mut names: Vec<String> = Vec::new();
    for (name, at) in fields.texts("points", out) {
        if name.is_empty() || names.iter().any(|known| known == name) {
            let message = match name {
                "" => format!("`{path}.layout.points` has a name without letters"),
                name => format!("two points are called `{name}`"),
            };
            out.push(Diagnostic::error(Code::WrongValue, message).at(at).help("give each point a name of its own"));
            continue;
        }
        names.push(name.to_string());
    }
    let Some(count) = size(i64::try_from(names.len()).unwrap_or(i64::MAX)) else {
        let what = format!("a list of 1 to {MAX_CELLS} names");
        out.push(wrong_type(node, &format!("{path}.layout.points"), &what));
        return;
    };
    let mut points = Points::new(count);
    for (name, entry) in fields.table("lines", out) {
        let Some(direction) = Direction::named(name) else {
            let known = Direction::ALL.map(Direction::name);
            let help = did_you_mean(name, known).unwrap_or_else(|| format!("write one of `{}`", known.join("`, `")));
            let message = format!("no direction is called `{name}`");
            out.push(Diagnostic::error(Code::UnknownName, message).at(entry.key).help(help));
            continue;
        };
        for line in lines_of(&entry.node, &format!("{path}.layout.lines.{name}"), &names, out) {
            for ((from, _), (to, at)) in line.iter().zip(line.iter().skip(1)) {
                if !points.lead(*from, direction, *to) {
                    let message = format!("one point cannot have two others {name} of it, or be {name} of two");
                    let help = "a line lists its points once, in order; a direction back is known by itself";
                    out.push(Diagnostic::error(Code::WrongValue, message).at(*at).help(help));
                }
            }
        }
    }
    if let Some(node) = fields.get("paths") {
        for line in lines_of(node, &format!("{path}.layout.paths"), &names, out) {
            for ((from, _), (to, _)) in line.iter().zip(line.iter().skip(1)) {
                points.join(*from, *to);
            }
        }
    }
    zone.layout = Layout::Points(points);
    zone.column_names = names;
}

/// Lists of points, each with its place: `[["a1", "a2", "a3"], ["b1", "b2"]]`.
fn lines_of(node: &Node, path: &str, names: &[String], out: &mut Vec<Diagnostic>) -> Vec<Vec<(u16, Span)>> {
    let Some(lines) = node.as_list() else {
        out.push(
            wrong_type(node, path, "a list of lines").help("write `[[\"a1\", \"a2\", \"a3\"], [\"b1\", \"b2\"]]`"),
        );
        return Vec::new();
    };
    let mut found = Vec::new();
    for line in lines {
        let points = line.as_list().unwrap_or(&[]);
        let mut known: Vec<(u16, Span)> = Vec::new();
        for (index, point) in points.iter().enumerate() {
            let name = point.as_str().unwrap_or("");
            // A closed line ends where it begins.
            let is_closed = |at: usize| {
                index > 1
                    && index.saturating_add(1) == points.len()
                    && known.first().is_some_and(|(first, _)| usize::from(*first) == at)
            };
            match names.iter().position(|known| known == name) {
                Some(at) if !is_closed(at) && known.iter().any(|(before, _)| usize::from(*before) == at) => {
                    let message = format!("the line comes to `{name}` twice");
                    out.push(
                        Diagnostic::error(Code::WrongValue, message)
                            .at(point.span)
                            .help("only a closed line comes back, to its first point"),
                    );
                }
                Some(at) => known.push((at as u16, point.span)),
                None => {
                    let help = did_you_mean(name, names.iter().map(String::as_str));
                    let message = format!("no point is called `{name}`");
                    out.push(Diagnostic::error(Code::UnknownName, message).at(point.span).maybe_help(help));
                }
            }
        }
        if points.len() < 2 {
            let help = "write the names of the points, in order: `[\"a1\", \"a2\", \"a3\"]`";
            out.push(wrong_type(line, path, "a list of two points or more").help(help));
        }
        found.push(known);
    }
    found
}
