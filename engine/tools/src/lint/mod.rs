//! Lints: likely mistakes in a pack that can be played, such as an action that is never offered, a cost that nobody can pay, a
//! comparison that is always true.
//!
//! Every way to play a pack is examined, and a lint is reported only if it holds in all of them: a zone that one mode does not
//! use may be used by another.

mod listed;
mod mentions;
mod nobodys;
mod ranges;
mod reach;
mod taken_back;

use std::collections::{BTreeMap, BTreeSet};

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{About, End, EndPlace, Expr, Op, Set};
use rulepack_kernel::Ruleset;
use rulepack_model::{ActionId, Code, Confidence, Diagnostic, Node, Sources, Span, Table};
use rulepack_pack::{Definitions, PackKind, PackSource, TextNote, text_map};

use crate::blame::step_at;
use crate::load::{GameBox, Library};
use listed::Listed;
use mentions::Mentions;
use nobodys::{Nobodys, nobodys};
use ranges::Ranges;
use reach::{Reach, costs, unpayable};
use taken_back::taken_back;

/// What was found in the ways to play a pack so far.
#[derive(Debug, Default)]
pub(crate) struct Lint {
    pack: String,
    /// For each comparison, its result if it is the same in every way so far.
    comparisons: BTreeMap<InText, Option<bool>>,
    /// Choices that may have no options.
    choices: BTreeSet<InText>,
    /// Steps after one that ends the turn or the like, with the words and the place of that one.
    after: BTreeMap<InText, (String, EndPlace)>,
    /// Divisors that may be zero in some way.
    divisors: BTreeSet<InText>,
    /// For each phase, its place, and whether it is reached in some way; the same for actions and zones.
    phases: BTreeMap<String, (Span, bool)>,
    actions: BTreeMap<String, (Span, bool)>,
    zones: BTreeMap<String, (Span, bool)>,
    /// For each cost, why it cannot be paid in any way so far; `None` if it can in one.
    costs: BTreeMap<Span, Option<(String, Confidence)>>,
    /// For each effect that takes pieces out of a zone that is out of the game, the zone.
    taken_back: BTreeMap<Span, String>,
    /// For each text, and the place of its step, that asks for `me` where it is nobody's turn: the phase.
    nobodys: BTreeMap<(Span, Option<String>), String>,
    /// Types with a copy in some way.
    boxed: BTreeSet<String>,
    /// The list of components.
    listed: Listed,
}

/// The lints that hold in all ways to play a pack.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) found: Vec<Diagnostic>,
    /// Lints that do not hold only because another pack of the library, built on this one, uses the definition.
    pub(crate) answered: Vec<Diagnostic>,
}

/// A place in a text. Its place in the file is only computed when it is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct InText {
    text: Span,
    is_string: bool,
    start: usize,
    end: usize,
}

impl InText {
    fn new(noted: &TextNote) -> Self {
        let TextNote { text, is_string, note } = noted;
        InText { text: *text, is_string: *is_string, start: note.at.start, end: note.at.end }
    }

    fn span(&self, sources: &Sources) -> Span {
        if self.is_string { text_map(sources, self.text).span(self.start..self.end) } else { self.text }
    }
}

impl Lint {
    pub(crate) fn new(pack: &str) -> Self {
        Lint { pack: pack.to_string(), ..Lint::default() }
    }

