//! Patterns: small groups of squares whose contents are evaluated together.
//!
//! A **shape** is a group of squares. The symmetries of the board map it to up to eight places, its **lanes**. All
//! lanes of a shape share one list of weights, indexed by the state of their squares. A **state** is a number to base 3
//! with the digits 0 (a disc of the other side), 1 (empty) and 2 (an own disc). States that a symmetry of the shape
//! makes equal share one weight.
//!
//! A search keeps the states of all lanes at once ([`States`]). It subtracts the state of an empty lane from each
//! state. So the `k`-th square of a lane counts `+3^k` with an own disc, 0 if it is empty, and `-3^k` with a disc of
//! the other side. From the view of the other side, all states change their signs. A move adds fixed amounts for its
//! disc and for each disc that it turns ([`States::after`]).
//!
//! The shapes are those of M. Buro's Logistello: lines, diagonals, edges with the squares diagonal to their corners,
//! and corners.

use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::reversi::board::{Board, Squares, transposed};

/// The length of arrays that are indexed by lane (a place of a shape on the board). Every board has fewer lanes.
pub const LANES: usize = 48;

/// A shape (a group of squares with one list of weights), given by the symmetries among its states.
pub struct Shape {
    /// For each state, the least state that is equal to it by symmetry.
    least: Vec<u32>,
}

impl Shape {
    /// Makes a shape from the images of its group of squares under the symmetries of the board. The first image is the
    /// group itself.
    fn new(images: &[Vec<u8>]) -> Shape {
        let squares = &images[0];
        let set = |squares: &[u8]| squares.iter().fold(0, |set: Squares, square| set | 1 << square);
        // Images that cover the same set have the same squares in another order.
        let mirrors = images.iter().filter(|image| set(image) == set(squares));
        let orders: Vec<Vec<usize>> =
            mirrors.map(|image| image.iter().map(|square| at(squares, *square)).collect()).collect();
        let equal = |state: u32| orders.iter().map(move |order| reordered(state, order)).min();
        let states = 3u32.pow(squares.len() as u32);
        let least = (0..states).map(|state| equal(state).unwrap_or(state)).collect();
        Shape { least }
    }

    /// Returns the number of states of the shape's squares.
    pub fn states(&self) -> usize {
        self.least.len()
    }

    /// Returns the least state that is equal to `state` by symmetry.
    pub fn least(&self, state: usize) -> usize {
        self.least[state] as usize
    }

    /// Returns the states with weights of their own, in ascending order. Of each set of states that are equal by
    /// symmetry, only the least has a weight.
    pub fn own_states(&self) -> impl Iterator<Item = usize> {
        (0..self.states()).filter(|&state| self.least(state) == state)
    }
}

fn at(squares: &[u8], square: u8) -> usize {
    squares.iter().position(|&other| other == square).expect("both lists have the same squares")
}

/// Returns the state whose digit `order[k]` is digit `k` of `state`.
fn reordered(mut state: u32, order: &[usize]) -> u32 {
    let mut result = 0;
    for &place in order {
        result += state % 3 * 3u32.pow(place as u32);
        state /= 3;
    }
    result
}

/// The patterns of a board.
pub struct Patterns {
    /// The numbers of files and ranks of the board.
    pub board: Board,
    /// The shapes. Lanes of the same shape share their weights.
    pub shapes: Vec<Shape>,
    /// The shape of each lane.
    pub lanes: Vec<usize>,
    /// For each square, the amount that an own disc on it adds to the state of each lane.
    steps: Box<[[i16; LANES]; 64]>,
}

/// The states of all lanes (the places of shapes on the board) from the view of the side to move. The state of an empty
/// lane is subtracted from each, so an empty lane is stored as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct States([i16; LANES]);

impl Patterns {
    /// Creates the patterns of a board. A board with more ranks than files gets the patterns of its transpose, so that
    /// both boards have the same weights.
    pub fn new(board: Board) -> Patterns {
        if board.files < board.ranks { Patterns::new(board.transpose()).transpose() } else { Patterns::of_wide(board) }
    }

