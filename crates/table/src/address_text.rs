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
/// The user, password, query and fragment of an address are replaced by `***`, because they may be secrets: some
/// servers take a secret as the user. The `@` stays, so that the address can be recognised.
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

/// Replaces the users and passwords of all addresses within a text by `***`, such as those of an argument that is no
/// path but is quoted in a message. A text without such addresses is returned as it is.
pub fn without_users(text: &str) -> String {
    let (mut hidden, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("://") {
        let (before, host) = rest.split_at(at + "://".len());
        let word =
            &host[..host.find(|letter: char| letter.is_whitespace() || "\"'".contains(letter)).unwrap_or(host.len())];
        let user = end_of_user(word);
        hidden += before;
        hidden += if user.is_some() { "***" } else { "" };
        rest = &host[user.unwrap_or(0)..];
    }
    hidden + rest
}

/// Returns the place of the `@` behind the user and the password of an address, or `None` if it has none. `word` is the
/// address behind `://`. A password may have a `/`, although that should be escaped: what stands before it then looks
/// like a host with a port that is no number.
fn end_of_user(word: &str) -> Option<usize> {
    let authority = word.split(['/', '?', '#']).next().unwrap_or_default();
    let has_odd_port = || {
        let port = authority.split_once(':').filter(|_| !authority.starts_with('[')).map(|(_, port)| port);
        port.is_some_and(|port| !port.bytes().all(|byte| byte.is_ascii_digit()))
    };
    authority.rfind('@').or_else(|| word.rfind('@').filter(|_| has_odd_port()))
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

    #[test]
    fn texts_hide_users_of_addresses() {
        for (text, expected) in [
            ("rule code \"https://me:secret@host/x\": unknown", "rule code \"https://***@host/x\": unknown"),
            ("https://me:a/secret@host/x: invalid port", "https://***@host/x: invalid port"),
            ("https://host:80/@1.tbl https://[::1]:80/@1.tbl", "https://host:80/@1.tbl https://[::1]:80/@1.tbl"),
            ("a://b@c d://e:f@g@h and i@j", "a://***@c d://***@h and i@j"),
            ("https://host/x/@1.tbl, see https://host", "https://host/x/@1.tbl, see https://host"),
            ("https://***@host/x: is an address", "https://***@host/x: is an address"),
        ] {
            assert_eq!(without_users(text), expected);
        }
    }
}
