//! Leak tests: whether a player can learn something hidden.
//!
//! The pieces that a player cannot see are shuffled. In the game with the shuffled pieces the player must have the same view,
//! options and log lines, to the byte. After the same answer, the same player must be asked the same question. If the pack
//! fails, the player must be told the same message.

use std::collections::BTreeMap;
use std::sync::Arc;

use rulepack_kernel::{
    Answer, AnswerError, EffectHost, Exchange, Fault, Game, LogEntry, Opt, Recent, Ruleset, SetUp, Sight, View, Viewer,
    Words,
};
use rulepack_model::{PieceId, Seat};

use crate::leak::{ASKED_NEXT, FAULT, Leak, Shows};

/// The number of times that pieces are shuffled for one answer, if the disclosures differ or if only a few answers are tested.
const MAX_TRIES: u64 = 4;

/// The number of answers of one kind that are tested, if only a few are.
const MOST_OF_A_KIND: u32 = 6;

/// The number of answers inside one effect that are all tested. A test has to give all earlier answers of the effect again. So
/// of the next 64 answers every second one is tested, then every third: the work grows with the number of answers, not with
/// its square.
const LOOKED_AT_IN_A_ROW: usize = 64;

/// Tests a game for leaks from all seats, answer by answer.
#[derive(Debug, Default)]
pub struct Watch {
    /// The history since the last moment at which no effect was running, up to the last answer.
    recent: Option<Recent>,
    /// If only a few answers are tested: the game at that moment, and the answers since then.
    since: Option<(Game, Vec<Answer>)>,
    /// The game before the last answer, the answer and its option.
    answered: Option<(Game, Answer, Opt)>,
    /// If only a few answers are tested: how many are left, and how many there were of each kind.
    few: Option<(u32, Kinds)>,
    /// If only a few answers are tested: how many answers there were, and which of them are tested.
    gone: u64,
    glances: Glances,
    /// How many answers there were of the same kind as the last one.
    round: u32,
}

/// How many answers of each kind were tested.
pub type Kinds = BTreeMap<String, u32>;

/// Which answers of a game are tested, if not all are.
#[derive(Debug, Clone, Default)]
pub struct Glances {
    /// At most so many; 0 for none.
    pub most: u32,
    /// One of so many answers is tested whatever its kind is, so that they are spread over the whole game; 0 for none.
    pub every: u64,
    /// The answers of each kind that were tested in earlier games: those that were tested often enough count as usual ones.
    pub before: Arc<Kinds>,
}

impl Watch {
    /// Tests some answers, few of each kind, and from one seat at a time. `seed` decides where it begins.
    pub fn few(glances: Glances, seed: u64) -> Watch {
        let gone = seed.checked_rem(glances.every).unwrap_or(0);
        Watch { few: Some((glances.most, Kinds::new())), gone, glances, ..Watch::default() }
    }

    /// Tests nothing more.
    pub fn none() -> Watch {
        Watch::few(Glances::default(), 0)
    }

    /// Whether an answer is tested.
    pub fn wants(&mut self, game: &Game, answer: Answer) -> bool {
        let Some((left, met)) = &mut self.few else { return true };
        let Some(decision) = game.decision().filter(|_| *left > 0) else { return false };
        let Some(option) = decision.options.get(answer.0 as usize) else { return false };
        let about = option.piece().map(|piece| game.rules().called(piece));
        let kind = match option {
            Opt::Action(action, _) | Opt::Free(action, _) => format!("{} {about:?}", action.0),
            Opt::Value(_) => format!("{:?} {about:?}", decision.ask),
            option => format!("{:?} {option:?}", decision.ask),
        };
        self.gone += 1;
        let is_next = self.gone.checked_rem(self.glances.every) == Some(0);
        let before = self.glances.before.get(&kind).copied().unwrap_or(0);
        let times = met.entry(kind).or_default();
        *times += 1;
        self.round = before + *times;
        let is_tested = self.round <= MOST_OF_A_KIND || is_next;
        *left -= u32::from(is_tested);
        is_tested
    }

