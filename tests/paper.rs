//! Cards on paper: every card of every shipped pack fits in every language, and the files are what they say.

use crate::support::{Scratch, fixture, rulepack};

#[test]
fn every_card_of_every_pack_fits_in_every_language() {
    let shipped = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Scratch::new("cards-fit");
    let library = rulepack::Library::open(&[shipped]).expect("the packs are there");
    let mut drawn = 0;
    for info in library.list().into_iter().filter(|info| info.kind == "game" || info.kind == "expansion") {
        for language in &info.languages {
            let pdf = scratch.path().join(format!("{}-{language}.pdf", info.id));
            let pdf = pdf.to_string_lossy();
            let run = rulepack(shipped, &["cards", &info.id, "--locale", language, "--once", "--pdf", &pdf]);
            assert_eq!(run.code, 0, "{} in {language}: {}", info.id, run.shown());
            drawn += usize::from(!run.stderr.contains(" 0 types"));
        }
    }
    assert!(drawn > 15, "only {drawn} packs and languages have cards");
}

#[test]
fn a_text_that_does_not_fit_is_reported() {
    let scratch = Scratch::copy_of("tiny", "cards-unfit");
    let pack = scratch.read("content/tiny/pack.toml");
    let long = "The road is long. ".repeat(200);
    let more = format!("\n[kind.letter]\nstarts_in = \"bag\"\n[letter.long_one]\ntext = \"{long}\"\n");
    scratch.write("content/tiny/pack.toml", format!("{pack}{more}").as_bytes());
    let run = rulepack(scratch.path(), &["cards", "tiny", "--kind", "letter", "--svg", "out"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stderr.contains("`letter/long_one`: the text does not fit"), "{}", run.shown());
    // The picture is there, so that one sees how much too long it is.
    let picture = scratch.read("out/letter/long_one.svg");
    assert!(roxmltree::Document::parse(&picture).is_ok());
}

#[test]
fn pictures_and_pages_are_recognised_when_they_are_written_again() {
    let scratch = Scratch::copy_of("tiny", "cards-again");
    let list = rulepack(scratch.path(), &["cards", "tiny"]);
    assert_eq!(list.code, 0, "{}", list.shown());
    let call = ["cards", "tiny", "--kind", "stall", "--pdf", "cards.pdf", "--svg", "out"];
    for _ in 0..2 {
        let run = rulepack(scratch.path(), &call);
        assert_eq!(run.code, 0, "{}", run.shown());
    }
    scratch.write("cards.pdf", b"%PDF-1.4 of somebody else");
    let run = rulepack(scratch.path(), &call);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert_eq!(scratch.read("cards.pdf"), "%PDF-1.4 of somebody else");
}

#[test]
fn wrong_calls_are_refused() {
    for (more, what) in [
        (["--size", "huge"], "`--size huge`"),
        (["--bleed", "9"], "`--bleed 9`"),
        (["--kind", "stal"], "did you mean `stall`?"),
        (["--changed-since", "nowhere"], "`--changed-since nowhere`"),
    ] {
        let run = rulepack(&fixture("tiny"), &[&["cards", "tiny"][..], &more].concat());
        assert_eq!(run.code, 2, "{}", run.shown());
        assert!(run.stderr.contains(what), "{}", run.shown());
    }
}

/// A changed cost, a changed colour of a kind: the cards that look different, and no others.
#[test]
fn only_what_changed_is_printed() {
    let (old, new) = (Scratch::copy_of("tiny", "cards-old"), Scratch::copy_of("tiny", "cards-new"));
    let place = old.path().to_string_lossy().into_owned();
    let changed = || rulepack(new.path(), &["cards", "tiny", "--kind", "stall", "--changed-since", &place]);
    assert_eq!(changed().stdout, "", "{}", changed().shown());
    new.write("content/tiny/look.toml", b"[look.kind.stall]\ncolour = \"#102030\"\n");
    let run = changed();
    assert_eq!(run.code, 0, "{}", run.shown());
    let all = rulepack(new.path(), &["cards", "tiny", "--kind", "stall"]);
    assert!(!all.stdout.is_empty());
    assert_eq!(run.stdout, all.stdout);
}
