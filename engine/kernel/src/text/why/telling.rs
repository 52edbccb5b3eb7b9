//! Reasons in words, and the question of a player why something is not offered.

use rulepack_model::{ActionId, Seat, nearest};

use super::{Amount, Reason, Tried, Wanted};
use crate::flow::decision::Ask;
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::hidden::sight::Viewer;
use crate::text::phrases::{Language, fill};
use crate::text::words::Words;

/// Answers `build inn`: why it is not offered to a player now, as far as this player can know. Things are named by
/// their ids or titles.
pub fn tell_why(game: &Game, host: &dyn EffectHost, words: &Words<'_>, seat: Seat, text: &str) -> String {
    let own = words.sentences();
    let Some(wanted) = words.wanted(text) else { return own.how_to_ask.into() };
    let is_menu = game.decision().is_none_or(|decision| matches!(decision.ask, Ask::Menu(..)));
    if matches!(wanted, Wanted::Choice(_)) && is_menu {
        let first = text.split_whitespace().next().unwrap_or_default();
        let ids = game.rules().actions.iter().map(|action| action.name.clone());
        let titles = (0..game.rules().actions.len()).map(|action| words.action(ActionId::from(action)).to_lowercase());
        let names: Vec<String> = ids.chain(titles).collect();
        let meant = nearest(first, names.iter().map(String::as_str));
        let sentence = if meant.is_some() { own.other_action } else { own.no_action };
        return fill(sentence, &[("what", first), ("meant", meant.unwrap_or_default())]);
    }
    match game.why_not(host, Viewer::Seat(seat), &wanted) {
        None => fill(own.offered, &[("what", text)]),
        Some(reason) => fill(own.not_offered, &[("what", text), ("why", &words.reason(&reason))]),
    }
}

/// Sentences with places to fill: `{what}`, `{who}`, `{n}`, `{has}`, `{where}`, `{why}`, `{meant}`.
struct Sentences {
    how_to_ask: &'static str,
    no_action: &'static str,
    other_action: &'static str,
    offered: &'static str,
    not_offered: &'static str,
    game_over: &'static str,
    another_is_asked: &'static str,
    other_question: &'static str,
    not_in_menu: &'static str,
    goes_first: &'static str,
    not_free: &'static str,
    not_now: &'static str,
    used_up: &'static str,
    requires: &'static str,
    cannot_pay: &'static str,
    cannot_pay_less: &'static str,
    supply_short: &'static str,
    no_piece_for_cost: &'static str,
    nothing_there: &'static str,
    too_few: &'static str,
    no_value: &'static str,
    no_way: &'static str,
    not_among: &'static str,
    chosen_before: &'static str,
    dead_end: &'static str,
    no_effect: &'static str,
    leads_back: &'static str,
    leaves_unanswered: &'static str,
    leads_nowhere: &'static str,
    unseen: &'static str,
    not_listed: &'static str,
}

const ENGLISH: Sentences = Sentences {
    how_to_ask: "write an action and what it is about, such as `why build inn`",
    no_action: "no action is called `{what}`",
    other_action: "no action is called `{what}`; did you mean `{meant}`?",
    offered: "`{what}` is offered",
    not_offered: "`{what}` is not offered: {why}",
    game_over: "the game is over",
    another_is_asked: "{who} is asked now",
    other_question: "another question is to be answered first",
    not_in_menu: "it is not among the actions of “{what}”",
    goes_first: "“{what}” is possible, and goes first",
    not_free: "only free actions can be done at this moment",
    not_now: "free actions are for the player at turn, one at a time",
    used_up: "it can be done {n} × only, and has been",
    requires: "this does not hold: {what}",
    cannot_pay: "it costs {what}, and there is only {has}",
    cannot_pay_less: "it costs {what} less {n}, and there is only {has}",
    supply_short: "it would give {what}, and the supply has only {has}",
    no_piece_for_cost: "the cost is to go to {what}, which is not there",
    nothing_there: "there is nothing to choose: {what}",
    too_few: "{n} must be chosen from {what}, but only {has} can be",
    no_value: "nothing can be chosen of {what}: ",
    no_way: "none of the ways can be gone: ",
    not_among: "it is not there: {what}",
    chosen_before: "it has been chosen already",
    dead_end: "it leads to a choice or a payment that cannot be made",
    no_effect: "{what} has no such effect now",
    leads_back: "it would only lead back to where you have been already",
    leaves_unanswered: "after it, the present question could not be answered",
    leads_nowhere: "every way to do it leads back to where you have been, or leaves the present question without an answer",
    unseen: "it depends on something that you cannot see",
    not_listed: "it is not among what is asked about",
};

