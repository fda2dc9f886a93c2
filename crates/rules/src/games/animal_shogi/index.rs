//! Dense numbers of positions.
//!
//! `number = (pair * ARRANGEMENTS + base of the hands) + ((e * giraffe sets + g) * chick sets + c) << bits | owners`
//!
//! - *pair*: the squares of the two lions. Left and right are swapped so that the side to move's lion stands in the
//!   right or middle column, and if it is in the middle, the other's too. With both in the middle a position has two
//!   numbers; the smaller one counts. Pairs in which the game can go on come first.
//! - *e*, *g*, *c*: which squares elephants, giraffes and chicks (or hens) stand on. Elephants are counted among the
//!   ten squares without lions, giraffes among those without elephants either, and so on; a set of squares is
//!   numbered among the sets of its size by value.
//! - *owners*: a bit per elephant, then giraffe, then chick on the board, each from the lowest square up: set if it
//!   belongs to the side to move; then a bit per chick, set if it is a hen.

use std::ops::Range;

use super::board::{
    ALL_SQUARES, BOTTOM_RANK, Board, COLUMN_SQUARES, SQUARES, Squares, TOP_RANK, mirrored, mirrored_square, reversed,
};
use super::rules::Rules;
use crate::KeyRange;

/// Ways to place and hold everything but the lions.
pub const ARRANGEMENTS: u32 = 11_878_227;

/// Squares without the lions.
const FREE: usize = 10;

/// All positions with the same hands, and so with the same number of pieces of each kind on the board.
#[derive(Clone, Copy, Debug, Default)]
struct Hands {
    base: u32,
    giraffe_sets: u8,
    chick_sets: u8,
    hands: u16,
    /// Pieces of a kind on the board, at most 2.
    elephants: u8,
    giraffes: u8,
    chicks: u8,
    /// Where the owners of giraffes and chicks begin, then the bits for hens; the last is the number of bits.
    giraffe_owners: u8,
    chick_owners: u8,
    hen_bits: u8,
    owner_bits: u8,
}

/// Positions that differ only in who owns what and in hens, in the order of their numbers.
#[derive(Clone, Copy, Debug)]
struct Block {
    first: u32,
    count: u32,
    /// Without owners and hens.
    board: Board,
    /// Squares of elephants, giraffes and chicks in the order of their bits in the number.
    pieces: [Two; 3],
    hands: Hands,
    /// The place of `hands` among all.
    place: u8,
}

impl Block {
    /// Squares of the pieces that the number gives to the side to move, without its lion.
    #[inline]
    fn owned(&self, offset: u32) -> Squares {
        let [elephants, giraffes, chicks] = self.pieces;
        elephants.deal(offset)
            | giraffes.deal(offset >> self.hands.giraffe_owners)
            | chicks.deal(offset >> self.hands.chick_owners)
    }

    #[inline]
    fn hens(&self, offset: u32) -> Squares {
        self.pieces[2].deal(offset >> self.hands.hen_bits)
    }
}

/// A block seen by the other side.
#[derive(Clone, Copy, Debug)]
pub struct TurnedBlock(Block);

impl Default for TurnedBlock {
    fn default() -> TurnedBlock {
        let nothing = Two { low: 0, high: 0 };
        let board = Board::of_lions(0, 0, 0);
        TurnedBlock(Block { first: 0, count: 0, board, pieces: [nothing; 3], hands: Hands::default(), place: 0 })
    }
}

impl TurnedBlock {
    /// The first of its numbers and how many it has.
    pub fn numbers(&self) -> (u32, u32) {
        (self.0.first, self.0.count)
    }

    /// Its board without owners and hens; squares of elephants, giraffes and chicks in the order of their bits in the
    /// number; the lowest bits of their owners, and of hens.
    #[inline]
    pub(super) fn parts(&self) -> (Board, [Two; 3], [usize; 3], usize) {
        let Block { board, pieces, hands, .. } = self.0;
        let [giraffes, chicks, hens] = [hands.giraffe_owners, hands.chick_owners, hands.hen_bits].map(usize::from);
        (board, pieces, [0, giraffes, chicks], hens)
    }
}

