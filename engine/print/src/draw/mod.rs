//! Drawing: cards become shapes and letters, and these become SVG pictures and pages.
//!
//! `faces.rs` measures letters, `wrap.rs` breaks lines, `front.rs` and `back.rs` say what stands where, `icons.rs` reads pictures,
//! `svg.rs` and `pdf.rs` write, `pages.rs` puts cards on paper. Everything is measured in millimetres from the top left corner of
//! a card; the colours go [`MOST_BLEED`] beyond its edge.

mod back;
mod colour;
mod faces;
mod front;
mod icons;
mod pages;
mod pattern;
mod pdf;
mod shapes;
mod signs;
mod svg;
#[cfg(test)]
mod tests;
mod wrap;

use std::collections::BTreeMap;

use crate::card::{Back, Card, PrintError, Printed, Sheets, Theme, Unfit};
use colour::Colour;
use faces::Faces;
use icons::Icons;
use shapes::Drawing;

/// How far colours go beyond the edge at most, in millimetres.
const MOST_BLEED: f32 = 5.0;

/// What every card is drawn with.
struct Desk<'t> {
    theme: &'t Theme,
    faces: Faces,
    icons: Icons,
    /// The size of a card.
    width: f32,
    height: f32,
    /// The size of letters, frames and signs compared with those of a poker card.
    scale: f32,
    paper: Colour,
}

/// A card, ready to be written.
struct Drawn {
    name: String,
    drawing: Drawing,
}

pub(crate) fn print(theme: &Theme, cards: &[Card], sheets: Option<&Sheets>) -> Result<Printed, PrintError> {
    let (width, height) = (theme.size.width as f32 / 10.0, theme.size.height as f32 / 10.0);
    let desk = Desk {
        theme,
        faces: Faces::new()?,
        icons: Icons::new(&theme.icons)?,
        width,
        height,
        scale: (width / 63.5).min(height / 88.9),
        paper: theme.background.as_deref().map_or(Colour(0xfb, 0xf7, 0xee), Colour::read),
    };
    let mut unfit = Vec::new();
    let fronts: Vec<Drawn> = cards.iter().map(|card| front(&desk, card, &mut unfit)).collect();
    let mut backs: BTreeMap<&Back, usize> = BTreeMap::new();
    let mut drawn_backs = Vec::new();
    for card in cards {
        if !backs.contains_key(&card.back) {
            backs.insert(&card.back, drawn_backs.len());
            drawn_backs.push(back(&desk, &card.back, &mut unfit));
        }
    }
    let pictures = fronts.iter().chain(&drawn_backs);
    let pictures = pictures.map(|drawn| (drawn.name.clone(), svg::write(&desk, &drawn.drawing, &drawn.name))).collect();
    let mut printed = Printed { pictures, pdf: None, pages: 0, unfit };
    if let Some(sheets) = sheets {
        let copies = cards.iter().enumerate().flat_map(|(front, card)| {
            let back = backs.get(&card.back).copied().unwrap_or(0);
            std::iter::repeat_n((front, back), card.count as usize)
        });
        let (pdf, count) = pages::write(&desk, sheets, &fronts, &drawn_backs, copies.collect())?;
        printed.pdf = Some(pdf);
        printed.pages = count;
    }
    Ok(printed)
}

fn front(desk: &Desk<'_>, card: &Card, unfit: &mut Vec<Unfit>) -> Drawn {
    let mut drawing = Drawing::default();
    front::draw(desk, card, &mut drawing);
    finish(&card.id, drawing, unfit)
}

fn back(desk: &Desk<'_>, back: &Back, unfit: &mut Vec<Unfit>) -> Drawn {
    let mut drawing = Drawing::default();
    back::draw(desk, back, &mut drawing);
    finish(&back.id, drawing, unfit)
}

fn finish(name: &str, mut drawing: Drawing, unfit: &mut Vec<Unfit>) -> Drawn {
    let missing = drawing.missing_letters();
    if !missing.is_empty() {
        drawing.unfit.push(format!("the font has no letter for {missing}"));
    }
    unfit.extend(drawing.unfit.drain(..).map(|what| Unfit { card: name.to_string(), what }));
    Drawn { name: name.to_string(), drawing }
}
