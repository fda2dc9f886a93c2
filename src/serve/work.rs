//! Where questions are worked on, and how long they may take.
//!
//! Each kind of question has a lane of its own ([`Lane`]), so that those that take long hold up no others. A question
//! that its lane cannot answer goes on in the next: from [`Kind::Files`] to the lane of searches, and from any to a
//! child process, which ends when its time is over, when nobody waits for it any more, or when this process ends.

use std::ffi::OsString;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::process::Command;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::super::program;
use super::client::Client;
use super::encoding::Encoded;
use super::lane::{Lane, Place};
use super::reply::Refusal;
use super::words::Words;
use yomikiri_table::{Location, threads};

/// Memory of a child process.
pub const LONG_MEMORY: &str = "256M";

/// Child processes at a time.
const CHILDREN: usize = 2;

/// Look-ups at a time, at least: at an address most of their time is waiting.
const LOOK_UPS: usize = 8;

/// How long a question waits for its place, beyond the time that those before it may take.
const TURN: Duration = Duration::from_secs(20);

/// What a question costs at first.
#[derive(Clone, Copy)]
pub enum Kind {
    /// The rules alone answer: microseconds.
    Rules,
    /// Tables or certificates may answer: milliseconds, or as long as an address takes.
    Files,
}

/// How much work an answer may take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// What the lane of the question's kind allows.
    LookUp,
    /// A search of some tenths of a second as well.
    Search,
}

/// What a question comes to within an effort.
pub enum Answered {
    /// JSON.
    Json(String),
    /// Not answered by look-ups. [`Effort::Search`] is needed.
    NeedsSearch,
    /// Not answered by a short search. The command answers it by JSON.
    NeedsCommand(CommandLine),
}

/// Arguments of the command that answer a question.
pub struct CommandLine {
    pub verb: &'static str,
    pub options: Vec<String>,
    /// Rule code and position.
    pub operands: Vec<String>,
}

impl CommandLine {
    /// The arguments for the tables at `location`. No name of a folder, code or position is taken for an option.
    fn arguments(self, location: &Location) -> Vec<OsString> {
        let mut tables = OsString::from("--tables=");
        tables.push(location.path());
        let options = self.options.into_iter().map(OsString::from);
        let operands = self.operands.into_iter().map(OsString::from);
        [self.verb.into(), tables].into_iter().chain(options).chain(["--".into()]).chain(operands).collect()
    }
}

/// A function that answers a question within an effort.
pub type Look = fn(&Location, &Words, Effort) -> Result<Answered, Refusal>;

/// A question as a client asks it.
#[derive(Clone)]
pub struct Asked {
    pub client: Client,
    pub kind: Kind,
    pub look: Look,
    pub words: Arc<Words>,
    pub takes_gzip: bool,
}

/// What there is to work with.
#[derive(Clone)]
pub struct Work {
    location: Location,
    patience: Duration,
    rules: Arc<Lane>,
    files: Arc<Lane>,
    searches: Arc<Lane>,
    children: Arc<Lane>,
}

/// An answer on its way.
enum Step {
    Done(Encoded),
    NeedsSearch,
    NeedsCommand(CommandLine),
}

impl Work {
    /// For tables at `location`. A child process may take as long as `patience`.
    pub fn new(location: Location, patience: Duration) -> Work {
        let cores = available_parallelism().map_or(1, usize::from);
        Work {
            location,
            patience,
            rules: Lane::new(cores, TURN),
            files: Lane::new(LOOK_UPS.max(2 * cores), TURN),
            searches: Lane::new(cores, TURN),
            // A client without a child process waits for one other at most, if there are no more clients than places.
            children: Lane::new(CHILDREN, TURN + patience),
        }
    }

    /// Answers a question.
    pub async fn answer(&self, asked: &Asked) -> Result<Encoded, Refusal> {
        self.work(asked).await.map_err(|refusal| self.without_place(refusal))
    }

    async fn work(&self, asked: &Asked) -> Result<Encoded, Refusal> {
        let lane = match asked.kind {
            Kind::Rules => &self.rules,
            Kind::Files => &self.files,
        };
        let mut step = self.look(asked, lane, Effort::LookUp).await?;
        if let Step::NeedsSearch = step {
            step = self.look(asked, &self.searches, Effort::Search).await?;
        }
        match step {
            Step::Done(body) => Ok(body),
            Step::NeedsSearch => Err(Refusal::failed("the question went wrong")),
            Step::NeedsCommand(line) => self.command(asked, line).await,
        }
    }

    /// Works on a question on a thread of this process. The work goes on, and keeps its place, if the client leaves.
    async fn look(&self, asked: &Asked, lane: &Arc<Lane>, effort: Effort) -> Result<Step, Refusal> {
        let place = lane.place(asked.client).await?;
        let (location, asked) = (self.location.clone(), asked.clone());
        on_a_thread(place, move || {
            Ok(match (asked.look)(&location, &asked.words, effort)? {
                Answered::Json(text) => Step::Done(Encoded::text(text, asked.takes_gzip)),
                Answered::NeedsSearch => Step::NeedsSearch,
                Answered::NeedsCommand(line) => Step::NeedsCommand(line),
            })
        })
        .await
    }

    /// Has the command answer in a child process.
    async fn command(&self, asked: &Asked, line: CommandLine) -> Result<Encoded, Refusal> {
        let place = self.children.place(asked.client).await?;
        let text = self.run(line).await?;
        let takes_gzip = asked.takes_gzip;
        on_a_thread(place, move || Ok(Encoded::text(text, takes_gzip))).await
    }

    /// Runs the command for as long as patience lasts. Returns what it prints.
    async fn run(&self, line: CommandLine) -> Result<String, Refusal> {
        let failed = |error: std::io::Error| Refusal::failed(error.to_string());
        let command = program::child(line.arguments(&self.location)).map_err(failed)?;
        let mut child = Command::from(command).kill_on_drop(true).spawn().map_err(failed)?;
        // The child ends when this is closed.
        let _alive = child.stdin.take();
        let seconds = self.patience.as_secs();
        let late = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, format!("takes longer than {seconds} seconds"));
        let output = timeout(self.patience, child.wait_with_output()).await.map_err(late)?.map_err(failed)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        match output.status.code() {
            Some(0) => Ok(text(&output.stdout)),
            status => {
                let told = text(&output.stderr);
                let line = told.lines().last().unwrap_or("the question went wrong").trim_start_matches("error: ");
                Err(if status == Some(2) { Refusal::bad(line) } else { Refusal::unknown(line) })
            }
        }
    }

    /// Where tables lie on this machine is nobody's business.
    fn without_place(&self, refusal: Refusal) -> Refusal {
        let place = format!("{}/", self.location.path().display());
        Refusal { text: refusal.text.replace(&place, ""), ..refusal }
    }
}

/// Runs work on a thread, which keeps the place until it is done.
async fn on_a_thread<T: Send + 'static>(
    place: Place,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let (sender, receiver) = oneshot::channel();
    let started = threads::start_deep("question", move || {
        let done = work();
        drop(place);
        // The client may have gone away.
        let _ = sender.send(done);
    });
    started.map_err(|refused| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, refused.to_string()))?;
    receiver.await.unwrap_or_else(|_| Err(Refusal::failed("the question went wrong")))
}
