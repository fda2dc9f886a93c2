//! The threads that work for Python.
//!
//! A forked process has none of its parent's threads. Whoever waits for one there waits for ever, so pools are made anew
//! in it, and rayon's global pool, which cannot be, is not used.

use std::num::NonZero;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use rayon::{ThreadPool, ThreadPoolBuilder};
use yomikiri_table::per_process::{PerProcess, Process};

/// Bytes of a thread's stack: searches go one call deeper with every move.
pub const STACK: usize = 16 << 20;

/// The threads that all look-ups share.
static SHARED: PerProcess<Arc<ThreadPool>> = PerProcess::new();

/// The process that imported the module.
static FIRST: OnceLock<Process> = OnceLock::new();

/// Has Python say when a process was forked.
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

/// A pool of `threads` threads, or the shared one.
pub fn of(threads: Option<NonZero<u16>>) -> PyResult<Arc<ThreadPool>> {
    match threads {
        None => shared().cloned(),
        Some(threads) => start(usize::from(threads.get())),
    }
}

/// A pool with a thread for each core, started by the first call in each process.
pub fn shared() -> PyResult<&'static Arc<ThreadPool>> {
    SHARED.get(|| start(0))
}

/// Works without the interpreter's lock. In the process that imported the module this thread does the work, which may
/// share it with rayon's global pool; in a forked one the shared pool does it.
pub fn detach<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| match is_forked() {
        false => Ok(work()),
        true => Ok(shared()?.install(work)),
    })
}

/// Returns true in a process that was forked off the one that imported the module: there rayon's global pool may have
/// no threads.
pub fn is_forked() -> bool {
    FIRST.get() != Some(&Process::current())
}

/// Starts a pool of `threads` threads, or with a thread for each core if that is 0.
pub fn start(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
    pool.map(Arc::new).map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))
}
