//! Signals of Unix.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGABRT, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

use super::watch::{STOPPED, Watch};

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
    for &signal in signals {
        if ends {
            flag::register_conditional_shutdown(signal, STOPPED, Arc::clone(&flag))?;
        }
        flag::register(signal, Arc::clone(&flag))?;
    }
    Ok(())
}
