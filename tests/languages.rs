//! What the program itself says while a game is played, in every language that it speaks. The game of the fixture `signs` has
//! no words: whatever stands in a transcript is the program's own.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::{Run, Scratch, at_terminal, fixture, rulepack, rulepack_told, snapshot};

/// How people say things in a language.
struct Speech {
    code: &'static str,
    undo: &'static str,
    table: &'static str,
    why: &'static str,
    save: &'static str,
    quit: &'static str,
    help: &'static str,
    yes: &'static str,
    /// The last option of a question with yes and no, before an answer is waited for.
    no: &'static str,
    delete: &'static str,
}

const ENGLISH: Speech = Speech {
    code: "en",
    undo: "undo",
    table: "table",
    why: "why",
    save: "save",
    quit: "quit",
    help: "help",
    yes: "yes",
    no: "No\r\n> ",
    delete: "delete",
};

const FRENCH: Speech = Speech {
    code: "fr",
    undo: "annuler",
    table: "table",
    why: "pourquoi",
    save: "sauver",
    quit: "quitter",
    help: "aide",
    yes: "oui",
    no: "Non\r\n> ",
    delete: "supprimer",
};

const GERMAN: Speech = Speech {
    code: "de",
    undo: "zurück",
    table: "tisch",
    why: "warum",
    save: "speichern",
    quit: "beenden",
    help: "hilfe",
    yes: "ja",
    no: "Nein\r\n> ",
    delete: "löschen",
};

/// Words that are the same in English and French or German: names, and words that both languages have.
const SHARED: [&str; 12] =
    ["rulepack", "play", "signs", "table", "exact", "total", "option", "action", "on", "was", "an", "es"];

/// After the options of a turn an answer is waited for.
const TURN: (&str, &str) = ("wait", "⑦\r\n> ");
/// The same where goods are asked for.
const GOODS: (&str, &str) = ("wait", "  2  ●\r\n> ");
/// After something that was said.
const NEXT: (&str, &str) = ("wait", "\r\n> ");
/// After a question that is not answered by a number.
const NO_BY_DEFAULT: (&str, &str) = ("wait", "/N] ");

