//! The project file `rulepack.toml`: what a call means if it does not say so.
//!
//! It is looked for in the current folder and in the folders above. It names libraries, a pack, a language, bots and the
//! codes that a team allows or denies. It cannot set limits, because nobody named it: only the caller does that.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use rulepack_bots::{BotKind, seats};
use rulepack_model::{Code, Diagnostic, FileId, Node, Sources, Span, Table, did_you_mean};
use rulepack_pack::{ReadError, read_text, read_toml};

use crate::fetch::{Lock, Remote, is_url};
use crate::load::Library;

/// The name of the file.
pub const PROJECT_FILE: &str = "rulepack.toml";

/// The keys of the file.
pub const PROJECT_KEYS: [&str; 5] = ["libraries", "pack", "language", "bots", "check"];

/// The keys of a library in a repository of git.
pub const PROJECT_GIT: [&str; 3] = ["git", "rev", "folder"];

/// The commands whose bots the file can name.
pub const PROJECT_BOTS: [&str; 4] = ["play", "sim", "arena", "balance"];

/// The keys of `[check]`.
pub const PROJECT_CHECK: [&str; 2] = ["allow", "deny"];

/// The word for all warnings in `deny`.
pub const ALL_WARNINGS: &str = "warnings";

/// The largest file that is read.
const MOST_BYTES: u64 = 1 << 20;

/// What stands in a project file, or where the library is if there is none.
#[derive(Debug, Default)]
pub struct Project {
    /// The libraries, from the current folder.
    pub libraries: Vec<PathBuf>,
    /// The pack that is meant if a call names none.
    pub pack: Option<String>,
    /// The language of players.
    pub language: Option<String>,
    /// The bots by command.
    pub bots: BTreeMap<String, String>,
    /// Warnings that `check` leaves out.
    pub allow: Vec<String>,
    /// Warnings that make `check` fail.
    pub deny: Vec<String>,
    /// The libraries in repositories of git, as the file names them.
    pub remotes: Vec<Remote>,
    /// All mistakes in the file.
    pub diagnostics: Vec<Diagnostic>,
    /// Libraries that are not in the cache; `rulepack fetch` cures these.
    pub unfetched: Vec<Diagnostic>,
    /// The text of the file, for diagnostics.
    pub sources: Sources,
    /// The folder of the file, from the current one; `None` if there is no file.
    pub folder: Option<PathBuf>,
    pack_at: Option<Span>,
}

impl Project {
    /// The project that a folder belongs to: the nearest `rulepack.toml` in it or above it. If the folder lies in a
    /// library that this file does not name, the library stands for itself. Without such a file, the nearest library is
    /// taken; if there is none either, the folder itself.
    pub fn around(here: &Path) -> Project {
        Project::found(here, PathBuf::new(), |up| up.join(".."))
    }

    /// The same for a folder that need not be the current one; the paths of the project begin as `here` does.
    pub fn around_folder(here: &Path) -> Project {
        Project::found(here, here.to_path_buf(), |folder| folder.parent().unwrap_or(Path::new("")).to_path_buf())
    }

    /// `first` names the folder itself, and `above` the folder above a folder.
    fn found(here: &Path, first: PathBuf, above: impl Fn(&Path) -> PathBuf) -> Project {
        let mut up = first;
        let mut library: Option<(&Path, PathBuf)> = None;
        for folder in here.ancestors() {
            if folder.join(PROJECT_FILE).is_file() {
                let project = Project::read(&up);
                if project.holds(here, library.as_ref().map(|(real, _)| *real)) {
                    return project;
                }
                break;
            }
            if library.is_none() && is_library(folder, folder == here) {
                library = Some((folder, up.clone()));
            }
            up = above(&up);
        }
        Project::of_library(library.map_or_else(PathBuf::new, |(_, up)| up))
    }

    /// A project that is one library and says nothing else.
    fn of_library(folder: PathBuf) -> Project {
        Project { libraries: vec![plain(&folder)], ..Project::default() }
    }

