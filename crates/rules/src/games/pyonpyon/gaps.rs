//! Squares numbered among those that other pieces leave free.
//!
//! With the squares of `taken` out of the way, the free ones move together: the lowest free square becomes bit 0, the
//! next bit 1, and so on. File by file this is a table of 32 x 32 entries.

use super::board::{Board, Squares};

/// Tables for one board.
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
