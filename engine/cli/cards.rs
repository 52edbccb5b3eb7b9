//! `rulepack cards`: the cards of a pack as pictures and as pages for a printer.
//!
//! `deck.rs` makes cards from the data of the pack; the crate `rulepack-print` draws them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rulepack_model::did_you_mean;
use rulepack_print::{Backs, Card, Paper, PrintError, Sheets, Size, Theme, print};
use rulepack_tools::{FileKind, GameBox, Library, Safety, replace};

use crate::changed_pack::other;
use crate::deck::Deck;
use crate::pick::{Pick, environment_language};
use crate::stop::{Stop, emit_lines, talk, verdict};
use crate::write::{Foreign, may_write, unwritten, write_picture};

/// Draws the cards of a pack: pictures, and pages to print and cut
///
/// Title, costs, attributes and text come from the pack, colours and icons from its `[look]`. Kinds without anything to
/// read on them, such as plain counters, are left out unless `--kind` names them.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack cards my-game --pdf cards.pdf\n          rulepack cards my-game --svg pictures --kind spell --locale fr\n          rulepack cards my-game --pdf new.pdf --changed-since HEAD~1 --paper letter"
)]
pub struct Cards {
    #[command(flatten)]
    pick: Pick,
    /// Only cards of this kind; may be given several times
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<String>,
    /// Write an SVG picture of each card and each back into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write pages with all copies, with marks to cut along
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
    /// The paper of the pages
    #[arg(long, value_enum, default_value = "a4")]
    paper: PaperName,
    /// The size of a card: poker (63.5x88.9), bridge (57.2x88.9), tarot (70x120), mini (44x67), square (70x70), or
    /// millimetres such as 63x88
    #[arg(long, value_name = "SIZE", default_value = "poker")]
    size: String,
    /// How far the colours go beyond the edge of a card, in millimetres
    #[arg(long, value_name = "MM", default_value = "2")]
    bleed: f32,
    /// Pages without backs; otherwise the back of every page follows it, for printing on both sides (long edge)
    #[arg(long)]
    no_backs: bool,
    /// One copy of each card instead of as many as there are
    #[arg(long)]
    once: bool,
    /// Only cards that are new or different since this revision of git, or in another library
    #[arg(long, value_name = "REV")]
    changed_since: Option<String>,
    /// The language, such as `fr`; that of the environment if not given
    #[arg(long, visible_alias = "language", value_name = "LANGUAGE")]
    locale: Option<String>,
    /// Overwrite files even if rulepack did not write them
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PaperName {
    A4,
    Letter,
}

impl Cards {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let size = self.card_size()?;
        let sheets = self.sheets()?;
        let game_box = self.pick.load(library)?;
        let (theme, cards) = self.deck(&game_box, size)?;
        let all = cards.len();
        let cards = match &self.changed_since {
            None => cards,
            Some(revision) => {
                let before = other("--changed-since", revision, library, &self.pick.request())?;
                changed((&theme, cards), self.deck(&before, size)?)
            }
        };
        if self.svg.is_none() && self.pdf.is_none() {
            return list(&cards);
        }
        let foreign = Foreign::new(self.force);
        if let Some(path) = &self.pdf {
            may_write(path, FileKind::Pages, foreign)?;
        }
        let printed = print(&theme, &cards, self.pdf.as_ref().map(|_| &sheets)).map_err(|error| match error {
            PrintError::NotBuilt | PrintError::TooLarge => Stop::Call(error.to_string()),
            PrintError::Drawing(_) => Stop::Wrong(error.to_string()),
        })?;
        if let Some(folder) = &self.svg {
            for (name, picture) in &printed.pictures {
                write_picture(&folder.join(format!("{name}.svg")), picture, foreign)?;
            }
            talk(&format!("{} pictures in `{}`", printed.pictures.len(), shown(folder)));
        }
        if let (Some(path), Some(pages)) = (&self.pdf, &printed.pdf) {
            replace(path, pages, Safety::Synced).map_err(|error| Stop::Call(unwritten(path, &error)))?;
            let copies: u32 = cards.iter().map(|card| card.count).sum();
            let what = format!("{} types, {copies} cards, {} pages", cards.len(), printed.pages);
            talk(&format!("`{}`: {what}", shown(path)));
        }
        if self.changed_since.is_some() {
            talk(&format!("{} of {all} types have changed", cards.len()));
        }
        for unfit in &printed.unfit {
            talk(&format!("`{}`: {}", unfit.card, unfit.what));
        }
        verdict(Ok(()), !printed.unfit.is_empty())
    }

