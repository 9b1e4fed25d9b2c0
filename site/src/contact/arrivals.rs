//! The forms that are arriving, no more at a time than there is memory for.

use std::{
    collections::{HashMap, VecDeque},
    future::Future,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use tokio::sync::{Semaphore, oneshot};

/// How many forms of one client may arrive at once; its others wait unread, each on its connection,
/// and nobody else waits for them.
const OF_ONE_CLIENT: usize = 8;
/// How many forms may arrive at once; with 80 KiB each they take at most 32 MB.
const AT_ONCE: usize = 400;

/// Who is sending a form just now.
#[derive(Default)]
pub struct Arrivals(Mutex<Places>);

#[derive(Default)]
struct Places {
    clients: HashMap<IpAddr, Weak<Semaphore>>,
    /// The form that began first in front.
    forms: VecDeque<Arc<oneshot::Sender<()>>>,
}

impl Arrivals {
    /// Waits for a client's form to arrive; `None` where so many others have begun meanwhile that this
    /// one was given up. A form takes a moment, so that only one that is sent in drops is overtaken.
    pub async fn wait_for<T>(&self, client: IpAddr, form: impl Future<Output = T>) -> Option<T> {
        let turns = self.turns(client);
        let turn = turns.acquire().await;
        let (place, given_up) = oneshot::channel();
        let place = Place { arrivals: self, place: self.enter(place) };
        let arrived = tokio::select! {
            form = form => Some(form),
            _ = given_up => None,
        };
        drop((place, turn));
        arrived
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the forms of one client share.
    fn turns(&self, client: IpAddr) -> Arc<Semaphore> {
        let mut places = self.places();
        places.clients.retain(|_, turns| turns.strong_count() > 0);
        let known = places.clients.get(&client).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let turns = Arc::new(Semaphore::new(OF_ONE_CLIENT));
            places.clients.insert(client, Arc::downgrade(&turns));
            turns
        })
    }

    fn enter(&self, place: oneshot::Sender<()>) -> Weak<oneshot::Sender<()>> {
        let place = Arc::new(place);
        let weak = Arc::downgrade(&place);
        let forms = &mut self.places().forms;
        if forms.len() == AT_ONCE {
            forms.pop_front();
        }
        forms.push_back(place);
        weak
    }
}

/// A form's place, which it leaves however its reading ends.
struct Place<'a> {
    arrivals: &'a Arrivals,
    place: Weak<oneshot::Sender<()>>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.arrivals.places().forms.retain(|place| Arc::as_ptr(place) != self.place.as_ptr());
    }
}