    /// Whether it names the library in which the caller stands. A file with mistakes counts, so that they are reported.
    fn holds(&self, here: &Path, library: Option<&Path>) -> bool {
        let Some(library) = library else { return true };
        let is_it = |path: &PathBuf| {
            here.join(path).canonicalize().is_ok_and(|real| library.canonicalize().is_ok_and(|library| real == library))
        };
        !self.diagnostics.is_empty() || self.libraries.iter().any(is_it)
    }

    /// Reads the file in a folder, which is named from the current one.
    fn read(folder: &Path) -> Project {
        let path = plain(&folder.join(PROJECT_FILE));
        let mut project = Project { folder: Some(plain(folder)), ..Project::default() };
        let shown = path.to_string_lossy().replace('\\', "/");
        let text = match read_text(&path, None, MOST_BYTES) {
            Ok(text) => text,
            Err(error) => {
                let file = project.sources.add(shown, String::new());
                project.diagnostics.push(unread(file, &error));
                return project;
            }
        };
        project.take(folder, shown, text);
        project
    }

    /// The project that a text says, as if it stood in a folder: what an editor shows.
    pub fn of_text(folder: &Path, path: &str, text: String) -> Project {
        let mut project = Project { folder: Some(plain(folder)), ..Project::default() };
        project.take(folder, path.to_string(), text);
        project
    }

    fn take(&mut self, folder: &Path, shown: String, text: String) {
        let project = self;
        let file = project.sources.add(shown, text);
        let table = read_toml(&project.sources, file, &mut project.diagnostics);
        Reader { folder, project: &mut *project }.table(&table);
        if project.libraries.is_empty() && table.get("libraries").is_none() {
            project.libraries.push(plain(folder));
        }
        project.diagnostics.sort_by_key(|found| found.labels.first().map(|label| label.span));
    }

    /// The mistake that no library holds the pack that the file names.
    pub fn missing_pack(&self, library: &Library) -> Option<Diagnostic> {
        let (pack, at) = self.pack.as_ref().zip(self.pack_at)?;
        if library.has(pack) {
            return None;
        }
        let known: Vec<String> = library.list().into_iter().map(|info| info.id).collect();
        let help = did_you_mean(pack, known.iter().map(String::as_str)).or_else(|| match known.as_slice() {
            [] => Some("the libraries hold no packs: see `libraries`".to_string()),
            [first, ..] => Some(format!("write the id of a pack of these libraries, such as `{first}`")),
        });
        let message = format!("no library holds a pack `{pack}`");
        Some(Diagnostic::error(Code::UnknownPack, message).at(at).maybe_help(help))
    }
}

/// Whether a folder has the shape of a library. The current folder counts even without packs, so that mistakes in it are
/// reported; a folder above does so only with a pack.
fn is_library(folder: &Path, is_here: bool) -> bool {
    let content = folder.join("content");
    if is_here {
        return content.is_dir();
    }
    let packs = std::fs::read_dir(content).into_iter().flatten().flatten();
    packs.take(1_000).any(|entry| entry.path().join("pack.toml").is_file())
}

/// A path without `.` and without steps into a folder and out again; `.` if nothing is left.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::ParentDir | Component::Normal(_) => out.push(part),
        }
    }
    if out.as_os_str().is_empty() { PathBuf::from(".") } else { out }
}

fn unread(file: FileId, error: &ReadError) -> Diagnostic {
    let message = format!("this file cannot be read: {error}");
    let help = format!("write `{PROJECT_FILE}` as a text of at most {} MiB", MOST_BYTES >> 20);
    Diagnostic::error(Code::UnreadFile, message).at(Span::top(file)).help(help)
}

struct Reader<'a> {
    folder: &'a Path,
    project: &'a mut Project,
}