    /// How many answers there were of each kind, if only a few are tested.
    pub fn kinds(self) -> Kinds {
        self.few.map(|(_, met)| met).unwrap_or_default()
    }

    /// The seats from which an answer is tested: all, or one if only a few answers are tested. That one is the asked player for
    /// the first answer of a kind, the next player for the second and third, and so on. If it changed with every answer, and
    /// two players take turns, it would always be the same player.
    fn seats(&self, game: &Game, before: &Game) -> Vec<Seat> {
        let all: Vec<Seat> = game.rules().seats().collect();
        if self.few.is_none() {
            return all;
        }
        let asked = before.decision().map_or(0, |now| now.seat.index());
        vec![all[(asked + self.round as usize / 2) % all.len()]]
    }

    /// Records an answer that is not tested.
    pub fn passes_over(&mut self, game: &Game, answer: Answer) {
        if self.few.as_ref().is_some_and(|(left, _)| *left > 0) {
            self.goes_since(game, answer);
        }
    }

    fn goes_since(&mut self, game: &Game, answer: Answer) {
        match &mut self.since {
            Some((_, answers)) if !Recent::begins_at(game) => answers.push(answer),
            Some((start, answers)) => {
                start.clone_from(game);
                answers.clear();
                answers.push(answer);
            }
            None => self.since = Some((game.clone(), vec![answer])),
        }
    }

    /// Records a game before an answer that is tested.
    pub fn before(&mut self, game: &Game, answer: Answer) {
        let option = game.decision().and_then(|decision| decision.options.get(answer.0 as usize));
        self.answered = option.map(|option| (game.clone(), answer, *option));
        if self.few.is_some() {
            self.goes_since(game, answer);
        }
    }

    /// The history up to the last answer.
    fn recent(&mut self, before: &Game, host: &dyn EffectHost) -> Result<Recent, Fault> {
        let Some((start, answers)) = &self.since else {
            return self.recent.take().map_or_else(|| Recent::new(before, host), Ok);
        };
        let mut recent = Recent::new(start, host)?;
        let mut game = start.clone();
        for answer in answers.iter().take(answers.len().saturating_sub(1)) {
            if let Err(fault) = recent.follow(&mut game, host, *answer) {
                game.abandon(host);
                return Err(fault);
            }
        }
        game.abandon(host);
        Ok(recent)
    }

    /// Compares the views, options and log lines after the answer.
    ///
    /// # Errors
    /// A sentence about the first leak.
    pub fn after(&mut self, game: &Game, host: &dyn EffectHost, events: &[LogEntry], seed: u64) -> Result<(), String> {
        let Some((before, answer, option)) = self.answered.take() else { return Ok(()) };
        let rules = game.rules();
        let words = Words::new(rules, &rules.texts.own);
        let mut recent = self.recent(&before, host).map_err(|fault| fault.to_string())?;
        let given = recent.answers();
        let is_looked_at = given.is_multiple_of(given / LOOKED_AT_IN_A_ROW + 1);
        let seats = if is_looked_at { self.seats(game, &before) } else { Vec::new() };
        let mut sides = Vec::new();
        for seat in seats {
            let viewer = Viewer::Seat(seat);
            let mut keep: Vec<PieceId> = events.iter().flat_map(|event| event.pieces_seen(viewer)).collect();
            let known = recent.known(seat).iter().enumerate().filter(|(_, known)| **known);
            keep.extend(known.map(|(piece, _)| PieceId::from(piece)));
            let side = Side { seat, host, words: &words, before: &before, answer, game, events };
            let seen = side.seen(game, events);
            self.goes_on(&side, &recent, &Followed::Seen(&seen), seed, option, &keep)?;
            sides.push((side, seen, keep));
        }
        // If only a few answers are tested, views without an answer in between are compared once for each kind.
        if self.few.is_some() && self.round != 1 {
            return Ok(());
        }
        recent.go_on(&before, option, game, events, host).map_err(|fault| fault.to_string())?;
        for (side, seen, keep) in &sides {
            side.looks(&recent, seen, seed, keep)?;
            side.hides_choices(seen, seed)?;
        }
        self.recent = self.few.is_none().then_some(recent);
        Ok(())
    }

