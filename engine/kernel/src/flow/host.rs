//! The interface for scripts, which the kernel cannot run itself. Another crate implements it.

use rulepack_expr::AttrId;
use rulepack_model::{ActionId, EventId, HookId, PieceId, PromptId, Seat, VarId};
use smallvec::SmallVec;

use crate::eval::bundle::Bundle;
use crate::eval::expressions::Eval;
use crate::flow::fault::Fault;
use crate::flow::frame::ResourceHolder;
use crate::rules::ruleset::Ruleset;
use crate::state::table::State;
use crate::state::value::{Cell, Value, ZoneIx};

/// A call of a script that has begun and not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunId(pub u64);

/// The data for the call of a script.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// The state, for reading.
    pub state: &'a State,
    /// Which function.
    pub hook: HookId,
    /// The player.
    pub me: Option<Seat>,
    /// The piece.
    pub this: Option<PieceId>,
    /// Further arguments.
    pub args: &'a [Value],
}

/// How far a script has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It has ended with this result.
    Done(Value),
    /// It waits for the result of its last request.
    Waits,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granted {
    /// It is carried out: the script goes on with this result.
    Done(Value),
    /// Something else comes first, such as a question: the script waits. It gets the result when it is resumed.
    Later,
}

/// The game on which a script works.
pub trait GameAccess {
    /// The rules and the present state, for reading.
    fn eval(&self) -> Eval<'_>;

    /// Carries out a request that a script makes for a player.
    ///
    /// # Errors
    /// If it cannot be carried out.
    fn grant(&mut self, me: Option<Seat>, request: Request) -> Result<Granted, Fault>;
}

/// Where pieces are drawn to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Destination {
    /// Each onto the first free space of a zone, or on top of it.
    Zone(ZoneIx),
    /// All to one space.
    Space(Cell),
}

/// Whether something must be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Yes; a list without members is a fault of the script.
    One,
    /// If there is something to choose.
    IfAny,
    /// The player may choose nothing.
    Optional,
}

/// The requests that a script can make.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Request {
    Transfer {
        from: ResourceHolder,
        to: ResourceHolder,
        bundle: Bundle,
        chooser: Seat,
        strict: bool,
    },
    Move {
        piece: PieceId,
        to: Cell,
        bottom: bool,
        facing: Option<bool>,
    },
    /// Several pieces, one after the other; nothing else happens before the last has moved.
    MoveAll {
        pieces: Vec<PieceId>,
        to: Destination,
        bottom: bool,
        facing: Option<bool>,
    },
    Lay {
        piece: PieceId,
        on: PieceId,
    },
    /// Two pieces change places.
    Swap(PieceId, PieceId),
    /// The top pieces of a zone, one after the other, as many as there are.
    Draw {
        count: i64,
        from: ZoneIx,
        to: Destination,
    },
    Shuffle(ZoneIx),
    Refill(ZoneIx),
    Flip(PieceId),
    /// Several pieces; nothing else happens before the last is turned.
    FlipAll(Vec<PieceId>),
    /// With `secret`, only the player of the script is told the result.
    Roll {
        sides: u32,
        secret: bool,
    },
    /// One of these by chance.
    Pick {
        from: Vec<Value>,
        secret: bool,
    },
    SetVar {
        var: VarId,
        owner: Option<Value>,
        value: Value,
    },
    Raise {
        event: EventId,
        args: SmallVec<[Value; 4]>,
    },
    Perform {
        action: ActionId,
        args: SmallVec<[Value; 4]>,
        free: bool,
    },
    Use {
        piece: PieceId,
        attr: AttrId,
    },
    /// `among` is the list before it was filtered, as others know it; empty if it was not filtered.
    Choose {
        seat: Seat,
        from: Vec<Value>,
        among: Vec<Value>,
        prompt: Option<PromptId>,
        need: Need,
        /// Whether only the player is told what was chosen.
        secret: bool,
    },
    /// One of several named ways; the result is its number, from 1.
    Either {
        seat: Seat,
        ways: Vec<PromptId>,
    },
    Confirm {
        seat: Seat,
        prompt: Option<PromptId>,
    },
    /// Until the script is over, or until each piece moves.
    Look {
        seat: Seat,
        pieces: Vec<PieceId>,
        lasting: bool,
        prompt: Option<PromptId>,
    },
    /// Players are shown pieces; all, if none are named.
    Show {
        pieces: Vec<PieceId>,
        to: Option<SmallVec<[Seat; 8]>>,
        lasting: bool,
    },
    Disclose {
        values: Vec<Value>,
        prompt: Option<PromptId>,
    },
    /// A line in the log.
    Note {
        prompt: PromptId,
        values: Vec<Value>,
    },
    Pause,
    Pass,
    Rejoin(Seat),
    Cancel,
    EndTurn,
    EndPhase,
    /// Without winners, the points decide.
    EndGame {
        winners: Option<Vec<Seat>>,
    },
}

/// Runs scripts. It may drop a call that has not ended: the kernel can always begin it again.
pub trait EffectHost {
    /// Begins a call; nothing runs before the first [`EffectHost::resume`].
    ///
    /// # Errors
    /// If the function cannot be called.
    fn start(&self, call: &Call<'_>) -> Result<RunId, Fault>;

    /// Runs on until the script ends, or until one of its requests is not carried out at once. `reply` is the result of
    /// the request for which it waited.
    ///
    /// # Errors
    /// If the script fails or hits a limit, or if a request cannot be carried out.
    fn resume(&self, game: &mut dyn GameAccess, run: RunId, reply: Value) -> Result<Progress, Fault>;

    /// Whether a call can still be resumed.
    fn is_live(&self, run: RunId) -> bool;

    /// Says that the call will not be resumed.
    fn forget(&self, run: RunId);

    /// The line at which a call waits, as `path:line`; the call has ended then. Asked for when its request has failed.
    fn place_of(&self, _rules: &Ruleset, _state: &State, _run: RunId) -> Option<String> {
        None
    }

    /// A fault of a query inside an expression, where it could not be reported at once.
    fn take_fault(&self) -> Option<Fault> {
        None
    }

    /// Calls a function that neither changes the game nor asks a player.
    ///
    /// # Errors
    /// If the script fails or hits a limit.
    fn query(
        &self,
        rules: &Ruleset,
        state: &State,
        hook: HookId,
        me: Option<Seat>,
        args: &[Value],
    ) -> Result<Value, Fault>;
}

/// A host without scripts.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoScripts;

impl EffectHost for NoScripts {
    fn start(&self, call: &Call<'_>) -> Result<RunId, Fault> {
        Err(Fault::new(format!("there is no script host to run `{}`", call.rules.hooks[call.hook.index()].name)))
    }

    fn resume(&self, _: &mut dyn GameAccess, _: RunId, _: Value) -> Result<Progress, Fault> {
        Err(Fault::new("there is no script host"))
    }

    fn is_live(&self, _: RunId) -> bool {
        false
    }

    fn forget(&self, _: RunId) {}

    fn query(&self, _: &Ruleset, _: &State, _: HookId, _: Option<Seat>, _: &[Value]) -> Result<Value, Fault> {
        Err(Fault::new("there is no script host"))
    }
}
