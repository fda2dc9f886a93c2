//! Recognises exports. An export replaces an earlier export, but no other file of the same name.

use std::io::Read;
use std::path::Path;

use serde_json::Value;
use yomikiri_table::Replaceable;
use yomikiri_table::source::open_file;

use super::members::END;

/// The number of bytes of a gzip member before its length field. These bytes are the same in all members.
const MEMBER_BEGINS: usize = 16;

/// The maximum number of bytes that are read to recognise a file.
const LONGEST_LINE: u64 = 1 << 16;

/// Returns the rule for replacing a file at this path. Only an export in the form that the path's extension names may
/// be replaced.
pub fn of(path: &Path) -> Replaceable {
    let form = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_string();
    Replaceable::own(format!("an export in the form {form}"), move |path| is_one(path, &form).unwrap_or(false))
        .or("move it away")
}

/// Returns `Some(true)` if the file at `path` may be an export with the file extension `form`. Returns `Some(false)` or
/// `None` if the file is not such an export or cannot be read. An empty file counts as an export, because replacing it
/// loses nothing.
fn is_one(path: &Path, form: &str) -> Option<bool> {
    let file = open_file(path).ok()?;
    let length = file.metadata().ok()?.len();
    let mut first = Vec::new();
    file.take(LONGEST_LINE).read_to_end(&mut first).ok()?;
    let line = first.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
    Some(match form {
        _ if length == 0 => true,
        "gz" => line.starts_with(&END[..MEMBER_BEGINS]),
        "gzi" => is_index(&first, length),
        "parquet" => line.starts_with(b"PAR1"),
        "csv" => line.starts_with(b"key,"),
        "jsonl" => serde_json::from_slice::<Value>(line).ok()?.get("key").is_some(),
        // The first line of a sidecar (`vals.json`) is only a brace, so the whole file is read.
        "json" => is_sidecar(path)?,
        "txt" => is_list(std::str::from_utf8(line).ok()?),
        _ => false,
    })
}

/// Returns true if a file of `length` bytes that begins with `first` can be an index of gzip members: the number of
/// entries in 8 bytes, then 16 bytes for each entry.
fn is_index(first: &[u8], length: u64) -> bool {
    let entries = first.first_chunk().map(|count| u64::from_le_bytes(*count));
    entries.and_then(|entries| entries.checked_mul(16)?.checked_add(8)) == Some(length)
}

fn is_sidecar(path: &Path) -> Option<bool> {
    let text = yomikiri_table::text_file::read(path, LONGEST_LINE).ok()?;
    let value: Value = serde_json::from_str(&text).ok()?;
    Some(["rules", "positions", "keys", "values"].iter().all(|name| value.get(name).is_some()))
}

/// Returns true if `line` can be the first line of a list of animal shogi. Such a line is a key of 15 hexadecimal
/// digits and a number. In the list of best play, it may instead be numbers, each after a space.
fn is_list(line: &str) -> bool {
    let line = line.trim_end();
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    match line.strip_prefix(' ') {
        Some(numbers) => numbers.split(' ').all(is_number),
        None => {
            let mut words = line.split(' ');
            let is_key = |key: &str| key.len() == 15 && key.bytes().all(|digit| digit.is_ascii_hexdigit());
            words.next().is_some_and(is_key) && words.next().is_some_and(is_number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_no_exports() {
        let folder = tempfile::tempdir().unwrap();
        let takes = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            of(&path).check(&path).is_ok()
        };
        for name in ["a.gz", "a.gzi", "a.parquet", "a.csv", "a.jsonl", "a.json", "a.txt", "a.log"] {
            for foreign in [&b"a letter\n"[..], b"{}\n", b"\0\0", b"\x1f\x8b\x08\0\0\0\0\0\0\xff and more than that"] {
                assert!(!takes(name, foreign), "{name}: {foreign:?}");
            }
        }
        let index = |entries: u64| [&entries.to_le_bytes()[..], &vec![7; 16 * entries as usize]].concat();
        let own: [(&str, &[u8]); 9] = [
            ("a.gz", &END),
            ("a.gzi", &index(1)),
            // The number of entries, 10, is also the byte of a line break.
            ("b.gzi", &index(10)),
            ("a.parquet", b"PAR1 and more"),
            ("a.csv", b"key,position\n1,x\n"),
            ("a.jsonl", b"{\"key\":\"@1\"}\n"),
            ("a.json", b"{\"rules\":\"bin2x2\",\"positions\":1,\"keys\":\"\",\"values\":{}}"),
            ("a.txt", b"0123456789abcde -1\n"),
            ("b.txt", b" 1 2 3\n\n"),
        ];
        for (name, bytes) in own {
            assert!(takes(name, bytes), "{name}");
        }
        assert!(takes("c.txt", b""));
    }
}
