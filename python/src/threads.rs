//! The thread pools of the module.
//!
//! A forked process has none of its parent's threads. Work that is given to these threads would never be done, so a
//! forked process makes new pools. It does not use rayon's global pool, which cannot be replaced.

use std::num::NonZero;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use yomikiri_table::per_process::{PerProcess, Process};
use yomikiri_table::threads::{self, ThreadPool};

pub use yomikiri_table::threads::STACK;

/// The pool that all look-ups share.
static SHARED: PerProcess<Arc<ThreadPool>> = PerProcess::new();

/// The process that imported the module.
static FIRST: OnceLock<Process> = OnceLock::new();

/// Registers a hook that Python calls in forked processes.
pub fn watch_forks(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let _ = FIRST.set(Process::current());
    let os = module.py().import("os")?;
    match os.getattr_opt("register_at_fork")? {
        // Windows has no forks.
        None => Ok(()),
        Some(register) => {
            let options = [("after_in_child", wrap_pyfunction!(forked, module)?)].into_py_dict(module.py())?;
            register.call((), Some(&options)).map(drop)
        }
    }
}

/// Called by Python in a forked process.
#[pyfunction]
fn forked() {
    Process::forked();
}

/// Returns a new pool of `threads` threads, or the shared pool for `None`.
pub fn of(threads: Option<NonZero<u16>>) -> PyResult<Arc<ThreadPool>> {
    match threads {
        None => shared().cloned(),
        Some(threads) => start(usize::from(threads.get())),
    }
}

/// Returns a pool with a thread for each core, started by the first call in each process.
pub fn shared() -> PyResult<&'static Arc<ThreadPool>> {
    SHARED.get(|| start(0))
}

/// Runs `work` without the interpreter's lock. In the process that imported the module, `work` runs on the calling
/// thread, and its parallel parts run in rayon's global pool. In a forked process, all of `work` runs in the pool of
/// [`shared`].
pub fn detach<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| match is_forked() {
        false => Ok(work()),
        true => Ok(shared()?.install(work)),
    })
}

/// Returns true in a process that was forked from the one that imported the module. Rayon's global pool may have no
/// threads there.
pub fn is_forked() -> bool {
    FIRST.get() != Some(&Process::current())
}

/// Starts a pool of `threads` threads; 0 means one for each core. Returns once every thread has run code of this
/// module. The C library takes memory for a thread when the thread first runs such code. If the system refused that
/// memory in the middle of work, the C library would end the process.
pub fn start(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let pool = threads::pool(threads).map_err(|refused| PyRuntimeError::new_err(refused.to_string()))?;
    pool.broadcast(|_| ());
    Ok(Arc::new(pool))
}
