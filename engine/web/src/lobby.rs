//! All tables: opening, finding again after a restart, putting to sleep.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rulepack::{BotKind, GameBox, Library, LinkRequest, PackInfo, Table, Viewer, seat_key};
use rulepack_pack::ModeInfo;
use serde::{Deserialize, Serialize};

use crate::kept::{self, Card, Kept, SeatCard};
use crate::opponents::Shared;
use crate::room::{Reply, Room};
use crate::storage::{self, Storage};
use crate::threads::Threads;
use crate::token::{Token, random_digits};
use crate::{Options, ServeError};

/// How long a table without a connection stays awake.
const IDLE: Duration = Duration::from_secs(300);
/// How many games stay linked.
const MOST_GAMES: usize = 64;

/// All tables of a server.
#[derive(Debug)]
pub struct Lobby {
    library: Mutex<Library>,
    games: Mutex<BTreeMap<LinkRequest, GameBox>>,
    tables: Mutex<BTreeMap<String, Place>>,
    storage: Option<Arc<dyn Storage>>,
    most_tables: usize,
    first_pack: Option<String>,
    /// The threads in which tables are answered.
    pub threads: Threads,
    /// The threads in which bots think.
    pub bots: Threads,
    /// Files of tables that could not be read at the start.
    pub unread: usize,
}

/// A table, awake or asleep.
#[derive(Debug)]
struct Place {
    card: Card,
    awake: Option<Arc<Shared>>,
    used: Instant,
    /// Held by whoever wakes the table. Two that woke it at a time would each begin its log anew, and the answers of one of them
    /// would go into a file that the other has replaced.
    waking: Arc<Mutex<()>>,
}

/// A pack, as the lobby shows it.
#[derive(Debug, Serialize)]
pub struct Offer {
    #[serde(flatten)]
    pack: PackInfo,
    modes: Vec<ModeOffer>,
}

#[derive(Debug, Serialize)]
struct ModeOffer {
    id: String,
    title: String,
    is_edition: bool,
    players: Option<u8>,
}

/// All packs that can be played.
#[derive(Debug, Serialize)]
pub struct Offers {
    first: Option<String>,
    packs: Vec<Offer>,
}

/// A wish for a new table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    pack: String,
    #[serde(default)]
    modes: Vec<String>,
    /// For every seat the bot that plays it; nothing for a person.
    seats: Vec<Option<String>>,
    #[serde(default)]
    language: String,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    hints: bool,
}

/// A new table, with the secrets of its seats: only whoever opens it is told them.
#[derive(Debug, Serialize)]
pub struct Opened {
    table: String,
    title: String,
    seats: Vec<Link>,
    spectators: Link,
}

/// The secret of a seat.
#[derive(Debug, Serialize)]
pub struct Link {
    viewer: String,
    token: String,
    bot: Option<String>,
}

/// Figures for the operator.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    /// All tables.
    pub tables: usize,
    /// Those that are awake.
    pub awake: usize,
}

