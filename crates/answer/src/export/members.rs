//! Gzip in members that stand alone, so that a part can be read without what is before it: BGZF, as the SAM/BAM format
//! specification (section 4.1) has it. Every gzip program reads it; those of htslib find parts by themselves.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use rayon::prelude::*;

/// Bytes of each member but the last, once inflated. A multiple of 8, so that keys are not torn apart.
pub const MEMBER: usize = 65_280;

/// Bytes before and after what is deflated.
const HEADER: usize = 18;
const TRAILER: usize = 8;

/// The member without contents that ends a file.
pub const END: [u8; 28] =
    [0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// The members of some bytes, of which only those at the end of a file may be no whole members.
pub fn members(plain: &[u8]) -> Vec<Vec<u8>> {
    plain.par_chunks(MEMBER).map(member).collect()
}

/// A member of at most [`MEMBER`] bytes: a gzip header that tells the member's length, what is deflated, checksum and
/// length.
fn member(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(END[..HEADER].to_vec(), Compression::fast());
    encoder.write_all(plain).and_then(|()| encoder.try_finish()).expect("memory takes all that is written");
    let mut member = encoder.finish().expect("memory takes all that is written");
    let last = u16::try_from(member.len() + TRAILER - 1).expect("what cannot be deflated grows by some bytes");
    member[HEADER - 2..HEADER].copy_from_slice(&last.to_le_bytes());
    let mut crc = Crc::new();
    crc.update(plain);
    member.extend_from_slice(&crc.sum().to_le_bytes());
    member.extend_from_slice(&(plain.len() as u32).to_le_bytes());
    member
}

/// The index that htslib's programs read beside such a file: how many members come after the first, then for each where
/// it begins in the file and in what the file holds.
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

    /// Bytes that cannot be deflated, and some that can.
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
