//! Connects to the database and brings its tables up to date.

use std::{
    fs::{File, Permissions},
    io,
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::ensure;
use percent_encoding::percent_decode_str;
use sqlx::{
    AnyPool, Executor,
    any::{AnyPoolOptions, install_default_drivers},
};

use crate::private;

/// How long to wait for a connection.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the tables may take to be brought up to date, however many messages there are.
pub(super) const PREPARATION: Duration = Duration::from_mins(10);

/// What to do where no site has made a table of messages.
const NO_MESSAGES: &str =
    "there are no messages: start the site once, or name its STATE_DIR or DATABASE_URL";

/// What the two databases say differently.
#[derive(Debug)]
pub(super) struct Dialect {
    /// Runs on each new connection: a commit has reached the disk before it is reported, and nobody
    /// is told that the migrations' table is there already.
    settings: &'static str,
    /// How many connections there may be.
    connections: u32,
    /// When the statement began, by the database's clock, in milliseconds since 1970.
    pub(super) now: &'static str,
    /// Counts the tables of messages: one, or none before a site has made it.
    tables: &'static str,
    /// Passes over rows that another session is changing instead of waiting for them.
    pub(super) skip_locked: &'static str,
}

impl Dialect {
    /// The dialect of the database at this address.
    pub(super) fn of(database_url: &str) -> &'static Self {
        if sqlite_file(database_url).is_some() { &SQLITE } else { &POSTGRESQL }
    }
}

/// SQLite, "PRAGMA synchronous" and "Date And Time Functions". It has one writer at a time. With a
/// rollback journal all that was committed is in the one file at all times, and SQLite itself
/// refuses to write into a file that was moved away. What is deleted is overwritten. One connection:
/// there is one file that it has open, and no other.
static SQLITE: Dialect = Dialect {
    settings: "PRAGMA busy_timeout = 4000; PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA; \
               PRAGMA secure_delete = ON",
    connections: 1,
    now: "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)",
    tables: "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = 'messages'",
    skip_locked: "",
};

/// PostgreSQL, "Asynchronous Commit", which a server may be set up for, and "Date/Time Functions".
static POSTGRESQL: Dialect = Dialect {
    settings: "SET client_min_messages = warning; \
               SELECT set_config('synchronous_commit', 'on', false) \
               WHERE current_setting('synchronous_commit') = 'off'",
    connections: 5,
    now: "CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT)",
    tables: "SELECT COUNT(to_regclass('messages'))",
    skip_locked: "FOR UPDATE SKIP LOCKED",
};

/// Connections that are made when they are needed; refuses an address that names no database.
pub fn pool(database_url: &str) -> sqlx::Result<AnyPool> {
    install_default_drivers();
    let Dialect { settings, connections, .. } = Dialect::of(database_url);
    AnyPoolOptions::new()
        .max_connections(*connections)
        .acquire_timeout(PATIENCE)
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(move |connection, _| {
            Box::pin(async move { connection.execute(*settings).await.map(drop) })
        })
        .connect_lazy(database_url)
}

/// Makes the file of the database if need be, which nobody else may read, and runs the migrations.
/// Returns the file that was there before: one that takes its place meanwhile is another one.
pub(super) async fn prepare(pool: &AnyPool, database_url: &str) -> sqlx::Result<FileId> {
    if let Some(file) = sqlite_file(database_url).filter(|_| database_url.contains("mode=rwc")) {
        make_private(&file)?;
    }
    let file = FileId::at(database_url);
    let mut migrations = sqlx::migrate!();
    // Those of a later release, whose upgrade was taken back: migrations only add.
    migrations.set_ignore_missing(true);
    migrations.run(pool).await?;
    Ok(file)
}

/// Fails where there is no table of messages, without making one.
pub(super) async fn exists(pool: &AnyPool, database_url: &str) -> anyhow::Result<()> {
    if let Some(file) = sqlite_file(database_url) {
        ensure!(file.try_exists()?, "{NO_MESSAGES}: there is no file {}", file.display());
    }
    let tables: i64 = sqlx::query_scalar(Dialect::of(database_url).tables).fetch_one(pool).await?;
    ensure!(tables > 0, NO_MESSAGES);
    Ok(())
}

fn make_private(file: &Path) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        private::make_folder(folder)?;
    }
    let file = File::options().append(true).create(true).mode(0o600).open(file)?;
    // One from an earlier version may be open to everybody.
    file.set_permissions(Permissions::from_mode(0o600))
}

/// Tells a file from any other that takes its place; nothing where the database is no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileId(Option<(u64, u64)>);

impl FileId {
    /// The file that is at the database's path now.
    pub(super) fn at(database_url: &str) -> Self {
        let metadata = sqlite_file(database_url).and_then(|file| file.metadata().ok());
        Self(metadata.map(|metadata| (metadata.dev(), metadata.ino())))
    }
}

/// The database's file, where it is one.
pub(super) fn sqlite_file(database_url: &str) -> Option<PathBuf> {
    let path = database_url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    // As the driver reads it.
    Some(percent_decode_str(path).decode_utf8_lossy().into_owned().into())
}
