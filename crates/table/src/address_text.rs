//! Addresses among paths, and how messages show them.

use std::path::Path;

/// Returns the path as text if it is an address, which begins with a scheme and `://`; `None` otherwise.
pub fn of(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = !scheme.is_empty() && scheme.bytes().all(|letter| letter.is_ascii_alphanumeric());
    is_scheme.then_some(text)
}

/// Returns a path, or an address with a file below it, as text for messages.
pub fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    if of(path).is_some() { by_slashes(text) } else { text }
}

/// Joins the parts of a name at an address by `/`, on Windows too.
pub fn by_slashes(name: String) -> String {
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}
