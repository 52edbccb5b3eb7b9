//! A page of HTML that stands alone: its style and its plots are in it, and it needs nothing from outside.

mod balance;
mod comparison;
mod palette;
mod plots;

use std::fmt::Write as _;

use rulepack_model::visible::one_line;
use rulepack_tools::PAGE_HEAD;

use crate::stop::Stop;
use plots::PlotError;

pub use balance::{About, balance};
pub use comparison::comparison;
pub use palette::style as colours;

/// A page as it is written.
#[derive(Debug)]
struct Page {
    text: String,
}

/// A text as it may stand in HTML. Control characters become visible.
pub fn escaped(text: &str) -> String {
    one_line(text).chars().fold(String::new(), |mut all, c| {
        match c {
            '&' => all.push_str("&amp;"),
            '<' => all.push_str("&lt;"),
            '>' => all.push_str("&gt;"),
            '"' => all.push_str("&quot;"),
            '\'' => all.push_str("&#39;"),
            c => all.push(c),
        }
        all
    })
}

/// A plot that cannot be drawn.
fn undrawn(error: PlotError) -> Stop {
    Stop::Wrong(format!("a plot cannot be drawn: {error}"))
}

impl Page {
    /// Begins a page with a title and a sentence below it.
    fn new(title: &str, below: &str) -> Page {
        let (title, below) = (escaped(title), escaped(below));
        let style = palette::style() + include_str!("page/style.css");
        Page {
            text: format!(
                "{PAGE_HEAD}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                 <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
                 <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
                 <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n\
                 <header><h1>{title}</h1><p class=\"faint\">{below}</p></header>\n"
            ),
        }
    }

    /// Ends it.
    fn end(mut self) -> String {
        self.text.push_str("</main>\n</body>\n</html>\n");
        self.text
    }

    /// Begins a section.
    fn section(&mut self, title: &str, about: &str) {
        let _ = write!(self.text, "<section>\n<h2>{}</h2>\n", escaped(title));
        if !about.is_empty() {
            let _ = writeln!(self.text, "<p class=\"faint\">{}</p>", escaped(about));
        }
    }

    fn end_section(&mut self) {
        self.text.push_str("</section>\n");
    }

    fn begin_plots(&mut self) {
        self.text.push_str("<div class=\"plots\">\n");
    }

    fn end_plots(&mut self) {
        self.text.push_str("</div>\n");
    }

    /// A plot with a title, the names of its colours, and what it shows.
    fn plot(&mut self, title: &str, names: &[String], svg: &str, shows: &str) {
        let _ = writeln!(self.text, "<figure>\n<h3>{}</h3>", escaped(title));
        if names.len() > 1 {
            self.text.push_str("<ul class=\"key\">");
            for (index, name) in names.iter().enumerate() {
                let colour = palette::series(index).var();
                let _ = write!(self.text, "<li><i style=\"background:{colour}\"></i>{}</li>", escaped(name));
            }
            self.text.push_str("</ul>\n");
        }
        let _ = writeln!(self.text, "{svg}\n<figcaption>{}</figcaption>\n</figure>", escaped(shows));
    }

    /// Numbers with their names, and how sure they are.
    fn numbers(&mut self, numbers: &[(String, String, String)]) {
        self.text.push_str("<dl class=\"numbers\">\n");
        for (name, number, sure) in numbers {
            let (name, number, sure) = (escaped(name), escaped(number), escaped(sure));
            let _ = writeln!(self.text, "<div><dt>{name}</dt><dd>{number}<small>{sure}</small></dd></div>");
        }
        self.text.push_str("</dl>\n");
    }

    /// A table; the first cell of each row names it.
    fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        let cells = |tag: &str, cells: &[String]| {
            cells.iter().fold(String::new(), |all, cell| format!("{all}<{tag}>{}</{tag}>", escaped(cell)))
        };
        let head: Vec<String> = head.iter().map(|cell| (*cell).to_string()).collect();
        let _ = writeln!(
            self.text,
            "<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>",
            cells("th", &head)
        );
        for row in rows {
            let _ = writeln!(self.text, "<tr>{}</tr>", cells("td", row));
        }
        self.text.push_str("</tbody></table></div>\n");
    }

    /// Something that is folded away.
    fn begin_details(&mut self, summary: &str) {
        let _ = writeln!(self.text, "<details><summary>{}</summary>", escaped(summary));
    }

    fn end_details(&mut self) {
        self.text.push_str("</details>\n");
    }

    /// A remark with the calls that show it.
    fn remark(&mut self, name: &str, text: &str, calls: &[String]) {
        let _ = writeln!(
            self.text,
            "<div class=\"remark\"><h3 class=\"odd\">{}</h3><p>{}</p>",
            escaped(name),
            escaped(text)
        );
        if !calls.is_empty() {
            self.begin_details("Games to look at");
            self.calls(calls);
            self.end_details();
        }
        self.text.push_str("</div>\n");
    }

    /// Command lines, to be copied.
    fn calls(&mut self, calls: &[String]) {
        for call in calls {
            let _ = writeln!(self.text, "<pre tabindex=\"0\"><code>{}</code></pre>", escaped(call));
        }
    }

    fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.text, "<p>{}</p>", escaped(text));
    }
}

/// A share for people.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// An interval for people.
fn between((low, high): (f64, f64), told: impl Fn(f64) -> String) -> String {
    match low.is_finite() && high.is_finite() {
        true => format!("{} to {}", told(low), told(high)),
        false => "not known yet".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_pack_cannot_leave_their_place() {
        let mut page = Page::new("<script>alert(1)</script>", "\"quoted\" & 'so'");
        page.section("</section><img src=x onerror=alert(1)>", "a\u{1b}[31mb");
        page.remark("&lt;", "</p><b>", &["rulepack play '<i>'".into()]);
        page.table(&["<th>"], &[vec!["</table>".into()]]);
        page.plot("<svg>", &["<i>".into(), "b".into()], "<svg></svg>", "</figcaption>");
        let text = page.end();
        for wrong in ["<script", "<img", "<b>", "<i>", "\u{1b}", "</section><"] {
            assert!(!text.contains(wrong), "{wrong}: {text}");
        }
        assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && text.contains("&amp;lt;"));
    }
}
