//! A slip of the finger gives few findings, and the first of them is where the slip is.
//!
//! A slip deletes, doubles, swaps or replaces one character or one token of a shipped pack, outside comments and what
//! only people read. What it brings is compared with what `check` finds without it. The seeds are fixed.
//!
//! `RULEPACK_SLIPS=500` makes so many slips in each pack, `RULEPACK_SLIPS_SEED=2` makes others; `RULEPACK_SLIPS_OUT=FILE`
//! writes down what each of them gave.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use rulepack::{CheckRequest, Diagnostic, Library, check};
use rulepack_kernel::Rng;

use crate::support::{Scratch, files};

/// No slip gives more findings.
const MOST: usize = 5;

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|number| number.parse().ok())
}

/// How many slips are made in each pack.
fn slips_per_pack() -> u64 {
    number("RULEPACK_SLIPS").unwrap_or(20)
}

/// A file of a pack and the tokens in it that a slip may hit.
struct Victim {
    /// As diagnostics show it.
    path: String,
    text: String,
    tokens: Vec<Range<usize>>,
}

/// One changed file.
struct Slip {
    file: usize,
    /// What stood there, and what stands there now.
    was: String,
    now: String,
    /// The place, and what is put there.
    at: Range<usize>,
    with: String,
    /// The lines that it touches.
    lines: Range<usize>,
    text: String,
}

/// What a slip gave.
enum Came {
    Silent,
    Found(usize),
    /// More than a few, or the first somewhere else.
    Bad(String),
}

/// Keys whose texts only people read.
const FOR_PEOPLE: [&str; 7] = ["title", "text", "source", "note", "shown", "about", "version"];

/// The tokens of a TOML or Lua file: words, numbers and signs, also those inside texts of the expression language.
fn tokens(text: &str, comment: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut long = false;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let key = line.split('=').next().unwrap_or("").trim();
        let last = key.rsplit('.').next().unwrap_or("");
        if comment == "#" && !long && (FOR_PEOPLE.contains(&last) || line.contains("{ title")) {
            continue;
        }
        if comment == "#" && line.matches("\"\"\"").count() % 2 == 1 {
            long = !long;
        }
        let code = &line[..line.find(comment).unwrap_or(line.len())];
        let mut letters = code.char_indices().peekable();
        while let Some((from, letter)) = letters.next() {
            if letter.is_whitespace() {
                continue;
            }
            let mut to = from + letter.len_utf8();
            if letter.is_alphanumeric() || letter == '_' {
                while let Some((next, _)) = letters.next_if(|(_, next)| next.is_alphanumeric() || *next == '_') {
                    to = next + 1;
                    while !code.is_char_boundary(to) {
                        to += 1;
                    }
                }
            }
            found.push(start + from..start + to);
        }
    }
    found
}

/// The files of a pack that people write rules in.
fn victims(pack: &str) -> Vec<Victim> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for (folder, ending, comment) in [("content", "toml", "#"), ("scripts", "lua", "--")] {
        let folder = root.join(folder).join(pack);
        if !folder.is_dir() {
            continue;
        }
        for (path, bytes) in files(&folder) {
            let shown = path.strip_prefix(root).expect("it lies below").to_string_lossy().replace('\\', "/");
            // Translations are texts, scenarios are no rules, and hidden files are not read.
            let is_rules = !["/locale/", "/scenarios/", "/."].iter().any(|part| shown.contains(part));
            if is_rules && path.extension().is_some_and(|found| found == ending) {
                let text = String::from_utf8(bytes).expect("packs are texts");
                all.push(Victim { path: shown, tokens: tokens(&text, comment), text });
            }
        }
    }
    all
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// A file with something else in one place.
fn changed(victim: &Victim, file: usize, at: Range<usize>, with: String) -> Slip {
    let now = with.as_str();
    let text = format!("{}{now}{}", &victim.text[..at.start], &victim.text[at.end..]);
    let lines = line_of(&victim.text, at.start)..line_of(&victim.text, at.end) + 1;
    let mut was = whole_words(&victim.text, at.clone()).to_string();
    // Whose kind is another one is another thing.
    let line = victim.text.lines().nth(lines.start - 1).unwrap_or("");
    if line.starts_with('[') {
        was.push_str(line);
    }
    let now = whole_words(&text, at.start..at.start + now.len()).to_string();
    Slip { file, was, now, at, with, lines, text }
}

