//! The configuration: the only file that reads environment variables.

#![expect(
    clippy::disallowed_methods,
    reason = "whoever needs a variable finds it in the table here"
)]

mod parse;

use std::{
    collections::BTreeMap,
    env::VarError,
    fmt,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use ipnet::IpNet;
use lettre::message::Mailbox;
use poem::http::HeaderValue;
use serde::{Deserialize, Serialize};
use url::Url;

/// An environment variable, as docs/operating.md and `.env.example` describe it.
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What an unset or empty variable stands for.
    pub default: &'static str,
    /// Whether the default could be written into the variable; otherwise it is told in words.
    pub is_literal: bool,
    /// What it is for.
    pub meaning: &'static str,
}

/// Declares each variable once: meaning, field, type, name, default and how it is read.
///
/// `or` gives the text that an unset variable stands for; `otherwise` says in words what happens
/// then, and the field is `None`. `by` names the function that reads the text, or says what is
/// wrong with it.
macro_rules! variables {
    (@default or $default:literal) => { Some($default) };
    (@default otherwise $words:literal) => { None };
    (@literal or) => { true };
    (@literal otherwise) => { false };
    (@value or $field:ident) => { $field };
    (@value otherwise $field:ident) => { Some($field) };
    ($($meaning:literal $field:ident: $type:ty = $name:ident $how:ident($default:literal) by $read:path;)*) => {
        /// Every variable, in the order of the documentation.
        pub const VARIABLES: &[Variable] = &[
            $(Variable { name: stringify!($name), default: $default, is_literal: variables!(@literal $how), meaning: $meaning },)*
        ];

        /// How the site runs: a field for each variable.
        #[derive(Clone, Debug)]
        pub struct Config {
            $(#[doc = $meaning] pub $field: $type,)*
        }

        impl Config {
            /// Reads variables from anywhere; an empty variable counts as unset.
            pub fn read(
                variable: impl Fn(&str) -> Option<Result<String, String>>,
            ) -> Result<Self, ConfigError> {
                let mut problems = Vec::new();
                $(let $field = read(&variable, stringify!($name), variables!(@default $how $default), $read, &mut problems);)*
                let ($(Some($field),)*) = ($(variables!(@value $how $field),)*) else {
                    return Err(ConfigError(problems));
                };
                let config = Self { $($field,)* };
                if problems.is_empty() {
                    problems.extend(config.contradictions());
                }
                if problems.is_empty() { Ok(config) } else { Err(ConfigError(problems)) }
            }
        }
    };
}

variables! {
    "the address where the site listens"
    host: IpAddr = HOST or("127.0.0.1") by parse::address;
    "the port where the site listens"
    port: u16 = PORT or("3000") by parse::port;
    "everything that is written at run time: `contact.db`, `kept/`, `builds/`, `ssr.sock`, `status.json`; `preview/` of `site preview`"
    state_dir: PathBuf = STATE_DIR or("var") by parse::path;
    "where the sidecar listens and the site finds it: `unix:PATH`, or `http://127.0.0.1:3001`"
    ssr_endpoint: Option<SidecarAddress> = SSR_ENDPOINT otherwise("`ssr.sock` in `STATE_DIR`") by parse::sidecar;
    "the copy"
    site_content: Option<PathBuf> = SITE_CONTENT otherwise("the copy in the source tree; in a release build the one that it carries") by parse::path;
    "where messages are kept; `postgres://…` when several machines share them"
    database_url: Option<String> = DATABASE_URL otherwise("SQLite at `contact.db` in `STATE_DIR`") by parse::database;
    "the mail server: `smtps://USER:PASSWORD@HOST`, or `smtp://USER:PASSWORD@HOST?tls=required` for STARTTLS"
    smtp_url: Option<String> = SMTP_URL otherwise("no mail: messages are kept, `site messages` lists them") by parse::smtp;
    "the sender of all mail, such as `Site <site@example.com>`; set with `SMTP_URL`"
    contact_from: Option<Mailbox> = CONTACT_FROM otherwise("unset") by parse::mailbox;
    "the team's address, such as `Team <team@example.com>`; set with `SMTP_URL`"
    contact_to: Option<Mailbox> = CONTACT_TO otherwise("unset") by parse::mailbox;
    "messages are deleted after so many days, but for those that still wait to be mailed"
    contact_retention_days: Option<u16> = CONTACT_RETENTION_DAYS otherwise("never") by parse::days;
    "addresses and networks whose `X-Forwarded-For` is believed, such as `10.0.0.0/8, ::1`"
    trusted_proxies: Vec<IpNet> = TRUSTED_PROXIES or("") by parse::networks;
    "the value of `Strict-Transport-Security`; add `; includeSubDomains` where all of them have TLS"
    hsts: HeaderValue = HSTS or("max-age=63072000") by parse::header_value;
    "`1` reloads open browsers on a change and serves `/_preview`"
    site_dev: bool = SITE_DEV or("0") by parse::flag;
    "where `/health`, `/ready` and `/metrics` are answered, or `off`"
    admin_listen: AdminListen = ADMIN_LISTEN or("127.0.0.1:9464") by parse::admin;
    "`text` for people, `json` for machines"
    log_format: LogFormat = LOG_FORMAT or("text") by parse::log_format;
    "`1` logs each request: method, path without its query, status, time"
    request_log: bool = REQUEST_LOG or("0") by parse::flag;
    "what is logged, as tracing's filter directives"
    rust_log: String = RUST_LOG or("info") by parse::text;
}

/// Where the site answers whoever watches over it; nothing where nobody does.
pub type AdminListen = Option<SocketAddr>;

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// A line for people.
    Text,
    /// An object for machines.
    Json,
}

