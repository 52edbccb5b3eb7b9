//! Pictures: SVG texts become shapes in a square.

use std::collections::BTreeMap;

use usvg::tiny_skia_path::{Path, PathSegment, Point, Transform};

use super::colour::Colour;
use super::shapes::{Drawing, Mark, Outline, Step};
use crate::card::PrintError;

/// The pictures by name.
pub(super) struct Icons {
    icons: BTreeMap<String, String>,
}

impl Icons {
    pub(super) fn new(texts: &BTreeMap<String, String>) -> Result<Icons, PrintError> {
        for (name, text) in texts {
            read(text, Colour(0, 0, 0)).map_err(|error| PrintError::Drawing(format!("the icon `{name}`: {error}")))?;
        }
        Ok(Icons { icons: texts.clone() })
    }

    pub(super) fn has(&self, name: Option<&str>) -> bool {
        name.is_some_and(|name| self.icons.contains_key(name))
    }

    /// Draws a picture in a square around a place; what has the colour of the text beside it gets `colour`.
    pub(super) fn draw(&self, name: &str, (x, y): (f32, f32), side: f32, colour: Colour, drawing: &mut Drawing) {
        // All of them were read once.
        let Some(tree) = self.icons.get(name).and_then(|text| read(text, colour).ok()) else { return };
        let size = tree.size();
        let scale = side / size.width().max(size.height());
        let place = Transform::from_row(
            scale,
            0.0,
            0.0,
            scale,
            x - size.width() * scale / 2.0,
            y - size.height() * scale / 2.0,
        );
        group(tree.root(), place, 1.0, drawing);
    }
}

fn read(text: &str, colour: Colour) -> Result<usvg::Tree, usvg::Error> {
    usvg::Tree::from_str(&text.replace("currentColor", &colour.hex()), &usvg::Options::default())
}

fn group(group: &usvg::Group, place: Transform, opacity: f32, drawing: &mut Drawing) {
    let opacity = opacity * group.opacity().get();
    if let Some(clip) = group.clip_path() {
        let mut outline = Outline::default();
        let inside = place.pre_concat(group.abs_transform()).pre_concat(clip.transform());
        shapes_of(clip.root(), inside, &mut outline);
        drawing.marks.push(Mark::Clip(outline));
    }
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => self::group(inner, place, opacity, drawing),
            usvg::Node::Path(path) if path.is_visible() => shape(path, place, opacity, drawing),
            // Icons hold neither, and what they cannot hold was refused.
            usvg::Node::Path(_) | usvg::Node::Image(_) | usvg::Node::Text(_) => {}
        }
    }
    if group.clip_path().is_some() {
        drawing.marks.push(Mark::Unclip);
    }
}

/// The outlines of everything in a clip path.
fn shapes_of(group: &usvg::Group, place: Transform, out: &mut Outline) {
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => shapes_of(inner, place, out),
            usvg::Node::Path(path) => out.0.extend(outline(path.data(), place.pre_concat(path.abs_transform())).0),
            usvg::Node::Image(_) | usvg::Node::Text(_) => {}
        }
    }
}

fn shape(path: &usvg::Path, place: Transform, opacity: f32, drawing: &mut Drawing) {
    let transform = place.pre_concat(path.abs_transform());
    let outline = outline(path.data(), transform);
    if let Some(fill) = path.fill() {
        drawing.marks.push(Mark::Fill {
            outline: outline.clone(),
            colour: colour(fill.paint()),
            opacity: opacity * fill.opacity().get(),
            even_odd: fill.rule() == usvg::FillRule::EvenOdd,
        });
    }
    if let Some(stroke) = path.stroke() {
        let scale = (transform.sx * transform.sy - transform.kx * transform.ky).abs().sqrt();
        drawing.marks.push(Mark::Stroke {
            outline,
            colour: colour(stroke.paint()),
            opacity: opacity * stroke.opacity().get(),
            width: stroke.width().get() * scale,
        });
    }
}

/// The colour of a shape. A gradient, at the size of a letter, is the colour in its middle.
fn colour(paint: &usvg::Paint) -> Colour {
    let middle = |stops: &[usvg::Stop]| stops.get(stops.len() / 2).map(usvg::Stop::color);
    let colour = match paint {
        usvg::Paint::Color(colour) => Some(*colour),
        usvg::Paint::LinearGradient(gradient) => middle(gradient.stops()),
        usvg::Paint::RadialGradient(gradient) => middle(gradient.stops()),
        usvg::Paint::Pattern(_) => None,
    };
    colour.map_or(Colour(0x80, 0x80, 0x80), |colour| Colour(colour.red, colour.green, colour.blue))
}

fn outline(path: &Path, transform: Transform) -> Outline {
    let mut steps = Vec::new();
    let at = |mut point: Point| {
        transform.map_point(&mut point);
        (point.x, point.y)
    };
    let mut last = (0.0, 0.0);
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                last = at(to);
                steps.push(Step::Move(last.0, last.1));
            }
            PathSegment::LineTo(to) => {
                last = at(to);
                steps.push(Step::Line(last.0, last.1));
            }
            PathSegment::QuadTo(by, to) => {
                let (by, to) = (at(by), at(to));
                let third = |from: f32, to: f32| from + (to - from) * 2.0 / 3.0;
                let (x1, y1) = (third(last.0, by.0), third(last.1, by.1));
                steps.push(Step::Curve(x1, y1, third(to.0, by.0), third(to.1, by.1), to.0, to.1));
                last = to;
            }
            PathSegment::CubicTo(first, second, to) => {
                let ((x1, y1), (x2, y2)) = (at(first), at(second));
                last = at(to);
                steps.push(Step::Curve(x1, y1, x2, y2, last.0, last.1));
            }
            PathSegment::Close => steps.push(Step::Close),
        }
    }
    Outline(steps)
}
