//! The content codings at their highest level (RFC 9110, section 8.4.1).
//!
//! Their encoders are generic, so they are compiled with the crate that calls them. A crate of their
//! own is optimised in development builds, too.

use std::io::{self, Write};

use ::brotli::{BrotliCompress, enc::BrotliEncoderParams};
use flate2::{Compression, write::GzEncoder};

/// The bytes as brotli (RFC 7932).
///
/// # Errors
/// Where the encoder fails.
pub fn brotli(identity: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoded = Vec::new();
    let params = BrotliEncoderParams {
        quality: 11,
        lgwin: window(identity.len()),
        size_hint: identity.len(),
        ..Default::default()
    };
    BrotliCompress(&mut &*identity, &mut encoded, &params)?;
    Ok(encoded)
}

/// The bytes as gzip (RFC 1952).
///
/// # Errors
/// Where the encoder fails.
pub fn gzip(identity: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(identity)?;
    encoder.finish()
}

/// The bits of the smallest window that holds the whole text (RFC 7932, section 9.1): the encoder
/// takes memory by its window.
fn window(length: usize) -> i32 {
    (16..22).find(|bits| (1 << bits) - 16 >= length).unwrap_or(22)
}