    /// Compares the messages if the pack fails at the answer.
    ///
    /// # Errors
    /// A sentence about the first leak.
    pub fn after_fault(&mut self, host: &dyn EffectHost, fault: &Fault, seed: u64) -> Result<(), String> {
        let Some((before, answer, option)) = self.answered.take() else { return Ok(()) };
        let rules = before.rules();
        let words = Words::new(rules, &rules.texts.own);
        let recent = self.recent(&before, host).map_err(|fault| fault.to_string())?;
        for seat in self.seats(&before, &before) {
            let side = Side { seat, host, words: &words, before: &before, answer, game: &before, events: &[] };
            let keep = recent.known(seat).iter().enumerate().filter(|(_, known)| **known);
            let keep: Vec<PieceId> = keep.map(|(piece, _)| PieceId::from(piece)).collect();
            self.goes_on(&side, &recent, &Followed::Fault(fault), seed, option, &keep)?;
        }
        Ok(())
    }

    /// Gives the same answer in a game with shuffled pieces, and compares what follows.
    fn goes_on(
        &self,
        side: &Side<'_>,
        recent: &Recent,
        followed: &Followed<'_>,
        seed: u64,
        option: Opt,
        keep: &[PieceId],
    ) -> Result<(), String> {
        let Side { seat, host, before, game, .. } = *side;
        let mut keep: Vec<PieceId> = keep.iter().copied().chain(pieces_seen(game, seat)).collect();
        if let Some(decision) = game.decision().filter(|decision| decision.seat == seat) {
            keep.extend(decision.options.iter().filter_map(|option| option.piece()));
        }
        for round in 0..MAX_TRIES {
            let (other, exchange) = recent.resampled(before, host, seat, seed ^ round << 32, &keep);
            if exchange.is_empty() {
                continue;
            }
            match side.compare(followed, other, &exchange, option) {
                Compared::Same if self.few.is_none() => return Ok(()),
                Compared::Same | Compared::Unfit => {}
                Compared::Differs(shows) => {
                    let again = |exchange: &Exchange| {
                        let other = recent.lead(before, host, seat, exchange)?;
                        side.compare(followed, other, exchange, option).shows()
                    };
                    let place = |exchange: &Exchange, shows: &Shows| {
                        let other = recent.lead(before, host, seat, exchange)?;
                        let answer = other.listed(host, exchange.option(option))?;
                        let place = before.place_of_parting(host, side.answer, (&other, answer), shows.event);
                        other.abandon(host);
                        place
                    };
                    return Err(Leak::new(before, seat, Some(option), shows, exchange, again, place).to_string());
                }
            }
        }
        Ok(())
    }
}

/// Tests the set-up: for every player, sets the game up again with shuffled pieces, and compares the view, the options and the
/// log lines of this player at the first question. Pieces are shuffled [`MAX_TRIES`] times, or once for a `glance`.
///
/// # Errors
/// A sentence about the first leak.
pub fn set_up_hides(rules: &Arc<Ruleset>, host: &dyn EffectHost, seed: u64, glance: bool) -> Result<(), String> {
    let tries = if glance { 1 } else { MAX_TRIES };
    // A pack that cannot be set up has no question to compare.
    let Ok(set_up) = SetUp::new(rules, seed, host) else { return Ok(()) };
    let shown = rules.seats().try_for_each(|seat| set_up_hides_from(&set_up, host, seat, seed, tries));
    set_up.abandon(host);
    shown
}

fn set_up_hides_from(set_up: &SetUp, host: &dyn EffectHost, seat: Seat, seed: u64, tries: u64) -> Result<(), String> {
    let (game, events) = (set_up.game(), set_up.events());
    let words = Words::new(game.rules(), &game.rules().texts.own);
    let side = Side { seat, host, words: &words, before: game, answer: Answer(0), game, events };
    let seen = side.seen(game, events);
    let differs = |exchange: &Exchange| match set_up.again(host, exchange) {
        Ok((other, others)) => {
            let compared = side.compare_unless_disclosed(&seen, &other, &others, exchange);
            other.abandon(host);
            compared.shows()
        }
        Err(fault) => side.fails_otherwise(None, Some((game, &fault))).shows(),
    };
    for round in 0..tries {
        let exchange = set_up.exchange(host, seat, seed ^ round << 32);
        if exchange.is_empty() {
            continue;
        }
        if let Some(shows) = differs(&exchange) {
            let place = |exchange: &Exchange, shows: &Shows| set_up.place_of_parting(host, exchange, shows.event);
            return Err(Leak::new(game, seat, None, shows, exchange, differs, place).in_set_up().to_string());
        }
    }
    Ok(())
}

