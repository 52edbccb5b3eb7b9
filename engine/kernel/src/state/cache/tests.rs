//! Which results are cached, and when they become invalid.

use rulepack_model::ValueId;

use super::*;
use crate::state::value_tables::TABLES;

fn find(memo: &Memo, key: Key, zone: ZoneIx, value: i64) {
    let work = || {
        memo.saw_zone(zone);
        Value::Int(value)
    };
    assert_eq!(memo.find(key, work, || true), Value::Int(value));
}

fn key(value: u16) -> Key {
    Key::of_player(ValueId(value), None, false)
}

#[test]
fn a_value_is_known_until_something_changes_that_it_saw() {
    let memo = Memo::default();
    assert_eq!(memo.get(key(3)), None);
    find(&memo, key(3), ZoneIx(5), 7);
    memo.zone_changed(ZoneIx(6), 1);
    memo.variable_changed(VarId(5));
    assert_eq!(memo.get(key(3)), Some(Value::Int(7)));
    memo.zone_changed(ZoneIx(5), 1);
    assert_eq!(memo.get(key(3)), None);
    // The change came before the value was computed again, so it does not matter.
    find(&memo, key(3), ZoneIx(5), 8);
    assert_eq!(memo.get(key(3)), Some(Value::Int(8)));
}

#[test]
fn pieces_of_other_kinds_do_not_count_if_only_some_were_looked_for() {
    let memo = Memo::default();
    let work = || {
        memo.saw_some_of(ZoneIx(5), 0b10);
        Value::Int(1)
    };
    memo.find(key(1), work, || true);
    memo.zone_changed(ZoneIx(5), 0b101);
    memo.zone_changed(ZoneIx(6), 0b10);
    // A zone that was read has changed, and in another zone a piece of a kind that was read. The cache cannot tell these two
    // from one change in the zone that was read.
    assert_eq!(memo.get(key(1)), None);
    memo.find(key(1), work, || true);
    memo.zone_changed(ZoneIx(5), 0b101);
    assert_eq!(memo.get(key(1)), Some(Value::Int(1)));
    memo.zone_changed(ZoneIx(5), 0b10);
    assert_eq!(memo.get(key(1)), None);
}

#[test]
fn a_piece_whose_kinds_have_no_bit_counts_where_all_are_looked_at() {
    let memo = Memo::default();
    let work = || {
        memo.saw_some_of(ZoneIx(5), u64::MAX);
        Value::Int(1)
    };
    memo.find(key(1), work, || true);
    memo.zone_changed(ZoneIx(5), 0);
    assert_eq!(memo.get(key(1)), None);
}

#[test]
fn a_value_depends_on_what_its_parts_have_read() {
    let memo = Memo::default();
    find(&memo, key(1), ZoneIx(5), 1);
    let work = || memo.get(key(1)).expect("it is known");
    assert_eq!(memo.find(key(2), work, || true), Value::Int(1));
    memo.zone_changed(ZoneIx(5), 1);
    assert_eq!(memo.get(key(2)), None);
}

/// When a value took the place of another one that was still right, both were computed again and again.
#[test]
fn values_that_are_right_do_not_push_one_another_out() {
    let memo = Memo::default();
    let of = |value: u16, piece: u32| Key::of_piece(ValueId(value), PieceId(piece), None, false);
    let all = || (0..4).flat_map(|value| (0..2000).map(move |piece| (value, piece)));
    for (value, piece) in all() {
        find(&memo, of(value, piece), ZoneIx(5), i64::from(piece));
    }
    let lost = all().filter(|(value, piece)| memo.get(of(*value, *piece)) != Some(Value::Int(i64::from(*piece))));
    assert_eq!(lost.count(), 0);
    let tables = memo.values.count();
    assert!(tables < TABLES, "there is room for more");
    // New values take the places of those that are no longer right: no further table is needed.
    memo.zone_changed(ZoneIx(5), 1);
    for (value, piece) in all() {
        find(&memo, of(value + 4, piece), ZoneIx(5), 1);
    }
    assert_eq!(memo.values.count(), tables);
}

