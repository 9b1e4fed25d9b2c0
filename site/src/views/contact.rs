//! The contact page: how to reach people, and the message form in any of its states.

use maud::{Markup, html};

use crate::{
    copy::{Meta, SiteCopy},
    sections::{ContactFormProps, ContactFormState, Section},
};

use super::{
    Ingredients, clouds,
    layout::{Document, Header},
};

/// The page with the empty form.
pub fn page(with: Ingredients<'_>) -> Markup {
    let form = ContactFormProps::new(with.copy);
    main(with, &with.fragments.ask(Section::ContactForm(form)))
}

/// What the page is called that a sent form leads to.
pub fn sent_meta(copy: &SiteCopy) -> Meta {
    Meta { title: copy.contact.sent.title.clone(), ..copy.contact.meta.clone() }
}

/// The page that a form leads to that was sent without scripts.
pub fn sent_page(with: Ingredients<'_>) -> Markup {
    let form =
        ContactFormProps { state: ContactFormState::Sent, ..ContactFormProps::new(with.copy) };
    main(with, &with.fragments.ask(Section::ContactForm(form)))
}

/// The page around a form that was not accepted, whose title says so.
pub fn refusal(with: Ingredients<'_>, form: &Markup) -> Document {
    let contact = &with.copy.contact;
    let title = format!("{} {}", contact.form.error_prefix, contact.meta.title);
    Document {
        meta: Meta { title, ..contact.meta.clone() },
        canonical: None,
        header: Header::Navigation { current: Some("/contact") },
        name: "contact",
        starts_on_top: false,
        main: main(with, form),
    }
}

fn main(with: Ingredients<'_>, form: &Markup) -> Markup {
    let contact = &with.copy.contact;
    html! {
        section.contact.sky aria-labelledby="contact-heading" {
            div.page {
                div.contact-words {
                    h1 #contact-heading { (contact.heading) }
                    p.lead { (contact.intro) }
                    (reach(with.copy))
                }
                div.contact-card { (form) }
            }
            (clouds::high_sky())
        }
    }
}

fn reach(copy: &SiteCopy) -> Markup {
    let office = &copy.contact.office;
    let hours = &copy.contact.hours;
    html! {
        h2 { (office.heading) }
        dl.office {
            div { dt { (office.city_label) } dd { (office.city) } }
            div { dt { (office.email_label) } dd { a href={ "mailto:" (office.email.as_str()) } { (office.email.as_str()) } } }
            div { dt { (office.phone_label) } dd { a href=(office.phone.href()) { (office.phone.as_str()) } } }
        }
        h2 { (hours.heading) }
        ul.hours role="list" { @for line in &hours.lines { li { (line) } } }
    }
}
