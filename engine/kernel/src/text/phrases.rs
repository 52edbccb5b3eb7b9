//! The engine's own words in its languages. Names of packs are in `rules/translations.rs`.

/// Sentences with places to fill: `{who}`, `{what}`, `{n}`, `{from}`, `{to}`, `{on}`.
#[derive(Debug)]
pub(crate) struct Phrases {
    pub(crate) player: &'static str,
    pub(crate) done: &'static str,
    pub(crate) yes: &'static str,
    pub(crate) no: &'static str,
    pub(crate) go_on: &'static str,
    pub(crate) nothing: &'static str,
    pub(crate) choose: &'static str,
    pub(crate) may: &'static str,
    pub(crate) pay: &'static str,
    pub(crate) gain: &'static str,
    pub(crate) respond: &'static str,
    pub(crate) pause: &'static str,
    pub(crate) row: &'static str,
    pub(crate) column: &'static str,
    pub(crate) space: &'static str,
    pub(crate) begins: &'static str,
    pub(crate) turn: &'static str,
    pub(crate) passes: &'static str,
    pub(crate) out_of_game: &'static str,
    pub(crate) out_of_round: &'static str,
    pub(crate) repeated: &'static str,
    pub(crate) does: &'static str,
    pub(crate) chooses: &'static str,
    pub(crate) gains: &'static str,
    pub(crate) pays: &'static str,
    pub(crate) puts: &'static str,
    pub(crate) placed: &'static str,
    pub(crate) takes: &'static str,
    pub(crate) receives: &'static str,
    pub(crate) returned: &'static str,
    pub(crate) shifted: &'static str,
    pub(crate) lost: &'static str,
    pub(crate) looks: &'static str,
    pub(crate) looks_at_one: &'static str,
    pub(crate) disclosed: &'static str,
    pub(crate) shown: &'static str,
    pub(crate) shown_to: &'static str,
    pub(crate) chooses_in_secret: &'static str,
    pub(crate) rolls_in_secret: &'static str,
    pub(crate) rolled_in_secret: &'static str,
    pub(crate) leave_out: &'static str,
    pub(crate) from_where: &'static str,
    pub(crate) keep_where: &'static str,
    pub(crate) moved: &'static str,
    pub(crate) laid: &'static str,
    pub(crate) turned: &'static str,
    pub(crate) shuffled: &'static str,
    pub(crate) rolls: &'static str,
    pub(crate) rolled: &'static str,
    pub(crate) looped: &'static str,
    pub(crate) over: &'static str,
    pub(crate) total: &'static str,
    pub(crate) wins: &'static str,
    pub(crate) shared: &'static str,
    pub(crate) rank: &'static str,
    pub(crate) ties: &'static str,
    pub(crate) supply: &'static str,
}

const ENGLISH: Phrases = Phrases {
    player: "Player {n}",
    done: "Done",
    yes: "Yes",
    no: "No",
    go_on: "Continue",
    nothing: "nothing",
    choose: "Choose one",
    may: "Do it?",
    pay: "Pay {n} of {what}: which one next?",
    gain: "Gain {n} of {what}: which one next?",
    respond: "Respond to {what}?",
    pause: "Do something before going on?",
    row: "row {n}",
    column: "column {n}",
    space: "space {n}",
    begins: "{what} {n} begins",
    turn: "{who} takes a turn",
    passes: "{who} passes",
    out_of_game: "{who} is out of the game",
    out_of_round: "{who} is out for this round",
    repeated: "The same position, {n} times now",
    does: "{who}: {what}",
    chooses: "{who} chooses {what}",
    gains: "{who} gains {n} {what}",
    pays: "{who} pays {n} {what}",
    puts: "{who} puts {n} {what} on {on}",
    placed: "{n} {what} placed on {on}",
    takes: "{who} takes {n} {what} from {from}",
    receives: "{to} gets {n} {what} from {from}",
    returned: "{n} {what} returned from {from}",
    shifted: "{n} {what} moved from {from} to {to}",
    lost: "{n} {what} lost: no room ({who})",
    looks: "{who} looks at {n} pieces: {where}",
    looks_at_one: "{who} looks at {n} piece: {where}",
    disclosed: "Disclosed: {what}",
    shown: "Shown to all: {what}",
    shown_to: "Shown to {who}: {what}",
    chooses_in_secret: "{who} chooses in secret",
    rolls_in_secret: "{who} rolls in secret",
    rolled_in_secret: "A die is rolled in secret",
    leave_out: "Leave out {n}: which one?",
    from_where: "{what}: from where?",
    keep_where: "{what}: where to keep it?",
    moved: "{what}: {from} → {to}",
    laid: "{what} laid on {on}",
    turned: "{what} turned over",
    shuffled: "{what} shuffled",
    rolls: "{who} rolls {n}",
    rolled: "{n} is rolled",
    looped: "A draw: this would go on for ever",
    over: "The game is over",
    total: "Total",
    wins: "{who} wins",
    shared: "Shared victory: {who}",
    rank: "Rank",
    ties: "Tie-breaks",
    supply: "Supply",
};

