//! What a connection may do, and what becomes of it when the site stops.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use futures_util::stream;
use poem::{
    Body, Route, RouteMethod, get, handler,
    http::{StatusCode, header},
};
use site::{
    router::with_error_views,
    server::{HEAD_DEADLINE, STALL_DEADLINE, serve},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
    time::Instant,
};

use crate::support::Harness;

const GRACE: Duration = Duration::from_secs(5);
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: site\r\n\r\n";

#[handler]
async fn slow() -> &'static str {
    tokio::time::sleep(GRACE / 2).await;
    "whole"
}

#[handler]
async fn stuck() -> &'static str {
    std::future::pending().await
}

/// More than any buffer between the two sides takes.
#[handler]
fn endless() -> Body {
    Body::from_bytes_stream(stream::repeat_with(|| Ok::<_, std::io::Error>(vec![0; 1 << 16])))
}

struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<Infallible>,
    ended: JoinHandle<()>,
}

/// A server whose clock stands still, but for what somebody waits for.
async fn started(route: RouteMethod) -> Server {
    let app = Harness::unpublished().await.app;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let shutdown = async move {
        let _ = stopped.await;
    };
    let front = with_error_views(app, Route::new().at("/", route));
    tokio::time::pause();
    let ended = tokio::spawn(serve(listener, front, shutdown, GRACE));
    Server { address, stop, ended }
}

/// What the server sends until it closes the connection; one that it cuts off is closed too.
async fn rest(connection: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let _ = connection.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test]
async fn a_head_that_never_ends_is_not_waited_for() {
    let server = started(get(slow)).await;
    let begun = Instant::now();
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(b"GET / HTTP/1.1\r\nhost:").await.unwrap();
    rest(&mut connection).await;
    assert!((HEAD_DEADLINE..HEAD_DEADLINE * 2).contains(&begun.elapsed()), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_connection_without_requests_is_closed() {
    let server = started(get(slow)).await;
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(REQUEST).await.unwrap();
    let begun = Instant::now();
    assert!(rest(&mut connection).await.ends_with("whole"));
    assert!(begun.elapsed() >= HEAD_DEADLINE);
}

#[tokio::test]
async fn an_answer_that_nobody_takes_is_given_up() {
    let server = started(get(endless)).await;
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(REQUEST).await.unwrap();
    tokio::time::sleep(STALL_DEADLINE * 2).await;
    rest(&mut connection).await;
}

#[tokio::test]
async fn a_request_that_has_begun_ends_before_the_site_does() {
    let server = started(get(slow)).await;
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    let mut busy = TcpStream::connect(server.address).await.unwrap();
    busy.write_all(REQUEST).await.unwrap();
    tokio::time::sleep(GRACE / 10).await;
    drop(server.stop);
    assert_eq!(rest(&mut idle).await, "");
    assert!(rest(&mut busy).await.ends_with("whole"));
    server.ended.await.unwrap();
    assert!(TcpStream::connect(server.address).await.is_err(), "no new connection is accepted");
}

#[tokio::test]
async fn a_request_that_never_ends_does_not_keep_the_site_from_ending() {
    let server = started(get(stuck)).await;
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(REQUEST).await.unwrap();
    tokio::time::sleep(GRACE / 10).await;
    let begun = Instant::now();
    drop(server.stop);
    server.ended.await.unwrap();
    assert!((GRACE..GRACE * 2).contains(&begun.elapsed()), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_form_that_never_arrives_is_not_waited_for() {
    let harness = Harness::published().await;
    let client = harness.client();
    tokio::time::pause();
    let body = Body::from_bytes_stream(stream::pending::<std::io::Result<Vec<u8>>>());
    let form =
        client.post("/contact").header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    form.body(body).send().await.assert_status(StatusCode::REQUEST_TIMEOUT);
}
