//! Makes all changes to the program's files. Because every change passes through this module, tests can make any of
//! them fail, and compute the files that a power loss would leave.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

pub mod faults;

use super::{Result, TableError, platform, regular};
use faults::{FileChange, Handle};

/// Returns the free space in bytes on the disk of a folder, or `None` if the system does not report it. The folder need
/// not exist yet.
pub fn free_space(folder: &Path) -> Option<u64> {
    let full = std::path::absolute(folder).ok()?;
    full.ancestors().find_map(|place| fs4::available_space(place).ok())
}

/// Makes a folder and the folders above it, unless they exist.
///
/// # Errors
///
/// Returns an error if the path is something else than a folder, or if the system refuses.
pub fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => TableError::foreign(path, "is not a folder"),
        _ => TableError::io(path)(error),
    })
}

/// A file that is written at arbitrary offsets or, through [`Write`], sequentially from its start.
pub struct DiskFile {
    file: File,
    /// Offset in bytes at which [`Write`] continues.
    end: u64,
    handle: Handle,
}

impl DiskFile {
    /// Opens a file for reading and writing, and creates it if it is missing. Refuses folders, links, pipes and other
    /// special files without blocking.
    pub fn open(path: &Path) -> io::Result<DiskFile> {
        DiskFile::open_as(path, OpenOptions::new().create(true))
    }

    /// Creates a file. An existing one is an error.
    pub fn create_new(path: &Path) -> io::Result<DiskFile> {
        DiskFile::open_as(path, OpenOptions::new().create_new(true))
    }

    fn open_as(path: &Path, options: &mut OpenOptions) -> io::Result<DiskFile> {
        let handle = Handle::open(path)?;
        let file = regular::open_to_write(path, options.read(true).write(true).truncate(false))?;
        Ok(DiskFile { file, end: 0, handle })
    }

    /// Tries to lock the file against other runs. Returns false if another run holds the lock, or if the file no longer
    /// has the name `path`.
    pub fn lock(&self, path: &Path) -> io::Result<bool> {
        Ok(platform::try_lock(&self.file)? && platform::is_named(&self.file, path)?)
    }

    /// Returns the length in bytes.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Fills `bytes` from the file at `offset`. Returns an error if the file ends before `bytes` is full.
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        platform::read_exact_at(&self.file, bytes, offset)
    }

    /// Writes all of `bytes` at `offset`. Extends the file if it is too short.
    pub fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        if let Err((error, written)) = self.handle.write(bytes, offset) {
            platform::write_all_at(&self.file, &bytes[..written], offset)?;
            return Err(error);
        }
        platform::write_all_at(&self.file, bytes, offset)
    }

    /// Truncates the file or extends it with zeros.
    pub fn set_len(&self, length: u64) -> io::Result<()> {
        self.handle.change(|file| FileChange::Length { file, length })?;
        self.file.set_len(length)
    }

    /// Syncs all data written so far to the disk.
    pub fn sync(&self) -> io::Result<()> {
        if self.handle.change(|file| FileChange::Sync { file })? {
            return Ok(());
        }
        self.file.sync_all()
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all_at(bytes, self.end)?;
        self.end += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Renames a file within its folder and syncs the folder. Replaces a regular file that has the new name; the caller
/// checks first with [`super::Replaceable`] that it may replace the file. Returns an error if the new name belongs to a
/// folder, link, pipe or other special file.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    regular::check(to)?;
    if faults::change(to, || FileChange::Rename { from: from.into(), to: to.into() })? {
        return std::fs::rename(from, to);
    }
    platform::retry(|| std::fs::rename(from, to))?;
    sync_folder_of(to)
}

/// Syncs the folder of a file, so that changes to names in it are on the disk.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    platform::sync_folder(folder)
}

/// Gives a file a second name within its folder, unless that name is taken, and syncs the folder. Returns false if the
/// name is taken. On file systems without hard links, renames the file instead. If two processes rename files to the
/// same name in this way at the same time, both calls may succeed.
pub fn link(from: &Path, to: &Path) -> io::Result<bool> {
    faults::change(to, || FileChange::Link { from: from.into(), to: to.into() })?;
    match std::fs::hard_link(from, to) {
        Ok(()) => sync_folder_of(to).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied) => {
            match to.try_exists()? {
                true => Ok(false),
                false => rename(from, to).map(|()| true),
            }
        }
        Err(error) => Err(error),
    }
}

/// Deletes a file if it exists. Refuses folders, links, pipes and other special files.
pub fn remove(path: &Path) -> io::Result<()> {
    regular::check(path)?;
    faults::change(path, || FileChange::Remove { path: path.into() })?;
    match platform::retry(|| std::fs::remove_file(path)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
