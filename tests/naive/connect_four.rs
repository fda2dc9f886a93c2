//! The rules of Connect Four a second time, written from the words of the rules alone: slow, naive, and sharing nothing
//! with the crate, so that tests can hold one against the other. Positions go in and come out as `<board> <side>`,
//! ranks from the top with a `/` between them; moves are numbers of files from 1.

use std::collections::HashMap;

use super::{EMPTY, Square, read_ranks, read_size, write_ranks};

/// The four directions of a row: files to the right, ranks up.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// One variant of the game.
#[derive(Clone, Debug)]
pub struct Naive {
    pub files: usize,
    pub ranks: usize,
    /// How many in a row win.
    pub row: usize,
}

/// A position taken apart: `board[file][rank]` is `X`, `O` or [`EMPTY`], rank 0 at the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    board: Vec<Vec<char>>,
    side: char,
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side, `X` or `O`, that has a row.
    Won(char),
    Drawn,
}

impl Naive {
    /// The variant of a rule code such as `con5x4-k3`. Panics on a bad code.
    pub fn from_code(code: &str) -> Naive {
        let rest = code.strip_prefix("con").expect("con");
        let (size, row) = rest.split_once("-k").unwrap_or((rest, "4"));
        let (files, ranks) = read_size(size);
        Naive { files, ranks, row: row.parse().expect("a number") }
    }

    pub fn start_text(&self) -> String {
        self.write(&Position { board: vec![vec![EMPTY; self.ranks]; self.files], side: 'X' })
    }

    /// The files that are not full, from the left; none if the game is over.
    pub fn legal_moves(&self, text: &str) -> Vec<String> {
        let position = self.read(text);
        match self.end_of(&position) {
            Some(_) => Vec::new(),
            None => self.open_files(&position).into_iter().map(|file| (file + 1).to_string()).collect(),
        }
    }

    /// The position after a legal move. Panics on any other.
    pub fn play(&self, text: &str, mv: &str) -> String {
        assert!(self.legal_moves(text).iter().any(|legal| legal == mv), "illegal move '{mv}' in '{text}'");
        let mut position = self.read(text);
        self.drop_disc(&mut position, mv.parse::<usize>().unwrap() - 1);
        self.write(&position)
    }

    /// How the game has ended, if it has.
    pub fn end(&self, text: &str) -> Option<End> {
        self.end_of(&self.read(text))
    }

    /// The smaller of the texts of a position and its mirror image.
    pub fn canonical(&self, text: &str) -> String {
        let mut mirrored = self.read(text);
        mirrored.board.reverse();
        text.to_string().min(self.write(&mirrored))
    }

    /// Whether the discs are stacked, as many as the side to move says, and all rows go through one disc that the other
    /// side can have put last.
    pub fn is_possible(&self, text: &str) -> bool {
        let position = self.read(text);
        let stacked = |file: &Vec<char>| file.windows(2).all(|pair| pair[0] != EMPTY || pair[1] == EMPTY);
        let count = |disc: char| position.board.iter().flatten().filter(|&&found| found == disc).count();
        let more_black = count('X') as isize - count('O') as isize;
        let last_side = if position.side == 'X' { 'O' } else { 'X' };
        let lines = self.lines_of(&position, 'X').into_iter().chain(self.lines_of(&position, 'O'));
        let lines: Vec<Vec<Square>> = lines.collect();
        let is_top = |&(file, rank): &Square| position.board[file].get(rank + 1).is_none_or(|&above| above == EMPTY);
        let squares = (0..self.files).flat_map(|file| (0..self.ranks).map(move |rank| (file, rank)));
        let mut last = squares.filter(|&(file, rank)| position.board[file][rank] == last_side).filter(is_top);
        position.board.iter().all(stacked)
            && more_black == isize::from(position.side == 'O')
            && (lines.is_empty() || last.any(|disc| lines.iter().all(|line| line.contains(&disc))))
    }

