//! A second implementation of the rules of Connect Four, written from the published rules alone. It is slow and naive
//! and shares nothing with the crate, so that tests can compare the two. Positions are `<board> <side>`, with the ranks
//! from the top and `/` between them. Moves are file numbers from 1.

use std::collections::HashMap;

use super::{EMPTY, Square, read_ranks, read_size, write_ranks};

/// The four directions of a line: files to the right, ranks up.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// One variant of the game.
#[derive(Clone, Debug)]
pub struct Naive {
    pub files: usize,
    pub ranks: usize,
    /// The number of discs in a row that wins the game.
    pub row: usize,
}

/// A parsed position: `board[file][rank]` is `X`, `O` or [`EMPTY`], with rank 0 at the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    board: Vec<Vec<char>>,
    side: char,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side `X` or `O` has a winning row.
    Won(char),
    Drawn,
}

impl Naive {
    /// Parses a rule code such as `con5x4-k3`. Panics on a bad code.
    pub fn from_code(code: &str) -> Naive {
        let rest = code.strip_prefix("con").expect("con");
        let (size, row) = rest.split_once("-k").unwrap_or((rest, "4"));
        let (files, ranks) = read_size(size);
        Naive { files, ranks, row: row.parse().expect("a number") }
    }

    pub fn start_text(&self) -> String {
        self.write(&Position { board: vec![vec![EMPTY; self.ranks]; self.files], side: 'X' })
    }

    /// Returns the files that are not full, from the left. There are none if the game is over.
    pub fn legal_moves(&self, text: &str) -> Vec<String> {
        let position = self.read(text);
        match self.end_of(&position) {
            Some(_) => Vec::new(),
            None => self.open_files(&position).into_iter().map(|file| (file + 1).to_string()).collect(),
        }
    }

    /// Returns the position after a legal move. Panics on any other move.
    pub fn play(&self, text: &str, mv: &str) -> String {
        assert!(self.legal_moves(text).iter().any(|legal| legal == mv), "illegal move '{mv}' in '{text}'");
        let mut position = self.read(text);
        self.drop_disc(&mut position, mv.parse::<usize>().unwrap() - 1);
        self.write(&position)
    }

    /// Returns the end of the game, if it is over.
    pub fn end(&self, text: &str) -> Option<End> {
        self.end_of(&self.read(text))
    }

    /// Returns the smaller of the texts of a position and its mirror image.
    pub fn canonical(&self, text: &str) -> String {
        let mut mirrored = self.read(text);
        mirrored.board.reverse();
        text.to_string().min(self.write(&mirrored))
    }

    /// Returns true if the discs are stacked without gaps, their counts fit the side to move, and all winning rows
    /// share a disc that the other side can have played last.
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

    /// Returns the number of move sequences of length `depth` from the start.
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

    /// Returns the winner, if any, and the plies to the end under best play, for every reachable position that is not
    /// over. The winner shortens the game and the loser prolongs it. The keys are canonical texts.
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
        // A sooner win is better than a later one, and a later loss is better than a sooner one. Draws are in between,
        // whatever their length.
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

    /// Returns the squares of each winning row of a side.
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
