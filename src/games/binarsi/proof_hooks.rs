//! Which positions are the same for a proof.
//!
//! Mirror images are, as for tables. And a side that misses a target which can no longer be cleared can win by the count
//! alone: its other targets do not matter any more, whichever it has cleared. Its bits are then all set, which no position
//! of a game that goes on has.

use crate::games::binarsi::game::Binarsi;
use crate::games::binarsi::kernel::CompactPosition;
use crate::games::binarsi::targets::{self, BLACK_ALL};

/// A position with all targets set of each side that cannot win by targets any more.
pub fn normal(game: &Binarsi, field: &CompactPosition) -> CompactPosition {
    let hope = game.successors.lines.attainable(field, targets::ALL);
    CompactPosition { targets: field.targets | targets::ALL & !hope, ..*field }
}

/// The number of a position that is not decided by targets; positions with the same number have the same winner.
pub fn key(game: &Binarsi, field: &CompactPosition) -> u64 {
    key_of_normal(game, &normal(game, field))
}

/// The same for a position whose targets are set as [`normal`] does.
pub fn key_of_normal(game: &Binarsi, normal: &CompactPosition) -> u64 {
    game.keys.canonical(&game.rules, &normal.position()).1
}

/// What positions have in common that differ in nothing but targets, from their numbers.
#[inline]
pub fn board(key: u64) -> u64 {
    key >> 6
}

/// Whether of two positions that differ in nothing but targets the first is at least as good for Black: Black has cleared whatever it has in
/// the second, and White nothing more. By the same moves each side has all its targets no later, or no sooner, than there; whoever
/// wins there with less wins here.
#[inline]
pub fn is_as_good_for_black(first: u64, second: u64) -> bool {
    let has_all_of = |targets: u64, others: u64| {
        let hopeless = |targets| targets == u64::from(BLACK_ALL);
        hopeless(others) || !hopeless(targets) && targets & others == others
    };
    let [black, white] = [0, 3].map(|shift| [first, second].map(|key| key >> shift & u64::from(BLACK_ALL)));
    has_all_of(black[0], black[1]) && has_all_of(white[1], white[0])
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::Game;
    use crate::solve::brute;
    use crate::value::{Outcome, Side, Value};

    /// All positions of small boards, with all their targets.
    #[test]
    fn positions_as_good_as_a_won_one_are_won() {
        let (mut pairs, mut won) = (0, 0);
        for code in ["bin3x3", "bin3x3-t222-kb3.5", "bin3x3-t232-n", "bin4x2-t223", "bin2x4-t232"] {
            let game = Binarsi::parse(code).unwrap();
            let mut boards: HashMap<u64, Vec<(u64, bool)>> = HashMap::new();
            for (number, value) in brute::solve(&game, &game.start()) {
                let position = game.position_of_key(number).unwrap();
                if game.end(&position).is_none() {
                    let key = key(&game, &CompactPosition::from(&position));
                    let black_wins = (value.outcome() == Outcome::Win) == (position.side() == Side::Black);
                    boards.entry(board(key)).or_default().push((key, black_wins));
                }
            }
            for (first, second) in
                boards.values().flat_map(|all| all.iter().flat_map(|a| all.iter().map(move |b| (a, b))))
            {
                if first.0 != second.0 && is_as_good_for_black(first.0, second.0) {
                    assert!(first.1 || !second.1, "{first:?} and {second:?} of {code}");
                    pairs += 1;
                    won += u32::from(second.1);
                }
                assert!(first.0 != second.0 || first.1 == second.1, "{first:?} of {code}");
            }
        }
        assert!(pairs > 1000 && won > 100, "{pairs} pairs, {won} won");
    }
}
