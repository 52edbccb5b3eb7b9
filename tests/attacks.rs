//! The suite of attacks: each file of `tests/hostile` is a pack, a script, a save, a log or a call that means harm, with what
//! must be said to it. Each is played in a process of its own, which must end by itself, within its limits.
//!
//! With `RULEPACK_ATTACKS=target/release/rulepack` that program is attacked, with limits of 5 seconds and 500 MB.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use rulepack::{Answer, AnswerError, Game, GameBox, Library, LinkRequest};
use rulepack_model::visible::is_hidden;
use serde::Deserialize;

use crate::support::Scratch;

/// One attack.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attack {
    /// What it tries.
    #[allow(dead_code)]
    about: String,
    call: Vec<String>,
    /// What the program reads.
    #[serde(default)]
    input: String,
    /// Whether it is laid into the game of `tests/hostile/base`.
    #[serde(default = "yes")]
    base: bool,
    /// The body of the function that the action `work` calls.
    script: Option<String>,
    /// A further file of the pack.
    pack: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    large: Vec<Large>,
    #[serde(default)]
    pipes: Vec<String>,
    /// Links and where they lead: below a folder beside the library, or anywhere.
    #[serde(default)]
    links: BTreeMap<String, String>,
    /// Calls that make files.
    #[serde(default)]
    before: Vec<Call>,
    /// How these files are changed.
    #[serde(default)]
    change: Vec<Change>,
    expect: Expected,
}

/// A text that is repeated: one file, or with `{n}` in its name many. `{n}` and `{n+1}` are counted from 0.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Large {
    file: String,
    #[serde(default)]
    before: String,
    text: String,
    times: usize,
    #[serde(default)]
    after: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    call: Vec<String>,
    #[serde(default)]
    input: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    file: String,
    /// How many bytes are missing at the end.
    #[serde(default)]
    cut: usize,
    /// What is replaced once, by what, and how often that is repeated.
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
    #[serde(default = "once")]
    times: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    code: i32,
    says: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
}

fn yes() -> bool {
    true
}

fn once() -> usize {
    1
}

/// What stands in a file outside of the library, which nobody may be told.
const SECRET: &str = "root = 'x:0:0:a secret of the system'\n";

impl Attack {
    /// Lays the files into a folder: `library`, and `outside` beside it.
    fn lay(&self, scratch: &Scratch) {
        let library = scratch.path().join("library");
        std::fs::create_dir_all(&library).expect("the folder can be written");
        scratch.write("outside/secret.toml", SECRET.as_bytes());
        if self.base {
            scratch.take("tests/hostile/base", "library");
        }
        let write = |file: &str, text: &str| scratch.write(&format!("library/{file}"), text.as_bytes());
        if let Some(script) = &self.script {
            let text = format!("local attack = {{}}\nfunction attack.run(ctx)\n{script}\nend\nreturn attack\n");
            write("scripts/victim/attack.lua", &text);
        }
        if let Some(pack) = &self.pack {
            write("content/victim/attack.toml", pack);
        }
        for (file, text) in &self.files {
            write(file, text);
        }
        for large in &self.large {
            let numbered =
                |text: &str, n: usize| text.replace("{n}", &n.to_string()).replace("{n+1}", &(n + 1).to_string());
            if large.file.contains("{n}") {
                let text = [&*large.before, &*large.text, &*large.after].concat();
                (0..large.times).for_each(|n| write(&numbered(&large.file, n), &numbered(&text, n)));
            } else {
                let there = std::fs::read_to_string(library.join(&large.file)).unwrap_or_default();
                let middle: String = (0..large.times).map(|n| numbered(&large.text, n)).collect();
                write(&large.file, &[&*there, &*large.before, &*middle, &*large.after].concat());
            }
        }
        for file in &self.pipes {
            let path = library.join(file);
            std::fs::create_dir_all(path.parent().expect("it lies below")).expect("the folder can be written");
            assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
        }
        for (file, target) in &self.links {
            let path = library.join(file);
            std::fs::create_dir_all(path.parent().expect("it lies below")).expect("the folder can be written");
            std::os::unix::fs::symlink(scratch.path().join("outside").join(target), path).expect("links can be made");
        }
    }

