//! How many connections there are at once, and how many of them one client has.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::client::Client;

/// Connections at once, where the process may have enough open files.
const MOST: usize = 1024;

/// The connections of a server.
pub struct Connections {
    places: Arc<Semaphore>,
    /// Most connections of one client.
    of_one: usize,
    /// Number of connections of each client that has any.
    held: Mutex<HashMap<Client, usize>>,
}

impl Connections {
    /// As many as the limit on open files allows. Half of the limit is left for tables and child processes.
    pub fn new() -> Arc<Connections> {
        Connections::of(open_files().map_or(MOST, |files| (files / 2).clamp(2, MOST)))
    }

    fn of(most: usize) -> Arc<Connections> {
        Arc::new(Connections {
            places: Arc::new(Semaphore::new(most)),
            of_one: most.div_ceil(2),
            held: Mutex::new(HashMap::new()),
        })
    }

    /// Waits until there is room for another connection.
    pub async fn room(&self) -> OwnedSemaphorePermit {
        Arc::clone(&self.places).acquire_owned().await.expect("nobody closes it")
    }

    /// Uses the room for a connection of `client`. Returns `None` if the client has half of all connections already.
    pub fn hold(self: &Arc<Self>, room: OwnedSemaphorePermit, client: Client) -> Option<Held> {
        let mut counts = self.counts();
        let count = counts.entry(client).or_default();
        if *count >= self.of_one {
            return None;
        }
        *count += 1;
        Some(Held { connections: Arc::clone(self), client, _room: room })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The limit on open files of this process, if there is one.
#[cfg(unix)]
fn open_files() -> Option<usize> {
    use rustix::process::{Resource, getrlimit};

    usize::try_from(getrlimit(Resource::Nofile).current?).ok()
}

#[cfg(not(unix))]
fn open_files() -> Option<usize> {
    None
}

/// A connection that counts. It no longer does when this is dropped.
pub struct Held {
    connections: Arc<Connections>,
    client: Client,
    _room: OwnedSemaphorePermit,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut counts = self.connections.counts();
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_has_half_of_the_connections_at_most() {
        let connections = Connections::of(4);
        let client = |number: u8| Client::at([192, 0, 2, number].into());
        let first = connections.hold(connections.room().await, client(1)).unwrap();
        let _second = connections.hold(connections.room().await, client(1)).unwrap();
        assert!(connections.hold(connections.room().await, client(1)).is_none());
        let _other = connections.hold(connections.room().await, client(2)).unwrap();
        drop(first);
        assert!(connections.hold(connections.room().await, client(1)).is_some());
        assert_eq!(connections.counts().len(), 2);
    }
}
