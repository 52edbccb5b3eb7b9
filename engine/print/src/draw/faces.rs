//! The letters: three faces that the program brings along, and lines of letters that are set in them.
//!
//! Alegreya and Alegreya Sans, under the Open Font License (`fonts/OFL.txt`), reduced to Latin, Greek and Cyrillic letters.

use rustybuzz::{Feature, UnicodeBuffer, ttf_parser};
use ttf_parser::Tag;

use super::shapes::{Outline, Step};
use crate::card::PrintError;

/// A face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Face {
    Title,
    Text,
    Bold,
}

impl Face {
    pub(super) const ALL: [Face; 3] = [Face::Title, Face::Text, Face::Bold];

    pub(super) fn name(self) -> &'static str {
        match self {
            Face::Title => "Alegreya-Bold",
            Face::Text => "AlegreyaSans-Regular",
            Face::Bold => "AlegreyaSans-Bold",
        }
    }

    pub(super) fn bytes(self) -> &'static [u8] {
        match self {
            Face::Title => include_bytes!("../../fonts/Alegreya-700Bold.ttf"),
            Face::Text => include_bytes!("../../fonts/AlegreyaSans-400Regular.ttf"),
            Face::Bold => include_bytes!("../../fonts/AlegreyaSans-700Bold.ttf"),
        }
    }
}

/// All faces.
pub(super) struct Faces {
    faces: Vec<rustybuzz::Face<'static>>,
}

/// A line of letters in one face and size.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) face: Face,
    /// The size in millimetres.
    pub(super) size: f32,
    pub(super) text: String,
    pub(super) glyphs: Vec<Glyph>,
    units: f32,
    cap: f32,
}

/// A letter of a line. Distances are in units of the face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Glyph {
    pub(super) id: u16,
    /// How far it is to the next one.
    pub(super) advance: i32,
    pub(super) shift: (i32, i32),
    /// The byte of the text where its letters begin.
    pub(super) at: u32,
}

impl Faces {
    pub(super) fn new() -> Result<Faces, PrintError> {
        let read = |face: Face| {
            let broken = || PrintError::Drawing(format!("the font `{}` cannot be read", face.name()));
            rustybuzz::Face::from_slice(face.bytes(), 0).ok_or_else(broken)
        };
        Ok(Faces { faces: Face::ALL.into_iter().map(read).collect::<Result<_, _>>()? })
    }

    pub(super) fn face(&self, face: Face) -> &rustybuzz::Face<'static> {
        // One for each of `Face::ALL`, in this order.
        &self.faces[face as usize]
    }

    /// Sets a text in one line.
    pub(super) fn set(&self, face: Face, size: f32, text: &str) -> Run {
        let font = self.face(face);
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        // Figures as high as capitals: a cost is read at a glance.
        let features = [Feature::new(Tag::from_bytes(b"lnum"), 1, ..)];
        let shaped = rustybuzz::shape(font, &features, buffer);
        let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions()).map(|(info, place)| Glyph {
            id: u16::try_from(info.glyph_id).unwrap_or(0),
            advance: place.x_advance,
            shift: (place.x_offset, place.y_offset),
            at: info.cluster,
        });
        Run {
            face,
            size,
            text: text.to_string(),
            glyphs: glyphs.collect(),
            units: font.units_per_em() as f32,
            cap: f32::from(font.capital_height().unwrap_or(640)),
        }
    }

    /// The largest size between two at which a text is no wider than a width; `None` if it is too wide at the smallest.
    pub(super) fn fit(&self, face: Face, (least, most): (f32, f32), width: f32, text: &str) -> Option<Run> {
        let largest = self.set(face, most, text);
        if largest.width() <= width {
            return Some(largest);
        }
        let size = most * width / largest.width() * 0.999;
        (size >= least).then(|| self.set(face, size, text))
    }
}

impl Run {
    fn millimetres(&self, units: f32) -> f32 {
        units * self.size / self.units
    }

    pub(super) fn width(&self) -> f32 {
        self.millimetres(self.glyphs.iter().map(|glyph| glyph.advance).sum::<i32>() as f32)
    }

    /// The height of a capital letter.
    pub(super) fn cap_height(&self) -> f32 {
        self.millimetres(self.cap)
    }

    /// A length in units of the face, in thousandths of its size.
    pub(super) fn thousandths(&self, units: i32) -> f32 {
        units as f32 * 1000.0 / self.units
    }

    /// The letters that the face does not have.
    pub(super) fn missing(&self) -> impl Iterator<Item = char> + '_ {
        let without = self.glyphs.iter().filter(|glyph| glyph.id == 0);
        without.filter_map(|glyph| self.text.get(glyph.at as usize..)?.chars().next())
    }

    /// The outlines of all letters, from a place on.
    pub(super) fn outline(&self, faces: &Faces, x: f32, y: f32) -> Outline {
        let face = faces.face(self.face);
        let mut pen = Pen { steps: Vec::new(), x, y, scale: self.size / self.units };
        let mut along = 0;
        for glyph in &self.glyphs {
            pen.x = x + self.millimetres((along + glyph.shift.0) as f32);
            pen.y = y - self.millimetres(glyph.shift.1 as f32);
            face.outline_glyph(ttf_parser::GlyphId(glyph.id), &mut pen);
            along += glyph.advance;
        }
        Outline(pen.steps)
    }
}

/// Writes down the outline of a letter.
struct Pen {
    steps: Vec<Step>,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl ttf_parser::OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.steps.push(Step::Move(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.steps.push(Step::Line(x, y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        let (x0, y0) = match self.steps.last() {
            Some(Step::Move(x, y) | Step::Line(x, y) | Step::Curve(.., x, y)) => (*x, *y),
            Some(Step::Close) | None => (x1, y1),
        };
        let third = |from: f32, to: f32| from + (to - from) * 2.0 / 3.0;
        self.steps.push(Step::Curve(third(x0, x1), third(y0, y1), third(x, x1), third(y, y1), x, y));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.steps.push(Step::Curve(x1, y1, x2, y2, x, y));
    }

    fn close(&mut self) {
        self.steps.push(Step::Close);
    }
}
