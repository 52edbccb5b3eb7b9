//! Seats in texts: `player_1` is the first. In Rust a seat is always a [`Seat`]; in JSON it is this text.

use rulepack_kernel::seat_key;
use rulepack_model::Seat;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// The seat with this name, such as `player_1`; nothing if it is no name of a seat.
pub fn seat_of(name: &str) -> Option<Seat> {
    let number = name.strip_prefix("player_")?.parse::<u8>().ok()?.checked_sub(1)?;
    Some(Seat(number)).filter(|seat| seat_key(*seat) == name)
}

pub(crate) fn serialize<S: Serializer>(seat: &Seat, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&seat_key(*seat))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
    let name = String::deserialize(deserializer)?;
    seat_of(&name).ok_or_else(|| D::Error::custom(format!("`{name}` is no player: write `player_1`")))
}
