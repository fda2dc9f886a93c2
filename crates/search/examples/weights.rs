//! Fits the weights of reversi's evaluation (docs/reversi.md): `make weights`, or
//! `cargo run --release --package yomikiri-search --example weights`.
//!
//! Stages are fitted one after the other, beginning with the fewest empty squares. Each stage takes positions of games
//! in which a player looks one move ahead and sometimes plays at random, and fits the weights of patterns to their
//! scores by least squares. Scores of the first stage are exact, by search. Scores of later stages come from a search
//! some plies ahead with the weights of the stage before. All seeds are fixed, so that every run writes the same files.

use std::path::{Path, PathBuf};

use fastrand::Rng;
use yomikiri_rules::Game;
use yomikiri_rules::games::reversi::{Position, Reversi};
use yomikiri_search::Searchable;
use yomikiri_search::adapters::reversi::patterns::Patterns;
use yomikiri_search::adapters::reversi::search::{searched_eval, searcher};
use yomikiri_search::adapters::reversi::weights::{DISC, Fitted, Weights};
use yomikiri_table::Silent;

/// The number of positions to which the weights of a stage are fitted.
const POSITIONS: usize = 300_000;
/// The number of positions per stage that are kept out of the fit, to measure its error.
const HELD_BACK: usize = 5_000;
/// The least number of empty squares of the first stage.
const MIN_EMPTY: u32 = 7;

/// The depth of the look-ahead search in plies. Each stage after the first spans at least `AHEAD` numbers of empty
/// squares. So the search from a stage cannot pass over the whole stage before it.
const AHEAD: u32 = 4;

/// The ridge penalty. It pulls each weight towards 0 like this number of samples that use only this weight and have
/// score 0. So the weights of rare states stay near 0.
const DOUBT: f32 = 20.0;
/// The number of iterations of the fit.
const STEPS: usize = 60;

/// A board with its stages, each given by its largest number of empty squares.
struct Job {
    code: &'static str,
    file: &'static str,
    stages: &'static [u8],
}

const JOBS: [Job; 5] = [
    Job { code: "rev6x6", file: "6x6", stages: &[11, 15, 19, 23, 32] },
    Job { code: "rev7x5", file: "7x5", stages: &[11, 15, 19, 23, 31] },
    Job { code: "rev7x6", file: "7x6", stages: &[11, 15, 19, 23, 27, 31, 38] },
    Job { code: "rev8x5", file: "8x5", stages: &[11, 15, 19, 23, 27, 36] },
    Job { code: "rev8x8", file: "8x8", stages: &[11, 15, 19, 23, 27] },
];

/// A position of the fit: the indices ([`Numbering`]) of the weights that add up to its evaluation, and its score in
/// discs for the side to move.
struct Sample {
    weights: Vec<u32>,
    score: f32,
}

/// The index of each weight of a board in the vector of all its weights. The weights of the first shape come first,
/// then those of the next shape, and so on. The last two are the weights of being the side to move, for an even and an
/// odd number of empty squares.
struct Numbering {
    /// The index of a weight, by shape, then by state.
    of_state: Vec<Vec<u32>>,
    /// The index of the first weight of each shape. The last entry is the end of the weights of all shapes.
    starts: Vec<usize>,
}

impl Numbering {
    fn new(patterns: &Patterns) -> Numbering {
        let (mut of_state, mut starts) = (Vec::new(), vec![0]);
        for shape in &patterns.shapes {
            let start = starts[starts.len() - 1];
            let mut numbers = vec![0; shape.states()];
            let mut next = start;
            for state in 0..shape.states() {
                let least = shape.least(state);
                if least == state {
                    (numbers[state], next) = (next as u32, next + 1);
                } else {
                    numbers[state] = numbers[least];
                }
            }
            of_state.push(numbers);
            starts.push(next);
        }
        Numbering { of_state, starts }
    }

    fn weights(&self) -> usize {
        self.starts[self.starts.len() - 1] + 2
    }

    fn sample(&self, patterns: &Patterns, position: &Position, score: f32) -> Sample {
        let states = patterns.states(position.own, position.other);
        let empty = patterns.board.area() - position.occupied().count_ones();
        let of_lane = |(lane, shape): (usize, &usize)| {
            let state = patterns.middle(lane) + i32::from(states.lanes()[lane]);
            self.of_state[*shape][state as usize]
        };
        let mut weights: Vec<u32> = patterns.lanes.iter().enumerate().map(of_lane).collect();
        weights.push((self.weights() - 2) as u32 + empty % 2);
        Sample { weights, score }
    }
}

/// Returns the positions of a random game. The first moves are random. With probability 1 / 8, a later move is random
/// too. Otherwise it is the choice of a player that looks one move ahead.
fn game_of(game: &Reversi, random: &mut Rng) -> Vec<Position> {
    let (mut position, mut positions) = (game.start(), Vec::new());
    let evaluator = game.evaluator();
    let any = random.u32(0..=game.rules.board.area() / 5);
    while game.terminal_value(&position).is_none() {
        positions.push(position);
        let moves = game.legal_moves(&position);
        let mv = if game.ply(&position) < 4 + any || random.u8(..8) == 0 {
            moves[random.usize(..moves.len())]
        } else {
            let least = |&mv: &_| evaluator.evaluate(&game.play(&position, mv));
            moves.into_iter().min_by_key(least).expect("a move")
        };
        position = game.play(&position, mv);
    }
    positions
}

