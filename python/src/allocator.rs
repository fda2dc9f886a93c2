//! The global allocator of the module.

use yomikiri_table::process::EndsWithoutMemory;

#[global_allocator]
static ALLOCATOR: EndsWithoutMemory = EndsWithoutMemory::new("error: yomikiri: ");

/// Ends the process with the error line of the allocator. Call it if the system refuses memory to code that does not
/// use the allocator, such as a library in another language.
pub fn end_without_memory() -> ! {
    ALLOCATOR.end()
}
