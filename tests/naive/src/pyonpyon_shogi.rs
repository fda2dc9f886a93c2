//! A second implementation of the rules of the pyonpyon game with shogi pieces, written from the published rules alone.
//! It is slow and naive and shares nothing with the crate, so that tests can compare the two. Positions are
//! `<board> <turn>`, moves look like `b5c1`. A piece of Black is an upper-case letter.

use super::pyonpyon::{Position, jump_on, mirror, read_text, write_text};
use super::{EMPTY, Square, beside, read_size, square, square_name};

/// One variant of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    /// Number of files (`a`, `b`, ...) and of pieces of each side.
    pub files: usize,
    /// Number of ranks (`1`, `2`, ...).
    pub ranks: usize,
    /// True if only the side that has just moved can win (code letter `B`).
    pub mover_only: bool,
    /// Black's pieces at the start, in the order of the rule code.
    pub pieces: Vec<char>,
}

/// Returns the steps of a black piece, as files to the right and ranks up, and the maximum number of steps in a move.
fn steps(piece: char) -> (Vec<(isize, isize)>, usize) {
    match piece {
        'P' => (vec![(0, 1)], 1),
        'L' => (vec![(0, 1)], 4),
        'N' => (vec![(-1, 2), (1, 2)], 1),
        'S' => (vec![(0, 1), (-1, 1), (1, 1), (-1, -1), (1, -1)], 1),
        'G' => (vec![(0, 1), (-1, 1), (1, 1), (-1, 0), (1, 0), (0, -1)], 1),
        'B' => (vec![(-1, 1), (1, 1), (-1, -1), (1, -1)], 4),
        'R' => (vec![(0, 1), (0, -1), (-1, 0), (1, 0)], 4),
        _ => panic!("{piece} is no piece"),
    }
}

impl Naive {
    /// Parses a rule code such as `pyon3x4B-PGP`. Panics on a bad code.
    pub fn from_code(code: &str) -> Naive {
        let (race, pieces) = code.strip_prefix("pyon").and_then(|rest| rest.split_once('-')).expect("pieces");
        let size = race.trim_end_matches(['A', 'B']);
        let (files, ranks) = read_size(if size.is_empty() { "5x5" } else { size });
        Naive { files, ranks, mover_only: race.ends_with('B'), pieces: pieces.chars().collect() }
    }

    /// Returns the start position. Its board is the same after a half turn with the colours swapped.
    pub fn start_text(&self) -> String {
        let mut board = vec![vec![EMPTY; self.files]; self.ranks];
        for file in 0..self.files {
            // White's pieces on files a, c and e stand one rank ahead. Black's are White's after a half turn.
            let rank = usize::from(self.ranks > 3 && file % 2 == 0);
            let piece = self.pieces[self.files - 1 - file];
            board[rank][file] = piece.to_ascii_lowercase();
            board[self.ranks - 1 - rank][self.files - 1 - file] = piece;
        }
        write_text(&Position { board, turn: 'b' })
    }

    /// Returns every placement of both sides' pieces, with `turn` to move.
    pub fn all_positions(&self, turn: char) -> Vec<String> {
        let white: Vec<char> = self.pieces.iter().map(char::to_ascii_lowercase).collect();
        let mut boards = vec![(Vec::new(), [self.pieces.clone(), white].concat())];
        for _ in 0..self.files * self.ranks {
            let longer = |(squares, left): (Vec<char>, Vec<char>)| {
                let mut different = left.clone();
                different.sort_unstable();
                different.dedup();
                let with = |piece: char| {
                    let mut left = left.clone();
                    if let Some(at) = left.iter().position(|&other| other == piece) {
                        left.remove(at);
                    }
                    ([&squares[..], &[piece]].concat(), left)
                };
                different.into_iter().chain([EMPTY]).map(with).collect::<Vec<_>>()
            };
            boards = boards.into_iter().flat_map(longer).collect();
        }
        let whole = boards.into_iter().filter(|(_, left)| left.is_empty());
        let board = |squares: Vec<char>| squares.chunks(self.files).map(<[char]>::to_vec).collect();
        whole.map(|(squares, _)| write_text(&Position { board: board(squares), turn })).collect()
    }

