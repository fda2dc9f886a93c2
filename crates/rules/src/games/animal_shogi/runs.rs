//! Moves and un-moves of many positions at once.
//!
//! A **run** are the positions that differ only in who owns what and in hens: up to 256 neighbours by number, a set of
//! them is 256 bits. What a move does to squares, lions and hands is the same for all positions of a run that have it,
//! so it leads from one run to one other, and it is found once. Where in the other run a position lands follows from
//! the bits of its own place: each goes to another place or is dropped, owners are complemented with the side to move.

use std::ops::ControlFlow;

use super::board::{
    ALL_SQUARES, BOTTOM_RANK, Kind, OPPONENT_HAND, SQUARES, Squares, TOP_RANK, hand_bit, mirrored, mirrored_square,
};
use super::index::{ARRANGEMENTS, Index, Pair, TurnedBlock, Two};
use super::moves::each_square;
use super::rules::Rules;

/// A set of positions of a run: bit `i % 64` of word `i / 64` for the `i`-th.
pub type Bits = [u64; 4];

/// No positions, and all places.
const NONE: Bits = [0; 4];
const ALL: Bits = [u64::MAX; 4];

/// Places whose number has a bit, by bit.
const WITH: [Bits; 8] = {
    let words = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0, 0xff00_ff00_ff00_ff00];
    let wide = [0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];
    [
        [words[0]; 4],
        [words[1]; 4],
        [words[2]; 4],
        [words[3]; 4],
        [wide[0]; 4],
        [wide[1]; 4],
        [0, u64::MAX, 0, u64::MAX],
        [0, 0, u64::MAX, u64::MAX],
    ]
};

/// Those of `a` that are in `b`.
#[inline(always)]
pub fn and(a: &Bits, b: &Bits) -> Bits {
    std::array::from_fn(|word| a[word] & b[word])
}

/// Those of either.
#[inline(always)]
pub fn or(a: &Bits, b: &Bits) -> Bits {
    std::array::from_fn(|word| a[word] | b[word])
}

/// Those of `a` that are not in `b`.
#[inline(always)]
pub fn without(a: &Bits, b: &Bits) -> Bits {
    std::array::from_fn(|word| a[word] & !b[word])
}

#[inline(always)]
pub fn is_empty(bits: &Bits) -> bool {
    bits[0] | bits[1] | bits[2] | bits[3] == 0
}

