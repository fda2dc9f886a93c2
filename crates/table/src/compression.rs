//! Compresses and inflates blocks, which are Zstandard frames. The feature `zstd-c` selects the C library. Without it,
//! the feature `zstd-rust` has a decoder written in Rust inflate them.

use xxhash_rust::xxh3::xxh3_64;

use super::format::BlockPlace;

/// Checks and inflates a block. The error says what is wrong with it.
#[cfg(feature = "write")]
pub(super) fn unpack(packed: &[u8], block: BlockPlace) -> Result<Vec<u8>, String> {
    check(packed, block)?;
    plain(packed, block).ok_or_else(|| not_plain(block))
}

/// Inflates a block whose checksum has been checked. Returns `None` if the block does not inflate to the length in the
/// index.
pub(super) fn plain(packed: &[u8], block: BlockPlace) -> Option<Vec<u8>> {
    inflate(packed, block.plain as usize).filter(|plain| plain.len() == block.plain as usize)
}

/// Verifies the checksum of a block.
pub(super) fn check(packed: &[u8], block: BlockPlace) -> Result<(), String> {
    if xxh3_64(packed) == block.hash {
        return Ok(());
    }
    Err(format!("the block at byte {} does not match its checksum", block.offset))
}

/// Returns the error message for a block that does not inflate to the length in the index.
pub(super) fn not_plain(block: BlockPlace) -> String {
    format!("the block at byte {} does not inflate to {} bytes", block.offset, block.plain)
}

#[cfg(feature = "zstd-c")]
pub(super) use in_c::inflate;
#[cfg(all(feature = "zstd-c", feature = "write"))]
pub(super) use in_c::pack;
#[cfg(not(feature = "zstd-c"))]
pub(super) use in_rust::inflate;

#[cfg(not(any(feature = "zstd-c", feature = "zstd-rust")))]
compile_error!("a decoder of blocks is needed: the feature `zstd-c`, or `zstd-rust` where there is no C compiler");

#[cfg(feature = "zstd-c")]
mod in_c {
    use std::cell::RefCell;

    #[cfg(feature = "write")]
    use zstd::zstd_safe::{CCtx, CParameter, compress_bound};
    use zstd::zstd_safe::{DCtx, ErrorCode};

    use crate::refused_memory;

    /// `-ZSTD_error_memory_allocation`: the C library got no memory.
    const NO_MEMORY: ErrorCode = 64_usize.wrapping_neg();

    /// Inflates a frame of at most `room` plain bytes; `None` if it is malformed or longer. Ends the process if the
    /// system refuses memory, so that the refusal is not mistaken for damage.
    pub fn inflate(packed: &[u8], room: usize) -> Option<Vec<u8>> {
        thread_local! {
            static CONTEXT: RefCell<DCtx<'static>> =
                RefCell::new(DCtx::try_create().unwrap_or_else(|| refused_memory::end::<DCtx>()));
        }
        let mut plain = Vec::with_capacity(room);
        match CONTEXT.with_borrow_mut(|context| context.decompress(&mut plain, packed)) {
            Ok(_) => Some(plain),
            Err(NO_MEMORY) => refused_memory::end::<DCtx>(),
            Err(_) => None,
        }
    }

    /// Compresses bytes into one frame.
    #[cfg(feature = "write")]
    pub fn pack(plain: &[u8], level: i32) -> Vec<u8> {
        thread_local! {
            static CONTEXT: RefCell<CCtx<'static>> =
                RefCell::new(CCtx::try_create().unwrap_or_else(|| refused_memory::end::<CCtx>()));
        }
        let mut packed = Vec::with_capacity(compress_bound(plain.len()));
        let done = CONTEXT.with_borrow_mut(|context| {
            context.set_parameter(CParameter::CompressionLevel(level))?;
            context.compress2(&mut packed, plain)
        });
        match done {
            Ok(_) => packed,
            Err(NO_MEMORY) => refused_memory::end::<CCtx>(),
            Err(code) => unreachable!(
                "zstd failed although the buffer has room for any frame: {}",
                zstd::zstd_safe::get_error_name(code)
            ),
        }
    }
}

#[cfg(any(all(feature = "zstd-rust", not(feature = "zstd-c")), test))]
mod in_rust {
    use std::cell::RefCell;
    use std::io::Read;

    use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

    /// Inflates a frame of at most `room` plain bytes; `None` if it is malformed or longer.
    pub fn inflate(mut packed: &[u8], room: usize) -> Option<Vec<u8>> {
        thread_local! {
            static DECODER: RefCell<FrameDecoder> = RefCell::new(FrameDecoder::new());
        }
        DECODER.with_borrow_mut(|decoder| {
            let mut plain = Vec::new();
            let frame = StreamingDecoder::new_with_decoder(&mut packed, decoder).ok()?;
            frame.take(room as u64 + 1).read_to_end(&mut plain).ok()?;
            (plain.len() <= room && packed.is_empty()).then_some(plain)
        })
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;

    #[test]
    fn both_decoders_give_what_was_packed_and_refuse_damage() {
        let mut random = 1u64;
        let mut draw = |below: u64| {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (random >> 33) % below
        };
        for length in [0, 1, 7, 300, 4_096, 70_000] {
            for letters in [1, 3, 256] {
                let plain: Vec<u8> = (0..length).map(|_| draw(letters) as u8).collect();
                for level in [1, 3, 9, 19] {
                    let packed = pack(&plain, level);
                    for inflate in [in_c::inflate, in_rust::inflate] {
                        assert_eq!(inflate(&packed, plain.len()).as_ref(), Some(&plain));
                        assert_eq!(inflate(&packed[..packed.len() - 1], plain.len()), None);
                        assert_eq!(inflate(&[&packed[..], &[0]].concat(), plain.len()), None);
                        assert!(plain.is_empty() || inflate(&packed, plain.len() - 1).is_none());
                    }
                    // Checksums find damaged blocks before they are decoded. Even if one gets past them, the decoders
                    // must not panic.
                    let mut damaged = packed.clone();
                    damaged[draw(packed.len() as u64) as usize] ^= 1 << draw(8);
                    for inflate in [in_c::inflate, in_rust::inflate] {
                        let found = inflate(&damaged, plain.len());
                        assert!(found.is_none_or(|found| found.len() <= plain.len()));
                    }
                }
            }
        }
    }
}