    /// Examines one way to play the pack.
    pub(crate) fn look(&mut self, game_box: &GameBox) {
        let rules = game_box.rules();
        let reach = Reach::of(rules);
        let definitions = &game_box.catalogue().definitions;
        let is_ours = |span: &Span| game_box.catalogue().pack_of(*span) == self.pack;
        let place = |kind: &str, id: &str| Some(definitions.kinds.get(kind)?.entries.get(id)?.key).filter(is_ours);
        let note = |all: &mut BTreeMap<String, (Span, bool)>, kind: &str, id: &str, reached: bool| {
            if let Some(span) = place(kind, id) {
                all.entry(id.to_string()).or_insert((span, false)).1 |= reached;
            }
        };
        for (index, phase) in rules.phases.iter().enumerate() {
            note(&mut self.phases, "phase", &phase.name, reach.phases.contains(&index.into()));
        }
        for (index, action) in rules.actions.iter().enumerate() {
            let reached = action.free && reach.pauses || reach.actions.contains(&index.into());
            note(&mut self.actions, "action", &action.name, reached);
        }
        for (index, zone) in rules.zones.iter().enumerate() {
            note(&mut self.zones, "zone", &zone.name, reach.zones.contains(&index.into()));
        }
        for (path, cost) in costs(rules) {
            let Some(span) = value_of(definitions, &path).filter(is_ours) else { continue };
            let reason = unpayable(rules, &reach, cost);
            match self.costs.get_mut(&span) {
                Some(known) if reason.is_none() => *known = None,
                Some(_) => {}
                None => drop(self.costs.insert(span, reason)),
            }
        }
        self.boxed.extend(boxed(rules));
        self.boxed.extend(lists_in_use(rules, game_box));
        self.listed.look(game_box, &self.pack);
    }

    /// Examines the texts of one way to play the pack, even if it cannot be played.
    pub(crate) fn look_at_texts(&mut self, game_box: &GameBox) {
        let rules = game_box.rules();
        let catalogue = game_box.catalogue();
        for (path, zone) in taken_back(rules) {
            let span = value_of(&catalogue.definitions, path).filter(|span| catalogue.pack_of(*span) == self.pack);
            let Some(span) = span else { continue };
            self.taken_back.entry(span).or_insert_with(|| rules.zones[zone.index()].name.clone());
        }
        for Nobodys { text, step, phase } in nobodys(rules) {
            let span = value_of(&catalogue.definitions, &text).filter(|span| catalogue.pack_of(*span) == self.pack);
            self.nobodys.extend(span.map(|span| ((span, step), phase)));
        }
        for noted in game_box.notes() {
            if game_box.catalogue().pack_of(noted.text) != self.pack {
                continue;
            }
            let ranges = Ranges::new(rules, &noted.note.facts);
            match &noted.note.about {
                About::Compare(op, left, right) => {
                    let says = ranges.always(*op, left, right);
                    let known = self.comparisons.entry(InText::new(noted)).or_insert(says);
                    *known = known.filter(|known| says == Some(*known));
                }
                About::Divide(divisor) if ranges.of(divisor).has(0) => {
                    self.divisors.insert(InText::new(noted));
                }
                // The arguments of actions were tested when the pack was linked.
                About::Divide(_) | About::Given(..) => {}
                About::Choose => {
                    self.choices.insert(InText::new(noted));
                }
                About::After(End { word, place }) => {
                    self.after.insert(InText::new(noted), (word.to_string(), *place));
                }
                About::AfterAction(action) => {
                    if let Some(done) = rules.actions.get(action.index()).filter(|_| always_ends(rules, *action)) {
                        let words = format!("do {}", done.name);
                        self.after.entry(InText::new(noted)).or_insert((words, EndPlace::Before));
                    }
                }
            }
        }
    }

    /// The lints about single texts.
    pub(crate) fn texts(&self, library: &Library) -> Vec<Diagnostic> {
        let sources = library.sources();
        let constant =
            self.comparisons.iter().filter_map(|(place, says)| Some(constant(place.span(&sources), (*says)?)));
        let divisors = self.divisors.iter().map(|place| {
            Diagnostic::warning(Code::DivisionByZero, "this may be zero, and then the result is 0")
                .at(place.span(&sources))
                .help("write `max(1, …)`, or ask first: `if … > 0 then … else 0`")
                .likely()
        });
        let choices = self.choices.iter().map(|place| {
            Diagnostic::warning(
                Code::EmptyChoice,
                "if there is nothing to choose from here, or too little, the game stops",
            )
            .at(place.span(&sources))
            .help("write `choose … in … if any { … }` to choose as many as there are, or ask first: `if any(…) { … }`")
            .likely()
        });
        let after = self.after.iter().map(|(place, (word, stands))| {
            let message = match word.as_str() {
                "end game" => "this is never done: `end game` stands before it".to_string(),
                word => format!("this is done although `{word}` stands before it"),
            };
            let help = match (word.as_str(), stands) {
                ("end game", _) => "write it before".to_string(),
                (word, EndPlace::Before) => {
                    format!("`{word}` takes effect when the whole effect is over: write it last")
                }
                (word, EndPlace::If) => format!(
                    "`{word}` takes effect when the whole effect is over: what is done otherwise stands in `else {{ … }}`"
                ),
                (word, EndPlace::Branch) => format!(
                    "`{word}` takes effect when the whole effect is over: what belongs to another way stands in its `{{ … }}`"
                ),
                (word, EndPlace::May) => format!(
                    "`{word}` takes effect when the whole effect is over: write `either NAME {{ … {word} }} or NAME {{ … }}`"
                ),
            };
            Diagnostic::warning(Code::StepAfterEnd, message).at(place.span(&sources)).help(help).likely()
        });
        constant.chain(divisors).chain(choices).chain(after).collect()
    }

