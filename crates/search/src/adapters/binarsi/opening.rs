//! Proves the openings of Binarsi.

use super::proof_hooks::BinarsiProof;
use crate::opening::{GroupProof, GroupQueue, PlyGroup, ProveError, ProvedPositions};
use crate::proof::{Prover, Stopped};
use crate::{Result, SearchError};
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_table::TableError;

/// The memory for the positions that certificates have proved is `1 / KEPT_SHARE` of the whole memory.
const KEPT_SHARE: u64 = 4;

/// A prover of openings. From one call to the next, it keeps its transposition table and the positions that
/// certificates have proved.
pub struct OpeningProver {
    prover: Prover<BinarsiProof>,
    checked: ProvedPositions,
}

/// Callbacks of [`OpeningProver::prove`]. All threads call them.
pub struct OpeningEvents<'a> {
    /// Is called after the proof of each position.
    pub decided: &'a (dyn Fn() + Sync),
    /// Is called with the result for each group of positions. An error stops the work.
    pub proved: &'a (dyn Fn(GroupProof) -> Result<(), TableError> + Sync),
}

/// The reason why the work on a group of positions ended early.
enum GroupError {
    Fault(ProveError),
    File(TableError),
}

impl From<ProveError> for GroupError {
    fn from(fault: ProveError) -> GroupError {
        GroupError::Fault(fault)
    }
}

impl From<TableError> for GroupError {
    fn from(error: TableError) -> GroupError {
        GroupError::File(error)
    }
}

impl From<Stopped> for GroupError {
    fn from(stopped: Stopped) -> GroupError {
        GroupError::Fault(stopped.into())
    }
}

impl OpeningProver {
    /// Creates a prover that uses at most `memory` bytes and `threads` threads.
    pub fn new(game: &Binarsi, memory: u64, threads: usize) -> OpeningProver {
        let prover = Prover::new(BinarsiProof::new(game), memory - memory / KEPT_SHARE, threads);
        OpeningProver { prover, checked: ProvedPositions::new(memory / KEPT_SHARE) }
    }

    /// Proves groups of positions on all threads; each thread proves one position at a time. `go_on` is called several
    /// times a second; once it returns false, the threads drop the groups that are not complete. Returns the first
    /// fault of a proof, if there is one.
    ///
    /// # Errors
    ///
    /// If the system refuses to start a thread, or `events.proved` fails.
    pub fn prove(
        &mut self,
        groups: Vec<PlyGroup>,
        events: &OpeningEvents<'_>,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Option<ProveError>> {
        let OpeningProver { prover, checked } = self;
        let queue = GroupQueue::new(groups);
        let result = prover.with_solvers(
            |mut solver| {
                while let Some(position) = queue.take() {
                    let proved = queue.prove(&mut solver, position, checked)?;
                    (events.decided)();
                    proved.map_or(Ok(()), events.proved)?;
                }
                Ok::<_, GroupError>(())
            },
            &mut go_on,
        );
        prover.take_refused()?;
        match result {
            Ok(()) | Err(GroupError::Fault(ProveError::Stopped)) => Ok(None),
            Err(GroupError::Fault(fault)) => Ok(Some(fault)),
            Err(GroupError::File(error)) => Err(SearchError::from(error)),
        }
    }
}
