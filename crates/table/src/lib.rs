//! The table file: bytes on disk and how they are kept whole. Knows keys and blocks, no game.
//!
//! `format` is the layout, `blocks` what blocks hold, `pages` the index of them, `regular` what opens files and nothing
//! else, `source` where bytes are read from, `reader` a finished table over it, `name` where tables lie, `checked`
//! which certificates have been checked. With the feature `write`: `writer` makes the file of blocks, `version1` makes
//! it of what older programs wrote, `store` is the append-only file that a run writes and can take up again, with its
//! `journal`, `lock` one run at a time, `part` files that are not whole yet, and `disk` all changes to files.

pub mod blocks;
pub mod checked;
mod compression;
#[cfg(feature = "write")]
pub mod disk;
pub mod entries;
pub mod format;
#[cfg(feature = "write")]
mod journal;
#[cfg(feature = "write")]
mod lock;
pub mod name;
mod pages;
#[cfg(feature = "write")]
mod part;
pub mod probe;
mod progress;
mod reader;
mod regular;
pub mod source;
#[cfg(feature = "write")]
mod store;
#[cfg(feature = "write")]
pub mod version1;
#[cfg(feature = "write")]
mod writer;

pub use format::{Header, IndexKind, Meta, Section, Tally};
#[cfg(feature = "write")]
pub use journal::{Entry, Identity};
#[cfg(feature = "write")]
pub use lock::RunLock;
#[cfg(feature = "write")]
pub use part::Part;
pub use progress::{Progress, SHARES, Silent};
pub use reader::Table;
#[cfg(feature = "write")]
pub use store::{NewSection, Store, remove_work};
#[cfg(feature = "write")]
pub use writer::{Contents, Writer};

use std::path::{Path, PathBuf};

/// Anything wrong with a file, always with its path.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{}: damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error("{}: {what}", path.display())]
    Foreign { path: PathBuf, what: String },
}

/// What comes of reading or writing a file.
pub type Result<T, E = TableError> = std::result::Result<T, E>;

impl TableError {
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> TableError + '_ {
        move |source| TableError::Io { path: path.to_path_buf(), source }
    }

    /// Whether bytes are missing that will come later: see [`source::Ranges`].
    pub fn is_waiting(&self) -> bool {
        matches!(self, TableError::Io { source, .. } if source.kind() == std::io::ErrorKind::WouldBlock)
    }

    pub fn damaged(path: &Path, what: impl Into<String>) -> TableError {
        TableError::Damaged { path: path.to_path_buf(), what: what.into() }
    }

    pub fn foreign(path: &Path, what: impl Into<String>) -> TableError {
        TableError::Foreign { path: path.to_path_buf(), what: what.into() }
    }
}
