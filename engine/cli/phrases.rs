//! The program's own words for players, in its languages. Each language fills the same table, so that a language
//! without one of the phrases, or with a wrong place to fill, does not compile.
//!
//! Words about the table and the log are in the kernel. Messages about a wrong call or a wrong pack are in English.

use std::io;

use rulepack_kernel::{Language, fill};

/// What people can type instead of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Back to the question before.
    Undo,
    /// The table again.
    Table,
    /// Why something is not offered.
    Why,
    /// What a bot would answer.
    Hint,
    /// Write the game to a file.
    Save,
    /// Write the game as a scenario.
    Scenario,
    /// Stop for today.
    Quit,
    /// Show the commands.
    Help,
}

impl Command {
    /// In the order of the help.
    const ALL: [Command; 8] = [
        Command::Undo,
        Command::Table,
        Command::Why,
        Command::Hint,
        Command::Save,
        Command::Scenario,
        Command::Quit,
        Command::Help,
    ];
}

/// A command in one language.
#[derive(Debug)]
pub struct Spelling {
    /// Its words, short ones first. Those of English are understood in every language.
    words: &'static [&'static str],
    /// Its argument.
    takes: &'static str,
    /// What it does.
    about: &'static str,
}

/// A phrase with a number in it, `{n}`.
#[derive(Debug)]
pub struct Count {
    one: &'static str,
    many: &'static str,
}

/// A phrase.
type Text = &'static str;

/// Declares a struct of phrases and commands, and a function that compares two of them.
macro_rules! table {
    ($(#[$about:meta])* $table:ident { commands { $($command:ident),* } texts { $($text:ident),* } counts { $($count:ident),* } }) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $table {
            language: Language,
            yes: char,
            no: char,
            delete: char,
            a_number: Text,
            choose: Text,
            $($command: Spelling,)*
            $(pub $text: Text,)*
            $(pub $count: Count,)*
        }

        impl $table {
            /// Whether both have the same places to fill in every phrase, and the same commands have arguments.
            const fn fits(&self, other: &$table) -> bool {
                $(same_places(self.$text, other.$text)
                    &&)* $(same_places(self.$count.many, other.$count.many)
                    && within(self.$count.one, other.$count.many)
                    &&)* $(self.$command.takes.is_empty() == other.$command.takes.is_empty()
                    &&)* true
            }
        }
    };
}

table! {
    /// Phrases with places to fill: `{file}`, `{what}`, `{why}`, `{pack}`, `{players}`, `{answers}`, `{when}`, `{hash}`, `{n}`, `{line}`, `{place}`, `{wins}`, `{points}`,
    /// `{games}`.
    Phrases {
        commands { undo, table, why, hint, save, scenario, quit, help }
        texts {
            error, number, only_one, name_a_file, saved, not_saved, unwritten, unmade, unremoved, no_folder, forbidden, disk_full, not_a_file, foreign, overwrite, stays,
            pack_failed, why_hidden, why_by_script, undo_action, nothing_to_undo, undo_reveals, in_secret, unreadable, broken_off, just_now, go_on, kept, not_kept,
            not_kept_now, written_again, torn, damaged, put_aside, not_offered, input_ended, endless, seed, exact, exact_with_hash, changed_elsewhere,
            thinks, judged, judged_by_wins, judged_by_points, no_hint
        }
        counts { answers, players, minutes_ago, hours_ago, days_ago, lacks_lines }
    }
}

