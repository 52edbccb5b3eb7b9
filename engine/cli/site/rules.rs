//! The page of the rules: each with the scenarios that show it, and the definitions that these scenarios name.

use std::fmt::Write as _;

use super::Found;
use super::parts::{link, mark};
use crate::described::Describer;
use crate::page::escaped;

/// The most definitions that are listed for a scenario.
const MOST_NAMED: usize = 24;

/// The page.
pub fn page(describer: &Describer<'_>, found: &mut Vec<Found>) -> String {
    let catalogue = describer.catalogue();
    let definitions = &catalogue.definitions;
    let kinds = definitions.of("kind").map(|(kind, _)| kind);
    // What a rule is about: pieces, actions, events, resources and values, but not the zones that every scenario lays out.
    let wanted: Vec<(String, String)> = kinds
        .map(|kind| (kind, "cards.html"))
        .chain(["action", "event", "resource", "value"].map(|kind| (kind, "reference.html")))
        .flat_map(|(kind, page)| definitions.of(kind).map(move |(id, _)| (format!("{kind}.{id}"), page.to_string())))
        .collect();
    let mut text = String::from("<h1>Rules</h1>\n");
    if catalogue.rules.is_empty() {
        text.push_str("<p>The pack lists no rules.</p>\n");
    }
    for (id, rule) in &catalogue.rules {
        let path = format!("rule.{id}");
        let _ = write!(
            text,
            "<article class=\"entry\" id=\"{}\">\n<h3><code>{}</code></h3>\n<p>{}</p>\n",
            mark(&path),
            escaped(id),
            escaped(&rule.text)
        );
        if let Some(why) = &rule.not_shown {
            let _ = writeln!(text, "<p class=\"faint\">No scenario can show it: {}</p>", escaped(why));
        }
        let showing: Vec<_> = describer.scenarios.iter().filter(|scenario| scenario.covers.contains(id)).collect();
        if showing.is_empty() && rule.not_shown.is_none() {
            text.push_str("<p class=\"odd\">No scenario of this pack, or of those that it needs, shows it.</p>\n");
        }
        for scenario in &showing {
            let _ = write!(
                text,
                "<div class=\"scenario\"><p>{} <span class=\"source\">{}</span></p>",
                escaped(&scenario.about),
                escaped(&scenario.path)
            );
            let named: Vec<&(String, String)> = wanted
                .iter()
                .filter(|(path, _)| path.split_once('.').is_some_and(|(_, id)| scenario.names(id)))
                .take(MOST_NAMED)
                .collect();
            if !named.is_empty() {
                text.push_str("<ul class=\"names\">");
                for (path, page) in named {
                    let _ = write!(text, "<li>{}</li>", link(page, path, path));
                }
                text.push_str("</ul>");
            }
            text.push_str("</div>\n");
        }
        text.push_str("</article>\n");
        found.push(Found {
            what: "rule".to_string(),
            id: id.clone(),
            title: String::new(),
            text: rule.text.clone(),
            place: format!("rules.html#{}", mark(&path)),
        });
    }
    text
}
