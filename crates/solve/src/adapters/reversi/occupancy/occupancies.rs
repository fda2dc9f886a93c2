//! The sets of squares that can be occupied, up to symmetry.

use yomikiri_rules::games::reversi::board::{Board, Squares};
use yomikiri_rules::games::reversi::rules::Rules;
use yomikiri_table::parallel;

/// The canonical sets of squares that can be occupied, by size. These are the canonical images of all sets that contain
/// the occupied squares of the start.
pub struct Occupancies {
    pub board: Board,
    /// The sets, indexed by number of discs. Each inner list is in ascending order.
    sets: Vec<Vec<Squares>>,
}

impl Occupancies {
    pub fn new(rules: Rules) -> Occupancies {
        let (board, block) = (rules.board, rules.start().occupied());
        let mut sets = vec![Vec::new(); board.area() as usize + 1];
        for occupied in subsets(board.squares() & !block).map(|added| least_image(board, block | added)) {
            sets[occupied.count_ones() as usize].push(occupied);
        }
        parallel::each_part_mut(&mut sets, 1, |_, sets| {
            sets[0].sort_unstable();
            sets[0].dedup();
        });
        Occupancies { board, sets }
    }

    /// Returns the sets of `discs` squares, in ascending order.
    pub fn of(&self, discs: u32) -> &[Squares] {
        &self.sets[discs as usize]
    }

    /// Returns the index of the canonical image of `occupied` among the sets of its size, or `None` if these squares
    /// cannot be occupied.
    pub fn find(&self, occupied: Squares) -> Option<usize> {
        self.of(occupied.count_ones()).binary_search(&least_image(self.board, occupied)).ok()
    }
}

/// Returns the canonical image of a set of squares: the image that is the smallest number.
pub fn least_image(board: Board, squares: Squares) -> Squares {
    (1..board.image_count()).map(|number| board.image(number, squares)).fold(squares, Squares::min)
}

/// Returns the indices of the symmetries of the board that map the squares `from` to the squares `to`.
pub fn images_between(board: Board, from: Squares, to: Squares) -> impl Iterator<Item = usize> {
    (0..board.image_count()).filter(move |&number| board.image(number, from) == to)
}

/// Returns all subsets of a set of squares, from the empty set to the set itself.
fn subsets(squares: Squares) -> impl Iterator<Item = Squares> {
    let next = move |subset: &Squares| (*subset != squares).then(|| subset.wrapping_sub(squares) & squares);
    std::iter::successors(Some(0), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occupancies_are_least_images_and_are_found() {
        for code in ["rev3x3", "rev4x4", "rev3x5", "rev5x3", "rev4x5"] {
            let rules = Rules::parse(code).unwrap();
            let (board, block) = (rules.board, rules.start().occupied());
            let occupancies = Occupancies::new(rules);
            let mut found = vec![0; board.area() as usize + 1];
            for occupied in subsets(board.squares() & !block).map(|added| added | block) {
                let number = occupancies.find(occupied).unwrap();
                let images = images_between(board, occupied, occupancies.of(occupied.count_ones())[number]);
                assert!(images.count() > 0);
                let found = &mut found[occupied.count_ones() as usize];
                *found = (number + 1).max(*found);
            }
            let counts = (0..=board.area()).map(|discs| occupancies.of(discs).len());
            assert_eq!(found, counts.collect::<Vec<_>>(), "{code}");
            assert_eq!(occupancies.find(1), None);
        }
    }
}
