//! Puzzles: positions of a table with exactly one right move.

use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::key_text::KeyText;
use super::oracle::{Answer, Oracle, RankedMove};
use yomikiri_rules::{
    AnyGame, AnyMove, AnyPosition, AnyValue, Game, Measure, Notation, Outcome, Side, Value, ValueCodec,
};
use yomikiri_solve::{Result, Solvable, SolveError};
use yomikiri_table::entries::{Entries, ranges};
use yomikiri_table::probe::position_of;
use yomikiri_table::{Progress, Table, parallel};

/// The condition that a puzzle must meet. In addition, its best move must have a better outcome than every other move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleCondition {
    /// The side to move wins in exactly this number of plies. There must be another move. Only for games whose values
    /// are distances.
    Plies(u16),
    /// The best move wins or draws, and scores at least this number of points more than the second best. There must be
    /// another move. Only for games whose values are scores.
    Margin(u8),
}

impl PuzzleCondition {
    /// Returns true if the condition applies to values of this kind.
    pub fn suits(self, codec: ValueCodec) -> bool {
        matches!(self, PuzzleCondition::Margin(_)) == (codec == ValueCodec::Score)
    }

    /// Returns true if a position with this value may be a puzzle. The moves are not considered.
    fn value<V: Value>(self, value: V) -> bool {
        match (self, value.measure()) {
            (PuzzleCondition::Plies(wanted), Measure::Distance { plies: Some(plies) }) => {
                value.outcome() == Outcome::Win && plies.0 == wanted
            }
            (PuzzleCondition::Margin(_), Measure::Score { .. }) => value.outcome() != Outcome::Loss,
            _ => false,
        }
    }

    /// Returns true for [`PuzzleCondition::Plies`]. For [`PuzzleCondition::Margin`], returns true if the score of the
    /// best move exceeds that of the second best, `next`, by at least the margin. The caller compares the outcomes.
    fn lead<V: Value>(self, best: V, next: Option<V>) -> bool {
        let PuzzleCondition::Margin(margin) = self else { return true };
        match (best.measure(), next.map(Value::measure)) {
            (Measure::Score { score: best }, Some(Measure::Score { score: next })) => {
                i16::from(best) - i16::from(next) >= i16::from(margin)
            }
            _ => false,
        }
    }
}

/// A position with exactly one right move.
pub struct Puzzle {
    /// The position to solve.
    pub position: AnyPosition,
    /// The value and all moves of the position. The right move is the first.
    pub answer: Answer,
    /// The right move and best play after it.
    pub line: Vec<RankedMove>,
}

impl Puzzle {
    /// Creates the puzzle of a position that [`draw_puzzles`] found. `oracle` must give the values of the table that
    /// [`draw_puzzles`] read.
    pub fn new(oracle: &Oracle, position: &AnyPosition) -> Result<Puzzle> {
        Ok(Puzzle { position: *position, answer: oracle.answer(position)?, line: oracle.line(position, usize::MAX)? })
    }

    /// Returns the right move.
    pub fn solution(&self) -> AnyMove {
        self.answer.moves[0].mv
    }

    /// Makes the report of the puzzle.
    pub fn report(&self, game: &AnyGame) -> PuzzleReport {
        PuzzleReport {
            position: game.position_text(&self.position),
            key: KeyText::of(game, &self.position),
            to_move: game.side(&self.position),
            measure: self.answer.value.measure(),
            solution: game.move_text(self.solution()),
            line: self.line.iter().map(|step| game.move_text(step.mv)).collect(),
            moves: self.answer.moves.len(),
        }
    }
}

/// A puzzle: one element of the array that `puzzle` prints.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PuzzleReport {
    /// The position, in the game's notation.
    pub position: String,
    /// The key; `null` on boards without keys.
    pub key: Option<KeyText>,
    /// The side to move.
    pub to_move: Side,
    /// The plies to the end, or the score for the side to move. The right move keeps this value.
    #[serde(flatten)]
    pub measure: Measure,
    /// The right move.
    pub solution: String,
    /// Best play, starting with the right move.
    pub line: Vec<String>,
    /// The number of legal moves.
    pub moves: usize,
}

