//! The addresses of the server, who may ask for them, and what every reply says about safety.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use rulepack::{Library, Viewer, viewer_key};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use crate::assets::{ASSETS, Asset};
use crate::connections::{self, Place};
use crate::lobby::{Lobby, Opening};
use crate::room::{Reply, as_json};
use crate::socket::{self, LARGEST_MESSAGE};
use crate::{Options, ServeError};

/// How long a cookie of a seat is kept by browsers: 180 days.
const COOKIE_SECONDS: u32 = 15_552_000;
/// How much of a connection is read at once, in bytes.
const READ_AT_ONCE: usize = 2 * 1024;
/// How often tables that nobody uses are put to sleep.
const SWEEP: Duration = Duration::from_secs(30);
/// How long a request may take, with everything that the browser has to send for it.
const LONGEST_REQUEST: Duration = Duration::from_secs(60);
/// Nothing but the page's own files runs or is shown, and no other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[derive(Clone)]
struct Site {
    lobby: Arc<Lobby>,
    /// The values of `Host` that are accepted. Another one means that a foreign name leads here.
    hosts: Arc<[String]>,
}

/// Serves until the process ends.
///
/// # Errors
/// If the address or the folder cannot be used.
pub async fn run(library: Library, options: Options, started: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let lobby = Arc::new(Lobby::open(library, &options)?);
    let wrong = |error| ServeError::Listen { address: options.listen, error };
    let listener = TcpListener::bind(options.listen).await.map_err(wrong)?;
    let address = listener.local_addr().map_err(wrong)?;
    let site = Site { lobby: Arc::clone(&lobby), hosts: hosts(address, &options.names).into() };
    tokio::spawn(async move {
        let mut sweep = tokio::time::interval(SWEEP);
        loop {
            sweep.tick().await;
            let sweeper = Arc::clone(&lobby);
            lobby.threads.start(move || sweeper.sweep());
        }
    });
    started(address);
    match connections::serve(listener, router(site), options.most_connections).await {}
}

fn router(site: Site) -> Router {
    let mut router = Router::new();
    for asset in &ASSETS {
        router = router.route(asset.path, get(move || async move { file(asset) }));
    }
    router
        .route("/api/packs", get(packs))
        .route("/api/tables", post(open))
        .route("/api/enter", post(enter))
        .route("/ws/{table}/{viewer}", get(connect))
        .route("/health", get(|| async { "ok\n" }))
        .route("/metrics", get(metrics))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is no such page\n") })
        .layer(DefaultBodyLimit::max(LARGEST_MESSAGE))
        .layer(middleware::from_fn_with_state(site.clone(), guard))
        .with_state(site)
}

/// The names by which browsers may call the server.
fn hosts(address: SocketAddr, names: &[String]) -> Vec<String> {
    let port = address.port();
    let mut hosts = vec![address.to_string()];
    if address.ip().is_loopback() || address.ip().is_unspecified() {
        hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
    }
    // Behind another server the port may be another one, or none.
    hosts.extend(names.iter().flat_map(|name| [name.clone(), format!("{name}:{port}")]));
    hosts
}

