//! Keys: dense numbers for positions as the side to move sees them (see [`Position::seen_by_mover`]). Mirror images
//! share a key.
//!
//! The **own set** of a position is the set of squares of the side to move's pieces. A **row** contains all positions
//! with the same own set, ordered by the squares of the other side's pieces. Of two own sets that are mirror images of
//! each other, only the smaller one has a row. Rows with a symmetric own set (its own mirror image) come last. In these
//! rows the sets of the other side are **folded**: of two mirror images, only the one with the smaller rank has a key.
//!
//! ```text
//! 0 .. A * K            A rows (own set differs from its mirror image) of K keys each
//!                       key = row * K + rank of the other side's squares among the squares without own pieces
//! A * K .. count        rows with a symmetric own set
//!                       key = first key of the row + index of the folded rank among the row's ranks
//! ```
//!
//! Every number below `count` is the key of exactly one canonical position. On 5x5, `A` is 26,402 and `K` is 15,504.
//! With the 326 symmetric rows, this makes 411,883,560 keys. Decided and unreachable positions have keys too.
//!
//! [`Position::seen_by_mover`]: super::board::Position::seen_by_mover

use std::collections::HashMap;
use std::ops::Range;

use super::board::{Board, Squares};
use super::combinations::Combinations;

/// The bit that marks an entry of `Index::row_of` for a set of squares without a row of keys of its own. The entry then
/// gives the row of the mirror image.
const MIRRORED: u16 = 0x8000;

/// The keys of one board.
#[derive(Clone, Debug)]
pub struct Index {
    own: Combinations,
    /// The ranks of the sets of the other side's squares. `gaps` first renumbers the squares, so that those of the side
    /// to move's pieces get no number.
    other: Combinations,
    gaps: Compaction,
    /// Indexed by the rank of a set of squares of the side to move's pieces: the index of the row of keys for this set
    /// or its mirror image. The bit [`MIRRORED`] is set for the mirror image.
    row_of: Vec<u16>,
    /// The squares of the side to move's pieces that all positions of a row share, for each row.
    sets: Vec<Squares>,
    /// The number of rows in which the squares of the side to move's pieces differ from their mirror image.
    unfolded: u32,
    /// The rows in which the squares of the side to move's pieces are their own mirror image.
    symmetric: Vec<SymmetricRow>,
    folds: Vec<Fold>,
    count: u32,
}

#[derive(Clone, Debug)]
struct SymmetricRow {
    first: u32,
    /// The index in [`Index::folds`] of the row's table of mirror images.
    fold: u8,
}

/// A table of mirror images for rows in which the squares of the side to move's pieces are their own mirror image. It
/// pairs each set of the other side's squares with its mirror image. It depends only on the number of free squares in
/// each file.
#[derive(Clone, Debug)]
struct Fold {
    /// Indexed by the rank of a set of the other side's squares: the index of the pair that the set forms with its
    /// mirror image.
    pair_of: Vec<u16>,
    /// Indexed by pair: the smaller rank of its two sets.
    ranks: Vec<u16>,
}

/// A row of consecutive keys: the positions that share the squares of the side to move's pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// The squares of the side to move's pieces in the positions of the row.
    pub own: Squares,
    /// The first key of the row.
    pub first: u32,
    /// True if `own` is the mirror image of the set that was passed to [`Index::row`].
    pub mirrored: bool,
    fold: Option<u8>,
}

impl Row {
    /// Returns true if the set `own` is its own mirror image.
    pub fn is_symmetric(&self) -> bool {
        self.fold.is_some()
    }
}

impl Index {
    /// Creates the keys of a board. Each side has one piece for every file.
    pub fn new(board: Board) -> Index {
        let (area, pieces) = (board.area(), u32::from(board.files));
        let own = Combinations::new(area, pieces);
        let other = Combinations::new(area - pieces, pieces);
        let (symmetric_sets, mut sets): (Vec<_>, Vec<_>) =
            own.sets().iter().filter(|&&set| set <= board.mirrored(set)).partition(|&&set| set == board.mirrored(set));
        let unfolded = sets.len() as u32;
        sets.extend(&symmetric_sets);
        let mut row_of = vec![0; own.count() as usize];
        for (row, &set) in (0u16..).zip(&sets) {
            row_of[own.rank(board.mirrored(set)) as usize] = row | MIRRORED;
            row_of[own.rank(set) as usize] = row;
        }
        let mut index = Index {
            own,
            other,
            gaps: Compaction::new(board),
            row_of,
            sets,
            unfolded,
            symmetric: vec![],
            folds: vec![],
            count: 0,
        };
        index.count = unfolded * index.other.count();
        index.add_symmetric_rows(board, &symmetric_sets);
        index
    }

