//! A second implementation of the rules of animal shogi, written from the rules page alone. It is slow and naive and
//! shares nothing with the crate, so that tests can compare the two. Boards are kept from Black's point of view,
//! whichever side is to move.

use std::collections::BTreeMap;

use super::EMPTY;

/// The digits of a rule code, in order of their values.
const CODE_DIGITS: &str = "0123456789abcdefghijklmnopqrstuv";

/// The kinds of pieces, in the order of the rule code and of the digits 1 to 5 of a key.
pub const KINDS: &str = "LEGCH";

/// The kinds that can be in a hand, in the order of a key.
const HAND_KINDS: &str = "CGE";

/// The depth of a position in which neither side can force a win. Other depths are numbers of plies to the end.
pub const DRAW: i32 = -1;

/// The names of the files in a move, from left to right as Black sees the board.
const FILES: &str = "321";

/// The names of the ranks in a move, from top to bottom as Black sees the board.
const RANKS: &str = "abcd";

/// A square: rank and file, both counted from 0.
type Square = (usize, usize);

/// One variant of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    /// Five letters for each of [`KINDS`], `1` if the piece can step in a direction and `0` if it cannot: back,
    /// diagonally back, sideways, diagonally forward, forward.
    pub movements: Vec<String>,
    /// True if a lion wins when it reaches the last rank and cannot be taken there.
    pub try_rule: bool,
}

/// A position. Black's pieces are upper-case letters, White's lower-case, on the board and in the hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// `board[rank][file]`, from the top left square as Black sees it.
    pub board: [[char; 3]; 4],
    /// The pieces in both hands, in no particular order.
    pub hands: Vec<char>,
    /// The side to move: `b` or `w`.
    pub turn: char,
}

impl Naive {
    /// Parses a rule code such as `val1n` or `val1nT`. Panics on a bad code.
    pub fn from_code(code: &str) -> Naive {
        let (digits, try_rule) = match code.strip_suffix('T') {
            Some(digits) => (digits, false),
            None => (code, true),
        };
        assert_eq!(digits.chars().count(), 5, "five digits in '{code}'");
        let value = |digit| CODE_DIGITS.find(digit).unwrap_or_else(|| panic!("'{digit}' in '{code}'"));
        let movements = digits.chars().map(|digit| format!("{:05b}", value(digit))).collect();
        Naive { movements, try_rule }
    }

    /// Returns all legal moves, sorted by the bytes of their text. There are none if the game is over.
    pub fn legal_moves(&self, position: &Position) -> Vec<String> {
        if self.can_take_lion(position) || self.lost_by_try(position) {
            return Vec::new();
        }
        let mut moves: Vec<String> = self.board_moves(position).into_iter().chain(drops(position)).collect();
        moves.sort();
        moves
    }

    /// Returns the position after a legal move. Panics on any other move.
    pub fn play(&self, position: &Position, mv: &str) -> Position {
        assert!(self.legal_moves(position).contains(&mv.to_string()), "illegal move '{mv}' in {position:?}");
        let mut next = position.clone();
        next.turn = other(position.turn);
        let letters: Vec<char> = mv.chars().collect();
        if letters[1] == '*' {
            let piece = of_side(letters[0], position.turn);
            let place = next.hands.iter().position(|&held| held == piece).expect("a piece in hand");
            next.hands.remove(place);
            let (rank, file) = square(letters[2], letters[3]);
            next.board[rank][file] = piece;
            return next;
        }
        let (from, to) = (square(letters[0], letters[1]), square(letters[2], letters[3]));
        let mut piece = position.board[from.0][from.1];
        if promotes(piece, from.0, to.0) {
            piece = of_side('H', position.turn);
        }
        let taken = position.board[to.0][to.1];
        if taken != EMPTY {
            let kind = if kind_of(taken) == 'H' { 'C' } else { kind_of(taken) };
            next.hands.push(of_side(kind, position.turn));
        }
        next.board[from.0][from.1] = EMPTY;
        next.board[to.0][to.1] = piece;
        next
    }

