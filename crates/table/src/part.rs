//! Files that are written under another name until they are whole.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::disk::{self, DiskFile};
use super::{Result, TableError};

/// A file beside its place, that is deleted unless it gets its name.
pub struct Part {
    /// The name it is to get.
    path: PathBuf,
    /// Where it is now.
    part: PathBuf,
}

/// Parts that this process has begun.
static BEGUN: AtomicU32 = AtomicU32::new(0);

impl Part {
    /// Makes an empty file that is to become `path`, under a name that nobody else writes to.
    pub fn create(path: &Path) -> Result<(Part, DiskFile)> {
        let number = BEGUN.fetch_add(1, Ordering::Relaxed);
        let part = path.with_added_extension(format!("{}-{number}.part", std::process::id()));
        let file = DiskFile::create(&part).map_err(TableError::io(&part))?;
        Ok((Part { path: path.into(), part }, file))
    }

    /// What errors are about.
    pub fn place(&self) -> &Path {
        &self.part
    }

    /// Gives the file its name once all of it is on the disk.
    pub fn finish(self, file: &DiskFile) -> Result<()> {
        file.sync().map_err(TableError::io(&self.part))?;
        disk::rename(&self.part, &self.path).map_err(TableError::io(&self.path))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // After a rename there is nothing left to delete.
        let _ = disk::remove(&self.part);
    }
}
