//! A second implementation of the rules of Binarsi, written from the rules page alone. It is slow and naive and shares
//! nothing with the crate, so that tests can compare the two. Positions are SFEN strings with five fields:
//! `<board> <turn> <locks> <targets> <ply>`.

use std::collections::HashMap;

use super::{EMPTY, read_ranks, read_size, write_ranks};

/// The names of all ways, files first. Every list of ways has this order.
const WAYS: &str = "1234567abcdef";

/// All operators that can be legal on some board.
const OPERATORS: [&str; 15] = ["s1", "s2", "s3", "s4", "s5", "s6", "n", "nL", "nH", "a", "o", "xo", "na", "no", "xn"];

/// One variant of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    /// Number of files (`1`, `2`, ...).
    pub files: usize,
    /// Number of ranks (`a`, `b`, ...).
    pub ranks: usize,
    /// The start square: file and rank, both counted from 0.
    pub start: (usize, usize),
    /// Lengths of the short, the diagonal and the long target.
    pub lengths: [usize; 3],
    /// Black's komi in half points.
    pub komi_black_half: u32,
    /// White's komi in half points.
    pub komi_white_half: u32,
    /// True with `-n` or `-m`: a modify that leaves the stones unchanged is illegal.
    pub forbid_null_modify: bool,
    /// True with `-m`: a modify that turns the board into its mirror image is illegal.
    pub forbid_mirror_modify: bool,
}

/// A parsed position: `board[rank][file]` is `x`, `o` or [`EMPTY`].
#[derive(Clone, Debug)]
struct Position {
    board: Vec<Vec<char>>,
    turn: char,
    locks: Vec<char>,
    /// For each of the targets `b3 b4 b5 w3 w4 w5`, the ply that cleared it. Empty if it is not cleared.
    targets: Vec<String>,
    ply: u32,
}

impl Naive {
    /// Parses a rule code such as `bin7x6` or `bin4x4-s2b-t234-kb0.5-n`. Panics on a bad code.
    pub fn from_code(code: &str) -> Naive {
        let mut parts = code.split('-');
        let (files, ranks) = read_size(parts.next().and_then(|size| size.strip_prefix("bin")).expect("bin<F>x<R>"));
        assert!((2..=7).contains(&files), "2 to 7 files");
        assert!((2..=6).contains(&ranks), "2 to 6 ranks");
        let smaller = files.min(ranks);
        let mut rules = Naive {
            files,
            ranks,
            start: ((files / 2).max(1) - 1, (ranks / 2).max(1) - 1),
            lengths: [smaller.min(3), smaller.min(4), smaller.min(5)],
            komi_black_half: 0,
            komi_white_half: 1,
            forbid_null_modify: false,
            forbid_mirror_modify: false,
        };
        parts.for_each(|part| rules.read_option(part));
        rules
    }

    /// Parses one option of a rule code, without its leading `-`.
    fn read_option(&mut self, option: &str) {
        let letters: Vec<char> = option.chars().collect();
        match letters[..] {
            ['n'] => self.forbid_null_modify = true,
            ['m'] => (self.forbid_null_modify, self.forbid_mirror_modify) = (true, true),
            ['s', file, rank] => {
                let (file, rank) = (file as usize - '1' as usize, rank as usize - 'a' as usize);
                assert!(file < self.files && rank < self.ranks, "start square");
                self.start = (file, rank);
            }
            ['t', short, diagonal, long] => {
                let length = |c: char| c.to_digit(10).expect("target length") as usize;
                self.lengths = [length(short), length(diagonal), length(long)];
            }
            ['k', side, ..] => {
                let whole = option[2..].strip_suffix(".5").expect("komi of n.5");
                let half = 2 * whole.parse::<u32>().expect("komi") + 1;
                self.komi_black_half = if side == 'b' { half } else { 0 };
                self.komi_white_half = if side == 'w' { half } else { 0 };
                assert!(side == 'b' || side == 'w', "side of the komi");
            }
            _ => panic!("unknown rule option '{option}'"),
        }
    }

    /// Returns the start position: one `o` on the start square.
    pub fn start_sfen(&self) -> String {
        let mut board = vec![vec![EMPTY; self.files]; self.ranks];
        board[self.start.1][self.start.0] = 'o';
        write_sfen(&Position { board, turn: 'b', locks: Vec::new(), targets: vec![String::new(); 6], ply: 0 })
    }

    /// Returns all legal moves, sorted by the bytes of their text. There are none if the game is over.
    pub fn legal_moves(&self, sfen: &str) -> Vec<String> {
        let position = read_sfen(sfen);
        if self.decided_by_targets(&position).is_some() {
            return Vec::new();
        }
        let is_legal = |(way, operator): &(char, &str)| self.apply(&position, *way, operator).is_some();
        let all = self.ways().into_iter().flat_map(|way| OPERATORS.map(|operator| (way, operator)));
        let mut moves: Vec<String> = all.filter(is_legal).map(|(way, operator)| format!("{way}{operator}")).collect();
        moves.sort();
        moves
    }

