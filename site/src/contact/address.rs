//! The address of whoever wrote, as mail servers take it.

use std::str::FromStr;

use lettre::Address;
use url::Host;

/// The address that mail is sent to: a local part of letters as browsers take it (HTML, section
/// 4.10.5.1.5), with dots between others only (RFC 5321, section 4.1.2: `Dot-string`), and a domain in ASCII
/// (RFC 5891), however it was spelled. Nothing where no mail could reach a person: nobody's mailbox is at a
/// bare IP address or at a host without a domain, and an acknowledgement sent there could go to any machine.
pub fn mailable(typed: &str) -> Option<Address> {
    let typed = Address::from_str(typed).ok()?;
    let Ok(Host::Domain(domain)) = Host::parse(typed.domain()) else { return None };
    let is_known = |c: char| c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c);
    if !domain.contains('.') || !typed.user().chars().all(is_known) {
        return None;
    }
    Address::new(typed.user(), domain).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_that_mail_can_be_sent_to() {
        for (typed, mailed) in [
            ("ada@example.com", Some("ada@example.com")),
            ("a.b+c@mail.Example.co.uk", Some("a.b+c@mail.example.co.uk")),
            ("ada@bücher.example", Some("ada@xn--bcher-kva.example")),
            // However it is spelled, it is one mailbox.
            ("ada@exam\u{ad}ple.com", Some("ada@example.com")),
            ("ada@exam\u{200b}ple.com", Some("ada@example.com")),
            ("ada@ⓔxample。com", Some("ada@example.com")),
            ("zoë@example.com", None),
            ("ada.@example.com", None),
            ("a..da@example.com", None),
            ("\"ada\"@example.com", None),
            ("\"a b\"@example.com", None),
            ("ada", None),
            ("ada@", None),
            ("@example.com", None),
            ("ada@exa mple.com", None),
            ("root@localhost", None),
            ("ada@127.0.0.1", None),
            ("ada@127.1", None),
            ("ada@[127.0.0.1]", None),
            ("ada@::1", None),
            ("ada@[::1]", None),
            ("ada@[IPv6:::1]", None),
        ] {
            assert_eq!(mailable(typed), mailed.map(|it| it.parse().unwrap()), "{typed}");
        }
    }
}
