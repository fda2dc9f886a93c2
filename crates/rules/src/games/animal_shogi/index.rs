//! Numbers the positions densely. The numbers are the keys of tables.
//!
//! `number = pair * ARRANGEMENTS + base of the hands + (((e * giraffe sets + g) * chick sets + c) << bits | owners)`
//!
//! - *pair*: the squares of the two lions. The board is mirrored if necessary, so that the side to move's lion is not
//!   in the left column. If that lion is in the middle column, the opponent's lion must not be in the left column
//!   either. If both lions are in the middle column, a position and its mirror image both have a number, and the
//!   smaller number is the key. The pairs with which the game can go on come first.
//! - *base of the hands*: the number of arrangements whose hands, as the number [`Board::hands`], are smaller.
//! - *e*, *g*, *c*: the sets of squares of the elephants, of the giraffes, and of the chicks and hens. Each is the
//!   index of the set in the list of all sets of the same size on the free squares. The list is in ascending order. For
//!   elephants, the ten squares without lions are free; for giraffes, these squares without the elephants; for chicks
//!   and hens, these squares without the elephants and the giraffes. *Giraffe sets* and *chick sets* are the lengths of
//!   the lists for *g* and *c*.
//! - *owners*: one bit for each elephant, then for each giraffe, then for each chick or hen on the board, from the
//!   lowest square up. The bit is set if the piece belongs to the side to move. One more bit for each chick or hen
//!   follows, set for a hen. The total number of these bits is *bits*.

use std::ops::Range;

use super::board::{
    ALL_SQUARES, BOTTOM_RANK, Board, COLUMN_SQUARES, SQUARES, Squares, TOP_RANK, mirrored, mirrored_square, reversed,
};
use super::rules::Rules;
use crate::KeyRange;

/// The number of arrangements of all pieces except the lions, on the board and in the hands.
pub const ARRANGEMENTS: u32 = 11_878_227;

/// The number of squares without lions.
const FREE: usize = 10;

/// The constants of the numbering for positions with the same pieces in hand. These positions also have the same number
/// of pieces of each kind on the board.
#[derive(Clone, Copy, Debug, Default)]
struct Hands {
    base: u32,
    giraffe_sets: u8,
    chick_sets: u8,
    hands: u16,
    /// The number of elephants on the board, at most 2.
    elephants: u8,
    /// The number of giraffes on the board, at most 2.
    giraffes: u8,
    /// The number of chicks and hens on the board, at most 2.
    chicks: u8,
    /// The index of the giraffes' first owner bit in the offset of a position from the start of its block. An owner bit
    /// is set if the piece belongs to the side to move.
    giraffe_owners: u8,
    /// The index of the chicks' first owner bit in the offset of a position from the start of its block.
    chick_owners: u8,
    /// The index of the first hen bit in the offset of a position from the start of its block. The bit is set for a hen
    /// and clear for a chick.
    hen_bits: u8,
    /// The number of owner bits and hen bits in the offset of a position from the start of its block.
    owner_bits: u8,
}

/// A range of consecutive numbers. Its positions differ only in the owners of their pieces and in which chicks are
/// hens.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: u32,
    count: u32,
    /// The board that all positions of the block share, apart from owners and hens. All its pieces except the side to
    /// move's lion belong to the opponent, and no chick is a hen.
    board: Board,
    /// The squares of elephants, giraffes and chicks. The owner bits of a position are in the same order.
    pieces: [Two; 3],
    hands: Hands,
    /// The index of `hands` in [`Index::bases`].
    place: u8,
}

impl Block {
    /// Returns the squares of the side to move's pieces, except its lion. `offset` is the number of the position minus
    /// the first number of the block.
    #[inline]
    fn owned(&self, offset: u32) -> Squares {
        let [elephants, giraffes, chicks] = self.pieces;
        elephants.deposit(offset)
            | giraffes.deposit(offset >> self.hands.giraffe_owners)
            | chicks.deposit(offset >> self.hands.chick_owners)
    }

    #[inline]
    fn hens(&self, offset: u32) -> Squares {
        self.pieces[2].deposit(offset >> self.hands.hen_bits)
    }
}

