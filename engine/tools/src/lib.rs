//! What is done with packs and games: load, check, play by chance, save and replay. It returns; it prints nothing.

mod blame;
mod bots;
mod check;
mod circles;
pub mod coverage;
mod load;
pub mod mutate;
mod replay;
mod report;
pub mod scenario;
mod secrecy;
mod session;
mod sim;

pub use bots::RandomBot;
pub use check::{check, requests};
pub use circles::{Circle, circles};
pub use load::{GameBox, Library, PackInfo};
pub use replay::{GameLog, ReplayError, Start};
pub use report::{Finding, PlaceInFile, without_repeats};
pub use secrecy::Watch;
pub use session::Session;
pub use sim::{End, Failure, Played, SimReport, SimRequest, game_seed, play, simulate};
