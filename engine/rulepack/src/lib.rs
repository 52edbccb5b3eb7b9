//! Games as content packs: TOML, an expression language and Lua, played by a kernel that knows no game.
//!
//! The whole way from a folder to a score:
//!
//! ```
//! use rulepack::{Library, LinkRequest, Pending, RandomBot, Words};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let library = Library::open(&["../../tests/fixtures/tiny"])?;
//! let request = LinkRequest { pack: "tiny".into(), players: Some(2), ..LinkRequest::default() };
//! let game_box = library.game(&request)?;
//! let host = game_box.host()?;
//! let mut game = game_box.start(&host, 42)?;
//! let mut bot = RandomBot::new(42);
//! let outcome = loop {
//!     match game.pending() {
//!         Pending::Decision(decision) => {
//!             let answer = bot.choose(game_box.rules(), decision);
//!             game.answer(&host, answer)?;
//!         }
//!         Pending::Over(outcome) => break outcome,
//!     }
//! };
//! let scores = Words::new(game_box.rules(), "en").outcome(outcome);
//! assert!(scores.last().is_some_and(|line| line.contains("win") || line.contains("Shared")));
//! # Ok(())
//! # }
//! ```
//!
//! - [`Library`] opens folders and loads packs; mistakes come back as [`Diagnostic`]s with their places.
//! - [`Game`] is a plain value: clone it, compare it, [`Game::save`] and [`Game::load`] it at every decision.
//! - [`Table`] is the interface for front ends: views, questions and logs for each seat as plain data; an answer to another
//!   question than the present one is refused; a [`SeatedBot`] answers for a seat. [`serve::Server`] offers tables to other programs in lines of JSON.
//! - [`Session`] adds a history: undo, fork, the table after any answer, and a [`GameLog`] that can be replayed and graded.
//! - [`Export`] is the view and the log of one seat, for files that a player may have.
//! - [`View`] is what one player sees; [`Words`] puts questions, options and events into a language.
//! - [`Game::why_not`] says why something is not offered, [`Words::reason`] says it in a language.
//! - [`simulate`] plays many random games, [`check`] finds the mistakes of a pack.

mod glossary;
mod handles;
mod log;
mod question;
mod refused;
mod seated_bot;
mod seats;
pub mod serve;
mod table;
#[cfg(test)]
mod tests;

pub use glossary::{Attribute, Glossary, LayoutKind, NamedCost, TypeEntry, ZoneEntry};
pub use log::{Entry, FactKind, Told};
pub use question::{Choice, Cost, CostPart, PendingQuestion, Question, QuestionKind};
pub use refused::{LoadError, Refused};
pub use seated_bot::SeatedBot;
pub use seats::seat_of;
pub use table::{Table, TableView, Term, WhyNot, viewer_key};

pub use rulepack_kernel::{
    Amount, Answer, AnswerError, Ask, Bundle, Call, CarryError, Decision, EffectHost, Eval, Fault, FaultTold, Game,
    GameAccess, Granted, Header, HiddenView, KindLook, Limits, LineView, LogEntry, Look, LookBy, Mark, Named, Opt,
    OptionKeys, Outcome, OutcomeView, Pending, Pick, PieceView, PlayerView, Progress, Promise, Reason, Request,
    ResourceHolder, ResourceSel, Ruleset, RunId, Save, SaveError, SheetView, Shortcut, Shortcuts, Shown, Sight,
    SpaceView, State, TableSampler, Tried, Value, View, Viewer, Wanted, Words, ZoneLook, ZoneSize, ZoneView,
    check_invariants, seat_key, tell_why,
};
pub use rulepack_model::{
    ActionId, Confidence, Diagnostic, EventId, GroupId, HookId, KindId, Label, Origin, PhaseId, PieceId, PromptId,
    ResId, Seat, Severity, ShownBy, Sources, Span, StableHasher, SymId, TypeId, ValueId, VarId, visible,
};
pub use rulepack_pack::{LinkRequest, OpenError};
pub use rulepack_script::ScriptHost;
pub use rulepack_tools::{
    ArenaReport, ArenaRequest, Asked, Baseline, Bot, BotKind, Carried, Carry, CheckRequest, Checked, Difference,
    Divergence, Effort, End, Export, Finding, GameBox, GameLog, Grade, Greedy, Hosts, Judged, KindError, Library, Mcts,
    Mistakes, PackInfo, PlainGame, Players, RandomBot, ReplayError, Replayed, Seats, Session, SimReport, SimRequest,
    Situation, Thought, Witness, arena, check, conformance, coverage, first_cause, game_seed, only_causes, play,
    prepare, render, requests, scenario, seats, simulate,
};
