//! A second implementation of the rules of reversi, written from the published rules alone. It is slow and naive and
//! shares nothing with the crate, so that tests can compare the two. Positions are `<board> <side>`, moves look like
//! `f5` or are `pass`.

use std::collections::HashMap;

use super::{DIRECTIONS, Square, beside, read_size, square, square_name};

/// A square without a disc.
const EMPTY: char = '-';

/// One variant of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    /// Number of files (`a`, `b`, ...).
    pub files: usize,
    /// Number of ranks (`1`, `2`, ... from the top).
    pub ranks: usize,
    /// True if the discs of each colour lie side by side at the start (`-p`).
    pub parallel: bool,
    /// True if the winner gets the empty squares (`-w`).
    pub winner_takes_empties: bool,
}

/// A parsed position: `board[rank][file]` is `X`, `O` or [`EMPTY`].
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    board: Vec<Vec<char>>,
    side: char,
}

impl Naive {
    /// Parses a rule code such as `rev6x4-p-w`. Panics on a bad code.
    pub fn from_code(code: &str) -> Naive {
        let mut parts = code.strip_prefix("rev").expect("rev").split('-');
        let (files, ranks) = read_size(parts.next().unwrap());
        let options: Vec<&str> = parts.collect();
        let [parallel, winner_takes_empties] = ["p", "w"].map(|option| options.contains(&option));
        Naive { files, ranks, parallel, winner_takes_empties }
    }

    /// Returns the start position: four discs in the middle. Where the size is odd, they are one square nearer to the
    /// top or left edge than to the opposite one.
    pub fn start_text(&self) -> String {
        let mut board = vec![vec![EMPTY; self.files]; self.ranks];
        let (left, top) = ((self.files - 2) / 2, (self.ranks - 2) / 2);
        let rows = if self.parallel { ["XX", "OO"] } else { ["OX", "XO"] };
        for (down, row) in rows.iter().enumerate() {
            for (right, disc) in row.chars().enumerate() {
                board[top + down][left + right] = disc;
            }
        }
        self.write(&Position { board, side: 'X' })
    }

    /// Returns all legal moves in reading order of the squares. If only the other side has moves, the one move is
    /// `pass`. There are none if the game is over.
    pub fn legal_moves(&self, text: &str) -> Vec<String> {
        let position = self.read(text);
        let moves = self.placements(&position);
        if moves.is_empty() && !self.placements(&passed(&position)).is_empty() {
            return vec!["pass".to_string()];
        }
        moves.into_iter().map(square_name).collect()
    }

    /// Returns the position after a legal move. Panics on any other move.
    pub fn play(&self, text: &str, mv: &str) -> String {
        assert!(self.legal_moves(text).iter().any(|legal| legal == mv), "illegal move '{mv}' in '{text}'");
        let mut position = self.read(text);
        if mv != "pass" {
            let square = square(mv);
            for (file, rank) in self.turned(&position, square) {
                position.board[rank][file] = position.side;
            }
            position.board[square.1][square.0] = position.side;
        }
        self.write(&passed(&position))
    }

    /// Returns the squares of the discs that a move turns, as (file, rank) from 0.
    pub fn turned_by(&self, text: &str, mv: &str) -> Vec<Square> {
        self.turned(&self.read(text), square(mv))
    }

    /// Returns the score of the side to move, if the game is over.
    pub fn score(&self, text: &str) -> Option<i32> {
        if !self.legal_moves(text).is_empty() {
            return None;
        }
        let position = self.read(text);
        let count = |disc: char| position.board.iter().flatten().filter(|&&square| square == disc).count() as i32;
        let difference = count(position.side) - count(opponent(position.side));
        match (self.winner_takes_empties, difference) {
            (false, _) | (_, 0) => Some(difference),
            (true, 1..) => Some(difference + count(EMPTY)),
            (true, _) => Some(difference - count(EMPTY)),
        }
    }

    /// Returns the smallest text of all rotations and mirror images, with the discs of the side to move as `X`.
    pub fn canonical(&self, text: &str) -> String {
        let mut position = self.read(text);
        if position.side == 'O' {
            position.side = 'X';
            position.board.iter_mut().flatten().for_each(|square| *square = opponent(*square));
        }
        let mut images = Vec::new();
        for turn in 0..8 {
            if position.board.len() == self.ranks && position.board[0].len() == self.files {
                images.push(self.write(&position));
            }
            position.board = turned_right(&position.board);
            if turn == 3 {
                position.board.reverse();
            }
        }
        images.into_iter().min().unwrap()
    }

    /// Returns the scores under best play of all positions that can arise from the start, by canonical text.
    pub fn values(&self) -> HashMap<String, i32> {
        let mut values = HashMap::new();
        self.value(&self.start_text(), &mut values);
        values
    }

    fn value(&self, text: &str, values: &mut HashMap<String, i32>) -> i32 {
        let canonical = self.canonical(text);
        if let Some(&value) = values.get(&canonical) {
            return value;
        }
        let moves = self.legal_moves(text);
        let best = moves.iter().map(|mv| -self.value(&self.play(text, mv), values)).max();
        let value = best.or_else(|| self.score(text)).expect("no moves: the game is over");
        values.insert(canonical, value);
        value
    }

    /// Returns the squares on which the side to move can put a disc, in reading order.
    fn placements(&self, position: &Position) -> Vec<Square> {
        let squares = (0..self.ranks).flat_map(|rank| (0..self.files).map(move |file| (file, rank)));
        squares
            .filter(|&(file, rank)| position.board[rank][file] == EMPTY)
            .filter(|&square| !self.turned(position, square).is_empty())
            .collect()
    }

    /// Returns the squares of the discs that a disc on an empty square turns.
    fn turned(&self, position: &Position, square: Square) -> Vec<Square> {
        let mut turned = Vec::new();
        for direction in DIRECTIONS {
            let mut line = Vec::new();
            let mut at = square;
            while let Some(next) = beside(at, direction, self.files, self.ranks) {
                let disc = position.board[next.1][next.0];
                if disc == position.side {
                    turned.append(&mut line);
                }
                if disc != opponent(position.side) {
                    break;
                }
                line.push(next);
                at = next;
            }
        }
        turned
    }

    fn read(&self, text: &str) -> Position {
        let (squares, side) = text.split_once(' ').expect("<board> <side>");
        let squares: Vec<char> = squares.chars().collect();
        assert_eq!(squares.len(), self.files * self.ranks, "{text}");
        let board = squares.chunks(self.files).map(<[char]>::to_vec).collect();
        Position { board, side: side.chars().next().expect("a side") }
    }

    fn write(&self, position: &Position) -> String {
        let squares: String = position.board.iter().flatten().collect();
        format!("{squares} {}", position.side)
    }
}

fn passed(position: &Position) -> Position {
    Position { board: position.board.clone(), side: opponent(position.side) }
}

fn opponent(disc: char) -> char {
    match disc {
        'X' => 'O',
        'O' => 'X',
        other => other,
    }
}

/// Returns the board after a quarter turn clockwise.
fn turned_right(board: &[Vec<char>]) -> Vec<Vec<char>> {
    (0..board[0].len()).map(|file| board.iter().rev().map(|rank| rank[file]).collect()).collect()
}
