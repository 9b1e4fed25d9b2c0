//! HTML with places that the server fills in for one visitor.
//!
//! A component is rendered once with a mark in each place, and React writes the mark wherever the
//! value goes: into the markup, and into the props of an island. So the markup stays the
//! component's own, and the server need not know it.

use serde::{Deserialize, Serialize};

/// A place to be filled in, as it travels through a component: one of the 32 code points that
/// Unicode keeps for internal use (Unicode, section 23.7, "Noncharacters"), so no text holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark(u8);

const FIRST_MARK: u32 = 0xFDD0;
const MARKS: u8 = 32;

impl Mark {
    /// The mark with this number, from 0 to 31.
    ///
    /// # Panics
    ///
    /// With a greater number: marks are constants of the code.
    pub const fn new(number: u8) -> Self {
        assert!(number < MARKS);
        Self(number)
    }

    /// The mark as text for a component's props.
    pub fn text(self) -> String {
        char::from(self).to_string()
    }

    /// The mark that a letter is, if it is one.
    fn read(letter: char) -> Option<Self> {
        let number = u8::try_from(u32::from(letter).checked_sub(FIRST_MARK)?).ok()?;
        (number < MARKS).then_some(Self(number))
    }
}

impl From<Mark> for char {
    #[expect(clippy::expect_used, reason = "all 32 noncharacters are Unicode scalar values")]
    fn from(mark: Mark) -> Self {
        Self::from_u32(FIRST_MARK + u32::from(mark.0)).expect("a scalar value")
    }
}

/// HTML in pieces.
#[derive(Debug, Serialize, Deserialize)]
pub struct Template(Vec<Piece>);

#[derive(Debug, Serialize, Deserialize)]
enum Piece {
    Html(String),
    Value(Mark, Place),
}

/// Where a value goes, which decides how it is escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Place {
    /// A text or an attribute.
    Markup,
    /// The start of a text area, of which HTML drops a first line feed (HTML, section 13.2.6.4.7).
    TextArea,
    /// A string in the props of an island.
    Json,
}

const PROPS: &str = "<script type=\"application/json\">";

impl Template {
    /// Takes HTML in which marks stand.
    pub fn new(html: &str) -> Self {
        let mut pieces = Vec::new();
        let mut written = 0;
        for (at, letter) in html.char_indices() {
            let Some(mark) = Mark::read(letter) else { continue };
            let before = &html[..at];
            let in_props = before.rfind(PROPS) > before.rfind("</script>");
            let in_text_area = before.ends_with('>')
                && before.rfind('<').is_some_and(|tag| before[tag..].starts_with("<textarea"));
            let place = match () {
                () if in_props => Place::Json,
                () if in_text_area => Place::TextArea,
                () => Place::Markup,
            };
            pieces.push(Piece::Html(html[written..at].to_owned()));
            pieces.push(Piece::Value(mark, place));
            written = at + letter.len_utf8();
        }
        pieces.push(Piece::Html(html[written..].to_owned()));
        Self(pieces)
    }

    /// The HTML with a value in each place.
    pub fn fill<'v>(&self, value: impl Fn(Mark) -> &'v str) -> String {
        let mut html = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Html(text) => html.push_str(text),
                Piece::Value(mark, place) => write(&mut html, value(*mark), *place),
            }
        }
        html
    }
}

fn write(html: &mut String, value: &str, place: Place) {
    match place {
        Place::Json => html.push_str(&json(value)),
        Place::TextArea if value.starts_with('\n') => {
            html.push('\n');
            escape(html, value);
        }
        Place::TextArea | Place::Markup => escape(html, value),
    }
}

/// As React escapes texts and attributes, so that an island finds the markup that it would write.
fn escape(html: &mut String, value: &str) {
    for letter in value.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#x27;"),
            other => html.push(other),
        }
    }
}

/// The inside of a JSON string that can't end the script element that it stands in.
fn json(value: &str) -> String {
    let quoted = serde_json::Value::from(value).to_string();
    quoted[1..quoted.len() - 1].replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_escaped_for_the_place_where_it_stands() {
        let mark = Mark::new(3).text();
        let html = format!(
            "<p title=\"{mark}\">{mark}</p><textarea>{mark}</textarea>{PROPS}{{\"a\":\"{mark}\"}}</script><b>{mark}</b>"
        );
        let template = Template::new(&html);
        let evil = "\n</script>\"'&";
        let escaped = "\n&lt;/script&gt;&quot;&#x27;&amp;";
        assert_eq!(
            template.fill(|_| evil),
            format!(
                "<p title=\"{escaped}\">{escaped}</p><textarea>\n{escaped}</textarea>{PROPS}{{\"a\":\"\\n\\u003c/script>\\\"'&\"}}</script><b>{escaped}</b>"
            )
        );
    }

    #[test]
    fn a_value_that_holds_a_mark_stays_as_it_is() {
        let marks = [Mark::new(0).text(), Mark::new(31).text()];
        let template = Template::new(&format!("<p>{}</p>", marks[0]));
        assert_eq!(template.fill(|_| &marks[1]), format!("<p>{}</p>", marks[1]));
    }
}
