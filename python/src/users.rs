//! Keeps a forked process away from locks that will never be released.

use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

use yomikiri_table::TableError;
use yomikiri_table::per_process::Process;

/// The number of calls that are using an object. The upper 32 bits identify the process that used the object last
/// ([`Process::mark`]). The lower 32 bits are the number of calls of that process.
///
/// A fork copies an object as it is at that moment. If another thread holds a lock of the object then, the copy stays
/// locked for ever, because that thread does not exist in the child.
#[derive(Default)]
pub struct CallCount(AtomicU64);

/// A call that is using an object. Dropping it ends the call.
pub struct Use<'u>(&'u CallCount);

/// The bits that hold the number of calls.
const CALLS: u64 = u32::MAX as u64;

impl CallCount {
    /// Begins a call. Returns an error in a process that was forked while another thread used the object. The error
    /// names the object by `path`.
    pub fn enter(&self, path: &Path) -> Result<Use<'_>, TableError> {
        let own = u64::from(Process::current().mark()) << 32;
        let entered = |state: u64| match (state & !CALLS == own, state & CALLS) {
            (true, _) => Some(state + 1),
            (false, 0) => Some(own | 1),
            (false, _) => None,
        };
        let what = "another thread was using it when this process was forked; open it again in this process";
        match self.0.fetch_update(AcqRel, Acquire, entered) {
            Ok(_) => Ok(Use(self)),
            Err(_) => Err(TableError::foreign(path, what)),
        }
    }
}

impl Drop for Use<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Release);
    }
}
