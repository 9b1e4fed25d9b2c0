//! Drawings of the source tree as parts of a page.

/// A drawing without what only a file of its own needs: in HTML the parser gives it its namespace
/// (HTML, section 13.2.6.1), and the last line's end is the file's.
pub fn inline(file: &str) -> String {
    file.trim_end().replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1)
}
