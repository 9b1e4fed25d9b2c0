//! Final bytes and how they are answered: encodings, validators, ranges (RFC 9110).

mod negotiation;

use bytes::Bytes;
use poem::{
    Body, Response,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
};
use sha2::{Digest, Sha256};

use negotiation::{accepts, byte_range, matches_etag};

/// How long and where an answer may be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caching {
    /// Pages: browsers ask each time, shared caches keep them and outlive a failure behind them.
    Page,
    /// Files with a hash in their name: forever.
    Immutable,
    /// Files under a fixed name: an hour.
    Fixed,
    /// Errors and answers to one visitor: never.
    Never,
}

impl Caching {
    fn value(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Page => {
                "public, max-age=0, s-maxage=60, stale-while-revalidate=86400, stale-if-error=604800"
            }
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::Fixed => "public, max-age=3600",
            Self::Never => "no-store",
        })
    }
}

/// An answer that is the same for every visitor, in each encoding that it is kept in.
#[derive(Debug)]
pub struct Resource {
    status: StatusCode,
    identity: Encoded,
    /// Smallest first.
    compressed: Vec<Encoded>,
}

/// The bytes in one encoding, with all headers that go with them.
#[derive(Debug)]
struct Encoded {
    coding: &'static str,
    headers: HeaderMap,
    body: Bytes,
}

/// The bytes of a resource before it is put together.
pub struct Draft {
    /// The status of the answer.
    pub status: StatusCode,
    /// The media type.
    pub content_type: &'static str,
    /// How long and where it may be kept.
    pub caching: Caching,
    /// The headers that only this resource has.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The bytes without any encoding.
    pub identity: Bytes,
    /// The bytes in the encodings that are worth keeping, smallest first.
    pub compressed: Vec<(&'static str, Bytes)>,
}

impl Draft {
    /// Finishes the resource: each encoding gets its own strong validator and its headers.
    pub fn finish(self) -> Resource {
        let digest = hex::encode(&Sha256::digest(&self.identity)[..12]);
        let varies = !self.compressed.is_empty();
        let encoded = |coding: &'static str, body: Bytes| {
            let mut headers: HeaderMap = self.headers.iter().cloned().collect();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
            headers.insert(header::CACHE_CONTROL, self.caching.value());
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
            headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            let kept = self.caching != Caching::Never;
            if let (true, Ok(etag)) =
                (kept, HeaderValue::from_str(&format!("\"{digest}-{coding}\"")))
            {
                headers.insert(header::ETAG, etag);
            }
            if varies {
                headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            }
            if coding != IDENTITY {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
            } else if kept && !varies {
                headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
            }
            Encoded { coding, headers, body }
        };
        Resource {
            status: self.status,
            identity: encoded(IDENTITY, self.identity.clone()),
            compressed: self
                .compressed
                .iter()
                .map(|(coding, body)| encoded(coding, body.clone()))
                .collect(),
        }
    }
}

const IDENTITY: &str = "identity";

impl Resource {
    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The bytes without any encoding.
    pub fn identity(&self) -> &Bytes {
        &self.identity.body
    }

    /// The bytes in an encoding that the resource is kept in, such as `br`.
    pub fn in_coding(&self, coding: &str) -> Option<&Bytes> {
        self.compressed.iter().find(|encoded| encoded.coding == coding).map(|encoded| &encoded.body)
    }

    /// Answers a GET request; poem takes the body away for HEAD and leaves the headers.
    pub fn answer(&self, request: &HeaderMap) -> Response {
        let encoded = self.choose(request);
        let fresh = self.status == StatusCode::OK
            && request
                .get(header::IF_NONE_MATCH)
                .is_some_and(|sent| matches_etag(sent, encoded.headers.get(header::ETAG)));
        if fresh {
            return not_modified(&encoded.headers);
        }
        if let Some(range) = self.wanted_range(request) {
            return self.partial(range);
        }
        let body = Body::from_bytes(encoded.body.clone());
        let mut response = Response::builder().status(self.status).body(body);
        *response.headers_mut() = encoded.headers.clone();
        response
    }

    fn choose(&self, request: &HeaderMap) -> &Encoded {
        let Some(accepted) = request.get(header::ACCEPT_ENCODING) else { return &self.identity };
        self.compressed
            .iter()
            .find(|encoded| accepts(accepted, encoded.coding))
            .unwrap_or(&self.identity)
    }

    /// A range is answered for files that have no compressed form: images and fonts.
    fn wanted_range<'r>(&self, request: &'r HeaderMap) -> Option<&'r HeaderValue> {
        let unconditional = !request.contains_key(header::IF_RANGE)
            || request.get(header::IF_RANGE) == self.identity.headers.get(header::ETAG);
        let applies = self.identity.headers.contains_key(header::ACCEPT_RANGES) && unconditional;
        request.get(header::RANGE).filter(|_| applies)
    }

    fn partial(&self, range: &HeaderValue) -> Response {
        let length = self.identity.body.len();
        let mut headers = self.identity.headers.clone();
        let (status, body, content_range) = match byte_range(range, length) {
            Some(Ok(range)) => (
                StatusCode::PARTIAL_CONTENT,
                self.identity.body.slice(range.clone()),
                format!("bytes {}-{}/{length}", range.start, range.end - 1),
            ),
            Some(Err(())) => {
                (StatusCode::RANGE_NOT_SATISFIABLE, Bytes::new(), format!("bytes */{length}"))
            }
            None => (self.status, self.identity.body.clone(), String::new()),
        };
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
        if let (false, Ok(value)) =
            (content_range.is_empty(), HeaderValue::from_str(&content_range))
        {
            headers.insert(header::CONTENT_RANGE, value);
        }
        let mut response = Response::builder().status(status).body(Body::from_bytes(body));
        *response.headers_mut() = headers;
        response
    }
}

/// RFC 9110, section 15.4.5: the headers that the full answer would have had to refresh a cache.
fn not_modified(full: &HeaderMap) -> Response {
    let mut response = Response::builder().status(StatusCode::NOT_MODIFIED).body(Body::empty());
    *response.headers_mut() = full.clone();
    for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        response.headers_mut().remove(name);
    }
    response
}