/// What people hit instead.
const KEYS: &[u8] = b"abcdefghijklmnopqrstuvwxyz_0123456789=.,;\"'{}[]()+-<> ";

/// A slip that changes something.
fn slip(victims: &[Victim], rng: &mut Rng) -> Slip {
    loop {
        let slip = any_slip(victims, rng);
        if slip.text != victims[slip.file].text {
            return slip;
        }
    }
}

fn any_slip(victims: &[Victim], rng: &mut Rng) -> Slip {
    let all: usize = victims.iter().map(|victim| victim.tokens.len()).sum();
    let mut index = rng.below(all as u32) as usize;
    let mut file = 0;
    while index >= victims[file].tokens.len() {
        index -= victims[file].tokens.len();
        file += 1;
    }
    let victim = &victims[file];
    let token = victim.tokens[index].clone();
    let word = &victim.text[token.clone()];
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    let (from, letter) = letters[rng.below(letters.len() as u32) as usize];
    let one = token.start + from..token.start + from + letter.len_utf8();
    let next = victim.tokens.get(index + 1).cloned().unwrap_or(token.clone());
    let between = &victim.text[token.end.min(next.start)..next.start];
    let way = rng.below(8);
    let (at, now) = match way {
        0 => (one, String::new()),
        1 => (one.clone(), victim.text[one].repeat(2)),
        2 => {
            let after = victim.text[one.end..].chars().next().unwrap_or(' ');
            (one.start..one.end + after.len_utf8(), format!("{after}{letter}"))
        }
        3 => (one, char::from(KEYS[rng.below(KEYS.len() as u32) as usize]).to_string()),
        4 => (token.clone(), String::new()),
        5 => (token.clone(), format!("{word} {word}")),
        6 if next != token => (token.start..next.end, format!("{}{between}{word}", &victim.text[next.clone()])),
        _ => {
            let other = victim.tokens[rng.below(victim.tokens.len() as u32) as usize].clone();
            (token.clone(), victim.text[other].to_string())
        }
    };
    changed(victim, file, at, now)
}

/// The words of a text; those with hyphens also as a whole.
fn words(text: &str) -> Vec<&str> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let whole = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-');
    parts.chain(whole).filter(|word| !word.is_empty()).collect()
}

/// A range of a text, with the rest of the words at its ends.
fn whole_words(text: &str, range: Range<usize>) -> &str {
    let inside = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let start = text[..range.start].trim_end_matches(inside).len();
    let end = text.len() - text[range.end..].trim_start_matches(inside).len();
    &text[start..end]
}

/// A pack, and for one without a game also a pack that stands on it.
fn looked_at(library: &Library, pack: &str) -> Vec<String> {
    let mut packs = vec![pack.to_string()];
    if !library.has_game(pack) {
        packs.extend(library.built_on(pack).into_iter().take(1));
    }
    packs
}

/// Everything that `check` says about packs.
fn findings(library: &Library, packs: &[String]) -> Vec<Diagnostic> {
    let request = CheckRequest { playouts: 0, threads: 1, ..CheckRequest::default() };
    let all = packs.iter().flat_map(|pack| check(library, pack, &request, &mut || ()).diagnostics).collect();
    rulepack::only_causes(all, &library.sources())
}

