//! Locations of tables: folders, and addresses whose files are read by ranges.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use crate::address::{self, Site};
use crate::checked;
use crate::manifest::{Manifest, hash_text};
use crate::pieces;
use crate::source::ReadAt;
use crate::{Result, TableError};

/// The folders and addresses from which tables, certificates and openings are read, in search order. Most methods take
/// full paths of files: the path of a place (a folder or an address) joined with a name. Clones share the cache of the
/// bytes read from addresses.
#[derive(Clone)]
pub struct Location {
    first: Place,
    /// The places that are searched after the first one, in order.
    others: Arc<[Place]>,
    /// The folder of certificates and openings that is searched after all places.
    knowledge: Option<Arc<Path>>,
}

/// A folder, or an address such as `https://host/folder`.
#[derive(Clone)]
enum Place {
    Folder(PathBuf),
    Remote(Arc<dyn Site>),
}

impl Place {
    fn find(path: PathBuf) -> Result<Place> {
        match address::of(&path) {
            None => Ok(Place::Folder(folder(path)?)),
            Some(address) => Ok(Place::Remote((address::network(&path)?.site)(address)?)),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Place::Folder(folder) => folder,
            Place::Remote(remote) => remote.address(),
        }
    }

    /// Returns the manifest of an address (the list of its files), or `None` for a folder.
    fn manifest(&self) -> Option<&Manifest> {
        match self {
            Place::Folder(_) => None,
            Place::Remote(remote) => Some(remote.manifest()),
        }
    }

    /// Returns true if `self` and `other` are the same folder or the same address.
    fn is_same(&self, other: &Place) -> bool {
        let full = |path: &Path| path.canonicalize().or_else(|_| absolute(path)).unwrap_or_else(|_| path.into());
        match (self, other) {
            (Place::Folder(one), Place::Folder(other)) => full(one) == full(other),
            (one, other) => one.path() == other.path(),
        }
    }

    /// Returns the sorted paths of all files of this place whose names have this prefix and suffix. A table in pieces
    /// is listed once, by its own name.
    fn named(&self, prefix: &str, suffix: &str) -> Vec<PathBuf> {
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
}

impl Location {
    /// Finds the folder or the address (`https://host/folder`, `s3://bucket/folder`) that `text` names. A folder need
    /// not exist yet. The manifest of an address is fetched. This function and all reads from an address block, so they
    /// must not be called in an asynchronous task.
    pub fn find(text: impl Into<PathBuf>) -> Result<Location> {
        Ok(Place::find(text.into())?.into())
    }

    /// Adds a folder or an address ([`Location::find`]) at the end of the search order, unless the location has it
    /// already.
    pub fn and(mut self, text: impl Into<PathBuf>) -> Result<Location> {
        let place = Place::find(text.into())?;
        if !self.all().any(|other| other.is_same(&place)) {
            self.others = self.others.iter().cloned().chain([place]).collect();
        }
        Ok(self)
    }

    /// Sets the knowledge folder: a folder of certificates and openings that is searched after all places. `None` means
    /// no such folder. Its certificates are in the subfolder [`crate::name::RECORDED`], its openings in
    /// [`crate::name::OPENINGS`]. Tables in this folder are not read.
    pub fn with_knowledge(self, folder: Option<&Path>) -> Location {
        Location { knowledge: folder.map(Arc::from), ..self }
    }

    /// Returns the first place in search order: the path of a folder, or an address without a trailing slash. If it is
    /// a folder, new files are written to it.
    pub fn path(&self) -> &Path {
        self.first.path()
    }

    /// Iterates over the folders and addresses in search order, each as a location of its own without a knowledge
    /// folder.
    pub fn places(&self) -> impl Iterator<Item = Location> {
        self.all().cloned().map(Location::from)
    }

    /// Returns true if `folder` is one of the places that this location searches for tables.
    pub fn has_place(&self, folder: &Path) -> bool {
        self.all().any(|place| place.is_same(&Place::Folder(folder.into())))
    }

    /// Returns the folder set by [`Location::with_knowledge`], or `None` if there is none.
    pub fn knowledge(&self) -> Option<&Path> {
        self.knowledge.as_deref()
    }

