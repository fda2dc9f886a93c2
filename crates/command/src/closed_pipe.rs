//! Recognises that the reader of the output has gone away, as `head` does when it has its lines.

use std::io::{Error, ErrorKind};

/// The error of Windows about a pipe whose other end is closed, if the system has not noted it as a broken pipe.
#[cfg(windows)]
const ALSO: Option<i32> = Some(windows_sys::Win32::Foundation::ERROR_PIPE_NOT_CONNECTED as i32);

/// Other systems have only one error for this.
#[cfg(not(windows))]
const ALSO: Option<i32> = None;

/// Returns true if the error means that nobody reads the output any more.
pub fn is_closed(error: &Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe || (ALSO.is_some() && error.raw_os_error() == ALSO)
}