const FRENCH: Sentences = Sentences {
    how_to_ask: "écrivez une action et son objet, par exemple `pourquoi bâtir auberge`",
    no_action: "aucune action ne s’appelle `{what}`",
    other_action: "aucune action ne s’appelle `{what}` ; vouliez-vous dire `{meant}` ?",
    offered: "`{what}` est proposé",
    not_offered: "`{what}` n’est pas proposé : {why}",
    game_over: "la partie est finie",
    another_is_asked: "c’est à {who} de répondre",
    other_question: "il faut d’abord répondre à la question posée",
    not_in_menu: "ce n’est pas une action de « {what} »",
    goes_first: "« {what} » est possible, et passe avant",
    not_free: "seules les actions libres sont possibles à ce moment",
    not_now: "les actions libres sont au joueur dont c’est le tour, une à la fois",
    used_up: "c’est possible {n} × seulement, et c’est fait",
    requires: "cette condition n’est pas remplie : {what}",
    cannot_pay: "cela coûte {what}, et il n’y a que {has}",
    cannot_pay_less: "cela coûte {what} moins {n}, et il n’y a que {has}",
    supply_short: "cela donnerait {what}, et la réserve n’a que {has}",
    no_piece_for_cost: "le coût doit aller sur {what}, qui n’est pas là",
    nothing_there: "il n’y a rien à choisir : {what}",
    too_few: "il faut en choisir {n} parmi {what}, mais il n’y en a que {has}",
    no_value: "rien ne peut être choisi parmi {what} : ",
    no_way: "aucune des possibilités ne convient : ",
    not_among: "ce n’est pas là : {what}",
    chosen_before: "c’est déjà choisi",
    dead_end: "cela mène là où rien ne peut être pris ou payé",
    no_effect: "{what} n’a pas cet effet maintenant",
    leads_back: "cela ne ferait que revenir à une situation déjà vue",
    leaves_unanswered: "ensuite, il serait impossible de répondre à la question en cours",
    leads_nowhere: "de toute façon, cela revient à une situation déjà vue ou empêche de répondre à la question en cours",
    unseen: "cela dépend de quelque chose que vous ne voyez pas",
    not_listed: "ce n’est pas parmi les réponses possibles",
};

const GERMAN: Sentences = Sentences {
    how_to_ask: "bitte eine Aktion und ihren Gegenstand nennen, etwa `warum bauen gasthof`",
    no_action: "keine Aktion heißt `{what}`",
    other_action: "keine Aktion heißt `{what}`; ist `{meant}` gemeint?",
    offered: "`{what}` steht zur Wahl",
    not_offered: "`{what}` steht nicht zur Wahl: {why}",
    game_over: "das Spiel ist zu Ende",
    another_is_asked: "{who} ist gefragt",
    other_question: "zuerst ist eine andere Frage zu beantworten",
    not_in_menu: "es ist keine Aktion von „{what}“",
    goes_first: "„{what}“ ist möglich und geht vor",
    not_free: "in diesem Moment gehen nur freie Aktionen",
    not_now: "freie Aktionen hat nur, wer am Zug ist, eine nach der anderen",
    used_up: "es geht nur {n} ×, und das ist geschehen",
    requires: "das gilt nicht: {what}",
    cannot_pay: "es kostet {what}, und da ist nur {has}",
    cannot_pay_less: "es kostet {what} weniger {n}, und da ist nur {has}",
    supply_short: "es gäbe {what}, und der Vorrat hat nur {has}",
    no_piece_for_cost: "die Kosten kommen auf {what}, und das ist nicht da",
    nothing_there: "es gibt nichts zu wählen: {what}",
    too_few: "{n} müssen gewählt werden ({what}), aber es sind nur {has} da",
    no_value: "nichts davon kann gewählt werden, {what}: ",
    no_way: "keine der Möglichkeiten geht: ",
    not_among: "es ist nicht dabei: {what}",
    chosen_before: "es ist schon gewählt",
    dead_end: "es führt zu einer Wahl oder Zahlung, die nicht möglich ist",
    no_effect: "{what} hat jetzt keine solche Wirkung",
    leads_back: "es führte nur dahin zurück, wo du schon warst",
    leaves_unanswered: "danach gäbe es auf die jetzige Frage keine Antwort mehr",
    leads_nowhere: "jeder Weg dahin führt nur zurück oder lässt auf die jetzige Frage keine Antwort",
    unseen: "es hängt von etwas ab, das du nicht siehst",
    not_listed: "es ist nicht unter dem, wonach gefragt ist",
};

