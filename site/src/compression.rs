//! Compressed forms of what is served: made once at the highest level, and kept.

use std::io;

use bytes::Bytes;

use crate::kept::{KeptFiles, Key};

/// A content coding (RFC 9110, section 8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coding {
    /// The name in `Accept-Encoding` and `Content-Encoding`.
    pub name: &'static str,
    /// What a file's name ends with that is encoded so.
    pub extension: &'static str,
}

/// The codings that are made; the one that is always smaller first.
pub const CODINGS: [Coding; 2] =
    [Coding { name: "br", extension: "br" }, Coding { name: "gzip", extension: "gz" }];

/// The bytes in each of these codings that makes them smaller, from the kept files where they are
/// there.
pub fn compressed(
    identity: &Bytes,
    codings: &[Coding],
    kept: &KeptFiles,
) -> io::Result<Vec<(Coding, Bytes)>> {
    let mut forms = Vec::new();
    for &coding in codings {
        let key = Key::new(coding.name, &[identity]);
        let form = if let Some(form) = kept.get(&key) {
            form
        } else {
            let form = compress(coding, identity)?;
            kept.put(&key, &form);
            form
        };
        forms.push((coding, Bytes::from(form)));
    }
    forms.retain(|(_, form)| form.len() < identity.len());
    Ok(forms)
}

fn compress(coding: Coding, identity: &Bytes) -> io::Result<Vec<u8>> {
    if coding.name == "gzip" { codings::gzip(identity) } else { codings::brotli(identity) }
}
