//! The allocator of the command: memory that the system refuses ends the process with one line and exit status 1.
//!
//! The standard library aborts instead, and with `RUST_BACKTRACE=1` its report needs memory itself: when that is refused
//! too, the thread waits for a lock that it holds. Large pieces of memory do not come from here, but from
//! `yomikiri_solve::memory`, where a refusal is an error.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
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
        end(bytes);
    }
    place
}

/// Ends the process. Needs no memory, takes no lock and runs no destructor: what the run has written is as after a kill.
#[cold]
fn end(bytes: usize) -> ! {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    if IS_ENDING.swap(true, Ordering::Relaxed) {
        // Another thread is writing the line.
        loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    }
    // SAFETY: the file is never dropped, so that the descriptor stays open.
    let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_fd(2) });
    let (mut line, mut rest) = ([0; 96], 0);
    let mut space = &mut line[..];
    let before = space.len();
    if writeln!(space, "error: the system refused {bytes} bytes of memory").is_ok() {
        rest = space.len();
    }
    let _ = stderr.write_all(&line[..before - rest]);
    signal_hook::low_level::exit(1)
}
