//! The contact page: how to reach people, and the message form in any of its states.

use maud::{Markup, html};
use url::Url;

use crate::{
    config::Handling,
    copy::{Meta, SiteCopy},
    sections::{ContactFormProps, Section},
};

use super::{
    Ingredients, clouds, icons,
    layout::{Document, Header},
};

/// Who takes the messages of the form.
#[derive(Clone, Debug)]
pub enum Recipient {
    /// This site, and this becomes of them.
    Site(Handling),
    /// Another server at this address: it says by itself what became of a message.
    Elsewhere(Url),
    /// Nobody: the page says how to write instead.
    Nobody,
}

impl Recipient {
    /// What becomes of the messages, where this site takes them.
    pub fn handling(&self) -> Option<Handling> {
        match self {
            Self::Site(handling) => Some(*handling),
            Self::Elsewhere(_) | Self::Nobody => None,
        }
    }
}

/// The page with the empty form.
pub fn page(with: Ingredients<'_>) -> Markup {
    main(with, &form(with, ContactFormProps::new(with.copy)))
}

/// What the page is called that a sent form leads to.
pub fn sent_meta(copy: &SiteCopy) -> Meta {
    Meta { title: copy.contact.sent.title.clone(), ..copy.contact.meta.clone() }
}

/// The page that a form leads to that was sent without scripts: first what became of the message
/// and when to expect an answer, then the form for another one.
pub fn sent_page(with: Ingredients<'_>) -> Markup {
    let contact = &with.copy.contact;
    let mut another = ContactFormProps::new(with.copy);
    another.copy.heading.clone_from(&contact.form.again);
    let words = html! {
        div.on-its-way {
            h1 #contact-heading { (contact.sent.heading) }
            (icons::message())
        }
        div role="status" { p.banner.banner-success { (contact.form.success) } }
        (hours(with.copy))
        (office(with.copy))
    };
    columns(&words, &form(with, another))
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
        linked_data: None,
        main: main(with, form),
    }
}

/// The form, or how to write where nobody takes it.
fn form(with: Ingredients<'_>, props: ContactFormProps) -> Markup {
    let props = match with.recipient {
        Recipient::Site(_) => Some(props),
        Recipient::Elsewhere(address) => {
            Some(ContactFormProps { action: address.to_string(), ..props })
        }
        Recipient::Nobody => None,
    };
    if let Some(props) = props {
        return with.fragments.ask(Section::ContactForm(props));
    }
    let words = &with.copy.contact.form;
    let email = with.copy.contact.office.email.as_str();
    html! {
        h2 { (words.heading) }
        p { (words.absent) " " a href={ "mailto:" (email) } { (email) } }
    }
}

fn main(with: Ingredients<'_>, form: &Markup) -> Markup {
    let contact = &with.copy.contact;
    let words = html! {
        h1 #contact-heading { (contact.heading) }
        p.lead { (contact.intro) }
        (office(with.copy))
        (hours(with.copy))
    };
    columns(&words, form)
}

fn columns(words: &Markup, form: &Markup) -> Markup {
    html! {
        section.contact.sky aria-labelledby="contact-heading" {
            div.page {
                div.contact-words { (words) }
                div.contact-card { (form) }
            }
            (clouds::high_sky())
        }
    }
}

fn office(copy: &SiteCopy) -> Markup {
    let office = &copy.contact.office;
    html! {
        div.office {
            h2 { (office.heading) }
            dl {
                div { dt { (office.city_label) } dd { (office.city) } }
                div { dt { (office.email_label) } dd { a href={ "mailto:" (office.email.as_str()) } { (office.email.as_str()) } } }
                div { dt { (office.phone_label) } dd { a href=(office.phone.href()) { (office.phone.as_str()) } } }
            }
        }
    }
}

fn hours(copy: &SiteCopy) -> Markup {
    let hours = &copy.contact.hours;
    html! {
        div.hours {
            h2 { (hours.heading) }
            ul role="list" { @for line in &hours.lines { li { (line) } } }
        }
    }
}
