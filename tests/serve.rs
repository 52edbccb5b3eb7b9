//! `rulepack serve --stdio`: whole games from another language, the schema of all that is said, and all that is refused.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use rulepack::serve::{LONGEST_LINE, METHODS, Server, read_line};
use rulepack::{Limits, RandomBot, TableView};
use serde_json::{Value, json};

use crate::support::{fixture, rulepack, rulepack_told};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Plays a shipped pack from Python, to the end.
#[track_caller]
fn python_plays(pack: &str) {
    let run = Command::new("python3")
        .arg(root().join("tests/serve/play.py"))
        .arg(env!("CARGO_BIN_EXE_rulepack"))
        .args([root(), Path::new(pack)])
        .output()
        .expect("python3 is there");
    let (told, wrong) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{pack}: {told}\n{wrong}");
    assert!(told.contains(&format!("{pack}: ")) && told.contains(" won by player_"), "{told}");
}

macro_rules! played {
    ($($test:ident $pack:literal)*) => {
        $(
            #[test]
            fn $test() {
                python_plays($pack);
            }
        )*

        /// Each pack that can be played has its test.
        #[test]
        fn no_pack_is_left_out() {
            let library = ::rulepack::Library::open(&[root()]).expect("the packs are there");
            let all: BTreeSet<String> =
                library.list().into_iter().map(|info| info.id).filter(|id| library.has_game(id)).collect();
            let tested: BTreeSet<String> = [$($pack),*].map(str::to_string).into();
            assert_eq!(all, tested);
        }
    };
}

played! {
    python_plays_settlement "settlement"
    python_plays_skara_brae "skara-brae"
    python_plays_catan_duel "catan-duel"
    python_plays_catan_duel_gold "catan-duel-gold"
    python_plays_catan_duel_war "catan-duel-war"
    python_plays_catan_duel_progress "catan-duel-progress"
    python_plays_catan_duel_princes "catan-duel-princes"
    python_plays_colons_de_catane "colons-de-catane"
    python_plays_goofspiel "goofspiel"
    python_plays_reversi "reversi"
    python_plays_hex "hex"
    python_plays_nine_mens_morris "nine-mens-morris"
    python_plays_draughts "draughts"
    python_plays_hearts "hearts"
    python_plays_liars_dice "liars-dice"
    python_plays_night_garden "night-garden"
    python_plays_night_garden_pond "night-garden-pond"
}

/// A server of which every request and reply is looked up in the schema.
struct Checked {
    server: Server,
    schemas: boon::Schemas,
    schema: Value,
    requests: Vec<(&'static str, boon::SchemaIndex, boon::SchemaIndex)>,
    failure: boon::SchemaIndex,
    methods: BTreeSet<String>,
    codes: BTreeSet<String>,
}

impl Checked {
    fn new(pack: &str) -> Checked {
        let text = std::fs::read_to_string(root().join("docs/serve.schema.json")).expect("the schema is there");
        let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
        let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
        compiler.add_resource("serve.json", schema.clone()).expect("the schema can be used");
        let mut part = |name: &str| {
            let place = format!("serve.json#/$defs/{name}");
            compiler.compile(&place, &mut schemas).unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        let requests =
            METHODS.map(|method| (method, part(&format!("request_{method}")), part(&format!("reply_{method}")))).into();
        let failure = part("error");
        let server = Server::new(vec![fixture(pack)], Limits::default(), || 5);
        Checked { server, schemas, schema, requests, failure, methods: BTreeSet::new(), codes: BTreeSet::new() }
    }

    /// Asks what is right by the schema.
    #[track_caller]
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let (_, request, reply) = *self.requests.iter().find(|(name, ..)| *name == method).expect("there is a schema");
        let asked = json!({ "id": "x", "method": method, "params": params });
        self.schemas.validate(&asked, request).unwrap_or_else(|error| panic!("{asked}: {error}"));
        let told = self.server.reply(asked.to_string().as_bytes());
        let told: Value = serde_json::from_str(&told).expect("a reply is JSON");
        self.schemas.validate(&told, reply).unwrap_or_else(|error| panic!("{told:#}\n{error}"));
        assert_eq!(told["id"], "x");
        self.methods.insert(method.to_string());
        match told.get("result") {
            Some(result) => Ok(result.clone()),
            None => Err(self.code(&told)),
        }
    }