impl Reader<'_> {
    fn table(&mut self, table: &Table) {
        for (key, entry) in table.iter() {
            match key {
                "libraries" => self.libraries(&entry.node),
                "pack" => {
                    self.project.pack = self.text(key, &entry.node, "the id of a pack, such as `\"my-game\"`");
                    self.project.pack_at = Some(entry.node.span);
                }
                "language" => self.language(&entry.node),
                "bots" => self.bots(&entry.node),
                "check" => self.check(&entry.node),
                "limit" | "limits" => {
                    let message = format!("`{PROJECT_FILE}` cannot set limits, because it is found by itself");
                    let help = "remove it; whoever calls sets limits by `--limit NAME=N` or `--limits FILE`";
                    self.wrong(Diagnostic::error(Code::UnknownKey, message).at(entry.key).help(help));
                }
                _ => self.unknown("", key, entry.key, &PROJECT_KEYS),
            }
        }
    }

    fn wrong(&mut self, mistake: Diagnostic) {
        self.project.diagnostics.push(mistake);
    }

    fn unknown(&mut self, table: &str, key: &str, at: Span, known: &[&str]) {
        let place = if table.is_empty() { format!("`{PROJECT_FILE}`") } else { format!("`[{table}]`") };
        let help =
            did_you_mean(key, known.iter().copied()).unwrap_or_else(|| format!("the keys are {}", listed(known)));
        self.wrong(Diagnostic::error(Code::UnknownKey, format!("{place} has no key `{key}`")).at(at).help(help));
    }

    fn wrong_type(&mut self, key: &str, expected: &str, node: &Node) {
        let message = format!("`{key}` must be {expected}, and this is {}", node.describe());
        self.wrong(Diagnostic::error(Code::WrongType, message).at(node.span).help(format!("write {expected}")));
    }

    /// A text that is not empty.
    fn text(&mut self, key: &str, node: &Node, expected: &str) -> Option<String> {
        match node.as_str().map(str::trim) {
            Some("") => {
                let mistake = Diagnostic::error(Code::WrongValue, format!("`{key}` is empty"));
                self.wrong(mistake.at(node.span).help(format!("write {expected}, or remove the key")));
                None
            }
            Some(text) => Some(text.to_string()),
            None => {
                self.wrong_type(key, expected, node);
                None
            }
        }
    }

    /// The members of a list of texts.
    fn texts<'n>(&mut self, key: &str, node: &'n Node, expected: &str) -> Vec<(String, &'n Node)> {
        let Some(items) = node.as_list() else {
            self.wrong_type(key, expected, node);
            return Vec::new();
        };
        items.iter().filter_map(|item| self.text(key, item, expected).map(|text| (text, item))).collect()
    }

    fn libraries(&mut self, node: &Node) {
        let expected = "a list of folders, such as `[\".\", \"../base\"]`";
        let Some(items) = node.as_list() else { return self.wrong_type("libraries", expected, node) };
        if items.is_empty() {
            let mistake = Diagnostic::error(Code::WrongValue, "`libraries` names no folder");
            self.wrong(mistake.at(node.span).help("write `[\".\"]` for the folder of this file"));
        }
        for item in items {
            match item.as_table() {
                Some(table) => self.remote(table, item),
                None => {
                    if let Some(text) = self.text("libraries", item, expected) {
                        self.folder(&text, item.span);
                    }
                }
            }
        }
    }

    fn folder(&mut self, text: &str, at: Span) {
        let path = plain(&self.folder.join(text));
        let help = if is_url(text) {
            let message = format!("`{text}` is an address, and not a folder");
            Some((Code::WrongValue, message, "write `{ git = \"ADDRESS\", rev = \"TAG\" }` for a repository of git"))
        } else if !path.is_dir() {
            Some((Code::MissingFile, format!("there is no folder `{text}`"), "paths begin at the folder of this file"))
        } else if !path.join("content").is_dir() {
            let message = format!("`{text}` is not a library: it has no folder `content`");
            Some((Code::WrongValue, message, "name the folder that contains `content` and `scripts`"))
        } else {
            None
        };
        match help {
            Some((code, message, help)) => self.wrong(Diagnostic::error(code, message).at(at).help(help)),
            None => self.project.libraries.push(path),
        }
    }

    /// A library in a repository of git: the folder in the cache, if it has been fetched.
    fn remote(&mut self, table: &Table, item: &Node) {
        let mut remote = Remote { url: String::new(), rev: String::new(), folder: String::new() };
        let before = self.project.diagnostics.len();
        for (key, entry) in table.iter() {
            let expected = match key {
                "git" => "the address of a repository, such as `\"https://example.org/base.git\"`",
                "rev" => "a tag, a branch or a commit, such as `\"v1.0\"`",
                "folder" => "a folder of the repository, such as `\"games\"`",
                _ => {
                    self.unknown("libraries", key, entry.key, &PROJECT_GIT);
                    continue;
                }
            };
            let Some(text) = self.text(key, &entry.node, expected) else { continue };
            let is_good = match key {
                "git" => is_url(&text),
                "rev" => is_rev(&text),
                _ => is_below(&text),
            };
            if !is_good {
                let mut mistake = Diagnostic::error(Code::WrongValue, format!("`{text}` is not {expected}"));
                if key == "git" {
                    mistake =
                        Diagnostic::error(Code::WrongValue, format!("`{text}` is not an address that is fetched"));
                }
                let help = if key == "git" {
                    "write an address that begins with `https://`, `ssh://` or `file://`"
                } else {
                    expected
                };
                self.wrong(mistake.at(entry.node.span).help(help));
                continue;
            }
            match key {
                "git" => remote.url = text,
                "rev" => remote.rev = text,
                _ => remote.folder = text.trim_matches('/').to_string(),
            }
        }
        for key in ["git", "rev"] {
            if table.get(key).is_none() {
                let message = format!("a library in a repository has no `{key}`");
                let help = "write `{ git = \"https://example.org/base.git\", rev = \"v1.0\" }`";
                self.wrong(Diagnostic::error(Code::MissingKey, message).at(item.span).help(help));
            }
        }
        if self.project.diagnostics.len() > before {
            return;
        }
        let lock = match Lock::read(self.folder) {
            Ok(lock) => lock,
            Err(why) => {
                return self.wrong(Diagnostic::error(Code::WrongValue, why).at(item.span).help("see docs/project.md"));
            }
        };
        match lock.commit(&remote).and_then(|commit| remote.cached(commit)) {
            Some(folder) => self.project.libraries.push(folder),
            None => {
                let why = match lock.commit(&remote) {
                    Some(_) => "is not in the cache",
                    None => "has not been fetched at this revision",
                };
                let mistake = Diagnostic::error(Code::MissingFile, format!("`{}` {why}", remote.url));
                self.project.unfetched.push(mistake.at(item.span).help("run `rulepack fetch`"));
            }
        }
        self.project.remotes.push(remote);
    }

    fn language(&mut self, node: &Node) {
        let expected = "the name of a language, such as `\"fr\"`";
        let Some(text) = self.text("language", node, expected) else { return };
        let is_good = text.split(['-', '_', '.']).all(|part| part.chars().all(|letter| letter.is_ascii_alphanumeric()))
            && text.chars().take_while(char::is_ascii_alphabetic).count() >= 2;
        match is_good {
            true => self.project.language = Some(text),
            false => {
                let mistake = Diagnostic::error(Code::WrongValue, format!("`{text}` is not the name of a language"));
                self.wrong(mistake.at(node.span).help(format!("write {expected}")));
            }
        }
    }

    fn bots(&mut self, node: &Node) {
        let Some(table) = node.as_table() else {
            return self.wrong_type("bots", "a table from commands to bots, such as `{ play = \"mcts:4000\" }`", node);
        };
        for (command, entry) in table.iter() {
            if !PROJECT_BOTS.contains(&command) {
                self.unknown("bots", command, entry.key, &PROJECT_BOTS);
                continue;
            }
            let Some(text) = self.text(command, &entry.node, "bots as `--bots` takes them, such as `\"mcts:200\"`")
            else {
                continue;
            };
            match names_bots(command, &text) {
                Ok(()) => {
                    self.project.bots.insert(command.to_string(), text);
                }
                Err(why) => {
                    let mistake = Diagnostic::error(Code::WrongValue, format!("`{text}` names no bots: {why}"));
                    let help =
                        format!("write what `rulepack {command} --bots` takes, such as `\"{}\"`", example(command));
                    self.wrong(mistake.at(entry.node.span).help(help));
                }
            }
        }
    }

    fn check(&mut self, node: &Node) {
        let Some(table) = node.as_table() else {
            return self.wrong_type("check", "a table, such as `{ deny = [\"warnings\"] }`", node);
        };
        for (key, entry) in table.iter() {
            if !PROJECT_CHECK.contains(&key) {
                self.unknown("check", key, entry.key, &PROJECT_CHECK);
                continue;
            }
            let expected = "a list of diagnostic codes, such as `[\"unused-name\"]`";
            for (code, item) in self.texts(key, &entry.node, expected) {
                self.code(key, code, item.span);
            }
        }
    }

    fn code(&mut self, key: &str, code: String, at: Span) {
        let is_deny = key == "deny";
        if Code::named(&code).is_none() && !(is_deny && code == ALL_WARNINGS) {
            let known = Code::ALL.iter().map(|code| code.name()).chain(is_deny.then_some(ALL_WARNINGS));
            let help = did_you_mean(&code, known).unwrap_or_else(|| "`rulepack explain` lists the codes".to_string());
            let message = format!("there is no diagnostic code `{code}`");
            return self.wrong(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
        }
        match is_deny {
            true => self.project.deny.push(code),
            false => self.project.allow.push(code),
        }
    }
}