impl Lobby {
    /// Opens the lobby with the tables of its folder.
    ///
    /// # Errors
    /// If the folder cannot be used, or threads cannot be started.
    pub fn open(library: Library, options: &Options) -> Result<Lobby, ServeError> {
        let mut tables = BTreeMap::new();
        let mut unread = 0;
        let mut storage = None;
        if let Some(folder) = &options.folder {
            let wrong = |error| ServeError::Folder { folder: folder.clone(), error };
            let opened = storage::open(options.storage, folder).map_err(wrong)?;
            let (cards, broken) = opened.all().map_err(wrong)?;
            storage = Some(opened);
            unread = broken;
            tables.extend(cards.into_iter().map(|card| (card.id.clone(), Place::asleep(card))));
        }
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = Threads::new("table", cores).map_err(ServeError::Stopped)?;
        let bots = Threads::new("bot", cores).map_err(ServeError::Stopped)?;
        Ok(Lobby {
            library: Mutex::new(library),
            games: Mutex::default(),
            tables: Mutex::new(tables),
            storage,
            most_tables: options.most_tables,
            first_pack: options.pack.clone(),
            threads,
            bots,
            unread,
        })
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, Place>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn library(&self) -> MutexGuard<'_, Library> {
        self.library.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All packs that can be played.
    pub fn offers(&self) -> Offers {
        let library = self.library();
        let playable = library.list().into_iter().filter(|pack| pack.players.is_some());
        let packs = playable.map(|pack| {
            let modes = library.modes(&pack.id).into_iter().filter(|mode| !mode.is_abstract);
            let offer = |mode: ModeInfo| ModeOffer {
                title: mode.title,
                is_edition: mode.edition,
                players: mode.players,
                id: mode.id,
            };
            let modes = modes.map(offer).collect();
            Offer { modes, pack }
        });
        Offers { first: self.first_pack.clone(), packs: packs.collect() }
    }

    /// Links a game, or takes the one that is linked.
    fn game(&self, request: &LinkRequest) -> Result<GameBox, Reply> {
        let known = |games: &BTreeMap<LinkRequest, GameBox>| games.get(request).cloned();
        if let Some(game) = known(&self.games.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(game);
        }
        let library = self.library();
        if !library.has(&request.pack) {
            return Err(Reply::problem("unknown-pack", format!("there is no pack `{}`", request.pack)));
        }
        let game = library.game(request).map_err(|mistakes| Reply::problem("bad-pack", mistakes.to_string()))?;
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if games.len() >= MOST_GAMES {
            games.clear();
        }
        games.insert(request.clone(), game.clone());
        Ok(game)
    }

    /// Opens a table.
    ///
    /// # Errors
    /// If the pack cannot be played that way, or there are too many tables.
    pub fn open_table(&self, opening: &Opening) -> Result<Opened, Reply> {
        if self.tables().len() >= self.most_tables {
            return Err(Reply::problem("too-many-tables", format!("{} tables are open", self.most_tables)));
        }
        for bot in opening.seats.iter().flatten() {
            bot.parse::<BotKind>().map_err(|error| Reply::problem("unknown-bot", error.to_string()))?;
        }
        let players = u8::try_from(opening.seats.len()).map_err(|_| Reply::problem("bad-request", "too many seats"))?;
        let Opening { pack, modes, language, .. } = opening;
        let request =
            LinkRequest { pack: pack.clone(), modes: modes.clone(), players: Some(players), ..LinkRequest::default() };
        let game = self.game(&request)?;
        let no_chance = |_| Reply::problem("no-chance", "the machine gives no random numbers");
        let seed = match opening.seed {
            Some(seed) => seed,
            None => u64::from_str_radix(&random_digits(8).map_err(no_chance)?, 16).unwrap_or_default(),
        };
        let table = Table::open(&game, seed, language);
        let table = table.map_err(|fault| Reply::problem("pack-failed", fault.to_string()))?;
        let id = random_digits(8).map_err(no_chance)?;
        let seats: Result<Vec<SeatCard>, _> =
            opening.seats.iter().map(|bot| Ok(SeatCard { token: Token::new()?, bot: bot.clone() })).collect();
        let card = Card {
            title: self
                .library()
                .list()
                .into_iter()
                .find(|info| info.id == *pack)
                .map_or(pack.clone(), |info| info.title),
            id,
            pack: pack.clone(),
            language: language.clone(),
            hints: opening.hints,
            seats: seats.map_err(no_chance)?,
            spectators: Token::new().map_err(no_chance)?,
        };
        let kept = self.storage.as_ref().map(|storage| Kept::begin(storage, &card, table.session())).transpose();
        let kept = kept.map_err(|error| unkept(&error))?;
        let link =
            |viewer: String, token: &Token, bot: Option<String>| Link { viewer, token: token.digits().into(), bot };
        let opened = Opened {
            table: card.id.clone(),
            title: card.title.clone(),
            seats: table
                .seats()
                .zip(&card.seats)
                .map(|(seat, at)| link(seat_key(seat), &at.token, at.bot.clone()))
                .collect(),
            spectators: link("public".to_string(), &card.spectators, None),
        };
        let shared = Shared::new(Room::new(table, card.clone(), kept));
        shared.wake_bots(&self.bots);
        self.tables().insert(card.id.clone(), Place { awake: Some(shared), ..Place::asleep(card) });
        Ok(opened)
    }

    /// The viewer to whom a token of a table belongs.
    pub fn viewer_of(&self, id: &str, token: &str) -> Option<Viewer> {
        let tables = self.tables();
        let card = &tables.get(id)?.card;
        let mut found = card.spectators.is(token).then_some(Viewer::Public);
        // All are compared, so that the time tells nothing.
        for (seat, at) in (0_u8..).zip(&card.seats) {
            if at.token.is(token) {
                found = Some(Viewer::Seat(rulepack::Seat(seat)));
            }
        }
        found
    }

    /// A table, woken up if it is asleep; nothing if there is none. It plays on from its log.
    ///
    /// # Errors
    /// If the table cannot be loaded under the present rules.
    pub fn table(&self, id: &str) -> Result<Option<Arc<Shared>>, Reply> {
        let waking = {
            let mut tables = self.tables();
            let Some(place) = tables.get_mut(id) else { return Ok(None) };
            place.used = Instant::now();
            if let Some(shared) = &place.awake {
                return Ok(Some(Arc::clone(shared)));
            }
            Arc::clone(&place.waking)
        };
        let _alone = waking.lock().unwrap_or_else(PoisonError::into_inner);
        let card = match self.tables().get(id) {
            None => return Ok(None),
            // Another connection was faster.
            Some(Place { awake: Some(there), .. }) => return Ok(Some(Arc::clone(there))),
            Some(place) => place.card.clone(),
        };
        let Some(storage) = &self.storage else { return Ok(None) };
        let lost = |why: String| Reply::problem("table-lost", format!("this table cannot go on: {why}"));
        let log = kept::read_log(storage.as_ref(), id).map_err(lost)?;
        let game = self.game(&log.request())?;
        let table = Table::load(&game, &log.to_text(), &card.language).map_err(|error| lost(error.to_string()))?;
        let kept = Kept::begin(storage, &card, table.session()).map_err(|error| unkept(&error))?;
        let shared = Shared::new(Room::new(table, card, Some(kept)));
        let shared = match self.tables().get_mut(id) {
            None => return Ok(None),
            Some(place) => Arc::clone(place.awake.insert(shared)),
        };
        shared.wake_bots(&self.bots);
        Ok(Some(shared))
    }

    /// Other people or bots play the seats of a table from now on.
    ///
    /// # Errors
    /// If that cannot be kept.
    pub fn reseated(&self, shared: &Shared) -> Result<(), Reply> {
        let card = shared.room().card.clone();
        shared.reseat();
        if let Some(storage) = &self.storage {
            storage.write_card(&card).map_err(|error| unkept(&error))?;
        }
        if let Some(place) = self.tables().get_mut(&card.id) {
            place.card = card;
        }
        Ok(())
    }

    /// Puts tables to sleep that nobody has used for a while: they are files until somebody comes back.
    pub fn sweep(&self) {
        if self.storage.is_none() {
            return;
        }
        for place in self.tables().values_mut() {
            // Whoever is connected, and a bot that thinks, holds the table too.
            let is_alone = place.awake.as_ref().is_some_and(|shared| Arc::strong_count(shared) == 1);
            if is_alone && place.used.elapsed() > IDLE {
                place.awake = None;
            }
        }
    }

    /// Figures for the operator.
    pub fn figures(&self) -> Figures {
        let tables = self.tables();
        Figures { tables: tables.len(), awake: tables.values().filter(|place| place.awake.is_some()).count() }
    }
}

impl Place {
    fn asleep(card: Card) -> Place {
        Place { card, awake: None, used: Instant::now(), waking: Arc::default() }
    }
}

fn unkept(error: &io::Error) -> Reply {
    Reply::problem("not-kept", format!("the table cannot be kept: {error}"))
}
