//! Runs tasks side by side until one of them has the result.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use yomikiri_table::threads::{self, Refused};

/// The time between two calls of `go_on`.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Work for a thread of its own.
pub type Task<'a, T> = Box<dyn FnOnce() -> T + Send + 'a>;

/// Runs each task on a thread of its own. Once a task has a result for which `is_last` returns true, sets `halt`, waits
/// for the other tasks and returns that result. The tasks must stop soon after `halt` is set. If `is_last` returns true
/// for no result, returns the result that came last. `go_on` is called several times a second. When it returns false,
/// all tasks are told to stop, and the result is `None`. If the system refuses to start a thread, the threads already
/// started do the work. Returns an error if the system refuses the first thread.
pub fn race<T: Send>(
    tasks: Vec<Task<T>>,
    is_last: &dyn Fn(&T) -> bool,
    go_on: &mut dyn FnMut() -> bool,
    halt: &AtomicBool,
) -> Result<Option<T>, Refused> {
    halt.store(false, Ordering::Relaxed);
    let (sender, results) = channel();
    let (mut is_started, mut are_refused) = (false, None);
    let result = std::thread::scope(|scope| {
        for task in tasks {
            let sender = sender.clone();
            if let Err(refused) = threads::start_scoped(scope, "proof", move || _ = sender.send(task())) {
                are_refused = Some(refused);
                break;
            }
            is_started = true;
        }
        drop(sender);
        let mut result = None;
        loop {
            match results.recv_timeout(POLL_INTERVAL) {
                Ok(found) => {
                    if is_last(result.insert(found)) {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) if go_on() => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    result = None;
                    break;
                }
            }
        }
        halt.store(true, Ordering::Relaxed);
        result
    });
    match are_refused.filter(|_| !is_started) {
        Some(refused) => Err(refused),
        None => Ok(result),
    }
}
