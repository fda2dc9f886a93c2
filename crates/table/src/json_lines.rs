//! Lines of JSON with a checksum each.
//!
//! The last field of a line is `crc32`: eight hexadecimal digits, the CRC-32 (as of zlib and gzip) of all bytes of the
//! line before `,"crc32":`. A line is read only if it is, byte for byte, what its value is written as: so nothing that
//! the types leave open (spaces, the order of fields, a field given twice) makes two lines of one value.

use serde::Serialize;
use serde::de::DeserializeOwned;
use yomikiri_rules::visible;

/// Text between the other fields and the digits of the checksum.
const FIELD: &str = ",\"crc32\":\"";

/// Number of hexadecimal digits of a checksum.
const DIGITS: usize = 8;

/// Length of the checksum's field with the end of the object, in bytes.
const TAIL: usize = FIELD.len() + DIGITS + "\"}".len();

/// Most characters of an error about JSON that are repeated: values may be long.
const LONGEST_PROBLEM: usize = 200;

/// Why a line is refused; reads on behind "line 3".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    #[error("has no checksum")]
    Unsummed,
    #[error("does not match its checksum")]
    Damaged,
    #[error("is not as expected: {0}")]
    Unread(String),
    #[error("is not written as this program writes it")]
    Unusual,
}

/// Returns the line of a value that is written as a JSON object with at least one field, without a line break.
pub fn write<T: Serialize>(value: &T) -> String {
    with_sum(&plain(value))
}

/// Returns the text of a JSON object with the checksum as a last field.
pub fn with_sum(object: &str) -> String {
    let fields = object.strip_suffix('}').unwrap_or(object);
    format!("{fields}{FIELD}{:0DIGITS$x}\"}}", crc32fast::hash(fields.as_bytes()))
}

/// Reads a line that [`write`] has made.
pub fn read<T: DeserializeOwned + Serialize>(line: &str) -> Result<T, LineError> {
    read_plain(&without_sum(line)?)
}

/// Reads a line of an older program, which has no checksum.
pub fn read_plain<T: DeserializeOwned + Serialize>(object: &str) -> Result<T, LineError> {
    let problem = |error: serde_json::Error| visible(error).chars().take(LONGEST_PROBLEM).collect();
    let value = serde_json::from_str(object).map_err(|error| LineError::Unread(problem(error)))?;
    if plain(&value) == object { Ok(value) } else { Err(LineError::Unusual) }
}

/// The JSON object of a line without its checksum, which is right.
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
    serde_json::to_string(value).expect("values of lines have texts as keys and finite numbers")
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
        assert_eq!(problem(&with_sum(r#"{"name":"a", "number":7}"#)), "is not written as this program writes it");
        let unknown = problem(&with_sum(r#"{"name":"a","number":7,"more":1}"#));
        assert!(unknown.starts_with("is not as expected: unknown field `more`"), "{unknown}");
        assert_eq!(problem(&with_sum(&"x".repeat(1000))).lines().count(), 1);
        assert!(problem(&with_sum(r#"{"name":"a","number":7,"\u0007":1}"#)).contains(r"unknown field `\u{7}`"));
        assert!(problem(&with_sum(&format!("{{\"{}\":1}}", "x".repeat(1000)))).len() < 300);
    }
}
