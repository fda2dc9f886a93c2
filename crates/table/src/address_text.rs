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
/// The user, password, query and fragment of an address are replaced by `***`, because they may be secrets.
pub fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    if of(path).is_some() { without_secrets(&by_slashes(text)) } else { text }
}

/// Replaces the user and password of an address, and its query and fragment, by `***`.
fn without_secrets(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").expect("an address has a scheme");
    let (rest, hidden) = match rest.find(['?', '#']) {
        Some(at) => (&rest[..at], format!("{}***", &rest[at..=at])),
        None => (rest, String::new()),
    };
    let end = rest.find('/').unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    match host.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://***@{host}{path}{hidden}"),
        None => format!("{scheme}://{rest}{hidden}"),
    }
}

/// Replaces each `\` by `/` on Windows, where joining paths inserts `\`. Returns the name unchanged on other systems.
pub fn by_slashes(name: String) -> String {
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_hide_secrets_of_addresses() {
        for (address, expected) in [
            ("https://host/x/@1.tbl", "https://host/x/@1.tbl"),
            ("https://me:secret@host:8443/x", "https://***@host:8443/x"),
            ("https://me@secret@host", "https://***@host"),
            ("s3://bucket/x?key=secret#more", "s3://bucket/x?***"),
            ("http://me@host?a/b@c", "http://***@host?***"),
            ("http://host#secret", "http://host#***"),
            ("folder/me:secret@host?x", "folder/me:secret@host?x"),
        ] {
            assert_eq!(shown(Path::new(address)), expected);
        }
    }
}
