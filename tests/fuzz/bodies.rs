//! What the fuzzers do with their bytes. The same functions run in `cargo test` with a fixed number of seeds, and with every
//! input that is kept in `corpus/` (`tests/fuzzing.rs`).
//!
//! Whatever the bytes are, the engine must refuse or play, never panic, hang or use up the memory.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rulepack::scenario::{TestRequest, run_tests};
use rulepack::{
    Answer, GameBox, GameLog, Library, LinkRequest, Pending, RandomBot, ScriptHost, Session, check_invariants,
};

/// A body, by the name of its target.
pub type Body = fn(&[u8]);

/// All of them.
pub const BODIES: [(&str, Body); 7] = [
    ("expression", expression),
    ("pack", pack),
    ("script", script),
    ("scenario", scenario),
    ("save", save),
    ("log", log),
    ("answers", answers),
];

/// Longer inputs say nothing new.
const LONGEST: usize = 4096;

/// So many answers are given to a game that could be started.
const ANSWERS: usize = 24;

/// What is put into files, besides parts of themselves and bytes of the input.
const WORDS: [&str; 64] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "=",
    "..",
    "->",
    ";",
    ",",
    "\n",
    "-1",
    "0",
    "1",
    "99999999999",
    "true",
    "my ",
    " where ",
    "not ",
    "self.",
    "it.",
    "me",
    "end\n",
    "while true do end\n",
    "[mode.x.patch.",
    "[patch.",
    "adds = ",
    "extends = [\"x\"]\n",
    "choose 0..9 ",
    "\u{e9}",
    "count(",
    "sum(",
    "any(",
    "for each ",
    "repeat 9 { ",
    "gain ",
    "pay ",
    "move ",
    "draw ",
    "shuffle ",
    "raise ",
    "if ",
    "let n = ",
    "roll r of 6; ",
    "players",
    "hand",
    "deck",
    "ctx:",
    "ctx:raise(",
    "ctx:choose { from = ",
    "function(",
    "return ",
    "string.rep(",
    "pcall(",
    "setmetatable(",
    "for _ = 1, 9 do ",
    "..",
    "%b()",
    "1e300",
    "0/0",
    "\\u{0}",
];

/// The root of the repository: the fuzzers are built in a folder of their own.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let up = if here.ends_with("tests/fuzz") { here.join("../..") } else { here.to_path_buf() };
    up.canonicalize().expect("the repository is there")
}

/// Libraries of fixtures with how often each was used.
type Kept = BTreeMap<&'static str, (u32, Rc<Library>)>;

thread_local! {
    static LIBRARIES: RefCell<Kept> = RefCell::default();
    static SHIPPED: Vec<GameBox> = shipped();
    static NEST: GameBox = {
        let request = LinkRequest { pack: "nest".into(), ..LinkRequest::default() };
        fixture("nest").load(&request).expect("the fixture links")
    };
}

/// A library of fixtures, as its files are. It is read once in a while: texts that were changed stay in its memory.
fn fixture(name: &'static str) -> Rc<Library> {
    let open = || {
        let library = Library::open(&[root().join("tests/fixtures").join(name)]).expect("the fixture is there");
        library.hold();
        Rc::new(library)
    };
    LIBRARIES.with_borrow_mut(|kept| {
        let (uses, library) = kept.entry(name).or_insert_with(|| (0, open()));
        *uses += 1;
        if *uses > 500 {
            (*uses, *library) = (0, open());
        }
        library.restore();
        Rc::clone(library)
    })
}

/// Every shipped game.
fn shipped() -> Vec<GameBox> {
    let library = Library::open(&[root()]).expect("the library is there");
    let games = library.list().into_iter().map(|pack| pack.id).filter(|id| library.has_game(id));
    let request = |pack| LinkRequest { pack, ..LinkRequest::default() };
    games.map(|pack| library.load(&request(pack)).expect("a shipped pack links")).collect()
}

/// Takes numbers from the input; nothing is left at its end.
struct Input<'i>(&'i [u8]);

impl Input<'_> {
    fn byte(&mut self) -> Option<usize> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(usize::from(*first))
    }

    fn below(&mut self, limit: usize) -> Option<usize> {
        let wide = self.byte()? << 8 | self.byte()?;
        Some((wide * limit.max(1)) >> 16)
    }
}

