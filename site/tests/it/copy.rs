//! The copy: mistakes are named all at once, with line and field.

use site::{
    copy::{CopyError, SiteCopy},
    publisher::CopySource,
    sections::EstimateProps,
    views::links,
};

use crate::support::test_copy_file;

fn text() -> String {
    std::fs::read_to_string(test_copy_file()).unwrap()
}

fn parse(text: &str) -> Result<SiteCopy, CopyError> {
    SiteCopy::parse("site.toml", text, links::problem)
}

#[test]
fn every_mistake_is_named_with_file_line_field_and_what_is_expected() {
    let broken = text()
        .replace("name = \"Tickfleet\"", "name = \"\"")
        .replace("copyright_year = 2025", "copyright_year = \"this year\"")
        .replace("address = \"https://tickfleet.example\"", "address = \"tickfleet.example/\"")
        .replace("documentation = \"Docs\"", "docs = \"Docs\"")
        .replace("href = \"/#features\"", "href = \"features\"")
        .replace("label = \"About\"", "label = \"Ab\u{200b}out\"")
        .replace("phone = \"+1 512 555 0142\"", "phone = \"call us\"")
        .replace("email = \"hello@tickfleet.example\"", "email = \"hello at tickfleet\"")
        .replace("id = \"plans\"", "id = \"support\"")
        .replace(", missing = \"Enter your name\"", "")
        .replace(", malformed = ", ", mistyped = ")
        .replace("social_label = \"Follow us\"", "social_label = 5")
        .replace("name = \"Starter\"", "name = \"Starter\"\nhighlighted = true")
        .replace("language = \"en-US\"", "language = \"english\"")
        .replace("currency = \"USD\"", "currency = \"dollars\"")
        .replace("security_expires = \"2027-10-01\"", "security_expires = \"in October\"")
        .replace("Use {limit} characters", "Use {limits} characters")
        .replace("{name} {what}. {count}, {rate} kB/s", "{name}. {count}, {rate} kB/s")
        .replace("question = \"What is {site.name}?\"", "question = \"What is {site.nam}?\"")
        .replace("hundreds of", "{home.faq.entries.plans.answer.1} of")
        .replace("Hundreds of", "{home.faq.entries.plans.answer.1} and {");
    let error = parse(&broken).unwrap_err();
    insta::assert_snapshot!("mistakes", error.to_string());
}

#[test]
fn a_file_that_is_no_toml_is_refused_with_its_line() {
    let error = parse("[site]\nname = Tickfleet\n").unwrap_err();
    insta::assert_snapshot!("no_toml", error.to_string());
}

#[test]
fn a_link_that_leads_nowhere_and_a_text_that_is_too_long_are_named() {
    let mut broken = text();
    for (right, wrong) in [
        ("href = \"/#features\"", "href = \"/#featurs\""),
        (
            "{ label = \"Contact\", href = \"/contact\" }",
            "{ label = \"Contact\", href = \"/contact/\" }",
        ),
        ("{ label = \"Careers\" }", "{ label = \"Careers\", href = \"/careers\" }"),
        ("{ label = \"About\" }", "{ label = \"About\", href = \"/privacy#who\" }"),
        ("{ label = \"Education\" }", "{ label = \"Education\", href = \"/#plans\" }"),
        ("{ label = \"Game Studios\" }", "{ label = \"Game Studios\", href = \"/llms.txt\" }"),
        ("headline = \"Game Server Hosting", "headline = \"Gameserverhosting"),
        ("dashboard = \"Dashboard\"", "dashboard = \"To the dashboard of your servers\""),
    ] {
        assert!(broken.contains(right), "the tests' copy has no {right} to break");
        broken = broken.replace(right, wrong);
    }
    insta::assert_snapshot!("links", parse(&broken).unwrap_err().to_string());
}

#[test]
fn a_price_in_words_that_is_too_long_is_told_what_to_write_instead() {
    let told = parse(&text().replace("\"$500\"", "\"On request\"")).unwrap_err().to_string();
    let wanted = "expected at most 7 characters, found 10; a price in words is a short one, such as \"Custom\"";
    assert!(told.contains(wanted), "{told}");
    let told = parse(&text().replace("\"$500\"", "\"$500,000\"")).unwrap_err().to_string();
    assert!(told.ends_with("expected at most 7 characters, found 8"), "{told}");
    let custom =
        text().replace("\"$500\"\nperiod = \"per month\"", "\"Custom\"\nperiod = \"on request\"");
    assert_eq!(parse(&custom).unwrap().pricing.cards.plans[2].price, "Custom");
}

#[test]
fn a_text_that_begins_with_a_slash_is_no_link() {
    let before = text();
    let text = before.replace("period = \"per month\"", "period = \"/month\"");
    assert_ne!(text, before, "the tests' copy has a period to change");
    assert_eq!(parse(&text).unwrap().pricing.cards.plans[0].period, "/month");
}

/// TOML's own mistakes, in words that need no knowledge of TOML.
#[test]
fn a_slip_of_the_pen_is_told_in_plain_words() {
    let told: Vec<_> = [
        "[site]\nname = \"Tickfleet\nlanguage = \"en\"",
        "[site]\nname = \"Tick\"fleet\"",
        "[site]\nname \"Tickfleet\"",
        "[site]\nname = \"C:\\new\\page\"",
        "[site\nname = \"Tickfleet\"",
        "[site]\nname = \"a\"\nname = \"b\"",
        "[site]\n[links]\n[site]\n",
        "links = [ { label = \"Docs\" \n",
        "[site]\nname = 'Tickfleet",
        "[site]\nname = \u{201c}Tickfleet\u{201d}",
        "[site]\ncopyright_year = 2025th",
        "[[site]]\n[site]\n",
        "[plan]\nhighlighted = Yes",
        "[site]\n\u{a0}name = \"Tickfleet\"",
        "",
    ]
    .into_iter()
    .map(|text| {
        let told = parse(text).unwrap_err().to_string();
        format!("{text}\n=> {}\n", told.lines().next().unwrap_or_default())
    })
    .collect();
    insta::assert_snapshot!("slips", told.join("\n"));
}