    /// Returns the position after a legal move. Panics on any other move.
    pub fn play(&self, sfen: &str, mv: &str) -> String {
        let position = read_sfen(sfen);
        assert!(self.decided_by_targets(&position).is_none(), "move '{mv}' after the end of the game in '{sfen}'");
        let way = mv.chars().next().expect("a move");
        let next = self.apply(&position, way, &mv[1..]);
        write_sfen(&next.unwrap_or_else(|| panic!("illegal move '{mv}' in '{sfen}'")))
    }

    /// Returns the winner, `b` or `w`, if the game is over.
    pub fn ending(&self, sfen: &str) -> Option<char> {
        let position = read_sfen(sfen);
        let by_targets = self.decided_by_targets(&position);
        if by_targets.is_none() && self.legal_moves(sfen).is_empty() {
            return Some(self.count_stones(&position));
        }
        by_targets
    }

    /// Returns the position with the order of the files, of the ranks, or of both reversed.
    pub fn mirror(&self, sfen: &str, files: bool, ranks: bool) -> String {
        let mut position = read_sfen(sfen);
        if files {
            position.board.iter_mut().for_each(|row| row.reverse());
        }
        if ranks {
            position.board.reverse();
        }
        for lock in &mut position.locks {
            let is_turned = if is_file(*lock) { files } else { ranks };
            if is_turned {
                *lock = self.opposite_way(*lock);
            }
        }
        write_sfen(&position)
    }

    /// Returns the smallest text of the four mirror images, with every cleared target shown as cleared at ply 1. Two
    /// positions have the same canonical text if they differ only by mirroring and by the plies at which targets were
    /// cleared.
    pub fn canonical(&self, sfen: &str) -> String {
        let mut position = read_sfen(sfen);
        position.targets.iter_mut().filter(|target| !target.is_empty()).for_each(|target| *target = "1".to_string());
        let plain = write_sfen(&position);
        let images = [(true, false), (false, true), (true, true)];
        images.map(|(files, ranks)| self.mirror(&plain, files, ranks)).into_iter().chain([plain.clone()]).min().unwrap()
    }

    /// Returns the winner and the number of plies to the end under best play, for every position that is reachable from
    /// the start and not decided by targets. The keys are [`Naive::canonical`] texts.
    pub fn values(&self) -> HashMap<String, (char, u32)> {
        let mut memo = HashMap::new();
        self.solve(&self.start_sfen(), &mut memo);
        memo
    }

    /// Returns the value of a position. Adds it and the values of all positions that can follow to `memo`.
    fn solve(&self, sfen: &str, memo: &mut HashMap<String, (char, u32)>) -> (char, u32) {
        let position = read_sfen(sfen);
        if let Some(winner) = self.decided_by_targets(&position) {
            return (winner, 0);
        }
        let key = self.canonical(sfen);
        if let Some(&value) = memo.get(&key) {
            return value;
        }
        let moves = self.legal_moves(sfen);
        let children: Vec<_> = moves.iter().map(|mv| self.solve(&self.play(sfen, mv), memo)).collect();
        let value =
            if children.is_empty() { (self.count_stones(&position), 0) } else { best_value(position.turn, &children) };
        memo.insert(key, value);
        value
    }

    /// Returns the names of the ways of this board, files first.
    fn ways(&self) -> Vec<char> {
        let files = WAYS[..7].chars().take(self.files);
        let ranks = WAYS[7..].chars().take(self.ranks);
        files.chain(ranks).collect()
    }

    /// Returns the file or rank that comes `step` places after `way`, or before it if `step` is negative. Returns
    /// `None` if there is none.
    fn way_beside(&self, way: char, step: isize) -> Option<char> {
        let ways = self.ways();
        let here = ways.iter().position(|&w| w == way)?;
        let there = here.checked_add_signed(step)?;
        let other = *ways.get(there)?;
        (is_file(other) == is_file(way)).then_some(other)
    }

    /// Returns the way that takes the place of `way` when the board is mirrored.
    fn opposite_way(&self, way: char) -> char {
        let mut line = self.ways();
        line.retain(|&other| is_file(other) == is_file(way));
        let here = line.iter().position(|&other| other == way).expect("a way");
        line[line.len() - 1 - here]
    }