    /// Returns the depth of a position in which the game is over: 1 if the lion can be taken, 0 if the side to move has
    /// lost by a try, [`DRAW`] if it has no legal move.
    pub fn ending(&self, position: &Position) -> Option<i32> {
        if self.can_take_lion(position) {
            return Some(1);
        }
        if self.lost_by_try(position) {
            return Some(0);
        }
        self.legal_moves(position).is_empty().then_some(DRAW)
    }

    /// Returns the canonical keys of all positions reachable from the start, each with the canonical keys of its
    /// children. Returns `None` if there are more than `limit` positions.
    pub fn graph(&self, limit: usize) -> Option<BTreeMap<u64, Vec<u64>>> {
        let mut graph = BTreeMap::new();
        let mut waiting = vec![canonical_key(&start())];
        while let Some(key) = waiting.pop() {
            if graph.contains_key(&key) {
                continue;
            }
            let position = read_key(&format!("{key:015x}"));
            let moves = self.legal_moves(&position);
            let children: Vec<u64> = moves.iter().map(|mv| canonical_key(&self.play(&position, mv))).collect();
            waiting.extend(&children);
            graph.insert(key, children);
            if graph.len() > limit {
                return None;
            }
        }
        Some(graph)
    }

    /// Returns the depth of every position reachable from the start, by canonical key. The depth is even if the side to
    /// move loses, odd if it wins, and [`DRAW`] if neither side can force a win. Returns `None` if there are more than
    /// `limit` positions.
    pub fn depths(&self, limit: usize) -> Option<BTreeMap<u64, i32>> {
        let graph = self.graph(limit)?;
        let ending = |&key: &u64| Some((key, self.ending(&read_key(&format!("{key:015x}")))?));
        let mut depths: BTreeMap<u64, i32> = graph.keys().filter_map(ending).collect();
        for depth in 1.. {
            depths.extend(decided_at(depth, &graph, &depths));
            if !depths.values().any(|&known| known == depth || known == depth - 1) {
                break;
            }
        }
        for &key in graph.keys() {
            depths.entry(key).or_insert(DRAW);
        }
        Some(depths)
    }

    /// Returns true if the side to move can take the other side's lion.
    pub fn can_take_lion(&self, position: &Position) -> bool {
        self.lion_takers(position) > 0
    }

    /// Returns the number of pieces with which the side to move can take the other side's lion.
    pub fn lion_takers(&self, position: &Position) -> usize {
        let lion = of_side('L', other(position.turn));
        let targets = all_squares().flat_map(|from| self.targets(position, from));
        targets.filter(|&(rank, file)| position.board[rank][file] == lion).count()
    }

    /// Returns true if the try rule is on and the other side's lion is on the home rank of the side to move.
    fn lost_by_try(&self, position: &Position) -> bool {
        let lion = of_side('L', other(position.turn));
        self.try_rule && position.board[home_rank(position.turn)].contains(&lion)
    }

    /// Returns all moves of the side to move with pieces on the board, which are not drops.
    fn board_moves(&self, position: &Position) -> Vec<String> {
        let from_square = |from: Square| {
            let name = move |to: Square| {
                let plus = if promotes(position.board[from.0][from.1], from.0, to.0) { "+" } else { "" };
                format!("{}{}{plus}", square_name(from), square_name(to))
            };
            self.targets(position, from).into_iter().map(name)
        };
        all_squares().flat_map(from_square).collect()
    }

    /// Returns the target squares of the piece on a square. There are none if it is not a piece of the side to move.
    fn targets(&self, position: &Position, (rank, file): Square) -> Vec<Square> {
        let is_own = |piece: char| piece != EMPTY && side_of(piece) == position.turn;
        let piece = position.board[rank][file];
        if !is_own(piece) {
            return Vec::new();
        }
        let target = |(down, right): (isize, isize)| {
            let rank = rank.checked_add_signed(down).filter(|&rank| rank < 4)?;
            let file = file.checked_add_signed(right).filter(|&file| file < 3)?;
            (!is_own(position.board[rank][file])).then_some((rank, file))
        };
        self.steps(piece).into_iter().filter_map(target).collect()
    }

