//! The steps of effects in words.

use rulepack_expr::ast::{ChooseAst, NameAst, StepAst, StepKind, WinnersAst};

use super::{Titles, capital};

impl Titles {
    /// An effect: each step a sentence.
    pub(super) fn effect(&self, steps: &[StepAst]) -> String {
        let sentences: Vec<String> = steps.iter().map(|step| capital(&self.step(step)) + ".").collect();
        sentences.join(" ")
    }

    /// Steps inside a sentence.
    fn inside(&self, steps: &[StepAst]) -> String {
        let parts: Vec<String> = steps.iter().map(|step| self.step(step)).collect();
        if parts.is_empty() { "nothing".to_string() } else { parts.join(", then ") }
    }

    fn asked(&self, prompt: Option<&NameAst>) -> String {
        prompt.map_or_else(String::new, |prompt| format!(" ({})", self.question(&prompt.text)))
    }

    fn step(&self, step: &StepAst) -> String {
        match &step.kind {
            StepKind::Block(steps) => self.inside(steps),
            StepKind::Named { step, .. } => self.step(step),
            StepKind::Exchange { cost, then } => format!("pay {} to {}", self.cost(cost), self.step(then)),
            StepKind::Pay { cost, to: None } => format!("pay {}", self.cost(cost)),
            StepKind::Pay { cost, to: Some(to) } => format!("pay {} onto {}", self.cost(cost), self.value(to)),
            StepKind::Gain { cost, whom: None } => format!("gain {}", self.cost(cost)),
            StepKind::Gain { cost, whom: Some(whom) } => format!("{} gets {}", self.value(whom), self.cost(cost)),
            StepKind::Put { cost, on } => {
                format!("put {} from the supply onto {}", self.cost(cost), self.value(on))
            }
            StepKind::Store { cost, on } => format!("lay {} of yours onto {}", self.cost(cost), self.value(on)),
            StepKind::Take { cost, from } => format!("take {} from {}", self.cost(cost), self.value(from)),
            StepKind::GiveBack { cost, from } => {
                format!("{} goes from {} back into the supply", self.cost(cost), self.value(from))
            }
            StepKind::Lay { piece, on } => format!("lay {} on {}", self.value(piece), self.value(on)),
            StepKind::Move { piece, to, bottom, facing } => {
                let bottom = if *bottom { " at the bottom" } else { "" };
                let facing = match facing {
                    Some(true) => " face up",
                    Some(false) => " face down",
                    None => "",
                };
                format!("move {} to {}{bottom}{facing}", self.value(piece), self.value(to))
            }
            StepKind::Draw { count, from, to } => {
                format!("draw {} from {} to {}", self.value(count), self.value(from), self.value(to))
            }
            StepKind::Shuffle(zone) => format!("shuffle {}", self.value(zone)),
            StepKind::Refill(zone) => format!("fill {} up", self.value(zone)),
            StepKind::Flip(piece) => format!("turn {} over", self.value(piece)),
            StepKind::Swap { one, other } => format!("swap {} with {}", self.value(one), self.value(other)),
            StepKind::Choose(choice) => self.choice(choice),
            StepKind::Pick { name, set, .. } => format!("by chance, {} is one of {}", name.text, self.value(set)),
            StepKind::Let { name, value } => format!("{} is {}", name.text, self.value(value)),
            StepKind::Roll { name, sides, .. } => {
                format!("roll a die with {} sides: {}", self.value(sides), name.text)
            }
            StepKind::Set { target, value } => format!("{} becomes {}", self.value(target), self.value(value)),
            StepKind::May { step, prompt } => {
                format!("you may {}{}", self.step(step), self.asked(prompt.as_ref()))
            }
            StepKind::Either(ways) => {
                let ways: Vec<String> = ways
                    .iter()
                    .map(|(name, steps)| format!("{}: {}", self.question(&name.text), self.inside(steps)))
                    .collect();
                format!("one of these: {}", ways.join("; or "))
            }
            StepKind::Repeat { times, body } => format!("{} times: {}", self.value(times), self.inside(body)),
            StepKind::ForEach { name, set, body } => {
                format!("for each {} of {}: {}", name.text, self.value(set), self.inside(body))
            }
            StepKind::If { cond, then, other } if other.is_empty() => {
                format!("if {}, {}", self.value(cond), self.inside(then))
            }
            StepKind::If { cond, then, other } => {
                format!("if {}, {}; otherwise {}", self.value(cond), self.inside(then), self.inside(other))
            }
            StepKind::AsSeat { seat, body } => format!("{} does this: {}", self.value(seat), self.inside(body)),
            StepKind::Together { players, body } => {
                format!("{}, at the same time: {}", self.value(players), self.inside(body))
            }
            StepKind::Raise { event, args } => format!("“{}” happens{}", self.name(&event.text), self.given(args)),
            StepKind::Perform { action, args, free } => {
                let free = if *free { " without paying" } else { "" };
                format!("do “{}”{}{free}", self.name(&action.text), self.given(args))
            }
            StepKind::Use(what) => format!("do what {} says", self.value(what)),
            StepKind::EndTurn => "the turn ends".to_string(),
            StepKind::EndPhase => "the phase ends".to_string(),
            StepKind::EndGame { winners: WinnersAst::ByPoints } => "the game ends".to_string(),
            StepKind::EndGame { winners: WinnersAst::Are(who) } => {
                format!("the game ends, and {} win", self.value(who))
            }
            StepKind::EndGame { winners: WinnersAst::Everybody } => "the game ends in a draw".to_string(),
            StepKind::Pass => "you pass".to_string(),
            StepKind::Pause => "free actions are possible here".to_string(),
            StepKind::Cancel => "the event does not happen".to_string(),
            StepKind::Eliminate { players, round: true } => {
                format!("{} is out until the round ends", self.value(players))
            }
            StepKind::Eliminate { players, round: false } => format!("{} is out of the game", self.value(players)),
            StepKind::Rejoin(who) => format!("{} is no longer passed", self.value(who)),
            StepKind::Look { set, by, prompt, .. } => {
                let who = by.as_ref().map_or_else(|| "look".to_string(), |by| format!("{} looks", self.value(by)));
                format!("{who} at {}{}", self.value(set), self.asked(prompt.as_ref()))
            }
            StepKind::Reveal { set, to, .. } => {
                let whom = to.as_ref().map_or_else(|| "all players".to_string(), |to| self.value(to));
                format!("show {} to {whom}", self.value(set))
            }
            StepKind::Disclose { what, prompt } => {
                format!("tell all players: {}{}", self.value(what), self.asked(prompt.as_ref()))
            }
            StepKind::Script { file, function, .. } => format!("do what the script {}.{function} says", file.text),
        }
    }