    /// Makes the files that are changed then, such as saves.
    fn prepare(&self, scratch: &Scratch, program: &Path) {
        for before in &self.before {
            attacked(scratch, program, &before.call, &before.input, &DEBUG);
        }
        for change in &self.change {
            let path = scratch.path().join("library").join(&change.file);
            let text = std::fs::read_to_string(&path).expect("a call before has made it");
            let changed = match change.cut {
                0 => text.replacen(&change.from, &change.to.repeat(change.times), 1),
                cut => text[..text.len() - cut].to_string(),
            };
            assert!(text.contains(&change.from), "there is no `{}` in {text}", change.from);
            std::fs::write(&path, changed).expect("it can be written");
        }
    }
}

/// What an attack may take: seconds of the processor, and megabytes.
struct Limits {
    seconds: f64,
    megabytes: f64,
}

const RELEASE: Limits = Limits { seconds: 5.0, megabytes: 500.0 };
/// This build is hardly optimised, and `check` knows the types of scripts.
const DEBUG: Limits = Limits { seconds: 25.0, megabytes: 600.0 };

/// Runs a program with limits of the system that are a little wider, and tells what it took. A process that waits for ever is
/// ended after two minutes.
const MEASURE: &str = r#"
import os, resource, signal, sys, time
folder, seconds = sys.argv[1], int(float(sys.argv[2]))
child = os.fork()
if child == 0:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds + 1, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number, name, how in [(1, "stdout", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), (2, "stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), (0, "stdin", os.O_RDONLY)]:
        os.dup2(os.open(os.path.join(folder, name), how, 0o600), number)
    os.chdir(os.path.join(folder, "library"))
    os.execv(sys.argv[3], sys.argv[3:])
ends = time.time() + 120
while True:
    ended, status, took = os.wait4(child, os.WNOHANG)
    if ended:
        break
    if time.time() > ends:
        os.kill(child, signal.SIGKILL)
    time.sleep(0.002)
print(os.waitstatus_to_exitcode(status), took.ru_utime + took.ru_stime, took.ru_maxrss / 1024)
"#;

/// What came of an attack.
struct Outcome {
    /// Below zero if the system ended the process.
    code: i32,
    said: String,
    seconds: f64,
    megabytes: f64,
}

fn attacked(scratch: &Scratch, program: &Path, call: &[String], input: &str, limits: &Limits) -> Outcome {
    scratch.write("stdin", input.as_bytes());
    let measured = Command::new("python3")
        .args(["-c", MEASURE, &scratch.path().to_string_lossy(), &limits.seconds.to_string()])
        .arg(program)
        .args(call)
        .env("XDG_STATE_HOME", scratch.path())
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .expect("python3 runs");
    let figures = String::from_utf8_lossy(&measured.stdout);
    let figures: Vec<f64> = figures.split_whitespace().map(|figure| figure.parse().expect("a number")).collect();
    let [code, seconds, megabytes] = figures[..] else { panic!("{}", String::from_utf8_lossy(&measured.stderr)) };
    let said = ["stdout", "stderr"].map(|name| scratch.read(name)).concat();
    #[allow(clippy::cast_possible_truncation)]
    Outcome { code: code as i32, said, seconds, megabytes }
}

/// All that is wrong with what came of it.
fn complaints(expected: &Expected, outcome: &Outcome, limits: &Limits) -> Vec<String> {
    let mut wrong = Vec::new();
    if outcome.code != expected.code {
        wrong.push(format!("exit {} instead of {}", outcome.code, expected.code));
    }
    let not_said = expected.says.iter().filter(|words| !outcome.said.contains(*words));
    wrong.extend(not_said.map(|words| format!("`{words}` is not said")));
    let always = ["panicked", "overflowed its stack", "a secret of the system"];
    let never = always.into_iter().chain(expected.never.iter().map(String::as_str));
    wrong.extend(never.filter(|words| outcome.said.contains(words)).map(|words| format!("`{words}` is said")));
    if outcome.said.chars().any(|c| c != '\n' && is_hidden(c)) {
        wrong.push("it writes what steers a terminal".into());
    }
    if outcome.seconds > limits.seconds {
        wrong.push(format!("it takes {:.1} seconds", outcome.seconds));
    }
    if outcome.megabytes > limits.megabytes {
        wrong.push(format!("it takes {:.0} MB", outcome.megabytes));
    }
    if expected.says.iter().all(|words| words.trim().is_empty()) {
        wrong.push("its file does not say what must be said".into());
    }
    wrong
}

fn attacks() -> Vec<(String, Attack)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    files.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let attack = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, attack)
    };
    files.into_iter().map(read).collect()
}

