//! `rulepack docs`: pages that need nothing from outside, and show what the pack says.

use std::path::Path;

use crate::support::{Scratch, files, fixture, rulepack};

const PAGES: [&str; 4] = ["index.html", "cards.html", "reference.html", "rules.html"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Writes the reference of a shipped pack.
#[track_caller]
fn site(folder: &Scratch, library: &Path, pack: &str, more: &[&str]) {
    let library = library.to_string_lossy();
    let call = [&["--library", &library, "docs", pack, "--out", "site"][..], more].concat();
    let run = rulepack(folder.path(), &call);
    assert_eq!(run.code, 0, "{}", run.shown());
}

#[test]
fn every_card_rule_and_definition_has_its_place() {
    let folder = Scratch::new("site");
    site(&folder, root(), "night-garden-pond", &[]);
    let cards = folder.read("site/cards.html");
    for card in ["helper.snail", "helper.frog", "flower.lotus"] {
        assert!(cards.contains(&format!("<article id=\"{card}\">")), "{card}");
    }
    // Text, effect in words, the place of a field, the value that a patch has replaced, another language.
    for text in [
        "2 dew, and 1 more if there is a flower in the bed.",
        "Gain 2 Dew. If there is one in Bed where it is flower, gain 1 Dew.",
        "content/night-garden-pond/pack.toml:",
        "&quot;It only lies there.&quot;",
        "Wirf ihn in den Teich.",
    ] {
        assert!(cards.contains(text), "{text}");
    }
    let reference = folder.read("site/reference.html");
    for definition in ["kind.helper", "zone.pond", "event.planted", "value.hand_size", "action.buy", "phase.turn"] {
        assert!(reference.contains(&format!("id=\"{definition}\"")), "{definition}");
    }
    assert!(reference.contains("heard by reed, rose") || reference.contains("heard by rose, reed"), "who listens");
    let rules = folder.read("site/rules.html");
    // A rule leads to the scenario that shows it, and on to the card that it names.
    let rule =
        rules.split("id=\"rule.NGP-02\"").nth(1).and_then(|rest| rest.split("</article>").next()).expect("it is there");
    assert!(rule.contains("scenarios/pond.toml") && rule.contains("cards.html#helper.pebble"), "{rule}");
}

/// Every link leads to a place that is there, also those of the search.
#[test]
fn every_link_leads_somewhere() {
    let folder = Scratch::new("site-links");
    for (library, pack) in
        [(root().to_path_buf(), "catan-duel-gold"), (fixture("cards"), "parade"), (fixture("tiny"), "tiny")]
    {
        site(&folder, &library, pack, &[]);
        let texts: Vec<(&str, String)> = PAGES.map(|page| (page, folder.read(&format!("site/{page}")))).into();
        let has = |page: &str, mark: &str| {
            let text = texts.iter().find(|(name, _)| *name == page).map(|(_, text)| text);
            text.is_some_and(|text| mark.is_empty() || text.contains(&format!("id=\"{mark}\"")))
        };
        let mut links = 0;
        for (page, text) in &texts {
            for link in text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let (target, mark) = link.split_once('#').unwrap_or((link, ""));
                let target = if target.is_empty() { page } else { target };
                assert!(target == "style.css" || has(target, mark), "{pack}, {page}: {link}");
                links += 1;
            }
        }
        assert!(links > 40, "{pack}: {links}");
        let entries = folder.read("site/entries.js");
        let json =
            entries.split_once("ENTRIES = ").and_then(|(_, rest)| rest.trim().strip_suffix(';')).expect("a list");
        let entries: Vec<[String; 5]> = serde_json::from_str(json).expect("it is JSON");
        assert!(entries.len() > 15, "{pack}: {}", entries.len());
        for [what, id, _, _, place] in &entries {
            let (page, mark) = place.split_once('#').expect("a page and a mark");
            assert!(has(page, mark), "{pack}: {what} {id} leads to {place}");
        }
    }
}

/// Nothing is loaded from outside, and no text of a pack can leave its place.
#[test]
fn pages_stand_alone_and_quote_everything() {
    let folder = Scratch::copy_of("tiny", "site-quotes");
    let pack = folder.read("content/tiny/pack.toml");
    let evil = "<script>alert(1)</script>\\\" onload=\\\"x";
    let changed = pack
        .replace("Put stalls on your quay and fill them.", evil)
        .replace("title  = \"rope\"", &format!("title = \"{evil}\""));
    assert_ne!(pack, changed);
    folder.write("content/tiny/pack.toml", changed.as_bytes());
    let run = rulepack(folder.path(), &["docs", "tiny", "--out", "site"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for (path, bytes) in files(&folder.path().join("site")) {
        let text = String::from_utf8(bytes).expect("it is text");
        assert!(!text.contains("://"), "{}", path.display());
        if path.extension().is_some_and(|end| end == "html") {
            assert!(!text.contains("<script>alert") && !text.contains("\" onload"), "{}", path.display());
            assert!(!text.contains("</script>alert"));
        }
    }
    assert!(folder.read("site/index.html").contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn a_simulation_says_how_often_cards_are_taken() {
    let folder = Scratch::new("site-statistics");
    let library = root().to_string_lossy();
    let sim = ["--library", &library, "sim", "night-garden", "--games", "4", "--statistics", "--format", "json"];
    folder.write("games.json", rulepack(folder.path(), &sim).stdout.as_bytes());
    site(&folder, root(), "night-garden", &["--statistics", "games.json"]);
    assert!(folder.read("site/cards.html").contains("`play`: taken at "));
    let call = ["--library", &library, "explain", "night-garden", "dewdrop", "--statistics", "games.json"];
    let told = rulepack(folder.path(), &call);
    assert!(
        told.stdout.contains("in the simulation:\n") && told.stdout.contains("`play`: taken at "),
        "{}",
        told.shown()
    );
    // What is no such report, and one about another pack, is refused.
    for (pack, file, why) in
        [("hex", "games.json", "is about the pack `night-garden`"), ("hex", "no.json", "is no report")]
    {
        folder.write("no.json", b"{");
        let run = rulepack(folder.path(), &["--library", &library, "docs", pack, "--statistics", file]);
        assert_eq!(run.code, 2, "{}", run.shown());
        assert!(run.stderr.contains(why), "{}", run.shown());
    }
}

/// Files of somebody else stay, and nothing is written beside them.
#[test]
fn nothing_of_somebody_else_is_overwritten() {
    let folder = Scratch::new("site-foreign");
    let tiny = fixture("tiny");
    folder.write("site/rules.html", b"<p>mine");
    let call = ["--library", &tiny.to_string_lossy(), "docs", "tiny", "--out", "site"];
    let run = rulepack(folder.path(), &call);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("`--force` overwrites it"), "{}", run.shown());
    assert_eq!(files(&folder.path().join("site")).len(), 1);
    site(&folder, &tiny, "tiny", &["--force"]);
    // Its own files it writes again.
    site(&folder, &tiny, "tiny", &[]);
}
