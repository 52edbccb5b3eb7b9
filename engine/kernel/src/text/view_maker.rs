//! Makes the view of a game for one viewer.

use rulepack_expr::Subject;
use rulepack_model::{PieceId, ResId, Seat, ValueId, VarId};

use crate::eval::score::{LineLabel, Outcome};
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::hidden::sight::{Sight, Viewer};
use crate::rules::ruleset::{Audience, DerivedValue, Resource, Ruleset, Var, Visibility};
use crate::rules::shortcuts::Promise;
use crate::state::table::State;
use crate::state::value::{Cell, Value, ZoneIx};
use crate::text::handles::{cell_handle, seat_handle};
use crate::text::keys::{seat_key, space_key, value_keys};
use crate::text::view::*;
use crate::text::words::Words;

impl View {
    /// Makes the view of a game.
    pub fn new(game: &Game, host: &dyn EffectHost, viewer: Viewer, words: &Words<'_>) -> View {
        View::made(game, host, viewer, words, None)
    }

    /// Like [`View::new`], with handles. `handles` is called for the pieces in the order in which the view shows them.
    pub fn with_handles(
        game: &Game,
        host: &dyn EffectHost,
        viewer: Viewer,
        words: &Words<'_>,
        handles: &dyn Fn(PieceId) -> String,
    ) -> View {
        View::made(game, host, viewer, words, Some(handles))
    }

    fn made(
        game: &Game,
        host: &dyn EffectHost,
        viewer: Viewer,
        words: &Words<'_>,
        handles: Option<&dyn Fn(PieceId) -> String>,
    ) -> View {
        let (rules, state) = (game.rules().as_ref(), game.state());
        let look = Look { rules, state, sight: Sight::new(rules, state, viewer), words, handles };
        // The rest of a resource that players hide would tell how much they have.
        let is_shown = |resource: &Resource| viewer == Viewer::All || resource.visible == Audience::All;
        let resources = rules.resources.iter().enumerate().filter(|(_, resource)| is_shown(resource));
        let supply = resources.map(|(index, resource)| {
            (resource.name.clone(), resource.supply.map(|_| state.supply(rules, ResId::from(index))))
        });
        View {
            turn: state.turns(),
            active: state.active().map(seat_key),
            variables: look.variables(Subject::Game, None),
            players: rules.seats().map(|seat| look.player(game, host, seat)).collect(),
            supply: Named(supply.collect()),
            zones: (0..rules.zone_instances.len()).map(|zone| look.zone(ZoneIx(zone as u16))).collect(),
            outcome: state.outcome().map(|outcome| look.outcome(outcome)),
        }
    }
}

impl PieceView {
    /// One piece, of which the viewer may know which it is.
    pub fn new(
        game: &Game,
        viewer: Viewer,
        words: &Words<'_>,
        piece: PieceId,
        handles: &dyn Fn(PieceId) -> String,
    ) -> PieceView {
        let (rules, state) = (game.rules().as_ref(), game.state());
        Look { rules, state, sight: Sight::new(rules, state, viewer), words, handles: Some(handles) }.piece(piece)
    }
}

struct Look<'g> {
    rules: &'g Ruleset,
    state: &'g State,
    sight: Sight<'g>,
    words: &'g Words<'g>,
    handles: Option<&'g dyn Fn(PieceId) -> String>,
}

