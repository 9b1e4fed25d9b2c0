//! The two databases that messages are kept in, an empty one for each test.

use std::{
    io::Read,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use sqlx::{Connection, Executor};
use tempfile::TempDir;

use super::root;

/// An empty database.
pub struct Database {
    /// As `DATABASE_URL` takes it.
    pub url: String,
    _folder: Option<TempDir>,
}

impl Database {
    /// One of each kind: what holds for one must hold for the other.
    pub async fn both() -> [Self; 2] {
        [Self::sqlite(), Self::postgres().await]
    }

    /// A file in a folder of its own.
    pub fn sqlite() -> Self {
        let folder = TempDir::new().unwrap();
        let url = format!("sqlite://{}?mode=rwc", folder.path().join("contact.db").display());
        Self { url, _folder: Some(folder) }
    }

    /// A database of the PostgreSQL server that all tests of this run share.
    pub async fn postgres() -> Self {
        static SERVER: OnceLock<PostgresServer> = OnceLock::new();
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let server = SERVER.get_or_init(PostgresServer::start);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut connection = sqlx::PgConnection::connect(&server.url("postgres")).await.unwrap();
        let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        connection.execute(create).await.unwrap();
        Self { url: server.url(&name), _folder: None }
    }
}

/// A server on a Unix socket.
struct PostgresServer {
    folder: PathBuf,
    /// The server ends, and its folder with it, when this process does: then its input does.
    _process: Child,
}

impl PostgresServer {
    fn start() -> Self {
        // Unix sockets need a short path.
        let folder = std::env::temp_dir().join(format!("site-postgres-{}", std::process::id()));
        let mut process = Command::new("sh")
            .arg(root().join("site/tests/postgres.sh"))
            .arg(&folder)
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
        Self { folder, _process: process }
    }

    fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?user=postgres&host={}", self.folder.display())
    }
}
