//! Background tasks: opening the database, delivery, cleaning up.

use std::{sync::Arc, time::Duration};

use tokio::sync::watch;

use crate::{
    config::Handling,
    contact::{
        delivery::{Delivery, Step},
        outbox::Outbox,
    },
    state::App,
};

/// How long the delivery sleeps at most: a retry may be due, or another process may have stored
/// a message.
const DELIVERY_INTERVAL: Duration = Duration::from_secs(5);
/// How long to wait before trying again to open the database.
const DATABASE_INTERVAL: Duration = Duration::from_secs(5);
/// How often what is no longer needed is cleared away.
const CLEARING_INTERVAL: Duration = Duration::from_mins(10);

/// Opens the database as soon as that is possible; until then pages are served and messages refused.
pub async fn open_database(outbox: Outbox) {
    let mut refused = false;
    while let Err(error) = outbox.open().await {
        if !refused {
            tracing::error!(
                %error,
                "the contact database can't be opened (DATABASE_URL, STATE_DIR): messages are \
                 refused until it can"
            );
        }
        refused = true;
        tokio::time::sleep(DATABASE_INTERVAL).await;
    }
    if refused {
        tracing::info!("the contact database could be opened after all");
    }
}

/// Delivers messages as they come, until it is told to stop. A mail that is on its way then is
/// brought to its end: cut off, it would go out a second time.
pub async fn deliver(app: Arc<App>, delivery: Delivery, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        match delivery.step(&app.publisher.copy()).await {
            Ok(Step::Delivered | Step::Postponed | Step::Dead) => continue,
            Ok(Step::Idle) => {}
            Err(error) => tracing::error!(%error, "the outbox can't be used; trying again"),
        }
        tokio::select! {
            Ok(_) = stop.wait_for(|stop| *stop) => {}
            _ = tokio::time::timeout(DELIVERY_INTERVAL, app.stored.notified()) => {}
        }
    }
}

/// Deletes messages after so many days, and forgets idle clients. Never returns.
pub async fn clean_up(app: Arc<App>, handling: Handling) {
    let mut interval = tokio::time::interval(CLEARING_INTERVAL);
    loop {
        interval.tick().await;
        app.guard.forget_idle_clients();
        let Some(days) = handling.retention_days else { continue };
        let age = Duration::from_hours(24 * u64::from(days));
        match app.outbox.delete_old(age, handling.mailed).await {
            Ok(0) => {}
            Ok(deleted) => {
                tracing::info!(deleted, "messages were deleted after their time");
            }
            Err(error) => tracing::error!(%error, "old messages can't be deleted"),
        }
    }
}
