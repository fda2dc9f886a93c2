//! Splits a command line into words by the rules of the operating system.

/// Splits as a POSIX shell does. Returns `None` if a quotation mark is unmatched.
#[cfg(not(windows))]
pub fn split(command: &str) -> Option<Vec<String>> {
    shlex::split(command)
}

/// Splits as the C runtime of Windows does: a backslash separates folders, and only double quotes join words. Returns
/// `None` if a quotation mark is unmatched.
#[cfg(windows)]
pub fn split(command: &str) -> Option<Vec<String>> {
    let words = winsplit::split(command);
    // If a quotation mark is unmatched, a word that is appended becomes a part of the last word, and the number of
    // words stays the same.
    (winsplit::split(&format!("{command} end")).len() > words.len()).then_some(words)
}
