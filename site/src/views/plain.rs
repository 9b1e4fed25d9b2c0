//! What stands in for a section that the sidecar could not render in time: the same controls in
//! plain HTML, working without any script.

use maud::{Markup, html};

use crate::{
    content::Content,
    sections::{ContactField, ContactFormProps, ContactFormState, NavBarProps},
};

use super::icons;

/// The links of the navigation bar, in a row that wraps.
pub(super) fn navigation(content: &Content, current: Option<&str>) -> Markup {
    let NavBarProps { brand, links, dashboard, copy, .. } = NavBarProps::new(content, current);
    html! {
        nav.plain-nav aria-label=(copy.navigation) {
            a href="/" aria-current=[(current == Some("/")).then_some("page")] { (icons::mark()) (brand) }
            @for link in links.iter().chain([&dashboard]) {
                @if link.new_tab {
                    a href=(link.href) target="_blank" rel="noopener" {
                        (link.label) " " span.visually-hidden { (copy.new_tab) }
                    }
                } @else {
                    a href=(link.href) aria-current=[(current == Some(&link.href)).then_some("page")] {
                        (link.label)
                    }
                }
            }
        }
    }
}

/// The contact form with its banner, what was typed, and what is wrong with it.
pub(super) fn contact_form(props: &ContactFormProps) -> Markup {
    let copy = &props.copy;
    let banner = match props.state {
        ContactFormState::Idle => None,
        ContactFormState::Sent => Some(("status", "banner-success", &copy.success)),
        ContactFormState::Failed => Some(("alert", "banner-failure", &copy.failure)),
        ContactFormState::Limited => Some(("alert", "banner-failure", &copy.limited)),
    };
    html! {
        form.contact-form method="post" action=(props.action) {
            h2 { (copy.heading) }
            @if let Some((role, class, text)) = banner { p.banner.(class) role=(role) { (text) } }
            @if !props.errors.is_empty() {
                section.error-summary role="alert" tabindex="-1" autofocus {
                    h3 { (copy.error_summary) }
                    ul {
                        @for error in &props.errors {
                            li { a href={ "#" (field_id(error.field)) } { (error.message) } }
                        }
                    }
                }
            }
            (field(props, ContactField::Name, |error| html! {
                input #contact-name name="name" autocomplete="name" value=(props.draft.name) required
                    aria-describedby=[error] aria-invalid=[error.and(Some("true"))];
            }))
            (field(props, ContactField::Email, |error| html! {
                input #contact-email name="email" type="email" autocomplete="email" value=(props.draft.email) required
                    aria-describedby=[error] aria-invalid=[error.and(Some("true"))];
            }))
            (field(props, ContactField::Company, |error| html! {
                input #contact-company name="company" autocomplete="organization" value=(props.draft.company)
                    aria-describedby=[error] aria-invalid=[error.and(Some("true"))];
            }))
            (field(props, ContactField::Message, |error| html! {
                textarea #contact-message name="message" rows="6" required
                    aria-describedby=[error] aria-invalid=[error.and(Some("true"))] { "\n" (props.draft.message) }
            }))
            input type="hidden" name="website" value="";
            button.button.button-primary type="submit" { (copy.submit) }
            p.contact-form-privacy { (copy.privacy) }
        }
    }
}

/// A field with its label and what is wrong with it; the control is told the id of the latter.
fn field(
    props: &ContactFormProps,
    field: ContactField,
    control: impl FnOnce(Option<&str>) -> Markup,
) -> Markup {
    let copy = &props.copy;
    let label = match field {
        ContactField::Name => &copy.name,
        ContactField::Email => &copy.email,
        ContactField::Company => &copy.company,
        ContactField::Message => &copy.message,
    };
    let error = props.errors.iter().find(|error| error.field == field);
    let error_id = format!("{}-error", field_id(field));
    html! {
        div.field data-invalid[error.is_some()] {
            label for=(field_id(field)) {
                (label)
                @if field == ContactField::Company { " " span.field-note { (copy.optional) } }
            }
            @if let Some(error) = error {
                p.field-error id=(error_id) { span.visually-hidden { (copy.error_prefix) } " " (error.message) }
            }
            (control(error.and(Some(&error_id))))
        }
    }
}

fn field_id(field: ContactField) -> &'static str {
    match field {
        ContactField::Name => "contact-name",
        ContactField::Email => "contact-email",
        ContactField::Company => "contact-company",
        ContactField::Message => "contact-message",
    }
}
