//! What packs have in common stands in a pack that they need: no block of lines stands in two of them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::files;

/// As many equal lines after one another are no accident.
const BLOCK: usize = 6;

/// Every block of lines that stands in two packs, blank lines left out, each with both places.
fn repeated(texts: &[(String, String, String)]) -> Vec<String> {
    let mut first: BTreeMap<Vec<&str>, (&str, String)> = BTreeMap::new();
    let mut found = Vec::new();
    for (pack, path, text) in texts {
        let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.is_empty()).collect();
        for block in lines.windows(BLOCK) {
            let place = format!("{path}:{}", block[0].0);
            let words: Vec<&str> = block.iter().map(|(_, line)| *line).collect();
            match first.get(&words) {
                Some((other, at)) if other != pack => found.push(format!("{at} and {place}: {}", words[0])),
                Some(_) => {}
                None => drop(first.insert(words, (pack, place))),
            }
        }
    }
    found
}

/// The texts of all packs: pack, path, text.
fn texts() -> Vec<(String, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for folder in ["content", "scripts"] {
        for (path, bytes) in files(&root.join(folder)) {
            let below = path.strip_prefix(root).expect("it lies below").to_string_lossy().into_owned();
            let pack = below.split('/').nth(1).expect("it lies in a pack").to_string();
            texts.push((pack, below, String::from_utf8(bytes).expect("packs are texts")));
        }
    }
    texts
}

#[test]
fn no_definition_and_no_script_stands_in_two_packs() {
    let mut texts = texts();
    texts.retain(|(_, path, _)| !path.contains("/scenarios/"));
    assert!(texts.len() > 50, "the packs were not read");
    let found = repeated(&texts);
    assert!(found.is_empty(), "{}", found.join("\n"));
    // It would be found: half a file, laid into another pack.
    let (_, path, text) = texts.iter().max_by_key(|(_, _, text)| text.len()).expect("there are texts").clone();
    texts.push(("another".into(), path, text[text.len() / 2..].to_string()));
    assert!(!repeated(&texts).is_empty(), "a copied block is not noticed");
}

/// Two card games of one family, told apart down to their tests.
#[test]
fn two_games_that_share_a_library_do_not_share_scenarios() {
    let mut texts = texts();
    texts.retain(|(pack, ..)| pack == "colons-de-catane" || pack == "catan-duel");
    let found = repeated(&texts);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
