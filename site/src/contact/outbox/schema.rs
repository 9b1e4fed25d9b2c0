//! Opens the database and brings its table up to date.

use std::{path::Path, time::Duration};

use anyhow::Context;
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

/// Connects, makes the database file if need be, and runs the migrations.
pub async fn open_pool(database_url: &str) -> anyhow::Result<AnyPool> {
    install_default_drivers();
    let file = sqlite_file(database_url);
    if let Some(folder) = file.and_then(Path::parent) {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} can't be made", folder.display()))?;
    }
    let settings = if file.is_some() { SQLITE } else { POSTGRESQL };
    let pool = AnyPoolOptions::new()
        .max_connections(5)
        .acquire_timeout(PATIENCE)
        .after_connect(move |connection, _| {
            Box::pin(async move { connection.execute(settings).await.map(drop) })
        })
        .connect(database_url)
        .await
        .context("the contact database can't be opened (DATABASE_URL, STATE_DIR)")?;
    sqlx::migrate!()
        .run(&pool)
        .await
        .context("the contact database can't be brought up to date")?;
    Ok(pool)
}

fn sqlite_file(database_url: &str) -> Option<&Path> {
    let path = database_url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    Some(Path::new(path.split('?').next().unwrap_or(path)))
}
