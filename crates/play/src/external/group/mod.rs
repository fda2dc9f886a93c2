//! A child process that ends together with all processes that it has started.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::Group;
#[cfg(windows)]
pub use windows::Group;
