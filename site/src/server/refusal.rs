//! What hyper answers by itself, with the headers and the view that every refusal has.
//!
//! A head that is too long, or none at all, never reaches the routes: hyper answers it with a bare
//! status line, and offers no way to say more.

use std::{
    io::{self, IoSlice, Write},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use bytes::{Buf, Bytes};
use poem::http::{HeaderMap, StatusCode};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::crowd::Activity;

/// How hyper begins such an answer, and no answer that comes from the routes; the date ends it. A write
/// may also begin within a page, with such bytes that a visitor typed; it doesn't end as a head does.
const BARE: &[u8] = b"HTTP/1.1 4";
const EMPTY: &[u8] = b"\r\nconnection: close\r\ncontent-length: 0\r\n";

/// The headers and the body of a refusal.
pub type Refuse = dyn Fn(StatusCode) -> (StatusCode, HeaderMap, Bytes) + Send + Sync;

/// A connection on which hyper's bare refusals leave complete, and which tells when something left.
pub(super) struct Completed<S> {
    stream: S,
    refuse: Arc<Refuse>,
    activity: Arc<Activity>,
    /// What is still to be sent instead of so many bytes of hyper's.
    instead: Option<(Bytes, usize)>,
}

impl<S> Completed<S> {
    /// Looks through what is written to the stream.
    pub(super) fn new(stream: S, refuse: Arc<Refuse>, activity: Arc<Activity>) -> Self {
        Self { stream, refuse, activity, instead: None }
    }
}

/// The status of a bare refusal, and what follows on how it begins: the date, which ends the head.
fn bare<'a>(written: &'a [IoSlice<'_>]) -> Option<(StatusCode, &'a [u8])> {
    let (bytes, rest) = written.split_first()?;
    if !bytes.starts_with(BARE) || rest.iter().any(|bytes| !bytes.is_empty()) {
        return None;
    }
    let line_end = bytes.iter().position(|byte| *byte == b'\r')?;
    let status = StatusCode::from_bytes(bytes.get(9..12)?).ok()?;
    let date = bytes[line_end..].strip_prefix(EMPTY)?;
    date.ends_with(b"\r\n\r\n").then_some((status, date))
}

fn complete(
    (status, headers, body): (StatusCode, HeaderMap, Bytes),
    date: &[u8],
) -> io::Result<Bytes> {
    let mut bytes = Vec::with_capacity(1024 + body.len());
    write!(bytes, "HTTP/1.1 {status}\r\nconnection: close\r\n")?;
    for (name, value) in &headers {
        bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    bytes.extend(date);
    bytes.extend(body);
    Ok(bytes.into())
}

impl<S: AsyncWrite + Unpin> Completed<S> {
    /// Sends what stands in the place of hyper's bytes, which count as written then.
    fn poll_instead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        while let Some((bytes, replaced)) = &mut self.instead {
            if bytes.is_empty() {
                let replaced = *replaced;
                self.instead = None;
                return Poll::Ready(Ok(replaced));
            }
            let written = ready!(Pin::new(&mut self.stream).poll_write(cx, bytes))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            bytes.advance(written);
        }
        Poll::Ready(Ok(0))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Completed<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        if this.instead.is_none()
            && let Some((status, date)) = bare(bytes)
        {
            let replaced = bytes.iter().map(|bytes| bytes.len()).sum();
            this.instead = Some((complete((this.refuse)(status), date)?, replaced));
        }
        if this.instead.is_some() {
            return this.poll_instead(cx);
        }
        let written = ready!(Pin::new(&mut this.stream).poll_write_vectored(cx, bytes))?;
        this.activity.written();
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Completed<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, future::ready};

    use http_body_util::Full;
    use hyper::{Response, server::conn::http1, service::service_fn};
    use hyper_util::rt::TokioIo;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::super::crowd::Crowd;
    use super::*;

    const WORDS: &str = "HTTP/1.1 400 x\r\nconnection: close\r\ncontent-length: 0\r\n";

    /// What a server answers whose stream takes so many bytes at once.
    async fn answer(room: usize) -> String {
        let (mut client, stream) = duplex(room);
        let mut crowd = Crowd::new(1);
        crowd.add(|activity| async {
            let refuse = |status| (status, HeaderMap::new(), Bytes::from("refused"));
            let stream = Completed::new(stream, Arc::new(refuse), activity);
            let page = Full::<Bytes>::from(format!("<textarea>{WORDS}</textarea>"));
            let service = service_fn(|_| ready(Ok::<_, Infallible>(Response::new(page.clone()))));
            http1::Builder::new().serve_connection(TokioIo::new(stream), service).await.unwrap();
        });
        client.write_all(b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        answer
    }

    /// A form that comes back has what its sender typed, and a write may end right before it.
    #[tokio::test]
    async fn a_page_that_holds_what_a_refusal_begins_with_leaves_as_it_is() {
        let whole = answer(1 << 16).await;
        let before = whole.find(WORDS).unwrap();
        assert!(answer(before).await.ends_with(&whole[before..]));
    }
}
