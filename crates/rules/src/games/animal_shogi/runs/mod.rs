//! Moves and un-moves of many positions at once.
//!
//! A **run** is a set of up to 256 positions that differ only in the owners of their pieces and in which chicks are
//! hens. Their numbers ([`super::index`]) are consecutive. The **place** of a position is its index in the run. Its
//! bits are one owner bit for each piece except the lions, then one bit for each chick, set for a hen. 256 bits hold
//! any subset of a run.
//!
//! A move changes squares, lions and hands equally in all positions of a run that have the move. So the move leads from
//! this run to one other run, which is looked up only once. The place in the other run follows from the bits of the old
//! place: bits move, are dropped or are added, and the owner bits are complemented because the side to move changes.
//!
//! `places` has the sets of places, and the maps from the places of one run to those of another.

mod places;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

pub use places::{Bits, and, is_empty, or, without};

use super::board::{
    ALL_SQUARES, BOTTOM_RANK, Kind, OPPONENT_HAND, SQUARES, Squares, TOP_RANK, hand_bit, mirrored, mirrored_square,
};
use super::index::{ARRANGEMENTS, Index, Pair, RotatedBlock, Two};
use super::rules::Rules;
use crate::bits::squares_of;
use places::{ALL, EVERY, Map, NONE, WITH, below, each_place};

/// The number of kinds that have their own set of squares: elephants, giraffes, and chicks with hens.
const KINDS: usize = 3;
const CHICKS: usize = 2;

/// The effect of one move or un-move on all positions of a run, which differ only in owners and in which chicks are
/// hens.
#[derive(Clone, Copy)]
struct RunChange {
    /// The square of the lion of the side to move after the change. All fields are as that side sees the board.
    own_lion: u8,
    /// The square of the other lion.
    other_lion: u8,
    /// The hands, as in `Board::hands`.
    hands: u16,
    /// The squares of the pieces after the change. A kind has at most two pieces, in slots 0 and 1. Indexed by kind and
    /// slot: the square of the piece, as a set, or 0 if the slot is empty. The piece in slot 0 has the lower owner bit,
    /// until `Map::swapped` is applied.
    at: [[Squares; 2]; KINDS],
    /// The map from the index of a position in its run before the change to the index after it. The map complements the
    /// owner bits of all pieces, the moved one too, because the other side is to move after the change.
    map: Map,
}

/// The run of positions to which a move or an un-move leads from another run. `map` leads from the index of a position
/// in that run to an index in this one.
pub struct TargetRun {
    /// The first number of the run.
    pub first: u32,
    map: Map,
    /// For a run that is its own mirror image: the map to the indices of the mirror images. Each position then has two
    /// indices in the run, one by `map` and one by this map. The smaller one is used. `None` for all other runs.
    twin: Option<Map>,
}

impl TargetRun {
    /// Returns the places (indices of positions) that the move or un-move reaches in this run. `from` has places of the
    /// run where it starts.
    #[inline(always)]
    pub fn images(&self, from: &Bits) -> Bits {
        let mut to = NONE;
        let mut add = |place: u8| to[usize::from(place >> 6)] |= 1 << (place & 63);
        match &self.twin {
            None if self.map.keeps_bits() => each_place(from, |place| add(self.map.kept_image(place))),
            None => each_place(from, |place| add(self.map.image(place))),
            Some(twin) => each_place(from, |place| add(self.map.image(place).min(twin.image(place)))),
        }
        to
    }

    /// Returns the places in `from` from which the move or un-move leads to a place in `to`. A place is the index of a
    /// position: `from` has places of the run where the move starts, `to` has places of this run.
    #[inline(always)]
    pub fn origins(&self, from: &Bits, to: &Bits) -> Bits {
        let mut found = NONE;
        let mut check = |place: usize, image: u8| {
            found[place >> 6] |= (to[usize::from(image >> 6)] >> (image & 63) & 1) << (place & 63);
        };
        match &self.twin {
            None if self.map.keeps_bits() => each_place(from, |place| check(place, self.map.kept_image(place))),
            None => each_place(from, |place| check(place, self.map.image(place))),
            Some(twin) => each_place(from, |place| check(place, self.map.image(place).min(twin.image(place)))),
        }
        found
    }
}

