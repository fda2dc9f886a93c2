//! An address with its list of files.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::client::Client;
use super::patience::Patience;
use super::pieces::{self, Pieces};
use super::responder::Responder;
use crate::manifest::{self, Manifest};
use crate::{Result, TableError};

/// Longest list of files that is read in bytes.
const LONGEST_MANIFEST: u64 = 16 << 20;

/// The files at an address, as its manifest lists them.
pub struct Remote {
    address: PathBuf,
    pub(super) client: Client,
    manifest: Manifest,
    /// What was read of all files.
    pub(super) kept: Pieces,
}

impl Remote {
    /// Fetches the list of files.
    pub fn open(address: &str, patience: &Patience) -> Result<Remote> {
        Remote::asking(address, patience, None)
    }

    /// As [`Remote::open`], asking a server in memory if there is one.
    pub fn asking(address: &str, patience: &Patience, responder: Option<Arc<dyn Responder>>) -> Result<Remote> {
        let address = address.trim_end_matches('/');
        let path = Path::new(address);
        let client = Client::asking(address, patience, responder).map_err(|what| TableError::foreign(path, what))?;
        let list = path.join(manifest::NAME);
        let bytes = client.whole(manifest::NAME, LONGEST_MANIFEST).map_err(|error| match error.kind() {
            ErrorKind::NotFound => TableError::foreign(
                &list,
                "not there; `yomikiri tables manifest` writes it into a folder before that is published",
            ),
            _ => TableError::io(&list)(error),
        })?;
        let manifest = Manifest::from_json(&bytes).map_err(|what| TableError::foreign(&list, what))?;
        Ok(Remote { address: path.into(), client, manifest, kept: pieces::none() })
    }

    /// The address without a slash at its end.
    pub fn address(&self) -> &Path {
        &self.address
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }
}
