//! Messages as a file for another program.

use std::{
    io::{self, Write},
    pin::pin,
    time::SystemTime,
};

use clap::ValueEnum;
use futures_util::{Stream, TryStreamExt};
use lettre::message::{
    Mailbox, Mailboxes, SinglePart,
    header::{self, ContentType, Date, MIME_VERSION_1_0, MessageId, Subject},
};
use serde::ser::{SerializeSeq, Serializer};

use crate::{
    contact::{address::mailable, outbox::KeptMessage},
    form::ContactField,
};

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

/// Writes messages in a format, each as it comes.
pub(super) async fn write(
    messages: impl Stream<Item = sqlx::Result<KeptMessage>>,
    format: Format,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut messages = pin!(messages);
    match format {
        Format::Json => {
            let mut json = serde_json::Serializer::pretty(&mut *out);
            let mut list = json.serialize_seq(None).map_err(io::Error::from)?;
            while let Some(message) = messages.try_next().await? {
                list.serialize_element(&message).map_err(io::Error::from)?;
            }
            list.end().map_err(io::Error::from)?;
            writeln!(out)?;
        }
        Format::Csv => {
            let mut csv = csv::Writer::from_writer(out);
            let facts = ["id", "received", "state", "suspicion", "answered"];
            csv.write_record(facts.into_iter().chain(ContactField::names())).map_err(of_writing)?;
            while let Some(message) = messages.try_next().await? {
                let facts = [
                    message.submission_id.clone(),
                    message.received_at.to_string(),
                    message.state.as_str().to_owned(),
                    message.suspicion.clone(),
                    if message.answered { "yes" } else { "no" }.to_owned(),
                ];
                let fields = message.fields.iter().map(|(_, value)| cell(value));
                csv.write_record(facts.into_iter().chain(fields)).map_err(of_writing)?;
            }
            csv.flush()?;
        }
        Format::Mbox => {
            while let Some(message) = messages.try_next().await? {
                mbox(&message, out)?;
            }
        }
    }
    Ok(())
}

/// The error of the writer beneath: by its kind it is known that the reader has gone away.
fn of_writing(error: csv::Error) -> anyhow::Error {
    match error.kind() {
        csv::ErrorKind::Io(beneath) => io::Error::from(beneath.kind()).into(),
        _ => error.into(),
    }
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
    let address = mailable(message.email());
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
