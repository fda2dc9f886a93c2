//! Limits the number of connections, in all and for each client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::client::Client;

/// The maximum number of connections, if the limit on open files allows it.
const MAX_CONNECTIONS: usize = 1024;

/// Counts the connections of a server.
pub struct Connections {
    places: Arc<Semaphore>,
    /// The maximum number of connections of one client.
    of_one: usize,
    /// The number of open connections of each client. Clients without open connections are not listed.
    held: Mutex<HashMap<Client, usize>>,
}

impl Connections {
    /// Allows half as many connections as the process may have open files, and at most [`MAX_CONNECTIONS`]. The other
    /// half of the open files is for tables and child processes.
    pub fn new() -> Arc<Connections> {
        Connections::of(open_files().map_or(MAX_CONNECTIONS, |files| (files / 2).clamp(2, MAX_CONNECTIONS)))
    }

    fn of(most: usize) -> Arc<Connections> {
        Arc::new(Connections {
            places: Arc::new(Semaphore::new(most)),
            of_one: most.div_ceil(2),
            held: Mutex::new(HashMap::new()),
        })
    }

    /// Waits until the maximum number of connections allows another one, and reserves a place for it.
    pub async fn room(&self) -> OwnedSemaphorePermit {
        Arc::clone(&self.places).acquire_owned().await.expect("nobody closes it")
    }

    /// Counts a connection of `client`, for which [`Connections::room`] has reserved the place `room`. If the client
    /// already has half of the maximum number of connections, gives up the place and returns `None`.
    pub fn hold(self: &Arc<Self>, room: OwnedSemaphorePermit, client: Client) -> Option<CountedConnection> {
        let mut counts = self.counts();
        let count = counts.entry(client).or_default();
        if *count >= self.of_one {
            return None;
        }
        *count += 1;
        Some(CountedConnection { connections: Arc::clone(self), client, _room: room })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns this process's limit on open files, or `None` if there is no limit.
#[cfg(unix)]
fn open_files() -> Option<usize> {
    use rustix::process::{Resource, getrlimit};

    usize::try_from(getrlimit(Resource::Nofile).current?).ok()
}

#[cfg(not(unix))]
fn open_files() -> Option<usize> {
    None
}

/// A connection that counts towards the limits until this value is dropped.
pub struct CountedConnection {
    connections: Arc<Connections>,
    client: Client,
    _room: OwnedSemaphorePermit,
}

impl Drop for CountedConnection {
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
