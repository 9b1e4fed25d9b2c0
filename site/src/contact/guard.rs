//! Rate limits and spam marks for the contact form.

mod quota;

use std::{
    convert::identity,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use ipnet::IpNet;
use poem::http::{HeaderMap, HeaderName, header};

use super::message::PostedForm;

use quota::{Quota, Uses};

/// One client may send 5 messages at once, and then one more every 2 minutes.
const CLIENT: Quota = Quota { burst: 5, interval: Duration::from_mins(2) };
/// A network may send 60 messages at once, and then one more every 10 seconds.
const NETWORK: Quota = Quota { burst: 60, interval: Duration::from_secs(10) };
/// Beyond 60 messages at once, and then one every second, messages of all are marked as suspected.
const OVERALL: Quota = Quota { burst: 60, interval: Duration::from_secs(1) };
/// A form that was filled in within less was filled in by a machine.
const LEAST_FILL_TIME: Duration = Duration::from_secs(2);

/// Decides who may send, and which messages are marked.
pub struct Guard {
    counts: Mutex<Counts>,
    trusted_proxies: Vec<IpNet>,
}

struct Counts {
    clients: Uses<IpAddr>,
    networks: Uses<IpAddr>,
    overall: Uses<()>,
}

/// A message that may be stored, and was counted.
#[derive(Debug)]
pub struct Admitted {
    client: IpAddr,
    /// Whether there are more messages just now than people write.
    pub crowded: bool,
}

/// A message that came too soon after others.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    /// Whose quota is used up.
    pub by: Limit,
    /// How long to wait.
    pub wait: Duration,
}

/// Whose messages are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Those of one client: an IPv4 address, or an IPv6 /64, which is what one household or host
    /// has (RFC 6177).
    Client,
    /// Those of an IPv4 /24, or of an IPv6 /48, which is the most that one customer has.
    Network,
}

impl Guard {
    /// Believes `X-Forwarded-For` only as far as these proxies wrote it.
    pub fn new(trusted_proxies: Vec<IpNet>) -> Self {
        let counts = Counts {
            clients: Uses::new(CLIENT),
            networks: Uses::new(NETWORK),
            overall: Uses::new(OVERALL),
        };
        Self { counts: Mutex::new(counts), trusted_proxies }
    }

    /// Counts one message of this client, unless it has to wait; a refused one counts for nobody.
    /// No number of others ever keeps a client out: beyond the overall quota messages are marked.
    pub fn admit(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Result<Admitted, Refused> {
        let client = self.client(peer, headers);
        let network = network(client);
        let now = Instant::now();
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = [
            (Limit::Client, counts.clients.wait(client, now)),
            (Limit::Network, counts.networks.wait(network, now)),
        ];
        if let Some((by, wait)) = waits.into_iter().find(|(_, wait)| !wait.is_zero()) {
            return Err(Refused { by, wait });
        }
        counts.clients.count(client, now);
        counts.networks.count(network, now);
        let crowded = !counts.overall.wait((), now).is_zero();
        if !crowded {
            counts.overall.count((), now);
        }
        Ok(Admitted { client, crowded })
    }

    /// Gives back what a message was counted for that could not be stored.
    pub fn give_back(&self, admitted: &Admitted) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.clients.give_back(admitted.client);
        counts.networks.give_back(network(admitted.client));
        if !admitted.crowded {
            counts.overall.give_back(());
        }
    }

    /// Forgets clients whose quota is whole again, so that the memory for them doesn't grow.
    pub fn forget_idle_clients(&self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        counts.clients.forget(now);
        counts.networks.forget(now);
    }

    /// The client as quotas count it: an IPv4 address, or an IPv6 /64.
    pub fn client(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> IpAddr {
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.to_canonical());
        let forwarded = headers.get_all(HeaderName::from_static("x-forwarded-for"));
        let hops = forwarded.iter().flat_map(|value| value.to_str().unwrap_or("?").split(','));
        // Each proxy adds the address that it was asked from at the end. Entries before an
        // unreadable one are not trusted.
        let mut hops = hops.map(address).rev().map_while(identity);
        let mut client = peer;
        while self.trusted_proxies.iter().any(|net| net.contains(&client)) {
            let Some(hop) = hops.next() else { break };
            client = hop;
        }
        first_bits(client, 32, 64)
    }
}

/// The network of a client, as [`Limit::Network`] says.
pub(super) fn network(client: IpAddr) -> IpAddr {
    first_bits(client, 24, 48)
}

/// An address of which only the first bits are left.
fn first_bits(address: IpAddr, of_v4: u32, of_v6: u32) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & u32::MAX << (32 - of_v4)))
        }
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & u128::MAX << (128 - of_v6)))
        }
    }
}

/// One hop of `X-Forwarded-For`; some proxies add the port, or brackets.
fn address(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let bare = hop.strip_prefix('[').and_then(|hop| hop.strip_suffix(']')).unwrap_or(hop);
    let address = bare.parse().or_else(|_| hop.parse().map(|with_port: SocketAddr| with_port.ip()));
    address.ok().map(|address| address.to_canonical())
}

