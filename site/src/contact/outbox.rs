//! Where messages are kept: SQLite by default, PostgreSQL when several machines share one outbox.

use std::{path::Path, time::Duration};

use anyhow::Context;
use sqlx::{
    AnyPool, Executor,
    any::{AnyPoolOptions, install_default_drivers},
};

use super::message::ContactMessage;

/// How long a visitor waits for the database before the error banner shows.
const PATIENCE: Duration = Duration::from_secs(5);

/// What became of a message that was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It is new.
    New,
    /// The same submission had been stored before.
    Repeated,
}

/// The table of messages.
#[derive(Clone, Debug)]
pub struct Outbox {
    pool: AnyPool,
}

impl Outbox {
    /// Opens the database and brings its tables up to date.
    pub async fn open(database_url: &str) -> anyhow::Result<Self> {
        install_default_drivers();
        if let Some(file) = sqlite_file(database_url).and_then(Path::parent) {
            std::fs::create_dir_all(file)
                .with_context(|| format!("the folder {} can't be made", file.display()))?;
        }
        let sqlite = database_url.starts_with("sqlite:");
        let pool = AnyPoolOptions::new()
            .max_connections(5)
            .acquire_timeout(PATIENCE)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if sqlite {
                        // FULL: a commit has reached the disk before it is reported (SQLite, "PRAGMA synchronous").
                        connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 4000").await?;
                    }
                    Ok(())
                })
            })
            .connect(database_url)
            .await
            .context("the contact database can't be opened (DATABASE_URL, STATE_DIR)")?;
        sqlx::migrate!()
            .run(&pool)
            .await
            .context("the contact database can't be brought up to date")?;
        Ok(Self { pool })
    }

    /// Stores a message; it is on the disk when this returns.
    pub async fn store(&self, message: &ContactMessage) -> sqlx::Result<Stored> {
        let insert = "INSERT INTO messages (submission_id, received_at, name, email, company, message) \
                      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (submission_id) DO NOTHING";
        let result = sqlx::query(insert)
            .bind(message.submission_id())
            .bind(jiff::Timestamp::now().as_millisecond())
            .bind(message.name())
            .bind(message.email())
            .bind(message.company())
            .bind(message.message())
            .execute(&self.pool)
            .await?;
        Ok(if result.rows_affected() == 0 { Stored::Repeated } else { Stored::New })
    }

    /// How many messages are stored.
    pub async fn count(&self) -> sqlx::Result<usize> {
        let count: i64 =
            sqlx::query_scalar("SELECT count(*) FROM messages").fetch_one(&self.pool).await?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// Closes all connections; what is stored afterwards fails.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

fn sqlite_file(database_url: &str) -> Option<&Path> {
    let path = database_url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    Some(Path::new(path.split('?').next().unwrap_or(path)))
}