/// Whether the first finding is at the slip, or about a word that it broke.
fn is_at(library: &Library, first: &Diagnostic, path: &str, slip: &Slip) -> bool {
    let sources = library.sources();
    let broken: Vec<&str> = words(&slip.was).into_iter().chain(words(&slip.now)).collect();
    let at_line = first.labels.iter().any(|label| {
        let (file, line, _) = sources.position(label.span);
        // Or right after it, where what it took away is missed; or at the text that begins above and has it inside.
        let begins_above = || line < slip.lines.start && sources.text(label.span).starts_with("\"\"\"");
        file == path && (slip.lines.contains(&line) || line == slip.lines.end || begins_above())
    });
    let named = |text: &str| words(text).iter().any(|word| broken.contains(word));
    // A bracket or a quote is told with its partner, in the same text.
    let is_bracket = slip.was.contains(['{', '}', '(', ')', '[', ']']) || slip.now.contains(['{', '}', '(', ')']);
    let partner = is_bracket
        && first.labels.first().is_some_and(|label| {
            let (file, line, _) = sources.position(label.span);
            let lines: Vec<&str> = slip.text.lines().collect();
            let between = &lines[line.min(slip.lines.start) - 1..line.max(slip.lines.start).min(lines.len())];
            file == path && first.code.name().ends_with("-syntax") && !between.iter().any(|line| line.starts_with('['))
        });
    at_line
        || partner
        || named(&first.message)
        || first.help.as_deref().is_some_and(named)
        || first.labels.iter().any(|label| named(sources.text(label.span)))
}

fn came_of(library: &Library, packs: &[String], path: &str, slip: &Slip) -> Came {
    let found = findings(library, packs);
    let Some(first) = found.first() else { return Came::Silent };
    let sources = library.sources();
    let shown = |found: &Diagnostic| {
        let place = found.labels.first().map(|label| sources.position(label.span));
        let place = place.map_or(String::new(), |(path, line, column)| format!("{path}:{line}:{column}"));
        format!("    {place} {} {} ({})\n", found.code, found.headline(), found.help.as_deref().unwrap_or("no help"))
    };
    if found.len() > MOST || !is_at(library, first, path, slip) {
        let why = if found.len() > MOST { "too many" } else { "elsewhere" };
        let all: String = found.iter().take(12).map(shown).collect();
        return Came::Bad(format!("{why}: {}\n{all}", found.len()));
    }
    Came::Found(found.len())
}

/// Makes slips in a pack; tells how many gave how many findings, and what went wrong.
fn slips_of(pack: &str) {
    let victims = victims(pack);
    let count = slips_per_pack();
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the library is there");
    library.hold();
    let packs = looked_at(&library, pack);
    let sound: Vec<String> = findings(&library, &packs).into_iter().map(|found| found.message).collect();
    assert_eq!(sound, [""; 0], "{pack} is sound");
    let copy = Scratch::new(&format!("slips-{pack}"));
    copy.take("content", "content");
    copy.take("scripts", "scripts");
    let of_pack: u64 = pack.bytes().map(u64::from).sum();
    let mut rng = Rng::new(of_pack + number("RULEPACK_SLIPS_SEED").unwrap_or(0));
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut bad, mut report) = (Vec::new(), String::new());
    for _ in 0..count {
        let slip = slip(&victims, &mut rng);
        let victim = &victims[slip.file];
        let told = if victim.path.ends_with("pack.toml") {
            // The manifest is read when a library is opened.
            copy.write(&victim.path, slip.text.as_bytes());
            let library = Library::open(&[copy.path()]).expect("the copy is there");
            let came = came_of(&library, &packs, &victim.path, &slip);
            copy.write(&victim.path, victim.text.as_bytes());
            came
        } else {
            library.edit(&victim.path, slip.text.clone());
            let came = came_of(&library, &packs, &victim.path, &slip);
            library.restore();
            came
        };
        let line = slip.text.lines().nth(slip.lines.start - 1).unwrap_or("");
        let place = format!("{}:{} `{}` -> `{}`: {line}", victim.path, slip.lines.start, slip.was, slip.now);
        match told {
            Came::Silent => {
                *numbers.entry(0).or_default() += 1;
                let _ = writeln!(report, "SILENT {place}");
            }
            Came::Found(found) => *numbers.entry(found).or_default() += 1,
            Came::Bad(why) => {
                *numbers.entry(usize::MAX).or_default() += 1;
                let _ = writeln!(report, "BAD {place}\n  {why}");
                bad.push(format!("{place}\n  {why}"));
            }
        }
    }
    let shown: Vec<String> = numbers
        .iter()
        .map(|(number, times)| match number {
            0 => format!("{times} silent"),
            &usize::MAX => format!("{times} bad"),
            _ => format!("{times} with {number}"),
        })
        .collect();
    let _ = writeln!(report, "HISTOGRAM {pack}: {}", shown.join(", "));
    if let Ok(path) = std::env::var("RULEPACK_SLIPS_OUT") {
        std::fs::write(format!("{path}-{pack}.txt"), report).expect("the report can be written");
    }
    assert!(bad.is_empty(), "{pack}: {}\n{}", shown.join(", "), bad.join("\n"));
}

