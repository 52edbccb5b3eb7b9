//! Plots as SVG: lines, bars, and figures with their intervals.
//!
//! A plot is as wide as a phone, with two units to a point, so that its texts can be read there.

use std::ops::Range;

use plotters::coord::types::RangedCoordf64;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::palette::{self, Colour, FAINT, GRID, INK, ODD};

/// The width of every plot.
const WIDTH: u32 = 720;

/// The height of a plot with two axes.
const HEIGHT: u32 = 460;

/// The size of texts.
const TEXT: u32 = 31;

/// The height of a row of a plot of intervals.
const ROW: u32 = 88;

/// A longer label is cut.
const MOST_LETTERS: usize = 38;

/// Why a plot cannot be drawn.
pub type PlotError = DrawingAreaErrorKind<std::io::Error>;

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// What a plot shows.
#[derive(Debug, Clone, Copy)]
pub struct Axes<'t> {
    /// What it is, for those who do not see it.
    pub about: &'t str,
    /// What goes to the right.
    pub x: &'t str,
    /// What goes up.
    pub y: &'t str,
}

/// A line with the interval of each of its points.
#[derive(Debug, Clone)]
pub struct Line {
    /// A short name, written at its end.
    pub name: String,
    /// To the right, upwards, and the interval of the latter.
    pub points: Vec<(f64, f64, f64, f64)>,
}

/// A figure with its interval.
#[derive(Debug, Clone)]
pub struct Interval {
    /// What it is.
    pub label: String,
    /// The figure in words.
    pub told: String,
    /// The figure.
    pub value: f64,
    /// From where to where it may be.
    pub interval: (f64, f64),
    /// Whether it is out of line.
    pub is_odd: bool,
}

/// A range with some room, and never an empty one.
fn roomy(low: f64, high: f64) -> Range<f64> {
    let (low, high) = if low.is_finite() && high.is_finite() && low <= high { (low, high) } else { (0.0, 1.0) };
    let room = if high > low { 0.06 * (high - low) } else { 0.5 };
    low - room..high + room
}

fn text(colour: Colour, across: HPos, up: VPos) -> TextStyle<'static> {
    ("system-ui, sans-serif", TEXT).into_font().color(&colour.rgb()).pos(Pos::new(across, up))
}

/// A number of an axis.
fn number(value: &f64) -> String {
    match value.abs() {
        size if size >= 10.0 || (value - value.round()).abs() < 1e-9 => format!("{value:.0}"),
        size if size >= 1.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

fn chart(
    axes: Axes<'_>,
    (x, y): (Range<f64>, Range<f64>),
    draw: impl FnOnce(&mut Chart<'_, '_>) -> Result<(), PlotError>,
) -> Result<String, PlotError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .margin_top(24)
            .margin_right(44)
            .x_label_area_size(88)
            .y_label_area_size(112)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID.rgb().stroke_width(2))
            .axis_style(GRID.rgb().stroke_width(2))
            .label_style(text(FAINT, HPos::Center, VPos::Center))
            .axis_desc_style(text(FAINT, HPos::Center, VPos::Center))
            .x_labels(6)
            .y_labels(5)
            .x_label_formatter(&number)
            .y_label_formatter(&number)
            .x_desc(axes.x)
            .y_desc(axes.y)
            .draw()?;
        draw(&mut chart)?;
        area.present()?;
    }
    Ok(named(&svg, axes.about))
}

/// The picture with a name for those who do not see it.
fn named(svg: &str, about: &str) -> String {
    let label = super::escaped(about);
    svg.trim_end().replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1)
}

/// Lines, each with the band of its intervals.
pub fn lines(axes: Axes<'_>, lines: &[Line]) -> Result<String, PlotError> {
    let all = || lines.iter().flat_map(|line| &line.points);
    let least = |of: fn(&(f64, f64, f64, f64)) -> f64| all().map(of).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&(f64, f64, f64, f64)) -> f64| all().map(of).fold(f64::NEG_INFINITY, f64::max);
    let x = least(|point| point.0)..most(|point| point.0);
    let y = roomy(least(|point| point.2), most(|point| point.3));
    chart(axes, (if x.start < x.end { x } else { 0.0..1.0 }, y), |chart| {
        for (index, line) in lines.iter().enumerate() {
            let colour = palette::series(index);
            let low = line.points.iter().map(|(x, _, low, _)| (*x, *low));
            let high = line.points.iter().rev().map(|(x, _, _, high)| (*x, *high));
            let band: Vec<(f64, f64)> = low.chain(high).collect();
            chart.draw_series([Polygon::new(band, colour.rgb().mix(0.16).filled())])?;
        }
        for (index, line) in lines.iter().enumerate() {
            let colour = palette::series(index);
            let points: Vec<(f64, f64)> = line.points.iter().map(|(x, y, ..)| (*x, *y)).collect();
            let end = points.last().copied();
            chart.draw_series([PathElement::new(points, colour.rgb().stroke_width(5))])?;
            let style = text(colour, HPos::Left, VPos::Center);
            chart.draw_series(end.map(|end| EmptyElement::at(end) + Text::new(line.name.clone(), (10, 0), style)))?;
        }
        Ok(())
    })
}

