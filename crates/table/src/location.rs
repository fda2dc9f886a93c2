//! Locations of tables: a folder, or an address whose files are read by ranges.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::address::{self, Site};
use crate::checked;
use crate::manifest::{Manifest, hash_text};
use crate::pieces;
use crate::source::ReadAt;
use crate::{Result, TableError};

/// A folder of tables or an address. In both cases, the methods take full paths of files: [`Location::path`] joined
/// with a name. Clones share a cache of the bytes that were read.
#[derive(Clone)]
pub struct Location(LocationKind);

#[derive(Clone)]
enum LocationKind {
    Folder(PathBuf),
    Remote(Arc<dyn Site>),
}

impl Location {
    /// Finds the folder or the address (`https://host/folder`, `s3://bucket/folder`) that `text` names. A folder need
    /// not exist yet. The manifest of an address is fetched. This function and all reads from an address block, so they
    /// must not be called in an asynchronous task.
    pub fn find(text: impl Into<PathBuf>) -> Result<Location> {
        let path = text.into();
        match address::of(&path) {
            None => Ok(folder(path)?.into()),
            Some(address) => Ok((address::network(&path)?.site)(address)?.into()),
        }
    }

    /// The folder, or the address without a trailing slash.
    pub fn path(&self) -> &Path {
        match &self.0 {
            LocationKind::Folder(folder) => folder,
            LocationKind::Remote(remote) => remote.address(),
        }
    }

    /// The manifest of an address; `None` for a folder.
    pub fn manifest(&self) -> Option<&Manifest> {
        match &self.0 {
            LocationKind::Folder(_) => None,
            LocationKind::Remote(remote) => Some(remote.manifest()),
        }
    }

    /// Returns true if the folder has this file, in one file or in pieces, or if the manifest of the address lists it.
    pub fn has(&self, path: &Path) -> bool {
        match self.manifest() {
            None => pieces::is_there(path),
            Some(manifest) => {
                self.name_of(path).is_some_and(|name| manifest.files.iter().any(|file| file.file == name))
            }
        }
    }

    /// Opens a file for reading.
    pub fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>> {
        match &self.0 {
            LocationKind::Folder(_) => pieces::open(path),
            LocationKind::Remote(remote) => match self.name_of(path) {
                Some(name) => Arc::clone(remote).open(name),
                None => Err(TableError::io(path)(std::io::ErrorKind::NotFound.into())),
            },
        }
    }

    /// Returns true if a certificate with this header hash has passed a check. The evidence is the list beside `path`
    /// ([`checked`]) or the manifest of the address.
    pub fn is_checked(&self, path: &Path, hash: u64) -> bool {
        match self.manifest() {
            None => checked::is_checked(path, hash),
            Some(manifest) => {
                let hash = hash_text(hash);
                manifest.files.iter().any(|file| file.header_hash == hash && file.checked)
            }
        }
    }

    /// The paths of all files with this prefix and suffix in their names, sorted. Files in subfolders are left out. A
    /// table in pieces is listed once, by its own name.
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

    /// The name of a file relative to [`Location::path`]; `None` if the file is elsewhere.
    fn name_of<'a>(&self, path: &'a Path) -> Option<&'a str> {
        path.strip_prefix(self.path()).ok()?.to_str()
    }
}

/// Checks that `path` can be a folder to write to, and returns it.
///
/// # Errors
///
/// Returns an error for an address, or if the path is not a folder and cannot become one.
pub fn folder_of(path: PathBuf) -> Result<PathBuf> {
    match address::of(&path) {
        None => folder(path),
        Some(_) => Err(TableError::foreign(&path, "is an address; its files can be read but not written")),
    }
}

/// Checks that `path` is a folder or can become one, and returns it.
///
/// # Errors
///
/// Returns an error if the path or one of its parents is not a folder.
fn folder(path: PathBuf) -> Result<PathBuf> {
    match std::fs::metadata(&path) {
        Ok(found) if !found.is_dir() => Err(TableError::foreign(&path, "is not a folder")),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Err(TableError::io(&path)(error)),
        _ => Ok(path),
    }
}

impl From<Arc<dyn Site>> for Location {
    fn from(site: Arc<dyn Site>) -> Location {
        Location(LocationKind::Remote(site))
    }
}

impl From<PathBuf> for Location {
    /// The folder of this name, even if the name looks like an address.
    fn from(folder: PathBuf) -> Location {
        Location(LocationKind::Folder(folder))
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
