//! The last line of a process, which says why it ends.
#![allow(unsafe_code)]

use std::fmt::Arguments;
use std::fs::File;
use std::io::Write;
use std::mem::ManuallyDrop;
#[cfg(unix)]
use std::os::fd::FromRawFd;
#[cfg(windows)]
use std::os::windows::io::{AsRawHandle, FromRawHandle};
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::time::Duration;

use super::immediate_exit;

/// The state of the process's last line, which says why the process ends. The line is written at most once.
static LAST_LINE: AtomicU8 = AtomicU8::new(NOT_BEGUN);
const NOT_BEGUN: u8 = 0;
const BEGUN: u8 = 1;
const WRITTEN: u8 = 2;

/// The exit status of the process. The thread that writes the last line sets it.
static STATUS: AtomicI32 = AtomicI32::new(1);

/// Writes `line`, which says why the process ends, to standard error. The caller must then exit with `status`. Only the
/// first call writes its line. A later call does not return: it waits until the first line is written, then exits with
/// the status of the first call.
pub fn write_last_line(line: &[u8], status: u8) {
    if LAST_LINE.compare_exchange(NOT_BEGUN, BEGUN, Ordering::AcqRel, Ordering::Acquire).is_err() {
        end_after_last_line();
    }
    STATUS.store(status.into(), Ordering::Relaxed);
    // SAFETY: the file is never dropped, so that the descriptor stays open.
    #[cfg(unix)]
    let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_fd(2) });
    // SAFETY: as above. Asking for the handle takes no lock.
    #[cfg(windows)]
    let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_handle(std::io::stderr().as_raw_handle()) });
    // The process ends whether or not the write succeeds.
    let _ = stderr.write_all(line);
    LAST_LINE.store(WRITTEN, Ordering::Release);
}

/// Waits until the last line of the process is written, then exits with [`STATUS`].
fn end_after_last_line() -> ! {
    while LAST_LINE.load(Ordering::Acquire) != WRITTEN {
        std::thread::sleep(Duration::from_millis(1));
    }
    immediate_exit::exit(STATUS.load(Ordering::Relaxed))
}

/// Writes a line, cut off after 96 bytes, and ends the process with status 1. Allocates nothing, takes no lock and runs
/// no destructor, so files stay as they would after a kill.
#[cold]
pub fn end(line: Arguments<'_>) -> ! {
    let mut bytes = [0; 96];
    let mut rest = &mut bytes[..];
    let _ = rest.write_fmt(line);
    let length = 96 - rest.len();
    write_last_line(&bytes[..length], 1);
    end_after_last_line()
}
