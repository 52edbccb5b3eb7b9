//! Tests against a tiny harbor: two players, coins and ropes, cards in a deck, hands and on a quay.

mod effects;
mod harbor;
mod loading;
mod reading;
mod sandboxing;
mod sets;
mod stopping;
mod whole_game;