/// A move that some positions of a run have. The positions of a run differ only in owners and in which chicks are hens.
pub struct RunMove<'a> {
    run: &'a Run<'a>,
    change: RunChange,
    /// The positions in which the move is possible and leaves the mover's lion safe, as a set of indices in the run.
    pub goes_on: Bits,
    /// The positions in which the move is possible, but the mover's lion can then be taken, as a set of indices in the
    /// run.
    pub attacked: Bits,
    /// True if the try rule is on and the mover's lion is on its last rank after the move.
    pub tried: bool,
}

impl RunMove<'_> {
    /// Returns the run that the move leads to.
    #[inline(always)]
    pub fn landing(&self) -> TargetRun {
        self.run.landing(&self.change)
    }
}

/// A run: up to 256 positions with consecutive numbers, which differ only in owners and in which chicks are hens.
/// Squares are numbered, and sides are named, as the side that is not to move sees the board.
pub struct Run<'a> {
    rules: &'a Rules,
    index: &'a Index,
    /// The squares of the pieces. A kind has at most two pieces, in slots 0 and 1. Indexed by kind and slot: the square
    /// of the piece, as a set, or 0 if the slot is empty.
    at: [[Squares; 2]; KINDS],
    /// Indexed by kind: the index of the kind's first owner bit in the index of a position in the run.
    owner: [usize; KINDS],
    /// The index of the first hen bit in the index of a position in the run.
    hen: usize,
    /// The square of the lion of the side that is not to move.
    own_lion: u8,
    /// The square of the lion of the side to move.
    other_lion: u8,
    hands: u16,
    empty: Squares,
}

/// The kinds of pieces in the order of the index `kind` in `Run::at`. Hens have the index of the chicks.
const HELD: [Kind; KINDS] = Kind::HAND;

impl<'a> Run<'a> {
    /// Returns the run of `block`, which [`Index::find_block`] or [`Index::unrank_rotated`] must have filled in.
    #[inline]
    pub fn new(rules: &'a Rules, index: &'a Index, block: &RotatedBlock) -> Run<'a> {
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

