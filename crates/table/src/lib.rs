//! The table file: bytes on disk and how they are kept whole. Knows keys and blocks, no game.
//!
//! A finished [`Table`] is opened by the game that it is of and asked by keys. Only what a look-up needs is read, and
//! everything that is read is checked.
//!
//! ```
//! use yomikiri_rules::games::binarsi::Binarsi;
//! use yomikiri_rules::{Distance, Game, Plies};
//! use yomikiri_table::{Location, name, probe};
//!
//! # let folder = tempfile::tempdir()?;
//! # let tables = folder.path();
//! # std::fs::copy("../../tests/tables/version1/bin2x2.tbl", tables.join("bin2x2.tbl"))?;
//! # yomikiri_table::version1::upgrade(&tables.join("bin2x2.tbl"))?;
//! let game = Binarsi::parse("bin2x2")?;
//! // `tables` is a folder; with the feature `remote` it may be an address.
//! let location = Location::find(tables)?;
//! let table = probe::open_at(&game, &location, &name::whole(location.path(), "bin2x2"))?;
//! assert_eq!(table.header.rule_code(), "bin2x2");
//!
//! let key = game.rank(&game.parse_position("startpos moves 2n")?);
//! let value: Option<Distance> = probe::probe(&table, key)?;
//! assert_eq!(value, Some(Distance::Win(Plies(5))));
//! // Many keys, ascending, in one go; those that no position has are not listed.
//! let listed = probe::listed(&table, &[key, u64::MAX])?;
//! assert!(listed[0].is_some() && listed[1].is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tables of games that can repeat leave out their commonest outcome; `Solvable` of the crate `yomikiri-solve` asks
//! tables of every kind.
//!
//! # What is stable
//!
//! The form of the files (docs/format.md): a later one gets another version, and this one can be upgraded.
//! [`Table`], [`probe`], [`source::ReadAt`] with its sources, [`Location`], [`Manifest`] and [`TableError`] are meant
//! for other programs. What writes files ([`Store`], [`Writer`], the journal) and what is in [`blocks`] and [`entries`]
//! follows the solver and may change with it.
//!
//! # Parts
//!
//! `format` is the layout, `blocks` what blocks hold, `pages` the index of them, `regular` what opens files and nothing
//! else, `source` where bytes are read from, `location` where files lie, a folder or an address, with the list of
//! those that are published (`manifest`), `pieces` tables that lie in several files, `reader` a finished table,
//! `whole` checks of all of it, `extents` the byte ranges that blocks take, `recent` what was inflated last,
//! `coded_block` blocks of the smaller form, `context_model` how likely is what they tell, `range_coder` the bytes of decisions, `section_blocks` a section wherever it lies, `name` what files are
//! called, `checked` which certificates have been checked, `text_file` small files that are read as a whole, `threads` the start of
//! threads, `refused_memory` the end of a process that gets no memory. With the feature `remote`: `remote` reads files of
//! servers
//! by ranges, `per_process` keeps what a forked process has to make again. With the feature `write`: `writer` makes the file of blocks, `version1` makes it of what older programs
//! wrote, `recode` writes a table in the other form of its blocks, `store` is the append-only file that a run writes
//! and can take up again, with its `journal`, `lock` one run at a time, `part` files
//! that are not whole yet, `replace` what they may replace, `own_folder` folders that the program deletes,
//! `json_lines` lines with checksums, `line_journal` a file that grows by lines, and `disk`
//! all changes to files. `section_file` is a section in a file of its own, `storage`
//! where many machines put such files, `assembly` makes a table of them.

#[cfg(feature = "write")]
mod assembly;
pub mod blocks;
pub mod checked;
mod coded_block;
mod compression;
mod context_model;
#[cfg(feature = "write")]
pub mod disk;
pub mod entries;
mod extents;
pub mod format;
#[cfg(feature = "write")]
mod journal;
#[cfg(feature = "write")]
pub mod json_lines;
#[cfg(feature = "write")]
pub mod line_journal;
pub mod location;
#[cfg(feature = "write")]
mod lock;
pub mod manifest;
pub mod name;
#[cfg(feature = "write")]
pub mod own_folder;
mod packed_blocks;
mod pages;
#[cfg(feature = "write")]
mod part;
#[cfg(feature = "remote")]
pub mod per_process;
pub mod pieces;
pub mod probe;
mod progress;
mod range_coder;
mod reader;
mod recent;
#[cfg(feature = "write")]
pub mod recode;
pub mod refused_memory;
mod regular;
#[cfg(feature = "remote")]
mod remote;
#[cfg(feature = "write")]
mod replace;
mod section_blocks;
#[cfg(feature = "write")]
mod section_file;
pub mod source;
#[cfg(feature = "write")]
mod storage;
#[cfg(feature = "write")]
mod store;
pub mod text_file;
pub mod threads;
#[cfg(feature = "write")]
pub mod version1;
mod whole;
#[cfg(feature = "write")]
mod writer;

#[cfg(feature = "write")]
pub use assembly::Assembly;
pub use format::{Header, IndexKind, Meta, Section, Tally};
#[cfg(feature = "write")]
pub use journal::{Entry, Identity};
#[cfg(feature = "write")]
pub use line_journal::LineJournal;
pub use location::Location;
#[cfg(feature = "write")]
pub use lock::RunLock;
pub use manifest::Manifest;
#[cfg(feature = "write")]
pub use part::{Part, is_part};
pub use progress::{Progress, SHARES, Silent};
pub use reader::{Rows, Table};
#[cfg(feature = "remote")]
pub use remote::{Chunks, Patience, RequestSeen, Responder, Response};
#[cfg(feature = "write")]
pub use replace::{OwnFile, Replace, first_bytes};
pub use section_blocks::{SectionBlocks, TableSection};
#[cfg(feature = "write")]
pub use section_file::SectionFile;
#[cfg(feature = "write")]
pub use storage::Storage;
#[cfg(feature = "write")]
pub use store::{NewSection, Store, check_work, has_work, remove_any_work, remove_work};
#[cfg(feature = "write")]
pub use writer::{Contents, LISTED_LEVEL, Writer};

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
