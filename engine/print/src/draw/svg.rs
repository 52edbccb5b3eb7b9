//! SVG pictures: one for each card, at its size. Letters are outlines, so that they look the same everywhere.

use std::fmt::Write;

use super::shapes::{Drawing, Mark, Outline, Step};
use super::{Desk, MOST_BLEED};

pub(super) fn write(desk: &Desk<'_>, drawing: &Drawing, name: &str) -> String {
    let (width, height) = (desk.width, desk.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n"
    );
    let words: Vec<&str> = drawing
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Letters { run, .. } => Some(run.text.as_str()),
            Mark::Fill { .. } | Mark::Stroke { .. } | Mark::Clip(_) | Mark::Unclip => None,
        })
        .collect();
    let _ = writeln!(out, "<title>{}</title>", escaped(&words.join(" ")));
    let id: String = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    let (x, wide, high) = (-MOST_BLEED, width + 2.0 * MOST_BLEED, height + 2.0 * MOST_BLEED);
    let _ = writeln!(
        out,
        "<clipPath id=\"{id}-edge\"><rect width=\"{width}\" height=\"{height}\" rx=\"3\"/></clipPath>\n<g clip-path=\"url(#{id}-edge)\"><rect x=\"{x}\" y=\"{x}\" width=\"{wide}\" height=\"{high}\" fill=\"#fff\"/>"
    );
    let mut clips = 0;
    for mark in &drawing.marks {
        match mark {
            Mark::Fill { outline, colour, opacity, even_odd } => {
                let rule = if *even_odd { " fill-rule=\"evenodd\"" } else { "" };
                let (d, colour, opacity) = (path(outline), colour.hex(), faint("fill-opacity", *opacity));
                let _ = writeln!(out, "<path d=\"{d}\" fill=\"{colour}\"{opacity}{rule}/>");
            }
            Mark::Stroke { outline, colour, opacity, width } => {
                let (d, colour, opacity) = (path(outline), colour.hex(), faint("stroke-opacity", *opacity));
                let _ = writeln!(
                    out,
                    "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.2}\"{opacity} stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
                );
            }
            Mark::Letters { run, x, y, colour } => {
                let d = path(&run.outline(&desk.faces, *x, *y));
                let _ = writeln!(out, "<path d=\"{d}\" fill=\"{}\"/>", colour.hex());
            }
            Mark::Clip(outline) => {
                clips += 1;
                let d = path(outline);
                let _ = writeln!(
                    out,
                    "<clipPath id=\"{id}-{clips}\"><path d=\"{d}\"/></clipPath><g clip-path=\"url(#{id}-{clips})\">"
                );
            }
            Mark::Unclip => out.push_str("</g>\n"),
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn faint(name: &str, opacity: f32) -> String {
    if opacity < 1.0 { format!(" {name}=\"{opacity:.2}\"") } else { String::new() }
}

fn path(outline: &Outline) -> String {
    let mut d = String::new();
    for step in &outline.0 {
        let _ = match step {
            Step::Move(x, y) => write!(d, "M{x:.2} {y:.2}"),
            Step::Line(x, y) => write!(d, "L{x:.2} {y:.2}"),
            Step::Curve(x1, y1, x2, y2, x, y) => write!(d, "C{x1:.2} {y1:.2} {x2:.2} {y2:.2} {x:.2} {y:.2}"),
            Step::Close => write!(d, "Z"),
        };
    }
    d
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
