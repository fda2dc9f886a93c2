//! Buckets: object stores for reading and writing files.

use std::borrow::Cow;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::client::Client;
use super::patience::Patience;
use crate::source::ReadAt;
use crate::{ReadError, Result, TableError};

/// Maximum length in bytes of a file that is read whole. Runs split their files into parts that fit in memory.
const LONGEST_FILE: u64 = 64 << 30;

/// A bucket, or a folder in one.
pub struct Bucket {
    address: PathBuf,
    client: Client,
}

/// A file in a bucket.
pub struct BucketFile<'a> {
    client: &'a Client,
    name: String,
    length: u64,
}

impl Bucket {
    pub fn open(address: &str, patience: &Patience) -> Result<Bucket> {
        let address = address.trim_end_matches('/');
        let path = Path::new(address);
        if address.starts_with("http") {
            let what = "files cannot be written there: give a folder or a bucket (s3://, gs://, az://)";
            return Err(TableError::foreign(path, what));
        }
        let client = Client::new(address, patience).map_err(|what| TableError::foreign(path, what))?;
        Ok(Bucket { address: path.into(), client })
    }

    /// The address without a trailing slash.
    pub fn address(&self) -> &Path {
        &self.address
    }

    /// Writes a file and replaces any file of the same name.
    pub fn put(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        self.client.put(name, bytes, false).map_err(TableError::io(&self.address.join(name)))
    }

    /// Writes a file unless the name is taken. Returns true if it was written.
    pub fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool> {
        match self.client.put(name, bytes, true) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            done => done.map(|()| true).map_err(TableError::io(&self.address.join(name))),
        }
    }

    /// The bytes of a file; `None` if it does not exist.
    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self.client.whole(name, LONGEST_FILE) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            bytes => bytes.map(Some).map_err(TableError::io(&self.address.join(name))),
        }
    }

    /// Opens a file for reading; `None` if it does not exist.
    pub fn open_file(&self, name: &str) -> Result<Option<BucketFile<'_>>> {
        match self.client.length(name) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TableError::io(&self.address.join(name))(error)),
            Ok(length) => Ok(Some(BucketFile { client: &self.client, name: name.into(), length })),
        }
    }

    /// The names and lengths in bytes of the files directly in a folder, sorted by name. Each name begins with
    /// `folder`.
    pub fn list(&self, folder: &str) -> Result<Vec<(String, u64)>> {
        let mut found = self.client.list(folder).map_err(TableError::io(&self.address.join(folder)))?;
        found.sort();
        Ok(found)
    }

    /// Deletes a file if it exists.
    pub fn delete(&self, name: &str) -> Result<()> {
        self.client.delete(name).map_err(TableError::io(&self.address.join(name)))
    }
}

impl ReadAt for BucketFile<'_> {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, ReadError> {
        if range.is_empty() {
            return Ok(Vec::new().into());
        }
        let check = |piece: super::client::Piece| match piece.length == self.length {
            true => Ok(()),
            false => Err(io::Error::other("changed while it was being read")),
        };
        let bytes = self.client.ranges(&self.name, &[range], check)?;
        Ok(bytes.concat().into())
    }
}
