//! Editions come and go without a visitor noticing.

use std::{
    fs::{self, File},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use poem::http::StatusCode;
use site::{publisher::CopySource, routines};
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::support::{Harness, SidecarProcess, eventually, process::SiteProcess, test_copy_file};

/// How often a publisher looks in these tests.
const INTERVAL: Duration = Duration::from_millis(20);

/// Whoever changes the copy of a site that looks at it.
struct Owner {
    file: PathBuf,
    text: String,
    harness: Harness,
    publishing: JoinHandle<()>,
    _sidecar: SidecarProcess,
    _folder: TempDir,
}

impl Owner {
    /// Waits for the first edition.
    async fn begin(interval: Duration) -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("site.toml");
        let text = fs::read_to_string(test_copy_file()).unwrap();
        fs::write(&file, &text).unwrap();
        let harness = Harness::with_copy(CopySource::File(file.clone())).await;
        let sidecar = harness.start_sidecar().await;
        let publishing = tokio::spawn(harness.app.publisher.clone().run(interval));
        eventually("the first edition", async || harness.app.publisher.current().is_available())
            .await;
        Self { file, text, harness, publishing, _sidecar: sidecar, _folder: folder }
    }
}

async fn title(harness: &Harness) -> String {
    let page = harness.client().get("/").send().await.0.into_body().into_string().await.unwrap();
    page.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0.to_owned()
}

#[tokio::test]
async fn the_site_publishes_by_itself_when_the_sidecar_comes() {
    let harness = Harness::unpublished().await;
    let publishing = tokio::spawn(harness.app.publisher.clone().run(INTERVAL));
    tokio::time::sleep(Duration::from_millis(300)).await;
    harness.client().get("/").send().await.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    let sidecar = harness.start_sidecar().await;
    eventually("pages are served", async || {
        harness.client().get("/").send().await.0.status() == 200
    })
    .await;
    drop(sidecar);
    harness.client().get("/").send().await.assert_status_is_ok();
    publishing.abort();
}

/// Told to look again, a site looks again: the signal doesn't end it.
#[tokio::test]
async fn a_site_that_is_told_to_hang_up_reads_the_copy_again() {
    let state = TempDir::new().unwrap();
    let mut site = SiteProcess::start(state.path(), &[]).await;
    site.signal("HUP");
    eventually("a look", async || {
        fs::read_to_string(state.path().join("log")).unwrap().contains("as asked")
    })
    .await;
    let page = reqwest::get(format!("{}/pricing", site.address())).await.unwrap();
    assert_eq!(page.status(), 200);
    assert!(site.stop().await.success());
}

#[tokio::test]
async fn a_changed_copy_is_published_and_a_broken_one_changes_nothing() {
    let Owner { file, text, harness, publishing, .. } = &Owner::begin(INTERVAL).await;

    let renamed =
        text.replace("title = \"{site.name}: game server", "title = \"Hello: game server");
    fs::write(file, renamed.replace("copyright_year = 2025", "copyright_year = [")).unwrap();
    tokio::time::sleep(INTERVAL * 20).await;
    assert!(title(harness).await.starts_with("Tickfleet:"));

    fs::write(file, renamed).unwrap();
    eventually("the new title", async || title(harness).await.starts_with("Hello:")).await;
    publishing.abort();
}

/// Whoever mends the copy and asks for a look at once is no longer told of the mistake.
#[tokio::test]
async fn a_refusal_ends_with_a_look_that_was_asked_for() {
    let Owner { file, text, harness, publishing, .. } = &Owner::begin(Duration::from_secs(1)).await;
    let publisher = &harness.app.publisher;
    let refusal = publisher.refusal();
    for mended in [text.replace("copyright_year = 2025", "copyright_year = 2024"), text.clone()] {
        fs::write(file, "nonsense").unwrap();
        publisher.look_now();
        eventually("a refusal", async || !refusal.borrow().is_empty()).await;
        fs::write(file, mended).unwrap();
        publisher.look_now();
        eventually("no refusal", async || refusal.borrow().is_empty()).await;
    }
    publishing.abort();
}

/// Two looks at the copy would see two texts.
#[tokio::test]
async fn a_change_back_and_forth_ends_with_the_text_that_is_there() {
    let Owner { file, text, harness, publishing, .. } = &Owner::begin(INTERVAL).await;
    let renamed =
        text.replace("title = \"{site.name}: game server", "title = \"Hello: game server");
    for turn in 0..30 {
        fs::write(file, if turn % 2 == 0 { &renamed } else { text }).unwrap();
        tokio::time::sleep(INTERVAL / 2 * (turn % 5)).await;
    }
    // An edition that was begun before the last change may still come.
    let mut same = 0;
    eventually("the text that is there, for good", async || {
        same = if title(harness).await.starts_with("Tickfleet:") { same + 1 } else { 0 };
        same > 20
    })
    .await;
    publishing.abort();
}

