//! The global allocator of the module.

use yomikiri_table::process::EndsWithoutMemory;

#[global_allocator]
static ALLOCATOR: EndsWithoutMemory = EndsWithoutMemory::new("error: yomikiri: ");

/// Ends the process with an error line about refused memory. Call it if the system refuses memory to code that does not
/// use this allocator, such as a library in another language.
pub fn end_without_memory() -> ! {
    ALLOCATOR.end()
}
