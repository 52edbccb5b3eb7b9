//! Everything that is done with packs and games: loading, checking, random games, saving, replaying. Returns results;
//! prints nothing.

mod allow;
mod arena;
mod balance;
mod blame;
mod calls;
mod check;
mod circles;
pub mod conformance;
pub mod coverage;
mod cures;
mod early;
mod ending;
mod export;
pub mod fetch;
mod grade;
mod history;
mod hosts;
pub mod interval;
mod leak;
mod lint;
mod load;
mod many;
mod mistakes;
pub mod mutate;
mod oracle;
mod project;
mod records;
mod render;
mod replay;
mod report;
pub mod scenario;
mod scripts;
mod secrecy;
pub mod sentences;
mod session;
mod sim;
pub mod start;
mod statistics;
mod touching;
mod write;

pub use arena::{ArenaReport, ArenaRequest, Pair, Rated, arena};
pub use balance::{
    BalanceReport, BalanceRequest, Comparison, Difference as FigureDifference, NamedFigure, Remark, Verdict, balance,
    compare,
};
pub use calls::{balance_call, capped_call, play_call, sim_call};
pub use check::{CheckRequest, Checked, GLANCES, check, check_glancing, glance, prepare, requests};
pub use circles::{Circle, circles};
pub use cures::{Edit, Offer, cure, offers};
pub use export::{Entry, Export, Question, Witness};
pub use grade::{Divergence, Grade, Replayed};
pub use history::Asked;
pub use load::{GameBox, Library, PackInfo};
pub use many::{Graded, Grades};
pub use mistakes::Mistakes;
pub use oracle::PlainGame;
pub use project::{ALL_WARNINGS, PROJECT_BOTS, PROJECT_CHECK, PROJECT_FILE, PROJECT_GIT, PROJECT_KEYS, Project};
pub use records::Chain;
pub use render::{first_cause, render};
pub use replay::{About, Beginning, Difference, GameLog, LogWriter, ReplayError, Start};
pub use report::{
    Baseline, Finding, PlaceInFile, REPORT_VERSION, conformance_junit, github, junit, only_causes, sarif,
    without_repeats,
};
pub use rulepack_bots::{
    Bot, BotKind, Effort, Greedy, Hosts, Judged, KindError, Mcts, Players, RandomBot, Seats, Situation, Thought, seats,
};
pub use rulepack_lua::CHECKS_TYPES;
pub use secrecy::{Glances, Watch};
pub use session::{Carried, Carry, Session};
pub use sim::{
    End, Failure, Part, Played, Shard, ShardWriter, SimReport, SimRequest, game_seed, merge, play, simulate,
};
pub use statistics::{AnswerStatistics, Effect, Ended, Notes, SeatStatistics, Statistics, Tallies};
pub use touching::{Touching, all_scenarios, scenarios_with};
pub use write::{
    FileKind, Growing, PAGE_HEAD, PICTURE_HEAD, REFERENCE_HEADS, SCENARIO_HEAD, Safety, put_aside, replace,
    write_with_folders,
};
