//! Where everything is: the only file that reads the environment.

use std::{
    env::VarError,
    fmt,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use ipnet::IpNet;
use lettre::message::Mailbox;
use url::Url;

use crate::contact::mailer::{MailConfig, Mailer};

/// How the site runs; each field names its variable and its default.
#[derive(Clone, Debug)]
pub struct Config {
    /// `HOST` and `PORT`: where the site listens; `127.0.0.1` and `3000`.
    pub listen: SocketAddr,
    /// `STATE_DIR`: everything that is written at run time; `var`.
    pub state_dir: PathBuf,
    /// `SSR_ENDPOINT`: where the sidecar listens; `unix:STATE_DIR/ssr.sock`.
    pub sidecar: Endpoint,
    /// `SITE_CONTENT`: the copy; the file in the source tree, or the one embedded in a release build.
    pub content: Option<PathBuf>,
    /// `DATABASE_URL`: where messages are kept; SQLite at `STATE_DIR/contact.db`.
    pub database: String,
    /// `SMTP_URL`, `CONTACT_FROM`, `CONTACT_TO`: delivery by mail, all three or none; unset: messages
    /// are kept and `site messages` lists them.
    pub mail: Option<MailConfig>,
    /// `CONTACT_RETENTION_DAYS`: delivered messages are deleted after so many days; unset: never.
    pub retention_days: Option<u16>,
    /// `TRUSTED_PROXIES`: addresses and networks, separated by commas, whose `X-Forwarded-For` is
    /// believed; none.
    pub trusted_proxies: Vec<IpNet>,
    /// `SITE_DEV`: `1` reloads open browsers on a change and serves `/_preview`; off.
    pub development: bool,
    /// `RUST_LOG`: what is logged, as tracing's filter directives; `info`.
    pub log: String,
}

/// Where the sidecar listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// A Unix socket.
    Unix(PathBuf),
    /// A loopback address, such as `http://127.0.0.1:3001`.
    Http(Url),
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
            Self::Http(url) => write!(f, "{}", url.as_str().trim_end_matches('/')),
        }
    }
}

/// Every variable that can't be used, a sentence each.
#[derive(Debug)]
pub struct ConfigError(Vec<String>);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads the process environment.
    pub fn from_env() -> Result<Self, ConfigError> {
        Self::read(|name| match std::env::var(name) {
            Ok(value) => Some(Ok(value)),
            Err(VarError::NotPresent) => None,
            Err(VarError::NotUnicode(_)) => Some(Err("is not valid UTF-8".to_owned())),
        })
    }

    /// Reads variables from anywhere; an empty variable counts as unset.
    pub fn read(
        variable: impl Fn(&str) -> Option<Result<String, String>>,
    ) -> Result<Self, ConfigError> {
        let mut problems = Vec::new();
        let mut read = |name: &str| match variable(name)? {
            Ok(value) if value.is_empty() => None,
            Ok(value) => Some(value),
            Err(problem) => {
                problems.push(format!("{name} {problem}"));
                None
            }
        };
        let host = read("HOST").unwrap_or_else(|| "127.0.0.1".to_owned());
        let port = read("PORT").unwrap_or_else(|| "3000".to_owned());
        let state_dir = PathBuf::from(read("STATE_DIR").unwrap_or_else(|| "var".to_owned()));
        let sidecar = read("SSR_ENDPOINT");
        let content = read("SITE_CONTENT").map(PathBuf::from);
        let database = read("DATABASE_URL").unwrap_or_else(|| {
            format!("sqlite://{}?mode=rwc", state_dir.join("contact.db").display())
        });
        let mail = (read("SMTP_URL"), read("CONTACT_FROM"), read("CONTACT_TO"));
        let retention_days = read("CONTACT_RETENTION_DAYS");
        let trusted_proxies = read("TRUSTED_PROXIES").unwrap_or_default();
        let development = read("SITE_DEV").unwrap_or_else(|| "0".to_owned());
        let log = read("RUST_LOG").unwrap_or_else(|| "info".to_owned());

        let host = host.parse::<IpAddr>().map_err(|_| {
            problems.push(format!("HOST is \"{host}\"; expected an IP address such as 127.0.0.1"));
        });
        let port = port.parse::<u16>().map_err(|_| {
            problems.push(format!("PORT is \"{port}\"; expected a number from 0 to 65535"));
        });
        let sidecar = match sidecar {
            None => Some(Endpoint::Unix(state_dir.join("ssr.sock"))),
            Some(text) => endpoint(&text).or_else(|| {
                problems.push(format!(
                    "SSR_ENDPOINT is \"{text}\"; expected unix:PATH or http://127.0.0.1:PORT"
                ));
                None
            }),
        };
        if !["sqlite:", "postgres:", "postgresql:"]
            .iter()
            .any(|scheme| database.starts_with(scheme))
        {
            problems.push("DATABASE_URL must start with postgres:// or sqlite://".to_owned());
        }
        let mail = mail_config(mail, &mut problems);
        let retention_days = retention_days.and_then(|text| {
            let days = text.parse();
            days.inspect_err(|_| {
                problems.push(format!(
                    "CONTACT_RETENTION_DAYS is \"{text}\"; expected a number of days"
                ));
            })
            .ok()
        });
        let trusted_proxies = networks(&trusted_proxies, &mut problems);
        if !["0", "1"].contains(&development.as_str()) {
            problems.push(format!("SITE_DEV is \"{development}\"; expected 0 or 1"));
        }
        match (host, port, sidecar) {
            (Ok(host), Ok(port), Some(sidecar)) if problems.is_empty() => Ok(Self {
                listen: SocketAddr::new(host, port),
                state_dir,
                sidecar,
                content,
                database,
                mail,
                retention_days,
                trusted_proxies,
                development: development == "1",
                log,
            }),
            _ => Err(ConfigError(problems)),
        }
    }
}

