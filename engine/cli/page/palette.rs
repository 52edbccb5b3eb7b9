//! The colours of a page, light and dark, and how well they can be told apart.
//!
//! A plot is drawn in the light colours. In the dark, the style sheet replaces each of them by its dark one.

use std::fmt::Write as _;

use plotters::style::RGBColor;

/// A colour in the light and in the dark.
#[derive(Debug, Clone, Copy)]
pub struct Colour {
    /// Its name in the style sheet.
    name: &'static str,
    light: (u8, u8, u8),
    dark: (u8, u8, u8),
}

const fn colour(name: &'static str, light: (u8, u8, u8), dark: (u8, u8, u8)) -> Colour {
    Colour { name, light, dark }
}

/// Behind everything.
pub const GROUND: Colour = colour("ground", (246, 247, 249), (16, 19, 23));
/// Behind a section.
pub const CARD: Colour = colour("card", (255, 255, 255), (26, 30, 36));
/// Behind a call.
pub const CODE: Colour = colour("code", (238, 241, 245), (36, 41, 49));
/// Texts.
pub const INK: Colour = colour("ink", (27, 31, 36), (232, 234, 237));
/// Texts beside others, such as the numbers of an axis.
pub const FAINT: Colour = colour("faint", (80, 88, 97), (171, 179, 189));
/// Lines behind a plot.
pub const GRID: Colour = colour("grid", (222, 226, 231), (54, 61, 70));
/// What is out of line.
pub const ODD: Colour = colour("odd", (176, 63, 8), (242, 164, 98));
/// Seats, and what is not out of line.
pub const SERIES: [Colour; 6] = [
    colour("one", (10, 92, 158), (112, 182, 243)),
    colour("two", (169, 66, 12), (240, 161, 92)),
    colour("three", (8, 110, 78), (84, 205, 164)),
    colour("four", (128, 58, 150), (214, 158, 230)),
    colour("five", (106, 88, 0), (214, 193, 78)),
    colour("six", (84, 84, 92), (190, 190, 198)),
];

/// The colour of a seat.
pub fn series(index: usize) -> Colour {
    SERIES[index % SERIES.len()]
}

impl Colour {
    /// For a plot.
    pub fn rgb(self) -> RGBColor {
        RGBColor(self.light.0, self.light.1, self.light.2)
    }

    /// For an attribute `style`.
    pub fn var(self) -> String {
        format!("var(--{})", self.name)
    }
}

/// The part of the style sheet that names the colours and replaces those of plots.
pub fn style() -> String {
    let all: Vec<Colour> = [GROUND, CARD, CODE, INK, FAINT, GRID, ODD].into_iter().chain(SERIES).collect();
    let hex = |(red, green, blue): (u8, u8, u8)| format!("#{red:02X}{green:02X}{blue:02X}");
    let named = |dark: bool| {
        all.iter().fold(String::new(), |mut text, colour| {
            let _ = write!(text, "--{}:{};", colour.name, hex(if dark { colour.dark } else { colour.light }));
            text
        })
    };
    let mut text = format!(
        ":root{{color-scheme:light dark;{}}}\n@media (prefers-color-scheme:dark){{:root{{{}}}}}\n",
        named(false),
        named(true)
    );
    for colour in &all {
        let (light, name) = (hex(colour.light), colour.name);
        let _ = writeln!(
            text,
            "svg [fill=\"{light}\"]{{fill:var(--{name})}}svg [stroke=\"{light}\"]{{stroke:var(--{name})}}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much lighter one colour is than another, as the guidelines for the web (WCAG 2) compute it.
    fn contrast(one: (u8, u8, u8), other: (u8, u8, u8)) -> f64 {
        let light = |(red, green, blue): (u8, u8, u8)| {
            let part = |part: u8| {
                let part = f64::from(part) / 255.0;
                if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
        };
        let (one, other) = (light(one), light(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn every_text_can_be_read_in_the_light_and_in_the_dark() {
        assert!((contrast((0, 0, 0), (255, 255, 255)) - 21.0).abs() < 1e-9);
        for text in [INK, FAINT, ODD].into_iter().chain(SERIES) {
            for behind in [GROUND, CARD, CODE] {
                for (text_colour, ground) in [(text.light, behind.light), (text.dark, behind.dark)] {
                    let found = contrast(text_colour, ground);
                    assert!(found >= 4.5, "{} on {}: {found:.2}", text.name, behind.name);
                }
            }
        }
    }

    #[test]
    fn no_two_colours_of_plots_are_the_same() {
        let mut all: Vec<_> =
            [GROUND, CARD, CODE, INK, FAINT, GRID, ODD].iter().chain(&SERIES).map(|colour| colour.light).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
