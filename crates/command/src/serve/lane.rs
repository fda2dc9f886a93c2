//! Lanes. A lane limits the number of questions of one kind that are worked on at the same time, and is fair to
//! clients. These lanes have nothing to do with the lanes of Binarsi's tables.
//!
//! A lane has a fixed number of slots ([`LanePlace`]). A free slot goes to the waiting client with the fewest questions
//! at work. Among several such clients, it goes to the one whose last event is the longest ago. The events of a client
//! are that it came, got a slot, or gave one back. A single client may use all slots; the next free slot then goes to
//! another client if one waits.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot::{self, Sender};
use tokio::time::timeout;

use super::client::Client;
use super::reply::Refusal;

/// The slots for questions of one kind, and the questions that wait for one.
pub struct Lane {
    /// The longest time that a question waits for a slot.
    turn: Duration,
    state: Mutex<LaneState>,
}

struct LaneState {
    /// The number of free slots.
    free: usize,
    /// The clients that have a question at work or waiting.
    clients: HashMap<Client, ClientShare>,
    /// A logical clock. It advances when a question arrives, and when a slot is given out or given back.
    now: u64,
}

/// The slots and the waiting questions of one client.
#[derive(Default)]
struct ClientShare {
    /// The number of questions at work.
    at_work: usize,
    /// The waiting questions in order of arrival. Each is the sender through which the question gets its slot. The
    /// sender is closed once the question no longer waits.
    waiting: VecDeque<Sender<LanePlace>>,
    /// The value of [`LaneState::now`] when the client came, or when it last got or gave back a slot.
    since: u64,
}

impl Lane {
    pub fn new(places: usize, turn: Duration) -> Arc<Lane> {
        let state = LaneState { free: places, clients: HashMap::new(), now: 0 };
        Arc::new(Lane { turn, state: Mutex::new(state) })
    }

    /// Waits for a slot for a question of `client`.
    ///
    /// # Errors
    /// If no slot becomes free for the question within the lane's time limit.
    pub async fn place(self: &Arc<Lane>, client: Client) -> Result<LanePlace, Refusal> {
        let (sender, receiver) = oneshot::channel();
        self.state().wait(client, sender);
        self.fill();
        match timeout(self.turn, receiver).await {
            Ok(place) => Ok(place.expect("a waiting question is never dropped")),
            Err(_) => Err(Refusal::busy()),
        }
    }

    /// Gives the free slots to waiting questions.
    fn fill(self: &Arc<Lane>) {
        // If nobody receives the slot, it is dropped here, and its `drop` locks the state. So this loop must not hold
        // the lock meanwhile.
        loop {
            let Some((client, sender)) = self.state().next() else { break };
            let _ = sender.send(LanePlace { lane: Arc::clone(self), client });
        }
    }

    fn state(&self) -> MutexGuard<'_, LaneState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LaneState {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    /// Adds a waiting question.
    fn wait(&mut self, client: Client, sender: Sender<LanePlace>) {
        let since = self.tick();
        let share = self.clients.entry(client).or_insert_with(|| ClientShare { since, ..ClientShare::default() });
        share.waiting.retain(|sender| !sender.is_closed());
        share.waiting.push_back(sender);
    }

    /// Takes back a slot of `client`.
    fn give_back(&mut self, client: Client) {
        let since = self.tick();
        self.free += 1;
        if let Some(share) = self.clients.get_mut(&client) {
            share.at_work -= 1;
            share.since = since;
        }
    }

    /// Reserves a free slot for the next question. Returns its client and the sender through which it gets the slot, or
    /// `None` if no slot is free or no question waits.
    fn next(&mut self) -> Option<(Client, Sender<LanePlace>)> {
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

/// A slot of a [`Lane`]: the right to work on one question. Dropping the value frees the slot.
pub struct LanePlace {
    lane: Arc<Lane>,
    client: Client,
}

impl Drop for LanePlace {
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

    /// A question that waits for its slot.
    type Waiting = std::pin::Pin<Box<dyn Future<Output = Result<LanePlace, Refusal>>>>;

    fn ask(lane: &Arc<Lane>, number: u8) -> Waiting {
        let lane = Arc::clone(lane);
        let mut waiting: Waiting = Box::pin(async move { lane.place(client(number)).await });
        // The first poll puts the question into the queue.
        assert!(place(&mut waiting).is_none());
        waiting
    }

    fn place(waiting: &mut Waiting) -> Option<LanePlace> {
        match waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(place) => place.ok(),
            Poll::Pending => None,
        }
    }

    fn in_a_runtime(test: impl FnOnce()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async { test() });
    }

    fn taken(lane: &Arc<Lane>, number: u8) -> LanePlace {
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
