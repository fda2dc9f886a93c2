//! Values that a forked process makes again for itself.
//!
//! A fork copies the memory of a process, but of its threads only the one that has called it. A thread pool, a runtime
//! or an open connection therefore does not work in the child: its threads are missing, and it shares sockets and event
//! queues with the parent, which a use in the child would disturb.

use std::mem;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of forks between the process that loaded this program and the current one, as far as [`Process::forked`] was
/// told.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Bits of a process number: Linux has none above 2^22.
const ID_BITS: u32 = 22;

/// Identifies a process among those that it was forked off from: its number, and the number of forks before it, because
/// the number of an ancestor that has ended may be used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process(u32);

impl Process {
    /// The process that this is called in.
    pub fn current() -> Process {
        Process(std::process::id() ^ FORKS.load(Ordering::Relaxed) << ID_BITS)
    }

    /// To be called in a process right after it was forked, where a program can arrange that. Without it a process is
    /// known by its number alone.
    pub fn forked() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }

    /// A number that differs between a process and those that it was forked off from.
    pub fn mark(self) -> u32 {
        self.0
    }
}

/// A value of which each process makes its own when it first asks for it. The value of the parent is neither used nor
/// dropped in a child.
///
/// It takes no lock that could be held at the moment of a fork: values form a list, which only grows.
pub struct PerProcess<T> {
    made: OnceLock<(Process, T)>,
    /// The value of a process that was forked off.
    next: OnceLock<Box<PerProcess<T>>>,
}

impl<T> PerProcess<T> {
    pub const fn new() -> PerProcess<T> {
        PerProcess { made: OnceLock::new(), next: OnceLock::new() }
    }

    /// The value of this process, made by `make` if there is none. If several threads make it at the same time, one of
    /// their values is kept.
    pub fn get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        let (own, mut last) = (Process::current(), self);
        while let Some(next) = last.next.get() {
            last = next;
        }
        match last.made.get() {
            Some((process, value)) if *process == own => return Ok(value),
            None => {
                // Fails if another thread was faster.
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
    /// Leaks the values of other processes: to end a pool or a runtime means to wait for threads that are not here.
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
        // As after a fork: the number of the process is another one.
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