    /// Says anything at all, which must be refused.
    #[track_caller]
    fn refuses(&mut self, line: &[u8]) -> (Value, String) {
        let told: Value = serde_json::from_str(&self.server.reply(line)).expect("a reply is JSON");
        self.schemas.validate(&told, self.failure).unwrap_or_else(|error| panic!("{told:#}\n{error}"));
        (told["id"].clone(), self.code(&told))
    }

    fn code(&mut self, told: &Value) -> String {
        let code = told["error"]["code"].as_str().expect("an error has a code").to_string();
        self.codes.insert(code.clone());
        code
    }

    /// Plays a table by chance until the game is over or has had so many answers, and looks at all of it.
    #[track_caller]
    fn plays(&mut self, table: u64, most: u64) {
        let mut bot = rulepack::StableHasher::new();
        for answers in 0..most {
            let view = self.ask("view", json!({ "table": table, "as": "public" })).expect("the public may look");
            let same: TableView = serde_json::from_value(view.clone()).expect("a view can be read back");
            assert_eq!(serde_json::to_value(same).expect("a view is plain data"), view);
            let Some(seat) = view["asked"][0]["player"].as_str().map(str::to_string) else { return };
            let own = self.ask("view", json!({ "table": table, "as": seat })).expect("the seat may look");
            assert_eq!(own["viewer"], seat);
            let asked = self.ask("questions", json!({ "table": table, "as": seat })).expect("the seat is asked");
            let question = &asked["questions"][0];
            let options = question["options"].as_array().expect("there are options").len() as u64;
            std::hash::Hasher::write_u64(&mut bot, answers);
            let index = std::hash::Hasher::finish(&bot) % options;
            let revision = &question["revision"];
            let call = json!({ "table": table, "as": seat, "revision": revision, "index": index });
            self.ask("answer", call).expect("the answer is listed");
            self.ask("log", json!({ "table": table, "as": "public", "since": answers })).expect("the public is told");
        }
    }
}

/// The schema is what is said: all methods, all codes, several games.
#[test]
fn all_that_is_said_is_in_the_schema() {
    let mut codes = BTreeSet::new();
    let mut methods = BTreeSet::new();
    let mut schema = Value::Null;
    for pack in ["tiny", "nest", "secrets", "shuffled", "stock"] {
        let mut said = Checked::new(pack);
        said.ask("hello", json!({})).unwrap_or_else(|code| panic!("{code}"));
        let packs = said.ask("packs", json!({})).expect("there is a list");
        assert_eq!(packs["packs"][0]["id"], pack);
        let opened = said.ask("open", json!({ "pack": pack, "players": 2, "seed": 3, "language": "en" })).expect(pack);
        let table = opened["table"].as_u64().expect("a number");
        said.plays(table, 40);
        let undone =
            said.ask("undo", json!({ "table": table, "answers": 2, "also_reveals": true })).expect("two answers");
        assert_eq!(undone["undone"], 1);
        let seat = said.ask("view", json!({ "table": table, "as": "public" })).expect("the public may look");
        let seat = seat["asked"][0]["player"].clone();
        for what in ["", "work", "take inn", "nothing at all"] {
            said.ask("why_not", json!({ "table": table, "as": seat, "what": what })).expect("a reason");
        }
        said.ask("why_not", json!({ "table": table, "as": seat, "about": "player:1" })).expect("a reason");
        for bot in ["random", "greedy", "mcts:8"] {
            let call = json!({ "table": table, "as": seat, "bot": bot, "seed": 3 });
            let thinks = said.ask("think", call.clone()).expect("it is asked");
            assert_eq!(said.ask("think", call).expect("nothing was answered"), thinks);
        }
        let bad = json!({ "table": table, "as": seat, "bot": "gready" });
        assert_eq!(said.ask("think", bad).unwrap_err(), "bad-params");
        let text = said.ask("save", json!({ "table": table })).expect("a text")["text"].clone();
        let loaded = said.ask("load", json!({ "text": text })).expect("it was saved");
        assert_eq!(loaded["answers"], undone["answers"]);
        said.ask("fork", json!({ "table": loaded["table"] })).expect("it is there");
        said.ask("take_back", json!({ "table": table, "as": "player_1" })).expect_err("all are told of every answer");
        said.ask("close", json!({ "table": table })).expect("it is open");
        said.ask("view", json!({ "table": table, "as": "public" })).expect_err("it is closed");
        methods.append(&mut said.methods);
        codes.append(&mut said.codes);
        schema = said.schema;
    }
    assert_eq!(methods.into_iter().collect::<Vec<_>>(), {
        let mut all = METHODS.map(str::to_string).to_vec();
        all.sort();
        all
    });
    codes.append(&mut every_refusal());
    let known = schema["$defs"]["failure"]["properties"]["code"]["enum"].as_array().expect("a list");
    let known: BTreeSet<String> = known.iter().map(|code| code.as_str().expect("a name").to_string()).collect();
    assert_eq!(codes, known, "each code of the schema can be met, and no other");
}

/// What is refused to players who choose at the same time. Gives the codes.
fn refused_while_all_choose() -> BTreeSet<String> {
    let mut parlour = Checked::new("together");
    let table = parlour.ask("open", json!({ "pack": "parlour", "players": 3, "seed": 1 })).expect("it is there");
    let table = table["table"].clone();
    let seat = json!({ "table": table, "as": "player_2" });
    let before = (parlour.ask("questions", seat.clone()), parlour.ask("save", json!({ "table": table })));
    let first = json!({ "table": table, "as": "player_2", "revision": 1, "index": 0 });
    let told = parlour.ask("answer", first.clone()).expect("all are asked");
    assert_eq!((told["answers"].clone(), told["entries"].clone()), (json!(0), json!([])));
    assert_eq!(parlour.ask("answer", first).unwrap_err(), "stale-revision");
    parlour.ask("take_back", seat.clone()).expect("nobody has seen it");
    let after = parlour.ask("questions", seat.clone()).expect("it is asked again");
    assert_eq!(after["questions"][0]["options"], before.0.expect("it is asked")["questions"][0]["options"]);
    assert_eq!(parlour.ask("save", json!({ "table": table })), before.1);
    assert_eq!(parlour.ask("take_back", seat).unwrap_err(), "nothing-to-take-back");
    parlour.codes
}

/// Everything that can be refused is, and changes nothing. Gives the codes.
fn every_refusal() -> BTreeSet<String> {
    let mut said = Checked::new("tiny");
    let open = json!({ "pack": "tiny", "players": 2, "seed": 3 });
    let table = said.ask("open", open.clone()).expect("it is there")["table"].as_u64().expect("a number");
    let view = json!({ "table": table, "as": "player_1" });
    let before = (said.ask("view", view.clone()), said.ask("save", json!({ "table": table })));
    let question = said.ask("questions", view.clone()).expect("the first player is asked")["questions"][0].clone();
    let now = question["revision"].as_u64().expect("a number");
    let options = question["options"].as_array().expect("a list").len();
    let answer = |said: &mut Checked, seat: &str, revision: u64, index: usize| {
        said.ask("answer", json!({ "table": table, "as": seat, "revision": revision, "index": index })).unwrap_err()
    };
    assert_eq!(answer(&mut said, "player_2", now, 0), "not-asked");
    assert_eq!(answer(&mut said, "player_3", now, 0), "unknown-player");
    assert_eq!(answer(&mut said, "player_0", now, 0), "unknown-player");
    assert_eq!(answer(&mut said, "player_1", now - 1, 0), "stale-revision");
    assert_eq!(answer(&mut said, "player_1", now + 1, 0), "stale-revision");
    assert_eq!(answer(&mut said, "player_1", now, options), "out-of-range");
    assert_eq!(answer(&mut said, "player_1", now, usize::from(u16::MAX) + 1), "out-of-range");
    assert_eq!(said.ask("undo", json!({ "table": table, "answers": 1 })).unwrap_err(), "too-few-answers");
    assert_eq!(said.ask("take_back", view.clone()).unwrap_err(), "nothing-to-take-back");
    assert_eq!(said.ask("view", json!({ "table": table + 1, "as": "public" })).unwrap_err(), "unknown-table");
    assert_eq!(said.ask("open", json!({ "pack": "tinny" })).unwrap_err(), "unknown-pack");
    assert_eq!(said.ask("open", json!({ "pack": "tiny", "players": 9 })).unwrap_err(), "bad-pack");
    let nowhere = json!({ "pack": "tiny", "libraries": ["/there/is/no/such/folder"] });
    assert_eq!(said.ask("open", nowhere).unwrap_err(), "bad-library");
    let unseen = json!({ "table": table, "as": "player_1", "about": "piece:999" });
    assert_eq!(said.ask("why_not", unseen).unwrap_err(), "unknown-handle");
    let save = said.ask("save", json!({ "table": table })).expect("a text")["text"].as_str().expect("text").to_string();
    for text in ["", "{}", "null", &save[..save.len() / 2], &save.replace("\"version\"", "\"wersion\"")] {
        assert_eq!(said.ask("load", json!({ "text": text })).unwrap_err(), "bad-save", "{text}");
    }
    let lines: [(&str, &str); 26] = [
        ("", "not-json"),
        ("garbage", "not-json"),
        ("{\"id\": 1, \"method\": \"hello\"", "not-json"),
        ("{\"id\": 1} {\"id\": 2}", "not-json"),
        ("null", "bad-request"),
        ("[1, \"hello\"]", "bad-request"),
        ("{\"id\": 1, \"method\": \"view\", \"params\": [1, \"public\"]}", "bad-params"),
        ("[]", "bad-request"),
        ("17", "bad-request"),
        ("\"hello\"", "bad-request"),
        ("{}", "bad-request"),
        ("{\"id\": 1}", "bad-request"),
        ("{\"method\": \"hello\"}", "bad-request"),
        ("{\"id\": [], \"method\": \"hello\"}", "bad-request"),
        ("{\"id\": 1, \"method\": 2}", "bad-request"),
        ("{\"id\": 1, \"method\": \"hello\", \"more\": 3}", "bad-request"),
        ("{\"id\": 1, \"id\": 2, \"method\": \"hello\"}", "bad-request"),
        ("{\"id\": 1, \"method\": \"halo\"}", "unknown-method"),
        ("{\"id\": 1, \"method\": \"\"}", "unknown-method"),
        ("{\"id\": 1, \"method\": \"open\"}", "bad-params"),
        ("{\"id\": 1, \"method\": \"open\", \"params\": {\"pack\": 5}}", "bad-params"),
        ("{\"id\": 1, \"method\": \"open\", \"params\": {\"pack\": \"tiny\", \"player\": 2}}", "bad-params"),
        ("{\"id\": 1, \"method\": \"view\", \"params\": {\"table\": -1, \"as\": \"public\"}}", "bad-params"),
        ("{\"id\": 1, \"method\": \"view\", \"params\": {\"table\": 1e99, \"as\": \"public\"}}", "bad-params"),
        ("{\"id\": 1, \"method\": \"answer\", \"params\": {\"table\": 1, \"as\": \"player_1\"}}", "bad-params"),
        ("{\"id\": 1, \"method\": \"view\", \"params\": {\"table\": 1, \"as\": \"all\"}}", "unknown-player"),
    ];
    for (line, code) in lines {
        assert_eq!(said.refuses(line.as_bytes()).1, code, "{line}");
    }
    let deep = format!("{{\"id\": 1, \"method\": \"hello\", \"params\": {}", "[".repeat(100_000));
    assert_eq!(said.refuses(deep.as_bytes()).1, "not-json");
    assert_eq!(said.refuses(b"\xff\xfe{}").1, "not-json");
    assert_eq!(said.refuses(&vec![b' '; LONGEST_LINE + 1]).1, "too-long");
    // The id comes back as far as there is one.
    assert_eq!(said.refuses(b"{\"id\": \"mine\", \"more\": 1, \"method\": \"hello\"}").0, "mine");
    assert_eq!((said.ask("view", view), said.ask("save", json!({ "table": table }))), before, "nothing has changed");
    // What was learnt is not taken back without a word.
    let mut revealed = false;
    for _ in 0..200 {
        let asked =
            said.ask("view", json!({ "table": table, "as": "public" })).expect("it is open")["asked"][0].clone();
        let Some(seat) = asked["player"].as_str() else { break };
        let call = json!({ "table": table, "as": seat, "revision": asked["revision"], "index": 0 });
        said.ask("answer", call).expect("there is a first option");
        revealed = revealed || said.ask("undo", json!({ "table": table, "answers": 1 })) == Err("revealed".to_string());
    }
    assert!(revealed, "somebody draws a card on the way");
    said.plays(table, 2_000);
    let over = json!({ "table": table, "as": "player_1", "revision": 1, "index": 0 });
    assert_eq!(said.ask("answer", over).unwrap_err(), "game-over");
    let mut full = 0;
    while said.ask("fork", json!({ "table": table })) != Err("too-many-tables".to_string()) {
        full += 1;
        assert!(full < 2_000, "there is a limit");
    }
    said.codes.append(&mut refused_while_all_choose());
    let mut faulty = Checked::new("faulty");
    let table = faulty.ask("open", json!({ "pack": "faulty", "seed": 1 })).expect("it is there")["table"].clone();
    let asked = faulty.ask("questions", json!({ "table": table, "as": "player_1" })).expect("it plays");
    let question = &asked["questions"][0];
    let trap = question["options"].as_array().expect("a list").iter().position(|option| option["ids"][0] == "spring");
    let call = json!({ "table": table, "as": "player_1", "revision": question["revision"], "index": trap.expect("it is offered") });
    let saved = faulty.ask("save", json!({ "table": table }));
    assert_eq!(faulty.ask("answer", call).unwrap_err(), "pack-failed");
    assert_eq!(faulty.ask("save", json!({ "table": table })), saved);
    said.codes.append(&mut faulty.codes);
    said.codes
}

/// Long lines are not kept in memory, and what follows is read.
#[test]
fn a_line_that_is_too_long_is_skipped() {
    let mut input = std::io::Cursor::new([vec![b'x'; LONGEST_LINE * 2], b"\nnext\r\nlast".to_vec()].concat());
    let mut line = Vec::new();
    assert!(read_line(&mut input, &mut line).expect("it is memory"));
    assert_eq!(line.len(), LONGEST_LINE + 1);
    assert!(read_line(&mut input, &mut line).expect("it is memory"));
    assert_eq!(line, b"next\r");
    assert!(read_line(&mut input, &mut line).expect("it is memory"));
    assert_eq!(line, b"last");
    assert!(!read_line(&mut input, &mut line).expect("it is memory"));
}

/// What the program itself does around it.
#[test]
fn the_program_answers_each_line_and_ends_with_its_input() {
    let input = "{\"id\": 1, \"method\": \"hello\"}\ngarbage\n{\"id\": 2, \"method\": \"packs\"}\n";
    let run = rulepack_told(&fixture("tiny"), &["serve", "--stdio"], input);
    assert_eq!((run.code, run.stderr.as_str(), run.stdout.lines().count()), (0, "", 3));
    assert!(run.stdout.starts_with("{\"id\":1,\"result\":{\"program\":\"rulepack\""), "{}", run.stdout);
    assert_eq!(rulepack(&fixture("tiny"), &["serve", "--stdio", "--listen", "127.0.0.1:0"]).code, 2, "either, or");
    assert_eq!(rulepack(&fixture("tiny"), &["--library", "nowhere", "serve", "--stdio"]).code, 2);
}

/// What a seat is shown holds no card of another hand, to the byte, also while others are asked about theirs.
#[test]
fn a_seat_is_told_no_card_of_another_hand() {
    let game_box = {
        let library = rulepack::Library::open(&[fixture("secrets")]).expect("the fixture is there");
        let request =
            rulepack::LinkRequest { pack: "secrets".into(), players: Some(2), ..rulepack::LinkRequest::default() };
        library.load(&request).expect("the fixture links")
    };
    let mut table = rulepack::Table::open(&game_box, 4, "en").expect("the game begins");
    let mut bot = RandomBot::new(4);
    for _ in 0..60 {
        let Some(decision) = table.game().decision() else { break };
        let (seat, answer) = (decision.seat, bot.choose(game_box.rules(), decision));
        for other in table.seats() {
            let viewer = rulepack::Viewer::Seat(other);
            let view = table.view(viewer).expect("it plays");
            for zone in view.table.zones.iter().filter(|zone| zone.id == "hand") {
                let is_own = zone.owner.as_deref() == Some(view.viewer.as_str());
                let seen = zone.spaces.iter().map(|space| space.pieces.len()).sum::<usize>();
                assert_eq!(seen, if is_own { zone.count } else { 0 }, "{} sees {:?}", view.viewer, zone.owner);
            }
            assert_eq!(table.questions(other).expect("it plays").is_empty(), other != seat);
        }
        let revision = table.asked(rulepack::Viewer::Public).expect("it is asked")[0].revision;
        table.answer_as(seat, revision, usize::from(answer.0)).expect("it is listed");
        let others = table.seats().filter(|other| *other != seat).collect::<Vec<_>>();
        for other in others {
            let last =
                table.log(rulepack::Viewer::Seat(other), 0).expect("it plays").last().expect("an answer").clone();
            assert_eq!(last.answer, None, "what another answered is not told but by what follows");
        }
    }
}
