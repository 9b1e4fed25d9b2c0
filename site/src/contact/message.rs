//! The posted form as a message, or what is wrong with each field.

use std::time::Duration;

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use sha2::{Digest, Sha256};
use url::form_urlencoded;
use uuid::Uuid;

use crate::{
    form::{ContactDraft, ContactField, FieldKind, FieldRule, Fields},
    unseen::{is_blank, is_stray},
};

use super::address::mailable;

/// The form as it was posted, before validation.
#[derive(Default)]
pub struct PostedForm {
    /// The fields as typed.
    pub draft: ContactDraft,
    /// The id that the browser gave this submission; without scripts there is none.
    pub submission_id: Option<Uuid>,
    /// The hidden field that no person fills in; nothing where it was not posted at all.
    pub honeypot: Option<String>,
    /// How long the page had been open; only a script tells.
    pub fill_time: Option<Duration>,
}

impl PostedForm {
    /// Reads `application/x-www-form-urlencoded` bytes; what can't be decoded becomes U+FFFD. Of a
    /// field that was posted twice the last value counts; names that nobody knows are ignored.
    pub fn read(body: &[u8]) -> Self {
        let mut form = Self::default();
        for (name, value) in form_urlencoded::parse(body) {
            match name.as_ref() {
                "website" => form.honeypot = Some(value.into_owned()),
                "elapsed_ms" => form.fill_time = value.parse().ok().map(Duration::from_millis),
                "submission_id" => form.submission_id = Uuid::parse_str(&value).ok(),
                name => {
                    if let Some(field) = ContactField::named(name) {
                        form.draft.0[field] = value.into_owned();
                    }
                }
            }
        }
        form
    }
}

/// What is wrong with one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldProblem {
    /// The field.
    pub field: ContactField,
    /// What is wrong with it.
    pub problem: Problem,
}

/// Why a field can't be taken as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It must be filled in and is empty.
    Missing,
    /// It is not what the field's kind asks for.
    Malformed,
    /// It has more characters than the field takes.
    TooLong {
        /// The most characters that it takes.
        limit: usize,
    },
    /// It has a control character.
    ControlCharacter,
}

/// A message that may be stored: every field follows its [`FieldRule`], is trimmed, says something where it
/// must, and has no control characters, but for line feeds and tabs in a text.
#[derive(Clone, PartialEq, Eq)]
pub struct ContactMessage {
    submission_id: Uuid,
    fields: Fields<String>,
}

impl ContactMessage {
    /// Checks all fields; the problems are in the order of the form, at most one for each field.
    pub fn parse(form: &PostedForm) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Vec::new();
        let fields = Fields::from_fn(|field| {
            checked(field.rule(), &form.draft.0[field]).unwrap_or_else(|problem| {
                problems.push(FieldProblem { field, problem });
                String::new()
            })
        });
        if !problems.is_empty() {
            return Err(problems);
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "a day names the message; no machine waits for it"
        )]
        let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let submission_id = submission_id(form.submission_id, today, &fields);
        Ok(Self { submission_id, fields })
    }

    /// What makes a repeated post the same message.
    pub fn submission_id(&self) -> Uuid {
        self.submission_id
    }

    /// What the visitor wrote, lines ended by line feeds.
    pub fn fields(&self) -> &Fields<String> {
        &self.fields
    }
}

fn checked(rule: &FieldRule, typed: &str) -> Result<String, Problem> {
    // A form posts line ends as CRLF (HTML, section 4.10.21.6).
    let mut text = typed.replace("\r\n", "\n");
    let is_text = rule.kind == FieldKind::Text;
    if !is_text {
        // They come along where a name or an address is pasted, and nobody could take them away.
        text.retain(|c| !is_stray(c));
    }
    let text = text.trim();
    if is_blank(text) {
        return if rule.required { Err(Problem::Missing) } else { Ok(String::new()) };
    }
    if text.chars().count() > rule.limit {
        return Err(Problem::TooLong { limit: rule.limit });
    }
    if text.chars().any(|c| c.is_control() && !(is_text && (c == '\n' || c == '\t'))) {
        return Err(Problem::ControlCharacter);
    }
    if rule.kind == FieldKind::Email && mailable(text).is_none() {
        return Err(Problem::Malformed);
    }
    Ok(text.to_owned())
}

