//! `play --watch` on a full screen, in a pseudo-terminal: a number is edited, a line of a script, a file is broken and mended.

use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::support::Scratch;

const ROWS: NonZero<u16> = NonZero::new(30).expect("it is not 0");
const COLUMNS: NonZero<u16> = NonZero::new(100).expect("it is not 0");

/// Nothing on a screen takes nearly as long.
const LONGEST: Duration = Duration::from_secs(60);

/// Runs a program in a pseudo-terminal of 30 lines with 100 columns, and passes on what is typed and what it prints.
const TERMINAL: &str = r#"
import fcntl, os, pty, select, signal, struct, sys, termios, time
child, screen = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 100, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
typed = [0]
while True:
    ready, _, _ = select.select([screen] + typed, [], [])
    if screen in ready:
        try:
            data = os.read(screen, 65536)
        except OSError:
            break
        if not data:
            break
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    if 0 in ready:
        data = os.read(0, 4096)
        if not data:
            typed = []
        elif b'\x00' in data:
            os.kill(child, signal.SIGTERM)
        elif b'\x01' in data:
            os.close(screen)
            break
        else:
            os.write(screen, data)
ends, status = time.time() + 20, None
while status is None:
    done, found = os.waitpid(child, os.WNOHANG)
    if done:
        status = found
    elif time.time() > ends:
        os.kill(child, signal.SIGKILL)
    else:
        time.sleep(0.02)
sys.stderr.write('exit %d' % os.waitstatus_to_exitcode(status))
"#;

/// A program on a screen.
struct Screen {
    program: Child,
    keys: Option<ChildStdin>,
    screen: Arc<Mutex<vt100::Parser>>,
    reader: Option<std::thread::JoinHandle<()>>,
}

