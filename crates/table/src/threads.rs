//! Starts threads.
//!
//! The system refuses a thread when a limit on processes or memory is reached. `std::thread::spawn`, rayon's global
//! pool and tokio's runtimes panic then. The functions of this module return [`Refused`] instead. Code that lets a
//! library start threads calls [`check`] first.
//!
//! Work is boxed, so that the code that starts a thread is compiled once for each type of result, not for each closure.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

pub use rayon::ThreadPool;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

/// The maximum number of threads that a user may ask for.
pub const MAX_THREADS: u16 = 1024;

/// Stack size in bytes of threads that search. A search recurses once for each move, and a thread that waits for others
/// works on further tasks on the same stack. Untouched stack costs nothing.
pub const STACK: usize = 16 << 20;

/// The error for a thread that the system refused to start.
#[derive(Debug, thiserror::Error)]
#[error("cannot start threads: {source}")]
pub struct Refused {
    source: io::Error,
}

impl From<io::Error> for Refused {
    fn from(source: io::Error) -> Refused {
        Refused { source }
    }
}

impl From<ThreadPoolBuildError> for Refused {
    fn from(error: ThreadPoolBuildError) -> Refused {
        Refused { source: io::Error::other(error) }
    }
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> io::Error {
        io::Error::other(refused)
    }
}

/// Starts a thread that may outlive the caller.
pub fn start<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, Refused> {
    Ok(Builder::new().name(name.into()).spawn(Box::new(work) as Box<dyn FnOnce() -> T + Send>)?)
}

/// Like [`start`], with a stack of [`STACK`] bytes.
pub fn start_deep<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, Refused> {
    Ok(Builder::new().name(name.into()).stack_size(STACK).spawn(Box::new(work) as Box<dyn FnOnce() -> T + Send>)?)
}

/// Starts a thread in a scope.
pub fn start_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, Refused> {
    Ok(Builder::new().name(name.into()).spawn_scoped(scope, Box::new(work) as Box<dyn FnOnce() -> T + Send>)?)
}

/// Creates a pool of `threads` threads, or of one thread per core if `threads` is 0.
pub fn pool(threads: usize) -> Result<ThreadPool, Refused> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build()?)
}

/// Starts rayon's global pool, with as many threads and as large stacks as [`pool`]. Call it once, before any parallel
/// work: otherwise rayon starts the pool itself, and panics if it cannot.
pub fn start_global_pool(threads: usize) -> Result<(), Refused> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build_global()?)
}

/// Returns an error unless the system can start `count` threads now. Call it before using a library that panics if it
/// cannot start its threads. As a test, starts and ends `2 * count` threads. Twice as many are needed, because the
/// system may still count the ended threads against its limits when the library starts its own.
pub fn check(count: usize) -> Result<(), Refused> {
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
    let wait = || {
        let gate = Arc::clone(&gate);
        start("check", move || drop(gate.lock()))
    };
    let started: Result<Vec<_>, Refused> = (0..2 * count).map(|_| wait()).collect();
    drop(closed);
    started?.into_iter().for_each(|thread| _ = thread.join());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_can_be_started_work() {
        assert_eq!(start("one", || 1).unwrap().join().unwrap(), 1);
        assert_eq!(start_deep("two", || 2).unwrap().join().unwrap(), 2);
        let mut three = 0;
        std::thread::scope(|scope| drop(start_scoped(scope, "three", || three = 3).unwrap()));
        assert_eq!((three, pool(2).unwrap().install(rayon::current_num_threads)), (3, 2));
        check(3).unwrap();
    }

    #[test]
    fn a_refusal_is_one_line() {
        let refused = Refused::from(io::Error::from(io::ErrorKind::WouldBlock));
        assert_eq!(refused.to_string(), "cannot start threads: operation would block");
        assert_eq!(io::Error::from(refused).to_string(), "cannot start threads: operation would block");
        // More stack than fits in any address space.
        let error = ThreadPoolBuilder::new().num_threads(1).stack_size(1 << 60).build().unwrap_err();
        assert!(Refused::from(error).to_string().starts_with("cannot start threads: "));
    }
}
