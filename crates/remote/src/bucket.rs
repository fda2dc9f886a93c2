//! Buckets: object stores for reading and writing files.

use std::borrow::Cow;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::client::Client;
use super::patience::Patience;
use yomikiri_table::address::Bucket;
use yomikiri_table::source::ReadAt;
use yomikiri_table::{ReadError, Result, TableError};

/// Maximum length in bytes of a file that is read whole. A run on many machines splits its files into parts that fit in
/// memory.
const LONGEST_FILE: u64 = 64 << 30;

/// A bucket, or a folder in one.
pub struct RemoteBucket {
    address: PathBuf,
    client: Client,
}

/// A file in a bucket.
struct BucketFile<'a> {
    client: &'a Client,
    name: String,
    length: u64,
}

impl RemoteBucket {
    /// Opens an address for reading and writing. Nothing is requested yet.
    pub fn open(address: &str, patience: &Patience) -> Result<RemoteBucket> {
        let address = address.trim_end_matches('/');
        let path = Path::new(address);
        if address.starts_with("http") {
            let what = "files cannot be written there: give a folder or a bucket (s3://, gs://, az://)";
            return Err(TableError::foreign(path, what));
        }
        let client = Client::new(address, patience).map_err(|what| TableError::foreign(path, what))?;
        Ok(RemoteBucket { address: path.into(), client })
    }
}

impl Bucket for RemoteBucket {
    fn address(&self) -> &Path {
        &self.address
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        self.client.put(name, bytes, false).map_err(TableError::io(&self.address.join(name)))
    }

    fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool> {
        match self.client.put(name, bytes, true) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            done => done.map(|()| true).map_err(TableError::io(&self.address.join(name))),
        }
    }

    fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self.client.whole(name, LONGEST_FILE) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            bytes => bytes.map(Some).map_err(TableError::io(&self.address.join(name))),
        }
    }

    fn open(&self, name: &str) -> Result<Option<Box<dyn ReadAt + '_>>> {
        match self.client.length(name) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TableError::io(&self.address.join(name))(error)),
            Ok(length) => Ok(Some(Box::new(BucketFile { client: &self.client, name: name.into(), length }))),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<(String, u64)>> {
        let mut found = self.client.list(folder).map_err(TableError::io(&self.address.join(folder)))?;
        found.sort();
        Ok(found)
    }

    fn delete(&self, name: &str) -> Result<()> {
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
