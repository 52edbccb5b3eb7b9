//! The front of a card: a frame in its colour, the title on a band, an emblem, costs, attributes, the text, a line at the foot.
//!
//! The text has what room it needs: the emblem gives way first, then the letters become smaller.

use super::colour::{Colour, INK, WHITE};
use super::faces::Face;
use super::shapes::{Drawing, Mark, Outline, Step};
use super::signs::{Label, rows};
use super::wrap::{Lines, Words};
use super::{Desk, MOST_BLEED, pattern};
use crate::card::Card;

/// Sizes of the text on a poker card, in millimetres: the one that is wanted, the one below which the emblem gives way, the
/// smallest that people can read.
const TEXT: (f32, f32, f32) = (3.9, 2.9, 2.05);

/// The measures of one card.
struct Measures {
    /// The inside of the frame.
    x: f32,
    y: f32,
    width: f32,
    height: f32,
    /// The distance of words from the inside of the frame.
    inset: f32,
    band: Colour,
}

pub(super) fn draw(desk: &Desk<'_>, card: &Card, drawing: &mut Drawing) {
    let s = desk.scale;
    let band = Colour::read(&card.colour);
    let frame = 3.0 * s;
    let m = Measures {
        x: frame,
        y: frame,
        width: desk.width - 2.0 * frame,
        height: desk.height - 2.0 * frame,
        inset: 2.6 * s,
        band,
    };
    let (width, height) = (desk.width + 2.0 * MOST_BLEED, desk.height + 2.0 * MOST_BLEED);
    drawing.fill(Outline::rect(-MOST_BLEED, -MOST_BLEED, width, height, 0.0), band.mix(INK, 0.42));
    drawing.fill(Outline::rect(m.x, m.y, m.width, m.height, 2.0 * s), desk.paper);
    let top = title(desk, card, &m, drawing);
    let bottom = foot(desk, card, &m, drawing);
    body(desk, card, &m, (top, bottom), drawing);
}

/// The band with the title, and the sign of the kind at its right end. Returns where it ends.
fn title(desk: &Desk<'_>, card: &Card, m: &Measures, drawing: &mut Drawing) -> f32 {
    let s = desk.scale;
    let has_icon = desk.icons.has(card.icon.as_deref());
    let side = if has_icon { 6.0 * s } else { 0.0 };
    let room = m.width - 2.0 * m.inset - if has_icon { side + 1.0 * s } else { 0.0 };
    let words = Words::new(&desk.faces, Face::Title, &card.title);
    // One line if it can be read from afar, else two.
    let sizes =
        |from: f32, to: f32| (0..=((from - to) * 10.0).round() as usize).map(move |step| from - 0.1 * step as f32);
    let fits = |lines: &Lines, most: usize| lines.count() <= most && !lines.too_wide;
    let one = sizes(5.3, 3.9).map(|size| words.lines(size * s, room)).find(|lines| fits(lines, 1));
    let two = || sizes(4.4, 2.5).map(|size| words.lines(size * s, room)).find(|lines| fits(lines, 2));
    let lines = one.or_else(two).unwrap_or_else(|| {
        drawing.unfit.push(format!("the title `{}` does not fit", card.title));
        words.lines(2.5 * s, room)
    });
    let (leading, lines) = (lines.leading() * 0.9, lines.placed(&desk.faces));
    let height = (leading * lines.len() as f32 + 3.4 * s).max(9.4 * s);
    let ink = m.band.ink_on();
    drawing.fill(rounded_top((m.x, m.y, m.width, height), 2.0 * s), m.band);
    let line = Outline::rect(m.x, m.y + height - 0.45 * s, m.width, 0.45 * s, 0.0);
    drawing.fill(line, m.band.mix(INK, 0.35));
    let mut middle = m.y + (height - 0.45 * s) / 2.0 - leading * (lines.len() as f32 - 1.0) / 2.0;
    for (run, _) in lines {
        let baseline = middle + run.cap_height() / 2.0;
        drawing.letters(run, m.x + m.inset, baseline, ink);
        middle += leading;
    }
    if let Some(icon) = card.icon.as_deref().filter(|_| has_icon) {
        let (x, y) = (m.x + m.width - m.inset - side / 2.0 + 0.6 * s, m.y + (height - 0.45 * s) / 2.0);
        drawing.fill(Outline::circle(x, y, side / 2.0 + 0.4 * s), desk.paper);
        desk.icons.draw(icon, (x, y), side * 0.78, m.band, drawing);
    }
    m.y + height
}

