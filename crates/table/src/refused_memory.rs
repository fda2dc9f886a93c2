//! Ends the process if the system refuses memory and no error can be returned.

use std::alloc::{Layout, handle_alloc_error};
use std::sync::OnceLock;

static END: OnceLock<fn() -> !> = OnceLock::new();

/// Sets the function that ends the process, for programs that promise an exit status. If none is set, the standard
/// library aborts the process. Only the first call has an effect.
pub fn set_end(end: fn() -> !) {
    let _ = END.set(end);
}

/// Ends the process because the system refused memory. `T` is the type of the value that needed the memory. If the
/// memory was for a library that is not written in Rust, `T` is the type that wraps the library's object.
pub fn end<T>() -> ! {
    match END.get() {
        Some(end) => end(),
        None => handle_alloc_error(Layout::new::<T>()),
    }
}
