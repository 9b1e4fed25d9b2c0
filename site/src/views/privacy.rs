//! What becomes of what visitors write: the copy has a sentence for each way in which the site may
//! be set up, and the page shows those that are true.

use maud::{Markup, html};

use super::{Ingredients, clouds};

/// The page about privacy.
pub fn page(with: Ingredients<'_>) -> Markup {
    let privacy = &with.copy.privacy;
    let message = &privacy.message;
    let way = if with.handling.mailed { &message.mailed } else { &message.kept };
    let end = match with.handling.retention_days {
        Some(days) => message.deleted.replace("{days}", &days.to_string()),
        None => message.stays.clone(),
    };
    let mailbox = with.handling.mailed.then_some(&message.mailbox);
    let email = with.copy.contact.office.email.as_str();
    html! {
        section.privacy.sky aria-labelledby="privacy-heading" {
            div.page {
                h1 #privacy-heading { (privacy.heading) }
                p.lead { (privacy.intro) }
                h2 { (message.heading) }
                @for text in &message.text { p { (text) } }
                p { (way) }
                p { (end) @if let Some(mailbox) = mailbox { " " (mailbox) } }
                h2 { (privacy.visit.heading) }
                @for text in &privacy.visit.text { p { (text) } }
                h2 { (privacy.questions.heading) }
                p { (privacy.questions.text) " " a href={ "mailto:" (email) } { (email) } }
            }
            (clouds::high_sky())
        }
    }
}
