//! The contact page for a visitor whose form was not accepted: laid out with the edition in each of
//! the form's shapes, and filled in with what was typed.

use anyhow::Context;
use bytes::Bytes;
use maud::html;
use poem::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};

use crate::{
    form::{ContactDraft, ContactField, FIELDS, Fields},
    resource::{Caching, Original, Resource},
    sections::{ContactFormProps, ContactFormState, FieldError, Section},
    template::{Mark, Template},
    views::{self, Ingredients, layout},
};

use super::headers;

/// What a visitor is told about a form that was not accepted.
pub struct FormAnswer<'a> {
    /// The status of the answer.
    pub status: StatusCode,
    /// The banner.
    pub state: ContactFormState,
    /// What was typed.
    pub draft: &'a ContactDraft,
    /// What is wrong with it.
    pub errors: &'a [FieldError],
}

/// What the markup of a form depends on: its banner, and which fields have an error, a bit each.
type Shape = (ContactFormState, u8);

/// The contact page around the form, and the form in each of its shapes.
#[derive(Serialize, Deserialize)]
pub(super) struct FormAnswers {
    #[serde(with = "http_serde::header_map")]
    headers: HeaderMap,
    before: String,
    forms: Vec<(Shape, Template)>,
    after: String,
}

/// Stands where the form goes.
const FORM: Mark = Mark::new(31);
/// Any combination of fields may be wrong.
const COMBINATIONS: u8 = 1 << FIELDS.len();

impl FormAnswers {
    /// Lays out the page, and asks for the form in every shape.
    pub(super) fn new(with: Ingredients<'_>) -> anyhow::Result<Self> {
        let document = views::contact::refusal(with, &html! { (FORM.text()) });
        let page = layout::document(with, &document)?.into_string();
        let (before, after) =
            page.split_once(&FORM.text()).context("the contact page has no place for its form")?;
        let refused = (1..COMBINATIONS).map(|fields| (ContactFormState::Idle, fields));
        let shapes = [(ContactFormState::Failed, 0), (ContactFormState::Limited, 0)];
        let forms = refused.chain(shapes).map(|shape| {
            let form = with.fragments.ask(Section::ContactForm(marked(with, shape)));
            (shape, Template::new(&form.into_string()))
        });
        Ok(Self {
            headers: headers::of_document(with, document.name)?,
            before: before.to_owned(),
            forms: forms.collect(),
            after: after.to_owned(),
        })
    }

    /// The page for one visitor, neither compressed nor cached; nothing where the form has no such
    /// shape.
    pub(super) fn fill(&self, answer: &FormAnswer<'_>) -> Option<Resource> {
        let wrong = answer.errors.iter().fold(0, |bits, error| bits | bit(error.field));
        let (_, form) = self.forms.iter().find(|(shape, _)| *shape == (answer.state, wrong))?;
        let form = form.fill(|mark| {
            let of = |make: fn(ContactField) -> Mark| {
                ContactField::all().into_iter().find(|field| make(*field) == mark)
            };
            let error = |field| answer.errors.iter().find(|error| error.field == field);
            match (of(draft_mark), of(error_mark).and_then(error)) {
                (Some(field), _) => &answer.draft.0[field],
                (None, Some(error)) => &error.message,
                (None, None) => "",
            }
        });
        let mut headers = self.headers.clone();
        headers.extend(headers::retry_after(answer.status));
        let original = Original {
            status: answer.status,
            content_type: "text/html; charset=utf-8".into(),
            caching: Caching::Never,
            headers,
            body: Bytes::from([&self.before, &form, &self.after].map(String::as_str).concat()),
        };
        Some(Resource::new(original, Vec::new()))
    }
}

/// The props of a form of this shape, with a mark for each text that a visitor brings.
fn marked(with: Ingredients<'_>, (state, wrong): Shape) -> ContactFormProps {
    let fields = ContactField::all().into_iter();
    ContactFormProps {
        state,
        draft: ContactDraft(Fields::from_fn(|field| draft_mark(field).text())),
        errors: fields
            .filter(|field| wrong & bit(*field) != 0)
            .map(|field| FieldError { field, message: error_mark(field).text() })
            .collect(),
        ..ContactFormProps::new(with.copy)
    }
}

fn bit(field: ContactField) -> u8 {
    1 << field as u8
}

fn draft_mark(field: ContactField) -> Mark {
    Mark::new(field as u8)
}

fn error_mark(field: ContactField) -> Mark {
    Mark::new(8 + field as u8)
}
