//! Recognises write errors that mean that the reader of a pipe has closed it. `head` closes its pipe after its last
//! line, for example.

use std::io::{Error, ErrorKind};

/// Another error code of Windows for a pipe whose reader has closed it. The standard library does not convert this code
/// to `BrokenPipe`.
#[cfg(windows)]
const ALSO: Option<i32> = Some(windows_sys::Win32::Foundation::ERROR_PIPE_NOT_CONNECTED as i32);

/// `None`, because other systems report a closed pipe only as `BrokenPipe`.
#[cfg(not(windows))]
const ALSO: Option<i32> = None;

/// Returns true if the error means that the reader of the output has closed the pipe.
pub fn is_closed(error: &Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe || (ALSO.is_some() && error.raw_os_error() == ALSO)
}
