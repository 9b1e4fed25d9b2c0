//! What becomes of what visitors write: the copy has a sentence for each way in which the site may
//! be set up, and the page shows those that are true.

use maud::{Markup, html};

use crate::{config::Handling, copy::MessagePrivacy};

use super::{Ingredients, clouds, contact::Recipient};

/// The page about privacy.
pub fn page(with: Ingredients<'_>) -> Markup {
    let privacy = &with.copy.privacy;
    let email = with.copy.contact.office.email.as_str();
    html! {
        section.privacy.sky aria-labelledby="privacy-heading" {
            div.page {
                h1 #privacy-heading { (privacy.heading) }
                p.lead { (privacy.intro) }
                div.clauses {
                    @if let Recipient::Site(handling) = with.recipient { (message(&privacy.message, *handling)) }
                    div.clause {
                        h2 { (privacy.visit.heading) }
                        div { @for text in &privacy.visit.text { p { (text) } } }
                    }
                    div.clause {
                        h2 { (privacy.questions.heading) }
                        p { (privacy.questions.text) " " a href={ "mailto:" (email) } { (email) } }
                    }
                }
            }
            (clouds::high_sky())
        }
    }
}

fn message(words: &MessagePrivacy, handling: Handling) -> Markup {
    let way = if handling.mailed { &words.mailed } else { &words.kept };
    let end = match handling.retention_days {
        Some(days) => words.deleted.replace("{days}", &days.to_string()),
        None => words.stays.clone(),
    };
    let mailbox = handling.mailed.then_some(&words.mailbox);
    html! {
        div.clause {
            h2 { (words.heading) }
            div {
                @for text in &words.text { p { (text) } }
                p { (way) }
                p { (end) @if let Some(mailbox) = mailbox { " " (mailbox) } }
            }
        }
    }
}
