//! Scenarios that would pass whatever the game does.

use rulepack_model::{Diagnostic, Node, Table, Value};

/// Why a scenario without steps shows nothing, if so. If a turn begins, something happens all the same.
pub(super) fn says_nothing(given: &Table, then: &Table, begins_turn: bool) -> Option<Diagnostic> {
    if then.is_empty() {
        let diagnostic = Diagnostic::error("empty-scenario", "nothing is done here and nothing is expected");
        return Some(diagnostic.help("write a step under `when`, or what must hold under `then`"));
    }
    if !begins_turn && repeats(given, then) {
        let message = "nothing is done here, and `then` only says again what `given` says";
        let diagnostic = Diagnostic::error("empty-scenario", message);
        return Some(diagnostic.help("write a step under `when`, or expect what follows from the table"));
    }
    None
}

/// Whether everything that is expected was given in the same words.
fn repeats(given: &Table, then: &Table) -> bool {
    let part = |table: &Table, key: &str| table.get(key).and_then(Node::as_table).cloned().unwrap_or_default();
    let (seats, each) = (part(given, "seat"), part(given, "each"));
    let of_seat = |seat: &str, key: &str| part(&seats, seat).get(key).or(each.get(key)).cloned();
    then.iter().all(|(key, entry)| match (key, entry.node.as_table()) {
        ("seat", Some(expected)) => expected.iter().all(|(seat, own)| {
            own.node.as_table().is_some_and(|own| {
                own.iter().all(|(key, entry)| of_seat(seat, key).is_some_and(|given| is_same(&given, &entry.node)))
            })
        }),
        ("each", Some(expected)) => expected.iter().all(|(key, entry)| {
            let own =
                seats.iter().filter_map(|(_, own)| own.node.as_table()?.get(key)).all(|own| is_same(own, &entry.node));
            own && each.get(key).is_some_and(|given| is_same(given, &entry.node))
        }),
        (_, Some(expected)) => part(given, key).iter().count() > 0 && is_part(&part(given, key), expected),
        (_, None) => given.get(key).is_some_and(|given| is_same(given, &entry.node)),
    })
}

fn is_part(given: &Table, then: &Table) -> bool {
    then.iter().all(|(key, entry)| given.get(key).is_some_and(|given| is_same(given, &entry.node)))
}

/// Whether the same is written; the order of a list does not matter, nor does what only `given` says.
fn is_same(given: &Node, then: &Node) -> bool {
    match (&given.value, &then.value) {
        (Value::Table(given), Value::Table(then)) => is_part(given, then),
        (Value::List(given), Value::List(then)) => {
            let mut left: Vec<&Node> = given.iter().collect();
            given.len() == then.len()
                && then.iter().all(|item| match left.iter().position(|given| is_same(given, item)) {
                    Some(found) => {
                        left.remove(found);
                        true
                    }
                    None => false,
                })
        }
        // So many pieces as were listed.
        (Value::List(given), Value::Int(count)) => usize::try_from(*count).is_ok_and(|count| count == given.len()),
        (given, then) => given == then,
    }
}
