//! The harbor: a ruleset by hand, and how the tests talk to a host.

use std::sync::Arc;

use rulepack_expr::{AttrId, AttrName, AttrTy, Expr, Op, Program, Subject, Ty, ZoneName};
use rulepack_kernel::ruleset::*;
use rulepack_kernel::{
    Call, EffectHost, Eval, Fault, Game, GameAccess, Granted, NoScripts, Request, ResourceSel, Ruleset, RunId, State,
    Value, ZoneIx,
};
use rulepack_model::*;

use crate::{Script, ScriptHost};

pub const COIN: Value = Value::Res(ResId(0));
pub const ROPE: Value = Value::Res(ResId(1));
/// The first piece: a card `inn` on the bottom of the deck.
pub const INN: PieceId = PieceId(0);
/// On the first space of the quay.
pub const MILL: PieceId = PieceId(1);

fn named<T: From<usize>, C: FromIterator<(String, T)>>(names: &[&str]) -> C {
    names.iter().enumerate().map(|(n, name)| ((*name).to_string(), T::from(n))).collect()
}

fn var(name: &str, subject: Subject, ty: Ty, base: u32, slots: u32) -> Var {
    Var {
        name: name.into(),
        subject,
        ty,
        base,
        slots,
        scope: Scope::Game,
        start: Value::Int(0),
        range: None,
        visible: Audience::All,
        among: None,
        by_piece: false,
    }
}

/// Hooks are `file.function`; those whose function begins with `is_` only answer.
pub fn rules(hooks: &[&str]) -> Ruleset {
    let mut rules = Ruleset { pack: "harbor".into(), players: 2, ..Ruleset::default() };
    rules.resources = [("coin", 20), ("rope", 9)]
        .map(|(name, supply)| Resource { name: name.into(), supply: Some(supply), start: 3, ..Resource::default() })
        .into();
    rules.groups = vec![Group { name: "goods".into(), members: vec![ResId(0), ResId(1)] }];
    rules.kinds = vec![Kind { name: "card".into(), holds: vec![Some(0), None], slots: 1, ..Kind::default() }];
    rules.exprs = vec![
        CompiledExpr::new(Expr::Int(5), 2),
        // What the first hook answers.
        CompiledExpr::new(Expr::Query(HookId(0), vec![]), 2),
    ];
    let attrs = [("level", AttrTy::Int), ("play", AttrTy::Effect), ("asked", AttrTy::Amount), ("gives", AttrTy::Res)];
    rules.attrs = attrs.map(|(name, ty)| (name.to_string(), ty)).into();
    rules.types = ["inn", "mill"]
        .map(|name| Type {
            name: name.into(),
            kind: KindId(0),
            printing_of: TypeId(u32::from(name == "mill")),
            same_name: false,
            keeps: None,
            attrs: vec![
                Some(AttrValue::Plain(Value::Int(if name == "inn" { 2 } else { 3 }))),
                None,
                Some(AttrValue::Expr(ExprId(1))),
                (name == "inn").then_some(AttrValue::Plain(ROPE)),
            ],
            score: None,
            listens: vec![],
            replaces: vec![],
            reacts: vec![],
            modifies: vec![],
        })
        .into();
    rules.symbols = vec!["north".into()];
    let zone =
        |name: &str, per_player, base, layout| Zone { name: name.into(), per_player, base, layout, ..Zone::default() };
    rules.zones = vec![
        zone("deck", false, 0, Layout::List),
        zone("quay", false, 1, Layout::Grid(Grid { columns: 2, rows: 2, ..Grid::default() })),
        zone("hand", true, 2, Layout::List),
    ];
    let seats = [Some(Seat(0)), Some(Seat(1))];
    rules.zone_instances = vec![(ZoneId(0), None), (ZoneId(1), None), (ZoneId(2), seats[0]), (ZoneId(2), seats[1])];
    rules.play_zones = vec![vec![], vec![]];
    rules.shared_play_zones = vec![ZoneIx(1)];
    for (n, (ty, zone)) in [(0, 0), (1, 1), (0, 2)].into_iter().enumerate() {
        let n = u32::try_from(n).unwrap();
        rules.pieces.push(PieceInit { ty: TypeId(ty), zone: ZoneIx(zone), held: n, ordinal: n, owner: None });
    }
    rules.held_slots = 3;
    rules.vars = vec![var("tide", Subject::Game, Ty::Int, 0, 1), var("luck", Subject::Seat, Ty::Int, 1, 2)];
    rules.var_slots = 3;
    rules.values = vec![DerivedValue {
        name: "income".into(),
        subject: Subject::Seat,
        base: ExprId(0),
        modified: false,
        visible: Audience::All,
        place: None,
    }];
    rules.events = vec![EventDef { name: "docked".into(), args: 1, ..EventDef::default() }];
    rules.prompts = vec!["pick".into()];
    for name in hooks {
        rules.hooks.push(Hook {
            pack: "harbor".into(),
            name: (*name).into(),
            bound_at: format!("card.inn {name}"),
            query: name.contains(".is_"),
        });
    }
    let words = &mut rules.vocabulary;
    words.resources = named(&["coin", "rope"]);
    words.groups = named(&["goods"]);
    words.kinds = named(&["card"]);
    words.plurals = named(&["cards"]);
    words.symbols = named(&["north"]);
    words.prompts = named(&["pick"]);
    words.types = [("inn", 0), ("mill", 1)].map(|(name, ty)| (name.to_string(), (TypeId(ty), KindId(0)))).into();
    words.attrs = (attrs.into_iter().zip(0..))
        .map(|((name, ty), id)| (name.to_string(), AttrName { id: AttrId(id), ty, kinds: vec![KindId(0)] }))
        .collect();
    words.zones = [("deck", 0, false), ("quay", 1, false), ("hand", 2, true)]
        .map(|(name, id, per_player)| (name.to_string(), ZoneName { id: ZoneId(id), per_player }))
        .into();
    words.vars = [("tide", 0, Subject::Game), ("luck", 1, Subject::Seat)]
        .map(|(name, id, subject)| (name.to_string(), (VarId(id), subject, Ty::Int)))
        .into();
    words.values = [("income".to_string(), (ValueId(0), Subject::Seat, Ty::Int))].into();
    words.events = [("docked".to_string(), (EventId(0), vec![Ty::Piece(None)]))].into();
    rules.prepare();
    rules
}