/// Slips that gave hundreds of errors: a pack, a file, what stands there and what is written instead, and how many findings
/// there are now.
const NAMED: &[(&str, &str, &str, &str, usize)] = &[
    ("settlement", "game/board.toml", "attributes = { guild", "attributes   { guild", 1),
    ("settlement", "game/board.toml", "[kind.hero]", "[kind.heor]", 2),
    ("settlement", "game/board.toml", "[kind.terrain]", "[knid.terrain]", 2),
    ("settlement", "game/resources.toml", "[resource.wood]", "[resource.Wood]", 2),
    ("settlement", "game/actions.toml", "of = \"terrain\"", "of = \"terain\"", 1),
    ("settlement", "game/actions.toml", "slot     = { from = \"free_cells(", "slot     = { from = \"free_cels(", 1),
    ("skara-brae", "game/table.toml", "of         = \"village_card\"", "of         = \"vilage_card\"", 1),
    ("skara-brae", "game/table.toml", "[kind.tile.attributes]", "[kind.tile.atributes]", 1),
    ("catan-duel", "game/kinds.toml", "of     = \"unit\"", "of     = \"unti\"", 1),
    ("catan-duel-princes", "pack.toml", "editions = [\"princes\"]", "editions = [\"prince\"]", 1),
    // The attributes of the kind, in a table of their own, are still there.
    ("catan-ground", "game/kinds.toml", "[kind.expansion]", "[kindexpansion.]", 2),
    ("catan-ground", "game/kinds.toml", "[kind.expansion]", "[kind.]", 2),
    ("catan-ground", "game/kinds.toml", "[kind.expansion]", "[kindexpansion]", 1),
    ("catan-ground", "game/kinds.toml", "[kind.expansion]", "[card.expansion]", 2),
    ("catan-ground", "game/kinds.toml", "[kind.expansion]", "[kind.kind]", 1),
    // The kind that keeps it is told once, and not each of its types; 20 scenarios in which it lies there are right.
    ("catan-ground", "game/resources.toml", "kept  = true", "lumber  = true", 2),
    // What is on a card of the kind is right, and so are 48 scenarios in which it lies there.
    ("settlement", "game/resources.toml", "of    = [\"basic_villager\"", "of    = [\"absic_villager\"", 1),
    // `region` is a symbol, too: seven times it was asked for a part.
    ("catan-ground", "game/events.toml", "args   = { region = \"region\" }", "args   = { regiion = \"region\" }", 2),
];

