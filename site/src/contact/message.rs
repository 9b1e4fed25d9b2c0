//! The posted form as a message, or what is wrong with each field.

use std::{net::IpAddr, str::FromStr, time::Duration};

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use lettre::Address;
use sha2::{Digest, Sha256};
use url::form_urlencoded;
use uuid::Uuid;

use crate::{
    content::FormErrors,
    sections::{ContactDraft, ContactField, FieldError},
};

/// The most characters of a name.
const NAME_LIMIT: usize = 100;
/// The most characters of an e-mail address (RFC 5321, section 4.5.3.1.3, as corrected).
const EMAIL_LIMIT: usize = 254;
/// The most characters of a company's name.
const COMPANY_LIMIT: usize = 100;
/// The most characters of a message.
const MESSAGE_LIMIT: usize = 5000;

/// The form as it was posted, before anything in it is believed.
#[derive(Default)]
pub struct PostedForm {
    /// The four fields as typed.
    pub draft: ContactDraft,
    /// The id that the browser gave this submission; without scripts there is none.
    pub submission_id: Option<Uuid>,
    /// The hidden field that no person fills in; nothing where it was not posted at all.
    pub trap: Option<String>,
    /// How long the page had been open; only a script tells.
    pub fill_time: Option<Duration>,
}

impl PostedForm {
    /// Reads `application/x-www-form-urlencoded` bytes; what can't be decoded becomes U+FFFD.
    pub fn read(body: &[u8]) -> Self {
        let mut form = Self::default();
        for (name, value) in form_urlencoded::parse(body) {
            match name.as_ref() {
                "name" => form.draft.name = value.into_owned(),
                "email" => form.draft.email = value.into_owned(),
                "company" => form.draft.company = value.into_owned(),
                "message" => form.draft.message = value.into_owned(),
                "website" => form.trap = Some(value.into_owned()),
                "elapsed_ms" => form.fill_time = value.parse().ok().map(Duration::from_millis),
                "submission_id" => form.submission_id = Uuid::parse_str(&value).ok(),
                _ => {}
            }
        }
        form
    }
}

/// A message that may be stored: every field is trimmed, bounded and free of control characters.
#[derive(Clone, PartialEq, Eq)]
pub struct ContactMessage {
    submission_id: Uuid,
    name: String,
    email: String,
    company: String,
    message: String,
}

impl ContactMessage {
    /// Checks all fields; the errors are sentences for the visitor, in the order of the form.
    pub fn parse(form: &PostedForm, sentences: &FormErrors) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut check = |field, result: Result<String, String>| {
            result.unwrap_or_else(|message| {
                errors.push(FieldError { field, message });
                String::new()
            })
        };
        let ContactDraft { name, email, company, message } = &form.draft;
        let line = |text: &str, limit, missing: Option<&String>| {
            bounded(text.trim(), limit, missing, sentences, char::is_control)
        };
        let name = check(ContactField::Name, line(name, NAME_LIMIT, Some(&sentences.name_missing)));
        let email = check(
            ContactField::Email,
            line(email, EMAIL_LIMIT, Some(&sentences.email_missing))
                .and_then(|email| address(email, &sentences.email_malformed)),
        );
        let company = check(ContactField::Company, line(company, COMPANY_LIMIT, None));
        // A form posts line ends as CRLF (HTML, section 4.10.21.6).
        let message = message.replace("\r\n", "\n");
        let message = check(
            ContactField::Message,
            bounded(
                message.trim(),
                MESSAGE_LIMIT,
                Some(&sentences.message_missing),
                sentences,
                |c| c.is_control() && c != '\n' && c != '\t',
            ),
        );
        if !errors.is_empty() {
            return Err(errors);
        }
        let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let words = [&name, &email, &company, &message];
        let submission_id = submission_id(form.submission_id, today, words);
        Ok(Self { submission_id, name, email, company, message })
    }

    /// What makes a repeated post the same message.
    pub fn submission_id(&self) -> Uuid {
        self.submission_id
    }

    /// The sender's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The sender's e-mail address.
    pub fn email(&self) -> &str {
        &self.email
    }

    /// The sender's company, or nothing.
    pub fn company(&self) -> &str {
        &self.company
    }

    /// The message, lines ended by line feeds.
    pub fn message(&self) -> &str {
        &self.message
    }
}

fn bounded(
    text: &str,
    limit: usize,
    missing: Option<&String>,
    sentences: &FormErrors,
    refused: impl Fn(char) -> bool,
) -> Result<String, String> {
    match missing {
        Some(missing) if text.is_empty() => Err(missing.clone()),
        _ if text.chars().count() > limit => {
            Err(sentences.too_long.replace("{limit}", &limit.to_string()))
        }
        _ if text.chars().any(refused) => Err(sentences.control_character.clone()),
        _ => Ok(text.to_owned()),
    }
}

/// An address is well-formed where mail could be sent to it. Nobody's mailbox is at a bare IP
/// address, and an acknowledgement sent there could go to any machine.
fn address(email: String, malformed: &str) -> Result<String, String> {
    let has_name =
        |address: &Address| address.domain().trim_matches(['[', ']']).parse::<IpAddr>().is_err();
    match Address::from_str(&email) {
        Ok(address) if has_name(&address) => Ok(email),
        _ => Err(malformed.to_owned()),
    }
}

/// The same words posted again with the same id are the same message; changed words are another
/// one, or they would be lost. Without scripts there is no id, and the day stands in for it: whoever
/// sends the same words tomorrow is still waiting for an answer.
fn submission_id(given: Option<Uuid>, today: Date, words: [&String; 4]) -> Uuid {
    let mut digest = Sha256::new();
    digest.update(given.map_or_else(|| today.to_string(), |id| id.to_string()));
    for field in words {
        digest.update([0]);
        digest.update(field);
    }
    let digest: [u8; 32] = digest.finalize().into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    Uuid::new_v8(bytes)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_same_words_are_one_message_and_other_words_another() {
        let id = |given, today, message: &str| {
            let [name, email, company] = ["Ada", "ada@example.com", ""].map(str::to_owned);
            submission_id(given, today, [&name, &email, &company, &message.to_owned()])
        };
        let (today, tomorrow) = (date(2025, 5, 1), date(2025, 5, 2));
        let (one, two) = (Some(Uuid::from_u128(1)), Some(Uuid::from_u128(2)));
        assert_eq!(id(one, today, "Hello"), id(one, tomorrow, "Hello"));
        assert_ne!(id(one, today, "Hello"), id(two, today, "Hello"));
        assert_ne!(id(one, today, "Hello"), id(one, today, "Hello again"));
        assert_eq!(id(None, today, "Hello"), id(None, today, "Hello"));
        assert_ne!(id(None, today, "Hello"), id(None, tomorrow, "Hello"));
    }
}
