//! The contact page: how to reach people, and the message form in any of its states.

use maud::{Markup, html};

use crate::{
    content::{Content, Meta},
    sections::{ContactFormProps, ContactFormState, Section},
};

use super::{Ingredients, clouds, layout::Page, plain};

/// The title and tags of the contact page with the form in this state.
pub fn meta(content: &Content, form: &ContactFormProps) -> Meta {
    let contact = &content.contact;
    let title = match form.state {
        ContactFormState::Sent => contact.sent.title.clone(),
        _ if form.errors.is_empty() => contact.meta.title.clone(),
        _ => format!("{} {}", contact.form.error_prefix, contact.meta.title),
    };
    Meta { title, ..contact.meta.clone() }
}

/// The contact page; only the one with the empty form should be found by search engines.
///
/// A form that has not been rendered is answered in plain HTML: it may hold what a visitor typed,
/// and that must not be lost because the sidecar is away.
pub fn page<'a>(with: Ingredients<'a>, meta: &'a Meta, form: ContactFormProps) -> Page<'a> {
    let found = form.state == ContactFormState::Idle && form.errors.is_empty();
    let contact = &with.content.contact;
    let section = Section::ContactForm(form);
    Page {
        meta,
        canonical: found.then_some("/contact"),
        current: Some("/contact"),
        name: "contact",
        starts_on_top: false,
        main: html! {
            section.contact.sky aria-labelledby="contact-heading" {
                div.page {
                    div.contact-words {
                        h1 #contact-heading { (contact.heading) }
                        p.lead { (contact.intro) }
                        (reach(with.content))
                    }
                    div.contact-card {
                        @match (with.fragments.get(&section), &section) {
                            (Some(fragment), _) => (fragment),
                            (None, Section::ContactForm(form)) => (plain::contact_form(form)),
                            (None, _) => {}
                        }
                    }
                }
                (clouds::high_sky())
            }
        },
    }
}

fn reach(content: &Content) -> Markup {
    let office = &content.contact.office;
    let hours = &content.contact.hours;
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
