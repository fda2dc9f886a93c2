//! Values that each process creates for itself, even after a fork.
//!
//! A fork copies the memory of a process, but only one of its threads: the one that called it. So a thread pool, a
//! runtime or an open connection does not work in the child, because its threads are missing. Runtimes and connections
//! also share sockets and event queues with the parent, which the child must not disturb.

use std::mem;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of forks between the process that loaded this program and the current one, as reported to
/// [`Process::forked`].
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Number of bits of a process id. On Linux, ids are at most 2^22.
const ID_BITS: u32 = 22;

/// Distinguishes a process from its ancestors, by its id and the number of forks before it. The id alone is not enough,
/// because the system may reuse the id of an ancestor that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process(u32);

impl Process {
    /// Returns the current process.
    pub fn current() -> Process {
        Process(std::process::id() ^ FORKS.load(Ordering::Relaxed) << ID_BITS)
    }

    /// Reports a fork. Call it in the child right after the fork, if the program can. Without this call, a process is
    /// identified by its id alone.
    pub fn forked() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns a number that differs between a process and its ancestors.
    pub fn mark(self) -> u32 {
        self.0
    }
}

/// A value that each process creates for itself at the first use. A child neither uses nor drops the parent's value.
///
/// Access takes no lock that another thread could hold during a fork: the values form a list that only grows.
pub struct PerProcess<T> {
    made: OnceLock<(Process, T)>,
    /// The next element of the list: the value of a forked process.
    next: OnceLock<Box<PerProcess<T>>>,
}

impl<T> PerProcess<T> {
    /// Creates an empty value.
    pub const fn new() -> PerProcess<T> {
        PerProcess { made: OnceLock::new(), next: OnceLock::new() }
    }

    /// Returns the value of this process. Calls `make` if there is none yet. If several threads call `make` at the same
    /// time, one of the values is kept, and all threads get that value.
    pub fn get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        let (own, mut last) = (Process::current(), self);
        while let Some(next) = last.next.get() {
            last = next;
        }
        match last.made.get() {
            Some((process, value)) if *process == own => return Ok(value),
            None => {
                // `set` fails if another thread has set the value first.
                let _ = last.made.set((own, make()?));
            }
            Some(_) => {
                let made = OnceLock::from((own, make()?));
                let _ = last.next.set(Box::new(PerProcess { made, next: OnceLock::new() }));
                last = last.next.get().expect("set above");
            }
        }
        let (_, value) = last.made.get().expect("set above");
        Ok(value)
    }
}

impl<T> Default for PerProcess<T> {
    fn default() -> PerProcess<T> {
        PerProcess::new()
    }
}

impl<T> Drop for PerProcess<T> {
    /// Leaks a value that this process has inherited from its parent by a fork. Dropping a pool or a runtime would wait
    /// for its threads, which exist in the parent only.
    fn drop(&mut self) {
        if let Some((process, value)) = self.made.take()
            && process != Process::current()
        {
            mem::forget(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn a_value_is_made_once_and_dropped_by_the_process_that_made_it() {
        struct Counted<'a>(&'a AtomicUsize, usize);
        impl Drop for Counted<'_> {
            fn drop(&mut self) {
                self.0.fetch_add(self.1, Ordering::Relaxed);
            }
        }
        let dropped = AtomicUsize::new(0);
        let value = PerProcess::new();
        let get = |number| value.get(|| Ok::<_, ()>(Counted(&dropped, number))).map(|counted| counted.1);
        assert!(value.get(|| Err("none")).is_err());
        assert_eq!([get(1), get(2)], [Ok(1), Ok(1)]);
        // After a fork the id of the process differs.
        let own = Process::current();
        Process::forked();
        assert_ne!(own, Process::current());
        assert_eq!([get(4), get(8)], [Ok(4), Ok(4)]);
        Process::forked();
        assert_eq!([get(16), get(32)], [Ok(16), Ok(16)]);
        drop(value);
        assert_eq!(dropped.into_inner(), 16, "those of the processes before are left alone");
    }

    #[test]
    fn threads_share_a_value() {
        let value = PerProcess::new();
        let numbers = std::thread::scope(|scope| {
            let get = |number: usize| *value.get(|| Ok::<_, ()>(number)).unwrap();
            let threads: Vec<_> = (0..8).map(|number| scope.spawn(move || get(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(numbers.iter().all(|number| *number == numbers[0]), "{numbers:?}");
    }
}