impl Screen {
    fn run(scratch: &Scratch, arguments: &[&str]) -> Screen {
        let mut program = Command::new("python3")
            .args(["-c", TERMINAL, env!("CARGO_BIN_EXE_rulepack")])
            .args(arguments)
            .current_dir(scratch.path())
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env("XDG_STATE_HOME", scratch.path().join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("python3 runs");
        let screen = Arc::new(Mutex::new(vt100::Parser::new(ROWS, COLUMNS, 0)));
        let mut output = program.stdout.take().expect("it is piped");
        let drawn = Arc::clone(&screen);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                drawn.lock().expect("nothing fails while it is held").process(&bytes[..count]);
            }
        });
        let keys = program.stdin.take();
        Screen { program, keys, screen, reader: Some(reader) }
    }

    fn shows(&self) -> String {
        self.screen.lock().expect("nothing fails while it is held").screen().contents()
    }

    /// Waits until the screen is as it should be, and gives it.
    #[track_caller]
    fn until(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let shown = self.shows();
            if is_so(&shown) {
                return shown;
            }
            assert!(began.elapsed() < LONGEST, "{what} is not on the screen:\n{shown}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[track_caller]
    fn shows_soon(&self, text: &str) -> String {
        self.until(text, |shown| shown.contains(text))
    }

    fn press(&mut self, keys: &str) {
        let typed = self.keys.as_mut().expect("the program runs");
        typed.write_all(keys.as_bytes()).and_then(|()| typed.flush()).expect("the terminal takes keys");
    }

    /// What stays on the terminal after the program has ended, with its exit code.
    fn ends(mut self) -> (String, String) {
        let mut exit = String::new();
        let mut errors = self.program.stderr.take().expect("it is piped");
        errors.read_to_string(&mut exit).expect("it is text");
        self.reader.take().expect("it was not awaited before").join().expect("it reads to the end");
        self.program.wait().expect("it is ours");
        (self.shows(), exit)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        drop(self.keys.take());
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

const PACK: &str = "content/tiny/pack.toml";
const SCRIPT: &str = "scripts/tiny/stalls.lua";

fn read(scratch: &Scratch, file: &str) -> String {
    std::fs::read_to_string(scratch.path().join(file)).expect("the file is there")
}

#[track_caller]
fn replace(scratch: &Scratch, file: &str, old: &str, new: &str) {
    let text = read(scratch, file);
    assert!(text.contains(old), "{file} does not contain {old}");
    scratch.write(file, text.replacen(old, new, 1).as_bytes());
}

#[test]
fn a_game_goes_on_while_its_pack_is_edited() {
    let scratch = Scratch::copy_of("tiny", "watch-full");
    let call = ["play", "tiny", "--players", "2", "--bots", "2=random", "--seed", "7", "--watch"];
    let mut screen = Screen::run(&scratch, &call);
    let before = screen.shows_soon("Player 1: ");
    let supply = |shown: &str| shown.lines().find(|line| line.contains("[coin ")).map(str::to_string);
    assert!(supply(&before).is_some_and(|line| line.contains("coin 26")), "{before}");
    assert!(before.contains("▸"), "an option is selected:\n{before}");

    // A number.
    replace(&scratch, PACK, "supply = 30", "supply = 41");
    let told = screen.shows_soon("the game goes on");
    assert!(told.contains("`resource.coin`"), "{told}");
    screen.press(" ");
    screen.until("the table", |shown| !shown.contains("the game goes on") && shown.contains("coin 37"));

    // A line of a script.
    let script = read(&scratch, SCRIPT);
    let line = script.lines().find(|line| line.contains("ctx:gain")).expect("the script gives something");
    replace(&scratch, SCRIPT, line, &format!("{line}\n  ctx:gain(\"coin\", 1)"));
    let told = screen.shows_soon("the game goes on");
    assert!(told.contains("stalls"), "{told}");
    screen.press(" ");
    screen.until("the table", |shown| !shown.contains("the game goes on") && shown.contains("coin 37"));

    // A broken file: its mistake is shown, and the game is as it was.
    replace(&scratch, PACK, "[stall.inn]", "[stall.inn");
    let told = screen.until("the mistake", |shown| shown.contains("pack.toml") && shown.contains("error"));
    assert!(told.contains("[stall.inn"), "{told}");
    screen.press(" ");
    screen.until("the table", |shown| !shown.contains("pack.toml") && shown.contains("coin 37"));

    // It is mended, and has one card more.
    let more = "[stall.abbey]\ntitle = \"Abbey\"\ncost = \"1 rope\"\nopening = \"gain 1 coin\"\n\n[stall.inn]";
    replace(&scratch, PACK, "[stall.inn\n", &format!("{more}\n"));
    let told = screen.shows_soon("the game goes on from its table");
    assert!(told.contains("3 `abbey`"), "{told}");
    screen.press(" ");
    screen.shows_soon("coin 37");

    // The program leaves the terminal as it was.
    screen.press("Q");
    let (left, exit) = screen.ends();
    assert_eq!(exit, "exit 0");
    assert!(!left.contains("▸"), "{left}");
}

#[test]
fn a_signal_leaves_the_terminal_and_the_game() {
    let scratch = Scratch::copy_of("tiny", "watch-signal");
    let call = ["play", "tiny", "--players", "2", "--bots", "2=random", "--seed", "7"];
    let mut screen = Screen::run(&scratch, &call);
    screen.shows_soon("▸");
    screen.press("\r");
    screen.shows_soon("takes a turn");
    // The relay turns it into the signal that `kill` sends.
    screen.press("\0");
    let (left, exit) = screen.ends();
    assert_eq!(exit, "exit 0");
    assert!(!left.contains("▸"), "{left}");
    assert!(left.contains("rulepack play tiny"), "the game is kept: {left}");
}

#[test]
fn a_terminal_that_is_closed_ends_the_program_and_keeps_the_game() {
    let scratch = Scratch::copy_of("tiny", "watch-closed");
    let call = ["play", "tiny", "--players", "2", "--bots", "2=random", "--seed", "7", "--log", "log.jsonl"];
    let mut screen = Screen::run(&scratch, &call);
    screen.shows_soon("▸");
    screen.press("\r");
    screen.shows_soon("takes a turn");
    // The relay closes its end of the pseudo-terminal, and kills the program if it goes on for 20 seconds.
    screen.press("\u{1}");
    assert_eq!(screen.ends().1, "exit 0");
    let log = read(&scratch, "log.jsonl");
    assert!(rulepack::GameLog::from_text(&log).is_ok_and(|log| !log.answers.is_empty()), "{log}");
}

#[test]
fn lines_go_on_while_a_pack_is_edited() {
    let scratch = Scratch::copy_of("tiny", "watch-plain");
    let call = ["play", "tiny", "--players", "2", "--bots", "2=random", "--seed", "7", "--watch", "--plain"];
    let mut screen = Screen::run(&scratch, &call);
    screen.shows_soon("> ");
    replace(&scratch, PACK, "supply = 30", "supply = 41");
    screen.shows_soon("coin 37");
    replace(&scratch, PACK, "[stall.inn]", "[stall.inn");
    screen.shows_soon("pack.toml");
    replace(&scratch, PACK, "[stall.inn", "[stall.inn]");
    screen.press("t\n");
    screen.shows_soon("coin 37");
    screen.press("q\n");
    assert_eq!(screen.ends().1, "exit 0");
}
