//! Long work on other threads, while the calling thread handles signals and callbacks of Python.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PySystemExit};
use pyo3::prelude::*;
use yomikiri_table::Progress;
use yomikiri_table::per_process::Process;

use crate::threads;

/// The interval at which Python's signal handlers and progress callbacks are called.
const EVERY: Duration = Duration::from_millis(100);

/// The progress of long work.
#[pyclass(frozen, get_all, module = "yomikiri")]
#[derive(Clone)]
pub struct Step {
    /// The name of the step.
    name: String,
    /// The number of units of work done.
    done: u64,
    /// The total number of units of work; 0 if it is unknown.
    total: u64,
    /// The result of the step in words, once it is over; else ``None``.
    summary: Option<String>,
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        let Step { name, done, total, summary } = self;
        match summary {
            None => format!("<Step {name}: {done} of {total}>"),
            Some(summary) => format!("<Step {name}: {summary}>"),
        }
    }
}

impl Step {
    /// Creates a step with `done` units done and an unknown total.
    pub fn at(name: &str, done: u64) -> Step {
        Step { name: name.into(), done, total: 0, summary: None }
    }
}

/// Lets Python handle signals, then calls `callback` with `step` if both are given. Returns an exception that a signal
/// handler or the callback has raised.
///
/// Signal handlers and the callback may fork the process. If a child process returns from them, this function ends it.
/// Otherwise the child process would wait for threads that it does not have.
pub fn notify(py: Python<'_>, callback: Option<&Py<PyAny>>, step: Option<Step>) -> PyResult<()> {
    let own = Process::current();
    let done = py.check_signals().and_then(|()| match (callback, step) {
        (Some(callback), Some(step)) => callback.call1(py, (step,)).map(drop),
        _ => Ok(()),
    });
    match Process::current() == own {
        true => done,
        false => end_fork(py, done.err()),
    }
}

/// Ends a process that was forked in a callback. Its exit status is the status of the `SystemExit` that the callback
/// raised, else 1.
fn end_fork(py: Python<'_>, raised: Option<PyErr>) -> ! {
    let code = raised.as_ref().filter(|error| error.is_instance_of::<PySystemExit>(py)).map(|error| {
        let code = error.value(py).getattr("code").ok();
        code.map_or(1, |code| if code.is_none() { 0 } else { code.extract().unwrap_or(1) })
    });
    if code.is_none() {
        if let Some(error) = raised {
            error.print(py);
        }
        eprintln!("yomikiri: ended a process that was forked in a callback; the work goes on in its parent");
    }
    // Skips the exit handlers, which come from the parent and may wait for its threads.
    if let Err(error) = py.import("os").and_then(|os| os.call_method1("_exit", (code.unwrap_or(1),))) {
        error.print(py);
    }
    std::process::abort()
}

/// A message to the thread that serves Python: a step that begins or ends, and the channel for the reply.
type Notice = (Step, SyncSender<()>);

/// The state that Python and the work share.
#[derive(Default)]
struct WorkState {
    done: AtomicU64,
    stop: AtomicBool,
}

/// Receives the progress of the work, from any of its threads, and passes it on to the thread that serves Python. If
/// Python wants the work to stop, the methods of [`Progress`] unwind it.
pub struct Watched<'a> {
    told: Sender<Notice>,
    state: &'a WorkState,
    /// The name and the total of the current step.
    current: Mutex<(String, u64)>,
}

/// The panic payload that unwinds the work when Python wants it to stop. For the files of a run, this is the same as a
/// kill of the process (docs/reliability.md): finished work is kept, and the next run resumes from it.
struct Stopped;

impl Watched<'_> {
    /// Returns true if Python wants the work to stop. The methods of [`Progress`] unwind only the thread that calls
    /// them. If other threads of the work would then go on, the work must poll this method instead.
    pub fn should_stop(&self) -> bool {
        self.state.stop.load(Ordering::Relaxed)
    }

    /// Sets the number of units of work done in the current step.
    pub fn set_done(&self, done: u64) {
        self.state.done.store(done, Ordering::Relaxed);
    }

    fn go_on(&self) {
        if self.should_stop() {
            resume_unwind(Box::new(Stopped));
        }
    }

    /// Reports the step and waits until Python has received it.
    fn send(&self, summary: Option<&str>) {
        let (name, total) = self.current.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let done = self.state.done.load(Ordering::Relaxed);
        let (answer, answered) = sync_channel(1);
        if self.told.send((Step { name, done, total, summary: summary.map(String::from) }, answer)).is_ok() {
            // An error means that the listening thread is gone.
            let _ = answered.recv();
        }
        self.go_on();
    }
}

