//! The audit of a table that `occupancy` has made: checks every position by the plain rules, with two plies in memory.
//!
//! The audit shares only the keys with that kernel. `ply` holds the positions of a ply as the table stores them.

mod ply;
use crate::audit::Auditor;
use crate::counts::ByteCounts;
use crate::space::SharedSet;
use crate::{Breach, Result, SolveError};
use ply::Ply;
use yomikiri_rules::bits::squares_of;
use yomikiri_rules::games::reversi::Reversi;
use yomikiri_rules::games::reversi::board::{Position, Squares};
use yomikiri_rules::games::reversi::index::{self, Packing};
use yomikiri_rules::games::reversi::moves::{self, Move};
use yomikiri_rules::{CodedValue, Game, Score, Side};
use yomikiri_table::blocks::Lanes;
use yomikiri_table::{Progress, Table, Tally, parallel};

/// Checks all positions of a table: that each value agrees with the moves, that each position is `root` or a child of
/// another position, and that the counts are right. Holds two plies in memory.
pub fn audit(game: &Reversi, table: &Table, root: &Position, progress: &dyn Progress) -> Result<()> {
    let (auditor, board) = (Auditor { game, table }, game.rules.board);
    progress.begin("Step 3: audit", table.header.positions.get());
    let mut plies = vec![Vec::new(); board.area() as usize + 1];
    for section in table.sections()? {
        let discs = index::disc_count(board, section.key);
        let discs = discs.ok_or_else(|| auditor.error(section.key, Breach::NoPosition))?;
        plies[discs as usize].push(section);
    }
    let read = |discs: u32| Ply::read(table, plies.get(discs as usize).map_or(&[], Vec::as_slice));
    let mut tally = Tally::default();
    let mut current = read(0)?;
    for discs in 0..=board.area() {
        let next = read(discs + 1)?;
        let pair = PlyPair { auditor: &auditor, discs, current: &current, next: &next };
        pair.check(progress)?.add_to(&mut tally, discs);
        let first = root.occupied().count_ones() == discs + 1 && !game.is_terminal(root);
        if first && Children::default().value(game, &next, root).is_none() {
            return Err(auditor.without_root().into());
        }
        current = next;
    }
    progress.end(&format!("{} positions, every value agrees with its moves", tally.positions()));
    auditor.check_counts(&tally, &Default::default())
}

/// Returns the memory for [`audit`], in bytes: the two successive plies that take most, and a reserve for the rest.
pub fn memory(game: &Reversi, table: &Table) -> Result<u64> {
    let board = game.rules.board;
    let mut plies = vec![0; board.area() as usize + 2];
    for section in table.sections()? {
        // Each row has the number of positions before it.
        let discs = index::disc_count(board, section.key).unwrap_or(board.area());
        plies[discs as usize] += section.rows * (size_of::<Lanes>() + size_of::<u32>()) as u64;
    }
    for (&discs, counts) in &table.meta()?.tally.plies {
        // Each position has a value, and a bit in the set of those reached.
        let positions: u64 = counts.values().sum();
        plies[(discs as usize).min(board.area() as usize)] += positions + SharedSet::memory(positions);
    }
    Ok(plies.windows(2).map(|pair| pair[0] + pair[1]).max().unwrap_or(0) + ROOM)
}

/// Bytes of memory for the program itself.
const ROOM: u64 = 16 << 20;

/// A ply and the next one, to which its moves lead.
struct PlyPair<'a> {
    auditor: &'a Auditor<'a, Reversi>,
    /// The number of discs in positions of `current`.
    discs: u32,
    current: &'a Ply,
    next: &'a Ply,
}

