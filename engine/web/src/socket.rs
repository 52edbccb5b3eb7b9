//! A connection of one viewer to one table. It is told what changes, and it asks for what that viewer may do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use rulepack::{Glossary, Seat, Viewer, viewer_key};
use serde::Serialize;
use tokio::sync::mpsc;

use crate::lobby::Lobby;
use crate::opponents::{Shared, hint};
use crate::room::{Reply, Sent, Wanted, as_json};

/// The largest message of a browser, in bytes.
pub const LARGEST_MESSAGE: usize = 16 * 1024;
/// How many messages a browser may send at once, and how many more each second.
const BURST: f64 = 40.0;
const PER_SECOND: f64 = 15.0;
/// How often a connection is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_secs(25);
/// How long a message may take to be sent before the connection is given up.
const SLOWEST: Duration = Duration::from_secs(20);

/// What a browser is told first.
#[derive(Serialize)]
struct Hello<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    viewer: String,
    title: &'a str,
    hints: bool,
    glossary: Glossary,
}

/// Whoever is connected counts as being there; the end of the connection ends that.
struct Presence<'a> {
    shared: &'a Arc<Shared>,
    viewer: Viewer,
}

impl<'a> Presence<'a> {
    /// Nothing if the viewer has too many connections.
    fn new(shared: &'a Arc<Shared>, viewer: Viewer) -> Option<Presence<'a>> {
        let comes = shared.room().comes(viewer);
        comes.then(|| {
            shared.changed();
            Presence { shared, viewer }
        })
    }
}

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        self.shared.room().leaves(self.viewer);
        self.shared.changed();
    }
}

/// Serves a connection until it ends.
pub async fn serve(mut socket: WebSocket, lobby: Arc<Lobby>, id: String, viewer: Viewer) {
    let found = {
        let (lobby, id) = (Arc::clone(&lobby), id);
        let threads = lobby.threads.clone();
        threads.run(move || lobby.table(&id)).await
    };
    let shared = match found {
        Some(Ok(Some(shared))) => shared,
        Some(Ok(None)) => return refuse(socket, &Reply::problem("unknown-table", "there is no such table")).await,
        Some(Err(problem)) => return refuse(socket, &problem).await,
        None => return,
    };
    let Some(_presence) = Presence::new(&shared, viewer) else {
        return refuse(socket, &Reply::problem("too-many-connections", "this seat is open in too many windows")).await;
    };
    let hello = greeting(&shared, viewer);
    if !sends(&mut socket, hello).await {
        return;
    }
    let mut changes = shared.watch();
    changes.mark_changed();
    let (aside, mut from_aside) = mpsc::unbounded_channel::<Reply>();
    let mut connection =
        Connection { lobby, shared: Arc::clone(&shared), viewer, aside, left: BURST, last: Instant::now() };
    let mut sent = Sent::default();
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    if let Some(reply) = connection.hear(text.to_string()).await
                        && !sends(&mut socket, as_json(&reply)).await
                    {
                        return;
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return,
            },
            changed = changes.changed() => {
                if changed.is_err() {
                    return;
                }
                let (told, now) = connection.update(sent).await;
                sent = now;
                if !sends(&mut socket, told).await {
                    return;
                }
            }
            Some(reply) = from_aside.recv() => {
                if !sends(&mut socket, as_json(&reply)).await {
                    return;
                }
            }
            _ = heartbeat.tick() => {
                if tokio::time::timeout(SLOWEST, socket.send(Message::Ping(Vec::new().into()))).await.is_err() {
                    return;
                }
            }
        }
    }
}

fn greeting(shared: &Shared, viewer: Viewer) -> String {
    let room = shared.room();
    as_json(&Hello {
        kind: "hello",
        viewer: viewer_key(viewer),
        title: &room.card.title,
        hints: room.card.hints,
        glossary: Glossary::new(room.table.game().rules(), &room.card.language),
    })
}

