//! Response headers of documents: security policy and `Retry-After`.

use base64::{Engine, prelude::BASE64_STANDARD};
use poem::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::{assets::Assets, views::layout::SPECULATION_RULES};

/// The headers of a document with the styles of this name.
pub(super) fn of_document(assets: &Assets, name: &str) -> anyhow::Result<HeaderMap> {
    let policy = policy(assets.inline(&format!("{name}.css"))?, assets.inline("loader.js")?);
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
/// style sheet that it carries, and to post its form to this site (CSP Level 3; hashes instead of nonces, so that caches
/// can keep pages). No script may make markup or code of a text (Trusted Types, section 4.3).
fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src 'self' {} {}; style-src 'self' {}; img-src 'self'; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        hash(script),
        hash(SPECULATION_RULES),
        hash(style),
    )
}
