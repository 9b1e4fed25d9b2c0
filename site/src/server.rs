//! Connections: accepted, limited in number, size and time, and each request on them answered.
//!
//! Hyper drives the connections as it does under poem's own server; why that one is not used:
//! docs/decisions/0008-an-accept-loop-of-our-own.md.

mod crowd;
mod refusal;

use std::{
    convert::Infallible,
    error::Error,
    future::Future,
    io,
    net::SocketAddr,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::{
    body::{Body, Incoming},
    header,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use poem::{
    Addr, Request,
    http::{HeaderValue, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use socket2::SockRef;
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
    time::{Instant, interval, sleep_until, timeout_at},
};

use crate::{
    metrics::{Metrics, Number, Trouble},
    router::Answers,
};

use crowd::{Activity, Crowd};
use refusal::Completed;

pub use refusal::Refuse;

/// Close a connection whose client, for this long, has neither sent the head of a request nor read
/// anything of an answer.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// How often such connections are looked for.
const ROUND: Duration = Duration::from_secs(1);
/// The most bytes of a request's head, and the most that is read ahead of its body.
pub const HEAD_LIMIT: usize = 16 * 1024;
/// How many bytes of answers the system keeps for a connection beyond what is on its way to the
/// client. It would keep megabytes by itself, for whoever asks for much and reads nothing.
const UNSENT: u32 = 32 * 1024;
/// How many connections may wait to be accepted; Linux takes the lesser of this and `somaxconn`.
const BACKLOG: u32 = 4096;
/// The pause after the process could not accept: it has too many files open, or too little memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What a server allows itself.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most connections; beyond it one is closed for each new one, the oldest idle one first.
    pub connections: usize,
    /// For how long after it was told to stop a server answers what comes, and says with each
    /// answer that the connection ends: a client that asks just then loses nothing. In the second
    /// half of it no connection is accepted.
    pub drain: Duration,
    /// For how long after that requests that have begun may go on.
    pub grace: Duration,
}

/// What a server answers with, and within which limits.
pub struct Server<F> {
    /// What answers requests.
    pub front: F,
    /// What completes the refusals of what never became a request.
    pub refuse: Arc<Refuse>,
    /// What it allows itself.
    pub limits: Limits,
    /// Counts what goes wrong with connections.
    pub metrics: Arc<Metrics>,
    /// How many connections are open.
    pub connections: Number,
}

/// What all connections of a server share.
struct Shared<F> {
    front: F,
    refuse: Arc<Refuse>,
    closing: AtomicBool,
    drained: watch::Sender<bool>,
}

/// Listens with room for many connections that come at once.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until told to stop; then ends as the limits say.
pub async fn serve<F: Answers + 'static>(
    listener: TcpListener,
    Server { front, refuse, limits, metrics, connections }: Server<F>,
    shutdown: impl Future<Output = ()>,
) {
    // Connections have it from the socket that accepts them.
    if let Err(error) = SockRef::from(&listener).set_tcp_notsent_lowat(UNSENT) {
        tracing::warn!(%error, "what clients don't read can't be bounded");
    }
    let (closing, drained) = (AtomicBool::new(false), watch::Sender::new(false));
    let shared = Arc::new(Shared { front, refuse, closing, drained });
    let mut crowd = Crowd::new(limits.connections);
    let mut rounds = interval(ROUND);
    let mut shutdown = pin!(shutdown);
    let mut end = None;
    loop {
        connections.set(i64::try_from(crowd.len()).unwrap_or(i64::MAX));
        let drained = async {
            match end {
                Some(end) => sleep_until(end).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            accepted = accept(&listener) => match accepted {
                Ok(connection) => {
                    if crowd.is_full() && crowd.evict() {
                        metrics.trouble(Trouble::Evicted, "");
                    }
                    let shared = Arc::clone(&shared);
                    crowd.add(|activity| drive(connection, shared, activity));
                }
                Err(error) => {
                    metrics.trouble(Trouble::NotAccepted, &error.to_string());
                    if crowd.evict() {
                        metrics.trouble(Trouble::Evicted, "");
                    }
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            () = crowd.ended() => {}
            _ = rounds.tick() => crowd.close_silent(PATIENCE),
            () = &mut shutdown, if end.is_none() => {
                shared.closing.store(true, Ordering::Relaxed);
                end = Some(Instant::now() + limits.drain / 2);
            }
            () = drained => break,
        }
    }
    // Who connects from now on is the next process's, where the socket outlives this one. Who was
    // accepted last has as long again to ask.
    drop(listener);
    let _ = timeout_at(Instant::now() + limits.drain / 2, crowd.all_ended()).await;
    shared.drained.send_replace(true);
    if timeout_at(Instant::now() + limits.grace, crowd.all_ended()).await.is_err() {
        tracing::warn!(
            connections = crowd.len(),
            "requests that took too long to end were cut off"
        );
    }
}

/// An accepted connection, with the addresses of both its ends.
struct Accepted {
    stream: TcpStream,
    local: SocketAddr,
    peer: SocketAddr,
}

/// The next connection. A client that went away is passed over; an error is about the process as a
/// whole.
async fn accept(listener: &TcpListener) -> io::Result<Accepted> {
    loop {
        let error = match listener.accept().await {
            Ok((stream, peer)) => match stream.set_nodelay(true).and_then(|()| stream.local_addr())
            {
                Ok(local) => return Ok(Accepted { stream, local, peer }),
                Err(error) => error,
            },
            Err(error) if is_of_the_connection(&error) => error,
            Err(error) => return Err(error),
        };
        tracing::debug!(%error, "a client went away before its connection was accepted");
    }
}

fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers the requests of one connection until it ends.
async fn drive<F: Answers + 'static>(
    Accepted { stream, local, peer }: Accepted,
    shared: Arc<Shared<F>>,
    activity: Arc<Activity>,
) {
    let mut http = http1::Builder::new();
    http.max_buf_size(HEAD_LIMIT);
    let mut drained = shared.drained.subscribe();
    let stream = Completed::new(stream, Arc::clone(&shared.refuse), Arc::clone(&activity));
    let (shared, activity) = (&*shared, &*activity);
    let service = service_fn(|request| async move {
        activity.begin();
        let mut response = answer(&shared.front, request, local, peer).await;
        if shared.closing.load(Ordering::Relaxed) {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        activity.end();
        Ok::<_, Infallible>(response)
    });
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    let drained = async { drained.wait_for(|drained| *drained).await.is_ok() };
    let ended = tokio::select! {
        biased;
        ended = connection.as_mut() => ended,
        _ = drained => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // A client that breaks off is no failure of the server.
        tracing::debug!(%error, "a connection ended early");
    }
}

async fn answer<F: Answers>(
    front: &F,
    request: hyper::Request<Incoming>,
    local: SocketAddr,
    peer: SocketAddr,
) -> hyper::Response<impl Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + use<F>> {
    let asked = (request.method(), request.uri().path(), request.version());
    if let Some(answer) = front.at_hand(asked, request.headers()) {
        return answer.map(|body| Either::Left(Full::new(body)));
    }
    let local = LocalAddr(Addr::SocketAddr(local));
    let peer = RemoteAddr(Addr::SocketAddr(peer));
    let request = Request::from((request, local, peer, Scheme::HTTP));
    // A large future would be moved with each request, though few need it.
    let answer: hyper::Response<_> = Box::pin(front.get_response(request)).await.into();
    answer.map(Either::Right)
}
