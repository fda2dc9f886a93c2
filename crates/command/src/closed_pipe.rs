//! Recognises errors of writing to a pipe whose reader has closed it, as `head` does after its last line.

use std::io::{Error, ErrorKind};

/// A second error of Windows for a pipe whose other end is closed. Its kind is not `BrokenPipe`.
#[cfg(windows)]
const ALSO: Option<i32> = Some(windows_sys::Win32::Foundation::ERROR_PIPE_NOT_CONNECTED as i32);

/// Other systems have no second error.
#[cfg(not(windows))]
const ALSO: Option<i32> = None;

/// Returns true if the error means that the reader of the output has closed the pipe.
pub fn is_closed(error: &Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe || (ALSO.is_some() && error.raw_os_error() == ALSO)
}