/// A text with changes that the bytes ask for.
pub fn damaged(text: &str, bytes: &[u8]) -> String {
    changed(text, &mut Input(bytes))
}

/// A text with a few changes that the input asks for: letters taken out, doubled, moved, and words put in.
fn changed(text: &str, input: &mut Input<'_>) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..6 {
        let (Some(kind), Some(at), Some(length)) = (input.byte(), input.below(letters.len()), input.byte()) else {
            break;
        };
        let at = at.min(letters.len());
        let end = (at + length % 24).min(letters.len());
        match kind % 5 {
            0 => drop(letters.drain(at..end)),
            1 => {
                let piece: Vec<char> = letters[at..end].to_vec();
                let Some(to) = input.below(letters.len()) else { break };
                letters.splice(to..to, piece);
            }
            2 | 3 => {
                let Some(word) = input.below(WORDS.len()) else { break };
                let over = if kind % 5 == 2 { at } else { end };
                letters.splice(at..over, WORDS[word].chars());
            }
            _ => {
                let take = input.0.len().min(length % 24);
                let (raw, rest) = input.0.split_at(take);
                input.0 = rest;
                letters.splice(at..at, String::from_utf8_lossy(raw).chars());
            }
        }
    }
    letters.into_iter().take(4 * LONGEST).collect()
}

/// Links a pack of a library that may have been changed, and plays a little if that is possible.
fn link_and_play(library: &Library, pack: &str, input: &mut Input<'_>) {
    let request = LinkRequest { pack: pack.into(), ..LinkRequest::default() };
    let Ok(game_box) = library.load(&request) else { return };
    let Ok(host) = game_box.host() else { return };
    play(&game_box, &host, input);
}

fn play(game_box: &GameBox, host: &ScriptHost, input: &mut Input<'_>) {
    let Ok(mut game) = game_box.start(host, 1) else { return };
    let mut bot = RandomBot::new(1);
    for _ in 0..ANSWERS {
        let Pending::Decision(decision) = game.pending() else { break };
        let answer = match input.byte() {
            Some(number) => Answer((number % decision.options.len()) as u16),
            None => bot.choose(game_box.rules(), decision),
        };
        if game.answer(host, answer).is_err() {
            break;
        }
        if let Err(what) = check_invariants(game.rules(), game.state()) {
            panic!("{what}");
        }
    }
    game.abandon(host);
}

/// The bytes as the effect, the cost and the condition of an action.
pub fn expression(data: &[u8]) {
    let text = String::from_utf8_lossy(&data[..data.len().min(LONGEST)]).replace("'''", "");
    let library = fixture("tiny");
    let path = "content/tiny/pack.toml";
    let before = std::fs::read_to_string(root().join("tests/fixtures/tiny").join(path)).expect("the fixture is there");
    for key in ["effect", "cost", "requires", "param.x"] {
        library.restore();
        library.edit(path, format!("{before}\n[action.fuzz]\n{key} = '''\n{text}'''\n"));
        link_and_play(&library, "tiny", &mut Input(&[]));
    }
}

/// A pack with changes in one of its files.
pub fn pack(data: &[u8]) {
    let mut input = Input(&data[..data.len().min(LONGEST)]);
    let all = [
        ("stock", "stock", "content/stock/table.toml"),
        ("stock", "stock", "content/stock/pieces.toml"),
        ("stock", "stock", "content/stock/actions.toml"),
        ("stock", "stock", "content/stock/pack.toml"),
        ("nest", "nest", "content/nest/pack.toml"),
        ("saves", "saves", "content/saves/pack.toml"),
        ("loops", "rings", "content/rings/pack.toml"),
        ("tiny", "tiny", "content/tiny/pack.toml"),
    ];
    let Some(which) = input.byte() else { return };
    change_and_play(all[which % all.len()], &mut input);
}

/// A script with changes.
pub fn script(data: &[u8]) {
    let mut input = Input(&data[..data.len().min(LONGEST)]);
    let all = [
        ("nest", "nest", "scripts/nest/plots.lua"),
        ("stock", "stock", "scripts/stock/tricks.lua"),
        ("tiny", "tiny", "scripts/tiny/stalls.lua"),
        ("saves", "saves", "scripts/saves/dice.lua"),
    ];
    let Some(which) = input.byte() else { return };
    change_and_play(all[which % all.len()], &mut input);
}

