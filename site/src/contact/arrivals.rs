//! The forms that are arriving, no more at a time than there is memory for.

use std::{
    collections::{HashMap, VecDeque},
    future::Future,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    sync::{Semaphore, oneshot},
    time::{Instant, sleep},
};

/// How many forms of one client may arrive at once; its others wait unread, each on its connection,
/// and nobody else waits for them.
const OF_ONE_CLIENT: usize = 8;
/// How many forms may arrive at once; with 80 KiB each they take at most 8 MB.
const AT_ONCE: usize = 100;
/// For how long a form is not given up for another one: whoever sends what never ends comes back with it
/// as often as it is given up.
const MOMENT: Duration = Duration::from_millis(500);

/// Who is sending a form just now.
#[derive(Default)]
pub struct Arrivals {
    places: Mutex<Places>,
    /// Held by the first of those who wait for a place; the others stand behind, in their order.
    line: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Places {
    clients: HashMap<IpAddr, Weak<Semaphore>>,
    /// The form that began first in front.
    forms: VecDeque<Arc<Form>>,
}

impl Places {
    fn forget_idle_clients(&mut self) {
        self.clients.retain(|_, turns| turns.strong_count() > 0);
    }
}

/// A form that is arriving.
struct Form {
    begun: Instant,
    /// Dropped with it, which tells its reader.
    _given_up: oneshot::Sender<()>,
}

impl Arrivals {
    /// Waits for a client's form to arrive; `None` where it took longer than a moment and so many others
    /// came meanwhile that it was given up. A form that finds no place waits for one unread.
    pub async fn wait_for<T>(&self, client: IpAddr, form: impl Future<Output = T>) -> Option<T> {
        let turns = self.turns(client);
        let turn = turns.acquire().await;
        let (sender, given_up) = oneshot::channel();
        let place = Place { arrivals: self, form: self.enter(sender).await };
        let arrived = tokio::select! {
            form = form => Some(form),
            _ = given_up => None,
        };
        drop((place, turn));
        arrived
    }

    /// Forgets the addresses of clients who send nothing just now.
    pub fn forget_idle_clients(&self) {
        self.places().forget_idle_clients();
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the forms of one client share.
    fn turns(&self, client: IpAddr) -> Arc<Semaphore> {
        let mut places = self.places();
        places.forget_idle_clients();
        let known = places.clients.get(&client).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let turns = Arc::new(Semaphore::new(OF_ONE_CLIENT));
            places.clients.insert(client, Arc::downgrade(&turns));
            turns
        })
    }

    async fn enter(&self, given_up: oneshot::Sender<()>) -> Weak<Form> {
        let _first = self.line.lock().await;
        while let Some(wait) = self.no_place_for() {
            sleep(wait).await;
        }
        let form = Arc::new(Form { begun: Instant::now(), _given_up: given_up });
        let weak = Arc::downgrade(&form);
        let forms = &mut self.places().forms;
        if forms.len() == AT_ONCE {
            forms.pop_front();
        }
        forms.push_back(form);
        weak
    }

    /// For how long no form can be given up; nothing where there is a place.
    fn no_place_for(&self) -> Option<Duration> {
        let places = self.places();
        let first = places.forms.front().filter(|_| places.forms.len() == AT_ONCE)?;
        let left = MOMENT.saturating_sub(first.begun.elapsed());
        (!left.is_zero()).then_some(left)
    }
}

/// A form's place, which it leaves however its reading ends.
struct Place<'a> {
    arrivals: &'a Arrivals,
    form: Weak<Form>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.arrivals.places().forms.retain(|form| Arc::as_ptr(form) != self.form.as_ptr());
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[tokio::test]
    async fn an_address_is_forgotten_once_its_forms_have_arrived() {
        let arrivals = Arrivals::default();
        let client = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let arriving = arrivals.wait_for(client, async {
            arrivals.forget_idle_clients();
            arrivals.places().clients.len()
        });
        assert_eq!(arriving.await, Some(1));
        arrivals.forget_idle_clients();
        assert_eq!(arrivals.places().clients.len(), 0);
    }
}
