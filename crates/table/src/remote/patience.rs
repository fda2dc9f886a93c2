//! How long a server is waited for, and how often it is asked.

use std::time::Duration;

/// Limits of time of every request.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Until the server takes a connection.
    pub connect: Duration,
    /// Until an answer begins, and from one piece of it to the next.
    pub read: Duration,
    /// Time after which an answer has to bring [`RATE`] bytes a second on average.
    pub grace: Duration,
    /// Number of times that a failed request is made again.
    pub retries: usize,
    /// Pause before the first of them; later ones are longer.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            connect: Duration::from_secs(5),
            read: Duration::from_secs(10),
            grace: Duration::from_secs(30),
            retries: 3,
            pause: Duration::from_millis(100),
        }
    }
}

/// Slowest answer that is waited for, in bytes a second.
pub const RATE: u64 = 4 << 10;

impl Patience {
    /// Longest time in which `bytes` bytes may come or go.
    pub fn longest(&self, bytes: u64) -> Duration {
        self.grace + Duration::from_secs(bytes / RATE)
    }
}
