//! Ends the process with one line if the system refuses the memory that a new thread needs for its signal stack.
//!
//! On each new thread, the standard library maps a stack for the handler of stack overflows, and panics if the system
//! refuses the memory for it (`library/std/src/sys/pal/unix/stack_overflow.rs`). No caller can catch or prevent that
//! panic: the thread is already running, and other threads may take the last memory at any time.

use std::panic::{PanicHookInfo, set_hook, take_hook};

use crate::allocator;

/// The source file of the standard library that maps the signal stack.
const MAPS_THE_STACK: &str = "stack_overflow.rs";

/// Sets a panic hook that ends the process if the system refused the memory for a thread's signal stack. The usual
/// report of that panic would itself need memory. All other panics are reported as before.
pub fn end_without_memory() {
    let report = take_hook();
    set_hook(Box::new(
        move |panic| if is_refused_stack(panic) { allocator::end_without_memory() } else { report(panic) },
    ));
}

fn is_refused_stack(panic: &PanicHookInfo<'_>) -> bool {
    panic.location().is_some_and(|location| location.file().ends_with(MAPS_THE_STACK))
}
