//! Measures the time that a search has taken.

use std::time::Duration;
#[cfg(feature = "system")]
use std::time::Instant;

/// A stopwatch. On systems without a clock it always shows zero, so a time limit never ends a search.
pub struct Stopwatch {
    #[cfg(feature = "system")]
    start: Instant,
}

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch {
            #[cfg(feature = "system")]
            start: Instant::now(),
        }
    }

    /// Returns the time since the start; zero if there is no clock.
    pub fn elapsed(&self) -> Duration {
        #[cfg(feature = "system")]
        let elapsed = self.start.elapsed();
        #[cfg(not(feature = "system"))]
        let elapsed = Duration::ZERO;
        elapsed
    }
}
