//! What a request asks for: content coding, validators and ranges (RFC 9110).

use std::ops::Range;

use poem::http::HeaderValue;

/// Whether `Accept-Encoding` lets a coding through (RFC 9110, section 12.5.3).
///
/// Our codings are kept smallest first, so the first one with a weight above zero is the best
/// answer; a visitor's own order among several accepted codings would only cost them bytes.
pub(super) fn accepts(header: &HeaderValue, coding: &str) -> bool {
    let Ok(header) = header.to_str() else { return false };
    let weight_of = |wanted: &str| {
        header.split(',').find_map(|item| {
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
pub(super) fn matches_etag(header: &HeaderValue, etag: Option<&HeaderValue>) -> bool {
    let (Ok(header), Some(Ok(etag))) = (header.to_str(), etag.map(HeaderValue::to_str)) else {
        return false;
    };
    header
        .split(',')
        .map(str::trim)
        .any(|item| item == "*" || item.trim_start_matches("W/") == etag)
}

/// The one range that `Range` asks for, or an error where it lies outside of the file.
///
/// Nothing where the header asks for several ranges or another unit: then the whole file is the
/// right answer (RFC 9110, section 14.2).
pub(super) fn byte_range(header: &HeaderValue, length: usize) -> Option<Result<Range<usize>, ()>> {
    let (first, last) = header.to_str().ok()?.strip_prefix("bytes=")?.split_once('-')?;
    let range = if first.is_empty() {
        let suffix: usize = last.parse().ok()?;
        length.saturating_sub(suffix)..length
    } else {
        let end =
            if last.is_empty() { length } else { last.parse::<usize>().ok()?.saturating_add(1) };
        first.parse().ok()?..end.min(length)
    };
    Some(if range.is_empty() { Err(()) } else { Ok(range) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &'static str) -> HeaderValue {
        HeaderValue::from_static(text)
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
            assert_eq!(accepts(&header(text), "br"), br, "{text}");
        }
    }

    #[test]
    fn a_validator_is_found_in_a_list_and_in_its_weak_form() {
        let etag = header("\"abc-br\"");
        for (text, found) in [
            ("\"abc-br\"", true),
            ("W/\"abc-br\"", true),
            ("\"x\", \"abc-br\"", true),
            ("*", true),
            ("\"abc-gzip\"", false),
        ] {
            assert_eq!(matches_etag(&header(text), Some(&etag)), found, "{text}");
        }
    }

    #[test]
    fn ranges_are_cut_to_the_file() {
        for (text, range) in [
            ("bytes=0-3", Some(Ok(0..4))),
            ("bytes=8-", Some(Ok(8..10))),
            ("bytes=-4", Some(Ok(6..10))),
            ("bytes=-40", Some(Ok(0..10))),
            ("bytes=5-99999999999999999999", None),
            ("bytes=10-", Some(Err(()))),
            ("bytes=-0", Some(Err(()))),
            ("bytes=0-1,3-4", None),
            ("lines=0-1", None),
        ] {
            assert_eq!(byte_range(&header(text), 10), range, "{text}");
        }
    }
}
