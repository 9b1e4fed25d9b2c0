//! The call to action that a page ends with.

use maud::{Markup, html};

use super::{clouds, icons};

/// Words and actions before a skyline, where a room of eight places has one that is free.
pub(super) fn scene(heading: &str, text: &str, actions: &Markup) -> Markup {
    html! {
        section.closing.sky aria-labelledby="closing-heading" {
            div.page {
                div {
                    h2 #closing-heading { (heading) }
                    p { (text) }
                    p.actions { (actions) }
                }
            }
            (clouds::low_sky(&icons::room()))
        }
    }
}
