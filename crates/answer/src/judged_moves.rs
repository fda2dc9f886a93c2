//! Judges the moves of a position by files, rules and small subgames, and puts them in order.

use std::cmp::Reverse;

use super::answerer::{Answerer, BESIDE_SEARCH};
use super::oracle::JudgedMove;
use yomikiri_rules::{AnyPosition, Game, Outcome, Value};
use yomikiri_solve::{Result, SolveError};
use yomikiri_table::{Progress, Silent};

impl<'a> Answerer<'a> {
    /// Returns the legal moves of `position` with everything that is known about each. Certificates give outcomes. A
    /// move has an exact value if it ends the game or leads to a position of a table. A certificate lists no moves in
    /// positions near the end. A move to such a position also has an exact value if few enough positions can follow to
    /// solve them all. Wins come first, then moves with unknown outcome, then draws, then losses.
    pub fn judge(&mut self, position: &AnyPosition, progress: &'a dyn Progress) -> Result<Vec<JudgedMove>, SolveError> {
        self.judge_within(position, BESIDE_SEARCH, progress)
    }

    /// Does the same as [`Answerer::judge`] in milliseconds: it solves no positions.
    pub fn judge_by_files(&mut self, position: &AnyPosition) -> Result<Vec<JudgedMove>, SolveError> {
        self.judge_within(position, 0, &Silent)
    }

    /// Judges the moves. To solve the positions that can follow a move takes at most `memory` bytes; with 0, none are
    /// solved.
    fn judge_within(
        &mut self,
        position: &AnyPosition,
        memory: u64,
        progress: &'a dyn Progress,
    ) -> Result<Vec<JudgedMove>, SolveError> {
        let (game, mover, certificates) = (self.game(), self.game().side(position), self.certificates()?);
        let listed = certificates.winning_move(position)?;
        let winner = certificates.winner(position)?;
        // Every move of a lost position loses.
        let lost = winner.filter(|&winner| winner != mover);
        let mut is_small = memory > 0;
        let judge = |mv| {
            let position = game.play(position, mv);
            let near_end = certificates.winner_near_end(&position);
            // If too many positions can follow one move to solve them all, the same will be true of the other moves.
            let value = match near_end.filter(|_| is_small).map(|_| self.exact(&position, memory, progress)) {
                Some(Ok(oracle)) => Some(oracle.value(&position)?.of_move()),
                Some(Err(SolveError::TooLarge(_))) => {
                    is_small = false;
                    None
                }
                Some(Err(error)) => return Err(error),
                None => match game.terminal_value(&position) {
                    None => self.table_of(&position)?.map(|oracle| oracle.value(&position)).transpose()?,
                    over => over,
                }
                .map(Value::of_move),
            };
            let known =
                certificates.known_winner(&position)?.or(near_end).or((listed == Some(mv)).then_some(mover)).or(lost);
            let certified = known.map(|winner| Outcome::of_winner(Some(winner), mover));
            Ok(JudgedMove { mv, position, outcome: value.map(Value::outcome).or(certified), value })
        };
        let mut moves = game.legal_moves(position).into_iter().map(judge).collect::<Result<Vec<_>, SolveError>>()?;
        if winner == Some(mover) {
            note_only_win(&mut moves);
        }
        best_first(&mut moves);
        Ok(moves)
    }
}

/// Sorts moves: wins first, then moves with unknown outcome, then draws, then losses. Within each group, better values
/// come first. Moves with equal values keep their order.
pub(super) fn best_first(moves: &mut [JudgedMove]) {
    let class = |mv: &JudgedMove| match mv.outcome {
        Some(Outcome::Win) => 0,
        None => 1,
        Some(Outcome::Draw) => 2,
        Some(Outcome::Loss) => 3,
    };
    moves.sort_by_key(|mv| (class(mv), Reverse(mv.value)));
}

/// Sets the outcome of the moves that win a won position because no other move can: all others are known not to win,
/// and these lead to one position. Changes nothing if a winning move is known, or if several positions are left.
pub(super) fn note_only_win(moves: &mut [JudgedMove]) {
    let mut open = moves.iter_mut().filter(|mv| matches!(mv.outcome, None | Some(Outcome::Win))).collect::<Vec<_>>();
    let is_one = open.windows(2).all(|pair| pair[0].position == pair[1].position);
    if is_one && open.iter().all(|mv| mv.outcome.is_none()) {
        open.iter_mut().for_each(|mv| mv.outcome = Some(Outcome::Win));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::{AnyGame, Game};

    /// Marks all moves of the start as losses, except those to the first `left` positions.
    fn judged(left: usize) -> Vec<JudgedMove> {
        let game = AnyGame::parse("bin3x3").unwrap();
        let mut positions = Vec::new();
        let judge = |mv| {
            let position = game.play(&game.start(), mv);
            if !positions.contains(&position) {
                positions.push(position);
            }
            let place = positions.iter().position(|other| *other == position).unwrap();
            JudgedMove { mv, position, outcome: (place >= left).then_some(Outcome::Loss), value: None }
        };
        game.legal_moves(&game.start()).into_iter().map(judge).collect()
    }

    #[test]
    fn the_only_move_that_is_not_lost_wins_a_won_position() {
        for left in [1, 2] {
            let mut moves = judged(left);
            let expected = if left == 1 { Some(Outcome::Win) } else { None };
            note_only_win(&mut moves);
            let found: Vec<_> = moves.iter().filter(|mv| mv.outcome != Some(Outcome::Loss)).collect();
            assert_eq!(found.len(), left);
            assert!(found.iter().all(|mv| mv.outcome == expected));
        }
    }
}
