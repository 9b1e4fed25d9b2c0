//! Final bytes and how they are answered: encodings and validators (RFC 9110).

mod negotiation;

use std::borrow::Cow;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use poem::{
    Body,
    http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{compression::Coding, headers::EveryAnswer};

use negotiation::{accepts, matches_etag};

/// How long and where an answer may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Caching {
    /// Pages: shared caches keep them for a minute. They and browsers may show one once more while they
    /// fetch it again, and outlive a failure behind it.
    Page,
    /// Files with a hash in their name: forever.
    Immutable,
    /// Files under a fixed name: an hour.
    Fixed,
    /// Errors and answers to one visitor: never.
    Never,
}

impl Caching {
    /// The value of `Cache-Control` (RFC 9111, section 5.2; RFC 5861).
    pub fn value(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Page => {
                "max-age=0, s-maxage=60, stale-while-revalidate=86400, stale-if-error=604800"
            }
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::Fixed => "public, max-age=3600",
            Self::Never => "no-store",
        })
    }
}

/// What is to be answered, before it is encoded.
#[derive(Clone, Serialize, Deserialize)]
pub struct Original {
    /// The status of the answer.
    #[serde(with = "http_serde::status_code")]
    pub status: StatusCode,
    /// The media type.
    pub content_type: Cow<'static, str>,
    /// How long and where it may be kept.
    pub caching: Caching,
    /// The headers that only this resource has.
    #[serde(with = "http_serde::header_map")]
    pub headers: HeaderMap,
    #[serde(with = "as_text")]
    /// The bytes.
    pub body: Bytes,
}

/// Pages are text, and are kept as text.
mod as_text {
    use bytes::Bytes;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::Error};

    pub(super) fn serialize<S: Serializer>(body: &Bytes, to: S) -> Result<S::Ok, S::Error> {
        str::from_utf8(body).map_err(S::Error::custom)?.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        String::deserialize(from).map(Bytes::from)
    }
}

/// An answer that is the same for every visitor, in each encoding that it is kept in.
#[derive(Debug)]
pub struct Resource {
    status: StatusCode,
    identity: Encoded,
    /// Smallest first.
    compressed: Vec<(Coding, Encoded)>,
}

/// The bytes in one encoding, with all headers that go with them.
#[derive(Debug)]
struct Encoded {
    headers: HeaderMap,
    body: Bytes,
}

impl Resource {
    /// Gives each encoding its own strong validator and its headers; `compressed` is sorted by size.
    pub fn new(original: Original, compressed: Vec<(Coding, Bytes)>) -> Self {
        let digest = hex::encode(&Sha256::digest(&original.body)[..8]);
        let varies = !compressed.is_empty();
        let content_type = HeaderValue::from_str(&original.content_type)
            .unwrap_or(HeaderValue::from_static("application/octet-stream"));
        let encoded = |coding: Option<Coding>, body: Bytes| {
            let mut headers = original.headers.clone();
            headers.insert(header::CONTENT_TYPE, content_type.clone());
            headers.insert(header::CACHE_CONTROL, original.caching.value());
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
            if original.caching != Caching::Never {
                headers.insert(header::ETAG, etag(&digest, coding));
            }
            if varies {
                headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            }
            if let Some(coding) = coding {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name));
            }
            Encoded { headers, body }
        };
        Self {
            status: original.status,
            compressed: compressed
                .into_iter()
                .map(|(coding, body)| (coding, encoded(Some(coding), body)))
                .collect(),
            identity: encoded(None, original.body.clone()),
        }
    }

    /// The same with what every answer has.
    #[must_use]
    pub fn completed(mut self, every: &EveryAnswer) -> Self {
        let compressed = self.compressed.iter_mut().map(|(_, encoded)| encoded);
        for encoded in compressed.chain([&mut self.identity]) {
            every.complete(&mut encoded.headers);
        }
        self
    }

    /// The bytes without any encoding.
    pub fn identity(&self) -> &Bytes {
        &self.identity.body
    }

    /// The headers that go with them.
    pub fn headers(&self) -> &HeaderMap {
        &self.identity.headers
    }

    /// The compressed forms.
    pub fn compressed(&self) -> impl Iterator<Item = (Coding, &Bytes)> {
        self.compressed.iter().map(|(coding, encoded)| (*coding, &encoded.body))
    }

    /// Status, headers and bytes without any encoding.
    pub fn whole(&self) -> (StatusCode, HeaderMap, Bytes) {
        (self.status, self.identity.headers.clone(), self.identity.body.clone())
    }

    /// Answers a request of this method with these headers.
    pub fn answer(&self, method: &Method, request: &HeaderMap) -> Response<Bytes> {
        let encoded = self.choose(request);
        let fresh = self.status == StatusCode::OK
            && matches_etag(request, encoded.headers.get(header::ETAG));
        if fresh {
            return not_modified(&encoded.headers);
        }
        let body = if method == Method::HEAD { Bytes::new() } else { encoded.body.clone() };
        with_head(self.status, encoded.headers.clone(), body)
    }

    fn choose(&self, request: &HeaderMap) -> &Encoded {
        self.compressed
            .iter()
            .find(|(coding, _)| accepts(request, coding.name))
            .map_or(&self.identity, |(_, encoded)| encoded)
    }
}

/// The answer as poem's routes give theirs.
pub fn of_a_route(answer: Response<Bytes>) -> poem::Response {
    answer.map(|body| BoxBody::from(Body::from_bytes(body))).into()
}

/// A strong validator (RFC 9110, section 8.8.3): other bytes, other tag.
#[expect(clippy::expect_used, reason = "hexadecimal digits and a coding's name are visible ASCII")]
fn etag(digest: &str, coding: Option<Coding>) -> HeaderValue {
    let coding = coding.map_or("identity", |coding| coding.name);
    HeaderValue::from_str(&format!("\"{digest}-{coding}\"")).expect("visible ASCII")
}

/// RFC 9110, section 15.4.5: the headers that the full answer would have had to refresh a cache.
fn not_modified(full: &HeaderMap) -> Response<Bytes> {
    let mut headers = full.clone();
    for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        headers.remove(name);
    }
    with_head(StatusCode::NOT_MODIFIED, headers, Bytes::new())
}

fn with_head(status: StatusCode, headers: HeaderMap, body: Bytes) -> Response<Bytes> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
