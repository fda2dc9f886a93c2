//! Legal moves and what they do.

use super::board::{Image, Position, Rect, Squares, Way};
use super::rules::{Idle, Rules};
use super::targets;

/// What a move does with its way. The order is that of the codes as texts:
/// `a n nH nL na no o s1.. xn xo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// `a`, of the two neighbours (modify) or the two nearest ways (new); so are all binary operators.
    And,
    /// `n`, the opposite of the neighbour; only for new ways.
    Not,
    /// `nH` and `nL`, the opposite of the higher or lower neighbour; only for ways that hold stones.
    NotHigh,
    NotLow,
    Nand,
    Nor,
    Or,
    /// `s1`..`s6`: rotate the stones of the way down, or to the right, by that many squares.
    Shift(u8),
    Xnor,
    Xor,
}

/// A legal move is a way and an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    pub way: Way,
    pub op: Op,
}

/// The mirror images that a modify may not leave with `-m`: left-right and up-down.
const MIRRORS: [Image; 2] = [Image { files: true, ranks: false }, Image { files: false, ranks: true }];

/// A way of a position with what the operators need, all as bits at the way's own place.
#[derive(Clone, Copy)]
struct Line {
    way: Way,
    /// The squares on which the way holds stones after the move.
    squares: Squares,
    /// First and second input of the operators: lower and higher neighbour (modify), nearest and second
    /// nearest way (new). `None` where no stones are.
    inputs: [Option<Squares>; 2],
    /// Whether the way holds stones already.
    modify: bool,
}

impl Line {
    /// The line of `way`; `None` if the way is empty and not next to the stones.
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

    /// The operators of the line, in their order, each with the stones it leaves on the way.
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

    /// The way's stones moved `k` squares down or right, those that leave its end coming in at its beginning.
    #[inline]
    fn rotated(&self, content: Squares, k: u32) -> Squares {
        let (along, length) = (self.way.along(), self.squares.count_ones());
        ((content << (along * k)) | (content >> (along * (length - k)))) & self.squares
    }

    /// What no move may leave on the way: what it holds, with `-n` and `-m`, and with `-m` what makes the board a
    /// mirror image of what it was.
    #[inline]
    fn illegal_results(&self, rules: &Rules, position: &Position) -> [Option<Squares>; 3] {
        match rules.idle {
            Idle::Unchanged if self.modify => [Some(position.stones & self.squares), None, None],
            Idle::Mirrored if self.modify => {
                let [across, down] = MIRRORS.map(|image| self.mirrored(rules, position, image));
                [Some(position.stones & self.squares), across, down]
            }
            _ => [None; 3],
        }
    }

    /// What the way has to hold after a modify that leaves the board as this mirror image of what it was; `None` if
    /// none does, because squares off the way differ from those of the image.
    fn mirrored(&self, rules: &Rules, position: &Position, image: Image) -> Option<Squares> {
        let (stones, all) = (position.stones, position.rect.squares());
        let mirrored = image.squares(rules, stones);
        let others_agree = (stones ^ mirrored) & !self.squares == 0 && image.squares(rules, all) == all;
        others_agree.then_some(mirrored & self.squares)
    }

    /// What `op` leaves on the way; `None` if the line has no such operator.
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

/// The rectangle with `way` added to it; `None` unless the way lies directly beside it.
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

/// Replaces `moves` by the legal moves, ways in the order `1234567abcdef`, operators as [`Op`] orders them;
/// that is also the order of the moves' codes as texts.
pub fn generate(rules: &Rules, position: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    each(rules, position, |mv, _| moves.push(mv));
}

/// Calls `visit` with every legal move and the stones it leaves on its way, in the order of [`generate`].
#[inline]
pub fn each(rules: &Rules, position: &Position, mut visit: impl FnMut(Move, Squares)) {
    if targets::verdict(position.targets) != targets::Verdict::Open {
        return;
    }
    for way in Way::all(rules) {
        on_way(rules, position, way, |op, result| visit(Move { way, op }, result));
    }
}

/// The legal operators of one way in their order, each with the stones it leaves there, as if no target were cleared.
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

/// What the shifts leave on a way that holds stones, in their order, legal or not.
#[inline]
pub fn shifted(position: &Position, way: Way, mut visit: impl FnMut(Squares)) {
    let Some(line) = Line::new(position, way).filter(|line| line.modify) else { return };
    let content = position.stones & line.squares;
    for k in 1..line.squares.count_ones() {
        visit(line.rotated(content, k));
    }
}

/// The position after a legal move.
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

/// Marks the targets that lie on the board as cleared, at the position's own ply if they were not yet.
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

/// Whether the side to move has a legal move, the targets aside.
pub fn has_move(rules: &Rules, position: &Position) -> bool {
    let unlocked = |way: &Way| position.locks & way.lock() == 0;
    Way::all(rules).filter(unlocked).filter_map(|way| Line::new(position, way)).any(|line| {
        let illegal = line.illegal_results(rules, position);
        let mut found = false;
        line.each(position.stones, |_, result| found |= !illegal.contains(&Some(result)));
        found
    })
}
