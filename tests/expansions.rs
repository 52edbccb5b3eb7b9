//! Expansions: a base game, packs that add to it without touching its files, and a pack that builds on several of them.
//! The fixture is `tests/fixtures/expansions`.

use rulepack::{GameBox, Library, LinkRequest};
use serde_json::{Value, json};

use crate::support::{Run, Scratch, fixture, rulepack, snapshot};

fn library() -> Library {
    Library::open(&[fixture("expansions")]).expect("the fixture is there")
}

/// Links a pack with others, in some modes.
#[track_caller]
fn load(pack: &str, with: &[&str], modes: &[&str]) -> GameBox {
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
    let request = LinkRequest { pack: pack.into(), with: words(with), modes: words(modes), players: None };
    library().load(&request).unwrap_or_else(|mistakes| panic!("{pack} does not link: {mistakes:#?}"))
}

#[track_caller]
fn well(arguments: &[&str]) -> Run {
    let run = rulepack(&fixture("expansions"), arguments);
    assert_eq!(run.code, 0, "`rulepack {}`\n{}", arguments.join(" "), run.shown());
    run
}

/// The digest of some games.
#[track_caller]
fn digest(arguments: &[&str]) -> Value {
    let arguments = [&["sim"], arguments, &["--games", "20", "--seed", "7", "--format", "json"]].concat();
    well(&arguments).json()["digest"].clone()
}

fn types(game_box: &GameBox) -> Vec<&str> {
    game_box.rules().types.iter().map(|ty| ty.name.as_str()).collect()
}

#[test]
fn all_packs_of_the_fixture_are_well() {
    let run = well(&["check"]);
    assert_eq!(run.stderr, "checked 4 packs: 0 errors, 0 warnings\n");
    assert_eq!(well(&["test", "--format", "json"]).json()["passed"], 5);
}

