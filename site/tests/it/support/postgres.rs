//! The two databases that messages are kept in, an empty one for each test.

use std::{
    fs,
    io::Read,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use sqlx::{AnyConnection, Connection, Executor, any::install_default_drivers};
use tempfile::TempDir;

use super::root;

/// An empty database.
pub struct Database {
    /// As `DATABASE_URL` takes it.
    pub url: String,
    folder: Option<TempDir>,
}

impl Database {
    /// One of each kind: what holds for one must hold for the other.
    pub async fn both() -> [Self; 2] {
        [Self::sqlite(), Self::postgres().await]
    }

    /// The file that a site keeps its messages in, in this state folder.
    pub fn at(state: &Path) -> Self {
        Self { url: format!("sqlite://{}", state.join("contact.db").display()), folder: None }
    }

    /// A file in a folder of its own.
    pub fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        let url = format!("sqlite://{}?mode=rwc", folder.path().join("contact.db").display());
        Self { url, folder: Some(folder) }
    }

    /// A database of the PostgreSQL server that all tests of this run share.
    pub async fn postgres() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let server = PostgresServer::shared();
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut connection = sqlx::PgConnection::connect(&server.url("postgres")).await.unwrap();
        let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        connection.execute(create).await.unwrap();
        Self { url: server.url(&name), folder: None }
    }

    /// A database of that server as another machine names it, and the PEM file of the certificate
    /// with which the server answers for `localhost` alone.
    pub fn over_tcp() -> (String, PathBuf) {
        let PostgresServer { folder, port, .. } = PostgresServer::shared();
        let url = format!("postgres://postgres@localhost:{port}/postgres");
        (url, folder.join("certificate.pem"))
    }

    /// Its file, where it is one.
    pub fn file(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().join("contact.db"))
    }

    /// A connection beside the outbox.
    pub async fn connect(&self) -> AnyConnection {
        install_default_drivers();
        AnyConnection::connect(&self.url).await.unwrap()
    }

    /// Lets time pass: nobody can move the database's clock, so the times that the outbox compares
    /// with it are moved back.
    pub async fn let_pass(&self, time: Duration) {
        let older = "UPDATE messages SET next_attempt_at = next_attempt_at - $1, \
                     sent_at = CASE sent_at WHEN 0 THEN 0 ELSE sent_at - $1 END";
        let time = i64::try_from(time.as_millis()).unwrap();
        let mut connection = self.connect().await;
        sqlx::query(older).bind(time).execute(&mut connection).await.unwrap();
        let older = "UPDATE acknowledgements SET latest = latest - $1, second = second - $1, \
                     third = third - $1";
        sqlx::query(older).bind(time).execute(&mut connection).await.unwrap();
    }
}

/// A server on a Unix socket, and with TLS on a port of loopback.
struct PostgresServer {
    folder: PathBuf,
    port: u16,
    /// The server ends, and its folder with it, when this process does: then its input does.
    _process: Child,
}

impl PostgresServer {
    fn shared() -> &'static Self {
        static SERVER: OnceLock<PostgresServer> = OnceLock::new();
        SERVER.get_or_init(Self::start)
    }

    fn start() -> Self {
        // Unix sockets need a short path.
        let name = format!("site-postgres-{:08x}", rand::random::<u32>());
        let folder = std::env::temp_dir().join(name);
        let unused = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = unused.local_addr().unwrap().port();
        drop(unused);
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let certificate = made.cert.pem();
        let tls = tempfile::NamedTempFile::new().unwrap();
        fs::write(&tls, made.signing_key.serialize_pem() + &certificate).unwrap();
        let mut process = Command::new("sh")
            .arg(root().join("site/tests/postgres.sh"))
            .arg(&folder)
            .arg(port.to_string())
            .arg(tls.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = [0; 5];
        let said = process.stdout.take().unwrap().read_exact(&mut ready);
        assert!(
            said.is_ok() && &ready == b"ready",
            "PostgreSQL does not start: run `sh site/tests/postgres.sh`, which says what to install"
        );
        fs::write(folder.join("certificate.pem"), certificate).unwrap();
        Self { folder, port, _process: process }
    }

    fn url(&self, database: &str) -> String {
        let Self { folder, port, .. } = self;
        format!("postgres:///{database}?user=postgres&port={port}&host={}", folder.display())
    }
}
