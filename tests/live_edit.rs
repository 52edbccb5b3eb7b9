//! A designer changes a number of a card or a line of a script, and the next game is another one: nothing is compiled.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of the shipped library that a test may change.
struct Copy(PathBuf);

impl Copy {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("rulepack-{name}-{}", std::process::id()));
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for part in ["content", "scripts"] {
            copy_all(&root.join(part), &folder.join(part));
        }
        Copy(folder)
    }

    fn replace(&self, file: &str, old: &str, new: &str) {
        let path = self.0.join(file);
        let text = std::fs::read_to_string(&path).expect("the file is there");
        assert!(text.contains(old), "{file} does not contain {old}");
        std::fs::write(path, text.replacen(old, new, 1)).expect("the copy can be written");
    }

    fn run(&self, arguments: &[&str]) -> (bool, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_rulepack"))
            .arg("--library")
            .arg(&self.0)
            .args(arguments)
            .env("NO_COLOR", "1")
            .output()
            .expect("the program runs");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn digest(&self) -> String {
        let (ok, json) = self.run(&["sim", "settlement", "--games", "20", "--seed", "4", "--format", "json"]);
        assert!(ok, "{json}");
        let report: serde_json::Value = serde_json::from_str(&json).expect("the report is JSON");
        report["digest"].as_str().expect("there is a digest").to_string()
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn copy_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be made");
    for entry in std::fs::read_dir(from).expect("the folder can be read") {
        let entry = entry.expect("its entries can be read");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_all(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a file can be copied");
        }
    }
}

#[test]
fn a_changed_cost_changes_the_next_game() {
    let copy = Copy::new("cost");
    let before = copy.digest();
    assert_eq!(before, copy.digest(), "the same games twice");
    copy.replace("content/settlement/cards/buildings.toml", "cost     = \"1 stone\"", "cost     = \"2 stone\"");
    assert_ne!(before, copy.digest());
    let (ok, report) = copy.run(&["test", "settlement"]);
    assert!(!ok, "a scenario must notice the new price:\n{report}");
}

#[test]
fn a_changed_line_of_lua_changes_the_next_game() {
    let copy = Copy::new("lua");
    let before = copy.digest();
    copy.replace("scripts/settlement/explorers.lua", "  ctx:raise(\"encounter\", terrain)\n", "");
    assert_ne!(before, copy.digest());
    let (ok, report) = copy.run(&["test", "settlement"]);
    assert!(!ok, "a scenario must notice the missing step:\n{report}");
}