    /// Returns the steps of a piece, as squares down and squares to the right.
    fn steps(&self, piece: char) -> Vec<(isize, isize)> {
        let forward = if side_of(piece) == 'b' { -1 } else { 1 };
        let directions = [
            vec![(-forward, 0)],
            vec![(-forward, -1), (-forward, 1)],
            vec![(0, -1), (0, 1)],
            vec![(forward, -1), (forward, 1)],
            vec![(forward, 0)],
        ];
        let kind = KINDS.find(kind_of(piece)).expect("a kind of piece");
        let can = self.movements[kind].chars().zip(directions).filter(|(can, _)| *can == '1');
        can.flat_map(|(_, steps)| steps).collect()
    }
}

/// Returns the keys that are not in `depths` and have the depth `depth` by the depths of their children, each with that
/// depth.
fn decided_at(depth: i32, graph: &BTreeMap<u64, Vec<u64>>, depths: &BTreeMap<u64, i32>) -> Vec<(u64, i32)> {
    let decided = |children: &[u64]| match depth % 2 {
        1 => children.iter().any(|child| depths.get(child) == Some(&(depth - 1))),
        _ => children.iter().all(|child| depths.get(child).is_some_and(|known| known % 2 == 1)),
    };
    let open = graph.iter().filter(|(key, children)| !depths.contains_key(key) && decided(children));
    open.map(|(&key, _)| (key, depth)).collect()
}

/// Returns the start position, with Black to move.
pub fn start() -> Position {
    read_board("gle\n.c.\n.C.\nELG\n")
}

/// Parses four lines of a board and a line with the pieces in both hands, as the side to move sees them. The side to
/// move becomes Black.
pub fn read_board(text: &str) -> Position {
    let lines: Vec<Vec<char>> = text.split('\n').map(|line| line.chars().collect()).collect();
    let rank = |rank: usize| lines[rank][..].try_into().unwrap_or_else(|_| panic!("rank {rank} of {text:?}"));
    Position { board: [0, 1, 2, 3].map(rank), hands: lines[4].clone(), turn: 'b' }
}

/// Returns the board in five lines as the side to move sees it. The last line lists the pieces in hand: those of the
/// side to move, then those of the other side, each in the order of [`KINDS`].
pub fn write_board(position: &Position) -> String {
    let seen = as_mover_sees(position);
    let mut text: String = seen.board.iter().flat_map(|row| row.iter().chain(&['\n'])).collect();
    for piece in ['b', 'w'].iter().flat_map(|&side| KINDS.chars().map(move |kind| of_side(kind, side))) {
        text.extend(seen.hands.iter().filter(|&&held| held == piece));
    }
    text
}

/// Parses a key of 15 hexadecimal digits. The side to move becomes Black.
pub fn read_key(key: &str) -> Position {
    let digits: Vec<u32> = key.chars().map(|digit| digit.to_digit(16).expect("a hexadecimal digit")).collect();
    assert_eq!(digits.len(), 15, "15 digits in '{key}'");
    let counts = digits[..3].iter().flat_map(|digit| [digit / 4, digit % 4]);
    let pieces = ['w', 'b'].iter().flat_map(|&side| HAND_KINDS.chars().map(move |kind| of_side(kind, side)));
    let hands = pieces.zip(counts).flat_map(|(piece, count)| vec![piece; count as usize]).collect();
    let mut board = [[EMPTY; 3]; 4];
    for (place, &digit) in digits[3..].iter().enumerate() {
        board[place % 4][2 - place / 4] = piece_of_digit(digit);
    }
    Position { board, hands, turn: 'b' }
}

/// Returns the key of a position, the number with its 15 hexadecimal digits.
pub fn key(position: &Position) -> u64 {
    let seen = as_mover_sees(position);
    let count = |piece| seen.hands.iter().filter(|&&held| held == piece).count() as u32;
    let hands = [['c', 'g'], ['e', 'C'], ['G', 'E']].map(|[first, second]| 4 * count(first) + count(second));
    let files = [2, 1, 0].iter().flat_map(|&file| seen.board.iter().map(move |row| digit_of_piece(row[file])));
    hands.into_iter().chain(files).fold(0, |key, digit| 16 * key + u64::from(digit))
}

