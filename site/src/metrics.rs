//! What is counted while the site runs, for Prometheus and for the log.

use std::{
    fmt,
    sync::{Mutex, PoisonError, atomic::AtomicI64},
    time::Duration,
};

use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};
use strum::{EnumCount, EnumIter, IntoEnumIterator, IntoStaticStr};
use tokio::sync::Notify;

/// What goes wrong for somebody, by kind. An attack or an outage can bring thousands of one kind in
/// a second, so they are counted, and the log reports the count.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, EnumIter, IntoStaticStr, strum::Display,
)]
#[strum(serialize_all = "snake_case")]
pub enum Trouble {
    /// A client has used its quota of messages up.
    ClientLimit,
    /// A network has.
    NetworkLimit,
    /// A message was marked because there were too many of all.
    Crowded,
    /// A form was posted from another site.
    CrossSite,
    /// A form was too large.
    TooLarge,
    /// A form took too long to arrive.
    TooSlow,
    /// A message could not be stored.
    NotStored,
    /// A handler failed.
    Failed,
    /// What a client sent was no request, or its head was too large.
    NoRequest,
    /// A connection was closed to make room for another.
    Evicted,
    /// No connection could be accepted: too many files are open, or there is too little memory.
    NotAccepted,
    /// A mail could not be sent, and will be tried again.
    Postponed,
}

