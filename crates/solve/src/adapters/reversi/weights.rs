//! Weights of patterns, and what positions are worth by them.
//!
//! The weights of a board are for several stages of the game, by the number of empty squares. `make weights` fits them
//! to positions that the search has solved, and keeps them in `weights/`, packed by zlib:
//!
//! ```text
//! 1 byte            number of stages
//! per stage:
//!   1 byte          most empty squares, upwards from stage to stage
//!   2 bytes         what it is worth to be the side to move, by even and odd number of empty squares, signed
//!   per shape:      a signed byte for each state that has a weight of its own, upwards
//! ```
//!
//! All numbers are in eighths of a disc ([`DISC`]).

use std::io::{Read, Write};
use std::sync::OnceLock;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::patterns::{LANES, Patterns, Shape, States};
use yomikiri_rules::games::reversi::board::{Board, Squares};

/// The worth of one disc.
pub const DISC: i32 = 8;

/// Room for the weights of a stage, a power of two.
const ROOM: usize = 1 << 18;

/// A stage as it is kept in a file.
pub struct Fitted {
    /// The most empty squares of this stage.
    pub most_empty: u8,
    /// For the side to move, by even and odd number of empty squares.
    pub to_move: [i8; 2],
    /// For each shape, a weight for each of [`super::patterns::Shape::own_states`].
    pub weights: Vec<Vec<i8>>,
}

/// The weights of a board, laid out for a search.
pub struct Weights {
    pub patterns: Patterns,
    /// Where in a stage's table the state of an empty lane is; lanes that the board does not have look at a zero.
    middles: [u32; LANES],
    stages: Vec<Stage>,
    /// The stage by number of empty squares.
    by_empty: [u8; 65],
}

struct Stage {
    to_move: [i32; 2],
    /// Weights by shape and state.
    table: Box<[i8; ROOM]>,
}

/// The files by board, which has no more ranks than files.
#[cfg(not(target_family = "wasm"))]
const FILES: [(Board, &[u8]); 5] = [
    (Board { files: 8, ranks: 8 }, include_bytes!("weights/8x8")),
    (Board { files: 8, ranks: 5 }, include_bytes!("weights/8x5")),
    (Board { files: 7, ranks: 6 }, include_bytes!("weights/7x6")),
    (Board { files: 7, ranks: 5 }, include_bytes!("weights/7x5")),
    (Board { files: 6, ranks: 6 }, include_bytes!("weights/6x6")),
];
/// None for pages: they would load twice as much, and search near the end only, where nothing is ordered by weights.
#[cfg(target_family = "wasm")]
const FILES: [(Board, &[u8]); 0] = [];

