//! Connects to the database and brings its table up to date.

use std::{path::Path, time::Duration};

use sqlx::{
    AnyPool, Executor,
    any::{AnyPoolOptions, install_default_drivers},
};

/// How long to wait for a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the two databases say differently.
#[derive(Debug)]
pub(super) struct Dialect {
    /// Runs on each new connection: a commit has reached the disk before it is reported.
    settings: &'static str,
    /// When the statement began, by the database's clock, in milliseconds since 1970.
    pub(super) now: &'static str,
    /// Passes over rows that another session is changing instead of waiting for them.
    pub(super) skip_locked: &'static str,
}

impl Dialect {
    /// The dialect of the database at this address.
    pub(super) fn of(database_url: &str) -> &'static Self {
        if sqlite_file(database_url).is_some() { &SQLITE } else { &POSTGRESQL }
    }
}

/// SQLite, "PRAGMA synchronous" and "Date And Time Functions". It has one writer at a time.
static SQLITE: Dialect = Dialect {
    settings: "PRAGMA busy_timeout = 4000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL",
    now: "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)",
    skip_locked: "",
};

/// PostgreSQL, "Asynchronous Commit", which a server may be set up for, and "Date/Time Functions".
static POSTGRESQL: Dialect = Dialect {
    settings: "SELECT set_config('synchronous_commit', 'on', false) \
               WHERE current_setting('synchronous_commit') = 'off'",
    now: "CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT)",
    skip_locked: "FOR UPDATE SKIP LOCKED",
};

/// Connections that are made when they are needed; refuses an address that names no database.
pub fn pool(database_url: &str) -> sqlx::Result<AnyPool> {
    install_default_drivers();
    let settings = Dialect::of(database_url).settings;
    AnyPoolOptions::new()
        .max_connections(5)
        .acquire_timeout(PATIENCE)
        .after_connect(move |connection, _| {
            Box::pin(async move { connection.execute(settings).await.map(drop) })
        })
        .connect_lazy(database_url)
}

/// Makes the folder of the database file if need be, and runs the migrations.
pub(super) async fn prepare(pool: &AnyPool, database_url: &str) -> sqlx::Result<()> {
    if let Some(folder) = sqlite_file(database_url).and_then(Path::parent) {
        std::fs::create_dir_all(folder)?;
    }
    Ok(sqlx::migrate!().run(pool).await?)
}

/// Fails where there is no table of messages, without making one.
pub(super) async fn exists(pool: &AnyPool, database_url: &str) -> anyhow::Result<()> {
    if let Some(file) = sqlite_file(database_url) {
        anyhow::ensure!(file.is_file(), "there is no file {}", file.display());
    }
    pool.execute("SELECT submission_id FROM messages LIMIT 1").await?;
    Ok(())
}

fn sqlite_file(database_url: &str) -> Option<&Path> {
    let path = database_url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    Some(Path::new(path.split_once('?').map_or(path, |(path, _)| path)))
}
