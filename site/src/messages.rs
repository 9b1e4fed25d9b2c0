//! `site messages`: what people wrote, for whoever answers them.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context, bail};
use clap::{Subcommand, ValueEnum};
use lettre::{
    Address,
    message::{
        Mailbox, Mailboxes, SinglePart,
        header::{self, ContentType, Date, MIME_VERSION_1_0, MessageId, Subject},
    },
};

use crate::{
    contact::outbox::{KeptMessage, Outbox},
    form::FIELDS,
};

/// What to do with the messages.
#[derive(Subcommand)]
pub enum Command {
    /// List all messages, the newest first (the default)
    List,
    /// Show one message
    Show {
        /// The id, as the list shows it
        id: String,
    },
    /// Write all messages to standard output
    Export {
        /// The format
        #[arg(long, value_enum, default_value_t = Format::Json)]
        format: Format,
    },
    /// Send a dead message again
    Retry {
        /// The id, as the list shows it
        id: String,
    },
    /// Copy all messages into a file, also while the site runs
    Backup {
        /// The file; it must not exist yet
        file: PathBuf,
    },
    /// Delete a message for good
    Delete {
        /// The id, as the list shows it
        id: String,
    },
}

/// A format of the export.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// A list of objects
    Json,
    /// For a spreadsheet
    Csv,
    /// For a mail program (RFC 4155)
    Mbox,
}

/// Carries a command out and writes its answer.
pub async fn run(command: Command, outbox: &Outbox, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::List => list(&outbox.all().await?, out)?,
        Command::Show { id } => show(&find(outbox, &id).await?, out)?,
        Command::Export { format } => export(&outbox.all().await?, format, out)?,
        Command::Retry { id } => {
            if !outbox.retry(&find(outbox, &id).await?.submission_id).await? {
                bail!("only a dead message can be sent again, and {id} is not dead");
            }
            writeln!(out, "It will be sent again.")?;
        }
        Command::Backup { file } => back_up(outbox, &file, out).await?,
        Command::Delete { id } => {
            outbox.delete(&find(outbox, &id).await?.submission_id).await?;
            writeln!(out, "Deleted.")?;
        }
    }
    Ok(())
}

/// Writes beside and renames: whoever finds the file finds all of it. Nobody else may read it.
async fn back_up(outbox: &Outbox, file: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    if !outbox.is_file() {
        bail!("DATABASE_URL names a PostgreSQL database: back it up with pg_dump");
    }
    if file.try_exists()? {
        bail!("{} exists already: name a new file", file.display());
    }
    let mut unfinished = file.as_os_str().to_owned();
    unfinished.push(".new");
    let unfinished = PathBuf::from(unfinished);
    let written = async {
        let mut empty = File::options();
        let made = empty.write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
        let name = unfinished.to_str().context("the file's name is not valid UTF-8")?;
        outbox.back_up(name).await?;
        made.sync_all()?;
        Ok::<_, anyhow::Error>(fs::rename(&unfinished, file)?)
    };
    written.await.with_context(|| format!("{} can't be written", file.display()))?;
    Ok(writeln!(out, "All messages are in {}.", file.display())?)
}

async fn find(outbox: &Outbox, id: &str) -> anyhow::Result<KeptMessage> {
    outbox.find(id).await?.with_context(|| format!("there is no message {id}: see `site messages`"))
}

fn list(messages: &[KeptMessage], out: &mut impl Write) -> io::Result<()> {
    if messages.is_empty() {
        return writeln!(out, "No messages.");
    }
    for message in messages {
        let mark = if message.suspicion.is_empty() { "" } else { " suspected" };
        writeln!(
            out,
            "{}  {} UTC  {}{mark}  {} <{}>",
            message.submission_id,
            message.received_at.strftime("%Y-%m-%d %H:%M"),
            message.state.as_str(),
            message.name(),
            message.email(),
        )?;
    }
    Ok(())
}

fn show(message: &KeptMessage, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Id: {}", message.submission_id)?;
    writeln!(out, "Received: {}", message.received_at)?;
    for (field, value) in message.lines() {
        writeln!(out, "{field:?}: {value}")?;
    }
    writeln!(out, "State: {}", message.state.as_str())?;
    writeln!(out, "Attempts: {}", message.attempts)?;
    for (name, value) in [("Last error", &message.last_error), ("Suspected", &message.suspicion)] {
        if !value.is_empty() {
            writeln!(out, "{name}: {value}")?;
        }
    }
    writeln!(out, "Message-ID: {}", message.message_id)?;
    writeln!(out, "\n{}", message.text())
}

fn export(messages: &[KeptMessage], format: Format, out: &mut impl Write) -> anyhow::Result<()> {
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, messages)?;
            writeln!(out)?;
        }
        Format::Csv => {
            let mut csv = csv::Writer::from_writer(out);
            let facts = ["id", "received", "state", "suspicion"];
            let fields = FIELDS.each_ref().map(|rule| rule.name.as_str());
            csv.write_record(facts.iter().chain(&fields))?;
            for message in messages {
                let facts = [
                    message.submission_id.clone(),
                    message.received_at.to_string(),
                    message.state.as_str().to_owned(),
                    message.suspicion.clone(),
                ];
                let fields = message.fields.iter().map(|(_, value)| cell(value));
                csv.write_record(facts.into_iter().chain(fields))?;
            }
            csv.flush()?;
        }
        Format::Mbox => {
            for message in messages {
                mbox(message, out)?;
            }
        }
    }
    Ok(())
}

/// A spreadsheet runs a cell that starts like a formula; a quote in front makes it text
/// (OWASP, "CSV Injection").
fn cell(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// One message as a mail from the visitor. Where the address can't stand in a header, it is in the
/// text all the same, as all that the visitor wrote.
fn mbox(message: &KeptMessage, out: &mut impl Write) -> anyhow::Result<()> {
    let mut mail = SinglePart::builder();
    let address = message.email().parse::<Address>().ok();
    let sender = address.as_ref().map_or("unknown", AsRef::as_ref).to_owned();
    if let Some(address) = address {
        let visitor = Mailbox::new(Some(message.name().to_owned()), address);
        mail = mail.header(header::From::from(Mailboxes::from(visitor)));
    }
    let lines = message.lines().map(|(field, value)| format!("{field:?}: {value}"));
    let lines: Vec<_> = lines.collect();
    let mail = mail
        .header(Date::from(SystemTime::from(message.received_at)))
        .header(MessageId::from(message.message_id.clone()))
        .header(Subject::from(format!("Message from {}", message.name())))
        .header(MIME_VERSION_1_0)
        .content_type(ContentType::TEXT_PLAIN)
        .body(format!("{}\n\n{}", lines.join("\n"), message.text()));
    writeln!(out, "From {sender} {}", message.received_at.strftime("%a %b %e %H:%M:%S %Y"))?;
    for line in String::from_utf8_lossy(&mail.formatted()).lines() {
        let quoted = line.trim_start_matches('>').starts_with("From ");
        writeln!(out, "{}{line}", if quoted { ">" } else { "" })?;
    }
    Ok(writeln!(out)?)
}