const ENGLISH: Phrases = Phrases {
    language: Language::English,
    yes: 'y',
    no: 'n',
    delete: 'd',
    a_number: "a number",
    choose: "choose that option",
    undo: Spelling { words: &["u", "undo"], takes: "", about: "take back the last answer" },
    table: Spelling { words: &["t", "table"], takes: "", about: "show the table again" },
    why: Spelling {
        words: &["w", "why"],
        takes: "WORDS",
        about: "why something is not offered, such as `why build inn`",
    },
    hint: Spelling { words: &["hint"], takes: "", about: "what a bot would answer" },
    save: Spelling { words: &["s", "save"], takes: "FILE", about: "save the game" },
    scenario: Spelling { words: &["scenario"], takes: "FILE", about: "write this position as a scenario" },
    quit: Spelling { words: &["q", "quit"], takes: "", about: "leave the game" },
    help: Spelling { words: &["?", "h", "help"], takes: "", about: "this help" },
    error: "error: {what}",
    number: "write a number from 1 to {n}, or `?` for help",
    only_one: "write `1`, or `?` for help",
    name_a_file: "write `s FILE`",
    saved: "saved to `{file}`",
    not_saved: "the game is not saved: {why}",
    unwritten: "`{file}` cannot be written: {why}",
    unmade: "`{file}` cannot be made: {why}",
    unremoved: "`{file}` cannot be removed: {why}",
    foreign: "`{file}` is there and is not a saved game that rulepack wrote",
    no_folder: "there is no such folder",
    forbidden: "that is not allowed",
    disk_full: "the disk is full",
    not_a_file: "it is not a plain file",
    overwrite: "{what}; overwrite it? [y/N] ",
    stays: "the game is not saved; `{file}` stays as it is",
    pack_failed: "the pack failed: {why}",
    why_hidden: "the message names something that is hidden, and is told after the game",
    why_by_script: "what the script says is told after the game ({place})",
    undo_action: "undo to the start of the action? [Y/n] ",
    nothing_to_undo: "there is nothing to undo",
    undo_reveals: "this takes back a roll or something that was uncovered; do all agree? [y/N] ",
    in_secret: "all choose at the same time: the others look away",
    unreadable: "the terminal cannot be read: {why}",
    broken_off: "a game of `{pack}` for {players} was broken off after {answers}{when}",
    just_now: ", just now",
    go_on: "go on with it? [Y]es, [n]o, a new one, [d]elete it: ",
    kept: "the game is kept: `rulepack play {pack}` offers it again",
    not_kept: "the game is not kept: {why}",
    not_kept_now: "the game is not kept at the moment: {why}; it goes on, and writing is tried again",
    written_again: "`{file}` can be written again, and holds the whole game",
    torn: "{file}: the last line was not written completely and is left out",
    damaged: "`{file}` is damaged at line {line}: the part before it ({answers}) can be continued",
    put_aside: "the damaged file is put aside as `{file}`",
    not_offered: "a game that was kept is not offered: {why}; the file stays as it is",
    input_ended: "the input ended before the game did",
    endless: "the game did not end after {answers}",
    seed: "seed {n}",
    exact: "EXACT: {answers}",
    exact_with_hash: "EXACT: {answers}, hash {hash}",
    changed_elsewhere: "  the rules have changed, but not for this game: {what}",
    thinks: "{what} thinks of the answers:",
    judged: "{what}: wins {wins} %, {points} points on average ({games} games)",
    judged_by_wins: "{what}: wins {wins} % ({games} games)",
    judged_by_points: "{what}: {points} points on average ({games} games)",
    no_hint: "there is nothing to choose",
    answers: Count { one: "{n} answer", many: "{n} answers" },
    players: Count { one: "{n} player", many: "{n} players" },
    minutes_ago: Count { one: ", {n} minute ago", many: ", {n} minutes ago" },
    hours_ago: Count { one: ", {n} hour ago", many: ", {n} hours ago" },
    days_ago: Count { one: ", {n} day ago", many: ", {n} days ago" },
    lacks_lines: Count { one: "`{file}` lacks its last line", many: "`{file}` lacks its last {n} lines" },
};

