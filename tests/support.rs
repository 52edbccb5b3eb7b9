//! How tests call the program, what it said, and folders that a test may change.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rulepack::{Diagnostic, Game, GameBox, Library, LinkRequest, ScriptHost};

/// No call in a test takes nearly as long; one that does hangs.
const LONGEST: Duration = Duration::from_secs(120);

/// A folder below `tests/fixtures`.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A game of one file, which is linked; `name` tells the tests apart.
#[track_caller]
pub fn game_of(name: &str, text: &str) -> GameBox {
    linked(name, text, None).unwrap_or_else(|mistakes| panic!("{name} does not link: {mistakes:#?}"))
}

/// The same with a script, or what is wrong with it. The pack is called `game`, and the script `deeds.lua`.
pub fn linked(name: &str, text: &str, script: Option<&str>) -> Result<GameBox, Vec<Diagnostic>> {
    let folder = Scratch::new(name);
    folder.write("content/game/pack.toml", text.as_bytes());
    if let Some(script) = script {
        folder.write("scripts/game/deeds.lua", script.as_bytes());
    }
    let library = Library::open(&[folder.path()]).expect("the library is there");
    library.load(&LinkRequest { pack: "game".into(), ..LinkRequest::default() })
}

/// A game of a fixture whose folder and pack have this name, at its first question.
#[track_caller]
pub fn started(name: &str) -> (GameBox, ScriptHost, Game) {
    let library = Library::open(&[fixture(name)]).expect("the library is there");
    let game_box = library.load(&LinkRequest { pack: name.into(), ..LinkRequest::default() });
    let game_box = game_box.unwrap_or_else(|mistakes| panic!("{name} does not link: {mistakes:#?}"));
    let host = game_box.host().expect("the scripts can be loaded");
    let game = game_box.start(&host, 1).expect("the game starts");
    (game_box, host, game)
}

/// The manifest of a pack for two players that tests write themselves.
pub const WILD: &str = "[pack]\nid = 'wild'\nversion = '1.0.0'\ntitle = 'Wild'\nplayers = { min = 2, max = 2 }\n";

/// One turn for each of two players, in which `work` is done.
pub const ONE_TURN: &str = "
[phase.game]
sequence = ['turns']
[phase.turns]
turns = { turn = 'turn', until = 'each_once' }
[phase.turn]
actions = ['work']
once    = true
";

/// What came of a call.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// The result.
    pub stdout: String,
    /// What is said beside it.
    pub stderr: String,
}

/// Calls the program in a folder, without a terminal, colours or a language.
#[track_caller]
pub fn rulepack(folder: &Path, arguments: &[&str]) -> Run {
    rulepack_told(folder, arguments, "")
}

/// The same, with something to read.
#[track_caller]
pub fn rulepack_told(folder: &Path, arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rulepack"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .env("COLUMNS", "100")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // If the program has ended without reading it, that is its business.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    let stdout = read_aside(child.stdout.take().expect("it is piped"));
    let stderr = read_aside(child.stderr.take().expect("it is piped"));
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the program is ours") {
            break status;
        }
        if began.elapsed() > LONGEST {
            child.kill().expect("the program is ours");
            panic!("`rulepack {}` does not end", arguments.join(" "));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let read = |stream: std::thread::JoinHandle<String>| stream.join().expect("what the program says is text");
    Run { code: status.code().expect("the program ends by itself"), stdout: read(stdout), stderr: read(stderr) }
}

/// Reads while the program runs, so that it never waits for its reader.
fn read_aside(mut stream: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("what the program says is text");
        text
    })
}

impl Run {
    /// All of it, for a snapshot; hashes and times differ from version to version and are left out.
    pub fn shown(&self) -> String {
        let Run { code, stdout, stderr } = self;
        without_hashes(&format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}"))
    }

    /// The result as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("no JSON ({error}):\n{}", self.shown()))
    }
}

