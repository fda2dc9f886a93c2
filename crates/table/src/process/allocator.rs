//! A global allocator. If the system refuses memory, the process ends with one line and exit status 1.
//!
//! The standard library would abort the process instead, which leaves a core dump on some systems. With
//! `RUST_BACKTRACE=1` its report of the abort needs memory too, and if the system refuses that as well, the thread waits
//! forever for a lock that it already holds. An error is not possible: an allocator must not unwind, and its callers
//! expect memory. Large buffers do not come from this allocator but from [`crate::memory`], which returns an error if
//! the system refuses memory.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};

use super::last_line;

/// The system's allocator, except that it never returns null: it ends the process instead.
pub struct EndsWithoutMemory {
    /// The beginning of the last line of the process, such as `error: `.
    head: &'static str,
}

impl EndsWithoutMemory {
    /// Creates an allocator. `head` is the beginning of the line that it writes before it ends the process.
    pub const fn new(head: &'static str) -> EndsWithoutMemory {
        EndsWithoutMemory { head }
    }

    /// Returns the free pages of the GNU allocator to the system. By itself it keeps what long lists leave free:
    /// `analyze con5x5` took 445 MB instead of 290 (docs/perf/memory.md). Does nothing with other allocators.
    pub fn return_free_pages() {
        // SAFETY: `malloc_trim` only changes the state of the allocator, under its locks.
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        unsafe {
            libc::malloc_trim(0);
        }
    }

    /// Ends the process with a line about refused memory. Call it if the system has refused memory to code that does
    /// not use this allocator.
    pub fn end(&self) -> ! {
        last_line::end(format_args!("{}the system refused memory\n", self.head))
    }

    #[inline]
    fn given(&self, place: *mut u8, bytes: usize) -> *mut u8 {
        if place.is_null() {
            last_line::end(format_args!("{}the system refused {bytes} bytes of memory\n", self.head));
        }
        place
    }
}

// SAFETY: every call goes to the system's allocator unchanged; the only difference is that null is not returned.
unsafe impl GlobalAlloc for EndsWithoutMemory {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        self.given(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        self.given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        self.given(unsafe { System.realloc(place, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }
}
