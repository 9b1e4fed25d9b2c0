//! What is kept in the state folder for the next start, and for pages of other builds.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use poem::http::StatusCode;
use sha2::{Digest, Sha256};
use site::{
    assets::Assets,
    builds::Builds,
    kept::{KeptFiles, Key},
};
use tempfile::TempDir;

use crate::support::{Harness, eventually, process::SiteProcess};

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
    // One that was cut short in the last build is whole in an earlier one.
    fs::write(builds.join("6").join(file("script 5")), "scr").unwrap();
    client.get(format!("/assets/{}", file("script 5"))).send().await.assert_text("script 5").await;
    // Neither a file that was changed nor anything outside is.
    fs::write(builds.join("6").join(file("script 6")), "changed").unwrap();
    for name in [&file("script 6"), ".used", "..%2F..%2Fcontact.db", "%2e%2e"] {
        let answer = client.get(format!("/assets/{name}")).send().await;
        answer.assert_status(StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn files_that_another_process_is_about_to_keep_stay_beside_five_builds() {
    let harness = Harness::published().await;
    let builds = harness.state.path().join("builds");
    for build in 0..5 {
        let folder = builds.join(format!("{build}"));
        fs::create_dir(&folder).unwrap();
        let used = fs::File::create(folder.join(".used")).unwrap();
        used.set_modified(SystemTime::now() - Duration::from_mins(1)).unwrap();
    }
    // In the names of this version and of earlier ones.
    let unfinished = ["1.2.new", "1.new"].map(|name| builds.join(name));
    for folder in &unfinished {
        fs::create_dir(folder).unwrap();
    }
    // A volume's own.
    fs::create_dir(builds.join("lost+found")).unwrap();
    harness.app.publisher.publish().await.unwrap();
    assert!(unfinished.iter().all(|folder| folder.exists()));
    assert!(builds.join("lost+found").exists());
    assert_eq!(fs::read_dir(&builds).unwrap().count(), 5 + 3);
    // What has been left behind is removed.
    for folder in &unfinished {
        let left = fs::File::open(folder).unwrap();
        left.set_modified(SystemTime::now() - Duration::from_hours(2)).unwrap();
    }
    harness.app.publisher.publish().await.unwrap();
    assert!(unfinished.iter().all(|folder| !folder.exists()));
}

/// Several machines may share the folder, with processes of the same number.
#[test]
fn sites_that_keep_a_build_at_once_leave_it_whole() {
    let folder = TempDir::new().unwrap();
    let assets = Assets::load().unwrap();
    for _ in 0..5 {
        std::thread::scope(|scope| {
            let keep = || Builds::new(folder.path()).keep(&assets);
            let sites: Vec<_> = (0..8).map(|_| scope.spawn(keep)).collect();
            for site in sites {
                site.join().unwrap().unwrap();
            }
        });
        let builds: Vec<_> = fs::read_dir(folder.path().join("builds")).unwrap().collect();
        assert_eq!(builds.len(), 1);
        for (path, file) in assets.files() {
            if let Some(name) = path.strip_prefix("/assets/") {
                let kept = Builds::new(folder.path()).find(name);
                assert!(kept.is_some_and(|kept| kept.identity() == file.identity()), "{name}");
            }
        }
        fs::remove_dir_all(folder.path().join("builds")).unwrap();
    }
}

/// The folder of a build counts from then on: without a time another site would remove it as the oldest.
#[test]
fn a_build_says_when_it_was_used_from_the_moment_that_it_is_there() {
    let folder = TempDir::new().unwrap();
    let assets = Assets::load().unwrap();
    let build = folder.path().join("builds").join(hex::encode(assets.digest()));
    for _ in 0..20 {
        std::thread::scope(|scope| {
            let kept = scope.spawn(|| Builds::new(folder.path()).keep(&assets));
            while !build.exists() {
                assert!(!kept.is_finished() || build.exists());
            }
            assert!(build.join(".used").exists());
            kept.join().unwrap().unwrap();
        });
        fs::remove_dir_all(&build).unwrap();
    }
}

/// A version that is being prepared keeps what the one that runs keeps.
#[test]
fn sites_that_keep_a_file_at_once_leave_it_whole() {
    let folder = TempDir::new().unwrap();
    let (key, bytes) = (Key::new("test", &[]), vec![7; 100_000]);
    for _ in 0..20 {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let kept = KeptFiles::new(folder.path());
                    kept.put(&key, &bytes);
                    kept.complete().unwrap();
                    assert_eq!(kept.get(&key).as_ref(), Some(&bytes));
                });
            }
        });
    }
    assert_eq!(fs::read_dir(folder.path().join("kept")).unwrap().count(), 1);
}

