//! The rules of Binarsi a second time, written from the rules page alone: slow, naive, and sharing nothing with the
//! crate, so that tests can hold one against the other. Positions go in and come out as SFEN strings of five fields,
//! `<board> <turn> <locks> <targets> <ply>`.

use std::collections::HashMap;

use super::{EMPTY, read_ranks, read_size, write_ranks};

/// All way names, in the order in which they are always listed.
const WAYS: &str = "1234567abcdef";

/// All operators that can be legal in a game.
const OPERATORS: [&str; 15] = ["s1", "s2", "s3", "s4", "s5", "s6", "n", "nL", "nH", "a", "o", "xo", "na", "no", "xn"];

/// One variant of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    /// Number of files (`1`, `2`, ...).
    pub files: usize,
    /// Number of ranks (`a`, `b`, ...).
    pub ranks: usize,
    /// Start square: file and rank, both counted from 0.
    pub start: (usize, usize),
    /// Lengths of the short, the diagonal and the long target.
    pub lengths: [usize; 3],
    /// Komi of Black in half points.
    pub komi_black_half: u32,
    /// Komi of White in half points.
    pub komi_white_half: u32,
    /// Options `-n` and `-m`: a modify that leaves the stones unchanged is illegal.
    pub forbid_null_modify: bool,
    /// Option `-m`: so is one that leaves the board as its mirror image.
    pub forbid_mirror_modify: bool,
}

/// A position taken apart: `board[rank][file]` is `x`, `o` or [`EMPTY`].
#[derive(Clone, Debug)]
struct Position {
    board: Vec<Vec<char>>,
    turn: char,
    locks: Vec<char>,
    /// Six texts, `b3 b4 b5 w3 w4 w5`: the ply that cleared it, or nothing.
    targets: Vec<String>,
    ply: u32,
}

impl Naive {
    /// The variant of a rule code such as `bin7x6` or `bin4x4-s2b-t234-kb0.5-n`.
    /// Panics on a bad code.
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

    /// Reads one option of a rule code, without its leading `-`.
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

    /// The start position: one `0` on the start square.
    pub fn start_sfen(&self) -> String {
        let mut board = vec![vec![EMPTY; self.files]; self.ranks];
        board[self.start.1][self.start.0] = 'o';
        write_sfen(&Position { board, turn: 'b', locks: Vec::new(), targets: vec![String::new(); 6], ply: 0 })
    }

    /// All legal moves, sorted by the bytes of their text; none when the game is over.
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

    /// The position after a legal move. Panics on any other move.
    pub fn play(&self, sfen: &str, mv: &str) -> String {
        let position = read_sfen(sfen);
        assert!(self.decided_by_targets(&position).is_none(), "move '{mv}' after the end of the game in '{sfen}'");
        let way = mv.chars().next().expect("a move");
        let next = self.apply(&position, way, &mv[1..]);
        write_sfen(&next.unwrap_or_else(|| panic!("illegal move '{mv}' in '{sfen}'")))
    }

    /// The winner, `b` or `w`, if the game is over in this position.
    pub fn ending(&self, sfen: &str) -> Option<char> {
        let position = read_sfen(sfen);
        let by_targets = self.decided_by_targets(&position);
        if by_targets.is_none() && self.legal_moves(sfen).is_empty() {
            return Some(self.count_stones(&position));
        }
        by_targets
    }

    /// The same position with the files and/or the ranks of the board in reverse.
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

    /// The smallest text among the four mirror images, every cleared target
    /// shown as cleared at ply 1: equal for positions that are the same up to
    /// mirroring and up to when a target was cleared.
    pub fn canonical(&self, sfen: &str) -> String {
        let mut position = read_sfen(sfen);
        position.targets.iter_mut().filter(|target| !target.is_empty()).for_each(|target| *target = "1".to_string());
        let plain = write_sfen(&position);
        let images = [(true, false), (false, true), (true, true)];
        images.map(|(files, ranks)| self.mirror(&plain, files, ranks)).into_iter().chain([plain.clone()]).min().unwrap()
    }

    /// Winner and number of plies to the end, with best play, of every
    /// position reachable from the start and not decided by targets, by its
    /// [`Naive::canonical`] text.
    pub fn values(&self) -> HashMap<String, (char, u32)> {
        let mut memo = HashMap::new();
        self.solve(&self.start_sfen(), &mut memo);
        memo
    }

    /// Value of one position; fills `memo` with it and with all that follow.
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

    /// The names of the ways of this board, in listing order.
    fn ways(&self) -> Vec<char> {
        let files = WAYS[..7].chars().take(self.files);
        let ranks = WAYS[7..].chars().take(self.ranks);
        files.chain(ranks).collect()
    }

    /// The way `step` places higher (or lower, if negative) than `way`, if there is one.
    fn way_beside(&self, way: char, step: isize) -> Option<char> {
        let ways = self.ways();
        let here = ways.iter().position(|&w| w == way)?;
        let there = here.checked_add_signed(step)?;
        let other = *ways.get(there)?;
        (is_file(other) == is_file(way)).then_some(other)
    }