/// A block of consecutive numbers with the board that its positions share. The board is rotated by 180 degrees, and
/// mirrored if necessary, as in [`Index::unrank_rotated`].
#[derive(Clone, Copy, Debug)]
pub struct RotatedBlock(Block);

impl Default for RotatedBlock {
    fn default() -> RotatedBlock {
        let nothing = Two { low: 0, high: 0 };
        let board = Board::of_lions(0, 0, 0);
        RotatedBlock(Block { first: 0, count: 0, board, pieces: [nothing; 3], hands: Hands::default(), place: 0 })
    }
}

impl RotatedBlock {
    /// Returns the first number of the block, and the length of the block.
    pub fn numbers(&self) -> (u32, u32) {
        (self.0.first, self.0.count)
    }

    /// Returns the parts of the block: the board that its positions share; the squares of elephants, giraffes and
    /// chicks in the order of their owner bits; the index of each kind's first owner bit; the index of the first hen
    /// bit. Bits are counted in the offset of a position from the start of the block.
    #[inline]
    pub(super) fn parts(&self) -> (Board, [Two; 3], [usize; 3], usize) {
        let Block { board, pieces, hands, .. } = self.0;
        let [giraffes, chicks, hens] = [hands.giraffe_owners, hands.chick_owners, hands.hen_bits].map(usize::from);
        (board, pieces, [0, giraffes, chicks], hens)
    }
}

/// The first number of the positions whose lions are on a given pair of squares, if these positions have numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    /// The pair has no numbers, because both lions are on the same square.
    None,
    /// The first number of the positions with this pair.
    Numbered(u32),
    /// Like `Numbered`, but both lions are in the middle column, so a position and its mirror image have the same pair.
    Twofold(u32),
    /// Only the mirror image of the pair has numbers.
    Mirror,
}

/// The numbering of the positions of one variant.
#[derive(Clone, Debug)]
pub struct Index {
    /// The numbers of each pair of lion squares, indexed by `12 * square of the side to move's lion + square of the
    /// opponent's lion`.
    pairs: Vec<Pair>,
    /// The numbered pairs in order: the square of the side to move's lion, the square of the opponent's lion, and true
    /// if a position and its mirror image have the same pair.
    lions: Vec<(u8, u8, bool)>,
    /// The positions with numbers below `open` may be undecided. All other positions are decided or cannot arise.
    open: u32,
    /// The constants of the numbering for each content of the hands, indexed by the 12 bits of [`Board::hands`].
    /// Entries of impossible hands are all zeros.
    hands: Vec<Hands>,
    /// The constants of the numbering for the 216 possible hands, in ascending order of [`Board::hands`].
    bases: Vec<Hands>,
    /// Indexed by set of squares: the number of squares in the set.
    sizes: Box<[u8; 1 << SQUARES]>,
    /// Indexed by size (0 to 2): the sets of this size among the ten squares without lions, in ascending order. These
    /// squares are counted from 0 to 9.
    sets: [Vec<Squares>; 3],
    /// Indexed by the square of the opponent's lion: the squares of the side to move's lion with which the game can go
    /// on.
    open_lions: [Squares; SQUARES],
}

impl Index {
    /// Creates the numbering for a variant. The rules decide which pairs of lion squares come first.
    pub fn new(rules: &Rules) -> Index {
        let sizes = Box::new(std::array::from_fn(|set| set.count_ones() as u8));
        let of_size = |size| (0..1u16 << FREE).filter(|set| set.count_ones() == size).collect();
        let sets = [0, 1, 2].map(of_size);
        let bases = all_hands();
        let mut hands = vec![Hands::default(); 1 << 12];
        for &known in &bases {
            hands[known.hands as usize] = known;
        }
        let (pairs, lions, open) = number_pairs(rules);
        let mut index = Index { pairs, lions, open, hands, bases, sizes, sets, open_lions: [0; SQUARES] };
        index.open_lions = std::array::from_fn(|other| index.find_open_lions(other as u8));
        index
    }

    /// Returns the upper bound, exclusive, of the numbers of all positions.
    pub fn size(&self) -> u32 {
        self.lions.len() as u32 * ARRANGEMENTS
    }

    /// Returns a bound: positions with this number or a larger one are decided or cannot arise.
    pub fn open(&self) -> u32 {
        self.open
    }

