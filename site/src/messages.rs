//! `site messages`: what people wrote, for whoever answers them.

mod export;

use std::{
    fs, future,
    io::{self, BufRead, Write},
    path::{Path, PathBuf},
    pin::pin,
};

use anyhow::{Context, bail};
use clap::{Args, Subcommand, builder::NonEmptyStringValueParser};
use futures_util::{Stream, TryStreamExt};
use jiff::{civil::Date, tz::TimeZone};
use strum::VariantArray;
use tokio::signal::unix::{SignalKind, signal};

use crate::{
    contact::outbox::{KeptMessage, Outbox, State},
    private::{self, Unfinished},
};

pub use export::Format;

/// How many digits of an id the list shows: enough to tell tens of thousands of messages apart.
const SHORT_ID: usize = 8;

/// How many messages the list shows unless told otherwise.
const LISTED: u64 = 20;

/// What to do with the messages.
#[derive(Subcommand)]
pub enum Command {
    /// List messages, the newest first (the default)
    List {
        /// Which of them
        #[command(flatten)]
        filter: Filter,
        /// How many to list
        #[arg(long, default_value_t = LISTED)]
        limit: u64,
        /// Which page of so many, counted from 1
        #[arg(long, default_value_t = 1)]
        page: u64,
    },
    /// Show one message
    Show {
        /// The id, or as much of its beginning as no other has
        #[arg(value_parser = NonEmptyStringValueParser::new())]
        id: String,
    },
    /// Write messages to standard output
    Export {
        /// The format
        #[arg(long, value_enum, default_value_t = Format::Json)]
        format: Format,
        /// Which of them
        #[command(flatten)]
        filter: Filter,
    },
    /// Note that a message was answered: it is mailed to nobody any more
    Answered {
        /// The id, or its beginning
        #[arg(value_parser = NonEmptyStringValueParser::new())]
        id: String,
        /// Note that it was not: what was not mailed is mailed after all
        #[arg(long)]
        undo: bool,
    },
    /// Take the suspicion from a message: its sender gets the confirmation after all, unless it is more
    /// than a week old or answered, and the team one that was dead
    Release {
        /// The id, or its beginning
        #[arg(value_parser = NonEmptyStringValueParser::new())]
        id: String,
    },
    /// Send a dead message again
    Retry {
        /// The id, or its beginning
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        #[arg(value_parser = NonEmptyStringValueParser::new())]
        id: Option<String>,
        /// Send every dead message again
        #[arg(long)]
        all: bool,
    },
    /// Copy all messages into a file, also while the site runs
    Backup {
        /// The file; it must not exist yet
        file: PathBuf,
    },
    /// Delete a message for good
    Delete {
        /// The id, or its beginning
        #[arg(value_parser = NonEmptyStringValueParser::new())]
        id: String,
        /// Don't ask
        #[arg(long)]
        yes: bool,
    },
}

impl Default for Command {
    fn default() -> Self {
        Self::List { filter: Filter::default(), limit: LISTED, page: 1 }
    }
}

/// Which messages to look at; without any option, all.
#[derive(Args, Clone, Default)]
pub struct Filter {
    /// Only those in this state
    #[arg(long, value_enum)]
    pub state: Option<State>,
    /// Only those that a machine may have written
    #[arg(long, conflicts_with = "unsuspected")]
    pub suspected: bool,
    /// Only the others
    #[arg(long)]
    pub unsuspected: bool,
    /// Only those that nobody has marked as answered
    #[arg(long)]
    pub unanswered: bool,
    /// Only those that arrived on this day (YYYY-MM-DD) or later
    #[arg(long, value_parser = day)]
    pub since: Option<Date>,
    /// Only those with this text in any field
    #[arg(long)]
    pub text: Option<String>,
}

/// A day as it is written in the copy, too.
fn day(text: &str) -> Result<Date, &'static str> {
    text.parse().map_err(|_| "expected a day such as 2026-05-01")
}

