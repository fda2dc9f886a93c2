//! Strategies: winners and winning moves, without the number of plies to the end.

use yomikiri_rules::{Game, Side};
use yomikiri_table::TableError;

/// A source of winners and winning moves, such as a certificate or an opening. A method returns an error if the data
/// that it reads is damaged.
pub trait Strategy<G: Game> {
    /// Returns the winner of a position; `None` if it is not known.
    fn winner(&self, position: &G::Position) -> Result<Option<Side>, TableError>;

    /// Returns the winner of a position that a certificate does not list because it is too near the end. The winner is
    /// found by a search of some milliseconds. Returns `None` for any other position, and if the search cannot tell a
    /// win from a draw.
    fn winner_near_end(&self, position: &G::Position) -> Option<Side>;

    /// The hash in the header of the file. It covers the whole file.
    fn hash(&self) -> u64;

    /// Returns a legal move that wins for the side to move; `None` if none is known.
    fn winning_move(&self, position: &G::Position) -> Result<Option<G::Move>, TableError>;

    /// Returns true for an opening, which lists winners but does not prove them.
    fn is_opening(&self) -> bool {
        false
    }
}
