//! The forms that are arriving, no more at a time than there is memory for.

use std::{
    collections::VecDeque,
    future::Future,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use tokio::sync::oneshot;

/// How many forms may arrive at once; with 80 KiB each they take at most 32 MB.
const AT_ONCE: usize = 400;

/// Who is sending a form just now, the one that began first in front.
#[derive(Default)]
pub struct Arrivals(Mutex<VecDeque<Arc<oneshot::Sender<()>>>>);

impl Arrivals {
    /// Waits for a form to arrive; `None` where so many others have begun meanwhile that this one
    /// was given up. A form takes a moment, so that only one that is sent in drops is overtaken.
    pub async fn wait_for<T>(&self, form: impl Future<Output = T>) -> Option<T> {
        let (place, given_up) = oneshot::channel();
        let place = Place { arrivals: self, place: self.enter(place) };
        let arrived = tokio::select! {
            form = form => Some(form),
            _ = given_up => None,
        };
        drop(place);
        arrived
    }

    fn enter(&self, place: oneshot::Sender<()>) -> Weak<oneshot::Sender<()>> {
        let place = Arc::new(place);
        let weak = Arc::downgrade(&place);
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() == AT_ONCE {
            places.pop_front();
        }
        places.push_back(place);
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
        let mut places = self.arrivals.0.lock().unwrap_or_else(PoisonError::into_inner);
        places.retain(|place| Arc::as_ptr(place) != self.place.as_ptr());
    }
}