#[test]
fn every_attack_is_stopped_within_its_limits() {
    let named = std::env::var_os("RULEPACK_ATTACKS").map(PathBuf::from);
    let limits = if named.is_some() { RELEASE } else { DEBUG };
    let program = named.unwrap_or_else(|| env!("CARGO_BIN_EXE_rulepack").into());
    let program = program.canonicalize().expect("the program is there");
    let attacks = attacks();
    assert!(attacks.len() >= 120, "{} attacks", attacks.len());
    let (next, done) = (Mutex::new(attacks.iter()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let Some((name, attack)) = next.lock().expect("nobody panics").next() else { return };
            let scratch = Scratch::new(&format!("attack-{name}"));
            attack.lay(&scratch);
            attack.prepare(&scratch, &program);
            let outcome = attacked(&scratch, &program, &attack.call, &attack.input, &limits);
            let wrong = complaints(&attack.expect, &outcome, &limits);
            done.lock().expect("nobody panics").push((name, outcome, wrong));
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let done = done.into_inner().expect("nobody panicked");
    let slowest = done.iter().max_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds)).expect("there are attacks");
    let largest = done.iter().max_by(|a, b| a.1.megabytes.total_cmp(&b.1.megabytes)).expect("there are attacks");
    println!(
        "{} attacks; slowest: {} with {:.2} s; largest: {} with {:.0} MB",
        done.len(),
        slowest.0,
        slowest.1.seconds,
        largest.0,
        largest.1.megabytes
    );
    let failed: Vec<String> = done
        .iter()
        .filter(|(_, _, wrong)| !wrong.is_empty())
        .map(|(name, outcome, wrong)| {
            let said: String = outcome.said.chars().take(1_500).collect();
            format!("{name}: {}\n{said}", wrong.join("; "))
        })
        .collect();
    assert_eq!(done.len(), attacks.len());
    assert!(failed.is_empty(), "{} of {} attacks:\n{}", failed.len(), done.len(), failed.join("\n"));
}

// ---- the others ----

fn load(folder: &Path) -> GameBox {
    let library = Library::open(&[folder.join("library")]).expect("the library is there");
    library.load(&LinkRequest { pack: "victim".into(), ..LinkRequest::default() }).expect("it links")
}

/// In one process: the game that is attacked is as before, and another one plays on.
#[test]
fn after_an_attack_the_other_games_of_the_process_play_on() {
    let quiet = Scratch::new("attack-others");
    quiet.take("tests/hostile/base", "library");
    let peaceful = load(quiet.path());
    let host = peaceful.host().expect("the scripts are well");
    let play = |game: &mut Game| while game.decision().is_some() && game.answer(&host, Answer(0)).is_ok() {};
    let mut alone = peaceful.start(&host, 7).expect("it starts");
    let mut beside = alone.clone();
    play(&mut alone);
    assert!(alone.decision().is_none(), "the game ends");
    let mut stopped = 0;
    for (name, attack) in attacks() {
        // What is stopped while it is played, by what a script does; a script that asks for ever never fails.
        let asks = attack.expect.says.iter().any(|words| words.contains("it did not end after"));
        if attack.script.is_none() || attack.expect.code != 1 || attack.call[0] != "sim" || asks {
            continue;
        }
        let scratch = Scratch::new(&format!("attack-beside-{name}"));
        attack.lay(&scratch);
        let hostile = load(scratch.path());
        let hostile_host = hostile.host().expect("the scripts load");
        let Ok(mut game) = hostile.start(&hostile_host, 7) else { continue };
        let before = game.hash();
        // Twice: what is left of the first attack does not help the second, and the game is as before.
        for _ in 0..2 {
            let Some(_) = game.decision() else { break };
            match game.answer(&hostile_host, Answer(0)) {
                Err(AnswerError::Fault(_)) => assert_eq!(game.hash(), before, "{name}"),
                other => panic!("{name} is not stopped: {other:?}"),
            }
            stopped += 1;
        }
        if beside.decision().is_some() {
            beside.answer(&host, Answer(0)).expect("the other game plays on");
        }
    }
    assert!(stopped > 100, "{stopped}");
    play(&mut beside);
    assert_eq!(beside.hash(), alone.hash(), "the other game went as it goes alone");
}