/// Returns a nonterminal position with `empty` empty squares, or `None` if the random game has no such position. With
/// probability 1 / 2, the position is not from the game itself, but follows one of its positions after one or two
/// random moves.
fn position_with(game: &Reversi, empty: u32, random: &mut Rng) -> Option<Position> {
    let left = |position: &Position| game.rules.board.area() - position.occupied().count_ones();
    let before = if random.bool() { 0 } else { random.u32(1..=2) };
    let positions = game_of(game, random);
    let mut position = *positions.iter().find(|position| left(position) == empty + before)?;
    while left(&position) > empty {
        let moves = game.legal_moves(&position);
        position = game.play(&position, moves[random.usize(..moves.len())]);
        if game.terminal_value(&position).is_some() {
            return None;
        }
    }
    (left(&position) == empty).then_some(position)
}

/// Returns the scores of positions in discs. Scores are exact if `weights` is `None`. Otherwise they come from a
/// look-ahead search that uses `weights`.
fn scores(game: &Reversi, weights: Option<&Weights>, positions: &[Position]) -> Vec<f32> {
    let Some(weights) = weights else {
        let search = searcher(*game, 64 << 20);
        return positions.iter().map(|at| f32::from(search.solve(at, &Silent).value.points() as i16)).collect();
    };
    let most = game.rules.board.area() as f32;
    let score = |position: &Position| searched_eval(game, weights, position, AHEAD) as f32 / DISC as f32;
    positions.iter().map(|position| score(position).clamp(-most, most)).collect()
}

/// Fits weights by least squares with conjugate gradients. The preconditioner is diagonal: the number of uses of each
/// weight plus [`DOUBT`].
fn fit(samples: &[Sample], weights: usize) -> Vec<f32> {
    let predict = |of: &[f32], sample: &Sample| sample.weights.iter().map(|&at| of[at as usize]).sum::<f32>();
    let mut scale = vec![DOUBT; weights];
    let mut residual = vec![0.0; weights];
    for sample in samples {
        for &at in &sample.weights {
            scale[at as usize] += 1.0;
            residual[at as usize] += sample.score;
        }
    }
    let preconditioned = |residual: &[f32]| residual.iter().zip(&scale).map(|(a, b)| a / b).collect::<Vec<f32>>();
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
    let mut found = vec![0.0; weights];
    let mut towards = preconditioned(&residual);
    let mut size = dot(&residual, &towards);
    for _ in 0..STEPS {
        let mut image: Vec<f32> = towards.iter().map(|value| value * DOUBT).collect();
        for sample in samples {
            let value = predict(&towards, sample);
            sample.weights.iter().for_each(|&at| image[at as usize] += value);
        }
        let step = (size / dot(&towards, &image)) as f32;
        for at in 0..weights {
            found[at] += step * towards[at];
            residual[at] -= step * image[at];
        }
        let next = preconditioned(&residual);
        let (before, now) = (size, dot(&residual, &next));
        size = now;
        let keep = (now / before) as f32;
        towards = towards.iter().zip(&next).map(|(old, new)| new + keep * old).collect();
    }
    found
}

fn in_eighths(weight: f32) -> i8 {
    (weight * DISC as f32).round().clamp(-127.0, 127.0) as i8
}

/// Returns the root mean square of `values`.
fn size(values: impl Iterator<Item = f32>) -> f32 {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value * value));
    (sum / count as f32).sqrt()
}

fn make(job: &Job, folder: &Path) {
    let game = Reversi::parse(job.code).expect("a rule code");
    let patterns = Patterns::new(game.rules.board);
    let numbering = Numbering::new(&patterns);
    let mut fitted: Vec<Fitted> = Vec::new();
    for (stage, &most_empty) in job.stages.iter().enumerate() {
        let mut random = Rng::with_seed(stage as u64 + 1);
        let least = stage.checked_sub(1).map_or(MIN_EMPTY, |before| u32::from(job.stages[before]) + 1);
        let mut positions = Vec::new();
        while positions.len() < POSITIONS + HELD_BACK {
            let empty = random.u32(least..=most_empty.into());
            positions.extend(position_with(&game, empty, &mut random));
        }
        let before = (stage > 0).then(|| Weights::new(Patterns::new(game.rules.board), &fitted));
        let scores = scores(&game, before.as_ref(), &positions);
        let samples: Vec<Sample> =
            positions.iter().zip(&scores).map(|(at, score)| numbering.sample(&patterns, at, *score)).collect();
        let (held_back, samples) = samples.split_at(HELD_BACK);
        let found = fit(samples, numbering.weights());
        let error = |sample: &Sample| sample.score - sample.weights.iter().map(|&at| found[at as usize]).sum::<f32>();
        println!(
            "{}: {least} to {most_empty} empty squares, scores {:.2} discs, error {:.2}, of others {:.2}",
            job.code,
            size(scores.iter().copied()),
            size(samples.iter().map(error)),
            size(held_back.iter().map(error)),
        );
        fitted.push(Fitted {
            most_empty,
            to_move: [2, 1].map(|back| in_eighths(found[numbering.weights() - back])),
            weights: (0..patterns.shapes.len()).map(|shape| kept(&numbering, &patterns, shape, &found)).collect(),
        });
    }
    let bytes = Weights::pack(&fitted);
    println!("{}: {} bytes", job.code, bytes.len());
    std::fs::write(folder.join(job.file), bytes).expect("the folder can be written");
}

/// Returns the weights of a shape in eighths of a disc, as they are stored. `found` has the fitted weights of the
/// board.
fn kept(numbering: &Numbering, patterns: &Patterns, shape: usize, found: &[f32]) -> Vec<i8> {
    let own = patterns.shapes[shape].own_states();
    own.map(|state| in_eighths(found[numbering.of_state[shape][state] as usize])).collect()
}

fn main() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/adapters/reversi/weights");
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for job in JOBS.iter().filter(|job| wanted.is_empty() || wanted.iter().any(|code| code == job.code)) {
        make(job, &folder);
    }
}