    /// Returns the position after a move, or `None` if the way is locked or the operator is not legal there. Does not
    /// check whether the game is over.
    fn apply(&self, position: &Position, way: char, operator: &str) -> Option<Position> {
        if !self.ways().contains(&way) || position.locks.contains(&way) {
            return None;
        }
        let old = cells(position, way);
        let modify = has_stone(&old);
        let new = if modify { self.modified(position, way, operator)? } else { self.created(position, way, operator)? };
        if modify && self.forbid_null_modify && new == old {
            return None;
        }
        let mut next = position.clone();
        set_cells(&mut next, way, &new);
        if modify && self.forbid_mirror_modify && is_mirrored(&position.board, &next.board) {
            return None;
        }
        next.locks.extend(modify.then_some(way));
        next.turn = if position.turn == 'b' { 'w' } else { 'b' };
        next.ply += 1;
        self.mark_targets(&mut next);
        Some(next)
    }

    /// Returns the squares of a way with stones after an operator, or `None` if the operator is not legal.
    fn modified(&self, position: &Position, way: char, operator: &str) -> Option<Vec<char>> {
        if let Some(distance) = operator.strip_prefix('s') {
            return shifted(&cells(position, way), distance.parse().ok()?);
        }
        let lower = self.stones_beside(position, way, -1);
        let higher = self.stones_beside(position, way, 1);
        match operator {
            "n" => None,
            "nL" => Some(negated(&lower?)),
            "nH" => Some(negated(&higher?)),
            _ => combined(operator, &lower?, &higher?),
        }
    }

    /// Returns the squares of an empty way after an operator, or `None` if the operator is not legal.
    fn created(&self, position: &Position, way: char, operator: &str) -> Option<Vec<char>> {
        let nearest = |side| Some((side, self.stones_beside(position, way, side)?));
        let (side, nearest) = nearest(-1).or_else(|| nearest(1))?;
        match operator {
            "n" => Some(negated(&nearest)),
            _ => combined(operator, &nearest, &self.stones_beside(position, way, 2 * side)?),
        }
    }

    /// Returns the squares of the way `step` places away, if that way exists and holds stones.
    fn stones_beside(&self, position: &Position, way: char, step: isize) -> Option<Vec<char>> {
        let squares = cells(position, self.way_beside(way, step)?);
        has_stone(&squares).then_some(squares)
    }

    /// Records the current ply for every target whose line is on the board and that was not cleared before.
    fn mark_targets(&self, position: &mut Position) {
        let [short, diagonal, long] = self.lengths;
        let board = &position.board;
        let on_board = [
            has_line(board, 'x', short, (1, 0)),
            has_diagonal(board, 'x', diagonal),
            has_line(board, 'x', long, (0, 1)),
            has_line(board, 'o', short, (0, 1)),
            has_diagonal(board, 'o', diagonal),
            has_line(board, 'o', long, (1, 0)),
        ];
        for (target, there) in position.targets.iter_mut().zip(on_board) {
            if there && target.is_empty() {
                *target = position.ply.to_string();
            }
        }
    }

    /// Returns the winner if a side has cleared all its targets. If both sides have, the count of stones decides.
    fn decided_by_targets(&self, position: &Position) -> Option<char> {
        let black = position.targets[..3].iter().all(|t| !t.is_empty());
        let white = position.targets[3..].iter().all(|t| !t.is_empty());
        match (black, white) {
            (true, true) => Some(self.count_stones(position)),
            (true, false) => Some('b'),
            (false, true) => Some('w'),
            (false, false) => None,
        }
    }

    /// Returns the side with more points, its stones plus its komi.
    fn count_stones(&self, position: &Position) -> char {
        let stones = |kind: char| position.board.iter().flatten().filter(|&&square| square == kind).count() as u32;
        let (black, white) = (self.komi_black_half + 2 * stones('x'), self.komi_white_half + 2 * stones('o'));
        if black > white { 'b' } else { 'w' }
    }
}

/// Returns the best of the children's values for the side to move `turn`, with one ply added. A sooner win is better
/// than a later one, and a later loss is better than a sooner one.
fn best_value(turn: char, children: &[(char, u32)]) -> (char, u32) {
    let other = if turn == 'b' { 'w' } else { 'b' };
    let wins = children.iter().filter(|child| child.0 == turn);
    match wins.map(|child| child.1).min() {
        Some(soonest) => (turn, soonest + 1),
        None => {
            let latest = children.iter().map(|child| child.1).max();
            (other, latest.unwrap_or(0) + 1)
        }
    }
}

/// Returns true if a board equals another with its files or its ranks in reverse order.
fn is_mirrored(before: &[Vec<char>], after: &[Vec<char>]) -> bool {
    let left_right: Vec<Vec<char>> = before.iter().map(|row| row.iter().rev().copied().collect()).collect();
    let up_down: Vec<Vec<char>> = before.iter().rev().cloned().collect();
    after == left_right || after == up_down
}

/// Returns true if a way is a file.
fn is_file(way: char) -> bool {
    way.is_ascii_digit()
}