    /// Returns the key of a position. If the position and its mirror image both have a number, the key is the smaller
    /// one. Returns `u32::MAX` if both lions are on the same square.
    #[inline]
    pub fn rank(&self, board: &Board) -> u32 {
        match self.pair(board) {
            Pair::Numbered(base) => base + self.arrangement(board),
            Pair::Twofold(base) => base + self.arrangement(board).min(self.arrangement(&board.mirrored())),
            Pair::Mirror | Pair::None => {
                let mirror = board.mirrored();
                match self.pair(&mirror) {
                    Pair::Numbered(base) => base + self.arrangement(&mirror),
                    _ => u32::MAX,
                }
            }
        }
    }

    #[inline]
    fn pair(&self, board: &Board) -> Pair {
        self.pairs[board.own_lion() as usize * SQUARES + board.opponent_lion() as usize]
    }

    /// Returns the number of a position minus the first number of its pair of lion squares. The board must already be
    /// mirrored, if necessary, so that its pair has numbers.
    #[inline]
    pub fn arrangement(&self, board: &Board) -> u32 {
        let hands = &self.hands[board.hands() as usize % (1 << SQUARES)];
        let (elephants, giraffes, chicks) =
            (Two::of(board.elephants()), Two::of(board.giraffes()), Two::of(board.chicks()));
        let free = ALL_SQUARES & !board.lions();
        let e = self.set_number(elephants, free);
        let g = self.set_number(giraffes, free & !board.elephants());
        let c = self.set_number(chicks, free & !board.elephants() & !board.giraffes());
        let sets = (e * u32::from(hands.giraffe_sets) + g) * u32::from(hands.chick_sets) + c;
        let owners = elephants.extract(board.own())
            | giraffes.extract(board.own()) << hands.giraffe_owners
            | chicks.extract(board.own()) << hands.chick_owners
            | chicks.extract(board.hens()) << hands.hen_bits;
        hands.base + (sets << hands.owner_bits | owners)
    }

    /// Returns the first number of the positions with these lion squares: `own` for the side to move, `other` for the
    /// opponent.
    #[inline]
    pub(super) fn pair_of(&self, own: u8, other: u8) -> Pair {
        self.pairs[usize::from(own) * SQUARES + usize::from(other)]
    }

    /// Locates the run of consecutive numbers whose positions have these lions, hands and sets of squares. These
    /// positions differ only in the owners of their pieces and in which chicks are hens. The first part of the result
    /// has the index of the first owner bit of elephants, giraffes and chicks, and of the first hen bit. These bits are
    /// counted in the offset of a position from the start of the run. The second part is the first number of the run
    /// minus the first number of its pair of lion squares. All squares must already be mirrored, if necessary, so that
    /// the pair has numbers.
    #[inline]
    pub(super) fn run_of(&self, lions: Squares, hands: u16, sets: [Two; 3]) -> ([u32; 4], u32) {
        let hands = &self.hands[usize::from(hands) % (1 << SQUARES)];
        let [elephants, giraffes, chicks] = sets;
        let free = ALL_SQUARES & !lions;
        let without = free & !elephants.set();
        let e = self.set_number(elephants, free);
        let g = self.set_number(giraffes, without);
        let c = self.set_number(chicks, without & !giraffes.set());
        let sets = (e * u32::from(hands.giraffe_sets) + g) * u32::from(hands.chick_sets) + c;
        let bits = [0, hands.giraffe_owners, hands.chick_owners, hands.hen_bits].map(u32::from);
        (bits, hands.base + (sets << hands.owner_bits))
    }

    /// Sets `block` to the block that contains a number. Does nothing if `block` contains the number already.
    #[inline]
    pub fn find_block(&self, number: u32, block: &mut RotatedBlock) {
        if number.wrapping_sub(block.0.first) >= block.0.count {
            *block = self.turned_block(number, block.0.place);
        }
    }

    /// Returns the index of a set of at most two free squares in the ascending list of all sets of free squares of the
    /// same size.
    #[inline]
    fn set_number(&self, set: Two, free: Squares) -> u32 {
        let place = |bit: Squares| u32::from(self.sizes[usize::from(free & bit.saturating_sub(1)) % (1 << SQUARES)]);
        let (low, high) = (place(set.low), place(set.high));
        (high * high.wrapping_sub(1)) / 2 + low
    }

