//! An address with its manifest.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::client::Client;
use super::patience::Patience;
use super::pieces::{self, Pieces};
use super::responder::Responder;
use yomikiri_table::manifest::{self, Manifest};
use yomikiri_table::{Result, TableError};

/// Maximum length of a manifest in bytes.
const LONGEST_MANIFEST: u64 = 16 << 20;

/// The files at an address, as listed in its manifest.
pub struct RemoteSite {
    pub(super) address: PathBuf,
    pub(super) client: Client,
    pub(super) manifest: Manifest,
    /// The cache for all files at the address.
    pub(super) kept: Pieces,
}

impl RemoteSite {
    /// Fetches the manifest of an address.
    pub fn open(address: &str, patience: &Patience) -> Result<RemoteSite> {
        RemoteSite::asking(address, patience, None)
    }

    /// Like [`RemoteSite::open`], but sends requests to the in-memory server `responder` instead of the network. `None`
    /// means the network.
    pub fn asking(address: &str, patience: &Patience, responder: Option<Arc<dyn Responder>>) -> Result<RemoteSite> {
        let address = address.trim_end_matches('/');
        let path = Path::new(address);
        let client = Client::asking(address, patience, responder).map_err(|what| TableError::foreign(path, what))?;
        let list = path.join(manifest::NAME);
        let bytes = client.whole(manifest::NAME, LONGEST_MANIFEST).map_err(|error| match error.kind() {
            ErrorKind::NotFound => TableError::foreign(
                &list,
                "not found; run `yomikiri tables manifest` on the folder before publishing it",
            ),
            _ => TableError::io(&list)(error),
        })?;
        let manifest = Manifest::from_json(&bytes).map_err(|what| TableError::foreign(&list, what))?;
        Ok(RemoteSite { address: path.into(), client, manifest, kept: pieces::none() })
    }
}