/// Returns the index of a way among the files or among the ranks, from 0.
fn way_index(way: char) -> usize {
    let first = if is_file(way) { '1' } else { 'a' };
    way as usize - first as usize
}

/// Returns the squares of a way: a file from the top, a rank from the left.
fn cells(position: &Position, way: char) -> Vec<char> {
    let index = way_index(way);
    if is_file(way) { position.board.iter().map(|row| row[index]).collect() } else { position.board[index].clone() }
}

/// Replaces the squares of a way, in the order of [`cells`].
fn set_cells(position: &mut Position, way: char, squares: &[char]) {
    let index = way_index(way);
    if is_file(way) {
        for (row, &square) in position.board.iter_mut().zip(squares) {
            row[index] = square;
        }
    } else {
        position.board[index] = squares.to_vec();
    }
}

/// Returns true if a square holds a stone.
fn has_stone(squares: &[char]) -> bool {
    squares.iter().any(|&square| square != EMPTY)
}

/// Rotates the stones of a way down or to the right within the squares that hold stones. Returns `None` for no shift
/// and for a full turn or more.
fn shifted(squares: &[char], distance: usize) -> Option<Vec<char>> {
    let stones: Vec<char> = squares.iter().copied().filter(|&square| square != EMPTY).collect();
    let length = stones.len();
    if !(1..length).contains(&distance) {
        return None;
    }
    let first = squares.iter().position(|&square| square != EMPTY)?;
    let mut result = squares.to_vec();
    for (i, &stone) in stones.iter().enumerate() {
        result[first + (i + distance) % length] = stone;
    }
    Some(result)
}

/// Returns the squares with every stone turned over.
fn negated(squares: &[char]) -> Vec<char> {
    let turn_over = |&square: &char| match square {
        'x' => 'o',
        'o' => 'x',
        other => other,
    };
    squares.iter().map(turn_over).collect()
}

/// Combines two ways square by square with a binary operator. Returns `None` for any other operator.
fn combined(operator: &str, one: &[char], two: &[char]) -> Option<Vec<char>> {
    let of_bits = |p: bool, q: bool| {
        Some(match operator {
            "a" => p && q,
            "o" => p || q,
            "xo" => p != q,
            "na" => !(p && q),
            "no" => !(p || q),
            "xn" => p == q,
            _ => return None,
        })
    };
    let of_squares = |(&p, &q): (&char, &char)| match (p, q) {
        (EMPTY, _) | (_, EMPTY) => Some(EMPTY),
        _ => of_bits(p == 'x', q == 'x').map(|bit| if bit { 'x' } else { 'o' }),
    };
    one.iter().zip(two).map(of_squares).collect()
}

/// Returns true if `length` equal stones stand in a row on a diagonal of either slope.
fn has_diagonal(board: &[Vec<char>], stone: char, length: usize) -> bool {
    has_line(board, stone, length, (1, 1)) || has_line(board, stone, length, (1, -1))
}

/// Returns true if `length` equal stones stand in a row in one direction, given as files to the right and ranks down.
fn has_line(board: &[Vec<char>], stone: char, length: usize, (right, down): (isize, isize)) -> bool {
    let is_stone = |file: usize, rank: usize, step: usize| {
        let file = file.checked_add_signed(right * step as isize);
        let rank = rank.checked_add_signed(down * step as isize);
        rank.zip(file).and_then(|(rank, file)| board.get(rank)?.get(file)) == Some(&stone)
    };
    let begins = |file, rank| (0..length).all(|step| is_stone(file, rank, step));
    (0..board.len()).any(|rank| (0..board[rank].len()).any(|file| begins(file, rank)))
}

/// Parses an SFEN string. Panics if it does not have five fields.
fn read_sfen(sfen: &str) -> Position {
    let fields: Vec<&str> = sfen.split(' ').collect();
    assert!(fields.len() == 5, "five fields in '{sfen}'");
    let targets: Vec<String> = match fields[3] {
        "-" => vec![String::new(); 6],
        text => text.split('/').map(str::to_string).collect(),
    };
    assert!(targets.len() == 6, "six targets in '{sfen}'");
    Position {
        board: read_ranks(fields[0]),
        turn: fields[1].chars().next().expect("turn"),
        locks: fields[2].chars().filter(|&c| c != '-').collect(),
        targets,
        ply: fields[4].parse().expect("ply"),
    }
}

/// Formats a position as an SFEN string, with its locks sorted.
fn write_sfen(position: &Position) -> String {
    let locks: String = WAYS.chars().filter(|way| position.locks.contains(way)).collect();
    let targets = position.targets.join("/");
    let or_dash = |text: String, none: &str| if text == none { "-".to_string() } else { text };
    let (locks, targets) = (or_dash(locks, ""), or_dash(targets, "/////"));
    format!("{} {} {locks} {targets} {}", write_ranks(&position.board), position.turn, position.ply)
}
