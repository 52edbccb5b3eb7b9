//! The flow of a game as a stack of plain values.

use rulepack_model::{ActionId, EventId, HookId, PhaseId, PieceId, ProgId, PromptId, ResId, Seat};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::eval::bundle::Bundle;
use crate::eval::expressions::Slots;
use crate::flow::decision::Opt;
use crate::persist::gone::Gone;
use crate::rules::ruleset::Ruleset;
use crate::state::value::Value;

/// One level of what is going on; the last of the stack is at work.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Frame {
    Phase(PhaseFrame),
    Action(ActionFrame),
    Run(RunFrame),
    Transfer(TransferFrame),
    Event(EventFrame),
    Script(ScriptFrame),
    Ask(AskFrame),
    Pause(Seat),
}

/// A phase.
#[derive(Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseFrame {
    /// Which.
    pub phase: PhaseId,
    /// Whether it has been entered.
    pub entered: bool,
    /// Whether it is to end as soon as it is at work again.
    pub ended: bool,
    /// The next part of a sequence, or how many actions were taken.
    pub step: u32,
    /// How many times a sequence has begun, or how many turns were taken.
    pub count: u32,
    /// Whose turn it is.
    pub seat: Option<Seat>,
    /// The order of the turns.
    pub order: SmallVec<[Seat; 8]>,
}

/// An action that is being taken.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionFrame {
    /// Which.
    pub action: ActionId,
    /// `me`, nothing, the parameters.
    pub locals: Slots,
    /// How many parameters are known.
    pub bound: u16,
    /// How many costs are paid.
    pub paid: u16,
    /// Whether its effect has begun.
    pub begun: bool,
    /// Whether it costs nothing this time.
    pub waive_cost: bool,
    /// Whether it was taken between the steps of something else.
    pub interrupts: bool,
}

/// Who may look at which piece.
pub type Looks = SmallVec<[(Seat, PieceId); 0]>;

/// An effect that is running.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFrame {
    /// Which.
    pub program: ProgId,
    /// The next operation.
    pub pc: u32,
    /// Its slots.
    pub locals: Slots,
    /// Lists that are being walked, with the next place.
    pub lists: SmallVec<[(Vec<Value>, u32); 1]>,
    /// Nothing; see [`Gone`].
    #[serde(default, skip_serializing)]
    pub(crate) waits: Gone,
    /// What somebody may look at while it runs.
    pub looks: Looks,
    /// Whether a standing rule brought it about: no other is looked at before it is over.
    pub standing: bool,
}

/// Where resources come from or go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ResourceHolder {
    Supply,
    Seat(Seat),
    Piece(PieceId),
}

/// Resources that are on their way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransferFrame {
    /// From where.
    pub from: ResourceHolder,
    /// To where.
    pub to: ResourceHolder,
    /// What is left to move.
    pub bundle: Bundle,
    /// Who chooses where there is a choice.
    pub chooser: Seat,
    /// Whether all of it must be there.
    pub strict: bool,
    /// Units of one resource that are kept on pieces, on their way from or to one of them.
    pub kept: Option<KeptUnits>,
    /// Whether a part of it has gone, or has been decided.
    #[serde(default)]
    pub begun: bool,
}

/// Units of a resource on their way from or to pieces on which players keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptUnits {
    /// Which resource.
    pub res: ResId,
    /// How many are left.
    pub left: i32,
    /// The piece from which the next one was chosen to come.
    pub source: Option<PieceId>,
}

/// An event that is happening.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventFrame {
    /// Which.
    pub event: EventId,
    /// Who caused it.
    pub actor: Option<Seat>,
    /// Its arguments.
    pub args: SmallVec<[Value; 4]>,
    /// How far it has come.
    pub stage: EventStage,
    /// Who listens, in order: the piece and the number of its hook.
    pub queue: SmallVec<[(PieceId, u8); 4]>,
    /// The next of them.
    pub next: u16,
    /// Whether somebody called it off.
    pub cancelled: bool,
}

/// How far an event has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum EventStage {
    Window,
    Replace,
    Happen,
    Listen,
    Told,
}

/// A script that is running.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptFrame {
    /// Which function.
    pub hook: HookId,
    /// For whom.
    pub me: Option<Seat>,
    /// For which piece.
    pub this: Option<PieceId>,
    /// Its arguments.
    pub args: SmallVec<[Value; 4]>,
    /// Whether it has begun.
    pub begun: bool,
    /// What somebody may look at while it runs.
    pub looks: Looks,
}

/// A question that a script asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskFrame {
    /// Who is asked.
    pub seat: Seat,
    /// What can be answered.
    pub options: Vec<Opt>,
    /// The question.
    pub prompt: Option<PromptId>,
    /// Whether it is a yes-or-no.
    pub may: bool,
}

impl ActionFrame {
    /// The parameters that are known.
    pub(crate) fn chosen(&self) -> &[Value] {
        let first = usize::from(rulepack_expr::FIRST_PARAM);
        self.locals.get(first..first + usize::from(self.bound)).unwrap_or(&[])
    }
}

impl Clone for PhaseFrame {
    fn clone(&self) -> Self {
        // The order in one move, which `clone` of the list is not.
        let order = SmallVec::from_slice(&self.order);
        let PhaseFrame { phase, entered, ended, step, count, seat, .. } = *self;
        PhaseFrame { phase, entered, ended, step, count, seat, order }
    }
}

impl PhaseFrame {
    pub(crate) fn new(phase: PhaseId) -> Self {
        PhaseFrame { phase, entered: false, ended: false, step: 0, count: 0, seat: None, order: SmallVec::new() }
    }
}

