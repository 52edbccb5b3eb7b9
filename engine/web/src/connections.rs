//! Accepts connections: no more than so many at a time, and none that takes long to say what it wants.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_service::Service;

/// How long the head of a request may take.
const SLOWEST_HEAD: Duration = Duration::from_secs(10);
/// How long is waited if the system gives no more connections, such as when too many files are open.
const PAUSE: Duration = Duration::from_millis(200);
/// The largest head of a request, in bytes.
const LARGEST_HEAD: usize = 16 * 1024;

/// Serves connections until the process ends, `most` at a time. Further ones wait until another one ends.
pub async fn serve(listener: TcpListener, router: Router, most: usize) -> Infallible {
    let places = Arc::new(Semaphore::new(most));
    loop {
        // It fails only if the semaphore is closed, which nobody does.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { continue };
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(converse(stream, router.clone(), place))),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Answers the requests of a connection until it ends. The connection of a seat keeps its place as long as it lasts.
async fn converse(stream: TcpStream, router: Router, place: OwnedSemaphorePermit) {
    // Small messages are sent at once. A system that cannot do that sends them a little later.
    let _ = stream.set_nodelay(true);
    let place = Arc::new(place);
    let answer = service_fn(move |request: Request<Incoming>| {
        let (mut router, place) = (router.clone(), Arc::clone(&place));
        async move {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(Place(place));
            let response: Result<Response, Infallible> = router.call(request).await;
            response
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SLOWEST_HEAD)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), answer)
        .with_upgrades();
    // Whatever went wrong, the connection is over; there is nobody to tell.
    let _ = connection.await;
}

/// The place of a connection among all. Whoever holds it counts as connected.
#[derive(Debug, Clone)]
pub struct Place(#[expect(dead_code, reason = "it counts as long as it is held")] Arc<OwnedSemaphorePermit>);