/// Where the sidecar listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SidecarAddress {
    /// A Unix socket.
    Unix(PathBuf),
    /// A loopback address, such as `http://127.0.0.1:3001`.
    Http(Url),
}

impl fmt::Display for SidecarAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
            Self::Http(url) => write!(f, "{}", url.as_str().trim_end_matches('/')),
        }
    }
}

/// Where mail goes and from whom it comes.
#[derive(Clone, Debug)]
pub struct MailConfig {
    /// The SMTP server: `smtps://user:password@host`, or `smtp://…?tls=required` for STARTTLS.
    pub url: String,
    /// The sender of all mail.
    pub from: Mailbox,
    /// The team.
    pub to: Mailbox,
}

/// What becomes of messages, as far as the configuration decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handling {
    /// Whether they are mailed to the team.
    pub mailed: bool,
    /// After how many days they are deleted, if ever.
    pub retention_days: Option<u16>,
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
    /// Reads the process environment, and `.env` in the folder where the process was started for what is
    /// not set there.
    pub fn from_env() -> Result<Self, ConfigError> {
        let file = environment_file().map_err(|problem| ConfigError(vec![problem]))?;
        Self::read(|name| match std::env::var(name) {
            Ok(value) => Some(Ok(value)),
            Err(VarError::NotPresent) => file.get(name).cloned().map(Ok),
            Err(VarError::NotUnicode(_)) => Some(Err("is not valid UTF-8".to_owned())),
        })
    }

    /// Where the site listens.
    pub fn listen(&self) -> SocketAddr {
        SocketAddr::new(self.host, self.port)
    }

    /// Where the sidecar listens.
    pub fn sidecar(&self) -> SidecarAddress {
        let socket = || SidecarAddress::Unix(self.state_dir.join("ssr.sock"));
        self.ssr_endpoint.clone().unwrap_or_else(socket)
    }

    /// Where messages are kept.
    pub fn database(&self) -> String {
        let file = self.state_dir.join("contact.db");
        let sqlite = || format!("sqlite://{}?mode=rwc", file.display());
        self.database_url.clone().unwrap_or_else(sqlite)
    }

    /// What to call the place where messages are kept: without user and password.
    pub fn database_name(&self) -> String {
        let address = self.database();
        let address = address.split('?').next().unwrap_or_default();
        match address.split_once("://") {
            Some(("sqlite", file)) => file.to_owned(),
            Some((scheme, place)) => {
                let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
                format!("{scheme}://{place}")
            }
            None => address.to_owned(),
        }
    }

    /// Where mail goes, if anywhere.
    pub fn mail(&self) -> Option<MailConfig> {
        Some(MailConfig {
            url: self.smtp_url.clone()?,
            from: self.contact_from.clone()?,
            to: self.contact_to.clone()?,
        })
    }

    /// What becomes of messages.
    pub fn handling(&self) -> Handling {
        Handling { mailed: self.smtp_url.is_some(), retention_days: self.contact_retention_days }
    }

    /// What is wrong with variables that are right one by one.
    fn contradictions(&self) -> Vec<String> {
        let set = [self.smtp_url.is_some(), self.contact_from.is_some(), self.contact_to.is_some()];
        let mixed = set.contains(&true) && set.contains(&false);
        let mixed = mixed.then(|| {
            "SMTP_URL, CONTACT_FROM and CONTACT_TO go together: set all or none".to_owned()
        });
        let path = self.state_dir.to_string_lossy();
        let relative = self.state_dir.is_relative();
        let letter = path.chars().find(|letter| {
            "%?#".contains(*letter) || relative && (letter.is_whitespace() || *letter == ':')
        });
        let unusable = letter.filter(|_| self.database_url.is_none()).map(|letter| {
            format!(
                "STATE_DIR is \"{path}\"; the address of the default database can't hold \
                 \"{letter}\": choose another folder, or set DATABASE_URL"
            )
        });
        mixed.into_iter().chain(unusable).collect()
    }
}