impl Words<'_> {
    fn sentences(&self) -> &'static Sentences {
        match self.spoken() {
            Language::English => &ENGLISH,
            Language::French => &FRENCH,
            Language::German => &GERMAN,
        }
    }

    /// A reason in words. Conditions and sets are quoted as in the texts of the pack.
    pub fn reason(&self, reason: &Reason) -> String {
        let own = self.sentences();
        let of = |sentence: &str, what: &str| fill(sentence, &[("what", what)]);
        match reason {
            Reason::GameOver => own.game_over.into(),
            Reason::AnotherIsAsked { player } => {
                let number = player.trim_start_matches("player_").parse::<u8>().unwrap_or(1);
                fill(own.another_is_asked, &[("who", &self.seat(rulepack_model::Seat(number.saturating_sub(1))))])
            }
            Reason::OtherQuestion => own.other_question.into(),
            Reason::NotInMenu { phase } => of(own.not_in_menu, &self.title(&format!("phase.{phase}"))),
            Reason::GoesFirst { action } => of(own.goes_first, &self.title(&format!("action.{action}"))),
            Reason::NotFree => own.not_free.into(),
            Reason::NotNow => own.not_now.into(),
            Reason::UsedUp { times } => fill(own.used_up, &[("n", &times.to_string())]),
            Reason::Requires { condition } => of(own.requires, &format!("`{condition}`")),
            Reason::CannotPay { costs, less } => {
                let (needs, has) =
                    (self.amounts(costs, |amount| amount.needs), self.amounts(costs, |amount| amount.has));
                let sentence = if *less > 0 { own.cannot_pay_less } else { own.cannot_pay };
                fill(sentence, &[("what", &needs), ("has", &has), ("n", &less.to_string())])
            }
            Reason::SupplyShort { gives } => {
                let (needs, has) =
                    (self.amounts(gives, |amount| amount.needs), self.amounts(gives, |amount| amount.has));
                fill(own.supply_short, &[("what", &needs), ("has", &has)])
            }
            Reason::NoPieceForCost { piece } => of(own.no_piece_for_cost, &format!("`{piece}`")),
            Reason::NoValue { from, tried } if tried.is_empty() => of(own.nothing_there, &format!("`{from}`")),
            Reason::NoValue { from, tried } => {
                let each: Vec<String> = tried.iter().map(|tried| self.tried(tried)).collect();
                of(own.no_value, &format!("`{from}`")) + &each.join("; ")
            }
            Reason::NoWay { ways } => {
                let each: Vec<String> = ways.iter().map(|way| self.way(way)).collect();
                own.no_way.to_string() + &each.join("; ")
            }
            Reason::TooFew { from, least, there } => {
                let (least, there) = (least.to_string(), there.to_string());
                fill(own.too_few, &[("n", &least), ("what", &format!("`{from}`")), ("has", &there)])
            }
            Reason::NotAmong { from } => of(own.not_among, &format!("`{from}`")),
            Reason::ChosenBefore => own.chosen_before.into(),
            Reason::DeadEnd => own.dead_end.into(),
            Reason::NoEffect { piece } => of(own.no_effect, &format!("`{piece}`")),
            Reason::LeadsBack => own.leads_back.into(),
            Reason::LeavesUnanswered => own.leaves_unanswered.into(),
            Reason::LeadsNowhere => own.leads_nowhere.into(),
            Reason::Unseen => own.unseen.into(),
            Reason::NotListed => own.not_listed.into(),
        }
    }

    fn tried(&self, tried: &Tried) -> String {
        format!("{} ({})", tried.name, self.reason(&tried.why))
    }

    fn way(&self, way: &Tried) -> String {
        format!("{} ({})", self.title(&format!("prompt.{}", way.name)), self.reason(&way.why))
    }

    fn amounts(&self, amounts: &[Amount], number: impl Fn(&Amount) -> i64) -> String {
        let one = |amount: &Amount| {
            let table = if amount.is_group { "group" } else { "resource" };
            format!("{} {}", number(amount), self.title(&format!("{table}.{}", amount.what)))
        };
        amounts.iter().map(one).collect::<Vec<_>>().join(" + ")
    }
}