/// The rules with a turn for every player in which the first hook runs.
pub fn playable(hooks: &[&str]) -> Ruleset {
    let mut rules = rules(hooks);
    let call = Op::Script { hook: HookId(0), args: vec![] };
    rules.programs =
        vec![CompiledProgram::new(Program { ops: vec![call], locals: 2, named: Vec::new() }, "phase.day".into())];
    let turns = PhaseBody::Turns { turn: PhaseId(1), order: Order::Clockwise, first: None, until: Until::EachOnce };
    rules.phases = vec![
        Phase { name: "days".into(), body: turns, ..Phase::default() },
        Phase { name: "day".into(), effect: Some(ProgId(0)), ..Phase::default() },
    ];
    rules.root = Some(PhaseId(0));
    rules.prepare();
    rules
}

/// A file of the pack `harbor`.
pub fn script(name: &str, text: &str) -> Script {
    let path = format!("scripts/harbor/{name}.lua");
    Script { pack: "harbor".into(), name: name.into(), path, text: text.into(), file: FileId(0) }
}

/// How far a script has come on a game that does nothing at once.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    Done(Value),
    Request(Request),
}

/// A game that carries nothing out, but shows the request.
struct Shown<'t> {
    table: &'t Table,
    request: Option<Request>,
}

impl GameAccess for Shown<'_> {
    fn eval(&self) -> Eval<'_> {
        Eval::within(&self.table.rules, self.table.state(), &self.table.host)
    }

    fn grant(&mut self, _: Option<Seat>, request: Request) -> Result<Granted, Fault> {
        self.request = Some(request);
        Ok(Granted::Later)
    }
}

/// A host with one file `f` whose functions are all hooks, and a game to look at.
pub struct Table {
    pub rules: Arc<Ruleset>,
    pub host: ScriptHost,
    pub game: Game,
}

impl Table {
    /// `functions` are the names of those that `text` puts into the table `f`.
    #[track_caller]
    pub fn new(functions: &[&str], text: &str) -> Table {
        let hooks: Vec<String> = functions.iter().map(|name| format!("f.{name}")).collect();
        Table::of(rules(&hooks.iter().map(String::as_str).collect::<Vec<_>>()), text)
    }