/// A folder in which a file of somebody else lies.
fn table() -> Scratch {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let scratch = Scratch::new(&format!("speech-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    scratch.write("2", b"Dear aunt,\n");
    scratch
}

fn play(scratch: &Scratch, language: &str, arguments: &[&str], steps: &[(&str, &str)]) -> String {
    let library = fixture("signs").to_string_lossy().into_owned();
    let game = ["--library", &library, "play", "signs", "--players", "2", "--bots", "none", "--locale", language];
    at_terminal(scratch.path(), &[&game[..], arguments].concat(), steps).replace("\r\n", "\n")
}

/// All that can be said at a terminal: a game with every command that is broken off, taken up again and played to its end, then
/// another that is thrown away. `speech` is typed, `spoken` is answered.
fn transcript(speech: &Speech, spoken: &Speech, language: &str) -> String {
    let scratch = table();
    let why = |what: &str| format!("{} {what}", speech.why);
    let save = |file: &str| format!("{} {file}", speech.save);
    let (no_words, unclear, near, free, dear) = (why(""), why("77"), why("a2x"), why("a1"), why("a2"));
    let (no_file, first, second, nowhere) = (save(""), save("1"), save("2"), save("3/4"));
    let first_game = [
        TURN,
        ("say", speech.help),
        NEXT,
        ("say", "x"),
        NEXT,
        ("say", "99"),
        NEXT,
        ("say", speech.undo),
        NEXT,
        ("say", &no_words),
        NEXT,
        ("say", &unclear),
        NEXT,
        ("say", &near),
        NEXT,
        ("say", &free),
        NEXT,
        ("say", &dear),
        NEXT,
        ("say", &no_file),
        NEXT,
        ("say", &first),
        NEXT,
        ("say", &nowhere),
        NEXT,
        ("say", &second),
        NO_BY_DEFAULT,
        ("say", ""),
        NEXT,
        ("say", &second),
        NO_BY_DEFAULT,
        ("say", speech.yes),
        NEXT,
        ("say", speech.table),
        TURN,
        // A die is rolled, and taken back if all agree.
        ("say", "1"),
        TURN,
        ("say", speech.undo),
        NO_BY_DEFAULT,
        ("say", ""),
        NEXT,
        ("say", speech.undo),
        NO_BY_DEFAULT,
        ("say", speech.yes),
        TURN,
        ("say", "1"),
        TURN,
        ("say", speech.quit),
    ];
    let mut said = play(&scratch, language, &["--seed", "3"], &first_game);
    let to_the_end = [
        ("wait", "[n]"),
        ("say", ""),
        TURN,
        // Which goods to pay, and which to take.
        ("say", "2"),
        GOODS,
        ("say", "1"),
        GOODS,
        ("say", "2"),
        GOODS,
        ("say", "1"),
        GOODS,
        ("say", "2"),
        TURN,
        ("say", "3"),
        ("wait", spoken.no),
        ("say", "1"),
        ("wait", "▽\r\n> "),
        ("say", "1"),
        TURN,
        ("say", "5"),
        ("wait", "◆\r\n> "),
        ("say", "1"),
        TURN,
        ("say", "6"),
        TURN,
        ("say", "1"),
    ];
    said += &play(&scratch, language, &[], &to_the_end);
    said += &play(&scratch, language, &["--seed", "3"], &[TURN, ("say", "6"), TURN, ("say", speech.quit)]);
    said += &play(&scratch, language, &[], &[("wait", "[n]"), ("say", speech.delete), TURN, ("say", speech.quit)]);
    said
}

/// Words of two letters and more, in small letters; ids and hashes have digits.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.chars().count() > 1 && word.chars().all(char::is_alphabetic)).collect()
}

/// The words of a text that are English: those of the same text in English, but for words that both languages have.
#[track_caller]
fn has_no_english(text: &str, english: &str) {
    let shared: BTreeSet<String> = words(text).intersection(&words(english)).cloned().collect();
    let left: Vec<&String> = shared.iter().filter(|word| !SHARED.contains(&word.as_str())).collect();
    assert!(left.is_empty(), "still in English: {left:?}\n{text}");
    assert_eq!(text.lines().count(), english.lines().count(), "{text}\n{english}");
}

#[test]
fn a_game_speaks_the_language_in_which_it_is_played() {
    let english = transcript(&ENGLISH, &ENGLISH, "en");
    snapshot("languages", "play_en", &english);
    for speech in [&FRENCH, &GERMAN] {
        let said = transcript(speech, speech, speech.code);
        snapshot("languages", &format!("play_{}", speech.code), &said);
        has_no_english(&said, &english);
        let longest = said.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(80), "{longest:?} columns:\n{said}");
    }
}

#[test]
fn english_commands_are_understood_in_every_language() {
    let answers = |text: &str| text.lines().filter(|line| line.starts_with("> ")).count();
    for speech in [&FRENCH, &GERMAN] {
        let own = transcript(speech, speech, speech.code);
        let with_english_commands = transcript(&ENGLISH, speech, speech.code);
        assert_eq!(own.lines().count(), with_english_commands.lines().count(), "{with_english_commands}");
        assert_eq!(answers(&own), answers(&with_english_commands));
    }
}

#[test]
fn a_language_that_the_program_does_not_speak_is_english() {
    assert_eq!(transcript(&ENGLISH, &ENGLISH, "es"), transcript(&ENGLISH, &ENGLISH, "en"));
    // That is said by `check`.
    let run = rulepack(&fixture("signs"), &["check", "signs", "--playouts", "0"]);
    assert!(run.stdout.contains("the program has no words of its own in `es`"), "{}", run.shown());
    assert!(!run.stdout.contains("own in `fr`") && !run.stdout.contains("own in `de`"), "{}", run.shown());
}

