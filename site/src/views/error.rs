//! The view of every route that failed (docs/behaviour.md, "Errors").

use maud::html;
use poem::http::StatusCode;

use crate::copy::Meta;

use super::{
    Ingredients, clouds, icons,
    layout::{Document, Header},
};

/// The error view with the status text, never with a cause.
pub fn document(with: Ingredients<'_>, status: StatusCode, header: Header) -> Document {
    let errors = &with.copy.errors;
    let log = match status {
        StatusCode::NOT_FOUND => Some(&errors.not_found),
        StatusCode::SERVICE_UNAVAILABLE => Some(&errors.unavailable),
        _ => None,
    };
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
            section.error.sky.unlit[status.is_server_error()] aria-labelledby="error-heading" {
                div.page {
                    h1 #error-heading { (errors.heading) }
                    p.status { (status) }
                    @if let Some(log) = log {
                        ol.error-log role="list" { @for line in log { li { (line) } } }
                    }
                    p.actions {
                        @if status == StatusCode::SERVICE_UNAVAILABLE {
                            a.button.button-primary href="" { (errors.again) }
                            a.button.button-quiet href="/" { (errors.home) }
                        } @else {
                            a.button.button-primary href="/" { (errors.home) }
                        }
                        a.button.button-quiet href="/contact" { (errors.contact) }
                    }
                }
                (clouds::high_sky_with(&clouds::luminary(), &icons::room()))
            }
        },
    }
}