const FRENCH: Phrases = Phrases {
    language: Language::French,
    yes: 'o',
    no: 'n',
    delete: 's',
    a_number: "un nombre",
    choose: "choisir cette option",
    undo: Spelling { words: &["a", "annuler"], takes: "", about: "reprendre la dernière réponse" },
    table: Spelling { words: &["t", "table"], takes: "", about: "revoir la table" },
    why: Spelling {
        words: &["p", "pourquoi"],
        takes: "MOTS",
        about: "ce qui empêche un choix : `pourquoi bâtir auberge`",
    },
    hint: Spelling { words: &["conseil"], takes: "", about: "ce qu’un robot répondrait" },
    save: Spelling { words: &["s", "sauver"], takes: "FICHIER", about: "sauvegarder la partie" },
    scenario: Spelling { words: &["scénario"], takes: "FICHIER", about: "écrire cet état du jeu comme scénario" },
    quit: Spelling { words: &["q", "quitter"], takes: "", about: "quitter la partie" },
    help: Spelling { words: &["?", "aide"], takes: "", about: "cette aide" },
    error: "erreur : {what}",
    number: "entrez un nombre de 1 à {n}, ou `?` pour l’aide",
    only_one: "entrez `1`, ou `?` pour l’aide",
    name_a_file: "écrivez `s FICHIER`",
    saved: "partie sauvegardée dans `{file}`",
    not_saved: "partie non sauvegardée : {why}",
    unwritten: "impossible d’écrire `{file}` : {why}",
    unmade: "impossible de créer `{file}` : {why}",
    unremoved: "impossible de supprimer `{file}` : {why}",
    foreign: "`{file}` existe et n’est pas une sauvegarde de rulepack",
    no_folder: "ce dossier n’existe pas",
    forbidden: "ce n’est pas autorisé",
    disk_full: "le disque est plein",
    not_a_file: "ce n’est pas un fichier ordinaire",
    overwrite: "{what} ; l’écraser ? [o/N] ",
    stays: "partie non sauvegardée ; `{file}` reste tel quel",
    pack_failed: "erreur dans le jeu : {why}",
    why_hidden: "le message nomme quelque chose de caché, il sera affiché après la partie",
    why_by_script: "le message du script sera affiché après la partie ({place})",
    undo_action: "revenir au début de l’action ? [O/n] ",
    nothing_to_undo: "il n’y a rien à annuler",
    undo_reveals: "cela annule un jet de dé ou une révélation ; tous d’accord ? [o/N] ",
    in_secret: "tous choisissent en même temps : on ne regarde pas",
    unreadable: "impossible de lire le terminal : {why}",
    broken_off: "partie de `{pack}` pour {players}, interrompue après {answers}{when}",
    just_now: ", à l’instant",
    go_on: "la reprendre ? [O]ui, [n]on, une nouvelle, [s]upprimer : ",
    kept: "la partie est conservée : `rulepack play {pack}` la proposera",
    not_kept: "la partie n’est pas conservée : {why}",
    not_kept_now: "la partie n’est pas conservée pour l’instant : {why} ; elle continue, l’écriture sera retentée",
    written_again: "`{file}` est de nouveau accessible et contient toute la partie",
    torn: "{file} : la dernière ligne est incomplète et n’est pas prise en compte",
    damaged: "`{file}` est endommagé à la ligne {line} : ce qui précède ({answers}) peut être repris",
    put_aside: "le fichier endommagé est gardé sous le nom `{file}`",
    not_offered: "une partie conservée n’est pas proposée : {why} ; le fichier reste tel quel",
    input_ended: "l’entrée s’est arrêtée avant la fin de la partie",
    endless: "la partie n’est pas finie après {answers}",
    seed: "graine {n}",
    exact: "EXACT : {answers}",
    exact_with_hash: "EXACT : {answers}, empreinte {hash}",
    changed_elsewhere: "  les règles ont changé, mais pas pour cette partie : {what}",
    thinks: "{what} juge les réponses :",
    judged: "{what} : gagne {wins} %, {points} points en moyenne ({games} parties)",
    judged_by_wins: "{what} : gagne {wins} % ({games} parties)",
    judged_by_points: "{what} : {points} points en moyenne ({games} parties)",
    no_hint: "il n’y a pas de choix",
    answers: Count { one: "{n} réponse", many: "{n} réponses" },
    players: Count { one: "{n} joueur", many: "{n} joueurs" },
    minutes_ago: Count { one: ", il y a {n} minute", many: ", il y a {n} minutes" },
    hours_ago: Count { one: ", il y a {n} heure", many: ", il y a {n} heures" },
    days_ago: Count { one: ", il y a {n} jour", many: ", il y a {n} jours" },
    lacks_lines: Count {
        one: "la dernière ligne manque dans `{file}`",
        many: "les {n} dernières lignes manquent dans `{file}`",
    },
};

