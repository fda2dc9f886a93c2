//! Schedules the work on questions, and limits its time.
//!
//! Each kind of work has its own [`Lane`] with a limited number of slots, so that slow questions do not hold up fast
//! ones. A question that is not answered in its lane moves on: a [`QuestionKind::Files`] question to the lane of
//! searches, and any question to a child process. A child process ends when its time is over, when its client
//! disconnects, or when this process ends.

use std::cmp::Reverse;
use std::ffi::OsString;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::super::error::BROKEN_FILE;
use super::super::program;
use super::client::Client;
use super::encoding::Encoded;
use super::lane::{Lane, LanePlace};
use super::parameters::Parameters;
use super::reply::Refusal;
use yomikiri_answer::shell;
use yomikiri_table::{Location, address, threads};

/// The time that a child process gets beyond its limit, to start and to report its result so far.
pub const GRACE: Duration = Duration::from_secs(5);

/// The memory of a child process, as the value of its option `--memory`.
pub const CHILD_MEMORY: &str = "256M";

/// The maximum number of child processes at a time.
const CHILDREN: usize = 2;

/// The minimum number of slots for look-ups. With tables at an address, look-ups mostly wait for the network.
const LOOK_UPS: usize = 8;

/// The longest time that a question waits for a slot. If the slot is for a child process, the limit is longer by the
/// time that one child process may take.
const TURN: Duration = Duration::from_secs(20);

/// The kind of a question, by the cost of the first attempt to answer it.
#[derive(Clone, Copy)]
pub enum QuestionKind {
    /// Answered by the rules alone, in microseconds.
    Rules,
    /// Answered by tables or certificates if possible. A look-up takes milliseconds, or the latency of the tables'
    /// address.
    Files,
}

/// The amount of work allowed for an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Only look-ups. For [`QuestionKind::Rules`], only the rules.
    LookUp,
    /// Look-ups, and a search of a few tenths of a second.
    Search,
}

/// The result of an attempt at a question with a limited [`Effort`].
pub enum Answered {
    /// The answer as JSON.
    Json(String),
    /// Look-ups do not answer the question, which needs [`Effort::Search`].
    NeedsSearch,
    /// A short search does not answer the question. The command in this variant answers it with JSON.
    NeedsCommand(CommandLine),
}

/// The arguments with which a child process answers a question.
pub struct CommandLine {
    pub verb: &'static str,
    pub options: Vec<String>,
    /// The rule code, and the position if the question is about one.
    pub operands: Vec<String>,
}

impl CommandLine {
    /// Returns the arguments of a child process that reads the tables at `location`. Each folder follows `--tables=`
    /// and the operands follow `--`, so none of them can be taken for an option.
    fn arguments(self, location: &Location) -> Vec<OsString> {
        let option = |place| OsString::from_iter([OsString::from("--tables="), OsString::from(place)]);
        let tables = location.candidates(Path::to_path_buf).into_iter().map(option);
        let options = self.options.into_iter().map(OsString::from);
        let operands = self.operands.into_iter().map(OsString::from);
        [self.verb.into()].into_iter().chain(tables).chain(options).chain(["--".into()]).chain(operands).collect()
    }
}

/// A function that answers a question with at most the given effort.
pub type AnswerFn = fn(&Location, &Parameters, Effort) -> Result<Answered, Refusal>;

/// A client's question, and the function that answers it.
#[derive(Clone)]
pub struct ClientQuestion {
    pub client: Client,
    pub kind: QuestionKind,
    pub look: AnswerFn,
    pub words: Arc<Parameters>,
    pub takes_gzip: bool,
}

/// The slots for each kind of work of the server, and the location of its tables.
#[derive(Clone)]
pub struct Scheduler {
    location: Location,
    patience: Duration,
    rules: Arc<Lane>,
    /// The slots for look-ups, and the questions that wait for one.
    pub files: Arc<Lane>,
    pub searches: Arc<Lane>,
    pub children: Arc<Lane>,
}

/// The state of a question after an attempt to answer it.
enum QuestionState {
    Done(Encoded),
    NeedsSearch,
    NeedsCommand(CommandLine),
}

impl Scheduler {
    /// Creates the slots for questions about the tables at `location`. `patience` is the time limit of a child process.
    pub fn new(location: Location, patience: Duration) -> Scheduler {
        let cores = available_parallelism().map_or(1, usize::from);
        Scheduler {
            location,
            patience,
            rules: Lane::new(cores, TURN),
            files: Lane::new(LOOK_UPS.max(2 * cores), TURN),
            searches: Lane::new(cores, TURN),
            // With no more clients than slots, a client without a child process waits at most until one child process
            // ends. So the limit includes the time of one child process.
            children: Lane::new(CHILDREN, TURN + patience + GRACE),
        }
    }

    /// Answers a question.
    pub async fn answer(&self, asked: &ClientQuestion) -> Result<Encoded, Refusal> {
        self.work(asked).await.map_err(|refusal| self.without_folder(refusal))
    }

    async fn work(&self, asked: &ClientQuestion) -> Result<Encoded, Refusal> {
        let lane = match asked.kind {
            QuestionKind::Rules => &self.rules,
            QuestionKind::Files => &self.files,
        };
        let mut step = self.look(asked, lane, Effort::LookUp).await?;
        if let QuestionState::NeedsSearch = step {
            step = self.look(asked, &self.searches, Effort::Search).await?;
        }
        match step {
            QuestionState::Done(body) => Ok(body),
            QuestionState::NeedsSearch => Err(Refusal::failed("internal error")),
            QuestionState::NeedsCommand(line) => self.command(asked, line).await,
        }
    }

