//! Lines of JSON with checksums.
//!
//! The last field of a line is `crc32`: eight hexadecimal digits of the CRC-32 (as in zlib and gzip) of all bytes
//! before `,"crc32":`. A line is accepted only if it equals the serialized form of its value, byte for byte. So each
//! value has exactly one accepted line. Lines with additional spaces, another order of fields or repeated fields are
//! refused.

use serde::Serialize;
use serde::de::DeserializeOwned;
use yomikiri_rules::visible;

/// The text between the other fields and the digits of the checksum.
const FIELD: &str = ",\"crc32\":\"";

/// Number of hexadecimal digits of a checksum.
const DIGITS: usize = 8;

/// Length in bytes of the end of a line: the checksum field and the closing brace.
const TAIL: usize = FIELD.len() + DIGITS + "\"}".len();

/// Maximum number of characters of a JSON error that a message repeats. JSON errors may quote long values.
const LONGEST_PROBLEM: usize = 200;

/// The reason why a line is refused, worded to follow "line 3".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The line does not end with a checksum field.
    #[error("has no checksum")]
    Unsummed,
    /// The checksum does not match the rest of the line.
    #[error("does not match its checksum")]
    Damaged,
    /// The line is not JSON, or not of the expected type. Holds the message of the JSON reader, shortened.
    #[error("has unexpected contents: {0}")]
    Unread(String),
    /// The line is not the serialized form of its value.
    #[error("is not formatted as this program writes it")]
    Unusual,
}

/// Returns the line for a value, with its checksum and without a line break. The value must serialize as a JSON object
/// with at least one field.
pub fn write<T: Serialize>(value: &T) -> String {
    with_sum(&plain(value))
}

/// Appends the checksum as the last field of a JSON object.
pub fn with_sum(object: &str) -> String {
    let fields = object.strip_suffix('}').unwrap_or(object);
    format!("{fields}{FIELD}{:0DIGITS$x}\"}}", crc32fast::hash(fields.as_bytes()))
}

/// Reads a line that [`write()`] has written.
pub fn read<T: DeserializeOwned + Serialize>(line: &str) -> Result<T, LineError> {
    read_plain(&without_sum(line)?)
}

/// Reads a line without a checksum, the form that older versions of this program wrote.
pub fn read_plain<T: DeserializeOwned + Serialize>(object: &str) -> Result<T, LineError> {
    let problem = |error: serde_json::Error| visible(error).chars().take(LONGEST_PROBLEM).collect();
    let value = serde_json::from_str(object).map_err(|error| LineError::Unread(problem(error)))?;
    if plain(&value) == object { Ok(value) } else { Err(LineError::Unusual) }
}

/// Verifies the checksum of a line and returns its JSON object without that field.
fn without_sum(line: &str) -> Result<String, LineError> {
    let (fields, tail) =
        line.len().checked_sub(TAIL).and_then(|end| line.split_at_checked(end)).ok_or(LineError::Unsummed)?;
    let object = format!("{fields}}}");
    match tail.starts_with(FIELD) {
        false => Err(LineError::Unsummed),
        true if with_sum(&object) == line => Ok(object),
        true => Err(LineError::Damaged),
    }
}

fn plain<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a line has only strings as keys and only finite numbers")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Value {
        name: String,
        number: u32,
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let value = Value { name: "a \"name\" あ".into(), number: 7 };
        let line = write(&value);
        assert_eq!(line, r#"{"name":"a \"name\" あ","number":7,"crc32":"5bf51e42"}"#);
        assert_eq!(read::<Value>(&line), Ok(value));
    }

    #[test]
    fn no_changed_byte_is_accepted() {
        let line = write(&Value { name: "name".into(), number: 7 });
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut changed = line.clone().into_bytes();
                changed[at] ^= 1 << bit;
                let Ok(text) = String::from_utf8(changed) else { continue };
                assert!(read::<Value>(&text).is_err(), "{text}");
            }
            assert!(read::<Value>(&line[..at]).is_err() && read::<Value>(&line[at + 1..]).is_err(), "{at}");
        }
    }

    #[test]
    fn problems_are_told_apart() {
        let problem = |line: &str| read::<Value>(line).unwrap_err().to_string();
        assert_eq!(problem(r#"{"name":"a","number":7}"#), "has no checksum");
        assert_eq!(problem(""), "has no checksum");
        assert_eq!(
            problem(&write(&Value { name: "a".into(), number: 7 }).replace('7', "8")),
            "does not match its checksum"
        );
        assert_eq!(problem(&with_sum(r#"{"name":"a", "number":7}"#)), "is not formatted as this program writes it");
        let unknown = problem(&with_sum(r#"{"name":"a","number":7,"more":1}"#));
        assert!(unknown.starts_with("has unexpected contents: unknown field `more`"), "{unknown}");
        assert_eq!(problem(&with_sum(&"x".repeat(1000))).lines().count(), 1);
        assert!(problem(&with_sum(r#"{"name":"a","number":7,"\u0007":1}"#)).contains(r"unknown field `\u{7}`"));
        assert!(problem(&with_sum(&format!("{{\"{}\":1}}", "x".repeat(1000)))).len() < 300);
    }
}
