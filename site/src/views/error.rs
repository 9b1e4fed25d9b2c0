//! The view of every route that failed (specification, section 8).

use maud::html;
use poem::http::StatusCode;

use crate::content::{Content, Meta};

use super::{Ingredients, clouds, layout::Page};

/// The title and tags of the error view.
pub fn meta(content: &Content, status: StatusCode) -> Meta {
    Meta {
        title: format!("{status} | {}", content.site.name),
        description: content.errors.heading.clone(),
        keywords: Vec::new(),
    }
}

/// The error view with the status text, never with a cause.
pub fn page<'a>(with: Ingredients<'a>, meta: &'a Meta, status: StatusCode) -> Page<'a> {
    let errors = &with.content.errors;
    Page {
        meta,
        canonical: None,
        current: None,
        name: "error",
        starts_on_top: false,
        main: html! {
            section.error.sky aria-labelledby="error-heading" {
                div.page {
                    h1 #error-heading { (errors.heading) }
                    p.status { (status) }
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