    /// The way that takes the place of `way` when the board is mirrored.
    fn opposite_way(&self, way: char) -> char {
        let mut line = self.ways();
        line.retain(|&other| is_file(other) == is_file(way));
        let here = line.iter().position(|&other| other == way).expect("a way");
        line[line.len() - 1 - here]
    }

    /// The position after a move, or nothing if the way is locked or the
    /// operator not legal there. Does not ask whether the game is over.
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

    /// What a way with stones holds after an operator, or nothing if it is not legal.
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

    /// What an empty way holds after an operator, or nothing if it is not legal.
    fn created(&self, position: &Position, way: char, operator: &str) -> Option<Vec<char>> {
        let nearest = |side| Some((side, self.stones_beside(position, way, side)?));
        let (side, nearest) = nearest(-1).or_else(|| nearest(1))?;
        match operator {
            "n" => Some(negated(&nearest)),
            _ => combined(operator, &nearest, &self.stones_beside(position, way, 2 * side)?),
        }
    }

    /// The squares of the way `step` places away, if that way exists and holds stones.
    fn stones_beside(&self, position: &Position, way: char, step: isize) -> Option<Vec<char>> {
        let squares = cells(position, self.way_beside(way, step)?);
        has_stone(&squares).then_some(squares)
    }

    /// Notes the ply at every target that is on the board and was not yet cleared.
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

    /// The winner if a side has all three of its targets; stones are counted if both have.
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

    /// The side with more points: stones and komi.
    fn count_stones(&self, position: &Position) -> char {
        let stones = |kind: char| position.board.iter().flatten().filter(|&&square| square == kind).count() as u32;
        let (black, white) = (self.komi_black_half + 2 * stones('x'), self.komi_white_half + 2 * stones('o'));
        if black > white { 'b' } else { 'w' }
    }
}

/// The best of the children's values for the side to move, one ply further
/// from the end: win as soon as possible, or else lose as late as possible.
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

/// Whether a board is another one with its files in reverse, or with its ranks in reverse.
fn is_mirrored(before: &[Vec<char>], after: &[Vec<char>]) -> bool {
    let left_right: Vec<Vec<char>> = before.iter().map(|row| row.iter().rev().copied().collect()).collect();
    let up_down: Vec<Vec<char>> = before.iter().rev().cloned().collect();
    after == left_right || after == up_down
}

/// Whether a way name means a file.
fn is_file(way: char) -> bool {
    way.is_ascii_digit()
}

/// Place of a way among the files or among the ranks, counted from 0.
fn way_index(way: char) -> usize {
    let first = if is_file(way) { '1' } else { 'a' };
    way as usize - first as usize
}

/// All squares of a way: a file from the top, a rank from the left.
fn cells(position: &Position, way: char) -> Vec<char> {
    let index = way_index(way);
    if is_file(way) { position.board.iter().map(|row| row[index]).collect() } else { position.board[index].clone() }
}

/// Puts squares, in the order of [`cells`], on a way.
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

/// Whether at least one square holds a stone.
fn has_stone(squares: &[char]) -> bool {
    squares.iter().any(|&square| square != EMPTY)
}

/// The stones of a way rotated down or to the right, each within the squares
/// that hold stones; nothing for no shift or a full turn.
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

/// Every stone turned over.
fn negated(squares: &[char]) -> Vec<char> {
    let turn_over = |&square: &char| match square {
        'x' => 'o',
        'o' => 'x',
        other => other,
    };
    squares.iter().map(turn_over).collect()
}

/// Two ways through a binary operator, square by square; nothing if it is no such operator.
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

/// Whether `length` stones of one kind stand in a row on a diagonal of either slope.
fn has_diagonal(board: &[Vec<char>], stone: char, length: usize) -> bool {
    has_line(board, stone, length, (1, 1)) || has_line(board, stone, length, (1, -1))
}

/// Whether `length` stones of one kind stand in a row anywhere in one direction: files to the right, ranks down.
fn has_line(board: &[Vec<char>], stone: char, length: usize, (right, down): (isize, isize)) -> bool {
    let is_stone = |file: usize, rank: usize, step: usize| {
        let file = file.checked_add_signed(right * step as isize);
        let rank = rank.checked_add_signed(down * step as isize);
        rank.zip(file).and_then(|(rank, file)| board.get(rank)?.get(file)) == Some(&stone)
    };
    let begins = |file, rank| (0..length).all(|step| is_stone(file, rank, step));
    (0..board.len()).any(|rank| (0..board[rank].len()).any(|file| begins(file, rank)))
}

/// Takes an SFEN text apart; panics if it has not the five fields.
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

/// The SFEN text of a position; the locks are put in order.
fn write_sfen(position: &Position) -> String {
    let locks: String = WAYS.chars().filter(|way| position.locks.contains(way)).collect();
    let targets = position.targets.join("/");
    let or_dash = |text: String, none: &str| if text == none { "-".to_string() } else { text };
    let (locks, targets) = (or_dash(locks, ""), or_dash(targets, "/////"));
    format!("{} {} {locks} {targets} {}", write_ranks(&position.board), position.turn, position.ply)
}
