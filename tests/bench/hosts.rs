//! Hosts of effects beside the one for Lua: one that does the work of a script in Rust, and one that takes the time that
//! another spends.

use std::cell::Cell;
use std::time::{Duration, Instant};

use rulepack::{
    Bundle, Call, EffectHost, Eval, Fault, GameAccess, Granted, HookId, Progress, Request, ResId, ResourceHolder,
    ResourceSel, Ruleset, RunId, Seat, State, Value,
};

/// What `twins.run` does, written in Rust: four transfers, one after the other.
#[derive(Default)]
pub struct InRust {
    done: Cell<u64>,
}

impl InRust {
    fn transfer(&self, step: u64, rules: &Ruleset, state: &State) -> Option<Request> {
        let seat = state.active()?;
        let of = |name: &str| rules.resources.iter().position(|resource| resource.name == name).map(ResId::from);
        let (coin, rope) = (of("coin")?, of("rope")?);
        let (res, amount, pays) = [(coin, 2, true), (rope, 1, false), (rope, 1, true), (coin, 2, false)][step as usize];
        let mut bundle = Bundle::default();
        let _ = bundle.add(ResourceSel::One(res), amount);
        let (from, to) = (ResourceHolder::Seat(seat), ResourceHolder::Supply);
        let (from, to) = if pays { (from, to) } else { (to, from) };
        Some(Request::Transfer { from, to, bundle, chooser: seat, strict: pays })
    }
}

impl EffectHost for InRust {
    fn start(&self, _: &Call<'_>) -> Result<RunId, Fault> {
        self.done.set(0);
        Ok(RunId(0))
    }

    fn resume(&self, game: &mut dyn GameAccess, _: RunId, _: Value) -> Result<Progress, Fault> {
        loop {
            let step = self.done.replace(self.done.get() + 1);
            if step == 4 {
                return Ok(Progress::Done(Value::Nil));
            }
            let Eval { rules, state, .. } = game.eval();
            let request = self.transfer(step, rules, state).ok_or_else(|| Fault::new("it is nobody's turn"))?;
            let me = state.active();
            if game.grant(me, request)? == Granted::Later {
                return Ok(Progress::Waits);
            }
        }
    }

    fn is_live(&self, _: RunId) -> bool {
        true
    }

    fn forget(&self, _: RunId) {}

    fn query(&self, _: &Ruleset, _: &State, _: HookId, _: Option<Seat>, _: &[Value]) -> Result<Value, Fault> {
        Err(Fault::new("there are no questions"))
    }
}

/// Takes the time that another host spends.
pub struct Timed<'h, H> {
    host: &'h H,
    spent: Cell<Duration>,
}

impl<'h, H: EffectHost> Timed<'h, H> {
    pub fn new(host: &'h H) -> Self {
        Timed { host, spent: Cell::new(Duration::ZERO) }
    }

    pub fn spent(&self) -> Duration {
        self.spent.get()
    }

    fn time<T>(&self, work: impl FnOnce(&H) -> T) -> T {
        let began = Instant::now();
        let done = work(self.host);
        self.spent.set(self.spent.get() + began.elapsed());
        done
    }
}

/// Takes the time that the kernel spends on requests.
struct TimedGame<'g> {
    game: &'g mut dyn GameAccess,
    spent: Duration,
}

impl GameAccess for TimedGame<'_> {
    fn eval(&self) -> Eval<'_> {
        self.game.eval()
    }

    fn grant(&mut self, me: Option<Seat>, request: Request) -> Result<Granted, Fault> {
        let began = Instant::now();
        let granted = self.game.grant(me, request);
        self.spent += began.elapsed();
        granted
    }
}

impl<H: EffectHost> EffectHost for Timed<'_, H> {
    fn start(&self, call: &Call<'_>) -> Result<RunId, Fault> {
        self.time(|host| host.start(call))
    }

    fn resume(&self, game: &mut dyn GameAccess, run: RunId, reply: Value) -> Result<Progress, Fault> {
        let mut game = TimedGame { game, spent: Duration::ZERO };
        let progress = self.time(|host| host.resume(&mut game, run, reply));
        // What the kernel does for the script is no work of the script.
        self.spent.set(self.spent.get().saturating_sub(game.spent));
        progress
    }

    fn is_live(&self, run: RunId) -> bool {
        self.host.is_live(run)
    }

    fn forget(&self, run: RunId) {
        self.time(|host| host.forget(run));
    }

    fn take_fault(&self) -> Option<Fault> {
        self.host.take_fault()
    }

    fn query(
        &self,
        rules: &Ruleset,
        state: &State,
        hook: HookId,
        me: Option<Seat>,
        args: &[Value],
    ) -> Result<Value, Fault> {
        self.time(|host| host.query(rules, state, hook, me, args))
    }
}
