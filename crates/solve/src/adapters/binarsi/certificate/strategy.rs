//! Playing by a certificate.

use super::Certificate;
use crate::Strategy;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::games::binarsi::board::Position;
use yomikiri_rules::games::binarsi::moves::Move;
use yomikiri_rules::value::Side;

impl Strategy<Binarsi> for Certificate {
    /// The loser loses where all its moves lead to positions that are listed or over.
    fn winner(&self, position: &Position) -> Option<Side> {
        let over = self.game.winner(position);
        if over.is_some() {
            return over;
        }
        if position.side() == self.winner {
            return self.winning_move(position).map(|_| self.winner);
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let is_won = |&mv: &Move| {
            let child = self.game.play(position, mv);
            let over = self.game.winner(&child);
            over.map_or_else(|| self.listed(self.game.key(&child)).is_some(), |winner| winner == self.winner)
        };
        moves.iter().all(is_won).then_some(self.winner)
    }

    fn winning_move(&self, position: &Position) -> Option<Move> {
        Certificate::winning_move(self, position)
    }
}
