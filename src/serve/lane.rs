//! Lanes: a bounded number of places for questions of one kind, shared fairly between clients.
//!
//! A place that becomes free goes to the client that has the fewest questions at work. Of several such clients the one
//! that has been without a place for the longest time gets it. A client alone may have all places; another client that
//! comes gets the next.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot::{self, Sender};
use tokio::time::timeout;

use super::client::Client;
use super::reply::Refusal;

/// Places for questions of one kind.
pub struct Lane {
    /// How long a question waits for its place.
    turn: Duration,
    state: Mutex<State>,
}

struct State {
    /// Number of free places.
    free: usize,
    /// Clients that have a question at work or waiting.
    clients: HashMap<Client, Share>,
    /// Counts what happens, as a clock.
    now: u64,
}

/// The part of a lane that one client has.
#[derive(Default)]
struct Share {
    /// Number of questions at work.
    at_work: usize,
    /// Questions that wait, in the order of their arrival. Those whose asker has gone away are closed.
    waiting: VecDeque<Sender<Place>>,
    /// The value of [`State::now`] when the client came, or when it last got or gave back a place.
    since: u64,
}

impl Lane {
    pub fn new(places: usize, turn: Duration) -> Arc<Lane> {
        let state = State { free: places, clients: HashMap::new(), now: 0 };
        Arc::new(Lane { turn, state: Mutex::new(state) })
    }

    /// Waits for a place.
    ///
    /// # Errors
    /// Refuses the question if none becomes free for it in time.
    pub async fn place(self: &Arc<Lane>, client: Client) -> Result<Place, Refusal> {
        let (sender, receiver) = oneshot::channel();
        self.state().wait(client, sender);
        self.fill();
        match timeout(self.turn, receiver).await {
            Ok(place) => Ok(place.expect("a waiting question is never dropped")),
            Err(_) => Err(Refusal::busy()),
        }
    }

    /// Gives free places to questions that wait.
    fn fill(self: &Arc<Lane>) {
        // A place that nobody takes any more comes back by `Drop`, which takes the lock itself.
        loop {
            let Some((client, sender)) = self.state().next() else { break };
            let _ = sender.send(Place { lane: Arc::clone(self), client });
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    /// Adds a question that waits.
    fn wait(&mut self, client: Client, sender: Sender<Place>) {
        let since = self.tick();
        let share = self.clients.entry(client).or_insert_with(|| Share { since, ..Share::default() });
        share.waiting.retain(|sender| !sender.is_closed());
        share.waiting.push_back(sender);
    }

    /// Takes a place back.
    fn give_back(&mut self, client: Client) {
        let since = self.tick();
        self.free += 1;
        if let Some(share) = self.clients.get_mut(&client) {
            share.at_work -= 1;
            share.since = since;
        }
    }

    /// Takes a free place for the question whose turn it is. Returns `None` if no place is free or no question waits.
    fn next(&mut self) -> Option<(Client, Sender<Place>)> {
        if self.free == 0 {
            return None;
        }
        let since = self.tick();
        self.clients.retain(|_, share| {
            share.waiting.retain(|sender| !sender.is_closed());
            share.at_work > 0 || !share.waiting.is_empty()
        });
        let waiting = self.clients.iter_mut().filter(|(_, share)| !share.waiting.is_empty());
        let (&client, share) = waiting.min_by_key(|(_, share)| (share.at_work, share.since))?;
        let sender = share.waiting.pop_front()?;
        self.free -= 1;
        share.at_work += 1;
        share.since = since;
        Some((client, sender))
    }
}

/// A place in a lane. It becomes free when this is dropped.
pub struct Place {
    lane: Arc<Lane>,
    client: Client,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.lane.state().give_back(self.client);
        self.lane.fill();
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;

    const ENDLESS: Duration = Duration::from_secs(1 << 20);

    fn client(number: u8) -> Client {
        Client::at([192, 0, 2, number].into())
    }

    /// A question that waits for its place.
    type Waiting = std::pin::Pin<Box<dyn Future<Output = Result<Place, Refusal>>>>;

    fn ask(lane: &Arc<Lane>, number: u8) -> Waiting {
        let lane = Arc::clone(lane);
        let mut waiting: Waiting = Box::pin(async move { lane.place(client(number)).await });
        // It joins the queue when it is looked at first.
        assert!(place(&mut waiting).is_none());
        waiting
    }

    fn place(waiting: &mut Waiting) -> Option<Place> {
        match waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(place) => place.ok(),
            Poll::Pending => None,
        }
    }

    fn in_a_runtime(test: impl FnOnce()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async { test() });
    }

    fn taken(lane: &Arc<Lane>, number: u8) -> Place {
        let lane = Arc::clone(lane);
        let mut waiting: Waiting = Box::pin(async move { lane.place(client(number)).await });
        place(&mut waiting).expect("a place is free")
    }

    #[test]
    fn the_next_place_goes_to_the_client_with_fewest_questions_at_work() {
        in_a_runtime(|| {
            let lane = Lane::new(2, ENDLESS);
            let (first, second) = (taken(&lane, 1), taken(&lane, 1));
            let mut greedy: Vec<Waiting> = (0..5).map(|_| ask(&lane, 1)).collect();
            let mut other = ask(&lane, 2);
            drop(first);
            assert!(greedy.iter_mut().all(|waiting| place(waiting).is_none()));
            let others = place(&mut other).expect("the other client has none at work");
            drop(others);
            assert!(place(&mut greedy[0]).is_some(), "its own questions go in their order");
            drop(second);
        });
    }

    #[test]
    fn clients_with_equally_many_take_turns() {
        in_a_runtime(|| {
            let lane = Lane::new(1, ENDLESS);
            let mut held = taken(&lane, 1);
            let mut waiting: Vec<(u8, Waiting)> = [1, 1, 2, 2, 3].map(|number| (number, ask(&lane, number))).into();
            let mut order = Vec::new();
            while !waiting.is_empty() {
                drop(held);
                let mut found = None;
                waiting.retain_mut(|(number, question)| match place(question) {
                    Some(place) => {
                        order.push(*number);
                        found = Some(place);
                        false
                    }
                    None => true,
                });
                held = found.expect("one of them has the place");
            }
            assert_eq!(order, [2, 3, 1, 2, 1]);
        });
    }

    #[test]
    fn questions_whose_asker_has_gone_away_take_no_place() {
        in_a_runtime(|| {
            let lane = Lane::new(1, ENDLESS);
            let held = taken(&lane, 1);
            let gone: Vec<Waiting> = (0..1000).map(|_| ask(&lane, 2)).collect();
            let mut late = ask(&lane, 3);
            drop(gone);
            drop(held);
            assert!(place(&mut late).is_some());
            drop(late);
            assert_eq!(lane.state().free, 1);
            assert!(lane.state().clients.values().all(|share| share.at_work == 0 && share.waiting.is_empty()));
        });
    }

    #[test]
    fn a_place_that_was_sent_to_somebody_who_has_gone_away_is_free_again() {
        in_a_runtime(|| {
            let lane = Lane::new(1, ENDLESS);
            let held = taken(&lane, 1);
            let (gone, mut next) = (ask(&lane, 2), ask(&lane, 3));
            drop(held);
            drop(gone);
            assert!(place(&mut next).is_some());
        });
    }
}
