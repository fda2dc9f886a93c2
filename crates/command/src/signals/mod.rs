//! Handles signals. On Unix, a write past the file size limit fails like a write to a full disk, and an abort ends the
//! process with status 1. Ctrl-C and, on Unix, SIGTERM stop the work cleanly. On Windows, Ctrl-Break does the same as
//! Ctrl-C.

#[cfg(unix)]
mod unix;
mod watch;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub use system::{fail_when_aborted, survive_file_size_limit};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use yomikiri_table::threads;

use super::error::Failure;
use super::output::note;
use watch::{STOPPED, Watch};

/// Returns a flag that Ctrl-C sets. The caller polls and clears it. Once the flag has been set for half a second,
/// the next Ctrl-C ends the process with status 130. On Windows there is no such delay.
pub fn flag_interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    watch(Watch { flag: Arc::clone(&flag), ends: true, all: false })?;
    Ok(flag)
}

/// Starts a thread that ends the process with status 130 on Ctrl-C or SIGTERM. Before that, it prints a note that the
/// same command resumes the run.
pub fn exit_on_signal() -> Result<(), Failure> {
    /// The maximum time between a signal and its effect.
    const PAUSE: Duration = Duration::from_millis(20);
    let stop = Arc::new(AtomicBool::new(false));
    set_on_stop(&stop)?;
    threads::start("signals", move || {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(PAUSE);
        }
        note("");
        note("stopped; the same command resumes from the last finished step");
        std::process::exit(STOPPED);
    })?;
    Ok(())
}

/// Makes Ctrl-C and SIGTERM set the flag `stop`, as [`set_on_stop`] does. Once the flag has been set for half a
/// second, the next signal ends the process with status 130. On Windows there is no such delay.
pub fn set_on_stop_then_end(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    watch(Watch { flag: Arc::clone(stop), ends: true, all: true })
}

/// Makes Ctrl-C and SIGTERM set the flag `stop` instead of ending the process. The caller's work must poll the flag.
pub fn set_on_stop(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    watch(Watch { flag: Arc::clone(stop), ends: false, all: true })
}

fn watch(watch: Watch) -> Result<(), Failure> {
    system::watch(watch).map_err(|error| Failure::work(error).named("cannot watch for Ctrl-C"))
}
