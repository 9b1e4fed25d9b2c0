//! The site as a whole: from a configuration and a listener to a server that can be stopped.

use std::{
    future::Future,
    io::{self, Write},
    net::SocketAddr,
    path::Path,
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use bytes::Bytes;
use poem::http::HeaderMap;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::watch,
    time::{sleep, timeout},
};

use crate::{
    config::Config,
    contact::{delivery::Delivery, guard::Guard, mailer::Mailer, outbox::Outbox},
    headers::EveryAnswer,
    metrics::{Number, Trouble},
    publisher::{Audience, CopySource, Publisher},
    router::{operator_router, router},
    routes::development::PROBLEMS,
    routines,
    server::{self, Limits, Server},
    sidecar::Sidecar,
    state::App,
    status,
    views::contact::Recipient,
};

/// For how long a site that was told to stop answers what still comes.
const DRAIN: Duration = Duration::from_secs(1);
/// How long requests may go on after that, and a mail on its way meanwhile: a site ends within 10 s.
const GRACE: Duration = Duration::from_secs(7);
/// For how long connections are not accepted while there is no edition.
const FIRST_EDITION: Duration = Duration::from_secs(3);
/// The most connections. Each takes some 25 kB at most, and 115 kB while a form that comes back is
/// written to it.
const CONNECTIONS: usize = 4096;
/// The most connections of those who watch over the site.
const ADMIN_CONNECTIONS: usize = 64;
/// How often to try again where those can't be answered.
const ADMIN_INTERVAL: Duration = Duration::from_secs(5);
/// How many files the site has open besides: databases, mail, the sidecar, its own.
const OTHER_FILES: usize = 64;
/// How often the copy and the assets are looked at.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);
/// The same for a development server.
const DEVELOPMENT_INTERVAL: Duration = Duration::from_millis(100);

/// The publisher of a site with this configuration.
pub fn publisher(config: &Config, audience: Audience) -> anyhow::Result<Publisher> {
    let source = CopySource::new(config.site_content.as_deref());
    let sidecar = Sidecar::new(&config.sidecar())?;
    let every = EveryAnswer::new(config.hsts.clone());
    let (handling, state_dir) = (config.handling(), &config.state_dir);
    let publisher = Publisher::new(source, audience, handling, sidecar, state_dir, every)?;
    Ok(if config.site_dev { publisher.hurried() } else { publisher })
}

/// Shows the pages of another copy until told to stop. The site's sidecar renders them; everything else
/// is the preview's own, so that nothing of it reaches visitors, the team or the site's messages.
pub async fn preview(
    config: &Config,
    copy: &Path,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    // What the site's own pages say of it, not what the preview does with a message.
    let recipient = Recipient::Site(config.handling());
    let config = Config {
        site_content: Some(copy.to_owned()),
        ssr_endpoint: Some(config.sidecar()),
        state_dir: config.state_dir.join("preview"),
        database_url: None,
        smtp_url: None,
        admin_listen: None,
        ..config.clone()
    };
    let publisher = publisher(&config, Audience::Reviewers)?.hurried().for_recipient(recipient);
    tracing::info!("what the form is sent stays in {}", config.state_dir.display());
    serve(&config, publisher, listener, shutdown).await
}

/// Serves until told to stop; publishes and delivers meanwhile.
pub async fn run(
    config: &Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    if config.mail().is_none() {
        tracing::info!("SMTP_URL is not set: messages are kept, `site messages` lists them");
    }
    serve(config, publisher(config, Audience::Visitors)?, listener, shutdown).await
}

