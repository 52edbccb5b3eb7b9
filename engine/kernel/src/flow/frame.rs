//! The frames of the stack, as plain values. For example, in the middle of an effect: a phase, above it the action that a
//! player has taken, above that the effect of the action.

use rulepack_model::{ActionId, EventId, HookId, PhaseId, PieceId, ProgId, PromptId, ResId, Seat};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::eval::bundle::Bundle;
use crate::eval::expressions::Slots;
use crate::flow::decision::Opt;
use crate::persist::gone::Gone;
use crate::rules::ruleset::Ruleset;
use crate::state::value::Value;

/// One frame of the stack. The last one runs; the others wait for those above them.
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
    /// Its definition.
    pub phase: PhaseId,
    /// Whether it has been entered.
    pub entered: bool,
    /// Whether it ends as soon as it is on top again.
    pub ended: bool,
    /// The next part of a sequence, or how many actions were taken.
    pub step: u32,
    /// How many times a sequence was completed, or how many turns have begun.
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
    /// Its definition.
    pub action: ActionId,
    /// The slots: `me`, an empty one, then the parameters.
    pub locals: Slots,
    /// How many parameters are known.
    pub bound: u16,
    /// How many costs are paid.
    pub paid: u16,
    /// Whether its effect has begun.
    pub begun: bool,
    /// Whether it costs nothing this time.
    pub waive_cost: bool,
    /// Whether it is taken as a free action, between the steps of something else.
    pub interrupts: bool,
}

/// The pieces that players may look at for a while, each with the player.
pub type Looks = SmallVec<[(Seat, PieceId); 0]>;

/// An effect that is running.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFrame {
    /// Its operations.
    pub program: ProgId,
    /// The index of the next operation.
    pub pc: u32,
    /// Its slots.
    pub locals: Slots,
    /// The lists that it walks, each with the index of the next item.
    pub lists: SmallVec<[(Vec<Value>, u32); 1]>,
    /// A field that only old saves have; see [`Gone`].
    #[serde(default, skip_serializing)]
    pub(crate) waits: Gone,
    /// The pieces that players may look at until it ends.
    pub looks: Looks,
    /// Whether it is the effect of a standing rule: until it ends, no other standing rule is checked.
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

/// A move of resources.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransferFrame {
    /// Who gives them.
    pub from: ResourceHolder,
    /// Who gets them.
    pub to: ResourceHolder,
    /// The resources that are left to move.
    pub bundle: Bundle,
    /// The player who is asked if there is a choice.
    pub chooser: Seat,
    /// Whether it is a payment: all of it must be there.
    pub strict: bool,
    /// The units that are moving now, if pieces keep them.
    pub kept: Option<KeptUnits>,
    /// Whether a unit has moved, or a player has answered.
    #[serde(default)]
    pub begun: bool,
}

/// Units of one resource that move from or to pieces that keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptUnits {
    /// The resource.
    pub res: ResId,
    /// How many are left.
    pub left: i32,
    /// The piece that the player has chosen to take the next unit from.
    pub source: Option<PieceId>,
}

/// An event that is happening.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventFrame {
    /// Its definition.
    pub event: EventId,
    /// Who caused it.
    pub actor: Option<Seat>,
    /// Its arguments.
    pub args: SmallVec<[Value; 4]>,
    /// What it does next.
    pub stage: EventStage,
    /// The hooks that listen, in order: the piece, and the index among the hooks of its type.
    pub queue: SmallVec<[(PieceId, u8); 4]>,
    /// The index of the next hook in the queue.
    pub next: u16,
    /// Whether an effect has called it off.
    pub cancelled: bool,
}

/// What an event does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EventStage {
    /// Asks a player whether to answer it with a piece.
    Window,
    /// Looks for a piece that replaces its effect.
    Replace,
    /// Does its own effect.
    Happen,
    /// Looks for the pieces that listen to it.
    Listen,
    /// Runs the next hook of the queue.
    Told,
}

/// A script that is running.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptFrame {
    /// Its function.
    pub hook: HookId,
    /// The player for whom it runs.
    pub me: Option<Seat>,
    /// The piece whose effect it is.
    pub this: Option<PieceId>,
    /// Its arguments.
    pub args: SmallVec<[Value; 4]>,
    /// Whether it has begun.
    pub begun: bool,
    /// The pieces that players may look at until it ends.
    pub looks: Looks,
}

/// A question that a script asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskFrame {
    /// The player who is asked.
    pub seat: Seat,
    /// The options.
    pub options: Vec<Opt>,
    /// The text of the question.
    pub prompt: Option<PromptId>,
    /// Whether it is answered with yes or no.
    pub may: bool,
    /// Whether only the player is told what was chosen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
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
        // Faster than `clone`, which copies the list seat by seat.
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
    /// An event whose next stage is `stage`.
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
    /// Whether it is an effect, a script or an action: the frames that faults and questions name as their place.
    pub(crate) fn is_work(&self) -> bool {
        match self {
            Frame::Run(_) | Frame::Script(_) | Frame::Action(_) => true,
            Frame::Phase(_) | Frame::Transfer(_) | Frame::Event(_) | Frame::Ask(_) | Frame::Pause(_) => false,
        }
    }

    /// The definition to which it belongs, for messages, such as `action.build`; `None` for a frame that belongs to the one
    /// below it.
    pub(crate) fn origin(&self, rules: &Ruleset) -> Option<String> {
        match self {
            Frame::Run(run) => Some(rules.programs[run.program.index()].origin.clone()),
            Frame::Script(script) => Some(rules.hooks[script.hook.index()].bound_at.clone()),
            Frame::Action(action) => Some(format!("action.{}", rules.actions[action.action.index()].name)),
            Frame::Phase(phase) => Some(format!("phase.{}", rules.phases[phase.phase.index()].name)),
            Frame::Transfer(_) | Frame::Event(_) | Frame::Ask(_) | Frame::Pause(_) => None,
        }
    }

    /// If it is an effect: where its next step stands, as `path:line:column`.
    pub(crate) fn place(&self, rules: &Ruleset) -> Option<String> {
        match self {
            Frame::Run(run) => rules.programs[run.program.index()].place(run.pc),
            Frame::Phase(_) | Frame::Action(_) | Frame::Transfer(_) | Frame::Event(_) => None,
            Frame::Script(_) | Frame::Ask(_) | Frame::Pause(_) => None,
        }
    }

    /// The pieces that it lets players look at.
    pub(crate) fn looks(&self) -> Option<&Looks> {
        match self {
            Frame::Run(RunFrame { looks, .. }) | Frame::Script(ScriptFrame { looks, .. }) => Some(looks),
            Frame::Phase(_) | Frame::Action(_) | Frame::Transfer(_) | Frame::Event(_) => None,
            Frame::Ask(_) | Frame::Pause(_) => None,
        }
    }

    /// Like [`Frame::looks`], to change them.
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

    /// Visits every piece that it contains.
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