    /// Returns a set of indices in the run: the positions in which the piece `at[kind][slot]` belongs to the side to
    /// move.
    #[inline(always)]
    fn moving(&self, kind: usize, slot: usize) -> &'static Bits {
        &WITH[(self.owner[kind] + slot) & 7]
    }

    /// Returns a set of indices in the run: the positions in which the chick `at[CHICKS][slot]` is a hen.
    #[inline(always)]
    fn hens(&self, slot: usize) -> &'static Bits {
        &WITH[(self.hen + slot) & 7]
    }

    #[inline(always)]
    fn unchanged(&self) -> RunChange {
        let map = Map { first: below(self.hen), dropped: [EVERY; 2], added: [EVERY; 2], last: 0, swapped: 0 };
        RunChange { own_lion: self.own_lion, other_lion: self.other_lion, hands: self.hands, at: self.at, map }
    }

    /// Returns the change that moves the piece `at[kind][slot]` to the square `to`. `turns` is true if the move
    /// promotes the piece, or if the un-move reverts its promotion.
    #[inline(always)]
    fn moved(&self, kind: usize, slot: usize, to: u8, turns: bool) -> RunChange {
        let mut change = self.unchanged();
        change.at[kind][slot] = 1 << to;
        change.map.first ^= u32::from(turns) << (self.hen + slot);
        change
    }

    /// Extends a change: the piece `at[kind][slot]` also leaves the board and goes into the hand whose lowest bit is
    /// `hand`.
    #[inline(always)]
    fn remove(&self, change: &mut RunChange, kind: usize, slot: usize, hand: u32) {
        change.hands += 1 << (hand + hand_bit(HELD[kind]));
        change.at[kind] = [change.at[kind][1 - slot], 0];
        let hen = if kind == CHICKS { below(self.hen + slot) } else { EVERY };
        change.map.dropped = [hen, below(self.owner[kind] + slot)];
    }

    /// Extends a change: a piece from the hand whose lowest bit is `hand` is also placed on the square `at`, as a hen
    /// if `hen` is true. After the change, the piece belongs to the side that is not to move.
    #[inline(always)]
    fn add(&self, change: &mut RunChange, kind: usize, at: Squares, hand: u32, hen: bool) {
        change.hands -= 1 << (hand + hand_bit(HELD[kind]));
        let slot = usize::from(change.at[kind][0] != 0);
        change.at[kind][slot] = at;
        let hens = self.hen + 1 + slot;
        change.map.added = [below(self.owner[kind] + slot), if kind == CHICKS { below(hens) } else { EVERY }];
        change.map.last = u32::from(hen) << hens;
    }

    /// Returns the kind and the slot of the piece on a square, or `None` if there is none. The square is given as a
    /// set.
    #[inline(always)]
    fn piece_at(&self, square: Squares) -> Option<(usize, usize)> {
        (0..2 * KINDS).map(|piece| (piece / 2, piece % 2)).find(|&(kind, slot)| self.at[kind][slot] == square)
    }

    /// Returns a set of indices in the run: the positions in which the piece `at[kind][slot]` belongs to the side that
    /// is not to move and attacks `square`.
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

    /// Returns a set of indices in the run: the positions in which the side that is not to move attacks `square`.
    /// Attacks by the piece `gone`, given by kind and slot, do not count.
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

    /// Returns a set of indices in the run: the positions in which the piece `at[kind][slot]` belongs to the side to
    /// move and attacks the other side's lion.
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

    /// Returns a set of indices in the run. In these positions, the side to move cannot take the other side's lion, and
    /// its own lion has at most one attacker. No legal move leads to two attackers: only the piece that moved last can
    /// attack, because with an earlier attack the game was already over.
    pub fn possible_children(&self) -> Bits {
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

    /// Returns true if the try rule is on and the lion of the side to move has a step to its last rank, even if a piece
    /// of its own side occupies the square.
    pub fn may_try(&self) -> bool {
        let steps = self.rules.opponent[Kind::Lion as usize][usize::from(self.other_lion)];
        self.rules.try_rule && steps & BOTTOM_RANK != 0
    }

    /// Returns true if both lions are in the middle column. Each position then has two numbers, its own and that of its
    /// mirror image, and only the smaller one is a key.
    pub fn is_twofold(&self) -> bool {
        let turned = |square: u8| SQUARES as u8 - 1 - square;
        matches!(self.index.pair_of(turned(self.other_lion), turned(self.own_lion)), Pair::Twofold(_))
    }

    /// Visits each move that is possible in at least one position of `from`, until `visit` breaks. `from` is a set of
    /// indices in the run. In all its positions, the side to move must be unable to take the other side's lion.
    #[inline]
    pub fn moves(&self, from: &Bits, mut visit: impl FnMut(&RunMove) -> ControlFlow<()>) -> ControlFlow<()> {
        let attacked = self.attacks(self.other_lion, None);
        let lions: Squares = 1 << self.own_lion | 1 << self.other_lion;
        let mut leap = |change: RunChange, moved: Bits, attacked: &Bits| {
            if is_empty(&moved) {
                return ControlFlow::Continue(());
            }
            let tried = self.rules.try_rule && BOTTOM_RANK >> change.other_lion & 1 == 1;
            let (goes_on, attacked) = (without(&moved, attacked), and(&moved, attacked));
            visit(&RunMove { run: self, change, goes_on, attacked, tried })
        };
        // Moves one piece to one square, and takes the piece on that square.
        let mut step = |change: RunChange, to: u8, movers: &Bits, lion: bool| {
            let taken = self.piece_at(1 << to).filter(|_| self.empty >> to & 1 == 0);
            let mut change = change;
            let mut movers = *movers;
            if let Some((kind, slot)) = taken {
                movers = without(&movers, self.moving(kind, slot));
                self.remove(&mut change, kind, slot, OPPONENT_HAND);
            }
            if lion {
                leap(change, movers, &self.attacks(to, taken))
            } else if taken.is_some() && !is_empty(&attacked) {
                leap(change, movers, &self.attacks(self.other_lion, taken))
            } else {
                leap(change, movers, &attacked)
            }
        };
        for (kind, &held) in HELD.iter().enumerate() {
            for slot in 0..2 {
                let at = self.at[kind][slot];
                let movers = and(from, self.moving(kind, slot));
                if at == 0 || is_empty(&movers) {
                    continue;
                }
                let square = at.trailing_zeros() as usize;
                let targets = |kind: Kind| self.rules.opponent[kind as usize][square] & !lions;
                let mut go = |to: u8, movers: &Bits, promotes: bool| {
                    step(self.moved(kind, slot, to, promotes), to, movers, false)
                };
                if kind != CHICKS {
                    for to in squares_of(targets(held)) {
                        go(to, &movers, false)?;
                    }
                    continue;
                }
                let chicks = without(&movers, self.hens(slot));
                if !is_empty(&chicks) {
                    for to in squares_of(targets(Kind::Chick)) {
                        go(to, &chicks, BOTTOM_RANK & (at | 1 << to) != 0)?;
                    }
                }
                let hens = and(&movers, self.hens(slot));
                if !is_empty(&hens) {
                    for to in squares_of(targets(Kind::Hen)) {
                        go(to, &hens, false)?;
                    }
                }
            }
        }
        let targets = self.rules.opponent[Kind::Lion as usize][usize::from(self.other_lion)] & !lions;
        for to in squares_of(targets) {
            let change = RunChange { other_lion: to, ..self.unchanged() };
            step(change, to, from, true)?;
        }
        for (kind, &held) in HELD.iter().enumerate() {
            if self.hands >> (OPPONENT_HAND + hand_bit(held)) & 3 == 0 {
                continue;
            }
            for to in squares_of(self.empty) {
                let mut change = self.unchanged();
                self.add(&mut change, kind, 1 << to, OPPONENT_HAND, false);
                leap(change, *from, &attacked)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits each un-move of the positions `from`, a set of indices in the run. `visit` gets the run that the un-move
    /// leads to, and the positions that have the un-move. In the predecessors, the side that has just moved is to move.
    /// Predecessors in which this side could have taken the other side's lion are left out.
    #[inline]
    pub fn unmoves(&self, from: &Bits, mut visit: impl FnMut(TargetRun, &Bits)) {
        // A piece that attacks the lion of the side to move must have made the last move, and two pieces cannot both
        // have made it.
        let lion = self.rules.opponent[Kind::Lion as usize][usize::from(self.other_lion)] >> self.own_lion & 1 == 1;
        let lion = if lion { ALL } else { NONE };
        let (mut one, mut two, mut attacks) = (lion, NONE, [[NONE; 2]; KINDS]);
        for (kind, attacks) in attacks.iter_mut().enumerate() {
            for slot in (0..2).filter(|&slot| self.at[kind][slot] != 0) {
                let attack = self.attack(kind, slot, self.other_lion);
                two = or(&two, &and(&one, &attack));
                one = or(&one, &attack);
                attacks[slot] = attack;
            }
        }
        let from = without(from, &two);
        if is_empty(&from) {
            return;
        }
        let may_move = |attack: &Bits| or(&without(&from, &one), &and(&from, attack));
        let lions = self.index.open_lions()[usize::from(self.other_lion)];
        if lions >> self.own_lion & 1 == 1 {
            for (kind, attacks) in attacks.iter().enumerate() {
                for (slot, attack) in attacks.iter().enumerate() {
                    let at = self.at[kind][slot];
                    let movers = without(&may_move(attack), self.moving(kind, slot));
                    if at == 0 || is_empty(&movers) {
                        continue;
                    }
                    let to = at.trailing_zeros() as usize;
                    let origins = |kind: Kind| {
                        let quiet = self.empty & !self.rules.opponent[kind as usize][usize::from(self.other_lion)];
                        quiet & self.rules.opponent[kind as usize][to]
                    };
                    let moved = |promoted: bool| move |from: u8| self.moved(kind, slot, from, promoted);
                    let in_hand = || {
                        let mut change = self.unchanged();
                        self.remove(&mut change, kind, slot, 0);
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
                        // A chick that moves from or to the last rank promotes, so it would be a hen now.
                        let origins = if on_top { 0 } else { origins(Kind::Chick) & !TOP_RANK };
                        self.back(moved(false), at, origins, &chicks, &mut visit);
                        visit(self.landing(&in_hand()), &chicks);
                    }
                    let hens = and(&movers, self.hens(slot));
                    if !is_empty(&hens) {
                        self.back(moved(false), at, origins(Kind::Hen), &hens, &mut visit);
                        let promoting = if on_top { origins(Kind::Chick) } else { origins(Kind::Chick) & TOP_RANK };
                        self.back(moved(true), at, promoting, &hens, &mut visit);
                    }
                }
            }
        }
        let movers = may_move(&lion);
        if !is_empty(&movers) {
            let steps = self.rules.opponent[Kind::Lion as usize][usize::from(self.own_lion)];
            let moved = |from: u8| RunChange { own_lion: from, ..self.unchanged() };
            self.back(moved, 1 << self.own_lion, self.empty & lions & steps, &movers, &mut visit);
        }
    }

    /// Visits the runs of the predecessors in which the piece on `to` still stands on one of `origins`. For each origin
    /// there is one run without a capture, and one for each kind of piece that the move can have taken. `moved` makes
    /// the change for an origin. `movers` has the positions with the un-move, as a set of indices in the run.
    #[inline]
    fn back(
        &self,
        moved: impl Fn(u8) -> RunChange,
        to: Squares,
        origins: Squares,
        movers: &Bits,
        visit: &mut impl FnMut(TargetRun, &Bits),
    ) {
        for from in squares_of(origins) {
            let before = moved(from);
            visit(self.landing(&before), movers);
            for (kind, &held) in HELD.iter().enumerate() {
                if self.hands >> hand_bit(held) & 3 == 0 {
                    continue;
                }
                for hen in [false, true].into_iter().take(if kind == CHICKS { 2 } else { 1 }) {
                    let mut before = before;
                    self.add(&mut before, kind, to, 0, hen);
                    visit(self.landing(&before), movers);
                }
            }
        }
    }

    /// Returns the run that a change leads to.
    #[inline]
    fn landing(&self, change: &RunChange) -> TargetRun {
        let RunChange { own_lion, other_lion, .. } = *change;
        match self.index.pair_of(own_lion, other_lion) {
            Pair::Numbered(base) => {
                let (first, map) = self.place(change, own_lion, other_lion, change.at);
                TargetRun { first: base + first, map, twin: None }
            }
            Pair::Twofold(base) => {
                let (first, map) = self.place(change, own_lion, other_lion, change.at);
                let (second, twin) = self.mirror_place(change);
                match first.cmp(&second) {
                    std::cmp::Ordering::Less => TargetRun { first: base + first, map, twin: None },
                    std::cmp::Ordering::Equal => TargetRun { first: base + first, map, twin: Some(twin) },
                    std::cmp::Ordering::Greater => TargetRun { first: base + second, map: twin, twin: None },
                }
            }
            Pair::Mirror | Pair::None => {
                let (first, map) = self.mirror_place(change);
                let pair = self.index.pair_of(mirrored_square(own_lion), mirrored_square(other_lion));
                let base = if let Pair::Numbered(base) = pair { base } else { u32::MAX - ARRANGEMENTS };
                TargetRun { first: base + first, map, twin: None }
            }
        }
    }

    #[inline]
    fn mirror_place(&self, change: &RunChange) -> (u32, Map) {
        let at = change.at.map(|two| two.map(mirrored));
        self.place(change, mirrored_square(change.own_lion), mirrored_square(change.other_lion), at)
    }

    /// Returns the first number of the run that a change leads to, minus the first number of its pair of lion squares.
    /// Also returns the map from the indices of positions before the change to those after it. `own_lion`, `other_lion`
    /// and `at` are those of `change` or their mirror images.
    #[inline(always)]
    fn place(&self, change: &RunChange, own_lion: u8, other_lion: u8, at: [[Squares; 2]; KINDS]) -> (u32, Map) {
        // The piece on the higher square has the higher bits.
        let crossed = at.map(|[a, b]| b != 0 && a > b);
        let sets = at.map(|[a, b]| if b != 0 && a > b { Two { low: b, high: a } } else { Two { low: a, high: b } });
        let ([elephants, giraffes, chicks, hens], first) =
            self.index.run_of(1 << own_lion | 1 << other_lion, change.hands, sets);
        let [e, g, c] = crossed.map(u32::from);
        let swapped = e << elephants | g << giraffes | c << chicks | c << hens;
        (first, Map { swapped, ..change.map })
    }
}
