//! The command's global allocator. If the system refuses memory, the process ends with one line and exit status 1.
//!
//! The standard library would abort the process instead. With `RUST_BACKTRACE=1` its report of the abort needs memory
//! too, and if the system refuses that as well, the thread waits forever for a lock that it already holds. Large
//! buffers do not come from this allocator but from `yomikiri_table::memory`, which returns an error if the system
//! refuses memory.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
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

use crate::immediate_exit;

/// The system's allocator, except that it never returns null: it ends the process instead.
struct EndsWithoutMemory;

#[global_allocator]
static ALLOCATOR: EndsWithoutMemory = EndsWithoutMemory;

// SAFETY: every call goes to the system's allocator unchanged; the only difference is that null is not returned.
unsafe impl GlobalAlloc for EndsWithoutMemory {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        given(unsafe { System.realloc(place, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }
}

#[inline]
fn given(place: *mut u8, bytes: usize) -> *mut u8 {
    if place.is_null() {
        end(format_args!("error: the system refused {bytes} bytes of memory\n"));
    }
    place
}

/// The state of the process's last line, which says why the process ends. The line is written at most once.
static LAST_LINE: AtomicU8 = AtomicU8::new(NOT_BEGUN);
const NOT_BEGUN: u8 = 0;
const BEGUN: u8 = 1;
const WRITTEN: u8 = 2;

/// The exit status that goes with the last line.
static STATUS: AtomicI32 = AtomicI32::new(1);

/// Ends the process with an error line about refused memory. For memory that was not requested from this allocator.
pub fn end_without_memory() -> ! {
    end(format_args!("error: the system refused memory\n"))
}

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

/// Waits until the last line is written, then exits with the status that goes with the line.
fn end_after_last_line() -> ! {
    while LAST_LINE.load(Ordering::Acquire) != WRITTEN {
        std::thread::sleep(Duration::from_millis(1));
    }
    immediate_exit::exit(STATUS.load(Ordering::Relaxed))
}

/// Writes a line, cut off after 96 bytes, and ends the process with status 1. Allocates nothing, takes no lock and runs
/// no destructor, so files stay as they would after a kill.
#[cold]
fn end(line: Arguments<'_>) -> ! {
    let mut bytes = [0; 96];
    let mut rest = &mut bytes[..];
    let _ = rest.write_fmt(line);
    let length = 96 - rest.len();
    write_last_line(&bytes[..length], 1);
    end_after_last_line()
}