    /// Returns all legal moves, sorted by the bytes of their text. There are none if the game is over.
    pub fn legal_moves(&self, text: &str) -> Vec<String> {
        let position = read_text(text);
        if self.pattern_of(&position).is_some() {
            return Vec::new();
        }
        let squares = (0..self.files).flat_map(|file| (0..self.ranks).map(move |rank| (file, rank)));
        let own = squares.filter(|&(file, rank)| side_of(position.board[rank][file]) == Some(position.turn));
        let moves_from = |from| {
            let name = move |to| square_name(from) + &square_name(to);
            self.targets(&position, from).into_iter().map(name)
        };
        let mut moves: Vec<String> = own.flat_map(moves_from).collect();
        moves.sort();
        moves
    }

    /// Returns the position after a legal move. Panics on any other move.
    pub fn play(&self, text: &str, mv: &str) -> String {
        assert!(self.legal_moves(text).iter().any(|legal| legal == mv), "illegal move '{mv}' in '{text}'");
        let mut position = read_text(text);
        let (from, to) = (square(&mv[..2]), square(&mv[2..]));
        position.board[to.1][to.0] = std::mem::replace(&mut position.board[from.1][from.0], EMPTY);
        position.turn = opponent(position.turn);
        write_text(&position)
    }

    /// Returns the winner, `b` or `w`, if a side has completed its pattern.
    pub fn winner(&self, text: &str) -> Option<char> {
        self.pattern_of(&read_text(text))
    }

    /// Returns true if nobody has won but the game is over, because the side to move has no move.
    pub fn is_stuck(&self, text: &str) -> bool {
        self.winner(text).is_none() && self.legal_moves(text).is_empty()
    }

    /// Returns the smallest text of all symmetric positions. The symmetries exchange left and right, and turn the board
    /// with the colours swapped.
    pub fn canonical(&self, text: &str) -> String {
        let mirrored = mirror(text);
        let images = [turn_around(text), turn_around(&mirrored), text.to_string(), mirrored];
        images.into_iter().min().unwrap()
    }

    /// Returns the side that has completed its pattern, if any.
    fn pattern_of(&self, position: &Position) -> Option<char> {
        let (next, moved) = (position.turn, opponent(position.turn));
        let both = if self.mover_only { vec![moved] } else { vec![moved, next] };
        both.into_iter().find(|&side| self.has_won(position, side))
    }

    /// Returns true if `side` has, in every file, a piece on its last rank or directly in front of an opponent's piece
    /// there.
    fn has_won(&self, position: &Position, side: char) -> bool {
        let (last, before) = if side == 'b' { (0, 1) } else { (self.ranks - 1, self.ranks - 2) };
        (0..self.files).all(|file| {
            let on_last = side_of(position.board[last][file]);
            on_last == Some(side)
                || (on_last == Some(opponent(side)) && side_of(position.board[before][file]) == Some(side))
        })
    }

    /// Returns the target squares of the piece on `from`, without repeats.
    fn targets(&self, position: &Position, from: Square) -> Vec<Square> {
        let mut board = position.board.clone();
        let piece = std::mem::replace(&mut board[from.1][from.0], EMPTY);
        let mut targets = Vec::new();
        jump_on(&board, from, &mut targets);
        targets.retain(|&target| target != from);
        let (steps, most) = steps(piece.to_ascii_uppercase());
        for (right, up) in steps {
            let step = if position.turn == 'b' { (right, -up) } else { (-right, up) };
            let mut at = from;
            for _ in 0..most {
                let next = beside(at, step, self.files, self.ranks).filter(|&(file, rank)| board[rank][file] == EMPTY);
                let Some(next) = next else { break };
                if !targets.contains(&next) {
                    targets.push(next);
                }
                at = next;
            }
        }
        targets
    }
}

/// Returns the owner of a piece, or `None` for an empty square.
fn side_of(letter: char) -> Option<char> {
    (letter != EMPTY).then_some(if letter.is_ascii_uppercase() { 'b' } else { 'w' })
}

/// Returns the opposite side.
fn opponent(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

/// Returns the position after a half turn of the board, with the colours swapped.
pub fn turn_around(text: &str) -> String {
    let mut position = read_text(text);
    position.board.reverse();
    for row in &mut position.board {
        row.reverse();
        for piece in row.iter_mut() {
            *piece = match piece.is_ascii_uppercase() {
                true => piece.to_ascii_lowercase(),
                false => piece.to_ascii_uppercase(),
            };
        }
    }
    position.turn = opponent(position.turn);
    write_text(&position)
}
