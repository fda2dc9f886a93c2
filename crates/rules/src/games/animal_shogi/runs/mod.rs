//! Moves and un-moves of many positions at once.
//!
//! A **run** are the positions that differ only in who owns what and in hens: up to 256 neighbours by number, a set of
//! them is 256 bits. What a move does to squares, lions and hands is the same for all positions of a run that have it,
//! so it leads from one run to one other, and it is found once. Where in the other run a position lands follows from
//! the bits of its own place: each goes to another place or is dropped, owners are complemented with the side to move.
//!
//! `places` are sets of positions of a run and such maps.

mod places;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

pub use places::{Bits, and, is_empty, or, without};

use super::board::{
    ALL_SQUARES, BOTTOM_RANK, Kind, OPPONENT_HAND, SQUARES, Squares, TOP_RANK, hand_bit, mirrored, mirrored_square,
};
use super::index::{ARRANGEMENTS, Index, Pair, TurnedBlock, Two};
use super::moves::each_square;
use super::rules::Rules;
use places::{ALL, EVERY, Map, NONE, WITH, below, each_place};

/// Kinds of pieces by the sets of squares that they share: elephants, giraffes, chicks with hens.
const KINDS: usize = 3;
const CHICKS: usize = 2;

/// What a move or an un-move makes of a run.
#[derive(Clone, Copy)]
struct Change {
    /// Lions and hands as the side sees them that is to move afterwards.
    own_lion: u8,
    other_lion: u8,
    hands: u16,
    /// A square for each of up to two pieces of a kind, 0 for none; the first has the lower bits.
    at: [[Squares; 2]; KINDS],
    /// Whoever has moved need not be told: it was the side to move's, and is the other's afterwards.
    map: Map,
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
            None if self.map.keeps_bits() => each_place(from, |place| add(self.map.kept_image(place))),
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
            None if self.map.keeps_bits() => each_place(from, |place| check(place, self.map.kept_image(place))),
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
        let map = Map { first: below(self.hen), dropped: [EVERY; 2], added: [EVERY; 2], last: 0, swapped: 0 };
        Change { own_lion: self.own_lion, other_lion: self.other_lion, hands: self.hands, at: self.at, map }
    }

    /// A piece goes to another square; it is promoted, or was, if `turns`.
    #[inline(always)]
    fn moved(&self, kind: usize, slot: usize, to: u8, turns: bool) -> Change {
        let mut change = self.unchanged();
        change.at[kind][slot] = 1 << to;
        change.map.first ^= u32::from(turns) << (self.hen + slot);
        change
    }

    /// A piece goes into a hand, whose lowest bit is `hand`.
    #[inline(always)]
    fn remove(&self, change: &mut Change, kind: usize, slot: usize, hand: u32) {
        change.hands += 1 << (hand + hand_bit(HELD[kind]));
        change.at[kind] = [change.at[kind][1 - slot], 0];
        let hen = if kind == CHICKS { below(self.hen + slot) } else { EVERY };
        change.map.dropped = [hen, below(self.owner[kind] + slot)];
    }

    /// A piece comes from a hand, whose lowest bit is `hand`, and is the other side's afterwards.
    #[inline(always)]
    fn add(&self, change: &mut Change, kind: usize, at: Squares, hand: u32, hen: bool) {
        change.hands -= 1 << (hand + hand_bit(HELD[kind]));
        let slot = usize::from(change.at[kind][0] != 0);
        change.at[kind][slot] = at;
        let hens = self.hen + 1 + slot;
        change.map.added = [below(self.owner[kind] + slot), if kind == CHICKS { below(hens) } else { EVERY }];
        change.map.last = u32::from(hen) << hens;
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
                    each_square(targets(held), |to| go(to, &movers, false))?;
                    continue;
                }
                let chicks = without(&movers, self.hens(slot));
                if !is_empty(&chicks) {
                    each_square(targets(Kind::Chick), |to| go(to, &chicks, BOTTOM_RANK & (at | 1 << to) != 0))?;
                }
                let hens = and(&movers, self.hens(slot));
                if !is_empty(&hens) {
                    each_square(targets(Kind::Hen), |to| go(to, &hens, false))?;
                }
            }
        }
        let targets = self.rules.opponent[Kind::Lion as usize][usize::from(self.other_lion)] & !lions;
        each_square(targets, |to| {
            let change = Change { other_lion: to, ..self.unchanged() };
            step(change, to, from, true)
        })?;
        for (kind, &held) in HELD.iter().enumerate() {
            if self.hands >> (OPPONENT_HAND + hand_bit(held)) & 3 == 0 {
                continue;
            }
            each_square(self.empty, |to| {
                let mut change = self.unchanged();
                self.add(&mut change, kind, 1 << to, OPPONENT_HAND, false);
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
                        // On the last rank, or from there, it would be a hen.
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
                    self.add(&mut before, kind, to, 0, hen);
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
