//! The lock file: which commit of each repository a project uses.

use std::fmt::Write as _;

use rulepack_model::Sources;
use rulepack_pack::read_toml;

use super::Remote;

/// The name of the file, beside the project file.
pub const LOCK_FILE: &str = "rulepack.lock";

const HEAD: &str = "# Written by `rulepack fetch`. Keep it with the project: it names the commits that everybody gets.";

/// The commits of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock {
    /// One for each library in a repository.
    pub library: Vec<Locked>,
}

/// The commit of one library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    /// The address of the repository.
    pub git: String,
    /// The revision in the project file.
    pub rev: String,
    /// The commit.
    pub commit: String,
}

impl Lock {
    /// Reads the text of the file.
    pub(super) fn parse(text: &str) -> Result<Lock, String> {
        let cure = "remove the file and run `rulepack fetch`";
        let wrong = |why: String| format!("`{LOCK_FILE}`: {why}; {cure}");
        let mut sources = Sources::default();
        let file = sources.add(LOCK_FILE.to_string(), text.to_string());
        let mut mistakes = Vec::new();
        let table = read_toml(&sources, file, &mut mistakes);
        if let Some(mistake) = mistakes.first() {
            return Err(wrong(mistake.message.clone()));
        }
        if let Some((key, _)) = table.iter().find(|(key, _)| *key != "library") {
            return Err(wrong(format!("it has a key `{key}` that is not known")));
        }
        let Some(list) = table.get("library") else { return Ok(Lock::default()) };
        let list = list.as_list().ok_or_else(|| wrong("`library` is no list of tables".to_string()))?;
        let mut lock = Lock::default();
        for node in list {
            let text = |key: &str| {
                let text = node.below(key).and_then(|text| text.as_str());
                text.map(str::to_string).ok_or_else(|| wrong(format!("a library has no `{key}`")))
            };
            let locked = Locked { git: text("git")?, rev: text("rev")?, commit: text("commit")? };
            if !is_commit(&locked.commit) {
                return Err(wrong(format!("`{}` is not the full name of a commit", locked.commit)));
            }
            lock.library.push(locked);
        }
        Ok(lock)
    }

    /// The commit of a library, if the file has one for this address and revision.
    pub fn commit(&self, remote: &Remote) -> Option<&str> {
        let found = self.library.iter().find(|library| library.git == remote.url && library.rev == remote.rev);
        found.map(|library| library.commit.as_str())
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for Locked { git, rev, commit } in &self.library {
            let _ = write!(text, "\n[[library]]\ngit    = {git:?}\nrev    = {rev:?}\ncommit = {commit:?}\n");
        }
        text
    }
}

/// Whether a text is the full name of a commit.
pub(super) fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read_back() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let locked = Locked { git: "file:///a \"b\"".into(), rev: "v1".into(), commit: commit.into() };
        let lock = Lock { library: vec![locked] };
        assert_eq!(Lock::parse(&lock.text()), Ok(lock));
        for wrong in ["library = 3", "[[library]]\ngit='a'\nrev='b'\ncommit='HEAD'", "[[library]]\ngit='a'", "x = 1"] {
            assert!(Lock::parse(wrong).is_err_and(|why| why.contains("rulepack fetch")), "{wrong}");
        }
    }
}
