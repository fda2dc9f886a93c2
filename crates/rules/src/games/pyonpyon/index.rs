//! Keys: dense numbers for positions as the side to move sees them (see [`Position::seen`]), mirror images folded.
//!
//! A **row** holds all positions with the same own pieces, in the order of the other side's. Of two own sets that are
//! mirror images the one with the smaller number has the row. Rows whose own set is its own mirror image come last;
//! there the other side's sets are folded too, of two mirror images the first being kept.
//!
//! ```text
//! 0 .. A * K            A rows (own set differs from its mirror image) of K keys each
//!                       key = row * K + rank of the other side's squares among those that own pieces leave free
//! A * K .. count        rows with a symmetric own set
//!                       key = first key of the row + place of the folded rank
//! ```
//!
//! Every number below `count` is the key of exactly one canonical position. On 5x5 `A` is 26,402 and `K` 15,504; with
//! the 326 symmetric rows that makes 411,883,560 keys. Decided positions and such as cannot arise have keys too.
//!
//! [`Position::seen`]: super::board::Position::seen

use std::collections::HashMap;
use std::ops::Range;

use super::board::{Board, Squares};
use super::combinations::Combinations;

/// Set in `row_of` where the row holds the mirror image of the own set.
const MIRRORED: u16 = 0x8000;

/// The keys of one board.
#[derive(Clone, Debug)]
pub struct Index {
    own: Combinations,
    /// The other side's sets, moved together by `gaps`.
    other: Combinations,
    gaps: Gaps,
    /// By the rank of an own set: number of its row, and [`MIRRORED`].
    row_of: Vec<u16>,
    /// The own set of each row.
    sets: Vec<Squares>,
    /// Number of rows whose own set differs from its mirror image.
    unfolded: u32,
    /// The rows after those.
    symmetric: Vec<SymmetricRow>,
    folds: Vec<Fold>,
    count: u32,
}

#[derive(Clone, Debug)]
struct SymmetricRow {
    first: u32,
    /// Place in `folds`.
    fold: u8,
}

/// How mirroring acts on the other side's ranks in a row with a symmetric own set. It depends only on how many squares
/// of each file are free.
#[derive(Clone, Debug)]
struct Fold {
    /// By rank: number of the pair it forms with its mirror image.
    pair_of: Vec<u16>,
    /// By number of the pair: its smaller rank.
    ranks: Vec<u16>,
}

/// A row as seen from one of its own sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// The own set that the row is stored under.
    pub own: Squares,
    /// First key of the row.
    pub first: u32,
    /// Whether it is the mirror image of the set asked for.
    pub mirrored: bool,
    fold: Option<u8>,
}

impl Row {
    /// Whether the own set is its own mirror image.
    pub fn is_symmetric(&self) -> bool {
        self.fold.is_some()
    }
}

impl Index {
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
            gaps: Gaps::new(board),
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

    /// Number of keys.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// All sets of own squares.
    pub fn own_sets(&self) -> &[Squares] {
        self.own.sets()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.sets.len()
    }

    /// The row of a number below [`Index::rows`]; rows are in the order of their keys.
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

    /// The rank of a set of the other side's squares, moved together.
    #[inline]
    pub fn rank_closed(&self, closed: u32) -> u32 {
        self.other.rank(closed)
    }

    /// The other side's squares, moved together, of the position at `place` in a row.
    #[inline]
    pub fn closed_at(&self, row: &Row, place: u32) -> u32 {
        self.other.set(match row.fold {
            None => place,
            Some(fold) => u32::from(self.folds[usize::from(fold)].ranks[place as usize]),
        })
    }

    /// The place in a row that a rank of the other side's set has.
    #[inline]
    pub fn place(&self, row: &Row, rank: u32) -> u32 {
        match row.fold {
            None => rank,
            Some(fold) => u32::from(self.folds[usize::from(fold)].pair_of[rank as usize]),
        }
    }

    /// The row of an own set.
    #[inline]
    pub fn row(&self, own: Squares) -> Row {
        let entry = self.row_of[self.own.rank(own) as usize];
        Row { mirrored: entry & MIRRORED != 0, ..self.row_at(usize::from(entry & !MIRRORED)) }
    }

