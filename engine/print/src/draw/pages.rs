//! Cards on paper: as many as fit, with marks to cut along, and a page of backs behind each page.

use super::colour::{Colour, WHITE};
use super::pdf::Book;
use super::shapes::{Drawing, Outline};
use super::{Desk, Drawn, MOST_BLEED};
use crate::card::{Backs, Paper, PrintError, Sheets};

/// The least distance of a card from the edge of the paper, in millimetres.
const MARGIN: f32 = 1.5;

/// How cards lie on a page.
pub(super) struct Grid {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) bleed: f32,
    paper: (f32, f32),
    card: (f32, f32),
}

impl Grid {
    pub(super) fn new(sheets: &Sheets, card: (f32, f32)) -> Option<Grid> {
        let paper = match sheets.paper {
            Paper::A4 => (210.0, 297.0),
            Paper::Letter => (215.9, 279.4),
        };
        let bleed = (sheets.bleed as f32 / 10.0).min(MOST_BLEED);
        let fits =
            |room: f32, side: f32| ((room - 2.0 * MARGIN + 0.01) / (side + 2.0 * bleed)).floor().max(0.0) as usize;
        let (columns, rows) = (fits(paper.0, card.0), fits(paper.1, card.1));
        (columns > 0 && rows > 0).then_some(Grid { columns, rows, bleed, paper, card })
    }

    pub(super) fn each_page(&self) -> usize {
        self.columns * self.rows
    }

    /// The upper left corner of a card. Backs lie mirrored: the paper is turned on its long side.
    pub(super) fn place(&self, index: usize, mirrored: bool) -> (f32, f32) {
        let (column, row) = (index % self.columns, index / self.columns);
        let column = if mirrored { self.columns - 1 - column } else { column };
        let cell = (self.card.0 + 2.0 * self.bleed, self.card.1 + 2.0 * self.bleed);
        let left = (self.paper.0 - cell.0 * self.columns as f32) / 2.0;
        let top = (self.paper.1 - cell.1 * self.rows as f32) / 2.0;
        (left + cell.0 * column as f32 + self.bleed, top + cell.1 * row as f32 + self.bleed)
    }

    /// Marks at the corners of a card, outside of it.
    fn cuts(&self, (x, y): (f32, f32), drawing: &mut Drawing) {
        let away = 0.5_f32.min(self.bleed / 3.0);
        let length = if self.bleed > 0.0 { self.bleed } else { MARGIN };
        let (right, bottom) = (x + self.card.0, y + self.card.1);
        let black = Colour(0, 0, 0);
        for (corner_x, out_x) in [(x, -1.0), (right, 1.0)] {
            for (corner_y, out_y) in [(y, -1.0), (bottom, 1.0)] {
                let across = ((corner_x + out_x * away, corner_y), (corner_x + out_x * length, corner_y));
                let down = ((corner_x, corner_y + out_y * away), (corner_x, corner_y + out_y * length));
                for (from, to) in [across, down] {
                    drawing.stroke(Outline::line(from, to), WHITE, 0.35);
                    drawing.stroke(Outline::line(from, to), black, 0.12);
                }
            }
        }
    }
}

/// Writes pages with the given copies: for each, its front and its back.
pub(super) fn write(
    desk: &Desk<'_>,
    sheets: &Sheets,
    fronts: &[Drawn],
    backs: &[Drawn],
    copies: Vec<(usize, usize)>,
) -> Result<(Vec<u8>, usize), PrintError> {
    let grid = Grid::new(sheets, (desk.width, desk.height)).ok_or(PrintError::TooLarge)?;
    let mut book = Book::new(desk, grid.paper, grid.bleed);
    let fronts: Vec<usize> = fronts.iter().map(|front| book.card(&front.drawing)).collect();
    let backs: Vec<usize> = match sheets.backs {
        Backs::None => Vec::new(),
        Backs::Behind => backs.iter().map(|back| book.card(&back.drawing)).collect(),
    };
    for page in copies.chunks(grid.each_page()) {
        let mut sides = vec![(false, page.iter().map(|(front, _)| fronts.get(*front).copied()).collect::<Vec<_>>())];
        if sheets.backs == Backs::Behind {
            sides.push((true, page.iter().map(|(_, back)| backs.get(*back).copied()).collect()));
        }
        for (mirrored, cards) in sides {
            let placed = cards.into_iter().enumerate();
            let placed = placed.filter_map(|(index, card)| Some((card?, grid.place(index, mirrored))));
            let placed: Vec<_> = placed.collect();
            let mut marks = Drawing::default();
            placed.iter().for_each(|(_, place)| grid.cuts(*place, &mut marks));
            book.page(&placed, &marks);
        }
    }
    let pages = book.pages();
    Ok((book.finish()?, pages))
}