/// The variables of `.env`, if there is one. It may hold passwords, so no line of it is repeated.
fn environment_file() -> Result<BTreeMap<String, String>, String> {
    match dotenvy::from_path_iter(".env") {
        Ok(variables) => variables.collect::<Result<_, _>>().map_err(|_| {
            "`.env` has a line that is no NAME=value; a value with spaces, # or $ stands in '…'"
                .to_owned()
        }),
        Err(error) if error.not_found() => Ok(BTreeMap::new()),
        Err(_) => Err("`.env` can't be read".to_owned()),
    }
}

/// One variable's value; nothing where it is unset without a default, or wrong.
fn read<T>(
    variable: impl Fn(&str) -> Option<Result<String, String>>,
    name: &str,
    default: Option<&str>,
    parse: fn(&str) -> Result<T, String>,
    problems: &mut Vec<String>,
) -> Option<T> {
    let parsed = match variable(name).filter(|value| value.as_deref() != Ok("")) {
        Some(Ok(value)) => parse(&value),
        Some(Err(problem)) => Err(problem),
        None => parse(default?),
    };
    parsed.map_err(|problem| problems.push(format!("{name} {problem}"))).ok()
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
        assert_eq!(config.listen().to_string(), "127.0.0.1:3000");
        assert_eq!(config.sidecar().to_string(), "unix:var/ssr.sock");
        assert_eq!(config.database(), "sqlite://var/contact.db?mode=rwc");
        assert!(!config.site_dev);
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
    fn a_mistake_brings_no_other_one_with_it() {
        let mail = [("SMTP_URL", "smtp://localhost"), ("CONTACT_TO", "team@example.com")];
        let refused = with(&[mail[0], mail[1], ("CONTACT_FROM", "nobody")]).unwrap_err();
        assert!(!refused.to_string().contains("all or none"), "{refused}");
        assert!(with(&mail).unwrap_err().to_string().contains("all or none"));
    }

    #[test]
    fn a_folder_that_the_default_databases_address_cant_hold_is_refused() {
        for folder in ["my state", "100%", "/srv/a?b", "c:state"] {
            let refused = with(&[("STATE_DIR", folder)]).unwrap_err().to_string();
            assert!(refused.contains("default database"), "{refused}");
            with(&[("STATE_DIR", folder), ("DATABASE_URL", "postgres://db/site")]).unwrap();
        }
        with(&[("STATE_DIR", "/srv/my state")]).unwrap();
    }

    /// As the sidecar reads it: `ssr-sidecar/src/endpoint.ts`.
    #[test]
    fn a_sidecar_is_a_socket_or_a_port_of_this_machine() {
        let read = |text| with(&[("SSR_ENDPOINT", text)]);
        for text in ["unix:a b.sock", "http://127.0.0.1:3001", "http://[::1]:3001/"] {
            assert_eq!(
                read(text).unwrap().sidecar().to_string().trim_end_matches('/'),
                text.trim_end_matches('/')
            );
        }
        for text in [
            "unix:",
            "http://127.0.0.1",
            "http://127.0.0.1:80",
            "http://127.0.0.2:3001",
            "http://127.0.0.1:3001/?x",
            "http://127.0.0.1:3001/#x",
            "http://127.0.0.1:3001/x",
            "https://127.0.0.1:3001",
            "http://10.0.0.1:3001",
        ] {
            let refused = read(text).unwrap_err().to_string();
            assert!(refused.contains("with a PORT other than 80"), "{refused}");
        }
    }

    #[test]
    fn a_database_is_named_without_its_password() {
        for (url, name) in [
            ("sqlite://var/contact.db?mode=rwc", "var/contact.db"),
            (
                "postgres://site:se@cret@db.example/site?sslmode=require",
                "postgres://db.example/site",
            ),
        ] {
            assert_eq!(with(&[("DATABASE_URL", url)]).unwrap().database_name(), name);
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
