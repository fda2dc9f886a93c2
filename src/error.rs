//! Errors as the user sees them: one line and an exit status.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anstream::AutoStream;
use clap::builder::styling::{AnsiColor, Style};
use yomikiri_play::repl::SessionError;
use yomikiri_rules::{TextError, visible};
use yomikiri_search::SearchError;
use yomikiri_solve::SolveError;
use yomikiri_table::TableError;
use yomikiri_table::threads::Refused;

use crate::allocator;

/// The result of a subcommand.
pub type CommandResult = Result<(), Failure>;

/// The reason why a subcommand failed.
pub enum Failure {
    /// The request makes no sense: exit status 2.
    Request(String),
    /// The work failed: exit status 1.
    Work(String),
}

impl Failure {
    /// Returns the text of the error line, without "error:".
    pub fn text(&self) -> &str {
        let (Failure::Request(text) | Failure::Work(text)) = self;
        text
    }

    /// Prints the error line to standard error and returns the exit status.
    pub fn report(self) -> ExitCode {
        let (text, status) = match self {
            Failure::Request(text) => (text, 2),
            Failure::Work(text) => (text, 1),
        };
        let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        allocator::write_last_line(&line_of(&format!("{red}error:{red:#} {}", visible(text))), status);
        ExitCode::from(status)
    }
}

/// Writes a note to standard error, with control characters escaped.
pub fn note(text: &str) {
    write_line(&visible(text));
}

/// Writes a line to standard error. A failed write does not stop the work.
fn write_line(text: &str) {
    let _ = std::io::stderr().write_all(&line_of(text));
}

/// Formats a line for standard error, with colours only if standard error is a terminal that has them. The whole line
/// is built in memory before any of it is written. So if the system refuses the memory for the line, the allocator can
/// still write its own line.
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
        Err(SessionError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|broken| Failure::Work(format!("standard {broken}"))),
    }
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Failure {
        Failure::Request(error.to_string())
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Work(error.to_string())
    }
}

impl From<&Refused> for Failure {
    fn from(refused: &Refused) -> Failure {
        Failure::Work(refused.to_string())
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        Failure::Work(refused.to_string())
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
            other => Failure::Work(other.to_string()),
        }
    }
}
