//! Move generation and play.

use super::board::{Image, Position, Rect, Squares, Way};
use super::rules::{IllegalModifies, Rules};
use super::targets;

/// The operator that a move applies to its way. The order is that of the texts: `a n nH nL na no o s1.. xn xo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// `a`: black if both inputs are black. The inputs of a binary operator are two ways: for a way that holds stones,
    /// its two neighbours; for a way without stones, the two nearest ways that hold stones.
    And,
    /// `n`: the complement of the nearest way that holds stones. Only for ways without stones.
    Not,
    /// `nH`: the complement of the higher neighbour: the next file to the right, or the next rank down. Only for ways
    /// that hold stones.
    NotHigh,
    /// `nL`: the complement of the lower neighbour: the next file to the left, or the next rank up. Only for ways that
    /// hold stones.
    NotLow,
    /// `na`: the complement of [`Op::And`].
    Nand,
    /// `no`: the complement of [`Op::Or`].
    Nor,
    /// `o`: black if at least one of the two inputs is black.
    Or,
    /// `s1`..`s6`: rotates the stones of the way down, or to the right, by this number of squares.
    Shift(u8),
    /// `xn`: black if the two inputs are equal.
    Xnor,
    /// `xo`: black if the two inputs differ.
    Xor,
}

/// A move: a way and an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The way that gets new contents.
    pub way: Way,
    /// The operator that computes the new contents.
    pub op: Op,
}

/// The mirror images that a modify (a move on a way that holds stones) must not produce with the option `-m`:
/// left-right and up-down.
const MIRRORS: [Image; 2] = [Image { files: true, ranks: false }, Image { files: false, ranks: true }];

/// A way in a position, with the inputs of its operators. The inputs are shifted to the squares of this way.
#[derive(Clone, Copy)]
struct Line {
    way: Way,
    /// The squares of the way that hold stones after the move.
    squares: Squares,
    /// The stones of the two ways that are the inputs of the operators. If `modify` is true, they are the lower and the
    /// higher neighbour, otherwise the nearest and the second nearest way. `None` if that way is not in the rectangle.
    inputs: [Option<Squares>; 2],
    /// True if the way already holds stones.
    modify: bool,
}

impl Line {
    /// Returns the line of `way`, or `None` if the way holds no stones and is not next to the stones.
    #[inline]
    fn new(position: &Position, way: Way) -> Option<Line> {
        let (rect, stones) = (position.rect, position.stones);
        let (at, first, size) = match way {
            Way::File(file) => (file, rect.file, rect.width),
            Way::Rank(rank) => (rank, rect.rank, rect.height),
        };
        let unit = way.unit();
        if at >= first && at < first + size {
            let squares = rect.squares() & way.squares();
            let lower = (at > first).then(|| (stones << unit) & squares);
            let higher = (at + 1 < first + size).then(|| (stones >> unit) & squares);
            return Some(Line { way, squares, inputs: [lower, higher], modify: true });
        }
        let squares = grown(rect, way)?.squares() & way.squares();
        let second = size > 1;
        let inputs = if at < first {
            [Some((stones >> unit) & squares), second.then(|| (stones >> (2 * unit)) & squares)]
        } else {
            [Some((stones << unit) & squares), second.then(|| (stones << (2 * unit)) & squares)]
        };
        Some(Line { way, squares, inputs, modify: false })
    }

    /// Visits the operators of the line in the order of [`Op`], each with the stones that it leaves on the way.
    #[inline]
    fn each(&self, stones: Squares, mut visit: impl FnMut(Op, Squares)) {
        let [first, second] = self.inputs;
        let squares = self.squares;
        if let (Some(a), Some(b)) = (first, second) {
            visit(Op::And, a & b);
        }
        if self.modify {
            if let Some(higher) = second {
                visit(Op::NotHigh, !higher & squares);
            }
            if let Some(lower) = first {
                visit(Op::NotLow, !lower & squares);
            }
        } else if let Some(nearest) = first {
            visit(Op::Not, !nearest & squares);
        }
        if let (Some(a), Some(b)) = (first, second) {
            visit(Op::Nand, !(a & b) & squares);
            visit(Op::Nor, !(a | b) & squares);
            visit(Op::Or, a | b);
        }
        if self.modify {
            for k in 1..squares.count_ones() {
                visit(Op::Shift(k as u8), self.rotated(stones & squares, k));
            }
        }
        if let (Some(a), Some(b)) = (first, second) {
            visit(Op::Xnor, !(a ^ b) & squares);
            visit(Op::Xor, a ^ b);
        }
    }

