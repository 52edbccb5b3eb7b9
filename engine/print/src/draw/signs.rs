//! Small round signs, and rows of labels with them.

use super::Desk;
use super::colour::{Colour, INK, WHITE};
use super::faces::{Face, Run};
use super::shapes::{Drawing, Outline};
use crate::card::{Cost, Field, Symbol};

/// A label: a rounded box with words and signs.
pub(super) struct Label {
    parts: Vec<Part>,
    edge: Colour,
    inside: Colour,
}

enum Part {
    Words(Run, Colour),
    Sign(Symbol),
}

/// The height of a label on a poker card.
const HEIGHT: f32 = 5.2;
const GAP: f32 = 1.1;
const INSET: f32 = 1.4;

impl Label {
    /// A cost: its name if it has one, then amounts with signs.
    pub(super) fn cost(desk: &Desk<'_>, cost: &Cost, band: Colour) -> Label {
        let mut parts = Vec::new();
        if !cost.title.is_empty() {
            parts.push(Part::Words(desk.faces.set(Face::Text, 2.5 * desk.scale, &cost.title), band.legible()));
        }
        for (amount, symbol) in &cost.parts {
            let amount = desk.faces.set(Face::Bold, 3.9 * desk.scale, &amount.to_string());
            parts.push(Part::Words(amount, INK));
            parts.push(Part::Sign(symbol.clone()));
        }
        if cost.less > 0 {
            parts.push(Part::Words(desk.faces.set(Face::Bold, 3.4 * desk.scale, &format!("−{}", cost.less)), INK));
        }
        Label { parts, edge: band, inside: WHITE }
    }

    /// A name and a value.
    pub(super) fn field(desk: &Desk<'_>, field: &Field, band: Colour) -> Label {
        let mut parts = vec![];
        let name = if field.value.is_empty() { Face::Bold } else { Face::Text };
        let colour = if field.value.is_empty() { INK } else { band.legible() };
        parts.push(Part::Words(desk.faces.set(name, 2.75 * desk.scale, &field.title), colour));
        if let Some(symbol) = &field.symbol {
            parts.push(Part::Sign(symbol.clone()));
        }
        if !field.value.is_empty() {
            parts.push(Part::Words(desk.faces.set(Face::Bold, 3.1 * desk.scale, &field.value), INK));
        }
        let inside = band.mix(desk.paper, 0.84);
        Label { parts, edge: inside, inside }
    }

    pub(super) fn width(&self, scale: f32) -> f32 {
        let inner = self.parts.iter().map(|part| match part {
            Part::Words(run, _) => run.width(),
            Part::Sign(_) => sign_side(scale),
        });
        inner.sum::<f32>() + GAP * scale * self.parts.len().saturating_sub(1) as f32 + 2.0 * INSET * scale
    }

    fn draw(self, desk: &Desk<'_>, (x, y): (f32, f32), drawing: &mut Drawing) {
        let (width, height) = (self.width(desk.scale), HEIGHT * desk.scale);
        let outline = Outline::rect(x, y, width, height, height / 2.0);
        drawing.fill(outline.clone(), self.inside);
        drawing.stroke(outline, self.edge, 0.3 * desk.scale);
        let mut at = x + INSET * desk.scale;
        let middle = y + height / 2.0;
        for part in self.parts {
            match part {
                Part::Words(run, colour) => {
                    let (width, baseline) = (run.width(), middle + run.cap_height() / 2.0);
                    drawing.letters(run, at, baseline, colour);
                    at += width;
                }
                Part::Sign(symbol) => {
                    let side = sign_side(desk.scale);
                    sign(desk, &symbol, (at + side / 2.0, middle), side, drawing);
                    at += side;
                }
            }
            at += GAP * desk.scale;
        }
    }
}

fn sign_side(scale: f32) -> f32 {
    (HEIGHT - 1.0) * scale
}

/// A sign: its picture, or a disc with one or two letters.
pub(super) fn sign(desk: &Desk<'_>, symbol: &Symbol, (x, y): (f32, f32), side: f32, drawing: &mut Drawing) {
    let colour = Colour::read(&symbol.colour);
    if let Some(icon) = symbol.icon.as_deref().filter(|icon| desk.icons.has(Some(icon))) {
        desk.icons.draw(icon, (x, y), side, colour, drawing);
        return;
    }
    drawing.fill(Outline::circle(x, y, side / 2.0), colour);
    drawing.stroke(Outline::circle(x, y, side / 2.0 - 0.32 * desk.scale), colour.mix(WHITE, 0.45), 0.18 * desk.scale);
    let size = side * if symbol.letters.chars().count() > 1 { 0.52 } else { 0.66 };
    drawing.centred(desk.faces.set(Face::Bold, size, &symbol.letters), x, y, colour.ink_on());
}

/// Labels in rows.
pub(super) struct Rows {
    rows: Vec<Vec<Label>>,
    pub(super) height: f32,
}

/// Puts labels into rows of a width; those that are wider than a row are given back.
pub(super) fn rows(labels: Vec<(usize, Label)>, width: f32, scale: f32) -> (Rows, Vec<usize>) {
    let mut rows: Vec<Vec<Label>> = Vec::new();
    let mut too_wide = Vec::new();
    let mut used = f32::INFINITY;
    for (index, label) in labels {
        let needs = label.width(scale);
        if needs > width {
            too_wide.push(index);
            continue;
        }
        if used + needs > width {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += needs + GAP * scale;
        if let Some(row) = rows.last_mut() {
            row.push(label);
        }
    }
    let height = match rows.len() {
        0 => 0.0,
        count => (count as f32 * (HEIGHT + GAP) - GAP) * scale,
    };
    (Rows { rows, height }, too_wide)
}

impl Rows {
    /// Draws the rows, each from the left or around the middle of the width.
    pub(super) fn draw(self, desk: &Desk<'_>, (x, y): (f32, f32), width: Option<f32>, drawing: &mut Drawing) {
        let mut top = y;
        for row in self.rows {
            let gaps = GAP * desk.scale * row.len().saturating_sub(1) as f32;
            let all = row.iter().map(|label| label.width(desk.scale)).sum::<f32>() + gaps;
            let mut left = width.map_or(x, |width| x + (width - all) / 2.0);
            for label in row {
                let wide = label.width(desk.scale);
                label.draw(desk, (left, top), drawing);
                left += wide + GAP * desk.scale;
            }
            top += (HEIGHT + GAP) * desk.scale;
        }
    }
}
