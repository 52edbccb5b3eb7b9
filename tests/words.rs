//! The engine has no word of any game: the ids and names of the packs are searched for under `engine/`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Ordinary words that packs use as ids and an engine cannot do without, or that the example of its tests is made of (a
/// harbor with ships, a shop, a mill and goods); reviewed one by one.
const ORDINARY: [&str; 272] = [
    "above",
    "accepted",
    "accord",
    "action",
    "activate",
    "again",
    "allowed",
    "another",
    "area",
    "aside",
    "attack",
    "avant",
    "base",
    "basic",
    "bauen",
    "beenden",
    "before",
    "begins",
    "below",
    "beside",
    "beyond",
    "black",
    "blue",
    "board",
    "boards",
    "border",
    "bottom",
    "bought",
    "bridge",
    "broken",
    "build",
    "builder",
    "built",
    "cache",
    "card",
    "cards",
    "cartes",
    "case",
    "catch",
    "chercher",
    "choix",
    "choose",
    "clean",
    "clock",
    "collected",
    "colon",
    "colonne",
    "column",
    "come",
    "common",
    "conflict",
    "counter",
    "counting",
    "course",
    "cover",
    "dans",
    "deal",
    "decide",
    "deck",
    "dessus",
    "dice",
    "dieser",
    "disc",
    "discard",
    "does",
    "done",
    "draw",
    "drawn",
    "début",
    "each",
    "edge",
    "edition",
    "effect",
    "eight",
    "empty",
    "end_turn",
    "ende",
    "enough",
    "environment",
    "event",
    "events",
    "exchange",
    "expansion",
    "face",
    "faire",
    "field",
    "fields",
    "fill",
    "final",
    "fire",
    "first",
    "first_place",
    "five",
    "flipped",
    "focus",
    "force",
    "four",
    "french",
    "from",
    "fuel",
    "further",
    "game",
    "garder",
    "german",
    "give_up",
    "given",
    "good",
    "goods",
    "green",
    "ground",
    "hand",
    "harbor",
    "held",
    "helper",
    "hide",
    "hides",
    "icons",
    "inner",
    "instant",
    "jouer",
    "jump",
    "jumps",
    "just",
    "karten",
    "keep",
    "keeper",
    "kept",
    "kind",
    "large",
    "lay_out",
    "layouts",
    "left",
    "library",
    "light",
    "links",
    "lost",
    "lower",
    "main",
    "mais",
    "manche",
    "marker",
    "maximum",
    "middle",
    "might",
    "mill",
    "mine",
    "more",
    "most",
    "move",
    "named",
    "night",
    "nine",
    "nouvel",
    "nouvelle",
    "offer",
    "open",
    "opponent",
    "order",
    "outer",
    "output",
    "owner",
    "pass",
    "path",
    "people",
    "phase",
    "pile",
    "piles",
    "place",
    "play",
    "playable",
    "played",
    "plus",
    "points",
    "port",
    "position",
    "post",
    "pour",
    "power",
    "printed",
    "prints",
    "progress",
    "raft",
    "rank",
    "rare",
    "receive",
    "refill",
    "refused",
    "region",
    "remove",
    "resource",
    "resources",
    "rest",
    "right",
    "roll",
    "round",
    "route",
    "runde",
    "réserve",
    "sans",
    "scroll",
    "search",
    "sent",
    "series",
    "sets",
    "setup",
    "seven",
    "shelf",
    "shell",
    "ship",
    "ships",
    "shop",
    "short",
    "sleep",
    "slip",
    "slot",
    "small",
    "space",
    "special",
    "spielen",
    "stack",
    "stacks",
    "star",
    "start",
    "step",
    "steps",
    "stock",
    "storage",
    "stored",
    "strength",
    "strong",
    "suit",
    "supply",
    "surplus",
    "system",
    "take",
    "taken",
    "that",
    "theme",
    "three",
    "token",
    "tokens",
    "tour",
    "tower",
    "track",
    "trade",
    "turn",
    "turns",
    "unit",
    "unlimited",
    "upper",
    "use_effect",
    "used",
    "value",
    "victoire",
    "victory",
    "visible",
    "vorrat",
    "wanted",
    "watch",
    "watcher",
    "ways",
    "weight",
    "what",
    "which",
    "with",
    "work",
    "worker",
    "yellow",
    "yields",
    "your",
    "zone",
    "zones",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Definitions whose titles are sentences about a card, not names of things.
const SENTENCES: [&str; 3] = ["prompt", "mode", "symbol"];

/// Every id of the packs, and every word of the names of things, in small letters.
fn words_of_packs(root: &Path) -> BTreeSet<String> {
    let mut paths = Vec::new();
    files(&root.join("content"), &mut paths);
    let mut words = BTreeSet::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "toml")) {
        let in_scenarios = path.components().any(|part| part.as_os_str() == "scenarios");
        let in_rules = path.components().any(|part| part.as_os_str() == "rules");
        if in_scenarios || in_rules {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("a pack file can be read");
        let mut is_name = true;
        for line in text.lines().map(str::trim) {
            if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                let mut parts = header.split('.');
                let kind = parts.next().unwrap_or("");
                is_name = !SENTENCES.contains(&kind);
                if kind != "pack" {
                    words.extend(parts.next().map(str::to_lowercase));
                }
            }
            let title = line.strip_prefix("title").filter(|_| is_name);
            let title = title.map(|rest| rest.trim_start().trim_start_matches('=').trim());
            for word in title.unwrap_or("").split(|letter: char| !letter.is_alphabetic()) {
                words.insert(word.to_lowercase());
            }
        }
    }
    words.extend(["catan", "settlement", "skara", "brae"].map(String::from));
    words.retain(|word| word.chars().count() > 3 && !ORDINARY.contains(&word.as_str()));
    words
}

fn engine_words(text: &str) -> BTreeSet<String> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').map(str::to_lowercase).collect()
}

fn found_in(root: &Path, words: &BTreeSet<String>) -> Vec<String> {
    let mut paths = Vec::new();
    files(&root.join("engine"), &mut paths);
    // The licence of a font is worded by others.
    paths.retain(|path| path.file_name().is_none_or(|name| name != "OFL.txt"));
    let mut found = Vec::new();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for word in engine_words(&text).intersection(words) {
            found.push(format!("{}: {word}", path.strip_prefix(root).unwrap_or(&path).display()));
        }
    }
    found
}

#[test]
fn no_word_of_a_game_stands_in_the_engine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words = words_of_packs(root);
    assert!(words.contains("villager") && words.len() > 200, "the words of the packs were not read");
    let found = found_in(root, &words);
    assert!(found.is_empty(), "words of a game in the engine:\n{}", found.join("\n"));
}
