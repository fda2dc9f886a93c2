//! Signal handlers. A write past the file size limit fails as on a full disk, an abort ends the process with status 1,
//! and Ctrl-C and SIGTERM stop the work cleanly. On Windows, Ctrl-Break does the same as SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGABRT, SIGINT, SIGTERM};
use yomikiri_table::threads;

use super::error::Failure;
use super::output::note;

/// The signals that stop the work.
#[cfg(not(windows))]
const STOP: [i32; 2] = [SIGINT, SIGTERM];

/// The signals that stop the work. SIGBREAK (21), which Windows adds, is Ctrl-Break.
#[cfg(windows)]
const STOP: [i32; 3] = [SIGINT, SIGTERM, 21];

/// Makes writes past the file size limit fail instead of ending the process. Windows has no such limit.
pub fn survive_file_size_limit() {
    // If the handler cannot be set, the signal ends the process, as it does by default.
    #[cfg(not(windows))]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Makes the process end with status 1 instead of aborting. This is the last resort if the system refuses memory to the
/// runtime itself, or to a library that is not written in Rust. The next run resumes as it does after a kill.
pub fn fail_when_aborted() {
    // If the handler cannot be set, an abort kills the process, as it does by default.
    let _ = signal_hook::flag::register_conditional_shutdown(SIGABRT, 1, Arc::new(AtomicBool::new(true)));
}

/// Returns a flag that Ctrl-C sets. The caller polls and clears it. A second Ctrl-C while the flag is set ends the
/// process with status 130.
pub fn flag_interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&flag)).map_err(unwatched)?;
    signal_hook::flag::register(SIGINT, Arc::clone(&flag)).map_err(unwatched)?;
    Ok(flag)
}

/// Starts a thread that ends the process with status 130 on Ctrl-C or SIGTERM, after a note that the same command
/// resumes the run.
pub fn exit_on_signal() -> Result<(), Failure> {
    /// The time that a signal waits at most.
    const PAUSE: Duration = Duration::from_millis(20);
    let stop = Arc::new(AtomicBool::new(false));
    set_on_stop(&stop)?;
    threads::start("signals", move || {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(PAUSE);
        }
        note("");
        note("stopped; the same command resumes from the last finished step");
        std::process::exit(130);
    })?;
    Ok(())
}

/// Makes Ctrl-C and SIGTERM set the flag `stop`, as [`set_on_stop`] does. A signal that arrives when the flag is
/// already set ends the process at once with status 130.
pub fn set_on_stop_then_end(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    for signal in STOP {
        let set = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(stop));
        set.map_err(unwatched)?;
    }
    set_on_stop(stop)
}

/// Makes Ctrl-C and SIGTERM set the flag `stop` instead of ending the process. The caller's work must poll the flag.
pub fn set_on_stop(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    for signal in STOP {
        let set = signal_hook::flag::register(signal, Arc::clone(stop));
        set.map_err(unwatched)?;
    }
    Ok(())
}

fn unwatched(error: std::io::Error) -> Failure {
    Failure::work(error).named("cannot watch for Ctrl-C")
}
