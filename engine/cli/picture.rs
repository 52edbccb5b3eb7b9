//! The table, drawn in letters.

use rulepack_kernel::{Named, OWNER, PieceView, PlayerView, Shown, SpaceView, View, Words, ZoneView};
use rulepack_model::visible::joined;

/// The largest width of a cell of a grid.
const CELL: usize = 26;

/// The largest number of different pieces shown on a space.
const MOST: usize = 16;

/// The table as a viewer sees it.
pub fn picture(view: &View, words: &Words<'_>) -> String {
    let mut lines = vec![rule(&headline(view, words))];
    lines.extend(view.players.iter().map(|player| player_line(player, words)));
    let limited: Vec<String> = view
        .supply
        .0
        .iter()
        .filter_map(|(name, left)| Some(format!("{} {}", words.title(&format!("resource.{name}")), (*left)?)))
        .collect();
    if !limited.is_empty() {
        lines.push(format!("[{}]", limited.join(", ")));
    }
    for zone in view.zones.iter().filter(|zone| zone.count > 0) {
        lines.extend(zone_lines(zone, words));
    }
    joined(lines)
}

fn headline(view: &View, words: &Words<'_>) -> String {
    let mut parts = vec![format!("#{}", view.turn)];
    parts.extend(numbers("var", &view.variables, words, true));
    parts.join(" · ")
}

/// Numbers by name: those with a title in the pack, or, if none has one, all if `all` is set.
fn numbers(table: &str, named: &Named<Shown>, words: &Words<'_>, all: bool) -> Vec<String> {
    let title = |name: &str| words.given_title(&format!("{table}.{name}"));
    let all = all && named.0.iter().all(|(name, _)| title(name).is_none());
    let shown = named.0.iter().filter_map(|(name, value)| {
        let Shown::Number(number) = value else { return None };
        let name = title(name).or_else(|| all.then(|| name.replace('_', " ")))?;
        Some(format!("{name} {number}"))
    });
    shown.collect()
}

fn rule(text: &str) -> String {
    format!("── {text} {}", "─".repeat(72usize.saturating_sub(text.chars().count())))
}

fn player_line(player: &PlayerView, words: &Words<'_>) -> String {
    let mark = if player.active { '>' } else { ' ' };
    let passed = match (player.out, player.passed) {
        (true, _) => " (×)",
        (false, true) => " (–)",
        (false, false) => "",
    };
    let head = format!("{mark} {}{passed}", player.title);
    let mut text = words.headed(&head, &resources(&player.resources, words));
    let mut values = numbers("var", &player.variables, words, false);
    values.extend(numbers("value", &player.values, words, false));
    if !values.is_empty() {
        text.push_str(&format!(" · {}", values.join(", ")));
    }
    text
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

fn zone_lines(zone: &ZoneView, words: &Words<'_>) -> Vec<String> {
    let owner = zone.owner.as_ref().map_or(String::new(), |owner| format!(" ({})", number_of(owner)));
    let title = format!("{}{owner}", zone.title);
    let rows = zone.spaces.len() / usize::from(zone.columns.max(1));
    if zone.columns == 0 || rows <= 1 {
        let spaces: Vec<String> = zone.spaces.iter().map(|space| in_row(space, words)).collect();
        return vec![words.headed(&title, &spaces.join(" | "))];
    }
    let cells: Vec<String> = zone.spaces.iter().map(|space| shorten(&in_grid(space, words))).collect();
    let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0).max(4);
    let mut lines = vec![words.headed(&title, "").trim_end().to_string()];
    for row in cells.chunks(usize::from(zone.columns)) {
        let row: Vec<String> = row.iter().map(|cell| format!("{cell:width$}")).collect();
        lines.push(format!("  | {} |", row.join(" | ")));
    }
    lines
}

/// The number of a player: `2` of `player_2`.
fn number_of(player: &str) -> &str {
    player.rsplit('_').next().unwrap_or(player)
}

/// A space of a row, with its name if it has one.
fn in_row(space: &SpaceView, words: &Words<'_>) -> String {
    let contents = contents(space, words);
    match &space.name {
        Some(name) => words.headed(name, &contents),
        None => contents,
    }
}

/// A space of a grid; an empty one shows its name.
fn in_grid(space: &SpaceView, words: &Words<'_>) -> String {
    if space.pieces.is_empty() && space.hidden.is_empty() {
        return format!("({})", space.name.as_deref().unwrap_or(""));
    }
    contents(space, words)
}

fn contents(space: &SpaceView, words: &Words<'_>) -> String {
    let mut parts: Vec<(String, usize)> = Vec::new();
    for piece in &space.pieces {
        let text = piece_text(piece, words);
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

fn shorten(text: &str) -> String {
    if text.chars().count() <= CELL {
        return text.to_string();
    }
    text.chars().take(CELL - 1).chain(['…']).collect()
}
