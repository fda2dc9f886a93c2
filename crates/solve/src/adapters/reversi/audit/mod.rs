//! The audit of a table of rows: every position by the plain rules, one ply beside the next.
//!
//! Shares nothing with the kernel that makes such tables but the keys. `ply` has the positions of a ply as the table has
//! them, `children` finds what the moves of a position lead to.

mod children;
mod ply;

use rayon::prelude::*;

use crate::SolveError;
use crate::audit::wrong;
use children::Children;
use ply::Ply;
use yomikiri_rules::game::Game;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::{Position, Squares};
use yomikiri_rules::games::reversi::index::{self, Packing};
use yomikiri_rules::games::reversi::moves::{self, Move, each};
use yomikiri_rules::value::{Score, Side, Value};
use yomikiri_table::progress::Progress;
use yomikiri_table::{Table, Tally};

/// Checks all positions of a table of rows: each against its moves, and that each is `root` or comes after another.
/// Returns how many there are of each value. Holds two plies in memory.
pub fn audit(game: &Reversi, table: &Table, root: &Position, progress: &dyn Progress) -> Result<Tally, SolveError> {
    let board = game.rules.board;
    progress.begin("Step 3: audit", table.header.positions.get());
    let mut plies = vec![Vec::new(); board.area() as usize + 1];
    for section in (0..table.header.sections.get()).map(|number| table.section(number)) {
        let discs = index::discs_of(board, section.key).ok_or_else(|| no_position(game, table, section.key))?;
        plies[discs as usize].push(section);
    }
    let read = |discs: u32| Ply::read(table, plies.get(discs as usize).map_or(&[], Vec::as_slice));
    let mut tally = Tally::default();
    let mut current = read(0)?;
    for discs in 0..=board.area() {
        let next = read(discs + 1)?;
        let pair = Pair { game, table, discs, current: &current, next: &next };
        tally.merge(&pair.check(progress)?);
        let first = root.occupied().count_ones() == discs + 1 && !game.decided(root);
        if first && Children::default().value(game, &next, root).is_none() {
            return Err(table.damaged("has no value for its first position").into());
        }
        current = next;
    }
    progress.end(&format!("{} positions, every value agrees with its moves", tally.positions()));
    Ok(tally)
}

/// A ply and the one that its moves lead to.
struct Pair<'a> {
    game: &'a Reversi,
    table: &'a Table,
    /// Number of discs of the first.
    discs: u32,
    current: &'a Ply,
    next: &'a Ply,
}

impl Pair<'_> {
    /// Checks the first of the two plies, and that everything in it has been reached.
    fn check(&self, progress: &dyn Progress) -> Result<Tally, SolveError> {
        let sections = (0..self.current.sections()).into_par_iter().with_max_len(64);
        let checked = sections.map(|section| {
            let counts = self.check_section(section)?;
            progress.advance(counts.iter().sum());
            Ok::<_, SolveError>(counts)
        });
        let add = |a: Vec<u64>, b: Vec<u64>| a.iter().zip(&b).map(|(a, b)| a + b).collect();
        let counts = checked.try_reduce(|| vec![0; 256], |a, b| Ok(add(a, b)))?;
        if let Some(key) = self.current.first_unreached() {
            return Err(wrong(self.game, self.table, key, "cannot arise: no move leads to it"));
        }
        let mut tally = Tally::default();
        (0..=u8::MAX).for_each(|byte| tally.add(self.discs, byte, counts[usize::from(byte)]));
        Ok(tally)
    }

    /// Checks the positions of a section; how many of them have each byte.
    fn check_section(&self, section: usize) -> Result<Vec<u64>, SolveError> {
        let mut counts = vec![0; 256];
        let mut colouring = Colouring::default();
        let (mut after_moves, mut after_pass) = (vec![Children::default(); 64], Children::default());
        let mut outcome = Ok(());
        self.current.each(section, |key, byte| {
            if outcome.is_ok() {
                counts[usize::from(byte)] += 1;
                outcome = self.check_position(key, byte, &mut colouring, &mut after_moves, &mut after_pass);
            }
        });
        outcome.map(|()| counts)
    }

    /// Checks a position against its moves, and marks what they lead to.
    fn check_position(
        &self,
        key: u64,
        byte: u8,
        colouring: &mut Colouring,
        after_moves: &mut [Children],
        after_pass: &mut Children,
    ) -> Result<(), SolveError> {
        let (game, board) = (self.game, self.game.rules.board);
        let position = colouring.position(game, key).filter(|position| position.occupied().count_ones() == self.discs);
        let position = position.ok_or_else(|| no_position(game, self.table, key))?;
        let missing = || wrong(game, self.table, key, "has a child that is not in the table");
        let mut best = None;
        for square in each(moves::legal(board, &position)) {
            let child = moves::play(&position, Move::Place(square));
            let value = match game.decided(&child) {
                true => game.end(&child),
                false => after_moves[usize::from(square)].value(game, self.next, &child),
            };
            best = best.max(Some(value.ok_or_else(missing)?.of_move()));
        }
        if moves::must_pass(board, &position) {
            let value = after_pass.value(game, self.current, &position.passed());
            best = Some(value.ok_or_else(missing)?.of_move());
        }
        match Score::from_byte(byte) == best.or_else(|| game.end(&position)) {
            true => Ok(()),
            false => Err(wrong(game, self.table, key, "does not have the value of its best move")),
        }
    }
}

/// From keys to positions, most of which have the same squares occupied as the last.
#[derive(Default)]
struct Colouring {
    first_key: u64,
    last: Option<(Squares, Packing)>,
}

impl Colouring {
    /// The position of a key, if a canonical one has it.
    fn position(&mut self, game: &Reversi, key: u64) -> Option<Position> {
        let same = |(occupied, _): &(Squares, Packing)| key.wrapping_sub(self.first_key) < 1 << occupied.count_ones();
        if !self.last.as_ref().is_some_and(same) {
            let (own, other) = index::discs(game.rules.board, key)?;
            self.first_key = index::first_key_of(game.rules.board, own | other);
            self.last = Some((own | other, Packing::new(own | other)));
        }
        let (occupied, packing) = self.last.as_ref()?;
        let own = packing.unpack(key - self.first_key);
        let position = Position { own, other: occupied ^ own, side: Side::Black };
        (game.canonical(&position) == position).then_some(position)
    }
}

fn no_position(game: &Reversi, table: &Table, key: u64) -> SolveError {
    wrong(game, table, key, "is no position of this game")
}
