//! Writing results to standard output.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use indicatif::HumanCount;
use serde::Serialize;
use yomikiri_rules::visible;

use super::error::Failure;
pub use super::error::note;

/// Prints lines, as [`write()`] does.
pub fn print(text: &str) -> Result<(), Failure> {
    write(&format!("{text}\n"))
}

/// Writes a text at once. A reader that has gone away ends the work quietly; any other failure is an error.
pub fn write(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    done(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Writes lines, as [`write()`] does.
pub fn write_lines(lines: &[String]) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    let mut write = |line: &String| out.write_all(line.as_bytes()).and_then(|()| out.write_all(b"\n"));
    done(lines.iter().try_for_each(&mut write).and_then(|()| out.flush()))
}

fn done(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Failure::Work(format!("standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// The name of a file with its control characters written out, for lines.
pub fn shown(path: &Path) -> String {
    visible(path.display())
}

/// Prints one JSON value on one line.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&serde_json::to_string(value).map_err(|error| Failure::Work(error.to_string()))?)
}

/// A number with a comma between groups of three digits.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A number of bytes in the unit that suits it: "999 bytes", "288.2 MB", at most in ZB.
pub fn bytes(number: f64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB"];
    let mut rest = number;
    let mut unit = 0;
    while rest >= 1000.0 && unit + 1 < units.len() {
        rest /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{rest:.0} {}", units[0]) } else { format!("{rest:.1} {}", units[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(916019981), "916,019,981");
        assert_eq!(bytes(999.0), "999 bytes");
        assert_eq!(bytes(288_154_047.0), "288.2 MB");
    }
}
