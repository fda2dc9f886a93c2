//! The end of the process where the system refuses memory and no error can be returned.

use std::alloc::{Layout, handle_alloc_error};
use std::sync::OnceLock;

static END: OnceLock<fn() -> !> = OnceLock::new();

/// Makes `end` what ends the process, instead of the standard library's abort. For programs that promise an exit status.
/// The first call counts.
pub fn set_end(end: fn() -> !) {
    let _ = END.set(end);
}

/// Ends the process because the system refused memory for a value of type `T`, or to a library that is not written in
/// Rust.
pub fn end<T>() -> ! {
    match END.get() {
        Some(end) => end(),
        None => handle_alloc_error(Layout::new::<T>()),
    }
}