/// Returns the smaller of the keys of a position and its mirror image.
pub fn canonical_key(position: &Position) -> u64 {
    key(position).min(key(&mirror(position)))
}

/// Returns the position with left and right exchanged.
pub fn mirror(position: &Position) -> Position {
    let mut mirrored = position.clone();
    mirrored.board.iter_mut().for_each(|row| row.reverse());
    mirrored
}

/// Returns the position with the side to move as Black. If White is to move, the board is turned and the colours are
/// swapped.
fn as_mover_sees(position: &Position) -> Position {
    let mut seen = position.clone();
    if position.turn == 'b' {
        return seen;
    }
    for (rank, file) in all_squares() {
        seen.board[rank][file] = with_other_owner(position.board[3 - rank][2 - file]);
    }
    for piece in &mut seen.hands {
        *piece = with_other_owner(*piece);
    }
    seen.turn = 'b';
    seen
}

/// Returns all drops of the side to move: each kind of piece in its hand on each empty square.
fn drops(position: &Position) -> Vec<String> {
    let held = HAND_KINDS.chars().filter(|&kind| position.hands.contains(&of_side(kind, position.turn)));
    let empty = || all_squares().filter(|&(rank, file)| position.board[rank][file] == EMPTY);
    held.flat_map(|kind| empty().map(move |square| format!("{kind}*{}", square_name(square)))).collect()
}

/// Returns true if a piece that moves from one rank to another becomes a hen.
fn promotes(piece: char, from_rank: usize, to_rank: usize) -> bool {
    let last_rank = home_rank(other(side_of(piece)));
    kind_of(piece) == 'C' && (from_rank == last_rank || to_rank == last_rank)
}

/// Returns all squares, row by row from the top left.
fn all_squares() -> impl Iterator<Item = Square> {
    (0..4).flat_map(|rank| (0..3).map(move |file| (rank, file)))
}

/// Returns the name of a square in a move.
fn square_name((rank, file): Square) -> String {
    format!("{}{}", &FILES[file..=file], &RANKS[rank..=rank])
}

/// Parses the name of a square in a move. Returns its rank and file.
fn square(file: char, rank: char) -> (usize, usize) {
    (RANKS.find(rank).expect("a rank"), FILES.find(file).expect("a file"))
}

/// Returns the index of the rank on which a side's lion starts.
fn home_rank(side: char) -> usize {
    if side == 'b' { 3 } else { 0 }
}

/// Returns the other side.
fn other(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

/// Returns the owner of a piece.
fn side_of(piece: char) -> char {
    if piece.is_ascii_uppercase() { 'b' } else { 'w' }
}

/// Returns the kind of a piece, as a letter of [`KINDS`].
fn kind_of(piece: char) -> char {
    piece.to_ascii_uppercase()
}

/// Returns the letter of a piece, from its kind and side.
fn of_side(kind: char, side: char) -> char {
    if side == 'b' { kind.to_ascii_uppercase() } else { kind.to_ascii_lowercase() }
}

/// Returns the same piece with the other side as its owner. An empty square stays empty.
fn with_other_owner(piece: char) -> char {
    of_side(piece, other(side_of(piece)))
}

/// Returns the piece for a digit of a key, from the point of view of the side to move.
fn piece_of_digit(digit: u32) -> char {
    let kind = |place: u32| KINDS.chars().nth(place as usize).expect("a kind of piece");
    match digit {
        0 => EMPTY,
        1..=5 => of_side(kind(digit - 1), 'b'),
        9..=13 => of_side(kind(digit - 9), 'w'),
        _ => panic!("no piece has the digit {digit:x}"),
    }
}

/// Returns the digit of a square in a key, from the point of view of the side to move.
fn digit_of_piece(piece: char) -> u32 {
    if piece == EMPTY {
        return 0;
    }
    let kind = KINDS.find(kind_of(piece)).expect("a kind of piece") as u32;
    if side_of(piece) == 'b' { kind + 1 } else { kind + 9 }
}
