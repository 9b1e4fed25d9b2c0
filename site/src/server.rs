//! Connections: accepted, limited in time, and each request on them handed to the routes.
//!
//! Hyper drives the connections as it does under poem's own server; ARCHITECTURE.md says why that
//! one is not used.

use std::{
    convert::Infallible, future::Future, io, net::SocketAddr, pin::pin, sync::Arc, time::Duration,
};

use hyper::{body::Incoming, server::conn::http1, service::service_fn};
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

/// How long a client may take for the head of a request, and how long it may leave a connection
/// without one.
pub const HEAD_DEADLINE: Duration = Duration::from_secs(30);
/// How long a client may take none of an answer.
pub const STALL_DEADLINE: Duration = Duration::from_secs(30);
/// The pause after a connection could not be accepted: mostly there are too many already.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until told to stop; then no connection is accepted, and requests that have begun get
/// this long to end.
pub async fn serve(
    listener: TcpListener,
    routes: impl Endpoint<Output = Response> + 'static,
    shutdown: impl Future<Output = ()>,
    grace: Duration,
) -> io::Result<()> {
    let local = listener.local_addr()?;
    let routes = Arc::new(routes);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_DEADLINE);
    let connections = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let routes = Arc::clone(&routes);
        let service = service_fn(move |request| {
            let routes = Arc::clone(&routes);
            async move { Ok::<_, Infallible>(answer(&*routes, request, local, peer).await) }
        });
        let connection = http.serve_connection(TokioIo::new(Box::pin(limited(stream)?)), service);
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
    Ok(())
}

fn limited(stream: TcpStream) -> io::Result<TimeoutStream<TcpStream>> {
    stream.set_nodelay(true)?;
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(STALL_DEADLINE));
    Ok(stream)
}

async fn answer<E: Endpoint<Output = Response>>(
    routes: &E,
    request: hyper::Request<Incoming>,
    local: SocketAddr,
    peer: SocketAddr,
) -> hyper::Response<impl hyper::body::Body<Data = bytes::Bytes, Error = io::Error> + use<E>> {
    let local = LocalAddr(Addr::SocketAddr(local));
    let peer = RemoteAddr(Addr::SocketAddr(peer));
    let request = Request::from((request, local, peer, Scheme::HTTP));
    routes.get_response(request).await.into()
}
