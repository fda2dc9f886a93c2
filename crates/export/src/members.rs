//! Gzip in independent members, so that a part of a file can be read without the bytes before that part. The format is
//! BGZF as in section 4.1 of the SAM/BAM format specification. Every gzip program reads it; programs of htslib can seek
//! in it.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use yomikiri_table::parallel;

/// The uncompressed length in bytes of every member but the last. A multiple of 8, so that no key spans two members.
pub const MEMBER: usize = 65_280;

/// The number of bytes of a member before its compressed data.
const HEADER: usize = 18;
/// The number of bytes of a member after its compressed data.
const TRAILER: usize = 8;

/// The empty member that ends a file.
pub const END: [u8; 28] =
    [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Compresses bytes into members of [`MEMBER`] uncompressed bytes each. Only the last call for a file may pass a length
/// that is not a multiple of [`MEMBER`].
pub fn members(plain: &[u8]) -> Vec<Vec<u8>> {
    parallel::map_parts(plain, MEMBER, member)
}

/// Compresses at most [`MEMBER`] bytes to a member. The member consists of a gzip header that has the member's length,
/// the compressed data, the checksum and the uncompressed length.
fn member(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(END[..HEADER].to_vec(), Compression::fast());
    encoder.write_all(plain).and_then(|()| encoder.try_finish()).expect("writing to memory does not fail");
    let mut member = encoder.finish().expect("writing to memory does not fail");
    let last = u16::try_from(member.len() + TRAILER - 1)
        .expect("deflate adds only a few bytes to data that it cannot compress");
    member[HEADER - 2..HEADER].copy_from_slice(&last.to_le_bytes());
    let mut crc = Crc::new();
    crc.update(plain);
    member.extend_from_slice(&crc.sum().to_le_bytes());
    member.extend_from_slice(&(plain.len() as u32).to_le_bytes());
    member
}

/// Returns the index of a file whose members have these compressed lengths, in the form that programs of htslib read.
/// The index begins with the number of members after the first. Then, for each of these members, it has the offset in
/// the file and the offset in the uncompressed data. All numbers are u64, little endian.
pub fn index(lengths: &[u64]) -> Vec<u8> {
    let after_first = lengths.len().saturating_sub(1);
    let mut bytes = (after_first as u64).to_le_bytes().to_vec();
    let mut offset = 0;
    for (&length, number) in lengths.iter().take(after_first).zip(1..) {
        offset += length;
        bytes.extend_from_slice(&u64::to_le_bytes(offset));
        bytes.extend_from_slice(&(number * MEMBER as u64).to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::{GzDecoder, MultiGzDecoder};

    use super::*;

    /// Returns bytes whose first half cannot be compressed.
    fn plain(length: usize) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(3);
        (0..length).map(|at| if at < length / 2 { random.u8(..) } else { 7 }).collect()
    }

    #[test]
    fn every_member_tells_its_length_and_stands_alone() {
        for length in [0, 1, MEMBER, 3 * MEMBER + 11] {
            let plain = plain(length);
            let members = members(&plain);
            assert_eq!(members.len(), length.div_ceil(MEMBER));
            let mut whole = Vec::new();
            for (member, part) in members.iter().zip(plain.chunks(MEMBER)) {
                assert_eq!(usize::from(u16::from_le_bytes([member[16], member[17]])) + 1, member.len());
                let mut read = Vec::new();
                GzDecoder::new(&member[..]).read_to_end(&mut read).unwrap();
                assert!(read == part);
                whole.extend_from_slice(member);
            }
            whole.extend_from_slice(&END);
            let mut read = Vec::new();
            MultiGzDecoder::new(&whole[..]).read_to_end(&mut read).unwrap();
            assert!(read == plain);
            let lengths: Vec<u64> = members.iter().map(|member| member.len() as u64).collect();
            let index = index(&lengths);
            assert_eq!(index.len(), 8 + 16 * members.len().saturating_sub(1));
            for (number, entry) in index[8..].chunks(16).enumerate() {
                let offset = u64::from_le_bytes(entry[..8].try_into().unwrap()) as usize;
                assert!(whole[offset..].starts_with(&members[number + 1]));
            }
        }
    }
}
