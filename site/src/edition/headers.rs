//! Response headers of documents: security policy and `Retry-After`.

use base64::{Engine, prelude::BASE64_STANDARD};
use poem::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::views::{Ingredients, contact::Recipient, layout::SPECULATION_RULES};

/// The headers of a document with the styles of this name.
pub(super) fn of_document(with: Ingredients<'_>, name: &str) -> anyhow::Result<HeaderMap> {
    let style = with.assets.inline(&format!("{name}.css"))?;
    let policy = policy(style, with.assets.inline("loader.js")?, with.recipient);
    let fixed = HeaderValue::from_static;
    Ok(HeaderMap::from_iter([
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy)?),
        (header::REFERRER_POLICY, fixed("strict-origin")),
        (
            HeaderName::from_static("permissions-policy"),
            fixed("camera=(), geolocation=(), microphone=()"),
        ),
        (HeaderName::from_static("cross-origin-opener-policy"), fixed("same-origin")),
    ]))
}

/// The `Retry-After` of a 503, in seconds (RFC 9110, section 10.2.3).
pub(super) fn retry_after(status: StatusCode) -> Option<(HeaderName, HeaderValue)> {
    let unavailable = status == StatusCode::SERVICE_UNAVAILABLE;
    unavailable.then(|| (header::RETRY_AFTER, HeaderValue::from_static("5")))
}

/// Allows a page to load from its own host, to run the one script, follow the rules and use the one
/// style sheet that it carries, and to post its form to this site or whoever else takes it (CSP Level 3;
/// hashes instead of nonces, so that caches can keep pages). No script may make markup or code of a text
/// (Trusted Types, section 4.3).
fn policy(style: &str, script: &str, recipient: &Recipient) -> String {
    let elsewhere = match recipient {
        Recipient::Elsewhere(address) => format!(" {}", address.origin().ascii_serialization()),
        Recipient::Site(_) | Recipient::Nobody => String::new(),
    };
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src 'self' {} {}; style-src 'self' {}; img-src 'self'; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; form-action 'self'{elsewhere}; base-uri 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        hash(script),
        hash(SPECULATION_RULES),
        hash(style),
    )
}