    fn given(&self, args: &[rulepack_expr::ast::Ast]) -> String {
        let args: Vec<String> = args.iter().map(|part| self.value(part)).collect();
        if args.is_empty() { String::new() } else { format!(" ({})", args.join(", ")) }
    }

    fn choice(&self, choice: &ChooseAst) -> String {
        let ChooseAst { range, name, set, if_any, by, prompt, body, .. } = choice;
        let who = by.as_ref().map_or_else(|| "choose".to_string(), |by| format!("{} chooses", self.value(by)));
        let (number_of, for_each) = match range {
            Some((least, most)) => {
                let (least, most) = (self.value(least), self.value(most));
                let number = if least == most { least } else { format!("{least} to {most}") };
                (number, ", and for each: ")
            }
            None => ("one".to_string(), ", then "),
        };
        let if_any = if *if_any { ", if there is one" } else { "" };
        let asked = self.asked(prompt.as_ref());
        let head = format!("{who} {number_of} of {}{asked}{if_any}", self.value(set));
        match body {
            // What was chosen is "it", wherever the name stands alone.
            Some(steps) => format!("{head}{for_each}{}", self.calling_it(&name.text).inside(steps)),
            None => head,
        }
    }

    /// The same titles, where a name stands for what was just chosen.
    fn calling_it(&self, name: &str) -> Titles {
        let mut titles = self.clone();
        titles.titles.insert(name.to_string(), "it".to_string());
        titles
    }
}
