//! A real mail server on loopback.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{eventually, root};

/// A mail as the server got it.
#[derive(Clone, Debug, Deserialize)]
pub struct Mail {
    pub from: String,
    pub to: Vec<String>,
    /// Whoever logged in, or nothing.
    pub user: String,
    /// Whether it came over TLS.
    pub secure: bool,
    /// Headers and body.
    pub raw: String,
}

impl Mail {
    /// The value of a header, unfolded, as it was sent.
    pub fn header(&self, name: &str) -> Option<String> {
        let (headers, _) = self.raw.split_once("\r\n\r\n")?;
        let headers = headers.replace("\r\n ", " ");
        headers
            .split("\r\n")
            .filter_map(|line| line.split_once(": "))
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.to_owned())
    }

    /// What makes a repeated mail recognisable.
    pub fn message_id(&self) -> String {
        self.header("Message-ID").expect("every mail has a Message-ID")
    }

    /// The mail as a snapshot.
    pub fn redacted(&self) -> String {
        let raw = self.raw.replace("\r\n", "\n");
        let lines = raw.lines().map(|line| match line.split_once(": ") {
            Some((name @ ("Message-ID" | "Date" | "Received"), value)) => {
                let kept = if value.starts_with("<ack.") { "<ack." } else { "" };
                format!("{name}: {kept}[redacted]")
            }
            _ => line.to_owned(),
        });
        let envelope = format!("MAIL FROM: {}\nRCPT TO: {}\n\n", self.from, self.to.join(", "));
        envelope + &lines.collect::<Vec<_>>().join("\n")
    }
}

/// A line that the server prints.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Mail(Mail),
    Connections(usize),
}

/// The server process; it ends when this is dropped.
pub struct SmtpServer {
    child: Child,
    port: u16,
    mails: Arc<Mutex<Vec<Mail>>>,
    /// Open, when it was asked last.
    connections: Arc<AtomicUsize>,
    settled: Arc<Notify>,
}

impl SmtpServer {
    /// A server that does the same as each of these words says with the mails in turn
    /// (see `smtp-server.ts`).
    pub fn answering(answers: &[&str]) -> Self {
        Self::start(&json!({ "port": 0, "answers": answers }))
    }

    /// The same at a port that was one's before.
    pub fn at(port: u16, answers: &[&str]) -> Self {
        Self::start(&json!({ "port": port, "answers": answers }))
    }

    /// A server with the options of `smtp-server.ts`.
    pub fn start(options: &Value) -> Self {
        let mut child = Command::new("node")
            .args(["--import", "tsx", "site/tests/smtp-server.ts"])
            .arg(options.to_string())
            .current_dir(root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts; run the tests with `make test`");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.next().expect("the mail server prints its port").unwrap();
        let mails = Arc::<Mutex<Vec<Mail>>>::default();
        let connections = Arc::<AtomicUsize>::default();
        let settled = Arc::<Notify>::default();
        let (received, no_more) = (Arc::clone(&mails), Arc::clone(&settled));
        let open = Arc::clone(&connections);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                match serde_json::from_str(&line).unwrap() {
                    Line::Mail(mail) => received.lock().unwrap().push(mail),
                    Line::Connections(count) => {
                        open.store(count, Ordering::Relaxed);
                        no_more.notify_one();
                    }
                }
            }
            // A server that has ended prints no more either.
            no_more.notify_one();
        });
        Self { child, port: port.parse().unwrap(), mails, connections, settled }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where mail is given to it, without TLS.
    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// All mails, in the order in which they came.
    pub fn mails(&self) -> Vec<Mail> {
        self.mails.lock().unwrap().clone()
    }

    /// Waits for so many mails.
    pub async fn received(&self, count: usize) -> Vec<Mail> {
        eventually(&format!("{count} mails"), async || self.mails().len() >= count).await;
        self.mails()
    }

    /// The mails so far, once the server has said that it has printed them all.
    pub async fn settled(&self) -> Vec<Mail> {
        self.child.stdin.as_ref().unwrap().write_all(b"?").unwrap();
        self.settled.notified().await;
        self.mails()
    }

    /// Waits until no connection is open.
    pub async fn left_alone(&self) {
        eventually("no connection to the mail server", async || {
            self.settled().await;
            self.connections.load(Ordering::Relaxed) == 0
        })
        .await;
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
