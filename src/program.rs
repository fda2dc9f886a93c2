//! The program as a child of itself: a question in a process of its own, which ends with its parent.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use yomikiri_table::threads;

use super::error::Failure;

/// The running program on Linux, even if another file has taken its place since it was started.
const ITSELF: &str = "/proc/self/exe";

/// The name of the option by which a child ends with its parent.
pub const END_WITH_INPUT: &str = "end-with-input";

/// Returns the command that runs this program again with `arguments`, its three streams being pipes. The child ends
/// when its standard input is closed. The system closes it when the parent ends, in whatever way.
///
/// # Errors
/// If the system does not tell where the program lies. On systems without `/proc` another file in its place is run
/// instead, or none.
pub fn child(arguments: impl IntoIterator<Item = OsString>) -> io::Result<Command> {
    let program = if Path::new(ITSELF).exists() { PathBuf::from(ITSELF) } else { std::env::current_exe()? };
    let mut command = Command::new(program);
    command.arg(format!("--{END_WITH_INPUT}")).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

/// Ends this process, with status 1, when standard input ends.
pub fn end_with_input() -> Result<(), Failure> {
    threads::start("parent", || {
        let mut room = [0; 64];
        loop {
            match io::stdin().lock().read(&mut room) {
                Ok(0) => std::process::exit(1),
                Err(error) if error.kind() != ErrorKind::Interrupted => std::process::exit(1),
                _ => {}
            }
        }
    })?;
    Ok(())
}