    fn transpose(self) -> Patterns {
        let mut steps = self.steps.clone();
        for (square, of_square) in self.steps.iter().enumerate() {
            steps[transposed(1 << square).trailing_zeros() as usize] = *of_square;
        }
        Patterns { board: self.board.transpose(), steps, ..self }
    }

    fn of_wide(board: Board) -> Patterns {
        let mut patterns = Patterns { board, shapes: Vec::new(), lanes: Vec::new(), steps: Box::new([[0; LANES]; 64]) };
        let mut seen: Vec<Squares> = Vec::new();
        for squares in groups(board) {
            let images: Vec<Vec<u8>> = (0..board.image_count())
                .map(|number| squares.iter().map(|square| image(board, number, *square)).collect())
                .collect();
            let mut lanes = Vec::new();
            for image in &images {
                let set = image.iter().fold(0, |set, square| set | 1 << square);
                if !seen.contains(&set) {
                    seen.push(set);
                    lanes.push(image);
                }
            }
            // An earlier group of squares already has these lanes.
            if lanes.is_empty() {
                continue;
            }
            for squares in lanes {
                let lane = patterns.lanes.len();
                for (place, &square) in squares.iter().enumerate() {
                    patterns.steps[usize::from(square)][lane] = 3i16.pow(place as u32);
                }
                patterns.lanes.push(patterns.shapes.len());
            }
            patterns.shapes.push(Shape::new(&images));
        }
        patterns
    }

    /// Returns the state, a number to base 3, of a lane whose squares are all empty.
    pub fn middle(&self, lane: usize) -> i32 {
        self.shapes[self.lanes[lane]].states() as i32 / 2
    }

    /// Returns the states of a position. `own` has the discs of the side to move, and `other` the discs of the other
    /// side.
    #[inline(always)]
    pub fn states(&self, own: Squares, other: Squares) -> States {
        let mut states = [0; LANES];
        for square in squares_of(own) {
            add(&mut states, &self.steps[usize::from(square) % 64], 1);
        }
        for square in squares_of(other) {
            add(&mut states, &self.steps[usize::from(square) % 64], -1);
        }
        States(states)
    }
}

impl States {
    /// Returns the states after a move on `square` that turns `flips`, from the view of the other side.
    #[inline(always)]
    pub fn after(&self, patterns: &Patterns, square: u8, flips: Squares) -> States {
        let mut states = self.0.map(|state| -state);
        add(&mut states, &patterns.steps[usize::from(square) % 64], -1);
        for square in squares_of(flips) {
            add(&mut states, &patterns.steps[usize::from(square) % 64], -2);
        }
        States(states)
    }

    /// The states of the same position from the view of the other side.
    #[inline(always)]
    pub fn passed(&self) -> States {
        States(self.0.map(|state| -state))
    }

    /// Returns the states, indexed by lane. An empty lane has 0, as in [`States`].
    #[inline(always)]
    pub fn lanes(&self) -> &[i16; LANES] {
        &self.0
    }
}

/// Adds `steps`, multiplied by `times`, to the states. Intermediate values may wrap; the sum fits.
#[inline(always)]
fn add(states: &mut [i16; LANES], steps: &[i16; LANES], times: i16) {
    for (state, step) in states.iter_mut().zip(steps) {
        *state = state.wrapping_add(times.wrapping_mul(*step));
    }
}

/// Returns the square to which the symmetry with index `number` maps `square`.
fn image(board: Board, number: usize, square: u8) -> u8 {
    board.image(number, 1 << square).trailing_zeros() as u8
}