impl EventFrame {
    /// An event that has come so far.
    pub(crate) fn new(event: EventId, actor: Option<Seat>, args: SmallVec<[Value; 4]>, stage: EventStage) -> Self {
        EventFrame { event, actor, args, stage, queue: SmallVec::new(), next: 0, cancelled: false }
    }
}

impl From<EventFrame> for Frame {
    fn from(frame: EventFrame) -> Frame {
        Frame::Event(frame)
    }
}

impl RunFrame {
    /// An effect that has not begun.
    pub(crate) fn new(program: ProgId, locals: Slots) -> Self {
        let (lists, looks) = (SmallVec::new(), Looks::new());
        RunFrame { program, pc: 0, locals, lists, waits: Gone, looks, standing: false }
    }
}

impl Frame {
    /// Whether it is an effect, a script or an action: what faults and questions name as their place.
    pub(crate) fn is_work(&self) -> bool {
        match self {
            Frame::Run(_) | Frame::Script(_) | Frame::Action(_) => true,
            Frame::Phase(_) | Frame::Transfer(_) | Frame::Event(_) | Frame::Ask(_) | Frame::Pause(_) => false,
        }
    }

    /// Where it was bound, for messages; nothing if it belongs to what is below it.
    pub(crate) fn origin(&self, rules: &Ruleset) -> Option<String> {
        match self {
            Frame::Run(run) => Some(rules.programs[run.program.index()].origin.clone()),
            Frame::Script(script) => Some(rules.hooks[script.hook.index()].bound_at.clone()),
            Frame::Action(action) => Some(format!("action.{}", rules.actions[action.action.index()].name)),
            Frame::Phase(phase) => Some(format!("phase.{}", rules.phases[phase.phase.index()].name)),
            Frame::Transfer(_) | Frame::Event(_) | Frame::Ask(_) | Frame::Pause(_) => None,
        }
    }

    /// Where the step of the effect stands that it is at, if it is an effect.
    pub(crate) fn place(&self, rules: &Ruleset) -> Option<String> {
        match self {
            Frame::Run(run) => rules.programs[run.program.index()].place(run.pc),
            Frame::Phase(_) | Frame::Action(_) | Frame::Transfer(_) | Frame::Event(_) => None,
            Frame::Script(_) | Frame::Ask(_) | Frame::Pause(_) => None,
        }
    }

    /// What it lets players look at.
    pub(crate) fn looks(&self) -> Option<&Looks> {
        match self {
            Frame::Run(RunFrame { looks, .. }) | Frame::Script(ScriptFrame { looks, .. }) => Some(looks),
            Frame::Phase(_) | Frame::Action(_) | Frame::Transfer(_) | Frame::Event(_) => None,
            Frame::Ask(_) | Frame::Pause(_) => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn looks_mut(&mut self) -> Option<&mut Looks> {
        match self {
            Frame::Run(RunFrame { looks, .. }) | Frame::Script(ScriptFrame { looks, .. }) => Some(looks),
            Frame::Phase(_) | Frame::Action(_) | Frame::Transfer(_) | Frame::Event(_) => None,
            Frame::Ask(_) | Frame::Pause(_) => None,
        }
    }

    /// The action whose parameters all players see while it is on the stack, if it is one.
    pub(crate) fn shown_action(&self, rules: &Ruleset) -> Option<&ActionFrame> {
        match self {
            Frame::Action(action) => Some(action).filter(|action| rules.actions[action.action.index()].disclose),
            Frame::Phase(_) | Frame::Run(_) | Frame::Transfer(_) | Frame::Event(_) => None,
            Frame::Script(_) | Frame::Ask(_) | Frame::Pause(_) => None,
        }
    }

    /// Visits every piece that it speaks of.
    pub(crate) fn visit_pieces(&mut self, visit: &mut dyn FnMut(&mut PieceId)) {
        fn values<'v>(values: impl IntoIterator<Item = &'v mut Value>, visit: &mut dyn FnMut(&mut PieceId)) {
            values.into_iter().filter_map(Value::piece_mut).for_each(visit);
        }
        match self {
            Frame::Action(action) => values(&mut action.locals, visit),
            Frame::Run(run) => {
                values(&mut run.locals, visit);
                values(run.lists.iter_mut().flat_map(|(items, _)| items), visit);
                run.looks.iter_mut().for_each(|(_, piece)| visit(piece));
            }
            Frame::Event(event) => {
                values(&mut event.args, visit);
                event.queue.iter_mut().for_each(|(piece, _)| visit(piece));
            }
            Frame::Script(script) => {
                values(&mut script.args, visit);
                script.this.iter_mut().for_each(&mut *visit);
                script.looks.iter_mut().for_each(|(_, piece)| visit(piece));
            }
            Frame::Ask(ask) => {
                for option in &mut ask.options {
                    match option {
                        Opt::Action(_, value) | Opt::Free(_, value) | Opt::Value(value) => values([value], visit),
                        Opt::Branch(..) | Opt::Done | Opt::Yes | Opt::No | Opt::Continue => {}
                    }
                }
            }
            Frame::Transfer(transfer) => {
                for place in [&mut transfer.from, &mut transfer.to] {
                    match place {
                        ResourceHolder::Piece(piece) => visit(piece),
                        ResourceHolder::Supply | ResourceHolder::Seat(_) => {}
                    }
                }
                transfer.kept.iter_mut().filter_map(|units| units.source.as_mut()).for_each(visit);
            }
            Frame::Phase(_) | Frame::Pause(_) => {}
        }
    }
}
