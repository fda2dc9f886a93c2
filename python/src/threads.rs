//! The threads that work for Python.

use std::num::NonZero;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Bytes of a thread's stack: searches go one call deeper with every move.
pub const STACK: usize = 16 << 20;

/// The threads that all look-ups share, with the process that has started them.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// So many threads, or the shared ones.
pub fn of(threads: Option<NonZero<u16>>) -> PyResult<Arc<ThreadPool>> {
    threads.map_or_else(shared, |threads| start(usize::from(threads.get())))
}

/// One thread for each core, started at the first call.
pub fn shared() -> PyResult<Arc<ThreadPool>> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let own = process::id();
    if let Some((process, pool)) = &*shared {
        if *process == own {
            return Ok(Arc::clone(pool));
        }
        // A fork has the pool but not its threads; nobody would answer if it were ended.
        std::mem::forget(shared.take());
    }
    let pool = start(0)?;
    *shared = Some((own, Arc::clone(&pool)));
    Ok(pool)
}

fn start(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
    pool.map(Arc::new).map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))
}
