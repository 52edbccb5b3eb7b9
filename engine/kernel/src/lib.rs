//! The kernel: players, pieces, zones, resources, phases, actions, decisions, events, chance, points. It knows no game.
//!
//! It opens no file, runs no script (see [`EffectHost`]), reads no clock, and keeps nothing outside a [`Game`].

mod action;
mod bundle;
mod choose;
mod decision;
mod discreet;
mod edit;
mod effort;
mod eval;
mod event;
mod facts;
mod fault;
mod flow;
mod frame;
mod fuel;
mod game;
mod host;
mod invariant;
mod keys;
mod lane;
mod log;
mod look;
mod lower;
mod machine;
mod memo;
mod parts;
mod phrases;
mod rng;
mod room;
mod roster;
pub mod ruleset;
mod run;
mod sample;
mod save;
mod score;
mod script;
mod sets;
mod shortcuts;
mod sight;
mod spaces;
mod standing;
mod state;
mod telling;
mod texts;
mod transfer;
mod validate;
mod value;
mod view;
mod words;

pub use bundle::{Bundle, Kinds};
pub use decision::{Answer, Ask, Decision, Opt};
pub use edit::{EditError, Editor};
pub use eval::{Eval, Locals, Slots};
pub use fault::{AnswerError, Fault, FaultDetails};
pub use frame::Place;
pub use game::{Game, Pending};
pub use host::{Call, EffectHost, NoScripts, Progress, Request, RunId};
pub use invariant::check_invariants;
pub use keys::{OptionKeys, option_keys, seat_key, space_key, value_keys};
pub use log::Event;
pub use parts::Parts;
pub use rng::Rng;
pub use ruleset::Ruleset;
pub use sample::Exchange;
pub use save::{Save, SaveError, same_packs};
pub use score::{Line, LineLabel, Outcome, Sheet};
pub use shortcuts::{ORACLE, Shortcut, Shortcuts};
pub use sight::{SeenBy, Sight, Viewer};
pub use state::{PieceState, State};
pub use texts::{Text, Texts};
pub use value::{Cell, Value, ZoneIx};
pub use view::{
    HiddenView, LineView, Named, OutcomeView, PieceView, PlayerView, SheetView, Shown, SpaceView, View, ZoneView,
};
pub use words::Words;
