//! Icons and marks: our own drawings, one colour each, part of the page, silent to screen readers.

use maud::{Markup, html};

use super::raw::drawing;

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $file:literal;)*) => {$(
        $(#[$doc])*
        pub(super) fn $name() -> Markup {
            let svg = include_str!(concat!("../../../assets/icons/", $file));
            html! { span.icon aria-hidden="true" { (drawing(svg)) } }
        }
    )*};
}

icons! {
    /// The product's own mark.
    mark = "../images/mark.svg";
    /// The mark of X.
    x = "x.svg";
    /// The mark of TikTok.
    tiktok = "tiktok.svg";
    /// The mark of Discord.
    discord = "discord.svg";
    /// Speed.
    bolt = "bolt.svg";
    /// Security.
    shield = "shield.svg";
    /// Reliability.
    uptime = "uptime.svg";
}
