//! Addresses: texts with a scheme, such as `https://host/folder` or `s3://bucket/folder`. This crate has no network
//! code: a program supplies the functions that open addresses ([`set_network`]). The crate `yomikiri-remote` implements
//! them.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::manifest::Manifest;
use super::source::ReadAt;
use super::{Result, TableError};

pub(crate) use super::address_text::by_slashes;
pub use super::address_text::{of, shown, without_users};

/// An address with published files. Its manifest lists these files.
pub trait Site: Send + Sync {
    /// The address, such as `https://host/folder`, without a trailing slash.
    fn address(&self) -> &Path;

    /// Returns the manifest, which lists the files at the address.
    fn manifest(&self) -> &Manifest;

    /// Opens a file by its name in the manifest.
    ///
    /// # Errors
    ///
    /// Returns an error if the manifest does not list the file, or if the file's header does not match its entry in the
    /// manifest.
    fn open(self: Arc<Self>, name: &str) -> Result<Box<dyn ReadAt>>;
}

/// An object store, or a folder in one, for reading and writing files. `/` separates the parts of a file's name.
pub trait Bucket: Send + Sync {
    /// The address, such as `s3://bucket/folder`, without a trailing slash.
    fn address(&self) -> &Path;

    /// Writes a file and replaces any file of the same name.
    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<()>;

    /// Writes a file, unless one of this name exists. Returns true if the file was written.
    fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool>;

    /// Returns the bytes of a file, or `None` if it does not exist.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>>;

    /// Opens a file for reading. Returns `None` if it does not exist.
    fn open(&self, name: &str) -> Result<Option<Box<dyn ReadAt + '_>>>;

    /// Returns the names and lengths in bytes of the files in a folder, sorted by name. Each name is `folder/NAME`.
    /// Files in subfolders are left out.
    fn list(&self, folder: &str) -> Result<Vec<(String, u64)>>;

    /// Deletes a file if it exists.
    fn delete(&self, name: &str) -> Result<()>;
}

/// The functions that open addresses. Each takes the address as text, with its scheme.
pub struct Network {
    /// Fetches the manifest of an address. Returns a [`Site`] with the files that the manifest lists.
    pub site: fn(&str) -> Result<Arc<dyn Site>>,
    /// Opens a bucket for reading and writing.
    pub bucket: fn(&str) -> Result<Box<dyn Bucket>>,
}

static NETWORK: OnceLock<Network> = OnceLock::new();

/// Sets the functions that open network addresses in this process. Only the first call has an effect.
pub fn set_network(network: Network) {
    let _ = NETWORK.set(network);
}

/// Returns the functions that open addresses.
///
/// # Errors
///
/// Returns an error that names the address `path` if no functions have been set.
pub(crate) fn network(path: &Path) -> Result<&'static Network> {
    NETWORK.get().ok_or_else(|| {
        TableError::foreign(
            path,
            "this program was built without addresses (feature remote); `make build` in the source folder builds the \
             whole program",
        )
    })
}