    /// Rotates the stones of the way by `k` squares, down or to the right.
    #[inline]
    fn rotated(&self, content: Squares, k: u32) -> Squares {
        let (along, length) = (self.way.along(), self.squares.count_ones());
        ((content << (along * k)) | (content >> (along * (length - k)))) & self.squares
    }

    /// Returns the contents that the rules forbid a modify, a move on a way that holds stones, to leave on the way.
    /// With the options `-n` and `-m`, these include the present contents. With `-m`, they also include the contents
    /// that turn the board into one of its mirror images. Unused entries are `None`.
    #[inline]
    fn illegal_results(&self, rules: &Rules, position: &Position) -> [Option<Squares>; 3] {
        match rules.illegal_modifies {
            IllegalModifies::Unchanged if self.modify => [Some(position.stones & self.squares), None, None],
            IllegalModifies::Mirrored if self.modify => {
                let [across, down] = MIRRORS.map(|image| self.mirrored(rules, position, image));
                [Some(position.stones & self.squares), across, down]
            }
            _ => [None; 3],
        }
    }

    /// Returns the contents of this way that turn the board into its mirror image under `image`. Returns `None` if
    /// other squares of the board would still differ.
    fn mirrored(&self, rules: &Rules, position: &Position, image: Image) -> Option<Squares> {
        let (stones, all) = (position.stones, position.rect.squares());
        let mirrored = image.squares(rules, stones);
        let others_agree = (stones ^ mirrored) & !self.squares == 0 && image.squares(rules, all) == all;
        others_agree.then_some(mirrored & self.squares)
    }

    /// Returns the stones that `op` leaves on the way, or `None` if the line does not have this operator.
    #[inline]
    fn result(&self, stones: Squares, op: Op) -> Option<Squares> {
        let [first, second] = self.inputs;
        let both = |of: fn(Squares, Squares) -> Squares| Some(of(first?, second?) & self.squares);
        match op {
            Op::And => both(|a, b| a & b),
            Op::Nand => both(|a, b| !(a & b)),
            Op::Nor => both(|a, b| !(a | b)),
            Op::Or => both(|a, b| a | b),
            Op::Xnor => both(|a, b| !(a ^ b)),
            Op::Xor => both(|a, b| a ^ b),
            Op::Not => (!self.modify).then_some(!first? & self.squares),
            Op::NotLow => self.modify.then_some(!first? & self.squares),
            Op::NotHigh => self.modify.then_some(!second? & self.squares),
            Op::Shift(k) => {
                let turns = 1..self.squares.count_ones();
                (self.modify && turns.contains(&u32::from(k)))
                    .then(|| self.rotated(stones & self.squares, u32::from(k)))
            }
        }
    }
}

/// Returns the rectangle extended by `way`, or `None` if the way is not directly beside it.
pub fn grown(rect: Rect, way: Way) -> Option<Rect> {
    let mut rect = rect;
    let (at, first, size) = match way {
        Way::File(file) => (file, &mut rect.file, &mut rect.width),
        Way::Rank(rank) => (rank, &mut rect.rank, &mut rect.height),
    };
    if at + 1 == *first {
        *first = at;
    } else if at != *first + *size {
        return None;
    }
    *size += 1;
    Some(rect)
}

/// Replaces the contents of `moves` by the legal moves: ways in the order `1234567abcdef`, operators in the order of
/// [`Op`]. That is also the ASCII order of the moves as texts.
pub fn generate(rules: &Rules, position: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    each(rules, position, |mv, _| moves.push(mv));
}

/// Visits every legal move with the stones that it leaves on its way, in the order of [`generate`].
#[inline]
pub fn each(rules: &Rules, position: &Position, mut visit: impl FnMut(Move, Squares)) {
    if targets::verdict(position.targets) != targets::Verdict::Open {
        return;
    }
    for way in Way::all(rules) {
        on_way(rules, position, way, |op, result| visit(Move { way, op }, result));
    }
}

/// Visits the legal operators of one way in the order of [`Op`], each with the stones that it leaves on the way. Does
/// not check if cleared targets have ended the game.
#[inline]
pub fn on_way(rules: &Rules, position: &Position, way: Way, mut visit: impl FnMut(Op, Squares)) {
    if position.locks & way.lock() != 0 {
        return;
    }
    let Some(line) = Line::new(position, way) else { return };
    let illegal = line.illegal_results(rules, position);
    line.each(position.stones, |op, result| {
        if !illegal.contains(&Some(result)) {
            visit(op, result);
        }
    });
}

