//! The file of a certificate: a table of sorted keys whose values are moves, so that one question reads a block.

use std::path::Path;

use super::claim::{Claim, Meta};
use super::game::keys_end;
use super::{Certificate, CertificateGame};
use yomikiri_table::blocks::probe_keys;
use yomikiri_table::entries::each_block;
use yomikiri_table::source::{FileSource, ReadAt};
#[cfg(feature = "write")]
use yomikiri_table::{Contents, Part, Replace, Writer};
use yomikiri_table::{IndexKind, Silent, Table, TableError};

/// The value codec of certificates.
const MOVES: u8 = 4;

/// Zstandard level of the blocks: they are few, and kept for long.
#[cfg(feature = "write")]
const LEVEL: i32 = 19;

/// A certificate in its file. Nothing is read but what questions need.
pub struct CertificateFile<G: CertificateGame> {
    pub claim: Claim<G>,
    table: Table,
}

impl<G: CertificateGame> CertificateFile<G> {
    /// Opens a file. That its checksums are right and its words make sense does not make it a proof:
    /// [`super::check`] does.
    pub fn open(path: &Path) -> Result<CertificateFile<G>, TableError> {
        CertificateFile::of_table(table_at(path)?)
    }

    /// As [`CertificateFile::open`], from bytes anywhere; `path` is what errors call them.
    pub fn from_source(source: Box<dyn ReadAt>, path: &Path) -> Result<CertificateFile<G>, TableError> {
        CertificateFile::of_table(table_of(source, path)?)
    }

    pub(super) fn of_table(table: Table) -> Result<CertificateFile<G>, TableError> {
        let revision = G::RULES_REVISION;
        if table.header.rules_revision != revision {
            let made_by = table.header.rules_revision;
            let what = format!("made by revision {made_by} of the rules, this program has {revision}");
            return Err(TableError::foreign(table.path(), what));
        }
        let meta: Meta = table.meta_as()?;
        let claim = Claim::of_meta(&table.header.rule_code(), &meta).map_err(|what| table.damaged(what))?;
        Ok(CertificateFile { claim, table })
    }

    /// The header hash, which stands for the whole file.
    pub fn hash(&self) -> u64 {
        self.table.header.header_hash.get()
    }

    /// The byte of the move listed for a key.
    pub fn listed(&self, key: u64) -> Result<Option<u8>, TableError> {
        let Some((_, block)) = self.table.block_of(key)? else { return Ok(None) };
        let byte = probe_keys(&self.table.recent_block(&block)?, block.rows as usize, block.key, key);
        byte.ok_or_else(|| self.table.damaged("a block has the wrong size"))
    }

    /// The winner's move in a position in which it is to move; `None` if none is listed.
    pub fn winning_move(&self, position: &G::Position) -> Result<Option<G::Move>, TableError> {
        let byte = self.listed(self.claim.game.rank(position))?;
        Ok(byte.and_then(|byte| self.claim.corresponding_move(position, byte)))
    }

    /// Reads all of it, after the checks of a whole file ([`Table::check`]).
    pub fn load(self) -> Result<Certificate<G>, TableError> {
        let (CertificateFile { claim, table }, mut keys, mut moves) = (self, Vec::<u64>::new(), Vec::new());
        table.check(&Silent)?;
        let (end, positions) = (keys_end(&claim.game), table.header.positions.get());
        let is_move: [bool; 256] = std::array::from_fn(|byte| claim.game.byte_text(byte as u8).is_some());
        each_block(&table, |entries| {
            let ascends = keys.last().is_none_or(|last| *last < entries.keys[0]);
            if !ascends || entries.keys.last().is_some_and(|&last| last >= end) {
                return Err(table.damaged("its keys do not ascend, or are none of its board"));
            }
            if !entries.bytes.iter().all(|&byte| is_move[usize::from(byte)]) {
                return Err(table.damaged("has bytes that are no moves"));
            }
            keys.extend_from_slice(&entries.keys);
            moves.extend_from_slice(&entries.bytes);
            match keys.len() as u64 <= positions {
                true => Ok(()),
                false => Err(table.damaged("lists more positions than its header says")),
            }
        })?;
        match keys.len() as u64 == positions {
            true => Ok(Certificate { claim, keys, moves }),
            false => Err(table.damaged("lists fewer positions than its header says")),
        }
    }
}

impl<G: CertificateGame> Certificate<G> {
    /// Reads a file: see [`CertificateFile`].
    pub fn read(path: &Path) -> Result<Certificate<G>, TableError> {
        CertificateFile::open(path)?.load()
    }

    /// Writes the file, under another name first. It replaces no file but a certificate of the same rules.
    #[cfg(feature = "write")]
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        self.write_over(path, own(&self.claim.game.code()))
    }

    /// As [`Certificate::write`], where `replace` says what may lie at `path` already.
    #[cfg(feature = "write")]
    pub fn write_over(&self, path: &Path, replace: Replace) -> Result<(), TableError> {
        let (part, file) = Part::create(path, replace)?;
        let mut writer = Writer::new(file, LEVEL);
        let blocks = writer.append_keys(&self.keys, &self.moves, path)?;
        let contents = Contents {
            kind: IndexKind::SortedKeys,
            value_codec: MOVES,
            rule_code: &self.claim.game.code(),
            rules_revision: G::RULES_REVISION,
            positions: self.keys.len() as u64,
        };
        writer.finish(&contents, &blocks, &self.claim.meta(), path)?;
        part.finish(writer.file())
    }
}

/// The rule code that a file says its certificate is about.
pub fn rules_of(path: &Path) -> Result<String, TableError> {
    Ok(table_at(path)?.header.rule_code())
}

/// Certificates of these rules, which may be replaced by another one of them.
#[cfg(feature = "write")]
pub fn own(code: &str) -> Replace {
    let rules = code.to_string();
    Replace::own(format!("a certificate of {code}"), move |path| rules_of(path).is_ok_and(|found| found == rules))
}

fn table_at(path: &Path) -> Result<Table, TableError> {
    table_of(Box::new(FileSource::open(path)?), path)
}

/// The table that a certificate is.
pub(super) fn table_of(source: Box<dyn ReadAt>, path: &Path) -> Result<Table, TableError> {
    let table = Table::of_any_game(source, path)?;
    match (table.header.value_codec, table.header.index_kind) {
        (MOVES, IndexKind::SortedKeys) => Ok(table),
        _ => Err(TableError::foreign(path, "is a table, not a certificate")),
    }
}
