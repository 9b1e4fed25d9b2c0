//! The forms that are arriving, no more at a time than there is memory for.

use std::{
    collections::{HashMap, VecDeque},
    future::Future,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    sync::{Notify, oneshot},
    time::{Instant, timeout},
};

use super::guard::network;

/// For how long a form is not given up for another one: whoever sends what never ends comes back with it
/// as often as it is given up.
const MOMENT: Duration = Duration::from_millis(500);

/// Forms that have a number of places together. Where all are taken, the one that began first is given up
/// for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Group {
    Client(IpAddr),
    /// None fills all places by itself.
    Network(IpAddr),
    /// With 80 KiB each they take at most 8 MB.
    All,
}

impl Group {
    /// The groups of a client's forms, from the smallest to the largest.
    fn of(client: IpAddr) -> [Self; 3] {
        [Self::Client(client), Self::Network(network(client)), Self::All]
    }

    fn places(self) -> usize {
        match self {
            Self::Client(_) => 8,
            Self::Network(_) => 40,
            Self::All => 100,
        }
    }
}

/// Held by the first of those who wait; the others stand behind, in their order.
type Line = Arc<tokio::sync::Mutex<()>>;

/// Who is sending a form just now.
#[derive(Default)]
pub struct Arrivals {
    /// The form that began first in front.
    forms: Mutex<VecDeque<Arc<Form>>>,
    /// Only the first in a client's line stands in its network's, and only the first of a network in that of
    /// all: whoever sends thousands is not more often in front than whoever sends one.
    lines: Mutex<HashMap<Group, Weak<tokio::sync::Mutex<()>>>>,
    /// Wakes whoever is first in a line.
    left: Notify,
}

/// A form that is arriving.
struct Form {
    client: IpAddr,
    begun: Instant,
    /// Dropped with it, which tells its reader.
    _given_up: oneshot::Sender<()>,
}

impl Arrivals {
    /// Waits for a client's form to arrive; `None` where it took longer than a moment and so many others
    /// came meanwhile that it was given up. A form that finds no place waits for one unread.
    pub async fn wait_for<T>(&self, client: IpAddr, form: impl Future<Output = T>) -> Option<T> {
        let (sender, given_up) = oneshot::channel();
        let _place = Place { arrivals: self, form: self.enter(client, sender).await };
        tokio::select! {
            form = form => Some(form),
            _ = given_up => None,
        }
    }

    /// Forgets the lines in which nobody stands.
    pub fn forget_empty_lines(&self) {
        self.lines().retain(|_, line| line.strong_count() > 0);
    }

    fn forms(&self) -> MutexGuard<'_, VecDeque<Arc<Form>>> {
        self.forms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lines(&self) -> MutexGuard<'_, HashMap<Group, Weak<tokio::sync::Mutex<()>>>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lines of a client's groups.
    fn lines_of(&self, client: IpAddr) -> [(Group, Line); 3] {
        self.forget_empty_lines();
        let mut lines = self.lines();
        Group::of(client).map(|group| {
            let known = lines.get(&group).and_then(Weak::upgrade);
            let line = known.unwrap_or_else(|| {
                let line = Line::default();
                lines.insert(group, Arc::downgrade(&line));
                line
            });
            (group, line)
        })
    }

    /// Waits for a place in each group, and gives up what is in the way of the last.
    async fn enter(&self, client: IpAddr, given_up: oneshot::Sender<()>) -> Weak<Form> {
        let mut first_in_line = Vec::new();
        for (group, line) in self.lines_of(client) {
            first_in_line.push(line.lock_owned().await);
            loop {
                let left = self.left.notified();
                let Some(moment) = self.no_place_for(group) else { break };
                // Over sooner where somebody left.
                let _over = timeout(moment, left).await;
            }
        }
        let form = Arc::new(Form { client, begun: Instant::now(), _given_up: given_up });
        let weak = Arc::downgrade(&form);
        let mut forms = self.forms();
        for group in Group::of(client) {
            if let Some(index) = oldest(&forms, group) {
                forms.remove(index);
            }
        }
        forms.push_back(form);
        weak
    }

    /// For how long no form of a group can be given up; nothing where there is a place.
    fn no_place_for(&self, group: Group) -> Option<Duration> {
        let forms = self.forms();
        let age = forms[oldest(&forms, group)?].begun.elapsed();
        MOMENT.checked_sub(age).filter(|left| !left.is_zero())
    }
}

/// Where the form of a group stands that began first, if all of the group's places are taken.
fn oldest(forms: &VecDeque<Arc<Form>>, group: Group) -> Option<usize> {
    let is_of_group = |form: &Arc<Form>| Group::of(form.client).contains(&group);
    let taken = forms.iter().filter(|form| is_of_group(form)).count();
    let first = forms.iter().position(is_of_group);
    first.filter(|_| taken >= group.places())
}

/// A form's place, which it leaves however its reading ends.
struct Place<'a> {
    arrivals: &'a Arrivals,
    form: Weak<Form>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.arrivals.forms().retain(|form| Arc::as_ptr(form) != self.form.as_ptr());
        self.arrivals.left.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, net::Ipv4Addr};

    use tokio::time::sleep;

    use super::*;

    /// Forms of this client that never end, so many as find a place at once.
    fn stalled(arrivals: &Arc<Arrivals>, client: IpAddr, count: usize) {
        for _ in 0..count {
            let arrivals = Arc::clone(arrivals);
            tokio::spawn(async move { arrivals.wait_for(client, pending::<()>()).await });
        }
    }

    /// How long a form takes that is there at once, where so many others have places.
    async fn takes(arrivals: &Arrivals, client: impl Into<IpAddr>, others: usize) -> Duration {
        sleep(Duration::from_millis(1)).await;
        assert_eq!(arrivals.forms().len(), others);
        let begun = Instant::now();
        assert!(arrivals.wait_for(client.into(), async {}).await.is_some());
        begun.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_shares_an_address_with_forms_that_never_end_waits_for_a_moment() {
        let arrivals = Arc::default();
        let shared = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 1));
        stalled(&arrivals, shared, 8);
        assert_eq!(takes(&arrivals, [203, 0, 113, 2], 8).await, Duration::ZERO);
        assert!(takes(&arrivals, shared, 8).await <= MOMENT + Duration::from_millis(2));
    }

    #[tokio::test(start_paused = true)]
    async fn no_network_keeps_another_one_waiting() {
        let arrivals = Arc::default();
        for host in 0..255 {
            stalled(&arrivals, [203, 0, 113, host].into(), 20);
        }
        assert_eq!(takes(&arrivals, [198, 51, 100, 1], 40).await, Duration::ZERO);
    }

    /// Twenty networks fill all places; none of them stands in line more than once.
    #[tokio::test(start_paused = true)]
    async fn whoever_sends_one_form_does_not_wait_for_thousands_of_a_few_networks() {
        let arrivals = Arc::default();
        for network in 0..20 {
            for host in 0..50 {
                stalled(&arrivals, [203, 0, network, host].into(), 8);
            }
        }
        assert!(takes(&arrivals, [198, 51, 100, 1], 100).await < Duration::from_secs(1));
    }

    #[tokio::test]
    async fn a_line_is_forgotten_once_nobody_stands_in_it() {
        let arrivals = Arrivals::default();
        let client = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let arriving = arrivals.wait_for(client, async {
            arrivals.forget_empty_lines();
            arrivals.lines().len()
        });
        arriving.await.unwrap();
        arrivals.forget_empty_lines();
        assert_eq!(arrivals.lines().len(), 0);
    }
}
