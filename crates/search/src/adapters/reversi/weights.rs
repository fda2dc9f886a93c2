//! Weights of patterns, and evaluation by them.
//!
//! A board has weights for several stages of the game. The number of empty squares determines the stage. `make weights`
//! fits them to positions that the search has solved, and writes them to `weights/`, packed by zlib:
//!
//! ```text
//! 1 byte            number of stages
//! per stage:
//!   1 byte          greatest number of empty squares, in ascending order of stages
//!   2 bytes         worth of being the side to move, for even and odd numbers of empty squares, signed
//!   per shape:      a signed byte for each state that has its own weight, in ascending order of states
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

/// The unit of weights and evaluations: one disc is `DISC` units.
pub const DISC: i32 = 8;

/// The length of the weight table of a stage, a power of two.
const ROOM: usize = 1 << 18;

/// The weights of a stage of the game, in the form in which the files store them.
pub struct Fitted {
    /// The maximum number of empty squares in this stage.
    pub most_empty: u8,
    /// The worth of being the side to move, for even and odd numbers of empty squares.
    pub to_move: [i8; 2],
    /// For each shape, the weights of its [`super::patterns::Shape::own_states`].
    pub weights: Vec<Vec<i8>>,
}

/// The weights of a board, arranged for fast look-ups in a search.
pub struct Weights {
    /// The patterns of the board.
    pub patterns: Patterns,
    /// For each lane (a place of a shape on the board), the index of the weight of an empty lane in `Stage::table`.
    /// Lanes that the board does not have get the index of a 0.
    middles: [u32; LANES],
    stages: Vec<Stage>,
    /// The index of the stage for each number of empty squares.
    by_empty: [u8; 65],
}

struct Stage {
    to_move: [i32; 2],
    /// The weights, by shape and state.
    table: Box<[i8; ROOM]>,
}

/// The files of weights by board. None of these boards has more ranks than files.
#[cfg(not(target_family = "wasm"))]
const FILES: [(Board, &[u8]); 5] = [
    (Board { files: 8, ranks: 8 }, include_bytes!("weights/8x8")),
    (Board { files: 8, ranks: 5 }, include_bytes!("weights/8x5")),
    (Board { files: 7, ranks: 6 }, include_bytes!("weights/7x6")),
    (Board { files: 7, ranks: 5 }, include_bytes!("weights/7x5")),
    (Board { files: 6, ranks: 6 }, include_bytes!("weights/6x6")),
];
/// Web pages have no weights. The files would double the download, and pages search only near the end, where no moves
/// are ordered by weights.
#[cfg(target_family = "wasm")]
const FILES: [(Board, &[u8]); 0] = [];

impl Weights {
    /// Returns the weights of a board, or `None` if there is no file for the board or its transpose. The weights are
    /// unpacked on first use.
    pub fn of(board: Board) -> Option<&'static Weights> {
        static KEPT: [[OnceLock<Weights>; 2]; FILES.len()] = [const { [const { OnceLock::new() }; 2] }; FILES.len()];
        let at = FILES.iter().position(|(of, _)| [*of, of.transpose()].contains(&board))?;
        let kept = &KEPT[at][usize::from(board != FILES[at].0)];
        if kept.get().is_none() {
            // Not `get_or_init`: a process that is forked meanwhile would wait for this thread forever.
            let _ = kept.set(Weights::read(board, FILES[at].1).expect("the stored weights fit their board"));
        }
        kept.get()
    }

    /// Reads a file of weights. Returns `None` if it does not fit the board.
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

    /// Returns the bytes of a file with these stages.
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

    /// Arranges fitted weights for a search.
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
            let table: Box<[i8; ROOM]> = table.into_boxed_slice().try_into().expect("the table has `ROOM` weights");
            Stage { to_move: fitted.to_move.map(i32::from), table }
        };
        let of = |empty: usize| {
            let stage = fitted.iter().position(|stage| usize::from(stage.most_empty) >= empty);
            stage.unwrap_or(fitted.len() - 1) as u8
        };
        let (middles, by_empty) = (std::array::from_fn(middle), std::array::from_fn(of));
        Weights { stages: fitted.iter().map(stage).collect(), middles, by_empty, patterns }
    }

    /// Returns the evaluation of a position for the side to move, in eighths of a disc. `states` has the states of its
    /// patterns, and `empty` is the number of its empty squares.
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

    /// Like [`Weights::worth`], but takes the discs of the position.
    pub fn of_position(&self, own: Squares, other: Squares) -> i32 {
        let empty = self.patterns.board.area() - (own | other).count_ones();
        self.worth(&self.patterns.states(own, other), empty)
    }
}

/// Returns, for each state of a shape, the index of the state's weight among the weights that a file stores for the
/// shape. States that are equal by symmetry share a weight.
fn places_of_weights(shape: &Shape) -> Vec<usize> {
    let (mut places, mut own) = (Vec::with_capacity(shape.states()), 0..);
    for state in 0..shape.states() {
        let least = shape.least(state);
        let place = if least == state { own.next() } else { places.get(least).copied() };
        places.push(place.expect("the least of the equal states comes first"));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::reversi::search::searcher;
    use yomikiri_rules::games::reversi::board::transposed;
    use yomikiri_rules::games::reversi::{Position, Reversi};
    use yomikiri_rules::{Game, Notation};
    use yomikiri_table::Silent;

    /// Returns `count` random nonterminal positions with `empty` empty squares.
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

    /// The weights explain most of the variance of exact scores in positions that they were not fitted to. They explain
    /// less on narrow boards, with five ranks.
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
        // Refuses files for another board and files that are cut short.
        assert!(Weights::read(Board { files: 6, ranks: 6 }, &packed).is_none());
        assert!(Weights::read(board, &packed[..packed.len() / 2]).is_none());
        assert!(Weights::read(board, &[]).is_none());
        assert!(Weights::of(board).is_none());
    }
}
