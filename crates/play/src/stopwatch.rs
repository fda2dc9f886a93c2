//! The time that a search has taken.

use std::time::Duration;
#[cfg(feature = "system")]
use std::time::Instant;

/// Tells the time since it was started. Where there is no clock no time passes, and only other limits end a search.
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

    /// Time since the start; zero where there is no clock.
    pub fn elapsed(&self) -> Duration {
        #[cfg(feature = "system")]
        let elapsed = self.start.elapsed();
        #[cfg(not(feature = "system"))]
        let elapsed = Duration::ZERO;
        elapsed
    }
}