/// The result of giving the same answer in two games.
enum Compared {
    Same,
    /// The games cannot be compared: the answer is not offered, or they disclose different things on purpose.
    Unfit,
    Differs(Shows),
}

impl Compared {
    fn shows(self) -> Option<Shows> {
        match self {
            Compared::Same | Compared::Unfit => None,
            Compared::Differs(shows) => Some(shows),
        }
    }
}

/// Everything that a player sees of a game.
struct Seen {
    /// The lines of the log, each with the number of its event.
    told: Vec<(usize, String)>,
    /// The view; `None` when the game is over, because the score counts hidden pieces, too.
    view: Option<View>,
    /// The question and its options, if the player is asked.
    choice: String,
}

/// The consequence of an answer.
enum Followed<'a> {
    /// The game went on.
    Seen(&'a Seen),
    /// The pack failed.
    Fault(&'a Fault),
}

/// A player's side of an answer: the game before and after it, and the events in between.
struct Side<'a> {
    seat: Seat,
    host: &'a dyn EffectHost,
    words: &'a Words<'a>,
    before: &'a Game,
    answer: Answer,
    game: &'a Game,
    events: &'a [LogEntry],
}

impl Side<'_> {
    /// Compares what the player sees now with a game with shuffled pieces, without another answer.
    fn looks(&self, recent: &Recent, seen: &Seen, seed: u64, keep: &[PieceId]) -> Result<(), String> {
        let (other, exchange) = recent.resampled(self.game, self.host, self.seat, seed, keep);
        let differs = |other: Game, exchange: &Exchange| {
            let mapped: Vec<LogEntry> = self.events.iter().map(|event| exchange.event(event)).collect();
            let shows = self.differs(seen, &other, &mapped);
            other.abandon(self.host);
            shows
        };
        if exchange.is_empty() {
            other.abandon(self.host);
            return Ok(());
        }
        let Some(shows) = differs(other, &exchange) else { return Ok(()) };
        let again = |exchange: &Exchange| differs(recent.lead(self.game, self.host, self.seat, exchange)?, exchange);
        let place = |_: &Exchange, shows: &Shows| self.before.place_of_event(self.host, self.answer, shows.event?);
        Err(Leak::new(self.game, self.seat, None, shows, exchange, again, place).to_string())
    }

    /// Compares what is seen while players choose at the same time with what would be seen if others had chosen otherwise.
    fn hides_choices(&self, seen: &Seen, seed: u64) -> Result<(), String> {
        if self.game.together().is_none_or(|(_, chosen)| chosen == 0) {
            return Ok(());
        }
        let other = self.game.choices_redrawn(self.host, self.seat, seed).map_err(|fault| fault.to_string())?;
        let shows = self.differs(seen, &other, self.events);
        other.abandon(self.host);
        let Some(Shows { what, one, two, .. }) = shows else { return Ok(()) };
        let seat = self.seat.index() + 1;
        Err(format!("player {seat} can tell what others choose at the same time by {what}: `{one}` or `{two}`"))
    }

    /// Gives the answer in another game, and compares the consequences.
    fn compare(&self, followed: &Followed<'_>, mut other: Game, exchange: &Exchange, option: Opt) -> Compared {
        let answer = match other.decision().filter(|_| self.before.asks_in_secret()) {
            Some(decision) => exchange.secret_answer(decision, usize::MAX),
            None => None,
        };
        let answer = answer.or_else(|| other.listed(self.host, exchange.option(option)));
        let answered = answer.map(|answer| other.answer(self.host, answer));
        let compared = match (followed, answered) {
            (Followed::Seen(seen), Some(Ok(others))) => self.compare_unless_disclosed(seen, &other, &others, exchange),
            (Followed::Seen(_), Some(Err(AnswerError::Fault(fault)))) => {
                self.fails_otherwise(None, Some((&other, &fault)))
            }
            (Followed::Fault(fault), Some(Ok(_))) => self.fails_otherwise(Some((self.before, fault)), None),
            (Followed::Fault(one), Some(Err(AnswerError::Fault(two)))) => {
                self.fails_otherwise(Some((self.before, one)), Some((&other, &two)))
            }
            (_, None | Some(Err(AnswerError::Illegal(_)))) => Compared::Unfit,
        };
        other.abandon(self.host);
        compared
    }

    /// Compares what the player is told of the faults of two games. `None` stands for a game that does not fail.
    fn fails_otherwise(&self, one: Option<(&Game, &Fault)>, two: Option<(&Game, &Fault)>) -> Compared {
        let told = |failed: Option<(&Game, &Fault)>| match failed {
            None => "it does not fail".to_string(),
            Some((game, fault)) => {
                let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(self.seat));
                // The whole message, with the words of a script. `play` shows them after the game only, but other programs may
                // show them at once.
                sight.told_of_message(&fault.to_string()).unwrap_or("the message names something hidden").to_string()
            }
        };
        let (first, second) = (told(one), told(two));
        if first == second {
            return Compared::Same;
        }
        let at = one.or(two).map_or(String::new(), |(_, fault)| fault.place());
        // The report is for the author, who may read everything. The place follows at its end, once.
        let message =
            |failed: Option<(&Game, &Fault)>, told: String| failed.map_or(told, |(_, fault)| fault.message.clone());
        let (one, two) = (message(one, first), message(two, second));
        Compared::Differs(Shows { what: FAULT, one, two, at, event: None })
    }

    /// Compares the consequences, unless the rules disclose different things on purpose.
    fn compare_unless_disclosed(
        &self,
        seen: &Seen,
        other: &Game,
        others: &[LogEntry],
        exchange: &Exchange,
    ) -> Compared {
        if declares(self.events, others, exchange) {
            return Compared::Unfit;
        }
        self.compare_after(seen, other, others, exchange)
    }

    fn compare_after(&self, seen: &Seen, other: &Game, others: &[LogEntry], exchange: &Exchange) -> Compared {
        let game = self.game;
        let asked = |game: &Game| game.decision().map(|decision| (decision.seat, decision.ask));
        if asked(other) != asked(game) {
            let who = |game: &Game| match game.decision() {
                Some(decision) => format!("player {}: {}", decision.seat.index() + 1, self.words.question(decision)),
                None => "nobody".to_string(),
            };
            let is_deep = |game: &Game| game.decision().is_some_and(|decision| !is_menu(decision.ask));
            let asks = if is_deep(game) || !is_deep(other) { game } else { other };
            let at = asks.place_of_question(self.host);
            let (one, two) = (who(game), who(other));
            return Compared::Differs(Shows { what: ASKED_NEXT, one, two, at, event: None });
        }
        if let Some(shows) = self.differs(seen, other, others) {
            return Compared::Differs(shows);
        }
        match game.other_piece_variable(other, exchange, self.seat) {
            Some((name, one, two)) => {
                let at = format!("var.{name}");
                Compared::Differs(Shows { what: "a variable of a hidden piece", one, two, at, event: None })
            }
            None => Compared::Same,
        }
    }

    /// Everything that the player sees in a game.
    fn seen(&self, game: &Game, events: &[LogEntry]) -> Seen {
        Seen { told: self.told(game, events), view: self.view(game), choice: self.choice(game) }
    }

    fn told(&self, game: &Game, events: &[LogEntry]) -> Vec<(usize, String)> {
        let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(self.seat));
        let line = |(number, event)| Some((number, self.words.event(event, &sight)?));
        events.iter().enumerate().filter_map(line).collect()
    }

    fn view(&self, game: &Game) -> Option<View> {
        game.decision()?;
        Some(View::new(game, self.host, Viewer::Seat(self.seat), self.words))
    }

    fn choice(&self, game: &Game) -> String {
        match game.decision().filter(|decision| decision.seat == self.seat) {
            Some(decision) => {
                let options = self.words.options(game.state(), decision).join("\n");
                format!("{}\n{options}", self.words.question(decision))
            }
            None => String::new(),
        }
    }

    /// The first difference between what the player sees in this game and in another one.
    fn differs(&self, seen: &Seen, other: &Game, others: &[LogEntry]) -> Option<Shows> {
        let told = self.told(other, others);
        let texts = |told: &[(usize, String)]| told.iter().map(|(_, line)| line.clone()).collect::<Vec<_>>();
        if !seen.told.iter().map(|(_, line)| line).eq(told.iter().map(|(_, line)| line)) {
            let (one, two) = (texts(&seen.told), texts(&told));
            let at = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
            let line = |lines: &[String]| lines.get(at).cloned().unwrap_or_default();
            let event = Some(seen.told.get(at).map_or(self.events.len(), |(number, _)| *number));
            return Some(Shows { what: "the log", one: line(&one), two: line(&two), at: String::new(), event });
        }
        if let (Some(one), Some(two)) = (&seen.view, self.view(other))
            && *one != two
        {
            let text = |view: &View| serde_json::to_string(view).expect("a view is plain data");
            let at = differing_value(one, &two).unwrap_or_default();
            return Some(Shows { what: "the view", one: text(one), two: text(&two), at, event: None });
        }
        let choice = self.choice(other);
        if seen.choice != choice {
            let asks = || self.game.place_of_question(self.host);
            let at = differing_action(self.game, other).unwrap_or_else(asks);
            return Some(Shows { what: "the choice", one: seen.choice.clone(), two: choice, at, event: None });
        }
        None
    }
}

