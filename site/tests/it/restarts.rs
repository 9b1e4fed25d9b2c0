//! A start serves pages whatever it finds, and a restart loses no request.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use poem::{
    http::{HeaderValue, StatusCode},
    test::TestClient,
};
use site::{
    config::{Handling, SidecarAddress},
    contact::{guard::Guard, outbox::Outbox},
    headers::EveryAnswer,
    kept::Key,
    publisher::{Audience, CopySource, Publisher},
    router::router,
    sidecar::Sidecar,
    state::App,
};
use sqlx::{Connection, Executor, SqliteConnection};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpStream, UnixListener},
};

use crate::support::{
    HANDLING, Harness, SidecarProcess, eventually,
    process::{SiteProcess, command},
    test_copy, test_copy_file,
};

/// How often a publisher looks in these tests.
const INTERVAL: Duration = Duration::from_millis(20);

#[tokio::test]
async fn a_restart_without_the_sidecar_publishes_from_the_kept_fragments() {
    let Harness { app, state } = Harness::published().await;
    drop(app);
    fs::remove_file(state.path().join("ssr.sock")).ok();
    let restarted = Harness::in_folder(state, test_copy()).await;
    restarted.app.publisher.publish().await.unwrap();
    restarted.client().get("/").send().await.assert_status_is_ok();
}

/// Everything as it was, whatever the new process could not make.
async fn bytes_of(harness: &Harness, path: &str) -> Vec<u8> {
    let answer = harness.client().get(path).header("accept-encoding", "br").send().await;
    answer.assert_status_is_ok();
    answer.0.into_body().into_vec().await.unwrap()
}

#[tokio::test]
async fn a_start_with_a_broken_copy_serves_the_last_good_edition_and_says_so() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("site.toml");
    fs::copy(test_copy_file(), &file).unwrap();
    let source = CopySource::File(file.clone());
    let harness = Harness::with_copy(source.clone()).await;
    let sidecar = harness.start_sidecar().await;
    harness.app.publisher.publish().await.unwrap();
    drop(sidecar);
    let before = bytes_of(&harness, "/pricing").await;
    let Harness { app, state } = harness;
    drop(app);

    fs::write(&file, "nonsense").unwrap();
    let restarted = Harness::in_folder(state, source).await;
    assert_eq!(bytes_of(&restarted, "/pricing").await, before);
    let standing = restarted.app.publisher.standing();
    assert!(standing.restored);
    // A form that comes back is the last good edition's, too.
    let answer = restarted.client().post("/contact").form(&[("name", "")]).send().await;
    answer.assert_status(StatusCode::UNPROCESSABLE_ENTITY);

    let publishing = tokio::spawn(restarted.app.publisher.clone().run(INTERVAL));
    eventually("a refusal", async || restarted.app.publisher.standing().refused.is_some()).await;
    assert_eq!(bytes_of(&restarted, "/pricing").await, before);
    fs::copy(test_copy_file(), &file).unwrap();
    eventually("up to date", async || !restarted.app.publisher.standing().restored).await;
    assert_eq!(bytes_of(&restarted, "/pricing").await, before);
    publishing.abort();
}

#[tokio::test]
async fn a_start_that_lacks_fragments_and_a_sidecar_serves_the_last_good_edition() {
    let (harness, sidecar) = Harness::with_sidecar().await;
    drop(sidecar);
    let before = bytes_of(&harness, "/").await;
    let Harness { app, state } = harness;
    drop(app);
    fs::remove_file(state.path().join("ssr.sock")).unwrap();
    let last = Key::new("last edition", &[]);
    for file in fs::read_dir(state.path().join("kept")).unwrap() {
        let file = file.unwrap();
        if file.file_name() != last.as_str() {
            fs::remove_file(file.path()).unwrap();
        }
    }
    let restarted = Harness::in_folder(state, test_copy()).await;
    let publishing = tokio::spawn(restarted.app.publisher.clone().run(INTERVAL));
    eventually("pages", async || restarted.app.publisher.current().is_available()).await;
    assert_eq!(bytes_of(&restarted, "/").await, before);
    let standing = restarted.app.publisher.standing();
    assert!(standing.restored && standing.sidecar_away.is_some());

    // One that was damaged is not served.
    publishing.abort();
    let file = restarted.state.path().join("kept").join(last.as_str());
    let mut damaged = fs::read(&file).unwrap();
    damaged[100] ^= 1;
    fs::write(&file, damaged).unwrap();
    let Harness { app, state } = restarted;
    drop(app);
    let restarted = Harness::in_folder(state, test_copy()).await;
    let publishing = tokio::spawn(restarted.app.publisher.clone().run(INTERVAL));
    eventually("a refusal", async || restarted.app.publisher.standing().refused.is_some()).await;
    restarted.client().get("/").send().await.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    publishing.abort();
}