impl PlyPair<'_> {
    /// Checks every position of `current`, and that each of them has been reached. Returns the counts of positions by
    /// table byte.
    fn check(&self, progress: &dyn Progress) -> Result<ByteCounts> {
        let check = |section: usize| {
            let counts = self.check_section(section)?;
            progress.advance(counts.total());
            Ok::<_, SolveError>(counts)
        };
        let counts = parallel::try_reduce(self.current.sections(), check, ByteCounts::merged)?;
        match self.current.first_unreached() {
            Some(key) => Err(self.auditor.error(key, Breach::Unreached)),
            None => Ok(counts),
        }
    }

    /// Checks the positions of a section, and counts them by table byte.
    fn check_section(&self, section: usize) -> Result<ByteCounts> {
        let mut counts = ByteCounts::default();
        let mut colouring = KeyDecoder::default();
        let (mut after_moves, mut after_pass) = (vec![Children::default(); 64], Children::default());
        let mut outcome = Ok(());
        self.current.each(section, |key, byte| {
            if outcome.is_ok() {
                counts.add(byte);
                outcome = self.check_position(key, byte, &mut colouring, &mut after_moves, &mut after_pass);
            }
        });
        outcome.map(|()| counts)
    }

    /// Checks that the value of a position agrees with its moves, and marks its children as reached.
    fn check_position(
        &self,
        key: u64,
        byte: u8,
        colouring: &mut KeyDecoder,
        after_moves: &mut [Children],
        after_pass: &mut Children,
    ) -> Result<()> {
        let (game, board) = (self.auditor.game, self.auditor.game.rules.board);
        let position = colouring.position(game, key).filter(|position| position.occupied().count_ones() == self.discs);
        let position = position.ok_or_else(|| self.auditor.error(key, Breach::NoPosition))?;
        let placed = squares_of(moves::legal(board, &position)).map(|square| {
            let child = moves::play(&position, Move::Place(square));
            Ok(match game.is_terminal(&child) {
                true => game.terminal_value(&child),
                false => after_moves[usize::from(square)].value(game, self.next, &child),
            })
        });
        let passed = moves::must_pass(board, &position).then(|| position.passed());
        let passed = passed.into_iter().map(|child| Ok(after_pass.value(game, self.current, &child)));
        self.auditor.check_minimax(key, byte, &position, placed.chain(passed))
    }
}

/// Converts keys to positions. Keeps the last occupancy (set of occupied squares), which consecutive keys mostly share.
#[derive(Default)]
struct KeyDecoder {
    first_key: u64,
    last: Option<(Squares, Packing)>,
}

impl KeyDecoder {
    /// Returns the position of a key, or `None` if no position has the key or the position is not canonical.
    fn position(&mut self, game: &Reversi, key: u64) -> Option<Position> {
        let same = |(occupied, _): &(Squares, Packing)| key.wrapping_sub(self.first_key) < 1 << occupied.count_ones();
        if !self.last.as_ref().is_some_and(same) {
            let (own, other) = index::unrank(game.rules.board, key)?;
            self.first_key = index::first_key_of(game.rules.board, own | other);
            self.last = Some((own | other, Packing::new(own | other)));
        }
        let (occupied, packing) = self.last.as_ref()?;
        let own = packing.unpack(key - self.first_key);
        let position = Position { own, other: occupied ^ own, side: Side::Black };
        (game.canonical(&position) == position).then_some(position)
    }
}

/// Looks up the values of positions. Keeps the last occupancy (set of occupied squares), which consecutive positions
/// mostly share.
#[derive(Clone, Default)]
struct Children {
    last: Option<Occupancy>,
}

#[derive(Clone)]
struct Occupancy {
    occupied: Squares,
    packing: Packing,
    first_key: u64,
    /// The index of the section that has the keys of the occupied squares; `None` if the ply has no such section.
    section: Option<usize>,
}

impl Children {
    /// Returns the value of a nonterminal position of `ply`, and marks the position as reached. Returns `None` if the
    /// ply does not have the position.
    #[inline]
    fn value(&mut self, game: &Reversi, ply: &Ply, position: &Position) -> Option<Score> {
        let canonical = game.canonical(position);
        let occupied = canonical.occupied();
        let known = match &mut self.last {
            Some(known) if known.occupied == occupied => known,
            last => last.insert(Occupancy::new(game, ply, occupied)),
        };
        let key = known.first_key + known.packing.pack(canonical.own);
        ply.reach(known.section?, key).and_then(Score::from_byte)
    }
}

impl Occupancy {
    fn new(game: &Reversi, ply: &Ply, occupied: Squares) -> Occupancy {
        let first_key = index::first_key_of(game.rules.board, occupied);
        Occupancy { occupied, packing: Packing::new(occupied), first_key, section: ply.section_of(first_key) }
    }
}