/// Each edition tries again: a full disk would never have room.
#[tokio::test]
async fn what_there_is_no_room_for_leaves_nothing_behind() {
    let state = TempDir::new().unwrap();
    // In the way of the note of what is being served.
    fs::create_dir(state.path().join("status.json")).unwrap();
    let _site = SiteProcess::start_with_little_space(48, state.path()).await;
    let log = || fs::read_to_string(state.path().join("log")).unwrap();
    for failed in ["can't be noted", "what was made can't be kept in the state folder"] {
        eventually(failed, async || log().contains(failed)).await;
    }
    // Tries go on: each has such a file for a moment.
    let left = |folder| {
        let files = fs::read_dir(state.path().join(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".new")).count()
    };
    for folder in [".", "kept", "builds"] {
        eventually("no unfinished file is left", async || left(folder) == 0).await;
    }
}

/// A deploy onto a full disk, say: what a start without a sidecar serves is needed all the more.
#[tokio::test]
async fn a_build_that_can_not_be_kept_does_not_cost_the_last_edition() {
    let state = TempDir::new().unwrap();
    fs::write(state.path().join("builds"), "a file where a folder should be").unwrap();
    let _site = SiteProcess::start(state.path(), &[]).await;
    let log = || fs::read_to_string(state.path().join("log")).unwrap();
    eventually("it is told", async || log().contains("can't be kept")).await;
    let last = Key::new("last edition", &[]);
    assert!(KeptFiles::new(state.path()).get(&last).is_some());
}

#[test]
fn what_could_not_be_kept_is_not_forgotten() {
    let state = TempDir::new().unwrap();
    let (kept, in_the_way) = (KeptFiles::new(state.path()), state.path().join("kept"));
    fs::write(&in_the_way, "a file where a folder should be").unwrap();
    let keys = ["one", "two"].map(|name| Key::new(name, &[]));
    for key in &keys {
        kept.put(key, key.as_str().as_bytes());
    }
    kept.complete().unwrap_err();
    fs::remove_file(&in_the_way).unwrap();
    kept.complete().unwrap();
    for key in &keys {
        assert_eq!(kept.get(key).unwrap(), key.as_str().as_bytes());
    }
}

/// A site and a version that is being prepared clear the same folder.
#[test]
fn files_that_another_process_removes_at_once_keep_nobody_from_pruning() {
    let folder = TempDir::new().unwrap();
    let kept = folder.path().join("kept");
    fs::create_dir(&kept).unwrap();
    for _ in 0..5 {
        for number in 0..500 {
            let file = fs::File::create(kept.join(number.to_string())).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_hours(25)).unwrap();
        }
        std::thread::scope(|scope| {
            let prune = || KeptFiles::new(folder.path()).prune();
            let sites: Vec<_> = (0..8).map(|_| scope.spawn(prune)).collect();
            for site in sites {
                site.join().unwrap().unwrap();
            }
        });
        assert_eq!(fs::read_dir(&kept).unwrap().count(), 0);
    }
}

#[tokio::test]
async fn what_is_kept_is_for_the_owner_alone() {
    let harness = Harness::unpublished().await;
    let _sidecar = harness.start_sidecar().await;
    harness.app.publisher.publish().await.unwrap();
    let kept = harness.state.path().join("kept");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&kept), 0o700);
    for file in fs::read_dir(&kept).unwrap() {
        assert_eq!(mode(&file.unwrap().path()), 0o600);
    }
}

/// Whoever publishes beside a site, as `site export` does, doesn't know what it needs for its next start.
#[tokio::test]
async fn what_no_page_uses_is_removed_by_the_site_that_serves_and_nobody_else() {
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
    assert_eq!(kept(), before + 2);
    let serving = tokio::spawn(Arc::clone(&harness.app.publisher).run(Duration::from_secs(1)));
    eventually("one file less", async || kept() == before + 1).await;
    serving.abort();
}
