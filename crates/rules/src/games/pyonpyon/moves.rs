//! Move generation and play.
//!
//! A move along a line ends on the first empty square of the line. It is a step if that square is adjacent, and a jump
//! if it is behind a run of pieces. After a jump, the piece may jump on from the square where it landed. During such a
//! chain of jumps, the square where the piece started counts as empty. Moves are reversible: a piece can have come from
//! any square that it can go to.

use super::board::{Board, Position, Squares};
use crate::bits::set_bits;

/// A move of a piece from one square to another, both given as bit indices. Two paths with the same ends are the same
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square that the piece leaves.
    pub from: u8,
    /// The square on which the piece ends.
    pub to: u8,
}

impl Move {
    /// Returns the two squares of the move as a set.
    #[inline]
    pub fn squares(self) -> Squares {
        1 << self.from | 1 << self.to
    }
}

impl Lines {
    /// Returns the squares that the piece on `from` can go to, without `from` itself. `occupied` has the squares of all
    /// pieces.
    #[inline]
    pub fn destinations(&self, occupied: Squares, from: u32) -> Squares {
        let empty = self.squares() & !occupied | 1 << from;
        let first = self.first_empty(from, empty);
        (first | self.landings(from, empty, first)) & !(1 << from)
    }

    /// Returns the squares that the piece on `from` can jump to.
    #[inline]
    pub fn jumps(&self, occupied: Squares, from: u32) -> Squares {
        let empty = self.squares() & !occupied | 1 << from;
        self.landings(from, empty, self.first_empty(from, empty)) & !(1 << from)
    }

    /// Returns the squares that jumps from `from` reach, including `from`. `first` has the first empty square on each
    /// line from `from`.
    #[inline(always)]
    fn landings(&self, from: u32, empty: Squares, first: Squares) -> Squares {
        let mut open = first & !self.neighbours(from);
        let mut landed = open | 1 << from;
        while open != 0 {
            let square = open.trailing_zeros();
            let further = self.first_empty(square, empty) & !self.neighbours(square) & !landed;
            open = open & (open - 1) | further;
            landed |= further;
        }
        landed
    }

    /// Returns the squares that a piece visits on a move, including both ends. If there are several paths, a step is
    /// preferred, then a shortest chain of jumps, then the lowest squares. Returns an empty list if the piece cannot
    /// make the move.
    pub fn path(&self, occupied: Squares, mv: Move) -> Vec<u32> {
        let (start, end) = (u32::from(mv.from), u32::from(mv.to));
        let empty = self.squares() & !occupied | 1 << start;
        match (self.first_empty(start, empty) & self.neighbours(start)) >> end & 1 {
            1 => vec![start, end],
            _ => self.jumped(occupied, mv),
        }
    }

    /// Like [`Lines::path`], but for jumps only.
    pub fn jumped(&self, occupied: Squares, mv: Move) -> Vec<u32> {
        let (start, end) = (u32::from(mv.from), u32::from(mv.to));
        let empty = self.squares() & !occupied | 1 << start;
        let (mut paths, mut landed) = (vec![vec![start]], 1 << start);
        while !paths.is_empty() {
            let mut longer = Vec::new();
            for path in &paths {
                let here = path[path.len() - 1];
                let further = self.first_empty(here, empty) & !self.neighbours(here) & !landed;
                landed |= further;
                longer.extend(set_bits(further).map(|square| [path.as_slice(), &[square]].concat()));
            }
            if let Some(found) = longer.iter().find(|path| path.last() == Some(&end)) {
                return found.clone();
            }
            paths = longer;
        }
        Vec::new()
    }

    /// Visits every move of the pieces `own` as the bit indices of its two squares. The moves are in ascending order of
    /// their first, then their second square. `occupied` has the squares of all pieces. The un-moves of these pieces
    /// are the same moves backwards.
    #[inline]
    pub fn each(&self, own: Squares, occupied: Squares, mut visit: impl FnMut(u32, u32)) {
        for from in set_bits(own) {
            for to in set_bits(self.destinations(occupied, from)) {
                visit(from, to);
            }
        }
    }
}

/// Appends the moves of the side to move in the order of their texts. Does not check if the game is over.
pub fn generate(lines: &Lines, position: &Position, moves: &mut Vec<Move>) {
    let occupied = position.own | position.other;
    lines.each(position.own, occupied, |from, to| moves.push(Move { from: from as u8, to: to as u8 }));
}

/// Returns the position after a move.
#[inline]
pub fn play(position: &Position, mv: Move) -> Position {
    Position { own: position.other, other: position.own ^ mv.squares(), side: position.side.other() }
}

/// Tables of the first empty squares around each square of one board.
///
/// From a square, lines run to the edge in eight directions. A move along a line ends on the first empty square of the
/// line. Two look-ups find these squares on all eight lines: one for the four straight lines, one for the four
/// diagonals. A magic multiplication hashes the empty squares on the lines to a table index, as in magic bitboards. The
/// factors are found by trial when the table is built, and are the same every time.
#[derive(Clone, Debug)]
pub struct Lines {
    squares: Squares,
    /// The straight lines and the diagonals from each square.
    crosses: [[Cross; 2]; 25],
    neighbours: [Squares; 25],
    table: Vec<Squares>,
}