impl Filter {
    fn takes(&self, message: &KeptMessage, zone: &TimeZone) -> bool {
        let suspected = !message.suspicion.is_empty();
        let day = message.received_at.to_zoned(zone.clone()).date();
        let text = self.text.as_ref().map(|text| text.to_lowercase());
        let has = |text: &String| {
            message.fields.iter().any(|(_, value)| value.to_lowercase().contains(text.as_str()))
        };
        self.state.is_none_or(|state| state == message.state)
            && (suspected || !self.suspected)
            && (!suspected || !self.unsuspected)
            && (!message.answered || !self.unanswered)
            && self.since.is_none_or(|since| day >= since)
            && text.as_ref().is_none_or(has)
    }
}

/// Carries a command out and writes its answer; questions are put to standard error. Times are told in
/// this zone.
pub async fn run(
    command: Command,
    outbox: &Outbox,
    zone: &TimeZone,
    reader: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    match command {
        Command::List { filter, limit, page } => {
            list(chosen(outbox, filter, zone), limit.max(1), page.max(1), zone, out).await?;
        }
        Command::Show { id } => show(&find(outbox, &id).await?, zone, out)?,
        Command::Export { format, filter } => {
            export::write(chosen(outbox, filter, zone), format, out).await?;
        }
        Command::Answered { id, undo } => {
            outbox.answered(&find(outbox, &id).await?.submission_id, !undo).await?;
            writeln!(
                out,
                "{}",
                if undo { "Marked as not answered." } else { "Marked as answered." }
            )?;
        }
        Command::Release { id } => {
            if !outbox.release(&find(outbox, &id).await?.submission_id).await? {
                bail!("only a suspected message can be released, and {id} is not suspected");
            }
            writeln!(
                out,
                "Released: where mail is set up, its sender gets the confirmation, unless it is more than a \
                 week old or answered, and the team one that was dead."
            )?;
        }
        Command::Retry { id: Some(id), .. } => {
            if !outbox.retry(&find(outbox, &id).await?.submission_id).await? {
                bail!("only a dead message can be sent again, and {id} is not dead");
            }
            writeln!(out, "It will be sent again.")?;
        }
        Command::Retry { id: None, .. } => {
            writeln!(out, "{} will be sent again.", counted(outbox.retry_all().await?))?;
        }
        Command::Backup { file } => back_up(outbox, &file, out).await?,
        Command::Delete { id, yes } => {
            let message = find(outbox, &id).await?;
            if !yes && !confirmed(&message, zone, reader)? {
                bail!("nothing was deleted: answer y, or say --yes");
            }
            outbox.delete(&message.submission_id).await?;
            writeln!(out, "Deleted.")?;
        }
    }
    Ok(())
}

fn chosen(
    outbox: &Outbox,
    filter: Filter,
    zone: &TimeZone,
) -> impl Stream<Item = sqlx::Result<KeptMessage>> {
    outbox.all().try_filter(move |message| future::ready(filter.takes(message, zone)))
}

/// Writes a file that nobody else may read.
async fn back_up(outbox: &Outbox, file: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    if !outbox.is_file() {
        bail!("DATABASE_URL names a PostgreSQL database: back it up with pg_dump");
    }
    if file.try_exists()? {
        bail!("{} exists already: name a new file", file.display());
    }
    // A folder, because the copy has a journal while it is made.
    let unfinished = Unfinished::beside(file);
    let written = async move {
        // Ended by the signal, the process would leave a copy of what people wrote.
        let mut interrupt = signal(SignalKind::interrupt())?;
        fs::create_dir(unfinished.path())?;
        let copy = unfinished.path().join("copy.db");
        let made = private::make_file(&copy)?;
        let name = copy.to_str().context("the file's name is not valid UTF-8")?;
        tokio::select! {
            copied = outbox.back_up(name) => copied?,
            _ = interrupt.recv() => bail!("it was interrupted"),
        }
        made.sync_all()?;
        Ok::<_, anyhow::Error>(fs::rename(copy, file)?)
    };
    written.await.with_context(|| format!("{} can't be written", file.display()))?;
    Ok(writeln!(out, "All messages are in {}.", file.display())?)
}