/// The kind on the left, the game and the number of copies on the right. Returns where it begins.
fn foot(desk: &Desk<'_>, card: &Card, m: &Measures, drawing: &mut Drawing) -> f32 {
    let s = desk.scale;
    let height = 4.4 * s;
    let top = m.y + m.height - height;
    let middle = top + height / 2.0 - 0.1 * s;
    let ink = m.band.legible();
    drawing
        .fill(Outline::rect(m.x + m.inset, top, m.width - 2.0 * m.inset, 0.18 * s, 0.0), m.band.mix(desk.paper, 0.6));
    let copies = if card.count > 1 { format!(" · ×{}", card.count) } else { String::new() };
    let room = m.width - 2.0 * m.inset;
    let kind = desk.faces.fit(Face::Bold, (1.6 * s, 2.3 * s), room * 0.48, &card.kind);
    let game = format!("{}{copies}", desk.theme.game);
    let game = desk.faces.fit(Face::Text, (1.5 * s, 2.3 * s), room * 0.5, &game);
    match (kind, game) {
        (Some(kind), Some(game)) => {
            let baseline = middle + kind.cap_height() / 2.0;
            drawing.letters(kind, m.x + m.inset, baseline, ink);
            let left = m.x + m.width - m.inset - game.width();
            drawing.letters(game, left, baseline, ink.mix(desk.paper, 0.25));
        }
        _ => drawing.unfit.push("the line at the foot does not fit".to_string()),
    }
    top
}

/// What stands between the band and the foot.
fn body(desk: &Desk<'_>, card: &Card, m: &Measures, (top, bottom): (f32, f32), drawing: &mut Drawing) {
    let s = desk.scale;
    let (gap, room) = (1.5 * s, m.width - 2.0 * m.inset);
    let costs = card.costs.iter().map(|cost| Label::cost(desk, cost, m.band)).enumerate().collect();
    let (costs, wide_costs) = rows(costs, room, s);
    let labels = card.fields.iter().map(|field| Label::field(desk, field, m.band)).enumerate().collect();
    let (fields, wide) = rows(labels, room, s);
    if !wide_costs.is_empty() {
        drawing.unfit.push("a cost is wider than the card".to_string());
    }
    // What is too long for a label stands above the text.
    let sentences = wide.iter().filter_map(|index| card.fields.get(*index));
    let mut text: String = sentences.map(|field| format!("{}: {}\n", field.title, field.value)).collect();
    text.push_str(&card.text);
    let around = |height: f32| if height > 0.0 { height + gap } else { 0.0 };
    // The emblem shows the costs, too.
    let least = around(costs.height) + if costs.height > 0.0 { gap } else { 0.0 };
    let room_for_text = bottom - top - around(fields.height) - 2.0 * gap;
    let lines = fit_text(desk, &text, room, room_for_text - least, drawing);
    let needs = lines.as_ref().map_or(0.0, |lines| lines.height + 2.0 * gap);
    let all = bottom - top - around(fields.height);
    let most = if lines.is_none() { all - gap } else { 0.44 * m.height };
    let height = (all - needs).clamp(least.min(all), most.max(least));
    emblem(desk, card, m, (top, height), costs.height, drawing);
    costs.draw(desk, (m.x + m.inset, top + gap), None, drawing);
    let mut y = top + height;
    if fields.height > 0.0 {
        y += gap;
        let tall = fields.height;
        fields.draw(desk, (m.x + m.inset, y), Some(room), drawing);
        y += tall;
    }
    if let Some(lines) = lines {
        let top = y + (bottom - y - lines.height) / 2.0;
        // A few words look better in the middle, a paragraph from the left.
        let few = lines.count() <= 3;
        for (run, baseline) in lines.placed(&desk.faces) {
            let shift = if few { (room - run.width()) / 2.0 } else { 0.0 };
            drawing.letters(run, m.x + m.inset + shift, top + baseline, INK);
        }
    }
}

/// The text at the largest size at which it fits beside a large emblem; if there is none, at the largest at which it fits at all.
fn fit_text(desk: &Desk<'_>, text: &str, width: f32, height: f32, drawing: &mut Drawing) -> Option<Lines> {
    let words = Words::new(&desk.faces, Face::Text, text);
    if words.is_empty() {
        return None;
    }
    let (wanted, small, least) = (TEXT.0 * desk.scale, TEXT.1 * desk.scale, TEXT.2 * desk.scale);
    let step = 0.05 * desk.scale;
    let sizes = |from: f32, to: f32| {
        let count = ((from - to) / step).round() as usize;
        (0..=count).map(move |index| from - step * index as f32)
    };
    let set = |size: f32| words.lines(size, width);
    let beside = sizes(wanted, small).map(set).find(|lines| lines.height <= height * 0.58 && !lines.too_wide);
    let found = beside.or_else(|| {
        sizes(wanted.min(small + 0.2 * desk.scale), least)
            .map(set)
            .find(|lines| lines.height <= height && !lines.too_wide)
    });
    Some(found.unwrap_or_else(|| {
        drawing.unfit.push("the text does not fit, even in the smallest letters".to_string());
        set(least)
    }))
}