/// The look-up of the first empty squares on four lines from a square. They are in `Lines::table` at
/// `first + ((empty & mask) * factor >> shift)`, where `empty` is the set of all empty squares.
#[derive(Clone, Copy, Debug, Default)]
struct Cross {
    mask: Squares,
    factor: u32,
    shift: u32,
    first: u32,
}

/// Marks a table entry to which no set of empty squares maps.
const FREE: Squares = Squares::MAX;

/// The number of factors to try for a magic multiplication before its part of the table is doubled.
const TRIALS: u32 = 5_000;

/// The steps in files and ranks along straight lines and along diagonals.
const DIRECTIONS: [[(i8, i8); 4]; 2] = [[(0, -1), (-1, 0), (1, 0), (0, 1)], [(-1, -1), (1, -1), (-1, 1), (1, 1)]];

impl Lines {
    /// Creates the tables of a board.
    pub fn new(board: Board) -> Lines {
        let mut lines = Lines {
            squares: board.squares(),
            crosses: [[Cross::default(); 2]; 25],
            neighbours: [0; 25],
            table: Vec::new(),
        };
        let mut random = Trials(1);
        for square in 0..board.area() as usize {
            for (kind, directions) in DIRECTIONS.iter().enumerate() {
                let rays = directions.map(|step| ray(board, square as u32, step));
                lines.neighbours[square] |= rays.iter().filter_map(|ray| ray.first()).sum::<Squares>();
                lines.crosses[square][kind] = Cross::build(&rays, &mut lines.table, &mut random);
            }
        }
        lines
    }

    /// Returns all squares of the board.
    #[inline]
    pub fn squares(&self) -> Squares {
        self.squares
    }

    /// Returns the squares adjacent to a square.
    #[inline]
    pub fn neighbours(&self, square: u32) -> Squares {
        self.neighbours[square as usize]
    }

    /// Returns the first empty square on each line from a square.
    #[inline]
    pub fn first_empty(&self, square: u32, empty: Squares) -> Squares {
        let [straight, diagonal] = &self.crosses[square as usize];
        self.table[straight.place(empty)] | self.table[diagonal.place(empty)]
    }
}

impl Cross {
    #[inline]
    fn place(&self, empty: Squares) -> usize {
        (self.first + ((empty & self.mask).wrapping_mul(self.factor) >> self.shift)) as usize
    }

    /// Appends the entries for the four lines `rays` to `table`, with the smallest number of entries for which a magic
    /// factor is found.
    fn build(rays: &[Vec<Squares>; 4], table: &mut Vec<Squares>, random: &mut Trials) -> Cross {
        let mask: Squares = rays.iter().flatten().sum();
        let first_empty = |empty| rays.iter().filter_map(|ray| ray.iter().find(|&square| square & empty != 0)).sum();
        let cases: Vec<(Squares, Squares)> = subsets(mask).map(|empty| (empty, first_empty(empty))).collect();
        let first = table.len() as u32;
        for bits in mask.count_ones().max(1)..32 {
            let mut entries = vec![FREE; 1 << bits];
            for _ in 0..TRIALS {
                let cross = Cross { mask, factor: random.factor(), shift: 32 - bits, first };
                if cross.fill(&cases, &mut entries) {
                    table.extend(entries);
                    return cross;
                }
            }
        }
        unreachable!("a mask of at most 25 bits fits 31 bits with the factor 1 << 6")
    }

    /// Writes the result of each of `cases`, pairs of a set of empty squares and its result, to its entry. Returns
    /// false if two cases with different results have the same entry.
    fn fill(&self, cases: &[(Squares, Squares)], entries: &mut [Squares]) -> bool {
        entries.fill(FREE);
        cases.iter().all(|&(empty, found)| {
            let entry = &mut entries[self.place(empty) - self.first as usize];
            let fits = *entry == FREE || *entry == found;
            *entry = found;
            fits
        })
    }
}

/// Returns the squares from `start` to the edge, the nearest first, each as a set.
fn ray(board: Board, start: u32, step: (i8, i8)) -> Vec<Squares> {
    let (file, rank) = board.file_and_rank(start);
    let at = |distance: i8| {
        let (file, rank) = (file as i8 + step.0 * distance, rank as i8 + step.1 * distance);
        let inside = (0..board.files as i8).contains(&file) && (0..board.ranks as i8).contains(&rank);
        inside.then(|| 1 << board.bit(file as u8, rank as u8))
    };
    (1..).map_while(at).collect()
}

/// Returns all subsets of `mask`, the empty set first.
fn subsets(mask: Squares) -> impl Iterator<Item = Squares> {
    let next = move |&set: &Squares| Some(set.wrapping_sub(mask) & mask).filter(|&set| set != 0);
    std::iter::successors(Some(0), next)
}

/// The factors to try for magic multiplications: a fixed xorshift sequence. Two of its numbers are ANDed for each
/// factor, so that few bits are set.
struct Trials(u64);

impl Trials {
    fn factor(&mut self) -> u32 {
        (self.next() & self.next()) as u32
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