/// Refuses requests for other names and from other pages, and adds to each reply what browsers must not do with it.
async fn guard(State(site): State<Site>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let is_known = site.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or("-"));
    let is_own = origin.is_none_or(|origin| {
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        name.is_some_and(|name| name.eq_ignore_ascii_case(host))
    });
    // Browsers name the page from which a request comes; a connection without a page is none of a browser.
    let needs_origin = request.method() == Method::POST || request.uri().path().starts_with("/ws/");
    let mut response = if !is_known {
        (StatusCode::MISDIRECTED_REQUEST, "this server is not called by that name: see --name\n").into_response()
    } else if !is_own || (needs_origin && origin.is_none()) {
        (StatusCode::FORBIDDEN, "this request does not come from the page of this server\n").into_response()
    } else {
        match tokio::time::timeout(LONGEST_REQUEST, next.run(request)).await {
            Ok(response) => response,
            Err(_) => (StatusCode::REQUEST_TIMEOUT, "this request took too long\n").into_response(),
        }
    };
    let safety = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in safety {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn file(asset: &'static Asset) -> Response {
    let headers = [(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, "no-cache")];
    (headers, asset.text).into_response()
}

/// JSON for a browser, or a refusal.
fn told<T: Serialize>(result: Option<Result<T, Reply>>) -> Response {
    let (status, text) = match result {
        Some(Ok(result)) => (StatusCode::OK, as_json(&result)),
        Some(Err(problem)) => (StatusCode::BAD_REQUEST, as_json(&problem)),
        None => (StatusCode::INTERNAL_SERVER_ERROR, as_json(&Reply::problem("failed", "this could not be done"))),
    };
    (status, [(header::CONTENT_TYPE, "application/json")], Body::from(text)).into_response()
}

async fn packs(State(site): State<Site>) -> Response {
    let lobby = Arc::clone(&site.lobby);
    told(site.lobby.threads.run(move || Ok(lobby.offers())).await)
}

async fn open(State(site): State<Site>, Json(opening): Json<Opening>) -> Response {
    let lobby = Arc::clone(&site.lobby);
    told(site.lobby.threads.run(move || lobby.open_table(&opening)).await)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entering {
    table: String,
    token: String,
}

#[derive(Serialize)]
struct Entered {
    table: String,
    viewer: String,
}

/// Exchanges a token for a cookie, which scripts of the page cannot read.
async fn enter(State(site): State<Site>, Json(entering): Json<Entering>) -> Response {
    let Entering { table, token } = entering;
    let Some(viewer) = site.lobby.viewer_of(&table, &token) else {
        return told::<Entered>(Some(Err(Reply::problem("unknown-seat", "this link leads to no seat of this server"))));
    };
    let viewer = viewer_key(viewer);
    let cookie = format!(
        "{}={token}; Path=/ws/{table}/{viewer}; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Strict",
        cookie_name(&table, &viewer)
    );
    let mut response = told(Some(Ok(Entered { table, viewer })));
    // Both parts are digits and plain letters: they were found among our own.
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

fn cookie_name(table: &str, viewer: &str) -> String {
    format!("rulepack_{table}_{viewer}")
}

/// The value of a cookie.
fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    all.flat_map(|line| line.split(';')).find_map(|part| {
        let (found, value) = part.trim().split_once('=')?;
        (found == name).then_some(value)
    })
}

async fn connect(
    State(site): State<Site>,
    Path((table, viewer)): Path<(String, String)>,
    Extension(place): Extension<Place>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let token = cookie(&headers, &cookie_name(&table, &viewer)).unwrap_or_default();
    let found: Option<Viewer> = site.lobby.viewer_of(&table, token).filter(|found| viewer_key(*found) == viewer);
    let Some(viewer) = found else {
        return (StatusCode::FORBIDDEN, "open the link of your seat first\n").into_response();
    };
    // Browsers say little: with the usual buffer of 128 KiB for each connection, idle tables would take more memory for it than for
    // their games.
    let upgrade =
        upgrade.read_buffer_size(READ_AT_ONCE).max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE);
    upgrade.on_upgrade(move |socket| async move {
        socket::serve(socket, site.lobby, table, viewer).await;
        drop(place);
    })
}

async fn metrics(State(site): State<Site>) -> String {
    let figures = site.lobby.figures();
    format!(
        "# HELP rulepack_tables Tables, awake and asleep.\n# TYPE rulepack_tables gauge\nrulepack_tables {}\n\
         # HELP rulepack_tables_awake Tables in memory.\n# TYPE rulepack_tables_awake gauge\nrulepack_tables_awake {}\n\
         # HELP rulepack_tables_unreadable Files of tables that could not be read at the start.\n\
         # TYPE rulepack_tables_unreadable gauge\nrulepack_tables_unreadable {}\n",
        figures.tables, figures.awake, site.lobby.unread
    )
}
