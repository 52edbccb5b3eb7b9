//! Calls of git, with all that a repository could do to us switched off.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rulepack_model::content_hash;

use super::FetchError;
use super::lock::is_commit;

/// A copy of a repository without files: its objects only.
pub struct Git {
    folder: PathBuf,
    url: String,
}

/// A file of a commit.
pub struct InCommit {
    /// The path from the top of the repository.
    pub path: String,
    /// Whether it is a plain file.
    pub kind: Kind,
    /// Its object.
    pub object: String,
    /// How many bytes it has.
    pub size: u64,
}

/// What stands in a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A plain file.
    File,
    /// A link or a submodule.
    Other,
}

/// Whether an address is of a kind that is fetched: https, ssh or file.
pub fn is_url(text: &str) -> bool {
    let rest = ["https://", "ssh://", "file://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('-'))
        && !text.chars().any(|letter| letter.is_control() || letter.is_whitespace())
}

/// What git is told with every call, whatever the user's own settings are.
const SAFE: [&str; 11] = [
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.ssh.allow=always",
    "protocol.file.allow=always",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.symlinks=false",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "transfer.fsckObjects=true",
    "gc.auto=0",
];

impl Git {
    /// The copy in the cache, made if it is not there.
    pub fn open(cache: &Path, url: &str) -> Result<Git, FetchError> {
        let name = format!("{}.git", content_hash(url.as_bytes()));
        let git = Git { folder: cache.join("git").join(name), url: url.to_string() };
        let path = git.folder.clone();
        std::fs::create_dir_all(&path).map_err(|error| FetchError::Write { path, error })?;
        git.told(&["init", "--quiet", "--bare", "--template="])?;
        Ok(git)
    }

    /// Fetches a revision and gives its commit.
    pub fn fetch(&self, rev: &str) -> Result<String, FetchError> {
        let one = ["fetch", "--quiet", "--no-tags", "--depth=1", "--", self.url.as_str(), rev];
        let alone = self.run(&one)?;
        let rev = if alone.status.success() {
            "FETCH_HEAD"
        } else {
            // A short name of a commit, or a server that gives out no single commits.
            let all =
                ["fetch", "--quiet", "--", self.url.as_str(), "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
            let whole = self.run(&all)?;
            if !whole.status.success() {
                return Err(self.failed(&whole));
            }
            rev
        };
        let commit =
            self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{rev}^{{commit}}")])?;
        let text = String::from_utf8_lossy(&commit.stdout).trim().to_string();
        if commit.status.success() && is_commit(&text) {
            return Ok(text);
        }
        let why = "name a tag, a branch or a commit of it".to_string();
        Err(FetchError::NoRevision { url: self.url.clone(), rev: rev.to_string(), why })
    }

    /// All files of a commit.
    pub fn files(&self, commit: &str) -> Result<Vec<InCommit>, FetchError> {
        let listed = self.told(&["ls-tree", "-r", "-z", "-l", "--full-tree", commit])?;
        let listed = String::from_utf8_lossy(&listed.stdout);
        // Each is `mode kind object size<tab>path`.
        let one = |line: &str| {
            let (head, path) = line.split_once('\t')?;
            let mut parts = head.split_whitespace();
            let (mode, _, object) = (parts.next()?, parts.next()?, parts.next()?);
            let kind = if mode == "100644" || mode == "100755" { Kind::File } else { Kind::Other };
            let size = parts.next().and_then(|size| size.parse().ok()).unwrap_or(0);
            Some(InCommit { path: path.to_string(), kind, object: object.to_string(), size })
        };
        Ok(listed.split('\0').filter_map(one).collect())
    }

    /// The texts of objects, in their order; `None` for what is no text.
    pub fn texts(&self, objects: &[&str]) -> Result<Vec<Option<String>>, FetchError> {
        let mut child =
            self.command(&["cat-file", "--batch"]).stdin(Stdio::piped()).spawn().map_err(FetchError::NoGit)?;
        let asked = objects.join("\n") + "\n";
        let input = child.stdin.take();
        // Git answers while it is asked; whoever only wrote, or only read, would wait for ever.
        let writer = std::thread::spawn(move || input.map(|mut input| input.write_all(asked.as_bytes())));
        let told = child.wait_with_output().map_err(FetchError::NoGit)?;
        let _ = writer.join();
        if !told.status.success() {
            return Err(self.failed(&told));
        }
        let mut rest = told.stdout.as_slice();
        let mut texts = Vec::new();
        for _ in objects {
            let broken = || self.wrong("it gave fewer files than it was asked for");
            let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(broken)?;
            let head = String::from_utf8_lossy(rest.get(..end).ok_or_else(broken)?).into_owned();
            let size: usize = head.rsplit(' ').next().and_then(|size| size.parse().ok()).ok_or_else(broken)?;
            let start = end.saturating_add(1);
            let stop = start.saturating_add(size);
            let bytes = rest.get(start..stop).ok_or_else(broken)?;
            texts.push(String::from_utf8(bytes.to_vec()).ok());
            rest = rest.get(stop.saturating_add(1)..).ok_or_else(broken)?;
        }
        Ok(texts)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(&self.folder);
        for setting in SAFE {
            command.args(["-c", setting]);
        }
        command.args(arguments);
        // What the caller has set for another repository must not count here.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG_PARAMETERS"] {
            command.env_remove(name);
        }
        command
            .current_dir(&self.folder)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "true")
            .env("SSH_ASKPASS", "true")
            .env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
            .env("GIT_ALLOW_PROTOCOL", "https:ssh:file")
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Result<Output, FetchError> {
        self.command(arguments).output().map_err(FetchError::NoGit)
    }

    fn told(&self, arguments: &[&str]) -> Result<Output, FetchError> {
        let output = self.run(arguments)?;
        if output.status.success() { Ok(output) } else { Err(self.failed(&output)) }
    }

    fn failed(&self, output: &Output) -> FetchError {
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().find(|line| line.starts_with("fatal:") || line.starts_with("error:"));
        let line = line.or(said.lines().next()).unwrap_or("git failed");
        let line = line.trim_start_matches("fatal: ").trim_start_matches("error: ");
        self.wrong(line)
    }

    fn wrong(&self, why: &str) -> FetchError {
        let is_network = ["resolve host", "Could not resolve", "unable to access", "Connection", "timed out"];
        let why = match is_network.iter().any(|words| why.contains(words)) {
            true => format!("{why}. Is there a network? Libraries that were fetched before can be used without one"),
            false => why.to_string(),
        };
        FetchError::Git { url: self.url.clone(), why }
    }
}

#[cfg(test)]
mod tests {
    use super::is_url;

    #[test]
    fn only_https_ssh_and_file() {
        for good in ["https://example.org/a.git", "ssh://git@example.org/a", "file:///a/b"] {
            assert!(is_url(good), "{good}");
        }
        let bad = [
            "http://example.org/a",
            "git://a",
            "ext::sh -c id",
            "--upload-pack=id",
            "/a/b",
            "a:b",
            "https://",
            "ssh://-oProxyCommand=id",
            "https://a b",
        ];
        for bad in bad {
            assert!(!is_url(bad), "{bad}");
        }
    }
}
