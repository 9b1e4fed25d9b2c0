//! The view of every route that failed (docs/behaviour.md, "Errors").

use maud::html;
use poem::http::StatusCode;

use crate::copy::Meta;

use super::{
    Ingredients, clouds,
    layout::{Document, Header},
};

/// The error view with the status text, never with a cause.
pub fn document(with: Ingredients<'_>, status: StatusCode, header: Header) -> Document {
    let errors = &with.copy.errors;
    Document {
        meta: Meta {
            title: format!("{status} | {}", with.copy.site.name),
            description: errors.heading.clone(),
            keywords: Vec::new(),
            card: String::new(),
            updated: None,
        },
        canonical: None,
        header,
        name: "error",
        starts_on_top: false,
        linked_data: None,
        main: html! {
            section.error.sky aria-labelledby="error-heading" {
                div.page {
                    h1 #error-heading { (errors.heading) }
                    p.status { (status) }
                    @if status == StatusCode::NOT_FOUND {
                        ol.error-log role="list" { @for line in &errors.log { li { (line) } } }
                    }
                    p.actions {
                        a.button.button-primary href="/" { (errors.home) }
                        a.button.button-quiet href="/contact" { (errors.contact) }
                    }
                }
                (clouds::high_sky())
            }
        },
    }
}
