//! The runtime that drives all requests: one worker thread, called `addresses`, for all servers.

use std::future::Future;
use std::io;

use tokio::runtime::{Builder, Runtime};

use crate::per_process::PerProcess;
use crate::threads;

/// A forked process has a runtime of its own: the worker thread stays with the parent, and both would share the queue
/// of events by which it hears of answers.
static RUNTIME: PerProcess<Runtime> = PerProcess::new();

fn runtime() -> io::Result<&'static Runtime> {
    RUNTIME.get(|| {
        // Another part of the program may have chosen already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // The runtime panics when it cannot start its thread.
        threads::check(1)?;
        Builder::new_multi_thread().worker_threads(1).thread_name("addresses").enable_all().build()
    })
}

/// Starts the runtime if it does not run yet. The error says why there can be none.
pub fn start() -> Result<(), String> {
    runtime().map(drop).map_err(|error| error.to_string())
}

/// Blocks the calling thread until `answer` is there.
pub fn wait<T>(answer: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    runtime()?.block_on(answer)
}
