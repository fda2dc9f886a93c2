//! The allocator of the module. If the system refuses memory, the process prints one line and exits with status 1.
//!
//! The standard library would abort, which leaves a core dump on systems where these are enabled. An exception is not
//! possible: an allocator must not unwind, and its callers expect memory. Code that needs much memory asks
//! `yomikiri_table::memory`, where a refusal is an error, and a `MemoryError` in Python.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Arguments;
use std::fs::File;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The system's allocator, except that it never returns null.
struct EndsWithoutMemory;

#[global_allocator]
static ALLOCATOR: EndsWithoutMemory = EndsWithoutMemory;

// SAFETY: every call is forwarded unchanged to the system's allocator. The only difference is that the process ends
// where it would return null.
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
        end(format_args!("error: yomikiri: the system refused {bytes} bytes of memory\n"));
    }
    place
}

/// Ends the process after the system refused memory to code that does not use this allocator.
pub fn end_without_memory() -> ! {
    end(format_args!("error: yomikiri: the system refused memory\n"))
}

/// True once a thread has begun to write the line, so that a process writes at most one such line.
static HAS_LINE: AtomicBool = AtomicBool::new(false);

/// Ends the process with a line on standard error. Needs no memory, takes no lock, and runs neither destructors nor
/// Python code: files are left as if the process had been killed.
#[cold]
fn end(line: Arguments<'_>) -> ! {
    if HAS_LINE.swap(true, Ordering::Relaxed) {
        // The other thread ends the process meanwhile.
        std::thread::sleep(Duration::from_secs(1));
    } else {
        let mut bytes = [0; 96];
        let mut rest = &mut bytes[..];
        let _ = rest.write_fmt(line);
        let length = 96 - rest.len();
        // SAFETY: the file is never dropped, so that the descriptor stays open.
        let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_fd(2) });
        // A write error changes nothing.
        let _ = stderr.write_all(&bytes[..length]);
    }
    // SAFETY: `_exit` ends the process at once and has no preconditions.
    unsafe { libc::_exit(1) }
}