    /// Returns the position with a number below [`Index::size`]. If both lions are in the middle column, the mirror
    /// image of the position may have a smaller number.
    pub fn unrank(&self, number: u32) -> Board {
        let block = self.block(number, 0);
        let offset = number - block.first;
        block.board.with_owner(block.owned(offset)).with_hens(block.hens(offset))
    }

    /// Returns the position with this number, rotated so that the side that is not to move sees it. If the rotated pair
    /// of lion squares has no numbers, the board is also mirrored left to right. `block` caches the block of the last
    /// number. Pass the same variable to each call, because adjacent numbers are usually in the same block.
    #[inline]
    pub fn unrank_rotated(&self, number: u32, block: &mut RotatedBlock) -> Board {
        self.find_block(number, block);
        let RotatedBlock(block) = block;
        let offset = number - block.first;
        // The pieces of the former side to move now belong to the opponent.
        let [elephants, giraffes, chicks] = block.pieces;
        let own = (elephants.set() | giraffes.set() | chicks.set()) & !block.owned(offset);
        block.board.with_owner(own).with_hens(block.hens(offset))
    }

    /// Returns the block that contains a number. `near` is a guess for the index of the hands in [`Index::bases`].
    fn block(&self, number: u32, near: u8) -> Block {
        let (pair, arrangement) = (number / ARRANGEMENTS, number % ARRANGEMENTS);
        let (own_lion, opponent_lion, _) = self.lions[pair as usize];
        let is_here = |place: usize| {
            let end = self.bases.get(place + 1).map_or(ARRANGEMENTS, |next| next.base);
            (self.bases[place].base..end).contains(&arrangement)
        };
        let place = match usize::from(near) {
            near if is_here(near) => near,
            _ => self.bases.partition_point(|hands| hands.base <= arrangement) - 1,
        };
        let hands = self.bases[place];
        let rest = (arrangement - hands.base) >> hands.owner_bits;
        let (sets, c) = (rest / u32::from(hands.chick_sets), rest % u32::from(hands.chick_sets));
        let (e, g) = (sets / u32::from(hands.giraffe_sets), sets % u32::from(hands.giraffe_sets));
        let lions = Two::of(1 << own_lion | 1 << opponent_lion);
        let set = |count: u8, rank: u32| self.sets[usize::from(count)][rank as usize];
        let (e, g, c) = (Two::of(set(hands.elephants, e)), Two::of(set(hands.giraffes, g)), set(hands.chicks, c));
        let elephants = lions.open(e.set());
        let giraffes = lions.open(e.open(g.set()));
        let chicks = lions.open(e.open(g.open(c)));
        let board = Board::of_lions(own_lion, opponent_lion, hands.hands).with_sets(elephants, giraffes, chicks);
        let first = pair * ARRANGEMENTS + hands.base + (rest << hands.owner_bits);
        let pieces = [elephants, giraffes, chicks].map(Two::of);
        Block { first, count: 1 << hands.owner_bits, board, pieces, hands, place: place as u8 }
    }

    fn turned_block(&self, number: u32, near: u8) -> RotatedBlock {
        let block = self.block(number, near);
        // The pieces of the block have no owners yet. Rotating the whole board would give all of them to the side to
        // move.
        let lions = Board::of_lions(block.board.own_lion(), block.board.opponent_lion(), block.board.hands()).rotated();
        let mirror = self.pair(&lions) == Pair::Mirror;
        let image = |set: Squares| if mirror { mirrored(reversed(set)) } else { reversed(set) };
        let pieces = block.pieces.map(|two| Two { low: image(two.low), high: image(two.high) });
        let board = if mirror { lions.mirrored() } else { lions };
        let board = board.with_sets(pieces[0].set(), pieces[1].set(), pieces[2].set());
        RotatedBlock(Block { board, pieces, ..block })
    }

    /// Returns true if `number` is the key of `board`, which must be the position that [`Index::unrank`] returns for
    /// `number`.
    #[inline]
    pub fn is_canonical(&self, number: u32, board: &Board) -> bool {
        let (.., twofold) = self.lions[(number / ARRANGEMENTS) as usize];
        !twofold || self.arrangement(&board.mirrored()) >= number % ARRANGEMENTS
    }

