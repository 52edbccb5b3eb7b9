//! What the full screen says, in the languages of the program.

use rulepack_kernel::Language;

/// The texts of one language.
pub struct Texts {
    /// The last line of the screen.
    pub foot: &'static str,
    /// Before what is searched for.
    pub search: &'static str,
    /// Before the name of a card.
    pub card: &'static str,
    /// Before the words that are not offered.
    pub why: &'static str,
    /// Before the name of a file for the game.
    pub save: &'static str,
    /// Before the name of a file for a scenario.
    pub scenario: &'static str,
    /// Nobody else may look: `{who}`.
    pub curtain: &'static str,
    /// There is no such card.
    pub no_card: &'static str,
    /// A bot thinks.
    pub thinking: &'static str,
    /// The keys and what they do.
    pub help: &'static [(&'static str, &'static str)],
}

const ENGLISH: Texts = Texts {
    foot: "↑↓ ⏎ choose · / search · I card · W why not · H hint · U undo · S save · ? help · Q quit",
    search: "/",
    card: "card: ",
    why: "why not: ",
    save: "save to: ",
    scenario: "scenario to: ",
    curtain: "It is for {who} to choose. The others look away. Press Enter.",
    no_card: "no card is called that",
    thinking: "a bot is thinking …",
    help: &[
        ("a letter", "take the option with this letter; an option keeps its letter for the whole game"),
        ("↑ ↓, Enter", "select an option, and take it"),
        ("PgUp PgDn", "scroll the table; Home and End: to its ends"),
        ("/", "search options and the table; Esc ends the search"),
        ("I", "a card with its attributes"),
        ("W", "why something is not offered, such as `build inn`"),
        ("H", "what a bot would answer"),
        ("U", "take back the last answer"),
        ("S", "save the game to a file"),
        ("C", "write this position as a scenario"),
        ("V", "show or hide variables without a title"),
        ("L", "what has happened"),
        ("Q, Ctrl-C", "leave the game"),
    ],
};

const FRENCH: Texts = Texts {
    foot: "↑↓ ⏎ choisir · / chercher · I fiche · W pourquoi pas · H conseil · U annuler · S sauver · ? aide · Q quitter",
    search: "/",
    card: "fiche : ",
    why: "pourquoi pas : ",
    save: "sauver dans : ",
    scenario: "scénario dans : ",
    curtain: "C’est à {who} de choisir. Que tout le monde sauf {who} détourne le regard. Appuyez sur Entrée.",
    no_card: "rien ne s’appelle ainsi",
    thinking: "un robot réfléchit …",
    help: &[
        ("une lettre", "choisir l’option de cette lettre ; sa lettre reste la même toute la partie"),
        ("↑ ↓, Entrée", "désigner une option, et la choisir"),
        ("PgPréc PgSuiv", "faire défiler la table ; Début et Fin : à ses bouts"),
        ("/", "chercher dans les options et sur la table ; Échap y met fin"),
        ("I", "une fiche et ses attributs"),
        ("W", "ce qui empêche un choix"),
        ("H", "ce qu’un robot répondrait"),
        ("U", "annuler la dernière réponse"),
        ("S", "sauvegarder la partie"),
        ("C", "écrire cet état du jeu comme scénario"),
        ("V", "montrer ou cacher les variables sans titre"),
        ("L", "ce qui s’est passé"),
        ("Q, Ctrl-C", "quitter la partie"),
    ],
};

const GERMAN: Texts = Texts {
    foot: "↑↓ ⏎ wählen · / suchen · I Blatt · W warum nicht · H Rat · U zurück · S speichern · ? Hilfe · Q Ende",
    search: "/",
    card: "Blatt: ",
    why: "warum nicht: ",
    save: "speichern in: ",
    scenario: "Szenario in: ",
    curtain: "{who} wählt. Die anderen schauen weg. Weiter mit der Eingabetaste.",
    no_card: "nichts heißt so",
    thinking: "ein Bot denkt nach …",
    help: &[
        ("ein Buchstabe", "mit dieser Möglichkeit antworten; sie behält ihren Buchstaben das ganze Spiel"),
        ("↑ ↓, Eingabe", "eine Möglichkeit auswählen und damit antworten"),
        ("Bild↑ Bild↓", "den Tisch verschieben; Pos1 und Ende: an seine Enden"),
        ("/", "Möglichkeiten und Tisch durchsuchen; Esc beendet die Suche"),
        ("I", "ein Blatt mit seinen Eigenschaften"),
        ("W", "warum etwas nicht angeboten wird"),
        ("H", "was ein Bot antworten würde"),
        ("U", "die letzte Antwort zurücknehmen"),
        ("S", "das Spiel speichern"),
        ("C", "diese Stellung als Szenario schreiben"),
        ("V", "Variablen ohne Titel zeigen oder verbergen"),
        ("L", "was geschehen ist"),
        ("Q, Strg-C", "das Spiel verlassen"),
    ],
};

impl Texts {
    /// Those of a language.
    pub fn of(language: Language) -> &'static Texts {
        match language {
            Language::English => &ENGLISH,
            Language::French => &FRENCH,
            Language::German => &GERMAN,
        }
    }
}
