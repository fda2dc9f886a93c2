//! Simulates failed changes to files and the effects of a power loss, for tests.
//!
//! A [`FolderWatch`] observes every change below a folder and can make one of them fail. It records the changes, and
//! [`Disk`] computes the files that would be left by a power loss after any of these changes.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The way in which a change fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectedFault {
    /// The change is not made.
    Error,
    /// Only the first half of a write is made, as on a full disk. Changes of other kinds are not made.
    Short,
    /// Neither this change nor any later one is made, as if the program were killed.
    Death,
}

/// A change to files. The field `file` is a serial number; each opening of a file gets a new one.
#[derive(Clone, Debug)]
pub enum FileChange {
    /// The opening of a file, which is created if it is missing.
    Open {
        /// The serial number of the file.
        file: u64,
        /// The path of the file.
        path: PathBuf,
    },
    /// A write.
    Write {
        /// The serial number of the file.
        file: u64,
        /// The offset of the first byte.
        offset: u64,
        /// The bytes that are written.
        bytes: Vec<u8>,
    },
    /// A new length: the file is cut off or filled up with zeros.
    Length {
        /// The serial number of the file.
        file: u64,
        /// The new length in bytes.
        length: u64,
    },
    /// A sync of all earlier changes to the file.
    Sync {
        /// The serial number of the file.
        file: u64,
    },
    /// A rename, which replaces an existing file.
    Rename {
        /// The old path.
        from: PathBuf,
        /// The new path.
        to: PathBuf,
    },
    /// A second name for a file, unless the name is taken.
    Link {
        /// The path of the file.
        from: PathBuf,
        /// The second path.
        to: PathBuf,
    },
    /// A deletion.
    Remove {
        /// The path of the file.
        path: PathBuf,
    },
}

#[derive(Default)]
struct ChangeLog {
    changes: Vec<FileChange>,
    /// Number of changes attempted so far, including failed ones. Changes after a simulated kill are not counted.
    asked: usize,
    dead: bool,
}

struct Plan {
    folder: PathBuf,
    fails: Option<(usize, InjectedFault)>,
    seen: Mutex<ChangeLog>,
}

static PLANS: Mutex<Vec<Arc<Plan>>> = Mutex::new(Vec::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records the changes to files below a folder, and can make one of them fail, until the watch is dropped.
pub struct FolderWatch(Arc<Plan>);

impl FolderWatch {
    /// Observes all files below `folder`. `fails` has the index of the change that fails, counted from 0, and the way
    /// in which it fails. If `fails` is `None`, no change fails.
    pub fn new(folder: &Path, fails: Option<(usize, InjectedFault)>) -> FolderWatch {
        let plan = Arc::new(Plan { folder: folder.into(), fails, seen: Mutex::default() });
        locked(&PLANS).push(Arc::clone(&plan));
        FolderWatch(plan)
    }

    /// Returns all changes made so far.
    pub fn changes(&self) -> Vec<FileChange> {
        locked(&self.0.seen).changes.clone()
    }
}

impl Drop for FolderWatch {
    fn drop(&mut self) {
        locked(&PLANS).retain(|plan| !Arc::ptr_eq(plan, &self.0));
    }
}

impl Plan {
    /// Records a change or makes it fail. The error comes with the number of bytes that a failed write still puts into
    /// the file.
    fn admit(&self, change: FileChange) -> Result<(), (io::Error, usize)> {
        let mut seen = locked(&self.seen);
        if seen.dead {
            return Err((io::Error::other("killed"), 0));
        }
        let number = seen.asked;
        seen.asked += 1;
        let fault = self.fails.filter(|&(at, _)| at == number).map(|(_, fault)| fault);
        match (fault, change) {
            (None, change) => seen.changes.push(change),
            (Some(InjectedFault::Short), FileChange::Write { file, offset, mut bytes }) => {
                bytes.truncate(bytes.len() / 2);
                let written = bytes.len();
                seen.changes.push(FileChange::Write { file, offset, bytes });
                return Err((io::ErrorKind::StorageFull.into(), written));
            }
            (Some(fault), _) => {
                seen.dead = fault == InjectedFault::Death;
                return Err((io::ErrorKind::StorageFull.into(), 0));
            }
        }
        Ok(())
    }
}

fn plan_of(path: &Path) -> Option<Arc<Plan>> {
    locked(&PLANS).iter().find(|plan| path.starts_with(&plan.folder)).cloned()
}

/// Records a change to the name of the file `path` if a [`FolderWatch`] watches this file. Returns an error if the
/// watch makes the change fail. Returns true if a watch watches the file. Watched files need no real sync.
pub(super) fn change(path: &Path, change: impl FnOnce() -> FileChange) -> io::Result<bool> {
    plan_of(path).map_or(Ok(false), |plan| plan.admit(change()).map(|()| true).map_err(|(error, _)| error))
}

/// An open file. If the file is below a watched folder, the handle holds the record ([`Plan`]) of the watch and the
/// serial number of the file. For any other file, the handle holds `None`.
pub(super) struct Handle(Option<(Arc<Plan>, u64)>);

impl Handle {
    pub fn open(path: &Path) -> io::Result<Handle> {
        let Some(plan) = plan_of(path) else { return Ok(Handle(None)) };
        let file = locked(&plan.seen).asked as u64;
        plan.admit(FileChange::Open { file, path: path.into() }).map_err(|(error, _)| error)?;
        Ok(Handle(Some((plan, file))))
    }

    /// Like [`change`], but for a change to this open file, such as a new length. `change` takes the serial number of
    /// the file.
    pub fn change(&self, change: impl FnOnce(u64) -> FileChange) -> io::Result<bool> {
        let admit = |(plan, file): &(Arc<Plan>, u64)| plan.admit(change(*file)).map(|()| true);
        self.0.as_ref().map_or(Ok(false), admit).map_err(|(error, _)| error)
    }

    /// Records a write or makes it fail. The error comes with a number of bytes: the simulated write fails after these
    /// bytes, so the caller must write them to the file before it reports the error.
    pub fn write(&self, bytes: &[u8], offset: u64) -> Result<(), (io::Error, usize)> {
        let Some((plan, file)) = &self.0 else { return Ok(()) };
        plan.admit(FileChange::Write { file: *file, offset, bytes: bytes.into() })
    }
}

/// The fate of an unsynced change in a power loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The change is on the disk.
    Kept,
    /// The change is not on the disk.
    Lost,
    /// Only the first half of a write is on the disk. Changes of other kinds are kept.
    Cut,
}

