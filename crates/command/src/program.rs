//! Runs this program again as a child process that ends with its parent.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use yomikiri_table::threads;

use super::error::Failure;

/// The path of the running program on Linux. It leads to the running program even if the program's file has been
/// replaced.
const ITSELF: &str = "/proc/self/exe";

/// The name of the option that makes a child end with its parent.
pub const END_WITH_INPUT: &str = "end-with-input";

/// Returns a command that runs this program again with `arguments` and with pipes for its three streams. The child ends
/// when its standard input is closed. The system closes that pipe when the parent ends, even by a kill. On systems
/// without `/proc` the command runs the file at the program's path, even if that file has been replaced.
///
/// # Errors
/// If the system does not know the path of the program.
pub fn child(arguments: impl IntoIterator<Item = OsString>) -> io::Result<Command> {
    let is_there = cfg!(target_os = "linux") && Path::new(ITSELF).exists();
    let program = if is_there { PathBuf::from(ITSELF) } else { std::env::current_exe()? };
    let mut command = Command::new(program);
    command.arg(format!("--{END_WITH_INPUT}")).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    without_window(&mut command);
    Ok(command)
}

/// Keeps Windows from opening a console window for the child if this program has no console.
#[cfg(windows)]
fn without_window(command: &mut Command) {
    use std::os::windows::process::CommandExt;

    use windows_sys::Win32::System::Threading::CREATE_NO_WINDOW;
    command.creation_flags(CREATE_NO_WINDOW);
}

#[cfg(not(windows))]
fn without_window(_: &mut Command) {}

/// Starts a thread that ends this process with status 1 when standard input ends.
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
