//! `site messages`: what people wrote, for whoever answers them.

use std::io::{self, Write};

use anyhow::{Context, bail};
use clap::{Subcommand, ValueEnum};
use lettre::{
    Message,
    message::{
        Mailbox,
        header::{ContentType, HeaderName, HeaderValue},
    },
};

use crate::contact::outbox::{KeptMessage, Outbox};

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
        Command::Delete { id } => {
            outbox.delete(&find(outbox, &id).await?.submission_id).await?;
            writeln!(out, "Deleted.")?;
        }
    }
    Ok(())
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
            message.name,
            message.email,
        )?;
    }
    Ok(())
}

fn show(message: &KeptMessage, out: &mut impl Write) -> io::Result<()> {
    for (name, value) in [
        ("Id", message.submission_id.as_str()),
        ("Received", &message.received_at.to_string()),
        ("Name", &message.name),
        ("Email", &message.email),
        ("Company", &message.company),
        ("State", message.state.as_str()),
        ("Attempts", &message.attempts.to_string()),
        ("Last error", &message.last_error),
        ("Suspected", &message.suspicion),
        ("Message-ID", &message.message_id),
    ] {
        if !value.is_empty() {
            writeln!(out, "{name}: {value}")?;
        }
    }
    writeln!(out, "\n{}", message.message)
}

fn export(messages: &[KeptMessage], format: Format, out: &mut impl Write) -> anyhow::Result<()> {
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, messages)?;
            writeln!(out)?;
        }
        Format::Csv => {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record([
                "id",
                "received",
                "state",
                "suspicion",
                "name",
                "email",
                "company",
                "message",
            ])?;
            for message in messages {
                csv.write_record([
                    &message.submission_id,
                    &message.received_at.to_string(),
                    message.state.as_str(),
                    &message.suspicion,
                    &cell(&message.name),
                    &cell(&message.email),
                    &cell(&message.company),
                    &cell(&message.message),
                ])?;
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

fn mbox(message: &KeptMessage, out: &mut impl Write) -> anyhow::Result<()> {
    let visitor = Mailbox::new(Some(message.name.clone()), message.email.parse()?);
    let organization = HeaderName::new_from_ascii_str("Organization");
    let mut mail = Message::builder()
        .from(visitor.clone())
        .to(visitor)
        .date(message.received_at.into())
        .message_id(Some(message.message_id.clone()))
        .subject(format!("Message from {}", message.name));
    if !message.company.is_empty() {
        mail = mail.raw_header(HeaderValue::new(organization, message.company.clone()));
    }
    let mail = mail.header(ContentType::TEXT_PLAIN).body(message.message.clone())?;
    let date = message.received_at.strftime("%a %b %e %H:%M:%S %Y");
    writeln!(out, "From {} {date}", message.email)?;
    for line in String::from_utf8_lossy(&mail.formatted()).lines() {
        let quoted = line.trim_start_matches('>').starts_with("From ");
        writeln!(out, "{}{line}", if quoted { ">" } else { "" })?;
    }
    Ok(writeln!(out)?)
}