/// Whether two games differ because of a `disclose` step, which tells hidden things on purpose.
///
/// If both games disclose something at the same point, and it differs, all later differences may follow from it. If only one of
/// them discloses anything there, that itself may be a leak. It counts as a disclosure only if it names a piece that is another
/// one in the other game.
fn declares(events: &[LogEntry], others: &[LogEntry], exchange: &Exchange) -> bool {
    let told = |events: &[LogEntry]| -> Vec<LogEntry> {
        events.iter().filter(|event| matches!(event, LogEntry::Disclosed { .. })).cloned().collect()
    };
    let (one, two) = (told(events), told(others));
    let same = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
    let shows_other = |event: &LogEntry| exchange.event(event) != *event;
    match (one.get(same), two.get(same)) {
        (Some(_), Some(_)) => true,
        (Some(only), None) | (None, Some(only)) => shows_other(only),
        (None, None) => false,
    }
}

/// All pieces that a player sees.
fn pieces_seen(game: &Game, seat: Seat) -> Vec<PieceId> {
    let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(seat));
    (0..game.rules().pieces.len()).map(PieceId::from).filter(|piece| sight.sees(*piece)).collect()
}

fn is_menu(ask: rulepack_kernel::Ask) -> bool {
    matches!(ask, rulepack_kernel::Ask::Menu(..))
}

/// The first derived value that differs between two views.
fn differing_value(one: &View, two: &View) -> Option<String> {
    let values = |view: &View| -> Vec<_> { view.players.iter().flat_map(|player| player.values.0.clone()).collect() };
    let (one, two) = (values(one), values(two));
    let (name, _) = one.iter().zip(&two).find(|(one, two)| one != two)?.0;
    Some(format!("value.{name}"))
}

/// The action that is offered in one game only.
fn differing_action(game: &Game, other: &Game) -> Option<String> {
    let (one, two) = (&game.decision()?.options, &other.decision()?.options);
    let only = |here: &[Opt], there: &[Opt]| {
        here.iter().find_map(|option| match option {
            Opt::Action(action, _) | Opt::Free(action, _) if !there.contains(option) => Some(*action),
            _ => None,
        })
    };
    let action = only(one, two).or_else(|| only(two, one))?;
    Some(format!("action.{}", game.rules().actions[action.index()].name))
}
