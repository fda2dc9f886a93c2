//! The table file: bytes on disk and how they are kept whole. Knows keys and blocks, no game.
//!
//! `format` is the layout, `blocks` what blocks hold, `store` the append-only file a run writes and can take up again, `lock` one run at a time,
//! `reader` the mapped finished table, `name` where tables lie, `part` files that are not whole yet.

pub mod blocks;
pub mod entries;
pub mod format;
mod lock;
pub mod name;
mod part;
pub mod probe;
pub mod progress;
mod reader;
mod store;

pub use format::{Header, IndexKind, Meta, Section, Tally};
pub use lock::RunLock;
pub use part::Part;
pub use reader::Table;
pub use store::{Identity, NewSection, Store, remove_work};

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

impl TableError {
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> TableError + '_ {
        move |source| TableError::Io { path: path.to_path_buf(), source }
    }

    pub fn damaged(path: &Path, what: impl Into<String>) -> TableError {
        TableError::Damaged { path: path.to_path_buf(), what: what.into() }
    }

    pub fn foreign(path: &Path, what: impl Into<String>) -> TableError {
        TableError::Foreign { path: path.to_path_buf(), what: what.into() }
    }
}
