//! Defines the format of table files, and reads and writes them safely. This crate knows keys and blocks, but no games.
//!
//! A [`Table`] is a finished file. It is opened for a game and queried by keys. A look-up reads only the bytes that it
//! needs, and checks all bytes that it reads.
//!
//! ```
//! use yomikiri_rules::games::binarsi::Binarsi;
//! use yomikiri_rules::{Distance, Game, Notation, Plies};
//! use yomikiri_table::{Location, name, probe};
//!
//! # let folder = tempfile::tempdir()?;
//! # let tables = folder.path();
//! # std::fs::copy("../../tests/tables/version1/bin2x2.tbl", tables.join("bin2x2.tbl"))?;
//! # yomikiri_table::version1::upgrade(&tables.join("bin2x2.tbl"))?;
//! let game = Binarsi::parse("bin2x2")?;
//! // `tables` is a folder. In a program that has called `yomikiri_remote::support_addresses` it may be an address.
//! let location = Location::find(tables)?;
//! let table = probe::open_at(&game, &location, &name::whole(location.path(), "bin2x2"))?;
//! assert_eq!(table.header.rule_code(), "bin2x2");
//!
//! let key = game.rank(&game.parse_position("startpos moves 2n")?);
//! let value: Option<Distance> = probe::probe(&table, key)?;
//! assert_eq!(value, Some(Distance::Win(Plies(5))));
//! // Looks up many ascending keys at once. Keys without a position are not listed.
//! let listed = probe::listed(&table, &[key, u64::MAX])?;
//! assert!(listed[0].is_some() && listed[1].is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tables of games with repetition do not list the positions with the commonest outcome (wins or draws), and
//! [`probe::probe`] refuses these tables. The trait `Solvable` of the crate `yomikiri-solve` looks up keys in tables of
//! every kind.
//!
//! # Stability
//!
//! The file format (docs/format.md) is stable: a change gets a new version number, and later programs can upgrade files
//! of this version. [`Table`], [`probe`], [`source::ReadAt`] with its sources, [`Location`], [`Manifest`] and
//! [`TableError`] are meant for other programs. The code that writes files ([`Store`], [`Writer`], the journal),
//! [`blocks`] and [`entries`] serve the solver and may change with it.
//!
//! # Modules
//!
//! - Layout of a table: `format` (the file), `blocks` (the contents of blocks), `pages` (the index).
//! - Compression: `compression` (blocks as Zstandard frames); for the smaller form of blocks, `coded_block`,
//!   `context_model` (probabilities) and `range_coder`.
//! - Sources of bytes: `platform` (differences between operating systems), `regular` (opening regular files), `source`
//!   (memory, files, supplied ranges), `pieces` (tables in several files), `text_file` (small files, read whole).
//! - Finding files: `location` (folders and addresses), `places` (the ones that a program uses), `address` (the
//!   interface to addresses), `address_text` (addresses as text), `local` (refuses addresses for output), `manifest`
//!   (the list of published files), `name` (file names), `checked` (the list of checked certificates).
//! - Reading: `reader` (a finished table), `probe` (look-ups), `entries` (ranges of positions), `section_blocks` (a
//!   section, wherever it is stored), `check` (checks of a whole table), `extents` (the byte ranges of its blocks),
//!   `recent` and `packed_blocks` (caches of look-ups).
//! - Resources: `error`, `memory` (large allocations), `refused_memory` (running out of memory), `threads` (starting
//!   threads), `parallel` (work on all threads), `progress` (progress reports). With the feature `process`, `process`
//!   ends a process that cannot go on.
//! - Writing tables, with the feature `write`: `writer`, `keys_file` (certificates, excerpts and openings), `version1`
//!   (upgrades old tables), `recode` (changes the form of blocks).
//! - Runs, with the feature `write`: `store` (the append-only file of a run), `journal`, `lock`; for runs on many
//!   machines, `storage`, `section_file` and `assembly`; `per_process` (values that a forked process must create for
//!   itself).
//! - Safe changes to files, with the feature `write`: `disk` (makes them), `part` (files under a temporary name),
//!   `replace` (protects existing files), `own_folder` (folders that the program may delete), `json_lines` (lines with
//!   checksums), `line_journal` (a file of lines).

#![warn(missing_docs)]

pub mod address;
mod address_text;
#[cfg(feature = "write")]
mod assembly;
pub mod blocks;
mod check;
pub mod checked;
mod coded_block;
mod compression;
mod context_model;
#[cfg(feature = "write")]
pub mod disk;
pub mod entries;
mod error;
mod extents;
pub mod format;
#[cfg(feature = "write")]
mod journal;
#[cfg(feature = "write")]
pub mod json_lines;
#[cfg(feature = "write")]
mod keys_file;
#[cfg(feature = "write")]
pub mod line_journal;
#[cfg(feature = "write")]
pub mod local;
pub mod location;
#[cfg(feature = "write")]
mod lock;
pub mod manifest;
pub mod memory;
pub mod name;
#[cfg(feature = "write")]
pub mod own_folder;
mod packed_blocks;
mod pages;
pub mod parallel;
#[cfg(feature = "write")]
mod part;
#[cfg(feature = "write")]
pub mod per_process;
pub mod pieces;
pub mod places;
mod platform;
pub mod probe;
#[cfg(feature = "process")]
pub mod process;
mod progress;
mod range_coder;
mod reader;
mod recent;
#[cfg(feature = "write")]
pub mod recode;
pub mod refused_memory;
mod regular;
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
#[cfg(feature = "write")]
mod writer;

#[cfg(feature = "write")]
pub use assembly::Assembly;
pub use error::{ReadError, Result, TableError, io_text};
pub use format::{Header, IndexKind, Meta, Section, Tally};
#[cfg(feature = "write")]
pub use journal::{Identity, SectionRecord};
#[cfg(feature = "write")]
pub use keys_file::{KeyBytes, write_keys};
#[cfg(feature = "write")]
pub use line_journal::LineJournal;
pub use location::Location;
#[cfg(feature = "write")]
pub use lock::{AT_WORK, RunLock};
pub use manifest::Manifest;
pub use packed_blocks::Weight;
#[cfg(feature = "write")]
pub use part::{PartFile, is_part};
pub use progress::{ESTIMATED_TOTAL, Progress, Silent};
pub use reader::{Rows, Table};
#[cfg(feature = "write")]
pub use replace::{OwnFile, Replaceable, first_bytes};
pub use section_blocks::{SectionBlocks, TableSection};
#[cfg(feature = "write")]
pub use section_file::SectionFile;
#[cfg(feature = "write")]
pub use storage::{PutPolicy, Storage};
#[cfg(feature = "write")]
pub use store::{NewSection, Store, check_work, has_work, remove_any_work, remove_work};
#[cfg(feature = "write")]
pub use writer::{Contents, LISTED_LEVEL, Writer};
