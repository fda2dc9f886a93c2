//! Has the program itself decide a variant by another of its verbs, in a process of its own: so one that needs too much
//! memory or time harms no other, and the record has commands that anybody can give.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde_json::Value;
use yomikiri_table::{RunLock, threads};

use super::super::program;

/// How often somebody looks whether a process has ended.
const LOOK: Duration = Duration::from_millis(5);

/// How much longer than its time a process may take that counts the time itself.
const GRACE: Duration = Duration::from_secs(30);

pub struct Asker {
    /// The folder of tables at hand.
    pub tables: PathBuf,
    /// The folder for what is solved whole.
    pub work: PathBuf,
    /// For each variant.
    pub time: Option<Duration>,
    /// When the survey is to stop.
    pub end: Option<Instant>,
    pub memory: u64,
    pub stop: Arc<AtomicBool>,
    /// Why no process could be started, which ends the survey.
    pub unstarted: OnceLock<std::io::Error>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Silence {
    /// The time was over.
    Time,
    /// The survey is to stop.
    Stopped,
    /// The line about it.
    Failed(String),
    /// Somebody else has ended the process, for want of memory perhaps.
    Killed,
}

impl Asker {
    /// Whether nothing more is to be asked.
    pub fn is_stopped(&self) -> bool {
        self.is_told_to_stop() || self.is_over()
    }

    /// Whether somebody wants it to stop.
    pub fn is_told_to_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the survey's time is over.
    pub fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// How long a process may take that counts the time itself: what a variant is given, and no longer than the survey.
    pub fn given(&self) -> Option<Duration> {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        [self.time, left].into_iter().flatten().min()
    }

    /// The JSON object that a command prints; an empty one if it prints nothing and all went well.
    pub fn ask(&self, arguments: &[String]) -> Result<Value, Silence> {
        let grace = if arguments.iter().any(|word| word == "--time") { GRACE } else { Duration::ZERO };
        let mut child = match start(arguments) {
            Ok(child) => child,
            Err(error) => return Err(self.cannot_start(error)),
        };
        let (mut out, mut err) = (String::new(), String::new());
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let ended = std::thread::scope(|scope| {
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
        match serde_json::from_str(&out) {
            Ok(value) => Ok(value),
            Err(_) if ended => Ok(Value::Object(serde_json::Map::new())),
            Err(_) => {
                let line = err.lines().find_map(|line| line.strip_prefix("error: "));
                Err(line.map_or(Silence::Killed, |line| Silence::Failed(line.into())))
            }
        }
    }

    /// Ends the survey because a process, or a thread that reads from it, cannot be started.
    fn cannot_start(&self, error: std::io::Error) -> Silence {
        // Another thread may have said it.
        let _ = self.unstarted.set(error);
        self.stop.store(true, Ordering::Relaxed);
        Silence::Stopped
    }

    /// Waits for a run that a killed survey has left behind, as long as it is at work on a table.
    pub fn wait_for_run(&self, base: &Path) -> Result<(), Silence> {
        let begun = Instant::now();
        while RunLock::is_taken(base) {
            if self.is_stopped() {
                return Err(Silence::Stopped);
            }
            if self.time.is_some_and(|time| begun.elapsed() >= time) {
                return Err(Silence::Time);
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Waits until a process has ended, and says whether all went well.
    fn wait(&self, child: &mut Child, grace: Duration) -> Result<bool, Silence> {
        let begun = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status.success()),
                Err(error) => return Err(Silence::Failed(error.to_string())),
                Ok(None) => {}
            }
            let over = self.time.is_some_and(|time| begun.elapsed() >= time + grace);
            let ends = self.end.is_some_and(|end| Instant::now() >= end + grace);
            if over || ends || self.is_told_to_stop() {
                // It may have ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(if over { Silence::Time } else { Silence::Stopped });
            }
            std::thread::sleep(LOOK);
        }
    }
}

/// Starts this program as a child, which ends with this process.
fn start(arguments: &[String]) -> std::io::Result<Child> {
    program::child(arguments.iter().map(Into::into))?.spawn()
}
