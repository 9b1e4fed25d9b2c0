//! Icons and marks: our own drawings, one colour each, part of the page, silent to screen readers.

use maud::{Markup, PreEscaped, html};

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $file:literal;)*) => {$(
        $(#[$doc])*
        pub(super) fn $name() -> Markup {
            let drawing = include_str!(concat!("../../../assets/icons/", $file)).trim();
            html! { span.icon aria-hidden="true" { (PreEscaped(drawing)) } }
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
