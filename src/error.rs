//! Errors as people and scripts meet them: one line, and an exit status.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anstream::AutoStream;
use clap::builder::styling::{AnsiColor, Style};
use yomikiri_play::repl::Broken;
use yomikiri_rules::{TextError, visible};
use yomikiri_solve::SolveError;
use yomikiri_table::TableError;
use yomikiri_table::threads::Refused;

use crate::allocator;

/// What a verb comes to.
pub type Done = Result<(), Failure>;

/// Why a verb did not do its work.
pub enum Failure {
    /// The request makes no sense: exit status 2.
    Request(String),
    /// The work failed: exit status 1.
    Work(String),
}

impl Failure {
    /// The line about it.
    pub fn text(&self) -> &str {
        let (Failure::Request(text) | Failure::Work(text)) = self;
        text
    }

    /// Prints the line and gives the exit status.
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

/// Writes a line about the work to standard error, control characters written out.
pub fn note(text: &str) {
    write_line(&visible(text));
}

/// Writes a line to standard error. That nobody can read it is no reason to stop the work.
fn write_line(text: &str) {
    let _ = std::io::stderr().write_all(&line_of(text));
}

/// A line as standard error takes it, in colours only if that is a terminal. It is made before any of it is written: when
/// the system refuses memory for it, another line says so.
fn line_of(text: &str) -> Vec<u8> {
    let choice = AutoStream::choice(&std::io::stderr());
    let mut line = AutoStream::new(Vec::with_capacity(text.len() + 1), choice);
    let _ = writeln!(line, "{text}");
    line.into_inner()
}

/// The end of a session: that nobody listens any more ends it quietly.
pub fn conversed(result: Result<(), Broken>) -> Result<(), Failure> {
    match result {
        Err(Broken::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
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

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        match error {
            SolveError::Text(error) => error.into(),
            other => Failure::Work(other.to_string()),
        }
    }
}