    fn add_symmetric_rows(&mut self, board: Board, sets: &[Squares]) {
        let mut known = HashMap::new();
        for &own in sets {
            let taken: Vec<u32> = (0..board.files).map(|file| (own & board.file(file)).count_ones()).collect();
            let fold = *known.entry(taken).or_insert_with(|| {
                self.folds.push(Fold::new(own, &self.gaps, &self.other));
                self.folds.len() as u8 - 1
            });
            self.symmetric.push(SymmetricRow { first: self.count, fold });
            self.count += self.folds[usize::from(fold)].ranks.len() as u32;
        }
    }

    /// Returns the number of keys.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns all sets of squares that the side to move's pieces can occupy, including mirror images, in ascending
    /// order.
    pub fn own_sets(&self) -> &[Squares] {
        self.own.sets()
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.sets.len()
    }

    /// Returns the row with this index, which must be below [`Index::rows`]. Rows are in the order of their keys.
    pub fn row_at(&self, number: usize) -> Row {
        let own = self.sets[number];
        match number.checked_sub(self.unfolded as usize) {
            None => Row { own, first: number as u32 * self.other.count(), mirrored: false, fold: None },
            Some(at) => {
                let SymmetricRow { first, fold } = self.symmetric[at];
                Row { own, first, mirrored: false, fold: Some(fold) }
            }
        }
    }

    /// Returns the rank of a set of the other side's squares. `closed` is this set after [`Compaction::compact`], which
    /// renumbers the squares without those of the side to move's pieces.
    #[inline]
    pub fn rank_compact(&self, closed: u32) -> u32 {
        self.other.rank(closed)
    }

    /// Returns the other side's squares in the position whose key is the first key of `row` plus `place`. The result is
    /// as after [`Compaction::compact`], which renumbers the squares without those of the side to move's pieces.
    #[inline]
    pub fn compact_at(&self, row: &Row, place: u32) -> u32 {
        self.other.set(match row.fold {
            None => place,
            Some(fold) => u32::from(self.folds[usize::from(fold)].ranks[place as usize]),
        })
    }

    /// Returns the key of a position of `row` minus the first key of the row. `rank` is the rank of the set of the
    /// other side's squares, see [`Index::rank_compact`].
    #[inline]
    pub fn place(&self, row: &Row, rank: u32) -> u32 {
        match row.fold {
            None => rank,
            Some(fold) => u32::from(self.folds[usize::from(fold)].pair_of[rank as usize]),
        }
    }

    /// Returns the row of the positions with the side to move's pieces on `own`, or of their mirror images (see
    /// [`Row::mirrored`]).
    #[inline]
    pub fn row(&self, own: Squares) -> Row {
        let entry = self.row_of[self.own.rank(own) as usize];
        Row { mirrored: entry & MIRRORED != 0, ..self.row_at(usize::from(entry & !MIRRORED)) }
    }

    /// Returns the keys of a row.
    pub fn keys(&self, row: &Row) -> Range<u32> {
        let length = match row.fold {
            None => self.other.count(),
            Some(fold) => self.folds[usize::from(fold)].ranks.len() as u32,
        };
        row.first..row.first + length
    }

    /// Returns the key of a position. `row` is the result of [`Index::row`] for the squares of the side to move's
    /// pieces, and `other` has the squares of the other side's pieces. The caller mirrors neither set, even if
    /// [`Row::mirrored`] is true.
    #[inline]
    pub fn key_in(&self, row: &Row, other: Squares) -> u32 {
        let rank = self.other.rank(self.gaps.compact(row.own, other, row.mirrored));
        row.first + self.place(row, rank)
    }

    /// Returns the key of the position with the pieces of the side to move on `own` and those of the other side on
    /// `other`.
    #[inline]
    pub fn key(&self, own: Squares, other: Squares) -> u32 {
        self.key_in(&self.row(own), other)
    }

    /// Returns the squares of the other side's pieces in the position whose key is the first key of `row` plus `place`.
    #[inline]
    pub fn other_at(&self, row: &Row, place: u32) -> Squares {
        self.gaps.spread(row.own, self.compact_at(row, place))
    }

