//! What is read and what is written: nothing outside a library, nothing that is not a plain file, nothing that somebody else
//! wrote, nothing in part.

use std::process::{Command, Stdio};

use crate::support::{Run, Scratch, fixture, rulepack, rulepack_told};

const PLAY: [&str; 7] = ["--library", ".", "play", "saves", "--players", "2", "--seed"];

/// Plays a copy of the fixture for saves: bots, or who is told what to say.
fn play(scratch: &Scratch, arguments: &[&str], input: &str) -> Run {
    rulepack_told(scratch.path(), &[&PLAY[..], &["3"], arguments].concat(), input)
}

#[track_caller]
fn names(scratch: &Scratch, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(scratch.path().join(folder)).expect("the folder is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("it is").file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

// ---- reading ----

/// A secret outside of every library.
#[cfg(unix)]
const SECRET: &str = "root = 'x:0:0:a secret of the system'\n";

#[cfg(unix)]
fn pipe(path: &std::path::Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
    assert!(made.success());
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_library_shows_nothing_of_what_it_leads_to() {
    use std::os::unix::fs::symlink;
    let outside = Scratch::outside("secret");
    outside.write("passwd", SECRET.as_bytes());
    outside.write("folder-with-a-name/pack.toml", SECRET.as_bytes());
    for (link, target, expected) in [
        ("content/saves/.survivors.toml", "passwd", "leads out of the library"),
        ("content/saves/more.toml", "passwd", "leads out of the library"),
        ("content/saves/scenarios/leak.toml", "passwd", "leads out of the library"),
        ("content/saves/scenarios", "", "leads out of the library"),
        ("scripts/saves/leak.lua", "passwd", "leads out of the library"),
        ("scripts/lib", "", "leads out of the library"),
        ("content/other", "folder-with-a-name", "`content/other` leads out of the library"),
    ] {
        let scratch = Scratch::copy_of("saves", "links");
        let path = scratch.path().join(link);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(outside.path().join(target), &path).unwrap();
        let calls: [&[&str]; 5] = [
            &["list"],
            &["check", "--playouts", "1"],
            &["test"],
            &["mutate", "saves", "--sample", "1"],
            &["coverage", "saves", "--games", "1"],
        ];
        let mut told = String::new();
        for call in calls {
            told += &rulepack(scratch.path(), &[&["--library", "."], call].concat()).shown();
        }
        assert!(told.contains(expected), "{link}:\n{told}");
        assert!(!told.contains("secret of the system"), "{link}:\n{told}");
        assert!(!told.contains("folder-with-a-name"), "{link}:\n{told}");
    }
    let scratch = Scratch::new("content-link");
    symlink(outside.path(), scratch.path().join("content")).unwrap();
    let run = rulepack(scratch.path(), &["list"]);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("its folder `content` leads out of it"), "{}", run.shown());
    assert!(!run.shown().contains("folder-with-a-name"), "{}", run.shown());
}

#[cfg(unix)]
#[test]
fn a_pipe_a_device_or_a_folder_is_refused_and_nothing_waits_for_it() {
    for place in [
        "content/saves/.survivors.toml",
        "content/saves/more.toml",
        "content/saves/scenarios/pipe.toml",
        "content/other/pack.toml",
        "scripts/saves/pipe.lua",
    ] {
        let scratch = Scratch::copy_of("saves", "pipes");
        let path = scratch.path().join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        pipe(&path);
        let mut told = String::new();
        for call in [&["list"][..], &["check", "--playouts", "1"], &["test"], &["mutate", "saves", "--sample", "1"]] {
            told += &rulepack(scratch.path(), &[&["--library", "."], call].concat()).shown();
        }
        assert!(told.contains("is not a plain file"), "{place}:\n{told}");
    }
    let scratch = Scratch::copy_of("saves", "named-pipes");
    pipe(&scratch.path().join("pipe"));
    std::fs::create_dir(scratch.path().join("folder")).unwrap();
    for name in ["pipe", "folder", "/dev/zero"] {
        for call in [
            &["play", "saves", "--load", name][..],
            &["replay", name],
            &["check", "saves", "--baseline", name],
            &["mutate", "saves", "--survivors", name],
        ] {
            let run = rulepack(scratch.path(), call);
            assert_eq!(run.code, 2, "{}", run.shown());
            // All logs of a folder can be played again.
            let folder_of_logs = name == "folder" && call[0] == "replay";
            let says = if folder_of_logs { "there is no log in the folder" } else { "it is not a plain file" };
            assert!(run.stderr.contains(says), "{name}: {}", run.shown());
        }
    }
    let run = rulepack(scratch.path(), &["test", "pipe"]);
    assert_ne!(run.code, 0, "{}", run.shown());
}

#[cfg(unix)]
#[test]
fn a_file_that_the_caller_names_may_be_a_link_but_not_of_any_size() {
    let scratch = Scratch::copy_of("saves", "named-links");
    let outside = Scratch::outside("log");
    let log = outside.path().join("log.jsonl");
    let run = play(&scratch, &["--log", &log.to_string_lossy()], "");
    assert_eq!(run.code, 0, "{}", run.shown());
    std::os::unix::fs::symlink(&log, scratch.path().join("link")).unwrap();
    assert_eq!(rulepack(scratch.path(), &["replay", "link"]).code, 0);
    std::fs::OpenOptions::new().write(true).open(&log).unwrap().set_len(300 << 20).unwrap();
    let run = rulepack(scratch.path(), &["replay", "link"]);
    assert!(run.stderr.contains("it is larger than 64 MiB"), "{}", run.shown());
}

// ---- what somebody else wrote ----

#[test]
fn a_file_of_somebody_else_is_not_overwritten_without_force() {
    let scratch = Scratch::copy_of("saves", "foreign");
    let letter = "Dear aunt,\n";
    let calls: [(&str, &str, &[&str], &str); 4] = [
        ("letter", "log", &["play", "saves", "--players", "2", "--seed", "3", "--log", "letter"], ""),
        ("letter", "saved game", &["play", "saves", "--players", "2", "--bots", "none"], "s letter\n"),
        ("letter", "baseline", &["check", "saves", "--baseline", "letter", "--write-baseline"], ""),
        ("logs/game_000000.json", "log", &["sim", "saves", "--games", "1", "--log-dir", "logs"], ""),
    ];
    for (file, kind, call, input) in calls {
        scratch.write(file, letter.as_bytes());
        let run = rulepack_told(scratch.path(), call, input);
        assert_eq!(run.code, 2, "{}", run.shown());
        let expected =
            format!("error: `{file}` is there and is not a {kind} that rulepack wrote; `--force` overwrites it");
        assert!(run.stderr.contains(&expected), "{}", run.shown());
        assert_eq!(scratch.read(file), letter);
        // Whoever says so loses it; then it is ours and is overwritten without a word.
        for forced in [true, false] {
            let force: &[&str] = if forced { &["--force"] } else { &[] };
            let run = rulepack_told(scratch.path(), &[call, force].concat(), input);
            assert_ne!(run.code, 2, "{}", run.shown());
            assert!(!scratch.read(file).contains("aunt"), "{}", run.shown());
        }
        assert_eq!(
            names(&scratch, if file == "letter" { "." } else { "logs" })
                .iter()
                .filter(|name| name.ends_with(".new"))
                .count(),
            0
        );
    }
}

#[test]
fn a_kind_of_file_is_not_overwritten_by_another() {
    let scratch = Scratch::copy_of("saves", "kinds");
    let run = play(&scratch, &["--bots", "none"], "1\n1\ns game\n");
    assert!(run.stderr.contains("saved to `game`"), "{}", run.shown());
    let saved = scratch.read("game");
    let run = play(&scratch, &["--log", "game"], "");
    assert_eq!(run.code, 2, "{}", run.shown());
    assert_eq!(scratch.read("game"), saved);
    // An empty file has nothing to lose.
    scratch.write("empty", b"");
    let run = play(&scratch, &["--log", "empty"], "");
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(scratch.read("empty").contains("rulepack-log"));
}

#[cfg(unix)]
#[test]
fn only_plain_files_are_written() {
    let scratch = Scratch::copy_of("saves", "devices");
    for path in ["/dev/null", "."] {
        for force in [&[][..], &["--force"]] {
            let run = play(&scratch, &[&["--log", path], force].concat(), "");
            assert_eq!(run.code, 2, "{}", run.shown());
            assert!(run.stderr.contains("it is not a plain file"), "{}", run.shown());
        }
    }
}

// ---- a full disk ----

/// Runs a shell line with a disk of its own at `disk` below the folder; only root may do that.
#[cfg(target_os = "linux")]
fn with_small_disk(scratch: &Scratch, size: &str, line: &str) -> Option<Run> {
    let folder = scratch.path().to_string_lossy().into_owned();
    let mount = format!("cd '{folder}' && mkdir -p disk && mount -t tmpfs -o size={size} none disk || exit 99\n{line}");
    let output = Command::new("unshare")
        .args(["--mount", "--propagation", "private", "sh", "-c", &mount])
        .env("RULEPACK", env!("CARGO_BIN_EXE_rulepack"))
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    let run = Run { code: output.status.code()?, stdout: text(output.stdout), stderr: text(output.stderr) };
    if run.code == 99 || run.stderr.contains("unshare:") {
        eprintln!("no disk can be mounted here: {}", run.stderr);
        return None;
    }
    Some(run)
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing_and_the_game_goes_on() {
    let scratch = Scratch::copy_of("saves", "full");
    // The log fits, and then nothing more: a file of zeros takes the rest of the disk.
    let line = r#"
(echo 1; echo 's disk/saved'; sleep 0.5
 cat /dev/zero > disk/zeros 2>/dev/null
 echo 1; echo 1; echo 's disk/saved'; sleep 0.5; cp disk/saved kept; cp disk/log log_then
 rm disk/zeros; echo 1; sleep 0.5) | "$RULEPACK" play saves --players 2 --seed 3 --bots none --log disk/log
echo "exit $?"; cp disk/log log_after; ls -A disk"#;
    let Some(run) = with_small_disk(&scratch, "64k", line) else { return };
    let told = run.shown();
    assert!(told.contains("the game is not saved: `disk/saved` cannot be written: the disk is full"), "{told}");
    // A record of a few bytes may still fit into the last page of the log; the save does not.
    assert!(told.contains("the input ended before the game did"), "{told}");
    assert!(run.stdout.contains("exit 1"), "{told}");
    let kept = scratch.read("kept");
    rulepack_kernel::Save::from_json(&kept).expect("the old file is whole");
    let then = rulepack::GameLog::from_text(&scratch.read("log_then")).expect("the log is whole");
    assert!(!then.torn);
    let after = rulepack::GameLog::from_text(&scratch.read("log_after")).expect("the log is whole");
    assert_eq!((after.answers.len(), after.torn), (4, false), "{told}");
    assert!(!run.stdout.contains(".new"), "{told}");
}

// ---- closed pipes ----

/// The exit code of the program when nobody reads its result, or only the first line.
#[cfg(unix)]
fn piped(folder: &std::path::Path, arguments: &str, reader: &str) -> i32 {
    let line = format!("\"$RULEPACK\" {arguments} | {reader} >/dev/null; exit ${{PIPESTATUS[0]}}");
    let status = Command::new("bash")
        .args(["-c", &line])
        .current_dir(folder)
        .env("RULEPACK", env!("CARGO_BIN_EXE_rulepack"))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("bash runs");
    status.code().expect("it ends by itself")
}

#[cfg(unix)]
#[test]
fn what_is_wrong_is_wrong_though_nobody_reads_it() {
    let scratch = Scratch::copy_of("saves", "closed");
    scratch.write("content/saves/scenarios/wrong.toml", b"about = 'Nobody wins at once.'\n[then]\nover = true\n");
    scratch.write("content/bad/pack.toml", b"[pack]\nid = 'bad'\nversion = 'x'\n");
    for reader in ["true", "head -1"] {
        for (call, code) in [
            ("check", 1),
            ("check --format json", 1),
            ("check --format sarif", 1),
            ("check --format github", 1),
            ("check --baseline known.json --write-baseline", 1),
            ("test", 1),
            ("test --format json", 1),
            ("test --format junit", 1),
            ("list", 1),
            ("coverage saves --games 1", 1),
            ("mutate saves --sample 2 --floor 100", 1),
            ("sim saves --games 2 --max-turns 1", 1),
            ("explain", 0),
            ("play saves --seed 1", 0),
            ("sim saves --games 2", 0),
            ("check saves --playouts 1", 0),
        ] {
            assert_eq!(piped(scratch.path(), call, reader), code, "rulepack {call} | {reader}");
        }
    }
    assert_eq!(piped(&fixture("tiny"), "check tiny --playouts 1", "true"), 0);
}
