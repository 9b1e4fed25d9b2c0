//! The command line of the site.

use std::{
    future::Future,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use anyhow::Context;
use clap::{Parser, Subcommand, ValueEnum};
use listenfd::ListenFd;
use site::{
    app, config::Config, contact::outbox::Outbox, contract, export, messages,
    publisher::CopySource, server, telemetry,
};
use tokio::{
    net::TcpListener,
    runtime::Runtime,
    signal::unix::{SignalKind, signal},
};

/// Serves the public site; where everything is, the environment says (see README.md).
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
    /// Write every page and file to a folder
    Export {
        /// The folder; it is made if need be
        folder: PathBuf,
    },
    /// List, show, export, send again or delete what people wrote
    Messages {
        #[command(subcommand)]
        command: Option<messages::Command>,
    },
    /// Check the content file and say what is wrong with it
    Check,
    /// Print what the TypeScript side is generated from
    Contract {
        /// The types of the sections, or their props with the words of the copy
        #[arg(value_enum)]
        part: ContractPart,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum ContractPart {
    Types,
    Props,
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
        Command::Serve => serve(&config).await,
        Command::Prepare => {
            app::publisher(&config)?.publish().await?;
            say("Everything is prepared: this version can be started.")
        }
        Command::Export { folder } => {
            let publisher = app::publisher(&config)?;
            publisher.publish().await?;
            let files = export::export(&publisher.current(), &folder)?;
            say(&format!("{files} pages and files written to {}", folder.display()))
        }
        Command::Messages { command } => {
            let outbox = Outbox::new(&config.database())?;
            outbox
                .open()
                .await
                .context("the contact database can't be opened (DATABASE_URL, STATE_DIR)")?;
            let command = command.unwrap_or(messages::Command::List);
            messages::run(command, &outbox, &mut io::stdout().lock()).await
        }
        Command::Check => {
            copy(&config).load()?;
            say("The content file is in order.")
        }
        Command::Contract { part } => {
            let text = match part {
                ContractPart::Types => contract::types(),
                ContractPart::Props => contract::props(&copy(&config).load()?)?,
            };
            Ok(io::stdout().write_all(text.as_bytes())?)
        }
    }
}

fn copy(config: &Config) -> CopySource {
    CopySource::new(config.site_content.as_deref())
}

async fn serve(config: &Config) -> anyhow::Result<()> {
    let address = config.listen();
    let handed_over = ListenFd::from_env().take_tcp_listener(0)?;
    let listener = match handed_over {
        Some(listener) => {
            listener.set_nonblocking(true)?;
            TcpListener::from_std(listener)?
        }
        None => server::listen(address).with_context(|| {
            format!("can't listen on {address}: is it in use? Set PORT or HOST to listen elsewhere")
        })?,
    };
    app::run(config, listener, terminated()?).await
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
    Ok(writeln!(io::stdout(), "{line}")?)
}
