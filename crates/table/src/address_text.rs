//! Recognises addresses among paths, and formats paths and addresses for messages.

use std::path::Path;

/// Returns the path as text if it is an address: a scheme of ASCII letters and digits, then `://`. Returns `None` for
/// other paths.
pub fn of(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = !scheme.is_empty() && scheme.bytes().all(|letter| letter.is_ascii_alphanumeric());
    is_scheme.then_some(text)
}

/// Formats a path for messages. In an address, and in the path of a file at an address, the separator is always `/`.
pub fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    if of(path).is_some() { by_slashes(text) } else { text }
}

/// Replaces each `\` by `/` on Windows, where joining paths inserts `\`. Returns the name unchanged on other systems.
pub fn by_slashes(name: String) -> String {
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}
