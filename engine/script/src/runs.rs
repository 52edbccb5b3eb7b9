//! Calls that wait for the kernel, each in a coroutine of its own. Not too many are kept: the kernel can begin any of
//! them again.

use std::collections::VecDeque;

use mlua::{Function, Lua, Thread};
use rulepack_kernel::{RunId, Value};
use rulepack_model::{HookId, PieceId, Seat};

/// How many calls can wait.
const MOST: usize = 256;
/// How many coroutines are kept to be used again.
const IDLE: usize = 32;

/// A call that has begun and not ended.
pub(crate) struct Run {
    id: RunId,
    /// Where it runs.
    pub thread: Thread,
    /// Which function.
    pub hook: HookId,
    /// For whom.
    pub me: Option<Seat>,
    /// For which piece.
    pub this: Option<PieceId>,
    /// Its arguments, until it runs for the first time.
    pub args: Option<Vec<Value>>,
    /// Whether the script gets the reply.
    pub answered: bool,
}

/// All calls that wait, oldest first.
#[derive(Default)]
pub(crate) struct Runs {
    begun: u64,
    waiting: VecDeque<Run>,
    idle: Vec<Thread>,
}

impl Runs {
    /// Begins a call; the oldest is dropped if there are too many.
    pub(crate) fn begin(
        &mut self,
        lua: &Lua,
        function: &Function,
        (hook, me, this): (HookId, Option<Seat>, Option<PieceId>),
        args: Vec<Value>,
    ) -> mlua::Result<RunId> {
        if self.waiting.len() >= MOST
            && let Some(oldest) = self.waiting.pop_front()
        {
            self.recycle(oldest.thread);
        }
        let thread = match self.idle.pop() {
            Some(thread) => {
                thread.reset(function.clone())?;
                thread
            }
            None => lua.create_thread(function.clone())?,
        };
        self.begun = self.begun.wrapping_add(1);
        let id = RunId(self.begun);
        self.waiting.push_back(Run { id, thread, hook, me, this, args: Some(args), answered: false });
        Ok(id)
    }

    /// Whether any call waits.
    pub(crate) fn any_waits(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn find(&self, id: RunId) -> Result<usize, usize> {
        self.waiting.binary_search_by_key(&id.0, |run| run.id.0)
    }

    /// Whether a call waits.
    pub(crate) fn has(&self, id: RunId) -> bool {
        self.find(id).is_ok()
    }

    /// Takes a call out, to run it.
    pub(crate) fn take(&mut self, id: RunId) -> Option<Run> {
        let at = self.find(id).ok()?;
        self.waiting.remove(at)
    }

    /// Puts a call back that waits again.
    pub(crate) fn put_back(&mut self, run: Run) {
        if let Err(at) = self.find(run.id) {
            self.waiting.insert(at, run);
        }
    }

    /// Keeps the coroutine of a call that is over.
    pub(crate) fn recycle(&mut self, thread: Thread) {
        if self.idle.len() < IDLE {
            self.idle.push(thread);
        }
    }
}