    /// Effects that take pieces out of a zone that is out of the game: a game that reaches them fails.
    pub(crate) fn taken_back(&self) -> Vec<Diagnostic> {
        let found = self.taken_back.iter().map(|(span, zone)| {
            let message = format!("this takes a piece out of `{zone}`, and what lies there is out of the game");
            let help = format!("leave the pieces there, or leave `out_of_game` out of `[zone.{zone}]`");
            Diagnostic::error(Code::OutOfGame, message).at(*span).help(help)
        });
        found.collect()
    }

    /// Texts that ask for `me` where it is nobody's turn.
    pub(crate) fn nobodys(&self, library: &Library) -> Vec<Diagnostic> {
        let sources = library.sources();
        let found = self.nobodys.iter().map(|((text, step), phase)| {
            let span = step.as_ref().and_then(|step| step_at(step, &sources)).unwrap_or(*text);
            let message = format!("`me` is nobody here: `phase.{phase}` is nobody's turn");
            Diagnostic::error(Code::NobodysTurn, message)
                .at(span)
                .help("name a player: `as first(players) { … }`, or `for each player in players { as player { … } }`")
        });
        found.collect()
    }

    /// The other lints.
    pub(crate) fn finish(self, library: &Library) -> Findings {
        let Some(own) = library.texts_of(&self.pack) else { return Findings::default() };
        let mentions = self.mentions(library, library.built_on(&self.pack));
        let below = self.mentions(library, Vec::new());
        let (mut out, mut answered) = (Vec::new(), Vec::new());
        for (id, (span, reached)) in &self.phases {
            if !reached {
                let message = format!("no phase that is played leads to `phase.{id}`");
                let help = format!("name `{id}` in the `sequence` or `turns` of a phase, or remove it");
                out.push(Diagnostic::warning(Code::UnreachablePhase, message).at(*span).help(help));
            }
        }
        for (id, (span, reached)) in &self.actions {
            // A script that pauses offers all free actions.
            let may_be_offered = mentions.in_scripts(id) || mentions.in_scripts("pause");
            if !reached && !may_be_offered {
                let message = format!("`action.{id}` is never offered");
                let help =
                    format!("name it in the `actions` of a phase that is played, or write `do {id}` in an effect");
                let out = if self.used_above(library, id) { &mut answered } else { &mut out };
                out.push(Diagnostic::warning(Code::NeverOffered, message).at(*span).help(help));
            }
        }
        for (id, (span, reached)) in &self.zones {
            let has_spaces = has_field(&own, "zone", id, "layout");
            // Effects name spaces, scripts name zones.
            let may_be_entered =
                below.in_scripts(id) || has_spaces && below.in_text_elsewhere(id, &format!("zone.{id}"));
            if !reached && !may_be_entered {
                let message = format!("nothing ever enters `zone.{id}`");
                let help = "let pieces start there (`starts_in`), move them there, or remove the zone";
                let out = if self.used_above(library, id) { &mut answered } else { &mut out };
                out.push(Diagnostic::warning(Code::UnenteredZone, message).at(*span).help(help));
            }
        }
        for (span, reason) in &self.costs {
            if let Some((reason, confidence)) = reason {
                let message = format!("this can never be paid: it {reason}");
                let found = Diagnostic::warning(Code::UnpayableCost, message).at(*span);
                let likely = mentions.has_scripts() || *confidence == Confidence::Likely;
                out.push(if likely { found.likely() } else { found });
            }
        }
        self.unused_pieces(library, &own, &mut out, &mut answered);
        unused_names(&own, &mentions, &mut out);
        unused_names(&own, &below, &mut answered);
        out.extend(self.listed.finish());
        // The definitions of a library are for packs that need it, and there is none here.
        if own.manifest.kind == PackKind::Library && library.built_on(&self.pack).is_empty() {
            answered.append(&mut out);
        }
        answered.retain(|diagnostic| !out.contains(diagnostic));
        Findings { found: out, answered }
    }

