//! The file of a certificate, taken apart and put together by the words of docs/format.md alone.

use std::io::{Read, Write};

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use xxhash_rust::xxh3::xxh3_128;

/// What is unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plain {
    /// The lines of text.
    pub lines: Vec<String>,
    /// Keys with bytes of moves.
    pub entries: Vec<(u64, u8)>,
}

impl Plain {
    /// Takes a file apart that must be sound.
    pub fn of(file: &[u8]) -> Plain {
        assert_eq!(file[..16], [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 2, 255, 20, 0, b'Y', b'K', 16, 0]);
        assert_eq!(file[16..32], xxh3_128(&file[32..]).to_le_bytes());
        let mut bytes = Vec::new();
        DeflateDecoder::new(&file[32..]).read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(2).position(|two| two == b"\n\n").unwrap();
        let lines: Vec<String> = std::str::from_utf8(&bytes[..end]).unwrap().lines().map(str::to_string).collect();
        let count: usize = lines.last().unwrap().strip_prefix("entries ").unwrap().parse().unwrap();
        let (body, moves) = bytes[end + 2..].split_at(bytes.len() - end - 2 - count);
        let (mut entries, mut key, mut step, mut shift) = (Vec::new(), 0u64, 0u64, 0);
        for &byte in body {
            step |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                key += step;
                entries.push((key, moves[entries.len()]));
                (step, shift) = (0, 0);
            }
        }
        assert_eq!(entries.len(), count);
        Plain { lines, entries }
    }

    /// The same with another line, as `horizon 3`, for the one of that name.
    pub fn with_line(&self, line: &str) -> Plain {
        let mut changed = self.clone();
        let name = line.split(' ').next().unwrap();
        let place = changed.lines.iter_mut().find(|line| line.split(' ').next() == Some(name)).unwrap();
        *place = line.into();
        changed
    }

    /// The same with other entries, and their number in the text.
    pub fn with_entries(&self, entries: Vec<(u64, u8)>) -> Plain {
        let line = format!("entries {}", entries.len());
        Plain { entries, ..self.with_line(&line) }
    }

    /// What is packed.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = (self.lines.join("\n") + "\n\n").into_bytes();
        let mut before = 0u64;
        for &(key, _) in &self.entries {
            let mut step = key.wrapping_sub(before);
            while step > 127 {
                bytes.push(step as u8 | 128);
                step >>= 7;
            }
            bytes.push(step as u8);
            before = key;
        }
        bytes.extend(self.entries.iter().map(|&(_, byte)| byte));
        bytes
    }

    /// The file, with checksums that are right.
    pub fn file(&self) -> Vec<u8> {
        packed(&self.bytes())
    }
}

/// A file with checksums that are right, whatever it holds.
pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::fast());
    deflate.write_all(bytes).unwrap();
    let mut rest = deflate.finish().unwrap();
    let mut crc = Crc::new();
    crc.update(bytes);
    rest.extend(crc.sum().to_le_bytes());
    rest.extend((bytes.len() as u32).to_le_bytes());
    sealed(&rest)
}

/// What follows the checksum, with the checksum.
pub fn sealed(rest: &[u8]) -> Vec<u8> {
    let mut file = vec![0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 2, 255, 20, 0, b'Y', b'K', 16, 0];
    file.extend(xxh3_128(rest).to_le_bytes());
    file.extend(rest);
    file
}