#[inline(always)]
fn each_place(bits: &Bits, mut visit: impl FnMut(usize)) {
    for (word, &bits) in bits.iter().enumerate() {
        let mut rest = bits;
        while rest != 0 {
            visit(64 * word + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// Kinds of pieces by the sets of squares that they share: elephants, giraffes, chicks with hens.
const KINDS: usize = 3;
const CHICKS: usize = 2;

/// What a move or an un-move makes of the squares of a run.
#[derive(Clone, Copy)]
struct Change {
    /// Lions and hands as the side sees them that is to move afterwards.
    own_lion: u8,
    other_lion: u8,
    hands: u16,
    /// A square for each of up to two pieces of a kind, 0 for none.
    at: [[Squares; 2]; KINDS],
    /// By piece, bit `2 kind + slot`: whether it is one that has stayed.
    stayed: u8,
    /// By piece that has not: whether it then belongs to the side to move.
    owned: u8,
    /// By chick that has not stayed, bit `slot`: whether it is a hen then.
    hens: u8,
}

impl Change {
    /// The piece is gone from its square.
    #[inline(always)]
    fn remove(&mut self, kind: usize, slot: usize) {
        self.at[kind][slot] = 0;
        self.stayed &= !(1 << (2 * kind + slot));
    }

    /// The piece stands on a square, and whose it is, and whether a hen.
    #[inline(always)]
    fn put(&mut self, kind: usize, slot: usize, at: Squares, owned: bool, hen: bool) {
        self.at[kind][slot] = at;
        self.stayed &= !(1 << (2 * kind + slot));
        self.owned |= u8::from(owned) << (2 * kind + slot);
        self.hens |= if kind == CHICKS { u8::from(hen) << slot } else { 0 };
    }

    /// A piece is added.
    #[inline(always)]
    fn add(&mut self, kind: usize, at: Squares, hen: bool) {
        let slot = usize::from(self.at[kind][0] != 0);
        self.put(kind, slot, at, false, hen);
    }
}

/// Where the places of a run go, by the low and the high half of their bits; the parts are added without carry.
#[derive(Clone, Copy, Debug)]
struct Map {
    low: [u8; 16],
    high: [u8; 16],
}

impl Map {
    /// `images[bit]` is what a bit of a place adds to `constant`.
    #[inline(always)]
    fn new(constant: u8, images: [u8; 8]) -> Map {
        /// Bytes 0 to 7 whose number has bit 0, 1, 2.
        const BYTES: [u64; 3] = [0x0100_0100_0100_0100, 0x0101_0000_0101_0000, 0x0101_0101_0000_0000];
        const EACH: u64 = 0x0101_0101_0101_0101;
        let half = |constant: u8, images: [u8; 4]| {
            let [a, b, c, d] = images.map(u64::from);
            let first = EACH * u64::from(constant) ^ BYTES[0] * a ^ BYTES[1] * b ^ BYTES[2] * c;
            let both = u128::from(first) | u128::from(first ^ EACH * d) << 64;
            both.to_le_bytes()
        };
        let [a, b, c, d, e, f, g, h] = images;
        Map { low: half(constant, [a, b, c, d]), high: half(0, [e, f, g, h]) }
    }

    #[inline(always)]
    fn image(&self, place: usize) -> u8 {
        self.low[place & 15] ^ self.high[place >> 4 & 15]
    }
}

/// The run that a move leads to, and where in it the positions land.
pub struct Landing {
    /// The first number of the run.
    pub first: u32,
    map: Map,
    /// The places of the mirror images, if the run is its own: the smaller one counts.
    twin: Option<Map>,
}

impl Landing {
    /// Where these positions land.
    #[inline(always)]
    pub fn images(&self, from: &Bits) -> Bits {
        let mut to = NONE;
        let mut add = |place: u8| to[usize::from(place >> 6)] |= 1 << (place & 63);
        match &self.twin {
            None => each_place(from, |place| add(self.map.image(place))),
            Some(twin) => each_place(from, |place| add(self.map.image(place).min(twin.image(place)))),
        }
        to
    }

    /// Those of `from` that land on one of `to`.
    #[inline(always)]
    pub fn origins(&self, from: &Bits, to: &Bits) -> Bits {
        let mut found = NONE;
        let mut check = |place: usize, image: u8| {
            found[place >> 6] |= (to[usize::from(image >> 6)] >> (image & 63) & 1) << (place & 63);
        };
        match &self.twin {
            None => each_place(from, |place| check(place, self.map.image(place))),
            Some(twin) => each_place(from, |place| check(place, self.map.image(place).min(twin.image(place)))),
        }
        found
    }
}

/// A move that some positions of a run have.
pub struct Leap<'a> {
    run: &'a Run<'a>,
    change: Change,
    /// Those that have it, and whose lion cannot be taken then; and those whose lion can.
    pub goes_on: Bits,
    pub attacked: Bits,
    /// Whether the lion has come to the last rank.
    pub tried: bool,
}

impl Leap<'_> {
    /// Where it leads.
    #[inline(always)]
    pub fn landing(&self) -> Landing {
        self.run.landing(&self.change)
    }
}

/// The run of a block of numbers, seen by the side that is not to move.
pub struct Run<'a> {
    rules: &'a Rules,
    index: &'a Index,
    /// Squares, and the bits of a place that say whose they are and, of chicks, whether they are hens.
    at: [[Squares; 2]; KINDS],
    owner: [usize; KINDS],
    hen: usize,
    /// Lions: of the side not to move, and of the one to move.
    own_lion: u8,
    other_lion: u8,
    hands: u16,
    empty: Squares,
}

/// Kinds by number, without hens.
const HELD: [Kind; KINDS] = Kind::HAND;

impl<'a> Run<'a> {
    /// The run of a block that [`Index::unrank_turned`] has left.
    #[inline]
    pub fn new(rules: &'a Rules, index: &'a Index, block: &TurnedBlock) -> Run<'a> {
        let (board, pieces, owner, hen) = block.parts();
        let at = pieces.map(|two| [two.low, two.high]);
        Run {
            rules,
            index,
            at,
            owner,
            hen,
            own_lion: board.own_lion(),
            other_lion: board.opponent_lion(),
            hands: board.hands(),
            empty: ALL_SQUARES & !board.occupied(),
        }
    }

    /// Places in which a piece belongs to the side to move.
    #[inline(always)]
    fn moving(&self, kind: usize, slot: usize) -> &'static Bits {
        &WITH[(self.owner[kind] + slot) & 7]
    }

    /// Places in which a chick is a hen.
    #[inline(always)]
    fn hens(&self, slot: usize) -> &'static Bits {
        &WITH[(self.hen + slot) & 7]
    }

    #[inline(always)]
    fn unchanged(&self) -> Change {
        Change {
            own_lion: self.own_lion,
            other_lion: self.other_lion,
            hands: self.hands,
            at: self.at,
            stayed: 0x3f,
            owned: 0,
            hens: 0,
        }
    }

    /// The piece on a square: its kind and slot.
    #[inline(always)]
    fn piece_at(&self, square: Squares) -> Option<(usize, usize)> {
        (0..2 * KINDS).map(|piece| (piece / 2, piece % 2)).find(|&(kind, slot)| self.at[kind][slot] == square)
    }

    /// Places in which a piece of the side not to move attacks a square.
    #[inline(always)]
    fn attack(&self, kind: usize, slot: usize, square: u8) -> Bits {
        let (at, reach) = (self.at[kind][slot], |kind: Kind| self.rules.opponent[kind as usize][usize::from(square)]);
        let theirs = without(&ALL, self.moving(kind, slot));
        if kind != CHICKS {
            return if reach(HELD[kind]) & at != 0 { theirs } else { NONE };
        }
        let chick = if reach(Kind::Chick) & at != 0 { without(&theirs, self.hens(slot)) } else { NONE };
        let hen = if reach(Kind::Hen) & at != 0 { and(&theirs, self.hens(slot)) } else { NONE };
        or(&chick, &hen)
    }

    /// Places in which a square is attacked by the side not to move, were the piece `gone` not there.
    #[inline(always)]
    fn attacks(&self, square: u8, gone: Option<(usize, usize)>) -> Bits {
        let lion = self.rules.opponent[Kind::Lion as usize][usize::from(square)] >> self.own_lion & 1 == 1;
        let mut all = if lion { ALL } else { NONE };
        for (kind, slots) in self.at.iter().enumerate() {
            for (slot, &at) in slots.iter().enumerate() {
                if at != 0 && gone != Some((kind, slot)) {
                    all = or(&all, &self.attack(kind, slot, square));
                }
            }
        }
        all
    }

    /// Places in which a piece of the side to move attacks the other lion.
    #[inline(always)]
    fn taking(&self, kind: usize, slot: usize) -> Bits {
        let (at, movers) = (self.at[kind][slot], self.moving(kind, slot));
        let reach = |kind: Kind| self.rules.own[kind as usize][usize::from(self.own_lion)] & at != 0;
        if kind != CHICKS {
            return if reach(HELD[kind]) { *movers } else { NONE };
        }
        let chick = if reach(Kind::Chick) { without(movers, self.hens(slot)) } else { NONE };
        let hen = if reach(Kind::Hen) { and(movers, self.hens(slot)) } else { NONE };
        or(&chick, &hen)
    }

    /// Places in which the side to move cannot take the other lion, and its own is attacked by one piece at most.
    pub fn undecided(&self) -> Bits {
        let attacked = |lion: u8, other: u8, moves: &[[Squares; SQUARES]; 5]| {
            let lion = moves[Kind::Lion as usize][usize::from(lion)] >> other & 1 == 1;
            if lion { ALL } else { NONE }
        };
        let mut taking = attacked(self.own_lion, self.other_lion, &self.rules.own);
        let (mut one, mut two) = (attacked(self.other_lion, self.own_lion, &self.rules.opponent), NONE);
        for kind in 0..KINDS {
            for slot in (0..2).filter(|&slot| self.at[kind][slot] != 0) {
                taking = or(&taking, &self.taking(kind, slot));
                let attack = self.attack(kind, slot, self.other_lion);
                two = or(&two, &and(&one, &attack));
                one = or(&one, &attack);
            }
        }
        without(&ALL, &or(&taking, &two))
    }

    /// Whether the lion of the side to move has a step to its last rank.
    pub fn may_try(&self) -> bool {
        let steps = self.rules.opponent[Kind::Lion as usize][usize::from(self.other_lion)];
        self.rules.try_rule && steps & BOTTOM_RANK != 0
    }

    /// Whether some numbers of the run are not those that their positions count under.
    pub fn is_twofold(&self) -> bool {
        let turned = |square: u8| SQUARES as u8 - 1 - square;
        matches!(self.index.pair_of(turned(self.other_lion), turned(self.own_lion)), Pair::Twofold(_))
    }

    /// Calls `visit` with each move that one of `from` has. They are undecided: nobody's lion can be taken by the side
    /// to move.
    #[inline]
    pub fn moves(&self, from: &Bits, mut visit: impl FnMut(&Leap) -> ControlFlow<()>) -> ControlFlow<()> {
        let attacked = self.attacks(self.other_lion, None);
        let lions: Squares = 1 << self.own_lion | 1 << self.other_lion;
        let mut leap = |change: Change, moved: Bits, attacked: &Bits| {
            if is_empty(&moved) {
                return ControlFlow::Continue(());
            }
            let tried = self.rules.try_rule && BOTTOM_RANK >> change.other_lion & 1 == 1;
            let (goes_on, attacked) = (without(&moved, attacked), and(&moved, attacked));
            visit(&Leap { run: self, change, goes_on, attacked, tried })
        };
        // Moves of one piece to one square, beside taking what is there.
        let mut step = |change: Change, to: u8, movers: &Bits, lion: bool| {
            let taken = self.piece_at(1 << to).filter(|_| self.empty >> to & 1 == 0);
            let mut change = change;
            let mut movers = *movers;
            if let Some((kind, slot)) = taken {
                movers = without(&movers, self.moving(kind, slot));
                change.remove(kind, slot);
                change.hands += 1 << (OPPONENT_HAND + hand_bit(HELD[kind]));
            }
            if lion {
                leap(change, movers, &self.attacks(to, taken))
            } else if taken.is_some() && !is_empty(&attacked) {
                leap(change, movers, &self.attacks(self.other_lion, taken))
            } else {
                leap(change, movers, &attacked)
            }
        };
        for kind in 0..KINDS {
            for slot in 0..2 {
                let at = self.at[kind][slot];
                let movers = and(from, self.moving(kind, slot));
                if at == 0 || is_empty(&movers) {
                    continue;
                }
                let square = at.trailing_zeros() as usize;
                let targets = |kind: Kind| self.rules.opponent[kind as usize][square] & !lions;
                let mut go = |kind: usize, to: u8, movers: &Bits, hen: bool| {
                    let mut change = self.unchanged();
                    change.put(kind, slot, 1 << to, false, hen);
                    step(change, to, movers, false)
                };
                if kind != CHICKS {
                    each_square(targets(HELD[kind]), |to| go(kind, to, &movers, false))?;
                    continue;
                }
                let chicks = without(&movers, self.hens(slot));
                if !is_empty(&chicks) {
                    each_square(targets(Kind::Chick), |to| go(kind, to, &chicks, BOTTOM_RANK & (at | 1 << to) != 0))?;
                }
                let hens = and(&movers, self.hens(slot));
                if !is_empty(&hens) {
                    each_square(targets(Kind::Hen), |to| go(kind, to, &hens, true))?;
                }
            }
        }
        let targets = self.rules.opponent[Kind::Lion as usize][usize::from(self.other_lion)] & !lions;
        each_square(targets, |to| {
            let change = Change { other_lion: to, ..self.unchanged() };
            step(change, to, from, true)
        })?;
        for (kind, &held) in HELD.iter().enumerate() {
            let bit = OPPONENT_HAND + hand_bit(held);
            if self.hands >> bit & 3 == 0 {
                continue;
            }
            let mut change = self.unchanged();
            change.hands -= 1 << bit;
            each_square(self.empty, |to| {
                let mut change = change;
                change.add(kind, 1 << to, false);
                leap(change, *from, &attacked)
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` with where un-moves of some of `from` lead, and which they are: numbers of positions, seen by the
    /// side that has moved, whose lion the other could not take.
    #[inline]
    pub fn unmoves(&self, from: &Bits, mut visit: impl FnMut(Landing, &Bits)) {
        // Whoever attacks the lion now has just come; two cannot have come at once.
        let lion = self.rules.opponent[Kind::Lion as usize][usize::from(self.other_lion)] >> self.own_lion & 1 == 1;
        let lion = if lion { ALL } else { NONE };
        let (mut one, mut two, mut attacks) = (lion, NONE, [[NONE; 2]; KINDS]);
        for kind in 0..KINDS {
            for slot in (0..2).filter(|&slot| self.at[kind][slot] != 0) {
                let attack = self.attack(kind, slot, self.other_lion);
                two = or(&two, &and(&one, &attack));
                one = or(&one, &attack);
                attacks[kind][slot] = attack;
            }
        }
        let from = without(from, &two);
        if is_empty(&from) {
            return;
        }
        let may_move = |attack: &Bits| or(&without(&from, &one), &and(&from, attack));
        let lions = self.index.open_lions()[usize::from(self.other_lion)];
        if lions >> self.own_lion & 1 == 1 {
            for kind in 0..KINDS {
                for slot in 0..2 {
                    let at = self.at[kind][slot];
                    let movers = without(&may_move(&attacks[kind][slot]), self.moving(kind, slot));
                    if at == 0 || is_empty(&movers) {
                        continue;
                    }
                    let to = at.trailing_zeros() as usize;
                    let origins = |kind: Kind| {
                        let quiet = self.empty & !self.rules.opponent[kind as usize][usize::from(self.other_lion)];
                        quiet & self.rules.opponent[kind as usize][to]
                    };
                    let moved = |hen: bool| {
                        move |from: u8| {
                            let mut change = self.unchanged();
                            change.put(kind, slot, 1 << from, true, hen);
                            change
                        }
                    };
                    let in_hand = || {
                        let mut change = self.unchanged();
                        change.remove(kind, slot);
                        change.hands += 1 << hand_bit(HELD[kind]);
                        change
                    };
                    let on_top = TOP_RANK & at != 0;
                    if kind != CHICKS {
                        self.back(moved(false), at, origins(HELD[kind]), &movers, &mut visit);
                        visit(self.landing(&in_hand()), &movers);
                        continue;
                    }
                    let chicks = without(&movers, self.hens(slot));
                    if !is_empty(&chicks) {
                        // On the last rank, or from there, it would be a hen.
                        let origins = if on_top { 0 } else { origins(Kind::Chick) & !TOP_RANK };
                        self.back(moved(false), at, origins, &chicks, &mut visit);
                        visit(self.landing(&in_hand()), &chicks);
                    }
                    let hens = and(&movers, self.hens(slot));
                    if !is_empty(&hens) {
                        self.back(moved(true), at, origins(Kind::Hen), &hens, &mut visit);
                        let promoting = if on_top { origins(Kind::Chick) } else { origins(Kind::Chick) & TOP_RANK };
                        self.back(moved(false), at, promoting, &hens, &mut visit);
                    }
                }
            }
        }
        let movers = may_move(&lion);
        if !is_empty(&movers) {
            let steps = self.rules.opponent[Kind::Lion as usize][usize::from(self.own_lion)];
            let moved = |from: u8| Change { own_lion: from, ..self.unchanged() };
            self.back(moved, 1 << self.own_lion, self.empty & lions & steps, &movers, &mut visit);
        }
    }

    /// Takes a move to `to` back to each of `origins`, with each piece that it may have taken.
    #[inline]
    fn back(
        &self,
        moved: impl Fn(u8) -> Change,
        to: Squares,
        origins: Squares,
        movers: &Bits,
        visit: &mut impl FnMut(Landing, &Bits),
    ) {
        let _ = each_square(origins, |from| {
            let before = moved(from);
            visit(self.landing(&before), movers);
            for (kind, &held) in HELD.iter().enumerate() {
                if self.hands >> hand_bit(held) & 3 == 0 {
                    continue;
                }
                for hen in [false, true].into_iter().take(if kind == CHICKS { 2 } else { 1 }) {
                    let mut before = before;
                    before.hands -= 1 << hand_bit(held);
                    before.add(kind, to, hen);
                    visit(self.landing(&before), movers);
                }
            }
            ControlFlow::Continue(())
        });
    }

    /// Where a change leads.
    #[inline]
    fn landing(&self, change: &Change) -> Landing {
        let Change { own_lion, other_lion, .. } = *change;
        match self.index.pair_of(own_lion, other_lion) {
            Pair::Numbered(base) => {
                let (first, map) = self.place(change, own_lion, other_lion, change.at);
                Landing { first: base + first, map, twin: None }
            }
            Pair::Twofold(base) => {
                let (first, map) = self.place(change, own_lion, other_lion, change.at);
                let (second, twin) = self.mirror_place(change);
                match first.cmp(&second) {
                    std::cmp::Ordering::Less => Landing { first: base + first, map, twin: None },
                    std::cmp::Ordering::Equal => Landing { first: base + first, map, twin: Some(twin) },
                    std::cmp::Ordering::Greater => Landing { first: base + second, map: twin, twin: None },
                }
            }
            Pair::Mirror | Pair::None => {
                let (first, map) = self.mirror_place(change);
                let pair = self.index.pair_of(mirrored_square(own_lion), mirrored_square(other_lion));
                let base = if let Pair::Numbered(base) = pair { base } else { u32::MAX - ARRANGEMENTS };
                Landing { first: base + first, map, twin: None }
            }
        }
    }

    #[inline]
    fn mirror_place(&self, change: &Change) -> (u32, Map) {
        let at = change.at.map(|two| two.map(mirrored));
        self.place(change, mirrored_square(change.own_lion), mirrored_square(change.other_lion), at)
    }

    /// The first number of a run within its pair, and where its places go.
    #[inline(always)]
    fn place(&self, change: &Change, own_lion: u8, other_lion: u8, at: [[Squares; 2]; KINDS]) -> (u32, Map) {
        let sets =
            at.map(|[a, b]| if a < b && a != 0 || b == 0 { Two { low: a, high: b } } else { Two { low: b, high: a } });
        let (owners, first) = self.index.run_of(1 << own_lion | 1 << other_lion, change.hands, sets);
        let (mut constant, mut images) = (0, [0; 8]);
        for kind in 0..KINDS {
            let [a, b] = at[kind];
            // The piece on the higher square has the higher bit.
            let above = [b != 0 && a > b, a != 0 && b > a];
            for slot in 0..2 {
                if at[kind][slot] == 0 {
                    continue;
                }
                let piece = 2 * kind + slot;
                let to = 1u8 << (owners[kind] + u32::from(above[slot]));
                let hen = if kind == CHICKS { 1u8 << (owners[KINDS] + u32::from(above[slot])) } else { 0 };
                if change.stayed >> piece & 1 == 1 {
                    constant |= to;
                    images[(self.owner[kind] + slot) & 7] = to;
                    if kind == CHICKS {
                        images[(self.hen + slot) & 7] = hen;
                    }
                } else {
                    constant |= to * (change.owned >> piece & 1);
                    if kind == CHICKS {
                        constant |= hen * (change.hens >> slot & 1);
                    }
                }
            }
        }
        (first, Map::new(constant, images))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::games::animal_shogi::board::Board;

    /// What can be undecided and arise in a run, as far as positions alone can tell; with its block.
    fn run_at(rules: &Rules, index: &Index, number: u32) -> (TurnedBlock, Bits) {
        let (mut block, mut from) = (TurnedBlock::default(), NONE);
        index.find_block(number, &mut block);
        let (first, count) = block.numbers();
        for number in first..first + count {
            let board = index.unrank_turned(number, &mut block);
            let arises = board.opponent_attackers(rules, board.own_lion()) == 0;
            if arises && index.is_canonical_turned(number, &board) {
                from[(number - first) as usize / 64] |= 1 << ((number - first) % 64);
            }
        }
        (block, from)
    }

    /// Runs all over the numbers, those of lions in the middle with mirrored squares among them.
    fn runs(code: &str, check: impl Fn(&Rules, &Index, &TurnedBlock, &Bits)) {
        let rules = Rules::parse(code).unwrap();
        let index = Index::new(&rules);
        for number in (0..index.open()).step_by(49_999) {
            let (block, from) = run_at(&rules, &index, number);
            check(&rules, &index, &block, &from);
        }
    }

    fn board(index: &Index, block: &TurnedBlock, place: usize) -> Board {
        index.unrank_turned(block.numbers().0 + place as u32, &mut block.clone())
    }

    const CODES: [&str; 4] = ["val1n", "val1nT", "8bs1g", "3o5p7"];

    #[test]
    fn undecided_places_are_those_of_each_position() {
        let twofold = std::cell::Cell::new(0);
        for code in CODES {
            runs(code, |rules, index, block, _| {
                let run = Run::new(rules, index, block);
                let (first, count) = block.numbers();
                let undecided = run.undecided();
                for place in 0..count as usize {
                    let board = board(index, block, place);
                    let attackers = board.own_attackers(rules, board.opponent_lion()).count_ones();
                    let expected = attackers < 2 && board.opponent_attackers(rules, board.own_lion()) == 0;
                    assert_eq!(undecided[place / 64] >> (place % 64) & 1 == 1, expected, "{code} {first} {place}");
                    assert!(run.is_twofold() || index.is_canonical_turned(first + place as u32, &board));
                }
                twofold.set(twofold.get() + u32::from(run.is_twofold()));
            });
        }
        assert!(twofold.get() > 100, "{}", twofold.get());
    }

    #[test]
    fn moves_of_runs_are_those_of_each_position() {
        let found = std::cell::Cell::new(0);
        for code in CODES {
            runs(code, |rules, index, block, from| {
                // By number of the child: from which places it comes, and how it stands there.
                let (mut expected, mut made) = (BTreeMap::new(), BTreeMap::new());
                each_place(from, |place| {
                    let _ = board(index, block, place).after_moves(rules, |_, next, attacked| {
                        let key = (place, index.rank(next), attacked, !attacked && next.tried(rules));
                        *expected.entry(key).or_insert(0) += 1;
                        ControlFlow::Continue(())
                    });
                });
                let _ = Run::new(rules, index, block).moves(from, |leap| {
                    let landing = leap.landing();
                    for (set, attacked) in [(leap.goes_on, false), (leap.attacked, true)] {
                        let mut all = NONE;
                        each_place(&set, |place| {
                            let mut one = NONE;
                            one[place / 64] = 1 << (place % 64);
                            let image = landing.images(&one);
                            assert_eq!(landing.origins(&one, &image), one);
                            assert!(is_empty(&landing.origins(&one, &without(&ALL, &image))));
                            all = or(&all, &image);
                            each_place(&image, |image| {
                                let key = (place, landing.first + image as u32, attacked, !attacked && leap.tried);
                                *made.entry(key).or_insert(0) += 1;
                            });
                        });
                        assert_eq!(landing.images(&set), all);
                    }
                    ControlFlow::Continue(())
                });
                assert_eq!(made, expected, "{code} {}", block.numbers().0);
                found.set(found.get() + made.len());
            });
        }
        assert!(found.get() > 200_000, "{}", found.get());
    }

    #[test]
    fn unmoves_of_runs_are_those_of_each_position() {
        let found = std::cell::Cell::new(0);
        for code in CODES {
            runs(code, |rules, index, block, from| {
                let (mut expected, mut made) = (BTreeSet::new(), BTreeSet::new());
                each_place(from, |place| {
                    let _ = board(index, block, place).before_moves(rules, index.open_lions(), |before| {
                        expected.insert((place, index.rank(before)));
                        ControlFlow::Continue(())
                    });
                });
                Run::new(rules, index, block).unmoves(from, |landing, set| {
                    each_place(set, |place| {
                        let mut one = NONE;
                        one[place / 64] = 1 << (place % 64);
                        each_place(&landing.images(&one), |image| {
                            made.insert((place, landing.first + image as u32));
                        });
                    });
                });
                assert_eq!(made, expected, "{code} {}", block.numbers().0);
                found.set(found.get() + made.len());
            });
        }
        assert!(found.get() > 100_000, "{}", found.get());
    }
}
