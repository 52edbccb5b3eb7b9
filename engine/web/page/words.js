// @ts-check
// What the page itself says. Everything else is said by the pack or by the program, in the language of the table.

/** @type {Record<string, Record<string, string>>} */
const WORDS = {
  en: {
    open: "Open a table", pack: "Game", players: "Players", modes: "Ways to play", edition: "Edition", language: "Language",
    person: "a person", hints: "Hints allowed", start: "Open the table", links: "Links of the seats",
    links_help: "Give each player one of these links. Whoever has a link has that seat, so send it to that player only.",
    sit: "Sit down", copy: "Copy", copied: "Copied", watch: "Spectators", your_tables: "Tables that you have opened here",
    seat: "Seat {n}", bot_random: "Bot: by chance", bot_greedy: "Bot: quick", bot_good: "Bot: good", bot_strong: "Bot: strong",
    your_turn: "Your turn", waits: "{who} is asked", over: "The game is over", won: "{who} won", shared: "Shared victory: {who}", nobody_won: "Nobody won",
    undo: "Take back", why: "Why not?", why_ask: "Why is something not offered? Click on it, or name it:", hint: "Hint", thinking: "thinking …",
    log: "Log", talk: "Talk", say: "Say something", send: "Send", supply: "Supply", score: "Score", total: "Total",
    empty: "empty", lost: "The connection is lost; trying again …", agree: "Agree", refuse: "Refuse",
    wants_back: "{who} wants to take an answer back", waits_for: "Waiting for {who}", here: "here", away: "away", bot: "bot",
    to_bot: "Let a bot play this seat", to_person: "Give the seat back to its person", options: "What you can do", close: "Close",
    won_of: "wins {n} %", points_of: "{n} points", lobby: "All games", variables: "State",
    more: "{n} more", fewer: "show fewer", filter: "Search the options", no_seat: "This link leads to no seat of this server.", offered: "This is offered now.", sound: "A sound when it is your turn",
  },
  fr: {
    open: "Ouvrir une table", pack: "Jeu", players: "Joueurs", modes: "Façons de jouer", edition: "Édition", language: "Langue",
    person: "une personne", hints: "Conseils permis", start: "Ouvrir la table", links: "Liens des places",
    links_help: "Donnez à chaque joueur un de ces liens. Qui a un lien a cette place : ne l’envoyez qu’à ce joueur.",
    sit: "S’asseoir", copy: "Copier", copied: "Copié", watch: "Spectateurs", your_tables: "Tables ouvertes ici",
    seat: "Place {n}", bot_random: "Robot : au hasard", bot_greedy: "Robot : rapide", bot_good: "Robot : bon", bot_strong: "Robot : fort",
    your_turn: "À vous", waits: "{who} doit répondre", over: "La partie est finie", won: "{who} gagne", shared: "Victoire partagée : {who}", nobody_won: "Personne ne gagne",
    undo: "Reprendre", why: "Pourquoi pas ?", why_ask: "Pourquoi quelque chose n’est-il pas proposé ? Cliquez dessus, ou nommez-le :", hint: "Conseil", thinking: "réflexion …",
    log: "Journal", talk: "Discussion", say: "Dire quelque chose", send: "Envoyer", supply: "Réserve", score: "Score", total: "Total",
    empty: "vide", lost: "Connexion perdue ; nouvel essai …", agree: "D’accord", refuse: "Refuser",
    wants_back: "{who} voudrait reprendre une réponse", waits_for: "On attend {who}", here: "présent", away: "absent", bot: "robot",
    to_bot: "Laisser un robot jouer cette place", to_person: "Rendre la place à sa personne", options: "Vos possibilités", close: "Fermer",
    won_of: "gagne {n} %", points_of: "{n} points", lobby: "Tous les jeux", variables: "État",
    more: "{n} de plus", fewer: "en montrer moins", filter: "Chercher dans les choix", no_seat: "Ce lien ne mène à aucune place de ce serveur.", offered: "C’est proposé maintenant.", sound: "Un son quand c’est à vous",
  },
  de: {
    open: "Einen Tisch eröffnen", pack: "Spiel", players: "Spieler", modes: "Spielarten", edition: "Ausgabe", language: "Sprache",
    person: "ein Mensch", hints: "Tipps erlaubt", start: "Tisch eröffnen", links: "Links der Plätze",
    links_help: "Gib jedem Spieler einen dieser Links. Wer den Link hat, hat den Platz: Sende ihn nur an diesen Spieler.",
    sit: "Hinsetzen", copy: "Kopieren", copied: "Kopiert", watch: "Zuschauer", your_tables: "Hier eröffnete Tische",
    seat: "Platz {n}", bot_random: "Bot: zufällig", bot_greedy: "Bot: schnell", bot_good: "Bot: gut", bot_strong: "Bot: stark",
    your_turn: "Du bist dran", waits: "{who} wird gefragt", over: "Das Spiel ist zu Ende", won: "{who} gewinnt", shared: "Gemeinsamer Sieg: {who}", nobody_won: "Niemand gewinnt",
    undo: "Zurücknehmen", why: "Warum nicht?", why_ask: "Warum wird etwas nicht angeboten? Klicke es an oder nenne es:", hint: "Tipp", thinking: "denkt nach …",
    log: "Verlauf", talk: "Gespräch", say: "Etwas sagen", send: "Senden", supply: "Vorrat", score: "Wertung", total: "Summe",
    empty: "leer", lost: "Die Verbindung ist unterbrochen; neuer Versuch …", agree: "Einverstanden", refuse: "Ablehnen",
    wants_back: "{who} möchte eine Antwort zurücknehmen", waits_for: "Es fehlt noch {who}", here: "da", away: "weg", bot: "Bot",
    to_bot: "Einen Bot diesen Platz spielen lassen", to_person: "Den Platz zurückgeben", options: "Was du tun kannst", close: "Schließen",
    won_of: "gewinnt {n} %", points_of: "{n} Punkte", lobby: "Alle Spiele", variables: "Stand",
    more: "{n} weitere", fewer: "weniger zeigen", filter: "In den Möglichkeiten suchen", no_seat: "Dieser Link führt zu keinem Platz dieses Servers.", offered: "Das wird jetzt angeboten.", sound: "Ein Ton, wenn du dran bist",
  },
};

let own = WORDS.en;

/**
 * Sets the language of the page, as far as it speaks it.
 * @param {string} language
 */
export function speak(language) {
  const short = language.slice(0, 2).toLowerCase();
  own = WORDS[short] ?? WORDS.en;
  document.documentElement.lang = WORDS[short] ? short : "en";
}

/**
 * A text of the page.
 * @param {string} key
 * @param {Record<string, string | number>} [parts]
 */
export function say(key, parts) {
  let text = own[key] ?? WORDS.en[key] ?? key;
  for (const [name, value] of Object.entries(parts ?? {})) text = text.replace(`{${name}}`, String(value));
  return text;
}
