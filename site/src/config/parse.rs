//! From a variable's text to its value, or what is wrong with the text: the rest of a sentence that
//! begins with the variable's name.

use std::{net::IpAddr, path::PathBuf, str::FromStr};

use ipnet::IpNet;
use lettre::{AsyncSmtpTransport, Tokio1Executor, message::Mailbox};
use poem::http::HeaderValue;
use url::Url;

use super::{AdminListen, LogFormat, SidecarAddress};

fn parsed<T: FromStr>(text: &str, expected: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("is \"{text}\"; expected {expected}"))
}

pub(super) fn address(text: &str) -> Result<IpAddr, String> {
    parsed(text, "an IP address such as 127.0.0.1")
}

pub(super) fn port(text: &str) -> Result<u16, String> {
    parsed(text, "a number from 0 to 65535")
}

pub(super) fn days(text: &str) -> Result<u16, String> {
    match parsed(text, "a number of days")? {
        0 => {
            Err("is 0: messages would go before anybody reads them; expected 1 or more".to_owned())
        }
        days => Ok(days),
    }
}

pub(super) fn admin(text: &str) -> Result<AdminListen, String> {
    if text == "off" {
        return Ok(None);
    }
    parsed(text, "an address with a port such as 127.0.0.1:9464, or off").map(Some)
}

pub(super) fn log_format(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err(format!("is \"{text}\"; expected text or json")),
    }
}

pub(super) fn header_value(text: &str) -> Result<HeaderValue, String> {
    parsed(text, "the value of a header")
}

pub(super) fn mailbox(text: &str) -> Result<Mailbox, String> {
    parsed(text, "an address such as \"Team <team@example.com>\"")
}

#[expect(clippy::unnecessary_wraps, reason = "the table calls functions that return a `Result`")]
pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    Ok(text.into())
}

#[expect(clippy::unnecessary_wraps, reason = "the table calls functions that return a `Result`")]
pub(super) fn text(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

pub(super) fn flag(text: &str) -> Result<bool, String> {
    match text {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(format!("is \"{text}\"; expected 0 or 1")),
    }
}

pub(super) fn sidecar(text: &str) -> Result<SidecarAddress, String> {
    // `Url` drops the port 80, as the sidecar's `URL` does.
    let refused = || {
        format!(
            "is \"{text}\"; expected unix:PATH, or http://127.0.0.1:PORT with a PORT other than 80"
        )
    };
    if let Some(path) = text.strip_prefix("unix:") {
        return if path.is_empty() {
            Err(refused())
        } else {
            Ok(SidecarAddress::Unix(path.into()))
        };
    }
    let url = Url::parse(text).map_err(|_| refused())?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    if url.scheme() == "http" && is_loopback(&url) && url.port().is_some() && bare {
        Ok(SidecarAddress::Http(url))
    } else {
        Err(refused())
    }
}

/// The address may hold a password and is not repeated.
pub(super) fn database(text: &str) -> Result<String, String> {
    let known = ["sqlite:", "postgres:", "postgresql:"];
    if known.iter().any(|scheme| text.starts_with(scheme)) {
        Ok(text.to_owned())
    } else {
        Err("must start with postgres:// or sqlite://".to_owned())
    }
}

/// The address may hold a password and is not repeated.
pub(super) fn smtp(text: &str) -> Result<String, String> {
    if exposes_password(text) {
        return Err(
            "would send the password unencrypted; use smtps:// or add ?tls=required".to_owned()
        );
    }
    match AsyncSmtpTransport::<Tokio1Executor>::from_url(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err("can't be used; expected smtps://USER:PASSWORD@HOST, or \
                       smtp://…?tls=required for STARTTLS"
            .to_owned()),
    }
}

fn exposes_password(smtp_url: &str) -> bool {
    Url::parse(smtp_url).is_ok_and(|url| {
        let starttls = url.query_pairs().any(|(name, value)| name == "tls" && value == "required");
        let encrypted = url.scheme() == "smtps" || starttls || is_loopback(&url);
        url.password().is_some() && !encrypted
    })
}

fn is_loopback(url: &Url) -> bool {
    matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"))
}

/// Separated by commas.
pub(super) fn networks(text: &str) -> Result<Vec<IpNet>, String> {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    let network = |item: &str| {
        let address = || item.parse::<IpAddr>().map(IpNet::from);
        item.parse::<IpNet>().or_else(|_| address()).map_err(|_| {
            format!("has \"{item}\"; expected an address or a network such as 10.0.0.0/8")
        })
    };
    items.map(network).collect()
}