const FRENCH: Phrases = Phrases {
    player: "Joueur {n}",
    done: "Terminé",
    yes: "Oui",
    no: "Non",
    go_on: "Continuer",
    nothing: "rien",
    choose: "Choisissez",
    may: "Le faire ?",
    pay: "Payez {n} parmi {what} : lequel d’abord ?",
    gain: "Gagnez {n} parmi {what} : lequel d’abord ?",
    respond: "Répondre à {what} ?",
    pause: "Faire quelque chose avant de continuer ?",
    row: "ligne {n}",
    column: "colonne {n}",
    space: "case {n}",
    begins: "Début de {what} {n}",
    turn: "Au tour de {who}",
    passes: "{who} passe",
    out_of_game: "{who} est hors jeu",
    out_of_round: "{who} est hors jeu pour cette manche",
    repeated: "La même position, {n} fois maintenant",
    does: "{who} : {what}",
    chooses: "{who} choisit {what}",
    gains: "{who} gagne {n} {what}",
    pays: "{who} paie {n} {what}",
    puts: "{who} pose {n} {what} sur {on}",
    placed: "{n} {what} sur {on}",
    takes: "{who} prend {n} {what} de {from}",
    receives: "{to} reçoit {n} {what} de {from}",
    returned: "{n} {what} : de {from} à la réserve",
    shifted: "{n} {what} : de {from} à {to}",
    lost: "{n} {what} : perdu faute de place ({who})",
    looks: "{who} regarde {n} pièces : {where}",
    looks_at_one: "{who} regarde {n} pièce : {where}",
    disclosed: "Révélé : {what}",
    shown: "Montré à tous : {what}",
    shown_to: "Montré à {who} : {what}",
    chooses_in_secret: "{who} choisit en secret",
    rolls_in_secret: "{who} lance le dé en secret",
    rolled_in_secret: "Un dé est lancé en secret",
    leave_out: "Ne payez pas {n} : lequel ?",
    from_where: "{what} : d’où ?",
    keep_where: "{what} : où le garder ?",
    moved: "{what} : {from} → {to}",
    laid: "{what} posé sur {on}",
    turned: "{what} retourné",
    shuffled: "{what} : mélange",
    rolls: "{who} obtient {n} au dé",
    rolled: "Le dé donne {n}",
    looped: "Partie nulle : cela n’en finirait jamais",
    over: "La partie est finie",
    total: "Total",
    wins: "{who} gagne",
    shared: "Victoire partagée : {who}",
    rank: "Rang",
    ties: "Départage",
    supply: "Réserve",
};

