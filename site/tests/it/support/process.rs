//! The site as a process of its own, as an owner runs it.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    net::TcpListener,
    os::fd::OwnedFd,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use reqwest::{Client, Response};

use super::{kept_fragments, test_copy_file};

/// A site process with its state in a folder; it ends when this is dropped.
pub struct SiteProcess {
    child: Child,
    address: String,
}

impl SiteProcess {
    /// Starts the site, without a sidecar, and waits until pages are being served.
    pub async fn start(state: &Path, variables: &[(&str, &str)]) -> Self {
        Self::run(Command::new(env!("CARGO_BIN_EXE_site")), state, variables).await
    }

    /// The same on a disk on which no file can grow beyond so many KiB.
    pub async fn start_with_little_space(kibibytes: u32, state: &Path) -> Self {
        let mut shell = Command::new("sh");
        // The signal would end the process before it could answer.
        let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\"", kibibytes * 2);
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_site")]);
        Self::run(shell, state, &[]).await
    }

    /// The same where no line of the log can be written.
    pub async fn start_unheard(state: &Path, variables: &[(&str, &str)]) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec \"$0\" 2>/dev/full", env!("CARGO_BIN_EXE_site")]);
        Self::run(shell, state, variables).await
    }

    /// The same with nothing in the state folder but what is there.
    pub async fn start_bare(state: &Path, variables: &[(&str, &str)]) -> Self {
        let site = Command::new(env!("CARGO_BIN_EXE_site"));
        Self::begin(site, Stdio::null(), state, variables).await
    }

    /// Starts it on a socket that is handed over, as systemd does: the socket outlives the process.
    pub async fn start_on(listener: &TcpListener, state: &Path) -> Self {
        let mut shell = Command::new("sh");
        let script = "exec 3<&0 </dev/null; export LISTEN_FDS=1 LISTEN_PID=$$; exec \"$0\"";
        shell.args(["-c", script, env!("CARGO_BIN_EXE_site")]);
        kept_fragments(state).await;
        let socket = OwnedFd::from(listener.try_clone().unwrap());
        Self::begin(shell, socket.into(), state, &[]).await
    }

    async fn run(command: Command, state: &Path, variables: &[(&str, &str)]) -> Self {
        kept_fragments(state).await;
        Self::begin(command, Stdio::null(), state, variables).await
    }

    async fn begin(
        mut command: Command,
        stdin: Stdio,
        state: &Path,
        variables: &[(&str, &str)],
    ) -> Self {
        let log = File::options().create(true).append(true).open(state.join("log")).unwrap();
        let mut child = command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("PORT", "0")
            .env("ADMIN_LISTEN", "127.0.0.1:0")
            .env("STATE_DIR", state)
            .env("SITE_CONTENT", test_copy_file())
            // Each message of a test comes from another client.
            .env("TRUSTED_PROXIES", "127.0.0.1")
            .envs(variables.iter().copied())
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let line = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            stdout.read_line(&mut line).map(|_| line)
        });
        let line = line.await.unwrap().unwrap();
        let address =
            line.trim_end().trim_end_matches('/').strip_prefix("Pages are being served at ");
        let Some(address) = address else {
            panic!("the site does not start: {}", fs::read_to_string(state.join("log")).unwrap())
        };
        Self { child, address: address.to_owned() }
    }

    /// Where it listens, such as `http://127.0.0.1:43210`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Posts a form as the island does, from a client of its own.
    pub async fn post(&self, client: &Client, form: &[(&str, &str)]) -> reqwest::Result<Response> {
        post(client, &self.address, form).await
    }

    /// Ends it as a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends it a signal, such as `HUP`.
    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    /// Asks it to stop, as a deployment does, and waits until it has.
    pub async fn stop(&mut self) -> ExitStatus {
        self.signal("TERM");
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "the site does not stop");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for SiteProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Posts a form to the site at an address as the island does, from a client of its own.
pub async fn post(
    client: &Client,
    address: &str,
    form: &[(&str, &str)],
) -> reqwest::Result<Response> {
    let visitor = std::net::Ipv4Addr::from_bits(rand::random());
    client
        .post(format!("{address}/contact"))
        .header("accept", "application/json")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("x-forwarded-for", visitor.to_string())
        .body(serde_urlencoded::to_string(form).unwrap())
        .send()
        .await
}

/// Sends a process a signal, such as `HUP`.
pub fn signal(process: &Child, name: &str) {
    let pid = process.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
}

/// What `site messages` says.
pub fn messages(state: &Path, arguments: &[&str]) -> Result<String, String> {
    command(state, &[&["messages"], arguments].concat())
}

/// What the site says to a command.
pub fn command(state: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_site"))
        .args(arguments)
        .env_clear()
        .env("STATE_DIR", state)
        .env("SITE_CONTENT", test_copy_file())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}
