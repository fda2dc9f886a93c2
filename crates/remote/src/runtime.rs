//! The runtime that drives all requests: one worker thread, named `addresses`, for all servers.

use std::future::Future;
use std::io;

use tokio::runtime::{Builder, Runtime};

use yomikiri_table::per_process::PerProcess;
use yomikiri_table::threads;

/// The runtime of each process. A forked process needs its own, because the worker thread exists only in the parent.
/// With a shared runtime, both processes would also share the event queue.
static RUNTIME: PerProcess<Runtime> = PerProcess::new();

fn runtime() -> io::Result<&'static Runtime> {
    RUNTIME.get(|| {
        // Another part of the program may have installed a cryptography provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // Checks first that a thread can be started, because the runtime panics if it cannot start its own.
        threads::check(1)?;
        Builder::new_multi_thread().worker_threads(1).thread_name("addresses").enable_all().build()
    })
}

/// Starts the runtime unless it runs already. The error says why it cannot run.
pub fn start() -> Result<(), String> {
    runtime().map(drop).map_err(|error| error.to_string())
}

/// Blocks the calling thread until `answer` is ready.
pub fn wait<T>(answer: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    runtime()?.block_on(answer)
}