async fn serve(
    config: &Config,
    publisher: Publisher,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let publisher = Arc::new(publisher);
    let outbox = Outbox::new(&config.database())?;
    let guard = Guard::new(config.trusted_proxies.clone());
    let app = App::new(Arc::clone(&publisher), outbox.clone(), guard);
    let app = Arc::new(App { request_log: config.request_log, ..app });
    tokio::spawn({
        let app = Arc::clone(&app);
        async move {
            shutdown.await;
            app.stopping.send_replace(true);
        }
    });

    tokio::spawn(routines::open_database(outbox.clone()));
    tokio::spawn(routines::clean_up(Arc::clone(&app), config.handling()));
    tokio::spawn(routines::remind(Arc::clone(&publisher)));
    tokio::spawn(announce(publisher.editions(), listener.local_addr()?));
    let state_dir = config.state_dir.clone();
    tokio::spawn(status::keep(Arc::clone(&publisher), listener.local_addr()?, state_dir));
    let delivery = if let Some(mail) = config.mail() {
        let delivery = Delivery::new(outbox.clone(), Mailer::new(&mail)?, Arc::clone(&app.metrics));
        Some(tokio::spawn(routines::deliver(Arc::clone(&app), delivery)))
    } else {
        None
    };
    // A page in development keeps an event stream open; a restart must not wait for it.
    let (interval, drain, grace) = if config.site_dev {
        (DEVELOPMENT_INTERVAL, Duration::ZERO, Duration::ZERO)
    } else {
        (WATCH_INTERVAL, DRAIN, GRACE)
    };
    let mut editions = publisher.editions();
    tokio::spawn(reread(Arc::clone(&publisher))?);
    let publishing = tokio::spawn(publisher.run(interval));
    let problems = config.site_dev.then(|| config.state_dir.join(PROBLEMS));
    let limits = Limits { connections: connection_limit()?, drain, grace };
    if let Some(address) = config.admin_listen {
        tokio::spawn(watched(address, Arc::clone(&app), config.mail().is_some()));
    }
    let front = router(Arc::clone(&app), problems);
    let refuse = {
        let app = Arc::clone(&app);
        Arc::new(move |status| {
            app.metrics.trouble(Trouble::NoRequest, "");
            app.publisher.current().error(status).whole()
        })
    };
    let (metrics, connections) = (Arc::clone(&app.metrics), app.metrics.connections.clone());
    let server = Server { front, refuse, limits, metrics, connections };
    let serving = async {
        // Who connects before there are pages waits a moment for them.
        let _ = timeout(FIRST_EDITION, editions.wait_for(|number| *number > 0)).await;
        server::serve(listener, server, app.stopped()).await;
    };

    let delivered = async {
        app.stopped().await;
        if let Some(delivery) = delivery {
            // A mail server that takes longer gets the mail again, recognisable by its Message-ID.
            let _ = timeout(drain + grace, delivery).await;
        }
    };
    routines::report(&app.metrics, async { tokio::join!(serving, delivered) }).await;
    publishing.abort();
    // A database that no longer answers keeps nobody waiting.
    let _ = timeout(DRAIN, outbox.close()).await;
    Ok(())
}

/// How many connections there may be: as many as the process may have files open, but for those
/// that it needs for itself.
fn connection_limit() -> anyhow::Result<usize> {
    let files = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: files.maximum, maximum: files.maximum };
    setrlimit(Resource::Nofile, raised).context("the limit of open files can't be raised")?;
    let files = files.maximum.and_then(|files| usize::try_from(files).ok());
    Ok(files.map_or(CONNECTIONS, |files| {
        files.saturating_sub(OTHER_FILES).max(files / 2).min(CONNECTIONS)
    }))
}

/// Answers whoever watches over the site, for as long as it runs. That this can't be is no reason
/// for visitors to get no pages.
async fn watched(address: SocketAddr, app: Arc<App>, delivers: bool) {
    let mut refused = false;
    let listener = loop {
        match server::listen(address) {
            Ok(listener) => break listener,
            Err(error) if !refused => {
                tracing::error!(%error, "nobody can watch over the site at {address} (ADMIN_LISTEN)");
                refused = true;
            }
            Err(_) => {}
        }
        sleep(ADMIN_INTERVAL).await;
    };
    if let Ok(address) = listener.local_addr() {
        tracing::info!("the site is watched over at http://{address}/ready");
    }
    let limits = Limits { connections: ADMIN_CONNECTIONS, drain: DRAIN, grace: GRACE };
    let refuse = |status| (status, HeaderMap::new(), Bytes::new());
    let (metrics, connections) = (Arc::clone(&app.metrics), Number::default());
    let front = operator_router(app, delivers);
    let server = Server { front, refuse: Arc::new(refuse), limits, metrics, connections };
    // It answers until the process ends: that the site stops is what it has to say.
    server::serve(listener, server, std::future::pending()).await;
}

/// Looks at the copy again each time that the process gets the signal to hang up.
fn reread(publisher: Arc<Publisher>) -> anyhow::Result<impl Future<Output = ()>> {
    let mut hangups = signal(SignalKind::hangup())?;
    Ok(async move {
        while hangups.recv().await.is_some() {
            publisher.look_now();
        }
    })
}

/// Prints the site's address once the first edition is served.
async fn announce(mut editions: watch::Receiver<u64>, address: SocketAddr) {
    if editions.wait_for(|number| *number > 0).await.is_ok() {
        let line = format!("Pages are being served at http://{address}/");
        if let Err(error) = writeln!(io::stdout(), "{line}").context(line) {
            tracing::warn!("nobody reads the standard output: {error:#}");
        }
    }
}