#[test]
fn what_a_pack_builds_on_is_loaded_first_then_by_name() {
    let loaded = |pack: &str, with: &[&str]| {
        let game_box = load(pack, with, &[]);
        game_box.rules().packs.iter().map(|pack| pack.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(loaded("harbor-grand", &[]), ["harbor", "harbor-gold", "harbor-storm", "harbor-grand"]);
    assert_eq!(loaded("harbor", &["harbor-storm", "harbor-gold"]), ["harbor", "harbor-gold", "harbor-storm"]);
}

/// A pack that is named twice, or that another one needs anyway, is loaded once.
#[test]
fn a_pack_named_twice_is_loaded_once() {
    let once = digest(&["harbor", "--with", "harbor-gold"]);
    assert_eq!(digest(&["harbor", "--with", "harbor-gold", "--with", "harbor-gold", "--with", "harbor"]), once);
    assert_eq!(load("harbor", &["harbor-gold", "harbor-gold", "harbor"], &[]).rules().packs.len(), 2);
}

#[test]
fn every_root_has_its_own_default_edition() {
    let modes = |pack: &str, with: &[&str]| load(pack, with, &[]).rules().modes.clone();
    assert_eq!(modes("harbor", &[]), ["intro"]);
    assert_eq!(modes("harbor", &["harbor-gold", "harbor-storm"]), ["intro"]);
    assert_eq!(modes("harbor-gold", &[]), ["gold"]);
    assert_eq!(modes("harbor-grand", &[]), ["grand"]);
}

#[test]
fn an_edition_is_the_same_game_however_it_is_asked_for() {
    let by_root = digest(&["harbor-gold"]);
    assert_eq!(digest(&["harbor", "--with", "harbor-gold", "--mode", "gold"]), by_root);
    assert_eq!(digest(&["harbor-gold", "--mode", "gold"]), by_root);
    assert_ne!(digest(&["harbor"]), by_root);
    let rules = |game_box: GameBox| game_box.rules().packs.clone();
    assert_eq!(rules(load("harbor-gold", &[], &[])), rules(load("harbor", &["harbor-gold"], &["gold"])));
}

#[test]
fn an_expansion_that_adds_nothing_to_the_default_edition_leaves_it_alone() {
    let alone = digest(&["harbor"]);
    assert_eq!(digest(&["harbor", "--with", "harbor-gold"]), alone);
    // The other one patches the base wherever it is loaded.
    assert_ne!(digest(&["harbor", "--with", "harbor-storm"]), alone);
}

#[test]
fn a_mode_brings_what_it_extends_into_use() {
    assert_eq!(types(&load("harbor", &["harbor-gold"], &[])), ["inn", "ropery"]);
    // `gold` extends the abstract modes of both packs and takes the ropery out.
    assert_eq!(types(&load("harbor-gold", &[], &[])), ["inn", "lighthouse", "mint"]);
    assert_eq!(types(&load("harbor-storm", &[], &[])), ["inn", "ropery", "lighthouse", "mole"]);
    assert_eq!(types(&load("harbor-grand", &[], &[])), ["inn", "lighthouse", "mint", "mole"]);
}

/// What is brought along need not be named, and makes no difference if it is.
#[test]
fn naming_what_a_mode_extends_changes_nothing() {
    assert_eq!(load("harbor-grand", &[], &["grand", "gold"]).rules().modes, ["grand"]);
    assert_eq!(digest(&["harbor-grand", "--mode", "gold", "--mode", "grand"]), digest(&["harbor-grand"]));
}

#[test]
fn a_mode_is_played_with_the_pack_that_it_needs() {
    let game_box = load("harbor", &["harbor-gold"], &["festival"]);
    // It extends an edition, so that the default one is not in use.
    assert_eq!(game_box.rules().modes, ["festival"]);
    assert_eq!(types(&game_box), ["inn", "lighthouse", "mint"]);
}

#[test]
fn a_saved_game_of_an_expansion_is_taken_up_again() {
    let folder = Scratch::copy_of("expansions", "expansion-log");
    let log = ["play", "harbor-grand", "--seed", "3", "--bots", "all", "--log", "log.json"];
    assert_eq!(rulepack(folder.path(), &log).code, 0);
    let run = rulepack(folder.path(), &["replay", "log.json"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

#[test]
fn list() {
    snapshot("expansions", "list", &well(&["list"]).stdout);
    let packs = &well(&["list", "--format", "json"]).json()["packs"];
    assert_eq!(packs[1]["needs"], json!({ "harbor": "^1.0" }));
    assert_eq!(
        packs[0]["modes"][2],
        json!({
            "id": "festival", "title": "Festival", "edition": false, "abstract": false, "players": null,
            "extends": ["gold"], "needs": { "harbor-gold": "*" },
        })
    );
}

#[test]
fn explain_shows_every_layer_of_a_field() {
    snapshot("expansions", "explain", &well(&["explain", "harbor-grand", "inn"]).stdout);
    let fields = well(&["explain", "harbor-grand", "stall.inn", "--format", "json"]).json();
    let score = fields["fields"].as_array().and_then(|fields| fields.iter().find(|field| field["key"] == "score"));
    let score = score.expect("the inn has a score");
    assert_eq!((&score["value"], &score["patched_by"]["mode"]), (&json!("\"4\""), &json!("grand")));
    let below: Vec<&Value> = score["below"].as_array().into_iter().flatten().map(|stand| &stand["pack"]).collect();
    assert_eq!(below, ["harbor-storm", "harbor"]);
}

#[test]
fn explain_says_where_a_definition_can_be_seen() {
    let mut told = String::new();
    for call in [
        "explain harbor mint --with harbor-gold",
        "explain harbor lighthouse",
        "explain harbor-gold ropery",
        "explain harbor-gold mnt",
        "explain harbor turn",
        "explain harbor-storm storm",
    ] {
        let run = rulepack(&fixture("expansions"), &call.split(' ').collect::<Vec<_>>());
        told.push_str(&format!("$ rulepack {call}\n{}\n", run.shown()));
    }
    snapshot("expansions", "explain_where", &told);
}

#[test]
fn coverage_counts_scenarios_of_packs_that_build_on_it() {
    let coverage = |pack: &str| well(&["coverage", pack, "--games", "50", "--complete", "--format", "json"]).json();
    let base = coverage("harbor");
    assert_eq!((&base["rules"]["total"], &base["rules"]["covered"]), (&json!(2), &json!(2)));
    assert_eq!(base["rules"]["elsewhere"], json!({ "harbor-gold": ["HAR-02"] }));
    // Inn, ropery and lighthouse; nothing of the expansions.
    assert_eq!(base["pieces"]["total"], 3);
    let packs: Vec<&Value> = base["scenarios"].as_array().into_iter().flatten().map(|of| &of["pack"]).collect();
    assert_eq!(packs, ["harbor", "harbor-gold", "harbor-grand", "harbor-storm"]);
    let gold = coverage("harbor-gold");
    assert_eq!((&gold["rules"]["total"], &gold["pieces"]["total"]), (&json!(1), &json!(1)));
    snapshot("expansions", "coverage", &well(&["coverage", "harbor", "--games", "50"]).stdout);
}

/// Whatever goes wrong in an expansion, the base can be counted.
#[test]
fn coverage_leaves_out_packs_with_mistakes() {
    let folder = Scratch::copy_of("expansions", "coverage-broken");
    folder.write("content/harbor-storm/broken.toml", b"[stall.wreck]\ncost = \"1 gull\"\nstarts_in = \"row\"\n");
    let run = rulepack(folder.path(), &["coverage", "harbor", "--games", "10", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert_eq!(run.json()["left_out"], json!(["harbor-grand", "harbor-storm"]));
}

/// A pack names what it does not translate of its own, and nothing of the packs below.
#[test]
fn an_expansion_translates_its_own_definitions_only() {
    let folder = Scratch::copy_of("expansions", "translations");
    folder.write(
        "content/harbor-gold/locale/fr.toml",
        b"[pack]\ntitle = \"O\"\n[mode.gold]\ntitle = \"L'or\"\n[stall.mint]\ntitle = \"M\"\n",
    );
    let base = std::fs::read_to_string(folder.path().join("content/harbor/pack.toml")).expect("it is a copy");
    let base = base.replace("editions = [\"intro\"]", "editions = [\"intro\"]\nlocales = [\"fr\"]");
    folder.write("content/harbor/pack.toml", base.as_bytes());
    folder.write("content/harbor/locale/fr.toml", b"");
    let report = rulepack(folder.path(), &["check", "harbor-gold", "--format", "json"]).json();
    let found: Vec<&Value> =
        report["diagnostics"].as_array().into_iter().flatten().map(|finding| &finding["message"]).collect();
    assert_eq!(found, ["`mode.gold_cards` has no title in `fr`"]);
    let report = rulepack(folder.path(), &["check", "harbor", "--format", "json"]).json();
    assert!(report["warnings"].as_u64() > Some(5), "{report}");
}

/// An action is added to the menu of every game, and exists in the pack's own edition only.
#[test]
fn check_of_an_expansion_tries_the_game_below_with_it() {
    let folder = Scratch::copy_of("expansions", "base-broken");
    let more = b"[patch.phase.turn]\nactions = { adds = \"coin\" }\n\
        [action.coin]\ntitle = \"Coin\"\neffect = \"gain 1 coin\"\nonly_in = [\"gold\"]\n";
    folder.write("content/harbor-gold/more.toml", more);
    assert_eq!(rulepack(folder.path(), &["sim", "harbor-gold", "--games", "1"]).code, 0);
    let run = rulepack(folder.path(), &["check", "harbor-gold"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stdout.contains("error[unknown-name]: no action is called `coin`"), "{}", run.shown());
}

/// The example of `docs/packs.md`, on the base of the fixture.
#[test]
fn the_documented_expansion_works() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/packs.md");
    let docs = std::fs::read_to_string(docs).expect("the pack reference is there");
    let (_, rest) = docs.split_once("# content/harbor-gold/pack.toml\n").expect("it shows an expansion");
    let (example, _) = rest.split_once("```").expect("the example has an end");
    let folder = Scratch::copy_of("expansions", "documented");
    std::fs::remove_dir_all(folder.path().join("content/harbor-gold")).expect("it is a copy");
    folder.write("content/harbor-gold/pack.toml", example.as_bytes());
    let run = rulepack(folder.path(), &["check", "harbor-gold"]);
    assert_eq!(run.stderr, "checked 1 pack: 0 errors, 0 warnings\n", "{}", run.shown());
    let digest = |arguments: &[&str]| rulepack(folder.path(), arguments).json()["digest"].clone();
    assert_eq!(
        digest(&["sim", "harbor-gold", "--format", "json"]),
        digest(&["sim", "harbor", "--with", "harbor-gold", "--mode", "gold", "--format", "json"])
    );
}

/// Two packs that only add to the same list or effect do not conflict, and both additions count.
#[test]
fn additions_of_strangers_live_together() {
    let folder = Scratch::copy_of("expansions", "additions");
    let pack = "[pack]\nid = \"harbor-tide\"\nversion = \"1.0.0\"\ntitle = \"Tide\"\nkind = \"expansion\"\n\
        [needs]\nharbor = \"*\"\n\
        [patch.phase.turn]\nactions = { was = [\"open\", \"sell\", \"work\"], adds = [\"wait\"] }\n\
        [patch.action.work]\neffect = { adds = \"gain 1 rope\" }\n\
        [action.wait]\ntitle = \"Wait\"\neffect = \"gain 1 coin\"\n";
    folder.write("content/harbor-tide/pack.toml", pack.as_bytes());
    let run = rulepack(folder.path(), &["check", "harbor-tide"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for (definition, value) in [
        ("phase.turn", r#"actions = ["open", "sell", "work", "shelter", "wait"]"#),
        ("action.work", r#""storms.blow", "gain 1 rope"]"#),
    ] {
        let call = ["explain", "harbor", definition, "--with", "harbor-tide", "--with", "harbor-storm"];
        let run = rulepack(folder.path(), &call);
        assert!(run.stdout.contains(value), "{}", run.shown());
    }
}

/// A library is no game: what it defines is shown by the packs that need it.
#[test]
fn the_coverage_of_a_library_is_that_of_the_packs_that_need_it() {
    let scratch = Scratch::new("library-coverage");
    let head = |id: &str, more: &str| format!("[pack]\nid = \"{id}\"\nversion = \"1.0.0\"\ntitle = \"Pack\"\n{more}\n");
    let ground = r#"
[rule.GRD-1]
text = "A nod gives a coin."
[rule.GRD-2]
text = "Nobody shows this."
[resource.coin]
[kind.card]
[card.inn]
title     = "Inn"
starts_in = "shelf"
[zone.shelf]
[zone.table]
[action.nod]
effect = "gain 1 coin; for each card in shelf { move card to table }"
"#;
    let inn = r#"
[needs]
ground = "^1.0"
[phase.game]
turns = { turn = "turn", until = "each_once" }
[phase.turn]
actions = ["nod"]
once    = true
"#;
    let scenario = "about = \"A coin.\"\ncovers = [\"GRD-1\"]\nwhen = [{ seat = \"a\", choose = \"nod\" }]\nthen.seat.a.coin = 1\n";
    scratch.write("content/ground/pack.toml", head("ground", &format!("kind = \"library\"\n{ground}")).as_bytes());
    let alone = rulepack(scratch.path(), &["coverage", "ground"]);
    assert!(alone.stderr.contains("no pack needs the library `ground`"), "{}", alone.shown());
    let alone = rulepack(scratch.path(), &["mutate", "ground"]);
    assert_eq!(alone.code, 2, "{}", alone.shown());
    assert!(alone.stderr.contains("no pack needs the library `ground`"), "{}", alone.shown());
    scratch.write("content/inn/pack.toml", head("inn", &format!("players = {{ min = 2, max = 2 }}\n{inn}")).as_bytes());
    scratch.write("content/inn/scenarios/nodding.toml", scenario.as_bytes());
    let run = rulepack(scratch.path(), &["coverage", "ground", "--games", "0"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for line in ["scenarios 0 of ground, 1 of inn", "rules     1/2", "by inn: GRD-1", "not yet: GRD-2", "pieces    1/1"]
    {
        assert!(run.stdout.contains(line), "{line}: {}", run.shown());
    }
    // The scenarios of the game judge what is changed in the library.
    let run = rulepack(scratch.path(), &["mutate", "ground", "--format", "json"]).json();
    let survived: Vec<&str> =
        run["survived"].as_array().expect("a list").iter().filter_map(|it| it["what"].as_str()).collect();
    assert!(run["killed"].as_u64() >= Some(2), "{run}");
    assert!(survived.iter().any(|what| what.contains("for each card")), "no scenario looks at the cards: {run}");
    let played = rulepack(scratch.path(), &["play", "ground", "--bots", "all"]);
    assert_eq!(played.code, 1, "{}", played.shown());
    assert!(played.shown().contains("take a pack that needs it: `inn`"), "{}", played.shown());
    // The game answers for nothing that it does not define itself.
    let run = rulepack(scratch.path(), &["coverage", "inn", "--games", "0", "--complete"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}