impl Weights {
    /// The weights kept for a board or its transpose; none for boards that have none.
    pub fn of(board: Board) -> Option<&'static Weights> {
        static KEPT: [[OnceLock<Weights>; 2]; FILES.len()] = [const { [const { OnceLock::new() }; 2] }; FILES.len()];
        let at = FILES.iter().position(|(of, _)| [*of, of.transpose()].contains(&board))?;
        let kept = &KEPT[at][usize::from(board != FILES[at].0)];
        if kept.get().is_none() {
            // Read first and then set, so that a process which is forked meanwhile does not wait for this thread.
            let _ = kept.set(Weights::read(board, FILES[at].1).expect("weights as they were written"));
        }
        kept.get()
    }

    /// Reads a file; `None` if it does not fit the board.
    pub fn read(board: Board, packed: &[u8]) -> Option<Weights> {
        let mut bytes = Vec::new();
        ZlibDecoder::new(packed).read_to_end(&mut bytes).ok()?;
        let patterns = Patterns::new(board);
        let mut bytes = bytes.into_iter().map(|byte| byte as i8);
        let mut fitted = Vec::new();
        for _ in 0..bytes.next()? {
            let most_empty = u8::try_from(bytes.next()?).ok()?;
            let to_move = [bytes.next()?, bytes.next()?];
            let of_shape = |shape: &Shape| bytes.by_ref().take(shape.own_states().count()).collect();
            let weights: Vec<Vec<i8>> = patterns.shapes.iter().map(of_shape).collect();
            let whole = patterns.shapes.iter().zip(&weights).all(|(shape, of)| of.len() == shape.own_states().count());
            fitted.push(whole.then_some(Fitted { most_empty, to_move, weights })?);
        }
        bytes.next().is_none().then(|| Weights::new(patterns, &fitted))
    }

    /// The bytes of a file.
    pub fn pack(stages: &[Fitted]) -> Vec<u8> {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        let mut put = |bytes: &[u8]| packer.write_all(bytes).expect("to memory");
        put(&[stages.len() as u8]);
        for stage in stages {
            put(&[stage.most_empty, stage.to_move[0] as u8, stage.to_move[1] as u8]);
            stage.weights.iter().for_each(|weights| put(bytemuck::cast_slice(weights)));
        }
        packer.finish().expect("to memory")
    }

    /// Lays weights out for a search.
    pub fn new(patterns: Patterns, fitted: &[Fitted]) -> Weights {
        let mut starts = vec![1];
        for shape in &patterns.shapes {
            starts.push(starts[starts.len() - 1] + shape.states());
        }
        let middle = |lane: usize| match patterns.lanes.get(lane) {
            Some(&shape) => starts[shape] as u32 + patterns.middle(lane) as u32,
            None => 0,
        };
        let places: Vec<Vec<usize>> = patterns.shapes.iter().map(places_of_weights).collect();
        let stage = |fitted: &Fitted| {
            let mut table = vec![0; ROOM];
            for ((places, &start), weights) in places.iter().zip(&starts).zip(&fitted.weights) {
                let states = table[start..].iter_mut().zip(places);
                states.for_each(|(weight, &place)| *weight = weights[place]);
            }
            let table: Box<[i8; ROOM]> = table.into_boxed_slice().try_into().expect("as long as it was made");
            Stage { to_move: fitted.to_move.map(i32::from), table }
        };
        let of = |empty: usize| {
            let stage = fitted.iter().position(|stage| usize::from(stage.most_empty) >= empty);
            stage.unwrap_or(fitted.len() - 1) as u8
        };
        let (middles, by_empty) = (std::array::from_fn(middle), std::array::from_fn(of));
        Weights { stages: fitted.iter().map(stage).collect(), middles, by_empty, patterns }
    }

    /// What a position with these states and so many empty squares is worth to the side to move.
    #[inline(always)]
    pub fn worth(&self, states: &States, empty: u32) -> i32 {
        let empty = empty as usize % 65;
        let stage = &self.stages[usize::from(self.by_empty[empty])];
        let mut sum = stage.to_move[empty % 2];
        for (middle, &state) in self.middles.iter().zip(states.lanes()) {
            sum += i32::from(stage.table[middle.wrapping_add_signed(i32::from(state)) as usize % ROOM]);
        }
        sum
    }

    /// [`Weights::worth`] of a position by its discs.
    pub fn of_position(&self, own: Squares, other: Squares) -> i32 {
        let empty = self.patterns.board.area() - (own | other).count_ones();
        self.worth(&self.patterns.states(own, other), empty)
    }
}

