//! Playing by a certificate.

use std::path::Path;

use super::file::rules_in;
use super::{Certificate, CertificateGame};
use crate::Strategy;
use yomikiri_rules::{AnyGame, Side, Value};
use yomikiri_table::TableError;
use yomikiri_table::source::ReadSeek;

/// Reads a certificate of this variant of a game; that of another one is an error.
pub fn open_strategy<G: CertificateGame>(
    game: &G,
    file: &mut dyn ReadSeek,
    path: &Path,
) -> Result<Box<dyn Strategy<G>>, TableError> {
    let foreign =
        |other: String| TableError::foreign(path, format!("is the certificate of {other}, not of {}", game.code()));
    let certificate = Certificate::<G>::read_from(&mut *file, path).map_err(|error| {
        // What is well made for another game makes no sense in this one.
        let rules = file.rewind().ok().and_then(|()| rules_in(file));
        let other = rules.filter(|code| G::parse(code).is_err() && AnyGame::parse(code).is_ok());
        other.map_or(error, foreign)
    })?;
    match certificate.game.code() {
        other if other != game.code() => Err(foreign(other)),
        _ => Ok(Box::new(certificate)),
    }
}

/// Knows nothing where draws count for the winner: then a draw may be all that it can get.
impl<G: CertificateGame> Strategy<G> for Certificate<G> {
    /// The loser loses where all its moves lead to positions that are listed or over.
    fn winner(&self, position: &G::Position) -> Option<Side> {
        let end = |position: &G::Position| self.game.terminal_value(position);
        let of_end = |position: &G::Position, value: G::Value| value.outcome().winner(self.game.side(position));
        if let Some(value) = end(position) {
            return of_end(position, value);
        }
        if self.game.side(position) == self.winner {
            return Strategy::winning_move(self, position).map(|_| self.winner);
        }
        let moves = self.game.legal_moves(position);
        let is_won = |&mv: &G::Move| {
            let child = self.game.play(position, mv);
            match end(&child) {
                Some(value) => of_end(&child, value) == Some(self.winner),
                None => self.listed(self.game.rank(&child)).is_some(),
            }
        };
        (!self.draws_win() && moves.iter().all(is_won)).then_some(self.winner)
    }

    fn winning_move(&self, position: &G::Position) -> Option<G::Move> {
        let can_win = !self.draws_win() && self.game.side(position) == self.winner;
        can_win.then(|| Certificate::winning_move(self, position)).flatten()
    }
}
