//! Where in its file a scenario failed: the step or the key that a message begins with.

use rulepack_model::{Span, Table};

use super::Scenario;

/// The place that a failure is about: `step 2: …`, `then: a.coin: …` and `given: …` name it.
pub(super) fn place_of(scenario: &Scenario, message: &str) -> Span {
    let top = Span::top(scenario.file);
    if let Some(rest) = message.strip_prefix("step ") {
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let step = number.parse::<usize>().ok().and_then(|number| scenario.when.iter().nth(number.checked_sub(1)?));
        return step.map_or(top, |step| step.span);
    }
    if let Some(rest) = message.strip_prefix("then: ") {
        let label = rest.split(": ").next().unwrap_or(rest);
        return in_then(&scenario.then, label).or_else(|| first(&scenario.then)).unwrap_or(top);
    }
    first(&scenario.given).unwrap_or(top)
}

/// The key of a comparison: of the table, of a player, or of all players.
fn in_then(then: &Table, label: &str) -> Option<Span> {
    let parts: Vec<&str> = label.split('.').collect();
    let ways: [(&[&str], usize); 5] = [(&["seat"], 0), (&["each"], 1), (&["zone"], 0), (&["vars"], 0), (&[], 0)];
    let found = ways.iter().filter_map(|(above, skipped)| {
        let path: Vec<&str> = above.iter().chain(parts.get(*skipped..)?).copied().collect();
        // Above the key itself there is nothing to point at.
        deepest(then, &path).filter(|(depth, _)| *depth > above.len())
    });
    found.max_by_key(|(depth, _)| *depth).map(|(_, span)| span)
}

/// How far a path leads, and where.
fn deepest(table: &Table, path: &[&str]) -> Option<(usize, Span)> {
    let (key, rest) = path.split_first()?;
    let entry = table.entries.get(*key)?;
    let below = entry.node.as_table().and_then(|table| deepest(table, rest));
    Some(below.map_or((1, entry.key), |(depth, span)| (depth.saturating_add(1), span)))
}

fn first(table: &Table) -> Option<Span> {
    table.entries.values().map(|entry| entry.key).next()
}
