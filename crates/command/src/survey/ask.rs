//! Decides a variant by another subcommand of this program, in a child process. A variant that needs too much memory or
//! time then does not affect the others, and each record has a command that anybody can run.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use yomikiri_table::places::DATA_VARIABLE;
use yomikiri_table::{Location, RunLock, threads};

use super::super::program;

/// The time between two checks of a child process.
const LOOK: Duration = Duration::from_millis(5);

/// The time that a child process with the option `--time` has after its time limit to end by itself. After this time it
/// is killed.
const GRACE: Duration = Duration::from_secs(30);

pub struct Runner {
    /// The location of existing tables.
    pub tables: Location,
    /// The folder for checkpoints and temporary tables.
    pub work: PathBuf,
    /// The time limit for each variant, or `None` if there is none.
    pub time: Option<Duration>,
    /// The time at which the survey ends, or `None` if the survey has no time limit.
    pub end: Option<Instant>,
    pub memory: u64,
    pub stop: Arc<AtomicBool>,
    /// The error of a process or thread that could not be started. The error ends the survey.
    pub unstarted: OnceLock<std::io::Error>,
}

/// The reason why a command gave no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The time limit has passed.
    Time,
    /// The survey is to stop.
    Stopped,
    /// The command failed with this error line.
    Failed(String),
    /// The process was killed from outside, perhaps because memory ran out.
    Killed,
}

/// The error of a command that succeeds without naming a winner.
pub const NO_WINNER: &str = "its answer has no winner";

/// The status and the output of a command that has ended.
struct EndedCommand {
    /// True if the command succeeded.
    is_good: bool,
    out: String,
    err: String,
}

impl EndedCommand {
    /// Returns the reason why the command failed, or `None` if it succeeded.
    fn failure(&self) -> Option<NoAnswer> {
        let line = || self.err.lines().find_map(|line| line.strip_prefix("error: "));
        (!self.is_good).then(|| line().map_or(NoAnswer::Killed, |line| NoAnswer::Failed(line.into())))
    }
}

impl Runner {
    /// Returns true if no more commands are to be run.
    pub fn is_stopped(&self) -> bool {
        self.is_told_to_stop() || self.is_over()
    }

    /// Returns true if a signal or a failure stops the survey.
    pub fn is_told_to_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns true if the survey's time is over.
    pub fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Returns the time limit to pass to a child process as `--time`: the limit for a variant, or the rest of the
    /// survey's time if that is shorter. Returns `None` if there is no limit.
    pub fn given(&self) -> Option<Duration> {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        [self.time, left].into_iter().flatten().min()
    }

    /// Runs a command and returns the report that it prints as JSON. The exit status is ignored if the command prints a
    /// report.
    pub fn ask<R: DeserializeOwned>(&self, arguments: &[String]) -> Result<R, NoAnswer> {
        let ended = self.end_of(arguments)?;
        match serde_json::from_str(&ended.out) {
            Ok(report) => Ok(report),
            Err(_) => Err(ended.failure().unwrap_or_else(|| NoAnswer::Failed(NO_WINNER.into()))),
        }
    }

    /// Runs a command that prints no report.
    pub fn run(&self, arguments: &[String]) -> Result<(), NoAnswer> {
        self.end_of(arguments)?.failure().map_or(Ok(()), Err)
    }

    /// Runs this program with `arguments` in a child process, and waits for its end.
    fn end_of(&self, arguments: &[String]) -> Result<EndedCommand, NoAnswer> {
        let grace = if arguments.iter().any(|word| word == "--time") { GRACE } else { Duration::ZERO };
        let mut child = match start(arguments) {
            Ok(child) => child,
            Err(error) => return Err(self.cannot_start(error)),
        };
        let (mut out, mut err) = (String::new(), String::new());
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let is_good = std::thread::scope(|scope| {
            let read_out = || stdout.map(|mut pipe| pipe.read_to_string(&mut out));
            let read_err = || stderr.map(|mut pipe| pipe.read_to_string(&mut err));
            let readers = threads::start_scoped(scope, "stdout", read_out)
                .and_then(|_| threads::start_scoped(scope, "stderr", read_err).map(drop));
            if let Err(refused) = readers {
                let _ = child.kill();
                let _ = child.wait();
                return Err(self.cannot_start(refused.into()));
            }
            self.wait(&mut child, grace)
        })?;
        Ok(EndedCommand { is_good, out, err })
    }

    /// Ends the survey because a process, or a thread that reads its output, cannot be started. Returns the reason.
    fn cannot_start(&self, error: std::io::Error) -> NoAnswer {
        // Another thread may have set its error already.
        let _ = self.unstarted.set(error);
        self.stop.store(true, Ordering::Relaxed);
        NoAnswer::Stopped
    }

    /// Waits until no other process holds the lock of the files whose paths begin with `base`. A killed survey may have
    /// left such a process behind.
    ///
    /// # Errors
    /// If the survey is to stop, or if the time limit for a variant passes first.
    pub fn wait_for_other_run(&self, base: &Path) -> Result<(), NoAnswer> {
        let begun = Instant::now();
        while RunLock::is_taken(base) {
            if self.is_stopped() {
                return Err(NoAnswer::Stopped);
            }
            if self.time.is_some_and(|time| begun.elapsed() >= time) {
                return Err(NoAnswer::Time);
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Waits for the end of a child process. Kills the process if the survey is to stop, or `grace` after the time
    /// limit of the variant or of the survey. Returns true if the process succeeded.
    fn wait(&self, child: &mut Child, grace: Duration) -> Result<bool, NoAnswer> {
        let begun = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status.success()),
                Err(error) => return Err(NoAnswer::Failed(error.to_string())),
                Ok(None) => {}
            }
            let over = self.time.is_some_and(|time| begun.elapsed() >= time + grace);
            let ends = self.end.is_some_and(|end| Instant::now() >= end + grace);
            if over || ends || self.is_told_to_stop() {
                // The process may have ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(if over { NoAnswer::Time } else { NoAnswer::Stopped });
            }
            std::thread::sleep(LOOK);
        }
    }
}

/// Starts this program as a child process that ends with this process. The child does not use the certificates and
/// openings that ship with the program, because solving a variant tells more about it.
fn start(arguments: &[String]) -> std::io::Result<Child> {
    program::child(arguments.iter().map(Into::into))?.env(DATA_VARIABLE, "").spawn()
}
