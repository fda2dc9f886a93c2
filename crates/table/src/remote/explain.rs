//! One line about a request that failed.

use std::io::{self, ErrorKind};

use object_store::Error;

use super::fault::{Fault, quoted};

/// What went wrong, in one line.
pub fn explain(error: &Error) -> io::Error {
    let (kind, text) = match error {
        Error::NotFound { .. } if innermost(error).contains(" 405 ") => {
            (ErrorKind::Unsupported, "the server does not serve files there (405)")
        }
        Error::NotFound { .. } => (ErrorKind::NotFound, "not there (404)"),
        Error::AlreadyExists { .. } => (ErrorKind::Other, "the server reports a conflict (409)"),
        Error::Precondition { .. } => (ErrorKind::Other, "the server reports that a condition does not hold (412)"),
        Error::Unauthenticated { .. } => (ErrorKind::PermissionDenied, "the server wants to know who asks (401)"),
        Error::PermissionDenied { .. } => (ErrorKind::PermissionDenied, "the server refuses it (403)"),
        _ => return io::Error::other(innermost(error)),
    };
    io::Error::new(kind, text)
}

/// Returns true if a file was not written because there is one of its name.
pub fn is_taken(error: &Error) -> bool {
    matches!(error, Error::AlreadyExists { .. } | Error::Precondition { .. })
}

/// The text of the first cause.
fn innermost(error: &Error) -> String {
    let mut last: &dyn std::error::Error = error;
    while let Some(source) = last.source() {
        last = source;
    }
    match last.downcast_ref::<Fault>() {
        Some(fault) => fault.to_string(),
        None => quoted(&last.to_string()).trim_end_matches(": ").into(),
    }
}
