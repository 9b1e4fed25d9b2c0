//! The open connections, as many as there may be.

use std::{
    collections::HashMap,
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    task::{AbortHandle, Id, JoinError, JoinSet},
    time::Instant,
};

/// What a connection is doing, told by the connection and read by the crowd.
#[derive(Debug)]
pub(super) struct Activity {
    epoch: Instant,
    answering: AtomicBool,
    /// When it was accepted, its last request came, the answer was ready, or the system took the last
    /// part of one, in milliseconds since the epoch.
    since: AtomicU64,
}

impl Activity {
    /// A request has come.
    pub(super) fn begin(&self) {
        self.written();
        self.answering.store(true, Ordering::Relaxed);
    }

    /// Its answer is ready to be written. Whoever sees that also sees that it was just now: a client
    /// that had been silent before it asked keeps its answer.
    pub(super) fn end(&self) {
        self.written();
        self.answering.store(false, Ordering::Release);
    }

    /// The system took a part of an answer.
    pub(super) fn written(&self) {
        self.since.store(milliseconds(self.epoch), Ordering::Relaxed);
    }
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The tasks of all open connections.
pub(super) struct Crowd {
    epoch: Instant,
    limit: usize,
    tasks: JoinSet<()>,
    open: HashMap<Id, (AbortHandle, Arc<Activity>)>,
}

impl Crowd {
    /// Room for so many connections.
    pub(super) fn new(limit: usize) -> Self {
        Self { epoch: Instant::now(), limit, tasks: JoinSet::new(), open: HashMap::new() }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether another connection would be one too many.
    pub(super) fn is_full(&self) -> bool {
        self.open.len() >= self.limit
    }

    /// Takes a connection in.
    pub(super) fn add<F>(&mut self, connection: impl FnOnce(Arc<Activity>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let activity = Arc::new(Activity {
            epoch: self.epoch,
            answering: AtomicBool::new(false),
            since: AtomicU64::new(milliseconds(self.epoch)),
        });
        let task = self.tasks.spawn(connection(Arc::clone(&activity)));
        self.open.insert(task.id(), (task, activity));
    }

    /// Closes the connection that has been without a request for longest; where all of them are
    /// being answered, the one whose request came first. An attacker's connections, which stay, are
    /// older than a visitor's, which come and go. False where there is none.
    pub(super) fn evict(&mut self) -> bool {
        let oldest = self.open.iter().min_by_key(|(_, (_, activity))| {
            let answering = activity.answering.load(Ordering::Relaxed);
            (answering, activity.since.load(Ordering::Relaxed))
        });
        let closed = oldest.map(|(id, _)| *id).and_then(|id| self.open.remove(&id));
        closed.inspect(|(task, _)| task.abort()).is_some()
    }

    /// Closes each connection without a request whose client has neither sent one nor read anything
    /// for this long.
    pub(super) fn close_silent(&self, patience: Duration) {
        let patience = u64::try_from(patience.as_millis()).unwrap_or(u64::MAX);
        let Some(latest) = milliseconds(self.epoch).checked_sub(patience) else { return };
        for (task, activity) in self.open.values() {
            let answering = activity.answering.load(Ordering::Acquire);
            if !answering && activity.since.load(Ordering::Relaxed) <= latest {
                task.abort();
            }
        }
    }

    /// Waits for the end of a connection; never ends while there is none.
    pub(super) async fn ended(&mut self) {
        match self.tasks.join_next_with_id().await {
            Some(ended) => {
                let id = ended.map_or_else(|error: JoinError| error.id(), |(id, ())| id);
                self.open.remove(&id);
            }
            None => std::future::pending().await,
        }
    }

    /// Waits until there is no connection any more.
    pub(super) async fn all_ended(&mut self) {
        while !self.tasks.is_empty() {
            self.ended().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_has_ended_is_no_longer_counted() {
        let mut crowd = Crowd::new(2);
        crowd.add(|_| async {});
        crowd.add(|_| std::future::pending());
        let waited = tokio::time::timeout(Duration::from_millis(50), crowd.all_ended()).await;
        assert!(waited.is_err());
        assert_eq!(crowd.len(), 1);
    }

    /// A visitor's connection may be older than an attacker's, and what it asks for newer.
    #[tokio::test(start_paused = true)]
    async fn where_all_are_being_answered_the_one_whose_request_came_first_makes_room() {
        let mut crowd = Crowd::new(2);
        let mut opened = Vec::new();
        for _ in 0..2 {
            crowd.add(|activity| {
                opened.push(activity);
                std::future::pending()
            });
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        let [visitor, attacker] = &opened[..] else { unreachable!() };
        attacker.begin();
        tokio::time::advance(Duration::from_secs(1)).await;
        visitor.begin();
        assert!(crowd.evict());
        let left: Vec<_> = crowd.open.values().map(|(_, activity)| activity).collect();
        assert!(matches!(left[..], [it] if Arc::ptr_eq(it, visitor)));
    }
}
