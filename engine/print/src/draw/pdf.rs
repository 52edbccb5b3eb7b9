//! Pages as PDF: each card once, used wherever a copy of it lies; letters as text in parts of the fonts.

use std::collections::{BTreeMap, BTreeSet};

use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use rustybuzz::ttf_parser::GlyphId;
use subsetter::GlyphRemapper;

use super::Desk;
use super::colour::Colour;
use super::faces::{Face, Run};
use super::shapes::{Drawing, Mark, Outline, Step};
use crate::card::PrintError;

/// Points in a millimetre.
const POINTS: f32 = 72.0 / 25.4;

const SYSTEM: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The pages so far.
pub(super) struct Book<'d> {
    desk: &'d Desk<'d>,
    pdf: Pdf,
    next: i32,
    paper: (f32, f32),
    bleed: f32,
    /// The cards: what is drawn, and where it will stand.
    cards: Vec<(Ref, Vec<u8>)>,
    pages: Vec<Ref>,
    fonts: BTreeMap<Face, Font>,
    /// How faint shapes are, in hundredths.
    faint: BTreeSet<u32>,
    tree: Ref,
}

/// The letters of a face that are in use.
#[derive(Default)]
struct Font {
    glyphs: GlyphRemapper,
    /// By number in the part of the font: its number in the whole font, and what it stands for.
    letters: BTreeMap<u16, (u16, String)>,
}

