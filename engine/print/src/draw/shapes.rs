//! A drawing: shapes and lines of letters, in the order in which they are painted.

use super::colour::Colour;
use super::faces::Run;

/// A step of an outline, in millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    Move(f32, f32),
    Line(f32, f32),
    Curve(f32, f32, f32, f32, f32, f32),
    Close,
}

/// An outline.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Outline(pub(super) Vec<Step>);

/// What is painted.
#[derive(Debug, Clone)]
pub(super) enum Mark {
    Fill {
        outline: Outline,
        colour: Colour,
        opacity: f32,
        even_odd: bool,
    },
    Stroke {
        outline: Outline,
        colour: Colour,
        opacity: f32,
        width: f32,
    },
    /// A line of letters whose baseline begins at a place.
    Letters {
        run: Run,
        x: f32,
        y: f32,
        colour: Colour,
    },
    /// From here on only what lies inside is painted.
    Clip(Outline),
    /// The end of the last clip.
    Unclip,
}

/// A card.
#[derive(Debug, Clone, Default)]
pub(super) struct Drawing {
    pub(super) marks: Vec<Mark>,
    /// What does not fit.
    pub(super) unfit: Vec<String>,
}

/// The length of the handles of a curve that is a quarter of a circle.
const QUARTER: f32 = 0.552_284_8;

impl Outline {
    /// A rectangle with round corners.
    pub(super) fn rect(x: f32, y: f32, width: f32, height: f32, radius: f32) -> Outline {
        let (right, bottom) = (x + width, y + height);
        if radius <= 0.0 {
            let corners = [Step::Line(right, y), Step::Line(right, bottom), Step::Line(x, bottom), Step::Close];
            return Outline([Step::Move(x, y)].into_iter().chain(corners).collect());
        }
        let r = radius.min(width / 2.0).min(height / 2.0);
        let k = r * (1.0 - QUARTER);
        Outline(vec![
            Step::Move(x + r, y),
            Step::Line(right - r, y),
            Step::Curve(right - k, y, right, y + k, right, y + r),
            Step::Line(right, bottom - r),
            Step::Curve(right, bottom - k, right - k, bottom, right - r, bottom),
            Step::Line(x + r, bottom),
            Step::Curve(x + k, bottom, x, bottom - k, x, bottom - r),
            Step::Line(x, y + r),
            Step::Curve(x, y + k, x + k, y, x + r, y),
            Step::Close,
        ])
    }

    /// A circle around a place.
    pub(super) fn circle(x: f32, y: f32, radius: f32) -> Outline {
        Outline::rect(x - radius, y - radius, 2.0 * radius, 2.0 * radius, radius)
    }

    /// A line.
    pub(super) fn line(from: (f32, f32), to: (f32, f32)) -> Outline {
        Outline(vec![Step::Move(from.0, from.1), Step::Line(to.0, to.1)])
    }
}

impl Drawing {
    pub(super) fn fill(&mut self, outline: Outline, colour: Colour) {
        self.marks.push(Mark::Fill { outline, colour, opacity: 1.0, even_odd: false });
    }

    pub(super) fn stroke(&mut self, outline: Outline, colour: Colour, width: f32) {
        self.marks.push(Mark::Stroke { outline, colour, opacity: 1.0, width });
    }

    pub(super) fn letters(&mut self, run: Run, x: f32, y: f32, colour: Colour) {
        self.marks.push(Mark::Letters { run, x, y, colour });
    }

    /// Letters around a place.
    pub(super) fn centred(&mut self, run: Run, x: f32, y: f32, colour: Colour) {
        let (left, baseline) = (x - run.width() / 2.0, y + run.cap_height() / 2.0);
        self.letters(run, left, baseline, colour);
    }

    /// Letters of the texts that the fonts do not have.
    pub(super) fn missing_letters(&self) -> String {
        let mut missing: Vec<char> = Vec::new();
        for mark in &self.marks {
            if let Mark::Letters { run, .. } = mark {
                missing.extend(run.missing());
            }
        }
        missing.sort_unstable();
        missing.dedup();
        let missing: Vec<String> = missing.into_iter().map(|letter| format!("`{letter}`")).collect();
        missing.join(", ")
    }
}