    /// Like [`Index::is_canonical`], but `turned` must be the board that [`Index::unrank_rotated`] returns for
    /// `number`.
    #[inline]
    pub fn is_canonical_rotated(&self, number: u32, turned: &Board) -> bool {
        let (.., twofold) = self.lions[(number / ARRANGEMENTS) as usize];
        !twofold || self.arrangement(&turned.rotated().mirrored()) >= number % ARRANGEMENTS
    }

    /// Returns the range of numbers of each pair of lion squares, in ascending order. Only the order of the pairs
    /// depends on the rules.
    pub fn ranges(&self) -> Vec<KeyRange> {
        let range = |(pair, &(own, other, _)): (u64, &(u8, u8, bool))| {
            let first = pair * u64::from(ARRANGEMENTS);
            let id = u32::from(own) * SQUARES as u32 + u32::from(other);
            KeyRange { id, keys: first..first + u64::from(ARRANGEMENTS) }
        };
        (0..).zip(&self.lions).map(range).collect()
    }

    /// Returns the possible hands in ascending order, each with the range of its numbers, counted from the first number
    /// of a pair of lion squares.
    pub fn arrangements_by_hands(&self) -> impl Iterator<Item = (u16, Range<u32>)> + '_ {
        let ends = self.bases.iter().skip(1).map(|hands| hands.base).chain([ARRANGEMENTS]);
        self.bases.iter().zip(ends).map(|(hands, end)| (hands.hands, hands.base..end))
    }

    /// Returns a table indexed by the square of the opponent's lion: the squares of the side to move's lion with which
    /// the game can go on.
    pub fn open_lions(&self) -> &[Squares; SQUARES] {
        &self.open_lions
    }

    fn find_open_lions(&self, other: u8) -> Squares {
        let pair = |own: u8, other: u8| self.pairs[usize::from(own) * SQUARES + usize::from(other)];
        let is_open = |own: &u8| {
            let numbered = match pair(*own, other) {
                Pair::Mirror => pair(mirrored_square(*own), mirrored_square(other)),
                numbered => numbered,
            };
            matches!(numbered, Pair::Numbered(base) | Pair::Twofold(base) if base < self.open)
        };
        (0..SQUARES as u8).filter(is_open).map(|own| 1 << own).sum()
    }
}

/// Inserts a clear bit into `set` at `square`: the bits from this square on move up by one. `square` has at most one
/// bit; if it has none, the set is returned unchanged.
#[inline]
fn open(set: Squares, square: Squares) -> Squares {
    set + (set & square.wrapping_neg())
}

/// A set of at most two squares: the lower square and the higher one, each as a set. `high` is empty for a single
/// square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Two {
    pub(super) low: Squares,
    pub(super) high: Squares,
}

impl Two {
    #[inline]
    fn of(set: Squares) -> Two {
        Two { low: set & set.wrapping_neg(), high: set & set.wrapping_sub(1) }
    }

    #[inline]
    pub(super) fn set(self) -> Squares {
        self.low | self.high
    }

    /// Inserts clear bits into `set` at both squares.
    #[inline]
    fn open(self, set: Squares) -> Squares {
        open(open(set, self.low), self.high)
    }

    /// Returns the bits of `marks` at both squares: bit 0 for the lower square, bit 1 for the higher one.
    #[inline]
    fn extract(self, marks: Squares) -> u32 {
        u32::from(self.low & marks != 0) | u32::from(self.high & marks != 0) << 1
    }

    /// Inverts [`Two::extract`]: returns the squares whose bits are set.
    #[inline]
    fn deposit(self, bits: u32) -> Squares {
        let keep = |bit: u32| (bit as Squares & 1).wrapping_neg();
        self.low & keep(bits) | self.high & keep(bits >> 1)
    }
}

