//! A second implementation of the rules of the pyonpyon game, written from the published rules alone. It is slow and
//! naive and shares nothing with the crate, so that tests can compare the two. Positions are `<board> <turn>`, moves
//! look like `b5c1`.

use super::{DIRECTIONS, EMPTY, Square, beside, read_ranks, read_size, square, square_name, write_ranks};

/// One variant of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    /// Number of files (`a`, `b`, ...) and of pieces of each side.
    pub files: usize,
    /// Number of ranks (`1`, `2`, ...).
    pub ranks: usize,
    /// True if only the side that has just moved can win (code letter `B`).
    pub mover_only: bool,
}

/// A parsed position: `board[rank][file]` is a letter, such as `x` or `o`, or [`EMPTY`].
#[derive(Clone, Debug)]
pub struct Position {
    pub board: Vec<Vec<char>>,
    pub turn: char,
}

impl Naive {
    /// Parses a rule code such as `pyon` or `pyon3x4B`. Panics on a bad code.
    pub fn from_code(code: &str) -> Naive {
        let rest = code.strip_prefix("pyon").expect("pyon");
        let size = rest.trim_end_matches(['A', 'B']);
        let size = if size.is_empty() { "5x5" } else { size };
        let (files, ranks) = read_size(size);
        Naive { files, ranks, mover_only: rest.ends_with('B') }
    }

    /// Returns the start position. Its board is the same after a half turn with the colours swapped.
    pub fn start_text(&self) -> String {
        let mut board = vec![vec![EMPTY; self.files]; self.ranks];
        for file in 0..self.files {
            let front = self.ranks > 3 && file % 2 == 0;
            let rank = usize::from(front);
            board[rank][file] = 'o';
            board[self.ranks - 1 - rank][self.files - 1 - file] = 'x';
        }
        write_text(&Position { board, turn: 'x' })
    }

    /// Returns every placement of both sides' pieces, with `turn` to move.
    pub fn all_positions(&self, turn: char) -> Vec<String> {
        let mut boards = vec![(Vec::new(), self.files, self.files)];
        for _ in 0..self.files * self.ranks {
            let longer = |(squares, x, o): (Vec<char>, usize, usize)| {
                let square = |(piece, x, o)| ([&squares[..], &[piece]].concat(), x, o);
                let x_and_o = [x.checked_sub(1).map(|x| ('x', x, o)), o.checked_sub(1).map(|o| ('o', x, o))];
                x_and_o.into_iter().flatten().chain([(EMPTY, x, o)]).map(square).collect::<Vec<_>>()
            };
            boards = boards.into_iter().flat_map(longer).collect();
        }
        let whole = boards.into_iter().filter(|&(_, x, o)| (x, o) == (0, 0));
        let board =
            |(squares, ..): (Vec<char>, usize, usize)| squares.chunks(self.files).map(<[char]>::to_vec).collect();
        whole.map(|squares| write_text(&Position { board: board(squares), turn })).collect()
    }

    /// Returns all legal moves, sorted by the bytes of their text. There are none if the game is over.
    pub fn legal_moves(&self, text: &str) -> Vec<String> {
        if self.winner(text).is_some() {
            return Vec::new();
        }
        let position = read_text(text);
        let squares = (0..self.files).flat_map(|file| (0..self.ranks).map(move |rank| (file, rank)));
        let own = squares.filter(|&(file, rank)| position.board[rank][file] == position.turn);
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
        position.board[from.1][from.0] = EMPTY;
        position.board[to.1][to.0] = position.turn;
        position.turn = opponent(position.turn);
        write_text(&position)
    }

    /// Returns the winner, `x` or `o`, if the game is over.
    pub fn winner(&self, text: &str) -> Option<char> {
        let position = read_text(text);
        let (next, moved) = (position.turn, opponent(position.turn));
        let both = if self.mover_only { vec![moved] } else { vec![moved, next] };
        both.into_iter().find(|&side| self.has_won(&position, side))
    }

    /// Returns the smallest text of all symmetric positions. The symmetries exchange left and right, and turn the board
    /// with the colours swapped.
    pub fn canonical(&self, text: &str) -> String {
        let mirrored = mirror(text);
        let images = [turn_around(text), turn_around(&mirrored), text.to_string(), mirrored];
        images.into_iter().min().unwrap()
    }

    /// Returns true if `side` has, in every file, a piece on its last rank or directly in front of an opponent's piece
    /// there.
    fn has_won(&self, position: &Position, side: char) -> bool {
        let (last, before) = if side == 'x' { (0, 1) } else { (self.ranks - 1, self.ranks - 2) };
        (0..self.files).all(|file| {
            let on_last = position.board[last][file];
            on_last == side || (on_last == opponent(side) && position.board[before][file] == side)
        })
    }

    /// Returns the target squares of the piece on `from`, without repeats.
    fn targets(&self, position: &Position, from: Square) -> Vec<Square> {
        let mut board = position.board.clone();
        board[from.1][from.0] = EMPTY;
        let steps = DIRECTIONS.iter().filter_map(|&direction| beside(from, direction, self.files, self.ranks));
        let mut targets: Vec<Square> = steps.filter(|&(file, rank)| board[rank][file] == EMPTY).collect();
        let mut landings = Vec::new();
        jump_on(&board, from, &mut landings);
        landings.retain(|landing| *landing != from && !targets.contains(landing));
        targets.extend(landings);
        targets
    }
}

/// Adds all squares that a sequence of jumps from `at` can reach to `landings`.
pub fn jump_on(board: &[Vec<char>], at: Square, landings: &mut Vec<Square>) {
    for direction in DIRECTIONS {
        if let Some(landing) = jump(board, at, direction)
            && !landings.contains(&landing)
        {
            landings.push(landing);
            jump_on(board, landing, landings);
        }
    }
}

/// Returns the target of one jump: the first empty square behind at least one piece, or `None` if there is none.
fn jump(board: &[Vec<char>], at: Square, direction: (isize, isize)) -> Option<Square> {
    let (files, ranks) = (board[0].len(), board.len());
    let mut pieces = 0;
    let mut square = beside(at, direction, files, ranks)?;
    while board[square.1][square.0] != EMPTY {
        pieces += 1;
        square = beside(square, direction, files, ranks)?;
    }
    (pieces > 0).then_some(square)
}

/// Returns the opposite side.
fn opponent(side: char) -> char {
    if side == 'x' { 'o' } else { 'x' }
}

/// Returns the position with left and right exchanged.
pub fn mirror(text: &str) -> String {
    let mut position = read_text(text);
    position.board.iter_mut().for_each(|row| row.reverse());
    write_text(&position)
}

/// Returns the position after a half turn of the board, with the colours swapped.
pub fn turn_around(text: &str) -> String {
    let mut position = read_text(text);
    position.board.reverse();
    for row in &mut position.board {
        row.reverse();
        for piece in row.iter_mut().filter(|piece| **piece != EMPTY) {
            *piece = opponent(*piece);
        }
    }
    position.turn = opponent(position.turn);
    write_text(&position)
}

/// Parses a position. Panics on a bad text.
pub fn read_text(text: &str) -> Position {
    let (board, turn) = text.split_once(' ').expect("board and turn");
    let turn = turn.chars().next().expect("turn");
    Position { board: read_ranks(board), turn }
}

/// Formats a position.
pub fn write_text(position: &Position) -> String {
    format!("{} {}", write_ranks(&position.board), position.turn)
}
