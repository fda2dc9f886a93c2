//! The global allocator of the command.

use yomikiri_table::process::EndsWithoutMemory;

#[global_allocator]
static ALLOCATOR: EndsWithoutMemory = EndsWithoutMemory::new("error: ");

/// Ends the process because the system refused memory that was not requested from the allocator.
pub fn end_without_memory() -> ! {
    ALLOCATOR.end()
}