    /// Returns the squares of the own and of the other side's pieces in the canonical position with this key, which
    /// must be below [`Index::count`].
    #[inline]
    pub fn position(&self, key: u32) -> (Squares, Squares) {
        let row = self.row_of(key);
        (row.own, self.other_at(&row, key - row.first))
    }

    /// Returns the row of a key below [`Index::count`].
    pub fn row_of(&self, key: u32) -> Row {
        self.row_at(match key / self.other.count() {
            row if row < self.unfolded => row as usize,
            _ => self.unfolded as usize + self.symmetric.partition_point(|row| row.first <= key) - 1,
        })
    }
}

impl Fold {
    /// Creates the table for rows with the side to move's pieces on `own`, a set that is its own mirror image.
    fn new(own: Squares, gaps: &Compaction, other: &Combinations) -> Fold {
        let mut fold = Fold { pair_of: vec![0; other.count() as usize], ranks: Vec::new() };
        for rank in 0..other.count() {
            let image = other.rank(gaps.compact(own, gaps.spread(own, other.set(rank)), true));
            if rank <= image {
                fold.pair_of[rank as usize] = fold.ranks.len() as u16;
                fold.pair_of[image as usize] = fold.ranks.len() as u16;
                fold.ranks.push(rank as u16);
            }
        }
        fold
    }
}

/// Renumbers the free squares of a board without gaps: taken squares get no number.
///
/// The lowest free square becomes bit 0, the next free square bit 1, and so on. This is a bit extraction (`pext`) by
/// tables of 32 x 32 entries, one file at a time.
#[derive(Clone, Debug)]
pub struct Compaction {
    ranks: u32,
    /// The first bit of the last file.
    last: u32,
    /// Indexed by `taken squares of a file << 5 | set of free squares of the file`: the set after renumbering, and from
    /// bit 5 on the number of free squares of the file.
    closed: [u8; 1024],
    /// Indexed by `taken squares of a file << 5 | set after renumbering`: the set before renumbering.
    opened: [u8; 1024],
}

/// The bits of the renumbered set in an entry of `Compaction::closed`. The number of free squares is above them, from
/// bit [`WIDTH_SHIFT`] on.
const SET: u32 = 0x1f;
const WIDTH_SHIFT: u32 = 5;

impl Compaction {
    /// Creates the tables of a board.
    pub fn new(board: Board) -> Compaction {
        let (mut closed, mut opened) = ([0; 1024], [0; 1024]);
        for taken in 0..1usize << board.ranks {
            let free: Vec<usize> = (0..usize::from(board.ranks)).filter(|rank| taken >> rank & 1 == 0).collect();
            for set in 0..1usize << free.len() {
                let squares: usize = free.iter().zip(0..).map(|(rank, bit)| (set >> bit & 1) << rank).sum();
                closed[taken << 5 | squares] = (set | free.len() << WIDTH_SHIFT) as u8;
                opened[taken << 5 | set] = squares as u8;
            }
        }
        Compaction { ranks: u32::from(board.ranks), last: board.bit(board.files - 1, 0), closed, opened }
    }

    /// Renumbers `squares`, or their mirror image if `mirrored` is true, so that the squares in `taken` get no number.
    /// The set to renumber must contain none of the squares in `taken`.
    #[inline]
    pub fn compact(&self, taken: Squares, squares: Squares, mirrored: bool) -> u32 {
        let (mut set, mut width) = (0, 0);
        let mut file = 0;
        while file <= self.last {
            let source = if mirrored { self.last - file } else { file };
            let entry = u32::from(self.closed[self.file(taken, file) << 5 | self.file(squares, source)]);
            set |= (entry & SET) << width;
            width += entry >> WIDTH_SHIFT;
            file += self.ranks;
        }
        set
    }

    /// Inverts [`Compaction::compact`] without mirroring: returns the squares of the renumbered `set`.
    #[inline]
    pub fn spread(&self, taken: Squares, set: u32) -> Squares {
        let (mut squares, mut rest) = (0, set);
        let mut file = 0;
        while file <= self.last {
            let taken = self.file(taken, file) << 5;
            let width = self.closed[taken] >> WIDTH_SHIFT;
            let closed = (rest & ((1 << width) - 1)) as usize;
            squares |= u32::from(self.opened[taken | closed]) << file;
            rest >>= width;
            file += self.ranks;
        }
        squares
    }

    /// Returns the squares of the file that starts at bit `file`, shifted down to bit 0.
    #[inline]
    fn file(&self, squares: Squares, file: u32) -> usize {
        (squares >> file) as usize & ((1 << self.ranks) - 1)
    }
}
