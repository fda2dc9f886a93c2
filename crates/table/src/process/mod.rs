//! The end of a process that cannot go on: an allocator that ends it if the system refuses memory (`allocator`), its
//! last line (`last_line`), and an exit that runs nothing else (`immediate_exit`).

mod allocator;
mod immediate_exit;
mod last_line;

pub use allocator::EndsWithoutMemory;
pub use last_line::write_last_line;
