//! The command line of the site.

use std::{
    future::Future,
    io::{self, BufWriter, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use clap::{Parser, Subcommand, ValueEnum};
use jiff::tz::TimeZone;
use listenfd::ListenFd;
use site::{
    app,
    config::Config,
    contact::outbox::Outbox,
    contract, export, messages,
    publisher::{Audience, CopySource},
    server, status, telemetry,
    views::{contact::Recipient, hints},
};
use tikv_jemallocator::Jemalloc;
use tokio::{
    net::TcpListener,
    runtime::Runtime,
    signal::unix::{SignalKind, signal},
};
use url::Url;

/// Its settings stand in `.cargo/config.toml`.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

/// Serves the public site; where everything is, the environment says (see docs/operating.md).
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the site (the default)
    Serve,
    /// Make everything that this version needs from the sidecar, before it is started
    Prepare,
    /// Show the pages of another copy, marked as a draft, at an address of their own
    Preview {
        /// The file
        file: PathBuf,
        /// The port of the address; 0 takes any that is free
        #[arg(long, default_value_t = 0)]
        port: u16,
    },
    /// Write every page and file to a folder that a static host can serve
    Export {
        /// The folder: a new or empty one, or that of an earlier export
        folder: PathBuf,
        /// Keep the form: the web server passes what is posted to /contact on to a running site, or the
        /// browser posts to this https:// address
        #[arg(
            long,
            value_name = "ADDRESS",
            num_args = 0..=1,
            require_equals = true,
            default_missing_value = "/contact",
            value_parser = FormAddress::parse
        )]
        form: Option<FormAddress>,
    },
    /// Tell what is being served, what was refused, and what waits in the outbox
    Status,
    /// List, show, export, mark, send again or delete what people wrote
    Messages {
        #[command(subcommand)]
        command: Option<messages::Command>,
    },
    /// Say what is wrong with the copy, and which one was read
    Check {
        /// The file; without one, that of `SITE_CONTENT`, or `site/content/site.toml` where there is one
        file: Option<PathBuf>,
    },
    /// Print what the TypeScript side is generated from
    Contract {
        /// The types of the sections, their props with the words of the copy, or the copy's schema
        #[arg(value_enum)]
        part: ContractPart,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum ContractPart {
    Types,
    Props,
    Schema,
}

/// Where the form of an export is posted to.
#[derive(Clone)]
enum FormAddress {
    /// As that of the site itself.
    Contact,
    Elsewhere(Url),
}

impl FormAddress {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "/contact" {
            return Ok(Self::Contact);
        }
        let address = Url::parse(text).ok().filter(|address| address.scheme() == "https");
        let address = address.ok_or("expected /contact or an address that starts with https://")?;
        Ok(Self::Elsewhere(address))
    }
}

/// How long to wait at exit for blocking tasks that still read or write files.
const BLOCKING_GRACE: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let command = Arguments::parse().command.unwrap_or(Command::Serve);
    let done = Runtime::new().context("the runtime can't be started").and_then(|runtime| {
        let done = runtime.block_on(run(command));
        runtime.shutdown_timeout(BLOCKING_GRACE);
        done
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Whoever started the site reads this, also where the log is filtered away.
            let _ = writeln!(io::stderr(), "{error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(command: Command) -> anyhow::Result<()> {
    let config = Config::from_env()?;
    telemetry::init(&config.rust_log, config.log_format)?;
    match command {
        Command::Serve => app::run(&config, handed_over_or_bound(&config)?, terminated()?).await,
        Command::Prepare => {
            Arc::new(app::publisher(&config, Audience::Command)?).prepare().await?;
            say("Everything is prepared: this version can be started.")
        }
        Command::Preview { file, port } => {
            let config = Config { port, ..config };
            app::preview(&config, &file, bound(&config)?, terminated()?).await
        }
        Command::Export { folder, form } => {
            let (recipient, how) = match form {
                None => (Recipient::Nobody, "/contact says how to write".to_owned()),
                Some(FormAddress::Contact) => {
                    (Recipient::Site(config.handling()), "the form posts to /contact".to_owned())
                }
                Some(FormAddress::Elsewhere(address)) => {
                    let how = format!("the form posts to {address}");
                    (Recipient::Elsewhere(address), how)
                }
            };
            let publisher = app::publisher(&config, Audience::Command)?;
            let publisher = Arc::new(publisher.for_recipient(recipient.clone()));
            publisher.publish().await?;
            let summary = export::export(&publisher.current(), &recipient, &folder)?;
            say(&format!("{}: {summary}; {how}.", folder.display()))
        }
        Command::Status => write(status::told(&config, &TimeZone::system()).await?.as_bytes()),
        Command::Messages { command } => {
            let outbox = Outbox::new(&config.database())?;
            // Not into what may become a file.
            writeln!(io::stderr(), "Messages in {}:", config.database_name())?;
            outbox.open_existing().await?;
            let zone = TimeZone::system();
            let command = command.unwrap_or_default();
            let mut out = BufWriter::new(io::stdout().lock());
            let input = &mut io::stdin().lock();
            let told = messages::run(command, &outbox, &zone, input, &mut out).await;
            or_broken_off(told.and_then(|()| Ok(out.flush()?)))
        }
        Command::Check { file } => {
            let source = CopySource::meant(file.as_deref(), config.site_content.as_deref());
            let copy = source.load()?;
            let order = format!("{} is in order.", source.name());
            say(&[vec![order], hints(&copy)].concat().join("\n"))
        }
        Command::Contract { part } => {
            let text = match part {
                ContractPart::Types => contract::types(),
                ContractPart::Schema => contract::schema()?,
                ContractPart::Props => {
                    contract::props(&CopySource::new(config.site_content.as_deref()).load()?)?
                }
            };
            write(text.as_bytes())
        }
    }
}

/// The socket that systemd hands over, or one of our own.
fn handed_over_or_bound(config: &Config) -> anyhow::Result<TcpListener> {
    match ListenFd::from_env().take_tcp_listener(0)? {
        Some(listener) => {
            listener.set_nonblocking(true)?;
            Ok(TcpListener::from_std(listener)?)
        }
        None => bound(config),
    }
}

fn bound(config: &Config) -> anyhow::Result<TcpListener> {
    let address = config.listen();
    server::listen(address).with_context(|| {
        format!("can't listen on {address}: is it in use? Set PORT or HOST to listen elsewhere")
    })
}

/// Ends when the process is asked to.
fn terminated() -> anyhow::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    })
}

fn say(line: &str) -> anyhow::Result<()> {
    write(format!("{line}\n").as_bytes())
}

fn write(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    or_broken_off(out.write_all(bytes).and_then(|()| out.flush()).map_err(Into::into))
}

/// Whoever has read enough of standard output, such as `head`, may end early.
fn or_broken_off(written: anyhow::Result<()>) -> anyhow::Result<()> {
    // A cause further down is a database's: it ends nothing well.
    let broken_off = |error: &anyhow::Error| {
        error.downcast_ref().is_some_and(|it: &io::Error| it.kind() == io::ErrorKind::BrokenPipe)
    };
    match written {
        Err(error) if broken_off(&error) => Ok(()),
        written => written,
    }
}
