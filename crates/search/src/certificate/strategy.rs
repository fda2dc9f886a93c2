//! Playing by a certificate.

use std::path::Path;

use super::endgame::EndgameSolver;
use super::file::{CertificateFile, table_of};
use super::{CertificateGame, Claim};
use crate::Strategy;
use yomikiri_rules::{Side, Value};
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

/// The maximum number of plies left at which [`Strategy::winner_near_end`] searches a position, even if the horizon is
/// larger.
const MAX_PLIES: u32 = 8;

/// Opens a certificate of the variant `game`. Returns an error if the certificate is of another variant. Errors name
/// `path`.
pub fn open_strategy<G: CertificateGame>(
    game: &G,
    source: Box<dyn ReadAt>,
    path: &Path,
) -> Result<Box<dyn Strategy<G>>, TableError> {
    let (table, code) = (table_of(source, path)?, game.code());
    match table.header.rule_code() {
        other if other != code => {
            Err(TableError::foreign(path, format!("is a certificate of {}, not of {code}", other.escape_debug())))
        }
        _ => Ok(Box::new(CertificateFile::of_table(table)?)),
    }
}

/// If a draw counts as a win for the winner of a certificate, the certificate does not tell a win from a draw. It then
/// gives no moves, and gives the winners of terminal positions only.
impl<G: CertificateGame> Strategy<G> for CertificateFile<G> {
    /// If the loser of the claim is to move, every move has to lead to a listed position or to a terminal position that
    /// the winner of the claim wins.
    fn winner(&self, position: &G::Position) -> Result<Option<Side>, TableError> {
        let (game, winner) = (&self.claim.game, self.claim.winner);
        let of_end = |position: &G::Position, value: G::Value| value.outcome().winner(game.side(position));
        if let Some(value) = game.terminal_value(position) {
            return Ok(of_end(position, value));
        }
        if game.side(position) == winner {
            return Ok(Strategy::winning_move(self, position)?.map(|_| winner));
        }
        for mv in game.legal_moves(position) {
            let child = game.play(position, mv);
            let is_won = match game.terminal_value(&child) {
                Some(value) => of_end(&child, value) == Some(winner),
                None => self.listed(game.rank(&child))?.is_some(),
            };
            if !is_won || self.claim.draws_win() {
                return Ok(None);
            }
        }
        Ok((!self.claim.draws_win()).then_some(winner))
    }

    fn winner_near_end(&self, position: &G::Position) -> Option<Side> {
        let Claim { game, winner, draws, horizon, .. } = &self.claim;
        if game.is_terminal(position) || game.plies_left(position) > MAX_PLIES.min(*horizon) {
            return None;
        }
        let own = game.side(position) == *winner;
        match EndgameSolver::new(game, self.claim.draws_win(), 1).wins(position, own) == own {
            // If a draw counts as a win for the winner of the claim, the search does not tell wins from draws.
            true => (!self.claim.draws_win()).then_some(*winner),
            false => draws.is_none().then_some(winner.other()),
        }
    }

    fn hash(&self) -> u64 {
        CertificateFile::hash(self)
    }

    fn winning_move(&self, position: &G::Position) -> Result<Option<G::Move>, TableError> {
        let can_win = !self.claim.draws_win() && self.claim.game.side(position) == self.claim.winner;
        if can_win { CertificateFile::winning_move(self, position) } else { Ok(None) }
    }
}
