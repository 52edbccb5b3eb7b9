//! The steps of a scenario: answers by readable names, and what is or is not offered.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rulepack_kernel::{
    Answer, AnswerError, Decision, EffectHost, Game, LogEntry, Opt, OptionKeys, Pending, ResourceHolder, Value, Words,
    option_keys, seat_key,
};
use rulepack_model::{PieceId, Seat, TypeId};
use rulepack_pack::Word;

use super::Step;
use super::chance::Chance;
use super::forced::Forced;
use super::names::value_name;
use crate::early::Early;

/// The number of copies of the game in which the meanings of a step are tried. A word can mean an answer, or a choice that the
/// game made by itself, so the number of meanings doubles with every such word.
const MOST_TRIES: u32 = 1000;

/// A scenario that is being played.
pub(super) struct Play<'h> {
    pub(super) game: Game,
    pub(super) host: &'h dyn EffectHost,
    pub(super) seats: &'h [String],
    /// The choices that the kernel made by itself since the last answer, and that the step has not named yet.
    pub(super) forced: Forced,
    pub(super) chance: Chance,
    /// Types of which a piece was moved, turned, chosen or laid resources on.
    pub(super) touched: BTreeSet<TypeId>,
    /// Answers of players who choose at the same time, before the kernel asks them.
    early: Early,
    /// How many copies of the game may still be made in this step, by this game and all copies of it.
    tries: Rc<Cell<u32>>,
}

/// One way to name an option, and how good it is.
pub(super) struct Match {
    pub(super) option: usize,
    pub(super) words: usize,
    primary: bool,
}

impl<'h> Play<'h> {
    /// `before` are the events before the first question.
    pub(super) fn new(game: Game, host: &'h dyn EffectHost, seats: &'h [String], before: &[LogEntry]) -> Self {
        let (forced, chance) = (Forced::of(before), Chance::of(before));
        let (touched, early) = (BTreeSet::new(), Early::default());
        Play { game, host, seats, forced, chance, touched, early, tries: Rc::new(Cell::new(MOST_TRIES)) }
    }

    /// Plays one step; the error says why that is impossible.
    pub(super) fn step(&mut self, step: &Step) -> Result<(), String> {
        let seat = match &step.seat {
            None => None,
            Some(name) => self.seats.iter().position(|known| *known == name.text).map(Seat::from),
        };
        self.chance.begin_step();
        self.tries.set(MOST_TRIES);
        if let Some(wanted) = &step.options {
            self.check_options(seat, wanted)?;
        }
        for words in &step.offered {
            self.asked(seat)?;
            self.must_be_offered(seat, words)?;
        }
        for words in &step.not_offered {
            self.asked(seat)?;
            self.must_not_be_offered(seat, words)?;
        }
        self.choose(seat, &step.choose, step.refused.as_deref())
    }

