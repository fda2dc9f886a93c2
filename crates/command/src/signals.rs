//! Signal handlers. A write past the file size limit fails as on a full disk, an abort ends the process with status 1,
//! and Ctrl-C and SIGTERM stop the work cleanly.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGABRT, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use yomikiri_table::threads;

use super::error::Failure;
use super::output::note;

/// Makes writes past the file size limit fail instead of ending the process.
pub fn survive_file_size_limit() {
    // If the handler cannot be set, the signal ends the process, as it does by default.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
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
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(unwatched)?;
    threads::start("signals", move || {
        if signals.forever().next().is_some() {
            note("");
            note("stopped; the same command resumes from the last finished step");
            std::process::exit(130);
        }
    })?;
    Ok(())
}

/// Makes Ctrl-C and SIGTERM set the flag `stop`, as [`set_on_stop`] does. A signal that arrives when the flag is
/// already set ends the process at once with status 130.
pub fn set_on_stop_then_end(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    for signal in [SIGINT, SIGTERM] {
        let set = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(stop));
        set.map_err(unwatched)?;
    }
    set_on_stop(stop)
}

/// Makes Ctrl-C and SIGTERM set the flag `stop` instead of ending the process. The caller's work must poll the flag.
pub fn set_on_stop(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    for signal in [SIGINT, SIGTERM] {
        let set = signal_hook::flag::register(signal, Arc::clone(stop));
        set.map_err(unwatched)?;
    }
    Ok(())
}

fn unwatched(error: std::io::Error) -> Failure {
    Failure::work(error).named("cannot watch for Ctrl-C")
}