    /// The words in the pack, in the packs that it needs, and in the packs of `above`.
    fn mentions(&self, library: &Library, above: Vec<String>) -> Mentions {
        let mut mentions = Mentions::default();
        let around = library.load_order(&self.pack).into_iter().chain(above);
        let packs: BTreeSet<String> = around.collect();
        for pack in packs {
            if let Some(source) = library.texts_of(&pack) {
                mentions.add(&source, &library.sources());
            }
        }
        mentions
    }

    /// Whether a pack that builds on this one mentions a name.
    fn used_above(&self, library: &Library, name: &str) -> bool {
        library.built_on(&self.pack).iter().filter_map(|pack| library.texts_of(pack)).any(|source| {
            let mut mentions = Mentions::default();
            mentions.add(&source, &library.sources());
            mentions.elsewhere(name, "")
        })
    }

    /// Types without a copy in any game, those of packs that build on this one included.
    fn unused_pieces(
        &self,
        library: &Library,
        own: &PackSource,
        out: &mut Vec<Diagnostic>,
        answered: &mut Vec<Diagnostic>,
    ) {
        let kinds = kinds_of_pieces(library, &self.pack);
        let mut unused: BTreeMap<String, Span> = BTreeMap::new();
        for (kind, id, span) in definitions(own).filter(|(kind, ..)| kinds.contains(*kind)) {
            let path = format!("{kind}.{id}");
            if !self.boxed.contains(&path) {
                unused.insert(path, span);
            }
        }
        let report = |path: &str, span: Span| {
            let message = format!("`{path}` is in no game: no mode and no number of players brings a copy of it");
            let help = "give it copies (`count`), put its mode (`only_in`) into use, or remove it";
            Diagnostic::warning(Code::UnusedPiece, message).at(span).help(help)
        };
        for above in library.built_on(&self.pack) {
            if unused.is_empty() {
                return;
            }
            for request in crate::check::requests(library, &above, &mut Vec::new()) {
                // A game that cannot be linked might use any type.
                let Ok(game_box) = library.load(&request) else { return };
                let rules = game_box.rules();
                let there: BTreeSet<String> = boxed(rules).chain(lists_in_use(rules, &game_box)).collect();
                let is_there = |path: &String, _: &mut Span| there.contains(path);
                answered.extend(unused.extract_if(.., is_there).map(|(path, span)| report(&path, span)));
            }
        }
        out.extend(unused.into_iter().map(|(path, span)| report(&path, span)));
    }
}

/// The types of a game of which there is a copy, as `kind.type`.
fn boxed(rules: &Ruleset) -> impl Iterator<Item = String> {
    let types: BTreeSet<usize> = rules.pieces.iter().map(|piece| piece.ty.index()).collect();
    types.into_iter().flat_map(|index| {
        let ty = &rules.types[index];
        // A copy of a printing is also a copy of its type.
        [ty, &rules.types[ty.printing_of.index()]]
            .map(|ty| format!("{}.{}", rules.kinds[ty.kind.index()].name, ty.name))
    })
}

/// The lists of types of which the game has a copy.
fn lists_in_use(rules: &Ruleset, game_box: &GameBox) -> BTreeSet<String> {
    let definitions = &game_box.catalogue().definitions;
    let made_by = |path: String| {
        let (kind, id) = path.split_once('.')?;
        definitions.made_by(kind, id).map(str::to_string)
    };
    boxed(rules).filter_map(made_by).collect()
}

