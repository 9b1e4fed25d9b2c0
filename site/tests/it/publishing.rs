//! Editions come and go without a visitor noticing.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use poem::http::StatusCode;
use sha2::{Digest, Sha256};
use site::{kept::Key, publisher::CopySource};
use tempfile::TempDir;

use crate::support::{
    Harness, SidecarProcess, eventually,
    process::{SiteProcess, command},
    test_copy, test_copy_file,
};

/// How often a publisher looks in these tests.
const INTERVAL: Duration = Duration::from_millis(20);

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
    assert!(standing.restored && standing.sidecar_away);

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
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("site.toml");
    let text = fs::read_to_string(test_copy_file()).unwrap();
    fs::write(&file, &text).unwrap();
    let harness = Harness::with_copy(CopySource::File(file.clone())).await;
    let _sidecar = harness.start_sidecar().await;
    let publishing = tokio::spawn(harness.app.publisher.clone().run(INTERVAL));
    eventually("the first edition", async || harness.app.publisher.current().is_available()).await;

    let renamed =
        text.replace("title = \"{site.name}: game server", "title = \"Hello: game server");
    fs::write(&file, renamed.replace("copyright_year = 2025", "copyright_year = [")).unwrap();
    tokio::time::sleep(INTERVAL * 20).await;
    assert!(title(&harness).await.starts_with("Tickfleet:"));

    fs::write(&file, renamed).unwrap();
    eventually("the new title", async || title(&harness).await.starts_with("Hello:")).await;
    publishing.abort();
}

/// Two looks at the copy would see two texts.
#[tokio::test]
async fn a_change_back_and_forth_ends_with_the_text_that_is_there() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("site.toml");
    let text = fs::read_to_string(test_copy_file()).unwrap();
    fs::write(&file, &text).unwrap();
    let harness = Harness::with_copy(CopySource::File(file.clone())).await;
    let _sidecar = harness.start_sidecar().await;
    let publishing = tokio::spawn(harness.app.publisher.clone().run(INTERVAL));
    eventually("the first edition", async || harness.app.publisher.current().is_available()).await;
    let renamed =
        text.replace("title = \"{site.name}: game server", "title = \"Hello: game server");
    for turn in 0..30 {
        fs::write(&file, if turn % 2 == 0 { &renamed } else { &text }).unwrap();
        tokio::time::sleep(INTERVAL / 2 * (turn % 5)).await;
    }
    // An edition that was begun before the last change may still come.
    let mut same = 0;
    eventually("the text that is there, for good", async || {
        same = if title(&harness).await.starts_with("Tickfleet:") { same + 1 } else { 0 };
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

#[tokio::test]
async fn a_kept_file_that_was_cut_short_or_changed_is_made_anew_and_never_served() {
    let (harness, _sidecar) = Harness::with_sidecar().await;
    let page = async || {
        let page = harness.client().get("/").header("accept-encoding", "br").send().await.0;
        page.into_body().into_bytes().await.unwrap()
    };
    let before = page().await;
    let damage: [fn(Vec<u8>) -> Vec<u8>; 4] = [
        |_| Vec::new(),
        |bytes| bytes[..bytes.len() / 2].to_vec(),
        |mut bytes| {
            bytes[40] ^= 1;
            bytes
        },
        |bytes| [bytes, b"more".to_vec()].concat(),
    ];
    let files = fs::read_dir(harness.state.path().join("kept")).unwrap();
    for (file, damage) in files.zip(damage.iter().cycle()) {
        let file = file.unwrap().path();
        fs::write(&file, damage(fs::read(&file).unwrap())).unwrap();
    }
    harness.app.publisher.publish().await.unwrap();
    assert_eq!(page().await, before);
}

/// A page that was kept somewhere, or is of another machine's version, finds its script here.
#[tokio::test]
async fn the_files_of_the_last_five_builds_are_answered() {
    let harness = Harness::published().await;
    let client = harness.client();
    let builds = harness.state.path().join("builds");
    let file = |content: &str| {
        let digest = hex::encode(Sha256::digest(content));
        format!("loader-{}.js", &digest[..8])
    };
    for build in 0..7 {
        let folder = builds.join(format!("{build}"));
        fs::create_dir(&folder).unwrap();
        let content = format!("script {build}");
        fs::write(folder.join(file(&content)), content).unwrap();
        let used = fs::File::create(folder.join(".used")).unwrap();
        used.set_modified(SystemTime::now() - Duration::from_hours(10 - build)).unwrap();
    }
    harness.app.publisher.publish().await.unwrap();
    assert_eq!(fs::read_dir(&builds).unwrap().count(), 5, "this build and four others");
    for build in 0..7 {
        let content = format!("script {build}");
        let answer = client.get(format!("/assets/{}", file(&content))).send().await;
        if build < 3 {
            answer.assert_status(StatusCode::NOT_FOUND);
        } else {
            answer.assert_header("content-type", "text/javascript; charset=utf-8");
            answer.assert_header("cache-control", "public, max-age=31536000, immutable");
            answer.assert_text(content).await;
        }
    }
    // Neither a file that was changed nor anything outside is.
    fs::write(builds.join("6").join(file("script 6")), "changed").unwrap();
    for name in [&file("script 6"), ".used", "..%2F..%2Fcontact.db", "%2e%2e"] {
        let answer = client.get(format!("/assets/{name}")).send().await;
        answer.assert_status(StatusCode::NOT_FOUND);
    }
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
async fn what_is_kept_is_for_the_owner_alone() {
    let (harness, _sidecar) = Harness::with_sidecar().await;
    let kept = harness.state.path().join("kept");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&kept), 0o700);
    for file in fs::read_dir(&kept).unwrap() {
        assert_eq!(mode(&file.unwrap().path()), 0o600);
    }
}

#[tokio::test]
async fn what_no_page_uses_is_removed_from_the_state_folder() {
    let (harness, _sidecar) = Harness::with_sidecar().await;
    let state = harness.state.path();
    let kept = || fs::read_dir(state.join("kept")).unwrap().count();
    let before = kept();
    let put = |name: &str, hours| {
        let file = fs::File::create(state.join("kept").join(name.repeat(64))).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_hours(hours)).unwrap();
    };
    put("0", 25);
    // The next version may have put it there.
    put("1", 23);
    harness.app.publisher.publish().await.unwrap();
    assert_eq!(kept(), before + 1);
}
