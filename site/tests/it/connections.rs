//! What a connection may do, and what becomes of it when the site stops.

use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::stream;
use poem::{
    Body, Route, RouteMethod, get, handler,
    http::{HeaderMap, StatusCode, header},
};
use site::metrics::Number;
use site::router::with_error_views;
use site::server::{HEAD_LIMIT, Limits, PATIENCE, Server as Serving, listen, serve};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
    time::Instant,
};

use crate::support::Harness;

const GRACE: Duration = Duration::from_secs(5);
const LIMITS: Limits = Limits { connections: 8, drain: Duration::from_secs(1), grace: GRACE };
/// More bytes than the sockets of a connection hold.
const SOCKETS: u64 = 1 << 24;
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: site\r\n\r\n";

#[handler]
async fn slow() -> &'static str {
    tokio::time::sleep(GRACE / 2).await;
    "whole"
}

#[handler]
async fn lengthy() -> &'static str {
    tokio::time::sleep(PATIENCE * 2).await;
    "whole"
}

#[handler]
fn quick() -> &'static str {
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

/// A server that answers `/` so.
async fn started(route: RouteMethod) -> Server {
    serving(Route::new().at("/", route)).await
}

async fn serving(routes: Route) -> Server {
    let app = Harness::unpublished().await.app;
    let listener = listen("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let shutdown = async move {
        let _ = stopped.await;
    };
    let front = with_error_views(app, routes);
    let refuse = |status| (status, HeaderMap::new(), Bytes::from_static(b"refused"));
    let (refuse, metrics) = (Arc::new(refuse), Arc::default());
    let connections = Number::default();
    let serving = Serving { front, refuse, limits: LIMITS, metrics, connections };
    let ended = tokio::spawn(serve(listener, serving, shutdown));
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
    tokio::time::pause();
    let begun = Instant::now();
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(b"GET / HTTP/1.1\r\nhost:").await.unwrap();
    rest(&mut connection).await;
    assert!((PATIENCE..PATIENCE * 2).contains(&begun.elapsed()), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_connection_without_requests_is_closed() {
    let server = started(get(slow)).await;
    tokio::time::pause();
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(REQUEST).await.unwrap();
    let begun = Instant::now();
    assert!(rest(&mut connection).await.ends_with("whole"));
    assert!(begun.elapsed() >= PATIENCE);
}

#[tokio::test]
async fn whoever_has_asked_may_wait_longer_than_whoever_is_silent() {
    let server = started(get(lengthy)).await;
    tokio::time::pause();
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(REQUEST).await.unwrap();
    assert!(rest(&mut connection).await.ends_with("whole"));
}

#[tokio::test]
async fn an_answer_that_nobody_takes_is_given_up() {
    let server = started(get(endless)).await;
    tokio::time::pause();
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(REQUEST).await.unwrap();
    tokio::time::sleep(PATIENCE * 2).await;
    let mut taken = Vec::new();
    let _ = connection.take(SOCKETS + 1).read_to_end(&mut taken).await;
    assert!(taken.starts_with(b"HTTP/1.1 200") && taken.len() as u64 <= SOCKETS, "{}", taken.len());
}

#[tokio::test]
async fn an_answer_that_is_taken_slowly_is_not_given_up() {
    let server = started(get(endless)).await;
    tokio::time::pause();
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(REQUEST).await.unwrap();
    // More than what had been on its way: each time the server can write again.
    let mut part = vec![0; usize::try_from(SOCKETS).unwrap()];
    for _ in 0..6 {
        tokio::time::sleep(PATIENCE / 2).await;
        // A paused clock runs ahead of bytes that are on their way.
        tokio::time::resume();
        connection.read_exact(&mut part).await.unwrap();
        tokio::time::pause();
    }
}

#[tokio::test]
async fn a_request_that_has_begun_ends_before_the_site_does() {
    let server = started(get(slow)).await;
    tokio::time::pause();
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    let mut busy = TcpStream::connect(server.address).await.unwrap();
    busy.write_all(REQUEST).await.unwrap();
    tokio::time::sleep(GRACE / 10).await;
    drop(server.stop);
    // What comes before the server has drained is answered, too, and is the last on its connection.
    let mut late = TcpStream::connect(server.address).await.unwrap();
    late.write_all(REQUEST).await.unwrap();
    for connection in [&mut busy, &mut late] {
        let answer = rest(connection).await;
        assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
        assert!(answer.ends_with("whole"), "{answer}");
    }
    assert_eq!(rest(&mut idle).await, "");
    server.ended.await.unwrap();
    assert!(TcpStream::connect(server.address).await.is_err(), "no new connection is accepted");
}

#[tokio::test]
async fn a_request_that_never_ends_does_not_keep_the_site_from_ending() {
    let server = started(get(stuck)).await;
    tokio::time::pause();
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    connection.write_all(REQUEST).await.unwrap();
    tokio::time::sleep(GRACE / 10).await;
    let begun = Instant::now();
    drop(server.stop);
    server.ended.await.unwrap();
    assert!((GRACE..GRACE * 2).contains(&begun.elapsed()), "{:?}", begun.elapsed());
}

/// A request that is on its way while the server is told to stop is answered.
#[tokio::test]
async fn a_connection_that_is_idle_when_the_site_stops_gets_one_more_answer() {
    let server = started(get(quick)).await;
    tokio::time::pause();
    let mut kept = TcpStream::connect(server.address).await.unwrap();
    kept.write_all(REQUEST).await.unwrap();
    assert!(answer(&mut kept).await.contains("200 OK"));
    drop(server.stop);
    tokio::time::sleep(LIMITS.drain / 2).await;
    kept.write_all(REQUEST).await.unwrap();
    let last = rest(&mut kept).await;
    assert!(last.contains("200 OK") && last.contains("connection: close"), "{last}");
}

/// The bytes of one short answer.
async fn answer(connection: &mut TcpStream) -> String {
    let mut bytes = [0; 1024];
    let read = connection.read(&mut bytes).await.unwrap();
    String::from_utf8_lossy(&bytes[..read]).into_owned()
}

/// Whoever opens connections and does nothing with them keeps nobody out.
#[tokio::test]
async fn beyond_the_limit_the_oldest_idle_connection_makes_room() {
    let server = serving(Route::new().at("/", get(quick)).at("/stuck", get(stuck))).await;
    let mut busy = TcpStream::connect(server.address).await.unwrap();
    busy.write_all(b"GET /stuck HTTP/1.1\r\nhost: site\r\n\r\n").await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let mut kept = Vec::new();
    for _ in 0..3 * LIMITS.connections {
        let mut connection = TcpStream::connect(server.address).await.unwrap();
        connection.write_all(REQUEST).await.unwrap();
        assert!(answer(&mut connection).await.contains("200 OK"));
        // The order of what is idle is kept in milliseconds.
        tokio::time::sleep(Duration::from_millis(3)).await;
        kept.push(connection);
    }
    let (oldest, newest) = kept.split_at_mut(2 * LIMITS.connections + 1);
    for connection in oldest {
        assert_eq!(rest(connection).await, "");
    }
    for connection in newest {
        connection.write_all(REQUEST).await.unwrap();
        assert!(answer(connection).await.contains("200 OK"));
    }
    let still_open = tokio::time::timeout(Duration::from_millis(50), busy.read_u8()).await;
    assert!(still_open.is_err(), "what is being answered goes last");
}

#[tokio::test]
async fn a_head_beyond_the_limit_is_refused_in_so_many_words() {
    let server = started(get(quick)).await;
    for head in [
        format!("GET / HTTP/1.1\r\nhost: site\r\nx: {}", "x".repeat(HEAD_LIMIT)),
        "nonsense\r\n\r\n".to_owned(),
    ] {
        let mut connection = TcpStream::connect(server.address).await.unwrap();
        connection.write_all(head.as_bytes()).await.unwrap();
        let answer = rest(&mut connection).await;
        assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
        assert!(answer.contains("\r\ndate: "), "{answer}");
        assert!(answer.ends_with("\r\n\r\nrefused"), "{answer}");
    }
}

/// All at once, before the server accepts the first one.
#[tokio::test]
async fn five_hundred_connections_at_once_are_taken_without_a_wait() {
    let listener = listen("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = listener.local_addr().unwrap();
    let connect = || tokio::time::timeout(Duration::from_millis(900), TcpStream::connect(address));
    let connected = futures_util::future::join_all((0..500).map(|_| connect())).await;
    let refused = connected.iter().filter(|connection| !matches!(connection, Ok(Ok(_)))).count();
    assert_eq!(refused, 0, "a client asks again only after a second");
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

/// A form of which nothing comes; returns the status, and when it came.
async fn unfinished(harness: Arc<Harness>, client: String) -> (StatusCode, Duration) {
    let begun = Instant::now();
    let body = Body::from_bytes_stream(stream::pending::<std::io::Result<Vec<u8>>>());
    let visitor = harness.client();
    let form = visitor.post("/contact").header("x-forwarded-for", client).body(body);
    (form.send().await.0.status(), begun.elapsed())
}

/// A whole form, but for what must be in it.
async fn finished(harness: &Harness, client: &str) -> Duration {
    let begun = Instant::now();
    let visitor = harness.client();
    let form = visitor.post("/contact").header("x-forwarded-for", client);
    let answer = form.form(&[("name", "")]).send().await;
    answer.assert_status(StatusCode::UNPROCESSABLE_ENTITY);
    begun.elapsed()
}

async fn behind_a_proxy() -> Arc<Harness> {
    Arc::new(Harness::published_behind(vec!["0.0.0.0/32".parse().unwrap()]).await)
}

/// Whoever is given up comes back, so that this must not happen all the time.
#[tokio::test]
async fn forms_that_take_longer_than_a_moment_make_room_for_those_of_their_client_network_and_all()
{
    given_up_beyond(8, |_| "203.0.113.1".to_owned()).await;
    given_up_beyond(40, |number| format!("203.0.113.{number}")).await;
    given_up_beyond(100, |number| format!("203.{number}.113.1")).await;
}

/// One form more than there are places for forms from these addresses, and then one from elsewhere and
/// one from there.
async fn given_up_beyond(places: u8, address: impl Fn(u8) -> String) {
    let harness = behind_a_proxy().await;
    tokio::time::pause();
    let begin = |number| tokio::spawn(unfinished(Arc::clone(&harness), address(number)));
    let forms: Vec<_> = (0..=places).map(begin).collect();
    tokio::time::sleep(Duration::from_secs(1)).await;
    for visitor in ["198.51.100.1", &address(0)] {
        let waited = finished(&harness, visitor).await;
        assert!(waited < Duration::from_millis(10), "the form of {visitor} waits for {waited:?}");
    }
    for (number, form) in forms.into_iter().enumerate() {
        let (status, after) = form.await.unwrap();
        assert_eq!(status, StatusCode::REQUEST_TIMEOUT);
        let expected = match number {
            0 => 500,
            1 => 1000,
            _ => 30_000,
        };
        assert_eq!(after.as_millis() / 10 * 10, expected, "form {number} of {places}");
    }
    tokio::time::resume();
}
