//! Editions come and go without a visitor noticing.

use std::{fs, time::Duration};

use poem::http::StatusCode;
use site::publisher::ContentSource;
use tempfile::TempDir;

use crate::support::{Harness, eventually, root};

async fn title(harness: &Harness) -> String {
    let page = harness.client().get("/").send().await.0.into_body().into_string().await.unwrap();
    page.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0.to_owned()
}

#[tokio::test]
async fn the_site_publishes_by_itself_when_the_sidecar_comes() {
    let harness = Harness::unpublished().await;
    let site = harness.site.clone();
    let publishing = tokio::spawn(async move { site.publisher.run().await });
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
    let Harness { site, state } = Harness::published().await;
    drop(site);
    fs::remove_file(state.path().join("ssr.sock")).ok();
    let restarted = Harness::in_folder(state, ContentSource::new(None)).await;
    restarted.site.publisher.publish().await.unwrap();
    restarted.client().get("/").send().await.assert_status_is_ok();
}

#[tokio::test]
async fn a_changed_copy_is_published_and_a_broken_one_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("site.toml");
    let text = fs::read_to_string(root().join("site/content/site.toml")).unwrap();
    fs::write(&file, &text).unwrap();
    let harness = Harness::with_content(ContentSource::File(file.clone())).await;
    let _sidecar = harness.start_sidecar().await;
    let site = harness.site.clone();
    let publishing = tokio::spawn(async move { site.publisher.run().await });
    eventually("the first edition", async || harness.site.publisher.current().is_some()).await;

    let renamed = text.replace("title = \"Tickfleet: game server", "title = \"Hello: game server");
    fs::write(&file, renamed.replace("copyright_year = 2025", "copyright_year = [")).unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(title(&harness).await.starts_with("Tickfleet:"));

    fs::write(&file, renamed).unwrap();
    eventually("the new title", async || title(&harness).await.starts_with("Hello:")).await;
    publishing.abort();
}

#[tokio::test]
async fn what_no_page_uses_is_removed_from_the_state_folder() {
    let (harness, _sidecar) = Harness::with_sidecar().await;
    let state = harness.state.path();
    let kept = |folder: &str| fs::read_dir(state.join(folder)).unwrap().count();
    let before = (kept("fragments"), kept("encodings"));
    for folder in ["fragments", "encodings"] {
        fs::write(state.join(folder).join("0".repeat(64)), "old").unwrap();
    }
    harness.site.publisher.publish().await.unwrap();
    assert_eq!((kept("fragments"), kept("encodings")), before);
}
