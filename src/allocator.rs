//! The allocator of the command: memory that the system refuses ends the process with one line and exit status 1.
//!
//! The standard library aborts instead, and with `RUST_BACKTRACE=1` its report needs memory itself: when that is refused
//! too, the thread waits for a lock that it holds. Large pieces of memory do not come from here, but from
//! `yomikiri_solve::memory`, where a refusal is an error.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Arguments;
use std::fs::File;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::time::Duration;

/// The system's allocator, which never returns null.
struct EndsWithoutMemory;

#[global_allocator]
static ALLOCATOR: EndsWithoutMemory = EndsWithoutMemory;

// SAFETY: every call goes to the system's allocator as it came; the only difference is that null is not returned.
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

/// How far the line about why the process ends is: no process has two.
static LAST_LINE: AtomicU8 = AtomicU8::new(NOT_BEGUN);
const NOT_BEGUN: u8 = 0;
const BEGUN: u8 = 1;
const WRITTEN: u8 = 2;

/// The exit status that goes with it.
static STATUS: AtomicI32 = AtomicI32::new(1);

/// Ends the process where memory was refused to anything but this allocator.
pub fn end_without_memory() -> ! {
    end(format_args!("error: the system refused memory\n"))
}

/// Writes the line about why the process ends, with the exit status that the caller will give. Memory that is refused
/// afterwards, or to another thread meanwhile, ends the process without another line.
pub fn write_last_line(line: &[u8], status: u8) {
    if LAST_LINE.compare_exchange(NOT_BEGUN, BEGUN, Ordering::AcqRel, Ordering::Acquire).is_err() {
        end_after_last_line();
    }
    STATUS.store(status.into(), Ordering::Relaxed);
    // SAFETY: the file is never dropped, so that the descriptor stays open.
    let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_fd(2) });
    // That nobody can read it changes nothing.
    let _ = stderr.write_all(line);
    LAST_LINE.store(WRITTEN, Ordering::Release);
}

/// Ends the process once the line about that is written.
fn end_after_last_line() -> ! {
    while LAST_LINE.load(Ordering::Acquire) != WRITTEN {
        std::thread::sleep(Duration::from_millis(1));
    }
    signal_hook::low_level::exit(STATUS.load(Ordering::Relaxed))
}

/// Ends the process with a line. Needs no memory, takes no lock and runs no destructor: the files of the run are as after
/// a kill.
#[cold]
fn end(line: Arguments<'_>) -> ! {
    let mut bytes = [0; 96];
    let mut rest = &mut bytes[..];
    let _ = rest.write_fmt(line);
    let length = 96 - rest.len();
    write_last_line(&bytes[..length], 1);
    end_after_last_line()
}