/// The result of a condition, if it is the same at every table, whatever the numbers in the pack are. An example is `3 > 2`,
/// but not `limit > 2` for a derived value `limit` that is 3.
pub(crate) fn always_says(rules: &Ruleset, condition: &Expr) -> Option<bool> {
    match condition {
        Expr::Bool(flag) => Some(*flag),
        Expr::Not(inner) => always_says(rules, inner).map(|says| !says),
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            // `true or …` and `false and …` are decided by one part; otherwise both parts must be constant.
            let decides = *op == BinaryOp::Or;
            match (always_says(rules, left), always_says(rules, right)) {
                (Some(says), _) | (_, Some(says)) if says == decides => Some(decides),
                (Some(_), Some(_)) => Some(!decides),
                _ => None,
            }
        }
        Expr::Binary(op, left, right) if left == right || needs_no_rules(left) && needs_no_rules(right) => {
            Ranges::new(rules, &[]).always(*op, left, right)
        }
        Expr::Int(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) | Expr::Amount(..) => None,
        Expr::Attr(..) | Expr::ResAttr(..) | Expr::Property(..) | Expr::Mark(..) | Expr::Room(..) => None,
        Expr::Value(..) | Expr::Var(..) | Expr::Negative(_) | Expr::Binary(..) | Expr::If(..) => None,
        Expr::IsType(..) | Expr::IsKind(..) | Expr::Contains(..) | Expr::Any(_) | Expr::Count(_) => None,
        Expr::Sum(..) | Expr::Largest(..) | Expr::Smallest(..) | Expr::First(_) | Expr::Last(_) => None,
        Expr::Top(_) | Expr::Min(..) | Expr::Max(..) | Expr::NextSeat(_) | Expr::PreviousSeat(_) => None,
        Expr::Opposite(_) | Expr::AtTurn | Expr::Passed(_) | Expr::Can(..) | Expr::CanPay(_) | Expr::Units(_) => None,
        Expr::Out(_) | Expr::Partner(_) => None,
        Expr::Query(..) => None,
    }
}

/// Whether the last operation of an action's effect ends the turn or the like, and cannot be skipped.
fn always_ends(rules: &Ruleset, action: ActionId) -> bool {
    let effect = rules.actions.get(action.index()).and_then(|action| action.effect);
    let Some(compiled) = effect.and_then(|effect| rules.programs.get(effect.index())) else { return false };
    let ops = &compiled.program.ops;
    // The last operation is reached unless a jump leads behind it.
    let past = ops.len() as u32;
    let leads_past = |op: &Op| {
        let does = op.facts();
        does.jump == Some(past) || does.branches.iter().any(|(_, start)| *start == past)
    };
    ops.last().is_some_and(|last| last.facts().ends) && !ops.iter().any(leads_past)
}

/// The largest value of an expression, if it is known.
pub(crate) fn most_of(rules: &Ruleset, expr: &Expr) -> Option<i64> {
    let range = Ranges::new(rules, &[]).of(expr);
    range.is_bounded().then_some(range.most)
}

fn needs_no_rules(expr: &Expr) -> bool {
    match expr {
        Expr::Int(_) | Expr::Sym(_) | Expr::Res(_) | Expr::Type(_) | Expr::Amount(..) => true,
        Expr::Count(set) => !matches!(**set, Set::Seats | Set::Others(_) | Set::Resources(_)),
        Expr::Negative(inner) => needs_no_rules(inner),
        Expr::Binary(_, left, right) => needs_no_rules(left) && needs_no_rules(right),
        Expr::Bool(_) | Expr::Local(_) | Expr::Attr(..) | Expr::ResAttr(..) | Expr::Property(..) => false,
        Expr::Mark(..) | Expr::Room(..) | Expr::Value(..) | Expr::Var(..) | Expr::Not(_) | Expr::If(..) => false,
        Expr::IsType(..) | Expr::IsKind(..) | Expr::Contains(..) | Expr::Any(_) | Expr::Sum(..) => false,
        Expr::Largest(..) | Expr::Smallest(..) | Expr::First(_) | Expr::Last(_) | Expr::Top(_) => false,
        Expr::Min(..) | Expr::Max(..) | Expr::NextSeat(_) | Expr::PreviousSeat(_) | Expr::Opposite(_) => false,
        Expr::AtTurn | Expr::Passed(_) | Expr::Can(..) | Expr::CanPay(_) | Expr::Units(_) | Expr::Query(..) => false,
        Expr::Out(_) | Expr::Partner(_) => false,
    }
}

