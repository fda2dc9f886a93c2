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
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Says that the line about why the process ends has been written: memory that is refused on the way out adds none.
pub fn has_been_reported() {
    IS_REPORTED.store(true, Ordering::Relaxed);
}

static IS_REPORTED: AtomicBool = AtomicBool::new(false);

/// Ends the process where memory was refused to anything but this allocator.
pub fn end_without_memory() -> ! {
    end(format_args!("error: the system refused memory\n"))
}

/// Ends the process with a line. Needs no memory, takes no lock and runs no destructor: the files of the run are as after
/// a kill.
#[cold]
fn end(line: Arguments<'_>) -> ! {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    if IS_ENDING.swap(true, Ordering::Relaxed) {
        // Another thread is writing the line.
        loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    }
    if IS_REPORTED.load(Ordering::Relaxed) {
        signal_hook::low_level::exit(1)
    }
    // SAFETY: the file is never dropped, so that the descriptor stays open.
    let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_fd(2) });
    let mut bytes = [0; 96];
    let mut rest = &mut bytes[..];
    let _ = rest.write_fmt(line);
    let length = 96 - rest.len();
    // In one piece, whatever else writes there.
    let _ = stderr.write_all(&bytes[..length]);
    signal_hook::low_level::exit(1)
}