    fn card_size(&self) -> Result<Size, Stop> {
        Size::read(&self.size).ok_or_else(|| {
            let named: Vec<&str> = Size::NAMED.iter().map(|(name, _)| *name).collect();
            let hint =
                did_you_mean(&self.size, named.iter().copied()).map_or(String::new(), |hint| format!("; {hint}"));
            let known = named.join(", ");
            Stop::Call(format!(
                "`--size {}`: write {known}, or millimetres from 30 to 200 such as `63x88`{hint}",
                self.size
            ))
        })
    }

    fn sheets(&self) -> Result<Sheets, Stop> {
        if !(0.0..=5.0).contains(&self.bleed) {
            return Err(Stop::Call(format!("`--bleed {}`: write millimetres from 0 to 5", self.bleed)));
        }
        Ok(Sheets {
            paper: match self.paper {
                PaperName::A4 => Paper::A4,
                PaperName::Letter => Paper::Letter,
            },
            bleed: (self.bleed * 10.0).round() as u32,
            backs: if self.no_backs { Backs::None } else { Backs::Behind },
        })
    }

    fn deck(&self, game_box: &GameBox, size: Size) -> Result<(Theme, Vec<Card>), Stop> {
        let language = self.locale.clone().unwrap_or_else(environment_language);
        let deck = Deck::new(game_box.rules(), &language);
        for kind in &self.kinds {
            deck.knows(kind).map_err(|hint| Stop::Call(format!("`--kind {kind}`: {hint}")))?;
        }
        let mut cards = deck.cards(&self.kinds);
        if self.once {
            cards.iter_mut().for_each(|card| card.count = 1);
        }
        Ok((deck.theme(size), cards))
    }
}

/// The cards that are not there before, or not like this.
fn changed((theme, cards): (&Theme, Vec<Card>), (old_theme, old): (Theme, Vec<Card>)) -> Vec<Card> {
    let old: BTreeMap<&str, &Card> = old.iter().map(|card| (card.id.as_str(), card)).collect();
    let icons = |theme: &Theme, card: &Card| -> BTreeSet<Option<String>> {
        let signs = card.costs.iter().flat_map(|cost| &cost.parts).map(|(_, sign)| sign);
        let signs = signs.chain(card.fields.iter().filter_map(|field| field.symbol.as_ref()));
        let names = signs.map(|sign| &sign.icon).chain([&card.icon, &card.back.icon]);
        names.map(|name| theme.icons.get(name.as_deref()?).cloned()).collect()
    };
    let same = |card: &Card| {
        old.get(card.id.as_str()).is_some_and(|old| *old == card && icons(theme, card) == icons(&old_theme, old))
    };
    let same_paper = theme.background == old_theme.background && theme.game == old_theme.game;
    cards.into_iter().filter(|card| !(same_paper && same(card))).collect()
}

/// The cards in words, one line for each.
fn list(cards: &[Card]) -> Result<(), Stop> {
    let width = cards.iter().map(|card| card.id.chars().count()).max().unwrap_or(0);
    let line = |card: &Card| format!("{:3} × {:width$}  {}", card.count, card.id, card.title);
    let lines: Vec<String> = cards.iter().map(line).collect();
    if !lines.is_empty() {
        emit_lines(&lines.join("\n"))?;
    }
    talk(&format!("{} types; `--pdf FILE` makes pages of them, `--svg DIR` pictures", cards.len()));
    Ok(())
}

fn shown(path: &Path) -> String {
    crate::stop::shown(path)
}
