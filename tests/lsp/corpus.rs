//! Safe cures on the corpus of broken packs: each takes the finding away, and brings no other error.

use rulepack::{Diagnostic, Library, LinkRequest};
use rulepack_tools::{cure, requests};

use crate::support::{Scratch, files, fixture};

/// Every error and warning of linking the ways to play a pack.
fn linked(library: &Library, pack: &str) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let ways: Vec<LinkRequest> = requests(library, pack, &mut out);
    for way in ways.iter().take(2) {
        for found in library.attempt(way).diagnostics {
            if !out.contains(&found) {
                out.push(found);
            }
        }
    }
    out
}

/// Broken packs in which another mistake shows once the first is cured: types that lack the attribute, a text that names what the
/// mode now removes, a function that the right script does not have.
const REVEALS: [&str; 3] = ["attribute_of_unknown_type", "mode_removes_unknown", "twenty_mistakes"];

#[test]
fn safe_cures_leave_nothing_behind() {
    let cases: toml::Table =
        toml::from_str(&std::fs::read_to_string(fixture("bad.toml")).expect("it is there")).expect("it is TOML");
    let (mut cured, mut wrong) = (0, Vec::new());
    for name in cases.keys() {
        let folder = fixture("bad").join(name);
        let Ok(library) = Library::open(&[&folder]) else { continue };
        library.hold();
        let Some(pack) = library.list().first().map(|info| info.id.clone()) else { continue };
        let found = linked(&library, &pack);
        let errors = found.iter().filter(|found| found.is_error()).count();
        let edits: Vec<_> = found.iter().filter_map(|found| Some((found, cure(found, &library.sources())?))).collect();
        for (found, edit) in edits {
            let (path, text) = {
                let sources = library.sources();
                let source = sources.get(edit.at.file).expect("it was read");
                let mut text = source.text.clone();
                text.replace_range(edit.at.start as usize..edit.at.end as usize, &edit.text);
                (source.path.clone(), text)
            };
            let copy = Scratch::new("cured");
            for (file, bytes) in files(&folder) {
                copy.write(&file.strip_prefix(&folder).expect("it lies below").to_string_lossy(), &bytes);
            }
            copy.write(&path, text.as_bytes());
            let library = Library::open(&[copy.path()]).expect("it is there");
            library.hold();
            let left = linked(&library, &pack);
            let stays = left.iter().any(|left| {
                left.code == found.code
                    && left.message == found.message
                    && left.labels.first().map(|label| label.span.start)
                        == found.labels.first().map(|label| label.span.start)
            });
            let more = left.iter().filter(|found| found.is_error()).count();
            cured += 1;
            let reveals = REVEALS.contains(&name.as_str());
            if stays || more >= errors.max(1) && !reveals {
                let told: Vec<&str> = left.iter().map(|left| left.message.as_str()).collect();
                wrong.push(format!(
                    "{name}: {} (help {:?}) → `{}` leaves {told:?}",
                    found.message, found.help, edit.text
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {cured}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cured > 60, "only {cured} cures");
}
