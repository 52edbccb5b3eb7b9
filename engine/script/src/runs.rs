//! Calls that wait for the kernel, each in a coroutine of its own. Their number is limited: the kernel can begin each
//! of them again.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use mlua::{Function, Lua, Thread};
use rulepack_kernel::{RunId, Value};
use rulepack_model::{HookId, PieceId, Seat};

/// This many calls may wait, or as many as one game may have inside one another (limit `frames`), if that is more.
const MOST: usize = 256;
/// The largest number of coroutines kept for reuse.
const IDLE: usize = 32;

/// A call that has begun and not ended.
pub(crate) struct Run {
    id: RunId,
    /// Its coroutine.
    pub thread: Thread,
    /// Its function.
    pub hook: HookId,
    /// Its player.
    pub me: Option<Seat>,
    /// Its piece.
    pub this: Option<PieceId>,
    /// Its arguments, until it runs for the first time.
    pub args: Option<Vec<Value>>,
    /// Whether the script gets the reply.
    pub answered: bool,
}

/// The number of hosts made in this process so far.
static HOSTS: AtomicU64 = AtomicU64::new(0);
/// The number of low bits of a [`RunId`] that count the calls of one host; the higher bits are the number of the host.
const CALLS_OF_A_HOST: u32 = 40;

/// All calls that wait, oldest first.
pub(crate) struct Runs {
    begun: u64,
    waiting: VecDeque<Run>,
    idle: Vec<Thread>,
}

impl Default for Runs {
    /// No two hosts of a process give the same number to a call. Otherwise a game that moved to another thread could resume a
    /// call of another game in the host of that thread.
    fn default() -> Self {
        let host = HOSTS.fetch_add(1, Ordering::Relaxed);
        Runs { begun: host << CALLS_OF_A_HOST, waiting: VecDeque::new(), idle: Vec::new() }
    }
}

impl Runs {
    /// Begins a call; the oldest is dropped if there are too many.
    pub(crate) fn begin(
        &mut self,
        lua: &Lua,
        function: &Function,
        (hook, me, this): (HookId, Option<Seat>, Option<PieceId>),
        args: Vec<Value>,
        frames: u32,
    ) -> mlua::Result<RunId> {
        if self.waiting.len() >= MOST.max(frames as usize)
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

    /// Removes a call, to run it.
    pub(crate) fn take(&mut self, id: RunId) -> Option<Run> {
        let at = self.find(id).ok()?;
        self.waiting.remove(at)
    }

    /// Stores a call that waits again.
    pub(crate) fn put_back(&mut self, run: Run) {
        if let Err(at) = self.find(run.id) {
            self.waiting.insert(at, run);
        }
    }

    /// Keeps the coroutine of a finished call for reuse.
    pub(crate) fn recycle(&mut self, thread: Thread) {
        if self.idle.len() < IDLE {
            self.idle.push(thread);
        }
    }
}