impl Look<'_> {
    fn shown(&self, value: Value) -> Shown {
        match value {
            Value::Nil => Shown::Nothing,
            Value::Int(n) => Shown::Number(n),
            Value::Bool(flag) => Shown::Flag(flag),
            Value::Piece(piece) if !self.sight.sees(piece) => {
                Shown::Name(self.rules.kinds[self.rules.widest_kind(piece).index()].name.clone())
            }
            value => value_keys(self.rules, self.state, value).into_iter().next().map_or(Shown::Nothing, Shown::Name),
        }
    }

    fn variables(&self, subject: Subject, owner: Option<Value>) -> Named<Shown> {
        let is_shown = |var: &Var| var.subject == subject && is_named(var);
        let vars = self.rules.vars.iter().enumerate().filter(|(_, var)| is_shown(var));
        Named(
            vars.filter(|(index, _)| self.sight.sees_variable(VarId::from(*index), owner))
                .map(|(index, var)| {
                    (var.name.clone(), self.shown(self.state.var(self.rules, VarId::from(index), owner)))
                })
                .collect(),
        )
    }

    fn player(&self, game: &Game, host: &dyn EffectHost, seat: Seat) -> PlayerView {
        let rules = self.rules;
        let resources = rules.resources.iter().enumerate();
        let eval = game.eval(host);
        let owner = Value::Seat(seat);
        let locals = crate::eval::expressions::slots(Some(seat), None, &[], 2);
        let is_shown =
            |value: &DerivedValue| value.subject == Subject::Seat && self.sight.is_in(value.visible, Some(owner));
        let values = rules.values.iter().enumerate().filter(|(_, value)| is_shown(value));
        let sees = |n: usize| self.sight.sees_amount(seat, ResId::from(n));
        PlayerView {
            handle: self.handles.map(|_| seat_handle(seat)),
            id: seat_key(seat),
            title: self.words.seat(seat),
            active: self.state.active() == Some(seat),
            passed: self.state.has_passed(seat),
            out: self.state.is_eliminated(seat),
            team: (rules.teams > 0).then(|| seat.0 % rules.teams + 1),
            resources: Named(
                resources
                    .filter(|(n, _)| sees(*n))
                    .map(|(n, res)| (res.name.clone(), self.state.amount(rules, seat, ResId::from(n))))
                    .collect(),
            ),
            values: Named(
                values
                    .map(|(n, value)| (value.name.clone(), self.shown(eval.value(ValueId::from(n), owner, &locals))))
                    .collect(),
            ),
            variables: self.variables(Subject::Seat, Some(owner)),
        }
    }

    fn zone(&self, zone: ZoneIx) -> ZoneView {
        let declared = self.rules.zone_of(zone);
        let all = declared.layout.columns();
        let (first, last) = if declared.grows { self.columns_in_use(zone, all) } else { (0, all - 1) };
        let shown = |at: &u16| (first..=last).contains(&(declared.layout.spot(*at).1 - 1));
        let spaces = (0..declared.layout.cells().max(1)).filter(shown).map(|at| self.space(Cell { zone, at }));
        ZoneView {
            id: declared.name.clone(),
            title: self.words.title(&format!("zone.{}", declared.name)),
            owner: self.rules.zone_owner(zone).map(seat_key),
            columns: if declared.layout.has_spaces() { last - first + 1 } else { 0 },
            count: self.state.zone_len(zone),
            spaces: spaces.collect(),
        }
    }

    /// The first and the last column with pieces, and one more on either side.
    fn columns_in_use(&self, zone: ZoneIx, all: u16) -> (u16, u16) {
        let column = |piece| self.rules.spot(self.state.cell_of(piece)).1 - 1;
        let used = || self.state.zone(zone).map(column);
        let (first, last) = (used().min().unwrap_or(all / 2), used().max().unwrap_or(all / 2));
        (first.saturating_sub(1), (last + 1).min(all - 1))
    }

    fn space(&self, cell: Cell) -> SpaceView {
        let handle = self.handles.map(|_| cell_handle(self.rules, cell));
        let mut space = SpaceView { handle, name: space_key(self.rules, cell), pieces: Vec::new(), hidden: Vec::new() };
        let mut pieces: Vec<PieceId> = self.state.pieces_at(cell).collect();
        if self.rules.is_sorted(cell.zone) {
            pieces.sort_by_key(|piece| self.rules.sort_place(cell.zone, *piece));
        }
        for piece in pieces {
            if !self.sight.sees(piece) && !self.rules.shortcuts.breaks(Promise::View) {
                self.hide(piece, &mut space.hidden);
            } else if !self.state.host(piece).is_some_and(|host| self.sight.sees(host)) {
                space.pieces.push(self.piece(piece));
            }
        }
        let owner = self.rules.zone_owner(cell.zone).map(Viewer::Seat);
        if self.rules.zone_of(cell.zone).visible == Visibility::Owner
            && ![owner, Some(Viewer::All)].contains(&Some(self.sight.viewer()))
        {
            // Of a hand, a viewer who was shown some cards does not know the order. Which of two equal cards was shown would tell
            // whether there is another one.
            space.pieces.sort_by(|a, b| (&a.kind, &a.name).cmp(&(&b.kind, &b.name)));
        }
        // In the order of the rules, because nobody may know the order in which hidden pieces lie.
        space.hidden.sort_by(|a, b| (&a.kind, &a.back).cmp(&(&b.kind, &b.back)));
        space
    }

    fn hide(&self, piece: PieceId, hidden: &mut Vec<HiddenView>) {
        let kind = self.rules.widest_kind(piece);
        let name = &self.rules.kinds[kind.index()].name;
        let back = self.rules.back(piece).map(|back| self.rules.symbol(back).to_string());
        let found = hidden.iter().position(|group| group.kind == *name && group.back == back);
        let at = found.unwrap_or_else(|| {
            let title = self.words.piece(piece, false);
            let (resources, variables) = (Named(Vec::new()), Named(Vec::new()));
            hidden.push(HiddenView { kind: name.clone(), back, title, count: 0, resources, variables });
            hidden.len() - 1
        });
        let group = &mut hidden[at];
        group.count += 1;
        for (name, amount) in self.resources(piece).0 {
            let sum = group.resources.entry(name);
            *sum = i32::saturating_add(*sum, amount);
        }
        for (name, value) in self.marks(piece).0 {
            let values: &mut Vec<Shown> = group.variables.entry(name);
            values.push(value);
            values.sort();
        }
    }

    /// The variables of a piece that differ from their start.
    fn marks(&self, piece: PieceId) -> Named<Shown> {
        let all = self.state.variables_of(self.rules, piece);
        let is_seen = |var: VarId| self.sight.sees_variable(var, Some(Value::Piece(piece)));
        let marks = all.filter(|(id, var, value)| *value != var.start && is_named(var) && is_seen(*id));
        Named(marks.map(|(_, var, value)| (var.name.clone(), self.shown(value))).collect())
    }

    fn resources(&self, piece: PieceId) -> Named<i32> {
        let amounts = self.rules.resources.iter().enumerate().filter_map(|(n, res)| {
            let amount = self.state.held(self.rules, piece, ResId::from(n));
            (amount != 0).then(|| (res.name.clone(), amount))
        });
        Named(amounts.collect())
    }

    fn piece(&self, piece: PieceId) -> PieceView {
        let ty = self.rules.type_of(piece);
        let lies = self.state.piece(piece);
        PieceView {
            handle: self.handles.map(|handles| handles(piece)),
            name: self.rules.types[ty.index()].name.clone(),
            kind: self.rules.kinds[self.rules.kind_of(piece).index()].name.clone(),
            title: self.words.type_title(ty),
            face_down: lies.face_down,
            flipped: lies.flipped,
            resources: self.resources(piece),
            variables: self.marks(piece),
            attached: self
                .state
                .attached(piece)
                .filter(|rider| self.sight.sees(*rider))
                .map(|rider| self.piece(rider))
                .collect(),
        }
    }

    fn outcome(&self, outcome: &Outcome) -> OutcomeView {
        let sheets = outcome.sheets.iter().zip(self.rules.seats()).map(|(sheet, seat)| SheetView {
            player: seat_key(seat),
            lines: sheet
                .lines
                .iter()
                .map(|line| LineView {
                    id: self.line_id(line.label),
                    title: self.words.line(line.label),
                    pieces: line.pieces,
                    points: line.points,
                })
                .collect(),
            total: sheet.total,
            tie_breaks: sheet.tie_breaks.clone(),
            rank: sheet.rank.map(|rank| self.rules.ranks[rank as usize].name.clone()),
        });
        OutcomeView { winners: outcome.winners.iter().map(|seat| seat_key(*seat)).collect(), sheets: sheets.collect() }
    }

    fn line_id(&self, label: LineLabel) -> String {
        match label {
            LineLabel::Symbol(symbol) => self.rules.symbol(symbol).to_string(),
            LineLabel::Type(ty) => self.rules.types[ty.index()].name.clone(),
            LineLabel::Line(line) => self.rules.score_lines[line as usize].name.clone(),
        }
    }
}

/// Names with a space are the engine's own, such as the counter of a limit.
fn is_named(var: &Var) -> bool {
    !var.name.contains(' ')
}
