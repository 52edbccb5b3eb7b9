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
//! let game_box = library.load(&request).map_err(|mistakes| format!("{mistakes:?}"))?;
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
//! - [`Session`] adds a history: undo, fork, the table after any answer, and a [`GameLog`] that can be replayed and graded.
//! - [`Export`] is the view and the log of one seat, for files that a player may have.
//! - [`View`] is what one player sees; [`Words`] puts questions, options and events into a language.
//! - [`Game::why_not`] says why something is not offered, [`Words::reason`] says it in a language.
//! - [`simulate`] plays many games by chance, [`check`] finds what is wrong with a pack.

pub use rulepack_kernel::{
    Amount, Answer, AnswerError, Ask, Bundle, Call, Decision, EffectHost, Fault, Game, Limits, LogEntry, Opt,
    OptionKeys, Outcome, Pending, Pick, Progress, Promise, Reason, Request, ResourceHolder, ResourceSel, Ruleset,
    RunId, Save, SaveError, Shortcut, Shortcuts, Sight, State, Tried, Value, View, Viewer, Wanted, Words,
    check_invariants, tell_why,
};
pub use rulepack_model::{
    ActionId, Confidence, Diagnostic, HookId, Label, PieceId, ResId, Seat, Severity, ShownBy, Sources, Span,
    StableHasher,
};
pub use rulepack_pack::{LinkRequest, OpenError};
pub use rulepack_script::ScriptHost;
pub use rulepack_tools::{
    Asked, Baseline, CheckRequest, Checked, Difference, Divergence, End, Export, Finding, GameBox, GameLog, Grade,
    Library, PackInfo, PlainGame, RandomBot, ReplayError, Replayed, Session, SimReport, SimRequest, Witness, check,
    conformance, coverage, game_seed, only_causes, play, prepare, requests, scenario, simulate,
};
