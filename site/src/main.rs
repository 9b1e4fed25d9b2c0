//! The command line of the site.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};

use anyhow::Context;
use clap::{Parser, Subcommand};
use site::{
    app::{self, Site},
    config::Config,
    contact::{delivery::Delivery, guard::Guard, mailer::Mailer, outbox::Outbox},
    export, messages,
    publisher::{ContentSource, Publisher},
    routines, sections,
    sidecar::Sidecar,
    telemetry,
};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::watch,
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
    /// Print the TypeScript of the section contract
    Contract,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse().command.unwrap_or(Command::Serve)).await {
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
    telemetry::init(&config.log)?;
    match command {
        Command::Serve => serve(&config).await,
        Command::Export { folder } => {
            let publisher = publisher(&config)?;
            publisher.publish().await?;
            let edition = publisher.current();
            let edition = edition.as_ref().context("nothing was published")?;
            let files = export::export(edition, &folder)?;
            say(&format!("{files} pages and files written to {}", folder.display()))
        }
        Command::Messages { command } => {
            let outbox = Outbox::new(&config.database)?;
            outbox
                .open()
                .await
                .context("the contact database can't be opened (DATABASE_URL, STATE_DIR)")?;
            let command = command.unwrap_or(messages::Command::List);
            messages::run(command, &outbox, &mut io::stdout().lock()).await
        }
        Command::Check => {
            ContentSource::new(config.content.as_deref()).load()?;
            say("The content file is in order.")
        }
        Command::Contract => Ok(io::stdout().write_all(sections::contract().as_bytes())?),
    }
}

fn publisher(config: &Config) -> anyhow::Result<Publisher> {
    let source = ContentSource::new(config.content.as_deref());
    Publisher::new(source, Sidecar::new(&config.sidecar)?, &config.state_dir)
}

async fn serve(config: &Config) -> anyhow::Result<()> {
    let listener = TcpListener::bind(config.listen).await.with_context(|| {
        format!(
            "can't listen on {}: is it in use? Set PORT or HOST to listen elsewhere",
            config.listen
        )
    })?;
    let address = listener.local_addr()?;
    let publisher = publisher(config)?;
    let mut editions = publisher.editions();
    let outbox = Outbox::new(&config.database)?;
    tokio::spawn(routines::open_database(outbox.clone()));
    let sidecar = Sidecar::new(&config.sidecar)?;
    let guard = Guard::new(config.trusted_proxies.clone());
    let site = Arc::new(Site::new(publisher, outbox.clone(), guard, sidecar, config.development));
    let (stop_delivery, stop) = watch::channel(false);
    let delivery = if let Some(mail) = &config.mail {
        let delivery = Delivery::new(outbox, Mailer::new(mail)?);
        Some(tokio::spawn(routines::deliver(Arc::clone(&site), delivery, stop)))
    } else {
        tracing::info!("SMTP_URL is not set: messages are kept, `site messages` lists them");
        None
    };
    tokio::spawn(routines::clear_away(Arc::clone(&site), config.retention_days));
    let announcement = format!("Pages are being served at http://{address}/");
    tokio::spawn(async move {
        if editions.changed().await.is_ok() {
            let _ = say(&announcement);
        }
    });
    let mut terminate = signal(SignalKind::terminate())?;
    let terminated = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    };
    let served = app::run(listener, site, terminated).await;
    stop_delivery.send_replace(true);
    if let Some(delivery) = delivery {
        // A mail server that takes longer gets the mail again, recognisable by its Message-ID.
        let _ = tokio::time::timeout(app::SHUTDOWN_GRACE, delivery).await;
    }
    Ok(served?)
}

fn say(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}