    /// The decision that is pending, if it is this player's.
    pub(super) fn asked(&self, seat: Option<Seat>) -> Result<Cow<'_, Decision>, String> {
        let ahead = |seat| self.early.decision(&self.game, self.host, seat).map_err(|fault| fault.to_string());
        match self.game.pending() {
            Pending::Decision(decision) if seat.is_none_or(|seat| seat == decision.seat) => Ok(Cow::Borrowed(decision)),
            Pending::Decision(_) => {
                if let Some(seat) = seat
                    && let Some(decision) = ahead(seat)?
                {
                    return Ok(decision);
                }
                let name = seat.map_or(String::new(), |seat| self.name(seat));
                Err(format!("`{name}` is not asked now\n{}", self.situation()))
            }
            Pending::Over(_) => Err("the game is over".into()),
        }
    }

    fn choose(&mut self, seat: Option<Seat>, words: &[Word], refused: Option<&str>) -> Result<(), String> {
        let mut at = 0;
        while at < words.len() {
            let rest = words.get(at..).unwrap_or_default();
            let found = match self.asked(seat) {
                Ok(decision) => self.best(&decision, rest),
                Err(_) => Ok(None),
            };
            let named = self.forced.named(self, seat, rest).next();
            // A word that can mean both is taken as the answer, unless the rest of the step is impossible then.
            if matches!((&found, named), (Ok(Some(_)), Some(_)))
                && let Some(done) = self.leads_on(seat, rest, refused)?
            {
                std::mem::replace(self, *done).game.abandon(self.host);
                return Ok(());
            }
            let (answer, count) = match (found, named) {
                (Ok(Some(found)), None) => found,
                (_, Some((forced, count))) => {
                    self.forced.take(forced);
                    at = at.saturating_add(count);
                    continue;
                }
                (Err(ambiguous), None) => return Err(ambiguous),
                (Ok(None), None) => {
                    self.asked(seat).map_err(|reason| format!("`{}` cannot be chosen: {reason}", joined(rest)))?;
                    let why = self.why(rest);
                    return Err(format!("`{}` is not offered\n{}{why}", joined(rest), self.situation()));
                }
            };
            at = at.saturating_add(count);
            let so_far = || joined(words.get(..at).unwrap_or(words));
            match (self.answer(seat, answer), refused) {
                (Ok(()), _) => {}
                (Err(error), Some(text)) if at == words.len() && error.to_string().contains(text) => return Ok(()),
                (Err(error), Some(text)) => {
                    return Err(format!("`{}` is refused with other words than `{text}`: {error}", so_far()));
                }
                (Err(error), None) => return Err(format!("`{}` fails: {error}", so_far())),
            }
        }
        match refused {
            Some(text) => Err(format!("`{}` is not refused with `{text}`: it is done", joined(words))),
            None => Ok(()),
        }
    }

    /// The game after these words, if the first of them is taken as the answer and the others can follow.
    fn leads_on(&self, seat: Option<Seat>, words: &[Word], refused: Option<&str>) -> Result<Option<Box<Self>>, String> {
        let mut fork = Box::new(self.fork()?);
        fork.chance.clone_from(&self.chance);
        fork.touched.clone_from(&self.touched);
        let done = fork.choose(seat, words, refused);
        if done.is_ok() {
            return Ok(Some(fork));
        }
        fork.game.abandon(self.host);
        // An attempt that was cut short proves nothing.
        if self.tries.get() == 0 { Err(too_many_ways()) } else { Ok(None) }
    }

    /// A copy to try something out in; it forgets the choices that the game has made by itself so far.
    ///
    /// # Errors
    /// If too much was tried in this step.
    pub(super) fn fork(&self) -> Result<Play<'h>, String> {
        self.tries.set(self.tries.get().saturating_sub(1));
        if self.tries.get() == 0 {
            return Err(too_many_ways());
        }
        let fork = Play::new(self.game.clone(), self.host, self.seats, &[]);
        Ok(Play { tries: Rc::clone(&self.tries), early: self.early.clone(), ..fork })
    }

    /// Gives an answer of a player, or of whoever is asked; one that comes before its turn is kept until then.
    pub(super) fn answer(&mut self, seat: Option<Seat>, answer: Answer) -> Result<(), AnswerError> {
        if let Some(seat) = seat.filter(|seat| self.game.decision().is_some_and(|decision| decision.seat != *seat)) {
            self.early.keep(seat, answer);
            return Ok(());
        }
        let mut events = self.game.answer(self.host, answer)?;
        while let Some(answer) = self.early.next(&self.game) {
            events.extend(self.game.answer(self.host, answer)?);
        }
        self.forced = Forced::of(&events);
        for event in events {
            self.chance.note(&event);
            self.note(event);
        }
        Ok(())
    }

    /// Notes which types take part.
    fn note(&mut self, event: LogEntry) {
        match event {
            LogEntry::ActionBegan { args, .. } | LogEntry::ActionTaken { args, .. } => {
                args.into_iter().for_each(|value| self.touch(value))
            }
            LogEntry::Chose { option, .. } => self.touch(value_of(option)),
            LogEntry::Transferred { from, to, .. } => {
                for place in [from, to] {
                    if let ResourceHolder::Piece(piece) = place {
                        self.touch_piece(piece);
                    }
                }
            }
            LogEntry::Moved { piece, .. } | LogEntry::Flipped { piece } => self.touch_piece(piece),
            LogEntry::Laid { piece, on, .. } => {
                self.touch_piece(piece);
                self.touch_piece(on);
            }
            _ => {}
        }
    }

    fn touch(&mut self, value: Value) {
        if let Value::Piece(piece) = value {
            self.touch_piece(piece);
        }
    }

    fn touch_piece(&mut self, piece: PieceId) {
        self.touched.insert(self.game.rules().type_of(piece));
    }

    // ---- matching words with options ----

    /// All ways in which the first of these words name options; with `open`, they may end inside a name.
    pub(super) fn matches(&self, decision: &Decision, words: &[Word], open: bool) -> Vec<Match> {
        let mut found = Vec::new();
        for (option, opt) in decision.options.iter().enumerate() {
            for (rank, key) in self.keys(*opt).into_iter().enumerate() {
                let common = key.iter().zip(words).take_while(|(key, word)| **key == word.text).count();
                let is_whole = common == key.len() && common > 0;
                if is_whole || open && common == words.len() {
                    found.push(Match { option, words: common, primary: rank == 0 });
                }
            }
        }
        found
    }

    /// The option that the words name, and how many of them it takes: as many as possible, the usual name first.
    pub(super) fn best(&self, decision: &Decision, words: &[Word]) -> Result<Option<(Answer, usize)>, String> {
        let found = self.matches(decision, words, false);
        let Some(longest) = found.iter().map(|m| (m.words, m.primary)).max() else { return Ok(None) };
        let mut options: Vec<usize> =
            found.iter().filter(|m| (m.words, m.primary) == longest).map(|m| m.option).collect();
        options.dedup();
        if options.len() > 1 {
            let options = options.iter().filter_map(|option| decision.options.get(*option));
            let names: Vec<String> = options.map(|option| self.full_name(*option)).collect();
            return Err(format!(
                "`{}` can mean several options: {}",
                joined(words.get(..longest.0).unwrap_or(words)),
                super::listed(names.iter().map(String::as_str))
            ));
        }
        Ok(options.first().map(|option| (Answer(*option as u16), longest.0)))
    }

    fn check_options(&self, seat: Option<Seat>, wanted: &[Word]) -> Result<(), String> {
        let decision = self.asked(seat)?;
        let decision = &*decision;
        let mut left: Vec<Vec<String>> = decision
            .options
            .iter()
            .map(|option| self.keys(*option).iter().map(|key| key.join(" ")).collect())
            .collect();
        let mut missing = Vec::new();
        // More detailed names come first, because the usual name fits several options.
        for by_usual_name in [false, true] {
            for word in wanted {
                let text = word.text.split_whitespace().collect::<Vec<_>>().join(" ");
                let is_usual = decision.options.iter().any(|option| self.usual_name(*option) == text);
                if is_usual != by_usual_name {
                    continue;
                }
                match left.iter().position(|keys| keys.contains(&text)) {
                    Some(found) => drop(left.remove(found)),
                    None => missing.push(text),
                }
            }
        }
        if missing.is_empty() && left.is_empty() {
            return Ok(());
        }
        let mut message = String::from("other options are offered than expected");
        if !missing.is_empty() {
            message += &format!("\n  missing: {}", super::listed(missing.iter().map(String::as_str)));
        }
        if !left.is_empty() {
            let extra = left.iter().filter_map(|keys| keys.first()).map(String::as_str);
            message += &format!("\n  not expected: {}", super::listed(extra));
        }
        Err(format!("{message}\n{}", self.situation()))
    }

    // ---- names ----

    pub(super) fn name(&self, seat: Seat) -> String {
        value_name(self.game.rules(), self.seats, Value::Seat(seat))
    }

    /// Seats by the names that the scenario gives them.
    fn with_names(&self, key: &str) -> String {
        let mut key = key.to_string();
        for (index, name) in self.seats.iter().enumerate() {
            let number = seat_key(Seat::from(index));
            if key == number {
                key.clone_from(name);
            } else if let Some(rest) = key.strip_prefix(&format!("{number}.")) {
                key = format!("{name}.{rest}");
            } else if let Some(rest) = key.strip_suffix(&format!("@{number}")) {
                key = format!("{rest}@{name}");
            }
        }
        key
    }

    /// The names of an option as words, the usual one first.
    fn keys(&self, option: Opt) -> Vec<Vec<String>> {
        self.in_words(&option_keys(self.game.rules(), self.game.state(), option))
    }

    pub(super) fn in_words(&self, keys: &OptionKeys) -> Vec<Vec<String>> {
        let mut all: Vec<Vec<String>> = Vec::new();
        for key in std::iter::once(&keys.primary).chain(&keys.others) {
            let words = |name: &dyn Fn(&str) -> String| -> Vec<String> {
                key.iter()
                    .flat_map(|word| name(word).split_whitespace().map(str::to_string).collect::<Vec<_>>())
                    .collect()
            };
            for words in [words(&|word| self.with_names(word)), words(&|word| word.to_string())] {
                if !all.contains(&words) {
                    all.push(words);
                }
            }
        }
        all
    }

    fn usual_name(&self, option: Opt) -> String {
        self.keys(option).first().map(|key| key.join(" ")).unwrap_or_default()
    }

    /// The name that says where a piece lies, if there is one.
    fn full_name(&self, option: Opt) -> String {
        let keys = self.keys(option);
        keys.get(1).or(keys.first()).map(|key| key.join(" ")).unwrap_or_default()
    }

    /// Who is asked what, with all options.
    pub(super) fn situation(&self) -> String {
        let Some(decision) = self.game.decision() else { return "  the game is over".into() };
        let words = Words::new(self.game.rules(), "");
        let usual: Vec<String> = decision.options.iter().map(|option| self.usual_name(*option)).collect();
        let names: Vec<String> = decision
            .options
            .iter()
            .zip(&usual)
            .map(|(option, name)| {
                let alone = usual.iter().filter(|other| *other == name).count() == 1;
                if alone { name.clone() } else { self.full_name(*option) }
            })
            .collect();
        let names = super::listed(names.iter().map(String::as_str));
        format!("  {} is asked \"{}\" and offered {names}", self.name(decision.seat), words.question(decision))
    }
}

fn too_many_ways() -> String {
    format!(
        "the words of this step can be read in more than {MOST_TRIES} ways: write a step of its own for each answer"
    )
}

pub(super) fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn value_of(option: Opt) -> Value {
    match option {
        Opt::Action(_, value) | Opt::Free(_, value) | Opt::Value(value) => value,
        _ => Value::Nil,
    }
}
