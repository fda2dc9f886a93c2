//! Signals of Unix.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

use signal_hook::consts::{SIGABRT, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use yomikiri_table::threads;

use super::watch::{STOPPED, Watch};

/// The time after a signal in which further signals do not end the process. The command `timeout` of GNU sends its
/// signal twice, to the process and to the group of the process.
const REPEAT: Duration = Duration::from_millis(500);

/// The number of parts into which [`REPEAT`] is divided, to look at flags.
const LOOKS: u32 = 5;

/// Makes writes past the file size limit fail instead of ending the process.
pub fn survive_file_size_limit() {
    // If the handler cannot be set, the signal ends the process, as it does by default.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Makes the process end with status 1 instead of aborting. The process aborts if the system refuses memory to the
/// runtime itself, or to a library that is not written in Rust. The next run resumes as after a kill.
pub fn fail_when_aborted() {
    // If the handler cannot be set, an abort kills the process, as it does by default.
    let _ = flag::register_conditional_shutdown(SIGABRT, 1, Arc::new(AtomicBool::new(true)));
}

/// Makes signals set a flag.
pub fn watch(Watch { flag, ends, all }: Watch) -> io::Result<()> {
    let signals: &[i32] = if all { &[SIGINT, SIGTERM] } else { &[SIGINT] };
    let patience = Patience { flag: Arc::clone(&flag), looks: 0, is_over: Arc::default() };
    for &signal in signals {
        if ends {
            flag::register_conditional_shutdown(signal, STOPPED, Arc::clone(&patience.is_over))?;
        }
        flag::register(signal, Arc::clone(&flag))?;
    }
    if ends {
        patience.begin();
    }
    Ok(())
}

/// The patience with a process whose flag a signal has set.
struct Patience {
    flag: Arc<AtomicBool>,
    /// The number of times that the flag was found set, one after the other.
    looks: u32,
    /// True once the flag has been set for [`REPEAT`]. The next signal then ends the process.
    is_over: Arc<AtomicBool>,
}

static WATCHED: Mutex<Vec<Patience>> = Mutex::new(Vec::new());

impl Patience {
    /// Looks at the flag from now on, on a thread that looks at all flags. If the system refuses the thread, no signal
    /// ends the process before its work has stopped.
    fn begin(self) {
        static STARTED: Once = Once::new();
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(self);
        STARTED.call_once(|| drop(threads::start("signals", look_at_flags)));
    }

    /// Looks at the flag once. Call it every [`REPEAT`] / [`LOOKS`].
    fn look(&mut self) {
        let is_set = self.flag.load(Ordering::Relaxed);
        self.looks = if is_set { (self.looks + 1).min(LOOKS) } else { 0 };
        self.is_over.store(self.looks == LOOKS, Ordering::Relaxed);
    }
}

fn look_at_flags() {
    loop {
        std::thread::sleep(REPEAT / LOOKS);
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(Patience::look);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_once_a_flag_has_been_set_for_a_while() {
        let mut patience = Patience { flag: Arc::default(), looks: 0, is_over: Arc::default() };
        for is_set in [false, true, false, true] {
            patience.flag.store(is_set, Ordering::Relaxed);
            for look in 1..3 * LOOKS {
                patience.look();
                assert_eq!(patience.is_over.load(Ordering::Relaxed), is_set && look >= LOOKS, "{look}");
            }
        }
    }
}