fn constant(span: Span, says: bool) -> Diagnostic {
    let (always, help) = match says {
        true => ("true", "leave it out, or compare with something that it can fall short of"),
        false => ("false", "what depends on it never happens: compare with something that it can reach"),
    };
    Diagnostic::warning(Code::ConstantCondition, format!("this comparison is always {always}")).at(span).help(help)
}

/// All definitions of a pack with the places of their names.
fn definitions(pack: &PackSource) -> impl Iterator<Item = (&str, &str, Span)> {
    let kinds = pack.files.iter().flat_map(|(_, table)| table.iter());
    kinds.flat_map(|(kind, entry)| {
        let ids = entry.node.as_table().into_iter().flat_map(Table::iter);
        ids.map(move |(id, definition)| (kind, id, definition.key))
    })
}

fn kinds_of_pieces(library: &Library, pack: &str) -> BTreeSet<String> {
    let packs = library.load_order(pack).into_iter().filter_map(|pack| library.texts_of(&pack));
    let kinds = |source: &PackSource| -> Vec<String> {
        definitions(source).filter(|(kind, ..)| *kind == "kind").map(|(_, id, _)| id.to_string()).collect()
    };
    packs.flat_map(|source| kinds(&source)).collect()
}

fn has_field(pack: &PackSource, kind: &str, id: &str, key: &str) -> bool {
    let mut tables = pack.files.iter().filter_map(|(_, table)| table.get(kind)?.as_table()?.get(id)?.as_table());
    tables.any(|table| table.get(key).is_some())
}

/// The place of the value at `kind.id key`.
fn value_of(definitions: &Definitions, origin: &str) -> Option<Span> {
    let (path, key) = origin.split_once(' ')?;
    let (kind, id) = path.split_once('.')?;
    let mut node: &Node = definitions.get(kind, id)?;
    for part in key.split('.') {
        node = node.below(part)?;
    }
    Some(node.span)
}

/// Declarations whose names occur nowhere else.
fn unused_names(own: &PackSource, mentions: &Mentions, out: &mut Vec<Diagnostic>) {
    const NAMED: [(&str, &str); 9] = [
        ("resource", "resource"),
        ("group", "group of resources"),
        ("symbol", "symbol"),
        ("var", "variable"),
        ("value", "value"),
        ("set", "set"),
        ("event", "event"),
        ("prompt", "question"),
        ("adjacency", "adjacency"),
    ];
    let report = |out: &mut Vec<Diagnostic>, path: &str, what: &str, span: Span| {
        let found = Diagnostic::warning(Code::UnusedName, format!("nothing uses the {what} `{path}`"))
            .at(span)
            .help("use it, or remove it");
        out.push(if mentions.has_scripts() { found.likely() } else { found });
    };
    for (kind, id, span) in definitions(own) {
        let path = format!("{kind}.{id}");
        if let Some((_, what)) = NAMED.iter().find(|(known, _)| *known == kind)
            && !mentions.elsewhere(id, &path)
        {
            report(out, &path, what, span);
        }
        if kind == "attribute" && !mentions.in_text_elsewhere(id, &path) {
            report(out, &path, "attribute", span);
        }
    }
    let kinds = own.files.iter().filter_map(|(_, table)| table.get("kind")?.as_table()).flat_map(Table::iter);
    for (kind, entry) in kinds {
        let attributes = entry.node.as_table().and_then(|table| table.get("attributes")).and_then(Node::as_table);
        for (name, attribute) in attributes.into_iter().flat_map(Table::iter) {
            let declared = &attribute.node;
            let ty = declared.as_table().and_then(|table| table.get("type")).unwrap_or(declared).as_str();
            // Attributes of type `text` are only shown to people.
            if ty != Some("text") && !mentions.in_any_text(name) {
                report(out, &format!("kind.{kind}.attributes.{name}"), "attribute", attribute.key);
            }
        }
    }
}
