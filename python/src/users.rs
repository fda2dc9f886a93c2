//! Keeps a forked process away from locks that nobody will open again.

use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

use yomikiri_table::TableError;
use yomikiri_table::per_process::Process;

/// The calls that use an object, of the process that used it last: its mark in the upper 32 bits, their number in the
/// lower ones.
///
/// A fork copies an object as it is at that moment. If another thread uses it then, what that thread has locked stays
/// locked in the child for ever, because the thread is not there.
#[derive(Default)]
pub struct Users(AtomicU64);

/// A call that uses an object, until it is dropped.
pub struct Use<'u>(&'u Users);

/// The bits of the number of calls.
const CALLS: u64 = u32::MAX as u64;

impl Users {
    /// Begins a call. `path` names the object in the error of a process that was forked while another thread used it.
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