/// Returns the groups of squares that make the shapes. Some groups can be images of others by symmetry.
fn groups(board: Board) -> Vec<Vec<u8>> {
    let Board { files, ranks } = board;
    let square = |file: u8, rank: u8| board.bit(file, rank) as u8;
    let mut groups = Vec::new();
    let (right, down) = (files - 1, ranks - 1);
    let x_squares = |far: [u8; 2]| [square(1, 1), square(far[0], far[1])];
    groups.push((0..files).map(|file| square(file, 0)).chain(x_squares([right - 1, 1])).collect());
    groups.push((0..ranks).map(|rank| square(0, rank)).chain(x_squares([1, down - 1])).collect());
    groups.push((0..9).map(|at| square(at % 3, at / 3)).collect());
    if files.max(ranks) > 6 {
        groups.push((0..10).map(|at| square(at % 5, at / 5)).collect());
        groups.push((0..10).map(|at| square(at / 5, at % 5)).collect());
    }
    groups.extend((1..files / 2 + files % 2).map(|file| (0..ranks).map(|rank| square(file, rank)).collect()));
    groups.extend((1..ranks / 2 + ranks % 2).map(|rank| (0..files).map(|file| square(file, rank)).collect()));
    // Diagonals down to the right, of at least four squares.
    let starts = (0..files).map(|file| (file, 0)).chain((1..ranks).map(|rank| (0, rank)));
    for (file, rank) in starts {
        let length = (files - file).min(ranks - rank);
        if length >= 4 {
            groups.push((0..length).map(|step| square(file + step, rank + step)).collect());
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_rules::Game;
    use yomikiri_rules::games::reversi::Reversi;
    use yomikiri_rules::games::reversi::lines::flips;
    use yomikiri_rules::games::reversi::moves::Move;

    /// Returns the shape of each lane and the least state that is equal to the lane's state by symmetry, sorted.
    fn contents(patterns: &Patterns, own: Squares, other: Squares) -> Vec<(usize, usize)> {
        let states = patterns.states(own, other);
        let of_lane = |(lane, &shape): (usize, &usize)| {
            let state = patterns.middle(lane) + i32::from(states.lanes()[lane]);
            (shape, patterns.shapes[shape].least(state as usize))
        };
        let mut contents: Vec<_> = patterns.lanes.iter().enumerate().map(of_lane).collect();
        contents.sort_unstable();
        contents
    }

    #[test]
    fn the_widest_board_has_room() {
        let patterns = Patterns::new(Board { files: 8, ranks: 8 });
        assert_eq!((patterns.lanes.len(), patterns.shapes.len()), (46, 11));
        let states: Vec<usize> = patterns.shapes.iter().map(Shape::states).collect();
        assert_eq!(states[..3], [59_049, 19_683, 59_049]);
        // Of two states of an edge or a line that are mirror images, only the smaller one has its own weight. 243
        // states of the edge are their own mirror images.
        assert_eq!(patterns.shapes[0].own_states().count(), (59_049 + 243) / 2);
        for (files, ranks) in [(4, 4), (5, 8), (8, 7), (6, 6)] {
            assert!(Patterns::new(Board { files, ranks }).lanes.len() <= LANES);
        }
    }

    #[test]
    fn states_follow_the_moves_and_images_look_the_same() {
        let mut random = fastrand::Rng::with_seed(1);
        for code in ["rev8x8", "rev6x6", "rev8x5", "rev5x7", "rev4x4"] {
            let game = Reversi::parse(code).unwrap();
            let board = game.rules.board;
            let patterns = Patterns::new(board);
            for _ in 0..20 {
                let mut position = game.start();
                let mut states = patterns.states(position.own, position.other);
                while let Some(mv) = random.choice(game.legal_moves(&position)) {
                    states = match mv {
                        Move::Pass => states.passed(),
                        Move::Place(square) => {
                            states.after(&patterns, square, flips(square, position.own, position.other))
                        }
                    };
                    position = game.play(&position, mv);
                    assert_eq!(states, patterns.states(position.own, position.other), "{code}");
                    let image = random.usize(..board.image_count());
                    let discs = [position.own, position.other].map(|squares| board.image(image, squares));
                    let seen = contents(&patterns, position.own, position.other);
                    assert_eq!(contents(&patterns, discs[0], discs[1]), seen, "{code}");
                }
            }
        }
    }
}
