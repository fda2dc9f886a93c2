//! Changes to files that fail, and what a disk holds after a loss of power. For tests.
//!
//! A [`Watch`] sees every change below a folder. At the one that it is told it has it fail; and it lists all that were
//! made, from which [`Disk`] tells what is left where the machine stops at any of them.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How a change fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not made.
    Error,
    /// Of what is written the first half is; the disk is full.
    Short,
    /// Neither it nor any other after it is made: the program was killed.
    Death,
}

/// A change to files. Files are told apart by a number for each time that one was opened.
#[derive(Clone, Debug)]
pub enum Change {
    /// Made where there was none.
    Open {
        file: u64,
        path: PathBuf,
    },
    Write {
        file: u64,
        offset: u64,
        bytes: Vec<u8>,
    },
    Length {
        file: u64,
        length: u64,
    },
    Sync {
        file: u64,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
    Remove {
        path: PathBuf,
    },
}

#[derive(Default)]
struct Seen {
    changes: Vec<Change>,
    /// Number of changes asked for.
    asked: usize,
    dead: bool,
}

struct Plan {
    folder: PathBuf,
    fails: Option<(usize, Fault)>,
    seen: Mutex<Seen>,
}

static PLANS: Mutex<Vec<Arc<Plan>>> = Mutex::new(Vec::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches a folder as long as it lives.
pub struct Watch(Arc<Plan>);

impl Watch {
    /// Watches all files below `folder`; the change of that number, counted from 0, fails.
    pub fn new(folder: &Path, fails: Option<(usize, Fault)>) -> Watch {
        let plan = Arc::new(Plan { folder: folder.into(), fails, seen: Mutex::default() });
        locked(&PLANS).push(Arc::clone(&plan));
        Watch(plan)
    }

    /// All changes made so far.
    pub fn changes(&self) -> Vec<Change> {
        locked(&self.0.seen).changes.clone()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        locked(&PLANS).retain(|plan| !Arc::ptr_eq(plan, &self.0));
    }
}

impl Plan {
    /// Notes a change, or has it fail: with the error, how much of a write is made.
    fn admit(&self, change: Change) -> Result<(), (io::Error, usize)> {
        let mut seen = locked(&self.seen);
        if seen.dead {
            return Err((io::Error::other("killed"), 0));
        }
        let number = seen.asked;
        seen.asked += 1;
        let fault = self.fails.filter(|&(at, _)| at == number).map(|(_, fault)| fault);
        match (fault, change) {
            (None, change) => seen.changes.push(change),
            (Some(Fault::Short), Change::Write { file, offset, mut bytes }) => {
                bytes.truncate(bytes.len() / 2);
                let written = bytes.len();
                seen.changes.push(Change::Write { file, offset, bytes });
                return Err((io::ErrorKind::StorageFull.into(), written));
            }
            (Some(fault), _) => {
                seen.dead = fault == Fault::Death;
                return Err((io::ErrorKind::StorageFull.into(), 0));
            }
        }
        Ok(())
    }
}

fn plan_of(path: &Path) -> Option<Arc<Plan>> {
    locked(&PLANS).iter().find(|plan| path.starts_with(&plan.folder)).cloned()
}

/// Notes a change of names, or has it fail. False if nobody watches the folder: what is watched need not be synced.
pub(super) fn change(path: &Path, change: impl FnOnce() -> Change) -> io::Result<bool> {
    plan_of(path).map_or(Ok(false), |plan| plan.admit(change()).map(|()| true).map_err(|(error, _)| error))
}

/// A file as the plan of its folder knows it, if there is one.
pub(super) struct Handle(Option<(Arc<Plan>, u64)>);

impl Handle {
    pub fn open(path: &Path) -> io::Result<Handle> {
        let Some(plan) = plan_of(path) else { return Ok(Handle(None)) };
        let file = locked(&plan.seen).asked as u64;
        plan.admit(Change::Open { file, path: path.into() }).map_err(|(error, _)| error)?;
        Ok(Handle(Some((plan, file))))
    }

    /// As [`change`], of this file.
    pub fn change(&self, change: impl FnOnce(u64) -> Change) -> io::Result<bool> {
        let admit = |(plan, file): &(Arc<Plan>, u64)| plan.admit(change(*file)).map(|()| true);
        self.0.as_ref().map_or(Ok(false), admit).map_err(|(error, _)| error)
    }

    /// The error comes with the number of bytes that are written all the same.
    pub fn write(&self, bytes: &[u8], offset: u64) -> Result<(), (io::Error, usize)> {
        let Some((plan, file)) = &self.0 else { return Ok(()) };
        plan.admit(Change::Write { file: *file, offset, bytes: bytes.into() })
    }
}

/// What becomes of a change that was not synced when the power goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Kept,
    Lost,
    /// Half of what was written is there.
    Cut,
}

/// Files as a disk has them, with the changes to each that are not synced yet. Names change at once.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    names: BTreeMap<PathBuf, usize>,
    /// What the disk surely has of each file, and what it may have.
    files: Vec<(Vec<u8>, Vec<Change>)>,
    open: HashMap<u64, usize>,
}

impl Disk {
    /// A disk with these files, all synced.
    pub fn new(files: &BTreeMap<PathBuf, Vec<u8>>) -> Disk {
        let names = files.keys().cloned().zip(0..).collect();
        Disk { names, files: files.values().map(|bytes| (bytes.clone(), Vec::new())).collect(), open: HashMap::new() }
    }

    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Open { file, path } => {
                let next = self.files.len();
                let number = *self.names.entry(path.clone()).or_insert(next);
                if number == next {
                    self.files.push(Default::default());
                }
                self.open.insert(*file, number);
            }
            Change::Write { file, .. } | Change::Length { file, .. } => {
                self.files[self.open[file]].1.push(change.clone());
            }
            Change::Sync { file } => {
                let (bytes, pending) = &mut self.files[self.open[file]];
                pending.drain(..).for_each(|change| perform(bytes, &change, Fate::Kept));
            }
            Change::Rename { from, to } => {
                if let Some(number) = self.names.remove(from) {
                    self.names.insert(to.clone(), number);
                }
            }
            Change::Remove { path } => {
                self.names.remove(path);
            }
        }
    }

    /// Number of changes that are not synced, of files that have a name.
    pub fn pending(&self) -> usize {
        self.names.values().map(|&number| self.files[number].1.len()).sum()
    }

    /// The files after a loss of power; `fate` says what becomes of each of the [`Disk::pending`] changes.
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

fn perform(bytes: &mut Vec<u8>, change: &Change, fate: Fate) {
    match (change, fate) {
        (_, Fate::Lost) => {}
        (Change::Write { offset, bytes: written, .. }, fate) => {
            let written = if fate == Fate::Cut { &written[..written.len() / 2] } else { written };
            let begin = *offset as usize;
            bytes.resize(bytes.len().max(begin + written.len()), 0);
            bytes[begin..begin + written.len()].copy_from_slice(written);
        }
        (Change::Length { length, .. }, _) => bytes.resize(*length as usize, 0),
        _ => {}
    }
}
