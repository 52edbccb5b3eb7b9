//! The back of a card: a pattern in its colour, and the name of what lies face down.

use super::colour::{Colour, INK};
use super::faces::Face;
use super::front::{initials, light};
use super::shapes::{Drawing, Outline};
use super::{Desk, MOST_BLEED, pattern};
use crate::card::Back;

pub(super) fn draw(desk: &Desk<'_>, back: &Back, drawing: &mut Drawing) {
    let s = desk.scale;
    let colour = Colour::read(&back.colour);
    let (dark, light) = (colour.mix(INK, 0.35), light(desk));
    let whole = (-MOST_BLEED, -MOST_BLEED, desk.width + 2.0 * MOST_BLEED, desk.height + 2.0 * MOST_BLEED);
    drawing.fill(Outline::rect(whole.0, whole.1, whole.2, whole.3, 0.0), dark);
    let frame = 4.0 * s;
    let inner = (frame, frame, desk.width - 2.0 * frame, desk.height - 2.0 * frame);
    drawing.fill(Outline::rect(inner.0, inner.1, inner.2, inner.3, 2.2 * s), colour);
    let inside = (inner.0 + 1.2 * s, inner.1 + 1.2 * s, inner.2 - 2.4 * s, inner.3 - 2.4 * s);
    pattern::draw(&back.id, inside, colour.mix(light, 0.28), drawing);
    drawing.stroke(Outline::rect(inside.0, inside.1, inside.2, inside.3, 1.4 * s), light, 0.35 * s);
    let (x, y) = (desk.width / 2.0, desk.height / 2.0 - 4.0 * s);
    let radius = 13.0 * s;
    drawing.fill(Outline::circle(x, y, radius), dark);
    drawing.stroke(Outline::circle(x, y, radius), light, 0.5 * s);
    drawing.stroke(Outline::circle(x, y, radius - 1.0 * s), colour.mix(light, 0.5), 0.2 * s);
    match back.icon.as_deref().filter(|icon| desk.icons.has(Some(icon))) {
        Some(icon) => {
            drawing.fill(Outline::circle(x, y, radius - 2.0 * s), light);
            desk.icons.draw(icon, (x, y), radius * 1.1, colour, drawing);
        }
        None => {
            let letters = initials(&desk.theme.game);
            if let Some(run) = desk.faces.fit(Face::Title, (5.0 * s, 15.0 * s), radius * 1.4, &letters) {
                drawing.centred(run, x, y, light);
            }
        }
    }
    let room = inside.2 - 4.0 * s;
    let lines = [(&desk.theme.game, Face::Title, 5.0), (&back.title, Face::Text, 3.6)];
    let lines = lines.into_iter().filter(|(text, ..)| !text.is_empty());
    let runs: Vec<_> =
        lines.filter_map(|(text, face, size)| desk.faces.fit(face, (1.8 * s, size * s), room, text)).collect();
    let mut middle = y + radius + 6.4 * s;
    let high = 6.0 * s * runs.len() as f32 + 1.6 * s;
    let wide = runs.iter().map(super::faces::Run::width).fold(0.0, f32::max) + 5.0 * s;
    drawing.fill(Outline::rect(x - wide / 2.0, middle - 4.0 * s, wide, high, 1.6 * s), dark);
    for run in runs {
        drawing.centred(run, x, middle, light);
        middle += 5.6 * s;
    }
}
