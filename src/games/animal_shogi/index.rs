//! Dense numbers of positions.
//!
//! `number = (pair * ARRANGEMENTS + base of the hands) + ((e * giraffe sets + g) * chick sets + c) << bits | owners`
//!
//! - *pair*: the squares of the two lions. Left and right are swapped so that the side to move's lion stands in the right
//!   or middle column, and if it is in the middle, the other's too. With both in the middle a position has two
//!   numbers; the smaller one counts. Pairs in which the game can go on come first.
//! - *e*, *g*, *c*: which squares elephants, giraffes and chicks (or hens) stand on. Elephants are counted among the ten
//!   squares without lions, giraffes among those without elephants either, and so on; a set of squares
//!   is numbered among the sets of its size by value.
//! - *owners*: a bit per elephant, then giraffe, then chick on the board, each from the lowest square up: set if it belongs to the
//!   side to move; then a bit per chick, set if it is a hen.

use super::board::{BOTTOM_RANK, Board, COLUMN_SQUARES, SQUARES, Squares, TOP_RANK, mirrored_square};
use super::rules::Rules;

/// Ways to place and hold everything but the lions.
pub const ARRANGEMENTS: u32 = 11_878_227;

/// Squares without the lions.
const FREE: usize = 10;

/// All positions with the same hands, and so with the same number of pieces of each kind on the board.
#[derive(Clone, Copy, Debug, Default)]
struct Hands {
    base: u32,
    giraffe_sets: u16,
    chick_sets: u16,
    /// Pieces of a kind on the board, at most 2.
    elephants: u8,
    giraffes: u8,
    chicks: u8,
    hands: u16,
}

impl Hands {
    fn owner_bits(&self) -> u8 {
        self.elephants + self.giraffes + 2 * self.chicks
    }
}

/// How a pair of lion squares is numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pair {
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
    /// Number of a set of squares among those of its size, for sets of up to two of ten squares.
    ranks: Vec<u8>,
    /// The set of a number, by size.
    sets: [Vec<Squares>; 3],
    /// By the opponent's lion: squares of the side to move's with which the game can go on.
    open_lions: [Squares; SQUARES],
}

impl Index {
    pub fn new(rules: &Rules) -> Index {
        let (mut ranks, mut sets) = (vec![0; 1 << FREE], [const { Vec::new() }; 3]);
        for set in (0..1u16 << FREE).filter(|set| set.count_ones() <= 2) {
            let same_size = &mut sets[set.count_ones() as usize];
            ranks[set as usize] = same_size.len() as u8;
            same_size.push(set);
        }
        let bases = all_hands();
        let mut hands = vec![Hands::default(); 1 << 12];
        for &known in &bases {
            hands[known.hands as usize] = known;
        }
        let (pairs, lions, open) = number_pairs(rules);
        let mut index = Index { pairs, lions, open, hands, bases, ranks, sets, open_lions: [0; SQUARES] };
        index.open_lions = std::array::from_fn(|other| index.find_open_lions(other as u8));
        index
    }

    /// All numbers are below this.
    pub fn len(&self) -> u32 {
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
        self.pairs[board.own_lion as usize * SQUARES + board.opponent_lion as usize]
    }

    /// Number within the pair, for a board that need not be mirrored.
    #[inline]
    pub fn arrangement(&self, board: &Board) -> u32 {
        let lions = board.lions();
        let (low, high) = (lions & lions.wrapping_neg(), lions & lions.wrapping_sub(1));
        let free = |set: Squares| close(close(set, high), low);
        let elephants = Two::of(free(board.elephants));
        let giraffes = Two::of(elephants.close(free(board.giraffes)));
        let chick_set = giraffes.close(elephants.close(free(board.chicks)));
        let hands = &self.hands[board.hands as usize];
        let rank = |set: Squares| u32::from(self.ranks[usize::from(set) & ((1 << FREE) - 1)]);
        let sets = (rank(elephants.set()) * u32::from(hands.giraffe_sets) + rank(giraffes.set()))
            * u32::from(hands.chick_sets)
            + rank(chick_set);
        let (e, g, c) = (u32::from(hands.elephants), u32::from(hands.giraffes), u32::from(hands.chicks));
        let chicks = Two::of(board.chicks);
        let owners = Two::of(board.elephants).select(board.own)
            | Two::of(board.giraffes).select(board.own) << e
            | chicks.select(board.own) << (e + g)
            | chicks.select(board.hens) << (e + g + c);
        hands.base + (sets << (e + g + 2 * c) | owners)
    }

