//! Breaking a text into lines. Words are measured once, whatever sizes are tried.

use super::faces::{Face, Faces, Run};

/// A text in words, each with its width in letters of one millimetre.
pub(super) struct Words {
    face: Face,
    paragraphs: Vec<Vec<(String, f32)>>,
    space: f32,
}

/// A text in lines.
pub(super) struct Lines {
    lines: Vec<Line>,
    size: f32,
    face: Face,
    /// The distance from line to line.
    leading: f32,
    pub(super) height: f32,
    /// Whether a word is wider than a line.
    pub(super) too_wide: bool,
}

/// A line, and whether a paragraph begins with it.
struct Line {
    text: String,
    begins: bool,
}

/// The distance between paragraphs, in lines.
const PARAGRAPH: f32 = 0.35;

impl Words {
    /// Measures a text; a line break in it begins a paragraph.
    pub(super) fn new(faces: &Faces, face: Face, text: &str) -> Words {
        let width = |text: &str| faces.set(face, 1.0, text).width();
        let words = |line: &str| line.split_whitespace().map(|word| (word.to_string(), width(word))).collect();
        let paragraphs = text.lines().map(words).filter(|words: &Vec<_>| !words.is_empty()).collect();
        // Letters at both sides, because a font may ignore a space at an end.
        let space = width("n n") - width("nn");
        Words { face, paragraphs, space }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.paragraphs.is_empty()
    }

    /// The text in lines of a width.
    pub(super) fn lines(&self, size: f32, width: f32) -> Lines {
        let room = width / size;
        let mut lines: Vec<Line> = Vec::new();
        let mut too_wide = false;
        for paragraph in &self.paragraphs {
            let mut used = f32::INFINITY;
            for (index, (word, wide)) in paragraph.iter().enumerate() {
                too_wide |= *wide > room;
                match lines.last_mut() {
                    Some(line) if used + self.space + wide <= room => {
                        line.text.push(' ');
                        line.text.push_str(word);
                        used += self.space + wide;
                    }
                    _ => {
                        lines.push(Line { text: word.clone(), begins: index == 0 });
                        used = *wide;
                    }
                }
            }
        }
        let leading = size * 1.2;
        let gaps = PARAGRAPH * self.paragraphs.len().saturating_sub(1) as f32;
        let height = leading * (lines.len() as f32 + gaps);
        Lines { lines, size, face: self.face, leading, height, too_wide }
    }
}

impl Lines {
    pub(super) fn count(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn leading(&self) -> f32 {
        self.leading
    }

    /// The lines with the heights of their baselines, counted from the top.
    pub(super) fn placed(self, faces: &Faces) -> Vec<(Run, f32)> {
        let mut top = 0.0;
        let mut placed = Vec::new();
        for (index, line) in self.lines.into_iter().enumerate() {
            if line.begins && index > 0 {
                top += self.leading * PARAGRAPH;
            }
            let run = faces.set(self.face, self.size, &line.text);
            let baseline = top + self.leading * 0.5 + run.cap_height() * 0.5;
            top += self.leading;
            placed.push((run, baseline));
        }
        placed
    }
}