/// Draws `count` puzzles from a table, or all of them if there are fewer. Every puzzle is equally likely. The same seed
/// draws the same puzzles in the same order.
pub fn draw_puzzles(
    game: &AnyGame,
    table: &Table,
    wanted: PuzzleCondition,
    count: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Vec<AnyPosition>> {
    progress.begin("puzzles", table.header.positions.get());
    let read = game.entry_reader(table)?;
    let lots = Lots::new(count, seed);
    let mut suits = [false; 256];
    for byte in 0..=u8::MAX {
        suits[usize::from(byte)] = game.value_of_byte(byte).is_some_and(|value| wanted.value(value));
    }
    let ranges = ranges(table)?;
    parallel::try_each(ranges.len(), |number| {
        let entries = read(ranges[number].clone())?;
        draw_within(game, table, wanted, &entries, &suits, &lots)?;
        progress.advance(entries.keys.len() as u64);
        Ok::<_, SolveError>(())
    })?;
    progress.end("done");
    lots.keys().into_iter().map(|key| Ok(position_of(game, table, key)?)).collect()
}

fn draw_within(
    game: &AnyGame,
    table: &Table,
    wanted: PuzzleCondition,
    entries: &Entries,
    suits: &[bool; 256],
    lots: &Lots,
) -> Result<()> {
    for (&key, &byte) in entries.keys.iter().zip(&entries.bytes) {
        // Each key has a lot, a hash, and only the keys with the lowest lots are kept. Once enough keys are kept, most
        // lots are too high, and only few positions need a look-up of their moves.
        if suits[usize::from(byte)] && lots.may_win(key) && is_puzzle(game, table, wanted, key)? {
            lots.keep(key);
        }
    }
    Ok(())
}

/// Returns true if the position with this key has exactly one right move. The caller has already checked that the value
/// of the position meets the condition ([`PuzzleCondition::value`]).
fn is_puzzle(game: &AnyGame, table: &Table, wanted: PuzzleCondition, key: u64) -> Result<bool> {
    let position = position_of(game, table, key)?;
    let moves = game.legal_moves(&position);
    let (mut best, mut next) = (None, None);
    for mv in moves {
        let child = game.play(&position, mv);
        let value = if game.is_terminal(&child) { game.terminal_value(&child) } else { game.probe(table, &child)? };
        let missing = || table.damaged(format!("has no value for {}", game.position_text(&child)));
        let value = Some(value.ok_or_else(missing)?.of_move());
        next = next.max(value.min(best));
        best = best.max(value);
        // A position with two winning moves is not a puzzle. If the two best moves so far do not win, a better move may
        // still follow.
        if next.is_some_and(|next: AnyValue| next.outcome() == Outcome::Win) {
            return Ok(false);
        }
    }
    let alone = |best: AnyValue| next.is_some_and(|next| next.outcome() < best.outcome());
    Ok(best.is_some_and(|best| alone(best) && wanted.lead(best, next)))
}

/// A bottom-k sample: the `count` keys with the lowest lots. The lot of a key is a hash of the key and the seed alone,
/// so the result does not depend on the order of the keys.
struct Lots {
    count: usize,
    seed: u64,
    /// The upper limit of lots (hashes of keys). A key with a higher lot is not kept. The limit is `u64::MAX` until
    /// `count` keys are kept, then the highest lot of a kept key.
    highest: AtomicU64,
    /// Pairs of the lot (hash) of a key and the key. The pair with the highest lot is on top.
    kept: Mutex<BinaryHeap<(u64, u64)>>,
}

impl Lots {
    fn new(count: usize, seed: u64) -> Lots {
        Lots { count, seed, highest: AtomicU64::new(u64::MAX), kept: Mutex::new(BinaryHeap::new()) }
    }

    fn lot(&self, key: u64) -> u64 {
        xxh3_64_with_seed(&key.to_le_bytes(), self.seed)
    }

    /// Returns true if the lot of a key, a hash of the key and the seed, is low enough for the key to be kept.
    fn may_win(&self, key: u64) -> bool {
        self.lot(key) <= self.highest.load(Ordering::Relaxed)
    }

    /// Keeps a key if its lot, a hash of the key and the seed, is among the `count` lowest so far.
    fn keep(&self, key: u64) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((self.lot(key), key));
        if kept.len() > self.count {
            kept.pop();
        }
        if let Some(&(highest, _)) = kept.peek().filter(|_| kept.len() == self.count) {
            self.highest.store(highest, Ordering::Relaxed);
        }
    }

    /// Returns the kept keys, in ascending order of their lots (hashes).
    fn keys(self) -> Vec<u64> {
        let kept = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        kept.into_sorted_vec().into_iter().map(|(_, key)| key).collect()
    }
}
