//! Posted forms: no bytes make the parser panic, and what it accepts keeps its promises.

#![no_main]

use libfuzzer_sys::fuzz_target;
use site::{
    contact::message::{ContactMessage, PostedForm},
    form::{ContactField, FieldKind},
};

fn parse(body: &[u8]) -> Option<ContactMessage> {
    ContactMessage::parse(&PostedForm::read(body)).ok()
}

fuzz_target!(|body: &[u8]| {
    let Some(message) = parse(body) else { return };
    for (field, text) in message.fields().iter() {
        let rule = field.rule();
        assert_eq!(text, text.trim());
        assert!(text.chars().count() <= rule.limit && !(rule.required && text.is_empty()));
        let is_text = rule.kind == FieldKind::Text;
        assert!(text.chars().all(|c| !c.is_control() || is_text && (c == '\n' || c == '\t')));
    }
    assert!(message.fields()[ContactField::Email].contains('@'));

    let fields: Vec<_> =
        message.fields().iter().map(|(field, text)| (field.as_str(), text)).collect();
    let again = serde_urlencoded::to_string(fields).expect("strings can be encoded");
    let again = parse(again.as_bytes()).expect("what was accepted once is accepted again");
    assert!(again.fields() == message.fields());
});
