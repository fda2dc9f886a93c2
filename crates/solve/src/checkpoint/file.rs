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
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, Unaligned};

use super::blocks::{self, BLOCK, size_of_entry};
use super::header::Header;
use super::kind::Kind;
use yomikiri_table::disk::DiskFile;
use yomikiri_table::source::open_file;
use yomikiri_table::{Replace, TableError};

/// What stands before the header.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Front {
    magic: [u8; 8],
    version: U16,
    header_length: U32,
}

/// Bytes before the header, and of the digest.
const FRONT: u64 = size_of::<Front>() as u64;
const DIGEST: u64 = 8;

/// Longer than any header.
const LONGEST_HEADER: u64 = 1 << 16;

/// Zstandard level: what can be compressed is on any level.
const LEVEL: i32 = 1;

/// What the compressor may hold back, beside a block that is on its way to it.
const HELD_BACK: u64 = 1 << 18;

/// What has become of a file.
pub struct Written {
    pub entries: u64,
    pub bytes: u64,
}

/// Writes an empty file, with at most `most` bytes: entries beyond are left out.
pub fn write<K: Kind>(
    file: &mut DiskFile,
    header: &Header<K::Details>,
    all: impl Iterator<Item = K::Entry>,
    most: u64,
) -> io::Result<Written> {
    let mut out = Hashed { to: BufWriter::new(file), hash: Xxh3::new(), length: 0 };
    front::<K>(&mut out, header)?;
    let mut packer = zstd::Encoder::new(out, LEVEL)?;
    let entries = fill::<K>(&mut packer, all, most)?;
    let mut out = packer.finish()?;
    let digest = out.hash.digest();
    out.to.write_all(&digest.to_le_bytes()).and_then(|()| out.to.flush())?;
    Ok(Written { entries, bytes: out.length + DIGEST })
}

fn front<K: Kind>(out: &mut impl Write, header: &Header<K::Details>) -> io::Result<()> {
    let header = serde_json::to_vec(header)?;
    let front = Front { magic: K::MAGIC, version: K::VERSION.into(), header_length: (header.len() as u32).into() };
    out.write_all(front.as_bytes())?;
    out.write_all(&header)
}

/// Writes entries block by block while there is room; returns how many.
fn fill<K: Kind>(
    packer: &mut zstd::Encoder<'_, Hashed<'_>>,
    mut all: impl Iterator<Item = K::Entry>,
    most: u64,
) -> io::Result<u64> {
    let mut count = 0;
    while packer.get_ref().length + HELD_BACK + (BLOCK * size_of_entry::<K>()) as u64 <= most {
        let block: Vec<K::Entry> = all.by_ref().take(BLOCK).collect();
        if block.is_empty() {
            break;
        }
        count += block.len() as u64;
        blocks::write::<K>(packer, &block)?;
    }
    Ok(count)
}

/// Counts and hashes what it passes on.
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

/// Checkpoints of searches of a kind, which newer ones replace: also such as were cut off in their magic, or have one
/// wrong byte there. Whoever shows the error says what to do.
pub fn own<K: Kind>() -> Replace {
    let is_one = |path: &Path| {
        let mut first = Vec::new();
        let read = open_file(path).map(|file| file.take(K::MAGIC.len() as u64).read_to_end(&mut first));
        let wrong = K::MAGIC.iter().zip(&first).filter(|(own, byte)| own != byte).count();
        matches!(read, Ok(Ok(_))) && wrong <= usize::from(first.len() == K::MAGIC.len())
    };
    Replace::own(format!("a checkpoint of a {}", K::NAME), is_one).or("")
}

/// A file whose digest is right.
pub struct Reader<K: Kind> {
    path: PathBuf,
    file: BufReader<File>,
    pub header: Header<K::Details>,
    /// Bytes of the whole file.
    pub length: u64,
    /// Bytes of compressed entries, which come next.
    packed: u64,
}

impl<K: Kind> Reader<K> {
    /// Opens a file and checks all of it; `None` if there is none. What is no checkpoint at all is a
    /// [`TableError::Foreign`].
    pub fn open(path: &Path) -> Result<Option<Reader<K>>, TableError> {
        own::<K>().check(path)?;
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

    /// Hands over all entries; returns how many.
    pub fn entries(self, mut take: impl FnMut(K::Entry)) -> Result<u64, TableError> {
        let damaged = |error: io::Error| TableError::damaged(&self.path, error.to_string());
        let packed = self.file.take(self.packed);
        let mut plain = BufReader::new(zstd::Decoder::with_buffer(packed).map_err(damaged)?);
        let mut count = 0;
        while let Some(block) = blocks::read::<K>(&mut plain).map_err(damaged)? {
            count += block.len() as u64;
            block.into_iter().for_each(&mut take);
        }
        Ok(count)
    }
}

/// Reads a file through, and goes back to its beginning.
fn check_digest(path: &Path, file: &mut BufReader<File>, length: u64) -> Result<(), TableError> {
    let fail = |error| TableError::io(path)(error);
    let damaged = |what: &str| Err(TableError::damaged(path, what));
    if length < FRONT + DIGEST {
        return damaged("shorter than any checkpoint");
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

fn header<K: Kind>(path: &Path, file: &mut BufReader<File>, length: u64) -> Result<Header<K::Details>, TableError> {
    let Front { magic, version, header_length } = Front::read_from_io(&mut *file).map_err(TableError::io(path))?;
    if magic != K::MAGIC {
        return Err(TableError::foreign(path, format!("is no checkpoint of a {}", K::NAME)));
    }
    if version != K::VERSION {
        let reads = K::VERSION;
        let what = format!("checkpoint of format version {version}, this program reads version {reads}");
        return Err(TableError::foreign(path, what));
    }
    let size = u64::from(header_length.get());
    if size > LONGEST_HEADER || FRONT + size + DIGEST > length {
        return Err(TableError::damaged(path, "the header is longer than the file"));
    }
    let mut bytes = vec![0; size as usize];
    file.read_exact(&mut bytes).map_err(TableError::io(path))?;
    serde_json::from_slice(&bytes).map_err(|error| TableError::damaged(path, format!("the header: {error}")))
}
