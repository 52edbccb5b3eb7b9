//! The kernel: players, pieces, zones, resources, phases, actions, decisions, events, chance, points. It knows no game.
//!
//! It opens no file, runs no script (see [`EffectHost`]), reads no clock, and keeps nothing outside a [`Game`].

mod eval;
mod flow;
mod hidden;
mod lower;
mod persist;
mod rules;
mod state;
mod text;

pub use rulepack_expr::OWNER;

pub use eval::bundle::{Bundle, Kept, ResourceSel};
pub use eval::expressions::{Eval, Locals, Slots};
pub use eval::for_scripts::NamedSet;
pub use eval::score::{Line, LineLabel, Outcome, Sheet};
pub use flow::decision::{Answer, Ask, Decision, MOST_OPTIONS, Opt};
pub use flow::fault::{AnswerError, Fault, FaultDetails};
pub use flow::frame::ResourceHolder;
pub use flow::game::{Game, Pending};
pub use flow::host::{Call, Destination, EffectHost, GameAccess, Granted, Need, NoScripts, Progress, Request, RunId};
pub use flow::log::LogEntry;
pub use flow::loops::{EffectLoop, FreeLoop, LoopRules};
pub use flow::set_up::SetUp;
pub use hidden::recent::Recent;
pub use hidden::resample::Exchange;
pub use hidden::sampler::TableSampler;
pub use hidden::sight::{FaultTold, SeenBy, Sight, Viewer};
pub use persist::carry::{CarryError, Taken};
pub use persist::header::{FileFormat, Header, Stamp, WrongStamp};
pub use persist::invariant::check_invariants;
pub use persist::json_error::misread;
pub use persist::recorded_answer::{Given, GivenError, told, told_lines};
pub use persist::save::{History, Save, SaveError};
pub use rules::limits::Limits;
pub use rules::look::{KindLook, Look, LookBy, Mark, ZoneLook, ZoneSize};
pub use rules::meaning::{Changes, Meaning, ORDER};
pub use rules::ruleset;
pub use rules::ruleset::Ruleset;
pub use rules::shortcuts::{ORACLE, Promise, Shortcut, Shortcuts};
pub use rules::translations::{Text, Translations};
pub use state::editor::{EditError, Editor};
pub use state::fuel::ScriptBudget;
pub use state::rng::Rng;
pub use state::table::{PieceState, State};
pub use state::value::{Cell, Value, ZoneIx};
pub use text::handles::{cell_handle, seat_handle};
pub use text::keys::{OptionKeys, event_key, forced_keys, option_keys, seat_key, space_key, value_keys};
pub use text::phrases::{Language, fill};
pub use text::view::{
    HiddenView, LineView, Named, OutcomeView, PieceView, PlayerView, SheetView, Shown, SpaceView, View, ZoneView,
};
pub use text::why::{Amount, Pick, Reason, Tried, Wanted, tell_why};
pub use text::words::Words;
