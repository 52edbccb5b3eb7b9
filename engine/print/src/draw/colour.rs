//! Colours and their mixtures.

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

pub(super) const WHITE: Colour = Colour(255, 255, 255);
pub(super) const INK: Colour = Colour(0x2b, 0x26, 0x21);

impl Colour {
    /// Reads `#rrggbb`; anything else is a dark grey, so that a card is never left out because of its colour.
    pub(super) fn read(text: &str) -> Colour {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0x0050_5050);
        let [_, red, green, blue] = number.to_be_bytes();
        Colour(red, green, blue)
    }

    /// A part of another colour in this one: 0 is this one, 1 the other.
    pub(super) fn mix(self, other: Colour, part: f32) -> Colour {
        let one = |from: u8, to: u8| (f32::from(from) + (f32::from(to) - f32::from(from)) * part).round() as u8;
        Colour(one(self.0, other.0), one(self.1, other.1), one(self.2, other.2))
    }

    /// As `#rrggbb`.
    pub(super) fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// From 0 to 1, as PDF wants it.
    pub(super) fn parts(self) -> [f32; 3] {
        [self.0, self.1, self.2].map(|part| f32::from(part) / 255.0)
    }

    /// How bright it looks, from 0 to 1.
    fn brightness(self) -> f32 {
        let [red, green, blue] = self.parts();
        0.299 * red + 0.587 * green + 0.114 * blue
    }

    /// A colour for letters on this one.
    pub(super) fn ink_on(self) -> Colour {
        if self.brightness() > 0.66 { INK } else { WHITE }
    }

    /// This colour, dark enough to be read on paper.
    pub(super) fn legible(self) -> Colour {
        if self.brightness() > 0.5 { self.mix(INK, 0.45) } else { self }
    }
}
