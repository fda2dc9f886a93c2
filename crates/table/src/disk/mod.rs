//! Every change that the program makes to files of its own: one place, so that tests can make any of them fail, and
//! can tell what is left where a machine loses power.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

#[cfg(feature = "faults")]
pub mod faults;

use super::regular;
#[cfg(feature = "faults")]
use faults::{Change, Handle};

/// Free bytes of the disk that has, or will have, a folder.
pub fn free_space(folder: &Path) -> Option<u64> {
    let full = std::path::absolute(folder).ok()?;
    full.ancestors().find_map(|place| fs4::available_space(place).ok())
}

/// A file being written, at any place or, by [`Write`], from its beginning on.
pub struct DiskFile {
    file: File,
    /// Where [`Write`] goes on.
    end: u64,
    #[cfg(feature = "faults")]
    handle: Handle,
}

impl DiskFile {
    /// Opens a file to read and write; makes it where there is none. Folders, links, pipes and the like are refused at
    /// once.
    pub fn open(path: &Path) -> io::Result<DiskFile> {
        DiskFile::open_as(path, OpenOptions::new().create(true))
    }

    /// Makes a file where there is none; an error if there is one.
    pub fn create_new(path: &Path) -> io::Result<DiskFile> {
        DiskFile::open_as(path, OpenOptions::new().create_new(true))
    }

    fn open_as(path: &Path, options: &mut OpenOptions) -> io::Result<DiskFile> {
        #[cfg(feature = "faults")]
        let handle = Handle::open(path)?;
        let file = regular::open_to_write(path, options.read(true).write(true).truncate(false))?;
        Ok(DiskFile {
            file,
            end: 0,
            #[cfg(feature = "faults")]
            handle,
        })
    }

    /// Locks the file against other runs; whether it has it, and still has the name `path`.
    pub fn lock(&self, path: &Path) -> io::Result<bool> {
        match self.file.try_lock() {
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) => return Ok(false),
            Ok(()) => {}
        }
        let mine = self.file.metadata()?.ino();
        Ok(std::fs::metadata(path).is_ok_and(|named| named.ino() == mine))
    }

    /// Length in bytes.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_exact_at(bytes, offset)
    }

    pub fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        #[cfg(feature = "faults")]
        if let Err((error, written)) = self.handle.write(bytes, offset) {
            self.file.write_all_at(&bytes[..written], offset)?;
            return Err(error);
        }
        self.file.write_all_at(bytes, offset)
    }

    /// Cuts the file or fills it with zeros.
    pub fn set_len(&self, length: u64) -> io::Result<()> {
        #[cfg(feature = "faults")]
        self.handle.change(|file| Change::Length { file, length })?;
        self.file.set_len(length)
    }

    /// Has all that was written so far on the disk.
    pub fn sync(&self) -> io::Result<()> {
        #[cfg(feature = "faults")]
        if self.handle.change(|file| Change::Sync { file })? {
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

/// Gives a file another name, in the same folder, in place of a file that has it; has that on the disk. Whether the
/// program may replace that file is for [`super::Replace`] to say; folders, links, pipes and the like are refused here.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    regular::check(to)?;
    #[cfg(feature = "faults")]
    if faults::change(to, || Change::Rename { from: from.into(), to: to.into() })? {
        return std::fs::rename(from, to);
    }
    std::fs::rename(from, to)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Deletes a file if it is there. Folders, links, pipes and the like are refused.
pub fn remove(path: &Path) -> io::Result<()> {
    regular::check(path)?;
    #[cfg(feature = "faults")]
    faults::change(path, || Change::Remove { path: path.into() })?;
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
