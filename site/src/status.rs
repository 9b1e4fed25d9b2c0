//! `site status`: what is being served, since when, what was refused, and what waits in the outbox.
//!
//! A running site notes what it serves in its state folder; whoever asks reads the note, and asks
//! nothing of the site but whether it listens.

use std::{
    fs,
    io::{self, Write},
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};
use tokio::{
    net::TcpStream,
    task::spawn_blocking,
    time::{sleep, timeout},
};

use crate::{
    config::Config,
    contact::outbox::{Census, Outbox},
    private::{self, Unfinished},
    publisher::Publisher,
};

/// How long a site may take to accept a connection.
const PATIENCE: Duration = Duration::from_secs(2);
/// When a note is written again that could not be written.
const AGAIN: Duration = Duration::from_secs(5);

/// What a site notes of itself.
#[derive(Serialize, Deserialize)]
struct Note {
    address: SocketAddr,
    /// Where the copy is read from.
    copy: String,
    /// The number of the edition, counted from the start of the site; 0 before there are pages.
    edition: u64,
    /// It is the last one of an earlier process; a site of an earlier version does not say.
    #[serde(default)]
    restored: bool,
    /// When it was published, or the site was started.
    since: Timestamp,
    /// Why there is no newer one; empty where nothing was refused.
    refusal: String,
    /// Since when there is none.
    refused: Timestamp,
}

/// Notes what is being served, and what was refused, whenever that changes. Never returns.
pub async fn keep(publisher: Arc<Publisher>, address: SocketAddr, state_dir: PathBuf) {
    let (mut editions, mut refusals) = (publisher.editions(), publisher.refusal());
    let mut note = Note {
        address,
        copy: publisher.copy_name(),
        edition: 0,
        restored: false,
        since: now(),
        refusal: String::new(),
        refused: now(),
    };
    let mut unnoted = false;
    loop {
        let edition = *editions.borrow_and_update();
        let refusal = refusals.borrow_and_update().clone();
        if edition != note.edition {
            (note.edition, note.since) = (edition, now());
            note.restored = publisher.standing().restored;
        }
        if note.refusal.is_empty() {
            note.refused = now();
        }
        note.refusal = refusal;
        let noted = write(state_dir.clone(), &note).await;
        let again = noted.is_err();
        match (noted, std::mem::replace(&mut unnoted, again)) {
            (Err(error), false) => {
                tracing::warn!(%error, "what is being served can't be noted: `site status` does not know");
            }
            (Ok(()), true) => tracing::info!("what is being served is noted after all"),
            (Ok(()), false) | (Err(_), true) => {}
        }
        tokio::select! {
            Ok(()) = editions.changed() => {}
            Ok(()) = refusals.changed() => {}
            () = sleep(AGAIN), if again => {}
            else => return,
        }
    }
}

/// What a site with this configuration is doing, in lines.
pub async fn told(config: &Config, zone: &TimeZone) -> anyhow::Result<String> {
    let mut lines = served(&config.state_dir, zone).await?;
    let outbox = Outbox::new(&config.database())?;
    lines.push(match outbox.open_existing().await {
        Ok(()) => waiting(&config.database_name(), &outbox).await?,
        Err(error) => format!("Messages in {}: {error:#}.", config.database_name()),
    });
    Ok(lines.join("\n") + "\n")
}

async fn served(state_dir: &Path, zone: &TimeZone) -> anyhow::Result<Vec<String>> {
    let file = file(state_dir);
    let text = match fs::read(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(vec![format!("No site has been started with {} yet.", state_dir.display())]);
        }
        Err(error) => return Err(error).context(file.display().to_string()),
    };
    let note: Note = serde_json::from_slice(&text).with_context(|| file.display().to_string())?;
    let time = |at: Timestamp| at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M %Z").to_string();
    let Note { address, copy, edition, restored, since, refusal, refused } = note;
    let since = time(since);
    let what = if restored {
        "the last good pages of an earlier start".to_owned()
    } else {
        format!("edition {edition} of {copy}")
    };
    let listens = timeout(PATIENCE, TcpStream::connect(address)).await.is_ok_and(|it| it.is_ok());
    let mut lines = vec![match (listens, edition) {
        (false, _) => format!("Nothing is being served: no site listens at {address} any more."),
        (true, 0) => format!("No pages yet at http://{address}/, started {since}: see the log."),
        (true, _) => format!("http://{address}/ serves {what} since {since}."),
    }];
    if !refusal.is_empty() {
        lines.push(format!("No newer edition since {}:\n{refusal}", time(refused)));
    }
    Ok(lines)
}

async fn waiting(database: &str, outbox: &Outbox) -> sqlx::Result<String> {
    let Census { pending, suspected, delivered, dead, postponed, .. } = outbox.census().await?;
    let waiting = pending + suspected;
    let mut lines = vec![format!(
        "Messages in {database}: {waiting} pending, {delivered} delivered, {dead} dead."
    )];
    if let Some(error) = outbox.last_refusal().await? {
        lines.push(format!("{postponed} of them could not be mailed yet: {error}"));
    }
    if dead > 0 {
        let see = "see `site messages list --state dead`, then retry them";
        lines.push(format!("Dead ones are tried no more: {see}."));
    }
    Ok(lines.join("\n"))
}

fn file(state_dir: &Path) -> PathBuf {
    state_dir.join("status.json")
}

/// Several sites may have the folder: each writes a whole note.
async fn write(state_dir: PathBuf, note: &Note) -> anyhow::Result<()> {
    let note = serde_json::to_vec(note)?;
    let written = spawn_blocking(move || {
        private::make_folder(&state_dir)?;
        let unfinished = Unfinished::beside(&file(&state_dir));
        private::make_file(unfinished.path())?.write_all(&note)?;
        unfinished.finish()
    });
    Ok(written.await??)
}

#[expect(clippy::disallowed_methods, reason = "people read it; no machine waits for it")]
fn now() -> Timestamp {
    Timestamp::now()
}
