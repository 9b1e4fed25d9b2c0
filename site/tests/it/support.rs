//! A site of its own for each test: state folder, database, sidecar process.

pub mod office;
pub mod postgres;
pub mod process;
pub mod smtp;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use futures_util::TryStreamExt;
use ipnet::IpNet;
use poem::{
    Endpoint, Response,
    http::{HeaderMap, HeaderValue},
    test::{TestClient, TestResponse},
};
use scraper::{Html, Node, Selector, node::Element};
use site::{
    assets::Assets,
    config::{Handling, SidecarAddress},
    contact::{
        guard::Guard,
        message::{ContactMessage, PostedForm},
        outbox::{KeptMessage, Outbox},
    },
    copy::SiteCopy,
    form::{ContactField, Fields},
    headers::EveryAnswer,
    publisher::{Audience, CopySource, Publisher},
    router::router,
    sidecar::Sidecar,
    state::App,
};
use tempfile::TempDir;
use tokio::{
    process::{Child, Command},
    sync::OnceCell,
};

/// What becomes of the messages of a site whose configuration says nothing of it.
pub const HANDLING: Handling = Handling { mailed: false, retention_days: None };

/// The root of the source tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A sidecar process; it ends when this is dropped.
pub struct SidecarProcess(#[expect(dead_code, reason = "held until the process may end")] Child);

impl SidecarProcess {
    /// Starts the sidecar and waits until it has rendered all examples.
    pub async fn start(socket: &Path) -> Self {
        let mut child = Command::new("node")
            .args(["--import", "tsx", "ssr-sidecar/src/main.ts"])
            .current_dir(root())
            .env("SSR_ENDPOINT", format!("unix:{}", socket.display()))
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("node starts; run the tests with `make test`");
        while !socket.exists() {
            if let Some(status) = child.try_wait().unwrap() {
                panic!("the sidecar ended with {status}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Self(child)
    }
}

/// A site with its state in a folder of its own.
pub struct Harness {
    pub app: Arc<App>,
    pub state: TempDir,
}

impl Harness {
    /// A site that has no edition yet, and no sidecar.
    pub async fn unpublished() -> Self {
        Self::with_copy(test_copy()).await
    }

    /// A site with this copy, without an edition and without a sidecar.
    pub async fn with_copy(source: CopySource) -> Self {
        let state = TempDir::new().unwrap();
        Self::in_folder(state, source).await
    }

    /// A site that finds what an earlier one left in its state folder.
    pub async fn in_folder(state: TempDir, source: CopySource) -> Self {
        Self::made_of(HANDLING, Vec::new(), state, source).await
    }

    async fn made_of(
        handling: Handling,
        proxies: Vec<IpNet>,
        state: TempDir,
        source: CopySource,
    ) -> Self {
        let sidecar = Sidecar::new(&SidecarAddress::Unix(state.path().join("ssr.sock"))).unwrap();
        let every = EveryAnswer::new(HeaderValue::from_static("max-age=63072000"));
        let publisher =
            Publisher::new(source, Audience::Visitors, handling, sidecar, state.path(), every)
                .unwrap();
        let database = format!("sqlite://{}?mode=rwc", state.path().join("contact.db").display());
        let outbox = Outbox::new(&database).unwrap();
        outbox.open().await.unwrap();
        Self { app: Arc::new(App::new(Arc::new(publisher), outbox, Guard::new(proxies))), state }
    }

    /// A site that serves an edition, without a sidecar.
    pub async fn published() -> Self {
        Self::published_behind(Vec::new()).await
    }

    /// The same behind proxies.
    pub async fn published_behind(proxies: Vec<IpNet>) -> Self {
        let state = TempDir::new().unwrap();
        kept_fragments(state.path()).await;
        let harness = Self::made_of(HANDLING, proxies, state, test_copy()).await;
        harness.app.publisher.publish().await.unwrap();
        harness
    }

    /// A site that serves an edition and does this with messages.
    pub async fn handling(handling: Handling) -> Self {
        let state = TempDir::new().unwrap();
        kept_fragments(state.path()).await;
        let harness = Self::made_of(handling, Vec::new(), state, test_copy()).await;
        harness.app.publisher.publish().await.unwrap();
        harness
    }

    /// A site that serves an edition, and its sidecar.
    pub async fn with_sidecar() -> (Self, SidecarProcess) {
        Self::with_copy_and_sidecar(test_copy()).await
    }

    /// The same of this copy; what the tests' own copy shares with it was compressed before.
    pub async fn with_copy_and_sidecar(source: CopySource) -> (Self, SidecarProcess) {
        let harness = Self::with_copy(source).await;
        kept_fragments(harness.state.path()).await;
        let sidecar = harness.start_sidecar().await;
        harness.app.publisher.publish().await.unwrap();
        (harness, sidecar)
    }

    /// Starts a sidecar where the site expects it.
    pub async fn start_sidecar(&self) -> SidecarProcess {
        SidecarProcess::start(&self.state.path().join("ssr.sock")).await
    }

    /// A client of the whole app: routes and middleware.
    pub fn client(&self) -> TestClient<impl Endpoint<Output = Response> + use<>> {
        TestClient::new(router(Arc::clone(&self.app), None)).default_header("host", "site")
    }

    /// How many messages are stored.
    pub async fn stored(&self) -> usize {
        stored(&self.app.outbox).await.len()
    }
}

/// All messages of an outbox, the newest first.
pub async fn stored(outbox: &Outbox) -> Vec<KeptMessage> {
    outbox.all().try_collect().await.unwrap()
}

/// Puts what an earlier site would have left where a site finds it: it publishes without a sidecar.
pub async fn kept_fragments(state: &Path) {
    static KEPT: OnceCell<Vec<(PathBuf, Vec<u8>)>> = OnceCell::const_new();
    let kept = KEPT.get_or_init(async || {
        let harness = Harness::unpublished().await;
        let _sidecar = harness.start_sidecar().await;
        harness.app.publisher.publish().await.unwrap();
        let state = harness.state.path();
        let files = fs::read_dir(state.join("kept")).unwrap().map(|file| file.unwrap().path());
        let file = |path: PathBuf| {
            (path.strip_prefix(state).unwrap().to_owned(), fs::read(&path).unwrap())
        };
        files.map(file).collect()
    });
    for (path, bytes) in kept.await {
        fs::create_dir_all(state.join(path).parent().unwrap()).unwrap();
        fs::write(state.join(path), bytes).unwrap();
    }
}

/// A copy of the tests' own: an owner may change every word of the real one.
pub fn test_copy() -> CopySource {
    CopySource::File(test_copy_file())
}

/// Where that copy is.
pub fn test_copy_file() -> PathBuf {
    root().join("site/tests/site.toml")
}

/// The same, read.
pub fn copy() -> SiteCopy {
    test_copy().load().unwrap()
}

/// A message with these words, as it is stored.
pub fn message(name: &str, words: &str) -> ContactMessage {
    message_from(name, "ada@example.com", words)
}

/// The same from this address.
pub fn message_from(name: &str, address: &str, words: &str) -> ContactMessage {
    let mut form = PostedForm::default();
    form.draft.0 = Fields::from_fn(|field| format!("some {}", field.as_str()));
    for (field, text) in
        [(ContactField::Name, name), (ContactField::Email, address), (ContactField::Message, words)]
    {
        text.clone_into(&mut form.draft.0[field]);
    }
    ContactMessage::parse(&form).ok().unwrap()
}

/// Waits until something holds.
pub async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..2400 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("not within 2 minutes: {what}");
}

/// An answer as a snapshot: status, headers and pretty-printed body, volatile parts redacted.
pub async fn snapshot(response: TestResponse) -> String {
    let response = response.0;
    let mut text = format!("{}\n", response.status());
    text.push_str(&headers(response.headers()));
    let body = response.into_body().into_string().await.unwrap();
    write!(text, "\n{}", redact(&pretty(&body))).unwrap();
    text
}

fn headers(headers: &HeaderMap) -> String {
    let mut lines: Vec<_> = headers
        .iter()
        .map(|(name, value)| {
            let value = match name.as_str() {
                "etag" => "[etag]",
                "content-length" => "[length]",
                "x-request-id" => "[id]",
                _ => value.to_str().unwrap(),
            };
            format!("{name}: {}\n", redact(value))
        })
        .collect();
    lines.sort();
    lines.concat()
}

/// Replaces what changes with every build of the assets: hashes in file names and in the CSP.
fn redact(text: &str) -> String {
    let assets = Assets::load().unwrap();
    let mut text = text.to_owned();
    for (name, url) in assets.urls() {
        text = text.replace(url, &format!("/assets/{name}"));
    }
    let mut redacted = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("'sha256-") {
        redacted.push_str(before);
        redacted.push_str("'[hash]'");
        rest = after.split_once('\'').map_or("", |(_, rest)| rest);
    }
    redacted + rest
}

/// What visitors read, in one line: the text of the body without scripts.
pub fn visible(document: &Html) -> String {
    let body = document.select(&Selector::parse("body").unwrap()).next().unwrap();
    let is_code = |node: &ego_tree::NodeRef<'_, Node>| {
        node.ancestors()
            .any(|above| above.value().as_element().is_some_and(|it| it.name() == "script"))
    };
    let texts = body.descendants().filter(|node| !is_code(node));
    let texts: Vec<_> = texts.filter_map(|node| Some(&**node.value().as_text()?)).collect();
    one_line(&texts.join(" "))
}

/// A text without its breaks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// One element or text for each line, indented by depth; scripts and styles are left out, props are not.
pub fn pretty(html: &str) -> String {
    let mut lines = String::new();
    let document = Html::parse_document(html);
    for child in document.tree.root().children() {
        print(child, 0, &mut lines);
    }
    lines
}

fn print(node: ego_tree::NodeRef<'_, Node>, depth: usize, lines: &mut String) {
    let indent = "  ".repeat(depth);
    match node.value() {
        Node::Doctype(doctype) => writeln!(lines, "<!DOCTYPE {}>", doctype.name()).unwrap(),
        Node::Comment(comment) => writeln!(lines, "{indent}<!--{}-->", &**comment).unwrap(),
        Node::Text(text) if text.trim().is_empty() => {}
        Node::Text(text) => writeln!(lines, "{indent}{}", text.trim()).unwrap(),
        Node::Element(element) => {
            writeln!(lines, "{indent}<{}{}>", element.name(), attributes(element)).unwrap();
            if !is_code(element) {
                for child in node.children() {
                    print(child, depth + 1, lines);
                }
            }
        }
        _ => {}
    }
}

fn attributes(element: &Element) -> String {
    element.attrs().fold(String::new(), |mut text, (name, value)| {
        write!(text, " {name}=\"{value}\"").unwrap();
        text
    })
}

fn is_code(element: &Element) -> bool {
    let data = element.attr("type") == Some("application/json");
    element.name() == "style" || (element.name() == "script" && !data)
}
