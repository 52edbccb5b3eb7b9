//! The selection of a game: the arguments that several subcommands share.

use clap::Args;
use rulepack_kernel::Language;
use rulepack_model::visible::one_line;
use rulepack_model::{Diagnostic, Origin, Seat, did_you_mean};
use rulepack_pack::LinkRequest;
use rulepack_tools::{GameBox, Library, first_cause, only_causes, render};

use crate::phrases::Phrases;
use crate::stop::{Stop, talk, talk_coloured, wants_color};

/// Pack, modes, players.
#[derive(Debug, Clone, Args)]
pub struct Pick {
    /// The pack
    pub pack: String,
    /// A mode or an edition; may be given several times
    #[arg(long = "mode", value_name = "MODE")]
    pub modes: Vec<String>,
    /// The number of players
    #[arg(long, value_name = "N")]
    pub players: Option<u8>,
    /// A further pack, such as an expansion; may be given several times
    #[arg(long = "with", value_name = "PACK")]
    pub with: Vec<String>,
}

impl Pick {
    /// The request to link it.
    pub fn request(&self) -> LinkRequest {
        LinkRequest {
            pack: self.pack.clone(),
            with: self.with.clone(),
            modes: self.modes.clone(),
            players: self.players,
        }
    }

    /// Loads the game.
    pub fn load(&self, library: &Library) -> Result<GameBox, Stop> {
        load(library, &self.request())
    }
}

/// Refuses a pack that does not exist: a mistake of the call, not of a pack.
pub fn known_pack(library: &Library, pack: &str) -> Result<(), Stop> {
    if library.has(pack) {
        return Ok(());
    }
    let known: Vec<String> = library.list().into_iter().map(|info| info.id).collect();
    let hint = did_you_mean(pack, known.iter().map(String::as_str)).map_or(String::new(), |hint| format!("; {hint}"));
    Err(Stop::Call(one_line(&format!("no library holds a pack `{pack}`{hint}")).into_owned()))
}

/// Loads a game; warnings and mistakes are printed.
pub fn load(library: &Library, request: &LinkRequest) -> Result<GameBox, Stop> {
    for pack in std::iter::once(&request.pack).chain(&request.with) {
        known_pack(library, pack)?;
    }
    if let (Some(wanted), Some(range)) = (request.players, library.players(&request.pack))
        && !(range.min..=range.max).contains(&wanted)
    {
        let message = format!("`{}` is for {range}, not for {wanted}", request.pack);
        return Err(Stop::Call(message));
    }
    let (game_box, diagnostics) = library.try_load(request);
    let Some(game_box) = game_box else {
        return Err(refused(library, &diagnostics));
    };
    Ok(game_box)
}

/// Reports why a game cannot be loaded: packs have mistakes, or they do not offer what was asked for.
pub fn refused(library: &Library, diagnostics: &[Diagnostic]) -> Stop {
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    let is_of_call = |error: &&Diagnostic| error.origin == Origin::Call;
    if let (Some(first), true) = (errors.first(), errors.iter().all(is_of_call)) {
        let hint = first.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        return Stop::Call(format!("{}{hint}", first.message));
    }
    let color = wants_color(&std::io::stderr());
    let diagnostics = only_causes(diagnostics.to_vec(), &library.sources());
    talk_coloured(&render(&diagnostics, &library.sources(), color));
    if let Some(first) = first_cause(&diagnostics, &library.sources()) {
        talk(&first);
    }
    Stop::Said
}

/// The seat that an argument names: `2` or `player_2`.
pub fn seat_named(text: &str, players: u8) -> Result<Seat, Stop> {
    let number = text.trim().trim_start_matches("player_").parse::<u8>().ok();
    let seat = number.and_then(|number| number.checked_sub(1)).filter(|seat| *seat < players);
    seat.map(Seat).ok_or_else(|| Stop::Call(format!("`--as {text}`: write a seat from 1 to {players}")))
}

/// The program's own words in a language, as far as it is known before the game is loaded.
pub fn phrases(library: &Library, request: &LinkRequest, language: &str) -> &'static Phrases {
    let asked = std::iter::once(&request.pack).chain(&request.with);
    let languages: Vec<String> = asked
        .flat_map(|pack| library.load_order(pack))
        .filter_map(|pack| library.manifest(&pack))
        .flat_map(|pack| std::iter::once(pack.language).chain(pack.locales.into_iter().map(|locale| locale.text)))
        .collect();
    let own = library.manifest(&request.pack).map_or(String::new(), |pack| pack.language);
    Phrases::of(Language::of_game(language, &own, |language| languages.iter().any(|known| known == language)))
}

/// The language of the environment.
pub fn environment_language() -> String {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    match set.as_deref() {
        None | Some("C" | "POSIX") => String::new(),
        Some(locale) if locale.starts_with("C.") => String::new(),
        Some(locale) => locale.to_string(),
    }
}
