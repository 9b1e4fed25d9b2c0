//! What becomes of what visitors write: the copy has a sentence for each way in which the site may
//! be set up, and the page shows those that are true.

use maud::{Markup, html};

use crate::{
    config::Handling,
    copy::{MessageStay, Paragraphs},
};

use super::{Ingredients, clouds, icons};

/// The page about privacy.
pub fn page(with: Ingredients<'_>) -> Markup {
    let privacy = &with.copy.privacy;
    let questions = &privacy.questions;
    let email = with.copy.contact.office.email.as_str();
    html! {
        section.privacy.sky aria-labelledby="privacy-heading" {
            div.page {
                h1 #privacy-heading { (privacy.heading) }
                p.lead { (privacy.intro) }
                div.clauses {
                    @if let Some(handling) = with.recipient.handling() {
                        (paragraphs(&icons::letter(), &privacy.message))
                        (paragraphs(&icons::glass(), &privacy.limit))
                        (stay(&privacy.stay, handling))
                    }
                    (paragraphs(&icons::window(), &privacy.visit))
                    (clause(&icons::question(), &questions.heading, &html! {
                        p { (questions.text) " " a href={ "mailto:" (email) } { (email) } }
                    }))
                }
            }
            (clouds::high_sky())
        }
    }
}

fn clause(drawing: &Markup, heading: &str, text: &Markup) -> Markup {
    html! {
        div.clause {
            (drawing)
            h2 { (heading) }
            div { (text) }
        }
    }
}

fn paragraphs(drawing: &Markup, words: &Paragraphs) -> Markup {
    clause(drawing, &words.heading, &html! { @for text in &words.text { p { (text) } } })
}

fn stay(words: &MessageStay, handling: Handling) -> Markup {
    let way = if handling.mailed { &words.mailed } else { &words.kept };
    let end = match handling.retention_days {
        Some(days) => words.deleted.replace("{days}", &days.to_string()),
        None => words.stays.clone(),
    };
    let mailbox = handling.mailed.then_some(&words.mailbox);
    let text = html! {
        p { (way) }
        p { (end) @if let Some(mailbox) = mailbox { " " (mailbox) } }
    };
    clause(&icons::server(), &words.heading, &text)
}
