//! Who has used up how much (generic cell rate algorithm; ITU-T I.371, annex A).
//!
//! `governor` counts the same way, but what it has counted can't be given back.

use std::{
    collections::HashMap,
    hash::Hash,
    time::{Duration, Instant},
};

/// The most whose use is remembered; each takes some 50 bytes.
const REMEMBERED: usize = 200_000;

/// So many at once, and then one more each time the interval has passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quota {
    pub(super) burst: u32,
    pub(super) interval: Duration,
}

/// The use that everybody has made of a quota.
#[derive(Debug)]
pub(super) struct Uses<K> {
    quota: Quota,
    /// When each one's quota is whole again.
    whole_at: HashMap<K, Instant>,
}

impl<K: Copy + Eq + Hash> Uses<K> {
    pub(super) fn new(quota: Quota) -> Self {
        Self { quota, whole_at: HashMap::new() }
    }

    /// How long this one has to wait before one more; zero where nothing keeps it.
    pub(super) fn wait(&self, key: K, now: Instant) -> Duration {
        let Some(whole_at) = self.whole_at.get(&key) else { return Duration::ZERO };
        let used = whole_at.saturating_duration_since(now);
        used.saturating_sub(self.quota.interval * (self.quota.burst - 1))
    }

    /// Counts one more.
    pub(super) fn count(&mut self, key: K, now: Instant) {
        if self.whole_at.len() >= REMEMBERED {
            self.forget(now);
        }
        // Who can't be remembered is held by the quotas of the network, which are fewer.
        if self.whole_at.len() < REMEMBERED || self.whole_at.contains_key(&key) {
            let whole_at = self.whole_at.entry(key).or_insert(now);
            *whole_at = (*whole_at).max(now) + self.quota.interval;
        }
    }

    /// Takes one back that was counted.
    pub(super) fn give_back(&mut self, key: K) {
        if let Some(whole_at) = self.whole_at.get_mut(&key) {
            *whole_at = whole_at.checked_sub(self.quota.interval).unwrap_or(*whole_at);
        }
    }

    /// Forgets whose quota is whole again.
    pub(super) fn forget(&mut self, now: Instant) {
        self.whole_at.retain(|_, whole_at| *whole_at > now);
        self.whole_at.shrink_to(0);
    }
}
