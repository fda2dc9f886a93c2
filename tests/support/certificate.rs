//! Parses and writes certificate files according to docs/format.md alone.

use super::coded::{push_number, read_number};
use super::table::{Block, Parts};

/// The contents of a certificate: its properties and its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateText {
    /// Lines `name value`: rules, revision, position, winner, draws (if the game has them), horizon, entries.
    pub lines: Vec<String>,
    /// The listed keys, each with the byte of its move.
    pub entries: Vec<(u64, u8)>,
    /// Number of keys in each block that [`CertificateText::file`] writes. The last block may be shorter.
    pub block: usize,
    pub header: Vec<u8>,
}

impl CertificateText {
    /// Parses a sound certificate file. Panics on any other.
    pub fn of(file: &[u8]) -> CertificateText {
        assert_eq!((&file[..8], file[8], file[10], file[11]), (&b"YOMIKIRI"[..], 2, 2, 4));
        let parts = Parts::of(file);
        let code = std::str::from_utf8(&file[88..128]).unwrap().trim_end_matches('\0');
        let meta: serde_json::Value = serde_json::from_slice(&parts.meta).unwrap();
        let mut lines = vec![format!("rules {code}"), format!("revision {}", file[12])];
        for name in ["position", "winner", "draws", "horizon"] {
            let value = &meta[name];
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            lines.extend((!value.is_null()).then(|| format!("{name} {text}")));
        }
        let mut entries = Vec::new();
        for block in &parts.blocks {
            entries.extend(entries_of(block.key, &parts.plain(block), block.rows as usize));
        }
        lines.push(format!("entries {}", u64::from_le_bytes(file[24..32].try_into().unwrap())));
        CertificateText { lines, entries, block: 4096, header: file[..136].to_vec() }
    }

    /// Returns a copy in which `line`, such as `horizon 3`, replaces the line with the same name.
    pub fn with_line(&self, line: &str) -> CertificateText {
        let mut changed = self.clone();
        let name = line.split(' ').next().unwrap();
        let place = changed.lines.iter_mut().find(|line| line.split(' ').next() == Some(name)).unwrap();
        *place = line.into();
        changed
    }

    /// Returns a copy with other entries, and their number in the `entries` line.
    pub fn with_entries(&self, entries: Vec<(u64, u8)>) -> CertificateText {
        let line = format!("entries {}", entries.len());
        CertificateText { entries, ..self.with_line(&line) }
    }

    /// Returns the JSON at the end of the file.
    fn meta(&self) -> String {
        let mut meta = serde_json::Map::new();
        for line in &self.lines {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            match (name, value.parse::<i64>()) {
                ("rules" | "revision" | "entries", _) => {}
                ("horizon", Ok(number)) => drop(meta.insert(name.into(), number.into())),
                _ => drop(meta.insert(name.into(), value.into())),
            }
        }
        serde_json::Value::Object(meta).to_string()
    }

    /// Returns the file with correct checksums.
    pub fn file(&self) -> Vec<u8> {
        let value = |name: &str| self.lines.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let mut header = self.header.clone();
        header[88..128].fill(0);
        let code = value("rules").unwrap();
        header[88..88 + code.len()].copy_from_slice(code.as_bytes());
        header[12] = value("revision").unwrap().parse().unwrap();
        header[24..32].copy_from_slice(&value("entries").unwrap().parse::<u64>().unwrap().to_le_bytes());
        let mut parts = Parts {
            header: header.try_into().unwrap(),
            packed: Vec::new(),
            blocks: Vec::new(),
            form: [1, 1, 0, 0],
            model: Vec::new(),
            meta: self.meta().into_bytes(),
        };
        for entries in self.entries.chunks(self.block) {
            let (key, rows) = (entries[0].0, entries.len() as u32);
            parts.blocks.push(Block { key, offset: 0, length: 0, plain: 0, rows, begins: 1, hash: 0 });
            parts.replace(parts.blocks.len() - 1, &block_of(entries));
        }
        parts.header[32..40].copy_from_slice(&(parts.blocks.len() as u64).to_le_bytes());
        parts.file()
    }
}

/// Decodes the keys and bytes of a block of sorted keys. `first` is its first key and `count` its number of keys.
pub fn entries_of(first: u64, plain: &[u8], count: usize) -> Vec<(u64, u8)> {
    let (mut differences, bytes) = plain.split_at(plain.len() - count);
    let mut keys = vec![first];
    while !differences.is_empty() {
        keys.push(keys[keys.len() - 1] + read_number(&mut differences));
    }
    assert_eq!(keys.len(), count);
    keys.into_iter().zip(bytes.iter().copied()).collect()
}

/// Encodes the entries of a block.
fn block_of(entries: &[(u64, u8)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    entries.windows(2).for_each(|pair| push_number(&mut bytes, pair[1].0.wrapping_sub(pair[0].0)));
    bytes.extend(entries.iter().map(|&(_, byte)| byte));
    bytes
}