/// An expression that calls a script counts as having read everything; its value is kept only while the value that asked for it is computed.
#[test]
fn a_value_that_has_read_everything_is_cached_inside_one_value() {
    let memo = Memo::default();
    let inner = || {
        memo.saw_all();
        Value::Int(1)
    };
    let outer = || {
        assert_eq!(memo.find(key(1), inner, || true), Value::Int(1));
        assert_eq!(memo.get(key(1)), Some(Value::Int(1)));
        Value::Int(2)
    };
    assert_eq!(memo.find(key(2), outer, || true), Value::Int(2));
    assert_eq!((memo.get(key(1)), memo.get(key(2))), (None, None));
    let other = || {
        assert_eq!(memo.get(key(1)), None, "it belongs to another value");
        Value::Int(3)
    };
    memo.find(key(3), other, || true);
}

/// In a temporary copy of a state, only values that other values ask for are cached.
#[test]
fn a_temporary_state_caches_values_that_other_values_ask_for() {
    let memo = Memo::default();
    memo.disable();
    let outer = || {
        find(&memo, key(1), ZoneIx(1), 1);
        assert_eq!(memo.get(key(1)), Some(Value::Int(1)));
        Value::Int(2)
    };
    memo.find(key(2), outer, || true);
    assert_eq!((memo.get(key(1)), memo.get(key(2))), (None, None));
}

#[test]
fn what_was_worked_out_long_ago_is_still_known() {
    let memo = Memo::default();
    find(&memo, key(1), ZoneIx(1), 1);
    for n in 0..1000 {
        memo.zone_changed(ZoneIx(2), 1);
        find(&memo, key(2), ZoneIx(2), n);
    }
    assert_eq!((memo.get(key(1)), memo.get(key(2))), (Some(Value::Int(1)), Some(Value::Int(999))));
}

#[test]
fn all_is_calm_until_something_changes_that_the_rules_looked_at() {
    let memo = Memo::default();
    let look = |applies: Option<u8>| {
        memo.check_standing(|| {
            memo.saw_some_of(ZoneIx(5), 0b10);
            memo.saw_resource(ResId(1));
            applies
        })
    };
    assert!(!memo.standing_clean());
    assert_eq!(look(Some(3)), Some(3));
    assert!(!memo.standing_clean());
    assert_eq!(look(None), None);
    memo.zone_changed(ZoneIx(5), 0b101);
    memo.zone_changed(ZoneIx(6), 0b10);
    memo.resource_changed(ResId(2));
    assert!(memo.standing_clean());
    memo.zone_changed(ZoneIx(5), 0b10);
    assert!(!memo.standing_clean());
    look(None);
    memo.resource_changed(ResId(1));
    assert!(!memo.standing_clean());
    // A copy of the table is as up to date as the table; changes of one say nothing about the other.
    look(None);
    let copy = memo.clone();
    memo.resource_changed(ResId(1));
    assert!(!memo.standing_clean() && copy.standing_clean());
    copy.zone_changed(ZoneIx(5), 0b10);
    assert!(!copy.standing_clean());
}

#[test]
fn rules_that_have_read_everything_are_checked_after_any_change() {
    let memo = Memo::default();
    let look = || {
        memo.check_standing(|| -> Option<u8> {
            memo.saw_all();
            None
        })
    };
    let changes: [&dyn Fn(); 4] = [
        &|| memo.zone_changed(ZoneIx(70), 0),
        &|| memo.resource_changed(ResId(40)),
        &|| memo.variable_changed(VarId(90)),
        &|| memo.turn_changed(),
    ];
    for change in changes {
        look();
        assert!(memo.standing_clean());
        change();
        assert!(!memo.standing_clean());
    }
}

#[test]
fn another_table_may_be_like_that_one_in_every_number() {
    let mut memo = Memo::default();
    find(&memo, key(1), ZoneIx(5), 1);
    memo.clone_from(&Memo::default());
    assert_eq!(memo.get(key(1)), None);
}

#[test]
fn options_are_listed_again_until_something_changes() {
    let memo = Memo::default();
    let list = |option: Opt| {
        let mut options = vec![Opt::Done];
        let known = memo.list(3, &mut options, |options| {
            memo.saw_zone(ZoneIx(1));
            options.push(option);
        });
        (known, options)
    };
    assert_eq!(list(Opt::Yes), (Known::Now, vec![Opt::Done, Opt::Yes]));
    assert_eq!(list(Opt::No), (Known::Already, vec![Opt::Done, Opt::Yes]));
    memo.zone_changed(ZoneIx(1), 1);
    assert_eq!(list(Opt::No), (Known::Now, vec![Opt::Done, Opt::No]));
}
