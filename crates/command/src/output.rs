//! Writes results to standard output.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::HumanCount;
use serde::Serialize;
use yomikiri_rules::visible;
use yomikiri_table::address;
/// Formats a number of bytes in a decimal unit, such as "288.2 MB".
pub use yomikiri_table::memory::in_units as bytes;

use super::closed_pipe::is_closed;
use super::error::Failure;
pub use super::error::note;

/// Prints a text and a newline with [`write()`].
pub fn print(text: &str) -> Result<(), Failure> {
    write(&format!("{text}\n"))
}

/// Writes a text to standard output and flushes it. If the reader has closed the pipe, the process ends with status 0.
/// Any other failure is an error.
pub fn write(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    done(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Writes lines to standard output through a buffer. A line is flushed at once if the last flush was at least
/// `PATIENCE` ago, so that a slow answer does not wait for a full buffer. If the reader closes the pipe, the process
/// ends with status 0, as in [`write()`].
pub struct Lines {
    out: BufWriter<StdoutLock<'static>>,
    written: Result<(), Failure>,
    /// The time of the last flush.
    last: Instant,
}

impl Lines {
    /// A line that is written at least this long after the last flush is flushed at once.
    const PATIENCE: Duration = Duration::from_millis(100);

    pub fn new() -> Lines {
        let out = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
        Lines { out, written: Ok(()), last: Instant::now() }
    }

    /// Writes a line and a newline. Does nothing after an error, which [`Lines::end`] returns.
    pub fn write(&mut self, line: &str) {
        if self.written.is_err() {
            return;
        }
        let mut written = self.out.write_all(line.as_bytes()).and_then(|()| self.out.write_all(b"\n"));
        if self.last.elapsed() >= Lines::PATIENCE {
            written = written.and_then(|()| self.out.flush());
            self.last = Instant::now();
        }
        self.written = done(written);
    }

    /// Flushes the buffer. Does nothing after an error, which [`Lines::end`] returns.
    pub fn flush(&mut self) {
        if self.written.is_ok() {
            self.written = done(self.out.flush());
            self.last = Instant::now();
        }
    }

    /// Flushes the buffer and returns the first error.
    pub fn end(mut self) -> Result<(), Failure> {
        self.written?;
        done(self.out.flush())
    }
}

/// Converts the result of writing to standard output. If the reader has closed the pipe, the process ends with status
/// 0.
pub fn done(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if is_closed(&error) => std::process::exit(0),
        Err(error) => Err(Failure::work(error).named("standard output")),
        Ok(()) => Ok(()),
    }
}

/// Returns a path or an address as text for messages, with control characters escaped.
pub fn shown(path: &Path) -> String {
    visible(address::shown(path))
}

/// Prints one JSON value on one line.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&serde_json::to_string(value).map_err(Failure::work)?)
}

/// Formats a number with a comma between groups of three digits.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// Formats a number of things: "1 file", "2 files". `noun` is the singular of a noun whose plural ends in "s".
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Rounds a number of a report to three decimal places.
pub fn to_thousandths(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(916019981), "916,019,981");
        assert_eq!(bytes(999.0), "999 bytes");
        assert_eq!([0, 1, 1000].map(|number| counted(number, "file")), ["0 files", "1 file", "1,000 files"]);
        assert_eq!(bytes(288_154_047.0), "288.2 MB");
    }
}
