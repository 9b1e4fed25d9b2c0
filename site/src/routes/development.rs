//! What only a development server answers: news of a new edition, for the browser to reload.

use std::{sync::Arc, time::Duration};

use futures_util::stream::unfold;
use poem::{
    handler,
    web::{
        Data,
        sse::{Event, SSE},
    },
};

use crate::app::Site;

/// One event for the edition that is being served and one for each that follows.
#[handler]
pub fn editions(site: Data<&Arc<Site>>) -> SSE {
    let mut editions = site.publisher.editions();
    editions.mark_changed();
    let events = unfold(editions, |mut editions| async {
        editions.changed().await.ok()?;
        let number = *editions.borrow_and_update();
        // The process is part of the name: a restarted server counts from 1 again.
        Some((Event::message(format!("{}-{number}", std::process::id())), editions))
    });
    SSE::new(events).keep_alive(Duration::from_secs(15))
}