/// Whether a text can name a revision, and nothing else to git.
fn is_rev(text: &str) -> bool {
    let is_good = |letter: char| letter.is_ascii_alphanumeric() || "._/-+".contains(letter);
    text.chars().all(is_good) && !text.starts_with(['-', '/', '.']) && !text.contains("..") && text.len() <= 200
}

/// Whether a path stays below the top of its repository.
fn is_below(text: &str) -> bool {
    let mut parts = Path::new(text).components();
    !text.is_empty() && !text.contains('\\') && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a text names bots for some number of players.
fn names_bots(command: &str, text: &str) -> Result<(), String> {
    if command == "arena" {
        let kinds: Result<Vec<BotKind>, _> = text.split(',').map(|kind| kind.trim().parse::<BotKind>()).collect();
        return match kinds {
            Ok(kinds) if kinds.len() < 2 => Err("two bots or more play against one another".to_string()),
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        };
    }
    const MOST_PLAYERS: u8 = 32;
    let read = |players| seats(text, players, BotKind::Random);
    let good = (1..=MOST_PLAYERS).find_map(|players| read(players).ok());
    match good {
        Some(seats) if command == "play" || seats.iter().all(Option::is_some) => Ok(()),
        Some(_) => Err("here a bot plays every seat".to_string()),
        None => Err(read(MOST_PLAYERS).err().map_or(String::new(), |error| error.to_string())),
    }
}

fn example(command: &str) -> &'static str {
    match command {
        "play" => "2=mcts:4000",
        "arena" => "mcts,random",
        _ => "mcts:40",
    }
}

fn listed(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::plain;
    use std::path::{Path, PathBuf};

    #[test]
    fn paths_are_short() {
        for (long, short) in
            [("", "."), (".", "."), ("../.", ".."), ("../../x/../y", "../../y"), ("x/..", "."), ("/a/./b", "/a/b")]
        {
            assert_eq!(plain(Path::new(long)), PathBuf::from(short), "{long}");
        }
    }
}