    /// Number of sequences of so many moves from the start.
    pub fn perft(&self, depth: u32) -> u64 {
        self.sequences(&mut self.read(&self.start_text()), depth)
    }

    fn sequences(&self, position: &mut Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.end_of(position).is_some() {
            return 0;
        }
        let after = |file| {
            let mut child = position.clone();
            self.drop_disc(&mut child, file);
            self.sequences(&mut child, depth - 1)
        };
        self.open_files(position).into_iter().map(after).sum()
    }

    /// Winner (if any) and plies to the end under best play of everything that can follow and is not over, by canonical
    /// text: the winner hurries, the loser delays.
    pub fn values(&self) -> HashMap<String, (Option<char>, u32)> {
        let mut values = HashMap::new();
        self.value(&self.start_text(), &mut values);
        values
    }

    fn value(&self, text: &str, values: &mut HashMap<String, (Option<char>, u32)>) -> (Option<char>, u32) {
        if let Some(end) = self.end(text) {
            return (if let End::Won(side) = end { Some(side) } else { None }, 0);
        }
        let canonical = self.canonical(text);
        if let Some(&value) = values.get(&canonical) {
            return value;
        }
        let side = self.read(text).side;
        let moves = self.legal_moves(text);
        let children = moves.iter().map(|mv| self.value(&self.play(text, mv), values));
        // Wins are better the sooner they come, losses the later; draws are in between and have no length.
        let best = children.max_by_key(|&(winner, plies)| match winner {
            Some(winner) if winner == side => (2, -i64::from(plies)),
            Some(_) => (0, i64::from(plies)),
            None => (1, 0),
        });
        let (winner, plies) = best.expect("some move");
        let value = (winner, if winner.is_some() { plies + 1 } else { 0 });
        values.insert(canonical, value);
        value
    }

    fn open_files(&self, position: &Position) -> Vec<usize> {
        (0..self.files).filter(|&file| position.board[file].contains(&EMPTY)).collect()
    }

    fn drop_disc(&self, position: &mut Position, file: usize) {
        let rank = position.board[file].iter().position(|&found| found == EMPTY).expect("the file is not full");
        position.board[file][rank] = position.side;
        position.side = if position.side == 'X' { 'O' } else { 'X' };
    }

    fn end_of(&self, position: &Position) -> Option<End> {
        let winner = ['X', 'O'].into_iter().find(|&side| !self.lines_of(position, side).is_empty());
        let full = position.board.iter().flatten().all(|&found| found != EMPTY);
        winner.map(End::Won).or(full.then_some(End::Drawn))
    }

    /// All rows that a side has, square by square.
    fn lines_of(&self, position: &Position, side: char) -> Vec<Vec<Square>> {
        let mut lines = Vec::new();
        for file in 0..self.files {
            for rank in 0..self.ranks {
                for (right, up) in DIRECTIONS {
                    let at = |step: usize| {
                        let file = file.checked_add_signed(right * step as isize).filter(|&file| file < self.files)?;
                        let rank = rank.checked_add_signed(up * step as isize).filter(|&rank| rank < self.ranks)?;
                        (position.board[file][rank] == side).then_some((file, rank))
                    };
                    lines.extend((0..self.row).map(at).collect::<Option<Vec<_>>>());
                }
            }
        }
        lines
    }

    fn read(&self, text: &str) -> Position {
        let (ranks, side) = text.split_once(' ').expect("<board> <side>");
        let ranks = read_ranks(ranks);
        assert!(ranks.len() == self.ranks && ranks.iter().all(|rank| rank.len() == self.files), "{text}");
        let file = |file: usize| ranks.iter().rev().map(|rank| rank[file]).collect();
        Position { board: (0..self.files).map(file).collect(), side: side.chars().next().expect("a side") }
    }

    fn write(&self, position: &Position) -> String {
        let rank = |rank: usize| position.board.iter().map(|file| file[rank]).collect();
        let ranks: Vec<Vec<char>> = (0..self.ranks).rev().map(rank).collect();
        format!("{} {}", write_ranks(&ranks), position.side)
    }
}
