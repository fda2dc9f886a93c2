//! Playing by a certificate.

use std::path::Path;

use super::CertificateGame;
use super::file::{CertificateFile, table_of};
use crate::Strategy;
use yomikiri_rules::{Side, Value};
use yomikiri_table::TableError;
use yomikiri_table::source::ReadAt;

/// Opens a certificate of this variant of a game; that of another one is an error.
pub fn open_strategy<G: CertificateGame>(
    game: &G,
    source: Box<dyn ReadAt>,
    path: &Path,
) -> Result<Box<dyn Strategy<G>>, TableError> {
    let (table, code) = (table_of(source, path)?, game.code());
    match table.header.rule_code() {
        other if other != code => {
            Err(TableError::foreign(path, format!("is the certificate of {other}, not of {code}")))
        }
        _ => Ok(Box::new(CertificateFile::of_table(table)?)),
    }
}

/// Knows nothing where draws count for the winner: then a draw may be all that it can get.
impl<G: CertificateGame> Strategy<G> for CertificateFile<G> {
    /// The loser loses where all its moves lead to positions that are listed or over.
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

    fn hash(&self) -> u64 {
        CertificateFile::hash(self)
    }

    fn winning_move(&self, position: &G::Position) -> Result<Option<G::Move>, TableError> {
        let can_win = !self.claim.draws_win() && self.claim.game.side(position) == self.claim.winner;
        if can_win { CertificateFile::winning_move(self, position) } else { Ok(None) }
    }
}
