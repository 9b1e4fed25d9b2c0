//! The copy: mistakes are named all at once, with line and field.

use site::{copy::SiteCopy, publisher::CopySource};

use crate::support::test_copy_file;

fn text() -> String {
    std::fs::read_to_string(test_copy_file()).unwrap()
}

#[test]
fn every_mistake_is_named_with_file_line_field_and_what_is_expected() {
    let broken = text()
        .replace("name = \"Tickfleet\"", "name = \"\"")
        .replace("copyright_year = 2025", "copyright_year = \"this year\"")
        .replace("address = \"https://tickfleet.example\"", "address = \"tickfleet.example/\"")
        .replace("documentation = \"Docs\"", "docs = \"Docs\"")
        .replace("href = \"/#features\"", "href = \"features\"")
        .replace("phone = \"+1 512 555 0142\"", "phone = \"call us\"")
        .replace("email = \"hello@tickfleet.example\"", "email = \"hello at tickfleet\"")
        .replace("id = \"plans\"", "id = \"support\"")
        .replace(", missing = \"Enter your name\"", "")
        .replace(", malformed = ", ", mistyped = ")
        .replace("social_label = \"Follow us\"", "social_label = 5")
        .replace("name = \"Starter\"", "name = \"Starter\"\nhighlighted = true");
    let error = SiteCopy::parse("site.toml", &broken).unwrap_err();
    insta::assert_snapshot!("mistakes", error.to_string());
}

#[test]
fn a_file_that_is_no_toml_is_refused_with_its_line() {
    let error = SiteCopy::parse("site.toml", "[site]\nname = Tickfleet\n").unwrap_err();
    assert_eq!(error.mistakes()[0].line, 2);
    insta::assert_snapshot!("no_toml", error.to_string());
}

#[test]
fn no_cut_or_flipped_file_panics() {
    let text = text();
    for end in (0..text.len()).step_by(7).filter(|end| text.is_char_boundary(*end)) {
        let _ = SiteCopy::parse("cut", &text[..end]);
        let flipped = format!("{}]{}", &text[..end], &text[end..]);
        let _ = SiteCopy::parse("flipped", &flipped);
    }
}

/// The owner's own copy; every other test reads one of its own.
#[test]
fn the_copy_that_a_release_carries_is_in_order() {
    CopySource::Embedded.load().unwrap();
}