/// The files on a simulated disk, each with its unsynced changes. Changes to file names take effect at once.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    names: BTreeMap<PathBuf, usize>,
    /// The synced contents of each file, and the unsynced changes to it.
    files: Vec<(Vec<u8>, Vec<FileChange>)>,
    open: HashMap<u64, usize>,
}

impl Disk {
    /// Returns a simulated disk with these files, all synced.
    pub fn new(files: &BTreeMap<PathBuf, Vec<u8>>) -> Disk {
        let names = files.keys().cloned().zip(0..).collect();
        Disk { names, files: files.values().map(|bytes| (bytes.clone(), Vec::new())).collect(), open: HashMap::new() }
    }

    /// Makes a change to the simulated files.
    pub fn apply(&mut self, change: &FileChange) {
        match change {
            FileChange::Open { file, path } => {
                let next = self.files.len();
                let number = *self.names.entry(path.clone()).or_insert(next);
                if number == next {
                    self.files.push(Default::default());
                }
                self.open.insert(*file, number);
            }
            FileChange::Write { file, .. } | FileChange::Length { file, .. } => {
                self.files[self.open[file]].1.push(change.clone());
            }
            FileChange::Sync { file } => {
                let (bytes, pending) = &mut self.files[self.open[file]];
                pending.drain(..).for_each(|change| perform(bytes, &change, Fate::Kept));
            }
            FileChange::Rename { from, to } => {
                if let Some(number) = self.names.remove(from) {
                    self.names.insert(to.clone(), number);
                }
            }
            FileChange::Link { from, to } => {
                if let Some(&number) = self.names.get(from) {
                    self.names.entry(to.clone()).or_insert(number);
                }
            }
            FileChange::Remove { path } => {
                self.names.remove(path);
            }
        }
    }

    /// Returns the number of unsynced changes to files that have a name.
    pub fn pending(&self) -> usize {
        self.names.values().map(|&number| self.files[number].1.len()).sum()
    }

    /// Returns the files after a power loss. `fate` takes the index of an unsynced change, which is below
    /// [`Disk::pending`], and returns the fate of the change. The changes are ordered by the path of the file, then by
    /// time.
    pub fn left(&self, fate: impl Fn(usize) -> Fate) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut at = 0;
        let mut left = BTreeMap::new();
        for (path, &number) in &self.names {
            let (mut bytes, pending) = self.files[number].clone();
            for change in &pending {
                perform(&mut bytes, change, fate(at));
                at += 1;
            }
            left.insert(path.clone(), bytes);
        }
        left
    }
}

fn perform(bytes: &mut Vec<u8>, change: &FileChange, fate: Fate) {
    match (change, fate) {
        (_, Fate::Lost) => {}
        (FileChange::Write { offset, bytes: written, .. }, fate) => {
            let written = if fate == Fate::Cut { &written[..written.len() / 2] } else { written };
            let begin = *offset as usize;
            bytes.resize(bytes.len().max(begin + written.len()), 0);
            bytes[begin..begin + written.len()].copy_from_slice(written);
        }
        (FileChange::Length { length, .. }, _) => bytes.resize(*length as usize, 0),
        _ => {}
    }
}
