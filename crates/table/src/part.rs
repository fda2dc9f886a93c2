//! Files that are written under another name until they are whole.

use std::path::{Path, PathBuf};

use super::{Result, TableError};

/// A file beside its place, that is deleted unless it got its name.
pub struct Part(pub PathBuf);

impl Part {
    /// What is to become `path`; the name alone, there is no file yet.
    pub fn of(path: &Path) -> Part {
        Part(path.with_added_extension("part"))
    }

    /// Gives the file its name.
    pub fn name(self, path: &Path) -> Result<()> {
        std::fs::rename(&self.0, path).map_err(TableError::io(path))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // After a rename there is nothing left to delete.
        let _ = std::fs::remove_file(&self.0);
    }
}
