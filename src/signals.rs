//! Signals: a limit on file sizes is an error like a full disk, refused memory one like any other, Ctrl-C says what
//! comes next.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGABRT, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use yomikiri_table::threads;

use super::error::Failure;
use super::output::note;

/// Lets writes past the limit on file sizes fail instead of ending the process.
pub fn survive_file_size_limit() {
    // If the handler cannot be set, the signal ends the process as it would have.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Ends the process with status 1 when it aborts: the last resort where memory is refused to the runtime itself, or to a
/// library that is not written in Rust. The next run goes on, as after a kill.
pub fn fail_when_aborted() {
    // If the handler cannot be set, the runtime aborts.
    let _ = signal_hook::flag::register_conditional_shutdown(SIGABRT, 1, Arc::new(AtomicBool::new(true)));
}

/// From now on Ctrl-C sets a flag for somebody to look at and to clear; a second one that finds it set ends the
/// process with status 130.
pub fn flag_interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let fail = |error| Failure::Work(format!("cannot watch for Ctrl-C: {error}"));
    let flag = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&flag)).map_err(fail)?;
    signal_hook::flag::register(SIGINT, Arc::clone(&flag)).map_err(fail)?;
    Ok(flag)
}

/// On Ctrl-C or a request to end, says that nothing finished is lost, and ends the process with status 130.
pub fn say_goodbye() -> Result<(), Failure> {
    let fail = |error| Failure::Work(format!("cannot watch for Ctrl-C: {error}"));
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(fail)?;
    threads::start("signals", move || {
        if signals.forever().next().is_some() {
            note("");
            note("stopped; the same command goes on from the last finished tier");
            std::process::exit(130);
        }
    })?;
    Ok(())
}

/// [`set_on_stop`], and a second signal ends the process at once with status 130.
pub fn set_on_stop_then_end(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    for signal in [SIGINT, SIGTERM] {
        let set = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(stop));
        set.map_err(|error| Failure::Work(format!("cannot watch for Ctrl-C: {error}")))?;
    }
    set_on_stop(stop)
}

/// On Ctrl-C or a request to end, sets a flag; whoever works looks at it.
pub fn set_on_stop(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    for signal in [SIGINT, SIGTERM] {
        let set = signal_hook::flag::register(signal, Arc::clone(stop));
        set.map_err(|error| Failure::Work(format!("cannot watch for Ctrl-C: {error}")))?;
    }
    Ok(())
}