impl<'d> Book<'d> {
    pub(super) fn new(desk: &'d Desk<'d>, paper: (f32, f32), bleed: f32) -> Book<'d> {
        let (pdf, tree) = (Pdf::new(), Ref::new(2));
        let (cards, pages, fonts, faint) = (Vec::new(), Vec::new(), BTreeMap::new(), BTreeSet::new());
        Book { desk, pdf, next: 3, paper, bleed, cards, pages, fonts, faint, tree }
    }

    fn id(&mut self) -> Ref {
        self.next += 1;
        Ref::new(self.next)
    }

    /// Adds a card, and returns its number.
    pub(super) fn card(&mut self, drawing: &Drawing) -> usize {
        let content = self.content(drawing, self.desk.height);
        let id = self.id();
        self.cards.push((id, content));
        self.cards.len() - 1
    }

    pub(super) fn pages(&self) -> usize {
        self.pages.len()
    }

    /// Adds a page with cards at places, and marks on top.
    pub(super) fn page(&mut self, cards: &[(usize, (f32, f32))], marks: &Drawing) {
        let mut content = Content::new();
        for (card, (x, y)) in cards {
            let up = self.paper.1 - y - self.desk.height;
            content.save_state();
            content.transform([1.0, 0.0, 0.0, 1.0, x * POINTS, up * POINTS]);
            content.x_object(Name(format!("C{card}").as_bytes()));
            content.restore_state();
        }
        let mut bytes = content.finish().into_vec();
        bytes.push(b'\n');
        bytes.extend(self.content(marks, self.paper.1));
        let (page_id, content_id) = (self.id(), self.id());
        let mut page = self.pdf.page(page_id);
        page.media_box(Rect::new(0.0, 0.0, self.paper.0 * POINTS, self.paper.1 * POINTS));
        page.parent(self.tree).contents(content_id);
        let mut resources = page.resources();
        let mut objects = resources.x_objects();
        let used: BTreeSet<usize> = cards.iter().map(|(card, _)| *card).collect();
        for card in used {
            if let Some((id, _)) = self.cards.get(card) {
                objects.pair(Name(format!("C{card}").as_bytes()), *id);
            }
        }
        objects.finish();
        resources.finish();
        page.finish();
        stream(&mut self.pdf, content_id, &bytes);
        self.pages.push(page_id);
    }

    /// What is drawn, in points from the lower left corner.
    fn content(&mut self, drawing: &Drawing, height: f32) -> Vec<u8> {
        let mut content = Content::new();
        content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
        for mark in &drawing.marks {
            match mark {
                Mark::Fill { outline, colour, opacity, even_odd } => {
                    self.opacity(&mut content, *opacity);
                    let [red, green, blue] = colour.parts();
                    content.set_fill_rgb(red, green, blue);
                    draw(&mut content, outline, height);
                    if *even_odd {
                        content.fill_even_odd()
                    } else {
                        content.fill_nonzero()
                    };
                }
                Mark::Stroke { outline, colour, opacity, width } => {
                    self.opacity(&mut content, *opacity);
                    let [red, green, blue] = colour.parts();
                    content.set_stroke_rgb(red, green, blue).set_line_width(width * POINTS);
                    draw(&mut content, outline, height);
                    content.stroke();
                }
                Mark::Letters { run, x, y, colour } => {
                    self.opacity(&mut content, 1.0);
                    self.letters(&mut content, run, (*x, height - y), *colour);
                }
                Mark::Clip(outline) => {
                    content.save_state();
                    draw(&mut content, outline, height);
                    content.clip_nonzero().end_path();
                }
                Mark::Unclip => {
                    content.restore_state();
                }
            }
        }
        content.finish().into_vec()
    }

    fn opacity(&mut self, content: &mut Content, opacity: f32) {
        let hundredths = (opacity.clamp(0.0, 1.0) * 100.0).round() as u32;
        // Whatever is solid says so only once something was not.
        if hundredths < 100 || !self.faint.is_empty() {
            self.faint.insert(hundredths);
            self.faint.insert(100);
            content.set_parameters(Name(format!("G{hundredths}").as_bytes()));
        }
    }

    fn letters(&mut self, content: &mut Content, run: &Run, (x, y): (f32, f32), colour: Colour) {
        let font = self.fonts.entry(run.face).or_default();
        let face = self.desk.faces.face(run.face);
        let [red, green, blue] = colour.parts();
        content.set_fill_rgb(red, green, blue).begin_text();
        content.set_font(Name(name_of(run.face).as_bytes()), run.size * POINTS);
        content.set_text_matrix([1.0, 0.0, 0.0, 1.0, x * POINTS, y * POINTS]);
        let mut show = content.show_positioned();
        let mut items = show.items();
        for (index, glyph) in run.glyphs.iter().enumerate() {
            let number = font.glyphs.remap(glyph.id);
            let next = run.glyphs.iter().skip(index + 1).map(|next| next.at).find(|at| *at > glyph.at);
            let end = next.map_or(run.text.len(), |next| next as usize);
            let stands_for = run.text.get(glyph.at as usize..end).unwrap_or_default();
            font.letters.entry(number).or_insert_with(|| (glyph.id, stands_for.to_string()));
            if glyph.shift.0 != 0 {
                items.adjust(-run.thousandths(glyph.shift.0));
            }
            items.show(Str(&number.to_be_bytes()));
            let plain = i32::from(face.glyph_hor_advance(GlyphId(glyph.id)).unwrap_or(0));
            let more = glyph.advance - plain - glyph.shift.0;
            if more != 0 {
                items.adjust(-run.thousandths(more));
            }
        }
        items.finish();
        show.finish();
        content.end_text();
    }

    /// The file.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, PrintError> {
        let mut faces = BTreeMap::new();
        for (face, font) in std::mem::take(&mut self.fonts) {
            faces.insert(face, self.font(face, &font)?);
        }
        let states: Vec<(u32, Ref)> = self.faint.clone().into_iter().map(|faint| (faint, self.id())).collect();
        for (faint, id) in &states {
            let part = *faint as f32 / 100.0;
            self.pdf.ext_graphics(*id).non_stroking_alpha(part).stroking_alpha(part);
        }
        let (width, height) = (self.desk.width + self.bleed, self.desk.height + self.bleed);
        let edge = [-self.bleed, -self.bleed, width, height].map(|side| side * POINTS);
        for (id, content) in std::mem::take(&mut self.cards) {
            let packed = pack(&content);
            let mut card = self.pdf.form_xobject(id, &packed);
            card.filter(Filter::FlateDecode);
            card.bbox(Rect::new(edge[0], edge[1], edge[2], edge[3]));
            let mut resources = card.resources();
            let mut fonts = resources.fonts();
            for (face, id) in &faces {
                fonts.pair(Name(name_of(*face).as_bytes()), *id);
            }
            fonts.finish();
            let mut kinds = resources.ext_g_states();
            for (faint, id) in &states {
                kinds.pair(Name(format!("G{faint}").as_bytes()), *id);
            }
            kinds.finish();
        }
        let count = self.pages.len() as i32;
        self.pdf.pages(self.tree).kids(self.pages.iter().copied()).count(count);
        self.pdf.catalog(Ref::new(1)).pages(self.tree);
        let id = self.id();
        self.pdf.document_info(id).title(TextStr(&self.desk.theme.game)).creator(TextStr("rulepack"));
        Ok(self.pdf.finish())
    }

    /// A part of a font with the letters that are in use.
    fn font(&mut self, face: Face, font: &Font) -> Result<Ref, PrintError> {
        let whole = self.desk.faces.face(face);
        let part = subsetter::subset(face.bytes(), 0, &font.glyphs)
            .map_err(|error| PrintError::Drawing(format!("the font `{}`: {error}", face.name())))?;
        let [id, cid, descriptor, letters, data] = [(); 5].map(|()| self.id());
        let name = format!("RULEPK+{}", face.name());
        let name = Name(name.as_bytes());
        self.pdf
            .type0_font(id)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(letters);
        let units = whole.units_per_em() as f32;
        let thousandths = |units_of_face: f32| units_of_face * 1000.0 / units;
        let mut described = self.pdf.cid_font(cid);
        described.subtype(CidFontType::Type2).base_font(name).system_info(SYSTEM).font_descriptor(descriptor);
        described.default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = described.widths();
        for (number, (glyph, _)) in &font.letters {
            let width = whole.glyph_hor_advance(GlyphId(*glyph)).unwrap_or(0);
            widths.consecutive(*number, [thousandths(f32::from(width))]);
        }
        widths.finish();
        described.finish();
        let mut map = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
        for (number, (_, text)) in font.letters.iter().filter(|(_, (_, text))| !text.is_empty()) {
            map.pair_with_multiple(*number, text.chars());
        }
        let box_of = whole.global_bounding_box();
        let sides = [box_of.x_min, box_of.y_min, box_of.x_max, box_of.y_max].map(|side| thousandths(f32::from(side)));
        self.pdf
            .font_descriptor(descriptor)
            .name(name)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(sides[0], sides[1], sides[2], sides[3]))
            .italic_angle(0.0)
            .ascent(thousandths(f32::from(whole.ascender())))
            .descent(thousandths(f32::from(whole.descender())))
            .cap_height(thousandths(f32::from(whole.capital_height().unwrap_or(640))))
            .stem_v(80.0)
            .font_file2(data);
        let packed = pack(&part);
        self.pdf.stream(data, &packed).filter(Filter::FlateDecode);
        let map = map.finish().into_vec();
        self.pdf.cmap(letters, &map);
        Ok(id)
    }
}

fn name_of(face: Face) -> &'static str {
    match face {
        Face::Title => "F0",
        Face::Text => "F1",
        Face::Bold => "F2",
    }
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6)
}

fn stream(pdf: &mut Pdf, id: Ref, bytes: &[u8]) {
    let packed = pack(bytes);
    pdf.stream(id, &packed).filter(Filter::FlateDecode);
}

fn draw(content: &mut Content, outline: &Outline, height: f32) {
    let at = |x: f32, y: f32| (x * POINTS, (height - y) * POINTS);
    for step in &outline.0 {
        match *step {
            Step::Move(x, y) => {
                let (x, y) = at(x, y);
                content.move_to(x, y);
            }
            Step::Line(x, y) => {
                let (x, y) = at(x, y);
                content.line_to(x, y);
            }
            Step::Curve(x1, y1, x2, y2, x, y) => {
                let ((x1, y1), (x2, y2), (x, y)) = (at(x1, y1), at(x2, y2), at(x, y));
                content.cubic_to(x1, y1, x2, y2, x, y);
            }
            Step::Close => {
                content.close_path();
            }
        }
    }
}