impl Progress for Watched<'_> {
    fn begin(&self, name: &str, total: u64) {
        self.state.done.store(0, Ordering::Relaxed);
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = (name.into(), total);
        self.send(None);
    }

    fn advance(&self, units: u64) {
        self.state.done.fetch_add(units, Ordering::Relaxed);
        self.go_on();
    }

    fn end(&self, summary: &str) {
        self.send(Some(summary));
    }
}

/// Runs `work` on `threads` threads, without the interpreter's lock. Meanwhile this thread handles signals, and calls
/// `callback` when a step begins or ends and several times a second in between. An exception from a signal handler or
/// the callback stops the work and is returned.
pub fn run_with_progress<T: Send>(
    py: Python<'_>,
    callback: Option<&Py<PyAny>>,
    threads: Option<NonZero<u16>>,
    work: impl FnOnce(&Watched<'_>) -> T + Send,
) -> PyResult<T> {
    let pool = threads::of(threads)?;
    supervise(py, callback, |told, state| {
        let watched = Watched { told, state, current: Mutex::default() };
        pool.install(|| work(&watched))
    })
}

/// Runs `work` on another thread, without the interpreter's lock. Meanwhile this thread handles signals. An exception
/// from a signal handler sets the flag that `work` was given, and is returned once the work has ended.
pub fn run_interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let pool = if threads::is_forked() { Some(threads::start(0)?) } else { None };
    supervise(py, None, |told, state| {
        let done = match pool {
            None => work(&state.stop),
            Some(pool) => pool.install(|| work(&state.stop)),
        };
        drop(told);
        done
    })
}

/// Runs `work` on another thread. Meanwhile handles signals and calls `callback` on the calling thread. Returns after
/// `work` has dropped its end of the channel and has returned.
fn supervise<T: Send>(
    py: Python<'_>,
    callback: Option<&Py<PyAny>>,
    work: impl FnOnce(Sender<Notice>, &WorkState) -> T + Send,
) -> PyResult<T> {
    let state = WorkState::default();
    let state = &state;
    let (sender, told) = channel::<Notice>();
    let run = || catch_unwind(AssertUnwindSafe(|| work(sender, state)));
    let (done, failed) = py.detach(move || {
        thread::scope(|scope| {
            let worker = thread::Builder::new().stack_size(threads::STACK).spawn_scoped(scope, run);
            let worker = match worker {
                Ok(worker) => worker,
                Err(error) => return Err(PyRuntimeError::new_err(format!("cannot start a thread: {error}"))),
            };
            let failed = listen(callback, &told, state);
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok((done, failed))
        })
    })?;
    match (done, failed) {
        (Ok(_), Some(error)) => Err(error),
        (Err(panic), Some(error)) if panic.is::<Stopped>() => Err(error),
        (Ok(done), None) => Ok(done),
        (Err(panic), _) => resume_unwind(panic),
    }
}

/// Handles signals and callbacks until the work is over. Returns the exception that has stopped the work, if there was
/// one.
fn listen(callback: Option<&Py<PyAny>>, told: &Receiver<Notice>, state: &WorkState) -> Option<PyErr> {
    let mut failed: Option<PyErr> = None;
    let mut current: Option<Step> = None;
    loop {
        let (step, answer) = match told.recv_timeout(EVERY) {
            Ok((step, answer)) => (Some(step), Some(answer)),
            Err(RecvTimeoutError::Timeout) => {
                let done = state.done.load(Ordering::Relaxed);
                (current.clone().map(|step| Step { done, ..step }), None)
            }
            Err(RecvTimeoutError::Disconnected) => return failed,
        };
        if failed.is_none() {
            failed = Python::attach(|py| notify(py, callback, step.clone())).err();
            state.stop.store(failed.is_some(), Ordering::Relaxed);
        }
        if answer.is_some() {
            current = step.filter(|step| step.summary.is_none());
        }
    }
}