const GERMAN: Phrases = Phrases {
    language: Language::German,
    yes: 'j',
    no: 'n',
    delete: 'l',
    a_number: "eine Zahl",
    choose: "diese Möglichkeit wählen",
    undo: Spelling { words: &["z", "zurück"], takes: "", about: "die letzte Antwort zurücknehmen" },
    table: Spelling { words: &["t", "tisch"], takes: "", about: "den Tisch noch einmal zeigen" },
    why: Spelling { words: &["w", "warum"], takes: "WÖRTER", about: "warum etwas nicht geht: `warum bauen gasthof`" },
    hint: Spelling { words: &["tipp"], takes: "", about: "was der Computer antworten würde" },
    save: Spelling { words: &["s", "speichern"], takes: "DATEI", about: "das Spiel speichern" },
    scenario: Spelling { words: &["szenario"], takes: "DATEI", about: "diese Stellung als Szenario schreiben" },
    quit: Spelling { words: &["b", "beenden"], takes: "", about: "das Spiel verlassen" },
    help: Spelling { words: &["?", "hilfe"], takes: "", about: "diese Hilfe" },
    error: "Fehler: {what}",
    number: "bitte eine Zahl von 1 bis {n} eingeben, oder `?` für Hilfe",
    only_one: "bitte `1` eingeben, oder `?` für Hilfe",
    name_a_file: "bitte `s DATEI` eingeben",
    saved: "in `{file}` gespeichert",
    not_saved: "nicht gespeichert: {why}",
    unwritten: "`{file}` lässt sich nicht schreiben: {why}",
    unmade: "`{file}` lässt sich nicht anlegen: {why}",
    unremoved: "`{file}` lässt sich nicht löschen: {why}",
    foreign: "`{file}` ist kein Spielstand von rulepack",
    no_folder: "diesen Ordner gibt es nicht",
    forbidden: "das ist nicht erlaubt",
    disk_full: "der Datenträger ist voll",
    not_a_file: "es ist keine gewöhnliche Datei",
    overwrite: "{what}; überschreiben? [j/N] ",
    stays: "nicht gespeichert; `{file}` bleibt, wie es ist",
    pack_failed: "Fehler im Spiel: {why}",
    why_hidden: "die Meldung nennt etwas Verdecktes und folgt nach dem Spiel",
    why_by_script: "die Meldung des Skripts folgt nach dem Spiel ({place})",
    undo_action: "zurück zum Anfang der Aktion? [J/n] ",
    nothing_to_undo: "es gibt nichts zurückzunehmen",
    undo_reveals: "das nimmt einen Wurf oder Aufgedecktes zurück; alle einverstanden? [j/N] ",
    in_secret: "alle wählen gleichzeitig: die anderen schauen weg",
    unreadable: "das Terminal lässt sich nicht lesen: {why}",
    broken_off: "Spiel von `{pack}` für {players}, abgebrochen nach {answers}{when}",
    just_now: ", gerade eben",
    go_on: "damit weitermachen? [J]a, [n]ein, ein neues, [l]öschen: ",
    kept: "das Spiel bleibt erhalten: `rulepack play {pack}` bietet es wieder an",
    not_kept: "das Spiel wird nicht festgehalten: {why}",
    not_kept_now: "das Spiel wird zurzeit nicht festgehalten: {why}; es geht weiter, und das Schreiben wird wieder versucht",
    written_again: "`{file}` lässt sich wieder schreiben und enthält das ganze Spiel",
    torn: "{file}: die letzte Zeile ist unvollständig und wird ausgelassen",
    damaged: "`{file}` ist in Zeile {line} beschädigt: was davor steht ({answers}), kann wieder aufgenommen werden",
    put_aside: "die beschädigte Datei bleibt als `{file}` liegen",
    not_offered: "ein festgehaltenes Spiel wird nicht angeboten: {why}; die Datei bleibt, wie sie ist",
    input_ended: "die Eingabe war vor dem Spiel zu Ende",
    endless: "das Spiel ist nach {answers} nicht zu Ende",
    seed: "Startwert {n}",
    exact: "EXACT: {answers}",
    exact_with_hash: "EXACT: {answers}, Prüfsumme {hash}",
    changed_elsewhere: "  die Regeln haben sich geändert, aber nicht für dieses Spiel: {what}",
    thinks: "{what} hält von den Antworten:",
    judged: "{what}: gewinnt {wins} %, im Mittel {points} Punkte ({games} Spiele)",
    judged_by_wins: "{what}: gewinnt {wins} % ({games} Spiele)",
    judged_by_points: "{what}: im Mittel {points} Punkte ({games} Spiele)",
    no_hint: "es gibt nichts zu wählen",
    answers: Count { one: "{n} Antwort", many: "{n} Antworten" },
    players: Count { one: "{n} Person", many: "{n} Personen" },
    minutes_ago: Count { one: ", vor {n} Minute", many: ", vor {n} Minuten" },
    hours_ago: Count { one: ", vor {n} Stunde", many: ", vor {n} Stunden" },
    days_ago: Count { one: ", vor {n} Tag", many: ", vor {n} Tagen" },
    lacks_lines: Count { one: "in `{file}` fehlt die letzte Zeile", many: "in `{file}` fehlen die letzten {n} Zeilen" },
};