#[test]
fn what_follows_from_a_mistake_is_held_back() {
    for (pack, file, was, now, most) in NAMED {
        let copy = Scratch::new(&format!("slip-in-{pack}"));
        copy.take("content", "content");
        copy.take("scripts", "scripts");
        let path = format!("content/{pack}/{file}");
        let text = std::fs::read_to_string(copy.path().join(&path)).expect("the pack is there");
        assert!(text.contains(was), "{was} stands in {path}");
        copy.write(&path, text.replacen(was, now, 1).as_bytes());
        let library = Library::open(&[copy.path()]).expect("the copy is there");
        let found: Vec<String> =
            findings(&library, &looked_at(&library, pack)).iter().map(Diagnostic::headline).collect();
        assert!((1..=*most).contains(&found.len()), "{was} -> {now}: {}\n{}", found.len(), found.join("\n"));
    }
}

/// What is held back follows from something: slips in 20 definitions give at least 20 findings.
#[test]
fn twenty_slips_in_twenty_definitions_are_all_told() {
    let victims = victims("settlement");
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the library is there");
    library.hold();
    let packs = ["settlement".to_string()];
    let mut rng = Rng::new(20);
    let mut slips: Vec<(usize, usize, Slip)> = Vec::new();
    while slips.len() < 20 {
        let slip = slip(&victims, &mut rng);
        let victim = &victims[slip.file];
        // Definitions of cards and of what they do; a manifest that is wrong hides the rest of its pack.
        let table = victim.text[..slip.at.start].rfind("\n[").unwrap_or(0);
        let is_there = slips.iter().any(|(file, known, _)| (*file, *known) == (slip.file, table));
        // A swap across lines is a slip in two definitions, or in none.
        let is_inside = !slip.was.contains('\n');
        if is_there || !is_inside || !victim.path.contains("/cards/") && !victim.path.contains("/game/") {
            continue;
        }
        library.edit(&victim.path, slip.text.clone());
        let found = findings(&library, &packs);
        library.restore();
        if found.iter().any(Diagnostic::is_error) {
            slips.push((slip.file, table, slip));
        }
    }
    let copy = Scratch::new("twenty-slips");
    copy.take("content", "content");
    copy.take("scripts", "scripts");
    for (index, victim) in victims.iter().enumerate() {
        let mut here: Vec<&Slip> = slips.iter().filter(|(file, ..)| *file == index).map(|(.., slip)| slip).collect();
        here.sort_by_key(|slip| slip.at.start);
        let mut text = victim.text.clone();
        for slip in here.into_iter().rev() {
            text.replace_range(slip.at.clone(), &slip.with);
        }
        copy.write(&victim.path, text.as_bytes());
    }
    let library = Library::open(&[copy.path()]).expect("the copy is there");
    let found: Vec<String> = findings(&library, &packs).iter().map(Diagnostic::headline).collect();
    let made: Vec<String> = slips.iter().map(|(_, _, slip)| format!("`{}` -> `{}`", slip.was, slip.now)).collect();
    assert!(found.len() >= 20, "{}\n{}\n\n{}", found.len(), found.join("\n"), made.join("\n"));
}

#[test]
fn a_slip_in_settlement_has_one_message() {
    slips_of("settlement");
}

#[test]
fn a_slip_in_skara_brae_has_one_message() {
    slips_of("skara-brae");
}

#[test]
fn a_slip_in_catan_ground_has_one_message() {
    slips_of("catan-ground");
}

#[test]
fn a_slip_in_catan_duel_has_one_message() {
    slips_of("catan-duel");
}

#[test]
fn a_slip_in_catan_duel_gold_has_one_message() {
    slips_of("catan-duel-gold");
}

#[test]
fn a_slip_in_catan_duel_war_has_one_message() {
    slips_of("catan-duel-war");
}

#[test]
fn a_slip_in_catan_duel_progress_has_one_message() {
    slips_of("catan-duel-progress");
}

#[test]
fn a_slip_in_catan_duel_princes_has_one_message() {
    slips_of("catan-duel-princes");
}

#[test]
fn a_slip_in_colons_de_catane_has_one_message() {
    slips_of("colons-de-catane");
}
