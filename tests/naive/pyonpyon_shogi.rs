//! The rules of the pyonpyon game with shogi pieces a second time, written from the words of the rules alone: slow,
//! naive, and sharing nothing with the crate, so that tests can hold one against the other. Positions go in and come
//! out as `<board> <turn>`, moves as `b5c1`.

use super::pyonpyon::jump_on;
use super::{EMPTY, Square, beside, read_ranks, read_size, square, square_name, write_ranks};

/// One variant of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    /// Number of files (`a`, `b`, ...) and of pieces of each side.
    pub files: usize,
    /// Number of ranks (`1`, `2`, ...).
    pub ranks: usize,
    /// Whether only the side that has just moved can win (code letter `B`).
    pub mover_only: bool,
    /// Black's pieces by file.
    pub pieces: Vec<char>,
}

/// A position taken apart: `board[rank][file]` is a letter, a capital one for Black, or [`EMPTY`].
#[derive(Clone, Debug)]
struct Position {
    board: Vec<Vec<char>>,
    turn: char,
}

/// Files to the right and ranks up of the steps of Black's pieces, and how many of them it may go at once.
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
    /// The variant of a rule code such as `pyon3x4B-PGP`. Panics on a bad code.
    pub fn from_code(code: &str) -> Naive {
        let (race, pieces) = code.strip_prefix("pyon").and_then(|rest| rest.split_once('-')).expect("pieces");
        let size = race.trim_end_matches(['A', 'B']);
        let (files, ranks) = read_size(if size.is_empty() { "5x5" } else { size });
        Naive { files, ranks, mover_only: race.ends_with('B'), pieces: pieces.chars().collect() }
    }

    /// The start: Black at the bottom sees what White sees at the top.
    pub fn start_text(&self) -> String {
        let mut board = vec![vec![EMPTY; self.files]; self.ranks];
        for file in 0..self.files {
            // Of White's formation the files a, c and e stand one rank ahead, and Black's is that turned half round.
            let rank = usize::from(self.ranks > 3 && file % 2 == 0);
            let piece = self.pieces[self.files - 1 - file];
            board[rank][file] = piece.to_ascii_lowercase();
            board[self.ranks - 1 - rank][self.files - 1 - file] = piece;
        }
        write_text(&Position { board, turn: 'b' })
    }

    /// Every way to place the pieces of both sides, with one of them to move.
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

    /// All legal moves, sorted by the bytes of their text; none when the game is over.
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

    /// The position after a legal move. Panics on any other move.
    pub fn play(&self, text: &str, mv: &str) -> String {
        assert!(self.legal_moves(text).iter().any(|legal| legal == mv), "illegal move '{mv}' in '{text}'");
        let mut position = read_text(text);
        let (from, to) = (square(&mv[..2]), square(&mv[2..]));
        position.board[to.1][to.0] = std::mem::replace(&mut position.board[from.1][from.0], EMPTY);
        position.turn = opponent(position.turn);
        write_text(&position)
    }

    /// The side, `b` or `w`, that has won.
    pub fn winner(&self, text: &str) -> Option<char> {
        self.pattern_of(&read_text(text))
    }

    /// Whether the game is over with nobody the winner, because the side to move has no move.
    pub fn is_stuck(&self, text: &str) -> bool {
        self.winner(text).is_none() && self.legal_moves(text).is_empty()
    }

    /// The smallest text among those that mean the same to the side to move: left and right exchanged, the board turned
    /// with the colours swapped.
    pub fn canonical(&self, text: &str) -> String {
        let mirrored = mirror(text);
        let images = [turn_around(text), turn_around(&mirrored), text.to_string(), mirrored];
        images.into_iter().min().unwrap()
    }

    /// The side that has won by its pattern.
    fn pattern_of(&self, position: &Position) -> Option<char> {
        let (next, moved) = (position.turn, opponent(position.turn));
        let both = if self.mover_only { vec![moved] } else { vec![moved, next] };
        both.into_iter().find(|&side| self.has_won(position, side))
    }

    /// Whether, in every file, `side` stands on its last rank or right in front of an opponent who stands there.
    fn has_won(&self, position: &Position, side: char) -> bool {
        let (last, before) = if side == 'b' { (0, 1) } else { (self.ranks - 1, self.ranks - 2) };
        (0..self.files).all(|file| {
            let on_last = side_of(position.board[last][file]);
            on_last == Some(side)
                || (on_last == Some(opponent(side)) && side_of(position.board[before][file]) == Some(side))
        })
    }

    /// Where the piece on `from` can go, each square once.
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

/// Whose piece a letter is.
fn side_of(letter: char) -> Option<char> {
    (letter != EMPTY).then_some(if letter.is_ascii_uppercase() { 'b' } else { 'w' })
}

/// The other side, by its letter.
fn opponent(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

/// Left and right exchanged.
pub fn mirror(text: &str) -> String {
    let mut position = read_text(text);
    position.board.iter_mut().for_each(|row| row.reverse());
    write_text(&position)
}

/// A half turn of the board with the colours swapped.
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

/// Takes a text apart; panics if it is none.
fn read_text(text: &str) -> Position {
    let (board, turn) = text.split_once(' ').expect("board and turn");
    let turn = turn.chars().next().expect("turn");
    Position { board: read_ranks(board), turn }
}

/// The text of a position.
fn write_text(position: &Position) -> String {
    format!("{} {}", write_ranks(&position.board), position.turn)
}
