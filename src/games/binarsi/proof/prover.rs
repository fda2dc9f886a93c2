//! A proof by several threads on one table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::guess::Guess;
use super::search::Worker;
use super::state::State;
use super::table::{ENDLESS, Table};
use crate::games::binarsi::board::Position;
use crate::games::binarsi::game::Binarsi;
use crate::games::binarsi::kernel::CompactPosition;
use crate::value::Side;

/// Plies before the end at which positions are read out.
const NEAR: u32 = 7;

/// Bytes of a thread's reader: so few that they stay near the core. A thousand times as many save one position of a hundred.
pub(super) const READER_BYTES: usize = 1 << 20;

/// Time between two looks at what the threads have done.
const GLANCE: Duration = Duration::from_millis(50);

/// More plies than any game takes.
const LONGEST: usize = 32;

/// How far the side to move is from a proof that it wins, and that it loses, in positions to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    pub wins: u32,
    pub loses: u32,
}

impl Numbers {
    /// More than any position has that is not decided.
    pub const ENDLESS: Numbers = Numbers { wins: ENDLESS, loses: ENDLESS };

    /// Of a position that is decided.
    pub fn of_winner(mover_wins: bool) -> Numbers {
        match mover_wins {
            true => Numbers { wins: 0, loses: ENDLESS },
            false => Numbers { wins: ENDLESS, loses: 0 },
        }
    }

    /// The same seen by the other side.
    pub fn turned(self) -> Numbers {
        Numbers { wins: self.loses, loses: self.wins }
    }

    /// Positions to be decided to prove a win of the side to move; `None` if there is none.
    pub fn to_win(self) -> Option<u32> {
        (self.wins < ENDLESS).then_some(self.wins)
    }

    /// The same for its loss.
    pub fn to_loss(self) -> Option<u32> {
        self.turned().to_win()
    }

    /// Whether the side to move wins, if that is known.
    pub fn decided(self) -> Option<bool> {
        match self {
            Numbers { wins: 0, .. } => Some(true),
            Numbers { loses: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// Decides positions of one variant, and remembers what it has found.
pub struct Prover {
    pub(super) game: Binarsi,
    pub(super) table: Table,
    pub(super) guess: Guess,
    pub(super) near: u32,
    pub(super) halt: AtomicBool,
    /// The places on the way from the root to where each thread is; `u64::MAX` where none is.
    pub(super) paths: Vec<[AtomicU64; LONGEST]>,
    /// Work, readings, positions looked at for readings.
    pub(super) done: [AtomicU64; 3],
}

impl Prover {
    /// A prover that keeps at most so many bytes of proof numbers and works on so many threads.
    pub fn new(game: &Binarsi, bytes: u64, threads: usize) -> Prover {
        let no_path = || std::array::from_fn(|_| AtomicU64::new(u64::MAX));
        Prover {
            game: game.clone(),
            table: Table::new(bytes),
            guess: Guess::new(&game.rules),
            near: NEAR,
            halt: AtomicBool::new(false),
            paths: std::iter::repeat_with(no_path).take(threads.max(1)).collect(),
            done: Default::default(),
        }
    }

    /// Has positions so many plies before the end of the longest game read out instead of expanded, and all later ones.
    pub fn read_from(&mut self, plies: u32) {
        self.near = plies;
    }

    /// Who wins from a position; `None` if `go_on`, which is asked several times a second, has said no.
    pub fn winner(&mut self, position: &Position, mut go_on: impl FnMut(&State<'_>) -> bool) -> Option<Side> {
        let field = CompactPosition::from(position);
        if let Some(winner) = field.by_targets(&self.game.rules) {
            return Some(winner);
        }
        let prover = &*self;
        let search = |number| move || Worker::new(prover, number).search(&field, Numbers::ENDLESS);
        let found = prover.attend((0..self.threads()).map(search), || go_on(&State::new(prover, &field)));
        let (mover, wins) = (position.side(), found?.ok()?.decided()?);
        Some(if wins { mover } else { mover.other() })
    }

    /// Has work done, each piece by a thread of its own, and returns what the first has come to; then the others are told to stop, and so are all
    /// if `go_on`, which is asked several times a second, has said no.
    pub(super) fn attend<T: Send, W: FnOnce() -> T + Send>(
        &self,
        works: impl Iterator<Item = W>,
        mut go_on: impl FnMut() -> bool,
    ) -> Option<T> {
        self.halt.store(false, Ordering::Relaxed);
        let (sender, results) = channel();
        std::thread::scope(|scope| {
            for work in works {
                let sender = sender.clone();
                scope.spawn(move || sender.send(work()));
            }
            drop(sender);
            let result = loop {
                match results.recv_timeout(GLANCE) {
                    Ok(result) => break Some(result),
                    Err(RecvTimeoutError::Timeout) if go_on() => {}
                    Err(_) => break None,
                }
            };
            self.halt.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Whether a position is so near the end that it is read out.
    pub(super) fn is_near(&self, field: &CompactPosition) -> bool {
        self.game.rules.max_plies() - field.ply() <= self.near
    }

    /// How far the proof of a position is.
    pub fn state(&self, position: &Position) -> State<'_> {
        State::new(self, &CompactPosition::from(position))
    }

    /// Threads that work on a position.
    pub fn threads(&self) -> usize {
        self.paths.len()
    }

    /// Work, readings, positions looked at for readings.
    pub(super) fn done(&self) -> [u64; 3] {
        self.done.each_ref().map(|done| done.load(Ordering::Relaxed))
    }

    /// Goes on from what earlier provers have done.
    pub(super) fn set_done(&mut self, done: [u64; 3]) {
        self.done = done.map(AtomicU64::new);
    }

    /// What is known of a position, or guessed.
    pub(super) fn numbers(&self, field: &CompactPosition, key: u64) -> Numbers {
        let known = self.table.get(key, Side::at_ply(field.ply()));
        known.unwrap_or_else(|| self.guess.numbers(&self.game.successors.lines, field, self.near))
    }

    /// Whether another thread is at a place.
    pub(super) fn is_busy(&self, number: usize, depth: usize, key: u64) -> bool {
        let others = self.paths.iter().enumerate().filter(|(other, _)| *other != number);
        others.into_iter().any(|(_, path)| path[depth].load(Ordering::Relaxed) == key)
    }
}
