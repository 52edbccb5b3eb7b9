//! What stands on a card, and what is asked of the printer.

use std::collections::BTreeMap;

/// A card as plain data. Colours are `#rrggbb`, icons are names in [`Theme::icons`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Card {
    /// The name of its picture, such as `card/inn`.
    pub id: String,
    /// Its name.
    pub title: String,
    /// The name of its kind.
    pub kind: String,
    /// What it costs; several costs stand one after the other.
    pub costs: Vec<Cost>,
    /// What else is written about it.
    pub fields: Vec<Field>,
    /// What it says.
    pub text: String,
    /// The colour of its band.
    pub colour: String,
    /// The picture of its kind.
    pub icon: Option<String>,
    /// How many copies there are.
    pub count: u32,
    /// What stands on its back. Cards with equal backs cannot be told apart from behind.
    pub back: Back,
}

/// What stands on the back of a card.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Back {
    /// The name of its picture.
    pub id: String,
    /// The large word.
    pub title: String,
    /// The colour.
    pub colour: String,
    /// The picture.
    pub icon: Option<String>,
}

/// A cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cost {
    /// Its name, if it is not the only one.
    pub title: String,
    /// Amounts and what they are amounts of.
    pub parts: Vec<(i32, Symbol)>,
    /// How many units need not be paid.
    pub less: i32,
}

/// A thing that is shown as a small round sign.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub title: String,
    /// One or two letters, for signs without an icon.
    pub letters: String,
    /// The colour of the sign.
    pub colour: String,
    /// Its picture.
    pub icon: Option<String>,
}

/// A name and a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub title: String,
    /// The value; empty for a plain yes.
    pub value: String,
    /// The sign of the value.
    pub symbol: Option<Symbol>,
}

/// What all cards of a game share.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Theme {
    /// The name of the game.
    pub game: String,
    /// What stands out.
    pub accent: Option<String>,
    /// The paper of the cards.
    pub background: Option<String>,
    /// SVG texts by name.
    pub icons: BTreeMap<String, String>,
    /// The size of a card.
    pub size: Size,
}

/// The size of a card in tenths of a millimetre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

impl Default for Size {
    fn default() -> Self {
        Size::POKER
    }
}

impl Size {
    /// 63.5 × 88.9 mm.
    pub const POKER: Size = Size { width: 635, height: 889 };
    /// 57.2 × 88.9 mm.
    pub const BRIDGE: Size = Size { width: 572, height: 889 };
    /// 70 × 120 mm.
    pub const TAROT: Size = Size { width: 700, height: 1200 };
    /// 44 × 67 mm.
    pub const MINI: Size = Size { width: 440, height: 670 };
    /// 70 × 70 mm.
    pub const SQUARE: Size = Size { width: 700, height: 700 };

    /// The sizes that have a name.
    pub const NAMED: [(&str, Size); 5] = [
        ("poker", Size::POKER),
        ("bridge", Size::BRIDGE),
        ("tarot", Size::TAROT),
        ("mini", Size::MINI),
        ("square", Size::SQUARE),
    ];

    /// Reads a name, or a width and a height in millimetres: `63x88`, `63.5x88.9`.
    pub fn read(text: &str) -> Option<Size> {
        if let Some((_, size)) = Size::NAMED.iter().find(|(name, _)| *name == text) {
            return Some(*size);
        }
        let (width, height) = text.split_once('x')?;
        let tenths = |text: &str| {
            let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
            let is_number = |text: &str| !text.is_empty() && text.chars().all(|digit| digit.is_ascii_digit());
            if !is_number(whole) || !is_number(tenth) || tenth.len() > 1 {
                return None;
            }
            whole.parse::<u32>().ok()?.checked_mul(10)?.checked_add(tenth.parse().ok()?)
        };
        let size = Size { width: tenths(width)?, height: tenths(height)? };
        // Smaller ones have no room for a title, larger ones fit on no paper.
        let fits = |side: u32| (300..=2_000).contains(&side);
        (fits(size.width) && fits(size.height)).then_some(size)
    }
}

/// How pages are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sheets {
    /// The paper.
    pub paper: Paper,
    /// How far the colours go beyond the edge of a card, in tenths of a millimetre.
    pub bleed: u32,
    /// Whether every page has a page of backs behind it.
    pub backs: Backs,
}

/// The paper in the printer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Paper {
    A4,
    Letter,
}

/// Where backs are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backs {
    /// Nowhere.
    None,
    /// Each page is followed by its backs, for printers that turn the paper on its long side.
    Behind,
}

/// What was drawn.
#[derive(Debug, Clone, Default)]
pub struct Printed {
    /// SVG pictures of all cards and backs, each once, by name.
    pub pictures: Vec<(String, String)>,
    /// The pages as a PDF.
    pub pdf: Option<Vec<u8>>,
    /// How many pages there are.
    pub pages: usize,
    /// What does not fit, or cannot be written with the letters that are there.
    pub unfit: Vec<Unfit>,
}

/// A part of a card that cannot be printed as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// The card.
    pub card: String,
    /// What is wrong with it.
    pub what: String,
}

/// Why nothing is printed.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// The program was built without it.
    #[error("this program was built without `cards`: build it with `cargo build --release --features print`")]
    NotBuilt,
    /// Not one card fits on the paper.
    #[error("a card of this size does not fit on the paper")]
    TooLarge,
    /// A font or a picture cannot be used.
    #[error("{0}")]
    Drawing(String),
}
