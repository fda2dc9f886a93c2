//! The file of a checkpoint: header, compressed entries, digest.
//!
//! ```text
//! 0   8  magic, by the kind of search
//! 8   2  version of the format
//! 10  4  length of the header
//! 14     header, JSON
//!        one zstd frame: blocks of entries (see `blocks`)
//!     8  XXH3-64 of everything before
//! ```

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, Unaligned};
use zstd::zstd_safe::{CCtx, CParameter, DCtx, ErrorCode, get_error_name};

use super::blocks::{self, BLOCK, size_of_entry};
use super::header::Header;
use super::kind::Kind;
use yomikiri_table::disk::DiskFile;
use yomikiri_table::source::open_file;
use yomikiri_table::{Replaceable, TableError, io_text};

/// The start of a file: the fields before the header, which have a fixed size.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Front {
    magic: [u8; 8],
    version: U16,
    header_length: U32,
}

/// The size in bytes of [`Front`].
const FRONT: u64 = size_of::<Front>() as u64;
/// The size in bytes of the digest.
const DIGEST: u64 = 8;

/// The maximum length of a header in bytes.
const LONGEST_HEADER: u64 = 1 << 16;

/// The Zstandard level. Higher levels save no more, because the bytes that compress at all do so at any level.
const LEVEL: i32 = 1;

/// The maximum number of bytes that the compressor may hold back, not counting the block being written.
const HELD_BACK: u64 = 1 << 18;

/// The error code of the Zstandard C library for refused memory: minus `ZSTD_error_memory_allocation`.
const NO_MEMORY: ErrorCode = 64_usize.wrapping_neg();

/// The size of a file that was written.
pub struct Written {
    pub entries: u64,
    pub bytes: u64,
}

/// Writes a checkpoint of at most `most` bytes to an empty file. Leaves out the entries that do not fit.
pub fn write<K: Kind>(
    file: &mut DiskFile,
    header: &Header<K::Counts>,
    all: &mut dyn Iterator<Item = K::Entry>,
    most: u64,
) -> io::Result<Written> {
    let mut out = Hashed { to: BufWriter::new(file), hash: Xxh3::new(), length: 0 };
    front::<K>(&mut out, header)?;
    let mut context = CCtx::try_create().ok_or_else(no_memory)?;
    let level = context.set_parameter(CParameter::CompressionLevel(LEVEL));
    level.map_err(|code| io::Error::other(get_error_name(code)))?;
    let mut packer = zstd::Encoder::with_context(out, &mut context);
    let entries = fill::<K>(&mut packer, all, most).map_err(named)?;
    let mut out = packer.finish().map_err(named)?;
    let digest = out.hash.digest();
    out.to.write_all(&digest.to_le_bytes()).and_then(|()| out.to.flush())?;
    Ok(Written { entries, bytes: out.length + DIGEST })
}

fn front<K: Kind>(out: &mut impl Write, header: &Header<K::Counts>) -> io::Result<()> {
    let header = serde_json::to_vec(header)?;
    let front = Front { magic: K::MAGIC, version: K::VERSION.into(), header_length: (header.len() as u32).into() };
    out.write_all(front.as_bytes())?;
    out.write_all(&header)
}

/// Writes entries block by block while there is room. Returns the number of entries written.
fn fill<K: Kind>(
    packer: &mut zstd::Encoder<'_, Hashed<'_>>,
    all: &mut dyn Iterator<Item = K::Entry>,
    most: u64,
) -> io::Result<u64> {
    let mut count = 0;
    while packer.get_ref().length + HELD_BACK + (BLOCK * size_of_entry::<K>()) as u64 <= most {
        let block: Vec<K::Entry> = all.take(BLOCK).collect();
        if block.is_empty() {
            break;
        }
        count += block.len() as u64;
        blocks::write::<K>(packer, &block)?;
    }
    Ok(count)
}

/// A writer that counts and hashes the bytes it passes on.
struct Hashed<'a> {
    to: BufWriter<&'a mut DiskFile>,
    hash: Xxh3,
    length: u64,
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Returns the files that a checkpoint may replace: checkpoints of this kind, even if the magic bytes are cut off or
/// one of them is wrong. The error for any other file names no remedy, because the caller adds one.
pub fn replaceable<K: Kind>() -> Replaceable {
    let is_one = |path: &Path| {
        let mut first = Vec::new();
        let read = open_file(path).map(|file| file.take(K::MAGIC.len() as u64).read_to_end(&mut first));
        let wrong = K::MAGIC.iter().zip(&first).filter(|(own, byte)| own != byte).count();
        matches!(read, Ok(Ok(_))) && wrong <= usize::from(first.len() == K::MAGIC.len())
    };
    Replaceable::own(format!("a checkpoint of a {}", K::NAME), is_one).or("")
}

/// A checkpoint file whose digest is valid.
pub struct Reader<K: Kind> {
    path: PathBuf,
    file: BufReader<File>,
    pub header: Header<K::Counts>,
    /// The size of the whole file in bytes.
    pub length: u64,
    /// The size in bytes of the compressed entries, which begin at the current position of `file`.
    packed: u64,
}