const _: () =
    assert!(ENGLISH.fits(&FRENCH) && ENGLISH.fits(&GERMAN), "a phrase has other places to fill than in English");

/// Whether two sentences have the same places.
const fn same_places(one: &str, other: &str) -> bool {
    within(one, other) && within(other, one)
}

/// Whether every place of a sentence, such as `{n}`, occurs in the other as well.
const fn within(one: &str, other: &str) -> bool {
    let (text, all) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'{' {
            let mut found = false;
            let mut start = 0;
            while start < all.len() && !found {
                let mut length = 0;
                while start + length < all.len() && at + length < text.len() && all[start + length] == text[at + length]
                {
                    if text[at + length] == b'}' {
                        found = true;
                        break;
                    }
                    length += 1;
                }
                start += 1;
                while start < all.len() && all[start] != b'{' {
                    start += 1;
                }
            }
            if !found {
                return false;
            }
        }
        at += 1;
    }
    true
}

impl Phrases {
    /// The phrases of a language.
    pub const fn of(language: Language) -> &'static Phrases {
        match language {
            Language::English => &ENGLISH,
            Language::French => &FRENCH,
            Language::German => &GERMAN,
        }
    }

    const fn spelling(&self, command: Command) -> &Spelling {
        match command {
            Command::Undo => &self.undo,
            Command::Table => &self.table,
            Command::Why => &self.why,
            Command::Hint => &self.hint,
            Command::Save => &self.save,
            Command::Scenario => &self.scenario,
            Command::Quit => &self.quit,
            Command::Help => &self.help,
        }
    }

    /// The command of a word, in this language or in English.
    pub fn command(&self, word: &str) -> Option<Command> {
        let word = word.to_lowercase();
        let said_in = |phrases: &Phrases| {
            Command::ALL.into_iter().find(|command| phrases.spelling(*command).words.contains(&word.as_str()))
        };
        said_in(self).or_else(|| said_in(&ENGLISH))
    }

    /// All commands, one on each line.
    pub fn help(&self) -> Vec<String> {
        let mut rows = vec![(self.a_number.to_string(), self.choose)];
        for command in Command::ALL {
            let Spelling { words, takes, about } = self.spelling(command);
            let said = format!("{} {takes}", words.join(", "));
            rows.push((said.trim_end().to_string(), about));
        }
        let width = rows.iter().map(|(said, _)| said.chars().count()).max().unwrap_or(0);
        rows.into_iter().map(|(said, about)| format!("{said:width$}  {about}")).collect()
    }

    /// Whether an answer means yes.
    pub fn is_yes(&self, answer: &str) -> bool {
        answer.to_lowercase().starts_with([self.yes, ENGLISH.yes])
    }

    /// Whether an answer means no.
    pub fn is_no(&self, answer: &str) -> bool {
        answer.to_lowercase().starts_with([self.no, ENGLISH.no])
    }

    /// Whether an answer means: delete it.
    pub fn is_delete(&self, answer: &str) -> bool {
        answer.to_lowercase().starts_with([self.delete, ENGLISH.delete])
    }

    /// The operating system's message about a file; rare messages are passed on unchanged.
    pub fn refusal(&self, error: &io::Error) -> String {
        match error.kind() {
            io::ErrorKind::NotFound => self.no_folder.into(),
            io::ErrorKind::PermissionDenied => self.forbidden.into(),
            io::ErrorKind::StorageFull => self.disk_full.into(),
            _ => error.to_string(),
        }
    }

    /// The message that a file cannot be written.
    pub fn unwritten(&self, file: &str, error: &io::Error) -> String {
        fill(self.unwritten, &[("file", file), ("why", &self.refusal(error))])
    }

    /// A phrase with a number.
    pub fn count(&self, count: &Count, n: usize) -> String {
        self.count_in(count, n, "")
    }

    /// The same about a file.
    pub fn count_in(&self, count: &Count, n: usize, file: &str) -> String {
        let phrase = if self.language.is_one(n) { count.one } else { count.many };
        fill(phrase, &[("n", &n.to_string()), ("file", file)])
    }
}