fn change_and_play((name, pack, path): (&'static str, &str, &str), input: &mut Input<'_>) {
    let library = fixture(name);
    let before = std::fs::read_to_string(root().join("tests/fixtures").join(name).join(path)).expect("it is there");
    library.edit(path, changed(&before, input));
    link_and_play(&library, pack, input);
}

/// A scenario with changes, in a folder of its own.
pub fn scenario(data: &[u8]) {
    let mut input = Input(&data[..data.len().min(LONGEST)]);
    let library = fixture("stock");
    let scenarios = root().join("tests/fixtures/stock/content/stock/scenarios");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(scenarios).expect("it is there").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let Some(which) = input.byte() else { return };
    let before = std::fs::read_to_string(&paths[which % paths.len()]).expect("it is a text");
    let text = format!("pack = \"stock\"\n{}", changed(&before, &mut input));
    let folder = std::env::temp_dir().join(format!("rulepack-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let file = folder.join(format!("{:?}.toml", std::thread::current().id()));
    std::fs::write(&file, text).expect("it can be written");
    let targets = vec![file.to_string_lossy().into_owned()];
    let _ = run_tests(&library, &TestRequest { targets, ..TestRequest::default() });
    let _ = std::fs::remove_file(file);
}

/// A game in the middle of a script with many questions.
fn half_way(game_box: &GameBox) -> Session {
    let mut session = Session::start(game_box, 7).expect("the game starts");
    let mut bot = RandomBot::new(7);
    for _ in 0..9 {
        let Some(decision) = session.decision() else { break };
        let answer = bot.choose(session.game().rules(), decision);
        session.answer(answer).expect("a listed answer is taken");
    }
    session
}

/// A saved game with changes.
pub fn save(data: &[u8]) {
    let mut input = Input(&data[..data.len().min(LONGEST)]);
    NEST.with(|game_box| load_and_play(game_box, &changed(&half_way(game_box).save(), &mut input)));
}

fn load_and_play(game_box: &GameBox, text: &str) {
    let Ok(mut session) = Session::load(game_box, text) else { return };
    let mut bot = RandomBot::new(3);
    for _ in 0..ANSWERS {
        let Some(decision) = session.decision() else { break };
        let answer = bot.choose(session.game().rules(), decision);
        if session.answer(answer).is_err() {
            break;
        }
    }
}

/// A log with changes.
pub fn log(data: &[u8]) {
    let mut input = Input(&data[..data.len().min(LONGEST)]);
    NEST.with(|game_box| {
        let text = changed(&half_way(game_box).log().to_text(), &mut input);
        let Ok(log) = GameLog::from_text(&text) else { return };
        let Ok(host) = game_box.host() else { return };
        let _ = log.grade(game_box, &host, None, |_, _, _, _| {});
    });
}

/// Answers to a shipped game, listed and not: what is not listed is refused and changes nothing.
pub fn answers(data: &[u8]) {
    let mut input = Input(&data[..data.len().min(LONGEST)]);
    let Some(which) = input.byte() else { return };
    SHIPPED.with(|games| answer_all(&games[which % games.len()], &mut input));
}

fn answer_all(game_box: &GameBox, input: &mut Input<'_>) {
    let host = game_box.host().expect("its scripts are right");
    let seed = input.byte().unwrap_or(0) as u64;
    let mut game = game_box.start(&host, seed).expect("a shipped game starts");
    while let (Pending::Decision(decision), Some(number)) = (game.pending(), input.byte()) {
        let count = decision.options.len();
        // One answer in sixteen is not listed.
        let answer = if number % 16 == 15 { count + number } else { number % count };
        let before = game.hash();
        match game.answer(&host, Answer(answer as u16)) {
            Ok(_) => assert!(answer < count, "an answer that is not listed was taken"),
            Err(error) => {
                assert!(answer >= count, "a listed answer was refused: {error}");
                assert_eq!(game.hash(), before, "a refused answer changed the game");
            }
        }
        if let Err(what) = check_invariants(game.rules(), game.state()) {
            panic!("{what}");
        }
    }
    game.abandon(&host);
}