/// Whether the form was posted from one of our own pages, as far as the browser says
/// (Fetch Metadata; RFC 6454), or from a page of the site that another host serves. A client that sends
/// neither header is no browser, so it can't be tricked into a cross-site request.
pub fn is_same_origin(headers: &HeaderMap, own_origin: &str) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = text(header::ORIGIN);
    if origin == Some(own_origin) {
        return true;
    }
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = origin else { return true };
    let host = origin.split_once("://").map(|(_, host)| host);
    host.is_some() && host == text(header::HOST)
}

/// Why a machine may have written the form, or nothing.
pub fn suspicion(form: &PostedForm, admitted: &Admitted) -> Option<&'static str> {
    match (form.honeypot.as_deref(), form.fill_time) {
        (None, _) => Some("the hidden field was left out"),
        (Some(text), _) if !text.is_empty() => Some("the hidden field was filled in"),
        (_, Some(time)) if time < LEAST_FILL_TIME => {
            Some("the form was filled in within 2 seconds")
        }
        _ if admitted.crowded => Some("it came among very many others"),
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
        assert_eq!(client(&guard, "::1", "[2001:db8:1:2::3]"), "2001:db8:1:2::");
        assert_eq!(client(&guard, "::1", "[2001:db8:1:2::3]:4711"), "2001:db8:1:2::");
        assert_eq!(client(&guard, "::1", "nonsense"), "::");
        assert_eq!(client(&guard, "2001:db8:1:2:3:4:5:6", ""), "2001:db8:1:2::");
    }

    fn admit(guard: &Guard, peer: impl Into<IpAddr>) -> Result<Admitted, Refused> {
        guard.admit(Some(peer.into()), &HeaderMap::new())
    }

    #[test]
    fn a_client_may_send_five_messages_and_is_then_told_how_long_to_wait() {
        let guard = Guard::new(Vec::new());
        for _ in 0..5 {
            admit(&guard, [203, 0, 113, 1]).unwrap();
        }
        let Refused { by, wait } = admit(&guard, [203, 0, 113, 1]).unwrap_err();
        assert_eq!(by, Limit::Client);
        assert!(wait > Duration::from_mins(1) && wait <= Duration::from_mins(2), "{wait:?}");
        admit(&guard, [203, 0, 113, 2]).unwrap();
    }

    #[test]
    fn a_network_has_a_quota_of_its_own_and_its_refusals_cost_a_client_nothing() {
        let guard = Guard::new(Vec::new());
        for host in 0..60 {
            admit(&guard, [203, 0, 113, host]).unwrap();
        }
        for _ in 0..9 {
            assert_eq!(admit(&guard, [203, 0, 113, 99]).unwrap_err().by, Limit::Network);
        }
        let counts = guard.counts.lock().unwrap();
        assert_eq!(counts.clients.wait([203, 0, 113, 99].into(), Instant::now()), Duration::ZERO);
        drop(counts);
        admit(&guard, [203, 0, 114, 1]).unwrap();

        let guard = Guard::new(Vec::new());
        for site in 0..60 {
            admit(&guard, Ipv6Addr::new(0x2001, 0xdb8, 1, site, 0, 0, 0, 1)).unwrap();
        }
        let neighbour = Ipv6Addr::new(0x2001, 0xdb8, 1, 99, 0, 0, 0, 1);
        assert_eq!(admit(&guard, neighbour).unwrap_err().by, Limit::Network);
    }

    #[test]
    fn however_many_send_at_once_whoever_has_sent_nothing_is_admitted() {
        let guard = Guard::new(Vec::new());
        let crowded = (0..1000_u32).map(|number| {
            let peer = Ipv4Addr::from_bits(number << 8);
            admit(&guard, peer).unwrap().crowded
        });
        assert!(crowded.filter(|crowded| *crowded).count() >= 900);
    }

    #[test]
    fn what_was_not_stored_is_given_back() {
        let guard = Guard::new(Vec::new());
        for _ in 0..100 {
            let admitted = admit(&guard, [203, 0, 113, 1]).unwrap();
            guard.give_back(&admitted);
        }
        assert!(!admit(&guard, [203, 0, 113, 2]).unwrap().crowded);
    }

    #[test]
    fn a_form_on_another_site_is_told_apart() {
        let own = "https://example.com";
        for (pairs, here) in [
            (&[][..], true),
            (&[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")], true),
            (&[("sec-fetch-site", "cross-site"), ("origin", "https://example.com")], true),
            (&[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")], false),
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
        let alone = Admitted { client: [203, 0, 113, 1].into(), crowded: false };
        for (body, suspected) in [
            ("website=&elapsed_ms=", false),
            ("website=&elapsed_ms=9000", false),
            ("website=&elapsed_ms=300", true),
            ("website=http%3A%2F%2Fspam", true),
            ("name=Ada", true),
        ] {
            assert_eq!(suspicion(&read(body), &alone).is_some(), suspected, "{body}");
        }
        let crowded = Admitted { crowded: true, ..alone };
        assert!(suspicion(&read("website=&elapsed_ms="), &crowded).is_some());
    }
}