/// Visits the contents that the shifts, rotations of the stones by 1, 2, ... squares, leave on a way that holds stones.
/// Illegal shifts are included. Visits nothing for a way without stones.
#[inline]
pub fn shifted(position: &Position, way: Way, mut visit: impl FnMut(Squares)) {
    let Some(line) = Line::new(position, way).filter(|line| line.modify) else { return };
    let content = position.stones & line.squares;
    for k in 1..line.squares.count_ones() {
        visit(line.rotated(content, k));
    }
}

/// Returns the position after a legal move.
#[inline]
pub fn play(rules: &Rules, position: &Position, mv: Move) -> Position {
    let Some(line) = Line::new(position, mv.way) else { return *position };
    let content = line.result(position.stones, mv.op).unwrap_or(0);
    let mut next = *position;
    next.stones = (position.stones & !line.squares) | content;
    if line.modify {
        next.locks |= mv.way.lock();
    } else {
        next.rect = grown(position.rect, mv.way).unwrap_or(position.rect);
    }
    mark_targets(rules, &mut next);
    next
}

/// Marks all targets on the board as cleared. Newly cleared targets get the ply of the position.
#[inline]
pub fn mark_targets(rules: &Rules, position: &mut Position) {
    let fresh = targets::on_board(rules, position.stones, position.white()) & !position.targets;
    if fresh != 0 {
        position.targets |= fresh;
        let ply = position.ply() as u8;
        for (bit, cleared_at) in position.clear_plies.iter_mut().enumerate() {
            if fresh >> bit & 1 == 1 {
                *cleared_at = ply;
            }
        }
    }
}

/// Returns the ways that have an operator, as a set of bits of [`Way::lock`]: those beside the stones, and those that
/// hold stones. The two ways of a single stone have no neighbours to combine and are too short to rotate, so they have
/// no operator.
#[inline]
fn with_operators(rules: &Rules, rect: Rect) -> u16 {
    let of = |first: u8, size: u8, board: u8| {
        let held = ((1u16 << size) - 1) << first;
        let near = (held << 1 | held >> 1) & ((1 << board) - 1);
        if rect.area() > 1 { held | near } else { near & !held }
    };
    of(rect.file, rect.width, rules.files) | of(rect.rank, rect.height, rules.ranks) << 7
}

/// Returns true if the side to move has a legal move. Does not check if cleared targets have ended the game.
#[inline]
pub fn has_move(rules: &Rules, position: &Position) -> bool {
    if !rules.illegal_modifies.has_any() {
        return with_operators(rules, position.rect) & !position.locks != 0;
    }
    let unlocked = |way: &Way| position.locks & way.lock() == 0;
    Way::all(rules).filter(unlocked).filter_map(|way| Line::new(position, way)).any(|line| {
        let illegal = line.illegal_results(rules, position);
        let mut found = false;
        line.each(position.stones, |_, result| found |= !illegal.contains(&Some(result)));
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::games::binarsi::Binarsi;

    /// Plays random games. Locks random ways now and then, so that some positions have no move.
    #[test]
    fn a_position_has_a_move_if_one_is_generated() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut stuck = 0;
        for code in ["bin7x6", "bin2x2", "bin3x5-s1a", "bin5x4-n", "bin4x4-m", "bin3x3-s2b"] {
            let game = Binarsi::parse(code).unwrap();
            let all: u16 = Way::all(&game.rules).map(Way::lock).sum();
            for _ in 0..300 {
                let mut position = game.start();
                loop {
                    position.targets = 0;
                    let locked = Position { locks: position.locks | random.u16(..) & random.u16(..) & all, ..position };
                    let mut moves = Vec::new();
                    for position in [position, locked] {
                        generate(&game.rules, &position, &mut moves);
                        assert_eq!(has_move(&game.rules, &position), !moves.is_empty(), "{position:?} of {code}");
                        stuck += u32::from(moves.is_empty());
                    }
                    generate(&game.rules, &position, &mut moves);
                    let Some(&mv) = random.choice(&moves) else { break };
                    position = play(&game.rules, &position, mv);
                }
            }
        }
        assert!(stuck > 2000, "{stuck}");
    }
}