    /// The position of a number below [`Index::len`], as it is numbered; its mirror image may have a smaller number
    /// if both lions stand in the middle.
    #[inline]
    pub fn unrank(&self, number: u32) -> Board {
        let (pair, arrangement) = (number / ARRANGEMENTS, number % ARRANGEMENTS);
        let (own_lion, opponent_lion, _) = self.lions[pair as usize];
        let hands = self.bases[self.bases.partition_point(|hands| hands.base <= arrangement) - 1];
        let rest = arrangement - hands.base;
        let (sets, owners) = (rest >> hands.owner_bits(), rest & ((1 << hands.owner_bits()) - 1));
        let (sets, c) = (sets / u32::from(hands.chick_sets), sets % u32::from(hands.chick_sets));
        let (e, g) = (sets / u32::from(hands.giraffe_sets), sets % u32::from(hands.giraffe_sets));
        let lions: Squares = 1 << own_lion | 1 << opponent_lion;
        let (low, high) = (lions & lions.wrapping_neg(), lions & lions.wrapping_sub(1));
        let set = |count: u8, rank: u32| self.sets[usize::from(count)][rank as usize];
        let board_set = |set: Squares| open(open(set, low), high);
        let elephant_set = Two::of(set(hands.elephants, e));
        let giraffe_set = Two::of(set(hands.giraffes, g));
        let elephants = board_set(elephant_set.set());
        let giraffes = board_set(elephant_set.open(giraffe_set.set()));
        let chicks = board_set(elephant_set.open(giraffe_set.open(set(hands.chicks, c))));
        let mut owners = owners as u16;
        let mut deal = |set: Squares, count: u8| {
            let dealt = Two::of(set).deal(owners);
            owners >>= count;
            dealt
        };
        let own = deal(elephants, hands.elephants) | deal(giraffes, hands.giraffes) | deal(chicks, hands.chicks);
        let hens = deal(chicks, hands.chicks);
        let own = own | 1 << own_lion;
        Board { own_lion, opponent_lion, own, elephants, giraffes, chicks, hens, hands: hands.hands }
    }

    /// Whether a number is the one its position counts under.
    #[inline]
    pub fn is_canonical(&self, number: u32, board: &Board) -> bool {
        let (.., twofold) = self.lions[(number / ARRANGEMENTS) as usize];
        !twofold || self.arrangement(&board.mirrored()) >= number % ARRANGEMENTS
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

/// Removes an empty square from a set: what lies above moves down. `square` has one bit or none.
#[inline]
fn close(set: Squares, square: Squares) -> Squares {
    set - ((set & (square << 1).wrapping_neg()) >> 1)
}

/// Inverse of [`close`].
#[inline]
fn open(set: Squares, square: Squares) -> Squares {
    set + (set & square.wrapping_neg())
}

/// A set of at most two squares, taken apart.
#[derive(Clone, Copy)]
struct Two {
    low: Squares,
    high: Squares,
}

impl Two {
    #[inline]
    fn of(set: Squares) -> Two {
        Two { low: set & set.wrapping_neg(), high: set & set.wrapping_sub(1) }
    }

    #[inline]
    fn set(self) -> Squares {
        self.low | self.high
    }

    /// Removes both squares from a set.
    #[inline]
    fn close(self, set: Squares) -> Squares {
        close(close(set, self.high), self.low)
    }

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
    fn deal(self, bits: u16) -> Squares {
        let low = if bits & 1 == 1 { self.low } else { 0 };
        let high = if bits & 2 == 2 { self.high } else { 0 };
        low | high
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
        let (giraffe_sets, chick_sets) = (giraffe_sets as u16, chick_sets as u16);
        let known = Hands { base, giraffe_sets, chick_sets, elephants, giraffes, chicks, hands };
        base += (elephant_sets * u32::from(giraffe_sets) * u32::from(chick_sets)) << known.owner_bits();
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

/// Whether the side to move can be to move with the lions on these squares, and the lions alone do not end the game. A side
/// is never to move with its lion on its last rank under the try rule: either that has won, or the lion is taken.
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
        for code in ["val1n", "val1nT", "0v0v0"] {
            let index = Index::new(&Rules::parse(code).unwrap());
            for number in (0..index.len()).step_by(9973) {
                let board = index.unrank(number);
                let canonical = index.rank(&board);
                assert_eq!(index.rank(&board.mirrored()), canonical, "{code} {number}");
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
        assert_eq!(index.len(), 72 * ARRANGEMENTS);
    }
}
