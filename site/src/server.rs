//! Connections: accepted, limited in time, and each request on them answered.
//!
//! Hyper drives the connections as it does under poem's own server; why that one is not used:
//! docs/decisions/0008-an-accept-loop-of-our-own.md.

use std::{
    convert::Infallible, error::Error, future::Future, io, net::SocketAddr, pin::pin, sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::{
    body::{Body, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use poem::{
    Addr, Endpoint, Request, Response,
    http::uri::Scheme,
    web::{LocalAddr, RemoteAddr},
};
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;

use crate::router::Front;

/// Close a connection whose client takes this long to send the head of a request, or sends none.
pub const HEAD_DEADLINE: Duration = Duration::from_secs(30);
/// Close a connection whose client reads nothing of an answer for this long.
pub const STALL_DEADLINE: Duration = Duration::from_secs(30);
/// The pause after the process could not accept: it has too many files open, or too little memory.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

/// Serves until told to stop; then no connection is accepted, and requests that have begun get
/// this long to end.
pub async fn serve(
    listener: TcpListener,
    front: Front<impl Endpoint<Output = Response> + 'static>,
    shutdown: impl Future<Output = ()>,
    grace: Duration,
) {
    let front = Arc::new(front);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_DEADLINE);
    let connections = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, local, peer) = tokio::select! {
            accepted = accept(&listener) => accepted,
            () = &mut shutdown => break,
        };
        let front = Arc::clone(&front);
        let service = service_fn(move |request| {
            let front = Arc::clone(&front);
            async move { Ok::<_, Infallible>(answer(&front, request, local, peer).await) }
        });
        let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                // A client that breaks off is no failure of the server.
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(grace, connections.shutdown()).await.is_err() {
        tracing::warn!("requests that took too long to end were cut off");
    }
}

/// The next connection with the addresses of both its ends. A client that went away is passed over;
/// what fails for the process as a whole is tried again after a pause.
async fn accept(listener: &TcpListener) -> (TimeoutStream<TcpStream>, SocketAddr, SocketAddr) {
    loop {
        let error = match listener.accept().await {
            Ok((stream, peer)) => match stream.set_nodelay(true).and_then(|()| stream.local_addr())
            {
                Ok(local) => return (limited(stream), local, peer),
                Err(error) => error,
            },
            Err(error) if is_of_the_connection(&error) => error,
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        tracing::debug!(%error, "a client went away before its connection was accepted");
    }
}

fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

fn limited(stream: TcpStream) -> TimeoutStream<TcpStream> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(STALL_DEADLINE));
    stream
}

async fn answer<E: Endpoint<Output = Response>>(
    front: &Front<E>,
    request: hyper::Request<Incoming>,
    local: SocketAddr,
    peer: SocketAddr,
) -> hyper::Response<impl Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + use<E>> {
    let asked = (request.method(), request.uri().path(), request.version());
    if let Some(answer) = front.at_hand(asked, request.headers()) {
        return answer.map(|body| Either::Left(Full::new(body)));
    }
    let local = LocalAddr(Addr::SocketAddr(local));
    let peer = RemoteAddr(Addr::SocketAddr(peer));
    let request = Request::from((request, local, peer, Scheme::HTTP));
    let answer: hyper::Response<_> = front.get_response(request).await.into();
    answer.map(Either::Right)
}
