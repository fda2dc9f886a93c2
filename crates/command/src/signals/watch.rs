//! A flag that signals set, and the effect of a second signal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The exit status after a signal that stops the work.
pub const STOPPED: i32 = 130;

/// A flag that signals set.
pub struct Watch {
    pub flag: Arc<AtomicBool>,
    /// True if a later signal ends the process.
    pub ends: bool,
    /// If true, every signal that stops the work sets the flag. If false, only Ctrl-C does. Unused on Windows, which
    /// does not distinguish these signals.
    #[cfg_attr(windows, expect(dead_code))]
    pub all: bool,
}