/// What was tried last would be taken for what is tried now, and a command would say what isn't so.
#[tokio::test]
async fn nobody_but_visitors_is_served_the_last_good_edition() {
    let (harness, sidecar) = Harness::with_sidecar().await;
    drop(sidecar);
    let state = harness.state.path();
    fs::remove_file(state.join("ssr.sock")).unwrap();
    let copy = |name: &str, text: &str| {
        fs::write(state.join(name), text).unwrap();
        CopySource::File(state.join(name))
    };
    let text = fs::read_to_string(test_copy_file()).unwrap();
    let broken = copy("broken.toml", "nonsense");
    let other = copy("other.toml", &text.replace("\"Dashboard\"", "\"Console\""));
    for audience in [Audience::Command, Audience::Reviewers] {
        let publisher = |source| {
            let client = Sidecar::new(&SidecarAddress::Unix(state.join("ssr.sock"))).unwrap();
            let every = EveryAnswer::new(HeaderValue::from_static("max-age=1"));
            Publisher::new(source, audience, HANDLING, client, state, every)
        };
        assert!(publisher(broken.clone()).is_err(), "{audience:?}");
        let publisher = Arc::new(publisher(other.clone()).unwrap());
        let publishing = tokio::spawn(Arc::clone(&publisher).run(INTERVAL));
        let tries = || {
            let metrics = publisher.metrics().text().unwrap();
            let count = metrics.split("refused_editions_total{kind=\"sidecar_away\"} ").nth(1);
            count.map_or(0, |count| count.lines().next().unwrap().parse::<u32>().unwrap())
        };
        eventually("a second try", async || tries() > 1).await;
        assert!(!publisher.current().is_available(), "{audience:?}");
        publishing.abort();
    }
}

/// What was true of messages when the pages were made may be untrue now.
#[tokio::test]
async fn a_page_about_privacy_that_is_no_longer_true_is_not_served() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("site.toml");
    fs::copy(test_copy_file(), &file).unwrap();
    let source = CopySource::File(file.clone());
    let Harness { app, state } = Harness::with_copy_and_sidecar(source.clone()).await.0;
    drop(app);
    fs::write(&file, "nonsense").unwrap();
    let privacy = async |handling| {
        let client = Sidecar::new(&SidecarAddress::Unix(state.path().join("ssr.sock"))).unwrap();
        let every = EveryAnswer::new(HeaderValue::from_static("max-age=1"));
        let audience = Audience::Visitors;
        let publisher =
            Publisher::new(source.clone(), audience, handling, client, state.path(), every);
        let outbox = Outbox::new("sqlite::memory:").unwrap();
        let app = Arc::new(App::new(Arc::new(publisher.unwrap()), outbox, Guard::new(Vec::new())));
        let router = router(Arc::clone(&app), None);
        let client = TestClient::new(router).default_header("host", "site");
        client.get("/pricing").send().await.assert_status_is_ok();
        (client.get("/privacy").send().await, app.metrics.text().unwrap())
    };
    privacy(HANDLING).await.0.assert_status_is_ok();
    let other = Handling { retention_days: Some(30), ..HANDLING };
    let (answer, metrics) = privacy(other).await;
    assert!(metrics.contains("site_answers_total{kind=\"held\",status=\"503\"} 1\n"), "{metrics}");
    answer.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    answer.assert_header("cache-control", "no-store");
}

/// Nothing is wrong, and nobody has to do anything.
#[tokio::test]
async fn pages_that_take_long_are_no_error_until_they_fail() {
    let state = TempDir::new().unwrap();
    assert!(SiteProcess::start(state.path(), &[]).await.stop().await.success());
    let last = Key::new("last edition", &[]);
    for file in fs::read_dir(state.path().join("kept")).unwrap() {
        let file = file.unwrap();
        if file.file_name() != last.as_str() {
            fs::remove_file(file.path()).unwrap();
        }
    }
    // It accepts what it is asked, and takes its time.
    let _sidecar = UnixListener::bind(state.path().join("ssr.sock")).unwrap();
    let _site = SiteProcess::start_bare(state.path(), &[]).await;
    let log = || fs::read_to_string(state.path().join("log")).unwrap();
    eventually("it is told", async || log().contains("the last good edition")).await;
    let told =
        log().lines().find(|line| line.contains("the last good edition")).unwrap().to_owned();
    assert!(told.contains(" INFO ") && told.contains("until the new one is made"), "{told}");
    // It never answers: that is one.
    eventually("the failure is told", async || {
        log()
            .lines()
            .any(|line| line.contains(" ERROR ") && line.contains("because no new one can be made"))
    })
    .await;
}

#[tokio::test]
async fn a_start_that_serves_the_last_good_edition_says_where() {
    let state = TempDir::new().unwrap();
    let file = state.path().join("site.toml");
    fs::copy(test_copy_file(), &file).unwrap();
    let variables = [("SITE_CONTENT", file.to_str().unwrap())];
    assert!(SiteProcess::start(state.path(), &variables).await.stop().await.success());
    fs::write(&file, "nonsense").unwrap();
    let restarted = SiteProcess::start(state.path(), &variables).await;
    let page = reqwest::get(format!("{}/pricing", restarted.address())).await.unwrap();
    assert_eq!(page.status(), 200);
}

