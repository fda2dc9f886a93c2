//! Where tables lie: a folder, or an address whose files are read by ranges.

use std::path::{Path, PathBuf};

use crate::checked;
use crate::manifest::{Manifest, hash_text};
use crate::pieces;
#[cfg(feature = "remote")]
use crate::remote::{Patience, Remote, RemoteFile, Responder};
use crate::source::ReadAt;
use crate::{Result, TableError};

/// A folder of tables, or an address. Files in it are named by their whole paths, whichever it is: `path()` with a name
/// behind it. Clones share what was read.
#[derive(Clone)]
pub struct Location(Place);

#[derive(Clone)]
enum Place {
    Folder(PathBuf),
    #[cfg(feature = "remote")]
    Remote(std::sync::Arc<Remote>),
}

impl Location {
    /// A folder, which need not be there yet, or an address (`https://host/folder`, `s3://bucket/folder`), whose list of
    /// files is fetched at once. Not to be called inside an asynchronous task, nor is anything that reads from it.
    pub fn find(text: impl Into<PathBuf>) -> Result<Location> {
        let path = text.into();
        match address(&path) {
            None => Ok(folder(path)?.into()),
            #[cfg(feature = "remote")]
            Some(address) => Location::at(address, &Patience::default()),
            #[cfg(not(feature = "remote"))]
            Some(_) => Err(TableError::foreign(&path, "this program was built without addresses (feature remote)")),
        }
    }

    /// As [`Location::find`] for an address, waiting no longer than `patience` says.
    #[cfg(feature = "remote")]
    pub fn at(address: &str, patience: &Patience) -> Result<Location> {
        Ok(Location(Place::Remote(Remote::open(address, patience)?.into())))
    }

    /// As [`Location::at`], asking a server in memory instead of the network.
    #[cfg(feature = "remote")]
    pub fn asking(address: &str, patience: &Patience, responder: std::sync::Arc<dyn Responder>) -> Result<Location> {
        Ok(Location(Place::Remote(Remote::asking(address, patience, Some(responder))?.into())))
    }

    /// The folder, or the address without a slash at its end.
    pub fn path(&self) -> &Path {
        match &self.0 {
            Place::Folder(folder) => folder,
            #[cfg(feature = "remote")]
            Place::Remote(remote) => remote.address(),
        }
    }

    /// The list of files of an address; `None` for a folder.
    pub fn manifest(&self) -> Option<&Manifest> {
        match &self.0 {
            Place::Folder(_) => None,
            #[cfg(feature = "remote")]
            Place::Remote(remote) => Some(remote.manifest()),
        }
    }

    /// Whether there is such a file.
    pub fn has(&self, path: &Path) -> bool {
        match self.manifest() {
            None => pieces::is_there(path),
            Some(manifest) => {
                self.name_of(path).is_some_and(|name| manifest.files.iter().any(|file| file.file == name))
            }
        }
    }

    /// The bytes of a file.
    pub fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>> {
        match &self.0 {
            Place::Folder(_) => pieces::open(path),
            #[cfg(feature = "remote")]
            Place::Remote(remote) => match self.name_of(path) {
                Some(name) => RemoteFile::open(remote, name),
                None => Err(TableError::io(path)(std::io::ErrorKind::NotFound.into())),
            },
        }
    }

    /// Whether a certificate of this header hash has passed a check there.
    pub fn is_checked(&self, path: &Path, hash: u64) -> bool {
        match self.manifest() {
            None => checked::is_checked(path, hash),
            Some(manifest) => {
                let hash = hash_text(hash);
                manifest.files.iter().any(|file| file.header_hash == hash && file.checked)
            }
        }
    }

    /// The files, not those in folders below, whose names begin and end so, by name. A table in pieces goes by its own
    /// name.
    pub fn named(&self, prefix: &str, suffix: &str) -> Vec<PathBuf> {
        let fits = |name: &str| name.starts_with(prefix) && name.ends_with(suffix) && !name.contains('/');
        let mut paths: Vec<PathBuf> = match self.manifest() {
            None => {
                let Ok(files) = std::fs::read_dir(self.path()) else { return Vec::new() };
                let paths = files.filter_map(|file| Some(file.ok()?.path()));
                let paths = paths.map(|path| pieces::whole_of_first(&path).unwrap_or(path));
                paths.filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(fits)).collect()
            }
            Some(manifest) => {
                let names = manifest.files.iter().map(|file| &file.file);
                names.filter(|name| fits(name)).map(|name| self.path().join(name)).collect()
            }
        };
        paths.sort();
        paths.dedup();
        paths
    }

    /// The name of a file at an address.
    fn name_of<'a>(&self, path: &'a Path) -> Option<&'a str> {
        path.strip_prefix(self.path()).ok()?.to_str()
    }
}

/// What is written is written into folders.
pub fn folder_of(path: PathBuf) -> Result<PathBuf> {
    match address(&path) {
        None => folder(path),
        Some(_) => Err(TableError::foreign(&path, "is an address: files there can be read, not written")),
    }
}

/// Returns the path of a folder that is there or can be made.
///
/// # Errors
/// If something else is there, or on the way.
fn folder(path: PathBuf) -> Result<PathBuf> {
    match std::fs::metadata(&path) {
        Ok(found) if !found.is_dir() => Err(TableError::foreign(&path, "is not a folder")),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Err(TableError::io(&path)(error)),
        _ => Ok(path),
    }
}

/// The text of an address, if it is one: a scheme, `://` and more.
pub(crate) fn address(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = !scheme.is_empty() && scheme.bytes().all(|letter| letter.is_ascii_alphanumeric());
    is_scheme.then_some(text)
}

impl From<PathBuf> for Location {
    /// A folder of this name, even if it looks like an address.
    fn from(folder: PathBuf) -> Location {
        Location(Place::Folder(folder))
    }
}

impl From<&Path> for Location {
    fn from(folder: &Path) -> Location {
        folder.to_path_buf().into()
    }
}

impl From<&PathBuf> for Location {
    fn from(folder: &PathBuf) -> Location {
        folder.clone().into()
    }
}

impl From<&Location> for Location {
    fn from(location: &Location) -> Location {
        location.clone()
    }
}