impl Trouble {
    /// What is the matter, for the log.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::ClientLimit => {
                "clients were asked to wait (a proxy before the site must be named in \
                 TRUSTED_PROXIES, or all visitors count as one client)"
            }
            Self::NetworkLimit => "clients were asked to wait, because of others in their network",
            Self::Crowded => "messages were marked as suspected, because very many came at once",
            Self::CrossSite => "forms that were posted from another site were refused",
            Self::TooLarge => "forms that were too large were refused",
            Self::TooSlow => "forms that took too long to arrive were given up",
            Self::NotStored => "a message could not be stored; the visitor was told so",
            Self::Failed => "a route failed",
            Self::NoRequest => "what was no request, or had too large a head, was refused",
            Self::Evicted => "connections were closed to make room for new ones, idle ones first",
            Self::NotAccepted => "no connection could be accepted",
            Self::Postponed => "a message could not be delivered yet",
        }
    }

    /// Whether the owner has to look at it, rather than whoever attacks the site.
    pub fn is_ours(self) -> bool {
        matches!(self, Self::NotStored | Self::Failed | Self::NotAccepted | Self::Postponed)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answer {
    kind: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfKind {
    kind: &'static str,
}

impl From<Trouble> for OfKind {
    fn from(kind: Trouble) -> Self {
        Self { kind: kind.into() }
    }
}

/// Upper bounds of the buckets of latencies, in seconds: what is held takes microseconds, a form
/// whose sender is slow takes seconds.
const LATENCIES: [f64; 12] =
    [0.000_001, 0.000_01, 0.000_1, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

/// A number that goes up and down.
pub type Number = Gauge<i64, AtomicI64>;
type Kinds = Family<OfKind, Counter>;

/// All that is counted.
pub struct Metrics {
    registry: Registry,
    answers: Family<Answer, Counter>,
    held: Counter,
    unchanged: Counter,
    answer_seconds: Family<OfKind, Histogram, fn() -> Histogram>,
    held_seconds: Histogram,
    troubles: Kinds,
    causes: Mutex<[String; Trouble::COUNT]>,
    /// Wakes whoever reports troubles.
    pub trouble: Notify,
    editions: Counter,
    refused_editions: Kinds,
    deliveries: Kinds,
    /// The open connections.
    pub connections: Number,
    /// The files in the state folder that need not be made again.
    pub kept_files: Number,
    messages: Family<OfKind, Number>,
    /// How long the message that has waited longest has been waiting, in seconds.
    pub oldest_waiting: Number,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("site");
        let answers = Family::<Answer, Counter>::default();
        registry.register("answers", "Answers by kind and status", answers.clone());
        let answer = |status| answers.get_or_create_owned(&Answer { kind: "held", status });
        let (held, unchanged) = (answer(200), answer(304));
        let answer_seconds =
            Family::new_with_constructor((|| Histogram::new(LATENCIES)) as fn() -> _);
        registry.register_with_unit(
            "answer",
            "From the head of a request to its answer, by kind",
            Unit::Seconds,
            answer_seconds.clone(),
        );
        let held_seconds = answer_seconds.get_or_create_owned(&OfKind { kind: "held" });
        let troubles = Kinds::default();
        registry.register("troubles", "Refusals and failures by kind", troubles.clone());
        for kind in Trouble::iter() {
            drop(troubles.get_or_create(&kind.into()));
        }
        let editions = Counter::default();
        registry.register("editions", "Editions that were published", editions.clone());
        let refused_editions = Kinds::default();
        registry.register(
            "refused_editions",
            "Tries that no edition came of, by cause",
            refused_editions.clone(),
        );
        let deliveries = Kinds::default();
        registry.register("deliveries", "Deliveries by result", deliveries.clone());
        let connections = Number::default();
        registry.register("connections", "Open connections", connections.clone());
        let kept_files = Number::default();
        registry.register("kept_files", "Files kept for the next start", kept_files.clone());
        let messages = Family::default();
        registry.register("messages", "Messages in the outbox by state", messages.clone());
        let oldest_waiting = Number::default();
        registry.register_with_unit(
            "oldest_waiting_message",
            "Age of the message that has waited longest for its delivery",
            Unit::Seconds,
            oldest_waiting.clone(),
        );
        Self {
            registry,
            answers,
            held,
            unchanged,
            answer_seconds,
            held_seconds,
            troubles,
            causes: Mutex::default(),
            trouble: Notify::new(),
            editions,
            refused_editions,
            deliveries,
            connections,
            kept_files,
            messages,
            oldest_waiting,
        }
    }
}

impl Metrics {
    /// Counts a page or file that was answered as the edition holds it, and the time that it took.
    pub fn held(&self, status: u16, took: Duration) {
        match status {
            200 => self.held.inc(),
            304 => self.unchanged.inc(),
            _ => self.answers.get_or_create(&Answer { kind: "held", status }).inc(),
        };
        self.held_seconds.observe(took.as_secs_f64());
    }

    /// Counts any other answer, and the time that it took.
    pub fn answered(&self, kind: &'static str, status: u16, took: Duration) {
        self.answers.get_or_create(&Answer { kind, status }).inc();
        self.answer_seconds.get_or_create(&OfKind { kind }).observe(took.as_secs_f64());
    }

    /// Counts a trouble, and keeps its cause for the report; never a word that a visitor wrote.
    pub fn trouble(&self, kind: Trouble, cause: &str) {
        self.troubles.get_or_create(&kind.into()).inc();
        if !cause.is_empty() {
            let mut causes = self.causes.lock().unwrap_or_else(PoisonError::into_inner);
            cause.clone_into(&mut causes[kind as usize]);
        }
        self.trouble.notify_one();
    }

    /// How often each kind of trouble has been counted, and the last cause.
    pub fn troubles(&self) -> Vec<(Trouble, u64, String)> {
        let causes = self.causes.lock().unwrap_or_else(PoisonError::into_inner);
        let count = |kind: Trouble| self.troubles.get_or_create(&kind.into()).get();
        Trouble::iter().map(|kind| (kind, count(kind), causes[kind as usize].clone())).collect()
    }

    /// Counts an edition that was published.
    pub fn published(&self) {
        self.editions.inc();
    }

    /// Counts a try that no edition came of.
    pub fn no_edition(&self, kind: &'static str) {
        self.refused_editions.get_or_create(&OfKind { kind }).inc();
    }

    /// Counts what a delivery came to.
    pub fn delivery(&self, kind: &'static str) {
        self.deliveries.get_or_create(&OfKind { kind }).inc();
    }

    /// Notes how many messages are in a state.
    pub fn messages(&self, kind: &'static str, count: i64) {
        self.messages.get_or_create(&OfKind { kind }).set(count);
    }

    /// Everything as text (`OpenMetrics` 1.0).
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