/// Returns the 216 possible hands in ascending order, with their bases.
fn all_hands() -> Vec<Hands> {
    let choose = |n: u32, k: u8| {
        if k == 0 {
            1
        } else if k == 1 {
            n
        } else {
            n * (n - 1) / 2
        }
    };
    let mut base = 0;
    let mut all = Vec::new();
    for hands in 0..1u16 << 12 {
        let held = |low: u32| (hands >> low & 3) + (hands >> (low + 6) & 3);
        if [0, 2, 4].iter().any(|&low| held(low) > 2) {
            continue;
        }
        let [elephants, giraffes, chicks] = [0, 2, 4].map(|low| 2 - held(low) as u8);
        let mut free = FREE as u32;
        let elephant_sets = choose(free, elephants);
        free -= u32::from(elephants);
        let giraffe_sets = choose(free, giraffes);
        free -= u32::from(giraffes);
        let chick_sets = choose(free, chicks);
        let known = Hands {
            base,
            giraffe_sets: giraffe_sets as u8,
            chick_sets: chick_sets as u8,
            hands,
            elephants,
            giraffes,
            chicks,
            giraffe_owners: elephants,
            chick_owners: elephants + giraffes,
            hen_bits: elephants + giraffes + chicks,
            owner_bits: elephants + giraffes + 2 * chicks,
        };
        base += (elephant_sets * giraffe_sets * chick_sets) << known.owner_bits;
        all.push(known);
    }
    assert_eq!(base, ARRANGEMENTS);
    all
}

/// Numbers the pairs of lion squares. The pairs with which the game can go on come first. Returns the fields `pairs`,
/// `lions` and `open` of [`Index`].
fn number_pairs(rules: &Rules) -> (Vec<Pair>, Vec<(u8, u8, bool)>, u32) {
    let squares = 0..SQUARES as u8;
    let all = squares.clone().flat_map(|own| squares.clone().map(move |other| (own, other)));
    let column = |square: u8| usize::from(square) / COLUMN_SQUARES;
    let numbered = |&(own, other): &(u8, u8)| own != other && (column(own), column(other)) < (1, 2);
    let (first, last): (Vec<_>, Vec<_>) = all.filter(numbered).partition(|&(own, other)| can_go_on(rules, own, other));
    let mut pairs = vec![Pair::Mirror; SQUARES * SQUARES];
    for square in 0..SQUARES {
        pairs[square * SQUARES + square] = Pair::None;
    }
    let open = first.len() as u32 * ARRANGEMENTS;
    let mut lions = Vec::new();
    for (own, other) in first.into_iter().chain(last) {
        let base = lions.len() as u32 * ARRANGEMENTS;
        let twofold = column(own) == 1 && column(other) == 1;
        let pair = if twofold { Pair::Twofold(base) } else { Pair::Numbered(base) };
        pairs[usize::from(own) * SQUARES + usize::from(other)] = pair;
        lions.push((own, other, twofold));
    }
    (pairs, lions, open)
}

/// Returns true if the game can go on with the lions on these squares: the side to move cannot take the other lion with
/// its own, and the try rule has not decided the game. Under that rule, no side is to move with its own lion on the
/// last rank, because that lion has already won or been taken.
fn can_go_on(rules: &Rules, own: u8, other: u8) -> bool {
    let takes = rules.own[0][usize::from(own)] >> other & 1 == 1;
    let tried = rules.try_rule && (BOTTOM_RANK >> other & 1 == 1 || TOP_RANK >> own & 1 == 1);
    !takes && !tried
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_to_positions_and_back() {
        for code in ["val1n", "val1nT", "0v0v0", "00l10T"] {
            let index = Index::new(&Rules::parse(code).unwrap());
            let mut block = RotatedBlock::default();
            let spread = (0..index.size()).step_by(9973);
            for number in spread.flat_map(|number| number..(number + 3).min(index.size())) {
                let board = index.unrank(number);
                let canonical = index.rank(&board);
                assert_eq!(index.rank(&board.mirrored()), canonical, "{code} {number}");
                let turned = index.unrank_rotated(number, &mut block);
                assert!(turned == board.rotated() || turned == board.rotated().mirrored(), "{code} {number}");
                assert_eq!(index.is_canonical(number, &board), canonical == number, "{code} {number}");
                if canonical != number {
                    assert_eq!(index.unrank(canonical), board.mirrored(), "{code} {number}");
                }
            }
        }
    }

    #[test]
    fn pairs_in_which_the_game_goes_on_come_first() {
        let index = Index::new(&Rules::parse("val1n").unwrap());
        assert_eq!(index.open(), 21 * ARRANGEMENTS);
        assert_eq!(index.size(), 72 * ARRANGEMENTS);
    }
}
