//! The interface that the command uses to solve, audit and probe any game.

use std::ops::Range;
use std::path::Path;

use crate::adapter::Adapter;
use crate::estimate::Estimate;
use crate::move_counts::CountMoves;
use crate::{Resident, Result, SolveOptions, Wins};
use yomikiri_table::entries::{Entries, EntryReader};
#[cfg(feature = "write")]
use yomikiri_table::recode::Packing;
use yomikiri_table::{Progress, Table, TableError};

/// A subgame, solved in memory: the values of one position and of all positions that can follow it.
pub struct Solved {
    /// One or more lists of keys in ascending order, each with the table bytes of its keys.
    pub levels: Vec<(Vec<u64>, Vec<u8>)>,
}

impl Solved {
    /// Returns the table byte of a key, or `None` if the subgame does not have the key.
    pub fn byte(&self, key: u64) -> Option<u8> {
        self.levels.iter().find_map(|(keys, bytes)| keys.binary_search(&key).ok().map(|at| bytes[at]))
    }
}

/// A game that the command can solve, with the kernel that its line in the registry names ([`crate::kernels`]). In all
/// methods, `root` is the root position of a subgame, or `None` for the whole game.
///
/// **Costs** are known before a run, and small games are solved in memory:
///
/// ```
/// use yomikiri_rules::{AnyGame, Game};
/// use yomikiri_solve::Solvable;
/// use yomikiri_table::Silent;
///
/// let game = AnyGame::parse("con3x3-k3")?;
/// assert!(!game.is_cyclic() && game.memory_needed().is_some());
/// assert!(game.estimate().total() > 100.0);
/// let solved = game.solve_subgame(&game.start(), 16 << 20, &Silent)?;
/// assert!(solved.byte(game.rank(&game.start())).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **Runs** make tables and audit them ([`crate::pipeline`] does both, and names the file):
///
/// ```
/// # #[cfg(feature = "write")] {
/// use std::time::Duration;
///
/// use yomikiri_rules::AnyGame;
/// use yomikiri_solve::{SolveOptions, Solvable};
/// use yomikiri_table::{Silent, probe};
///
/// let (game, folder) = (AnyGame::parse("con3x3-k3")?, tempfile::tempdir()?);
/// let path = folder.path().join("con3x3-k3.unaudited");
/// let checkpoint = Duration::from_secs(60);
/// let options = SolveOptions { memory: 128 << 20, force: false, checkpoint, progress: &Silent };
/// game.solve(None, &path, &options)?;
/// game.audit(None, &probe::open(&game, &path)?, &options)?;
/// assert!(game.pack(&path, &Silent).is_err(), "this table lists all its positions");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **Look-ups** read tables:
///
/// ```
/// # #[cfg(feature = "write")] {
/// # use std::time::Duration;
/// use yomikiri_rules::{AnyGame, Game, Value};
/// use yomikiri_solve::{Solvable, SolveOptions, Wins, pipeline};
/// use yomikiri_table::Silent;
///
/// # let (game, folder) = (AnyGame::parse("bin2x2")?, tempfile::tempdir()?);
/// # let checkpoint = Duration::from_secs(60);
/// # let options = SolveOptions { memory: 128 << 20, force: false, checkpoint, progress: &Silent };
/// let table = pipeline::analyze(&game, None, folder.path(), &options)?.table;
/// let start = game.start();
/// let value = game.probe(&table, &start)?.expect("the start is in its table");
/// assert_eq!(game.probe_all(&table, None, &[game.rank(&start)])?, [value.to_byte()]);
/// let resident = game.load(&table, Wins::All)?;
/// assert_eq!(game.probe_all(&table, resident.as_ref(), &[game.rank(&start)])?, [value.to_byte()]);
/// let all = game.entries(&table, None, 0..u64::MAX)?;
/// assert_eq!(all.keys.len() as u64, table.header.positions.get());
/// let counts = game.move_counter(&table, 1 << 20)?.count(&all.keys[..1])?;
/// assert_eq!(usize::from(counts[0].legal), game.legal_moves(&game.unrank(all.keys[0]).expect("a key")).len());
/// assert_eq!(game.audit_sample(&table, 10, &Silent)?, 10);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Solvable: Adapter {
    /// True if a position can arise again at a later ply. Positions then have no ply, and the statistics of a table
    /// count outcomes for the side to move.
    fn is_cyclic(&self) -> bool;

    /// Returns the least memory, in bytes, for a run over the whole game; `None` if no machine has that much.
    fn memory_needed(&self) -> Option<u64>;

    /// Estimates the number of undecided positions of the whole game.
    fn estimate(&self) -> Estimate;

    /// Enumerates and solves the game, and writes a finished table to `path`.
    #[cfg(feature = "write")]
    fn solve(&self, root: Option<&Self::Position>, path: &Path, options: &SolveOptions) -> Result<()>;

    /// Checks every position of a finished table, and its counts. If the file has the extension `unaudited`, the audit
    /// of tiers saves its state beside the file at intervals, and resumes from that state after an interruption.
    #[cfg(feature = "write")]
    fn audit(&self, root: Option<&Self::Position>, table: &Table, options: &SolveOptions) -> Result<()>;

    /// Returns the least memory for [`Solvable::audit`] of a table, in bytes.
    #[cfg(feature = "write")]
    fn audit_memory(&self, root: Option<&Self::Position>, table: &Table) -> Result<u64>;

    /// Rewrites a finished table in place in its smaller form, unless it has that form already or would not become
    /// smaller. Only tables that leave out an outcome have such a form; for other tables this returns an error.
    #[cfg(feature = "write")]
    fn pack(&self, path: &Path, progress: &dyn Progress) -> Result<Packing>;

    /// Returns the value of a position from a table of this game; `None` if the table does not have the position.
    fn probe(&self, table: &Table, position: &Self::Position) -> Result<Option<Self::Value>, TableError>;

    /// Returns the table byte of each key, in order; 0 for keys that the table does not have. The keys must be in
    /// ascending order. Each block is inflated once or twice, whatever the number of keys. If `resident` has the table
    /// in memory, no block is inflated.
    fn probe_all(&self, table: &Table, resident: Option<&Resident>, keys: &[u64]) -> Result<Vec<u8>, TableError>;

    /// Reads a table into memory. `wins` says when the distances of unlisted wins are computed. A table that leaves out
    /// an outcome takes a byte for each key of the game. A table of rows takes about nine bytes for each row and one
    /// for each position. Returns `None` for a table of sorted keys, in which a look-up needs only one block anyway.
    fn load(&self, table: &Table, wins: Wins) -> Result<Option<Resident>>;

    /// Returns the keys and bytes of the positions whose keys are in a range. If the table leaves out wins and
    /// `resident` is `None`, the call reads the whole table into memory.
    fn entries(&self, table: &Table, resident: Option<&Resident>, range: Range<u64>) -> Result<Entries>;

    /// Checks `count` different positions of a table. The choice is random, but the same each time. Returns the number
    /// of positions checked, which is smaller if the table has too few.
    fn audit_sample(&self, table: &Table, count: u64, progress: &dyn Progress) -> Result<u64>;

    /// Returns a function that reads the positions in a range of keys. It is better than [`Solvable::entries`] for many
    /// calls, because a table that leaves out wins is read into memory only once.
    fn entry_reader<'a>(&'a self, table: &'a Table) -> Result<EntryReader<'a>>;

    /// Returns a counter of the moves of positions in a table. If the counter has a cache, the cache takes at most
    /// about `memory` bytes.
    fn move_counter<'a>(&'a self, table: &'a Table, memory: u64) -> Result<Box<dyn CountMoves + 'a>>;

    /// Solves a position and all positions that can follow it. Returns [`TooLarge`](crate::SolveError::TooLarge) if
    /// that takes more than `memory` bytes, or more than the kernel allows.
    fn solve_subgame(&self, position: &Self::Position, memory: u64, progress: &dyn Progress) -> Result<Solved>;
}
