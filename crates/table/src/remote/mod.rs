//! Tables at an address: HTTP servers and object stores, read by ranges.
//!
//! `client` asks the server, `file` is a file there with what was read of it.

mod client;
mod file;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::client::Client;
pub use self::client::Patience;
pub use self::file::RemoteFile;
use crate::manifest::{self, Manifest};
use crate::{Result, TableError};

/// Longest list of files that is read in bytes.
const LONGEST_MANIFEST: u64 = 16 << 20;

/// The files at an address, as its manifest lists them.
pub struct Remote {
    address: PathBuf,
    client: Client,
    manifest: Manifest,
    /// What was read of all files.
    kept: file::Kept,
}

impl Remote {
    /// Fetches the list of files.
    pub fn open(address: &str, patience: &Patience) -> Result<Remote> {
        let address = address.trim_end_matches('/');
        let path = Path::new(address);
        let client = Client::new(address, patience).map_err(|what| TableError::foreign(path, what))?;
        let list = path.join(manifest::NAME);
        let bytes = client.whole(manifest::NAME, LONGEST_MANIFEST).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => TableError::foreign(
                &list,
                "not there; `yomikiri tables manifest` writes it into a folder before that is published",
            ),
            _ => TableError::io(&list)(error),
        })?;
        let manifest = Manifest::from_json(&bytes).map_err(|what| TableError::foreign(&list, what))?;
        Ok(Remote { address: path.into(), client, manifest, kept: file::kept() })
    }

    /// The address without a slash at its end.
    pub fn address(&self) -> &Path {
        &self.address
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// A file of the list, by its name. It is another one, and refused, if it does not begin with the header that the
    /// list tells of.
    pub fn file(remote: &Arc<Remote>, name: &str) -> Result<RemoteFile> {
        let path = remote.address.join(name);
        let number = remote.manifest.files.iter().position(|file| file.file == name);
        let number = number.ok_or_else(|| TableError::foreign(&path, "not there: the manifest does not list it"))?;
        RemoteFile::open(Arc::clone(remote), number).map_err(TableError::io(&path))
    }
}
