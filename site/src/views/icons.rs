//! Drawings and marks: our own, part of the page, silent to screen readers.

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
    /// A message on its way.
    message = "../images/message.svg";
    /// The mark of X.
    x = "x.svg";
    /// The mark of TikTok.
    tiktok = "tiktok.svg";
    /// The mark of Discord.
    discord = "discord.svg";
    /// From a build by a server to a room, in three blocks.
    blocks = "../features/blocks.svg";
    /// A wall that lets through what belongs, and stops what doesn't.
    wall = "../features/wall.svg";
    /// A room of eight places, of which one is free, and beyond its left edge two more houses.
    room = "../features/room.svg";
    /// What somebody wrote.
    letter = "../privacy/letter.svg";
    /// An hour that runs out.
    glass = "../privacy/glass.svg";
    /// Where messages stay.
    server = "../privacy/server.svg";
    /// A browser's window, with nothing in it.
    window = "../privacy/window.svg";
    /// Somebody asks.
    question = "../privacy/question.svg";
}
