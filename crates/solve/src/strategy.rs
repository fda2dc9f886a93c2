//! Who wins and how, without how soon.

use yomikiri_rules::{Game, Side};
use yomikiri_table::TableError;

/// Knows who wins some positions, and moves that win them: what a certificate lists. Damage is found where it is read.
pub trait Strategy<G: Game> {
    /// Who wins a position, where that is known.
    fn winner(&self, position: &G::Position) -> Result<Option<Side>, TableError>;

    /// Who wins a position near the end, by a search of some milliseconds: beyond the horizon of a certificate, where
    /// it lists nothing because anybody can tell. `None` for any other position.
    fn winner_near_end(&self, position: &G::Position) -> Option<Side>;

    /// The header hash of its file, which stands for all of it.
    fn hash(&self) -> u64;

    /// A legal move that wins for the side to move, where one is known.
    fn winning_move(&self, position: &G::Position) -> Result<Option<G::Move>, TableError>;
}
