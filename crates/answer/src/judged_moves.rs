//! The order of judged moves, and what follows from the outcomes of the others.

use std::cmp::Reverse;

use super::oracle::JudgedMove;
use yomikiri_rules::Outcome;

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