    /// Returns the manifest (the list of files) of the first place if this is an address, or `None` if it is a folder.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.first.manifest()
    }

    /// Returns the possible paths of a table: `path_in` applied to each folder and address, in search order.
    pub fn candidates(&self, path_in: impl Fn(&Path) -> PathBuf) -> Vec<PathBuf> {
        self.all().map(|place| path_in(place.path())).collect()
    }

    /// Returns the path of a table: the first of [`Location::candidates`] that exists. Returns the first candidate if
    /// none exists.
    pub fn file(&self, path_in: impl Fn(&Path) -> PathBuf) -> PathBuf {
        let mut candidates = self.all().map(|place| path_in(place.path()));
        candidates.find(|path| self.has(path)).unwrap_or_else(|| path_in(self.path()))
    }

    /// Returns true if the file exists, whole or in pieces, or if the manifest of its address lists it.
    pub fn has(&self, path: &Path) -> bool {
        match self.listing(path) {
            None => pieces::is_there(path),
            Some((site, name)) => site.manifest().files.iter().any(|file| file.file == name),
        }
    }

    /// Returns true if the file is at a network address of this location.
    pub fn is_remote(&self, path: &Path) -> bool {
        self.listing(path).is_some()
    }

    /// Opens a file for reading.
    pub fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>> {
        match self.listing(path) {
            Some((site, name)) => Arc::clone(site).open(&name),
            None => pieces::open(path),
        }
    }

    /// Returns true if the certificate or opening at `path`, whose header has this hash, has passed a check. For a file
    /// in a folder, the list beside it says so ([`checked`]). For a file at an address, the manifest does.
    pub fn is_checked(&self, path: &Path, hash: u64) -> bool {
        match self.listing(path) {
            None => checked::is_checked(path, hash),
            Some((site, _)) => {
                let hash = hash_text(hash);
                site.manifest().files.iter().any(|file| file.header_hash == hash && file.checked)
            }
        }
    }

    /// Returns the paths of all files whose names have this prefix and suffix: place by place in search order, and
    /// sorted within each place. Files in subfolders are left out. A table in pieces is listed once, by its own name.
    /// If several places have a file of the same name, only the first one is listed.
    pub fn named(&self, prefix: &str, suffix: &str) -> Vec<PathBuf> {
        let mut names = BTreeSet::new();
        let mut paths: Vec<PathBuf> = self.all().flat_map(|place| place.named(prefix, suffix)).collect();
        paths.retain(|path| names.insert(path.file_name().map(|name| name.to_owned())));
        paths
    }

    fn all(&self) -> impl Iterator<Item = &Place> {
        std::iter::once(&self.first).chain(self.others.iter())
    }

    /// Returns the address that contains a file, and the file's name relative to that address. If several addresses
    /// contain the file, returns the longest. Returns `None` if no address of this location contains the file.
    fn listing(&self, path: &Path) -> Option<(&Arc<dyn Site>, String)> {
        let below = |place: &Place| match place {
            Place::Folder(_) => None,
            Place::Remote(site) => {
                Some(address::by_slashes(path.strip_prefix(site.address()).ok()?.to_str()?.to_owned()))
            }
        };
        let names = self.all().filter_map(|place| Some((place, below(place)?)));
        match names.min_by_key(|(_, name)| name.len())? {
            (Place::Remote(site), name) => Some((site, name)),
            (Place::Folder(_), _) => None,
        }
    }
}

/// Joins the possible paths of a file ([`Location::candidates`]) for messages, as in `a/x.tbl or b/x.tbl`.
pub fn one_of(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| address::shown(path)).collect::<Vec<_>>().join(" or ")
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

impl From<Place> for Location {
    fn from(first: Place) -> Location {
        Location { first, others: Arc::default(), knowledge: None }
    }
}

impl From<Arc<dyn Site>> for Location {
    fn from(site: Arc<dyn Site>) -> Location {
        Place::Remote(site).into()
    }
}

impl From<PathBuf> for Location {
    /// Returns the folder of this name, even if the name looks like an address.
    fn from(folder: PathBuf) -> Location {
        Place::Folder(folder).into()
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
