//! Points, ties and ranks.

use rulepack_model::{ExprId, Seat, SymId, TypeId};
use serde::{Deserialize, Serialize};

use crate::eval::expressions::Eval;
use crate::rules::ruleset::{AttrValue, Ruleset};
use crate::state::fuel::Culprit;
use crate::state::value::Value;

/// The subject of a line of the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum LineLabel {
    Symbol(SymId),
    Type(TypeId),
    Line(u16),
}

/// A line of the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// What for.
    pub label: LineLabel,
    /// The number of pieces; 0 for lines that do not belong to pieces.
    pub pieces: u32,
    /// Points.
    pub points: i64,
}

/// The points of one player.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// The lines.
    pub lines: Vec<Line>,
    /// The sum.
    pub total: i64,
    /// The values that decide a tie, in the order of the rules.
    pub tie_breaks: Vec<i64>,
    /// The rank that the result earns, if the mode has ranks.
    pub rank: Option<u16>,
}

/// How the game ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Player by player.
    pub sheets: Vec<Sheet>,
    /// Who won; several share the victory.
    pub winners: Vec<Seat>,
}

/// The definition whose expression gives points or decides ties, for faults: no effect is running then that could be named.
pub(crate) fn scored_by(rules: &Ruleset, text: ExprId) -> Option<String> {
    let of_line =
        || rules.score_lines.iter().find(|line| line.points == text).map(|line| format!("score.{}", line.name));
    let of_type = || {
        let ty = rules.types.iter().find(|ty| ty.score == Some(text))?;
        Some(format!("{}.{} score", rules.kind(ty.kind).name, ty.name))
    };
    let of_tie = || rules.tie_breaks.contains(&text).then(|| "game tie_breaks".to_string());
    of_line().or_else(of_type).or_else(of_tie)
}

impl Eval<'_> {
    /// The points of a player for the present state.
    pub fn sheet(&self, seat: Seat) -> Sheet {
        let mut sheet = Sheet::default();
        // The place of the added text, which is reported if the sum is too large.
        let mut last = None;
        for piece in self.state.in_play_of(self.rules, seat, 0) {
            let ty = self.rules.type_of(piece);
            let Some(score) = self.rules.types[ty.index()].score else { continue };
            let points = self.compiled(score, Some(seat), Some(piece), &[]).int();
            last = Some(score);
            let by = self.rules.kinds[self.rules.kind_of(piece).index()].score_by;
            let label = match by.and_then(|attr| self.rules.attr(ty, attr)) {
                Some(AttrValue::Plain(Value::Sym(symbol))) => LineLabel::Symbol(symbol),
                // Printings of one type share its line.
                _ => LineLabel::Type(self.rules.types[ty.index()].printing_of),
            };
            match sheet.lines.iter_mut().find(|line| line.label == label) {
                Some(line) => {
                    line.pieces += 1;
                    line.points = self.added(line.points, points, score);
                }
                None => sheet.lines.push(Line { label, pieces: 1, points }),
            }
        }
        sheet.lines.sort_by_key(|line| line.label);
        for (index, line) in self.rules.score_lines.iter().enumerate() {
            let points = self.compiled(line.points, Some(seat), None, &[]).int();
            sheet.lines.push(Line { label: LineLabel::Line(index as u16), pieces: 0, points });
            last = Some(line.points);
        }
        sheet.total = sheet.lines.iter().fold(0, |sum: i64, line| match last {
            Some(last) => self.added(sum, line.points, last),
            None => self.exact(sum.checked_add(line.points)),
        });
        sheet.tie_breaks =
            self.rules.tie_breaks.iter().map(|tie| self.compiled(*tie, Some(seat), None, &[]).int()).collect();
        sheet.rank = self.rules.ranks.iter().rposition(|rank| sheet.total >= rank.from).map(|index| index as u16);
        sheet
    }

    /// How well a player stands in the middle of a game: by what the pack says for bots, or by the points.
    pub fn standing(&self, seat: Seat) -> i64 {
        match self.rules.evaluate {
            Some(expr) => self.compiled(expr, Some(seat), None, &[]).int(),
            None => self.sheet(seat).total,
        }
    }

    /// A sum of points; `text` is the last of them.
    fn added(&self, sum: i64, points: i64, text: ExprId) -> i64 {
        let sum = self.exact(sum.checked_add(points));
        self.state.fuel().blame(Culprit::Text(text));
        sum
    }

    /// All points, and the winners by points: players, or teams with the points of all their players. Who is out of the game
    /// cannot win alone.
    pub fn outcome(&self) -> Outcome {
        let sheets = self.sheets();
        let winners = match self.rules.teams {
            0 => self.best(&sheets, &self.still_in()),
            _ => {
                let sums: Vec<Sheet> = self.rules.seats().map(|seat| self.sum_of_team(&sheets, seat)).collect();
                self.best(&sums, &self.rules.seats().collect::<Vec<_>>())
            }
        };
        Outcome { winners, sheets }
    }

    /// Those of some players with the best score.
    fn best(&self, sheets: &[Sheet], players: &[Seat]) -> Vec<Seat> {
        let total = |sheet: &Sheet| if self.rules.least_wins { 0_i64.saturating_sub(sheet.total) } else { sheet.total };
        let points = |seat: &Seat| sheets.get(seat.index()).map(|sheet| (total(sheet), &sheet.tie_breaks));
        let best = players.iter().map(points).max().flatten();
        players.iter().copied().filter(|seat| points(seat) == best).collect()
    }

    /// The points of a player's team, and the sums of what decides ties.
    fn sum_of_team(&self, sheets: &[Sheet], seat: Seat) -> Sheet {
        let mut sum = Sheet { tie_breaks: vec![0; self.rules.tie_breaks.len()], ..Sheet::default() };
        for sheet in self.rules.team_of(seat).filter_map(|seat| sheets.get(seat.index())) {
            sum.total = self.exact(sum.total.checked_add(sheet.total));
            for (all, one) in sum.tie_breaks.iter_mut().zip(&sheet.tie_breaks) {
                *all = self.exact(all.checked_add(*one));
            }
        }
        sum
    }

    /// The players who are not out of the game; all if nobody is left.
    pub(crate) fn still_in(&self) -> Vec<Seat> {
        let left: Vec<Seat> = self.rules.seats().filter(|seat| !self.state.is_out_for_good(*seat)).collect();
        if left.is_empty() { self.rules.seats().collect() } else { left }
    }

    /// All points.
    pub(crate) fn sheets(&self) -> Vec<Sheet> {
        self.rules.seats().map(|seat| self.sheet(seat)).collect()
    }
}