/// The same words posted again with the same id are the same message; changed words are another
/// one, or they would be lost. Without scripts there is no id, and the day stands in for it: whoever
/// sends the same words tomorrow is still waiting for an answer.
fn submission_id(given: Option<Uuid>, today: Date, fields: &Fields<String>) -> Uuid {
    let mut digest = Sha256::new();
    digest.update(given.map_or_else(|| today.to_string(), |id| id.to_string()));
    for (_, text) in fields.iter() {
        digest.update([0]);
        digest.update(text);
    }
    let digest: [u8; 32] = digest.finalize().into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    Uuid::new_v8(bytes)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use crate::form::FIELDS;

    use super::*;

    /// A form that can be taken as it is, but for one field.
    fn problem_with(field: ContactField, typed: &str) -> Option<Problem> {
        let mut form = PostedForm::default();
        form.draft.0 = Fields::from_fn(|field| match field.rule().kind {
            FieldKind::Email => "ada@example.com".to_owned(),
            FieldKind::Line | FieldKind::Text => "Ada".to_owned(),
        });
        form.draft.0[field] = typed.to_owned();
        let problems = ContactMessage::parse(&form).err()?;
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].field, field);
        Some(problems[0].problem)
    }

    #[test]
    fn every_field_is_held_to_its_rule() {
        for FieldRule { name, kind, limit, required, .. } in &FIELDS {
            let (name, limit) = (*name, *limit);
            let filler = if *kind == FieldKind::Email { "a@example.com" } else { "" };
            let fitting = format!("{filler:游>limit$}");
            for typed in ["", "  \r\n\t ", "\u{200b}\u{feff}", "\u{3164}"] {
                assert_eq!(problem_with(name, typed), required.then_some(Problem::Missing));
            }
            if *kind != FieldKind::Email {
                assert_eq!(problem_with(name, &format!(" {fitting}\r\n")), None);
            }
            let long = format!("游{fitting}");
            assert_eq!(problem_with(name, &long), Some(Problem::TooLong { limit }));
            assert_eq!(problem_with(name, "a\0@example.com"), Some(Problem::ControlCharacter));
            let lines = problem_with(name, "a\r\n\tb");
            assert_eq!(lines.is_none(), *kind == FieldKind::Text, "{lines:?}");
        }
    }

    #[test]
    fn an_address_that_no_mail_reaches_is_malformed() {
        for (address, problem) in [("ada@bücher.example", None), ("ada", Some(Problem::Malformed))]
        {
            assert_eq!(problem_with(ContactField::Email, address), problem, "{address}");
        }
    }

    #[test]
    fn what_comes_along_unseen_is_dropped_from_lines_and_stays_in_texts() {
        let [name, email] = ["Ada \u{202e}gnp", "ada@exa\u{200b}mple.com\u{feff} "];
        let mut form = PostedForm::default();
        form.draft.0[ContactField::Name] = name.to_owned();
        form.draft.0[ContactField::Email] = email.to_owned();
        form.draft.0[ContactField::Message] = name.to_owned();
        let message = ContactMessage::parse(&form).ok().unwrap();
        let kept = message.fields().iter().map(|(_, text)| text.as_str());
        assert_eq!(kept.collect::<Vec<_>>(), ["Ada gnp", "ada@example.com", "", name]);
        // In some scripts words are joined, or kept apart, by what is not seen.
        let persian = "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}";
        form.draft.0[ContactField::Name] = persian.to_owned();
        let message = ContactMessage::parse(&form).ok().unwrap();
        assert_eq!(message.fields()[ContactField::Name], persian);
    }

    #[test]
    fn the_same_words_are_one_message_and_other_words_another() {
        let id = |given, today, message: &str| {
            let mut fields = Fields::from_fn(|field| field.as_str().to_owned());
            fields[ContactField::Message] = message.to_owned();
            submission_id(given, today, &fields)
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