/// By state of a shape, which of the weights that are kept it has: that of the least of the states that are equal.
fn places_of_weights(shape: &Shape) -> Vec<usize> {
    let (mut places, mut own) = (Vec::with_capacity(shape.states()), 0..);
    for state in 0..shape.states() {
        let least = shape.least(state);
        let place = if least == state { own.next() } else { places.get(least).copied() };
        places.push(place.expect("the least state comes first"));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::reversi::search::searcher;
    use yomikiri_rules::Game;
    use yomikiri_rules::games::reversi::board::transposed;
    use yomikiri_rules::games::reversi::{Position, Reversi};
    use yomikiri_table::Silent;

    /// Positions with so many empty squares that are not over, by random moves.
    fn positions(game: &Reversi, empty: u32, count: usize) -> Vec<Position> {
        let mut random = fastrand::Rng::with_seed(u64::from(empty));
        let one = |_| {
            let mut position = game.start();
            while game.rules.board.area() - position.occupied().count_ones() > empty {
                position = game.play(&position, random.choice(game.legal_moves(&position))?);
            }
            game.terminal_value(&position).is_none().then_some(position)
        };
        (0..).filter_map(one).take(count).collect()
    }

    fn mean_square(values: impl Iterator<Item = f64>) -> f64 {
        let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value * value));
        sum / f64::from(count)
    }

    /// The weights explain most of the exact scores, of positions that they were not fitted to; less of those of boards
    /// with five ranks, which are narrow.
    #[test]
    fn the_kept_weights_foretell_scores() {
        let wide = ["rev8x8", "rev7x6", "rev6x6"].map(|code| (code, 0.2));
        for (code, most) in wide.into_iter().chain(["rev8x5", "rev5x8", "rev7x5"].map(|code| (code, 0.3))) {
            let game = Reversi::parse(code).unwrap();
            let (weights, search) = (Weights::of(game.rules.board).unwrap(), searcher(game, 1 << 20));
            for empty in [8, 11] {
                let found = positions(&game, empty, 300).into_iter().map(|position| {
                    let score = f64::from(search.solve(&position, &Silent).value.points());
                    (score, f64::from(weights.of_position(position.own, position.other)) / f64::from(DISC))
                });
                let found: Vec<(f64, f64)> = found.collect();
                let spread = mean_square(found.iter().map(|(score, _)| *score));
                let error = mean_square(found.iter().map(|(score, worth)| score - worth));
                assert!(error < most * spread, "{code} {empty}: {error} of {spread}");
            }
        }
    }

    #[test]
    fn images_are_worth_the_same() {
        for code in ["rev8x8", "rev8x5", "rev5x8", "rev7x6", "rev7x5", "rev6x6"] {
            let game = Reversi::parse(code).unwrap();
            let (board, weights) = (game.rules.board, Weights::of(game.rules.board).unwrap());
            for position in (5..30).flat_map(|empty| positions(&game, empty, 4)) {
                let worth = |image| {
                    let [own, other] = [position.own, position.other].map(|squares| board.image(image, squares));
                    weights.of_position(own, other)
                };
                assert!(
                    (1..board.image_count()).all(|image| worth(image) == worth(0)),
                    "{}",
                    game.position_text(&position)
                );
            }
        }
    }

    #[test]
    fn a_position_and_its_transpose_are_worth_the_same() {
        for code in ["rev8x5", "rev7x6"] {
            let game = Reversi::parse(code).unwrap();
            let board = game.rules.board;
            let [wide, tall] = [board, board.transpose()].map(|board| Weights::of(board).unwrap());
            for Position { own, other, .. } in (5..30).flat_map(|empty| positions(&game, empty, 4)) {
                assert_eq!(tall.of_position(transposed(own), transposed(other)), wide.of_position(own, other));
            }
        }
    }

    #[test]
    fn packed_weights_come_back() {
        let game = Reversi::parse("rev5x6").unwrap();
        let board = game.rules.board;
        let mut random = fastrand::Rng::with_seed(1);
        let fitted: Vec<Fitted> = [9, 14, 30]
            .map(|most_empty| Fitted {
                most_empty,
                to_move: [random.i8(..), random.i8(..)],
                weights: Patterns::new(board)
                    .shapes
                    .iter()
                    .map(|shape| shape.own_states().map(|_| random.i8(..)).collect())
                    .collect(),
            })
            .into();
        let packed = Weights::pack(&fitted);
        let (made, read) = (Weights::new(Patterns::new(board), &fitted), Weights::read(board, &packed).unwrap());
        for position in [3, 9, 10, 20].into_iter().flat_map(|empty| positions(&game, empty, 9)) {
            let worth = made.of_position(position.own, position.other);
            assert_eq!(read.of_position(position.own, position.other), worth);
        }
        // Neither for another board, nor cut short, nor with more behind.
        assert!(Weights::read(Board { files: 6, ranks: 6 }, &packed).is_none());
        assert!(Weights::read(board, &packed[..packed.len() / 2]).is_none());
        assert!(Weights::read(board, &[]).is_none());
        assert!(Weights::of(board).is_none());
    }
}