/// The one message whose id begins so.
async fn find(outbox: &Outbox, id: &str) -> anyhow::Result<KeptMessage> {
    let mut found = outbox.find(&id.to_lowercase()).await?;
    if found.len() > 1 {
        bail!("{} messages begin with {id}: give more of the id", found.len());
    }
    found.pop().with_context(|| format!("there is no message {id}: see `site messages`"))
}

fn confirmed(
    message: &KeptMessage,
    zone: &TimeZone,
    reader: &mut impl BufRead,
) -> anyhow::Result<bool> {
    let question = format!(
        "Delete the message of {} <{}> from {} for good? [y/N] ",
        message.name(),
        message.email(),
        time(message, zone)
    );
    io::stderr().write_all(question.as_bytes())?;
    let mut answer = String::new();
    reader.read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

async fn list(
    messages: impl Stream<Item = sqlx::Result<KeptMessage>>,
    limit: u64,
    page: u64,
    zone: &TimeZone,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut messages = pin!(messages);
    let shown = limit.saturating_mul(page - 1)..limit.saturating_mul(page);
    let (mut all, mut suspected, mut answered, mut states) = (0, 0, 0, [0; State::VARIANTS.len()]);
    while let Some(message) = messages.try_next().await? {
        let marks =
            [(!message.suspicion.is_empty(), " suspected"), (message.answered, " answered")];
        if shown.contains(&all) {
            let marks: String = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
            writeln!(
                out,
                "{}  {}  {}{marks}  {} <{}>",
                message.submission_id.get(..SHORT_ID).unwrap_or(&message.submission_id),
                time(&message, zone),
                message.state.as_str(),
                message.name(),
                message.email(),
            )?;
        }
        all += 1;
        suspected += u64::from(marks[0].0);
        answered += u64::from(marks[1].0);
        for (count, state) in states.iter_mut().zip(State::VARIANTS) {
            *count += u64::from(*state == message.state);
        }
    }
    if all == 0 {
        return Ok(writeln!(out, "No messages.")?);
    }
    let states: Vec<_> = std::iter::zip(states, State::VARIANTS)
        .map(|(count, state)| format!("{count} {}", state.as_str()))
        .collect();
    writeln!(
        out,
        "{}: {}; {suspected} suspected, {answered} answered.",
        counted(all),
        states.join(", ")
    )?;
    let pages = all.div_ceil(limit);
    if pages > 1 {
        writeln!(out, "Page {page} of {pages}: --page {}", page % pages + 1)?;
    }
    Ok(())
}

fn show(message: &KeptMessage, zone: &TimeZone, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Id: {}", message.submission_id)?;
    writeln!(out, "Received: {}", time(message, zone))?;
    for (field, value) in message.lines() {
        writeln!(out, "{field:?}: {value}")?;
    }
    writeln!(out, "State: {}", message.state.as_str())?;
    writeln!(out, "Attempts: {}", message.attempts)?;
    writeln!(out, "Answered: {}", if message.answered { "yes" } else { "no" })?;
    for (name, value) in [("Last error", &message.last_error), ("Suspected", &message.suspicion)] {
        if !value.is_empty() {
            writeln!(out, "{name}: {value}")?;
        }
    }
    writeln!(out, "Message-ID: {}", message.message_id)?;
    writeln!(out, "\n{}", message.text())
}

/// When a message arrived, with the name of the zone.
fn time(message: &KeptMessage, zone: &TimeZone) -> String {
    message.received_at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M %Z").to_string()
}

fn counted(messages: u64) -> String {
    if messages == 1 { "1 message".to_owned() } else { format!("{messages} messages") }
}
