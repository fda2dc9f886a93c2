//! Long work: on other threads, while the one that asked for it serves Python.

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

/// How often Python is told of the work, and asked whether it goes on.
const EVERY: Duration = Duration::from_millis(100);

/// Where long work is.
#[pyclass(frozen, get_all, module = "yomikiri")]
#[derive(Clone)]
pub struct Step {
    /// What is done.
    name: String,
    /// Units of work done.
    done: u64,
    /// Units of work in all, 0 where nobody knows.
    total: u64,
    /// What has come of the step, once it is over.
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
    /// A step of which so much is done.
    pub fn at(name: &str, done: u64) -> Step {
        Step { name: name.into(), done, total: 0, summary: None }
    }
}

/// Has Python handle signals, and calls `callback`, if there is one, with a step if there is one.
///
/// Both run code that may fork. A child that comes back from there ends here: the threads that it would wait for are
/// not in it.
pub fn tell(py: Python<'_>, callback: Option<&Py<PyAny>>, step: Option<Step>) -> PyResult<()> {
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

/// Ends a process that was forked in a callback: as its exception asks if that is a `SystemExit`, else with status 1.
fn end_fork(py: Python<'_>, raised: Option<PyErr>) -> ! {
    let code = raised.as_ref().filter(|error| error.is_instance_of::<PySystemExit>(py)).map(|error| {
        let code = error.value(py).getattr("code").ok();
        code.map_or(1, |code| if code.is_none() { 0 } else { code.extract().unwrap_or(1) })
    });
    if code.is_none() {
        if let Some(error) = raised {
            error.print(py);
        }
        eprintln!(
            "yomikiri: a process that was forked in a callback ends with it: the work goes on in its parent alone"
        );
    }
    // Runs no handlers of the parent, some of which wait for threads.
    if let Err(error) = py.import("os").and_then(|os| os.call_method1("_exit", (code.unwrap_or(1),))) {
        error.print(py);
    }
    std::process::abort()
}

/// Beginnings and ends of steps, on their way to Python, each with where an answer is waited for.
type Told = (Step, SyncSender<()>);

/// What Python and the work see of each other.
#[derive(Default)]
struct State {
    done: AtomicU64,
    stop: AtomicBool,
}

/// What work tells of itself, on whichever of its threads.
struct Watched<'a> {
    told: Sender<Told>,
    state: &'a State,
    /// Name and total of the step.
    current: Mutex<(String, u64)>,
}

/// What unwinds the work once Python wants it to stop. To files that is as if the process were killed, which they are
/// made for (docs/reliability.md): what is finished is kept, and the next run goes on behind it.
struct Stopped;

impl Watched<'_> {
    fn go_on(&self) {
        if self.state.stop.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
    }

    /// Waits until Python has heard.
    fn tell(&self, summary: Option<&str>) {
        let (name, total) = self.current.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let done = self.state.done.load(Ordering::Relaxed);
        let (answer, answered) = sync_channel(1);
        if self.told.send((Step { name, done, total, summary: summary.map(String::from) }, answer)).is_ok() {
            // An error: nobody listens any more.
            let _ = answered.recv();
        }
        self.go_on();
    }
}

impl Progress for Watched<'_> {
    fn begin(&self, name: &str, total: u64) {
        self.state.done.store(0, Ordering::Relaxed);
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = (name.into(), total);
        self.tell(None);
    }

    fn advance(&self, units: u64) {
        self.state.done.fetch_add(units, Ordering::Relaxed);
        self.go_on();
    }

    fn end(&self, summary: &str) {
        self.tell(Some(summary));
    }
}

/// Does work on `threads` threads, without the interpreter's lock. Meanwhile this thread handles signals, and calls
/// `callback` with each step that begins or ends and some times a second in between. An exception of either stops the
/// work and comes out of here.
pub fn attend<T: Send>(
    py: Python<'_>,
    callback: Option<&Py<PyAny>>,
    threads: Option<NonZero<u16>>,
    work: impl FnOnce(&dyn Progress) -> T + Send,
) -> PyResult<T> {
    let pool = threads::of(threads)?;
    supervise(py, callback, |told, state| {
        let watched = Watched { told, state, current: Mutex::default() };
        pool.install(|| work(&watched))
    })
}

/// Does work on another thread, without the interpreter's lock. Meanwhile this thread handles signals; after an
/// exception of one the flag that `work` is given is set, and the exception comes out of here once the work has ended.
pub fn watch<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
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

/// Does work on another thread and serves Python meanwhile. The work is over when its end of the channel is gone.
fn supervise<T: Send>(
    py: Python<'_>,
    callback: Option<&Py<PyAny>>,
    work: impl FnOnce(Sender<Told>, &State) -> T + Send,
) -> PyResult<T> {
    let state = State::default();
    let state = &state;
    let (sender, told) = channel::<Told>();
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

/// Serves Python until the work is over; returns the exception that has stopped it.
fn listen(callback: Option<&Py<PyAny>>, told: &Receiver<Told>, state: &State) -> Option<PyErr> {
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
            failed = Python::attach(|py| tell(py, callback, step.clone())).err();
            state.stop.store(failed.is_some(), Ordering::Relaxed);
        }
        if answer.is_some() {
            current = step.filter(|step| step.summary.is_none());
        }
    }
}