    /// Waits for a slot of `lane`, then works on a question with at most `effort`.
    async fn look(&self, asked: &ClientQuestion, lane: &Arc<Lane>, effort: Effort) -> Result<QuestionState, Refusal> {
        let place = lane.place(asked.client).await?;
        let asked = asked.clone();
        self.on_a_thread(place, move |location| {
            Ok(match (asked.look)(location, &asked.words, effort)? {
                Answered::Json(text) => QuestionState::Done(Encoded::text(text, asked.takes_gzip)),
                Answered::NeedsSearch => QuestionState::NeedsSearch,
                Answered::NeedsCommand(line) => QuestionState::NeedsCommand(line),
            })
        })
        .await
    }

    /// Runs `work` on a new thread, which holds the slot `place` until the work is done, even if the client
    /// disconnects.
    pub async fn on_a_thread<T: Send + 'static>(
        &self,
        place: LanePlace,
        work: impl FnOnce(&Location) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let location = self.location.clone();
        let (sender, receiver) = oneshot::channel();
        let started = threads::start_deep("question", move || {
            let done = work(&location);
            drop(place);
            // The client may have disconnected.
            let _ = sender.send(done);
        });
        started.map_err(|refused| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, refused.to_string()))?;
        receiver.await.unwrap_or_else(|_| Err(Refusal::failed("internal error")))
    }

    /// Answers a question by a child process.
    async fn command(&self, asked: &ClientQuestion, line: CommandLine) -> Result<Encoded, Refusal> {
        let place = self.children.place(asked.client).await?;
        let late = format!("the answer takes longer than {} seconds", self.patience.as_secs());
        let text = self.run(line, self.patience, Refusal::new(StatusCode::SERVICE_UNAVAILABLE, late)).await?;
        let takes_gzip = asked.takes_gzip;
        self.on_a_thread(place, move |_| Ok(Encoded::text(text, takes_gzip))).await
    }

    /// Runs the command in a child process and returns its output. Dropping the future ends the child.
    ///
    /// # Errors
    /// Returns `late` if the child takes longer than `limit` plus [`GRACE`].
    pub async fn run(&self, line: CommandLine, limit: Duration, late: Refusal) -> Result<String, Refusal> {
        let failed = |error: std::io::Error| Refusal::failed(error.to_string());
        let mut child = self.start(line, limit)?;
        // The child ends when its standard input is closed.
        let _alive = child.stdin.take();
        let output = timeout(limit + GRACE, child.wait_with_output()).await.map_err(|_| late)?.map_err(failed)?;
        child_answer(&output)
    }

    /// Starts the command in a child process. The child ends when its standard input is closed or the returned value is
    /// dropped. The subcommand `query` gets the time limit `limit`, after which it reports its results so far.
    pub fn start(&self, line: CommandLine, limit: Duration) -> Result<Child, Refusal> {
        let failed = |error: std::io::Error| Refusal::failed(error.to_string());
        let mut arguments = line.arguments(&self.location);
        if arguments[0] == "query" {
            arguments.insert(1, format!("--time={}ms", limit.as_millis().max(1)).into());
        }
        let command = program::child(arguments).map_err(failed)?;
        Command::from(command).kill_on_drop(true).spawn().map_err(failed)
    }

    /// Returns the time limit of a child process, without [`GRACE`].
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// Removes the paths of the folders of tables from a message. Clients have no need to know them. Advice that names
    /// one is removed whole, because without the folder the command would read or write another one.
    pub fn without_folder(&self, refusal: Refusal) -> Refusal {
        let places = self.location.candidates(Path::to_path_buf);
        let mut text = refusal.text;
        for option in places.iter().map(|place| format!(" --tables {}", shell::path(place))) {
            while let Some(at) = text.find(&option) {
                let begin = text[..at].rfind("; ").unwrap_or(at);
                let behind = at + option.len();
                let end = text[behind..].find("; ").map_or(text.len(), |further| behind + further);
                text.replace_range(begin..end, "");
            }
        }
        let places = places.iter().map(PathBuf::as_path).chain(self.location.knowledge());
        // Removes the longest paths first, because one folder may be below another one.
        let separator = |place: &Path| if address::of(place).is_some() { '/' } else { MAIN_SEPARATOR };
        let mut places: Vec<_> = places.map(|place| format!("{}{}", place.display(), separator(place))).collect();
        places.sort_by_key(|place| Reverse(place.len()));
        let text = places.iter().fold(text, |text, place| text.replace(place, ""));
        Refusal { text, status: refusal.status }
    }
}

/// Returns the answer of a child process from its output. A proof that ran out of time gives an answer too, although
/// its exit status is 1.
pub fn child_answer(output: &Output) -> Result<String, Refusal> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let out = text(&output.stdout);
    match output.status.code() {
        Some(0) => Ok(out),
        Some(1) if out.starts_with('{') => Ok(out),
        status => {
            let told = text(&output.stderr);
            let line = told.lines().last().unwrap_or("internal error").trim_start_matches("error: ");
            Err(match status {
                Some(1) => Refusal::unknown(line),
                Some(2) => Refusal::bad(line),
                Some(status) if status == i32::from(BROKEN_FILE) => Refusal::failed(line),
                // The process crashed or was killed.
                _ => Refusal::failed("internal error"),
            })
        }
    }
}
