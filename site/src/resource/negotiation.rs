//! What a request asks for: content coding and validators (RFC 9110).

use poem::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Whether `Accept-Encoding` lets a coding through (RFC 9110, section 12.5.3).
///
/// Our codings are kept smallest first, so the first one with a weight above zero is the best
/// answer; a visitor's own order among several accepted codings would only cost them bytes.
pub(super) fn accepts(request: &HeaderMap, coding: &str) -> bool {
    let weight_of = |wanted: &str| {
        items(request, header::ACCEPT_ENCODING).find_map(|item| {
            let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
            name.trim().eq_ignore_ascii_case(wanted).then(|| weight(parameters))
        })
    };
    weight_of(coding).or_else(|| weight_of("*")).is_some_and(|weight| weight > 0.0)
}

fn weight(parameters: &str) -> f32 {
    let parameter = parameters.trim();
    let value = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="));
    value.map_or(1.0, |value| value.trim().parse().unwrap_or(0.0))
}

/// Whether `If-None-Match` names the validator; compared weakly (RFC 9110, section 13.1.2).
pub(super) fn matches_etag(request: &HeaderMap, etag: Option<&HeaderValue>) -> bool {
    let Some(Ok(etag)) = etag.map(HeaderValue::to_str) else { return false };
    items(request, header::IF_NONE_MATCH)
        .any(|item| item == "*" || item.trim_start_matches("W/") == etag)
}

/// The items of a list, which may stand in several lines (RFC 9110, section 5.3).
fn items(request: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let lines = request.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim)
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