/// How many games there are with each number: several sorts of games one over the other, as outlines.
pub fn bars(axes: Axes<'_>, series: &[Vec<(f64, u64)>]) -> Result<String, PlotError> {
    let numbers = || series.iter().flatten().map(|(number, _)| *number);
    let (least, most) = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
    let (least, most) = if least <= most { (least, most) } else { (0.0, 0.0) };
    let width = ((most - least + 1.0) / 24.0).ceil().max(1.0);
    let count = ((most - least) / width).floor() as usize + 1;
    let sums: Vec<Vec<u64>> = series
        .iter()
        .map(|bars| {
            let mut sums = vec![0; count];
            for (number, games) in bars {
                if let Some(sum) = sums.get_mut(((number - least) / width).floor() as usize) {
                    *sum += games;
                }
            }
            sums
        })
        .collect();
    let highest = sums.iter().flatten().copied().max().unwrap_or(0).max(1) as f64;
    let left = |index: usize| least - width / 2.0 + index as f64 * width;
    chart(axes, (left(0)..left(count), 0.0..1.08 * highest), |chart| {
        for (index, sums) in sums.iter().enumerate() {
            let colour = palette::series(index).rgb();
            let mix = if series.len() == 1 { 0.75 } else { 0.18 };
            let filled = sums.iter().enumerate().filter(|(_, games)| **games > 0).map(|(at, games)| {
                Rectangle::new([(left(at), 0.0), (left(at + 1), *games as f64)], colour.mix(mix).filled())
            });
            chart.draw_series(filled)?;
            let mut outline = vec![(left(0), 0.0)];
            for (at, games) in sums.iter().enumerate() {
                outline.extend([(left(at), *games as f64), (left(at + 1), *games as f64)]);
            }
            outline.push((left(count), 0.0));
            chart.draw_series([PathElement::new(outline, colour.stroke_width(3))])?;
        }
        Ok(())
    })
}

/// Figures with their intervals, one below the other; a line shows what is even, a band what counts as nothing.
pub fn intervals(about: &str, rows: &[Interval], even: f64, band: Option<f64>) -> Result<String, PlotError> {
    let height = ROW * rows.len() as u32 + 66;
    let room = band.unwrap_or(0.0);
    let ends = || rows.iter().flat_map(|row| [row.interval.0, row.interval.1, row.value]).filter(|end| end.is_finite());
    let low = ends().fold(even - room, f64::min);
    let x = roomy(low, ends().fold(even + room, f64::max));
    let count = rows.len() as f64;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin_left(16)
            .margin_right(16)
            .x_label_area_size(60)
            .build_cartesian_2d(x.clone(), 0.0..count.max(1.0))?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID.rgb().stroke_width(2))
            .axis_style(GRID.rgb().stroke_width(2))
            .label_style(text(FAINT, HPos::Center, VPos::Center))
            .x_labels(5)
            .x_label_formatter(&number)
            .draw()?;
        if let Some(band) = band {
            let corners = [(even - band, 0.0), (even + band, count)];
            chart.draw_series([Rectangle::new(corners, FAINT.rgb().mix(0.15).filled())])?;
        }
        let line = vec![(even, 0.0), (even, count)];
        chart.draw_series([PathElement::new(line, FAINT.rgb().stroke_width(3))])?;
        for (index, row) in rows.iter().enumerate() {
            let top = count - index as f64;
            let (words, middle) = (top - 0.3, top - 0.72);
            let colour = if row.is_odd { ODD } else { palette::series(0) };
            let mut label: String = row.label.chars().take(MOST_LETTERS).collect();
            if row.label.chars().count() > MOST_LETTERS {
                label.push('…');
            }
            chart.draw_series([Text::new(label, (x.start, words), text(INK, HPos::Left, VPos::Center))])?;
            let told = Text::new(row.told.clone(), (x.end, words), text(colour, HPos::Right, VPos::Center));
            chart.draw_series([told])?;
            let (from, to) = (row.interval.0.max(x.start), row.interval.1.min(x.end));
            let whisker = vec![(from, middle), (to, middle)];
            chart.draw_series([PathElement::new(whisker, colour.rgb().stroke_width(6))])?;
            chart.draw_series([Circle::new((row.value, middle), 10, colour.rgb().filled())])?;
        }
        area.present()?;
    }
    Ok(named(&svg, about))
}
