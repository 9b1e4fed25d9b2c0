//! What an open page of a development server is told.

use std::{fs, sync::Arc, time::Duration};

use poem::test::TestClient;
use serde_json::{Value, json};
use site::{publisher::CopySource, router::router};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader, Lines};

use crate::support::{Harness, test_copy_file};

/// How often a publisher looks in these tests.
const INTERVAL: Duration = Duration::from_millis(20);

/// The news, as `EventSource` reads them (HTML, section 9.2.6).
struct News<R>(Lines<BufReader<R>>);

impl<R: AsyncRead + Unpin> News<R> {
    async fn next(&mut self) -> Value {
        loop {
            let line = self.0.next_line().await.unwrap().unwrap();
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).unwrap();
            }
        }
    }
}

async fn listen(harness: &Harness) -> News<impl AsyncRead + Unpin> {
    let problems = harness.state.path().join("problems");
    let client = TestClient::new(router(Arc::clone(&harness.app), Some(problems)));
    let answer = client.get("/_editions").header("host", "site").send().await.0;
    News(BufReader::new(Box::pin(answer.into_body().into_async_read())).lines())
}

fn edition(number: usize) -> String {
    format!("{}-{number}", std::process::id())
}

#[tokio::test]
async fn a_problem_is_told_and_goes_when_it_is_mended() {
    let harness = Harness::published().await;
    let mut news = listen(&harness).await;
    assert_eq!(news.next().await, json!({ "edition": edition(1), "problem": "" }));

    let folder = harness.state.path().join("problems");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("web"), "site/src/main.rs:1: no").unwrap();
    fs::write(folder.join("assets"), "base.css:2: no").unwrap();
    let mut told = news.next().await;
    if told["problem"] != "base.css:2: no\n\nsite/src/main.rs:1: no" {
        // It looked between the two.
        told = news.next().await;
    }
    assert_eq!(told["problem"], "base.css:2: no\n\nsite/src/main.rs:1: no");

    fs::remove_file(folder.join("assets")).unwrap();
    assert_eq!(news.next().await["problem"], "site/src/main.rs:1: no");
    fs::remove_file(folder.join("web")).unwrap();
    assert_eq!(news.next().await, json!({ "edition": edition(1), "problem": "" }));
}

#[tokio::test]
async fn a_mistake_in_the_copy_is_told_with_its_line_and_a_new_edition_with_its_name() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("site.toml");
    let text = fs::read_to_string(test_copy_file()).unwrap();
    fs::write(&file, &text).unwrap();
    let harness = Harness::with_copy(CopySource::File(file.clone())).await;
    let mut news = listen(&harness).await;
    let nothing = json!({ "edition": null, "problem": "" });
    assert_eq!(news.next().await, nothing, "there is no edition yet");

    // While the sidecar is on its way, nobody made a mistake.
    let publishing = tokio::spawn(harness.app.publisher.clone().run(INTERVAL));
    assert!(tokio::time::timeout(INTERVAL * 20, news.next()).await.is_err());
    let _sidecar = harness.start_sidecar().await;
    assert_eq!(news.next().await, json!({ "edition": edition(1), "problem": "" }));

    fs::write(&file, text.replace("copyright_year = 2025", "copyright_year = [")).unwrap();
    let told = news.next().await;
    assert_eq!(told["edition"], edition(1));
    let problem = told["problem"].as_str().unwrap();
    assert!(problem.contains("site.toml:"), "{problem}");

    fs::write(&file, text.replace("copyright_year = 2025", "copyright_year = 2024")).unwrap();
    // It may look while the file is being written.
    let mended = json!({ "edition": edition(2), "problem": "" });
    let next = async { while news.next().await != mended {} };
    tokio::time::timeout(Duration::from_mins(1), next).await.expect("the problem goes");
    publishing.abort();
}
