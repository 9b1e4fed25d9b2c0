//! Whoever empties an outbox into mailboxes.

use std::{sync::Arc, time::Duration};

use site::{
    config::MailConfig,
    contact::{
        delivery::{Delivery, Step},
        mailer::Mailer,
        outbox::{KeptMessage, Outbox},
    },
};

use super::{copy, message, postgres::Database, stored};

/// Where the site of these tests is.
pub const HOST: &str = "tickfleet.example";
/// Who gets every message.
pub const TEAM: &str = "team@tickfleet.example";
/// Who wrote the first.
pub const VISITOR: &str = "ada@example.com";

/// As many attempts as a message gets.
pub const ATTEMPTS: usize = 16;
/// The longest pause after the first attempt; the second is twice as long, and so on.
pub const PAUSE: u64 = 38;

/// An outbox and whoever empties it.
pub struct Office {
    pub outbox: Outbox,
    pub delivery: Delivery,
    pub database: Database,
}

impl Office {
    pub async fn open(database: Database, smtp_url: &str) -> Self {
        let outbox = Outbox::new(&database.url).unwrap();
        let delivery = delivery(&outbox, smtp_url);
        outbox.store(&message("Ada", "Hello"), None, HOST).await.unwrap();
        Self { outbox, delivery, database }
    }

    pub async fn step(&self) -> Step {
        self.delivery.step(&copy()).await.unwrap()
    }

    /// Lets seconds pass.
    pub async fn wait(&self, seconds: u64) {
        self.database.let_pass(Duration::from_secs(seconds)).await;
    }

    /// The only message.
    pub async fn kept(&self) -> KeptMessage {
        let mut all = stored(&self.outbox).await;
        assert_eq!(all.len(), 1);
        all.remove(0)
    }
}

pub fn delivery(outbox: &Outbox, smtp_url: &str) -> Delivery {
    Delivery::new(outbox.clone(), mailer(smtp_url), Arc::default())
}

pub fn mailer(smtp_url: &str) -> Mailer {
    let config = MailConfig {
        url: smtp_url.to_owned(),
        from: format!("Tickfleet <site@{HOST}>").parse().unwrap(),
        to: TEAM.parse().unwrap(),
    };
    Mailer::new(&config).unwrap()
}