/// Whoever opens a pipe waits for its other end.
#[tokio::test]
async fn a_pipe_in_place_of_the_copy_is_refused_and_nothing_waits_for_it() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("site.toml");
    fs::copy(test_copy_file(), &file).unwrap();
    let harness = Harness::with_copy(CopySource::File(file.clone())).await;
    fs::remove_file(&file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&file).status().unwrap();
    assert!(made.success());
    let publishing = tokio::spawn(harness.app.publisher.clone().run(INTERVAL));
    let refusal = harness.app.publisher.refusal();
    eventually("a refusal", async || refusal.borrow().contains("no regular file")).await;
    harness.client().get("/").send().await.assert_status(StatusCode::SERVICE_UNAVAILABLE);
    publishing.abort();
}

/// The same in a process of its own, on one thread: pages are served, and it can be stopped.
#[tokio::test]
async fn a_site_whose_copy_became_a_pipe_serves_and_stops() {
    let state = TempDir::new().unwrap();
    let file = state.path().join("site.toml");
    fs::copy(test_copy_file(), &file).unwrap();
    let variables = [("SITE_CONTENT", file.to_str().unwrap()), ("TOKIO_WORKER_THREADS", "1")];
    let mut site = SiteProcess::start(state.path(), &variables).await;
    fs::remove_file(&file).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    eventually("a refusal", async || {
        let log = fs::read_to_string(state.path().join("log")).unwrap();
        log.contains("no regular file")
    })
    .await;
    let page = reqwest::get(format!("{}/pricing", site.address())).await.unwrap();
    assert_eq!(page.status(), 200);
    assert!(site.stop().await.success());
}

#[tokio::test]
async fn a_site_whose_log_cannot_be_written_publishes_on() {
    let state = TempDir::new().unwrap();
    let file = state.path().join("site.toml");
    let copy = fs::read_to_string(test_copy_file()).unwrap();
    fs::write(&file, &copy).unwrap();
    let variables = [("SITE_CONTENT", file.to_str().unwrap())];
    let mut site = SiteProcess::start_unheard(state.path(), &variables).await;
    fs::write(file, copy.replace("Ready to Host Your Game?", "Ready when you are?")).unwrap();
    eventually("the new text", async || {
        let page = reqwest::get(site.address()).await.unwrap().text().await.unwrap();
        page.contains("Ready when you are?")
    })
    .await;
    assert!(site.stop().await.success());
}

/// The sidecar is away from the start: tries become rarer, down to one in two seconds.
#[tokio::test]
async fn before_the_first_edition_tries_become_rarer() {
    let harness = Harness::unpublished().await;
    let socket = tokio::net::UnixListener::bind(harness.state.path().join("ssr.sock")).unwrap();
    let publishing = tokio::spawn(harness.app.publisher.clone().run(INTERVAL));
    let mut tries = 0;
    let listening = async {
        loop {
            drop(socket.accept().await.unwrap());
            tries += 1;
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(3), listening).await.is_err());
    // After 0, 50, 150, 350, 750, 1,550 ms; a client may connect twice for one try.
    assert!((3..=14).contains(&tries), "{tries}");
    publishing.abort();
}

/// Nobody changes the copy for months, and security.txt runs out.
#[tokio::test]
async fn a_site_that_runs_for_long_is_reminded_each_day_of_what_runs_out() {
    let folder = TempDir::new().unwrap();
    let (file, log) = (folder.path().join("site.toml"), folder.path().join("log"));
    let text = fs::read_to_string(test_copy_file()).unwrap();
    let expired =
        text.replace("security_expires = \"2027-10-01\"", "security_expires = \"2025-10-01\"");
    assert_ne!(expired, text, "the tests' copy has a day to change");
    fs::write(&file, expired).unwrap();
    let harness = Harness::with_copy(CopySource::File(file)).await;
    let subscriber = tracing_subscriber::fmt().with_writer(File::create(&log).unwrap()).finish();
    let _told = tracing::subscriber::set_default(subscriber);
    let reminding = tokio::spawn(routines::remind(Arc::clone(&harness.app.publisher)));
    tokio::task::yield_now().await;
    for day in 0..3 {
        let told = || fs::read_to_string(&log).unwrap().matches("security_expires").count();
        assert_eq!(told(), day);
        tokio::time::pause();
        tokio::time::advance(Duration::from_hours(24) + Duration::from_secs(1)).await;
        tokio::time::resume();
        eventually("a reminder", async || told() == day + 1).await;
    }
    reminding.abort();
}