/// How a pair of lion squares is numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    /// Not a pair: both on one square.
    None,
    /// First number of the pair.
    Numbered(u32),
    /// First number; the mirror image has the same pair.
    Twofold(u32),
    /// The mirror image is the one to number.
    Mirror,
}

/// Numbers of the positions of one variant.
#[derive(Clone, Debug)]
pub struct Index {
    /// By own lion's square times 12 plus the opponent's.
    pairs: Vec<Pair>,
    /// Lion squares (own, opponent's) and whether the pair is its own mirror image, by pair number.
    lions: Vec<(u8, u8, bool)>,
    /// Numbers below this may be open, the others are all decided or cannot arise.
    open: u32,
    /// By hands (12 bits); hands that cannot be have no sets.
    hands: Vec<Hands>,
    /// The 216 hands that can be, by base.
    bases: Vec<Hands>,
    /// Number of squares in a set of up to twelve.
    sizes: Box<[u8; 1 << SQUARES]>,
    /// The set of a number among those of its size, for sets of up to two of ten squares.
    sets: [Vec<Squares>; 3],
    /// By the opponent's lion: squares of the side to move's with which the game can go on.
    open_lions: [Squares; SQUARES],
}

impl Index {
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

    /// All numbers are below this.
    pub fn size(&self) -> u32 {
        self.lions.len() as u32 * ARRANGEMENTS
    }

    /// Numbers of positions that can arise and are not decided are below this.
    pub fn open(&self) -> u32 {
        self.open
    }

    /// The number of a position and its mirror image.
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

    /// Number within the pair, for a board that need not be mirrored.
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
        let owners = elephants.select(board.own())
            | giraffes.select(board.own()) << hands.giraffe_owners
            | chicks.select(board.own()) << hands.chick_owners
            | chicks.select(board.hens()) << hands.hen_bits;
        hands.base + (sets << hands.owner_bits | owners)
    }

    /// How the lions' squares are numbered.
    #[inline]
    pub(super) fn pair_of(&self, own: u8, other: u8) -> Pair {
        self.pairs[usize::from(own) * SQUARES + usize::from(other)]
    }

    /// Of positions that differ only in owners and hens, for boards that need not be mirrored: the lowest bits of the
    /// owners of elephants, giraffes and chicks and of hens in a number, and the first number within the pair.
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

    /// Finds the block of a number, unless it is that of an earlier call.
    #[inline]
    pub fn find_block(&self, number: u32, block: &mut TurnedBlock) {
        if number.wrapping_sub(block.0.first) >= block.0.count {
            *block = self.turned_block(number, block.0.place);
        }
    }

    /// Number of a set of at most two squares among the sets of its size of free squares.
    #[inline]
    fn set_number(&self, set: Two, free: Squares) -> u32 {
        let place = |bit: Squares| u32::from(self.sizes[usize::from(free & bit.saturating_sub(1)) % (1 << SQUARES)]);
        let (low, high) = (place(set.low), place(set.high));
        (high * high.wrapping_sub(1)) / 2 + low
    }

    /// The position of a number below [`Index::size`], as it is numbered; its mirror image may have a smaller number
    /// if both lions stand in the middle.
    pub fn unrank(&self, number: u32) -> Board {
        let block = self.block(number, 0);
        let offset = number - block.first;
        block.board.owning(block.owned(offset)).with_hens(block.hens(offset))
    }

    /// The position of a number seen by the other side, mirrored where that view is numbered mirrored. `block` is
    /// what an earlier call has left; numbers close to each other share it.
    #[inline]
    pub fn unrank_turned(&self, number: u32, block: &mut TurnedBlock) -> Board {
        self.find_block(number, block);
        let TurnedBlock(block) = block;
        let offset = number - block.first;
        // What belonged to the side to move is now the opponent's.
        let [elephants, giraffes, chicks] = block.pieces;
        let own = (elephants.set() | giraffes.set() | chicks.set()) & !block.owned(offset);
        block.board.owning(own).with_hens(block.hens(offset))
    }

    /// The numbers that share squares and hands with `number`; its hands are looked for at `near` first.
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

    fn turned_block(&self, number: u32, near: u8) -> TurnedBlock {
        let block = self.block(number, near);
        // Turned round, everything but the lion would be the side to move's.
        let lions = Board::of_lions(block.board.own_lion(), block.board.opponent_lion(), block.board.hands()).rotated();
        let mirror = self.pair(&lions) == Pair::Mirror;
        let image = |set: Squares| if mirror { mirrored(reversed(set)) } else { reversed(set) };
        let pieces = block.pieces.map(|two| Two { low: image(two.low), high: image(two.high) });
        let board = if mirror { lions.mirrored() } else { lions };
        let board = board.with_sets(pieces[0].set(), pieces[1].set(), pieces[2].set());
        TurnedBlock(Block { board, pieces, ..block })
    }

    /// Whether a number is the one its position counts under.
    #[inline]
    pub fn is_canonical(&self, number: u32, board: &Board) -> bool {
        let (.., twofold) = self.lions[(number / ARRANGEMENTS) as usize];
        !twofold || self.arrangement(&board.mirrored()) >= number % ARRANGEMENTS
    }

    /// [`Index::is_canonical`] for a board seen by the other side.
    #[inline]
    pub fn is_canonical_turned(&self, number: u32, turned: &Board) -> bool {
        let (.., twofold) = self.lions[(number / ARRANGEMENTS) as usize];
        !twofold || self.arrangement(&turned.rotated().mirrored()) >= number % ARRANGEMENTS
    }

    /// The numbers of each pair of lion squares. Which pairs come first is a matter of the rules, all else is not.
    pub fn ranges(&self) -> Vec<KeyRange> {
        let range = |(pair, &(own, other, _)): (u64, &(u8, u8, bool))| {
            let first = pair * u64::from(ARRANGEMENTS);
            let name = u32::from(own) * SQUARES as u32 + u32::from(other);
            KeyRange { name, keys: first..first + u64::from(ARRANGEMENTS) }
        };
        (0..).zip(&self.lions).map(range).collect()
    }

    /// By hands, ascending: the hands and the numbers, less that of their pair, of the arrangements that have them.
    pub fn arrangements_by_hands(&self) -> impl Iterator<Item = (u16, Range<u32>)> + '_ {
        let ends = self.bases.iter().skip(1).map(|hands| hands.base).chain([ARRANGEMENTS]);
        self.bases.iter().zip(ends).map(|(hands, end)| (hands.hands, hands.base..end))
    }

    /// By the square of the opponent's lion: squares of the side to move's with which the game can go on.
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

