//! A pack beside nothing but what it needs, as somebody has it who takes only that: no scenario of it may ask for more.

use rulepack::Library;

use crate::support::{Scratch, rulepack};

/// Copies a pack and what it needs into an empty library, and checks and tests it there.
fn stands_alone(library: &Library, pack: &str) -> Result<(), String> {
    let scratch = Scratch::new(&format!("alone-{pack}"));
    for needed in library.load_order(pack) {
        scratch.take(&format!("content/{needed}"), &format!("content/{needed}"));
        scratch.take(&format!("scripts/{needed}"), &format!("scripts/{needed}"));
    }
    scratch.take("scripts/lib", "scripts/lib");
    let calls: [&[&str]; 2] = [&["check", pack, "--playouts", "1", "--deny", "warnings"], &["test", pack]];
    for call in calls {
        let run = rulepack(scratch.path(), call);
        if run.code != 0 {
            return Err(format!("rulepack {}\n{}", call.join(" "), run.shown()));
        }
    }
    Ok(())
}

#[test]
fn every_shipped_pack_passes_its_tests_beside_nothing_but_what_it_needs() {
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the repository is a library");
    let packs: Vec<String> = library.list().into_iter().map(|info| info.id).collect();
    assert!(packs.len() >= 9, "the packs were not read: {packs:?}");
    let failed: Vec<String> = packs.iter().filter_map(|pack| stands_alone(&library, pack).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
