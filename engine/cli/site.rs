//! The pages of the reference of a pack: an index, the cards, all other definitions, the rules. One style sheet, one script for
//! the search, and one list of all that can be found.

mod cards;
mod parts;
mod reference;
mod rules;

use std::fmt::Write as _;

use rulepack_model::Sources;
use rulepack_pack::Manifest;
use rulepack_tools::REFERENCE_HEADS;

use crate::described::Describer;
use crate::overview::overview;
use crate::page::{colours, escaped};

/// A file of the reference.
pub struct SiteFile {
    /// Its name.
    pub name: &'static str,
    /// What is in it.
    pub text: String,
}

/// What the reference is about.
pub struct About<'a> {
    /// The manifest of the pack.
    pub manifest: Option<Manifest>,
    /// The packs in use.
    pub packs: Vec<String>,
    /// The modes that were asked for.
    pub modes: &'a [String],
    /// The number of players.
    pub players: u8,
}

/// Something that the search finds.
struct Found {
    what: String,
    id: String,
    title: String,
    text: String,
    place: String,
}

/// The first lines of pages, and those of the style sheet and the scripts.
const PAGE_HEAD: &str = REFERENCE_HEADS[0];
const ASSET_HEAD: &str = REFERENCE_HEADS[1];

/// The pages with their titles.
const PAGES: [(&str, &str); 4] =
    [("index.html", "Overview"), ("cards.html", "Cards"), ("reference.html", "Definitions"), ("rules.html", "Rules")];

/// The reference of a pack.
pub fn site(describer: &Describer<'_>, about: &About<'_>, pack: &str, sources: &Sources) -> Vec<SiteFile> {
    let title = about.manifest.as_ref().map_or(pack, |manifest| manifest.title.as_str());
    let sections = overview(describer.catalogue(), sources);
    let mut found = Vec::new();
    let cards = cards::page(describer, &mut found);
    let reference = reference::page(describer, &sections, &mut found);
    let rules = rules::page(describer, &mut found);
    let index = index(about, pack, &sections, &found);
    let page = |name: &'static str, inner: String| SiteFile { name, text: framed(title, name, &inner) };
    vec![
        page("index.html", index),
        page("cards.html", cards),
        page("reference.html", reference),
        page("rules.html", rules),
        SiteFile { name: "style.css", text: format!("{ASSET_HEAD}\n{}{}", colours(), include_str!("site/style.css")) },
        SiteFile { name: "search.js", text: format!("{ASSET_HEAD}\n{}", include_str!("site/search.js")) },
        SiteFile { name: "entries.js", text: entries(&found) },
    ]
}

/// A page with the bar that all pages have.
fn framed(title: &str, name: &str, inner: &str) -> String {
    let title = escaped(title);
    let links = PAGES.iter().fold(String::new(), |mut all, (page, words)| {
        let here = if *page == name { " aria-current=\"page\"" } else { "" };
        let _ = write!(all, "<a href=\"{page}\"{here}>{words}</a>");
        all
    });
    format!(
        "{PAGE_HEAD}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n\
         <script src=\"entries.js\" defer></script>\n<script src=\"search.js\" defer></script>\n</head>\n<body>\n\
         <header class=\"bar\"><a class=\"name\" href=\"index.html\">{title}</a><nav>{links}</nav>\
         <div class=\"search\" role=\"search\"><input id=\"search\" type=\"search\" placeholder=\"Search (press /)\" \
         aria-label=\"Search\" autocomplete=\"off\"><ol id=\"found\" hidden></ol></div></header>\n<main>\n{inner}</main>\n\
         </body>\n</html>\n"
    )
}

/// All that can be found, as a script, because pages that lie in a folder cannot read other files.
fn entries(found: &[Found]) -> String {
    let all: Vec<[&str; 5]> = found
        .iter()
        .map(|entry| [&entry.what, &entry.id, &entry.title, &entry.text, &entry.place].map(String::as_str))
        .collect();
    // Texts and numbers alone can always be written.
    let json = serde_json::to_string(&all).unwrap_or_else(|_| "[]".to_string());
    format!("{ASSET_HEAD}\nwindow.ENTRIES = {};\n", rulepack_model::visible::json(&json))
}

/// The first page: what the pack is, and how much of what there is.
fn index(about: &About<'_>, pack: &str, sections: &[crate::overview::Section], found: &[Found]) -> String {
    let mut text = String::new();
    if let Some(manifest) = &about.manifest {
        let _ = write!(
            text,
            "<h1>{}</h1>\n<p>{}</p>\n",
            escaped(&manifest.title),
            escaped(manifest.text.as_deref().unwrap_or_default())
        );
        let _ = write!(text, "<dl class=\"facts\"><div><dt>pack</dt><dd>{}</dd></div>", escaped(pack));
        let mut fact = |name: &str, value: String| {
            let _ = write!(text, "<div><dt>{name}</dt><dd>{}</dd></div>", escaped(&value));
        };
        fact("version", manifest.version.to_string());
        fact("shown for", format!("{} players", about.players));
        if !about.modes.is_empty() {
            fact("modes", about.modes.join(", "));
        }
        let others: Vec<&str> = about.packs.iter().map(String::as_str).filter(|other| *other != pack).collect();
        if !others.is_empty() {
            fact("builds on", others.join(", "));
        }
        let mut languages = vec![manifest.language.clone()];
        languages.extend(manifest.locales.iter().map(|locale| locale.text.clone()));
        fact("languages", languages.join(", "));
        text.push_str("</dl>\n");
    }
    let cards = found.iter().filter(|entry| entry.place.starts_with("cards.html")).count();
    text.push_str("<ul class=\"counts\">\n");
    let mut count_of = |place: &str, count: usize, words: &str| {
        let _ = writeln!(text, "<li><a href=\"{place}\"><b>{count}</b> {}</a></li>", escaped(words));
    };
    count_of("cards.html", cards, "cards and other pieces");
    for section in sections.iter().filter(|section| section.of != "rule") {
        count_of(&format!("reference.html#of-{}", section.of), section.entries.len(), section.title);
    }
    let rules = sections.iter().find(|section| section.of == "rule").map_or(0, |section| section.entries.len());
    count_of("rules.html", rules, "rules, with the scenarios that show them");
    text.push_str("</ul>\n");
    text
}
