//! The site as a whole: from a configuration and a listener to a server that can be stopped.

use std::{
    future::Future,
    io::{self, Write},
    path::Path,
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use tokio::{net::TcpListener, sync::watch, time::timeout};

use crate::{
    config::Config,
    contact::{delivery::Delivery, guard::Guard, mailer::Mailer, outbox::Outbox},
    publisher::{CopySource, Publisher},
    router::router,
    routes::development::PROBLEMS,
    routines, server,
    sidecar::Sidecar,
    state::App,
    status,
};

/// How long requests, and then a mail on its way, may go on after the site was told to stop.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);
/// How often the copy and the assets are looked at.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);
/// The same for a development server.
const DEVELOPMENT_INTERVAL: Duration = Duration::from_millis(100);

/// The publisher of a site with this configuration.
pub fn publisher(config: &Config) -> anyhow::Result<Publisher> {
    let source = CopySource::new(config.site_content.as_deref());
    let sidecar = Sidecar::new(&config.sidecar())?;
    let publisher = Publisher::new(source, config.handling(), sidecar, &config.state_dir)?;
    Ok(if config.site_dev { publisher.hurried() } else { publisher })
}

/// Shows the pages of another copy until told to stop. The site's sidecar renders them; everything else
/// is the preview's own, so that nothing of it reaches visitors, the team or the site's messages.
pub async fn preview(
    config: &Config,
    copy: &Path,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let config = Config {
        site_content: Some(copy.to_owned()),
        ssr_endpoint: Some(config.sidecar()),
        state_dir: config.state_dir.join("preview"),
        database_url: None,
        smtp_url: None,
        ..config.clone()
    };
    serve(&config, publisher(&config)?.hurried().of_a_draft(), listener, shutdown).await
}

/// Serves until told to stop; publishes and delivers meanwhile.
pub async fn run(
    config: &Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    serve(config, publisher(config)?, listener, shutdown).await
}

async fn serve(
    config: &Config,
    publisher: Publisher,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let publisher = Arc::new(publisher);
    let outbox = Outbox::new(&config.database())?;
    let guard = Guard::new(config.trusted_proxies.clone());
    let app = Arc::new(App::new(Arc::clone(&publisher), outbox.clone(), guard));

    tokio::spawn(routines::open_database(outbox.clone()));
    tokio::spawn(routines::clean_up(Arc::clone(&app), config.handling()));
    tokio::spawn(announce(publisher.editions(), listener.local_addr()?));
    let state_dir = config.state_dir.clone();
    tokio::spawn(status::keep(Arc::clone(&publisher), listener.local_addr()?, state_dir));
    let (stop_delivery, stop) = watch::channel(false);
    let delivery = if let Some(mail) = config.mail() {
        let delivery = Delivery::new(outbox, Mailer::new(&mail)?);
        Some(tokio::spawn(routines::deliver(Arc::clone(&app), delivery, stop)))
    } else {
        tracing::info!("SMTP_URL is not set: messages are kept, `site messages` lists them");
        None
    };
    // A page in development keeps an event stream open; a restart must not wait for it.
    let (interval, grace) = if config.site_dev {
        (DEVELOPMENT_INTERVAL, Duration::ZERO)
    } else {
        (WATCH_INTERVAL, SHUTDOWN_GRACE)
    };
    let publishing = tokio::spawn(publisher.run(interval));
    let problems = config.site_dev.then(|| config.state_dir.join(PROBLEMS));

    server::serve(listener, router(app, problems), shutdown, grace).await;

    publishing.abort();
    stop_delivery.send_replace(true);
    if let Some(delivery) = delivery {
        // A mail server that takes longer gets the mail again, recognisable by its Message-ID.
        let _ = timeout(SHUTDOWN_GRACE, delivery).await;
    }
    Ok(())
}

/// Prints the site's address once the first edition is served.
async fn announce(mut editions: watch::Receiver<u64>, address: std::net::SocketAddr) {
    if editions.changed().await.is_ok() {
        let line = format!("Pages are being served at http://{address}/");
        if let Err(error) = writeln!(io::stdout(), "{line}").context(line) {
            tracing::warn!("nobody reads the standard output: {error:#}");
        }
    }
}
