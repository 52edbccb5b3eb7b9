//! Slips that a new user makes, in the editor: each shows at the right place, with a quick fix that undoes it or a help that says
//! what to write.

use serde_json::Value;

use super::client::{Editor, byte, root};

/// What cures a slip.
enum Cure {
    /// A quick fix that gives the file as it was.
    Undone,
    /// A quick fix after which nothing is found.
    Fixed,
    /// A help with these words.
    Told(&'static str),
}

use Cure::{Fixed, Told, Undone};

/// File, what stood there, what stands there now, the text at whose line the slip is shown, and its cure.
type Slip = (&'static str, &'static str, &'static str, &'static str, Cure);

const FLOW: &str = "content/night-garden/game/flow.toml";
const CARDS: &str = "content/night-garden/cards/helpers.toml";
const ANIMALS: &str = "scripts/night-garden/animals.lua";
const SCENARIO: &str = "content/night-garden/scenarios/animals.toml";

const SLIPS: [Slip; 28] = [
    (FLOW, "refill = \"meadow\"", "refil = \"meadow\"", "refil", Undone),
    (FLOW, "refill = \"meadow\"", "refill = \"medow\"", "medow", Undone),
    (FLOW, "visible = \"owner\"", "visible = \"owners\"", "owners", Undone),
    (FLOW, "[zone.compost]", "[zoen.compost]", "zoen", Undone),
    (FLOW, "visible = \"none\"", "visible: \"none\"", "visible: ", Fixed),
    (FLOW, "title   = \"Meadow\"", "title   = \"Meadow", "\"Meadow", Undone),
    (FLOW, "out_of_game = true", "out_of_game = yes", "= yes", Fixed),
    (FLOW, "# Cards that", "// Cards that", "// Cards", Undone),
    (FLOW, "weight = 10", "weight = \"10\"", "\"10\"", Undone),
    (FLOW, "sequence = [\"turns\"]", "sequence = \"turns\"", "\"turns\"", Undone),
    (FLOW, "[\"setup\", \"nights\"]", "[\"setup\", \"nigts\"]", "nigts", Undone),
    (FLOW, "[\"play\", \"buy\", \"sleep\"]", "[\"play\", \"buy\", \"slep\"]", "slep", Undone),
    (FLOW, "type  = \"yes_no\"", "type  = \"yesno\"", "yesno", Undone),
    (FLOW, "can(it.play)", "can(it.plai)", "plai", Undone),
    (FLOW, "garden of gardener) == 6", "garden of gardener) = 6", "= 6", Undone),
    (FLOW, "drawn(hand_size) } }", "drawn(hand_size) }", "for each player", Told("add the missing `}`")),
    (FLOW, "prompt = \"which_card\"", "prompt = \"wich_card\"", "wich_card", Undone),
    (CARDS, "gain 2 dew", "gain 2 dwe", "dwe", Undone),
    (CARDS, "raise drawn(1)", "rase drawn(1)", "rase", Undone),
    (CARDS, "raise drawn(2)", "raise drwan(2)", "drwan", Undone),
    (CARDS, "play  = \"gain 2 dew\"", "plai  = \"gain 2 dew\"", "plai", Undone),
    (
        CARDS,
        "starts_in = \"deck\"\nprice     = \"\"\nplay",
        "starts_in = \"deck\"\nplay",
        "helper.dewdrop",
        Told("price"),
    ),
    (ANIMALS, "ctx:draw(1", "ctx:drew(1", "drew", Undone),
    (ANIMALS, "ctx:move(kept, \"hand\")", "ctx:move(kept, \"hnad\")", "hnad", Undone),
    (
        ANIMALS,
        "  if kept then\n    ctx:move(kept, \"hand\")\n  end\n",
        "  if kept then\n    ctx:move(kept, \"hand\")\n",
        "return animals",
        Told("expected `end`"),
    ),
    (SCENARIO, "choose = \"play owl\"", "choos = \"play owl\"", "choos", Undone),
    (SCENARIO, "choose = \"play owl\"", "choose = \"play oul\"", "play oul", Undone),
    ("content/night-garden/locale/de.toml", "[zone.meadow]", "[zone.medow]", "medow", Undone),
];

#[test]
fn slips_of_a_new_user() {
    let mut editor = Editor::start("en");
    let mut wrong = Vec::new();
    let mut quick = 0;
    for (index, (file, was, now, place, cure)) in SLIPS.iter().enumerate() {
        let path = root().join(file);
        let before = std::fs::read_to_string(&path).expect("it is there");
        assert!(before.contains(was), "`{was}` is not in {file}");
        let uri = editor.open_as(&path, &before);
        editor.findings(&uri);
        editor.replace(&uri, was, now);
        let text = editor.text(&uri).to_string();
        let mut found = Vec::new();
        while found.is_empty() {
            found = editor.findings(&uri).0;
        }
        let line = |finding: &Value| {
            let start = byte(&text, &finding["range"]["start"]);
            text[..start].matches('\n').count()
        };
        let wanted = text.find(place).map(|at| text[..at].matches('\n').count()).expect("it stands there");
        let Some(here) = found.iter().find(|finding| line(finding) == wanted) else {
            let told: Vec<String> =
                found.iter().map(|one| format!("line {}: {}", line(one) + 1, one["message"])).collect();
            wrong.push(format!("{index} `{now}`: nothing in line {}, but {told:?}", wanted + 1));
            editor.close(&uri);
            continue;
        };
        let message = here["message"].as_str().unwrap_or("").to_string();
        let fixes = editor.fixes(&uri, &here["range"]);
        quick += usize::from(!fixes.is_empty());
        let spaces = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_cured = match cure {
            Undone => fixes.iter().any(|(_, text)| spaces(text) == spaces(&before)),
            Told(words) => {
                message.contains("help: ") && message.contains(words) || !words.is_empty() && message.contains(words)
            }
            Fixed => match fixes.first() {
                Some((_, fixed)) => {
                    editor.close(&uri);
                    editor.open_as(&path, fixed);
                    editor.findings(&uri).0.is_empty()
                }
                None => false,
            },
        };
        if !is_cured {
            wrong.push(format!(
                "{index} `{now}`: {message} {:?}",
                fixes.iter().map(|(title, _)| title).collect::<Vec<_>>()
            ));
        }
        editor.close(&uri);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(quick >= 20, "only {quick} quick fixes");
    editor.end();
}
