//! Posted forms: no bytes make the parser panic, and what it accepts keeps its promises.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use site::{
    contact::message::{ContactMessage, PostedForm},
    content::Content,
};

static CONTENT: LazyLock<Content> = LazyLock::new(|| {
    Content::parse("site.toml", include_str!("../../site/content/site.toml"))
        .expect("the copy is in order")
});

fn parse(body: &[u8]) -> Option<ContactMessage> {
    ContactMessage::parse(&PostedForm::read(body), &CONTENT.contact.form.errors).ok()
}

fuzz_target!(|body: &[u8]| {
    let Some(message) = parse(body) else { return };
    for (line, limit) in [(message.name(), 100), (message.email(), 254), (message.company(), 100)] {
        assert!(line.chars().count() <= limit && !line.chars().any(char::is_control));
        assert_eq!(line, line.trim());
    }
    let words = message.message();
    assert!(!message.name().is_empty() && message.email().contains('@') && !words.is_empty());
    assert!(words.chars().count() <= 5000 && !words.contains('\r'));
    assert!(words.chars().all(|c| !c.is_control() || c == '\n' || c == '\t'));

    let fields = [
        ("name", message.name()),
        ("email", message.email()),
        ("company", message.company()),
        ("message", words),
    ];
    let again = serde_urlencoded::to_string(fields).expect("strings can be encoded");
    let again = parse(again.as_bytes()).expect("what was accepted once is accepted again");
    assert!(again.name() == message.name() && again.message() == words);
});