/// Whether a message could be sent in time.
async fn sends(socket: &mut WebSocket, text: String) -> bool {
    matches!(tokio::time::timeout(SLOWEST, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}

async fn refuse(mut socket: WebSocket, problem: &Reply) {
    sends(&mut socket, as_json(problem)).await;
}

struct Connection {
    lobby: Arc<Lobby>,
    shared: Arc<Shared>,
    viewer: Viewer,
    /// For replies that take a while.
    aside: mpsc::UnboundedSender<Reply>,
    /// How many messages are left.
    left: f64,
    last: Instant,
}

impl Connection {
    /// What has changed since the last time.
    async fn update(&self, sent: Sent) -> (String, Sent) {
        let (shared, viewer) = (Arc::clone(&self.shared), self.viewer);
        let told = self.lobby.threads.run(move || {
            let mut now = sent;
            match shared.room().update(viewer, &mut now) {
                Ok(text) => (text, now),
                Err(problem) => (as_json(&problem), now),
            }
        });
        told.await.unwrap_or_else(|| (as_json(&Reply::problem("failed", "the table could not be shown")), sent))
    }

    /// Whether the browser sends no more than it may.
    fn may_go_on(&mut self) -> bool {
        let now = Instant::now();
        self.left = (self.left + now.duration_since(self.last).as_secs_f64() * PER_SECOND).min(BURST);
        self.last = now;
        let may = self.left >= 1.0;
        if may {
            self.left -= 1.0;
        }
        may
    }

    /// Does what a browser asks for.
    async fn hear(&mut self, text: String) -> Option<Reply> {
        if !self.may_go_on() {
            return Some(Reply::problem("too-many-messages", "too many messages: wait a moment"));
        }
        let wanted = match serde_json::from_str::<Wanted>(&text) {
            Ok(wanted) => wanted,
            Err(error) => return Some(Reply::problem("bad-request", error.to_string())),
        };
        let seat = match (self.viewer, &wanted) {
            (_, Wanted::Say { text }) => {
                self.shared.room().say(self.viewer, text);
                self.shared.changed();
                return None;
            }
            (Viewer::Seat(seat), _) => seat,
            (Viewer::Public | Viewer::All, _) => {
                return Some(Reply::problem("only-watching", "you are watching: you have no seat at this table"));
            }
        };
        if let Wanted::Hint = wanted {
            return self.hint(seat);
        }
        let (lobby, shared) = (Arc::clone(&self.lobby), Arc::clone(&self.shared));
        let done = self.lobby.threads.run(move || act(&lobby, &shared, seat, wanted)).await;
        match done {
            Some(Ok(reply)) => reply,
            Some(Err(problem)) => Some(problem),
            None => Some(Reply::problem("failed", "this could not be done; the table is as it was")),
        }
    }

    /// Lets a bot think about a hint. The reply comes later.
    fn hint(&self, seat: Seat) -> Option<Reply> {
        let (shared, aside) = (Arc::clone(&self.shared), self.aside.clone());
        let room = self.shared.room();
        if !room.card.hints {
            return Some(Reply::problem("no-hints", "there are no hints at this table"));
        }
        let asked = room.table.asked(self.viewer).ok()?.into_iter().find(|asked| asked.player == seat);
        let Some(asked) = asked else { return Some(Reply::problem("not-asked", "you are not asked anything")) };
        drop(room);
        self.lobby.bots.start(move || {
            let table = shared.room().table.fork();
            let reply = hint(&table, seat, asked.revision).unwrap_or_else(|problem| problem);
            // The browser may have gone meanwhile.
            let _ = aside.send(reply);
        });
        None
    }
}

/// Does what a seat asks for.
fn act(lobby: &Lobby, shared: &Arc<Shared>, seat: Seat, wanted: Wanted) -> Result<Option<Reply>, Reply> {
    match wanted {
        Wanted::Answer { revision, index } => shared.room().answer(seat, revision, index)?,
        Wanted::Undo => {
            shared.room().undo(seat)?;
            shared.forget();
        }
        Wanted::Agree { yes } => {
            shared.room().agree(seat, yes)?;
            shared.forget();
        }
        Wanted::Why { what, about, action } => {
            return shared.room().why(seat, what.as_deref(), about.as_deref(), action.as_deref()).map(Some);
        }
        Wanted::Hand { seat: handed, bot } => {
            shared.room().hand(seat, &handed, bot)?;
            lobby.reseated(shared)?;
        }
        Wanted::Say { .. } | Wanted::Hint => {}
    }
    shared.changed();
    shared.wake_bots(&lobby.bots);
    Ok(None)
}
