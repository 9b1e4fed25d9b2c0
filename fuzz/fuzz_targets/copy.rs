//! The copy with a piece of it replaced: no text makes its reader panic, and each refusal says
//! something.

#![no_main]

use libfuzzer_sys::fuzz_target;
use site::{copy::SiteCopy, views::links};

const COPY: &str = include_str!("../../site/content/site.toml");

fuzz_target!(|input: (u16, u8, &str)| {
    let (at, length, replacement) = input;
    let start = COPY.floor_char_boundary(usize::from(at) % COPY.len());
    let end = COPY.floor_char_boundary((start + usize::from(length)).min(COPY.len()));
    let text = [&COPY[..start], replacement, &COPY[end..]].concat();
    for text in [text.as_str(), replacement] {
        if let Err(error) = SiteCopy::parse("site.toml", text, links::problem) {
            assert!(!error.to_string().is_empty());
        }
    }
});
