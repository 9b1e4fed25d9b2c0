//! The two mails that a message becomes, and the way they leave.

use std::{
    error::Error as _,
    time::{Duration, SystemTime},
};

use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Mailbox,
        header::{ContentType, HeaderName, HeaderValue, MIME_VERSION_1_0},
    },
    transport::smtp::{
        AsyncSmtpTransportBuilder, Error as SmtpError, PoolConfig, response::Category,
    },
};
use thiserror::Error;
use tokio::{
    runtime,
    sync::oneshot,
    task::spawn_blocking,
    time::{sleep, timeout},
};

use crate::{config::MailConfig, copy::SiteCopy};

use super::{address::mailable, outbox::KeptMessage};

/// How long one mail may take from the first byte to the last; two of them fit into a lease.
const DEADLINE: Duration = Duration::from_mins(1);
/// How long it may take to reach the server.
const CONNECT_DEADLINE: Duration = Duration::from_secs(20);
/// How long the server may take to answer QUIT, when it has the mail. In a burst each mail keeps a thread
/// for that time.
const FAREWELL: Duration = Duration::from_millis(500);

/// Why a mail did not leave.
#[derive(Debug, Error)]
pub enum MailError {
    /// Trying again later may help.
    #[error("{text}")]
    Transient {
        /// What happened; a server's words may name a mailbox.
        text: String,
        /// The same for the log: no word of the server's, and so none of the visitor's.
        reason: String,
    },
    /// The server will not take this mail, however often it is sent.
    #[error("{0}")]
    Permanent(String),
}

/// Only a reply 55x is the mail system's word on this mail. The others, for good or not, are about
/// the connection or the account (RFC 5321, section 4.2.1), and the owner can mend those.
impl From<SmtpError> for MailError {
    fn from(error: SmtpError) -> Self {
        let about_mail = error.status().is_some_and(|code| code.category == Category::MailSystem);
        if error.is_permanent() && about_mail {
            Self::Permanent(error.to_string())
        } else {
            Self::Transient { text: error.to_string(), reason: reason(&error) }
        }
    }
}

/// The server's reply code, what it lacks in lettre's words, or what the system says of the connection.
fn reason(error: &SmtpError) -> String {
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    match error.status() {
        Some(code) => format!("the mail server answered {code}"),
        // The end of the connection is known by lettre's words alone.
        None if cause == "incomplete response" => {
            "the mail server closed the connection".to_owned()
        }
        // The cause quotes what the server said.
        None if error.is_response() => "the mail server said what is no SMTP".to_owned(),
        None if error.is_client() => format!("the mail server can't be used: {cause}"),
        None => format!("the connection to the mail server failed: {cause}"),
    }
}

/// Sends mail over one SMTP server, each on a connection of its own: on one that was given up, the
/// late reply to the last mail would be taken for the next one's.
pub struct Mailer {
    transport: AsyncSmtpTransportBuilder,
    from: Mailbox,
    to: Mailbox,
}

impl Mailer {
    /// Prepares a mailer; connects only when it sends.
    pub fn new(config: &MailConfig) -> Result<Self, SmtpError> {
        // A pool ends its connections in the background, so that a mail that was taken is sent although
        // QUIT is not answered. This one keeps none.
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&config.url)?
            .timeout(Some(CONNECT_DEADLINE))
            .pool_config(PoolConfig::new().max_size(0));
        Ok(Self { transport, from: config.from.clone(), to: config.to.clone() })
    }

    /// Sends one mail.
    pub async fn send(&self, mail: Message) -> Result<(), MailError> {
        let unsent = |text: String| MailError::Transient { reason: text.clone(), text };
        let (mut tell, told) = oneshot::channel();
        let transport = self.transport.clone();
        // The background has no end of its own: this runtime ends it, and the connection with it.
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| unsent(format!("the mail can't be sent: {error}")))?;
        spawn_blocking(move || {
            runtime.block_on(async {
                let transport = transport.build::<Tokio1Executor>();
                tokio::select! {
                    sent = transport.send(mail) => drop(tell.send(sent)),
                    () = tell.closed() => {}
                }
                sleep(FAREWELL).await;
            });
        });
        let Ok(Ok(sent)) = timeout(DEADLINE, told).await else {
            return Err(unsent(format!("no answer within {} s", DEADLINE.as_secs())));
        };
        Ok(sent.map(drop)?)
    }

    /// The mail to the team: everything that the visitor wrote, to be answered with "Reply".
    pub fn to_team(&self, kept: &KeptMessage, copy: &SiteCopy) -> Result<Message, MailError> {
        let words = &copy.mail.team;
        let form = &copy.contact.form;
        let mark = if kept.suspicion.is_empty() { "" } else { words.suspected.as_str() };
        let subject = format!("{mark} {}", words.subject.replace("{name}", kept.name()));
        let fields =
            kept.lines().map(|(field, value)| format!("{}: {value}", form.fields[field].label));
        let received = kept.received_at.strftime("%Y-%m-%d %H:%M UTC");
        let mut lines: Vec<_> = fields.collect();
        lines.push(format!("{}: {received}", words.received));
        if !kept.suspicion.is_empty() {
            lines.push(format!("{}: {}", words.suspicion, kept.suspicion));
        }
        let text = format!("{}\n\n{}\n", lines.join("\n"), kept.text());
        let builder = Message::builder()
            .from(self.from.clone())
            .to(self.to.clone())
            .subject(subject.trim())
            .message_id(Some(kept.message_id.clone()));
        let builder = match mailable(kept.email()) {
            Some(address) => builder.reply_to(Mailbox::new(Some(kept.name().to_owned()), address)),
            // The text has the address; a header that servers refuse would keep the mail from the team.
            None => builder,
        };
        build(builder, kept, "auto-generated", text)
    }

    /// The acknowledgement to the visitor. It quotes nothing that was posted: the address may be
    /// somebody else's, and then this mail would carry a stranger's words.
    pub fn to_visitor(&self, kept: &KeptMessage, copy: &SiteCopy) -> Result<Message, MailError> {
        let words = &copy.mail.acknowledgement;
        let address = mailable(kept.email()).ok_or_else(|| {
            MailError::Permanent("no mail reaches the visitor's address".to_owned())
        })?;
        build(
            Message::builder()
                .from(self.from.clone())
                .to(Mailbox::new(None, address))
                .reply_to(self.to.clone())
                .subject(words.subject.clone())
                .message_id(Some(kept.message_id.replacen('<', "<ack.", 1))),
            kept,
            "auto-replied",
            format!("{}\n", words.paragraphs.join("\n\n")),
        )
    }
}

/// Adds what keeps other machines from answering (RFC 3834, section 5).
fn build(
    builder: lettre::message::MessageBuilder,
    kept: &KeptMessage,
    auto_submitted: &str,
    text: String,
) -> Result<Message, MailError> {
    let raw = |name: &'static str, value: &str| {
        HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
    };
    builder
        .date(SystemTime::from(kept.received_at))
        .raw_header(raw("Auto-Submitted", auto_submitted))
        .raw_header(raw("X-Auto-Response-Suppress", "All"))
        .header(MIME_VERSION_1_0)
        .header(ContentType::TEXT_PLAIN)
        .body(text)
        .map_err(|error| MailError::Permanent(error.to_string()))
}