/// An operator finds the cause of what visitors met in the last seconds, too.
#[tokio::test]
async fn what_goes_wrong_while_a_site_stops_is_reported() {
    let state = TempDir::new().unwrap();
    let mut site = SiteProcess::start(state.path(), &[]).await;
    let address = site.address().strip_prefix("http://").unwrap();
    let mut connection = TcpStream::connect(address).await.unwrap();
    site.signal("TERM");
    tokio::time::sleep(Duration::from_millis(200)).await;
    connection.write_all(b"no request\r\n\r\n").await.unwrap();
    connection.read_to_end(&mut Vec::new()).await.unwrap();
    assert!(site.stop().await.success());
    let log = fs::read_to_string(state.path().join("log")).unwrap();
    assert!(log.contains("what was no request"), "{log}");
}

/// What a new version needs is made while the old one runs.
#[tokio::test]
async fn what_was_prepared_is_served_without_a_sidecar() {
    let state = TempDir::new().unwrap();
    let sidecar = SidecarProcess::start(&state.path().join("ssr.sock")).await;
    let prepared = command(state.path(), &["prepare"]).unwrap();
    assert!(prepared.contains("prepared"), "{prepared}");
    drop(sidecar);
    let site = SiteProcess::start_bare(state.path(), &[]).await;
    let log = fs::read_to_string(state.path().join("log")).unwrap();
    assert!(!log.contains("no new edition yet"), "{log}");
    let page = reqwest::get(format!("{}/pricing", site.address())).await.unwrap();
    assert_eq!(page.status(), 200);
}

/// An upgrade goes on after it, so it must not say that all is well.
#[tokio::test]
async fn what_can_not_be_kept_is_not_prepared() {
    for folder in ["kept", "builds"] {
        let state = TempDir::new().unwrap();
        let _sidecar = SidecarProcess::start(&state.path().join("ssr.sock")).await;
        fs::write(state.path().join(folder), "a file where a folder should be").unwrap();
        let refused = command(state.path(), &["prepare"]).unwrap_err();
        assert!(refused.contains("can't be kept in the state folder"), "{refused}");
    }
}

/// On a socket that outlives the process a restart is a moment's wait for whoever connects then, and
/// no failure for anybody: neither on a connection of their own nor on one that is kept.
#[tokio::test]
async fn a_restart_on_a_socket_that_was_handed_over_loses_no_request() {
    let state = TempDir::new().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/pricing", listener.local_addr().unwrap());
    let mut site = SiteProcess::start_on(&listener, state.path()).await;
    let stop = Arc::new(AtomicBool::new(false));
    let visitors = [0, 0, 8, 8].map(|kept| {
        let (url, stop) = (url.clone(), Arc::clone(&stop));
        let client = reqwest::Client::builder().pool_max_idle_per_host(kept).build().unwrap();
        tokio::spawn(async move {
            let (mut answered, mut failed) = (0, Vec::new());
            while !stop.load(Ordering::Relaxed) {
                match client.get(&url).send().await {
                    Ok(answer) if answer.status() == 200 => answered += 1,
                    Ok(answer) => failed.push(answer.status().to_string()),
                    Err(error) => failed.push(format!("{error:?}")),
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            (answered, failed)
        })
    });
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(site.stop().await.success());
        site = SiteProcess::start_on(&listener, state.path()).await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    stop.store(true, Ordering::Relaxed);
    let mut all = 0;
    for visitor in visitors {
        let (answered, failed) = visitor.await.unwrap();
        assert!(failed.is_empty(), "{answered} answered, {} failed: {failed:?}", failed.len());
        all += answered;
    }
    println!("{all} requests over three restarts, none failed");
    assert!(all > 300, "{all} are too few to show anything");
}

#[tokio::test]
async fn a_site_clears_away_what_is_no_longer_needed_from_its_start() {
    let state = TempDir::new().unwrap();
    let database = format!("sqlite://{}?mode=rwc", state.path().join("contact.db").display());
    Outbox::new(&database).unwrap().open().await.unwrap();
    let mut database = SqliteConnection::connect(&database).await.unwrap();
    let long_ago = "INSERT INTO acknowledgements (address, submission_id, latest, second, third) \
                    VALUES ('ada@example.com', 'an id', 0, 0, 0)";
    database.execute(long_ago).await.unwrap();
    let _site = SiteProcess::start(state.path(), &[]).await;
    eventually("nobody is remembered for longer than a day", async || {
        let left = sqlx::query_scalar("SELECT count(*) FROM acknowledgements");
        let left: i64 = left.fetch_one(&mut database).await.unwrap();
        left == 0
    })
    .await;
}
