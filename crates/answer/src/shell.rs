//! Quotes words of suggested commands, so that a command can be pasted into a shell.

use std::path::Path;

use yomikiri_rules::{is_invisible, visible};

/// Quotes a word of a command if it has characters that a shell could change. Uses double quotes, which every shell
/// understands. On systems other than Windows, a word with a character that is special within double quotes, such as
/// `$`, is quoted for a POSIX shell instead. Control and format characters are escaped.
pub fn word(text: &str) -> String {
    let text = visible(text);
    let is_plain = |letter: char| letter.is_alphanumeric() || "+-./:=@_".contains(letter) || is_separator(letter);
    let is_safe = |letter: char| is_plain(letter) || " ()[]<>,;~#&'*?|{}".contains(letter);
    match () {
        () if !text.is_empty() && text.chars().all(is_plain) => text,
        () if cfg!(windows) => in_double_quotes(&text),
        () if text.chars().all(is_safe) => format!("\"{text}\""),
        // The only error is a NUL, which is escaped above.
        () => shlex::try_quote(&text).map_or(text.clone(), String::from),
    }
}

/// Puts a word in double quotes for Windows. Backslashes at the end are doubled, because a single one would escape the
/// closing quotation mark. `text` must not contain double quotes; file names and addresses never do on Windows.
pub fn in_double_quotes(text: &str) -> String {
    let last = text.len() - text.trim_end_matches('\\').len();
    format!("\"{text}{}\"", "\\".repeat(last))
}

/// Quotes a path as an argument. A path that begins with a hyphen gets `./` before it, so that it is not taken for an
/// option. On systems other than Windows, a path with control or format characters can be pasted, too.
pub fn path(path: &Path) -> String {
    let text = match path.to_str() {
        Some(text) if cfg!(unix) && text.contains(is_invisible) => return escaped(path),
        Some(text) => text,
        None if cfg!(unix) => return escaped(path),
        None => &path.to_string_lossy(),
    };
    if text.starts_with('-') { word(&format!("./{text}")) } else { word(text) }
}

/// Quotes a path that is not plain text, in the form `$'...'` of shells such as bash and zsh. Quotes, backslashes and
/// all bytes other than printable ASCII are hexadecimal. A hyphen at the beginning is hidden by `./`, as in [`path`].
fn escaped(path: &Path) -> String {
    let byte = |&byte: &u8| match byte {
        b' '..=b'~' if !matches!(byte, b'\'' | b'\\') => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    let bytes = path.as_os_str().as_encoded_bytes();
    let begin = if bytes.starts_with(b"-") { "./" } else { "" };
    format!("$'{begin}{}'", bytes.iter().map(byte).collect::<String>())
}

/// Returns true for a backslash on Windows, where it separates folders. In POSIX shells, a backslash is an escape
/// character.
fn is_separator(letter: char) -> bool {
    cfg!(windows) && letter == '\\'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn paths_that_are_not_text_are_quoted_byte_by_byte() {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"a\xff'\\ b");
        assert_eq!(path(Path::new(name)), r"$'a\xff\x27\x5c b'");
        assert_eq!(path(Path::new("a\nb")), r"$'a\x0ab'");
        assert_eq!(path(Path::new("\u{202e}b")), r"$'\xe2\x80\xaeb'");
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        for (text, quoted) in [
            ("bin4x4", "bin4x4"),
            ("startpos moves 4n", "\"startpos moves 4n\""),
            ("", "\"\""),
            ("a'b", "\"a'b\""),
            ("a b$c", "'a b$c'"),
            ("a`b", "'a`b'"),
            ("a\"b", "'a\"b'"),
            ("a\nb", "\"a\\\\nb\""),
            ("表", "表"),
        ] {
            assert_eq!(word(text), quoted, "{text:?}");
        }
        assert_eq!(path(Path::new("-x")), "./-x");
        assert_eq!(path(Path::new("-x y")), "\"./-x y\"");
        assert_eq!(path(Path::new("/a/b.tbl")), "/a/b.tbl");
    }

    #[test]
    fn a_backslash_at_the_end_stays_one() {
        assert_eq!(in_double_quotes(r"C:\a b"), r#""C:\a b""#);
        assert_eq!(in_double_quotes(r"C:\a b\\"), r#""C:\a b\\\\""#);
    }

    /// A POSIX shell reads each quoted word back unchanged.
    #[test]
    fn a_shell_reads_words_as_they_were() {
        let letters: Vec<char> = "aé -_.,/$`\"'\\!*?[]{}()<>|&;#~^=%@+:".chars().collect();
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..5000 {
            let text: String = (0..random.usize(0..9)).map(|_| letters[random.usize(..letters.len())]).collect();
            assert_eq!(shlex::split(&word(&text)), Some(vec![text.clone()]), "{text:?} as {}", word(&text));
        }
    }
}
