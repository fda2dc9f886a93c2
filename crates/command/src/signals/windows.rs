//! Ctrl-C and Ctrl-Break in a console of Windows. The C runtime has signals too, but cannot keep several handlers.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::watch::{STOPPED, Watch};

/// Does nothing, because Windows has no limit on the size of files.
pub fn survive_file_size_limit() {}

/// Does nothing, because an abort ends the process without a signal.
pub fn fail_when_aborted() {}

/// The flags that an event of the console sets.
static WATCHED: Mutex<Vec<Watch>> = Mutex::new(Vec::new());

/// Makes events of the console set a flag. Ctrl-Break does the same as Ctrl-C.
pub fn watch(watch: Watch) -> io::Result<()> {
    static STARTED: OnceLock<Result<(), String>> = OnceLock::new();
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(watch);
    let started = STARTED.get_or_init(|| ctrlc::set_handler(pass_on).map_err(|error| error.to_string()));
    started.clone().map_err(io::Error::other)
}

/// Sets all flags. Ends the process at a flag that is already set and whose [`Watch::ends`] is true. The crate `ctrlc`
/// calls this function on a thread of its own.
fn pass_on() {
    for Watch { flag, ends, .. } in WATCHED.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        if flag.swap(true, Ordering::Relaxed) && *ends {
            std::process::exit(STOPPED);
        }
    }
}
