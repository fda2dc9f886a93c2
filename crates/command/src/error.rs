//! Errors as the user sees them: one line and an exit status.

use std::error::Error;
use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use anstream::AutoStream;
use clap::builder::styling::{AnsiColor, Style};
use yomikiri_play::repl::SessionError;
use yomikiri_rules::{TextError, visible};
use yomikiri_search::SearchError;
use yomikiri_solve::SolveError;
use yomikiri_table::TableError;
use yomikiri_table::address::without_users;
use yomikiri_table::threads::Refused;

use crate::closed_pipe::is_closed;
use yomikiri_table::process::write_last_line;

/// The result of a subcommand.
pub type CommandResult = Result<(), Failure>;

/// The reason why a subcommand failed. [`Display`](fmt::Display) writes it as the text of the error line.
#[derive(Debug)]
pub enum Failure {
    /// The request makes no sense: exit status 2.
    Request(Cause),
    /// The work failed: exit status 1.
    Work(Cause),
}

/// A text, or another error that keeps its type.
type Cause = Box<dyn Error + Send + Sync>;

impl Failure {
    /// Makes the failure for a request that makes no sense.
    pub fn request(cause: impl Into<Cause>) -> Failure {
        Failure::Request(cause.into())
    }

    /// Makes the failure for work that failed.
    pub fn work(cause: impl Into<Cause>) -> Failure {
        Failure::Work(cause.into())
    }

    /// Returns the failure with `name` and a colon before its text.
    pub fn named(self, name: impl fmt::Display) -> Failure {
        self.framed(format!("{name}: "), String::new())
    }

    /// Returns the failure with `end` after its text.
    pub fn followed_by(self, end: impl fmt::Display) -> Failure {
        self.framed(String::new(), end.to_string())
    }

    fn framed(self, begin: String, end: String) -> Failure {
        let frame = |source| Box::new(Framed { begin, source, end });
        match self {
            Failure::Request(cause) => Failure::Request(frame(cause)),
            Failure::Work(cause) => Failure::Work(frame(cause)),
        }
    }

    /// Returns the exit status for the user.
    fn status(&self) -> u8 {
        match self {
            Failure::Request(_) => 2,
            Failure::Work(_) => 1,
        }
    }

    /// Returns the exit status for a parent process, which has one more than users have: [`BROKEN_FILE`].
    fn status_for_parent(&self) -> u8 {
        match self {
            Failure::Work(cause) if is_about_broken_file(&**cause) => BROKEN_FILE,
            _ => self.status(),
        }
    }

    /// Prints the error line to standard error and returns the exit status for the user.
    pub fn report(self) -> ExitCode {
        let status = self.status();
        self.report_as(status)
    }

    /// Prints the error line to standard error and returns the exit status for a parent process.
    pub fn report_to_parent(self) -> ExitCode {
        let status = self.status_for_parent();
        self.report_as(status)
    }

    fn report_as(self, status: u8) -> ExitCode {
        let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let text = without_users(&visible(self));
        write_last_line(&line_of(&format!("{red}error:{red:#} {text}")), status);
        ExitCode::from(status)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Request(cause) | Failure::Work(cause)) = self;
        cause.fmt(f)
    }
}

/// The exit status of a child process if a file is damaged, unreadable or of other rules than its name says. The server
/// tells it from a question that has no answer.
pub const BROKEN_FILE: u8 = 3;

/// Returns true if an error, or the cause of an error, is about the contents of a file that exists.
fn is_about_broken_file(error: &(dyn Error + 'static)) -> bool {
    let of_table = |error: &TableError| match error {
        TableError::Io { source, .. } => source.kind() != std::io::ErrorKind::NotFound,
        TableError::Waiting { .. } => false,
        TableError::Damaged { .. } | TableError::Foreign { .. } => true,
    };
    let of_solver = |error: &SolveError| match error {
        SolveError::Table(error) => of_table(error),
        SolveError::Wrong(_) => true,
        SolveError::Text(_) | SolveError::Threads(_) | SolveError::TooLarge(_) => false,
    };
    let is_one = |error: &(dyn Error + 'static)| {
        error.downcast_ref().is_some_and(of_table) || error.downcast_ref().is_some_and(of_solver)
    };
    let mut next = Some(error);
    while let Some(error) = next {
        if is_one(error) {
            return true;
        }
        next = error.source();
    }
    false
}

/// An error with words before and after its text.
#[derive(Debug, thiserror::Error)]
#[error("{begin}{source}{end}")]
struct Framed {
    begin: String,
    source: Cause,
    end: String,
}

/// Writes a note to standard error, with control and format characters escaped and without passwords of addresses.
pub fn note(text: &str) {
    write_line(&without_users(&visible(text)));
}

/// Writes a line to standard error. A failed write does not stop the work.
fn write_line(text: &str) {
    let _ = std::io::stderr().write_all(&line_of(text));
}

/// Formats a line for standard error, with colours only if standard error is a terminal that has them. The whole line
/// is built in memory before any of it is written. So if the system refuses the memory for it, nothing is written yet,
/// and the allocator can write its own error line.
fn line_of(text: &str) -> Vec<u8> {
    let choice = AutoStream::choice(&std::io::stderr());
    let mut line = AutoStream::new(Vec::with_capacity(text.len() + 1), choice);
    let _ = writeln!(line, "{text}");
    line.into_inner()
}

/// Converts the result of a USI or UPI session. If the reader has closed standard output, the session ends without an
/// error.
pub fn session_result(result: Result<(), SessionError>) -> Result<(), Failure> {
    match result {
        Err(SessionError::Output(error)) if is_closed(&error) => Ok(()),
        result => result.map_err(|broken| Failure::work(broken).framed("standard ".into(), String::new())),
    }
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Failure {
        Failure::request(error)
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::work(error)
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        Failure::work(refused)
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Failure {
        SolveError::from(error).into()
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        match error {
            SolveError::Text(error) => error.into(),
            other => Failure::work(other),
        }
    }
}
