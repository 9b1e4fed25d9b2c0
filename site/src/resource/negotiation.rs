//! What a request asks for: content coding and validators (RFC 9110).

use poem::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Whether `Accept-Encoding` lets a coding through (RFC 9110, section 12.5.3).
///
/// Our codings are kept smallest first, so the first one with a weight above zero is the best
/// answer; a visitor's own order among several accepted codings would only cost them bytes.
pub(super) fn accepts(request: &HeaderMap, coding: &str) -> bool {
    let weight_of = |wanted: &str| {
        items(request, header::ACCEPT_ENCODING).find_map(|item| {
            let mut parts = item.splitn(2, |byte| *byte == b';').map(<[u8]>::trim_ascii);
            let is_wanted = parts.next()?.eq_ignore_ascii_case(wanted.as_bytes());
            is_wanted.then(|| parts.next().map_or(1.0, weight))
        })
    };
    weight_of(coding).or_else(|| weight_of("*")).is_some_and(|weight| weight > 0.0)
}

fn weight(parameter: &[u8]) -> f32 {
    let value = parameter.strip_prefix(b"q=").or_else(|| parameter.strip_prefix(b"Q="));
    let weight = |value: &[u8]| str::from_utf8(value.trim_ascii()).ok()?.parse().ok();
    value.map_or(1.0, |value| weight(value).unwrap_or(0.0))
}

/// Whether `If-None-Match` names the validator; compared weakly (RFC 9110, section 13.1.2).
pub(super) fn matches_etag(request: &HeaderMap, etag: Option<&HeaderValue>) -> bool {
    let Some(etag) = etag.map(HeaderValue::as_bytes) else { return false };
    items(request, header::IF_NONE_MATCH)
        .any(|item| item == b"*" || item.strip_prefix(b"W/").unwrap_or(item) == etag)
}

/// The items of a list, which may stand in several lines (RFC 9110, section 5.3).
fn items(request: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &[u8]> {
    let lines = request.get_all(name).into_iter().map(HeaderValue::as_bytes);
    lines.flat_map(|line| line.split(|byte| *byte == b',')).map(<[u8]>::trim_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request with these lines of one header.
    fn request(name: HeaderName, lines: &[&'static str]) -> HeaderMap {
        let lines = lines.iter().map(|line| (name.clone(), HeaderValue::from_static(line)));
        lines.collect()
    }

    #[test]
    fn a_coding_is_taken_only_with_a_weight_above_zero() {
        for (text, br) in [
            ("gzip, deflate, br, zstd", true),
            ("br;q=0.1, gzip", true),
            ("BR", true),
            ("*", true),
            ("br;q=0, *", false),
            ("gzip;q=1.0, *;q=0", false),
            ("identity", false),
            ("br;q=nonsense", false),
            ("", false),
        ] {
            assert_eq!(accepts(&request(header::ACCEPT_ENCODING, &[text]), "br"), br, "{text}");
        }
        assert!(accepts(&request(header::ACCEPT_ENCODING, &["gzip", "br"]), "br"));
    }

    #[test]
    fn a_validator_is_found_in_a_list_and_in_its_weak_form() {
        let etag = HeaderValue::from_static("\"abc-br\"");
        for (text, found) in [
            ("\"abc-br\"", true),
            ("W/\"abc-br\"", true),
            ("\"x\", \"abc-br\"", true),
            ("*", true),
            ("\"abc-gzip\"", false),
        ] {
            let request = request(header::IF_NONE_MATCH, &[text]);
            assert_eq!(matches_etag(&request, Some(&etag)), found, "{text}");
        }
        let request = request(header::IF_NONE_MATCH, &["\"x\"", "\"abc-br\""]);
        assert!(matches_etag(&request, Some(&etag)));
    }
}