/// Makes room in a set for a square, which is one bit or none: what lies above it moves up.
#[inline]
fn open(set: Squares, square: Squares) -> Squares {
    set + (set & square.wrapping_neg())
}

/// A set of at most two squares, taken apart.
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

    /// Makes room in a set for both squares: what lies above them moves up.
    #[inline]
    fn open(self, set: Squares) -> Squares {
        open(open(set, self.low), self.high)
    }

    /// A bit for the lower square and one for the higher, set where `marks` has them.
    #[inline]
    fn select(self, marks: Squares) -> u32 {
        u32::from(self.low & marks != 0) | u32::from(self.high & marks != 0) << 1
    }

    /// Inverse of [`Two::select`].
    #[inline]
    fn deal(self, bits: u32) -> Squares {
        let keep = |bit: u32| (bit as Squares & 1).wrapping_neg();
        self.low & keep(bits) | self.high & keep(bits >> 1)
    }
}

/// The 216 hands, ascending, with the numbers they begin at.
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

/// Numbers the pairs of lion squares, those in which the game can go on first; also where the others begin.
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

/// Whether the side to move can be to move with the lions on these squares, and the lions alone do not end the game.
/// A side is never to move with its lion on its last rank under the try rule: either that has won, or the lion is
/// taken.
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
            let mut block = TurnedBlock::default();
            let spread = (0..index.size()).step_by(9973);
            for number in spread.flat_map(|number| number..(number + 3).min(index.size())) {
                let board = index.unrank(number);
                let canonical = index.rank(&board);
                assert_eq!(index.rank(&board.mirrored()), canonical, "{code} {number}");
                let turned = index.unrank_turned(number, &mut block);
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