/// Printed as it is, one of them would move the cursor, turn the text around, or leave the reader puzzled.
#[test]
fn a_character_that_cant_be_seen_is_told_by_name_or_by_what_to_do() {
    for (text, wanted) in [
        ("[site]\nname = \"Tick\u{202e}fleet\"", "(U+202E, a mark of the direction of writing)"),
        ("[site]\nname = \"Tick\u{7}fleet\"", "(U+0007) stands in this text"),
        ("[site]\nname = \u{7}\"Tickfleet\"", "(U+0007) stands here"),
        ("[site]\rname = \"Tickfleet\"\r", "the line ends of Unix (LF) or Windows (CRLF)"),
        ("[\0s\0i\0t\0e\0]\0", "save the file as UTF-8"),
    ] {
        let told = parse(text).unwrap_err().to_string();
        assert!(told.contains(wanted), "{told}");
        assert!(told.chars().all(|character| character == '\n' || !character.is_control()));
    }
}

#[test]
fn a_mistake_is_told_before_the_references_that_it_breaks() {
    let broken = text().replace("price = \"$15\"", "price = 15");
    let told = parse(&broken).unwrap_err().to_string();
    let first = told.lines().next().unwrap_or_default();
    assert!(first.ends_with("plans.1.price: expected a text, found a number"), "{told}");
    assert!(told.contains("plans.starter.price}` leads to no text of this file"), "{told}");
}

#[test]
fn two_plans_with_one_id_are_both_named() {
    let broken = text().replace("id = \"enterprise\"", "id = \"starter\"");
    let told = parse(&broken).unwrap_err().to_string();
    let again = "expected an id that no other plan has, found \"starter\" again";
    assert_eq!(told.matches(again).count(), 2, "{told}");
}

#[test]
fn a_question_that_is_called_as_another_part_of_its_page_is_named() {
    let told = parse(&text().replace("id = \"plans\"", "id = \"room\"")).unwrap_err().to_string();
    assert!(
        told.contains("expected an id that nothing else on the page has, found \"room\""),
        "{told}"
    );
}

#[test]
fn a_text_that_only_looks_like_what_it_must_be_is_refused() {
    for (right, wrong) in [
        ("id = \"plans\"", "id = \"\""),
        ("bandwidth = \"60GB\"", "bandwidth = \"0GB\""),
        ("bandwidth = \"60GB\"", "bandwidth = \"+60GB\""),
        ("phone = \"+1 512 555 0142\"", "phone = \"+\""),
        ("copyright_year = 2025", "copyright_year = 20255"),
        ("copyright_year = 2025", "copyright_year = 25"),
        ("copyright_year = 2025", "copyright_year = 70000"),
        ("security_expires = \"2027-10-01\"", "security_expires = \"1027-10-01\""),
        ("address = \"https://tickfleet.example\"", "address = \"https://tickfleet.example/\""),
    ] {
        assert!(text().contains(right), "the tests' copy has no {right}");
        assert!(parse(&text().replace(right, wrong)).is_err(), "{wrong} was taken");
    }
}

#[test]
fn a_host_is_the_address_without_scheme_and_port() {
    for (address, host) in [
        ("https://tickfleet.example", "tickfleet.example"),
        ("http://localhost:3000", "localhost"),
        ("http://[::1]:3000", "[::1]"),
        ("http://[::1]", "[::1]"),
    ] {
        let copy = parse(&text().replace("https://tickfleet.example", address)).unwrap();
        assert_eq!(copy.site.address.host(), host);
    }
}

/// A price and a name are written once: whatever repeats them follows.
#[test]
fn one_change_of_a_plan_changes_every_sentence_that_repeats_it() {
    let changed = text().replace("\"$50\"", "\"$55\"").replace("\"60GB\"", "\"80GB\"");
    let changed = changed.replace("\"Starter\"", "\"Basic\"");
    let copy = parse(&changed).unwrap();
    let said = serde_json::to_string(&copy).unwrap();
    for old in ["$50 ", "60GB", "Starter"] {
        assert!(!said.contains(old), "{old} still stands in the copy");
    }
    for new in
        ["Basic at $15, Professional at $55", "$55\u{a0}per month with 250GB", "Basic is for indie"]
    {
        assert!(said.contains(new), "{new} doesn't stand in the copy");
    }
}

#[test]
fn the_estimate_has_the_smallest_plan_first_whatever_the_order_of_the_cards() {
    let turned = text().replace("\"60GB\"", "\"8TB\"");
    let plans = EstimateProps::new(&parse(&turned).unwrap()).plans;
    let bandwidths: Vec<_> = plans.iter().map(|plan| plan.bandwidth.as_str()).collect();
    assert_eq!(bandwidths, ["250GB", "3TB", "8TB"]);
}

#[test]
fn no_cut_or_flipped_file_panics() {
    let text = text();
    for end in (0..text.len()).step_by(29).filter(|end| text.is_char_boundary(*end)) {
        let _ = parse(&text[..end]);
        let flipped = format!("{}]{}", &text[..end], &text[end..]);
        let _ = parse(&flipped);
    }
}

/// The owner's own copy; every other test reads one of its own.
#[test]
fn the_copy_that_a_release_carries_is_in_order() {
    CopySource::Embedded.load().unwrap();
}