    /// One function whose body is given, with the mill as a raft that is a printing of the inn, with coins that are
    /// kept on pieces, with marks and ways on the quay.
    #[track_caller]
    pub fn grown(body: &str) -> Table {
        let mut rules = rules(&["f.go"]);
        rules.kinds[0].lineage = vec![KindId(0)];
        rules.kinds.push(Kind { name: "raft".into(), lineage: vec![KindId(1), KindId(0)], ..rules.kinds[0].clone() });
        rules.types[1].kind = KindId(1);
        rules.types[1].printing_of = TypeId(0);
        rules.types[1].keeps = Some(Keeps { what: ResourceSel::One(ResId(0)), room: ExprId(0) });
        rules.resources[0].kept = true;
        rules.resources[0].start = 0;
        rules.zones[1].marks = vec![(MarkId(0), vec![Some(SymId(0)), None, None, None])];
        let leads = vec![vec![1], vec![0], vec![3, 1], vec![2]];
        rules.adjacencies = vec![Adjacency { name: "along".into(), zone: ZoneId(1), leads }];
        // A variable of every card, also of rafts.
        rules.vars.push(Var { subject: Subject::Piece(Some(KindId(0))), base: 3, slots: 3, ..rules.vars[0].clone() });
        rules.vars[2].by_piece = true;
        rules.var_slots = 6;
        let words = &mut rules.vocabulary;
        words.vars.insert("wear".into(), (VarId(2), Subject::Piece(Some(KindId(0))), Ty::Int));
        words.kinds = named(&["card", "raft"]);
        words.plurals = named(&["cards", "rafts"]);
        words.lineage = rules.kinds.iter().map(|kind| kind.lineage.clone()).collect();
        words.types["mill"].1 = KindId(1);
        words.attrs.values_mut().for_each(|attr| attr.kinds.push(KindId(1)));
        words.marks = named(&["side"]);
        words.adjacencies = named(&["along"]);
        Table::of(rules, &format!("function f.go(ctx, ...)\n{body}\nend"))
    }

    #[track_caller]
    fn of(mut rules: Ruleset, text: &str) -> Table {
        rules.prepare();
        let rules = Arc::new(rules);
        let text = format!("local f = {{}}\n{text}\nreturn f\n");
        let host = ScriptHost::new(&rules, &[script("f", &text)]).unwrap_or_else(|errors| panic!("{errors:?}"));
        let game = Game::start(Arc::clone(&rules), 1, &NoScripts).expect("nothing happens");
        Table { rules, host, game }
    }

    /// One function whose body is given.
    #[track_caller]
    pub fn body(body: &str) -> Table {
        Table::new(&["go"], &format!("function f.go(ctx, ...)\n{body}\nend"))
    }

    pub fn state(&self) -> &State {
        self.game.state()
    }

    pub fn start_with(&self, hook: u32, args: &[Value]) -> RunId {
        let call = Call {
            rules: &self.rules,
            state: self.state(),
            hook: HookId(hook),
            me: Some(Seat(0)),
            this: Some(INN),
            args,
        };
        self.host.start(&call).expect("the function is bound")
    }

    pub fn start(&self) -> RunId {
        self.start_with(0, &[])
    }

    pub fn resume(&self, run: RunId, reply: Value) -> Result<Progress, Fault> {
        let mut shown = Shown { table: self, request: None };
        Ok(match self.host.resume(&mut shown, run, reply)? {
            rulepack_kernel::Progress::Done(value) => Progress::Done(value),
            rulepack_kernel::Progress::Waits => Progress::Request(shown.request.expect("it waits for a request")),
        })
    }

    /// Gives the whole budget, as a question does.
    pub fn refill(&self) {
        let _ = self.game.eval(&self.host);
    }

    /// Runs the first function to its first request or its end.
    pub fn go(&self) -> Result<Progress, Fault> {
        self.resume(self.start(), Value::Nil)
    }

    pub fn query(&self) -> Result<Value, Fault> {
        self.host.query(&self.rules, self.state(), HookId(0), Some(Seat(0)), &[])
    }
}

/// The result of a function with this body.
#[track_caller]
pub fn value(body: &str) -> Value {
    match Table::body(body).go() {
        Ok(Progress::Done(value)) => value,
        other => panic!("{other:?}"),
    }
}

/// Why a function with this body fails, as `line: message`; its first line is 1.
#[track_caller]
pub fn fault(body: &str) -> String {
    show(&Table::body(body).go().expect_err("it fails"))
}

/// A fault as `line: message`, counted from the first line of a body.
pub fn show(fault: &Fault) -> String {
    let line = fault.script.as_deref().and_then(|place| place.strip_prefix("scripts/harbor/f.lua:"));
    let line: i32 = line.and_then(|line| line.parse().ok()).unwrap_or(-1);
    format!("{}: {}", line - 2, fault.message)
}
