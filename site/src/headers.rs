//! The headers that every answer has, whoever gives it.

use poem::http::{HeaderMap, HeaderName, HeaderValue, header};

/// What is added to an answer wherever it says nothing itself.
#[derive(Clone, Debug)]
pub struct EveryAnswer(Vec<(HeaderName, HeaderValue)>);

impl EveryAnswer {
    /// With this value of `Strict-Transport-Security` (RFC 6797, section 6.1).
    pub fn new(strict_transport_security: HeaderValue) -> Self {
        let fixed = HeaderValue::from_static;
        Self(vec![
            (header::STRICT_TRANSPORT_SECURITY, strict_transport_security),
            (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
            (HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin")),
            // What is no document of ours may load nothing, should a browser show it as one.
            (header::CONTENT_SECURITY_POLICY, fixed("default-src 'none'; frame-ancestors 'none'")),
            (header::CACHE_CONTROL, fixed("no-store")),
        ])
    }

    /// Adds what is missing.
    pub fn complete(&self, headers: &mut HeaderMap) {
        for (name, value) in &self.0 {
            headers.entry(name).or_insert_with(|| value.clone());
        }
    }
}
