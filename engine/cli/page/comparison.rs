//! The page about a change of a pack: by how much each figure differs, and how sure that is.

use rulepack_tools::{Comparison, FigureDifference as Difference, Verdict};

use super::plots::{Axes, Interval, bars, intervals};
use super::{About, Page, between, undrawn};
use crate::stop::Stop;

/// The figures whose numbers are shown as plots.
const SHOWN: [&str; 4] = ["points", "margin", "turns", "questions"];

/// What a figure is, in words.
fn name(figure: &str) -> String {
    match figure {
        "first_seat" => "wins of the first seat".into(),
        "margin" => "points between first and second".into(),
        "points" => "points, mean of the seats".into(),
        "questions" => "questions with a choice".into(),
        other => other.into(),
    }
}

/// The page; `play` gives the calls that show the games of a seed.
pub fn comparison(
    pack: &str,
    all: &[(&str, &Comparison)],
    about: About<'_>,
    play: impl Fn(u64) -> Vec<String>,
) -> Result<String, Stop> {
    let below = format!(
        "The same seeds under both rules, by {}. The intervals are made for looking again and again: rules that do not differ are said \
         to differ in fewer than 5 of 100 runs.",
        about.bots
    );
    let mut page = Page::new(&format!("What changes in {pack}"), &below);
    for (with, comparison) in all {
        one(&mut page, with, comparison, &play)?;
    }
    page.section("How to make this page again", "");
    page.calls(&[about.call.to_string()]);
    page.end_section();
    Ok(page.end())
}

fn one(page: &mut Page, with: &str, comparison: &Comparison, play: &impl Fn(u64) -> Vec<String>) -> Result<(), Stop> {
    let mut about = format!("{} pairs of games from seed {}.", comparison.pairs, comparison.seed);
    if comparison.unfinished > 0 {
        about += &format!(" {} pairs did not end by the rules and do not count.", comparison.unfinished);
    }
    page.section(with, &about);
    let differ: Vec<&Difference> =
        comparison.differences.iter().filter(|one| one.verdict == Verdict::Differs).collect();
    let is_open = comparison.differences.iter().any(|one| one.verdict == Verdict::NotClear);
    match (differ.is_empty(), is_open) {
        (true, true) => page.paragraph("It is not clear yet whether anything differs: more games would tell."),
        (true, false) => page.paragraph("Nothing differs by more than a quarter of what single games differ by."),
        (false, _) => {
            for one in &differ {
                let text = format!(
                    "{:.2} before, {:.2} after: {:+.2} ({})",
                    one.before,
                    one.after,
                    one.difference,
                    between(one.interval, |number| format!("{number:+.2}"))
                );
                let calls: Vec<String> = one.seeds.iter().flat_map(|seed| play(*seed)).collect();
                page.remark(&format!("{} differ", name(one.name)), &text, &calls);
            }
        }
    }
    page.begin_plots();
    // Each in its own unit: what counts as no difference is one.
    let unit = |one: &Difference| if one.threshold > 0.0 { one.threshold } else { 1.0 };
    let row = |one: &Difference| Interval {
        label: name(one.name),
        told: format!("{:+.2}", one.difference),
        value: one.difference / unit(one),
        interval: (one.interval.0 / unit(one), one.interval.1 / unit(one)),
        is_odd: one.verdict == Verdict::Differs,
    };
    let rows: Vec<Interval> = comparison.differences.iter().map(row).collect();
    if !rows.is_empty() {
        let svg = intervals("By how much each figure differs", &rows, 0.0, Some(1.0)).map_err(undrawn)?;
        let shows = "The band is what counts as no difference: a quarter of what single games differ by.";
        page.plot("Differences", &[], &svg, shows);
    }
    let names = ["before".to_string(), "after".to_string()];
    for one in comparison.differences.iter().filter(|one| SHOWN.contains(&one.name)) {
        let about = format!("How many games came to which number of {}", one.name);
        let svg = bars(Axes { about: &about, x: one.name, y: "games" }, &one.bars).map_err(undrawn)?;
        page.plot(&name(one.name), &names, &svg, "How many games came to which number.");
    }
    page.end_plots();
    let verdict = |one: &Difference| match one.verdict {
        Verdict::Differs => "differs".to_string(),
        Verdict::NoDifference => format!("no difference above {:.2}", one.threshold),
        Verdict::NotClear => "not clear yet".to_string(),
    };
    let row = |one: &Difference| {
        vec![
            name(one.name),
            format!("{:.2}", one.before),
            format!("{:.2}", one.after),
            format!("{:+.2}", one.difference),
            between(one.interval, |number| format!("{number:+.2}")),
            verdict(one),
        ]
    };
    let rows: Vec<Vec<String>> = comparison.differences.iter().map(row).collect();
    page.table(&["Figure", "Before", "After", "Difference", "Interval", "Verdict"], &rows);
    page.end_section();
    Ok(())
}