    /// The keys of a row.
    pub fn keys(&self, row: &Row) -> Range<u32> {
        let length = match row.fold {
            None => self.other.count(),
            Some(fold) => self.folds[usize::from(fold)].ranks.len() as u32,
        };
        row.first..row.first + length
    }

    /// The key of a position of `row`; `other` is seen as the own set that the row was asked for.
    #[inline]
    pub fn key_in(&self, row: &Row, other: Squares) -> u32 {
        let rank = self.other.rank(self.gaps.close(row.own, other, row.mirrored));
        row.first + self.place(row, rank)
    }

    /// The key of a position given by own and other pieces.
    #[inline]
    pub fn key(&self, own: Squares, other: Squares) -> u32 {
        self.key_in(&self.row(own), other)
    }

    /// The other side's pieces of the position at `place` in a row, the place being key less first key.
    #[inline]
    pub fn other_at(&self, row: &Row, place: u32) -> Squares {
        self.gaps.open(row.own, self.closed_at(row, place))
    }

    /// The canonical position of a key below [`Index::count`], as own and other pieces.
    #[inline]
    pub fn position(&self, key: u32) -> (Squares, Squares) {
        let row = self.row_of(key);
        (row.own, self.other_at(&row, key - row.first))
    }

    /// The row of a key below [`Index::count`].
    pub fn row_of(&self, key: u32) -> Row {
        self.row_at(match key / self.other.count() {
            row if row < self.unfolded => row as usize,
            _ => self.unfolded as usize + self.symmetric.partition_point(|row| row.first <= key) - 1,
        })
    }
}

impl Fold {
    /// The fold of a symmetric own set.
    fn new(own: Squares, gaps: &Gaps, other: &Combinations) -> Fold {
        let mut fold = Fold { pair_of: vec![0; other.count() as usize], ranks: Vec::new() };
        for rank in 0..other.count() {
            let image = other.rank(gaps.close(own, gaps.open(own, other.set(rank)), true));
            if rank <= image {
                fold.pair_of[rank as usize] = fold.ranks.len() as u16;
                fold.pair_of[image as usize] = fold.ranks.len() as u16;
                fold.ranks.push(rank as u16);
            }
        }
        fold
    }
}

/// Squares numbered among those that other pieces leave free, for one board.
///
/// With the squares of `taken` out of the way, the free ones move together: the lowest free square becomes bit 0, the
/// next bit 1, and so on. File by file this is a table of 32 x 32 entries.
#[derive(Clone, Debug)]
pub struct Gaps {
    ranks: u32,
    /// First bit of the last file.
    last: u32,
    /// By the taken squares of a file `<< 5 |` a set of its free squares: that set moved together, and from bit 5 on
    /// the number of free squares.
    closed: [u8; 1024],
    /// By the taken squares `<< 5 |` a closed set: the set moved apart again.
    opened: [u8; 1024],
}

/// The bits of a closed file in a table entry, and where the number of its free squares begins.
const SET: u32 = 0x1f;
const WIDTH_SHIFT: u32 = 5;

impl Gaps {
    pub fn new(board: Board) -> Gaps {
        let (mut closed, mut opened) = ([0; 1024], [0; 1024]);
        for taken in 0..1usize << board.ranks {
            let free: Vec<usize> = (0..usize::from(board.ranks)).filter(|rank| taken >> rank & 1 == 0).collect();
            for set in 0..1usize << free.len() {
                let squares: usize = free.iter().zip(0..).map(|(rank, bit)| (set >> bit & 1) << rank).sum();
                closed[taken << 5 | squares] = (set | free.len() << WIDTH_SHIFT) as u8;
                opened[taken << 5 | set] = squares as u8;
            }
        }
        Gaps { ranks: u32::from(board.ranks), last: board.bit(board.files - 1, 0), closed, opened }
    }

    /// `squares`, none of them taken, moved together; with `mirrored`, their mirror image.
    #[inline]
    pub fn close(&self, taken: Squares, squares: Squares, mirrored: bool) -> u32 {
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

    /// Inverse of [`Gaps::close`] without mirroring.
    #[inline]
    pub fn open(&self, taken: Squares, set: u32) -> Squares {
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

    /// The squares of the file whose first bit is `file`, moved to bit 0.
    #[inline]
    fn file(&self, squares: Squares, file: u32) -> usize {
        (squares >> file) as usize & ((1 << self.ranks) - 1)
    }
}
