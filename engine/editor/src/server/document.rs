//! Open files: what the editor shows, and what kind of file it is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, Uri};

use super::lines::Lines;

/// A file that the editor shows.
#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) uri: Uri,
    pub(super) path: PathBuf,
    pub(super) text: Arc<str>,
    pub(super) version: i32,
    pub(super) lines: Arc<Lines>,
}

impl Document {
    pub(super) fn new(uri: Uri, path: PathBuf, version: i32, text: String) -> Document {
        let lines = Arc::new(Lines::new(&text));
        Document { uri, path, text: text.into(), version, lines }
    }

    /// Takes over the changes of a notification, one after the other.
    pub(super) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            let text = match change.range {
                None => change.text,
                Some(place) => {
                    let range = self.lines.range(&self.text, place);
                    let (before, after) = (self.text.get(..range.start), self.text.get(range.end..));
                    [before.unwrap_or_default(), &change.text, after.unwrap_or_default()].concat()
                }
            };
            self.lines = Arc::new(Lines::new(&text));
            self.text = text.into();
        }
        self.version = version;
    }
}

/// What kind of file a path of a library is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileSort {
    Definitions,
    Translation,
    Scenario,
    /// With its name in hooks and `require`.
    Script(String),
    Survivors,
    Other,
}

/// The pack of a file and what kind of file it is, by its path below a library.
pub(super) fn sort_of(below: &str) -> (Option<&str>, FileSort) {
    let parts: Vec<&str> = below.split('/').collect();
    match parts.as_slice() {
        ["content", pack, ".survivors.toml"] => (Some(pack), FileSort::Survivors),
        ["content", pack, "locale", ..] if below.ends_with(".toml") => (Some(pack), FileSort::Translation),
        ["content", pack, "scenarios", ..] if below.ends_with(".toml") => (Some(pack), FileSort::Scenario),
        ["content", pack, _, ..] if below.ends_with(".toml") => (Some(pack), FileSort::Definitions),
        ["scripts", "lib", name] if name.ends_with(".lua") => {
            (None, FileSort::Script(format!("lib.{}", name.trim_end_matches(".lua"))))
        }
        ["scripts", pack, rest @ ..] if below.ends_with(".lua") => {
            (Some(pack), FileSort::Script(rest.join(".").trim_end_matches(".lua").to_string()))
        }
        _ => (None, FileSort::Other),
    }
}

/// The path of a `file:` address.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    // A host is left out, as editors do.
    let path = rest.get(rest.find('/')?..)?;
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.bytes();
    while let Some(byte) = left.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [left.next()?, left.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/c:/packs` of Windows.
    let is_drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if is_drive { path.trim_start_matches('/') } else { &path }))
}

/// The `file:` address of a path.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    use std::fmt::Write as _;
    let shown = path.to_string_lossy().replace('\\', "/");
    let mut text = String::from(if shown.starts_with('/') { "file://" } else { "file:///" });
    for byte in shown.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            text.push(byte as char);
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths() {
        for path in ["/packs/content/inn/pack.toml", "/a b/é#?.toml", "/100%/x.lua"] {
            let uri = uri_of(Path::new(path)).unwrap();
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)), "{}", uri.as_str());
        }
        assert_eq!(path_of(&"untitled:Untitled-1".parse().unwrap()), None);
        assert_eq!(
            path_of(&"file:///a%G1".parse::<Uri>().unwrap_or("file:///%".parse().unwrap_or("x:y".parse().unwrap()))),
            None
        );
    }

    #[test]
    fn sorts_of_files() {
        assert_eq!(sort_of("content/inn/pack.toml"), (Some("inn"), FileSort::Definitions));
        assert_eq!(sort_of("content/inn/scenarios/a/b.toml"), (Some("inn"), FileSort::Scenario));
        assert_eq!(sort_of("scripts/inn/a/b.lua"), (Some("inn"), FileSort::Script("a.b".into())));
        assert_eq!(sort_of("scripts/lib/dice.lua"), (None, FileSort::Script("lib.dice".into())));
        assert_eq!(sort_of("README.md"), (None, FileSort::Other));
    }
}
