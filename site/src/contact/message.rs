//! The posted form as a message, or what is wrong with each field.

use std::str::FromStr;

use email_address::{EmailAddress, Options};
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
#[derive(Debug, Default)]
pub struct PostedForm {
    /// The four fields as typed.
    pub draft: ContactDraft,
    /// The id that the browser gave this submission; without scripts there is none.
    pub submission_id: Option<Uuid>,
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
    submission_id: String,
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
        let submission_id = match form.submission_id {
            Some(id) => id.to_string(),
            None => digest(&[&name, &email, &company, &message]),
        };
        Ok(Self { submission_id, name, email, company, message })
    }

    /// What makes a repeated post the same message: the browser's id, or a digest of the words.
    pub fn submission_id(&self) -> &str {
        &self.submission_id
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

fn address(email: String, malformed: &str) -> Result<String, String> {
    let options = Options::default().without_display_text().without_domain_literal();
    match EmailAddress::parse_with_options(&email, options) {
        Ok(_) if EmailAddress::from_str(&email).is_ok() => Ok(email),
        _ => Err(malformed.to_owned()),
    }
}

/// Names a submission without scripts: the same words from the same sender are the same message.
fn digest(fields: &[&str]) -> String {
    let mut digest = Sha256::new();
    for field in fields {
        digest.update(field);
        digest.update([0]);
    }
    hex::encode(digest.finalize())
}
