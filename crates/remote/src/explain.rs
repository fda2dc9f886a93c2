//! One-line messages about failed requests.

use std::io::{self, ErrorKind};

use object_store::Error;

use super::fault::{ResponseFault, quoted};

/// Turns an error of the store into an I/O error with a one-line message.
pub fn explain(error: &Error) -> io::Error {
    let (kind, text) = match error {
        Error::NotFound { .. } if innermost(error).contains(" 405 ") => {
            (ErrorKind::Unsupported, "the server does not serve files there (405)")
        }
        Error::NotFound { .. } => (ErrorKind::NotFound, "not found (404)"),
        Error::AlreadyExists { .. } => (ErrorKind::Other, "the server reports a conflict (409)"),
        Error::Precondition { .. } => (ErrorKind::Other, "the server reports that a condition does not hold (412)"),
        Error::Unauthenticated { .. } => (ErrorKind::PermissionDenied, "the server requires authentication (401)"),
        Error::PermissionDenied { .. } => (ErrorKind::PermissionDenied, "the server denies access (403)"),
        _ => return io::Error::other(innermost(error)),
    };
    io::Error::new(kind, text)
}

/// Returns true if `error`, with which a request to write a new file failed, means that the name is taken.
pub fn is_taken(error: &Error) -> bool {
    matches!(error, Error::AlreadyExists { .. } | Error::Precondition { .. })
}

/// Returns the message of the innermost cause of an error.
fn innermost(error: &Error) -> String {
    let mut last: &dyn std::error::Error = error;
    while let Some(source) = last.source() {
        last = source;
    }
    match last.downcast_ref::<ResponseFault>() {
        Some(fault) => fault.to_string(),
        None => quoted(&last.to_string()).trim_end_matches(": ").into(),
    }
}
