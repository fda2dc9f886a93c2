//! The file of a certificate: a table of sorted keys whose values are moves. A look-up reads one block.

use std::path::Path;

use super::claim::{Claim, Meta};
use super::game::keys_end;
use super::{Certificate, CertificateGame};
use yomikiri_table::entries::each_block;
use yomikiri_table::probe;
use yomikiri_table::source::{FileSource, ReadAt};
use yomikiri_table::{IndexKind, Silent, Table, TableError};
#[cfg(feature = "write")]
use yomikiri_table::{KeyBytes, Replaceable, write_keys};

/// The number in the header of a certificate file that tells that its values are moves.
const MOVES: u8 = 4;

/// A certificate in a file. Look-ups read only the blocks that they need.
pub struct CertificateFile<G: CertificateGame> {
    /// The claim that the certificate proves.
    pub claim: Claim<G>,
    table: Table,
}

impl<G: CertificateGame> CertificateFile<G> {
    /// Opens a file. Valid checksums and a readable claim do not prove the claim; only [`super::check`] does.
    pub fn open(path: &Path) -> Result<CertificateFile<G>, TableError> {
        CertificateFile::of_table(table_at(path)?)
    }

    /// As [`CertificateFile::open`], but reads from any source. Errors name `path`.
    pub fn from_source(source: Box<dyn ReadAt>, path: &Path) -> Result<CertificateFile<G>, TableError> {
        CertificateFile::of_table(table_of(source, path)?)
    }

    pub(super) fn of_table(table: Table) -> Result<CertificateFile<G>, TableError> {
        let meta: Meta = table.meta_as()?;
        let claim = Claim::<G>::of_meta(&table.header.rule_code(), &meta).map_err(|what| table.damaged(what))?;
        let revision = claim.game.rules_revision();
        if table.header.rules_revision != revision {
            let made_by = table.header.rules_revision;
            let what = format!("rules revision {made_by} does not match revision {revision} of this program");
            return Err(TableError::foreign(table.path(), what));
        }
        Ok(CertificateFile { claim, table })
    }

    /// The hash in the header, which covers the whole file.
    pub fn hash(&self) -> u64 {
        self.table.header.header_hash.get()
    }

    /// Returns the move byte that is listed for a key; `None` if the key is not listed.
    pub fn listed(&self, key: u64) -> Result<Option<u8>, TableError> {
        probe::byte(&self.table, key)
    }

    /// Returns the winner's move in a position with the winner to move, or `None` if none is listed.
    pub fn winning_move(&self, position: &G::Position) -> Result<Option<G::Move>, TableError> {
        let byte = self.listed(self.claim.game.rank(position))?;
        Ok(byte.and_then(|byte| self.claim.corresponding_move(position, byte)))
    }

    /// Reads all listed positions and moves, after checking the file ([`Table::check`]).
    pub fn load(self) -> Result<Certificate<G>, TableError> {
        let (CertificateFile { claim, table }, mut keys, mut moves) = (self, Vec::<u64>::new(), Vec::new());
        table.check(&Silent)?;
        let (end, positions) = (keys_end(&claim.game), table.header.positions.get());
        let is_move: [bool; 256] = std::array::from_fn(|byte| claim.game.byte_text(byte as u8).is_some());
        each_block(&table, |entries| {
            let ascends = keys.last().is_none_or(|last| *last < entries.keys[0]);
            if !ascends || entries.keys.last().is_some_and(|&last| last >= end) {
                return Err(table.damaged("keys do not ascend, or are outside the key range of its board"));
            }
            if !entries.bytes.iter().all(|&byte| is_move[usize::from(byte)]) {
                return Err(table.damaged("has bytes that are not moves"));
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
    /// Reads a whole file. See [`CertificateFile`].
    pub fn read(path: &Path) -> Result<Certificate<G>, TableError> {
        CertificateFile::open(path)?.load()
    }

    /// Writes a file under a temporary name and renames it. An existing file is replaced only if it is a certificate of
    /// the same rules.
    #[cfg(feature = "write")]
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        self.write_over(path, replaceable(&self.claim.game.code()))
    }

    /// As [`Certificate::write`], but `replace` says which file at `path` may be replaced.
    #[cfg(feature = "write")]
    pub fn write_over(&self, path: &Path, replace: Replaceable) -> Result<(), TableError> {
        let Certificate { claim, keys, moves } = self;
        write_keys(&claim.game, path, replace, KeyBytes { keys, bytes: moves, codec: MOVES }, &claim.meta())
    }
}

/// Returns the rule code that a certificate file states.
pub fn rules_of(path: &Path) -> Result<String, TableError> {
    Ok(table_at(path)?.header.rule_code())
}

/// Returns the files that a certificate may replace: certificates of the same rules.
#[cfg(feature = "write")]
pub fn replaceable(code: &str) -> Replaceable {
    let rules = code.to_string();
    Replaceable::own(format!("a certificate of {code}"), move |path| rules_of(path).is_ok_and(|found| found == rules))
}

fn table_at(path: &Path) -> Result<Table, TableError> {
    table_of(Box::new(FileSource::open(path)?), path)
}

/// Opens the table of a certificate file.
pub(super) fn table_of(source: Box<dyn ReadAt>, path: &Path) -> Result<Table, TableError> {
    let table = Table::open_any_game(source, path)?;
    match (table.header.value_codec, table.header.index_kind) {
        (MOVES, IndexKind::SortedKeys) => Ok(table),
        _ => Err(TableError::foreign(path, "is a table, not a certificate")),
    }
}