/// The coloured field below the band, with a large sign if there is room for one.
fn emblem(desk: &Desk<'_>, card: &Card, m: &Measures, (top, height): (f32, f32), costs: f32, drawing: &mut Drawing) {
    if height <= 0.0 {
        return;
    }
    let s = desk.scale;
    let ground = m.band.mix(desk.paper, 0.80);
    drawing.marks.push(Mark::Clip(Outline::rect(m.x, top, m.width, height, 0.0)));
    drawing.fill(Outline::rect(m.x, top, m.width, height, 0.0), ground);
    pattern::draw(&card.back.id, (m.x, top, m.width, height), ground.mix(m.band, 0.22), drawing);
    drawing.fill(Outline::rect(m.x, top + height - 0.3 * s, m.width, 0.3 * s, 0.0), m.band.mix(desk.paper, 0.45));
    drawing.marks.push(Mark::Unclip);
    // Costs stand above the sign if the field is high, and beside it if it is not.
    let above = if costs > 0.0 { costs + 2.0 * s } else { 0.0 };
    let (free, shift) = if height - above >= 13.0 * s { (height - above, above) } else { (height, 0.0) };
    let radius = (free / 2.0 - 1.6 * s).min(13.0 * s).min(m.width / 3.4);
    if radius < 5.0 * s || shift == 0.0 && costs > 0.0 {
        return;
    }
    let (x, y) = (m.x + m.width / 2.0, top + shift + free / 2.0);
    drawing.fill(Outline::circle(x, y, radius), desk.paper);
    drawing.stroke(Outline::circle(x, y, radius), m.band, 0.5 * s);
    drawing.stroke(Outline::circle(x, y, radius - 0.9 * s), m.band.mix(desk.paper, 0.55), 0.2 * s);
    match card.icon.as_deref().filter(|icon| desk.icons.has(Some(icon))) {
        Some(icon) => desk.icons.draw(icon, (x, y), radius * 1.15, m.band, drawing),
        None => {
            let letters = initials(&card.title);
            let run = desk.faces.fit(Face::Title, (radius * 0.4, radius * 1.25), radius * 1.3, &letters);
            if let Some(run) = run {
                drawing.centred(run, x, y, m.band.legible());
            }
        }
    }
}

/// The first letters of the first and the last word, or a number.
pub(super) fn initials(title: &str) -> String {
    let words: Vec<&str> =
        title.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let begins = |word: &&str| word.chars().next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    match words.as_slice() {
        [number, ..] if number.chars().all(|digit| digit.is_ascii_digit()) => number.chars().take(3).collect(),
        [] => String::new(),
        [only] => begins(only),
        [first, .., last] => format!("{}{}", begins(first), begins(last)),
    }
}

/// A rectangle whose upper corners are round.
fn rounded_top((x, y, width, height): (f32, f32, f32, f32), radius: f32) -> Outline {
    let Outline(steps) = Outline::rect(x, y, width, height + 2.0 * radius, radius);
    let cut = y + height;
    let low = |step: &Step| match step {
        Step::Move(_, y) | Step::Line(_, y) | Step::Curve(.., y) => *y <= cut - 0.001,
        Step::Close => false,
    };
    let upper: Vec<Step> = steps.iter().copied().filter(low).collect();
    let (Some((first, rest)), right) = (upper.split_first(), x + width) else { return Outline(steps) };
    // From the upper left corner to the right, down, to the left, and up to the corner again.
    let (down, up): (Vec<Step>, Vec<Step>) = rest.iter().copied().partition(|step| match step {
        Step::Line(at, _) | Step::Move(at, _) | Step::Curve(.., at, _) => *at > x + width / 2.0,
        Step::Close => false,
    });
    let mut all = vec![*first];
    all.extend(down);
    all.extend([Step::Line(right, cut), Step::Line(x, cut)]);
    all.extend([Step::Line(x, y + radius)]);
    all.extend(up.into_iter().filter(|step| matches!(step, Step::Curve(..))));
    all.push(Step::Close);
    Outline(all)
}

/// Letters on a dark ground are white.
pub(super) fn light(desk: &Desk<'_>) -> Colour {
    desk.paper.mix(WHITE, 0.5)
}