impl<K: Kind> Reader<K> {
    /// Opens a file and checks its digest and header. Returns `None` if there is no file, and [`TableError::Foreign`]
    /// if it is not a checkpoint.
    pub fn open(path: &Path) -> Result<Option<Reader<K>>, TableError> {
        replaceable::<K>().check(path)?;
        let file = match open_file(path) {
            Err(TableError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let length = file.metadata().map_err(TableError::io(path))?.len();
        let mut file = BufReader::new(file);
        check_digest(path, &mut file, length)?;
        let header = header::<K>(path, &mut file, length)?;
        let packed = length - DIGEST - file.stream_position().map_err(TableError::io(path))?;
        Ok(Some(Reader { path: path.to_path_buf(), file, header, length, packed }))
    }

    /// Calls `take` with each entry and returns their number. If the system refuses memory, the error is a
    /// [`TableError::Io`] for which [`is_refused_memory`] returns true.
    pub fn entries(self, take: &mut dyn FnMut(K::Entry)) -> Result<u64, TableError> {
        let problem = |error: io::Error| match named(error) {
            error if error.kind() == ErrorKind::OutOfMemory => TableError::io(&self.path)(error),
            error => TableError::damaged(&self.path, io_text(&error)),
        };
        let mut context = DCtx::try_create().ok_or_else(|| problem(no_memory()))?;
        let packed = self.file.take(self.packed);
        let mut plain = BufReader::new(zstd::Decoder::with_context(packed, &mut context));
        let mut count = 0;
        while let Some(block) = blocks::read::<K>(&mut plain).map_err(problem)? {
            count += block.len() as u64;
            block.into_iter().for_each(&mut *take);
        }
        Ok(count)
    }
}

/// Returns true if the system refused the memory to read a file. Such an error says nothing about the file.
pub fn is_refused_memory(error: &TableError) -> bool {
    matches!(error, TableError::Io { source, .. } if source.kind() == ErrorKind::OutOfMemory)
}

fn no_memory() -> io::Error {
    io::Error::new(ErrorKind::OutOfMemory, "the system refused the memory to read the file")
}

/// Converts the error of the C library for refused memory, which is recognised by its text, to
/// [`ErrorKind::OutOfMemory`]. Returns any other error unchanged.
fn named(error: io::Error) -> io::Error {
    if error.to_string() == get_error_name(NO_MEMORY) { no_memory() } else { error }
}

/// Checks the digest of a file, then seeks to the beginning of the file.
fn check_digest(path: &Path, file: &mut BufReader<File>, length: u64) -> Result<(), TableError> {
    let fail = |error| TableError::io(path)(error);
    let damaged = |what: &str| Err(TableError::damaged(path, what));
    if length < FRONT + DIGEST {
        return damaged("is too short for a checkpoint");
    }
    let mut hash = Xxh3::new();
    let hashed = io::copy(&mut file.by_ref().take(length - DIGEST), &mut hash).map_err(fail)?;
    let mut digest = Vec::new();
    file.by_ref().take(DIGEST).read_to_end(&mut digest).map_err(fail)?;
    if hashed != length - DIGEST || digest != hash.digest().to_le_bytes() {
        return damaged("it does not match its checksum");
    }
    file.seek(SeekFrom::Start(0)).map(|_| ()).map_err(fail)
}

fn header<K: Kind>(path: &Path, file: &mut BufReader<File>, length: u64) -> Result<Header<K::Counts>, TableError> {
    let Front { magic, version, header_length } = Front::read_from_io(&mut *file).map_err(TableError::io(path))?;
    if magic != K::MAGIC {
        return Err(TableError::foreign(path, format!("is not a checkpoint of a {}", K::NAME)));
    }
    if version != K::VERSION {
        let reads = K::VERSION;
        let what = format!("format version {version} is not supported; this program reads version {reads}");
        return Err(TableError::foreign(path, what));
    }
    let size = u64::from(header_length.get());
    if size > LONGEST_HEADER || FRONT + size + DIGEST > length {
        return Err(TableError::damaged(path, "the header is longer than the file"));
    }
    let mut bytes = vec![0; size as usize];
    file.read_exact(&mut bytes).map_err(TableError::io(path))?;
    serde_json::from_slice(&bytes).map_err(|error| TableError::damaged(path, format!("header: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_memory_of_the_c_library_is_told_from_damage() {
        // The library makes errors from its codes in this way.
        let error = |code: ErrorCode| named(io::Error::other(get_error_name(code)));
        assert_eq!(error(NO_MEMORY).to_string(), "the system refused the memory to read the file");
        let path = Path::new("proof.checkpoint");
        assert!(is_refused_memory(&TableError::io(path)(error(NO_MEMORY))));
        for other in [20_usize.wrapping_neg(), 22_usize.wrapping_neg()] {
            assert!(!is_refused_memory(&TableError::io(path)(error(other))));
        }
        assert!(!is_refused_memory(&TableError::damaged(path, "it does not match its checksum")));
    }
}
