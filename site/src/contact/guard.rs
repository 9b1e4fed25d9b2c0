//! Rate limits and spam marks for the contact form.

use std::{
    convert::identity,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    num::NonZeroU32,
    time::Duration,
};

use governor::{
    DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};
use ipnet::IpNet;
use poem::http::{HeaderMap, HeaderName, header};

use super::message::PostedForm;

/// One client may send 5 messages at once, and then one more every 2 minutes.
const CLIENT: Quota =
    Quota::per_hour(NonZeroU32::new(30).unwrap()).allow_burst(NonZeroU32::new(5).unwrap());
/// All clients together may send 60 messages at once, and then one more every second.
const OVERALL: Quota = Quota::per_minute(NonZeroU32::new(60).unwrap());
/// A form that was filled in within less was filled in by a machine.
const LEAST_FILL_TIME: Duration = Duration::from_secs(2);

/// Decides who may send, and which messages are marked.
pub struct Guard {
    clients: DefaultKeyedRateLimiter<IpAddr>,
    overall: DefaultDirectRateLimiter,
    trusted_proxies: Vec<IpNet>,
}

impl Guard {
    /// Believes `X-Forwarded-For` only as far as these proxies wrote it.
    pub fn new(trusted_proxies: Vec<IpNet>) -> Self {
        Self {
            clients: RateLimiter::keyed(CLIENT),
            overall: RateLimiter::direct(OVERALL),
            trusted_proxies,
        }
    }

    /// Counts one message of this client; an error says how long to wait.
    pub fn admit(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Result<(), Duration> {
        let now = DefaultClock::default().now();
        self.clients
            .check_key(&self.client(peer, headers))
            .and_then(|()| self.overall.check())
            .map_err(|refusal| refusal.wait_time_from(now))
    }

    /// Forgets clients whose quota is whole again, so that the memory for them doesn't grow.
    pub fn forget_idle_clients(&self) {
        self.clients.retain_recent();
        self.clients.shrink_to_fit();
    }

    /// The address that quotas are counted by. One household or host has a whole IPv6 /64
    /// (RFC 6177), so that is what counts as one client.
    fn client(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> IpAddr {
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.to_canonical());
        let forwarded = headers.get_all(HeaderName::from_static("x-forwarded-for"));
        let hops = forwarded.iter().flat_map(|value| value.to_str().unwrap_or("?").split(','));
        // Each proxy adds the address that it was asked from at the end. Entries before an
        // unreadable one are not trusted.
        let mut hops = hops.map(address).collect::<Vec<_>>().into_iter().rev().map_while(identity);
        let mut client = peer;
        while self.trusted_proxies.iter().any(|net| net.contains(&client)) {
            let Some(hop) = hops.next() else { break };
            client = hop;
        }
        match client {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
            }
        }
    }
}

/// One hop of `X-Forwarded-For`; some proxies add the port.
fn address(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let address = hop.parse().or_else(|_| hop.parse().map(|with_port: SocketAddr| with_port.ip()));
    address.ok().map(|address| address.to_canonical())
}

/// Whether the form was posted from one of our own pages, as far as the browser says
/// (Fetch Metadata; RFC 6454). A client that sends neither header is no browser,
/// so it can't be tricked into a cross-site request.
pub fn is_same_origin(headers: &HeaderMap, own_origin: &str) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = text(header::ORIGIN) else { return true };
    let host = origin.split_once("://").map(|(_, host)| host);
    origin == own_origin || (host.is_some() && host == text(header::HOST))
}

/// Why a machine may have written the form, or nothing.
pub fn suspicion(form: &PostedForm) -> Option<&'static str> {
    match (form.honeypot.as_deref(), form.fill_time) {
        (None, _) => Some("the hidden field was left out"),
        (Some(text), _) if !text.is_empty() => Some("the hidden field was filled in"),
        (_, Some(time)) if time < LEAST_FILL_TIME => {
            Some("the form was filled in within 2 seconds")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    fn client(guard: &Guard, peer: &str, forwarded: &'static str) -> String {
        let headers = headers(&[("x-forwarded-for", forwarded)]);
        guard.client(peer.parse().ok(), &headers).to_string()
    }

    #[test]
    fn a_client_is_the_last_address_that_no_trusted_proxy_has() {
        let guard = Guard::new(vec!["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()]);
        assert_eq!(client(&guard, "10.0.0.1", "203.0.113.9"), "203.0.113.9");
        assert_eq!(client(&guard, "10.0.0.1", "1.2.3.4, 203.0.113.9, 10.0.0.2"), "203.0.113.9");
        assert_eq!(client(&guard, "10.0.0.1", "1.2.3.4, 203.0.113.9:4711"), "203.0.113.9");
        assert_eq!(client(&guard, "10.0.0.1", "1.2.3.4, unknown"), "10.0.0.1");
        assert_eq!(client(&guard, "203.0.113.1", "1.2.3.4"), "203.0.113.1");
        assert_eq!(client(&guard, "::ffff:10.0.0.1", "203.0.113.9"), "203.0.113.9");
        assert_eq!(client(&guard, "::1", "nonsense"), "::");
        assert_eq!(client(&guard, "2001:db8:1:2:3:4:5:6", ""), "2001:db8:1:2::");
    }

    #[test]
    fn a_client_may_send_five_messages_and_is_then_told_how_long_to_wait() {
        let guard = Guard::new(Vec::new());
        let peer = "203.0.113.1".parse().ok();
        for _ in 0..5 {
            guard.admit(peer, &HeaderMap::new()).unwrap();
        }
        let wait = guard.admit(peer, &HeaderMap::new()).unwrap_err();
        assert!(wait > Duration::from_mins(1) && wait <= Duration::from_mins(2), "{wait:?}");
        guard.admit("203.0.113.2".parse().ok(), &HeaderMap::new()).unwrap();
    }

    #[test]
    fn a_form_on_another_site_is_told_apart() {
        let own = "https://example.com";
        for (pairs, here) in [
            (&[][..], true),
            (&[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")], true),
            (&[("sec-fetch-site", "cross-site"), ("origin", "https://example.com")], false),
            (&[("sec-fetch-site", "same-site")], false),
            (&[("origin", "https://example.com"), ("host", "inner:3000")], true),
            (&[("origin", "http://inner:3000"), ("host", "inner:3000")], true),
            (&[("origin", "https://evil.example"), ("host", "inner:3000")], false),
            (&[("origin", "null"), ("host", "inner:3000")], false),
        ] {
            assert_eq!(is_same_origin(&headers(pairs), own), here, "{pairs:?}");
        }
    }

    #[test]
    fn signs_of_a_machine_are_suspected() {
        let read = |body: &str| PostedForm::read(body.as_bytes());
        for (body, suspected) in [
            ("website=&elapsed_ms=", false),
            ("website=&elapsed_ms=9000", false),
            ("website=&elapsed_ms=300", true),
            ("website=http%3A%2F%2Fspam", true),
            ("name=Ada", true),
        ] {
            assert_eq!(suspicion(&read(body)).is_some(), suspected, "{body}");
        }
    }
}
