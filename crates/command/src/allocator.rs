//! The global allocator of the program. It ends the process with an error line if the system refuses memory.

use yomikiri_table::process::EndsWithoutMemory;

#[global_allocator]
static ALLOCATOR: EndsWithoutMemory = EndsWithoutMemory::new("error: ");

/// Ends the process with an error line, as the allocator does. Call it if the system refuses memory to code that does
/// not use the allocator, such as a library in another language.
pub fn end_without_memory() -> ! {
    ALLOCATOR.end()
}
