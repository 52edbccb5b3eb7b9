//! Quiet patterns behind signs and on backs.

use super::colour::Colour;
use super::shapes::{Drawing, Mark, Outline};

/// Fills a rectangle with a pattern of thin lines. The same name gives the same pattern.
pub(super) fn draw(name: &str, (x, y, width, height): (f32, f32, f32, f32), colour: Colour, drawing: &mut Drawing) {
    drawing.marks.push(Mark::Clip(Outline::rect(x, y, width, height, 0.0)));
    let number: u32 = name.bytes().fold(7, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
    match number % 3 {
        0 => lattice((x, y, width, height), colour, drawing),
        1 => scales((x, y, width, height), colour, drawing),
        _ => rings((x, y, width, height), colour, drawing),
    }
    drawing.marks.push(Mark::Unclip);
}

/// How often a distance fits into a length, and once more.
fn times(length: f32, distance: f32) -> usize {
    (length / distance).ceil().max(0.0) as usize + 1
}

/// Two families of lines that cross.
fn lattice((x, y, width, height): (f32, f32, f32, f32), colour: Colour, drawing: &mut Drawing) {
    const DISTANCE: f32 = 3.2;
    for index in 0..times(width + height, DISTANCE) {
        let along = index as f32 * DISTANCE;
        let (right, left) = (x + along, x + width - along);
        drawing.stroke(Outline::line((right, y), (right - height, y + height)), colour, 0.16);
        drawing.stroke(Outline::line((left, y), (left + height, y + height)), colour, 0.16);
    }
}

/// Rows of circles, each row over half of the one above.
fn scales((x, y, width, height): (f32, f32, f32, f32), colour: Colour, drawing: &mut Drawing) {
    const RADIUS: f32 = 2.6;
    for row in 0..times(height, RADIUS) {
        let shift = if row % 2 == 0 { 0.0 } else { RADIUS };
        for column in 0..=times(width, 2.0 * RADIUS) {
            let middle = (x + column as f32 * 2.0 * RADIUS - shift, y + row as f32 * RADIUS);
            drawing.stroke(Outline::circle(middle.0, middle.1, RADIUS), colour, 0.16);
        }
    }
}

/// Circles around the middle.
fn rings((x, y, width, height): (f32, f32, f32, f32), colour: Colour, drawing: &mut Drawing) {
    const DISTANCE: f32 = 1.9;
    let far = (width * width + height * height).sqrt() / 2.0;
    for index in 1..times(far, DISTANCE) {
        let circle = Outline::circle(x + width / 2.0, y + height / 2.0, index as f32 * DISTANCE);
        drawing.stroke(circle, colour, 0.16);
    }
}