const GERMAN: Phrases = Phrases {
    player: "Spieler {n}",
    done: "Fertig",
    yes: "Ja",
    no: "Nein",
    go_on: "Weiter",
    nothing: "nichts",
    choose: "Wähle",
    may: "Ausführen?",
    pay: "Bezahle {n} aus {what}: was zuerst?",
    gain: "Erhalte {n} aus {what}: was zuerst?",
    respond: "Auf {what} antworten?",
    pause: "Vorher noch etwas tun?",
    row: "Reihe {n}",
    column: "Spalte {n}",
    space: "Feld {n}",
    begins: "{what} {n} beginnt",
    turn: "{who} ist am Zug",
    passes: "{who} passt",
    out_of_game: "{who} scheidet aus",
    out_of_round: "{who} scheidet für diese Runde aus",
    repeated: "Dieselbe Stellung zum {n}. Mal",
    does: "{who}: {what}",
    chooses: "{who} wählt {what}",
    gains: "{who} erhält {n} {what}",
    pays: "{who} bezahlt {n} {what}",
    puts: "{who} legt {n} {what} auf {on}",
    placed: "{n} {what} auf {on}",
    takes: "{who} nimmt {n} {what} von {from}",
    receives: "{to} bekommt {n} {what} von {from}",
    returned: "{n} {what} von {from} zurück in den Vorrat",
    shifted: "{n} {what} von {from} nach {to}",
    lost: "{n} {what} verfällt: kein Platz ({who})",
    looks: "{who} sieht {n} Teile an: {where}",
    looks_at_one: "{who} sieht {n} Teil an: {where}",
    disclosed: "Offengelegt: {what}",
    shown: "Allen gezeigt: {what}",
    shown_to: "{who} gezeigt: {what}",
    chooses_in_secret: "{who} wählt verdeckt",
    rolls_in_secret: "{who} würfelt verdeckt",
    rolled_in_secret: "Es wird verdeckt gewürfelt",
    leave_out: "Lass {n} weg: was?",
    from_where: "{what}: woher?",
    keep_where: "{what}: wohin?",
    moved: "{what}: {from} → {to}",
    laid: "{what} auf {on} gelegt",
    turned: "{what} umgedreht",
    shuffled: "{what} gemischt",
    rolls: "{who} würfelt {n}",
    rolled: "Gewürfelt: {n}",
    looped: "Unentschieden: das nähme kein Ende",
    over: "Das Spiel ist zu Ende",
    total: "Summe",
    wins: "{who} gewinnt",
    shared: "Geteilter Sieg: {who}",
    rank: "Rang",
    ties: "Gleichstand",
    supply: "Vorrat",
};

/// A language in which the engine has words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English, which replaces languages that the engine does not speak.
    English,
    /// French.
    French,
    /// German.
    German,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 3] = [Language::English, Language::French, Language::German];

    /// Its name in packs and locales.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::French => "fr",
            Language::German => "de",
        }
    }

    /// The language of a name such as `fr` or `de-AT`; `None` if the engine does not speak it.
    pub fn named(name: &str) -> Option<Language> {
        let short = name.split(['-', '_', '.', '@']).next().unwrap_or(name);
        Language::ALL.into_iter().find(|language| language.code() == short)
    }

    /// The language of the engine's words in a game: the requested language if the packs have it, else that of the main
    /// pack. `has` says which languages the packs have.
    pub fn of_game(wanted: &str, own: &str, has: impl Fn(&str) -> bool) -> Language {
        let wanted = as_packs_write(wanted, &has);
        Language::named(if has(&wanted) { &wanted } else { own }).unwrap_or(Language::English)
    }

    /// Whether a number takes the singular.
    pub fn is_one(self, n: usize) -> bool {
        match self {
            Language::English | Language::German => n == 1,
            Language::French => n <= 1,
        }
    }

    pub(crate) fn phrases(self) -> &'static Phrases {
        match self {
            Language::English => &ENGLISH,
            Language::French => &FRENCH,
            Language::German => &GERMAN,
        }
    }
}

/// A language such as `pt_BR.UTF-8` as the packs name it: `pt-BR` if they have it, else `pt`.
pub(crate) fn as_packs_write(language: &str, has: impl Fn(&str) -> bool) -> String {
    let whole = language.split(['.', '@']).next().unwrap_or_default().replace('_', "-");
    if has(&whole) { whole } else { whole.split('-').next().unwrap_or_default().to_string() }
}

/// Fills the places of a sentence, once: inserted texts are not searched for places.
pub fn fill(sentence: &str, words: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(sentence.len() + 16);
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        if let Some((_, word)) = words.iter().find(|(known, _)| *known == name) {
            text.push_str(word);
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        assert_eq!(fill("{who} chooses {what}", &[("who", "{what}"), ("what", "b")]), "{what} chooses b");
    }

    #[test]
    fn a_language_may_come_with_a_country() {
        let of_game = |wanted| Language::of_game(wanted, "de", |language| ["de", "fr", "xx"].contains(&language));
        assert_eq!(of_game("fr_CH.UTF-8"), Language::French);
        assert_eq!(of_game("fr-CA"), Language::French);
        // The packs do not have it.
        assert_eq!(of_game("en"), Language::German);
        // The engine does not have it.
        assert_eq!(of_game("xx"), Language::English);
    }
}
