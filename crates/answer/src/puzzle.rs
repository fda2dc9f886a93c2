//! Positions of a table in which one move alone is right.

use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::key_text::KeyText;
use super::oracle::{Answer, Oracle, RankedMove};
use yomikiri_rules::{Game, Measure, Outcome, Side, Value, ValueCodec};
use yomikiri_solve::{Result, Solvable, SolveError};
use yomikiri_table::entries::{Entries, ranges};
use yomikiri_table::probe::position_of;
use yomikiri_table::{Progress, Table};

/// Which positions are puzzles. The best move always has another outcome than all other moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The side to move wins, in exactly so many plies. For values that tell the distance to the end.
    Plies(u16),
    /// The best move wins or draws, and scores at least so much more than any other, of which there is one at least.
    /// For values that are scores.
    Margin(u8),
}

impl Wanted {
    /// Whether such puzzles can be asked of values of this kind.
    pub fn suits(self, codec: ValueCodec) -> bool {
        matches!(self, Wanted::Margin(_)) == (codec == ValueCodec::Score)
    }

    /// Whether a position of this value may be a puzzle.
    fn value<V: Value>(self, value: V) -> bool {
        match (self, value.measure()) {
            (Wanted::Plies(wanted), Measure::Distance { plies: Some(plies) }) => {
                value.outcome() == Outcome::Win && plies.0 == wanted
            }
            (Wanted::Margin(_), Measure::Score { .. }) => value.outcome() != Outcome::Loss,
            _ => false,
        }
    }

    /// Whether the best move is far enough ahead of the next, if there is one, whose outcome is worse.
    fn lead<V: Value>(self, best: V, next: Option<V>) -> bool {
        let Wanted::Margin(margin) = self else { return true };
        match (best.measure(), next.map(Value::measure)) {
            (Measure::Score { score: best }, Some(Measure::Score { score: next })) => {
                i16::from(best) - i16::from(next) >= i16::from(margin)
            }
            _ => false,
        }
    }
}

/// A position in which one move alone is right.
pub struct Puzzle<G: Game> {
    pub position: G::Position,
    pub answer: Answer<G>,
    /// The right move and best play after it.
    pub line: Vec<RankedMove<G>>,
}

impl<G: Solvable> Puzzle<G> {
    /// From a position that [`draw_puzzles`] found, by a source that has the same values.
    pub fn new(oracle: &Oracle<G>, position: &G::Position) -> Result<Puzzle<G>> {
        Ok(Puzzle { position: *position, answer: oracle.answer(position)?, line: oracle.line(position, usize::MAX)? })
    }

    /// The right move.
    pub fn solution(&self) -> G::Move {
        self.answer.moves[0].mv
    }

    /// The puzzle as JSON.
    pub fn report(&self, game: &G) -> PuzzleReport {
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

/// A puzzle: one of the JSON array of `puzzle`.
#[derive(Clone, Debug, Serialize)]
pub struct PuzzleReport {
    pub position: String,
    pub key: Option<KeyText>,
    pub to_move: Side,
    /// What the right move achieves.
    #[serde(flatten)]
    pub measure: Measure,
    pub solution: String,
    /// Best play, from the solution on.
    pub line: Vec<String>,
    /// Number of legal moves.
    pub moves: usize,
}

/// `count` positions of the table, or all if there are fewer, in which one move alone does what is wanted. Each such
/// position is drawn as likely as any other; the same seed draws the same ones in the same order.
pub fn draw_puzzles<G: Solvable>(
    game: &G,
    table: &Table,
    wanted: Wanted,
    count: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Vec<G::Position>> {
    progress.begin("puzzles", table.header.positions.get());
    let read = game.entry_reader(table)?;
    let lots = Lots::new(count, seed);
    let mut suits = [false; 256];
    for byte in 0..=u8::MAX {
        suits[usize::from(byte)] = G::Value::from_byte(byte).is_some_and(|value| wanted.value(value));
    }
    ranges(table)?.into_par_iter().try_for_each(|range| {
        let entries = read(range)?;
        draw_within(game, table, wanted, &entries, &suits, &lots)?;
        progress.advance(entries.keys.len() as u64);
        Ok::<_, SolveError>(())
    })?;
    progress.end("done");
    lots.keys().into_iter().map(|key| Ok(position_of(game, table, key)?)).collect()
}

fn draw_within<G: Solvable>(
    game: &G,
    table: &Table,
    wanted: Wanted,
    entries: &Entries,
    suits: &[bool; 256],
    lots: &Lots,
) -> Result<()> {
    for (&key, &byte) in entries.keys.iter().zip(&entries.bytes) {
        // Few positions have a chance once some are kept: most moves are never looked at.
        if suits[usize::from(byte)] && lots.may_win(key) && is_puzzle(game, table, wanted, key)? {
            lots.keep(key);
        }
    }
    Ok(())
}

/// Whether a position whose value suits has one right move.
fn is_puzzle<G: Solvable>(game: &G, table: &Table, wanted: Wanted, key: u64) -> Result<bool> {
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
        // A second win settles it; other outcomes may still turn out not to be the best.
        if next.is_some_and(|next: G::Value| next.outcome() == Outcome::Win) {
            return Ok(false);
        }
    }
    let alone = |best: G::Value| next.is_none_or(|next| next.outcome() < best.outcome());
    Ok(best.is_some_and(|best| alone(best) && wanted.lead(best, next)))
}

/// Every key has a lot, which depends on the seed alone; those with the lowest are kept, in whatever order they come.
struct Lots {
    count: usize,
    seed: u64,
    /// No lot above this is kept any more.
    highest: AtomicU64,
    /// Lots with their keys.
    kept: Mutex<BinaryHeap<(u64, u64)>>,
}

impl Lots {
    fn new(count: usize, seed: u64) -> Lots {
        Lots { count, seed, highest: AtomicU64::new(u64::MAX), kept: Mutex::new(BinaryHeap::new()) }
    }

    fn lot(&self, key: u64) -> u64 {
        xxh3_64_with_seed(&key.to_le_bytes(), self.seed)
    }

    /// Whether a key would be kept now, or might be.
    fn may_win(&self, key: u64) -> bool {
        self.lot(key) <= self.highest.load(Ordering::Relaxed)
    }

    /// Keeps a key if its lot is among the lowest so far.
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

    /// The keys kept, the lowest lot first.
    fn keys(self) -> Vec<u64> {
        let kept = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        kept.into_sorted_vec().into_iter().map(|(_, key)| key).collect()
    }
}
