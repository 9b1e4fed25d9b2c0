//! Connects to the database and brings its table up to date.

use std::{path::Path, time::Duration};

use sqlx::{
    AnyPool, Executor,
    any::{AnyPoolOptions, install_default_drivers},
};

/// How long a visitor waits for the database before the error banner shows.
const PATIENCE: Duration = Duration::from_secs(5);

/// FULL: a commit has reached the disk before it is reported (SQLite, "PRAGMA synchronous").
const SQLITE: &str =
    "PRAGMA busy_timeout = 4000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL";

/// The same for a server that is set up to report commits early (PostgreSQL, "Asynchronous Commit").
const POSTGRESQL: &str = "SELECT set_config('synchronous_commit', 'on', false) \
                          WHERE current_setting('synchronous_commit') = 'off'";

/// Connections that are made when they are needed; refuses an address that names no database.
pub fn pool(database_url: &str) -> sqlx::Result<AnyPool> {
    install_default_drivers();
    let settings = if sqlite_file(database_url).is_some() { SQLITE } else { POSTGRESQL };
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

fn sqlite_file(database_url: &str) -> Option<&Path> {
    let path = database_url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    Some(Path::new(path.split('?').next().unwrap_or(path)))
}