/// What is said without a terminal, and about a game that fails.
#[test]
fn games_that_fail_or_break_off_are_told_in_the_language() {
    let told = |language: &str| -> Run {
        let game = ["play", "signs", "--players", "2", "--bots", "none", "--seed", "3", "--locale", language];
        let run = rulepack_told(&fixture("signs"), &game, "4\n\n");
        assert_eq!(run.code, 1, "{}", run.shown());
        run
    };
    for language in ["en", "fr", "de"] {
        snapshot("languages", &format!("fails_{language}"), &told(language).stderr);
    }
}

/// A replay and an export, of a log whose last line is torn.
#[test]
fn replays_speak_the_language() {
    let scratch = Scratch::copy_of("signs", "speech-replay");
    let input = "2\n1\n2\n1\n2\n3\n1\n1\n5\n1\n6\n1\n5\n1\n";
    let game = ["play", "signs", "--players", "2", "--bots", "none", "--seed", "3", "--log", "1"];
    rulepack_told(scratch.path(), &game, input);
    let log = std::fs::read_to_string(scratch.path().join("1")).expect("there is a log");
    let cut = log.trim_end().rfind('\n').expect("it has lines") + 40;
    scratch.write("2", &log.as_bytes()[..cut]);
    let told = |language: &str| {
        let calls: [&[&str]; 5] = [
            &["replay", "1"],
            &["replay", "2"],
            &["replay", "1", "--as", "2"],
            &["replay", "1", "--at", "4"],
            &["replay", "1", "--at", "1"],
        ];
        let mut all = String::new();
        for call in calls {
            let run = rulepack(scratch.path(), &[call, &["--locale", language]].concat());
            assert_eq!(run.code, 0, "{}", run.shown());
            all += &format!("{}{}", run.stdout, run.stderr);
        }
        all
    };
    let english = told("en");
    for language in ["fr", "de"] {
        has_no_english(&told(language), &english);
    }
    // The keys of an export are the same in all languages.
    let exported = |language: &str| {
        let run = rulepack(scratch.path(), &["export", "1", "--as", "2", "--locale", language]);
        let json = run.json();
        let entries = json["log"].as_array().expect("there is a log").clone();
        let lines = entries.iter().flat_map(|entry| {
            let told = entry["told"].as_array().expect("it is a list").clone();
            told.into_iter().chain([entry["question"].clone(), entry["answer"].clone()])
        });
        lines.filter_map(|line| line.as_str().map(|line| format!("{line}\n"))).collect::<String>()
    };
    let english = exported("en");
    for language in ["fr", "de"] {
        has_no_english(&exported(language), &english);
    }
}

/// In another language the title of the definition itself was shown, also in a mode that changes it.
#[test]
fn a_title_that_a_mode_changes_is_translated_with_the_mode() {
    let library = Scratch::copy_of("bad/title_of_a_mode_without_translation", "mode-title");
    let pack = library.read("content/inn/pack.toml");
    let patch = "[mode.rich.patch.action.work]\ntitle = { was = \"Work\", now = \"Trade\" }\n";
    library.write("content/inn/pack.toml", format!("{pack}\n{patch}").as_bytes());
    let locale = library.read("content/inn/locale/fr.toml");
    let titles =
        "[mode.rich.patch.action.work]\ntitle = \"Commercer\"\n[mode.rich.patch.guest.miller]\ntitle = \"Marchand\"\n";
    library.write("content/inn/locale/fr.toml", format!("{locale}\n{titles}").as_bytes());
    let check = rulepack(library.path(), &["check", "inn", "--deny", "warnings"]);
    assert_eq!(check.code, 0, "{}", check.shown());
    let rich = rulepack(library.path(), &["play", "inn", "--mode", "rich", "--locale", "fr", "--seed", "1"]);
    assert!(rich.stdout.contains("Joueur 1 : Commercer"), "{}", rich.shown());
    let plain = rulepack(library.path(), &["play", "inn", "--locale", "fr", "--seed", "1"]);
    assert!(plain.stdout.contains("Joueur 1 : Travailler"), "{}", plain.shown());
}