fn endpoint(text: &str) -> Option<Endpoint> {
    if let Some(path) = text.strip_prefix("unix:") {
        return (!path.is_empty()).then(|| Endpoint::Unix(PathBuf::from(path)));
    }
    let url = Url::parse(text).ok()?;
    let loopback = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    (url.scheme() == "http" && loopback && url.path() == "/").then_some(Endpoint::Http(url))
}

/// Mail goes out where all three variables are set; one of them alone is a mistake.
fn mail_config(
    variables: (Option<String>, Option<String>, Option<String>),
    problems: &mut Vec<String>,
) -> Option<MailConfig> {
    let (url, from, to) = match variables {
        (None, None, None) => return None,
        (Some(url), Some(from), Some(to)) => (url, from, to),
        _ => {
            problems.push(
                "SMTP_URL, CONTACT_FROM and CONTACT_TO go together: set all or none".to_owned(),
            );
            return None;
        }
    };
    let mut mailbox = |name: &str, text: String| {
        let mailbox = text.parse::<Mailbox>();
        mailbox
            .inspect_err(|_| {
                problems.push(format!(
                    "{name} is \"{text}\"; expected an address such as \"Team <team@example.com>\""
                ));
            })
            .ok()
    };
    let (from, to) = (mailbox("CONTACT_FROM", from), mailbox("CONTACT_TO", to));
    // The address may hold a password and is not repeated.
    if exposes_password(&url) {
        problems.push(
            "SMTP_URL would send the password unencrypted; use smtps:// or add ?tls=required"
                .to_owned(),
        );
    } else if Mailer::check_url(&url).is_err() {
        problems.push(
            "SMTP_URL can't be used; expected smtps://USER:PASSWORD@HOST, or smtp://…?tls=required \
             for STARTTLS"
                .to_owned(),
        );
    }
    Some(MailConfig { url, from: from?, to: to? })
}

fn exposes_password(smtp_url: &str) -> bool {
    Url::parse(smtp_url).is_ok_and(|url| {
        let starttls = url.query_pairs().any(|(name, value)| name == "tls" && value == "required");
        let loopback = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
        let encrypted = url.scheme() == "smtps" || starttls || loopback;
        url.password().is_some() && !encrypted
    })
}

fn networks(list: &str, problems: &mut Vec<String>) -> Vec<IpNet> {
    let items = list.split(',').map(str::trim).filter(|item| !item.is_empty());
    let parsed = items.filter_map(|item| {
        let network = item.parse::<IpNet>().or_else(|_| item.parse::<IpAddr>().map(IpNet::from));
        network
            .inspect_err(|_| {
                problems.push(format!(
                    "TRUSTED_PROXIES has \"{item}\"; expected an address or a network such as 10.0.0.0/8"
                ));
            })
            .ok()
    });
    parsed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> Result<Config, ConfigError> {
        Config::read(|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| Ok((*value).to_owned()))
        })
    }

    #[test]
    fn nothing_set_gives_the_documented_defaults() {
        let config = with(&[]).unwrap();
        assert_eq!(config.listen.to_string(), "127.0.0.1:3000");
        assert_eq!(config.sidecar.to_string(), "unix:var/ssr.sock");
        assert_eq!(config.database, "sqlite://var/contact.db?mode=rwc");
        assert!(!config.development);
    }

    #[test]
    fn every_mistake_is_reported_at_once() {
        let refused = with(&[
            ("PORT", "http"),
            ("HOST", "everywhere"),
            ("SSR_ENDPOINT", "http://10.0.0.1:3001"),
            ("DATABASE_URL", "mysql://db"),
            ("SMTP_URL", "mail.example.com"),
            ("CONTACT_FROM", "nobody"),
            ("CONTACT_TO", "team@example.com"),
            ("CONTACT_RETENTION_DAYS", "some"),
            ("TRUSTED_PROXIES", "10.0.0.0/8, everyone"),
            ("SITE_DEV", "yes"),
        ]);
        let text = refused.unwrap_err().to_string();
        let named = [
            "PORT",
            "HOST",
            "SSR_ENDPOINT",
            "DATABASE_URL",
            "SMTP_URL",
            "CONTACT_FROM",
            "CONTACT_RETENTION_DAYS",
            "TRUSTED_PROXIES",
            "SITE_DEV",
        ];
        for name in named {
            assert!(text.contains(name), "{name} is missing in:\n{text}");
        }
    }

    #[test]
    fn a_password_never_stands_in_an_error() {
        for pairs in [
            &[("DATABASE_URL", "mysql://user:secret@db")][..],
            &[
                ("SMTP_URL", "smtp://user:secret@mail.example.com"),
                ("CONTACT_FROM", "a@example.com"),
                ("CONTACT_TO", "b@example.com"),
            ][..],
            &[
                ("SMTP_URL", "gopher://user:secret@mail"),
                ("CONTACT_FROM", "a@example.com"),
                ("CONTACT_TO", "b@example.com"),
            ][..],
        ] {
            assert!(!with(pairs).unwrap_err().to_string().contains("secret"));
        }
    }
}
