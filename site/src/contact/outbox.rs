//! Where messages are kept: SQLite by default, PostgreSQL when several machines share one outbox.
//!
//! All times are the database's: machines whose clocks differ agree on when a lease ends.

mod leases;
mod message;
mod schema;
mod upkeep;

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use sqlx::{Any, AnyPool, AssertSqlSafe, any::AnyArguments, query::Query};
use tokio::{
    sync::{OwnedRwLockWriteGuard, RwLock},
    time::timeout,
};

use crate::form::ContactField;

use super::message::ContactMessage;

pub use leases::{ATTEMPTS, LEASE, LONGEST_PAUSE};
pub use message::{KeptMessage, State};
pub use schema::pool;
use schema::{Dialect, FileId};
pub use upkeep::Census;

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
    database_url: Arc<str>,
    dialect: &'static Dialect,
    database: Arc<RwLock<Database>>,
}

/// The connections to the database.
#[derive(Debug)]
struct Database {
    pool: AnyPool,
    /// The file that they have open; nothing before they were made.
    opened: Option<FileId>,
}

impl Outbox {
    /// An outbox whose database is opened when it is first needed, so that a site can serve its
    /// pages before; refuses an address that names no database.
    pub fn new(database_url: &str) -> anyhow::Result<Self> {
        let pool = pool(database_url).context("DATABASE_URL names no database")?;
        Ok(Self {
            database_url: database_url.into(),
            dialect: Dialect::of(database_url),
            database: Arc::new(RwLock::new(Database { pool, opened: None })),
        })
    }

    /// Opens the database and brings its tables up to date, which every method does if need be;
    /// anew, where its file is gone or another one has taken its place.
    pub async fn open(&self) -> sqlx::Result<AnyPool> {
        Ok(self.opened().await?.0)
    }

    /// The open database, and which file it is.
    async fn opened(&self) -> sqlx::Result<(AnyPool, FileId)> {
        let there = FileId::at(&self.database_url);
        {
            let database = self.database.read().await;
            if database.opened == Some(there) {
                return Ok((database.pool.clone(), there));
            }
        }
        let database = Arc::clone(&self.database).write_owned().await;
        // A caller may give up; half-made preparations would leave PostgreSQL's lock behind, for
        // which other machines wait.
        let opening = tokio::spawn(opened_anew(database, Arc::clone(&self.database_url)));
        opening.await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
    }

    /// Opens a database that a site has made before; makes none.
    pub async fn open_existing(&self) -> anyhow::Result<()> {
        let pool = self.database.read().await.pool.clone();
        schema::exists(&pool, &self.database_url).await?;
        self.open().await?;
        Ok(())
    }

    /// Stores a message. When this returns it is on the disk, in the file that is at the database's
    /// path. `host` ends its Message-ID.
    pub async fn store(
        &self,
        message: &ContactMessage,
        suspicion: Option<&str>,
        host: &str,
    ) -> sqlx::Result<Stored> {
        loop {
            let (pool, file) = self.opened().await?;
            let stored = self.insert(&pool, message, suspicion, host).await;
            if file == FileId::at(&self.database_url) {
                return stored;
            }
            // It was taken away meanwhile: into the file that is there now.
        }
    }

    async fn insert(
        &self,
        pool: &AnyPool,
        message: &ContactMessage,
        suspicion: Option<&str>,
        host: &str,
    ) -> sqlx::Result<Stored> {
        let now = self.dialect.now;
        let columns = ContactField::names();
        let values = (4..).zip(columns).map(|(number, _)| format!("${number}"));
        let (columns, values) = (columns.join(", "), values.collect::<Vec<_>>().join(", "));
        let mut insert = query(format!(
            "INSERT INTO messages (submission_id, message_id, suspicion, {columns}, received_at, \
             state, attempts, next_attempt_at, last_error, sent_at, acknowledged_at) \
             VALUES ($1, $2, $3, {values}, {now}, 'pending', 0, {now}, '', 0, 0) \
             ON CONFLICT (submission_id) DO NOTHING"
        ))
        .bind(message.submission_id().to_string())
        .bind(format!("<{}@{host}>", uuid::Uuid::new_v4()))
        .bind(suspicion.unwrap_or_default().to_owned());
        for (_, value) in message.fields().iter() {
            insert = insert.bind(value.clone());
        }
        let stored = insert.execute(pool).await?;
        Ok(if stored.rows_affected() == 0 { Stored::Repeated } else { Stored::New })
    }

    /// Closes all connections; what is stored afterwards fails.
    pub async fn close(&self) {
        self.database.read().await.pool.close().await;
    }
}

/// Opens what is at the address now, or finds that somebody else just has.
async fn opened_anew(
    mut database: OwnedRwLockWriteGuard<Database>,
    database_url: Arc<str>,
) -> sqlx::Result<(AnyPool, FileId)> {
    let database_url = &*database_url;
    if database.opened.is_some_and(|opened| opened != FileId::at(database_url)) {
        tracing::error!(
            "the file of the contact database is gone, or another one is in its place: opening \
             what is there"
        );
        let pool = std::mem::replace(&mut database.pool, pool(database_url)?);
        database.opened = None;
        pool.close().await;
    }
    if let Some(opened) = database.opened {
        return Ok((database.pool.clone(), opened));
    }
    let prepared = schema::prepare(&database.pool, database_url);
    let prepared = timeout(schema::PREPARATION, prepared).await;
    match prepared.unwrap_or(Err(sqlx::Error::PoolTimedOut)) {
        Ok(file) => {
            database.opened = Some(file);
            Ok((database.pool.clone(), file))
        }
        Err(error) => {
            // With its connections go a file that an operator may replace, and PostgreSQL's
            // lock, for which other machines wait.
            let old = std::mem::replace(&mut database.pool, pool(database_url)?);
            tokio::spawn(async move { old.close().await });
            Err(error)
        }
    }
}

/// A statement that was put together from our own words only; values are bound to it.
fn query(statement: String) -> Query<'static, Any, AnyArguments> {
    sqlx::query(AssertSqlSafe(statement))
}

fn milliseconds(duration: Duration) -> sqlx::Result<i64> {
    i64::try_from(duration.as_millis()).map_err(|error| sqlx::Error::Encode(error.into()))
}