/// Puts `[hash]` where a hash of 128 bits stands.
fn without_hashes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_hexdigit()) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(word.len());
        out.push_str(before);
        out.push_str(if end == 32 { "[hash]" } else { &word[..end] });
        rest = &word[end..];
    }
    out + rest
}

/// Compares with `tests/snapshots/CONCERN/NAME.snap`.
#[track_caller]
pub fn snapshot(concern: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new("snapshots").join(concern));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name.to_string(), text));
}

/// Every file below a folder, with what is in it.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.clone(), std::fs::read(&path).unwrap_or_default());
            }
        }
    }
    files
}

/// A folder of a test's own; gone after it.
pub struct Scratch(PathBuf);

impl Scratch {
    /// An empty one; `name` tells the tests apart.
    pub fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Scratch(folder)
    }

    /// An empty one outside the repository.
    pub fn outside(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("rulepack-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Scratch(folder)
    }

    /// Copies a folder of the repository to a place in it, if it is there.
    pub fn take(&self, folder: &str, to: &str) {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        if !from.is_dir() {
            return;
        }
        for (path, bytes) in files(&from) {
            let path = path.strip_prefix(&from).expect("it lies below");
            self.write(&Path::new(to).join(path).to_string_lossy(), &bytes);
        }
    }

    /// One that holds what a fixture holds.
    pub fn copy_of(fixture_name: &str, name: &str) -> Self {
        let scratch = Scratch::new(name);
        let from = fixture(fixture_name);
        for (path, bytes) in files(&from) {
            let path = path.strip_prefix(&from).expect("it lies below");
            scratch.write(&path.to_string_lossy(), &bytes);
        }
        scratch
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Reads a file.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.0.join(path)).expect("the file is there and is text")
    }

    /// Writes a file.
    pub fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().expect("it lies below")).expect("the copy can be written");
        std::fs::write(path, bytes).expect("the copy can be written");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Talks to a program in a pseudo-terminal: waits for texts, writes lines, ends it as told, prints all that it said.
#[cfg(target_os = "linux")]
const TERMINAL: &str = r#"
import json, os, pty, select, signal, sys, time
steps, command = json.loads(sys.argv[1]), sys.argv[2:]
child, screen = pty.fork()
if child == 0:
    os.execv(command[0], command)
said, seen, ends = "", 0, time.time() + 60
def read(wait):
    global said
    if not select.select([screen], [], [], wait)[0]:
        return True
    try:
        data = os.read(screen, 65536)
    except OSError:
        return False
    said += data.decode("utf-8", "replace")
    return bool(data)
for what, text in steps:
    if what == "wait":
        while text not in said[seen:]:
            if time.time() > ends or not read(1.0):
                sys.exit(f"no {text!r} in {said!r}")
        seen = said.index(text, seen) + len(text)
    elif what == "say":
        os.write(screen, (text + "\n").encode())
    elif what == "interrupt":
        os.write(screen, b"\x03")
    elif what == "close":
        os.close(screen)
    elif what == "kill":
        os.kill(child, signal.SIGKILL)
while steps[-1][0] != "close" and time.time() < ends and read(1.0):
    pass
while time.time() < ends and os.waitpid(child, os.WNOHANG)[0] == 0:
    time.sleep(0.02)
print(said)
"#;

/// Calls the program in a folder at a terminal, without colours or a language. Games are kept in the folder.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn at_terminal(folder: &Path, arguments: &[&str], steps: &[(&str, &str)]) -> String {
    let output = Command::new("python3")
        .args(["-c", TERMINAL, &serde_json::to_string(steps).expect("it is plain"), env!("CARGO_BIN_EXE_rulepack")])
        .args(arguments)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder)
        .env("LC_ALL", "C")
        // Line by line: `watch.rs` tests the full screen.
        .env("TERM", "dumb")
        .env("PYTHONIOENCODING", "utf-8")
        .env("NO_COLOR", "1")
        .output()
        .expect("python3 runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    said
}
