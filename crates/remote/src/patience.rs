//! Time limits and retries of requests.

use std::time::Duration;

/// Time limits and retries of every request.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Maximum time to connect.
    pub connect: Duration,
    /// Maximum time until a response begins, and between two chunks of its body.
    pub read: Duration,
    /// Fixed part of the maximum time for a transfer. The other part is the number of bytes divided by the minimum
    /// rate, `RATE`.
    pub grace: Duration,
    /// Maximum number of retries of a failed request.
    pub retries: usize,
    /// Pause before the first retry. Later pauses are longer.
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

/// Minimum average rate of a response, in bytes per second.
pub const RATE: u64 = 4 << 10;

impl Patience {
    /// Returns the maximum time for a transfer of `bytes` bytes.
    pub fn longest(&self, bytes: u64) -> Duration {
        self.grace + Duration::from_secs(bytes / RATE)
    }
}
